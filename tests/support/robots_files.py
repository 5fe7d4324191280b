"""Files of robots.txt that were made to be hard to read, and URLs for them."""

from __future__ import annotations

from random import Random

ATOMS = (
    "/", "a", "b", "ab", "aba", "*", "**", "$", "%2F", "%61", "%zz", "%", "%C3%A9", "é", "%c3%a9", ".html",
    "index.htm", "/index.html", ";", "?", "=", "&", "x", "%2a", "%24", "~", "%7e", "..", "/../", "/./", ":", "%3a",
    "@", "|", "{", '"', "%3F", "[", "]", "\\", "+", "1",
)  # fmt: skip
PLAIN = ("/", "a", "b", "*", "$", "ab", "aa")
KEYS = (
    "Allow", "Disallow", "allow", "DISALLOW", "disalow", "diasllow", "disallaw", "dissallow", "dissalow", "disallows",
    "allowed", "User-agent", "user-agent", "useragent", "user agent", "User-Agents", "Sitemap", "site-map",
    "Crawl-delay", "Content-Signal", "Host", "Unknown", "", " ", "Allow x",
)  # fmt: skip
AGENTS = (
    "FooBot", "foobot", "*", "* x", "BarBot", "Foo", "FooBot/2.1", "foo-bot", "Foo_Bot", "FooBot x", "*x", "", "Foo2",
)  # fmt: skip
SEPARATORS = (":", ": ", " : ", " ", "\t", "::", "")
ENDS = ("\n", "\r", "\r\n", "\n\r", "\n\n")
STARTS = (
    "http://h.example", "http://h.example", "https://h.example:8080", "", "//h", "http:", "http://h;a", "h", "a://b://",
)  # fmt: skip


def path(random: Random, most: int, atoms: tuple[str, ...] = ATOMS) -> str:
    return ("/" if random.random() < 0.85 else "") + "".join(random.choices(atoms, k=random.randrange(most)))


def body(random: Random) -> bytes:
    lines = [f"User-agent: {random.choice(AGENTS[:6])}\n"] if random.random() < 0.5 else []
    deep = random.random() < 0.4
    atoms = PLAIN if deep and random.random() < 0.5 else ATOMS
    for _ in range(random.choice([3, 6, 12, 40 if deep else 5])):
        key = random.choice(KEYS if random.random() < 0.5 else KEYS[:4])
        value = random.choice(AGENTS) if key.lower().startswith("user") else path(random, 12 if deep else 6, atoms)
        separator = random.choice(SEPARATORS) if random.random() < 0.3 else ": "
        end = random.choice(["", "", "", " ", "#c", " # c", "\0x", " y"])
        line = random.choice(["", "", " ", "\t"]) + key + separator + value + end
        if random.random() < 0.002:
            line += "a" * 17000
        lines.append(line + random.choice(ENDS))
    text = "".join(lines).encode()
    if random.random() < 0.03:
        text = bytes(random.choices(b"\n\r: #*$/aA\0\xff\xef", k=random.randrange(60)))
    return random.choice([b""] * 20 + [b"\xef\xbb\xbf", b"\xef\xbb", b"\xef"]) + text


def url(random: Random, patterns: list[str], absolute: bool) -> str:
    """One that is often near a rule."""
    if patterns and random.random() < 0.6:
        text = random.choice(patterns).replace("*", random.choice(["", "a", "/", "ab", "x", "?"]))
        text = text[:-1] if text.endswith("$") and random.random() < 0.7 else text
        text += random.choice(["", "", "a", "/x", "?", "?a=/b:c"])
    else:
        text = path(random, 14, random.choice([ATOMS, PLAIN]))
    start = random.choice(STARTS[:3]) if absolute else random.choice(STARTS)
    if absolute and not text.startswith("/"):
        text = "/" + text
    return start + text + random.choice(["", "", "", "#f"]) + ("\0b" if random.random() < 0.003 else "")
