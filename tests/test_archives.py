"""weburl.archives, and WARC, WAT and CDXJ as inputs of the command."""

from __future__ import annotations

import gzip
import io
import json
import random
import re
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from types import ModuleType

import pytest
from support.archives import INFO, capture, generated, packed, record, records_of, response, wat
from support.command import run

from weburl.archives import ArchiveError, ArchiveRecord, read_warc

needs_html = pytest.mark.skipif(find_spec("selectolax") is None, reason="needs selectolax")


def read(data: bytes, bodies: bool = True) -> tuple[list[ArchiveRecord], str | None]:
    """The records of a file, and the error that ends it."""
    records = []
    try:
        for each in read_warc(io.BytesIO(data), bodies=bodies):
            records.append(each)
    except ArchiveError as error:
        return records, str(error)
    return records, None


def urls(data: bytes) -> list[str | None]:
    records, error = read(data, bodies=False)
    assert error is None
    return [each.url for each in records]


def body(data: bytes) -> tuple[bytes | None, str | None]:
    [each], error = read(data)
    assert error is None
    return each.body, each.problem


# What is read.


@pytest.mark.parametrize("seed", range(3))
def test_pages_in_order(seed: int, tmp_path: Path) -> None:
    pages = generated(50, seed)
    records = [INFO, *(capture(*page) for page in pages)]
    plain = b"".join(records)
    for data in (plain, packed(records), gzip.compress(plain), packed(records) + b"\0" * 100):
        found, error = read(data)
        assert error is None
        assert [(each.url, each.body) for each in found] == pages
        assert {(each.type, each.status, each.mime, each.charset) for each in found} == {
            ("response", 200, "text/html", "utf-8")
        }
        assert [each._replace(body=None) for each in found] == read(data, bodies=False)[0]
    path = tmp_path / "a.warc.gz"
    path.write_bytes(packed(records))
    assert [each.url for each in read_warc(path)] == [each.url for each in read_warc(str(path))] == urls(plain)
    offsets = [each.offset for each in read(plain)[0]]
    assert all(plain.startswith(b"WARC/1.0\r\nWARC-Type: response", offset) for offset in offsets)


class Slow(io.RawIOBase):
    """A file that gives a few bytes at a time."""

    def __init__(self, data: bytes, size: int) -> None:
        self.file = io.BytesIO(data)
        self.size = size

    def read(self, size: int = -1) -> bytes:
        return self.file.read(min(self.size, size) if size >= 0 else self.size)


@pytest.mark.parametrize("size", [1, 7, 4096])
def test_files_that_give_little(size: int) -> None:
    pages = generated(20, 9)
    plain = b"".join(capture(*page) for page in pages)
    for data in (plain, gzip.compress(plain)):
        assert [each.url for each in read_warc(Slow(data, size))] == [url for url, _ in pages]  # type: ignore[arg-type]


def test_kinds_of_records() -> None:
    text = record("conversion", "https://a.example/", b"HTTP/1.1 is a text\r\n\r\nhere", "text/plain")
    [each], _ = read(text)
    assert (each.type, each.mime, each.status, each.body) == (
        "conversion",
        "text/plain",
        None,
        b"HTTP/1.1 is a text\r\n\r\nhere",
    )
    [each], _ = read(record("resource", "https://a.example/", b"<p>", "text/html;charset='koi8-r'"))
    assert (each.mime, each.charset, each.body) == ("text/html", "koi8-r", b"<p>")
    [each], _ = read(record("revisit", "https://a.example/", b"HTTP/1.1 304 Not Modified\r\n\r\n"))
    assert (each.type, each.status, each.body) == ("revisit", 304, None)
    [each], _ = read(record("response", "dns:a.example", b"1\r\nA 192.0.2.1\r\n", "text/dns"))
    assert (each.url, each.mime, each.status) == ("dns:a.example", "text/dns", None)
    assert (
        urls(b"".join(record(kind, "https://a/", b"x") for kind in ("request", "warcinfo", "continuation", "new")))
        == []
    )


def test_headers() -> None:
    assert urls(response("<https://a.example/>")) == ["https://a.example/"]
    assert urls(response("https://a.example/ä".encode().decode("latin-1"))) == ["https://a.example/Ã¤"]
    assert urls(response("https://a.example/\r\n  b\r\n\tc")) == ["https://a.example/ b c"]
    twice = response("https://a.example/\r\nWARC-Target-URI: https://b.example/")
    assert urls(twice) == ["https://a.example/"]
    assert urls(response("x:y").replace(b"WARC-Target-URI", b"warc-TARGET-uri ")) == ["x:y"]
    assert urls(b"\r\n\n\r\n" + response("x:y") + b"\n\r\n" * 9 + response("x:z")) == ["x:y", "x:z"]
    assert urls(response(None)) == [None]
    [each], _ = read(response("x:y", b"b", "Content-Length: 1", status="2000 No"))
    assert (each.status, each.mime, each.body) == (None, None, b"b")


