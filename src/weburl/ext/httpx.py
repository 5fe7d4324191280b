"""httpx with a browser's URLs, and without requests to private addresses.

>>> import httpx
>>> from weburl.ext.httpx import Transport, fetch
>>> with httpx.Client(transport=Transport()) as client:
...     fetch(client, "http://127.0.0.1/")
Traceback (most recent call last):
weburl.ext.httpx.NotFetched: not fetched: '127.0.0.1' is private
"""

from __future__ import annotations

import ssl
from collections.abc import AsyncIterator, Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import partial
from http.cookiejar import CookieJar
from socket import SOCK_STREAM
from typing import Any, Final

try:
    import anyio
    import httpcore
    import httpx
except ModuleNotFoundError as _error:
    raise ImportError("this needs httpx: pip install httpx weburl") from _error

from weburl.crawl import redirect_target
from weburl.errors import InvalidURL
from weburl.ext._http.addresses import (
    IsRefused,
    addresses_in,
    check_addresses,
    check_host,
    encode_name,
    find_addresses,
)
from weburl.ext._http.fetching import (
    REDIRECT_LIMIT,
    REDIRECT_STATUS,
    SIZE_LIMIT,
    TIME_LIMIT,
    Body,
    Headers,
    Redirects,
    check_scheme,
    checked_limits,
    errors_of_client,
    for_hosts,
    most_received,
    raw_headers,
    seconds_left,
    target_of,
    within,
)
from weburl.ext._http.redirecting import Redirected, is_dropped
from weburl.ext.http import Fetched
from weburl.ext.http import NotFetched as NotFetchedByAny
from weburl.hosts import is_private_host
from weburl.url import URL, FrozenURL

__all__ = [
    "AsyncTransport",
    "Fetched",
    "NotFetched",
    "Transport",
    "build_request",
    "fetch",
    "fetch_async",
]


def __dir__() -> list[str]:
    return __all__


class NotFetched(httpx.RequestError, NotFetchedByAny):  # type: ignore[misc]
    """`weburl.ext.http.NotFetched`, and an `httpx.RequestError`.

    >>> import httpx
    >>> issubclass(NotFetched, httpx.HTTPError)
    True
    """


class TimedOut(httpx.TimeoutException, TimeoutError):  # type: ignore[misc]
    """What `fetch` raises after its time limit."""


own_errors: Callable[[], AbstractContextManager[None]] = partial(errors_of_client, NotFetched, TimedOut)

# In the extensions of a request: its URL, and the client whose cookies it has; if it follows a redirect, the request
# before it, where that one led, and the host of the first one; and, if it comes from fetch(), which follows redirects
# and decodes itself, how many bytes of a body are read. In those of a response to such a request: its headers as they
# are.
EXACT: Final = "weburl.url"
CLIENT: Final = "weburl.client"
REDIRECTED: Final = "weburl.redirected"
TARGET: Final = "weburl.target"
FIRST_HOST: Final = "weburl.first_host"
FETCHING: Final = "weburl.fetching"
RAW: Final = "weburl.headers"
NOT_OURS: Final = "fetch() needs a client whose transport is that of weburl.ext.httpx, and which uses no proxy"


class CheckedStream(httpcore.NetworkStream):  # type: ignore[misc]
    """A stream whose operations end with the fetch that runs."""

    def __init__(self, stream: httpcore.NetworkStream) -> None:
        self.stream = stream

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        data: bytes = self.stream.read(max_bytes, seconds_left(timeout))
        return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        self.stream.write(buffer, seconds_left(timeout))

    def start_tls(
        self, ssl_context: ssl.SSLContext, server_hostname: str | None = None, timeout: float | None = None
    ) -> httpcore.NetworkStream:
        return CheckedStream(self.stream.start_tls(ssl_context, server_hostname, seconds_left(timeout)))

    def get_extra_info(self, info: str) -> Any:
        return self.stream.get_extra_info(info)

    def close(self) -> None:
        self.stream.close()


