"""The command: fields, formats, records, changes, invalid lines, threads, help."""

from __future__ import annotations

import csv
import json
import os
import shlex
import subprocess
import sys
from importlib import metadata
from pathlib import Path
from urllib.parse import quote

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import run, url_of_line
from support.fields import FIELDS

from weburl import URL, URLSearchParams
from weburl._core.percent import kernel_name
from weburl.bulk import parse_many
from weburl.cli.commands.convert import EXAMPLES
from weburl.cli.readers import byte_stream
from weburl.crawl import canonicalize
from weburl.redact import path_template, redact

URLS = [
    "http://EXAMPLE.com:80/a/../b?x=1&y=%20&x=2#top",
    "https://u:p@h.example:8443/?q=a+b%26",
    "mailto:someone@example.com",
    "file:///C|/x",
    "http://[::1]:9/",
    "http://0x7f.1",
    "foo://Opaque-host/p",
    "foo:/.//p",
    'data:text/plain,a"b\\c',
    "https://faß.example/é?é#é",
    "http://h?",
    "http://h/#",
    "blob:https://h/x?y=1",
    "ws://h:80//x",
    "x:",
    "javascript:a b",
    "http://h/?a=%0A%00%1b%C2%9B%E2%80%A8%7F",
    'http://h/?a="b",c',
    "http://h/?a=\\",
    "http://h/?=1&&a",
    "  http://h  ",
]
NO_URLS = ["", "http://", "//h", "http://h:99999", "http://a b/", "http://[::1", "\x1b[31m", "http://1.2.3.4.5", "é"]


def lines(texts: list[str]) -> bytes:
    return "".join(f"{text}\n" for text in texts).encode()


def test_arguments() -> None:
    assert run("HTTP://h:80/a/../b", "x:y") == (0, "http://h/b\nx:y\n", "")


@pytest.mark.parametrize("field", FIELDS)
def test_each_field(field: str) -> None:
    ended = run("-g", f"<{{{field}}}>", stdin=lines(URLS))
    assert ended.lines == [f"<{getattr(URL(url), field) or ''}>" for url in URLS]


def test_site() -> None:
    given = ["http://www.example.co.uk", "http://1.2.3.4", "http://co.uk", "x:y"]
    ended = run("-g", "{registrable_domain}/{public_suffix}", *given)
    assert ended.out == "example.co.uk/co.uk\n/\n/co.uk\n/\n"


def test_other_names() -> None:
    assert run("-g", "{url} {user} {path}", "http://u@h/p").out == "http://u@h/p u /p\n"


def test_the_host_is_the_standards() -> None:
    assert run("-g", "{host} {hostname} {port}", "http://h:8", "http://h:80").out == "h:8 h 8\nh h \n"


@pytest.mark.parametrize(
    ("format", "line"),
    [
        ("", ""),
        ("a{{b}}c", "a{b}c"),
        ("{{{scheme}}}", "{http}"),
        (r"{port}\t\\n\{\}", "8\t\\n{}"),
        (r"a\rb", "a\rb"),
        ("é{scheme}😀", "éhttp😀"),
        ("{query:a}{query:b}{query:c}", "12"),
        ("{query:}", ""),
        (r"{query:x\}y}", "3"),
        ("{query:é}", "4"),
        ("{query:a}{port}{query:b}{query:a}", "1821"),
        ("{hostname}{hostname}", "hh"),
        (r"\x", "x"),
        ("{{", "{"),
        ("}}", "}"),
        (r"{query:\n}", "5"),
        ("{query:a:b}", "6"),
    ],
)
def test_formats(format: str, line: str) -> None:
    assert run("-g", format, "http://h:8?a=1&b=2&x}y=3&%C3%A9=4&%0A=5&a:b=6").out == f"{line}\n"


@pytest.mark.parametrize(
    ("format", "said"),
    [
        ("{hots}", "did you mean {host}?"),
        ("{zzzzzz}", "the names are href"),
        ("{", "{{ for {"),
        ("a}", "}}"),
        ("{host", "has no counterpart"),
        ("{}", "no field is named {}"),
        ("{path:x}", "only query, query-all, group and column take a name"),
        ("a\\", "\\\\"),
        ("{params}", "no field is named"),
        ("{query_get}", "no field is named"),
        ("{host }", "did you mean {host}?"),
    ],
)
def test_invalid_formats(format: str, said: str) -> None:
    ended = run("-g", format, "http://h")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err
    assert ended.err.startswith("usage: weburl ")