def test_lines_that_end_with_newlines_only() -> None:
    data = b"WARC/1.0\nWARC-Type: response\nWARC-Target-URI: x:y\nContent-Length: 20\n\nHTTP/1.0 200 OK\n\ntea"
    data += b"WARC/1.0\nContent-Length: 0\n\n"
    [each], error = read(data)
    assert (each.url, each.status, each.body, error) == ("x:y", 200, b"tea", None)


# Bodies.


def zipped(data: bytes) -> bytes:
    """The same at any time: each process of the tests must have the same names of them."""
    return gzip.compress(data, mtime=0)


def in_chunks(body: bytes) -> bytes:
    return b"%x\r\n%s\r\n0\r\n\r\n" % (len(body), body)


CHUNKS = b"4;ext=1\r\n<p>t\r\n2\r\nea\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("headers", "stored", "expected"),
    [
        (["Transfer-Encoding: chunked"], CHUNKS, b"<p>tea"),
        (["Transfer-Encoding: chunked"], CHUNKS[:-5], b"<p>tea"),
        (["Transfer-Encoding: chunked"], b"3\nteafffffffff\r\nx", b"teax"),
        (["Transfer-Encoding: chunked"], b"<p>tea", b"<p>tea"),
        (["Content-Encoding: gzip"], zipped(b"<p>tea"), b"<p>tea"),
        (["Content-Encoding: GZIP, identity"], zipped(b"<p>tea")[:-8], b"<p>tea"),
        (["Content-Encoding: deflate"], zlib.compress(b"<p>tea"), b"<p>tea"),
        (["Content-Encoding: deflate"], zlib.compress(b"<p>tea", wbits=-15), b"<p>tea"),
        (["Content-Encoding: deflate", "Content-Encoding: gzip"], zipped(zlib.compress(b"<p>tea")), b"<p>tea"),
        (["Content-Encoding: gzip"], zipped(b"<p>") + zipped(b"tea"), b"<p>tea"),
        (["Content-Encoding: gzip"], zipped(b"") * 999 + zipped(b"<p>tea") + b"more", b"<p>tea"),
        (["Transfer-Encoding: gzip, chunked"], in_chunks(zipped(b"<p>tea")), b"<p>tea"),
        (["Transfer-Encoding: chunked", "Transfer-Encoding: chunked"], CHUNKS, b"<p>tea"),
        (["Content-Encoding: deflate, gzip"], zipped(zlib.compress(b"<p>tea")), b"<p>tea"),
        (
            ["Transfer-Encoding: chunked", "Content-Encoding: gzip"],
            b"%x\r\n%s\r\n0\r\n\r\n" % (len(zipped(b"<p>tea")), zipped(b"<p>tea")),
            b"<p>tea",
        ),
    ],
)
def test_codings(headers: list[str], stored: bytes, expected: bytes) -> None:
    assert body(response("x:y", stored, *headers)) == (expected, None)


def test_bodies_that_are_not_decoded() -> None:
    assert body(response("x:y", b"<p>tea", "Content-Encoding: gzip")) == (
        b"<p>tea", "it is not gzip, although its header says so",
    )  # fmt: skip
    for coding in ("compress", "none", "utf-8"):
        why = f"its coding {coding!r} is not known"
        assert body(response("x:y", b"<p>", f"Content-Encoding: {coding}")) == (b"<p>", why)
    assert body(response("x:y", b"<p>", "Content-Encoding: gzip,gzip,gzip,gzip,gzip")) == (
        None,
        "it has more than 4 codings",
    )
    bomb = gzip.compress(bytes(1 << 22))
    [each] = read_warc(io.BytesIO(response("x:y", bomb, "Content-Encoding: gzip")), bodies=True, most=1 << 20)
    assert (each.body, each.problem) == (None, "it has more than 1,048,576 bytes")
    [each] = read_warc(io.BytesIO(response("x:y", bytes(100))), bodies=True, most=99)
    assert (each.body, each.problem, each.url) == (None, "it has more than 99 bytes", "x:y")


