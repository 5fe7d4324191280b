"""Columns give, row by row, what the scalar functions give."""

from __future__ import annotations

import gc
import io
import itertools
import math
import mmap
import os
import random
import signal
import sys
import threading
import time
import weakref
from functools import partial
from pathlib import Path
from typing import Any, Literal

import pytest
from support import arrow, hostile
from support.fields import FIELDS
from support.peak import stays_below

from weburl import URL, InvalidURL, join, normalize
from weburl._arrow import input
from weburl._arrow.cutting import whole_lines
from weburl._arrow.job import Job
from weburl._core.parser import set_max_length
from weburl._verbs.columns import decoded as decoded_texts
from weburl.bulk import (
    Column,
    Table,
    can_parse_many,
    component_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    percent_decode_many,
    query_get_many,
    query_pairs_many,
)
from weburl.percent import percent_decode_text

ON_ERROR: tuple[Literal["null", "raise"], ...] = ("null", "raise")
HOSTILE = [case.url for case in itertools.islice(hostile.inputs(4), 3000)]
# What is not stored as it is written; short and long, so that views are of both kinds.
OWN: list[str | None] = [
    "https://user:secret@Example.com:8080/a/../b?x=1&y=%C3%A9+z&x=2#f",
    "http://ü.example/ä?ü#ß",
    None,
    "no URL",
    "",
    "http://[1::2]:80/",
    "blob:https://ü.example:9/x",
    "blob:https://%C3%BC.example:9/x",
    "blob:ftp://example.com/x",
    "blob:https://user:secret@example.com/a/long/path/behind/it",
    "ws://user:secret@a.very.long.example.com:81/",
    "mailto:somebody@example.com?subject",
    "file:///C|/x",
    "https://example.com/a/long/path/that/is/its/own/serialization?a=b#c",
    " \thttp://exa\tmple.com/tabs\nin it ",
    "http://1.2.3/",
    "x://opaque%20host/",
    "http://h:99999/",
]


def expected(url: str | None, base: str | None = None) -> dict[str, Any]:
    if url is None:
        return dict.fromkeys([*FIELDS, "error"])
    try:
        parsed = URL(url, base)
    except InvalidURL as error:
        return {**dict.fromkeys(FIELDS), "error": error.error}
    return {**{field: getattr(parsed, field) for field in FIELDS}, "error": None}


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_ROWS", 100)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 1000)


# In a build with offsets of 16 bits, a view is of 16 KiB at most.
@pytest.mark.parametrize(
    ("base", "views"),
    [
        pytest.param(base, views, marks=[pytest.mark.long] * (views and base is not None and ":/" in base))
        for base in (None, "https://user:secret@example.com/a/b?c#d", "mailto:x", "file:///C:/a/b")
        for views in (False, True)
    ],
)
def test_rows_are_what_the_scalar_api_gives(base: str | None, views: bool) -> None:
    urls = [*OWN, *HOSTILE]
    table = parse_many(urls, base=base, views=views)
    rows = [expected(url, base) for url in urls]
    assert table.to_pylist() == rows
    assert arrow.read_stream(table) == rows
    assert table.column_names == (*FIELDS, "error")
    assert table.errors == {name: [row["error"] for row in rows].count(name) for name in table.errors}
    assert sum(table.errors.values()) == sum(row["error"] is not None for row in rows)


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("field", [*FIELDS, "error"])
def test_a_single_column(field: str, views: bool) -> None:
    """For a column that needs only the host, the parser stops before the path; the result is the same."""
    urls = [*OWN, *HOSTILE]
    column = component_many(urls, field, views=views)
    assert column.to_pylist() == arrow.read_stream(column) == [expected(url)[field] for url in urls]


def test_origins_of_blobs() -> None:
    """They are written to the arena that also holds the URLs, and that moves when it is full."""
    for length in range(1, 60):
        host = "https://" + "a" * length + ".example"
        columns = [component_many([f"blob:{host}/é"], "origin", views=True) for _ in range(10)]
        assert [column.to_pylist() for column in columns] == [[host]] * 10
    urls = [f"blob:https://a{index}.example.com/é" for index in range(5000)]
    assert component_many(urls, "origin", views=True).to_pylist() == [expected(url)["origin"] for url in urls]


