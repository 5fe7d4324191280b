"""The clients of weburl.ext, used otherwise than by fetch(): the address is checked all the same."""

from __future__ import annotations

import asyncio
import gzip
import pickle
import socket
import threading
from functools import partial
from typing import Any

import aiohttp
import httpx
import pytest
import requests
import yarl
from clients import allow
from support.raw_server import redirect, response, serving

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import URL
from weburl.ext._http.fetching import Body
from weburl.ext.http import NotFetched


def get_httpx(url: str, **options: Any) -> Any:
    transport = weburl.ext.httpx.Transport(**options)
    with httpx.Client(transport=transport, follow_redirects=True) as client:
        return client.get(url)


def get_httpx_async(url: str, **options: Any) -> Any:
    async def run() -> Any:
        transport = weburl.ext.httpx.AsyncTransport(**options)
        async with httpx.AsyncClient(transport=transport, follow_redirects=True) as client:
            return await client.get(url)

    return asyncio.run(run())


def get_aiohttp(url: str, **options: Any) -> Any:
    async def run() -> Any:
        connector = weburl.ext.aiohttp.Connector(**options)
        async with aiohttp.ClientSession(connector=connector) as session, session.get(url) as answer:
            await answer.read()
            return answer

    return asyncio.run(run())


def get_requests(url: str, **options: Any) -> Any:
    with requests.Session() as session:
        weburl.ext.requests.mount(session, **options)
        return session.get(url)


GETTERS = [get_httpx, get_httpx_async, get_aiohttp, get_requests]


def no_second(host: Any) -> bool:
    return str(host) == "127.0.0.2"


@pytest.mark.parametrize("get", GETTERS)
def test_redirects_that_a_client_follows_itself(get: Any) -> None:
    with serving(lambda head: redirect(b"http://127.0.0.2:%d/" % server.port)) as server:
        with pytest.raises(NotFetched, match=r"'127\.0\.0\.2' is private"):
            get(server.origin, is_refused=no_second)
        assert len(server.heads) == 1


@pytest.mark.parametrize("get", GETTERS)
def test_the_default_refuses_loopback(get: Any) -> None:
    with serving(lambda head: response()) as server:
        for url in (server.origin, f"http://localhost:{server.port}/", "http://example.com:22/"):
            with pytest.raises(NotFetched):
                get(url)
        assert server.connections == 0


