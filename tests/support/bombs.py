"""Small inputs that ask for much memory, and the peak of the command's process."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

LIMIT: Final = 300_000_000  # bytes resident, of the whole process
SECONDS: Final = 20
MIB: Final = 1 << 20
URL: Final = b"http://example.com/"
READ: Final = ""  # the outcome of a bomb that is read
BUDGET: Final = r"needs more than 128 MiB of memory: give it more with --memory, as --memory 1G"
# A process begins with the peak of the one that starts it, so one that is small starts it.
MEASURE: Final = """\
import os, sys
pid = os.posix_spawn(sys.argv[1], sys.argv[1:], os.environ)
_, status, usage = os.wait4(pid, 0)
print(usage.ru_maxrss, usage.ru_utime + usage.ru_stime, os.waitstatus_to_exitcode(status), file=sys.stderr)
"""


class Bomb(NamedTuple):
    """`write` writes the files into a folder, and returns the arguments of the command.

    The command reads it, or it refuses it with a message that the regular expression `outcome` matches.
    """

    name: str
    write: Callable[[Path], list[str]]
    outcome: str = READ
    needs: str | None = None  # a package
    is_slow: bool = False  # for the long form


class Ended(NamedTuple):
    status: int
    err: str
    peak: int  # bytes
    seconds: float  # of a processor

    def fault(self, bomb: Bomb) -> str | None:
        """What is wrong about how the command ended."""
        if self.peak > LIMIT:
            return f"more than {LIMIT // 10**6} MB"
        if self.seconds > SECONDS:
            return f"more than {SECONDS} s"
        if self.status not in (0, 1, 3) or "Traceback" in self.err:
            return f"status {self.status}: {self.err[-300:]}"
        if (self.status == 3) != bool(bomb.outcome):
            return "it is refused" if self.status == 3 else "it is read"
        if bomb.outcome and not re.fullmatch(rf"weburl: (standard input|\S*/\S+): .*(?:{bomb.outcome}).*\n", self.err):
            return f"another message: {self.err[-300:]}"
        return None


def explode(bomb: Bomb, folder: Path) -> Ended:
    """Runs the command on a bomb."""
    arguments = bomb.write(folder)
    command = [sys.executable, "-SE", "-c", MEASURE, sys.executable, "-m", "weburl", *arguments]
    with open(os.devnull, "wb") as nothing:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=nothing, stderr=subprocess.PIPE, check=False)
    *lines, last = done.stderr.decode().splitlines(keepends=True)
    peak, seconds, status = last.split()
    return Ended(int(status), "".join(lines), int(peak) * (1 if sys.platform == "darwin" else 1024), float(seconds))


def size_of(folder: Path) -> int:
    return sum(path.stat().st_size for path in folder.iterdir())


def _file(name: str, data: Callable[[], bytes], *options: str) -> Callable[[Path], list[str]]:
    """A function that writes a file, for the command with these options."""

    def write(folder: Path) -> list[str]:
        path = folder / name
        path.write_bytes(data())
        return [*options, "-f", str(path)]

    return write


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
    Bomb("xz: 512 MiB of NUL", _file("a.xz", lambda: lzma.compress(bytes(16 * MIB), preset=6) * 32)),
    Bomb("xz -9: 96 MiB of lines, dictionary of 64 MiB", _file("a.xz", _honest_xz)),
    Bomb(
        "xz: dictionary of 1.5 GiB", _file("a.xz", lambda: _xz_of_dictionary(37, bytes(MIB))), "its xz data " + BUDGET
    ),
    Bomb("xz: dictionary of 4 GiB, in gzip", _file("a.gz", lambda: _gzip(_xz_of_dictionary(40, URL))), "its xz data "),
    Bomb("xz: 10^5 empty streams", _file("a.xz", lambda: lzma.compress(b"") * 100_000)),
    Bomb("xz: 64 MiB of padding, in gzip", _file("a.gz", lambda: _gzip(lzma.compress(URL) + bytes(64 * MIB)))),
    Bomb("gzip: 512 MiB of NUL", _file("a.gz", lambda: _gzip(bytes(16 * MIB)) * 32)),
    Bomb("gzip: 300,000 empty members", _file("a.gz", lambda: _gzip(b"") * 300_000)),
    Bomb("gzip: 400,000 members, in gzip", _file("a.gz", lambda: _gzip(_gzip(b"\n") * 400_000))),
    Bomb("gzip: name of 128 MiB, in gzip", _file("a.gz", lambda: _gzip(_gzip_header(8, b"x" * (128 * MIB) + b"\0")))),
    Bomb(
        "gzip: comment without an end",
        _file("a.gz", lambda: _gzip(_gzip_header(16, b"x" * (64 * MIB))[: 64 * MIB])),
        "its gzip data has no end",
    ),
    Bomb(
        "gzip: 10^3 members with an extra field",
        _file("a.gz", lambda: _gzip(_gzip_header(4, b"\xff\xff" + b"x" * 65535) * 1_000)),
    ),
    Bomb("bzip2: 256 MiB of NUL", _file("a.bz2", lambda: bz2.compress(bytes(4 * MIB)) * 64)),
    Bomb("bzip2: 10^5 empty streams", _file("a.bz2", lambda: bz2.compress(b"") * 100_000)),
    Bomb("zstd: 512 MiB of NUL", _file("a.zst", lambda: _zstd(bytes(16 * MIB), 20) * 32), needs="zstd"),
    Bomb(
        "zstd --long=27: lines, window of 128 MiB", _file("a.zst", lambda: _zstd(_lines(160 * MIB), 27)), needs="zstd"
    ),
    Bomb(
        "zstd --long=31: window of 2 GiB",
        _file("a.zst", lambda: _zstd(URL * 1000, 31)),
        "its zstd data " + BUDGET,
        "zstd",
    ),
    Bomb(
        "zstd --long=27, in zstd --long=27",
        _file("a.zst", lambda: _zstd(_zstd(_lines(160 * MIB), 27), 27)),
        BUDGET,
        "zstd",
    ),
    Bomb("zstd: 10^5 empty frames", _file("a.zst", lambda: _zstd(b"", 20) * 10**5), needs="zstd"),
]


# Text.


def _gzip_of(*parts: tuple[bytes, int]) -> Callable[[], bytes]:
    """Parts, each so many times."""

    def packed() -> bytes:
        packer = zlib.compressobj(6, wbits=31)
        found = []
        for text, count in parts:
            each = max(1, MIB // len(text))
            for begin in range(0, count, each):
                found.append(packer.compress(text * min(each, count - begin)))
        return b"".join((*found, packer.flush()))

    return packed


def _json_members(count: int) -> bytes:
    return json.dumps({"u": "http://a/", **{f"k{i}": i for i in range(count)}}).encode() + b"\n"


LONG: Final = (1 << 24) - 1024
KEPT: Final = ["--csv", "--keep"]
TEXT: Final = [
    Bomb("text: one line of 256 MiB", _file("a.gz", _gzip_of((URL, 1), (b"a", 1 << 28)))),
    Bomb("text: 2^25 empty lines", _file("a.gz", _gzip_of((b"\n", 1 << 25)))),
    Bomb(
        "text: 4 lines of 16 MiB, all parts",
        _file("a.gz", _gzip_of(*[(URL, 1), (b"a", LONG), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB of controls, all parts",
        _file("a.gz", _gzip_of((URL + b"\n", 100), *[(URL, 1), (b"\1", LONG), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB of parameters",
        _file("a.gz", _gzip_of(*[(URL + b"?", 1), (b"a&", LONG // 2), (b"\n", 1)] * 4), "--json"),
        BUDGET,
    ),
    Bomb(
        "text: 4 lines of 16 MiB, redacted",
        _file("a.gz", _gzip_of(*[(URL + b"?", 1), (b"a=b&", LONG // 4), (b"\n", 1)] * 4), "-g", "{redacted}"),
    ),
    Bomb(
        "text: lines of 1 MiB, dropped into a file",
        _file("a.gz", _gzip_of(*[(b"x", LONG // 16), (b"\n", 1)] * 4), "--invalid", "file=/dev/null"),
    ),
    Bomb(
        "text: 256 MiB in a line, --max-line 0",
        _file("a.gz", _gzip_of((URL, 1), (b"a", 1 << 28)), "--max-line", "0"),
        BUDGET,
    ),
    Bomb(
        "csv: a header of 10^6 names",
        _file("a.csv.gz", _gzip_of((b"name,", 10**6), (b"u\n", 1)), "--column", "u"),
        "65,536 columns",
    ),
    Bomb(
        "csv: a header of 65,536 names, kept",
        _file(
            "a.csv.gz",
            lambda: _gzip(b",".join(b"c%d" % i for i in range(65_535)) + b",u\n" + b"," * 65_535 + b"http://a/\n" * 20),
            *KEPT,
            "--column",
            "u",
        ),
    ),
    Bomb("csv: a quote without an end", _file("a.csv.gz", _gzip_of((b'u\n"', 1), (b"a\n", 1 << 26)), "--column", "u")),
    Bomb(
        "csv: a quote without an end, --max-line 0",
        _file("a.csv.gz", _gzip_of((b'u\n"', 1), (b"a\n", 1 << 26)), "--column", "u", "--max-line", "0"),
        BUDGET,
    ),
    Bomb(
        "csv: cells of 16 MiB, kept",
        _file("a.csv.gz", _gzip_of((b"t,u\n", 1), *[(b"a", LONG), (b",http://a/\n", 1)] * 8), *KEPT, "--column", "u"),
    ),
    Bomb(
        "csv: 2^22 rows of a comma, kept",
        _file("a.csv.gz", _gzip_of((b"t,u\n", 1), (b",\n", 1 << 22)), *KEPT, "--column", "u"),
    ),
    Bomb(
        "tsv: a record of 2^24 tabs",
        _file("a.tsv.gz", _gzip_of((b"u\n", 1), (b"\t", LONG), (b"\n", 1)), "--column", "u"),
    ),
    Bomb(
        "jsonl: 10^7 arrays in each other",
        _file("a.jsonl.gz", _gzip_of((b'{"u":', 1), (b"[", 10**7), (b"\n", 1)), "--field", "u"),
    ),
    Bomb(
        "jsonl: a name of 256 MiB",
        _file("a.jsonl.gz", _gzip_of((b'{"', 1), (b"k", 1 << 28), (b'":1}\n', 1)), "--field", "u"),
    ),
    Bomb(
        "jsonl: 4 names of 15 MiB with escapes, kept",
        _file(
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
        _file("a.jsonl.gz", lambda: _gzip(_json_members(10**5) * 4), "--json", "--keep", "--field", "u"),
    ),
    Bomb(
        "log: 4 lines of 16 MiB",
        _file(
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
        "log: quotes and escapes without an end",
        _file("a.log.gz", _gzip_of((b'- - - [-] "', 1), (b'\\"', 1 << 26)), "--log", "common", "--base", "http://a/"),
    ),
]


# Parquet and Arrow.


def _parquet(
    make: Callable[[Any], Any], *options: str, name: str = "a.parquet", **how: Any
) -> Callable[[Path], list[str]]:
    """A function that writes a table as Parquet; `make` makes it, and gets pyarrow."""

    def data() -> bytes:
        import pyarrow
        from pyarrow import parquet

        out = io.BytesIO()
        parquet.write_table(make(pyarrow), out, **{"compression": "zstd", "write_statistics": False, **how})
        return out.getvalue()

    return _file(name, data, *options)


def _arrow(
    make: Callable[[Any], Any], *options: str, kind: str = "file", codec: str | None = None
) -> Callable[[Path], list[str]]:
    def data() -> bytes:
        import pyarrow
        from pyarrow import ipc

        out = io.BytesIO()
        table = make(pyarrow)
        if isinstance(table, pyarrow.RecordBatch):
            table = pyarrow.Table.from_batches([table])
        write = ipc.new_file if kind == "file" else ipc.new_stream
        with write(out, table.schema, options=ipc.IpcWriteOptions(compression=codec)) as writer:
            writer.write_table(table)
        return out.getvalue()

    return _file("a.arrow", data, *options)


def _repeated(pyarrow: Any, size: int, rows: int) -> Any:
    """A dictionary of one value with many rows."""
    indices = pyarrow.Array.from_buffers(pyarrow.int32(), rows, [None, pyarrow.py_buffer(bytes(4 * rows))])
    return pyarrow.DictionaryArray.from_arrays(indices, pyarrow.array(["http://a/" + "a" * size]))


def _one_dictionary(size: int, rows: int) -> Callable[[Any], Any]:
    return lambda pa: pa.table({"u": _repeated(pa, size, rows)})


def _kept(size: int, rows: int) -> Callable[[Any], Any]:
    return lambda pa: pa.table({"u": _repeated(pa, 1, rows), "k": _repeated(pa, size, rows)})


def _views(pa: Any, size: int, rows: int) -> Any:
    """Rows of a column of views that all look at one buffer."""
    text = b"http" + b"a" * (size - 4)
    view = struct.pack("<i4sii", size, text[:4], 0, 0)
    buffers = [None, pa.py_buffer(view * rows), pa.py_buffer(text)]
    return pa.table({"u": pa.Array.from_buffers(pa.string_view(), rows, buffers)})


def _list_views(pa: Any, rows: int) -> Any:
    """Rows that are all the same list of 10^5 numbers."""
    offsets, sizes = (pa.array([number] * rows, pa.int32()) for number in (0, 100_000))
    column = pa.ListViewArray.from_arrays(offsets, sizes, pa.array(range(100_000), pa.int32()))
    return pa.table({"u": _repeated(pa, 1, rows), "k": column})


def _runs(pa: Any, rows: int) -> Any:
    column = pa.RunEndEncodedArray.from_arrays(pa.array([rows], pa.int32()), pa.array(["a" * 100_000]))
    return pa.table({"u": _repeated(pa, 1, rows), "k": column})


def _many_columns(pa: Any, count: int) -> Any:
    return pa.table([pa.array(["http://a/"])] * count, names=["u", *(f"c{i}" for i in range(count - 1))])


def _with_metadata(pa: Any, size: int) -> Any:
    return pa.table({"u": ["http://a/"]}).replace_schema_metadata({"k": "v" * size})


def _skewed(pa: Any) -> Any:
    """Many short rows, and a few long ones beside each other, in one row group."""
    return pa.table({"u": ["http://a/"] * 10_000, "k": ["a"] * 9_000 + ["b" * 400_000 + str(i) for i in range(1_000)]})


def _nested(pa: Any, rows: int) -> Any:
    return pa.table({"u": ["http://a/"] * rows, "k": pa.array([list(range(10_000))] * rows, pa.list_(pa.int16()))})


def _long_rows(pa: Any, rows: int, size: int) -> Any:
    return pa.table({"u": [f"http://a/{i}/" + "a" * size for i in range(rows)]})


def _nested_dictionary(pa: Any, rows: int) -> Any:
    values = _repeated(pa, 100_000, rows)
    return pa.table({"u": _repeated(pa, 1, rows), "k": pa.StructArray.from_arrays([values], ["v"])})


def _varint(number: int) -> bytes:
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    return bytes((*out, number))


def _zigzag(number: int) -> bytes:
    return _varint(number << 1 if number >= 0 else (-number << 1) - 1)


def _parquet_of_groups(count: int) -> bytes:
    """A footer that has so many row groups, each without columns: a few bytes in thrift, and many in memory."""
    element = b"\x48" + _varint(4) + b"root" + b"\x15" + _zigzag(1) + b"\0"
    leaf = b"\x15" + _zigzag(6) + b"\x25" + _zigzag(0) + b"\x18" + _varint(1) + b"u" + b"\x25" + _zigzag(0) + b"\0"
    schema = b"\x19\x2c" + element + leaf
    group = b"\x19\x0c" + b"\x16\0" + b"\x16\0" + b"\0"
    groups = b"\x19\xfc" + _varint(count) + group * count
    footer = b"\x15" + _zigzag(2) + schema + b"\x16\0" + groups + b"\0"
    return b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"


def _parquet_of_depth(depth: int) -> bytes:
    """A schema of groups in each other."""
    group = b"\x48" + _varint(1) + b"g" + b"\x15" + _zigzag(1) + b"\0"
    leaf = b"\x15" + _zigzag(6) + b"\x25" + _zigzag(0) + b"\x18" + _varint(1) + b"u" + b"\0"
    schema = b"\x19\xfc" + _varint(depth + 1) + group * depth + leaf
    footer = b"\x15" + _zigzag(2) + schema + b"\x16\0" + b"\x19\x0c" + b"\0"
    return b"PAR1" + footer + struct.pack("<I", len(footer)) + b"PAR1"


def _page_of_size(pa: Any, size: int) -> bytes:
    """A file whose first page declares so many bytes unpacked."""
    from pyarrow import parquet

    out = io.BytesIO()
    parquet.write_table(pa.table({"u": ["http://a/"]}), out, compression="zstd", use_dictionary=False)
    data = out.getvalue()
    at = 4
    # PageHeader: the type, and then the size unpacked, as i32 in zigzag.
    assert data[at : at + 3] == b"\x15\0\x15"
    end = at + 3
    while data[end] & 128:
        end += 1
    header = _zigzag(size)
    header = _zigzag(size)
    return data[: at + 3] + header + data[end + 1 :]


def _with(function: Callable[[Any], bytes]) -> Callable[[], bytes]:
    def data() -> bytes:
        import pyarrow

        return function(pyarrow)

    return data


def _declared(pa: Any, codec: str, size: int) -> bytes:
    """A stream of Arrow whose packed buffer declares so many bytes unpacked."""
    from pyarrow import ipc

    out = io.BytesIO()
    table = pa.table({"u": ["http://a/" + "a" * 5000]})
    with ipc.new_stream(out, table.schema, options=ipc.IpcWriteOptions(compression=codec)) as writer:
        writer.write_table(table)
    return out.getvalue().replace(struct.pack("<q", 5009), struct.pack("<q", size))


U: Final = ["--column", "u"]
TABLES: Final = [
    Bomb(
        "parquet: a dictionary of one URL of 100 KB, 20,000 rows",
        _parquet(_one_dictionary(100_000, 20_000), store_schema=False),
        needs="pyarrow",
    ),
    Bomb(
        "parquet: the same, as JSON",
        _parquet(_one_dictionary(100_000, 20_000), "--json", store_schema=False),
        needs="pyarrow",
        is_slow=True,
    ),
    Bomb(
        "parquet: the same, as Parquet",
        _parquet(_one_dictionary(100_000, 5_000), "--parquet", "/dev/null", store_schema=False),
        needs="pyarrow",
    ),
    Bomb("parquet: a kept value of 100 KB, 10,000 rows", _parquet(_kept(100_000, 10_000), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "parquet: the same, 200,000 rows", _parquet(_kept(100_000, 200_000), *KEPT, *U), needs="pyarrow", is_slow=True
    ),
    Bomb(
        "parquet: the same, 100,000 rows, as Parquet",
        _parquet(_kept(100_000, 100_000), "--parquet", "/dev/null", "--keep", *U),
        needs="pyarrow",
    ),
    Bomb(
        "parquet: the same, without the schema of Arrow",
        _parquet(_kept(100_000, 10_000), *KEPT, *U, store_schema=False),
        needs="pyarrow",
    ),
    Bomb("parquet: a kept value of 4 MiB, 100 rows", _parquet(_kept(4 * MIB, 100), *KEPT, *U), needs="pyarrow"),
    *[
        Bomb(
            f"parquet: 3,000 URLs of 20 KB, {codec}",
            _parquet(lambda pa: _long_rows(pa, 3_000, 20_000), compression=codec, use_dictionary=False),
            needs="pyarrow",
        )
        for codec in ("zstd", "gzip", "brotli", "lz4", "snappy")
    ],
    Bomb(
        "parquet: a page of 512 MiB",
        _parquet(lambda pa: pa.table({"u": ["http://a/"], "k": ["a" * (512 * MIB)]}), *KEPT, *U, use_dictionary=False),
        BUDGET,
        "pyarrow",
    ),
    Bomb(
        "parquet: a page that declares 2 GiB",
        _file("a.parquet", _with(lambda pa: _page_of_size(pa, 2**31 - 1))),
        "memory|cannot be read",
        "pyarrow",
    ),
    Bomb(
        "parquet: short rows and long ones in a group",
        _parquet(_skewed, *KEPT, *U, use_dictionary=False, write_batch_size=16),
        needs="pyarrow",
    ),
    Bomb("parquet: lists of 10,000 numbers, kept", _parquet(lambda pa: _nested(pa, 2_000), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "parquet: a dictionary in a struct, kept",
        _parquet(lambda pa: _nested_dictionary(pa, 3_000), *KEPT, *U),
        needs="pyarrow",
    ),
    Bomb("parquet: 20,000 columns", _parquet(lambda pa: _many_columns(pa, 20_000), *U), needs="pyarrow"),
    Bomb("parquet: 200,000 columns", _parquet(lambda pa: _many_columns(pa, 200_000), *U), BUDGET, "pyarrow", True),
    Bomb(
        "parquet: 10,000 groups in each other",
        _file("a.parquet", lambda: _parquet_of_depth(10**4)),
        "its columns are more than 100 deep in each other",
        "pyarrow",
    ),
    Bomb("parquet: metadata of 20 MiB", _parquet(lambda pa: _with_metadata(pa, 20 * MIB), *U), BUDGET, "pyarrow"),
    Bomb("parquet: 10^6 row groups", _file("a.parquet", lambda: _parquet_of_groups(10**6)), BUDGET, "pyarrow"),
    Bomb(
        "arrow: a dictionary of one URL of 100 KB, 20,000 rows",
        _arrow(lambda pa: pa.table({"u": _repeated(pa, 100_000, 20_000)})),
        needs="pyarrow",
    ),
    Bomb(
        "arrow: a stream, a kept value of 100 KB, 10,000 rows",
        _arrow(_kept(100_000, 10_000), *KEPT, *U, kind="stream"),
        needs="pyarrow",
    ),
    *[
        Bomb(
            f"arrow: 512 MiB of text, {codec}",
            _arrow(lambda pa: pa.table({"u": ["http://a/"] * 512, "k": ["a" * MIB] * 512}), *KEPT, *U, codec=codec),
            BUDGET,
            "pyarrow",
        )
        for codec in ("zstd", "lz4")
    ],
    Bomb(
        "arrow: a stream of 512 MiB of text, lz4",
        _arrow(lambda pa: pa.table({"u": ["http://a/"] * 512, "k": ["a" * MIB] * 512}), *U, kind="stream", codec="lz4"),
        BUDGET,
        "pyarrow",
    ),
    Bomb(
        "arrow: a buffer that declares 2^40 bytes",
        _file("a.arrow", _with(lambda pa: _declared(pa, "zstd", 1 << 40))),
        BUDGET,
        "pyarrow",
    ),
    Bomb("arrow: 10^5 views of one text of 100 KB", _arrow(lambda pa: _views(pa, 100_000, 20_000)), needs="pyarrow"),
    Bomb(
        "arrow: the same view, kept",
        _arrow(lambda pa: pa.table({"u": _repeated(pa, 1, 5_000), "k": _views(pa, 100_000, 5_000)["u"]}), *KEPT, *U),
        needs="pyarrow",
    ),
    Bomb("arrow: 10^3 views of one list, kept", _arrow(lambda pa: _list_views(pa, 300), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "arrow: a run of 10,000 texts of 100 KB, kept", _arrow(lambda pa: _runs(pa, 10_000), *KEPT, *U), needs="pyarrow"
    ),
    Bomb(
        "arrow: a message of 2 GiB that is not there",
        _file("a.arrow", lambda: b"\xff\xff\xff\xff" + struct.pack("<i", 2**31 - 8) + bytes(64)),
        "cannot be read|memory",
        "pyarrow",
    ),
    Bomb(
        "arrow: metadata of 192 MiB", _arrow(lambda pa: _with_metadata(pa, 192 * MIB), kind="stream"), BUDGET, "pyarrow"
    ),
    Bomb("arrow: 50,000 columns", _arrow(lambda pa: _many_columns(pa, 50_000), *U), needs="pyarrow"),
    *[
        Bomb(
            f"arrow: a {kind} of 200,000 columns",
            _arrow(lambda pa: _many_columns(pa, 200_000), *U, kind=kind),
            BUDGET,
            "pyarrow",
            True,
        )
        for kind in ("file", "stream")
    ],
]


# Files that are not read as rows.


def _beside(option: str, data: Callable[[], bytes], *options: str) -> Callable[[Path], list[str]]:
    """A function that writes a file for an option."""

    def write(folder: Path) -> list[str]:
        (folder / "b").write_bytes(data())
        return [*options, option, str(folder / "b"), "http://a/"]

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


OTHERS: Final = [
    *[
        Bomb(
            f"csv: {columns:,} columns, kept in {kind}",
            _file("a.csv", _wide(columns, size), f"--{kind}", os.devnull, "--keep", "--column", "u"),
            outcome,
            "pyarrow",
            is_slow=outcome == READ,
        )
        for kind in ("parquet", "arrow")
        for columns, size, outcome in ((1_000, 8 * MIB, READ), (8_000, 8 * MIB, READ), (60_000, 2 * MIB, BUDGET))
    ],
    Bomb("text: 64 threads, all parts", _file("a.txt", lambda: _short_urls(500_000), "--json", "--threads=64")),
    Bomb("hosts: a line of 200 MiB", _beside("--hosts", lambda: b"a" * (200 * MIB)), BUDGET),
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
    return ["join", "--key", "host", "--with", str(folder / "b"), "--csv", "-f", str(folder / "a")]


def _many_urls(count: int, host: str) -> Callable[[], bytes]:
    return lambda: _gzip("".join(f"http://{number}.{host}/\n" for number in range(count)).encode())


KEYS: Final = [
    Bomb("join: 450 rows of 6 KB on each side with one key", _join, is_slow=True),
    Bomb("dedup: 5,000,000 keys", _file("a.gz", _many_urls(5_000_000, "a"), "dedup"), is_slow=True),
    Bomb(
        "stats: 500,000 long hosts",
        _file("a.gz", _many_urls(500_000, ".".join("a" * 60 for _ in range(3))), "stats"),
        is_slow=True,
    ),
]


def bombs() -> Iterator[Bomb]:
    yield from PACKED
    yield from TEXT
    yield from TABLES
    yield from OTHERS
    yield from KEYS
