"""--match, --not-match and --routes: URLs by patterns, {route} and {group:NAME}."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from support.command import run, url_of_line

from weburl import URL, URLPattern
from weburl._arrow import input
from weburl._arrow.job import Job
from weburl._patterns.columns import matches
from weburl._verbs.columns import FIELDS
from weburl.cli.readers.rows.text_column import kept_lines, kept_rows
from weburl.patterns import PatternList

LINES = [
    "https://www.example.com/books/7?x#y", "HTTPS://API.example.com:443/./books/8", "https://example.com/books/9",
    "http://a.example.com/books/10", "https://a.example.com/books/", "https://a.example.com/books/é", "ftp://h/books/1",
    "data:,x", "file:///books/2", "no URL", "", "/books/11", "//b.example.com/books/12", "http://a b/",
    "https://bücher.example.com/books/13\r", "https://h/" + "x" * 3000, "https://a.example.com/books/14\r\r",
]  # fmt: skip
PATTERNS = ["https://*.example.com/books/:id", "*://*/books/:id", "http{s}?://:host/*", "data:*", "https://*.com/*"]
ROUTES = "// comment\nbook\thttps://:sub.example.com/books/:id\n\nftp://*/*\n \u00e9 \thttp{s}?://*/books/:id?\n"
TEXT = "\n".join(LINES)


def read(line: str, base: str | None = None) -> URL | None:
    """The URL of a line: one carriage return belongs to the newline."""
    return url_of_line(line.removesuffix("\r"), base)


@pytest.fixture
def routes(tmp_path: Path) -> str:
    path = tmp_path / "routes.txt"
    path.write_text(ROUTES, "utf-8")
    return str(path)


@pytest.mark.parametrize("base", [None, "https://www.example.com/books/"])
@pytest.mark.parametrize("option", ["--match", "--not-match"])
@pytest.mark.parametrize("patterns", [*([one] for one in PATTERNS), PATTERNS[1:3], PATTERNS[:1] * 2], ids=str)
def test_filter(option: str, patterns: list[str], base: str | None) -> None:
    def stays(url: URL) -> bool:
        return any(URLPattern(pattern, base).test(url) for pattern in patterns) == (option == "--match")

    urls = [url for line in LINES if (url := read(line, base)) is not None]
    right = [url.href for url in urls if stays(url)]
    given = [argument for pattern in patterns for argument in (option, pattern)]
    bases = [] if base is None else ["--base", base]
    done = run(*given, *bases, stdin=TEXT)
    assert (done.status, done.lines) == (0, right)
    counted = sum(read(line, base) is None for line in LINES)
    assert f"{counted} of {len(LINES)} lines " in done.err
    # The same with arguments, other kinds of input, and other formats.
    assert run(*given, *bases, "--", *LINES).lines == right
    records = "".join(json.dumps({"u": line}) + "\n" for line in LINES)
    assert run(*given, *bases, "--field", "u", stdin=records).lines == right
    found = [json.loads(line) for line in run(*given, *bases, "--json", "-g", "{href} {input}", stdin=TEXT).lines]
    assert [record["href"] for record in found] == right
    inputs = [line.removesuffix("\r") for line in LINES]
    kept = [line for line in inputs if (url := url_of_line(line, base)) is not None and stays(url)]
    assert [record["input"] for record in found] == kept
    for invalid in ("keep", "drop"):
        done = run(*given, *bases, "--invalid", invalid, "--verify", stdin=TEXT)
        assert (done.status, done.lines) == (1, right)


def test_groups() -> None:
    pattern = URLPattern(PATTERNS[0])
    done = run(
        "--match", PATTERNS[0], "-g", "{group:id}|{group:hostname.0}|{group:pathname.id}|{group:hash.0}", stdin=TEXT
    )
    right = []
    for line in LINES:
        url = read(line)
        found = None if url is None else pattern.exec(url)
        if found is not None:
            id, host, hash = found["id"], found.hostname.groups["0"], found.hash.groups["0"]
            right.append(f"{id}|{host}|{id}|{hash}")
    assert done.lines == right
    assert len(right) > 4
    # Of the first of several patterns that matches. A group that took no part, or that this pattern lacks, is null.
    options = ["--match", "https://:sub.example.com/*", "--match", "*://*/books/:id", "--json"]
    done = run(*options, "-g", "{group:sub} {group:id} {scheme} {query:x}", stdin="\n".join(LINES[:4] + LINES[-2:-1]))
    assert [json.loads(line) for line in done.lines] == [
        {"group:sub": sub, "group:id": id, "scheme": scheme, "query:x": query}
        for sub, id, scheme, query in (
            ("www", None, "https", ""), ("API".lower(), None, "https", None), (None, "9", "https", None),
            (None, "10", "http", None),
        )
    ]  # fmt: skip


def test_routes(routes: str) -> None:
    patterns = PatternList.read(routes)
    assert [key for key, _ in patterns] == ["book", "ftp://*/*", "é"]
    done = run("--routes", routes, "-g", "{route}|{group:id}|{group:sub}|{hostname}", stdin=TEXT)
    right = []
    for line in LINES:
        url = read(line)
        found = None if url is None else patterns.first(url)
        key, id, sub = "(none)", None, None
        if found is not None:
            key, id, sub = found[0], found[1].get("id"), found[1].get("sub")
        right.append("" if url is None else f"{key}|{id or ''}|{sub or ''}|{url.hostname}")
    assert (done.status, done.lines) == (0, right)
    assert {line.partition("|")[0] for line in right} == {"book", "ftp://*/*", "é", "(none)", ""}
    # With --match, the groups are those of the route.
    done = run(
        "--routes", routes, "--match", "https://*.example.com/*", "--csv", "-g", "{route} {group:id}", stdin=TEXT
    )
    assert done.lines[:3] == ["route,group:id", "book,7", "book,8"]
    assert done.lines[3] == "(none),"


def test_the_url_as_it_is_read_is_matched(routes: str) -> None:
    url = "http://a.example.com/books/7?b&a"
    changes = ["-s", "path=/x", "-s", "scheme=https", "--sort-query"]
    assert run("--match", "http://*/books/:id", *changes, "-g", "{href} {group:id}", url).lines == [
        "https://a.example.com/x?a&b 7"
    ]
    assert run("--match", "https://*/*", *changes, url).lines == []
    assert run("--routes", routes, *changes, "-g", "{route} {pathname}", url).lines == ["é /x"]
    assert run("--match", "http://*/books/:id", "--policy", "surt", url).lines == ["com,example,a)/books/7?a&b"]
    assert run("--routes", routes, "--policy", "crawl", "-g", "{route} {href}", url).lines == [
        "é http://a.example.com/books/7?a&b"
    ]
    assert run(
        "--match", "*://*.example/*", "--as-idn", "-g", "{hostname} {group:hostname.0}", "http://B\u00dcCHER.example/"
    ).lines == ["b\u00fccher.example xn--bcher-kva"]
    # A change that fails is a line that is not a URL; what the filter leaves out is not changed.
    done = run("--match", "http://*/a", "-s", "port=x", stdin="http://h/a\nhttp://h/b\n")
    assert done.lines == [""]
    assert "1 of 2 lines is not a URL (port-invalid: 1)" in done.err


def test_relative_patterns(tmp_path: Path) -> None:
    base = "https://www.example.com/a/"
    assert run("--base", base, "--match", "/books/:id", "-g", "{group:id}", "/books/1", "books/2").lines == ["1"]
    (tmp_path / "r").write_text("b\t/books/:id\nother\thttps://*/*\n")
    done = run(
        "--base", base, "--routes", str(tmp_path / "r"), "-g", "{route}", "/books/1", "https://x.example/books/2"
    )
    assert done.lines == ["b", "other"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--match", "https://h/(a"], "--match: a regular expression lacks its closing parenthesis in the pathname:"),
        (["--not-match", "/books"], "weburl: --not-match: a relative pattern needs a base"),
        (["-g", "{route}"], "weburl: {route} needs --routes FILE"),
        (["--match", "*://*", "-g", "{route}"], "weburl: {route} needs --routes FILE"),
        (["-g", "{group:id}"], "weburl: {group:NAME} needs --match PATTERN or --routes FILE"),
        (["--not-match", "*://*/:id", "-g", "{group:id}"], "{group:NAME} needs --match PATTERN or --routes FILE"),
        (["--match", "*://*", "-g", "{group:id}"], "weburl: no group is named 'id'"),
        (["--match", "*://:id/:id", "-g", "{group:hostname.id} {group:id}"], "weburl: no group is named 'id'"),
        (["-g", "{route:x}"], "weburl: {route:x}: only query, query-all, group and column take a name, as in "),
        (["-g", "{group}"], "weburl: no field is named {group}: "),
        (["--match"], "weburl: argument --match: expected one argument"),
    ],
)  # fmt: skip
def test_wrong_options(arguments: list[str], said: str) -> None:
    done = run(*arguments, "--", "http://h") if arguments != ["--match"] else run(*arguments)
    assert (done.status, done.out) == (2, "")
    assert said in done.err


def test_the_place_is_shown(tmp_path: Path) -> None:
    done = run("--match", "https://h/:a\u202e(x", "http://h")
    assert done.err.splitlines()[1:] == [
        "weburl: --match: a regular expression lacks its closing parenthesis in the pathname:",
        "  https://h/:a\\u202e(x",
        "                    ^",
    ]
    path = tmp_path / "routes.txt"
    path.write_text("// a\n\nkey\thttps://h/:a(x\n")
    done = run("--routes", str(path), "-g", "{route}", "http://h")
    assert done.status == 2
    first, *lines = done.err.splitlines()[1:]
    assert first.endswith("line 3: a regular expression lacks its closing parenthesis in the pathname:")
    assert lines == ["  https://h/:a(x", "              ^"]
    # What may be credentials is hidden, and then no text is shown.
    path.write_text("key\thttps://user:hunter2@h/:a(x\n")
    done = run("--routes", str(path), "-g", "{route}", "http://h")
    assert done.status == 2
    assert "hunter2" not in done.err
    assert "line 1: a regular expression lacks its closing parenthesis in the pathname at 25" in done.err


def test_a_route_has_another_name_than_none(tmp_path: Path) -> None:
    path = tmp_path / "routes.txt"
    for line in ("(none)\thttp://c/", "a\thttp://a/\n (none) \thttp://c/"):
        path.write_text(f"{line}\n")
        for command in (["-g", "{route}"], ["stats", "--by", "route", "-f"]):
            done = run(*command[:-1] if command[-1] == "-f" else command, "--routes", str(path), stdin="http://c/\n")
            assert (done.status, done.out) == (2, "")
            assert done.err.endswith(
                "routes.txt': {route} prints (none) for a URL that matches no pattern: no route can have this name\n"
            )
        done = run("learn", "--update", str(path), stdin="http://c/\n")
        assert (done.status, done.out) == (2, "")
        assert "routes.txt': {route} prints (none) for" in done.err
    path.write_text("none\thttp://c/\n(None)\thttp://d/\n")
    assert run("--routes", str(path), "-g", "{route}", stdin="http://c/\nhttp://d/\nhttp://e/\n").lines == [
        "none", "(None)", "(none)",
    ]  # fmt: skip


def test_files_of_routes_that_cannot_be_read(tmp_path: Path, routes: str) -> None:
    done = run("--routes", str(tmp_path / "none"), "-g", "{route}", "http://h")
    assert (done.status, done.out) == (3, "")
    assert "no such file" in done.err
    (tmp_path / "latin").write_bytes(b"https://h/\xe9\n")
    done = run("--routes", str(tmp_path / "latin"), "-g", "{route}", "http://h")
    assert (done.status, done.out) == (3, "")
    assert done.err.endswith("latin: it is not in UTF-8\n")
    done = run("--routes", routes, "http://h")
    assert done.status == 2
    assert "--routes FILE is for {route} or {group:NAME} in -g" in done.err


def test_invalid_fail() -> None:
    done = run("--match", PATTERNS[0], "--invalid", "fail", stdin=TEXT)
    assert done.status == 1
    assert done.lines == [URL(LINES[0]).href, URL(LINES[1]).href, URL(LINES[5]).href]
    assert "standard input:10: " in done.err


def test_with_hosts(tmp_path: Path) -> None:
    (tmp_path / "hosts").write_text("=www.example.com\n")
    done = run("--match", PATTERNS[0], "--not-hosts", str(tmp_path / "hosts"), "-g", "{group:id}", stdin=TEXT)
    assert done.lines == ["8", "%C3%A9", "13", "14"]


def test_many_pieces(tmp_path: Path) -> None:
    lines = [f"https://{index % 7 or 'www'}.example.com/{'b' * (index % 5)}/{index}" for index in range(40_000)]
    lines[100:100] = ["no URL", ""]
    path = tmp_path / "links.gz"
    path.write_bytes(gzip.compress("\n".join(lines).encode()))
    pattern = URLPattern("https://www.example.com/:b/:id")
    right = [f"{found['id']} {URL(line).href}" for line in lines if (found := pattern.exec(line)) is not None]
    assert len(right) > 4000
    for threads in ("1", "2", "4"):
        done = run(
            "--match",
            "https://www.example.com/:b/:id",
            "--threads",
            threads,
            "-g",
            "{group:id} {href}",
            "-f",
            str(path),
        )
        assert done.lines == right


def test_kept_rows_and_lines() -> None:
    data = b"http://a/\r\nb\xff\n\nhttp://c/\r\r\nhttp://\xc3\xa9/x\n\xf0\x9f\n"
    rows = input.from_lines(data)
    job = Job(matches(URLPattern()._matching(), ["pattern_test"]))
    found = job.run(rows, 0, len(data))
    assert found is not None
    assert kept_rows([found], (True,)) == b"\1\0\0\1\1\0"
    assert kept_rows([found], (False,)) == bytes(6)
    assert kept_rows([found, found], (True, False)) == bytes(6)
    assert (
        kept_lines(rows, 0, len(data), b"\1" * 6)
        == "http://a/\nb\ufffd\n\nhttp://c/\r\r\nhttp://é/x\n\ufffd\n".encode()
    )
    assert kept_lines(rows, 0, len(data), b"\1\0\0\1\1\0") == "http://a/\nhttp://c/\r\r\nhttp://é/x\n".encode()
    assert kept_lines(rows, 0, len(data), bytes(6)) == b""
    href = Job([FIELDS["href"]]).run(rows, 0, len(data))
    assert href is not None
    for batches, answers in (([href], (True,)), ([found], (True, True))):
        with pytest.raises(ValueError, match=r"a filter has a bool|shorter|longer"):
            kept_rows(batches, answers)
