"""Small files of Parquet, Arrow and zstd that ask for much memory."""

from __future__ import annotations

import io
import json
import re
import sys
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import ipc, parquet
from support.bombs import Bomb, explode
from support.command import run
from support.table_bombs import TABLES
from support.text_bombs import OTHERS, PACKED

from weburl.cli.readers import tables

# `make bombs` explodes all.
BOMBS = [bomb for bomb in (*PACKED, *TABLES, *OTHERS) if bomb.needs is not None and not bomb.is_slow][::6]
TEXTS = ["", "a" * 50, None, "é" * 300, "b", "c" * 5000, "d", None] * 5
ROWS = len(TEXTS)
COLUMNS = {
    "u": [f"http://a/{number}" for number in range(ROWS)],
    "text": TEXTS,
    "large": pyarrow.array(TEXTS, pyarrow.large_string()),
    "bytes": pyarrow.array(TEXTS, pyarrow.binary()),
    "dictionary": pyarrow.array(TEXTS).dictionary_encode(),
    "numbers": [None if text is None else len(text) for text in TEXTS],
    "lists": [None if text is None else [text, "x"] for text in TEXTS],
    "floats": [None if text is None else len(text) / 2 for text in TEXTS],
    "codes": pyarrow.array([len(text or "") for text in TEXTS]).dictionary_encode(),
}
VIEWS = {
    "views": pyarrow.array(TEXTS, pyarrow.string_view()),
    "runs": pyarrow.RunEndEncodedArray.from_arrays(
        pyarrow.array([7, ROWS], pyarrow.int32()), pyarrow.array(["r" * 999, "s"])
    ),
}


def parquet_bytes(table: Any) -> bytes:
    out = io.BytesIO()
    parquet.write_table(table, out, row_group_size=17)
    return out.getvalue()


def arrow_bytes(table: Any) -> bytes:
    out = io.BytesIO()
    with ipc.new_file(out, table.schema) as writer:
        writer.write_table(table, max_chunksize=17)
    return out.getvalue()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")
@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_a_bomb(bomb: Bomb, tmp_path: Path) -> None:
    ended = explode(bomb, tmp_path)
    assert ended.fault(bomb) is None, ended


@pytest.mark.parametrize("kind", ["parquet", "arrow"])
@pytest.mark.parametrize("part", [1, 40, 700, 6000])
def test_what_is_read_does_not_depend_on_where_it_is_cut(
    kind: str, part: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = pyarrow.table(COLUMNS if kind == "parquet" else {**COLUMNS, **VIEWS})
    path = tmp_path / "a"
    path.write_bytes(parquet_bytes(table) if kind == "parquet" else arrow_bytes(table))
    options = ("--column", "u", "--keep", "-g", "{href}", "-f", str(path))
    whole = run("--json", *options)
    assert (whole.status, whole.err) == (0, "")
    expected = [
        {**row, "bytes": None if row["bytes"] is None else row["bytes"].decode(), "href": row["u"]}
        for row in table.to_pylist()
    ]
    assert [json.loads(line) for line in whole.lines] == expected
    as_csv = run("--csv", *options)
    for name in ("PART_BYTES", "BATCH_BYTES"):
        monkeypatch.setattr(tables, name, part)
    assert run("--json", *options) == whole
    assert run("--csv", *options) == as_csv
    if kind == "parquet":
        out = tmp_path / "out"
        assert run("--parquet", str(out), *options).status == 0
        assert parquet.read_table(out).select(table.column_names).to_pylist() == table.to_pylist()


def test_blocks_are_cut_by_the_bytes_of_their_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "PART_BYTES", 5000)
    from weburl.cli.readers.byte_stream import ByteStream
    from weburl.cli.readers.reading import Keep, Reading

    for name in ("text", "dictionary", "lists"):
        table = pyarrow.table({"u": COLUMNS["u"], "k": COLUMNS[name]})
        stream = ByteStream(io.BytesIO(parquet_bytes(table)), "")
        blocks = list(tables.read_parquet(stream, Reading(column="u"), Keep(("k",))))
        assert sum(block.size for block in blocks) == ROWS
        for block in blocks:
            [kept] = block.kept
            texts = [text for text in kept.arrow().to_pylist() if text is not None]
            assert block.size == 1 or sum(len(text.encode()) for text in texts) <= 5000


class Failing:
    """A table whose batches do not fit into memory if they have more than so many rows, from a row on."""

    def __init__(self, most: int, begin: int) -> None:
        self.most, self.begin = most, begin
        self.rows = pyarrow.table({"u": [str(number) for number in range(500)]})

    def iter_batches(self, rows: int, *_: object, **__: object) -> Any:
        for begin in range(0, 500, rows):
            if begin + rows > self.begin and rows > self.most:
                raise pyarrow.ArrowMemoryError("malloc failed")
            yield from self.rows.slice(begin, rows).to_batches()


@pytest.mark.parametrize("begin", [0, 1, 99, 300, 500])
@pytest.mark.parametrize("most", [1, 3, 20, 1000])
def test_batches_get_smaller_where_memory_ends(most: int, begin: int) -> None:
    batches = list(tables._batches(Failing(most, begin), 0, ["u"], 100))
    assert [row for batch in batches for row in batch["u"].to_pylist()] == [str(number) for number in range(500)]
    if begin < 500:
        with pytest.raises(pyarrow.ArrowMemoryError):
            list(tables._batches(Failing(0, begin), 0, ["u"], 100))


@pytest.mark.parametrize("size", ["1K", "64K", "1M"])
def test_little_memory_refuses_wide_files(size: str, tmp_path: Path) -> None:
    table = pyarrow.table([["http://a/"]] * 2000, names=[f"c{number}" for number in range(2000)])
    for kind, data in (("footer", parquet_bytes(table)), ("schema", arrow_bytes(table))):
        path = tmp_path / kind
        path.write_bytes(data)
        ended = run("--memory", size, "--column", "c7", "-f", str(path))
        advice = "of memory: give it more with --memory, as --memory 1G"
        assert ended.status == 3
        assert re.fullmatch(rf"weburl: {path}: (a part of it|its {kind}) needs more than .* {advice}\n", ended.err)
        assert run("--column", "c7", "-f", str(path)) == (0, "http://a/\n", "")
