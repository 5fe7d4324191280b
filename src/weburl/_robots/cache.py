"""The robots.txt of many origins, for a crawler that fetches them itself."""

from __future__ import annotations

from threading import Lock
from time import time
from typing import TYPE_CHECKING

from weburl._core.arguments import wrong_type
from weburl._crawl.redirects import redirect_target
from weburl._robots.robots import Robots, check_agent
from weburl.errors import InvalidURL
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from typing import Any, Final, Literal

    from weburl._robots.robots import Compat

    Headers = Mapping[str, str] | Mapping[bytes, bytes] | Iterable[tuple[str | bytes, str | bytes]]

DAY: Final = 86_400.0
# https://www.rfc-editor.org/rfc/rfc9309.html#section-2.3.1.2
MOST_REDIRECTS: Final = 5
# https://www.rfc-editor.org/rfc/rfc9309.html#section-2.5
LEAST_LIMIT: Final = 512_000
# A blob URL has an origin, but nothing of it is fetched. A client asks for ws URLs by way of an http URL.
SCHEMES: Final = ("http", "https", "ftp")


class Entry:
    """What is known of an origin."""

    __slots__ = ("allows", "at", "checked", "first_failed", "read", "redirects", "robots")

    def __init__(self, at: str) -> None:
        self.at = at  # the URL that is asked for next
        self.redirects = 0
        self.robots: Robots | None = None
        self.read = 0.0  # when `robots` was
        self.allows: bool | None = None  # all or nothing, if `robots` does not say
        self.checked: float | None = None  # when the last answer came
        self.first_failed: float | None = None  # since the last answer that was not a failure


