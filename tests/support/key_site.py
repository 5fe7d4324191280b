"""A site whose duplicates are known: pages, and URLs of each that a server answers in the same way."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from random import Random

from weburl._crawl.tracking import SESSION_PARAMETERS, TRACKING_PARAMETERS

# A page: the host, the segments of its path, and its pairs.
Page = tuple[str, tuple[str, ...], frozenset[tuple[str, str]]]

HOSTS = ("shop.example", "www.shop.example", "news.co.uk", "youtube.com", "x.com", "forum.example:8080")
SEGMENTS = ("a", "list", "article.pl", "viewtopic.php", "2026", "amp-hours", "sid=1", "café", "a b")
# Names that sessions have, too, with values that tell pages apart; and names that are like those that are removed.
PAIRS = (
    *[("sid", value) for value in ("251", "263", "0123456789abcdef", "a" * 33, "g" * 32)],
    *[("s", value) for value in ("shoes", "80", "1024x768", "0f" * 16)],
    *[(name, value) for name in ("at_home", "hsa_size", "mtm_page") for value in "12"],
    *[("session_id", value) for value in ("keynote", "42")],
    *[("_", value) for value in ("1", "2024", "12345678901")],
    *[("spm", value) for value in ("1.2.3", "a", "a.b")],
    *[("replytocom", value) for value in ("all", "x1")],
    *[("si", value) for value in ("meter", "foot")],
    *[(name, value) for name in ("id", "page", "ref", "source", "atm", "ats", "utm", "sids", "osc") for value in "12"],
    ("q", "a=b"), ("q", "a+b"), ("q", "a b"), ("q", ""), ("ref_src", "book"),
)  # fmt: skip
VALUES: dict[str, Callable[[Random], str]] = {
    "hex32": lambda random: f"{random.getrandbits(128):032x}",
    "digits": lambda random: str(random.randrange(10**6)),
    "time": lambda random: str(random.choice((1764000000, 1764000000000)) + random.randrange(10**6)),
    "dotted": lambda random: f"a{random.randrange(99)}.home.{random.randrange(99)}.x",
    "": lambda random: f"{random.getrandbits(40):x}",
}


def page(random: Random) -> Page:
    path = tuple(random.choices(SEGMENTS, k=random.randrange(1, 4)))
    pairs = frozenset(dict(random.choices(PAIRS, k=random.randrange(4))).items())
    host = random.choice(HOSTS)
    if host in ("youtube.com", "x.com"):
        # There these names mean something else.
        pairs = frozenset(pair for pair in pairs if pair[0] not in ("si", "ref_src"))
    return host, path, pairs


def escaped(random: Random, text: str, raw: str) -> str:
    """The text in one of its spellings."""
    spelled = []
    for byte in text.encode():
        c = chr(byte)
        if (c.isascii() and c.isalnum()) or c in raw:
            spelled.append(random.choice((c, c, c, c, f"%{byte:02X}", f"%{byte:02x}")))
        else:
            spelled.append(random.choice((f"%{byte:02X}", f"%{byte:02x}")))
    return "".join(spelled)


def visit(random: Random, of: Page) -> str:
    """One of the URLs of the page: with what belongs to the visit, and in any spelling."""
    host, path, pairs = of
    query = [
        f"{escaped(random, name, '-._~')}={'+'.join(escaped(random, part, '-._~:') for part in value.split('+'))}"
        for name, value in sorted(pairs)
    ]
    for rule in random.sample(sorted(TRACKING_PARAMETERS | SESSION_PARAMETERS), random.randrange(4)):
        before, _, only = rule.partition("@")
        name, _, shape = before.partition("=")
        if not only or only == host:
            query.append(f"{random.choice((name, name.upper())).replace('*', 'x')}={VALUES[shape](random)}")
    query += [""] * random.randrange(2)
    random.shuffle(query)
    segments = [escaped(random, segment, "-._~=") for segment in path]
    if random.random() < 0.2:
        segments[-1] += f";jsessionid={random.getrandbits(64):X}"
    folder = random.choice(("", "", "x/../", "./"))
    text = f"http://{random.choice((host, host.upper()))}/{folder}{'/'.join(segments)}"
    return text + f"?{'&'.join(query)}" * (bool(query) or random.random() < 0.5) + random.choice(("", "#top", "#"))


# How the same page may be asked for as well; a server decides, so that only a knob brings these together.
OTHER_FORMS: dict[str, Callable[[str], str]] = {
    "merge_slashes": lambda url: url[:7] + url[7:].replace("/", "//", 1),
    "remove_mobile": lambda url: url.replace("http://", "http://m."),
    "remove_amp": lambda url: url + ("&" if "?" in url else "?") + "amp=1",
    "merge_schemes": lambda url: url.replace("http://", "https://"),
}


def together_and_apart(visits: Iterator[tuple[Page, object]]) -> tuple[int, int, int]:
    """How many pages there are, how many of them share a key with another, and how many have more than one key."""
    keys: defaultdict[Page, set[object]] = defaultdict(set)
    pages: defaultdict[object, set[Page]] = defaultdict(set)
    for of, key in visits:
        keys[of].add(key)
        pages[key].add(of)
    together = {of for found in pages.values() if len(found) > 1 for of in found}
    return len(keys), len(together), sum(len(found) > 1 for found in keys.values())