class CheckedBackend(httpcore.NetworkBackend):  # type: ignore[misc]
    """Connects to addresses that were checked, one after the other."""

    def __init__(self, is_refused: IsRefused) -> None:
        self.is_refused = is_refused
        self.backend: httpcore.NetworkBackend = httpcore.SyncBackend()

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.NetworkStream:
        failure: Exception = httpcore.ConnectError("no address")
        left = seconds_left(timeout)
        with lookup_errors():
            addresses = find_addresses(host, port, self.is_refused, left)
        for address in addresses:
            try:
                left = seconds_left(timeout)
                return CheckedStream(self.backend.connect_tcp(address, port, left, local_address, socket_options))
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    def sleep(self, seconds: float) -> None:
        left = seconds_left(seconds)
        assert left is not None
        self.backend.sleep(left)


class AsyncCheckedBackend(httpcore.AsyncNetworkBackend):  # type: ignore[misc]
    """Connects to addresses that were checked, one after the other, with asyncio or trio."""

    def __init__(self, is_refused: IsRefused) -> None:
        self.is_refused = is_refused
        self.backend: httpcore.AsyncNetworkBackend = httpcore.AnyIOBackend()

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        check_host(host, port, self.is_refused)
        failure: Exception = httpcore.ConnectError("no address")
        with lookup_errors(), anyio.fail_after(timeout):
            infos = await anyio.getaddrinfo(encode_name(host), port, type=SOCK_STREAM)
        for address in check_addresses(host, addresses_in(infos), self.is_refused):
            try:
                return await self.backend.connect_tcp(address, port, timeout, local_address, socket_options)
            except (httpcore.ConnectError, httpcore.ConnectTimeout) as error:
                failure = error
        raise failure

    async def sleep(self, seconds: float) -> None:
        await self.backend.sleep(seconds)


class Transport(httpx.BaseTransport):  # type: ignore[misc]
    """Transport(*, is_refused=is_private_host, ssl_context=None, **options)

    A transport for `httpx.Client` that connects only to public addresses.

    >>> import httpx
    >>> with httpx.Client(transport=Transport()) as client:
    ...     try:
    ...         client.get("http://127.0.0.1:8000/admin")
    ...     except NotFetched as error:
    ...         print(error)
    not fetched: '127.0.0.1' is private

    It sends the requests of `build_request` and `fetch` as they are. A name is looked up once. If one of its addresses
    is private, or the port is one that browsers block, NotFetched is raised; otherwise the connection goes to one of
    the addresses that were checked. Requests that httpx sends when it follows redirects are checked, too; those to
    another origin lose the headers that were for the first one. `is_refused` is called with the name, then with each
    address as an object of the module ipaddress. `options` are those of `httpcore.ConnectionPool`, without proxies.
    """

    def __init__(
        self, *, is_refused: IsRefused = is_private_host, ssl_context: ssl.SSLContext | None = None, **options: Any
    ) -> None:
        backend = CheckedBackend(is_refused)
        self.pool: httpcore.ConnectionPool = httpcore.ConnectionPool(
            **pool_options(options, ssl_context), network_backend=backend
        )

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        with own_errors(), mapped_errors():
            drop_headers(request)
            response = self.pool.handle_request(core_request(request))
        headers, extensions = shown_headers(request, response)
        stream = Stream(response.stream, request.extensions.get(FETCHING))
        return httpx.Response(response.status, headers=headers, stream=stream, extensions=extensions)

    def close(self) -> None:
        self.pool.close()


class AsyncTransport(httpx.AsyncBaseTransport):  # type: ignore[misc]
    """AsyncTransport(*, is_refused=is_private_host, ssl_context=None, **options)

    A transport for `httpx.AsyncClient` that connects only to public addresses, with asyncio or trio.

    >>> import asyncio, httpx
    >>> async def main() -> None:
    ...     async with httpx.AsyncClient(transport=AsyncTransport()) as client:
    ...         await client.get("http://127.0.0.1:8000/admin")
    >>> try:
    ...     asyncio.run(main())
    ... except NotFetched as error:
    ...     print(error)
    not fetched: '127.0.0.1' is private
    """

    def __init__(
        self, *, is_refused: IsRefused = is_private_host, ssl_context: ssl.SSLContext | None = None, **options: Any
    ) -> None:
        backend = AsyncCheckedBackend(is_refused)
        self.pool: httpcore.AsyncConnectionPool = httpcore.AsyncConnectionPool(
            **pool_options(options, ssl_context), network_backend=backend
        )

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        with own_errors(), mapped_errors():
            drop_headers(request)
            response = await self.pool.handle_async_request(core_request(request))
        headers, extensions = shown_headers(request, response)
        stream = AsyncStream(response.stream, request.extensions.get(FETCHING))
        return httpx.Response(response.status, headers=headers, stream=stream, extensions=extensions)

    async def aclose(self) -> None:
        await self.pool.aclose()