class RobotsCache:
    """The robots.txt of each origin that a crawler has asked for. It fetches nothing: the crawler does.

    >>> cache = RobotsCache("ExampleBot")
    >>> cache.allowed("https://example.com/private/a") is None  # fetch it
    True
    >>> cache.robots_url("https://example.com/private/a")
    'https://example.com/robots.txt'
    >>> cache.put("https://example.com/private/a", 200, b"User-agent: *\\nDisallow: /private")
    >>> cache.allowed("https://example.com/private/a"), cache.allowed("https://example.com/")
    (False, True)

    `agent` and `compat` are those of `Robots.parse`. An answer counts for `max_age` seconds, by default a day. Of a
    longer file than `limit` bytes, the rest is left out. At most `max_origins` are kept: those asked for last.

    RFC 9309 says what a response means. `put` follows it, except for 429. `too_many_requests` is what status 429
    means: by default it forbids everything, as a server error does; with "allow" it allows everything, as other 4xx
    do. After a failure, `allowed` is None again `retry_after` seconds later. A site that fails for
    `unreachable_after` seconds allows all.
    """

    def __init__(
        self,
        agent: str,
        *,
        compat: Compat = None,
        clock: Callable[[], float] = time,
        max_origins: int = 100_000,
        max_age: float = DAY,
        retry_after: float = 600.0,
        unreachable_after: float = 30 * DAY,
        limit: int = LEAST_LIMIT,
        too_many_requests: Literal["forbid", "allow"] = "forbid",
    ) -> None:
        Robots.parse(b"", agent=agent, compat=compat)
        if limit < LEAST_LIMIT:
            raise ValueError(f"limit must be at least {LEAST_LIMIT} bytes, as RFC 9309 says")
        if max_origins < 1:
            raise ValueError("max_origins must be at least 1")
        if too_many_requests not in ("forbid", "allow"):
            raise ValueError('too_many_requests must be "forbid" or "allow"')
        self._agent = check_agent(agent, compat)
        self._compat: Compat = compat
        self._clock = clock
        self._max_origins = max_origins
        self._max_age = max_age
        self._retry_after = retry_after
        self._unreachable_after = unreachable_after
        self._limit = limit
        self._forbids_429 = too_many_requests == "forbid"
        self._entries: dict[str, Entry] = {}
        self._lock = Lock()

    def __getstate__(self) -> dict[str, Any]:
        with self._lock:
            return {**vars(self), "_entries": dict(self._entries), "_lock": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state, _lock=Lock())

    def __len__(self) -> int:
        return len(self._entries)

    def __repr__(self) -> str:
        count = len(self)
        return f"<RobotsCache for {self._agent}: {count} {'origin' if count == 1 else 'origins'}>"

    def allowed(self, url: str | URL | FrozenURL) -> bool | None:
        """Whether the crawler may fetch a URL. None says that the robots.txt of its origin must be fetched first.

        >>> RobotsCache("ExampleBot").allowed("https://example.com/robots.txt")
        True

        A URL that does not parse raises `InvalidURL`. Other URLs than http, https and ftp raise `ValueError`.
        """
        parsed, origin = with_origin(url)
        if parsed.pathname == "/robots.txt" and not parsed.search:
            return True
        with self._lock:
            entry = self._find(origin)
            if entry is None or self._is_old(entry):
                return None
            robots, allows = entry.robots, entry.allows
        if robots is None or allows is not None:
            return allows
        return robots.allowed(parsed if self._compat is None else url)

    def robots(self, url: str | URL | FrozenURL) -> Robots | None:
        """The file of a URL's origin, if one was read and is in use: for `crawl_delay`, `sitemaps` and `explain`.

        >>> cache = RobotsCache("ExampleBot")
        >>> cache.put("https://example.com/", 200, "User-agent: *\\nCrawl-delay: 2")
        >>> cache.robots("https://example.com/a").crawl_delay
        2.0
        """
        _, origin = with_origin(url)
        with self._lock:
            entry = self._find(origin)
            return None if entry is None or entry.allows is not None else entry.robots

    def robots_url(self, url: str | URL | FrozenURL) -> str:
        """Where the robots.txt of a URL's origin is, or where the last redirect has led.

        >>> RobotsCache("ExampleBot").robots_url("http://example.com:8080/a?b")
        'http://example.com:8080/robots.txt'
        """
        _, origin = with_origin(url)
        with self._lock:
            entry = self._find(origin)
            return first_url(origin) if entry is None else entry.at

    def put(
        self,
        url: str | URL | FrozenURL,
        status: int,
        body: bytes | str = b"",
        headers: Headers = (),
        *,
        fetched: str | URL | FrozenURL | None = None,
    ) -> str | None:
        """Takes the response for the robots.txt of a URL's origin. After a redirect, returns the URL to fetch next.

        >>> cache = RobotsCache("ExampleBot")
        >>> cache.put("https://example.com/", 301, headers={"Location": "https://www.example.com/robots.txt"})
        'https://www.example.com/robots.txt'
        >>> cache.put("https://example.com/", 404)
        >>> cache.allowed("https://example.com/a")
        True

        `url` stays that of the page, whatever the file was redirected to. `fetched` is the URL that you requested: what
        `robots_url` or `put` returned. If by now another URL is to be fetched for this origin, because another thread
        was faster or the response is for another site, the response is ignored. Then the URL to fetch is returned, or
        None if there is an answer.
        """
        _, origin = with_origin(url)
        requested = None if fetched is None else without_fragment(fetched)
        if not isinstance(status, int):
            raise wrong_type(status, "status must be an int")
        robots = None
        if 200 <= status < 300:
            robots = Robots.parse(body, agent=self._agent, compat=self._compat, limit=self._limit)
        with self._lock:
            entry = self._entry(origin)
            if requested not in (None, entry.at):
                return entry.at if self._is_old(entry) else None
            if 300 <= status < 400 and status != 304:
                entry.redirects += 1
                target = None
                if entry.redirects <= MOST_REDIRECTS:
                    target = target_of(headers, entry.at)
                if target is not None:
                    entry.at = target
                    return target
            now = self._clock()
            if robots is not None:
                entry.robots, entry.read = robots, now
                self._answered(entry, origin, now, None)
            elif status == 304 and entry.robots is not None:
                entry.read = now
                self._answered(entry, origin, now, None)
            elif 300 <= status < 500 and not (status == 429 and self._forbids_429):
                entry.robots = None
                self._answered(entry, origin, now, True)
            else:
                self._failed(entry, origin, now)
        return None

    def failed(self, url: str | URL | FrozenURL) -> None:
        """Says that the robots.txt of a URL's origin could not be fetched: no address, no connection, a timeout.

        >>> cache = RobotsCache("ExampleBot")
        >>> cache.failed("https://example.com/")
        >>> cache.allowed("https://example.com/a")
        False
        """
        _, origin = with_origin(url)
        with self._lock:
            self._failed(self._entry(origin), origin, self._clock())

    def _find(self, origin: str) -> Entry | None:
        """The entry of an origin, which is then the last that was asked for."""
        entry = self._entries.pop(origin, None)
        if entry is not None:
            self._entries[origin] = entry
        return entry

    def _entry(self, origin: str) -> Entry:
        entry = self._find(origin)
        if entry is None:
            entry = self._entries[origin] = Entry(first_url(origin))
            if len(self._entries) > self._max_origins:
                del self._entries[next(iter(self._entries))]
        return entry

    def _is_old(self, entry: Entry) -> bool:
        if entry.checked is None:
            return True
        age = self._clock() - entry.checked
        # The clock can have been set back.
        return not 0 <= age < (self._max_age if entry.first_failed is None else self._retry_after)

    def _answered(self, entry: Entry, origin: str, now: float, allows: bool | None) -> None:
        entry.allows = allows
        entry.checked = now
        entry.first_failed = None
        entry.redirects = 0
        entry.at = first_url(origin)

    def _failed(self, entry: Entry, origin: str, now: float) -> None:
        """https://www.rfc-editor.org/rfc/rfc9309.html#section-2.3.1.4"""
        first = now if entry.first_failed is None else entry.first_failed
        unreachable = now - first >= self._unreachable_after
        # A file that was read counts on, but not for ever.
        if entry.robots is not None and (unreachable or now - entry.read >= self._unreachable_after):
            entry.robots = None
        self._answered(entry, origin, now, None if entry.robots is not None else unreachable)
        entry.first_failed = first


def with_origin(url: str | URL | FrozenURL) -> tuple[URL | FrozenURL, str]:
    parsed = url if isinstance(url, (URL, FrozenURL)) else FrozenURL(url)
    origin = parsed.origin
    if parsed.scheme not in SCHEMES or origin == "null":
        raise ValueError(f"only http, https and ftp URLs have a robots.txt: the scheme is {parsed.scheme}")
    return parsed, origin


def without_fragment(url: str | URL | FrozenURL) -> str:
    return URL(url).replace(fragment=None).href


def first_url(origin: str) -> str:
    return f"{origin}/robots.txt"


def target_of(headers: Headers, at: str) -> str | None:
    """The URL that the header `Location` leads to, if an http client can follow it."""
    pairs = headers.items() if hasattr(headers, "items") else headers
    for name, value in pairs:
        if not isinstance(name, (str, bytes)):
            raise wrong_type(name, "the name of a header must be a str or bytes")
        if not isinstance(value, (str, bytes)):
            raise wrong_type(value, "the value of a header must be a str or bytes")
        text = name.decode("latin-1") if isinstance(name, bytes) else name
        if text.lower() == "location":
            try:
                target = redirect_target(value, at)
            except InvalidURL:
                return None
            target.hash = ""
            return target.href if target.scheme in ("http", "https") else None
    return None


RobotsCache.__module__ = "weburl.robots"
