"""Fetching with redirects and limits, without the network: what the clients of HTTP have in common."""

from __future__ import annotations

import sys
import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from http.cookiejar import Cookie, CookieJar
from time import monotonic
from typing import Any, Final, TypeVar

from weburl.crawl import redirect_target
from weburl.errors import InvalidURL
from weburl.ext._http.addresses import BAD_PORTS
from weburl.ext._http.redirecting import Redirected, is_dropped
from weburl.ext.http import Fetched, NotFetched
from weburl.url import URL, FrozenURL

# https://fetch.spec.whatwg.org/#redirect-status and #http-redirect-fetch
REDIRECT_STATUS: Final = frozenset((301, 302, 303, 307, 308))
REDIRECT_LIMIT: Final = 20
SIZE_LIMIT: Final = 10 << 20
TIME_LIMIT: Final = 60.0
SPARE: Final = 1 << 16  # bytes
LONGEST_TIME: Final = float(1 << 20)  # seconds: a socket takes less than 2**31 milliseconds
# How many bytes zlib gets at a time: what follows a member of gzip is copied, once for each member.
STEP: Final = 1 << 10
# How many members gzip may have: so many, and one more for each 64 bytes of the decoded body. Each member takes time.
MEMBERS: Final = 1000
MEMBER_SIZE: Final = 64

Headers = tuple[tuple[bytes, bytes], ...]
Jar = TypeVar("Jar", bound=CookieJar)

# When the fetch that runs must have ended, by time.monotonic().
deadline: ContextVar[float | None] = ContextVar("weburl.deadline", default=None)


def checked_limits(size_limit: int, redirect_limit: int, time_limit: float) -> float:
    """The time limit, as a time that sockets take. ValueError for a limit that is below 0."""
    limits = {"size_limit": size_limit, "redirect_limit": redirect_limit, "time_limit": time_limit}
    for name, limit in limits.items():
        if not limit >= 0:
            raise ValueError(f"{name} must not be below 0, as {limit!r} is")
    return min(time_limit, LONGEST_TIME)


def most_received(size_limit: int) -> int:
    """After how many bytes of a body, as received, no more is read. Members of gzip may be empty."""
    return 2 * size_limit + SPARE


def seconds_left(timeout: float | None) -> float | None:
    """How long an operation may take, within the fetch that runs. TimeoutError if that has no time left."""
    end = deadline.get()
    if end is None:
        return timeout
    left = end - monotonic()
    if left <= 0:
        raise TimeoutError("the fetch takes too long")
    return left if timeout is None else min(left, timeout)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """What is done in it ends after this many seconds, with a TimeoutError."""
    end = monotonic() + seconds
    outer = deadline.get()
    if outer is not None:
        end = min(end, outer)
    token = deadline.set(end)
    try:
        yield
    except TimeoutError:
        raise
    except Exception as error:
        # The client's own exception for a read that timed out.
        if monotonic() < end:
            raise
        raise TimeoutError("the fetch takes too long") from error
    finally:
        deadline.reset(token)


@contextmanager
def errors_of_client(not_fetched: type[NotFetched], timed_out: type[TimeoutError]) -> Iterator[None]:
    """What is raised in it, as errors that `except` clauses for a client's own errors catch, too."""
    try:
        yield
    except not_fetched:
        raise
    except NotFetched as error:
        raise not_fetched(str(error)) from error.__cause__
    except InvalidURL as error:
        raise not_fetched(f"not fetched: {error}") from error
    except TimeoutError as error:
        if type(error) is not TimeoutError:
            raise
        raise timed_out(str(error)) from error.__cause__


def target_of(url: URL) -> str:
    """What a request line has for a URL: path and query, byte for byte."""
    return url.pathname if url.query is None else f"{url.pathname}?{url.query}"


def not_fetched(why: str, url: URL) -> NotFetched:
    """The error for a URL, which it shows without secrets."""
    from weburl.redact import redact

    return NotFetched(f"not fetched: {why} ({redact(url)[:200]})")


def check_scheme(url: URL) -> None:
    if url.scheme not in ("http", "https"):
        raise not_fetched(f"{url.scheme[:100]}: is not a scheme for the web", url)


