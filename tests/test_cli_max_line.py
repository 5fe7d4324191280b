"""The command: lines and records that are longer than --max-line."""

from __future__ import annotations

import csv
import gzip
import io
import itertools
import json
import os
import struct
import subprocess
import sys
import sysconfig
import zlib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.command import reading_by, run
from support.peak import stays_below
from support.record_model import limited_rows, read_blocks
from test_cli_input import read

from weburl._arrow.input import TOO_LONG_ROW, TooLong
from weburl.cli import _options
from weburl.cli._exit import InputError
from weburl.cli.readers import byte_stream, inputs, open_files
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records import delimited
from weburl.cli.readers.records.cells import cut_records
from weburl.cli.readers.row_blocks import RecordBlock, Row

URLS = [f"http://h/{'x' * count}" for count in (3, 4, 30, 300, 4, 5)]  # 12, 13, ... bytes
DATA = "\n".join(URLS).encode()
SAID = "weburl: 3 of 6 lines are not URLs (too-long: 3)\n"


def hrefs(limit: int) -> list[str]:
    return [url if len(url) <= limit else "" for url in URLS]


@pytest.mark.parametrize("data", [DATA, DATA + b"\n", DATA + b"\r\n", gzip.compress(DATA, mtime=0)])
def test_lines_that_are_too_long(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "lines"
    path.write_bytes(data)
    ended = run("--max-line", "13", stdin=data)
    assert ended == run("-f", str(path), "--max-line", "13") == (0, "\n".join(hrefs(13)) + "\n", SAID)
    for options in (["--threads", "1"], ["--sort-query"], ["--policy", "crawl"], ["--as-idn"]):
        assert run("--max-line", "13", *options, stdin=data) == ended
    for options in (["--policy", "surt"], ["-s", "hash=x", "--as-idn"], ["--policy", "crawl", "-a", "query=a=b"]):
        ended = run("--max-line", "13", *options, stdin=data)
        assert [bool(line) for line in ended.lines] == [bool(href) for href in hrefs(13)]
        assert ended.err == SAID
    rows = [json.loads(line) for line in run("--max-line", "13", "--json", stdin=data).lines]
    assert [row["error"] for row in rows] == [None if href else "too-long" for href in hrefs(13)]
    # A cut text could be taken for the whole.
    assert [row["input"] for row in rows] == [href or None for href in hrefs(13)]
    assert all(row["href"] == row["params"] is None for row in rows if row["error"])
    assert run("--max-line", "13", "--csv", "-g", "{input} {error}", stdin=data).lines[3] == ",too-long"
    assert run("--max-line", "13", "--invalid", "drop", stdin=data).lines == list(filter(None, hrefs(13)))
    assert run("--max-line", "13", "--verify", stdin=data).status == 1
    ended = run("--max-line", "13", "--invalid", "fail", stdin=data)
    assert (ended.status, ended.lines) == (1, URLS[:2])
    assert ended.err == "weburl: standard input:3: too-long: The line has more than 13 bytes (--max-line).\n"
    assert run("--max-line", "0", stdin=data).lines == URLS


@pytest.mark.parametrize("block", [None, 1, 7, 20])
def test_in_every_command(block: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    if block is not None:
        monkeypatch.setattr(byte_stream, "BLOCK", block)
        monkeypatch.setattr(byte_stream, "PIPE", block)
    for data, options in (
        (DATA, []),
        (gzip.compress(DATA, mtime=0), []),
        ("\n".join(["u", *URLS]).encode(), ["--column", "u"]),
        ("\n".join([f'{{"u":"{url}"}}' for url in URLS]).encode(), ["--field", "u"]),
    ):
        limit = 21 if "--field" in options else 13
        options += ["--max-line", str(limit)]
        lines = [line + ("--column" in options) for line in (3, 4, 6)]
        ended = run("-g", "{href}{error}", *options, stdin=data)
        assert ended == (0, "\n".join(href or "too-long" for href in hrefs(13)) + "\n", SAID)
        ended = run("check", *options, stdin=data)
        message = f"too-long: The line has more than {limit} bytes (--max-line)."
        assert ended.lines == [f"standard input:{line}:1: {message}" for line in lines]
        assert ended.err == "3 of 6 URLs: 3 too-long\n"
        assert run("check", "--failures", "--json", *options, stdin=data).out.count('"too-long", "failure": true') == 3
        ended = run("stats", "--json", *options, stdin=data)
        stats = json.loads(ended.out)
        assert (stats["urls"], stats["invalid"]) == (3, 3)
        assert [(each["name"], each["count"]) for each in stats["errors"]["top"]] == [("too-long", 3)]


@given(st.lists(st.binary(max_size=40), max_size=8), st.integers(1, 30), st.integers(1, 50))
def test_it_is_told_line_by_line(lines: list[bytes], limit: int, block: int) -> None:
    data = b"\n".join(lines)
    if open_files.unlike_text(data) is not None or data.startswith(byte_stream.BOM):
        return
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    expected = [
        TOO_LONG_ROW if len(line) > limit else line.decode("utf-8", "replace").removesuffix("\r") for line in lines
    ]
    for packed in (data, gzip.compress(data, mtime=0)):
        options = ("--input", "text", "--max-line", str(limit))
        assert read(packed, *options, block=block) == list(enumerate(expected, 1))


def test_a_mark_is_not_part_of_the_line() -> None:
    assert read(byte_stream.BOM + b"abc\nabcd", "--max-line", "3") == [(1, "abc"), (2, TOO_LONG_ROW)]


# Records.

# csv refuses NUL before Python 3.11. This stands for it: decoded text never has a lone surrogate.
NUL = "\udc00"


def records(data: bytes, limit: int) -> list[tuple[int, Row]]:
    """The rows by the csv module alone, which has whole records; their size is known from their lines."""
    lines = data.removesuffix(b"\n").split(b"\n") if data else []
    reader = csv.reader((f"{line.decode('utf-8', 'replace')}\n".replace("\0", NUL) for line in lines), strict=False)
    rows: list[tuple[int, Row]] = []
    before = 0
    for row in reader:
        size = sum(len(line) + 1 for line in lines[before : reader.line_num]) - 1
        before = reader.line_num
        if size > limit:
            rows.append((before, TOO_LONG_ROW))
        elif row:
            rows.append((before, row[0].replace(NUL, "\0")))
    return rows


TEXTS = ["", "a", 'a"b', '"', ",", "\n", '","', "é", "x" * 30, '""', '\n"\n,', "\0"]
CELLS = st.lists(st.sampled_from(TEXTS))


@given(st.lists(CELLS, max_size=5), st.integers(1, 60), st.integers(1, 70))
@example([['"' * 40], ["a"]], 5, 1)
@example([["\n", "x" * 30, '"'], ["a"]], 5, 4)
@example([["a"], ["", "x" * 30], ["b"]], 5, 1)
def test_records_that_are_too_long(rows: list[list[str]], limit: int, block: int) -> None:
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(rows)
    data = text.getvalue().encode()
    found = read(data, "--column", "1", "--max-line", str(limit), block=block)
    assert found == records(data, limit)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize(
    "long",
    [
        "x" * 50, '"' + "x" * 50 + '"', '"' + "x\n" * 50 + '"', '"' + '""' * 50 + '"', '"\n' + '"",\n' * 50 + '"',
        "a," * 50, 'a"b,' * 50, 'x,"' + "y" * 50 + '",z', ',"",' * 50 + '"\n"', 'a""' * 50, '"","' + "z" * 50 + '"""',
        'a,"' + 'b""\n' * 30 + '","' + "c\n" * 30 + '",d',
    ],
)  # fmt: skip
def test_the_next_record_is_found(long: str, end: str) -> None:
    data = f"u,v{end}http://a,1{end}{long}{end}http://b,2{end}".encode()
    for block in (None, 1, 2, 3, 5, 64):
        rows = read(data, "--column", "u", "--max-line", "40", block=block)
        last = data.count(b"\n")
        assert rows == [(2, "http://a"), (last - 1, TOO_LONG_ROW), (last, "http://b")]
    # Where it ends is found at once, and not by reading on: many such records take linear time.
    ends = [*itertools.accumulate(len(record + end) for record in ("u,v", "http://a,1", long, "http://b,2"))]
    assert cut_records(data, ",", 1, 40, True) == ends


def test_a_header_that_is_too_long() -> None:
    for block in (None, 1):
        with pytest.raises(InputError, match="line 1: the header has more than 5 bytes"):
            read(b"u,vvvvvv\na,b\n", "--column", "u", "--max-line", "5", block=block)
    ended = run("--column", "u", "--max-line", "5", stdin='u\nx\n"y\nzzzzzz\n')
    assert (ended.status, ended.err) == (
        0,
        "weburl: 2 of 2 lines are not URLs (missing-scheme-non-relative-URL: 1, too-long: 1)\n",
    )


# The option.


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("1", 1), ("65536", 65536), ("64K", 65536), ("64k", 65536), ("16M", 1 << 24), ("1g", 1 << 30)],
)
def test_sizes(text: str, value: int) -> None:
    # Where sizes have 32 bits, 1G is as much as can be counted.
    assert _options.size(text) == min(value, sys.maxsize >> 1)