class Stream(httpx.SyncByteStream):  # type: ignore[misc]
    """A body, which ends soon after its limit: httpx reads whole bodies for an `auth`."""

    def __init__(self, stream: Any, limit: int | None) -> None:
        self.stream = stream
        self.limit = limit

    def __iter__(self) -> Iterator[bytes]:
        received = 0
        with mapped_errors():
            for piece in self.stream:
                yield piece
                received += len(piece)
                if self.limit is not None and received > self.limit:
                    break

    def close(self) -> None:
        self.stream.close()


class AsyncStream(httpx.AsyncByteStream):  # type: ignore[misc]
    def __init__(self, stream: Any, limit: int | None) -> None:
        self.stream = stream
        self.limit = limit

    async def __aiter__(self) -> AsyncIterator[bytes]:
        received = 0
        with mapped_errors():
            async for piece in self.stream:
                yield piece
                received += len(piece)
                if self.limit is not None and received > self.limit:
                    break

    async def aclose(self) -> None:
        await self.stream.aclose()


def pool_options(options: dict[str, Any], ssl_context: ssl.SSLContext | None) -> dict[str, Any]:
    for name in ("proxy", "uds", "network_backend"):
        if name in options:
            raise TypeError(f"{name}: the addresses that it connects to cannot be checked")
    return options | {"ssl_context": httpx.create_ssl_context() if ssl_context is None else ssl_context}


@contextmanager
def lookup_errors() -> Iterator[None]:
    try:
        yield
    except TimeoutError as error:
        raise httpcore.ConnectTimeout(str(error)) from error
    except OSError as error:
        raise httpcore.ConnectError(str(error)) from error


@contextmanager
def mapped_errors() -> Iterator[None]:
    """The exceptions of httpcore as those of httpx, which have the same names."""
    try:
        yield
    except (
        httpcore.TimeoutException,
        httpcore.NetworkError,
        httpcore.ProtocolError,
        httpcore.ProxyError,
        httpcore.UnsupportedProtocol,
    ) as error:
        raise getattr(httpx, type(error).__name__)(str(error)) from error


def given_url(request: httpx.Request) -> URL | None:
    """The URL as it was given to `build_request`, or as a server wrote it. httpx keeps extensions when it redirects."""
    for name in (TARGET, EXACT):
        exact: URL | None = request.extensions.get(name)
        if exact is not None and approximate(exact) == request.url:
            return exact
    return None


def url_of(request: httpx.Request) -> URL:
    try:
        return given_url(request) or URL(str(request.url))
    except InvalidURL:
        raise NotFetched("not fetched: a redirect, and its URL is not valid") from None


def drop_headers(request: httpx.Request) -> None:
    """Drops what a request that follows a redirect must not have."""
    redirected = request.extensions.get(REDIRECTED)
    if redirected is None:
        return
    url = url_of(request)
    left = redirected.leads_away(url)
    left_body = request.method != redirected.method
    for name in [*request.headers]:
        if name != "cookie" and is_dropped(name, left_origin=left, left_body=left_body):
            del request.headers[name]
    if left:
        request.headers["Host"] = url.host
        # httpx has written the client's cookies, also those without a domain, which are for the first origin.
        client = request.extensions.get(CLIENT)
        if client is not None:
            request.headers.pop("Cookie", None)
            httpx.Cookies(for_hosts(client.cookies.jar, CookieJar())).set_cookie_header(request)
        elif url.hostname != request.extensions.get(FIRST_HOST):
            # Without build_request(), nobody says which client that is.
            request.headers.pop("Cookie", None)