def test_fields_are_given_in_their_order() -> None:
    table = parse_many(OWN, ["pathname", "error", "host"])
    assert table.column_names == ("pathname", "error", "host")
    assert table["host"].to_pylist() == [expected(url)["host"] for url in OWN]
    assert arrow.read_stream(table["error"]) == table["error"].to_pylist()
    assert [list(row) for row in table] == [["pathname", "error", "host"]] * len(OWN)
    with pytest.raises(KeyError, match="hash"):
        table["hash"]


def test_can_parse_and_normalize() -> None:
    urls = [*OWN, *HOSTILE]
    hrefs = [expected(url)["href"] for url in urls]
    assert normalize_many(urls).to_pylist() == hrefs
    parses = [None if url is None else href is not None for url, href in zip(urls, hrefs, strict=True)]
    assert can_parse_many(urls).to_pylist() == arrow.read_stream(can_parse_many(urls)) == parses
    relative = can_parse_many(urls, "http://h/").to_pylist()
    assert relative == [None if url is None else URL.can_parse(url, "http://h/") for url in urls]


def test_join() -> None:
    bases: list[str | None] = ["http://a/b/c", "http://a/b/c", None, "no base", "file:///C:/x", "http://ü/", "x:/y?z"]
    refs = [ref for ref in OWN for _ in bases]
    column = bases * len(OWN)

    def joined(base: str | None, ref: str | None) -> str | None:
        try:
            return None if base is None or ref is None else join(base, ref)
        except InvalidURL:
            return None

    result = join_many(column, refs)
    assert result.to_pylist() == list(map(joined, column, refs))
    assert result.errors["base"] == len([ref for ref in OWN if ref is not None])
    assert join_many("http://a/b/c", OWN).to_pylist() == [joined("http://a/b/c", ref) for ref in OWN]
    assert join_many(URL("http://a/b/c"), OWN).to_pylist() == [joined("http://a/b/c", ref) for ref in OWN]
    with pytest.raises(InvalidURL, match="no base"):
        join_many("no base", OWN)
    with pytest.raises(ValueError, match="1 bases for 2 references"):
        join_many(["http://a/"], ["b", "c"])
    with pytest.raises(InvalidURL, match=r"row 1: base: The base 'x' ") as raised:
        join_many(["http://a/", "x"], ["b", "c"], on_error="raise")
    assert (raised.value.row, raised.value.input, raised.value.base) == (1, "c", "x")


@pytest.mark.usefixtures("small_pieces")
def test_bases_and_references_in_other_chunks() -> None:
    refs = arrow.AsStream([["a"] * 130, [], ["b"] * 70, ["c"] * 300], "u")
    bases = arrow.AsStream([["http://x/"] * 1, ["http://y/"] * 249, ["http://z/"] * 250], "vu")
    hosts = ["x"] + ["y"] * 249 + ["z"] * 250
    names = ["a"] * 130 + ["b"] * 70 + ["c"] * 300
    column = join_many(bases, refs, threads=2)
    assert column.to_pylist() == [f"http://{host}/{name}" for host, name in zip(hosts, names, strict=True)]