class Unmarked(httpx.BaseTransport):  # type: ignore[misc]
    """One that nothing is known of."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        return httpx.Response(200)


def test_clients_without_the_check() -> None:
    ours, plain = weburl.ext.httpx.Transport(is_refused=allow), httpx.HTTPTransport()
    with serving(answer) as server:
        for options in ({}, {"transport": ours, "mounts": {server.origin: plain}}, {"transport": Unmarked()}):
            with httpx.Client(**options) as client, pytest.raises(TypeError, match=r"weburl\.ext\.httpx"):
                weburl.ext.httpx.fetch(client, server.origin)

        async def fetch() -> None:
            async with httpx.AsyncClient() as client:
                await weburl.ext.httpx.fetch_async(client, server.origin)

        with pytest.raises(TypeError, match=r"weburl\.ext\.httpx"):
            asyncio.run(fetch())
        assert server.connections == 0
    with requests.Session() as session, pytest.raises(TypeError, match="mount"):
        weburl.ext.requests.fetch(session, "http://example.com/")

    async def run() -> None:
        async with aiohttp.ClientSession() as session:
            await weburl.ext.aiohttp.fetch(session, "http://example.com/")

    with pytest.raises(TypeError, match="connector"):
        asyncio.run(run())


def answer(head: bytes) -> bytes:
    return response()


def test_proxies_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(answer) as server:
        for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
            monkeypatch.setenv(name, server.origin)
        monkeypatch.setenv("no_proxy", "")
        # Those of the environment are not used.
        with requests.Session() as session:
            weburl.ext.requests.mount(session)
            with pytest.raises(NotFetched, match=r"'127\.0\.0\.9' is private"):
                weburl.ext.requests.fetch(session, "http://127.0.0.9/")
            for name in ("http", "all", "http://example.com"):
                session.proxies = {name: server.origin}
                for get in (session.get, partial(weburl.ext.requests.fetch, session)):
                    with pytest.raises(NotFetched, match="proxy"):
                        get("http://example.com/")
        with (
            httpx.Client(transport=weburl.ext.httpx.Transport()) as client,
            pytest.raises(NotFetched, match=r"'127\.0\.0\.9' is private"),
        ):
            weburl.ext.httpx.fetch(client, "http://127.0.0.9/")
        with pytest.raises(TypeError, match="proxy"):
            weburl.ext.httpx.Transport(proxy=server.origin)
        with pytest.raises(TypeError, match="uds"):
            weburl.ext.httpx.AsyncTransport(uds="/run/x")
        assert server.heads == []
        with (
            httpx.Client(transport=weburl.ext.httpx.Transport(), proxy=server.origin) as client,
            pytest.raises(TypeError, match="uses no proxy"),
        ):
            weburl.ext.httpx.fetch(client, "http://example.com/")

        async def run(**options: Any) -> None:
            connector = weburl.ext.aiohttp.Connector()
            async with aiohttp.ClientSession(connector=connector, **options) as session:
                await weburl.ext.aiohttp.fetch(session, "http://example.com/")

        for options in ({"trust_env": True}, {"proxy": server.origin}):
            with pytest.raises(NotFetched, match="proxy"):
                asyncio.run(run(**options))
        for name in ("resolver", "socket_factory"):
            with pytest.raises(TypeError, match=name):
                weburl.ext.aiohttp.Connector(is_refused=allow, **{name: None})
        assert server.heads == []


def test_adapters_are_pickled() -> None:
    assert b"weburl.ext._" not in pickle.dumps(weburl.ext.requests.Adapter())
    assert b"weburl._" not in pickle.dumps(weburl.ext.requests.Adapter())
    adapter = weburl.ext.requests.Adapter(is_refused=allow, max_retries=2)
    copied = pickle.loads(pickle.dumps(adapter))
    with serving(answer) as server, requests.Session() as session:
        session.mount("http://", copied)
        assert weburl.ext.requests.fetch(session, server.origin).body == b"ok"
    assert copied.max_retries.total == 2


def test_credentials_of_clients() -> None:
    """They are for one origin, too."""
    with serving(answer) as other, serving(lambda head: redirect(other.origin.encode())) as server:
        with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow), auth=("user", "secret")) as client:
            weburl.ext.httpx.fetch(client, server.origin)
        with requests.Session() as session:
            weburl.ext.requests.mount(session, is_refused=allow)
            session.auth = ("user", "secret")
            weburl.ext.requests.fetch(session, server.origin)
        assert [b"Authorization: Basic" in head for head in server.heads] == [True, True]
        assert [b"Authorization: Basic" in head for head in other.heads] == [False, False]

        async def run() -> None:
            connector = weburl.ext.aiohttp.Connector(is_refused=allow)
            headers = {"Authorization": "secret"}
            async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
                await weburl.ext.aiohttp.fetch(session, server.origin)

        asyncio.run(run())
        assert [b"secret" in head for head in (server.heads[2], other.heads[2])] == [True, False]


class Token(requests.auth.AuthBase):  # type: ignore[misc]
    """Authentication in a header of its own."""

    def __call__(self, request: Any) -> Any:
        request.headers["Private-Token"] = "secret"
        return request


def test_what_authenticates_each_request_of_a_client() -> None:
    """It is not asked for another origin, which would get what it signs."""
    with serving(answer) as other, serving(lambda head: redirect(other.origin.encode())) as server:
        with requests.Session() as session:
            weburl.ext.requests.mount(session, is_refused=allow)
            session.auth = Token()
            weburl.ext.requests.fetch(session, server.origin)

        async def add_token(request: Any, handler: Any) -> Any:
            request.headers["Private-Token"] = "secret"
            return await handler(request)

        async def run() -> None:
            connector = weburl.ext.aiohttp.Connector(is_refused=allow)
            async with aiohttp.ClientSession(connector=connector, middlewares=(add_token,)) as session:
                await weburl.ext.aiohttp.fetch(session, server.origin)

        asyncio.run(run())
        assert [b"Private-Token: secret" in head for head in server.heads] == [True, True]
        assert [b"secret" in head for head in other.heads] == [False, False]


def test_a_certificate_is_for_one_origin(monkeypatch: pytest.MonkeyPatch) -> None:
    given = []

    def send(self: Any, request: Any, cert: Any = None, **options: Any) -> Any:
        given.append(cert)
        return requests.adapters.HTTPAdapter.send(self, request, **options)

    monkeypatch.setattr(weburl.ext.requests.Adapter, "send", send)
    with (
        serving(answer) as other,
        serving(lambda head: redirect(other.origin.encode())) as server,
        requests.Session() as session,
    ):
        weburl.ext.requests.mount(session, is_refused=allow)
        session.cert = "client.pem"
        weburl.ext.requests.fetch(session, server.origin)
    assert given == ["client.pem", None]


@pytest.mark.parametrize("name", ["Authorization", "cookie", "Proxy-Authorization"])
def test_headers_of_clients_with_credentials(name: str) -> None:
    """A cookie of the jar for the other host is sent there."""
    headers = {name: "secret=1"}

    def to_other(head: bytes) -> bytes:
        return redirect(b"http://localhost:%d/" % other.port)

    with serving(answer) as other, serving(to_other) as server:
        with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow), headers=headers) as client:
            client.cookies.set("own", "2", "localhost.local")
            weburl.ext.httpx.fetch(client, server.origin)
        with requests.Session() as session:
            weburl.ext.requests.mount(session, is_refused=allow)
            session.headers.update(headers)
            session.cookies.set("own", "2", domain="localhost.local")
            weburl.ext.requests.fetch(session, server.origin)
        assert [b"secret=1" in head for head in server.heads] == [True, True]
        assert [head.count(b"secret=1") for head in other.heads] == [0, 0]
        assert [head.count(b"own=2") for head in other.heads] == [1, 1]

        async def run() -> None:
            connector = weburl.ext.aiohttp.Connector(is_refused=allow)
            async with aiohttp.ClientSession(connector=connector, headers=headers) as session:
                await weburl.ext.aiohttp.fetch(session, server.origin)

        asyncio.run(run())
        assert [b"secret=1" in head for head in (server.heads[2], other.heads[2])] == [True, False]


def test_cookies_of_clients_without_a_domain() -> None:
    """They are for the origin of the URL: one with a domain is sent there."""

    def to_other(head: bytes) -> bytes:
        return redirect(b"http://localhost:%d/" % other.port)

    with serving(answer) as other, serving(to_other) as server:
        transport = weburl.ext.httpx.Transport(is_refused=allow)
        with httpx.Client(transport=transport, cookies={"everywhere": "secret"}) as client:
            client.cookies.set("own", "2", "localhost.local")
            weburl.ext.httpx.fetch(client, server.origin)
        with requests.Session() as session:
            weburl.ext.requests.mount(session, is_refused=allow)
            session.cookies.update({"everywhere": "secret"})
            session.cookies.set("own", "2", domain="localhost.local")
            weburl.ext.requests.fetch(session, server.origin)
        assert [b"everywhere=secret" in head for head in server.heads] == [True, True]
        assert [b"secret" in head for head in other.heads] == [False, False]
        assert [head.count(b"own=2") for head in other.heads] == [1, 1]

        async def run() -> None:
            connector = weburl.ext.aiohttp.Connector(is_refused=allow)
            async with aiohttp.ClientSession(connector=connector, cookies={"everywhere": "secret"}) as session:
                session.cookie_jar.update_cookies({"own": "2"}, yarl.URL("http://localhost/"))
                await weburl.ext.aiohttp.fetch(session, server.origin)

        asyncio.run(run())
        assert [b"everywhere=secret" in head for head in (server.heads[2], other.heads[2])] == [True, False]
        assert b"own=2" in other.heads[2]


@pytest.mark.parametrize("how", ["httpx", "httpx-async", "requests"])
def test_names_that_are_looked_up_slowly(how: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The client's own limit of time for a connection."""
    ended = threading.Event()
    monkeypatch.setattr(socket, "getaddrinfo", lambda *arguments, **options: ended.wait(2) and [])

    async def run() -> None:
        async with httpx.AsyncClient(transport=weburl.ext.httpx.AsyncTransport()) as client:
            with pytest.raises(httpx.ConnectTimeout):
                await client.get("http://slow.example.com/", timeout=0.2)
        ended.set()

    if how == "httpx-async":
        asyncio.run(run())
    elif how == "httpx":
        with (
            httpx.Client(transport=weburl.ext.httpx.Transport()) as client,
            pytest.raises(httpx.ConnectTimeout, match="looking up the name"),
        ):
            client.get("http://slow.example.com/", timeout=0.2)
    else:
        with requests.Session() as session:
            weburl.ext.requests.mount(session)
            with pytest.raises(requests.ConnectTimeout, match="looking up the name"):
                session.get("http://slow.example.com/", timeout=0.2)
    ended.set()


