"""aiohttp with a browser's URLs, and without requests to private addresses.

>>> import asyncio
>>> import aiohttp
>>> from weburl.ext.aiohttp import Connector, fetch
>>> async def main():
...     async with aiohttp.ClientSession(connector=Connector()) as session:
...         return await fetch(session, "http://127.0.0.1/")
>>> asyncio.run(main())
Traceback (most recent call last):
weburl.ext.aiohttp.NotFetched: not fetched: '127.0.0.1' is private
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from contextvars import ContextVar
from functools import partial
from typing import Any, Final, NamedTuple

try:
    import aiohttp
    import yarl
    from aiohttp.abc import AbstractCookieJar, AbstractResolver
except ModuleNotFoundError as _error:
    raise ImportError("this needs aiohttp: pip install aiohttp weburl") from _error

from weburl.errors import InvalidURL
from weburl.ext._http.addresses import (
    IsRefused,
    addresses_in,
    check_addresses,
    check_host,
    encode_name,
)
from weburl.ext._http.fetching import (
    REDIRECT_LIMIT,
    SIZE_LIMIT,
    TIME_LIMIT,
    Body,
    Redirects,
    check_scheme,
    checked_limits,
    errors_of_client,
    raw_headers,
)
from weburl.ext._http.redirecting import Redirected, is_dropped
from weburl.ext.http import Fetched
from weburl.ext.http import NotFetched as NotFetchedByAny
from weburl.hosts import is_private_host
from weburl.url import URL, FrozenURL

__all__ = ["Connector", "Fetched", "NotFetched", "fetch", "yarl_url"]


def __dir__() -> list[str]:
    return __all__


class NotFetched(aiohttp.ClientError, NotFetchedByAny):  # type: ignore[misc]
    """`weburl.ext.http.NotFetched`, and an `aiohttp.ClientError`.

    >>> import aiohttp
    >>> issubclass(NotFetched, aiohttp.ClientError)
    True
    """


class TimedOut(aiohttp.ClientError, TimeoutError):  # type: ignore[misc]
    """What `fetch` raises after its time limit."""


own_errors: Callable[[], AbstractContextManager[None]] = partial(errors_of_client, NotFetched, TimedOut)


class CheckedResolver(AbstractResolver):  # type: ignore[misc]
    """Looks names up, and checks every address."""

    def __init__(self, is_refused: IsRefused) -> None:
        self.is_refused = is_refused

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[dict[str, Any]]:
        check_host(host, port, self.is_refused)
        loop = asyncio.get_running_loop()
        infos = await loop.getaddrinfo(encode_name(host), port, type=socket.SOCK_STREAM, family=family)
        check_addresses(host, addresses_in(infos), self.is_refused)
        return [
            {
                "hostname": host,
                "host": address[0],
                "port": port,
                "family": family,
                "proto": proto,
                "flags": socket.AI_NUMERICHOST,
            }
            for family, _, proto, _, address in infos
        ]

    async def close(self) -> None:
        pass


class Sent(NamedTuple):
    """A request that was sent, and what its redirects have in common with it: the timer of the call."""

    timer: Any
    request: Redirected
    left_body: bool


# The requests that this task has sent: one for each call, as one may be made within another. The latest is first. A
# middleware that sends in a task of its own hides them: docs/engines/aiohttp.md says so. fetch() does not need them.
latest: ContextVar[tuple[Sent, ...]] = ContextVar("weburl.sent", default=())
CALLS: Final = 16
# Whether the fetch that runs has left its origin.
fetch_left_origin: ContextVar[bool] = ContextVar("weburl.left_origin", default=False)


def drop_headers(request: Any) -> None:
    """Drops what a request must not have that follows a redirect. aiohttp tells nobody that it does."""
    calls = latest.get()
    timer = request._timer
    before = None
    for call in calls:
        if call.timer is timer:
            before = call
            break
    try:
        url = URL(str(request.url))
    except InvalidURL:
        raise NotFetched("not fetched: a request whose URL is not valid") from None
    left_origin = fetch_left_origin.get() or (before is not None and before.request.leads_away(url))
    # aiohttp gives each request of a call all headers again.
    left_body = before is not None and (before.left_body or before.request.method != request.method)
    if left_origin or left_body:
        for name in [*request.headers]:
            if is_dropped(name, left_origin=left_origin, left_body=left_body):
                request.headers.popall(name, None)
    if left_origin:
        request.headers["Host"] = url.host
        if cookies := cookies_for_hosts(request.session.cookie_jar, request.url):
            request.headers["Cookie"] = cookies
    if before is not None:
        calls = tuple(call for call in calls if call is not before)
    sent = Sent(timer, Redirected(url, request.method, left_origin), left_body)
    latest.set((sent, *calls[: CALLS - 1]))


def cookies_for_hosts(jar: AbstractCookieJar, url: yarl.URL) -> str:
    """The cookies that are for some host. Others would be sent everywhere."""
    everywhere = {(cookie.key, cookie.value) for cookie in jar if not cookie["domain"]}
    cookies = jar.filter_cookies(url).values()
    return "; ".join(
        f"{cookie.key}={cookie.coded_value}" for cookie in cookies if (cookie.key, cookie.value) not in everywhere
    )


class Connector(aiohttp.TCPConnector):  # type: ignore[misc]
    """Connector(*, is_refused=is_private_host, **options)

    A connector for `aiohttp.ClientSession` that connects only to public addresses.

    >>> import aiohttp, asyncio
    >>> async def main() -> None:
    ...     async with aiohttp.ClientSession(connector=Connector()) as session:
    ...         await session.get("http://127.0.0.1:8000/admin")
    >>> try:
    ...     asyncio.run(main())
    ... except NotFetched as error:
    ...     print(error)
    not fetched: '127.0.0.1' is private

    If one of the addresses of a name is private, or the port is one that browsers block, NotFetched is raised. Each
    address is checked again when a socket is made for it, so also those in the URL and in aiohttp's cache of names.
    Redirects that aiohttp follows are checked, too; those to another origin lose the headers that were for the first
    one. A proxy is refused. `is_refused` is called with the name, and with each address as an object of the module
    ipaddress. `options` are those of `aiohttp.TCPConnector`.
    """

    def __init__(self, *, is_refused: IsRefused = is_private_host, **options: Any) -> None:
        for name in ("resolver", "socket_factory"):
            if name in options:
                raise TypeError(f"{name}: the connector has its own")

        def checked_socket(info: tuple[Any, ...]) -> socket.socket:
            family, kind, proto, _, address = info
            check_host(str(address[0]), address[1], is_refused)
            return socket.socket(family, kind, proto)

        super().__init__(resolver=CheckedResolver(is_refused), socket_factory=checked_socket, **options)

    async def connect(self, req: Any, traces: Any, timeout: Any) -> Any:
        if req.proxy is not None:
            raise NotFetched("not fetched: the addresses that a proxy connects to cannot be checked")
        with own_errors():
            drop_headers(req)
            return await super().connect(req, traces, timeout)


def yarl_url(url: str | URL | FrozenURL) -> yarl.URL:
    """A URL for aiohttp, which then sends exactly this URL.

    >>> str(yarl_url("https://example.com/?sig=a%2fb&q=%7E"))
    'https://example.com/?sig=a%2fb&q=%7E'

    `params` and `base_url` of aiohttp would change it.
    """
    if isinstance(url, URL) and url.scheme in ("http", "https"):
        exact = url
    else:
        with own_errors():
            exact = URL(url)
            check_scheme(exact)
    path, query = exact.pathname, exact.query
    target = path if query is None else f"{path}?{query}"
    scheme = exact.scheme
    authority = exact.serialize(exclude_fragment=True)[len(scheme) + 3 : -len(target)]
    if not query:
        # A yarl.URL has no empty query; but its path may be any text. A cookie for this very path is not sent with it.
        path, query = target, ""
    # yarl.URL(), which splits a text, takes three times as long.
    return yarl.URL.build(scheme=scheme, authority=authority, path=path, query_string=query, encoded=True)


async def fetch(
    session: aiohttp.ClientSession,
    url: str | URL | FrozenURL,
    *,
    headers: Mapping[str, str] | None = None,
    size_limit: int = SIZE_LIMIT,
    redirect_limit: int = REDIRECT_LIMIT,
    time_limit: float = TIME_LIMIT,
) -> Fetched:
    """Gets a URL with a session whose connector is a `Connector`: exactly this URL, and redirects as in a browser.

    >>> import aiohttp, asyncio
    >>> async def main() -> None:
    ...     async with aiohttp.ClientSession(connector=Connector()) as session:
    ...         page = await fetch(session, "http://169.254.169.254/latest/meta-data/")
    >>> try:
    ...     asyncio.run(main())
    ... except NotFetched as error:
    ...     print(error)
    not fetched: '169.254.169.254' is private

    At most `size_limit` bytes of the decoded body are read. After a redirect to another origin, headers that were for
    the first one are not sent: neither those of `headers` nor those of the session. The session's middlewares, which
    may authenticate, are not called. NotFetched is raised for what is not a URL, or not one with http: or
    https:, also in a redirect; for a private address, a port that browsers block, more than `redirect_limit`
    redirects, and a body in a coding that was not asked for. TimeoutError is raised after `time_limit` seconds. These
    errors, too, are an `aiohttp.ClientError`.
    """
    if not isinstance(session.connector, Connector):
        raise TypeError("fetch() needs a session whose connector is that of weburl.ext.aiohttp")
    time_limit = checked_limits(size_limit, redirect_limit, time_limit)
    with own_errors():
        async with asyncio.timeout(time_limit):
            redirects = Redirects(url, headers, redirect_limit)
            while True:
                exact = redirects.url
                if redirects.left_origin:
                    # A redirect does not say who the caller is.
                    exact = exact.replace(username="", password="")
                token = fetch_left_origin.set(redirects.left_origin)
                try:
                    async with session.get(
                        yarl_url(exact),
                        # aiohttp leaves out a dot at the end of a name.
                        headers=redirects.headers() | {"Host": exact.host},
                        allow_redirects=False,
                        auto_decompress=False,
                        middlewares=() if redirects.left_origin else None,
                    ) as response:
                        response_headers = raw_headers(response.raw_headers)
                        if redirects.follow(response.status, response_headers):
                            continue
                        body = Body(response_headers, size_limit, redirects.url)
                        async for piece in response.content.iter_any():
                            if body.add(piece):
                                break
                        return redirects.end(response.status, response_headers, body)
                finally:
                    fetch_left_origin.reset(token)
