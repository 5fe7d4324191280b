"""weburl view: the answers to its page, and the requests that its server refuses. tests/engines has a browser."""

from __future__ import annotations

import functools
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
from base64 import b64encode
from collections.abc import Iterator
from contextlib import ExitStack
from hashlib import sha256
from http.client import HTTPConnection, HTTPResponse
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from support import secret_shapes
from support.shapes import SHAPES

from weburl import URL, validate
from weburl.cli import main
from weburl.cli.viewer.page_data import page_of_url, parts
from weburl.cli.viewer.server import Server
from weburl.robots import Robots
from weburl.text import explain_redaction, redact_text

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def ask(
    server: Server, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> tuple[HTTPResponse, bytes]:
    connection = HTTPConnection("127.0.0.1", server.server_port, timeout=300)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    content = response.read()
    connection.close()
    return response, content


def asked(server: Server, url: str, base: str = "", pattern: str = "") -> Any:
    sent = json.dumps({"url": url, "base": base, "pattern": pattern}).encode()
    response, body = ask(server, "POST", "/parse", sent, JSON)
    assert response.status == 200
    assert response.headers["Content-Type"] == "application/json; charset=utf-8"
    return json.loads(body)


# Answers.


def test_a_url(server: Server) -> None:
    said = asked(server, "../a b?q", "https://user@example.com/x/y")
    assert said["parses"]
    assert said["parts"] == [
        ["", "scheme", "https"],
        ["://", "username", "user"],
        ["@", "host", "example.com"],
        ["", "path", "/a%20b"],
        ["?", "query", "q"],
    ]
    assert [error["name"] for error in said["errors"]] == ["invalid-URL-unit"]
    assert [error["name"] for error in said["base"]["errors"]] == ["invalid-credentials"]
    assert said["display"] == "https://example.com/a%20b?q"
    assert ["path", "/a%20b", "/a b", False] in said["rows"]
    assert ["host", "example.com", "example.com", True] in said["rows"]
    assert [change["kind"] for change in said["changes"]] == [
        "taken from the base",
        "dot segments removed",
        "path percent-encoded",
    ]
    assert said["risks"] == []


def test_what_is_not_a_url(server: Server) -> None:
    said = asked(server, "http://a b/")
    assert not said["parses"]
    assert said["errors"] == [error._asdict() for error in validate("http://a b/")]
    assert ["host", None, "a b", False] in said["rows"]
    assert "parts" not in said
    assert asked(server, "x", "no base", "/:a") == {
        "address": {"url": "x", "base": "no base", "pattern": "/:a"},
        "base": {"errors": [validate("no base")[0]._asdict()], "count": 1},
        "errors": [],
        "count": 0,
        "parses": False,
    }


@pytest.mark.parametrize(
    ("url", "other"),
    [
        ("https://example.com\\@evil.example/", "evil.example"),
        ("http://0x7f.1/", None),
        ("http://bücher.example/", None),
        ("http://[::0:1]/", None),
        ("http://a/", None),
        ("mailto:a@b", None),
        ("x://A/", "a"),
    ],
)
def test_another_host(url: str, other: str | None) -> None:
    assert page_of_url(url, "", "")["other_host"] == other


def test_where_urllib_raises() -> None:
    assert page_of_url("http://user[@h/", "", "")["urllib_error"] == "Invalid IPv6 URL"
    rows = page_of_url("http://h:99999/", "", "")["rows"]
    assert {name: theirs for name, _, theirs, _ in rows}["port"] == ("ValueError: Port out of range 0-65535")


def test_what_may_deceive() -> None:
    assert page_of_url("https://рaypal.example/", "", "")["risks"][0].startswith("рaypal: ")


def test_many_errors() -> None:
    said = page_of_url("http://h/" + "|" * 200 + ":", "", "")
    assert said["count"] == 200
    assert len(said["errors"]) == 100
    failing = page_of_url("http:" + "\\" * 200 + "h:x", "", "")
    assert failing["errors"][-1]["failure"]
    assert len(failing["errors"]) == 100


def test_params() -> None:
    said = page_of_url("x:y?a=%20+&=&b&a=%FF", "", "")
    assert said["params"] == [("a", "  "), ("", ""), ("b", ""), ("a", "\ufffd")]
    assert said["params_count"] == 4
    many = page_of_url("http://h/?" + "&".join("a" * 501), "", "")
    assert (len(many["params"]), many["params_count"]) == (500, 501)


@pytest.mark.parametrize("seed", range(3))
def test_what_is_hidden_in_logs(seed: int, server: Server) -> None:
    """Places, kinds, rules and sources, as in explain_redaction(); and never the secret, in any place of a URL."""
    seen = set()
    for secret in islice(secret_shapes.secrets(60, seed), 60):
        if len(secret.url) > 10_000:
            continue
        url = URL.parse(secret.url)
        text = secret.url if url is None else url.href
        found = asked(server, secret.url)["redaction"]
        expected = explain_redaction(text)
        assert found["rows"] == [part._asdict() for part in expected]
        assert found["count"] == len(expected)
        assert found["text"] == (redact_text(text) if expected else "")
        if expected:
            hidden = [text[part.start : part.end] for part in expected]
            assert not any(each in found["text"] for each in hidden if len(each) > 8 and "REDACTED" not in each)
            assert secret.secret not in json.dumps(found, ensure_ascii=False) or secret.secret not in "".join(hidden)
            seen.add(expected[0].kind)
    assert len(seen) > 3
    assert asked(server, "https://example.com/?page=2")["redaction"] == {"rows": [], "count": 0, "text": ""}


def test_many_secrets() -> None:
    said = page_of_url("https://h/?" + "token=q8Zx&" * 300, "", "")["redaction"]
    assert said["count"] == 300
    assert len(said["rows"]) == 100
    assert said["text"].count("REDACTED") == 300
    # Not a URL: places are those of the text.
    said = page_of_url("http://a b/?token=q8Zx", "", "")["redaction"]
    assert [(row["start"], row["end"], row["rule"]) for row in said["rows"]] == [(18, 22, "*token")]


@pytest.mark.parametrize(
    ("url", "site", "suffix"),
    [
        ("https://a.b.example.co.uk:8/", "https://example.co.uk", "co.uk"),
        ("http://co.uk/", "http://co.uk", "co.uk"),
        ("http://0x7f.1/", "http://127.0.0.1", None),
        ("http://[::1]/", "http://[::1]", None),
        ("blob:https://www.example.com/x", "https://example.com", "com"),
        ("file:///c", None, None),
        ("x://example.com/", None, None),
    ],
)
def test_site(url: str, site: str | None, suffix: str | None) -> None:
    said = page_of_url(url, "", "")
    assert (said["site"], said["suffix"]) == (site, suffix)


def test_without_a_list_of_suffixes(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(host: object) -> None:
        raise ImportError("the list is missing")

    monkeypatch.setattr("weburl.cli.viewer.page_data.registrable_domain", missing)
    said = page_of_url("http://h/", "", "")
    assert (said["site"], said["suffix"], said["no_list"]) == (None, None, "the list is missing")


def test_a_pattern() -> None:
    found = page_of_url("https://www.example.com/books/7", "", "https://*.example.com/books/:id")["pattern"]
    assert (found["error"], found["matches"]) == (None, True)
    assert found["groups"] == [("hostname", "0", "'www'"), ("pathname", "id", "'7'")]
    assert [row["name"] for row in found["rows"] if not row["matches"]] == []
    found = page_of_url("../book/7", "https://www.example.com/a/b", "/books/:id")["pattern"]
    (row,) = (row for row in found["rows"] if not row["matches"])
    expected = {"name": "pathname", "matches": False, "pattern": "/books/:id", "text": "/book/7"}
    assert row == expected | {"stop": 5, "needs": "needs 's'"}
    assert not found["matches"]
    assert page_of_url("//a b", "https://h/", "/")["pattern"]["matches"] is False
    assert "pattern" not in page_of_url("https://h/", "", "")


def test_what_is_not_a_pattern() -> None:
    found = page_of_url("https://h/", "", "https://h/:a/:a")["pattern"]
    assert found == {"error": "two groups have the name 'a' in the pathname", "position": 12}
    assert page_of_url("https://h/", "", "/a")["pattern"] == {
        "error": "a relative pattern needs a base",
        "position": None,
    }


def test_the_address_has_no_credentials() -> None:
    """What may be in the address of the page, and so in the history of the browser."""
    for text in ("https://user:secret@h/", "//secret@h", "x: https://u:secret@h/ y", "http://u:secret@a b/"):
        for texts in ((text, "", ""), ("a", text, ""), ("http://h/", "", text)):
            address = page_of_url(*texts)["address"]
            assert "secret" not in str(address)
            assert "***@" in str(address)
    plain = {"url": "a b", "base": "no base", "pattern": "/:id"}
    assert page_of_url(*plain.values())["address"] == plain


@pytest.mark.parametrize(
    "url",
    [
        "http://u:p@h:8/a?b#c",
        "http://:p@h/",
        "http://u@h/",
        "file:///c",
        "x:/.//p",
        "x:y?#",
        "x:///",
        "x://h?",
        "data:",
    ],
)
def test_parts(url: str) -> None:
    assert "".join(before + text for before, _, text in parts(URL(url))) == URL(url).href


def test_the_shapes_that_hurt() -> None:
    """Each text gets an answer in JSON."""
    for shape in SHAPES.values():
        text = shape(2000)[:2000]
        said = page_of_url(text, "", text[:200])
        assert json.loads(json.dumps(said)) == json.loads(json.dumps(said))
        if said["parses"]:
            assert "".join(before + text for before, _, text in said["parts"]) == URL(text).href


# Requests.


def test_the_page(server: Server) -> None:
    response, body = ask(server, "GET", "/")
    assert response.status == 200
    page = body.decode()
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; ")
    assert "unsafe" not in policy
    for name in ("script", "style"):
        (inside,) = re.findall(f"<{name}>(.*?)</{name}>", page, re.DOTALL)
        assert f"{name}-src 'sha256-{b64encode(sha256(inside.encode()).digest()).decode()}'" in policy
    # The page loads nothing from elsewhere, and no typed text becomes markup.
    assert (
        re.findall(r"(?:src|srcset|action)=|url\(|@import|innerHTML|outerHTML|insertAdj|document\.write|eval", page)
        == []
    )
    assert 'data-limit="10000"' in page
    assert len(body) < 40_000
    for name, value in (("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer")):
        assert response.headers[name] == value
    assert "Set-Cookie" not in response.headers
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("GET", "/", {"Host": "evil.example"}, 421),
        ("GET", "/", {"Host": "127.0.0.1"}, 421),
        ("GET", "/", {"Host": "127.0.0.1.evil.example:{port}"}, 421),
        ("GET", "/", {"Host": "localhost:{port}"}, 200),
        ("POST", "/parse", JSON | {"Host": "evil.example:{port}"}, 421),
        ("POST", "/parse", JSON | {"Origin": "https://evil.example"}, 403),
        ("POST", "/parse", JSON | {"Origin": "null"}, 403),
        ("POST", "/parse", JSON | {"Origin": "http://127.0.0.1:{port}"}, 200),
        ("POST", "/parse", {"Content-Type": "text/plain"}, 415),
        ("POST", "/parse", {}, 415),
        ("POST", "/parse", JSON | {"Content-Length": "360101"}, 413),
        ("POST", "/parse", JSON | {"Content-Length": "-1"}, 411),
        ("POST", "/parse", JSON | {"Content-Length": "\u00b2"}, 411),
        ("POST", "/parse", JSON | {"Transfer-Encoding": "chunked"}, 411),
        ("POST", "/", JSON, 404),
        ("GET", "/parse", {}, 404),
        ("GET", "/../../etc/passwd", {}, 404),
        ("GET", "//evil.example/", {}, 404),
        ("GET", "/favicon.ico", {}, 404),
        ("PUT", "/", {}, 501),
        ("OPTIONS", "/parse", {}, 501),
        ("HEAD", "/", {}, 501),
        ("<b>", "/", {}, 501),
    ],
)
def test_requests(server: Server, method: str, path: str, headers: dict[str, str], status: int) -> None:
    sent = {name: value.replace("{port}", str(server.server_port)) for name, value in headers.items()}
    body = b'{"url": "http://h/", "base": "", "pattern": ""}' if method == "POST" else None
    response, said = ask(server, method, path, body, sent)
    assert response.status == status
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    if status >= 400:
        assert response.headers["Content-Type"] == "text/plain; charset=utf-8"
        assert b"<" not in said


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"", 400),
        (b"{", 400),
        (b"\xff", 400),
        (b"[]", 400),
        (b"null", 400),
        (b'"url"', 400),
        (b'{"url": "http://h/", "base": ""}', 400),
        (b'{"url": 1, "base": "", "pattern": ""}', 400),
        (b'{"url": "http://h/", "base": null, "pattern": ""}', 400),
        (b'{"url": "http://h/", "base": "", "pattern": []}', 400),
        (b"[" * 100_000, 400),
        (b"1" * 100_000, 400),
        (json.dumps({"url": "a" * 10_001, "base": "", "pattern": ""}).encode(), 413),
        (json.dumps({"url": "", "base": "a" * 10_001, "pattern": ""}).encode(), 413),
        (json.dumps({"url": "", "base": "", "pattern": "a" * 10_001}).encode(), 413),
        (json.dumps(dict.fromkeys(("url", "base", "pattern"), "x:" + "😀" * 9_998)).encode(), 200),
        (b'{"url": "http://h/\\ud800#\\udc00", "base": "", "pattern": "http://h/\\ud800"}', 200),
    ],
    ids=lambda value: ascii(value)[:30],
)
def test_bodies(server: Server, body: bytes, status: int) -> None:
    response, said = ask(server, "POST", "/parse", body, JSON)
    assert response.status == status
    if status == 413:
        assert "10000 characters" in said.decode()


