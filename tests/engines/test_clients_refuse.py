"""What the clients of weburl.ext do not connect to, do not follow and do not read."""

from __future__ import annotations

import gzip
import socket
import ssl
import subprocess
import threading
import time
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import aiohttp
import httpx
import pytest
import requests
from clients import CLIENTS, Fetcher, Host
from support.raw_server import Answer, RawServer, redirect, response, serving

from weburl.ext.http import NotFetched
from weburl.hosts import is_private_host

pytestmark = pytest.mark.parametrize("client", CLIENTS.values(), ids=CLIENTS)


def internal(host: Host) -> bool:
    """As is_private_host, but for loopback, where the tests' servers are."""
    return str(host) != "127.0.0.1" and is_private_host(host)


class Names:
    """A resolver of which the tests say what it answers: all at once, or one list after the other."""

    def __init__(self) -> None:
        self.addresses: dict[str, list[list[str]]] = {}
        self.looked_up: list[str] = []

    def getaddrinfo(self, host: Any, port: Any, *arguments: Any, **options: Any) -> list[Any]:
        name = host.decode() if isinstance(host, bytes) else host
        if name[0].isdigit() or ":" in name:
            found = [name]
        else:
            self.looked_up.append(name)
            answers = self.addresses.get(name, [[]])
            found = answers.pop(0) if len(answers) > 1 else answers[0]
        if not found:
            raise socket.gaierror(socket.EAI_NONAME, "no such name")
        port = int(port or 0)
        return [
            (socket.AF_INET6, socket.SOCK_STREAM, 6, "", (address, port, 0, 0))
            if ":" in address
            else (socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))
            for address in found
        ]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    names = Names()
    monkeypatch.setattr(socket, "getaddrinfo", names.getaddrinfo)
    return names


PRIVATE = """
    http://127.0.0.1/ http://0x7f.1/ http://2130706433/ http://127。0。0。1/ http://[::1]/ http://[::ffff:127.0.0.1]/
    http://10.0.0.7/ http://169.254.169.254/latest/meta-data/ http://[fe80::1]/ http://[fd00::1]/ http://0.0.0.0/ http://[::]/
    http://localhost/ http://LOCALHOST./ http://db.internal/ http://intranet/ http://x.onion/ http://a.invalid/
    http://100.64.0.1/ http://[64:ff9b::a00:7]/ http://224.0.0.1/ http://255.255.255.255/
""".split()


@pytest.mark.parametrize("url", PRIVATE)
def test_private_hosts(client: Fetcher, url: str, names: Names) -> None:
    with pytest.raises(NotFetched, match=r"^not fetched: '.*' is private$"):
        client([url], is_private_host)
    # The text is enough.
    assert names.looked_up == []


@pytest.mark.parametrize(
    "found",
    [
        ["10.0.0.7"], ["127.0.0.1"], ["::1"], ["fe80::1%eth0"], ["::ffff:10.0.0.7"], ["93.184.215.14", "10.0.0.7"],
        ["2606:2800:21f::1", "192.168.0.1"], ["0.0.0.0"], ["::"],
    ],
)  # fmt: skip
def test_private_addresses_of_public_names(client: Fetcher, found: list[str], names: Names) -> None:
    """One of several is enough."""
    names.addresses["public.example.com"] = [found]
    with pytest.raises(NotFetched, match=r"'public\.example\.com' has the private address"):
        client(["http://public.example.com/"], is_private_host)


def test_the_address_that_was_checked_is_connected_to(client: Fetcher, names: Names) -> None:
    """A name with an address that may be, and another one when it is looked up again."""
    names.addresses["rebound.example.com"] = [["127.0.0.1"], ["10.0.0.7"]]
    with serving(lambda head: response(headers=b"Connection: close\r\n")) as server:
        url = f"http://rebound.example.com:{server.port}/"
        (page,) = client([url], internal)
        assert page.body == b"ok"
        assert names.looked_up == ["rebound.example.com"]
        assert server.hosts() == [f"rebound.example.com:{server.port}".encode()]
        with pytest.raises(NotFetched):
            client([url], internal)
        assert len(server.heads) == 1


def test_the_next_address_is_tried(client: Fetcher, names: Names) -> None:
    with socket.create_server(("127.0.0.2", 0)) as closed:
        port = closed.getsockname()[1]
    del closed
    with serving(lambda head: response()) as server:
        # Nobody listens at the first.
        names.addresses["two.example.com"] = [["127.0.0.3", "127.0.0.1"]]
        (page,) = client([f"http://two.example.com:{server.port}/"])
        assert page.body == b"ok"
    names.addresses["none.example.com"] = [["127.0.0.3", "127.0.0.2"]]
    with pytest.raises((httpx.ConnectError, requests.ConnectionError, aiohttp.ClientConnectorError)):
        client([f"http://none.example.com:{port}/"])
    with pytest.raises((httpx.ConnectError, requests.ConnectionError, aiohttp.ClientConnectorError)):
        client(["http://unknown.example.com/"])


