"""Access logs: formats of nginx and Apache, the URLs of requests, and the fields beside them."""

from __future__ import annotations

import argparse
import json
import re
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import run

from weburl import URL
from weburl.cli.readers.records.cells import KINDS, LogLayout, compose, read_fields, read_log
from weburl.cli.readers.records.log_format import LogFormat
from weburl.cli.readers.records.log_formats import TEMPLATES, log_format

LINES = (
    '127.0.0.1 - frank [10/Oct/2000:13:55:36 -0700] "GET /a.gif?q=1 HTTP/1.0" 200 2326 "http://r/?token=s3cr3tval" "M"',
    '::1 - - [22/Nov/2026:10:00:01 +0000] "GET //evil.example/?a=\\x22b\\x22 HTTP/1.1" 404 153 "-" "curl \\"q\\" \\\\"',
    '::1 - - [22/Nov/2026:10:00:02 +0000] "\\x16\\x03\\x01\\x02" 400 157 "-" "-"',
    '::1 - - [22/Nov/2026:10:00:02 +0000] "-" 408 0 "-" "-"',
    '::1 - - [22/Nov/2026:10:00:03 +0000] "OPTIONS * HTTP/1.0" 200 - "-" "Apache (internal dummy connection)"',
    '::1 - - [22/Nov/2026:10:00:04 +0000] "CONNECT absolute.example:443 HTTP/1.1" 405 0 "-" "-"',
    '::1 - - [22/Nov/2026:10:00:05 +0000] "GET http://other.example/a b HTTP/1.1" 000 5 "-" "-"',
    '::1 - - [22/Nov/2026:10:00:05 +0000] "GET index.html HTTP/1.1" 400 5 "-" "-"',
    '::1 - - [22/Nov/2026:10:00:05 +0000] "GET /a\\xc3\\xa9\\xff" 200 123456789012345678901 "-" "-" "more"',
    "garbage",
    "",
    '::1 - - [22/Nov/2026:10:00:05 +0000] "GET / HTTP/1.1" 200',
)
LOG = "\n".join(LINES) + "\n"
URLS = [
    "https://h.example:8080/a.gif?q=1",
    "https://h.example:8080//evil.example/?a=%22b%22",
    "",
    "",
    "https://h.example:8080/",
    "https://absolute.example/",
    "http://other.example/a%20b",
    "",
    "https://h.example:8080/a%C3%A9%EF%BF%BD",
    "",
    "",
]
BASE = "https://user@h.example:8080/docs/?x"


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_urls(end: str) -> None:
    ended = run("--log", "combined", "--base", BASE, stdin=LOG.replace("\n", end))
    assert ended.lines == URLS
    assert ended.err == (
        "weburl: standard input:3:39: invalid-record: it has no request; the next ones are only counted\n"
        "weburl: 5 of 11 lines are not URLs (invalid-record: 5)\n"
    )


@pytest.mark.parametrize("method", ["GET", "OPTIONS", "PATCH", "OPTION", "options", "XOPTIONS"])
def test_an_asterisk_is_for_options(method: str) -> None:
    line = f'::1 - - [22/Nov/2026:10:00:03 +0000] "{method} * HTTP/1.1" 200 - "-" "-"\n'
    ended = run("--log", "combined", "--base", BASE, stdin=line)
    assert ended.lines == ["https://h.example:8080/" if method == "OPTIONS" else ""]


def test_fields() -> None:
    format = "{status}|{bytes}|{method}|{referrer}|{time}|{column:agent}|{column:version}|{column:client}"
    ended = run("--log", "combined", "--base", BASE, "-g", format, stdin=LOG)
    assert ended.lines[0] == "200|2326|GET|http://r/?token=s3cr3tval|2000-10-10T13:55:36-07:00|M|HTTP/1.0|127.0.0.1"
    assert ended.lines[1] == '404|153|GET||2026-11-22T10:00:01+00:00|curl "q" \\|HTTP/1.1|::1'
    ended = run("--log", "combined", "--base", BASE, "-g", f"{format}{{error}}", stdin=LOG)
    assert ended.lines[2] == "400|157|||2026-11-22T10:00:02+00:00|||::1invalid-record"
    assert ended.lines[6] == "|5|GET||2026-11-22T10:00:05+00:00||HTTP/1.1|::1"
    assert ended.lines[8] == "200||GET||2026-11-22T10:00:05+00:00|||::1"
    assert ended.lines[9] == "|||||||invalid-record"


