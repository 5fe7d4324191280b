"""The examples of the documentation: each is run here, or by the test that is named."""

from __future__ import annotations

import http.server
import random
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import option_page
import plain_pages
import pytest
from check_source import run_elsewhere
from source_tree import Tree
from support.pages import DOCS, PYTHON, blocks, run_examples

from weburl.cli.commands import COMMANDS
from weburl.cli.commands.completion import described

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(DOCS.rglob("*.md"))
# Pages whose examples need engines, and the tests that run them: `make test-engines`.
ENGINES = run_elsewhere(Tree(ROOT))


def name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("path", [path for path in PAGES if name(path) not in ENGINES], ids=name)
def test_examples(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Some write files.
    monkeypatch.chdir(tmp_path)
    page = path.read_text("utf-8")
    assert run_examples(path) == sum(block.language in PYTHON for block in blocks(page))


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x\n1\n\n```\n", "utf-8")
    assert run_examples(page) == 2
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x\n2\n\n```\n", "utf-8")
    with pytest.raises(AssertionError):
        run_examples(page)


def test_there_are_some() -> None:
    assert sum(page.read_text("utf-8").count("\n>>> ") for page in PAGES) > 300


def test_the_page_of_options_has_each_option() -> None:
    """`make lint` says whether it is current."""
    options = {name for name in ("convert", *COMMANDS) for name in described(name).names.split()}
    assert {"--csv-safe", "--with-keep", "--kinds", "--resolve-empty"} < options
    assert {name for name in options if f"{name} " not in option_page.page().replace(",", " ")} == {"-h", "--help"}


# The redirects of the page's test, and what is asked for after them: the bytes of the header, and an empty query.
ASKED = ("/to/here", "/x?q", "/to/bytes", "/caf%E9?", "/to/there")


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append((self.headers["Host"], self.path))  # type: ignore[attr-defined]
        target = {"/to/here": "/x?q", "/to/bytes": "/caf\xe9?", "/to/there": "http://elsewhere.example.net:8080/"}.get(
            self.path
        )
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", target)
        self.end_headers()
        self.wfile.write(b"body")

    def log_message(self, *arguments: object) -> None:
        pass


def test_the_page_on_fetching_connects_to_what_it_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that has a public address at first, and then a private one, is asked for its address once."""
    names: dict[str, Any] = {}
    run_examples(DOCS / "howto/fetching.md", names)
    looked_up = []

    def getaddrinfo(host: str, port: int, *arguments: object, **options: object) -> list[Any]:
        looked_up.append(host)
        address = "10.0.0.7" if host == "elsewhere.example.net" else "93.184.215.14"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        server.asked = []  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
        connected = []

        def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
            connected.append(address)
            sock = socket.socket()
            sock.connect(server.server_address)
            return sock

        monkeypatch.setattr(socket, "create_connection", create_connection)
        monkeypatch.setitem(names, "public_addresses", partial(names["public_addresses"], getaddrinfo=getaddrinfo))
        assert names["fetch"]("http://public.example.com:8080/to/here#top") == b"body"
        assert names["fetch"]("http://public.example.com:8080/to/bytes") == b"body"
        with pytest.raises(ValueError, match="has the private address"):
            names["fetch"]("http://public.example.com:8080/to/there")
        server.shutdown()
    assert server.asked == [("public.example.com:8080", path) for path in ASKED]  # type: ignore[attr-defined]
    assert connected == [("93.184.215.14", 8080)] * 5
    assert looked_up == ["public.example.com"] * 5 + ["elsewhere.example.net"]


# What servers send, and how fetch() ends for it.
ANSWERS: dict[bytes, type[Exception] | bytes] = {
    b"": OSError,
    b"\r\n": OSError,
    b"nonsense\r\n\r\n": OSError,
    b"HTTP/1.1\r\n\r\n": OSError,
    b"HTTP/1.1 99999 OK\r\n\r\n": OSError,
    b"HTTP/2 200 OK\r\n\r\n": OSError,
    b"HTTP/1.1 " + b"2" * 5000 + b"\r\n\r\n": OSError,
    b"HTTP/1.1 200 " + b"a" * 70_000 + b"\r\n\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000: OSError,
    b"HTTP/1.1 200 OK\r\n" + b"A: a\r\n" * 101 + b"\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbo": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nbody": ValueError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-" + b"F" * 40 + b"\r\nbody": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 70_000: OSError,
    b"HTTP/1.1 302 OK\r\nLocation: http://a b/\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: \xff://\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: file:///etc/passwd\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: /\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\n\r\nbody": b"body",
    b"HTTP/1.1 200 OK\r\n\r\n" + b"body" * 1000: b"body" * 25,
    b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody and more": b"body",
    b"HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nbody": b"body",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n": b"body",
    b"HTTP/1.0 200\r\n\r\nbody": b"body",
}


@pytest.fixture
def fetch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], bytes]]:
    """The page's function, and a server on this machine that answers with what it is told."""
    names: dict[str, Any] = {}
    run_examples(DOCS / "howto/fetching.md", names)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 80))]
    checked = partial(names["public_addresses"], getaddrinfo=lambda *arguments, **options: found)
    monkeypatch.setitem(names, "public_addresses", checked)
    connect = socket.create_connection
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answers = [b""]

        def serve() -> None:
            while answers:
                sock, _ = listener.accept()
                with sock, suppress(OSError):
                    request = b""
                    while not request.endswith(b"\r\n\r\n") and (more := sock.recv(65536)):
                        request += more
                    sock.sendall(b"".join(answers))
                    sock.shutdown(socket.SHUT_WR)
                    sock.recv(1)

        def ask(answer: bytes) -> bytes:
            answers[:] = [answer]
            body: bytes = names["fetch"]("http://public.example.com/a", redirects=1, limit=100)
            return body

        address = listener.getsockname()
        monkeypatch.setattr(socket, "create_connection", lambda _, timeout: connect(address, timeout))
        server = Thread(target=serve, daemon=True)
        server.start()
        yield ask
        answers.clear()
        connect(address).close()
        server.join(300)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: ascii(answer[:60]))
