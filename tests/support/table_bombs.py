"""Bombs of Parquet and Arrow."""

from __future__ import annotations

import io
import os
import struct
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Final

from support.bombs import BUDGET, KEPT, MIB, Bomb, file


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

    return file(name, data, *options)


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

    return file("a.arrow", data, *options)


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


def _long_rows(pa: Any, rows: int, size: int, after: str = "/") -> Any:
    return pa.table({"u": [f"http://a/{i if after else ''}{after}" + "a" * size for i in range(rows)]})


def _fixed(pa: Any, size: int, rows: int) -> Any:
    return pa.table({"u": ["http://a/"] * rows, "k": pa.array([b"a" * size] * rows, pa.binary(size))})


def _shared(pa: Any, kind: str) -> Any:
    """Rows of a value that Parquet has for each of them."""
    zeros = pa.array([0] * 2_000, pa.int32())
    if kind == "views of a list":
        column = pa.ListViewArray.from_arrays(zeros, pa.array([1] * 2_000, pa.int32()), pa.array(["a" * 200_000]))
    else:
        column = pa.DictionaryArray.from_arrays(zeros, pa.array([b"a" * 200_000], pa.binary(200_000)))
    return pa.table({"u": _repeated(pa, 1, 2_000), "k": column})


def _one_for_all(pa: Any, values: int, batches: int) -> bytes:
    """A stream of batches of one row, which share a dictionary."""
    from pyarrow import ipc

    shared = pa.array([f"http://a/{number:x}" for number in range(values)])
    out = io.BytesIO()
    schema = pa.schema({"u": pa.dictionary(pa.int32(), pa.string())})
    with ipc.new_stream(out, schema) as writer:
        for number in range(batches):
            index = pa.array([number % values], pa.int32())
            writer.write_batch(pa.record_batch([pa.DictionaryArray.from_arrays(index, shared)], schema))
    return out.getvalue()


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


def _with_hosts(count: int, write: Callable[[Path], list[str]]) -> Callable[[Path], list[str]]:
    """A function that also writes a file of so many hosts."""

    def write_both(folder: Path) -> list[str]:
        (folder / "hosts").write_bytes(b"".join(b"h%d.example\n" % number for number in range(count)))
        return ["--not-hosts", str(folder / "hosts"), *write(folder)]

    return write_both