def test_a_row_is_a_line() -> None:
    url = "http://h/?a=%0A%00%1b%C2%9B%C3%A9%E2%80%A8%E2%80%A9%E2%80%AA%7F%FF"
    assert run("-g", "{query:a}", url).out == "%0A%00%1B%C2%9Bé%E2%80%A8%E2%80%A9%E2%80%AA%7F\ufffd\n"
    assert run("-g", "{input}", stdin=b"\x1b]0;x\x07\xc2\x85\xff\xe2\x80\xc2\r\n").out == (
        "%1B]0;x%07%C2%85\ufffd\ufffd\ufffd\n"
    )
    for url in URLS + NO_URLS:
        for output in ("-g={href}{input}{error}{query:a}", "--json", "--csv"):
            ended = run(output, stdin=lines([url]))
            assert len(ended.lines) == 1 + (output == "--csv")
            assert all(line.replace("\u3000", " ").isprintable() for line in ended.lines)


# https://www.unicode.org/reports/tr9/#Bidi_Control, and characters whose bytes are similar
BIDI_CONTROLS = "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
NO_CONTROLS = "\xa0éا\u061b\u061d\u065c\u0600\u200d\u2010\u2027\u202f\u2065\u206a\u204e\u206e\u20a6\ufeff\u102e"


@pytest.mark.parametrize("c", BIDI_CONTROLS + NO_CONTROLS + "\x80\x9f\u2028\u2029", ids=ascii)
def test_what_would_reorder_a_terminal(c: str) -> None:
    is_control = c not in NO_CONTROLS
    for text in (f"a{c}b", c, c * 3):
        shown = text.replace(c, quote(c)) if is_control else text
        rows = lines([f"http://h/?q={text}", f"//{text}"])
        first, second = run("-g", "{input} {query:q}", "--invalid=keep", stdin=rows).lines
        assert (first, second.split(" ")[0]) == (f"http://h/?q={shown} {shown}", f"//{shown}")
        assert f"http://h/?q={shown}" in run("--csv", "-g", "{input}", stdin=rows).lines
        ended = run("--json", "-g", "{input} {query:q}", stdin=rows)
        assert [json.loads(line)["input"] for line in ended.lines] == [f"http://h/?q={text}", f"//{text}"]
        assert json.loads(ended.lines[0])["query:q"] == text
        assert (f"\\u{ord(c):04X}" in ended.out, c in ended.out) == (is_control, not is_control)
        assert (c in run("--json", stdin=rows).out) is not is_control


# Records.


def test_json() -> None:
    ended = run("--json", stdin=lines(URLS + NO_URLS))
    for text, line in zip(URLS + NO_URLS, ended.lines, strict=True):
        row = json.loads(line)
        [expected] = parse_many([text], [*FIELDS, "error"])
        params = URL(text).search_params if URL.can_parse(text) else None
        pairs = None if params is None else [{"name": name, "value": value} for name, value in params]
        assert row == {"input": text, **expected, "params": pairs}
    assert list(json.loads(ended.lines[0])) == ["input", *FIELDS, "params", "error"]


def test_csv() -> None:
    ended = run("--csv", stdin=lines(URLS + NO_URLS))
    rows = list(csv.reader(ended.lines, strict=True))
    assert rows.pop(0) == ["input", *FIELDS, "error"]
    for text, row in zip(URLS + NO_URLS, rows, strict=True):
        [expected] = parse_many([text], [*FIELDS, "error"])
        assert row[1:] == [value or "" for value in expected.values()]


