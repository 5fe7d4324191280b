"""Each client sends a URL byte for byte: a server logs the request lines."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable
from typing import Any

import aiohttp
import httpx
import pytest
import requests
from clients import CLIENTS, Fetcher, allow
from support.raw_server import RawServer, redirect, response, serving
from test_redirects import LOCATIONS

import weburl.ext.aiohttp
import weburl.ext.httpx
import weburl.ext.requests
from weburl import URL, InvalidURL
from weburl.crawl import redirect_target
from weburl.ext._http.fetching import target_of

PRINTABLE = [chr(code) for code in range(0x20, 0x7F)]
REFERENCES = [
    *(f"/path/a{character}b" for character in PRINTABLE),
    *(f"/query?a{character}b" for character in PRINTABLE),
    *(f"/start{character}" for character in PRINTABLE),
    *(f"/{character}/segment" for character in PRINTABLE),
    *(f"/escaped/%{code:02x}?%{code:02X}" for code in range(256)),
    "/", "?", "/?", "/a?", "/a??", "/a?&", "/a?=", "/a?a", "/a?a=", "/a?a&b&", "/a?a=b=c", "/a?a=1&a=1", "/a?a;b",
    "/a?+",
    "/a?a=%20+%2B", "/a?%", "/a?%%", "/a?%2", "/a?%zz", "/%", "/%%", "/%2", "/%zz", "/%25%2525", "/%7Euser", "/~user",
    "/%7euser/%41%5a", "/a%2fb", "/a%2Fb", "/a%5cb", "/%00", "/a%0d%0aX: y", "/a;b=c;d", "/;", "//", "//x", "///x//y//",
    "/a//b", "/.", "/..", "/./", "/%2e/", "/a/%2e%2e/b", "/...", "/.a", "/a.", "/a/b/../c", "/a\\b", "/a\tb\nc",
    "/straße/日本語?q=日本語", "/café?café", "/\U0001f600?\U0001f600", "/\u202e?\u202e", "/\ufeff", "/e\u0301", "/é",
    "/caf%E9?caf%E9", "/%c3%a9?%C3%a9", "/%ff%fe", "/a?q=\"<>'`{}|\\^[]", "/a\"<>'`{}|\\^[]", "/[a]", "/a?b[]=1&b[]=2",
    "/a?b%5B%5D=1", "/{id}", "/a|b?c|d", "/a^b?c^d", "/a`b?c`d", "/a'b?c'd", "/a!$&'()*+,;=:@b", "/a?!$&'()*+,;=:@/?b",
    "/:80", "/@", "/a:b@c", "/http://x/y?z", "/a?http://x/y?z#f", "/a#f", "/a?#f", "?x#f?y", "/a?x#", "/a?b?c", "/*",
    "/a?*",
    "/a%20b?c%20d", "/ a ?b ", "/-._~?-._~", "/%2D%2E%5F%7E?%2D%2E%5F%7E", "/A/b?C=d", "/aaaa%", "/%e", "/%E", "/?%E9%",
    "/a?q=%u0041", "/a?x=%26%3D%23%2B", "/a/%3F/%23", "/a?%3F#", "/\x7f?\x7f", "/\x80?\x80", "/" + "a" * 3000,
    "/?" + "%zz|" * 1000, "/" + "x/" * 1000,
]  # fmt: skip


def exact(server: RawServer) -> list[str]:
    """The URLs to send, once for each request line."""
    urls = [URL(f"{server.origin}{text}") for text in REFERENCES]
    return list({target_of(url): url.href for url in urls}.values())


@pytest.mark.parametrize("client", CLIENTS)
def test_href_is_sent_byte_for_byte(client: str) -> None:
    with serving(lambda head: response()) as server:
        hrefs = exact(server)
        assert len(hrefs) > 450
        pages = CLIENTS[client](hrefs)
        assert server.targets() == [target_of(URL(href)).encode() for href in hrefs]
        assert set(server.hosts()) == {f"127.0.0.1:{server.port}".encode()}
        assert [page.url.href for page in pages] == hrefs
        assert {(page.status, page.body) for page in pages} == {(200, b"ok")}
        # Connections are kept.
        assert server.connections == 1


def test_what_clients_change_by_themselves() -> None:
    """Why the adapters are needed. httpx changes none of these, but hosts and redirects."""
    with serving(lambda head: response()) as server:
        hrefs = exact(server)
        expected = [target_of(URL(href)).encode() for href in hrefs]

        async def get_all() -> None:
            async with aiohttp.ClientSession() as session:
                for href in hrefs:
                    async with session.get(href) as answer:
                        await answer.read()

        asyncio.run(get_all())
        by_aiohttp = server.targets()
        server.heads.clear()
        with requests.Session() as session:
            for href in hrefs:
                session.get(href)
        for targets in (by_aiohttp, server.targets()):
            assert sum(sent != wanted for sent, wanted in zip(targets, expected, strict=True)) > 50


def build_httpx(hrefs: list[str]) -> None:
    with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow), params={"not": "sent"}) as client:
        for href in hrefs:
            client.send(weburl.ext.httpx.build_request(client, "POST", href, content=b"x"))


def build_requests(hrefs: list[str]) -> None:
    with requests.Session() as session:
        weburl.ext.requests.mount(session, is_refused=allow)
        for href in hrefs:
            session.send(weburl.ext.requests.prepare(session, "POST", href, data=b"x"))


def build_aiohttp(hrefs: list[str]) -> None:
    async def run() -> None:
        async with aiohttp.ClientSession(connector=weburl.ext.aiohttp.Connector(is_refused=allow)) as session:
            for href in hrefs:
                async with session.post(weburl.ext.aiohttp.yarl_url(href), data=b"x") as answer:
                    await answer.read()

    asyncio.run(run())


@pytest.mark.parametrize("build", [build_httpx, build_requests, build_aiohttp])
def test_requests_that_are_built(build: Callable[[list[str]], None]) -> None:
    """Not only those of fetch()."""

    def answer(head: bytes) -> bytes:
        assert head.startswith(b"POST ")
        return response()

    with serving(answer) as server:
        hrefs = exact(server)[::7]

        def answer_with_body(head: bytes) -> Any:
            # The body of one byte is not for the next head.
            yield response(headers=b"Connection: close\r\n")

        server.answer = answer_with_body
        build(hrefs)
        assert server.targets() == [target_of(URL(href)).encode() for href in hrefs]


def test_parameters_would_change_the_url() -> None:
    with httpx.Client() as client, pytest.raises(TypeError, match=r"with_params\(\)"):
        weburl.ext.httpx.build_request(client, "GET", "http://h/", params={"a": "b"})
    with requests.Session() as session, pytest.raises(TypeError, match=r"with_params\(\)"):
        weburl.ext.requests.prepare(session, "GET", "http://h/", params={"a": "b"})


HOSTS = """
    example.test UPPER.test a_b.test -a-.test xn--bcher-kva.test bücher.test faß.test 日本語.test i❤.test xn--i-7iq.test
    trailing.test. a.b.c.d.test 1.2.3.test xn--.test a--b.test a~b.test a!b.test a$b.test a&b.test a'b.test (a).test
    a*b.test *.test a+b.test a,b.test a;b.test a=b.test {a}.test a`b.test a"b.test _.test 0x7f.1 127.1 2130706433
    １２７.0.0.1
""".split()
# What the clients refuse, or write in another way: listed on the client's page in docs/engines.
NOT_SENT: dict[str, set[str]] = {
    "httpx": set(),
    "httpx-async": set(),
    "aiohttp": set(),
    "requests": {"*.test"},
}
LONG = "a" * 63 + ".test"


@pytest.mark.parametrize("client", CLIENTS)
def test_hosts(client: str, monkeypatch: pytest.MonkeyPatch) -> None:
    looked_up = resolve_all_to_loopback(monkeypatch)
    refused = set()
    with serving(lambda head: response()) as server:
        for host in (*HOSTS, LONG):
            url = URL(f"http://{host}:{server.port}/x?")
            server.heads.clear()
            looked_up.clear()
            try:
                CLIENTS[client]([url])
            except Exception:
                refused.add(host)
                continue
            if server.hosts() != [url.host.encode()] or not set(looked_up) <= {url.hostname.encode(), "127.0.0.1"}:
                refused.add(host)
            assert server.targets() == [b"/x?"]
    assert refused == NOT_SENT[client]


def resolve_all_to_loopback(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Every name has the address of loopback; returns what is asked for."""
    looked_up: list[Any] = []

    def getaddrinfo(host: Any, port: Any, *arguments: Any, **options: Any) -> list[Any]:
        looked_up.append(host)
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("127.0.0.1", int(port or 0)))]

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    return looked_up


@pytest.mark.parametrize("client", CLIENTS)
def test_redirects_are_those_of_browsers(client: str) -> None:
    """Those that stay on the server."""
    places: dict[bytes, bytes] = {}

    def answer(head: bytes) -> bytes:
        number = head.split(b" ")[1].partition(b"/dir/r?")[2]
        return redirect(places[number]) if number in places else response()

    with serving(answer) as server:
        expected, starts = [], []
        for location, _ in LOCATIONS:
            start = f"{server.origin}/dir/r?{len(places)}#top"
            try:
                target = redirect_target(location, start)
            except InvalidURL:
                continue
            if target.origin == server.origin and location.strip(b" #"):
                places[b"%d" % len(places)] = location
                starts.append(start)
                expected.append(target)
        assert len(expected) > 15
        pages = CLIENTS[client](starts)
        assert [page.url.href for page in pages] == [target.href for target in expected]
        assert server.targets()[1::2] == [target_of(target).encode() for target in expected]
        assert [page.redirected_from[0].href for page in pages] == starts


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_clients_that_follow_by_themselves(status: int) -> None:
    """httpx and requests, without fetch(): with the bytes that the server wrote."""

    def answer(head: bytes) -> bytes:
        return redirect(b"/caf\xe9?\xc3\xa9\xff", status) if b"/start" in head else response()

    with serving(answer) as server:
        with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow), follow_redirects=True) as client:
            assert client.get(f"{server.origin}/start").content == b"ok"
        with requests.Session() as session:
            weburl.ext.requests.mount(session, is_refused=allow)
            assert session.get(f"{server.origin}/start").content == b"ok"
        assert server.targets()[1::2] == [b"/caf%E9?%C3%A9%FF"] * 2


def test_httpx_redirects_to_the_exact_url() -> None:
    places = [b"/a|b?", b"/b'{?'|", b"/%7e%41?%7e", b"/end"]

    def answer(head: bytes) -> bytes:
        return redirect(places[len(server.heads) - 1]) if len(server.heads) < 5 else response()

    with serving(answer) as server:
        with httpx.Client(transport=weburl.ext.httpx.Transport(is_refused=allow), follow_redirects=True) as client:
            client.get(f"{server.origin}/start")
        assert server.targets() == [b"/start", b"/a|b?", b"/b'%7B?%27|", b"/%7e%41?%7e", b"/end"]


@pytest.mark.parametrize("client", [CLIENTS[name] for name in CLIENTS], ids=CLIENTS)
def test_credentials_of_the_url(client: Fetcher) -> None:
    """They are not in the request line, but in the header that the client makes of them."""
    with serving(lambda head: response()) as server:
        client([f"http://user:p%40ss@127.0.0.1:{server.port}/x?"])
        assert server.targets() == [b"/x?"]
        assert b"Basic dXNlcjpwQHNz" in server.heads[0]