TARGETS = [
    (b"http://10.0.0.7/", NotFetched, "'10.0.0.7' is private"),
    (b"http://0xA.7/", NotFetched, "'10.0.0.7' is private"),
    (b"//[::ffff:10.0.0.7]/", NotFetched, "is private"),
    (b"http://\xef\xbc\x91\xef\xbc\x90.0.0.7/", NotFetched, "'10.0.0.7' is private"),
    (b"http://good.example\\@10.0.0.7/", NotFetched, "no such|good.example"),
    (b"http://u:p@10.0.0.7/", NotFetched, "'10.0.0.7' is private"),
    (b"http://localhost/", NotFetched, "'localhost' is private"),
    (b"http://inside.example.com/", NotFetched, "'inside.example.com' has the private address 10.0.0.7"),
    (b"file:///etc/passwd", NotFetched, "file: is not a scheme for the web"),
    (b"ftp://ftp.example.com/", NotFetched, "ftp: is not a scheme for the web"),
    (b"data:,x", NotFetched, "data: is not a scheme for the web"),
    (b"gopher://h:70/_x", NotFetched, "gopher: is not a scheme for the web"),
    (b"javascript:alert(1)", NotFetched, "javascript: is not a scheme for the web"),
    (b"http://example.com:25/", NotFetched, "port 25 is one that browsers block"),
    (b"http://example.com:22/", NotFetched, "port 22 is one that browsers block"),
    (b"http://caf\xe9.example/", NotFetched, "domain-to-ASCII"),
    (b"http://h:99999/", NotFetched, "port-out-of-range"),
    (b"", NotFetched, "a redirect to nowhere"),
    (b" \t", NotFetched, "a redirect to nowhere"),
    (b"/a\r\nLocation: /b", NotFetched, "a redirect to several places"),
]


@pytest.mark.parametrize(("location", "exception", "message"), TARGETS)
def test_redirects(client: Fetcher, location: bytes, exception: type[Exception], message: str, names: Names) -> None:
    names.addresses["inside.example.com"] = [["10.0.0.7"]]
    names.addresses["good.example"] = [["10.0.0.8"]]
    with serving(lambda head: redirect(location)) as server:
        with pytest.raises(exception, match=message):
            client([f"{server.origin}/start"], internal)
        assert len(server.heads) == 1


def test_the_same_location_twice_is_one(client: Fetcher) -> None:
    def answer(head: bytes) -> bytes:
        return redirect(b"/b\r\nlocation:  /b ") if b"/start" in head else response()

    with serving(answer) as server:
        assert client([f"{server.origin}/start"])[0].body == b"ok"


def test_what_is_not_a_redirect(client: Fetcher) -> None:
    with serving(lambda head: response("300 Choices", b"Location: /x\r\n")) as server:
        (page,) = client([server.origin])
        assert (page.status, page.header("location"), page.body) == (300, "/x", b"ok")
    with serving(lambda head: response("302 Found")) as server:
        assert client([server.origin])[0].status == 302
        assert len(server.heads) == 1


def test_the_limit_of_redirects(client: Fetcher) -> None:
    with serving(lambda head: redirect(b"x" + head.split(b" ")[1][1:50])) as server:
        with pytest.raises(NotFetched, match="more than 20 redirects"):
            client([server.origin])
        assert len(server.heads) == 21
        server.heads.clear()
        with pytest.raises(NotFetched, match="more than 0 redirects") as caught:
            client([f"{server.origin}/start?token=q8Zx"], redirect_limit=0)
        assert str(caught.value).endswith(f"({server.origin}/start?token=REDACTED)")
        assert len(server.heads) == 1


def test_bodies_of_redirects_are_not_read(client: Fetcher) -> None:
    def answer(head: bytes) -> bytes | Iterator[bytes]:
        return endless(b"HTTP/1.1 302 Found\r\nLocation: /end\r\n\r\n") if b"/start" in head else response()

    with serving(answer) as server:
        # Whoever reads a body without an end is out of time.
        assert client([f"{server.origin}/start"], time_limit=20)[0].body == b"ok"


def endless(head: bytes, piece: bytes = b"x" * 100_000) -> Iterator[bytes]:
    yield head
    while True:
        yield piece