def test_columns_of_a_format() -> None:
    urls = ['http://h/?a="b",c&d=1', "x:"]
    ended = run("--csv", "-g", "{query:a}, {url}\n{query:d,e} {url}", *urls)
    assert list(csv.reader(ended.lines)) == [
        ["query:a", "url", "query:d,e"],
        ['"b",c', URL(urls[0]).href, ""],
        ["", "x:", ""],
    ]
    ended = run("--json", "-g", '{query:"} {registrable_domain}', "http://h/?%22=\\")
    assert json.loads(ended.out) == {'query:"': "\\", "registrable_domain": None}
    assert run("--csv", "-g", "{query:a}", "x:").out == 'query:a\n""\n'
    for style in (["--csv"], ["--json"], ["--parquet", "out"]):
        ended = run(*style, "-g", " ", "x:")
        assert (ended.status, ended.out) == (2, "")
        assert "none is given" in ended.err
    for format in ("{host}-{port}", "x"):
        assert "is not a column" in run("--csv", "-g", format, "x:").err


@given(st.lists(st.text(st.characters(exclude_characters="\n\r", exclude_categories=["Cs"]))))
@example(["\ufeffa"])
def test_any_lines(texts: list[str]) -> None:
    """Many control characters look like no text: it is said that they are. The first line may have a second mark."""
    data = byte_stream.BOM + lines(texts)
    options = ("--input", "text", "--base", "http://h/")
    rows = [json.loads(line) for line in run("--json", *options, stdin=data).lines]
    assert [row["input"] for row in rows] == texts
    expected = [url_of_line(text, "http://h/") for text in texts]
    assert [row["href"] for row in rows] == [url and url.href for url in expected]
    found = run("-g", "{href}", *options, stdin=data).lines
    assert found == ["" if url is None else url.href for url in expected]


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_value(value: str) -> None:
    url = f"http://h/?{URLSearchParams([('a', value)])}"
    assert json.loads(run("--json", "-g", "{query:a}", url).out) == {"query:a": value}
    [_, [cell]] = csv.reader(run("--csv", "-g", "{query:a}", url).lines)
    assert cell == run("-g", "{query:a}", url).lines[0]
    assert "\n" not in cell


@pytest.mark.parametrize("key", ["a", "href", "hostname", "error"])
def test_a_value_is_any_text_whatever_its_key_is(key: str) -> None:
    assert run("-g", f"{{query:{key}}}", f"http://h/?{key}=%1B%E2%80%AE").lines == ["%1B%E2%80%AE"]


# Changes.


