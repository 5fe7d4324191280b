"""Where one origin ends: what is dropped by name, from http: to https:, and by what authenticates after an answer."""

from __future__ import annotations

import asyncio
import pickle
from collections.abc import Iterator
from typing import Any

import aiohttp
import httpcore
import httpx
import pytest
import requests
from clients import allow
from requests.adapters import HTTPAdapter
from requests.auth import HTTPDigestAuth
from support.raw_server import response, serving
from support.redirect_routes import (
    ABOUT_A_BODY,
    FOR_ONE_ORIGIN,
    HARMLESS,
    ROUTES,
    BodyServer,
    Route,
    fields,
    two_servers,
)

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import URL
from weburl.ext._http.redirecting import Redirected, is_dropped


@pytest.fixture(scope="module")
def servers() -> Iterator[dict[str, BodyServer]]:
    with two_servers() as servers:
        yield servers


def test_names() -> None:
    for name in (*FOR_ONE_ORIGIN, "Host", "Cookie", "cOOKIE", "HOST"):
        assert is_dropped(name, left_origin=True), name
        assert not is_dropped(name, left_origin=False), name
    for name in (*ABOUT_A_BODY, "Content-Length", "Transfer-Encoding", "Trailer", "Expect"):
        assert is_dropped(name, left_origin=False, left_body=True), name
        # A body that is sent on needs them.
        assert not is_dropped(name, left_origin=True), name
    for name in (
        *HARMLESS,
        "Accept-Encoding",
        "Cache-Control",
        "Via",
        "Forwarded",
        "Priority",
        "Baggage",
        "X-Forwarded-For",
    ):
        assert not is_dropped(name, left_origin=True, left_body=True), name


# By https://fetch.spec.whatwg.org/#concept-request-origin and https://html.spec.whatwg.org/multipage/browsers.html#same-origin
@pytest.mark.parametrize(
    ("before", "after", "left"),
    [
        ("http://h/", "http://h/x", False),
        ("http://h/", "http://h:80/", False),
        ("https://h:443/", "https://H/", False),
        ("http://u:p@h/", "http://h/", False),
        ("http://127.0.0.1/", "http://0x7f.1/", False),
        ("http://bücher.test/", "http://xn--bcher-kva.test/", False),
        ("http://h/", "https://h/", True),
        ("https://h/", "http://h/", True),
        ("http://h/", "http://h:8080/", True),
        ("http://h:443/", "https://h/", True),
        ("http://h/", "http://h./", True),
        ("http://example.com/", "http://www.example.com/", True),
        ("http://www.example.com/", "http://example.com/", True),
        ("http://127.0.0.1/", "http://localhost/", True),
    ],
)
def test_origins(before: str, after: str, left: bool) -> None:
    assert Redirected(URL(before), "GET").leads_away(URL(after)) == left
    # A way back changes nothing.
    assert Redirected(URL(before), "GET", left_origin=True).leads_away(URL(after))


SECRETS = {"Authorization": "secret", "X-Api-Key": "secret", "Cookie": "a=secret", "Referer": "http://h/secret"}


def upgrade(request_url: str) -> list[tuple[bytes, bytes]]:
    return [(b"Location", b"https://example.com/")] if request_url == "http://example.com/" else []


class NoBody:
    def __iter__(self) -> Iterator[bytes]:
        return iter(())

    def close(self) -> None:
        pass


def test_from_http_to_https_with_httpx(monkeypatch: pytest.MonkeyPatch) -> None:
    """httpx would keep `Authorization`. In Fetch, the scheme is a part of the origin."""
    sent = []

    def handle(request: httpcore.Request) -> httpcore.Response:
        sent.append(request)
        headers = upgrade("http://example.com/" if request.url.scheme == b"http" else "")
        return httpcore.Response(301 if headers else 200, headers=headers, content=NoBody())

    transport = weburl.ext.httpx.Transport()
    monkeypatch.setattr(transport.pool, "handle_request", handle)
    with httpx.Client(transport=transport, follow_redirects=True, auth=("user", "secret")) as client:
        client.get("http://example.com/", headers=SECRETS)
        weburl.ext.httpx.fetch(client, "http://example.com/", headers=SECRETS)
    values = [b" ".join(value for _, value in request.headers) for request in sent]
    assert [b"secret" in value for value in values] == [True, False, True, False]
    assert [request.url.scheme for request in sent] == [b"http", b"https"] * 2


def test_from_http_to_https_with_requests(monkeypatch: pytest.MonkeyPatch) -> None:
    """requests would keep `Authorization`."""
    sent = []

    def send(self: Any, request: Any, *rest: Any, **options: Any) -> requests.Response:
        sent.append((request.url, dict(request.headers)))
        answer = requests.Response()
        answer.request, answer.url = request, request.url
        headers = upgrade(request.url)
        answer.status_code = 301 if headers else 200
        answer.headers.update({name.decode(): value.decode() for name, value in headers})
        answer._content = b""
        answer.raw = requests.packages.urllib3.HTTPResponse(b"")
        return answer

    monkeypatch.setattr(HTTPAdapter, "send", send)
    with requests.Session() as session:
        weburl.ext.requests.mount(session)
        session.get("http://example.com/", headers=SECRETS, auth=("user", "secret"))
    assert [url for url, _ in sent] == ["http://example.com/", "https://example.com/"]
    assert ["Authorization" in headers for _, headers in sent] == [True, False]
    assert ["secret" in str(headers) for _, headers in sent] == [True, False]


