"""aiohttp with a browser's URLs, and without requests to private addresses.

>>> import asyncio
>>> import aiohttp
>>> from weburl.ext.aiohttp import Connector, fetch
>>> async def main():
...     async with aiohttp.ClientSession(connector=Connector()) as session:
...         return await fetch(session, "http://127.0.0.1/")
>>> asyncio.run(main())
Traceback (most recent call last):
weburl.ext.http.NotFetched: not fetched: '127.0.0.1' is private
"""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Mapping
from typing import Any

try:
    import aiohttp
    import yarl
    from aiohttp.abc import AbstractResolver
except ModuleNotFoundError as error:
    raise ImportError("this needs aiohttp: pip install aiohttp weburl") from error

from weburl.ext._http.addresses import (
    IsRefused,
    addresses_in,
    check_addresses,
    check_host,
    encode_name,
)
from weburl.ext._http.fetching import (
    CREDENTIALS,
    REDIRECT_LIMIT,
    SIZE_LIMIT,
    TIME_LIMIT,
    Body,
    Redirects,
    checked_limits,
    raw_headers,
    target_of,
)
from weburl.ext.http import Fetched, NotFetched
from weburl.hosts import is_private_host
from weburl.url import URL

__all__ = ["Connector", "Fetched", "NotFetched", "fetch", "yarl_url"]


def __dir__() -> list[str]:
    return __all__


class CheckedResolver(AbstractResolver):  # type: ignore[misc]
    """Looks names up, and checks every address."""

    def __init__(self, is_refused: IsRefused) -> None:
        self.is_refused = is_refused

    async def resolve(self, host: str, port: int = 0, family: int = socket.AF_UNSPEC) -> list[dict[str, Any]]:
        check_host(host, port, self.is_refused)
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(encode_name(host), port, type=socket.SOCK_STREAM, family=family)
        check_addresses(host, addresses_in(found), self.is_refused)
        return [
            {
                "hostname": host,
                "host": address[0],
                "port": port,
                "family": family,
                "proto": proto,
                "flags": socket.AI_NUMERICHOST,
            }
            for family, _, proto, _, address in found
        ]

    async def close(self) -> None:
        pass


class Connector(aiohttp.TCPConnector):  # type: ignore[misc]
    """Connector(*, is_refused=is_private_host, **options)

    For `aiohttp.ClientSession(connector=...)`: connects only to public addresses.

    If one of the addresses of a name is private, or the port is one that browsers block, NotFetched is raised. Each
    address is checked again when a socket is made for it, so also those in the URL and in aiohttp's cache of names.
    Redirects that aiohttp follows are checked, too. A proxy is refused. `is_refused` is called with the name, and with
    each address as an object of the module ipaddress. `options` are those of `aiohttp.TCPConnector`.
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
        return await super().connect(req, traces, timeout)


def yarl_url(url: str | URL) -> yarl.URL:
    """A URL for aiohttp, which sends exactly this URL. `params` and `base_url` of aiohttp would change it."""
    exact = URL(url)
    if exact.scheme not in ("http", "https"):
        raise NotFetched(f"not fetched: {exact.scheme[:100]}: is not a scheme for the web")
    found = yarl.URL(exact.serialize(exclude_fragment=True), encoded=True)
    target = target_of(exact)
    if found.raw_path_qs == target:
        return found
    # A yarl.URL has no empty query; but its path may be any text. A cookie for this very path is not sent with it.
    return yarl.URL.build(scheme=exact.scheme, authority=found.raw_authority, path=target, encoded=True)


def has_credentials(session: aiohttp.ClientSession) -> bool:
    """Whether a session has some for all URLs: also cookies that are for no host, and those of a .netrc."""
    return bool(
        session.auth
        or session.trust_env
        or any(name in session.headers for name in CREDENTIALS)
        or any(not cookie["domain"] for cookie in session.cookie_jar)
    )


async def fetch(
    session: aiohttp.ClientSession,
    url: str | URL,
    *,
    headers: Mapping[str, str] | None = None,
    size_limit: int = SIZE_LIMIT,
    redirect_limit: int = REDIRECT_LIMIT,
    time_limit: float = TIME_LIMIT,
) -> Fetched:
    """Gets a URL with a session whose connector is a `Connector`: exactly this URL, and redirects as in a browser.

    At most `size_limit` bytes of the decoded body are read. After a redirect to another origin, credentials among the
    `headers` are not sent, and the session's middlewares, which may add some, are not called; if the session has some
    for all URLs, NotFetched is raised. It is raised, too, for a URL that is not http: or https:, for a private address,
    a port that browsers block, more than `redirect_limit` redirects, and a body in a coding that was not asked for;
    InvalidURL for a redirect to what is not a URL; TimeoutError after `time_limit` seconds. Other exceptions are those
    of aiohttp.
    """
    if not isinstance(session.connector, Connector):
        raise TypeError("fetch() needs a session whose connector is that of weburl.ext.aiohttp")
    time_limit = checked_limits(size_limit, redirect_limit, time_limit)
    redirects = Redirects(url, headers, redirect_limit)
    async with asyncio.timeout(time_limit):
        while True:
            if redirects.left_origin and has_credentials(session):
                raise NotFetched("not fetched: a redirect to another origin, with the credentials of the session")
            # aiohttp leaves out a dot at the end of a name.
            sent = redirects.headers() | {"Host": redirects.url.host}
            async with session.get(
                yarl_url(redirects.url),
                headers=sent,
                allow_redirects=False,
                auto_decompress=False,
                middlewares=() if redirects.left_origin else None,
            ) as response:
                found = raw_headers(response.raw_headers)
                if redirects.follow(response.status, found):
                    continue
                body = Body(found, size_limit)
                async for piece in response.content.iter_any():
                    if body.add(piece):
                        break
                return redirects.end(response.status, found, body)