U: Final = ["--column", "u"]
TABLES: Final = [
    Bomb(
        "parquet: a dictionary of one URL of 100 KB, 6,000 rows",
        _parquet(_one_dictionary(100_000, 6_000), store_schema=False),
        needs="pyarrow",
    ),
    Bomb(
        "parquet: 20,000 rows of it, as JSON",
        _parquet(_one_dictionary(100_000, 20_000), "--json", store_schema=False),
        needs="pyarrow",
        is_slow=True,
    ),
    Bomb(
        "parquet: the same, as Parquet",
        _parquet(_one_dictionary(100_000, 5_000), "--parquet", "/dev/null", store_schema=False),
        needs="pyarrow",
    ),
    Bomb("parquet: a kept value of 100 KB, 4,000 rows", _parquet(_kept(100_000, 4_000), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "parquet: the same, 200,000 rows", _parquet(_kept(100_000, 200_000), *KEPT, *U), needs="pyarrow", is_slow=True
    ),
    Bomb(
        "parquet: the same, 100,000 rows, as Parquet",
        _parquet(_kept(100_000, 100_000), "--parquet", "/dev/null", "--keep", *U),
        needs="pyarrow",
    ),
    Bomb(
        "parquet: the same, 4,000 rows, beside 2,000,000 hosts",
        _with_hosts(2_000_000, _parquet(_kept(100_000, 4_000), *KEPT, *U)),
        needs="pyarrow",
        is_slow=True,
    ),
    Bomb(
        "parquet: the same, without the schema of Arrow",
        _parquet(_kept(100_000, 4_000), *KEPT, *U, store_schema=False),
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
        "parquet: 2,000 URLs of 100 KB, each with the one before as its begin",
        _parquet(
            lambda pa: _long_rows(pa, 2_000, 100_000, after=""),
            use_dictionary=False,
            column_encoding={"u": "DELTA_BYTE_ARRAY"},
        ),
        needs="pyarrow",
    ),
    Bomb(
        "parquet: a value of 1 MB of a fixed size, 200 rows, kept",
        _parquet(lambda pa: _fixed(pa, 1_000_000, 200), *KEPT, *U, dictionary_pagesize_limit=MIB * 16),
        BUDGET,
        "pyarrow",
    ),
    Bomb(
        "parquet: a page of 320 MiB",
        _parquet(lambda pa: pa.table({"u": ["http://a/"], "k": ["a" * (320 * MIB)]}), *KEPT, *U, use_dictionary=False),
        BUDGET,
        "pyarrow",
    ),
    Bomb(
        "parquet: a page that declares 2 GiB",
        file("a.parquet", _with(lambda pa: _page_of_size(pa, 2**31 - 1))),
        "memory|cannot be read",
        "pyarrow",
    ),
    Bomb(
        "parquet: short rows and long ones in a group",
        _parquet(_skewed, *KEPT, *U, use_dictionary=False, write_batch_size=16),
        needs="pyarrow",
    ),
    Bomb("parquet: lists of 10,000 numbers, kept", _parquet(lambda pa: _nested(pa, 1_000), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "parquet: a dictionary in a struct, kept",
        _parquet(lambda pa: _nested_dictionary(pa, 3_000), *KEPT, *U),
        needs="pyarrow",
    ),
    Bomb("parquet: 20,000 columns", _parquet(lambda pa: _many_columns(pa, 20_000), *U), needs="pyarrow"),
    Bomb("parquet: 200,000 columns", _parquet(lambda pa: _many_columns(pa, 200_000), *U), BUDGET, "pyarrow", True),
    Bomb(
        "parquet: 10,000 groups in each other",
        file("a.parquet", lambda: _parquet_of_depth(10**4)),
        "its columns are more than 100 deep in each other",
        "pyarrow",
    ),
    Bomb("parquet: metadata of 20 MiB", _parquet(lambda pa: _with_metadata(pa, 20 * MIB), *U), BUDGET, "pyarrow"),
    Bomb("parquet: 10^6 row groups", file("a.parquet", lambda: _parquet_of_groups(10**6)), BUDGET, "pyarrow"),
    Bomb(
        "arrow: a dictionary of one URL of 100 KB, 6,000 rows",
        _arrow(lambda pa: pa.table({"u": _repeated(pa, 100_000, 6_000)})),
        needs="pyarrow",
    ),
    Bomb(
        "arrow: a stream, a kept value of 100 KB, 4,000 rows",
        _arrow(_kept(100_000, 4_000), *KEPT, *U, kind="stream"),
        needs="pyarrow",
    ),
    *[
        Bomb(
            f"arrow: 320 MiB of text, {codec}",
            _arrow(lambda pa: pa.table({"u": ["http://a/"] * 320, "k": ["a" * MIB] * 320}), *KEPT, *U, codec=codec),
            BUDGET,
            "pyarrow",
        )
        for codec in ("zstd", "lz4")
    ],
    Bomb(
        "arrow: a stream of 320 MiB of text, lz4",
        _arrow(lambda pa: pa.table({"u": ["http://a/"] * 320, "k": ["a" * MIB] * 320}), *U, kind="stream", codec="lz4"),
        BUDGET,
        "pyarrow",
    ),
    Bomb(
        "arrow: a buffer that declares 2^40 bytes",
        file("a.arrow", _with(lambda pa: _declared(pa, "zstd", 1 << 40))),
        BUDGET,
        "pyarrow",
    ),
    Bomb("arrow: 5,000 views of one text of 100 KB", _arrow(lambda pa: _views(pa, 100_000, 5_000)), needs="pyarrow"),
    Bomb(
        "arrow: the same view, kept",
        _arrow(lambda pa: pa.table({"u": _repeated(pa, 1, 5_000), "k": _views(pa, 100_000, 5_000)["u"]}), *KEPT, *U),
        needs="pyarrow",
    ),
    Bomb("arrow: 150 views of one list, kept", _arrow(lambda pa: _list_views(pa, 150), *KEPT, *U), needs="pyarrow"),
    Bomb(
        "arrow: a run of 4,000 texts of 100 KB, kept", _arrow(lambda pa: _runs(pa, 4_000), *KEPT, *U), needs="pyarrow"
    ),
    *[
        Bomb(
            f"arrow: 2,000 {name} of one value of 200 KB, as Parquet",
            _arrow(partial(_shared, kind=name), "--parquet", os.devnull, "--keep", *U),
            BUDGET,
            "pyarrow",
        )
        for name in ("views of a list", "entries of a dictionary of bytes")
    ],
    Bomb(
        "arrow: 3,000 batches of one row, which share 10^6 values",
        file("a.arrow", _with(lambda pa: _one_for_all(pa, 10**6, 3_000))),
        needs="pyarrow",
    ),
    Bomb(
        "arrow: a message of 2 GiB that is not there",
        file("a.arrow", lambda: b"\xff\xff\xff\xff" + struct.pack("<i", 2**31 - 8) + bytes(64)),
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