@pytest.mark.parametrize(
    "request_",
    [
        b"GET / HTTP/1.1\r\n\r\n",
        b"GET /\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nHost: 127.0.0.1:%d\r\n\r\n",
        b"\r\n\r\n",
        b"\x16\x03\x01",
    ],
    ids=ascii,
)
def test_malformed_requests(server: Server, request_: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port), timeout=300) as connection:
        connection.sendall(request_.replace(b"%d", str(server.server_port).encode()))
        connection.shutdown(socket.SHUT_WR)
        said = b""
        while more := connection.recv(65536):
            said += more
    assert b"200 OK" not in said
    assert b"<!doctype" not in said


def test_only_this_machine(server: Server) -> None:
    assert server.server_address[0] == "127.0.0.1"


def test_a_client_that_goes(server: Server, capfd: pytest.CaptureFixture[str]) -> None:
    with socket.create_connection(("127.0.0.1", server.server_port)) as connection:
        head = f"POST /parse HTTP/1.1\r\nHost: 127.0.0.1:{server.server_port}\r\nContent-Type: application/json\r\n"
        connection.sendall(head.encode() + b"Content-Length: 9\r\n\r\n")
    assert asked(server, "http://h/")["parses"]
    assert capfd.readouterr() == ("", "")


def test_nested_json_where_stacks_are_small(server: Server) -> None:
    """musl gives threads 128 KiB."""
    before = threading.stack_size(128 << 10)
    try:
        response, _ = ask(server, "POST", "/parse", b"[" * 100_000, JSON)
    finally:
        threading.stack_size(before)
    assert response.status == 400