CHALLENGE = b'WWW-Authenticate: Digest realm="x", qop="auth", algorithm=MD5, nonce="abc"\r\n'


@pytest.mark.parametrize("library", ["requests", "httpx", "aiohttp"])
def test_a_challenge_of_another_origin(library: str) -> None:
    """With the answer to it, a server could guess the password; requests would send that."""

    def other_answer(head: bytes) -> bytes:
        return response("401 Unauthorized", CHALLENGE)

    def answer(head: bytes) -> bytes:
        if b"Authorization" in head:
            return response("302 Found", b"Location: http://localhost:%d/\r\n" % other.port)
        return response("401 Unauthorized", CHALLENGE)

    async def by_aiohttp() -> None:
        connector = weburl.ext.aiohttp.Connector(is_refused=allow)
        digest = aiohttp.DigestAuthMiddleware("user", "secret")
        async with aiohttp.ClientSession(connector=connector, middlewares=(digest,)) as session:
            await (await session.get(server.origin)).read()

    with serving(other_answer) as other, serving(answer) as server:
        if library == "requests":
            with requests.Session() as session:
                weburl.ext.requests.mount(session, is_refused=allow)
                session.get(server.origin, auth=HTTPDigestAuth("user", "secret"))
        elif library == "httpx":
            transport = weburl.ext.httpx.Transport(is_refused=allow)
            with httpx.Client(transport=transport, follow_redirects=True) as client:
                client.get(server.origin, auth=httpx.DigestAuth("user", "secret"))
        else:
            asyncio.run(by_aiohttp())
        assert any(b"Authorization: Digest" in head for head in server.heads)
        assert other.heads
        assert not any(b"authorization" in fields(head) for head in other.heads)


def test_a_certificate_of_requests(monkeypatch: pytest.MonkeyPatch, servers: dict[str, BodyServer]) -> None:
    """It is for the first origin, also where requests follows redirects."""
    given = []
    send = HTTPAdapter.send

    def noted(self: Any, request: Any, stream: Any, timeout: Any, verify: Any, cert: Any, proxies: Any) -> Any:
        given.append(cert)
        return send(self, request, stream, timeout, verify, None, proxies)

    monkeypatch.setattr(HTTPAdapter, "send", noted)
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        for place, expected in (("same", ["client.pem"] * 3), ("there and back", ["client.pem", None, None, None])):
            session.get(Route(servers, ROUTES[place], 302).start, cert="client.pem")
            assert given == expected
            given.clear()


def test_responses_of_requests_are_pickled(servers: dict[str, BodyServer]) -> None:
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        found = session.get(Route(servers, ROUTES["there and back"], 302).start, headers=SECRETS)
    copied = pickle.loads(pickle.dumps(found))
    assert len(copied.history) == 3
    assert [answer.request.headers for answer in (copied, *copied.history)] == [
        answer.request.headers for answer in (found, *found.history)
    ]
    # What the caller has sent is what it was.
    assert copied.history[0].request.headers["X-Api-Key"] == "secret"


def test_the_next_request_of_requests(servers: dict[str, BodyServer]) -> None:
    """`allow_redirects=False` leaves it to the caller to send that."""
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        route = Route(servers, ROUTES["port"], 302)
        request = weburl.ext.requests.prepare(session, "GET", route.start, headers=SECRETS)
        answer = session.send(request, allow_redirects=False)
        while answer.next is not None:
            answer = session.send(answer.next, allow_redirects=False)
        assert [b"secret" in station.values() for station in route.stations()] == [True, False, False]


def test_calls_within_calls_of_aiohttp(servers: dict[str, BodyServer]) -> None:
    """A middleware that asks for something else, at each station: each call has redirects of its own."""

    session: Any = None

    async def ask(request: Any, handler: Any) -> Any:
        for _ in range(3):
            async with session.get(inner.origin, headers=SECRETS, middlewares=()) as answer:
                await answer.read()
        return await handler(request)

    async def run(route: Route) -> None:
        nonlocal session
        connector = weburl.ext.aiohttp.Connector(is_refused=allow)
        async with aiohttp.ClientSession(connector=connector, middlewares=(ask,)) as session:
            async with session.get(route.start, headers=SECRETS) as answer:
                await answer.read()
            # They are gone, and another call begins anew.
            async with session.get(inner.origin, headers=SECRETS) as answer:
                await answer.read()

    with serving(lambda head: response()) as inner:
        route = Route(servers, ROUTES["there and back"], 302)
        asyncio.run(run(route))
        assert [b"secret" in station.values() for station in route.stations()] == [True, False, False, False]
        assert all(b"X-Api-Key: secret" in head for head in inner.heads)
        assert len(inner.heads) == 16


def test_many_calls_of_aiohttp_at_once(servers: dict[str, BodyServer]) -> None:
    async def run() -> None:
        connector = weburl.ext.aiohttp.Connector(is_refused=allow)
        async with aiohttp.ClientSession(connector=connector) as session:

            async def get() -> None:
                async with session.get(server.origin, headers=SECRETS) as answer:
                    await answer.read()

            await asyncio.gather(*(get() for _ in range(200)))

    def to_other(head: bytes) -> bytes:
        return response("302 Found", b"Location: %s\r\n" % other.origin.encode())

    with serving(lambda head: response()) as other, serving(to_other) as server:
        asyncio.run(run())
        assert [b"X-Api-Key: secret" in head for head in server.heads] == [True] * 200
        assert [b"secret" in head for head in other.heads] == [False] * 200
