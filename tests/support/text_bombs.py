"""Bombs of text: packed, long, for what is not read as rows, and for what commands keep of many rows."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import struct
import sys
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Final

from support.bombs import BUDGET, KEPT, MIB, READ, URL, Bomb, file

# Packed text.


def _lines(size: int) -> bytes:
    line = URL + b"a" * 100 + b"\n"
    return line * (size // len(line))


def _gzip(data: bytes) -> bytes:
    return gzip.compress(data, 6, mtime=0)


def _gzip_header(flags: int, fields: bytes) -> bytes:
    """A member of gzip with these fields in its header."""
    body = zlib.compressobj(9, wbits=-15)
    text = URL + b"\n"
    packed = body.compress(text) + body.flush()
    return bytes((31, 139, 8, flags)) + bytes(6) + fields + packed + struct.pack("<II", zlib.crc32(text), len(text))


def _xz_of_dictionary(size: int, data: bytes) -> bytes:
    """A file whose header declares a dictionary of 2 << size // 2 or 3 << size // 2 KiB, as the format counts."""
    packed = bytearray(lzma.compress(data, preset=0))
    length = (packed[12] + 1) * 4
    header = packed[12 : 12 + length]
    assert header[2:4] == b"\x21\x01"  # LZMA2, and one byte of properties
    header[4] = size
    header[-4:] = struct.pack("<I", zlib.crc32(header[:-4]))
    packed[12 : 12 + length] = header
    return bytes(packed)


def _honest_xz() -> bytes:
    # The dictionary of preset 9, and the speed of preset 0.
    return lzma.compress(_lines(96 * MIB), filters=[{"id": lzma.FILTER_LZMA2, "preset": 0, "dict_size": 64 * MIB}])


def _zstd(data: bytes, window_log: int) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    parameter = zstd.CompressionParameter
    options = {parameter.window_log: window_log, parameter.compression_level: 1}
    # All at once, a frame has a window no larger than its content.
    packer = zstd.ZstdCompressor(options=options)
    return b"".join((*(packer.compress(data[at : at + MIB]) for at in range(0, len(data), MIB)), packer.flush()))


PACKED: Final = [
    Bomb("xz: 512 MiB of NUL", file("a.xz", lambda: lzma.compress(bytes(16 * MIB), preset=6) * 32)),
    Bomb("xz -9: 96 MiB of lines, dictionary of 64 MiB", file("a.xz", _honest_xz)),
    Bomb("xz: dictionary of 1.5 GiB", file("a.xz", lambda: _xz_of_dictionary(37, bytes(MIB))), "its xz data " + BUDGET),
    Bomb("xz: dictionary of 4 GiB, in gzip", file("a.gz", lambda: _gzip(_xz_of_dictionary(40, URL))), "its xz data "),
    Bomb("xz: 10^5 empty streams", file("a.xz", lambda: lzma.compress(b"") * 100_000)),
    Bomb("xz: 64 MiB of padding, in gzip", file("a.gz", lambda: _gzip(lzma.compress(URL) + bytes(64 * MIB)))),
    Bomb("gzip: 512 MiB of NUL", file("a.gz", lambda: _gzip(bytes(16 * MIB)) * 32)),
    Bomb("gzip: 300,000 empty members", file("a.gz", lambda: _gzip(b"") * 300_000)),
    Bomb("gzip: 400,000 members, in gzip", file("a.gz", lambda: _gzip(_gzip(b"\n") * 400_000))),
    Bomb("gzip: name of 128 MiB, in gzip", file("a.gz", lambda: _gzip(_gzip_header(8, b"x" * (128 * MIB) + b"\0")))),
    Bomb(
        "gzip: comment without an end",
        file("a.gz", lambda: _gzip(_gzip_header(16, b"x" * (64 * MIB))[: 64 * MIB])),
        "its gzip data has no end",
    ),
    Bomb(
        "gzip: 10^3 members with an extra field",
        file("a.gz", lambda: _gzip(_gzip_header(4, b"\xff\xff" + b"x" * 65535) * 1_000)),
    ),
    Bomb("bzip2: 256 MiB of NUL", file("a.bz2", lambda: bz2.compress(bytes(4 * MIB)) * 64)),
    Bomb("bzip2: 10^5 empty streams", file("a.bz2", lambda: bz2.compress(b"") * 100_000)),
    Bomb("zstd: 512 MiB of NUL", file("a.zst", lambda: _zstd(bytes(16 * MIB), 20) * 32), needs="zstd"),
    Bomb("zstd --long=27: lines, window of 128 MiB", file("a.zst", lambda: _zstd(_lines(160 * MIB), 27)), needs="zstd"),
    Bomb(
        "zstd --long=31: window of 2 GiB",
        file("a.zst", lambda: _zstd(URL * 1000, 31)),
        "its zstd data " + BUDGET,
        "zstd",
    ),
    Bomb(
        "zstd --long=27, in zstd --long=27",
        file("a.zst", lambda: _zstd(_zstd(_lines(160 * MIB), 27), 27)),
        BUDGET,
        "zstd",
    ),
    Bomb("zstd: 10^5 empty frames", file("a.zst", lambda: _zstd(b"", 20) * 10**5), needs="zstd"),
]