def test_bodies_that_are_not_what_they_seem() -> None:
    damaged = response("x:y", b"3\r\nabcXXXX rest", "Transfer-Encoding: chunked")
    assert body(damaged) == (b"abcXXXX rest", "its chunks are damaged")
    # A text that begins like a response.
    text = record("resource", "x:y", b"HTTP/1.1 200 OK\r\n\r\nhere", "text/plain")
    assert body(text) == (b"HTTP/1.1 200 OK\r\n\r\nhere", None)
    assert (read(text)[0][0].status, read(text)[0][0].mime) == (None, "text/plain")
    for kind in ("response", "revisit"):
        assert read(record(kind, "x:y", b"HTTP/1.1 404 No\r\n\r\n", "text/plain"))[0][0].status == 404
    for size in (60_000, 70_000):
        problem = None if size < 1 << 16 else "its HTTP header has more than 65,536 bytes"
        large = response("x:y", b"<p>", f"X: {'x' * size}")
        assert body(large) == (None if problem else b"<p>", problem)


@pytest.mark.timed
def test_members_without_data_take_linear_time() -> None:
    def seconds(count: int) -> float:
        stored = response("x:y", gzip.compress(b"") * count, "Content-Encoding: gzip")
        begin = process_time()
        assert body(stored) == (b"", None)
        return process_time() - begin

    short = min(seconds(1 << 11) for _ in range(3))
    assert min(seconds(1 << 15) for _ in range(3)) < 16 * 3 * short + 0.05


def test_most_of_any_size() -> None:
    stored = response("x:y", gzip.compress(b"<p>tea"), "Content-Encoding: gzip")
    for most in (sys.maxsize - 1, sys.maxsize, sys.maxsize + 1, 1 << 100):
        [each] = read_warc(io.BytesIO(stored), bodies=True, most=most)
        assert each.body == b"<p>tea"


class OldBrotli(ModuleType):
    """The package before its version 1.2."""

    class error(Exception):  # its name
        pass

    class Decompressor:
        def process(self, data: bytes, /) -> bytes:
            return data