@pytest.mark.parametrize(
    ("options", "url", "expected"),
    [
        ("-s scheme=https", "http://h:443/", "https://h/"),
        ("-s protocol=https:", "http://h/", "https://h/"),
        ("-s host=x:9", "http://h:8/", "http://x:9/"),
        ("-s hostname=é", "http://h:8/", "http://xn--9ca:8/"),
        ("-s port=9 -s port=", "http://h:8/", "http://h/"),
        ("-s user=a@ -s password=b", "http://h/", "http://a%40:b@h/"),
        ("-s path=x -s query=a=b -s fragment=c", "http://h/", "http://h/x?a=b#c"),
        ("-s query= -s fragment=", "http://h/?a#b", "http://h/"),
        ("-s search= -s hash=", "http://h/?a#b", "http://h/"),
        ("-s query=a -s search=b", "http://h/", "http://h/?b"),
        ("-s search=b -s query=?a", "http://h/", "http://h/??a"),
        ("-s url=x:y", "http://h/", "x:y"),
        ("-a query=a=b=c -a query=d", "http://h/?x=%7e&y", "http://h/?x=%7e&y&a=b%3Dc&d="),
        ("-a 'query=a b=é&'", "mailto:x", "mailto:x?a+b=%C3%A9%26"),
        ("-a search=a=b", "http://h/?", "http://h/?a=b"),
        ("-a path=a/b -a 'path=c?'", "http://h/x/", "http://h/x/a%2Fb/c%3F"),
        ("-a path=a", "foo://h", "foo://h/a"),
        ("--qtrim utm_*", "http://h/?utm_a=1&b=%7e+&utm_&UTM_c&&d", "http://h/?b=%7e+&UTM_c&&d"),
        ("--qtrim utm_*", "http://h/?utm_a", "http://h/"),
        ("--qtrim utm_*", "http://h/?", "http://h/?"),
        ("--qtrim utm_*", "http://h/?%75tm_a&b", "http://h/?b"),
        ("--qtrim a --qtrim [b-c]?", "http://h/?a&aa&bx&cx&dx&b", "http://h/?aa&dx&b"),
        ("--qtrim *", "http://h/?a&b#c", "http://h/#c"),
        ("--qtrim .*", "http://h/?a&.b", "http://h/?a"),
        ("--qtrim *", "http://h/?a%0Ab=1", "http://h/"),
        ("--sort-query", "http://h/?b=2&a=%7e&&b=1&%61", "http://h/?a=%7e&%61&b=2&b=1"),
        ("--sort-query", "http://h/?%EF%AC%83&%F0%9F%8C%88", "http://h/?%F0%9F%8C%88&%EF%AC%83"),
        ("--sort-query --qtrim a -a query=a=1 -s query=c&a", "http://h/?x", "http://h/?a=1&c"),
        ("--policy crawl", "http://h/index.html?b&utm_x&a#f", "http://h/?a&b"),
        ("--policy crawl/1 -a query=a=1", "http://h/?b", "http://h/?a=1&b"),
        ("--policy whatwg", "http://H/#f", "http://h/#f"),
        ("--policy surt", "http://www.h.example/?b", "example,h)/?b"),
        ("--policy surt", "example,h)/?b", "example,h)/?b"),
        ("--policy SurtPolicy(with_scheme=True)", "http://www.h.example/?b", "http://(example,h)/?b"),
        ("--policy CrawlPolicy(remove_www=True)", "http://www.h.example/?b&a", "http://h.example/?a&b"),
        ("--base http://h/a/ --sort-query", "?b&a", "http://h/a/?a&b"),
        ("--base http://h/a/ --policy crawl", "?b&a", "http://h/a/?a&b"),
        ("--base http://h/a/ --policy crawl -s port=1 -g {port}{search}", "?b&a", "1?a&b"),
        ("--base http://h/a/ -g {pathname}{query:b}", "?b=1", "/a/1"),
        ("--policy crawl -g {query:b}{query:a}{hash}{error}", "http://h/?b=1&a=2#f", "12"),
        ("-g {redacted}", "http://u:p@h/?token=1&b", "http://REDACTED:REDACTED@h/?token=REDACTED&b"),
        ("-g {redacted} -a query=pin=1 -s username=u", "http://h/", "http://REDACTED@h/?pin=REDACTED"),
        ("-g {redacted} --base http://h/a/", "b?token=1", "http://h/a/b?token=REDACTED"),
        ("-g '{redacted} {hostname} {query:pin}{error}'", "http://u@h/?pin=1", "http://REDACTED@h/?pin=REDACTED h 1"),
        (
            "-g '{input} {redacted} {template} {href}'",
            "HTTP://h/5?pin=1",
            "HTTP://h/5?pin=1 http://h/5?pin=REDACTED /{int} http://h/5?pin=1",
        ),
        (
            "-g '{redacted} {template}{error}' --policy crawl",
            "http://h/5?b&pin=1&a#f",
            "http://h/5?a&b&pin=REDACTED /{int}",
        ),
        ("-g '{error}{template}{redacted}'", "x:y", "/{opaque}x:y"),
        (
            "-g '{redacted} {href}' --as-idn",
            "http://me:x@münchen.example/",
            "http://REDACTED:REDACTED@münchen.example/ http://me:x@münchen.example/",
        ),
        ("-g '{redacted} {group:id}' --match http://h/:id", "http://h/5", "http://h/5 5"),
        ("-g {template}", "http://h/a/5?pin=1", "/a/{int}"),
        ("-g {template} -s pathname=/b/7.html --base http://h/", "x", "/b/{int}.html"),
    ],
)
def test_changes(options: str, url: str, expected: str) -> None:
    assert run(*shlex.split(options), url) == (0, f"{expected}\n", "")


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ("-s foo=1", "-s takes PART=VALUE"),
        ("-s host", "-s takes PART=VALUE"),
        ("-a host=x", "-a takes query=NAME=VALUE"),
        ("-a query", "-a takes"),
        ("-a path=..", "-a path=..: a segment cannot be . or ..,"),
        (
            "--policy x",
            "--policy must be whatwg, crawl or surt, with /1 or without, whatwg-no-fragment, or CrawlPolicy",
        ),
        (
            "--policy CrawlPolicy(www=True)",
            "--policy: CrawlPolicy has no setting 'www'; its settings are name, version",
        ),
        ("--policy SurtPolicy(keep_www=True) -g {host}", "only {href}"),
        ("--base x", "--base: missing-scheme"),
        ("--policy surt -g {host}", "only {href}"),
        ("--policy surt --json", "only {href}"),
        ("--policy surt -g {template}", "the policy surt does not give URLs: only {href}, {input} and {error} go with"),
        ("--redact", "unrecognized"),
        ("--template", "unrecognized"),
        ("--threads 0", "argument --threads: N is a number that is at least 1, not '0'"),
        ("--policy surt --as-idn", "only {href}"),
        ("--csv --json", "not allowed with"),
        ("--invalid x", "file="),
        ("--parquet a -o b", "one too many"),
        ("--threads x", "argument --threads: N is a number that is at least 1, not 'x'"),
        ("--parquet a --arrow b", "--parquet is not allowed with --arrow"),
        ("--log %r --column u", "--log does not go with --column"),
        ("--jso", "unrecognized"),
    ],
)
def test_wrong_options(options: str, said: str) -> None:
    ended = run(*options.split(), "http://h")
    assert (ended.status, ended.out) == (2, "")
    assert said in ended.err


