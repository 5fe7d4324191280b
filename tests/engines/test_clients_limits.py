"""The limits of fetch() hold also for what a client does by itself: authenticate, wait, and try again."""

from __future__ import annotations

import asyncio
import gzip
import math
import time
from collections.abc import Callable, Iterator
from typing import Any

import httpx
import pytest
import requests
from clients import CLIENTS, Fetcher, allow
from support.peak import peak
from support.raw_server import RawServer, redirect, response, serving
from urllib3 import Retry

import weburl.ext.httpx
import weburl.ext.requests
from weburl.ext.httpx import NotFetched
from weburl.hosts import is_private_host

CHALLENGE = b'WWW-Authenticate: Digest realm="x", qop="auth", nonce="abc"\r\n'
PACKED = response("401 Unauthorized", CHALLENGE + b"Content-Encoding: gzip\r\n", gzip.compress(bytes(1 << 26)))
LONGEST = 10  # seconds of what must not wait: a server asks for a minute, or does not answer


def with_digest(url: str, limits: dict[str, Any]) -> Any:
    transport, auth = weburl.ext.httpx.Transport(is_refused=allow), httpx.DigestAuth("user", "password")
    with httpx.Client(transport=transport, auth=auth) as client:
        return weburl.ext.httpx.fetch(client, url, **limits)


def with_digest_async(url: str, limits: dict[str, Any]) -> Any:
    async def run() -> Any:
        transport, auth = weburl.ext.httpx.AsyncTransport(is_refused=allow), httpx.DigestAuth("user", "password")
        async with httpx.AsyncClient(transport=transport, auth=auth) as client:
            return await weburl.ext.httpx.fetch_async(client, url, **limits)

    return asyncio.run(run())


def unpacked(head: bytes) -> Iterator[bytes]:
    yield b"HTTP/1.1 401 Unauthorized\r\n%sContent-Length: %d\r\n\r\n" % (CHALLENGE, 1 << 26)
    for _ in range(64):
        yield bytes(1 << 20)


@pytest.mark.parametrize("challenge", [lambda head: PACKED, unpacked])
@pytest.mark.parametrize("get", [with_digest, with_digest_async])
def test_a_body_that_asks_for_a_password(get: Callable[..., Any], challenge: Any) -> None:
    """httpx reads all of it."""
    found = []

    def answer(head: bytes) -> Any:
        return response() if b"Authorization: Digest" in head else challenge(head)

    with serving(answer) as server:
        get(server.origin, {})  # what is allocated once
        assert peak(lambda: found.append(get(server.origin, {"size_limit": 1000}))) < 8 << 20
    assert (found[0].status, found[0].body) == (200, b"ok")


def session_with(**options: Any) -> requests.Session:
    session = requests.Session()
    session.trust_env = False
    session.mount("http://", weburl.ext.requests.Adapter(is_refused=allow, **options))
    return session


def test_a_server_that_wants_to_be_asked_later() -> None:
    later = response("503 Service Unavailable", b"Retry-After: 60\r\n")
    began = time.monotonic()
    with serving(lambda head: later) as server, session_with(max_retries=2) as session:
        assert weburl.ext.requests.fetch(session, server.origin).status == 503
    retries = Retry(total=5, status_forcelist=[503], backoff_factor=60)
    with serving(lambda head: later) as server, session_with(max_retries=retries) as session:
        with pytest.raises(TimeoutError):
            weburl.ext.requests.fetch(session, server.origin, time_limit=1)
        assert len(server.heads) > 1
    assert time.monotonic() - began < LONGEST


def in_httpx(server: RawServer) -> None:
    with (
        httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow, max_connections=1), timeout=None) as client,
        client.stream("GET", server.origin),
    ):
        weburl.ext.httpx.fetch(client, server.origin, time_limit=1)


def in_httpx_async(server: RawServer) -> None:
    async def run() -> None:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=allow, max_connections=1)
        async with httpx.AsyncClient(transport=transport, timeout=None) as client, client.stream("GET", server.origin):
            await weburl.ext.httpx.fetch_async(client, server.origin, time_limit=1)

    asyncio.run(run())


def in_requests(server: RawServer) -> None:
    with session_with(pool_maxsize=1, pool_block=True) as session, session.get(server.origin, stream=True):
        weburl.ext.requests.fetch(session, server.origin, time_limit=1)


@pytest.mark.parametrize("wait", [in_httpx, in_httpx_async, in_requests])
def test_a_pool_without_a_free_connection(wait: Callable[[RawServer], None]) -> None:
    began = time.monotonic()
    with serving(lambda head: response(body=bytes(1 << 22))) as server, pytest.raises(TimeoutError):
        wait(server)
    assert time.monotonic() - began < LONGEST


@pytest.mark.parametrize("fetch", CLIENTS.values(), ids=CLIENTS)
def test_limits_of_any_size(fetch: Fetcher) -> None:
    with serving(lambda head: response() if b"/end" in head else redirect(b"/end")) as server:
        for name in ("size_limit", "redirect_limit", "time_limit"):
            for limit in (-1, math.nan):
                with pytest.raises(ValueError, match=f"{name} must not be below 0"):
                    fetch([server.origin], **{name: limit})
        assert server.connections == 0
        assert fetch([server.origin], time_limit=math.inf)[0].body == b"ok"
        assert fetch([server.origin], size_limit=0)[0].truncated
        with pytest.raises(NotFetched, match="more than 0 redirects"):
            fetch([server.origin], redirect_limit=0)


@pytest.mark.parametrize(
    ("location", "error"), [(b"ftp://example.com/", httpx.UnsupportedProtocol), (b"http://0x7g.1/", NotFetched)]
)
def test_redirects_of_httpx_to_what_is_not_for_it(location: bytes, error: type[Exception]) -> None:
    def is_refused(host: Any) -> bool:
        return str(host) != "127.0.0.1" and is_private_host(host)

    async def run(url: str) -> None:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=is_refused)
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            await client.get(url)

    transport = weburl.ext.httpx.Transport(is_refused=is_refused)
    with serving(lambda head: redirect(location)) as server:
        with httpx.Client(transport=transport, follow_redirects=True) as client, pytest.raises(error):
            client.get(server.origin)
        with pytest.raises(error):
            asyncio.run(run(server.origin))
        assert len(server.heads) == 2