def core_request(request: httpx.Request) -> httpcore.Request:
    """What is sent: the exact URL."""
    url = request.url
    origin: dict[str, Any] = {"scheme": url.raw_scheme, "host": url.raw_host, "port": url.port, "target": url.raw_path}
    exact = given_url(request)
    if exact is not None:
        origin["host"] = exact.hostname.strip("[]").encode()
        origin["target"] = target_of(exact).encode()
    ours = (EXACT, CLIENT, REDIRECTED, TARGET, FIRST_HOST, FETCHING)
    extensions = {name: value for name, value in request.extensions.items() if name not in ours}
    timeout = extensions.get("timeout") or {}
    extensions["timeout"] = {**timeout, "pool": seconds_left(timeout.get("pool"))}
    return httpcore.Request(
        request.method,
        httpcore.URL(**origin),
        headers=request.headers.raw,
        content=request.stream,
        extensions=extensions,
    )


def shown_headers(
    request: httpx.Request, response: httpcore.Response
) -> tuple[list[tuple[bytes, bytes]], dict[str, Any]]:
    """The headers of a response for httpx, and its extensions. For a redirect that httpx follows, `Location` is what a
    browser makes of it, and the next request gets its exact URL."""
    if FETCHING in request.extensions:
        # httpx would parse the location, and may raise; and decode a body of any size.
        hidden = (b"location", b"content-encoding")
        shown = [(name, value) for name, value in response.headers if name.lower() not in hidden]
        return shown, {**response.extensions, RAW: raw_headers(response.headers)}
    if response.status not in REDIRECT_STATUS:
        return response.headers, response.extensions
    url = url_of(request)
    before: Redirected | None = request.extensions.get(REDIRECTED)
    # httpx gives the next request the extensions of this one.
    left_origin = before is not None and before.leads_away(url)
    request.extensions[REDIRECTED] = Redirected(url, request.method, left_origin)
    request.extensions.setdefault(FIRST_HOST, url.hostname)
    shown = []
    for name, value in response.headers:
        if name.lower() == b"location":
            # A redirect that does not parse is left to httpx.
            with suppress(InvalidURL):
                request.extensions[TARGET] = target = redirect_target(value, url)
                value = target.href.encode()
        shown.append((name, value))
    return shown, response.extensions


def approximate(url: URL) -> httpx.URL:
    """A URL as httpx has it: for cookies, authentication and messages."""
    try:
        return httpx.URL(url.serialize(exclude_fragment=True))
    except httpx.InvalidURL:
        # It is too long for httpx.
        return httpx.URL(f"{url.origin}/")


def build_request(
    client: httpx.Client | httpx.AsyncClient, method: str, url: str | URL | FrozenURL, **options: Any
) -> httpx.Request:
    """Builds a request of a client that a `Transport` or an `AsyncTransport` sends with exactly this URL.

    >>> import httpx
    >>> with httpx.Client(transport=Transport()) as client:
    ...     request = build_request(client, "GET", "https://example.com/?sig=a%2fb")
    >>> request.method, request.url.host
    ('GET', 'example.com')

    `options` are those of httpx, but for `params`, which would change the URL.
    """
    if "params" in options:
        raise TypeError("params would change the URL: add them to it, with url.with_params()")
    with own_errors():
        exact = URL(url)
        check_scheme(exact)
    extensions = {**(options.pop("extensions", None) or {}), EXACT: exact, CLIENT: client}
    # Without a Host, httpx decodes the name, and raises if it does not know how.
    headers = httpx.Headers(options.pop("headers", None))
    headers["Host"] = exact.host
    url = approximate(exact)
    request = client.build_request(method, url, headers=headers, extensions=extensions, **options)
    # Without the client's own parameters.
    request.url = url
    return request