def test_the_page_on_fetching_raises_two_kinds_of_errors(fetch: Callable[[bytes], bytes], answer: bytes) -> None:
    expected = ANSWERS[answer]
    if isinstance(expected, bytes):
        assert fetch(answer) == expected
    else:
        with pytest.raises(expected):
            fetch(answer)


def test_the_page_on_fetching_with_any_answer(fetch: Callable[[bytes], bytes]) -> None:
    source = random.Random(13)
    whole = [answer for answer in ANSWERS if len(answer) < 5000]
    parts = [b"\r\n", b"\n", b"\0", b"\xff", b"-", b"1", b"F" * 20, b":", b" ", b"\r\n\r\n", b"100", b"chunked"]
    bodies = 0
    for _ in range(1000):
        data = bytearray(source.choice(whole))
        for _ in range(source.choice((1, 2, 5))):
            at = source.randrange(len(data) + 1)
            data[at : at + source.randrange(3)] = source.choice(parts)
        with suppress(ValueError, OSError):
            assert len(fetch(bytes(data))) <= 100
            bodies += 1
    assert bodies > 100


def test_llms_txt_lists_every_page_once() -> None:
    text = plain_pages.listing(DOCS, "https://docs.example/")
    found = re.findall(r"^- \[.+\]\(https://docs\.example/(.*)\)(?:: (.*))?$", text, re.MULTILINE)
    assert sorted(path for path, _ in found) == [name(path) for path in PAGES if name(path) != "index.md"]
    # A page of the reference begins with its directive.
    assert all(sentence for path, sentence in found if not path.startswith("reference/"))
    assert "](tour.md)" in plain_pages.listing(DOCS, "")


def test_the_markdown_of_a_page_has_the_pictures_of_the_site() -> None:
    """`make docs` checks that they are there."""
    pictures = [name for path in PAGES for name in re.findall(r"!\[[^\]]*\]\(([^)]*)\)", path.read_text("utf-8"))]
    assert len(pictures) > 10
    for target in pictures:
        up = "../" * target.count("../")
        assert plain_pages.with_images(f"![A picture]({target})") == f"![A picture]({up}_images/{Path(target).name})"
    assert plain_pages.with_images("[a link](images/)") == "[a link](images/)"


def test_the_markdown_of_a_page_has_what_it_includes() -> None:
    page = plain_pages.markdown(DOCS, "index")
    assert "| urllib.parse |" in page
    assert "{" not in re.sub(r"^```python.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)


@pytest.mark.parametrize("path", [path for path in PAGES if not name(path).startswith("reference/")], ids=name)
def test_the_markdown_of_a_page_is_plain(path: Path) -> None:
    page = plain_pages.markdown(DOCS, name(path).removesuffix(".md"))
    outside = re.sub(r"^ *```\w*\n.*?^ *```$", "", page, flags=re.DOTALL | re.MULTILINE)
    # Directives, labels and comments are the site's.
    assert not re.search(r"^ *```\{|^:::|^\([\w-]+\)=|<!--", outside, re.MULTILINE)
    labels = re.findall(r"^\(([\w-]+)\)=", path.read_text("utf-8"), re.MULTILINE)
    assert [f'<a id="{label}"></a>' in page for label in labels] == [True] * len(labels)
