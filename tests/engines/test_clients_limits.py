"""The limits of fetch() hold also for what a client does by itself: authenticate, wait, and try again."""

from __future__ import annotations

import asyncio
import gzip
import math
import socket
import threading
import time
from collections.abc import Callable, Iterator
from functools import partial
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
from weburl.ext.http import NotFetched
from weburl.hosts import is_private_host

CHALLENGE = b'WWW-Authenticate: Digest realm="x", qop="auth", nonce="abc"\r\n'
PACKED = response("401 Unauthorized", CHALLENGE + b"Content-Encoding: gzip\r\n", gzip.compress(bytes(1 << 26)))
LONGEST = 40  # seconds of what must not wait: a server asks for a minute, or does not answer in one


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


def test_a_hook_that_reads() -> None:
    hooks = {"response": [lambda response: response.read()]}
    packed = response(headers=b"Content-Encoding: gzip\r\n", body=gzip.compress(b"packed"))
    transport = weburl.ext.httpx.Transport(is_refused=allow)
    with serving(lambda head: packed) as server, httpx.Client(transport=transport, event_hooks=hooks) as client:
        assert weburl.ext.httpx.fetch(client, server.origin).body == b"packed"


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


def outcome(call: Callable[[], Any], longest: float = LONGEST) -> Any:
    """What it gives or raises, if it ends in time."""
    found: list[Any] = []

    def run() -> None:
        try:
            found.append(call())
        except Exception as error:
            found.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(longest)
    assert found, "it still waits"
    return found[0]


def test_a_server_that_wants_to_be_asked_later() -> None:
    def answer(head: bytes) -> bytes:
        if len(server.heads) > 2:
            return response()
        return response("503 Service Unavailable", b"Retry-After: %d\r\n" % (60 if b"/later" in head else 0))

    for retries in (5, Retry(5), Named(total=5)):
        with serving(answer) as server, session_with(max_retries=retries) as session:
            assert weburl.ext.requests.fetch(session, server.origin).body == b"ok"
            assert len(server.heads) == 3
            server.heads.clear()
            url = f"{server.origin}/later"
            found = outcome(partial(weburl.ext.requests.fetch, session, url, time_limit=1))
            assert isinstance(found, TimeoutError)
    with serving(answer) as server, session_with() as session:
        # urllib3 takes a number, too.
        session.get_adapter(server.origin).max_retries = 5
        assert weburl.ext.requests.fetch(session, server.origin).body == b"ok"


class Named(Retry):  # type: ignore[misc]
    """A class of the caller's own."""


def test_waits_between_tries() -> None:
    """The server decides when they begin: the second answer comes late."""

    def answer(head: bytes) -> Iterator[bytes]:
        time.sleep(1.5 * (len(server.heads) - 1))
        yield response("500 Error")

    retries = Retry(total=5, status_forcelist=[500], backoff_factor=60)
    with serving(answer) as server, session_with(max_retries=retries) as session:
        found = outcome(partial(weburl.ext.requests.fetch, session, server.origin, time_limit=2))
        assert isinstance(found, TimeoutError)
        assert len(server.heads) == 2


def test_connections_that_are_tried_again() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}/"
    # The waits before the tries double: all of them take minutes.
    with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow, retries=10)) as client:
        assert isinstance(outcome(partial(weburl.ext.httpx.fetch, client, url, time_limit=2)), TimeoutError)


def test_a_body_before_another_try() -> None:
    """urllib3 2.2 holds all of it."""

    def answer(head: bytes) -> Iterator[bytes]:
        if len(server.heads) > 2:
            yield response()
            return
        yield b"HTTP/1.1 500 Error\r\nContent-Length: %d\r\n\r\n" % (1 << 26)
        for _ in range(64):
            yield bytes(1 << 20)

    found = []
    with serving(answer) as server, session_with(max_retries=Retry(total=5, status_forcelist=[500])) as session:
        weburl.ext.requests.fetch(session, server.origin)  # what is allocated once
        server.heads.clear()
        assert peak(lambda: found.append(weburl.ext.requests.fetch(session, server.origin, size_limit=9))) < 8 << 20
    assert found[0].body == b"ok"