def test_a_retry_sends_the_same_target() -> None:
    """urllib3 tries again when a connection that it kept has ended."""

    def once(head: bytes) -> Any:
        if len(server.heads) < 3:
            return response() if len(server.heads) == 1 else iter(())
        return response()

    with serving(once) as server, requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        session.mount("http://", weburl.ext.requests.Adapter(is_refused=allow, max_retries=3))
        for path in ("/a|b?", "/c|d?"):
            assert weburl.ext.requests.fetch(session, f"{server.origin}{path}").body == b"ok"
        assert server.targets() == [b"/a|b?", b"/c|d?", b"/c|d?"]


def test_what_was_fetched() -> None:
    headers = b"X-A: \xe9 \r\nX-A: 2\r\nSet-Cookie: a\r\n"
    with serving(lambda head: response(headers=headers)) as server, requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        page = weburl.ext.requests.fetch(session, f"http://u:secret@127.0.0.1:{server.port}/#top")
    assert (page.header("x-A"), page.header("nothing")) == ("é", None)
    assert page.url.hash == "#top"
    assert "secret" not in repr(page)
    again = pickle.loads(pickle.dumps(page))
    assert (again, type(again).__module__) == (page, "weburl.ext.http")
    assert page.headers[:2] == ((b"X-A", b"\xe9"), (b"X-A", b"2"))


def test_a_body_of_empty_members() -> None:
    """What is received is limited, too, as gzip can be made of nothing."""
    body = Body(((b"Content-Encoding", b"gzip"),), 1000, URL("http://a/"))
    received = 0
    while not body.add(gzip.compress(b"") * 1000):
        received += 20_000
        assert received < 1_000_000
    assert (body.data(), body.truncated) == (b"", True)
    text = gzip.compress(b"x" * 1000)
    body = Body(((b"Content-Encoding", b"gzip"),), 1000, URL("http://a/"))
    assert not any(body.add(text[i : i + 1]) for i in range(len(text)))
    assert (body.data(), body.truncated) == (b"x" * 1000, False)