@pytest.mark.parametrize(
    ("coding", "modules", "needs"),
    [
        ("br", {"brotli": None}, "brotli"),
        ("br", {"brotli": OldBrotli("brotli")}, "brotli 1.2 or newer"),
        ("zstd", {"backports": None, "backports.zstd": None, "compression": None}, "backports.zstd"),
    ],
)
def test_codings_whose_package_is_missing(
    coding: str, modules: dict[str, ModuleType | None], needs: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, module in modules.items():
        monkeypatch.setitem(sys.modules, name, module)
    stored = response("x:y", b"\1", f"Content-Encoding: {coding}")
    assert body(stored) == (None, f"its coding {coding} needs {needs}: pip install weburl[warc]")


# Broken files.

PAGES = generated(4, 5)
BLANK = b"\r\n\r\n"
RECORDS = [INFO, *(each for page in PAGES for each in records_of(*page))]
PLAIN = b"".join(RECORDS)
ENDS = [len(b"".join(RECORDS[: number + 1])) for number in range(len(RECORDS))]


@pytest.mark.slow
def test_cut_at_each_place() -> None:
    """What is before the place is read, and there is an error; no URL and no type is cut."""
    everything = [url for url, _ in PAGES]
    # Of those whose header is there; and of whole ones.
    heads = [PLAIN.index(BLANK, end - len(each)) + len(BLANK) for each, end in zip(RECORDS, ENDS, strict=True)]
    pages = [b"WARC-Type: response" in each for each in RECORDS]
    for size in range(1, len(PLAIN)):
        found, error = read(PLAIN[:size], bodies=False)
        assert [each.url for each in found] == everything[: len(found)]
        assert {each.status for each in found} <= {200, None}
        assert {(each.mime, each.charset) for each in found} <= {("text/html", "utf-8"), (None, None)}
        assert len(found) == sum(end <= size for end, is_page in zip(heads, pages, strict=True) if is_page)
        with_bodies, error_there = read(PLAIN[:size])
        assert error_there == error
        assert [(each.url, each.body) for each in with_bodies] == PAGES[: len(with_bodies)]
        # A record without the newlines after it has lost nothing.
        assert len(with_bodies) == sum(end - 4 <= size for end, is_page in zip(ENDS, pages, strict=True) if is_page)
        is_whole = any(end - 4 <= size <= end for end in ENDS)
        begin = max(end for end in (0, *ENDS) if end < size)
        assert error == (None if is_whole else f"it is cut off: the record at byte {begin} has no end")


@pytest.mark.parametrize("step", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_cut_in_gzip_at_each_place(step: int) -> None:
    """Python's gzip knows each such place, but those between two members."""
    for data, members in ((packed(RECORDS), RECORDS), (gzip.compress(PLAIN), [PLAIN])):
        whole = {len(packed(members[:number])) for number in range(len(members) + 1)} if len(members) > 1 else {0}
        ends = [len(packed(members[: number + 1])) for number, each in enumerate(members) if b": response" in each]
        ends = ends if len(members) > 1 else []
        for size in range(2, len(data), step):
            found, error = read(data[:size])
            assert [(each.url, each.body) for each in found] == PAGES[: len(found)]
            assert (error is None) == (size in whole)
            assert len(found) >= sum(end <= size for end in ends)


@pytest.mark.parametrize("seed", range(4))
def test_mutations(seed: int) -> None:
    """Nothing but ArchiveError is raised. Where a byte of gzip is changed, no wrong URL comes without an error."""
    draw = random.Random(seed)
    expected = [url for url, _ in PAGES]
    for source in (PLAIN, packed(RECORDS)):
        for _ in range(400):
            data = bytearray(source)
            for _ in range(draw.choice((1, 1, 1, 5))):
                place = draw.randrange(len(data))
                match draw.randrange(3):
                    case 0:
                        data[place] ^= 1 << draw.randrange(8)
                    case 1:
                        del data[place : place + draw.randrange(20)]
                    case _:
                        data[place:place] = draw.randbytes(draw.randrange(20))
            found, error = read(bytes(data), bodies=draw.random() < 0.5)
            if source is not PLAIN and error is None and data[:2] == b"\x1f\x8b":
                assert [each.url for each in found] == expected[: len(found)]


def with_length(number: bytes) -> bytes:
    return re.sub(rb"Content-Length: [0-9]+", b"Content-Length: " + number, response("x:y"), count=1)


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (with_length(b"99"), "it is cut off: the record at byte 0 has no end"),
        (with_length(b"9") + response("x:z"), "no record begins at byte"),
        (
            response("x:y").replace(b"Content-Length", b"X", 1),
            "the record at byte 0 has no Content-Length that is a number",
        ),
        (with_length(b"-1"), "has no Content-Length that is a number"),
        (with_length(b"9" * 30), "has no Content-Length that is a number"),
        (with_length(b"9" * 15), "it is cut off"),
        (response("x:y") + b"lost\r\n" + response("x:z"), "no record begins at byte"),
        (b"WARC/1.0\r\n" + b"A: b\r\n" * 20000, "the header of the record at byte 0 has more than 65,536 bytes"),
        (b"WARC/1.0\r\nA: " + b"b" * 200_000, "the header of the record at byte 0 has more than 65,536 bytes"),
        (b"\x1f\x8bnot gzip", "its gzip data is damaged"),
    ],
)
def test_errors(data: bytes, why: str) -> None:
    found, error = read(data)
    assert error is not None
    assert why in error
    assert [each.url for each in found] in ([], ["x:y"])
    # Behind other pages, these are read before.
    if data[:2] != b"\x1f\x8b":
        assert [each.url for each in read(capture("x:first") + data)[0]][:1] == ["x:first"]