def test_ports_and_schemes(client: Fetcher) -> None:
    for url in (
        "http://example.com:22/",
        "https://example.com:6667/",
        "http://93.184.215.14:1/",
        "http://h.example:0/",
    ):
        with pytest.raises(NotFetched, match="is one that browsers block"):
            client([url])
    for url in ("ftp://h/", "file:///etc/passwd", "mailto:x", "ws://h/", "foo://h/", "blob:http://h/x"):
        with pytest.raises(NotFetched, match="is not a scheme for the web"):
            client([url])
    with pytest.raises(NotFetched, match="not fetched: domain-to-ASCII in"):
        client(["http://a b/"])


def test_the_limit_of_bodies(client: Fetcher) -> None:
    with serving(lambda head: response(body=b"x" * 1000)) as server:
        for limit, size, truncated in ((999, 999, True), (1000, 1000, False), (1001, 1000, False), (0, 0, True)):
            (page,) = client([server.origin], size_limit=limit)
            assert (len(page.body), page.truncated) == (size, truncated)
    with serving(lambda head: endless(b"HTTP/1.1 200 OK\r\n\r\n")) as server:
        (page,) = client([server.origin], size_limit=12345, time_limit=20)
        assert (page.body, page.truncated) == (b"x" * 12345, True)
    with serving(lambda head: endless(b"HTTP/1.1 200 OK\r\nContent-Length: 999999999999\r\n\r\n")) as server:
        assert client([server.origin], size_limit=5, time_limit=20)[0].body == b"xxxxx"


def always(answer: bytes) -> Answer:
    return lambda head: answer


def test_decoded_bodies(client: Fetcher) -> None:
    members = gzip.compress(b"one ") + gzip.compress(b"two")
    for body, expected in ((gzip.compress(b"text"), b"text"), (members, b"one two"), (members + b"\0\0", b"one two")):
        with serving(always(response(headers=b"Content-Encoding: GZip\r\n", body=body))) as server:
            (page,) = client([server.origin])
            assert (page.body, page.truncated) == (expected, False)
            assert b"accept-encoding: gzip" in server.heads[0].lower()


def test_gzip_that_does_not_end(client: Fetcher) -> None:
    whole = gzip.compress(b"text" * 1000)
    for body in (whole[:20], whole[:-8], whole + whole[:5]):
        with serving(always(response(headers=b"Content-Encoding: gzip\r\n", body=body))) as server:
            (page,) = client([server.origin])
            assert page.truncated
            assert (b"text" * 1000).startswith(page.body)
    with serving(always(response(headers=b"Content-Encoding: gzip\r\n", body=b""))) as server:
        (page,) = client([server.origin])
        assert (page.body, page.truncated) == (b"", False)