# Not the limit once more after the connection, which would be 9 seconds.
@pytest.mark.parametrize("most", [math.inf, pytest.param(8.5, marks=pytest.mark.timed)])
def test_a_silent_peer_after_a_slow_connection(most: float, monkeypatch: pytest.MonkeyPatch) -> None:
    connect = socket.create_connection

    def slowly(*arguments: Any, **options: Any) -> Any:
        time.sleep(4)
        return connect(*arguments, **options)

    monkeypatch.setattr(socket, "create_connection", slowly)
    began = time.monotonic()  # clock: timed
    with socket.create_server(("127.0.0.1", 0)) as listener, requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        url = f"https://127.0.0.1:{listener.getsockname()[1]}/"
        assert isinstance(outcome(partial(weburl.ext.requests.fetch, session, url, time_limit=5)), TimeoutError)
    assert time.monotonic() - began < most


def in_httpx(server: RawServer) -> Any:
    with (
        httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow, max_connections=1), timeout=None) as client,
        client.stream("GET", server.origin),
    ):
        weburl.ext.httpx.fetch(client, server.origin, time_limit=1)


def in_httpx_async(server: RawServer) -> Any:
    async def run() -> None:
        transport = weburl.ext.httpx.AsyncTransport(is_refused=allow, max_connections=1)
        async with httpx.AsyncClient(transport=transport, timeout=None) as client, client.stream("GET", server.origin):
            await weburl.ext.httpx.fetch_async(client, server.origin, time_limit=1)

    asyncio.run(run())


def in_requests(server: RawServer) -> Any:
    with session_with(pool_maxsize=1, pool_block=True) as session, session.get(server.origin, stream=True):
        weburl.ext.requests.fetch(session, server.origin, time_limit=1)


@pytest.mark.parametrize("wait", [in_httpx, in_httpx_async, in_requests])
def test_a_pool_without_a_free_connection(wait: Callable[[RawServer], Any]) -> None:
    with serving(lambda head: response(body=bytes(1 << 22))) as server:
        assert isinstance(outcome(partial(wait, server)), TimeoutError)


def test_a_fetch_within_a_fetch() -> None:
    class Asks(httpx.Auth):  # type: ignore[misc]
        def auth_flow(self, request: httpx.Request) -> Iterator[httpx.Request]:
            weburl.ext.httpx.fetch(client, f"{server.origin}/slow", time_limit=2 * LONGEST)
            yield request

    ended = threading.Event()

    def answer(head: bytes) -> Iterator[bytes]:
        ended.wait(60)
        yield response()

    with serving(answer) as server, httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow)) as client:
        with httpx.Client(transport=client._transport, auth=Asks()) as other:
            found = outcome(partial(weburl.ext.httpx.fetch, other, server.origin, time_limit=1))
        ended.set()
        assert isinstance(found, TimeoutError)


@pytest.mark.parametrize("fetch", CLIENTS.values(), ids=CLIENTS)
def test_limits_of_any_size(fetch: Fetcher) -> None:
    packed = response(headers=b"Content-Encoding: gzip\r\n", body=gzip.compress(b"packed"))

    def answer(head: bytes) -> bytes:
        return packed if b"/packed" in head else response() if b"/end" in head else redirect(b"/end")

    with serving(answer) as server:
        for name in ("size_limit", "redirect_limit", "time_limit"):
            for limit in (-1, math.nan):
                with pytest.raises(ValueError, match=f"{name} must not be below 0"):
                    fetch([server.origin], **{name: limit})
        assert server.connections == 0
        assert fetch([server.origin], time_limit=math.inf)[0].body == b"ok"
        assert fetch([server.origin], size_limit=0)[0].truncated
        assert fetch([f"{server.origin}/packed"], size_limit=2**70)[0].body == b"packed"
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
