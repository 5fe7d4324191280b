"""Kept columns of any type of Arrow: the command writes them, or says in words that it cannot."""

from __future__ import annotations

import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pyarrow
import pytest
from pyarrow import ipc, parquet

ZONES = ["Foo/Bar", "a\nb", "../../etc/passwd", "+", "Europe/Paris", "+01:00"]
ROWS = 3
URLS = ["http://a/1", "x", "http://a/2"]


def times(random: Random) -> Any:
    unit = random.choice(["s", "ms", "us", "ns"])
    kinds = [pyarrow.timestamp(unit), pyarrow.timestamp(unit, random.choice(ZONES)), pyarrow.duration(unit)]
    kinds.append(pyarrow.time64(unit) if unit in ("us", "ns") else pyarrow.time32(unit))
    most = random.choice([1, 1000, 86_000, 1 << 62])
    kind = random.choice(kinds)
    most = min(most, 86_000) if pyarrow.types.is_time(kind) else most
    width = pyarrow.int32() if pyarrow.types.is_time32(kind) else pyarrow.int64()
    return pyarrow.array([random.randrange(most) for _ in range(ROWS)], width).view(kind)


def leaf(random: Random) -> Any:
    makers: list[Callable[[], Any]] = [
        lambda: times(random),
        lambda: pyarrow.array(["é", None, "\x1b[0m"], random.choice([pyarrow.string(), pyarrow.string_view()])),
        lambda: pyarrow.array([b"\xff", None, b""]),
        lambda: pyarrow.array([b"", b"", None], pyarrow.binary(0)),
        lambda: pyarrow.array([1, None, -1], random.choice([pyarrow.int8(), pyarrow.int64(), pyarrow.float32()])),
        lambda: pyarrow.array([100, None, 200], random.choice([pyarrow.decimal128(9, 2), pyarrow.decimal256(70, -2)])),
        lambda: pyarrow.array([True, None, False]),
        lambda: pyarrow.nulls(ROWS),
        lambda: pyarrow.array([0, None, 19_000], pyarrow.date32()),
        lambda: pyarrow.array([pyarrow.MonthDayNano([1, 2, 3]), None, None]),
    ]
    return random.choice(makers)()


def column(random: Random, depth: int) -> Any:
    """A column of a random type, with types in it `depth` levels deep."""
    if depth == 0:
        return leaf(random)
    inner = column(random, depth - 1)
    offsets = pyarrow.array([0, 1, 1, ROWS], pyarrow.int32())
    makers: list[Callable[[], Any]] = [
        lambda: pyarrow.ListArray.from_arrays(offsets, inner),
        lambda: pyarrow.ListViewArray.from_arrays(offsets[:ROWS], pyarrow.array([1, 0, 2], pyarrow.int32()), inner),
        lambda: pyarrow.StructArray.from_arrays([inner, leaf(random)], ["a", "b"]),
        lambda: pyarrow.MapArray.from_arrays(offsets, pyarrow.array(["k", "l", "m"]), inner),
        lambda: pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 2, None], pyarrow.int8()), inner),
        lambda: pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([1, 2, ROWS], pyarrow.int32()), inner),
        lambda: pyarrow.ExtensionArray.from_storage(pyarrow.opaque(inner.type, "kind", "vendor"), inner),
    ]
    return random.choice(makers)()


def write(path: Path, table: Any, *, as_parquet: bool) -> bool:
    """Writes a table; False if the format does not have its types."""
    try:
        if as_parquet:
            parquet.write_table(table, path)
        else:
            with ipc.new_file(path, table.schema) as writer:
                writer.write_table(table)
    except (pyarrow.ArrowException, OSError):
        return False
    return True


OPTIONS = ["--csv", "--json", "--parquet", "--arrow"]
# What else is done with the rows: all of them stay, some go, some are there twice.
USES_OF_ROWS = [[], ["--match", "http://*/1*"], ["--invalid", "drop"], ["--with", "twice"], ["--with", "none"]]