# Text.


def _gzip_of(*parts: tuple[bytes, int]) -> Callable[[], bytes]:
    """Parts, each so many times. A MiB of one is packed once: after a full flush, no byte needs those before."""

    def packed() -> bytes:
        packer, crc, size = zlib.compressobj(6, wbits=-15), 0, 0
        found = [b"\x1f\x8b\x08\0\0\0\0\0\0\xff"]
        for text, count in parts:
            each = max(1, MIB // len(text))
            whole = text * each
            found += [packer.flush(zlib.Z_FULL_FLUSH)]
            found += [packer.compress(whole) + packer.flush(zlib.Z_FULL_FLUSH)] * (count // each)
            found += [packer.compress(text * (count % each))]
            for _ in range(count // each):
                crc = zlib.crc32(whole, crc)
            crc = zlib.crc32(text * (count % each), crc)
            size += len(text) * count
        return b"".join((*found, packer.flush(), struct.pack("<II", crc, size & 0xFFFFFFFF)))

    return packed


def _json_members(count: int) -> bytes:
    return json.dumps({"u": "http://a/", **{f"k{i}": i for i in range(count)}}).encode() + b"\n"


LONG: Final = (1 << 24) - 1024
OTLP: Final = b'{"resourceSpans":[{"scopeSpans":[{"spans":['
SPAN: Final = b'{"url.full":"http://a/"},'
TEXT: Final = [
    Bomb("text: one line of 256 MiB", file("a.gz", _gzip_of((URL, 1), (b"a", 1 << 28)))),
    Bomb("text: 2^25 empty lines", file("a.gz", _gzip_of((b"\n", 1 << 25)))),
    Bomb(
        "text: 4 lines of 16 MiB, all parts",
        file("a.gz", _gzip_of(*[(URL, 1), (b"a", LONG), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB of controls, all parts",
        file("a.gz", _gzip_of((URL + b"\n", 100), *[(URL, 1), (b"\1", LONG), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB of parameters",
        file("a.gz", _gzip_of(*[(URL + b"?", 1), (b"a&", LONG // 2), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB, redacted",
        file("a.gz", _gzip_of(*[(URL + b"?", 1), (b"a=b&", LONG // 4), (b"\n", 1)] * 4), "-g", "{redacted}"),
    ),
    Bomb(
        "text: lines of 1 MiB, dropped into a file",
        file("a.gz", _gzip_of(*[(b"x", LONG // 16), (b"\n", 1)] * 4), "--invalid", "file=/dev/null"),
    ),
    Bomb(
        "text: 256 MiB in a line, --max-line 0",
        file("a.gz", _gzip_of((URL, 1), (b"a", 1 << 28)), "--max-line", "0"),
        BUDGET,
    ),
    Bomb(
        "csv: a header of 10^6 names",
        file("a.csv.gz", _gzip_of((b"name,", 10**6), (b"u\n", 1)), "--column", "u"),
        "65,536 columns",
    ),
    Bomb(
        "csv: a header of 65,536 names, kept",
        file(
            "a.csv.gz",
            lambda: _gzip(b",".join(b"c%d" % i for i in range(65_535)) + b",u\n" + b"," * 65_535 + b"http://a/\n" * 20),
            *KEPT,
            "--column",
            "u",
        ),
    ),
    Bomb("csv: a quote without an end", file("a.csv.gz", _gzip_of((b'u\n"', 1), (b"a\n", 1 << 26)), "--column", "u")),
    Bomb(
        "csv: a quote without an end, --max-line 0",
        file("a.csv.gz", _gzip_of((b'u\n"', 1), (b"a\n", 1 << 26)), "--column", "u", "--max-line", "0"),
        BUDGET,
    ),
    Bomb(
        "csv: cells of 16 MiB, kept",
        file("a.csv.gz", _gzip_of((b"t,u\n", 1), *[(b"a", LONG), (b",http://a/\n", 1)] * 8), *KEPT, "--column", "u"),
    ),
    Bomb(
        "csv: 2^21 rows of a comma, kept",
        file("a.csv.gz", _gzip_of((b"t,u\n", 1), (b",\n", 1 << 21)), *KEPT, "--column", "u"),
    ),
    Bomb(
        "tsv: a record of 2^24 tabs",
        file("a.tsv.gz", _gzip_of((b"u\n", 1), (b"\t", LONG), (b"\n", 1)), "--column", "u"),
    ),
    Bomb(
        "jsonl: 10^7 arrays in each other",
        file("a.jsonl.gz", _gzip_of((b'{"u":', 1), (b"[", 10**7), (b"\n", 1)), "--field", "u"),
    ),
    Bomb(
        "jsonl: a name of 256 MiB",
        file("a.jsonl.gz", _gzip_of((b'{"', 1), (b"k", 1 << 28), (b'":1}\n', 1)), "--field", "u"),
    ),
    Bomb(
        "jsonl: 4 names of 15 MiB with escapes, kept",
        file(
            "a.jsonl.gz",
            _gzip_of(*[(b'{"u":"http://a/","', 1), (b"\\u0001", LONG // 6 - 10), (b'":1}\n', 1)] * 4),
            "--json",
            "--keep",
            "--field",
            "u",
        ),
    ),
    Bomb(
        "jsonl: 10^5 members, kept",
        file("a.jsonl.gz", lambda: _gzip(_json_members(10**5) * 4), "--json", "--keep", "--field", "u"),
    ),
    Bomb(
        "log: 4 lines of 16 MiB",
        file(
            "a.log.gz",
            _gzip_of(*[(b'- - - [-] "GET /', 1), (b"\\n", LONG // 2 - 100), (b' HTTP/1.1" 200 1\n', 1)] * 4),
            "--log",
            "common",
            "--base",
            "http://a/",
            *KEPT,
        ),
        BUDGET,
    ),
    Bomb(
        "log: 4 lines of 16 MiB of spans",
        file(
            "a.log.gz",
            _gzip_of(*[(OTLP, 1), (SPAN, LONG // len(SPAN) - 9), (b"{}]}]}]}\n", 1)] * 4),
            "--log",
            "otlp",
            *KEPT,
        ),
    ),
    Bomb(
        "log: 4 lines of 16 MiB of attributes",
        file(
            "a.log.gz",
            _gzip_of(*[(OTLP + b'{"attributes":[', 1), (b"{},", LONG // 3 - 100), (b"{}]}]}]}]}\n", 1)] * 4),
            "--log",
            "otlp",
            *KEPT,
        ),
    ),
    Bomb(
        "log: 4 lines of 16 MiB of pairs",
        file("a.log.gz", _gzip_of(*[(b"url=http://a/ ", LONG // 14 - 9), (b"\n", 1)] * 4), "--log", "logfmt", *KEPT),
    ),
    Bomb(
        "log: 4 lines of 16 MiB of names",
        file(
            "a.log.gz", _gzip_of(*[(b"#Fields:", 1), (b" a", LONG // 2 - 9), (b"\n/\n", 1)] * 4), "--log", "w3c", *KEPT
        ),
    ),
    Bomb(
        "log: 2^13 lines with other fields than those before",
        file("a.log.gz", _gzip_of((b"#Fields: cs-uri\nhttp://a/\n#Fields: cs-uri x\n", 1 << 12)), "--log", "w3c"),
    ),
    Bomb(
        "log: quotes and escapes without an end",
        file("a.log.gz", _gzip_of((b'- - - [-] "', 1), (b'\\"', 1 << 26)), "--log", "common", "--base", "http://a/"),
    ),
]


# Files that are not read as rows.


def _beside(option: str, data: Callable[[], bytes], *options: str) -> Callable[[Path], list[str]]:
    """A function that writes a file for an option."""

    def write(folder: Path) -> list[str]:
        (folder / "b").write_bytes(data())
        return [*options, option, str(folder / "b"), "http://a/"]

    return write


def _two_beside(option: str, count: int) -> Callable[[Path], list[str]]:
    """A function that writes two files for an option, with so many hosts each."""

    def write(folder: Path) -> list[str]:
        for name in "bc":
            (folder / name).write_bytes(b"".join(b"%d.%s\n" % (number, name.encode()) for number in range(count)))
        return [option, str(folder / "b"), option, str(folder / "c"), "http://a/"]

    return write


def _page(data: Callable[[], bytes]) -> Callable[[Path], list[str]]:
    def write(folder: Path) -> list[str]:
        (folder / "a.html").write_bytes(data())
        return ["links", str(folder / "a.html")]

    return write


def _sparse(folder: Path) -> list[str]:
    with open(folder / "a.html", "wb") as file:
        file.write(b"<p>\n")
        file.truncate(1 << 30)
    return ["links", str(folder / "a.html")]


def _short_urls(count: int) -> bytes:
    return b"".join(b"http://h%d.example/%d\n" % (number, number) for number in range(count))


def _wide(columns: int, size: int) -> Callable[[], bytes]:
    """A file of CSV with so many columns, and about so many bytes."""

    def data() -> bytes:
        row = b"x" * 10 + b","
        return (
            b",".join(b"c%d" % i for i in range(columns))
            + b",u\n"
            + (row * columns + URL + b"\n") * (size // (len(row) * columns))
        )

    return data


def _redacted(*parts: tuple[bytes, int], max_line: str = "1M") -> Callable[[Path], list[str]]:
    def write(folder: Path) -> list[str]:
        path = folder / "a.gz"
        path.write_bytes(_gzip_of(*parts)())
        return ["redact", "--max-line", max_line, str(path)]

    return write


OTHERS: Final = [
    Bomb("redact: a line of 1 GiB", _redacted((b"a", 1 << 30)), is_slow=True),
    Bomb("redact: a line of 64 MiB of backslashes", _redacted((b"https://h/?a=", 1), (b"\\", 64 * MIB))),
    Bomb("redact: a line of 64 MiB of secrets", _redacted((b"/?token=1 ", 6 * MIB))),
    Bomb("redact: 2^22 texts of a header", _redacted((b'"Cookie": [\n', 1), (b'"a=q8Zx",\n', 1 << 22))),
    Bomb(
        "redact: 64 MiB of escapes in a line, --max-line 0",
        _redacted((b"https://h/?a=", 1), (b"\\/", 32 * MIB), max_line="0"),
        BUDGET,
    ),
    *[
        Bomb(
            f"csv: {columns:,} columns, kept in {kind}",
            file("a.csv", _wide(columns, size), f"--{kind}", os.devnull, "--keep", "--column", "u"),
            outcome,
            "pyarrow",
            is_slow=outcome == READ,
        )
        for kind in ("parquet", "arrow")
        for columns, size, outcome in ((1_000, 8 * MIB, READ), (8_000, 8 * MIB, READ), (60_000, 2 * MIB, BUDGET))
    ],
    Bomb("text: 64 threads, all parts", file("a.txt", lambda: _short_urls(500_000), "--json", "--threads=64")),
    Bomb("hosts: a line of 200 MiB", _beside("--hosts", lambda: b"a" * (200 * MIB)), BUDGET),
    Bomb("hosts: two files of 3,000,000 lines", _two_beside("--hosts", 3_000_000), BUDGET, is_slow=True),
    Bomb("hosts: 10^6 lines", _beside("--not-hosts", lambda: b"".join(b"%d.a\n" % i for i in range(10**6)))),
    Bomb(
        "routes: a line of 32 MiB",
        _beside("--routes", lambda: b"https://a/" + b":a/" * (11 * MIB), "-g{route}"),
        BUDGET,
    ),
    Bomb(
        "routes: 200,000 lines",
        _beside("--routes", lambda: b"".join(b"https://%d.a/:b/%d\n" % (i, i) for i in range(200_000)), "-g{route}"),
        BUDGET,
    ),
    Bomb("links: 2,000,000 in a page", _page(lambda: b"<a href=http://a/x>x</a>\n" * 2_000_000), BUDGET, "selectolax"),
    Bomb("links: a page of 1 GiB of NUL", _sparse, BUDGET, "selectolax"),
]


# What commands keep of many rows. The short form leaves them out; the first needs a join that counts bytes.


def _join(folder: Path) -> list[str]:
    for name in ("a", "b"):
        (folder / name).write_bytes((URL + name.encode() * 6000 + b"\n") * 450)
    return ["join", "--key", "hostname", "--with", str(folder / "b"), "--csv", "-f", str(folder / "a")]


def _many_urls(count: int, host: str) -> Callable[[], bytes]:
    return lambda: _gzip("".join(f"http://{number}.{host}/\n" for number in range(count)).encode())


KEYS: Final = [
    Bomb("join: 450 rows of 6 KB on each side with one key", _join, is_slow=True),
    Bomb("dedup: 5,000,000 keys", file("a.gz", _many_urls(5_000_000, "a"), "dedup"), is_slow=True),
    Bomb(
        "stats: --top of 3,000,000 hosts",
        file("a.gz", _many_urls(3_000_000, "a"), "stats", "--top", "1000000000", "--json"),
        BUDGET,
        is_slow=True,
    ),
    Bomb(
        "stats: 500,000 long hosts",
        file("a.gz", _many_urls(500_000, ".".join("a" * 60 for _ in range(3))), "stats"),
        is_slow=True,
    ),
]