def test_percent_decode() -> None:
    texts = ["", None, "plain", "a%20b+c", "%", "%4", "%C3%A9", "%ff%FE", "é%C3%A9", "\ud800", "x" * 300, "%41" * 300]
    texts += ["%F0%9F%98%80", "%ED%A0%80", "%f0%9f%98", "%c3%28", "日本語", "%00"]
    errors: Literal["replace", "ignore"]
    for errors in ("replace", "ignore"):
        column = percent_decode_many(texts, errors=errors)
        own = [None if text is None else percent_decode_text(text, errors=errors) for text in texts]
        assert column.to_pylist() == arrow.read_stream(column) == own
        assert column.errors == {}
    strict = percent_decode_many(texts, errors="strict")
    failed = {"%ff%FE", "%ED%A0%80", "%f0%9f%98", "%c3%28"}
    assert strict.to_pylist() == [
        None if text in failed or text is None else percent_decode_text(text) for text in texts
    ]
    assert strict.errors == {"invalid-UTF-8": 4}
    with pytest.raises(UnicodeDecodeError, match=r"\(row 7\)"):
        percent_decode_many(texts, errors="strict", on_error="raise")
    with pytest.raises(ValueError, match="errors must be one of"):
        percent_decode_many(texts, errors="xmlcharrefreplace")  # type: ignore[arg-type]


def test_decoded_views() -> None:
    texts = [
        "plain",
        "of more than twelve bytes",
        "%41 of more than twelve bytes",
        None,
        "%41",
        "é of more than twelve",
    ]
    for source in (input.from_objects(texts), *input.from_arrow(arrow.AsArray([texts], "vu", 3))):
        batch = Job([decoded_texts("replace")], views=True).run(source, 0, len(texts))
        assert batch is not None
        decoded = [None if text is None else percent_decode_text(text) for text in texts]
        assert Column([batch]).to_pylist() == arrow.read_stream(Column([batch])) == decoded


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("threads", [1, 2, 5, None])
@pytest.mark.parametrize("views", [False, True])
def test_threads_change_nothing(threads: int | None, views: bool) -> None:
    urls = (OWN + HOSTILE)[:1234] * 2
    rows = list(map(expected, urls))
    table = parse_many(urls, threads=threads, views=views)
    assert len(table) == len(urls)
    assert table.to_pylist() == rows
    assert arrow.read_stream(table) == rows
    # As one array, of batches whose bits do not end with a byte.
    urls = [url for url in urls if url is None or not any("\ud800" <= c <= "\udfff" for c in url)]
    rows = list(map(expected, urls))
    chunks = arrow.AsStream([urls[:77], urls[77:700], urls[700:]], "U")
    table = parse_many(chunks, threads=threads, views=views)
    assert arrow.read_one(table) == rows
    assert table.to_pylist() == rows
    pairs = query_pairs_many(arrow.AsStream([urls[:77], urls[77:]], "U"), threads=threads)
    before = pairs.to_pylist()
    assert [row and [tuple(pair.values()) for pair in row] for row in arrow.read_one(pairs)] == before
    valid = can_parse_many(arrow.AsStream([urls[:77], urls[77:]], "U"), threads=threads)
    assert arrow.read_one(valid) == valid.to_pylist() == [None if url is None else URL.can_parse(url) for url in urls]