def test_records(tmp_path: Path) -> None:
    ended = run("--log", "combined", "--base", BASE, "--json", "--keep", "-g", "{pathname}", stdin=LOG)
    assert json.loads(ended.lines[0]) == {
        "client": "127.0.0.1", "identity": None, "user": "frank", "time": "2000-10-10T13:55:36-07:00", "method": "GET",
        "target": "/a.gif?q=1", "version": "HTTP/1.0", "status": 200, "bytes": 2326,
        "referrer": "http://r/?token=s3cr3tval", "agent": "M", "pathname": "/a.gif",
    }  # fmt: skip
    ended = run("--log", "combined", "--base", BASE, "--csv", "--keep=status,client", "-g", "{href}", stdin=LOG)
    assert ended.lines[:3] == ["status,client,href", f"200,127.0.0.1,{URLS[0]}", f"404,::1,{URLS[1]}"]
    ended = run("stats", "--json", "--log", "combined", "--base", BASE, stdin=LOG)
    assert (json.loads(ended.out)["urls"], json.loads(ended.out)["invalid"]) == (6, 5)
    ended = run("check", "--log", "combined", "--base", BASE, stdin=LOG)
    assert "standard input:8:43: invalid-record: what it requests is neither a path nor a URL\n" in ended.out
    said = "it is not of this format: ' ' is not there after client\n"
    assert f"standard input:10:1: invalid-record: {said}" in ended.out
    assert "standard input:12:55: invalid-record: it is not of this format: ' ' is not there after status" in ended.out


def test_secrets_are_taken_out_of_referrers() -> None:
    options = ("--log", "combined", "--base", BASE, "--json", "-g", "{redacted}")
    for keep in ("--keep", "--keep=referrer"):
        ended = run(*options, keep, stdin=LOG)
        assert "s3cr3tval" not in ended.out
        assert '"referrer":"http://r/?token=REDACTED"' in ended.out
        assert '"target"' not in ended.out
    # What is asked for by its name is as it was.
    assert run(*options, "--keep=target", stdin=LOG).out.startswith('{"target":"/a.gif?q=1"')


def test_lines_that_are_too_long() -> None:
    ended = run("--log", "combined", "--base", BASE, "--max-line", "100", "--csv", "--keep=status", stdin=LOG)
    assert "too-long: 3" in ended.err


# Formats.


@pytest.mark.parametrize(
    ("format", "line", "base", "url"),
    [
        ("common", LINES[0], "http://h", "http://h/a.gif?q=1"),
        ("$host $request", "e.example GET /x HTTP/1.1", None, "http://e.example/x"),
        ("$scheme $http_host $request", "https e.example:81 GET /x HTTP/1.1", None, "https://e.example:81/x"),
        ("$host $request", "e.example GET /x HTTP/1.1", "https://h/", "https://e.example/x"),
        ("$host $request", "- GET /x HTTP/1.1", "https://h/", "https://h/x"),
        ("$host $request", "a/b GET /x HTTP/1.1", "https://h/", "https://h/x"),
        ("$host $request", "h\\x2fb GET /x HTTP/1.1", "https://h/", "https://h/x"),
        ("$server_name ${request_uri}.", "e.example /x?y.", None, "http://e.example/x?y"),
        ("$host;$server_name;$request", "a;b;GET /x", None, "http://a/x"),
        ("$request_method $request_uri", "POST /y", "http://h", "http://h/y"),
        ("%v:%p %h %l %u %t \"%r\" %>s %O", 'v.example:443 ::1 - - [x] "GET /x HTTP/1.1" 200 5', None, "http://v.example/x"),
        ("%{Host}i %m %U%q %H", "e.example GET /x?y HTTP/1.1", None, "http://e.example/x?y"),
        ("%{%s}t %% %!200,304{X-A}i %400,501r", "5 % z GET /x", "http://h", "http://h/x"),
        ("%{X}^ti %r", "5 GET /x HTTP/2.0", "http://h", "http://h/x"),
        ('\\"%r\\"\\t%s', '"GET /x HTTP/2.0"\t200', "http://h", "http://h/x"),
        ("%h %r", "::1 CONNECT /x HTTP/1.1", "http://h", "http://h/x"),
        ("[$request]", "[GET /x]y HTTP/1.1]", "http://h", "http://h/x"),
    ],
)  # fmt: skip
def test_formats(format: str, line: str, base: str | None, url: str) -> None:
    options = [] if base is None else ["--base", base]
    ended = run("--log", format, *options, stdin=line)
    assert ended == (0, f"{url}\n", "")