@pytest.mark.parametrize(
    ("options", "url", "error"),
    [
        ("-s port=x", "http://h/", "port-invalid"),
        ("-s port=8", "mailto:x", "ignored"),
        ("-a path=x", "mailto:x", "ignored"),
        ("-s host=a|b", "http://h/", "domain-to-ASCII"),
        ("-s port=99999 --policy crawl", "http://h", "port-out-of-range"),
        ("--policy crawl", "http://h:x", "port-invalid"),
        ("-s port=8 --json -g {error}", "y", "missing-scheme-non-relative-URL"),
    ],
)
def test_changes_that_fail(options: str, url: str, error: str) -> None:
    ended = run("-g", "{error}", *options.split(), stdin=f"{url}\n")
    assert error in ended.out
    assert ended.err == f"weburl: 1 of 1 lines is not a URL ({error}: 1)\n"
    assert error in run(*options.split(), url).err


def test_hosts_for_people() -> None:
    urls = [
        "http://u:xn--9ca@xn--9ca:8/xn--9ca", "http://xn--pple-43d.com", "foo://xn--9ca/", "http://a.xn--9ca.co.uk",
        "http://[::1]/", "http://xn--4dbc/", "x:xn--9ca",
    ]  # fmt: skip
    ended = run("--as-idn", "-g", "{href} {host} {hostname} {origin} {registrable_domain} {public_suffix}", *urls)
    assert ended.lines == [
        "http://u:xn--9ca@é:8/xn--9ca é:8 é http://é:8  é",
        "http://xn--pple-43d.com/ xn--pple-43d.com xn--pple-43d.com http://xn--pple-43d.com xn--pple-43d.com com",
        "foo://xn--9ca/ xn--9ca xn--9ca null  ",
        "http://a.é.co.uk/ a.é.co.uk a.é.co.uk http://a.é.co.uk é.co.uk co.uk",
        "http://[::1]/ [::1] [::1] http://[::1]  ",
        "http://אב/ אב אב http://אב  אב",
        "x:xn--9ca   null  ",
    ]
    assert json.loads(run("--as-idn", "--json", urls[0]).out)["href"] == "http://u:xn--9ca@é:8/xn--9ca"
    assert run("--as-idn", "--csv", "-g", "{href}", "http://xn--9ca/").out == "href\nhttp://é/\n"


# Lines that are not URLs.


