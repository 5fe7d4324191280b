"""A robots.txt as one crawler reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._robots.rules import KINDS, MODES, Rules, path_of, spelt
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any, Final, Literal

    Compat = Literal["rfc9309", "google"] | None

# What each warning says. `{}` is the line.
WARNINGS: Final = {
    "no-colon": "the line has no colon",
    "missing-colon": "a colon is missing after the first word; the line is read as if it were there",
    "misspelt": "the key is misspelt; the line is read as if it were right",
    "unknown-key": "the key is not known",
    "no-group": "the rule is before the first User-agent, and is for nobody",
    "no-slash": "the rule begins with neither / nor *, and matches nothing",
    "nul": "the line has a NUL, where it ends",
    "too-long-line": "the line is longer than 16,663 bytes, where it ends",
    "too-many-rules": "this rule and all after it are left out: the rules take more than 1 GiB",
    "bad-delay": "the delay is not a number of seconds",
    "utf-16": "the file is UTF-16; it must be UTF-8",
    "html": "the file looks like HTML",
    "cut": "the file is longer than the limit; the rest is left out",
    "more": "there are more warnings than are listed",
}
# In a list of them, as in weburl._robots.rules.
MOST_WARNINGS: Final = 1000

# weburl.robots sets it, as this module does not import it.
robots_allowed_many: Callable[..., Any] = NotImplemented


class RobotsWarning(NamedTuple):
    """A line that is not as it should be: its number `line`, a `code`, a `message`, and the `text` of the line.

    >>> Robots.parse("User-agent: *\\nDisalow: /private", agent="ExampleBot").warnings[0].code
    'misspelt'
    """

    line: int
    code: str
    message: str
    text: str


class RobotsRule(NamedTuple):
    """The rule that decides about a URL: the number of its `line`, its `text`, and whether the URL is `allowed`.

    >>> robots = Robots.parse("User-agent: *\\nDisallow: /private", agent="ExampleBot")
    >>> robots.rule("https://example.com/private/a")
    RobotsRule(line=2, text='Disallow: /private', allowed=False)
    """

    line: int
    text: str
    allowed: bool


def product_token(user_agent: str) -> str:
    """The name that a crawler has in a robots.txt, cut out of its User-Agent header.

    >>> product_token("ExampleBot/2.1 (+https://example.com/bot)")
    'ExampleBot'
    >>> product_token("Mozilla/5.0 (compatible; ExampleBot/2.1; +https://example.com/bot)")
    'ExampleBot'
    """
    if not isinstance(user_agent, str):
        raise wrong_type(user_agent, "user_agent must be a str")
    text = str.__str__(user_agent).strip()
    name = leading_token(text)
    if name.lower() == "mozilla" and "compatible;" in text:
        name = leading_token(text.partition("compatible;")[2].strip()) or name
    return name


def leading_token(text: str) -> str:
    for i, character in enumerate(text):
        if not (character.isascii() and (character.isalnum() or character in "-_")):
            return text[:i]
    return text


def check_agent(agent: str, compat: Compat) -> str:
    if not isinstance(agent, str):
        raise wrong_type(agent, "agent must be a str")
    name = str.__str__(agent)
    if compat != "google" and name != "*" and (not name or leading_token(name) != name):
        from weburl._diagnosis.messages import shown_argument

        found = product_token(name)
        hint = f': write "{found}", or use product_token()' if found else ""
        raise ValueError(f"agent must be a product token of letters, digits, - and _, not {shown_argument(name)}{hint}")
    if compat == "rfc9309" and any(character.isdigit() for character in name):
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(
            f'with compat="rfc9309", agent must be a product token of letters, - and _, not {shown_argument(name)}: '
            "a product token with digits matches no group by RFC 9309"
        )
    return name


def check_compat(compat: Compat) -> None:
    if not (compat is None or isinstance(compat, str)) or compat not in MODES:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f'compat must be None, "rfc9309" or "google", not {shown_argument(compat)}')


class Robots:
    """What a robots.txt says to one crawler. `Robots.parse` makes it.

    >>> robots = Robots.parse("User-agent: *\\nDisallow: /private\\nAllow: /private/faq$", agent="ExampleBot")
    >>> robots.allowed("https://example.com/private/a"), robots.allowed("https://example.com/private/faq")
    (False, True)

    It does not change, and can be used by several threads.
    """

    __slots__ = ("_agent", "_compat", "_crawl_delay", "_entries", "_rules", "_warnings")
    _agent: str
    _compat: Compat
    # Crawlers ask for it after each page, and a file may have many entries.
    _crawl_delay: float | None
    _entries: list[tuple[str, int, str]]
    _rules: Rules
    _warnings: list[tuple[int, str, str]]

    def __init__(self) -> None:
        raise TypeError("Robots.parse() makes a Robots")

    @classmethod
    def parse(cls, body: bytes | str, *, agent: str, compat: Compat = None, limit: int | None = None) -> Robots:
        """Reads a file. `agent` is the crawler's product token, such as the "ExampleBot" of "ExampleBot/2.1".

        >>> Robots.parse(b"User-agent: ExampleBot\\nDisallow: /", agent="ExampleBot").allowed("https://example.com/")
        False

        `compat` is how rules are compared with URLs: None, "rfc9309" or "google". Bytes after `limit` are left out.
        No file raises an exception; `warnings` says what is wrong with it.
        """
        check_compat(compat)
        name = check_agent(agent, compat)
        warnings: list[tuple[int, str, str]] = []
        if isinstance(body, str):
            data = str.__str__(body).encode("utf-8", "surrogatepass")
        elif isinstance(body, (bytes, bytearray, memoryview)):
            data = bytes(body)
        else:
            raise wrong_type(body, "body must be bytes or a str")
        is_cut = limit is not None and len(data) > limit
        if is_cut:
            data = data[: max(limit or 0, 0)]
        if compat is None and data[:2] in (b"\xff\xfe", b"\xfe\xff"):
            data = data.decode("utf-16", "replace").encode("utf-8", "replace")
            warnings.append((1, "utf-16", ""))
        if is_cut:
            # The last line can be cut in two.
            data = data[: max(data.rfind(b"\n"), data.rfind(b"\r")) + 1]
            warnings.append((data.count(b"\n") + 1, "cut", ""))
        first = data[:1000].lstrip(b"\xef\xbb\xbf \t\r\n\f")
        if first.startswith(b"<"):
            warnings.append((1, "html", first.split(b"\n", 1)[0][:200].decode("utf-8", "replace")))
        rules = Rules(data, name.encode("utf-8", "surrogatepass"), MODES[compat])
        return cls._make(name, compat, rules, rules.entries, warnings, rules.warning_count)

    @classmethod
    def _make(
        cls,
        agent: str,
        compat: Compat,
        rules: Rules,
        entries: list[tuple[str, int, str]],
        warnings: list[tuple[int, str, str]],
        count: int,
    ) -> Robots:
        self = cls.__new__(cls)
        self._agent = agent
        self._compat = compat
        self._rules = rules
        self._set_entries([entry for entry in entries if entry[0] not in WARNINGS])
        found = [(line, code, text) for code, line, text in entries if code in WARNINGS]
        for kind, line, text in self._entries:
            if kind == "crawl-delay" and read_delay(text) is None:
                count += 1
                if len(found) < MOST_WARNINGS:
                    found.append((line, "bad-delay", text[:200]))
        if count > len(found):
            found.append((found[-1][0], "more", str(count - len(found))))
        self._warnings = sorted([*warnings, *found], key=lambda warning: warning[0])
        return self

    def _set_entries(self, entries: list[tuple[str, int, str]]) -> None:
        self._entries = entries
        delays = (read_delay(text) for kind, _, text in entries if kind == "crawl-delay")
        self._crawl_delay = next((delay for delay in delays if delay is not None), None)

    @property
    def agent(self) -> str:
        """The crawler's product token.

        >>> Robots.parse("", agent="ExampleBot").agent
        'ExampleBot'
        """
        return self._agent

    def allowed(self, url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None) -> bool:
        """Whether the crawler may fetch a URL. Only its path and query are looked at.

        >>> Robots.parse("User-agent: *\\nDisallow: /*.pdf$", agent="ExampleBot").allowed("https://example.com/a.pdf")
        False

        A URL that does not parse raises `InvalidURL`; with `compat`, no URL is parsed. If the query of a text is not in
        UTF-8, pass a `URL` that was made with its encoding.
        """
        return self._rules.allowed(url, base)

    def allowed_many(self, urls: Any, *, threads: int | None = None) -> Any:
        """The same for a column of URLs: see `weburl.bulk.robots_allowed_many`.

        >>> robots = Robots.parse("User-agent: *\\nDisallow: /a", agent="ExampleBot")
        >>> robots.allowed_many(["https://example.com/a", "https://example.com/b", "example"]).to_pylist()
        [False, True, None]
        """
        return robots_allowed_many(urls, self, threads=threads)

    def rule(self, url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None) -> RobotsRule | None:
        """The rule that decides about a URL, or None if no rule matches it.

        >>> robots = Robots.parse("User-agent: *\\nDisallow: /\\nAllow: /docs", agent="ExampleBot")
        >>> robots.rule("https://example.com/docs/tour")
        RobotsRule(line=3, text='Allow: /docs', allowed=True)
        """
        index = self._rules.find(url, base)
        if index is None:
            return None
        line, allows, text = self._rules.rule(index)
        return RobotsRule(line, f"{'Allow' if allows else 'Disallow'}: {text}", allows)

    @property
    def crawl_delay(self) -> float | None:
        """The seconds between two requests that the file asks for, or None.

        >>> Robots.parse("User-agent: *\\nCrawl-delay: 2.5", agent="ExampleBot").crawl_delay
        2.5
        """
        return self._crawl_delay

    @property
    def sitemaps(self) -> list[str]:
        """The sitemaps that the file lists, as they are written.

        >>> Robots.parse("Sitemap: https://example.com/sitemap.xml", agent="ExampleBot").sitemaps
        ['https://example.com/sitemap.xml']
        """
        return [text for kind, _, text in self._entries if kind == "sitemap" and text]

    @property
    def content_signals(self) -> dict[str, str]:
        """What `Content-Signal` lines say, by names such as "search", "ai-input" and "ai-train".

        >>> body = "User-agent: *\\nContent-Signal: search=yes, ai-train=no"
        >>> Robots.parse(body, agent="ExampleBot").content_signals
        {'search': 'yes', 'ai-train': 'no'}
        """
        found: dict[str, str] = {}
        for kind, _, text in self._entries:
            if kind == "content-signal":
                found |= read_pairs(text)
        return found

    @property
    def content_usage(self) -> list[tuple[str, dict[str, str]]]:
        """What `Content-Usage` lines say: the path that each is about, and its preferences.

        >>> body = "User-agent: *\\nContent-Usage: train-ai=n\\nContent-Usage: /open train-ai=y"
        >>> Robots.parse(body, agent="ExampleBot").content_usage
        [('/', {'train-ai': 'n'}), ('/open', {'train-ai': 'y'})]
        """
        found = []
        for kind, _, text in self._entries:
            if kind == "content-usage":
                path, _, rest = text.partition(" ") if text.startswith("/") else ("/", "", text)
                found.append((path, read_pairs(rest)))
        return found

    @property
    def warnings(self) -> list[RobotsWarning]:
        """What is wrong with the file, by line. At most 1,000 are listed.

        >>> Robots.parse("<html>", agent="ExampleBot").warnings[0].message
        'the file looks like HTML'
        """
        return [RobotsWarning(line, code, WARNINGS[code], text) for line, code, text in self._warnings]

    def explain(self, url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None) -> str:
        """Why a URL is allowed or not, in words.

        >>> robots = Robots.parse("User-agent: *\\nDisallow: /private", agent="ExampleBot")
        >>> print(robots.explain("https://example.com/a/../private/%7Eada"))
        not allowed by line 2: Disallow: /private
        path: /private/~ada
        group: * (line 1)
        rules: 1
        """
        rule = self.rule(url, base)
        path = path_compared(url, self._compat, base)
        if rule is not None:
            first = f"{'allowed' if rule.allowed else 'not allowed'} by line {rule.line}: {rule.text}"
        elif path == "/robots.txt" and self._compat != "google":
            first = "allowed: /robots.txt always is"
        else:
            first = "allowed: no rule matches"
        lines = [str(line) for kind, line, _ in self._entries if kind == "user-agent"]
        group = self._agent if self._rules.is_named else "*"
        where = f"{group} ({'line' if len(lines) == 1 else 'lines'} {', '.join(lines[:20])})" if lines else "none"
        return f"{first}\npath: {path}\ngroup: {where}\nrules: {len(self._rules)}"

    def __repr__(self) -> str:
        count = len(self._rules)
        return f"<Robots for {self._agent}: {count} {'rule' if count == 1 else 'rules'}>"

    def __copy__(self) -> Robots:
        return self

    def __deepcopy__(self, memo: object) -> Robots:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        body, lines = self._rules.lines()
        # The words of the warnings are not kept, and their codes are checked.
        state = self._agent, self._compat, self._rules.is_named, body, lines, self._entries, self._warnings
        return restore_robots, state


def path_compared(url: str | URL | FrozenURL, compat: Compat, base: str | URL | FrozenURL | None) -> str:
    """The path of a URL as rules are compared with it."""
    if compat is None:
        parsed = FrozenURL(url, base)
        path = (parsed.pathname if parsed.query is None else f"{parsed.pathname}?{parsed.query}").encode()
    else:
        text = url if isinstance(url, str) and base is None else FrozenURL(url, base).href
        path = path_of(text.encode("utf-8", "replace"))
        path = path.partition(b"\0")[0] if compat == "google" else path
    path = path if path.startswith(b"/") else b"/" + path
    return (path if compat == "google" else spelt(path)).decode("utf-8", "replace")


def restore_robots(
    agent: str,
    compat: Compat,
    is_named: bool,
    body: bytes,
    lines: Sequence[int],
    entries: list[tuple[str, int, str]],
    warnings: list[tuple[int, str, str]],
) -> Robots:
    """For pickles."""
    check_compat(compat)
    name = check_agent(agent, compat).encode("utf-8", "surrogatepass")
    numbers = list(map(int, lines))
    known = all(code in WARNINGS for _, code, _ in warnings) and all(kind in KINDS for kind, _, _ in entries)
    if body.count(b"\n") != len(numbers) or b"\r" in body or not known:
        raise ValueError("not a Robots")
    # The rules are those of one group.
    group = b"user-agent:" + (name if is_named else b"*") + b"\n"
    rules = Rules(group + body, name, MODES[compat], [0, *numbers, 0])
    if rules.is_named != bool(is_named):
        raise ValueError("not a Robots")
    robots = Robots._make(agent, compat, rules, [], [], 0)
    robots._set_entries([(str(kind), int(line), str(text)) for kind, line, text in entries])
    robots._warnings = [(int(line), str(code), str(text)) for line, code, text in warnings]
    return robots


def plan_text(robots: Robots) -> str:
    """The rules of a Robots as a text, for plans."""
    body, _ = robots._rules.lines()
    return "\n".join((robots._compat or "", robots._agent, str(int(robots._rules.is_named)), body.decode("latin-1")))


def robots_of(text: str) -> Robots:
    """What `plan_text` wrote; ValueError if it did not write the text."""
    parts = text.split("\n", 3)
    if len(parts) != 4 or parts[2] not in ("0", "1"):
        raise ValueError("not a Robots")
    compat, agent, is_named, rules = parts
    try:
        body = rules.encode("latin-1")
    except UnicodeEncodeError:
        raise ValueError("not a Robots") from None
    numbers = range(1, body.count(b"\n") + 1)
    return restore_robots(agent, compat or None, is_named == "1", body, numbers, [], [])  # type: ignore[arg-type]


def read_delay(text: str) -> float | None:
    try:
        # float() also reads 1_000, and the digits of other scripts.
        delay = float(text) if text.isascii() and "_" not in text else -1.0
    except ValueError:
        return None
    return delay if 0 <= delay < 1e9 else None


def read_pairs(text: str) -> dict[str, str]:
    """`a=b, c=d`: names in lower case."""
    pairs = [part.partition("=") for part in text.split(",")]
    return {name.strip().lower(): value.strip() for name, _, value in pairs if name.strip()}


Robots.__module__ = "weburl.robots"
RobotsRule.__module__ = "weburl.robots"
RobotsWarning.__module__ = "weburl.robots"
product_token.__module__ = "weburl.robots"
restore_robots.__module__ = "weburl.robots"
RobotsRule.line.__doc__ = RobotsWarning.line.__doc__ = "The number of the line, from 1."
RobotsRule.text.__doc__ = "The rule as the file has it, with its key in full."
RobotsRule.allowed.__doc__ = "Whether it is an Allow."
RobotsWarning.code.__doc__ = "What is wrong, in one word, such as `misspelt`."
RobotsWarning.message.__doc__ = "What is wrong, in a sentence."
RobotsWarning.text.__doc__ = "The line, or its first 200 bytes."