@pytest.mark.parametrize("text", ["", "K", "-1", "1T", "1.5M", "16MB", " 1", "1\n", "٣", "9" * 5000, "0x10"])
def test_invalid_sizes(text: str) -> None:
    for command in ([], ["check"], ["stats"]):
        ended = run(*command, f"--max-line={text}", stdin="http://h")
        assert (ended.status, ended.out) == (2, "")
        assert "argument --max-line: SIZE is a number of bytes, as 65536, 64K, 16M or 1G, not " in ended.err
        assert len(ended.err) < 1000


@pytest.mark.long
def test_the_limit_without_the_option() -> None:
    for size, count in ((0, 1), (1, 0)):
        url = b"http://h/".ljust((1 << 24) + size, b"x")
        assert len(run("-g", "{host}{error}", stdin=url).out) == (2 if count else 9)


# Memory.


@pytest.mark.slow
def test_what_is_too_long_is_not_held() -> None:
    """Not even if a record does not end."""

    def read_all(packed: bytes, *options: str) -> None:
        assert [row for _, row in read(packed, *options, block=1 << 13)] == [TOO_LONG_ROW]

    # From CPython 3.15 on, the two buffers of gzip take 256 KiB.
    size = 1 << 20
    for data, options in (
        (b"x" * size, ["--input", "text"]),
        (b'u\n"' + b"\n" * size, ["--column", "u"]),
        (b'u\n"' + b'""' * (size // 2), ["--column", "u"]),
        (b"u\n" + b'"",' * (size // 3), ["--column", "u"]),
        (b" " * size, ["--field", "u"]),
    ):
        assert stays_below(size // 2, read_all, gzip.compress(data, mtime=0), *options, "--max-line", "10K")


@pytest.mark.parametrize("options", [["--input", "text"], ["--column", "u"]], ids=" ".join)
def test_lines_beside_a_long_one_are_not_objects_all_at_once(
    options: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    size = 1 << 20
    data = b"u\n" + b"x" * 20_000 + b"\n" + b"abc\n" * (size // 4)
    packed = gzip.compress(data, mtime=0)
    monkeypatch.setattr(byte_stream, "BLOCK", 2 * size)
    monkeypatch.setattr(byte_stream, "PIPE", 2 * size)

    def read_all() -> None:
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(packed)))
        (source,) = inputs.Inputs(reading_by(*options, "--max-line", "10K"))
        assert sum(len(block.texts()) for block in source.row_blocks()) == 1 + size // 4 + ("text" in options)

    # Objects are larger without the GIL.
    assert stays_below((20 if sysconfig.get_config_var("Py_GIL_DISABLED") else 13) * size, read_all)


def test_empty_lines_before_a_header_take_little_memory() -> None:
    size = 1 << 20
    for newline in (b"\n", b"\r\n"):
        data = newline * (size // len(newline)) + b"u\nhttp://h/\n"

        def read_all(data: bytes = data) -> None:
            assert [row for _, row in read(data, "--column", "u", block=2 * size)] == ["http://h/"]

        assert stays_below(20 * size, read_all)


def packed_line(begin: bytes, size: int) -> bytes:
    """One member of gzip, with a line of so many MiB. Each is packed once, as none needs the one before."""
    part, packer, crc = b"x" * (1 << 20), zlib.compressobj(9, wbits=-15), zlib.crc32(begin)
    packed = [packer.compress(begin) + packer.flush(zlib.Z_FULL_FLUSH)]
    packed += [packer.compress(part) + packer.flush(zlib.Z_FULL_FLUSH)] * (size >> 20)
    for _ in range(size >> 20):
        crc = zlib.crc32(part, crc)
    packed.append(packer.compress(b'"\n') + packer.flush())
    length = len(begin) + size + 2 & 0xFFFFFFFF
    header = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    return header + b"".join(packed) + struct.pack("<II", zlib.crc32(b'"\n', crc), length)


def test_the_packed_line() -> None:
    assert gzip.decompress(packed_line(b"http://h/", 3 << 20)) == b"http://h/" + b"x" * (3 << 20) + b'"\n'


MEASURE = """
import resource, subprocess, sys
status = subprocess.run(sys.argv[1:]).returncode
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss, file=sys.stderr)
sys.exit(status)
"""


@pytest.mark.slow
@pytest.mark.skipif(os.name != "posix", reason="resource usage is POSIX's")
@pytest.mark.parametrize(
    ("options", "size"),
    [([], 1030 << 20), (["--column", "1"], 300 << 20), (["--field", "u"], 300 << 20), (["check"], 300 << 20)],
)
def test_a_small_file_with_one_line_of_a_gigabyte(options: list[str], size: int, tmp_path: Path) -> None:
    path = tmp_path / "line.gz"
    path.write_bytes(packed_line(b'"http://h/' if "--column" in options else b"http://h/", size))
    assert path.stat().st_size < 2 << 20
    arguments = options if "check" in options else [*options, "-g", "{error}"]
    # A process begins with the peak of the one that starts it, so one that is small starts it.
    done = subprocess.run(
        [sys.executable, "-c", MEASURE, sys.executable, "-m", "weburl", *arguments, "-f", str(path)],
        capture_output=True, check=False,
    )  # fmt: skip
    *err, peak = done.stderr.splitlines(keepends=True)
    if options == ["check"]:
        assert done.returncode == 1
        assert (done.stdout.count(b"\n"), err) == (1, [b"1 of 1 URL: 1 too-long\n"])
    else:
        assert (done.returncode, done.stdout) == (0, b"too-long\n")
        assert err == [b"weburl: 1 of 1 lines is not a URL (too-long: 1)\n"]
    assert int(peak) * (1 if sys.platform == "darwin" else 1024) < 200_000_000


def test_too_long_is_not_a_str() -> None:
    assert isinstance(TOO_LONG_ROW, TooLong)
    assert not isinstance(TOO_LONG_ROW, str)


@given(st.text('",\n\ra', max_size=40), st.integers(1, 12), st.integers(1, 50))
@example('a,b\n"\n' + "a,b\n" * 9, 8, 3)
@example('"aaaaaaaaa\n', 9, 50)
@example('"a"a\naa\n', 3, 50)
def test_records_that_are_too_long_end_where_they_do_however_they_arrive(text: str, limit: int, size: int) -> None:
    ended = text if text.endswith("\n") or not text else f"{text}\n"
    expected = limited_rows(ended, limit)
    for pieces in (size, 1 << 16):
        assert read_blocks(delimited.read_csv, text.encode(), pieces, column="1", limit=limit) == expected


@pytest.mark.parametrize("size", ["8589934591G", "8589934592G", "999999999999999G"])
@pytest.mark.parametrize(
    "options",
    [
        ["--column", "u", "--max-line"],
        ["--column", "u", "--csv", "--keep", "--max-line"],
        ["dedup", "--column", "u", "--memory"],
        ["stats", "--column", "u", "--max-line"],
    ],
    ids=" ".join,
)
def test_a_size_above_all(options: list[str], size: str) -> None:
    ended = run(*options, size, stdin="u\nhttp://h/\n")
    assert (ended.status, ended.err) == (0, "")
    assert "http" in ended.out


@pytest.mark.parametrize(("line", "times"), [(b"a\n", 4), (b'""\n', 20)])
def test_a_long_record_from_a_pipe_takes_linear_time(line: bytes, times: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without a limit, a quote that is never closed makes one record of all that follows. The writer always waits."""
    looked_at = 0

    def counted(data: bytes, *arguments: Any) -> list[int]:
        nonlocal looked_at
        looked_at += len(data)
        return cut_records(data, *arguments)

    monkeypatch.setattr(delimited, "cut_records", counted)
    monkeypatch.setattr(delimited, "RECORD_BYTES", 1 << 10)
    monkeypatch.setattr(byte_stream, "PIPE", 1 << 8)
    monkeypatch.setattr(byte_stream, "BLOCK", 1 << 8)
    monkeypatch.setattr(byte_stream, "_always", lambda: False)
    data = b'"' + line * (1 << 18)
    stream = byte_stream.ByteStream(io.BytesIO(data), "")
    rows = [
        text
        for block in delimited.read_csv(stream, Reading(column="1"), Keep())
        for part in (block.parts() if isinstance(block, RecordBlock) else ())
        for text in part().texts()
    ]
    assert len(rows) == 1 << 18
    assert looked_at < times * len(data)