def fetch(
    client: httpx.Client,
    url: str | URL | FrozenURL,
    *,
    headers: Mapping[str, str] | None = None,
    size_limit: int = SIZE_LIMIT,
    redirect_limit: int = REDIRECT_LIMIT,
    time_limit: float = TIME_LIMIT,
) -> Fetched:
    """Gets a URL with a client whose transport is a `Transport`: exactly this URL, and redirects as in a browser.

    >>> import httpx
    >>> with httpx.Client(transport=Transport()) as client:
    ...     try:
    ...         fetch(client, "http://169.254.169.254/latest/meta-data/")
    ...     except NotFetched as error:
    ...         print(error)
    not fetched: '169.254.169.254' is private

    At most `size_limit` bytes of the decoded body are read. After a redirect to another origin, credentials among the
    `headers`, and those of the client, are not sent. NotFetched is raised for what is not a URL, or not one with
    http: or https:, also in a redirect; for a private address, a port that browsers block, more than `redirect_limit`
    redirects, and a body in a coding that was not asked for. TimeoutError is raised after `time_limit` seconds. These
    errors, too, are an `httpx.RequestError`.
    """
    time_limit = checked_limits(size_limit, redirect_limit, time_limit)
    with own_errors(), within(time_limit):
        redirects = Redirects(url, headers, redirect_limit)
        while True:
            request, auth = next_request(client, redirects, size_limit)
            response = client.send(request, stream=True, auth=auth, follow_redirects=False)
            try:
                response_headers = headers_of(response)
                if redirects.follow(response.status_code, response_headers):
                    continue
                body = Body(response_headers, size_limit, redirects.url)
                # Not decoded, as httpx is not told of a coding.
                for piece in response.iter_bytes():
                    if body.add(piece):
                        break
                return redirects.end(response.status_code, response_headers, body)
            finally:
                response.close()


async def fetch_async(
    client: httpx.AsyncClient,
    url: str | URL | FrozenURL,
    *,
    headers: Mapping[str, str] | None = None,
    size_limit: int = SIZE_LIMIT,
    redirect_limit: int = REDIRECT_LIMIT,
    time_limit: float = TIME_LIMIT,
) -> Fetched:
    """Does the same as `fetch`, with an `httpx.AsyncClient` whose transport is an `AsyncTransport`.

    >>> import asyncio, httpx
    >>> async def main() -> None:
    ...     async with httpx.AsyncClient(transport=AsyncTransport()) as client:
    ...         await fetch_async(client, "ftp://example.com/")
    >>> try:
    ...     asyncio.run(main())
    ... except NotFetched as error:
    ...     print(error)
    not fetched: ftp: is not a scheme for the web (ftp://example.com/)
    """
    time_limit = checked_limits(size_limit, redirect_limit, time_limit)
    with own_errors(), anyio.fail_after(time_limit):
        redirects = Redirects(url, headers, redirect_limit)
        while True:
            request, auth = next_request(client, redirects, size_limit)
            response = await client.send(request, stream=True, auth=auth, follow_redirects=False)
            try:
                response_headers = headers_of(response)
                if redirects.follow(response.status_code, response_headers):
                    continue
                body = Body(response_headers, size_limit, redirects.url)
                async for piece in response.aiter_bytes():
                    if body.add(piece):
                        break
                return redirects.end(response.status_code, response_headers, body)
            finally:
                await response.aclose()


def next_request(
    client: httpx.Client | httpx.AsyncClient, redirects: Redirects, size_limit: int
) -> tuple[httpx.Request, Any]:
    """The next request, and its authentication, which is the client's for the first origin only."""
    extensions: dict[str, Any] = {FETCHING: most_received(size_limit)}
    if redirects.left_origin:
        extensions[REDIRECTED] = Redirected(redirects.before[-1], "GET", True)
    request = build_request(client, "GET", redirects.url, headers=redirects.headers(), extensions=extensions)
    # Those of httpx would send it before they show that they are not ours.
    if isinstance(client._transport_for_url(request.url), (httpx.HTTPTransport, httpx.AsyncHTTPTransport)):
        raise TypeError(NOT_OURS)
    # For another origin, no authentication: with None, httpx would send what the redirect's URL has.
    return request, httpx.Auth() if redirects.left_origin else httpx.USE_CLIENT_DEFAULT


def headers_of(response: httpx.Response) -> Headers:
    headers: Headers | None = response.extensions.get(RAW)
    if headers is None:
        raise TypeError(NOT_OURS)
    return headers