def test_many_at_once() -> None:
    """They wait, although the server does not accept them yet."""
    with Server() as server, ExitStack() as connections:
        for _ in range(60):
            address = "127.0.0.1", server.server_port
            connections.enter_context(socket.create_connection(address, timeout=300))


# The command.


@pytest.mark.skipif(os.name != "posix", reason="Ctrl-C is sent as POSIX does")
def test_the_command() -> None:
    command = [sys.executable, "-m", "weburl", "view", "--no-browser", "é/", "--base", "http://h", "--pattern", "/:a"]
    # Ctrl-C may be ignored if the tests run in the background.
    heed = functools.partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=heed
    ) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        found = re.fullmatch(
            r"http://127\.0\.0\.1:(\d+)/#url=%C3%A9%2F&base=http%3A%2F%2Fh&pattern=%2F%3Aa \(Ctrl-C ends it\)\n", line
        )
        assert found
        connection = HTTPConnection("127.0.0.1", int(found[1]), timeout=300)
        connection.request("GET", "/")
        assert connection.getresponse().status == 200
        connection.close()
        process.send_signal(signal.SIGINT)
        assert process.wait(300) == 0
        assert process.stderr is not None
        assert process.stderr.read() == ""


def test_a_port_that_is_taken(server: Server, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", "--no-browser", "--port", str(server.server_port)]) == 3
    assert re.fullmatch(rf"weburl: 127\.0\.0\.1:{server.server_port}: .*in use.*\n", capsys.readouterr().err)


def test_an_invalid_port(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["view", "--port", "65536"]) == 2
    assert "--port" in capsys.readouterr().err


def test_the_browser_is_opened(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    opened: list[str] = []
    done = threading.Event()

    def open_page(page: str) -> None:
        opened.append(page)
        done.set()

    def serve(server: Server) -> None:
        assert done.wait(300)
        raise KeyboardInterrupt

    monkeypatch.setattr("webbrowser.open", open_page)
    monkeypatch.setattr(Server, "serve_forever", serve)
    assert main(["view"]) == 0
    assert capsys.readouterr().out.split()[0] == opened[0]


def test_a_robots_txt() -> None:
    robots = Robots.parse("User-agent: *\nDisallow: /private", agent="ExampleBot")
    said = page_of_url("https://example.com/a/../private/x", "", "", robots=robots)["robots"]
    assert said == {
        "allowed": False, "verdict": "not allowed by line 2: Disallow: /private",
        "why": ["path: /private/x", "group: * (line 1)", "rules: 1"],
    }  # fmt: skip
    assert page_of_url("b", "https://example.com/", "", robots=robots)["robots"]["allowed"] is True
    assert "robots" not in page_of_url("b", "", "", robots=robots)
    assert "robots" not in page_of_url("https://example.com/", "", "")


def test_the_robots_txt_of_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "robots.txt"
    path.write_text("User-agent: ExampleBot\nDisallow: /a")
    found = []

    def serve(server: Server) -> None:
        assert server.robots is not None
        found.append(server.robots.allowed("https://h/a"))
        raise KeyboardInterrupt

    monkeypatch.setattr(Server, "serve_forever", serve)
    for more, allowed in ([], True), (["--agent", "ExampleBot"], False):
        assert main(["view", "--no-browser", "--robots", str(path), *more]) == 0
        assert found.pop() is allowed
    assert main(["view", "--robots", str(tmp_path / "none")]) == 3
    assert main(["view", "--agent", "a"]) == 2
    capsys.readouterr()
    assert main(["view", "--robots", str(path), "--agent", "a b"]) == 2
    # Without the name of a function, which the command does not have.
    assert capsys.readouterr().err.endswith("of letters, digits, - and _, not 'a b': write \"a\"\n")