def test_a_small_body_of_a_large_text(client: Fetcher) -> None:
    """A gibibyte of zeros, in a megabyte of which only the beginning is decoded."""
    press = zlib.compressobj(1, zlib.DEFLATED, 31)
    # After a full flush, each mebibyte is the same bytes.
    start, middle = (press.compress(bytes(1 << 20)) + press.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    bomb = start + middle * ((1 << 10) - 1)
    with serving(always(response(headers=b"Content-Encoding: x-gzip\r\n", body=bomb))) as server:
        (page,) = client([server.origin], size_limit=1 << 20)
        assert (page.body == bytes(1 << 20), page.truncated) == (True, True)


@pytest.mark.parametrize(
    ("coding", "message"),
    [
        (b"br", "a body in 'br'"),
        (b"gzip, gzip", "a body in 'gzip, gzip'"),
        (b"gzip\r\nContent-Encoding: gzip", "a body in 'gzip, gzip'"),
        (b"deflate", "a body in"),
        (b"gzip", "is not gzip"),
    ],
)
def test_codings_that_were_not_asked_for(client: Fetcher, coding: bytes, message: str) -> None:
    with (
        serving(lambda head: response(headers=b"Content-Encoding: %s\r\n" % coding, body=b"text")) as server,
        pytest.raises(NotFetched, match=message),
    ):
        client([server.origin])


def drip(data: bytes) -> Iterator[bytes]:
    for index in range(len(data)):
        yield data[index : index + 1]
        time.sleep(0.05)


def silent() -> Iterator[bytes]:
    time.sleep(60)
    yield b"x"


SLOW: dict[str, Answer] = {
    "nothing": lambda head: silent(),
    "headers": lambda head: drip(b"HTTP/1.1 200 OK\r\nX: " + b"x" * 1200),
    "body": lambda head: drip(response(body=b"x" * 1200)),
    "chunks": lambda head: drip(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 200),
    "redirects": lambda head: drip(redirect(b"/")),
}


@pytest.mark.parametrize("what", SLOW)
def test_the_limit_of_time(client: Fetcher, what: str) -> None:
    """Of all together: each byte comes in time, and all of them take a minute."""
    with serving(SLOW[what]) as server:
        begin = time.monotonic()  # clock: limit of time
        with pytest.raises(TimeoutError):
            client([server.origin], time_limit=0.4)
        assert 0.35 < time.monotonic() - begin < 30


def test_the_limit_of_time_for_names(client: Fetcher, names: Names, monkeypatch: pytest.MonkeyPatch) -> None:
    ended, is_async = threading.Event(), client not in (CLIENTS["httpx"], CLIENTS["requests"])

    def getaddrinfo(*arguments: Any, **options: Any) -> list[Any]:
        # An event loop waits for it when it ends.
        ended.wait(2 if is_async else 60)
        return []

    monkeypatch.setattr(socket, "getaddrinfo", getaddrinfo)
    begin = time.monotonic()  # clock: limit of time
    with pytest.raises(TimeoutError):
        client(["http://slow.example.com/"], time_limit=0.3)
    took = time.monotonic() - begin
    ended.set()
    assert 0.25 < took < 30


CREDENTIALS = {"Authorization": "secret", "cookie": "a=secret", "Proxy-Authorization": "secret", "X-Other": "kept"}


def test_credentials_stay_at_their_origin(client: Fetcher, names: Names) -> None:
    names.addresses["a.example.com"] = names.addresses["b.example.com"] = [["127.0.0.1"]]

    def answer(head: bytes) -> bytes:
        port = server.port
        target = head.split(b" ")[1]
        places = {b"/1": b"/2", b"/2": b"http://b.example.com:%d/3" % port, b"/3": b"http://a.example.com:%d/4" % port}
        return redirect(places[target]) if target in places else response()

    with serving(answer) as server:
        client([f"http://a.example.com:{server.port}/1"], headers=CREDENTIALS)
        # As in Fetch, a way back does not bring them back.
        assert [head.count(b"secret") for head in server.heads] == [3, 3, 0, 0]
        assert all(b"kept" in head for head in server.heads)


def test_cookies_of_redirects(client: Fetcher, names: Names) -> None:
    """They are kept by the client: those of its own jar."""
    names.addresses["c.example.com"] = [["127.0.0.1"]]

    def answer(head: bytes) -> bytes:
        if b"GET /1" not in head:
            return response()
        return redirect(b"/2?x", headers=b"Set-Cookie: session=x; Path=/2\r\nSet-Cookie: other=y; Path=/3\r\n")

    with serving(answer) as server:
        client([f"http://c.example.com:{server.port}/1"])
        assert b"session=x" in server.heads[1]
        assert b"other" not in server.heads[1]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    folder = tmp_path_factory.mktemp("tls")
    paths = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [
            *"openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2".split(),
            *"-subj /CN=secure.example.com -addext subjectAltName=DNS:secure.example.com".split(),
            *("-out", str(paths[0]), "-keyout", str(paths[1])),
        ],
        check=True,
        capture_output=True,
    )
    return paths


def test_certificates_are_those_of_names(client: Fetcher, certificate: tuple[Path, Path], names: Names) -> None:
    """The connection goes to an address; the certificate is that of the name, which is also sent."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(*certificate)
    asked_for = []
    context.sni_callback = lambda sock, name, context: asked_for.append(name)
    names.addresses["secure.example.com"] = names.addresses["other.example.com"] = [["127.0.0.1"]]

    class TLSServer(RawServer):
        def talk(self, sock: socket.socket) -> None:
            try:
                secure = context.wrap_socket(sock, server_side=True)
            except OSError:
                return
            super().talk(secure)

    with serving(lambda head: response(), TLSServer) as server:
        authority = str(certificate[0])
        (page,) = client([f"https://secure.example.com:{server.port}/x?"], internal, authority)
        assert (page.body, server.targets()) == (b"ok", [b"/x?"])
        with pytest.raises((httpx.ConnectError, requests.exceptions.SSLError, aiohttp.ClientSSLError)):
            client([f"https://other.example.com:{server.port}/"], internal, authority)
        with pytest.raises((httpx.ConnectError, requests.exceptions.SSLError, aiohttp.ClientSSLError)):
            client([f"https://secure.example.com:{server.port}/"], internal)
        assert len(server.heads) == 1
        assert asked_for[:2] == ["secure.example.com", "other.example.com"]