@pytest.mark.parametrize("name", [*TEMPLATES][:2])
@pytest.mark.parametrize("user", ["-", "frank", "frank smith", "-frank"])
def test_lines_with_a_host_in_front(name: str, user: str) -> None:
    """Their identity would be the address, and the host of all URLs that of --base."""
    line = f'203.0.113.27 - {user} [22/Nov/2026:10:00:05 +0000] "GET /cart HTTP/1.1" 200 900 "-" "-"\n'
    hosts = ("shop.example", "shop.example:8080", "[::1]:443", "-")
    text = line + "".join(f"{host} {line}" for host in hosts)
    ended = run("--log", name, "--base", "http://h", "--csv", "--keep=user", "-g", "{href} {error}", stdin=text)
    other = "--log '%v %h %l %u %t \"%r\" %>s %b'"
    assert ended.lines[1:] == [f"{'' if user == '-' else user},http://h/cart,", *[",,invalid-record"] * len(hosts)]
    assert f":2:1: invalid-record: a field is before the client, such as the host: write {other};" in ended.err
    ended = run("--log", other[7:-1], "--base", "http://h", "-g", "{href}", stdin=text.partition("\n")[2])
    assert ended.lines == [
        "http://shop.example/cart",
        "http://shop.example:8080/cart",
        "http://[::1]:443/cart",
        "http://h/cart",
    ]


@pytest.mark.parametrize(
    ("options", "status", "said"),
    [
        (["--log", "combine"], 2, "argument --log: the format 'combine' is not common, combined, envoy, w3c, alb,"),
        (["--log", "iis"], 2, "argument --log: the format 'iis' has another name: --log w3c"),
        (["--log", "CloudFront"], 2, "argument --log: the format 'CloudFront' has another name: --log w3c"),
        (["--log", "nginx"], 2, "argument --log: the format 'nginx' has another name: --log combined"),
        (["--log", ""], 2, "argument --log: the format '' is not common, combined, envoy, w3c, alb, s3, caddy,"),
        (["--log", "$status"], 2, "argument --log: the format '$status' has no $request or $request_uri"),
        (["--log", "%s"], 2, "argument --log: the format '%s' has no %r or %U"),
        (["--log", "%s%r"], 2, "argument --log: nothing is between status and request: nobody knows where"),
        (["--log", "common"], 2, "the lines of the log have no host: --base URL says whose log it is"),
        (["--log", "common", "--base", "data:x"], 2, "--base needs a host, which the requests"),
        (["--log", "%r", "--base", "http://h", "--column", "u"], 2, "--log does not go with --column"),
        (["--log", "%r", "--base", "http://h", "--field", "u"], 2, "--log does not go with --field"),
        (["--log", "%r", "--base", "http://h", "--input", "csv"], 2, "--log does not go with --input"),
        (["--log", "%r", "--base", "http://h", "-g", "{column:x}"], 1, "standard input: there is no column"),
        (["-g", "{status}"], 2, "standard input: its lines have no columns: --column, --field or --log says that"),
    ],
)  # fmt: skip
def test_what_is_wrong(options: list[str], status: int, said: str) -> None:
    ended = run(*options, stdin=LOG)
    assert (ended.status, ended.out) == (status, "")
    assert ended.err.splitlines()[-1].startswith(f"weburl: {said}")


def test_names_of_two_fields() -> None:
    format = log_format("%h %a %t %{sec}t %r $")
    assert format.names == ["client", "a", "time", "time", "request"]
    assert format.texts == ["", " ", " [", "] ", " ", " $"]


# What servers write is read back.

TEXTS = st.text(st.characters(max_codepoint=0x2FF, exclude_categories=["Cs"])) | st.sampled_from(
    ['"', "\\", '\\"', "\\x22"]
)


def nginx(text: str) -> str:
    return "".join(f"\\x{c:02X}" if c < 32 or c > 126 or c in b'"\\' else chr(c) for c in text.encode())


def apache(text: str) -> str:
    short = {8: "\\b", 9: "\\t", 10: "\\n", 11: "\\v", 13: "\\r", 34: '\\"', 92: "\\\\"}
    return "".join(short.get(c) or (f"\\x{c:02x}" if c < 32 or c > 126 else chr(c)) for c in text.encode())