class Endless(io.RawIOBase):
    """A head, and then `count` bytes of a unit, made as they are read."""

    def __init__(self, head: bytes, unit: bytes, count: int) -> None:
        self.head, self.unit, self.count = head, unit, count
        self.begin = 0  # in a unit

    def read(self, size: int = -1) -> bytes:
        if self.head:
            data, self.head = self.head[:size], self.head[size:]
            return data
        data = (self.unit * (size // len(self.unit) + 2))[self.begin :][: min(size, self.count)]
        self.begin = (self.begin + len(data)) % len(self.unit)
        self.count -= len(data)
        return data


LENGTH_0 = b"WARC/1.0\r\nContent-Length: 0\r\n"
DEEP = b'{"WARC-Type":"response"' + b',"a":[' * 9999
# Heads, and what follows them again and again.
GIANTS = {
    "a record": (with_length(b"9" * 15), b"a"),
    "newlines": (b"", b"\r\n"),
    "records without a page": (b"", record("request", "x:y", b"GET /")),
    "pages": (b"", response("x:y", b"")),
    "folded headers": (b"", LENGTH_0 + b"A: b\r\n" + b" c\r\n" * 10_000 + b"\r\n\r\n"),
    "many headers": (b"", LENGTH_0 + b"A: b\r\n" * 10_000 + b"\r\n\r\n"),
    "WAT without pages": (b"", wat("x:y", [], kind="request")),
    "deep JSON": (b"", record("metadata", "x:y", DEEP, "application/json")),
}


@pytest.mark.parametrize("unit", [b"[],", b"{},", b'{"a":0},'])
def test_records_of_wat_are_bounded(unit: bytes) -> None:
    """JSON takes many times as much memory as its text."""
    begin = b'{"Envelope":{"WARC-Header-Metadata":{"WARC-Type":"response"},"a":['

    def stored(size: int) -> bytes:
        block = begin + unit * (size // len(unit)) + b"0]}}"
        return record("metadata", "x:y", block, "application/json")

    tracemalloc.start()
    for bodies in (False, True):
        [each] = read_warc(io.BytesIO(stored(1 << 24)), bodies=bodies)
        assert (each.url, each.envelope, each.problem) == ("x:y", None, "it has more than 8,388,608 bytes")
    assert tracemalloc.get_traced_memory()[1] < 1 << 26
    tracemalloc.stop()
    [each] = read_warc(io.BytesIO(stored(1 << 16)))
    assert each.envelope is not None
    [each] = read_warc(io.BytesIO(stored(1 << 16)), bodies=True, most=1 << 12)
    assert each.problem == "it has more than 4,096 bytes"


def test_chunks_take_little_memory() -> None:
    stored = b"1\n<" * (1 << 17)
    tracemalloc.start()
    assert body(response("x:y", stored, "Transfer-Encoding: chunked")) == (b"<" * (1 << 17), None)
    assert tracemalloc.get_traced_memory()[1] < 1 << 22
    tracemalloc.stop()


def read_until(head: bytes, unit: bytes, size: int) -> None:
    """Reads all of such a file: where there is an error, it is at the end."""
    file = Endless(head, unit, size)
    ended = "cut off"
    try:
        for _ in read_warc(file):  # type: ignore[arg-type]
            pass
    except ArchiveError as error:
        ended = str(error)
    assert "cut off" in ended
    assert file.count == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", GIANTS)
def test_memory_does_not_grow(name: str) -> None:
    """Whatever the file has, reading it takes the same memory."""

    def count(size: int) -> None:
        head, unit = GIANTS[name]
        read_until(head, unit, size)

    peaks = []
    count(1 << 16)
    for size in (1 << 21, 1 << 22):
        tracemalloc.start()
        count(size)
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
    assert peaks[1] < peaks[0] + (1 << 19)


@pytest.mark.timed
@pytest.mark.parametrize("name", GIANTS)
def test_time_is_linear(name: str) -> None:
    def seconds(size: int) -> float:
        head, unit = GIANTS[name]
        begin = process_time()
        read_until(head, unit, size)
        return process_time() - begin

    short = min(seconds(1 << 21) for _ in range(3))
    assert min(seconds(1 << 24) for _ in range(3)) < 8 * 3 * short + 0.05


def test_what_is_not_a_source() -> None:
    with pytest.raises(TypeError, match="source must be a path or a file that is open in binary mode, not list"):
        next(read_warc([b"WARC/1.0"]))  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="binary mode; this one is open in text mode"):
        next(read_warc(io.StringIO("WARC/1.0")))  # type: ignore[arg-type]


@pytest.mark.parametrize("type", ["text/html, text/html", "text/html,charset=utf-8", "Text/HTML ,charset=utf-8,a"])
def test_types_with_commas(type: str) -> None:
    [each], _ = read(response("x:y", b"<p>", f"Content-Type: {type}"))
    assert (each.mime, each.charset) == ("text/html", "utf-8" if "charset" in type else None)


# The command.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["a.warc", "a.warc.gz", "a.bin", "a.warc.xz", "-"])
def test_the_command_reads_pages(name: str, folder: Path) -> None:
    import lzma

    pages = generated(30, 1)
    records = [INFO, *(capture(*page) for page in pages)]
    data = {".gz": packed(records), ".xz": lzma.compress(b"".join(records))}.get(name[-3:], b"".join(records))
    if name != "-":
        (folder / name).write_bytes(data)
    ended = run("-f", name, stdin=data if name == "-" else b"")
    assert (ended.status, ended.lines, ended.err) == (0, [url for url, _ in pages], "")
    format = "{column:type} {column:status} {column:mime} {column:date} {pathname}"
    line = run("-f", name, "-g", format, stdin=data if name == "-" else b"").lines[3]
    assert line == "response 200 text/html 2026-11-28T10:00:00Z /3"
    rows = [json.loads(line) for line in run("--json", "--keep", "-f", name, stdin=data if name == "-" else b"").lines]
    assert rows[3]["status"] == 200
    assert rows[3]["length"] > 60
    csv = run("--csv", "--keep=mime,status", "-g", "{href}", "-f", name, stdin=data if name == "-" else b"").lines
    assert csv[:2] == ["mime,status,href", f"text/html,200,{pages[0][0]}"]
    assert run("stats", "-f", name, stdin=data if name == "-" else b"").lines[0].split() == ["30", "URLs"]
    assert len(run("dedup", "-f", name, stdin=data if name == "-" else b"").lines) == 30


def test_a_broken_archive_ends_with_status_3(folder: Path) -> None:
    pages = generated(30, 2)
    data = packed(capture(*page) for page in pages)
    (folder / "a.warc.gz").write_bytes(data[:-40])
    ended = run("-f", "a.warc.gz")
    assert ended.status == 3
    assert ended.lines[:29] == [url for url, _ in pages][:29]
    assert ended.err == "weburl: a.warc.gz: it is cut off: its gzip data has no end\n"
    (folder / "b.warc").write_bytes(capture("https://a/") + b"lost")
    ended = run("-f", "b.warc")
    assert (ended.status, ended.lines) == (3, ["https://a/"])
    assert "b.warc: no record begins at byte" in ended.err
    (folder / "c.warc").write_bytes(b"no WARC")
    assert run("-f", "c.warc").err == "weburl: c.warc: it is not warc: its first bytes are not warc's\n"


def test_records_without_a_url_are_counted(folder: Path) -> None:
    (folder / "a.warc").write_bytes(capture("https://a/") + response(None) + response("no URL") + capture("https://b/"))
    ended = run("-f", "a.warc", "--invalid", "drop")
    assert (ended.status, ended.lines) == (0, ["https://a/", "https://b/"])
    assert "a.warc:2: invalid-record: the record at byte" in ended.err
    assert "2 of 4" in ended.err
    assert run("-f", "a.warc", "--invalid", "fail").status == 1
    ended = run("-f", "a.warc", "--max-line", "8", "-g", "{error}")
    assert ended.lines.count("too-long") == 2


def test_archives_are_text_for_those_who_say_so(folder: Path) -> None:
    (folder / "a.warc").write_bytes(capture("https://a.example/"))
    assert run("-f", "a.warc", "--input", "text", "-g", "{error}").status == 0
    assert "https://a.example/" in run("find", "--only", "a.warc").out


CDXJ = """\
!OpenWayback-CDXJ 1.0
com,example)/ 20261128100000 {"url": "https://example.com/", "mime": "text/html", "status": "200"}
com,example)/a?q="x" 20261128100001 {"url": "https://example.com/a", "status": "404"}

com,example)/b 2026 {"url": "https://example.com/b"}
com,example)/c 20261128100000 {}
com,example)/d 20261128100000
"""


@pytest.mark.parametrize("pack", [False, True])
def test_cdxj(pack: bool, folder: Path) -> None:
    name = "a.cdxj.gz" if pack else "a.cdxj"
    (folder / name).write_bytes(gzip.compress(CDXJ.encode()) if pack else CDXJ.encode())
    lines = [line for line in CDXJ.splitlines() if '"url"' in line]
    ended = run("-f", name, "--invalid", "drop")
    assert ended.lines == [json.loads(line[line.index("{") :])["url"] for line in lines if '"x"' not in line]
    assert f"{name}:3:1: invalid-record" in ended.err
    assert "3 of 5" in ended.err
    rows = run("-f", name, "--csv", "--keep=urlkey,timestamp,status", "-g", "{pathname}", "--invalid", "drop").lines
    assert rows == [
        "urlkey,timestamp,status,pathname",
        '"com,example)/",20261128100000,200,/',
        '"com,example)/b",2026,,/b',
    ]
    assert run("--input", "cdxj", "-f", "-", "--field", "mime", "-g", "{error}", stdin=CDXJ).status == 0


@pytest.mark.parametrize("first", [" ", "  ", "\t", " \t "])
@pytest.mark.parametrize("second", [" ", "   ", "\t"])
def test_cdxj_between_fields(first: str, second: str) -> None:
    lines = [f"com,a)/{first}2026{second}{each}\n" for each in ('{"url": "https://a/"}', "{}", "{ }")]
    ended = run("--input", "cdxj", "-f", "-", "-g", "{href} {column:urlkey} {column:timestamp}", stdin="".join(lines))
    assert ended.lines == ["https://a/ com,a)/ 2026", "", ""]
    assert "2 of 3 lines are not URLs (null: 2)" in ended.err


def test_places_of_errors_in_cdxj() -> None:
    """They count in the line as it is written."""
    for before in ("com,a)/ 2026 ", "com,é)/\t2  ", "com,a)/ 2026", ""):
        wrong = before + '{"url": "https://é/", "b": '
        stdin = '!header\n\nk 1 {"url": "https://a/"}\n' + wrong + "?}\r\n"
        ended = run("--input", "cdxj", "-f", "-", stdin=stdin)
        place = len(wrong) + 1 if before[-1:].isspace() or not before else 1
        assert f"standard input:4:{place}: invalid-record: it is not JSON: character {place} is wrong" in ended.err


@pytest.mark.parametrize("seed", range(3))
def test_cdxj_lines(seed: int) -> None:
    """Random members, in pieces: what is read is what json reads."""
    draw = random.Random(seed)
    lines = []
    expected = []
    for number in range(draw.choice((0, 1, 3000))):
        url = f"https://h{draw.randrange(99)}.example/{number}"
        members = {"url": url, "n": str(draw.random()), "x": '\\" {é\n'}
        keys = draw.sample([*members], 3)
        lines.append(f"key{number}) {draw.randrange(10**14)} {json.dumps({key: members[key] for key in keys})}\n")
        expected.append(f"{url} key{number})")
    assert run("--input", "cdxj", "-g", "{href} {column:urlkey}", "-f", "-", stdin="".join(lines)).lines == expected


@needs_html
def test_links(folder: Path) -> None:
    pages = generated(30, 3)
    data = packed([INFO, *(capture(*page) for page in pages)])
    (folder / "a.warc.gz").write_bytes(data)
    found = [json.loads(line) for line in run("links", "--json", "a.warc.gz").lines]
    expected = []
    for url, html in pages:
        (folder / "page.html").write_bytes(html)
        for line in run("links", "--json", "--base", url, "page.html").lines:
            expected.append({**json.loads(line), "file": "a.warc.gz", "page": url})
    assert found == expected
    assert expected
    assert run("links", "-", stdin=data).lines == [row["href"] for row in expected]
    # What is before the place where the file is cut off.
    (folder / "cut.warc.gz").write_bytes(data[:-1000])
    ended = run("links", "cut.warc.gz")
    assert ended.status == 3
    assert 0 < len(ended.lines) < len(expected)
    assert ended.lines == [row["href"] for row in expected][: len(ended.lines)]


@needs_html
def test_links_of_odd_pages(folder: Path) -> None:
    koi8 = "<a href='/?q=чай'>".encode("koi8-r")
    chunks = b"8\r\n<a href=\r\n3\r\n/x>\r\n0\r\n\r\n"
    xhtml = "Content-Type: application/xhtml+xml"
    records = [
        response("https://a/", koi8, "Content-Type: text/html; charset=koi8-r"),
        response("https://b/", chunks, "Content-Type: TEXT/html", "Transfer-Encoding: chunked"),
        response("https://c/", gzip.compress(b"<a href=/y>"), xhtml, "Content-Encoding: gzip"),
        response("https://d/", b"<a href=/not>", "Content-Type: text/plain"),
        response("no URL", b"<a href=/not>"),
        response(None, b"<a href=/not>"),
        response("https://e/", b"<a href=/not>" + bytes(1 << 20)),
        response("https://f/", b"<a href=/z>", "Content-Type: text/html", "Content-Encoding: gzip"),
    ]
    (folder / "a.warc").write_bytes(b"".join(records))
    ended = run("links", "--memory", "8M", "a.warc")
    assert ended.lines == ["https://a/?q=%DE%C1%CA", "https://b/x", "https://c/y", "https://f/z"]
    assert "a.warc: 2 pages: it has no URL\n" in ended.err
    assert "a.warc: 1 page: it has more than 524,288 bytes\n" in ended.err
    assert "a.warc: 1 page: it is not gzip, although its header says so\n" in ended.err
    assert ended.status == 0
    assert run("links", "--base", "https://a/", "a.warc").status == 2


@needs_html
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("size", [1 << 22, 7 << 20])
def test_a_page_whose_links_need_too_much_memory_is_left_out(size: int, folder: Path) -> None:
    headers = "Content-Type: text/html", "Content-Encoding: gzip"
    bomb = gzip.compress(b"<a href=x>" * (size // 10))
    records = [response(f"https://{host}/", bomb, *headers) for host in "bcd"]
    (folder / "a.warc").write_bytes(
        capture("https://a/", b"<a href=1>") + b"".join(records) + capture("https://e/", b"<a href=2>")
    )
    # The command alone: what tests keep counts, too.
    ended = subprocess.run([sys.executable, "-m", "weburl", "links", "a.warc"], capture_output=True, text=True)
    assert (ended.stdout, ended.returncode) == ("https://a/1\nhttps://e/2\n", 0)
    left_out = re.findall(
        "a.warc: ([123]) pages?: (?:its links need more memory|there is not enough memory)", ended.stderr
    )
    assert sum(map(int, left_out)) == 3


@needs_html
def test_links_of_wat(folder: Path) -> None:
    links = [
        {"path": "A@/href", "url": "b?c", "text": "to b"},
        {"path": "IMG@/src", "url": "i.png", "alt": "a picture"},
        {"path": "FORM@/action", "url": "/send"},
        {"path": "A@/href", "url": "https://["},
        {"path": "A@/href"},
    ]
    head = {"Base": "/base/", "Link": [{"path": "LINK@/href", "url": "n", "rel": "next"}], "Scripts": "none"}
    records = [wat("https://a/x/", links, head), wat("https://a/r", links, kind="request"), wat("https://c/", [])]
    records.append(record("metadata", "https://d/", b'"WARC-Type":"response"', "application/json"))
    (folder / "a.wat.gz").write_bytes(packed(records))
    ended = run("links", "--json", "--kinds", "link,image,form", "a.wat.gz")
    rows = [json.loads(line) for line in ended.lines]
    assert [(row["kind"], row["tag"], row["attribute"], row["text"], row["rel"], row["href"]) for row in rows] == [
        ("link", "a", "href", "to b", None, "https://a/base/b?c"),
        ("image", "img", "src", "a picture", None, "https://a/base/i.png"),
        ("form", "form", "action", None, None, "https://a/send"),
        ("link", "a", "href", None, None, None),
        ("link", "link", "href", None, "next", "https://a/base/n"),
    ]
    assert "a.wat.gz: 1 page: it is not JSON" in ended.err
    assert run("-f", "a.wat.gz", "-g", "{column:type} {column:status} {column:mime} {href}").lines == [
        "response 200 text/html https://a/x/", "response 200 text/html https://c/", "metadata   https://d/",
    ]  # fmt: skip


@needs_html
def test_surrogates_in_wat(folder: Path) -> None:
    """JSON can have halves of pairs, which are no text."""
    odd, read = "a\ud800b\udfffc", "a\ufffdb\ufffdc"
    fields = ("url", "text", "rel", "hreflang", "type")
    links = [{"path": f"A@/{odd}", **dict.fromkeys(fields, odd)}, {"path": "A@/href", "url": "\ud83c\udf75"}]
    head = {"Base": odd, "Link": [{"path": "LINK@/href", "url": odd, "rel": "next " + odd}]}
    (folder / "a.wat").write_bytes(wat("https://a/", links, head))
    ended = run("links", "--json", "a.wat")
    assert (ended.status, ended.err) == (0, "")
    first, second, third = (json.loads(line) for line in ended.lines)
    assert [first[name] for name in ("attribute", "value", "text", "rel", "hreflang", "type")] == [read] * 6
    assert (third["value"], third["rel"]) == (read, "next " + read)
    assert second["value"] == "\U0001f375"
    headers = wat("https://a/", []).replace(b"text/html; charset=utf-8", rb"text/h\ud800;charset=koi")
    (folder / "b.wat").write_bytes(headers)
    assert run("-f", "b.wat", "-g", "{column:mime}").lines == ["text/h\ufffd"]


@needs_html
def test_few_problems_are_named(folder: Path) -> None:
    """Servers write the names of codings. What is no HTML would have no links."""
    pages = [response("https://a/", b"<p>", "Content-Type: text/html", f"Content-Encoding: x{n}") for n in range(500)]
    texts = [response("https://a/", b"", "Content-Type: text/plain", "Content-Encoding: x0")]
    large = [response("https://a/", b"<a href=x>", f"X: {'x' * 70_000}", "Content-Type: text/html")]
    (folder / "a.warc").write_bytes(b"".join([*large, *texts, *pages, pages[0]]))
    lines = run("links", "a.warc").err.splitlines()
    assert len(lines) == 10
    assert "weburl: a.warc: 492 pages: other problems" in lines
    assert "weburl: a.warc: 2 pages: its coding 'x0' is not known" in lines
    assert "weburl: a.warc: 1 page: its HTTP header has more than 65,536 bytes" in lines


@needs_html
@pytest.mark.parametrize("before", [b"", b"\n", b"\r\n\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_what_is_before_the_first_record(before: bytes, pack: Callable[[bytes], bytes], folder: Path) -> None:
    data = pack(before + capture("https://a/", b"<a href=x>"))
    assert urls(data) == ["https://a/"]
    for name in ("a.warc", "a.bin", "-"):
        (folder / name).write_bytes(data)
        assert run("-f", name, stdin=data).lines == ["https://a/"]
        assert run("links", name, stdin=data).lines == ["https://a/x"]