class Redirects:
    """The URL that is next, and those before it."""

    def __init__(self, url: str | URL | FrozenURL, headers: Mapping[str, str] | None, limit: int) -> None:
        self.url: URL = URL(url)
        self.own_headers: dict[str, str] = dict(headers or {})
        self.limit = limit
        self.before: list[URL] = []
        # Whether a redirect has led away from the origin that the caller has named.
        self.left_origin: bool = False
        self.check()

    def check(self) -> None:
        check_scheme(self.url)
        port = self.url.port_number or 0
        if port in BAD_PORTS:
            raise not_fetched(f"port {port} is one that browsers block", self.url)

    def headers(self) -> dict[str, str]:
        """The headers of the next request."""
        left = self.left_origin
        kept = {name: value for name, value in self.own_headers.items() if not is_dropped(name, left_origin=left)}
        if not any(name.lower() == "accept-encoding" for name in kept):
            kept["Accept-Encoding"] = "gzip"
        return kept

    def follow(self, status: int, headers: Headers) -> bool:
        """Goes on to where a response redirects, if it does."""
        if status not in REDIRECT_STATUS:
            return False
        locations = {value for name, value in headers if name.lower() == b"location"}
        if not locations:
            return False
        if len(self.before) == self.limit:
            raise not_fetched(f"more than {self.limit} redirects", self.url)
        if len(locations) > 1:
            raise not_fetched("a redirect to several places", self.url)
        (location,) = locations
        if not location:
            # It would lead to the same URL again and again.
            raise not_fetched("a redirect to nowhere", self.url)
        before = Redirected(self.url, "GET", self.left_origin)
        self.before.append(self.url)
        self.url = redirect_target(location, self.url)
        self.left_origin = before.leads_away(self.url)
        self.check()
        return True

    def end(self, status: int, headers: Headers, body: Body) -> Fetched:
        # What ends within a member of gzip has lost something on its way.
        truncated = body.truncated or body.in_member
        return Fetched(self.url, status, headers, body.data(), truncated, tuple(self.before))


def for_hosts(cookies: Iterable[Cookie], jar: Jar) -> Jar:
    """The cookies that are for some host, in a jar. Others would be sent everywhere: they are for the first origin."""
    for cookie in cookies:
        if cookie.domain:
            jar.set_cookie(cookie)
    return jar


class Body:
    """A response's body, decoded as it comes, within a limit."""

    def __init__(self, headers: Headers, limit: int, url: URL) -> None:
        self.limit = limit
        self.url = url
        self.truncated: bool = False
        # Not a list of pieces: one of a byte would take 50.
        self.kept: bytearray = bytearray()
        self.received: int = 0
        # Several headers are one list.
        codings = [value.decode("latin-1") for name, value in headers if name.lower() == b"content-encoding"]
        coding = ", ".join(codings).lower() or "identity"
        if coding not in ("identity", "gzip", "x-gzip"):
            raise not_fetched(f"a body in {coding[:100]!a}, which was not asked for", url)
        self.is_gzip: bool = coding != "identity"
        # The window and the header are those of gzip.
        self.gzip: Any = zlib.decompressobj(31)
        self.in_member: bool = False
        self.members: int = 0

    def add(self, data: bytes) -> bool:
        """Takes a piece of what was received. True if no more is wanted."""
        self.received += len(data)
        if self.is_gzip:
            self.truncated = self.received > most_received(self.limit)
            self.decode(memoryview(data))
        else:
            self.keep(data)
        return self.truncated

    def decode(self, data: memoryview) -> None:
        start = 0
        while start < len(data) and not self.truncated:
            piece = bytes(data[start : start + STEP])
            start += len(piece)
            if self.members and not self.in_member:
                # Zeros may follow a member.
                piece = piece.lstrip(b"\0")
                if not piece:
                    continue
            try:
                # One more than the limit, to see whether there are more.
                self.keep(self.gzip.decompress(piece, min(self.limit - len(self.kept) + 1, sys.maxsize)))
            except zlib.error as error:
                raise not_fetched(f"a body that is not gzip: {error}", self.url) from error
            self.in_member = not self.gzip.eof
            if self.gzip.eof:
                # Several members may follow each other.
                start -= len(self.gzip.unused_data)
                self.end_member()

    def end_member(self) -> None:
        self.members += 1
        if self.members > MEMBERS + len(self.kept) // MEMBER_SIZE:
            self.truncated = True
        self.gzip = zlib.decompressobj(31)

    def keep(self, data: bytes) -> None:
        self.kept += data[: self.limit + 1 - len(self.kept)]
        self.truncated = len(self.kept) > self.limit

    def data(self) -> bytes:
        return bytes(memoryview(self.kept)[: self.limit])


def raw_headers(headers: Iterable[tuple[bytes | str, bytes | str]]) -> Headers:
    """Headers as bytes, from those that a client has as bytes, or with a character for each byte."""
    return tuple((to_bytes(name), to_bytes(value).strip(b" \t")) for name, value in headers)


def to_bytes(text: bytes | str) -> bytes:
    return text if isinstance(text, bytes) else text.encode("latin-1")