def test_invalid() -> None:
    given = b"http://a/\nb\n\nhttp://c:x/\nhttp://d/\n"
    summary = "weburl: 3 of 5 lines are not URLs (missing-scheme-non-relative-URL: 2, port-invalid: 1)\n"
    assert run(stdin=given) == (0, "http://a/\n\n\n\nhttp://d/\n", summary)
    assert run("--verify", stdin=given) == (1, "http://a/\n\n\n\nhttp://d/\n", summary)
    assert run("--invalid", "drop", stdin=given) == (0, "http://a/\nhttp://d/\n", summary)
    assert run("--invalid", "drop", "--csv", "-g", "{host}", stdin=given).out == "host\na\nd\n"
    assert run("--invalid", "drop", "-g", "{error}{input}", stdin=given).out == "http://a/\nhttp://d/\n"
    ended = run("--invalid", "fail", "-g", "{host}", stdin=given)
    assert (ended.status, ended.out) == (1, "a\n")
    assert ended.err.startswith("weburl: standard input:2: missing-scheme-non-relative-URL in 'b': ")
    assert run("--verify", "http://a") == (0, "http://a/\n", "")


def test_invalid_arguments() -> None:
    ended = run("http://a", "b", "http://u:secret@c:x", "http://d", "--verify")
    assert (ended.status, ended.out) == (1, "http://a/\n\n\nhttp://d/\n")
    first, second = ended.err.splitlines()
    assert first.startswith("weburl: missing-scheme-non-relative-URL in 'b': ")
    assert second.startswith("weburl: port-invalid in 'http://***@c:x': ")