@given(st.lists(st.tuples(TEXTS, TEXTS), min_size=1, max_size=5), st.sampled_from([nginx, apache]))
@example([('a"b\\', "\\")], apache)
def test_what_is_escaped_is_read_back(rows: list[tuple[str, str]], escaped: object) -> None:
    assert callable(escaped)
    lines = [f'h - [t] "GET /{escaped(target)} HTTP/1.1" 200 "{escaped(agent)}"\n' for target, agent in rows]
    data = "".join(lines).encode()
    format = log_format('$host - [$time_local] "$request" $status "$http_user_agent"')
    columns = format.columns
    wanted = tuple((columns[name], KINDS["text"]) for name in ("agent", "target", "method"))
    (urls, agents, targets, methods), numbers, faults = read_log(format.layout("http", ""), data, 0, len(data), wanted)
    count = len(rows)
    assert faults == {}
    assert list(numbers) == list(range(1, count + 1))
    assert methods.texts(0, count) == ["GET"] * count
    assert agents.texts(0, count) == [agent if agent not in ("", "-") else None for _, agent in rows]
    assert targets.texts(0, count) == [f"/{target}" for target, _ in rows]
    found = [url and URL(url).href for url in urls.texts(0, count)]
    assert found == [URL(f"http://h/{target}").href for target, _ in rows]


def has_fields(line: str, format: LogFormat) -> bool:
    before, *ends = format.texts
    if not line.startswith(before):
        return False
    line = line[len(before) :]
    for number, end in enumerate(ends):
        inside = r"(?:\\.|[^\\])*?" if format.texts[number].endswith('"') and end.startswith('"') else ".*?"
        match = re.match(f"({inside}){re.escape(end)}", line, re.DOTALL)
        if match is None:
            return False
        line = line[match.end() :]
    return True


@given(
    st.lists(
        st.sampled_from(["GET", " ", "/", '"', "\\", "\\x", "[", "]", "-", "*", "HTTP/1.1", "http://", "\r", "é", "\n"])
    ),
    st.sampled_from([*TEMPLATES.values(), '"$request"', "$host $request_uri", "%r", "%m %U%q"]),
)
def test_any_lines(pieces: list[str], text: str) -> None:
    """As many rows as lines, each with a URL or a fault; what is of another format is as regular expressions say."""
    format = log_format(text)
    data = "".join(pieces).encode()
    columns = format.columns
    wanted = tuple((number, KINDS[kind]) for number in columns.values() for kind in ("text", "time"))
    (urls, *kept), numbers, faults = read_log(format.layout("http", "h"), data, 0, len(data), wanted)
    lines = [line.removesuffix(b"\r") for line in data.split(b"\n")]
    assert list(numbers) == [number for number, line in enumerate(lines, 1) if line]
    assert all((url is None) == (row in faults) for row, url in enumerate(urls.texts(0, len(urls))))
    for row, line in enumerate(filter(None, lines)):
        is_other = row in faults and isinstance(faults[row][0], int)
        assert is_other == (not has_fields(line.decode(), format))
    assert len(kept) == len(wanted)


def test_arguments_of_the_reader() -> None:
    layout = LogLayout("template", 1, {"target": 0}, b"http", b"h", steps=[(b"", False, False)])
    for number in (4, -2):
        with pytest.raises(ValueError, match="there is no such field"):
            read_log(layout, b"/x\n", 0, 3, ((number, 0),))
    with pytest.raises(ValueError, match="each field of a template has a step"):
        LogLayout("template", 2, {}, b"http", b"h", steps=[(b"", False, False)])
    for places, keys in (({"target": 1}, []), ({}, [(b"a", 1, 0)])):
        with pytest.raises(ValueError, match="there is no such field"):
            LogLayout("pairs", 1, places, b"http", b"h", keys=keys)
    columns, *_ = read_fields(b'{"a": 1}\n', 0, 9, (("a", False),), None, True)
    layout = LogLayout("columns", 1, {"target": 0}, b"http", b"h")
    for sources, said in (([], "each field has its sources"), ([(1,)], "there is no such column")):
        with pytest.raises(ValueError, match=said):
            compose(layout, columns, sources, ())
    with pytest.raises(ValueError, match="columns have the same length"):
        compose(layout, [*columns, read_fields(b"", 0, 0, (("a", False),), None, True)[0][0]], [(0,)], ())
    with pytest.raises(argparse.ArgumentTypeError):
        log_format("x")