def test_one_question_a_host(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def answer(domain: str) -> str | None:
        asked.append(domain)
        return None if "bad" in domain else "xn--" + str(len(domain))

    monkeypatch.setattr("weburl._unicode.idna.cached_domain_to_ascii", answer)
    urls = ["http://ü/", "http://bad.ü/", "http://üü/"] * 5000
    hosts = component_many(urls, "hostname", threads=1)
    assert sorted(asked) == sorted(["ü", "bad.ü", "üü"])
    assert hosts.to_pylist() == ["xn--1", None, "xn--2"] * 5000
    # More of them than a thread keeps answers, in turn, and in many pieces.
    asked.clear()
    many = [f"http://ü{index % 3000}/" for index in range(40000)]
    assert len(set(component_many(many, "hostname", threads=1))) == len({len(f"ü{index}") for index in range(3000)})
    assert sorted(asked) == sorted({f"ü{index}" for index in range(3000)})
    long = "http://" + "ü" * 300 + "/"
    asked.clear()
    assert component_many([long, long], "hostname").to_pylist() == ["xn--300"] * 2
    assert asked == ["ü" * 300] * 2


# Lines.


@pytest.mark.sample(3)
@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("block", [7, 1000, 1 << 20])
@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_lines(block: int, end: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.READ_BYTES", block)
    texts = [text for text in HOSTILE[:300] if not set(text) & set("\r\n") and text.isprintable()]
    lines = [*(text.encode("utf-8", "replace") for text in texts), b"", b"http://\xff\xc3/", b"http://h/" + b"x" * 5000]
    rows = [expected(line.decode("utf-8", "replace")) for line in lines]
    data = end.join(lines)
    path = tmp_path / "lines"
    for whole in (data, data + end):
        path.write_bytes(whole)
        with path.open("rb") as file, path.open("rb") as mapped:
            map_ = mmap.mmap(mapped.fileno(), 0, access=mmap.ACCESS_READ)
            sources: list[Any] = [whole, bytearray(whole), memoryview(whole), path, str(path), file, io.BytesIO(whole)]
            for source in [*sources, map_]:
                for views in (False, True):
                    if hasattr(source, "seek"):
                        source.seek(0)
                    table = parse_lines(source, threads=2, views=views)
                    assert table.to_pylist() == rows
                    assert arrow.read_stream(table) == rows
            del table
            map_.close()


@pytest.mark.parametrize("limit", [20, sys.maxsize])
def test_the_begin_of_a_line_is_read_again(limit: int) -> None:
    draw = random.Random(limit)
    moves: list[tuple[int, int]] = []
    for _ in range(300):
        data = b"\n".join(b"x" * draw.choice((0, 1, 5, 30)) for _ in range(draw.randrange(20)))
        part, enough = draw.randint(1, 40), draw.randint(0, 60)
        file = io.BytesIO(data)

        def seek(offset: int, whence: int, file: io.BytesIO = file) -> None:
            moves.append((offset, whence))
            file.seek(offset, whence)

        for way in (seek, None):
            file.seek(0)
            blocks = list(whole_lines(file, part, enough, limit, seek=way))
            read = [block.data[: block.size] for block in blocks]
            assert b"".join(read) == data
            assert all(text.endswith(b"\n") or block.partial for text, block in zip(read[:-1], blocks, strict=False))
    assert len(moves) > 300
    assert all(offset < 0 and whence == os.SEEK_CUR for offset, whence in moves)


def test_lines_are_counted_as_files_count_them() -> None:
    for data, count in ((b"", 0), (b"\n", 1), (b"a", 1), (b"a\n", 1), (b"a\nb", 2), (b"\n\n", 2), (b"\r\n", 1)):
        assert len(parse_lines(data, ["href"])) == count
        assert len(parse_lines(io.BytesIO(data), ["href"])) == count


def test_a_carriage_return_belongs_to_the_line_that_it_ends() -> None:
    lines = parse_lines(b"http://h/ab\n\rhttp://h/c\r\nhttp://h/d\r", ["href"])
    assert lines.to_pylist() == [{"href": f"http://h/{name}"} for name in ("ab", "c", "d")]


MARK = b"\xef\xbb\xbf"


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("block", [7, 1 << 20])
def test_a_byte_order_mark(block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is left out where the text begins, once; elsewhere it is part of its line."""
    monkeypatch.setattr("weburl._arrow.cutting.READ_BYTES", block)
    line, path = b"http://h/x", tmp_path / "lines"
    lines = [line] * 5
    for data, rows in (
        (MARK, []), (MARK + b"\n", [b""]), (MARK + line, [line]), (MARK + b"\n".join(lines), lines),
        (MARK[:2], [MARK[:2]]), (MARK + MARK + line, [MARK + line]), (b"\n" + MARK, [b"", MARK]),
        (line + b"\n" + MARK + line, [line, MARK + line]),
        (b"x" * 2000 + b"\n" + MARK + line, [b"x" * 2000, MARK + line]), (MARK + b"\r\n" + line, [b"", line]),
    ):  # fmt: skip
        path.write_bytes(data)
        right = [expected(row.decode("utf-8", "replace")) for row in rows]
        for source in (data, bytearray(data), path, io.BytesIO(data)):
            for views in (False, True):
                if isinstance(source, io.BytesIO):
                    source.seek(0)
                assert parse_lines(source, threads=1, views=views).to_pylist() == right
    with pytest.raises(InvalidURL, match="row 1") as raised:
        parse_lines(MARK + line + b"\n" + line[4:], on_error="raise")
    assert (raised.value.row, raised.value.input) == (1, "://h/x")


def test_lines_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        parse_lines(tmp_path / "nothing")
    with pytest.raises(TypeError, match="binary mode"):
        parse_lines(io.StringIO("http://h/"))  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        parse_lines(5)  # type: ignore[arg-type]
    with pytest.raises(InvalidURL, match="row 1: missing-scheme"):
        parse_lines(b"http://h/\nx\ny\n", on_error="raise")
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    with open(reading, "rb", buffering=0) as file, pytest.raises(BlockingIOError, match="non-blocking"):
        parse_lines(file)
    os.close(writing)


def test_a_file_is_not_kept_in_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.READ_BYTES", 1 << 16)
    path = tmp_path / "lines"
    path.write_bytes((b"http://h/" + b"x" * 1000 + b"\n") * 8000)
    for on_error in ON_ERROR:
        assert stays_below(2_000_000, partial(parse_lines, path, ["port"], on_error=on_error))
        assert set(parse_lines(path, ["port"], on_error=on_error)["port"]) == {""}


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes on this platform")
def test_nobody_knows_how_long_a_pipe_is(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    writer = threading.Thread(target=path.write_bytes, args=(b"http://h/\n" * 5,))
    writer.start()
    calls: list[Any] = []
    assert len(parse_lines(path, ["href"], threads=1, progress=lambda *call: calls.append(call))) == 5
    writer.join()
    assert calls == [(50, None)]


@pytest.mark.usefixtures("small_pieces")
def test_progress(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    data = b"http://example.com/\n" * 500
    calls: list[Any] = []
    parse_lines(data, threads=1, progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(data), len(data))
    assert [done for done, _ in calls] == sorted(done for done, _ in calls)
    assert len(calls) == -(-len(data) // 1000)
    parse_lines(io.BytesIO(data), progress=lambda done, total: calls.append((done, total)))
    assert calls[-1] == (len(data), None)
    parse_lines(data, progress=False)
    assert capsys.readouterr().err == ""
    monkeypatch.setitem(sys.modules, "tqdm", None)
    parse_lines(data, progress=True)
    assert "MiB" in capsys.readouterr().err
    with pytest.raises(TypeError, match="progress must be"):
        parse_lines(data, progress=5)  # type: ignore[arg-type]


# Errors.


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("threads", [1, 3])
def test_the_first_failure_is_raised(threads: int) -> None:
    urls: list[str | None] = ["http://example.com/", None] * 300
    for at in (599, 450, 450, 77):
        urls[at] = f"http://user:secret@h:99999/{at}"
        with pytest.raises(InvalidURL) as raised:
            normalize_many(urls, threads=threads, on_error="raise")
        assert (raised.value.row, raised.value.input, raised.value.error) == (at, urls[at], "port-out-of-range")
        assert str(raised.value).startswith(f"row {at}: port-out-of-range in 'http://***@h:99999/{at}': ")
        assert "secret" not in str(raised.value)
    assert normalize_many([None, "http://h"], on_error="raise").to_pylist() == [None, "http://h/"]


def test_what_is_raised_is_what_the_scalar_function_raises() -> None:
    class Text(str):
        def __str__(self) -> str:
            return "something else"

    bad = "http://h:99999/\ud800"
    for url, base in (
        (bad, None),
        (Text(bad), None),
        (bad, "HTTP://EX"),
        (bad, Text("HTTP://EX")),
        (bad, URL("HTTP://EX")),
    ):
        with pytest.raises(InvalidURL) as own:
            URL(url, base)
        for function in (normalize_many, can_parse_many, query_pairs_many):
            with pytest.raises(InvalidURL) as raised:
                function([None, url], base=base, on_error="raise")
            assert raised.value.row == 1
            assert (raised.value.input, raised.value.base, raised.value.error) == (
                own.value.input,
                own.value.base,
                own.value.error,
            )
            assert type(raised.value.input) is str


def test_a_base_of_a_subclass() -> None:
    class Liar(URL):
        @property  # type: ignore[misc]
        def href(self) -> str:
            return "HTTP://Ü/\ud800" + "é" * 100

    class Empty(URL):
        def __init__(self) -> None:
            pass

    for base in (Liar("http://h/a/b"), Liar("http://ü/a/b?c#d")):
        refs = ["x", "?y", "#z", "", "//Ü", "http://h:99999"]
        own = [url and url.href for url in (URL.parse(ref, base) for ref in refs)]
        assert normalize_many(refs, base).to_pylist() == join_many(base, refs).to_pylist() == own
        assert component_many(refs, "href", base=base, views=True).to_pylist() == own
        with pytest.raises(InvalidURL) as raised:
            normalize_many(refs, base, on_error="raise")
        assert raised.value.base == URL(base).href
    with pytest.raises(InvalidURL):
        normalize_many(["x"], Empty())


def test_wrong_arguments() -> None:
    with pytest.raises(TypeError, match="urls must be a column of str, not str: put it into a list"):
        parse_many("http://h/")
    with pytest.raises(TypeError, match=r"not bytes: parse_lines\(\) takes lines"):
        parse_many(b"http://h/")
    with pytest.raises(TypeError, match="urls must be a column of str, not int"):
        parse_many(5)
    with pytest.raises(TypeError, match="row 2 must be a str, a URL or None, not bytes"):
        normalize_many(["http://h/", None, b"http://h/"])
    with pytest.raises(
        ValueError,
        match=r"a field must be one of href, .*, registrable_domain, public_suffix, host_group, not 'domain'",
    ):
        parse_many([], ["href", "domain"])
    with pytest.raises(ValueError, match="each once"):
        parse_many([], ["href", "href"])
    with pytest.raises(ValueError, match="one or more"):
        parse_many([], [])
    with pytest.raises(ValueError, match="threads must be at least 1"):
        parse_many([], threads=0)
    with pytest.raises(TypeError, match="threads must be an int"):
        parse_many([], threads=True)
    with pytest.raises(ValueError, match="on_error must be"):
        parse_many([], on_error="drop")  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="key must be a str"):
        query_get_many([], 5)  # type: ignore[arg-type]
    with pytest.raises(InvalidURL):
        parse_many([], base="x")


def test_the_iterable_is_read_once() -> None:
    class Broken:
        def __iter__(self) -> Any:
            yield "http://h/"
            raise OSError("gone")

    assert normalize_many(url for url in ["http://a", None, "http://b"]).to_pylist() == ["http://a/", None, "http://b/"]
    with pytest.raises(OSError, match="gone"):
        normalize_many(Broken())


def test_str_of_a_subclass_and_of_every_storage_kind() -> None:
    class Text(str):
        def __str__(self) -> str:
            raise AssertionError

        def encode(self, *args: object) -> bytes:
            raise AssertionError

    urls = [f"http://h/{end}" for end in ("a", "é", "Ω", "😀", "\ud83d\ude00", "\udc00", "\x80")]
    for views in (False, True):
        column = component_many([Text(url) for url in urls], "href", views=views)
        assert column.to_pylist() == list(map(normalize, urls))
        hosts = component_many(urls, "hostname", views=views)
        assert hosts.to_pylist() == ["h"] * len(urls)
    table = parse_many(["?a=1"], [Text("href")], base=Text("http://h/"))
    assert table.to_pylist() == arrow.read_stream(table) == [{"href": "http://h/?a=1"}]
    assert type(table.column_names[0]) is str
    assert query_get_many(["http://h/?a=1"], Text("a")).to_pylist() == ["1"]


def test_empty() -> None:
    source: Any
    for source in ([], arrow.AsStream([], "vu"), arrow.AsStream([[]], "u"), arrow.AsArray([[]], "n")):
        table = parse_many(source)
        assert (len(table), table.to_pylist(), arrow.read_stream(table), arrow.read_one(table)) == (0, [], [], [])
        assert table.errors == {}
        assert query_pairs_many(source if source == [] else []).to_pylist() == []
    assert repr(parse_many(["http://h/", "x"])) == "<Table: 2 rows, 1 invalid>"
    assert repr(normalize_many([])) == "<Column: 0 rows, 0 invalid>"


def test_packages_that_are_not_there(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("pyarrow", "polars", "pandas"):
        monkeypatch.setitem(sys.modules, name, None)
        with pytest.raises(ImportError, match=f"pip install {name}"):
            getattr(parse_many([]), f"to_{name}")()
        with pytest.raises(ImportError, match=f"pip install {name}"):
            getattr(normalize_many([]), f"to_{name}")()


def test_what_is_given_outlives_its_table() -> None:
    table = parse_many(OWN * 50, views=True)
    rows = table.to_pylist()
    capsule = table.__arrow_c_stream__()
    names = table["hostname"]
    del table

    class Holder:
        def __arrow_c_stream__(self) -> object:
            return capsule

    assert arrow.read_stream(Holder()) == rows
    assert names.to_pylist() == [row["hostname"] for row in rows]


def test_the_limit() -> None:
    url = "http://h/" + "é" * 10
    size = len(normalize(url))
    for views in (False, True):
        before = set_max_length(size)
        try:
            assert component_many([url], "href", views=views).to_pylist() == [normalize(url)]
            assert component_many([url], "host", views=views).to_pylist() == ["h"]
            assert can_parse_many([url]).to_pylist() == [True]
            set_max_length(size - 1)
            for column in (component_many([url], "href", views=views), component_many([url], "host", views=views)):
                assert column.to_pylist() == [None]
                assert column.errors == {"too-long": 1}
            assert can_parse_many([url]).to_pylist() == [False]
        finally:
            set_max_length(before)


@pytest.mark.timed
def test_one_long_row_costs_only_itself() -> None:
    rows = ["http://example.com/a/b?c"] * 20000
    long = "http://example.com/" + "é" * (1 << 20)

    def cost(urls: list[str]) -> float:
        best = float("inf")
        for _ in range(5):
            start = time.process_time()
            parse_many(urls, threads=1)
            best = min(best, time.process_time() - start)
        return best

    alone, plain, both = cost([long]), cost(rows), cost([*rows[:10000], long, *rows[10000:]])
    assert both < 2 * (alone + plain) + 0.02, (alone, plain, both)


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer on this platform")
@pytest.mark.parametrize("enough", [math.inf, pytest.param(0.1, marks=pytest.mark.timed)])
@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize(
    "urls",
    [
        ["http://user@example.com/a/b/../c?d=e#f"] * 1_000_000,
        ["http://h/" + "é" * (1 << 20)] * 128,
        [f"http://é{number}.example/" for number in range(30_000)],
        ["http://" + "é" * (1 << 12) + f"{number}/" for number in range(1000)],
    ],
    ids=["short", "long", "domains", "long domains"],
)
def test_interrupted(urls: list[str], threads: int, enough: float) -> None:
    def work() -> None:
        while True:
            parse_many(urls, threads=threads)

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, interrupt)
    running = threading.active_count()
    delays: list[float] = []
    try:
        # Up to when one is short enough: what else runs makes them longer.
        while len(delays) < 10 and (not delays or min(delays) >= enough):
            # When it comes, and not when Python has noticed. Only the timed case looks at it.
            due = time.perf_counter() + 0.15  # clock: timed
            signal.setitimer(signal.ITIMER_REAL, 0.15)
            with pytest.raises(KeyboardInterrupt):
                work()
            delays.append(time.perf_counter() - due)
            # It may come just when a thread is waited for.
            while threading.active_count() > running and time.perf_counter() - due < 300:
                time.sleep(0.001)
            assert threading.active_count() == running
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
    assert min(delays) < enough, delays


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no timer on this platform")
@pytest.mark.parametrize("threads", [1, 3])
def test_interrupted_while_there_is_nothing_to_read(threads: int) -> None:
    reading, writing = os.pipe()
    os.write(writing, b"http://h/\n")
    running = threading.active_count()

    def interrupt(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    handler = signal.signal(signal.SIGALRM, interrupt)
    # What it is to end without.
    late = threading.Timer(300, os.close, (writing,))
    late.start()
    try:
        with open(reading, "rb", buffering=0) as file:
            signal.setitimer(signal.ITIMER_REAL, 0.15)
            with pytest.raises(KeyboardInterrupt):
                parse_lines(file, threads=threads)
            assert late.is_alive()
            late.cancel()
            late.join()
            # The threads end with what they are waiting for.
            os.close(writing)
            for _ in range(30_000):
                if threading.active_count() == running:
                    break
                time.sleep(0.01)
            assert threading.active_count() == running
    finally:
        signal.signal(signal.SIGALRM, handler)


def test_an_error_in_a_thread_ends_all(monkeypatch: pytest.MonkeyPatch, small_pieces: None) -> None:
    def broken(domain: str) -> str | None:
        raise MemoryError

    monkeypatch.setattr("weburl._unicode.idna.cached_domain_to_ascii", broken)
    running = threading.active_count()
    for threads in (1, 3):
        with pytest.raises(MemoryError):
            normalize_many(["http://h/"] * 500 + ["http://é/"] * 5, threads=threads)
        with pytest.raises(MemoryError):
            component_many(["blob:http://%C3%A9/"], "origin")
        with pytest.raises(MemoryError):
            join_many(["http://é/"], ["x"])
    assert threading.active_count() == running


def test_one_table_in_many_threads() -> None:
    table = parse_many(OWN * 100, views=True)
    rows = table.to_pylist()
    failures: list[BaseException] = []

    def read() -> None:
        try:
            for index in range(5):
                source: Table = table
                entries = arrow.read_one(source) if index % 2 else arrow.read_stream(source)
                assert entries == rows
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_columns_that_know_their_input() -> None:
    """A garbage collector may clear any object of a cycle first."""

    class Lines(bytes):
        batch: Any

    for _ in range(20):
        lines = Lines(b"https://example.com/of/more/than/a/few/letters\n" * 100)
        lines.batch = parse_lines(lines, ["href", "search"], views=True)["href"]._batches[0]
        batch = lines.batch
        lines.__dict__["witness"] = witness = type("Witness", (), {})()
        gone = weakref.ref(witness)
        del witness, lines
        gc.collect()
        assert gone() is not None
        del batch
        gc.collect()
        assert gone() is None


def test_random_rows_and_pieces(small_pieces: None) -> None:
    generator = random.Random(11)
    urls = [*OWN, *HOSTILE]
    for _ in range(30):
        size = generator.choice([0, 1, 63, 64, 65, 127, 128, 500])
        sample = generator.choices(urls, k=size)
        fields = generator.sample([*FIELDS, "error"], generator.randint(1, 5))
        table = parse_many(sample, fields, threads=generator.choice([1, 2]), views=generator.random() < 0.5)
        rows = [{field: expected(url)[field] for field in fields} for url in sample]
        assert table.to_pylist() == rows
        assert arrow.read_stream(table) == rows
        assert arrow.read_one(table) == rows


@pytest.mark.parametrize("views", [False, True])
def test_a_piece_of_very_many_rows(views: bool) -> None:
    """So many that its slots are zeros from the start: the rows without a text are left as they are."""
    lines = b"http://a.b/\n" * 20_000 + b"x\n" * 20_000 + b"http://long.example.com/?q\n" * 20_000
    table = parse_lines(lines, ["origin", "search"], views=views, threads=1)
    origins = ["http://a.b"] * 20_000 + [None] * 20_000 + ["http://long.example.com"] * 20_000
    assert table["origin"].to_pylist() == origins
    assert table["search"].to_pylist() == [""] * 20_000 + [None] * 20_000 + ["?q"] * 20_000