@pytest.mark.parametrize("seed", range(80))
def test_a_random_type_is_kept_or_refused(seed: int, tmp_path: Path) -> None:
    """In a process of its own, which pyarrow can end, and in which the command keeps pandas and numpy away."""
    as_parquet = seed % 2 == 0
    path = tmp_path / "in"
    random = Random(seed)
    for _ in range(100):
        values = column(random, seed // 2 % 4)
        if write(path, pyarrow.table({"u": URLS, "k": values}), as_parquet=as_parquet):
            break
    else:
        pytest.fail("no type can be written")
    (tmp_path / "twice").write_text("http://a/1\nhttp://a/2\nhttp://a/1\n")
    (tmp_path / "none").write_text("http://b/\n")
    option, use, out = random.choice(OPTIONS), random.choice(USES_OF_ROWS), tmp_path / "out"
    command = [sys.executable, "-m", "weburl", *["join"] * ("--with" in use), *use]
    command += ["--column", "u", "--keep=k", "-g", "{href}", "-f", "in"]
    command += [option, "out"] if option in ("--parquet", "--arrow") else [option, "-o", "out"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), (str(values.type), option, use, done)
    if done.returncode:
        assert done.stderr.splitlines()[-1].startswith("weburl: "), done.stderr
        assert "None" not in done.stderr, done.stderr
    assert "Traceback" not in done.stderr, done.stderr
    assert out.exists() == (done.returncode == 0)
    assert len([*tmp_path.iterdir()]) == 3 + out.exists()


EXTENDED = pyarrow.array(["a", "b"]).dictionary_encode()


@pytest.mark.parametrize("nested", [False, True])
def test_an_extension_type_of_a_dictionary(nested: bool, tmp_path: Path) -> None:
    """pyarrow would end the process."""
    path = tmp_path / "a.parquet"
    kept: Any = pyarrow.ExtensionArray.from_storage(pyarrow.opaque(EXTENDED.type, "t", "v"), EXTENDED)
    kept = pyarrow.StructArray.from_arrays([kept], ["x"]) if nested else kept
    parquet.write_table(pyarrow.table({"u": ["http://a/", "http://b/"], "k": kept}), path)
    command = [sys.executable, "-m", "weburl", "--csv", "--column", "u", "-g", "{host}", "-f", str(path)]
    done = subprocess.run([*command, "--keep"], capture_output=True, text=True, check=False)
    assert done.returncode == 3
    assert "the column 'k' has an extension type of a dictionary" in done.stderr
    # A column that is not kept is not read; but pyarrow does not open a file that has such a type in another.
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == ((3, "host\n") if nested else (0, "host\na\nb\n")), done


USES = ["", "check", "-s port=8", "--parquet out", "--arrow out", "--iterate 'port=8 9'", "stats"]
KINDS = [pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary(pyarrow.int32(), pyarrow.string())]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@pytest.mark.parametrize(
    "use", ["", "check", "-s port=8", "--parquet out", "--arrow out", "--iterate 'port=8 9'", "stats"]
)
def test_strings_of_parquet_that_are_not_utf_8(kind: Any, use: str, tmp_path: Path) -> None:
    """Nobody checks what a file says of its strings: a bad byte becomes U+FFFD, as in lines."""
    data = pyarrow.array([b"http://a/\xff", None, b"http://b/"])
    texts = pyarrow.Array.from_buffers(pyarrow.string(), 3, data.buffers())
    texts = texts.dictionary_encode() if pyarrow.types.is_dictionary(kind) else texts.cast(kind)
    parquet.write_table(pyarrow.table({"u": texts}), tmp_path / "a.parquet")
    name, *options = [use] if use in ("check", "stats") else ["", *shlex.split(use)]
    command = [sys.executable, "-m", "weburl", *filter(None, [name]), *options, "--column", "u"]
    command += ["a.parquet"] if name else ["-f", "a.parquet"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == 0, done
    if not name and "out" not in options:
        port = [":8"] if options else [""]
        assert done.stdout.split()[:1] == [f"http://a{port[0]}/%EF%BF%BD"], done


def wide(path: Path, size: int) -> None:
    names = ["u", *(f"c{number}" for number in range(size - 1))]
    table = pyarrow.table([pyarrow.array(["http://a/"])] * size, names=names)
    assert write(path, table, as_parquet=path.suffix == ".parquet")


def with_metadata(path: Path, size: int) -> None:
    field = pyarrow.field("u", pyarrow.string(), metadata={"x": "y" * (size << 20)})
    assert write(path, pyarrow.table([pyarrow.array(["http://a/"])], schema=pyarrow.schema([field])), as_parquet=False)


def with_value(path: Path, size: int) -> None:
    assert write(path, pyarrow.table({"u": ["x" * (size << 20)]}), as_parquet=False)


@pytest.mark.parametrize(
    ("make", "kind", "size"),
    [
        (wide, "parquet", 24_000),
        (wide, "parquet", 28_000),
        (wide, "arrow", 60_000),
        (wide, "arrow", 100_000),
        *((with_metadata, "arrow", size) for size in (80, 96, 110, 125)),
        *((with_value, "arrow", size) for size in (64, 100, 120)),
    ],
)
def test_memory_that_pyarrow_does_not_get(
    make: Callable[[Path, int], None], kind: str, size: int, tmp_path: Path
) -> None:
    """It ends the process over some allocations that fail. Then the command says so, and leaves no temporary file."""
    path = tmp_path / f"in.{kind}"
    make(path, size)
    command = [sys.executable, "-m", "weburl", "--csv", "--keep", "--column", "u", "-f", str(path)]
    done = subprocess.run([*command, "-o", str(tmp_path / "out")], capture_output=True, text=True, check=False)
    assert done.returncode in (0, 3), done
    if done.returncode:
        assert "MiB of memory: give it more with --memory" in done.stderr
    assert [each.name for each in tmp_path.iterdir() if each != path] == ([] if done.returncode else ["out"])