def test_the_first_that_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message has its line, wherever the pieces are cut."""
    path = tmp_path / "lines"
    path.write_bytes(b"http://h/\n" * 1000 + b"http://h:x/\n" + b"http://h/\n" * 1000)
    monkeypatch.setattr(byte_stream, "BLOCK", 512)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 100)
    for more in ([], ["--sort-query"], ["--policy", "crawl"], ["--threads", "1"], ["--json"]):
        out = tmp_path / "out"
        ended = run("-f", str(path), "--invalid", "fail", "-o", str(out), *more)
        assert ended.status == 1
        assert ended.err.startswith(f"weburl: {path}:1001: port-invalid in 'http://h:x/': ")
        assert os.listdir(tmp_path) == ["lines"]
        # The rows before it are printed, and no more.
        ended = run("-f", str(path), "--invalid", "fail", "-g", "{hostname}", *more)
        assert (ended.status, ended.out) == (1, ('{"hostname":"h"}\n' if more == ["--json"] else "h\n") * 1000)
        assert ended.err.startswith(f"weburl: {path}:1001: ")


def test_what_messages_hide() -> None:
    for arguments in (
        ["--base", "http://u:hunter2@a b/"],
        ["http://u:hunter2@h:x"],
        ["-s", "port=x", "http://u:hunter2@h"],
    ):
        ended = run(*arguments)
        assert ended.err
        assert "hunter2" not in ended.err
    for text in ("\x1b[31m", "\x9b", "\u202e", "\r"):
        for arguments in (["-f", text], [f"--{text}"], ["-g", f"{{{text}}}"], [text], ["--base", text], ["-s", text]):
            assert run(*arguments).err.replace("\n", "").isprintable()


# Threads.


@pytest.mark.parametrize(
    "more",
    [
        [],
        ["--json"],
        ["--csv"],
        ["-g", "{query:q}{input}{error}"],
        ["--sort-query"],
        ["--as-idn"],
        ["--policy", "crawl"],
        ["--policy", "crawl", "--json"],
        ["--invalid", "drop"],
    ],
)
def test_pieces_in_order(more: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"http://h{n % 7}.example/{'x' * (n % 50)}?q={n}&a" if n % 11 else f"no {n}" for n in range(2000)]
    path = tmp_path / "lines"
    path.write_bytes(lines(texts))
    whole = run("-f", str(path), "--threads", "1", *more)
    monkeypatch.setattr(byte_stream, "BLOCK", 4096)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 300)
    for threads in ("1", "2", "5"):
        assert run("-f", str(path), "--threads", threads, *more) == whole
    assert whole.err == "weburl: 182 of 2,000 lines are not URLs (missing-scheme-non-relative-URL: 182)\n"


def test_pieces_of_a_policy() -> None:
    urls = [url for url in URLS if URL.can_parse(url)]
    assert run("--policy", "crawl", stdin=lines(urls)).lines == [canonicalize(url) for url in urls]


def test_what_is_not_asked_for_has_no_secrets(tmp_path: Path) -> None:
    """With {redacted}, messages have none, nor has the file of rows that fail."""
    secret, rejects = "http://u:hunter22@a b/?token=hunter22", tmp_path / "rejects"
    for more in ([], ["--invalid", "fail"], ["--sort-query"], ["--json"], ["--invalid", f"file={rejects}"]):
        done = run("-g", "{redacted}", *more, secret, "/?token=hunter22")
        written = rejects.read_text() if rejects.exists() else ""
        assert done.status == 1
        assert "hunter22" not in done.out + done.err + written
        assert "token=REDACTED" in done.err + written
        assert "token=***" in run("-g", "{href}", *more, secret).err or rejects.exists()


def test_pieces_of_redaction() -> None:
    urls = [url for url in URLS if URL.can_parse(url)]
    found = run("-g", "{redacted}\\t{template}\\t{href}", stdin=lines(urls)).lines
    assert found == [f"{redact(url)}\t{path_template(url)}\t{URL(url).href}" for url in urls]
    for field, function in (("redacted", redact), ("template", path_template)):
        assert run("-g", f"{{{field}}}", stdin=lines(urls)).lines == [function(url) for url in urls]


# Help.


def test_help() -> None:
    ended = run("--help")
    assert ended.status == 0
    assert EXAMPLES in ended.out
    for status in ("0 ", "1 ", "2 ", "3 ", "130", "141"):
        assert f"\n  {status}" in ended.out


# Of the standard. docs/conformance.md has it, too.
STANDARD = "2 July 2026 with the changes up to 7 October 2026"


def test_version() -> None:
    versions = f"weburl {metadata.version('weburl')}, the URL Standard of {STANDARD}"
    assert run("--version").out == f"{versions}, kernels: {kernel_name()}\n"
    for arguments in (("--version", "http://h/"), ("dedup", "--version"), ("join", "--with", "no", "--version")):
        assert run(*arguments).out == run("--version").out
    page = Path(__file__).resolve().parent.parent / "docs" / "conformance.md"
    assert f"as of {STANDARD} " in page.read_text("utf-8")


def test_nothing_that_takes_long_to_load() -> None:
    # On 3.14, argparse itself loads them, for its colours.
    loaded = ["dataclasses", "inspect"] if sys.version_info[:2] == (3, 14) else []
    program = (
        "import sys; from weburl.cli import main; status = main(['-g', '{hostname} {query:a}', 'http://h/?a=1'])\n"
        "print(int(status), sys.modules.keys() & {'dataclasses', 'inspect', 'concurrent.futures', 'csv', 'shutil', "
        "'tempfile', 'weburl._literal', 'idna', 'weburl._unicode.idna', "
        "'pyarrow', 'tqdm', 'publicsuffixlist', 'unicodedata'}"
        f" - set({loaded}))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout == "h 1\n0 set()\n"


@pytest.mark.parametrize("invalid", ["keep", "drop"])
@pytest.mark.parametrize("format", ["{hostname}", "{pathname}", "{hostname} {search}|{pathname}", "x", "{hash}{port}"])
def test_lines_of_columns_as_they_are(format: str, invalid: str, tmp_path: Path) -> None:
    lengths = [(n, m) for n in (1, 15, 16, 31, 32, 33, 64) for m in (0, 20, 40, 300)]
    urls = [f"http://{'h' * n}/{'p' * m}?{'q' * (n % 3)}" for n, m in lengths]
    urls[5:5] = ["no URL", "http://h:8/#f", ""]
    path = tmp_path / "lines"
    # Each number of rows, as the end of the last text is the end of the memory.
    for count in range(len(urls) + 1):
        path.write_text("\n".join(urls[:count]))
        expected = []
        for url in map(URL.parse, path.read_text().splitlines()):
            if url is not None:
                names = "hostname", "pathname", "search", "hash", "port"
                expected.append(format.format(**{name: getattr(url, name) for name in names}))
            elif invalid == "keep":
                expected.append("")
        ended = run("-f", str(path), "-g", format, "--invalid", invalid)
        assert ended.out == "".join(f"{line}\n" for line in expected)
