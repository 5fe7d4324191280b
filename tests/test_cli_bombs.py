"""Small inputs of text that ask for much memory: the command's process stays small, or refuses them in words."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pytest
from support.bombs import Bomb, explode
from support.command import run
from support.text_bombs import OTHERS, PACKED, TEXT

from weburl.cli import _memory
from weburl.cli.readers import byte_stream, inputs, open_files
from weburl.cli.readers.reading import Reading

# Some of each kind; `make bombs` explodes all.
BOMBS = [bomb for bomb in (*PACKED, *TEXT, *OTHERS) if bomb.needs is None and not bomb.is_slow][::12]
# The bytes of a piece; one line above them is worked on alone.
LARGE = 1 << 20
linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process")


@pytest.mark.slow
@linux
@pytest.mark.parametrize("bomb", BOMBS, ids=lambda bomb: bomb.name)
def test_a_bomb(bomb: Bomb, tmp_path: Path) -> None:
    ended = explode(bomb, tmp_path)
    assert ended.fault(bomb) is None, ended


def test_what_a_bomb_may_do() -> None:
    """A test that cannot fail tests nothing."""
    from support.bombs import BUDGET, Ended

    read, refused = Bomb("", lambda _: []), Bomb("", lambda _: [], BUDGET)
    said = "weburl: /a/b: it needs more than 128 MiB of memory: give it more with --memory, as --memory 1G\n"
    assert Ended(0, "", 1, 1).fault(read) is Ended(3, said, 1, 1).fault(refused) is None
    for ended, bomb in (
        (Ended(0, "", 300_000_001, 1), read),
        (Ended(0, "", 1, 61), read),
        (Ended(3, said, 1, 1), read),
        (Ended(0, "", 1, 1), refused),
        (Ended(3, said.replace("--memory, ", ""), 1, 1), refused),
        (Ended(-11, "", 1, 1), read),
        (Ended(1, "Traceback (most recent call last):\n", 1, 1), read),
    ):
        assert ended.fault(bomb)


@linux
def test_the_limit_is_set_while_a_file_is_read_and_not_after() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_DATA)
    with _memory.limited_memory("a", 1 << 30, 2):
        inside = resource.getrlimit(resource.RLIMIT_DATA)
        assert 1 << 30 < inside[0] < 3 << 30
        assert _memory.out_of_memory().startswith("a: it needs more than 1 GiB of memory: ")
    assert resource.getrlimit(resource.RLIMIT_DATA) == before
    with pytest.raises(MemoryError), _memory.limited_memory("a", 1 << 20, 1):
        bytearray(min(1 << 34, sys.maxsize >> 1))
    assert resource.getrlimit(resource.RLIMIT_DATA) == before


@pytest.mark.parametrize("error", [MemoryError, *[SystemError] * (sys.version_info < (3, 12))])
def test_a_memory_error_names_the_file(error: type[Exception], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that CPython has lost."""
    path = tmp_path / "a.txt"
    path.write_text("http://a/\n")
    said = f"weburl: {path}: it needs more than 64 MiB of memory: give it more with --memory, as --memory 1G\n"

    def fail(*_: object) -> None:
        # A new exception each time: one that is kept would keep the frames, and with them the limit of memory.
        raise error("f returned NULL without setting an exception")

    for place, name in ((open_files, "read_blocks"), (byte_stream.ByteStream, "blocks"), (inputs.OpenInput, "tasks")):
        with monkeypatch.context() as patch:
            patch.setattr(place, name, fail)
            assert run("--memory", "64M", "-f", str(path)) == (3, "", said)


@pytest.mark.parametrize("size", [0, 1, 1000, 70_000])
def test_members_of_gzip_are_read_as_gzip_reads_them(size: int) -> None:
    line = b"http://a/" + b"x" * size + b"\n"
    name = b"n" * size + b"\0"
    packed = gzip.compress(line, mtime=0)
    named = packed[:3] + b"\x08" + packed[4:10] + name + packed[10:]
    data = packed + bytes(5) + named + gzip.compress(b"") * 3 + named + bytes(size)
    stream = byte_stream.ByteStream(io.BytesIO(data), "")
    assert stream.read(1 << 20) == gzip.decompress(data) == line * 3


def test_large_lines_are_worked_on_alone(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    long = "http://a/" + "b" * (LARGE + 1)
    path.write_text(f"http://a/\n{long}\nhttp://a/\n")
    assert run("--threads", "4", "-f", str(path)).lines == ["http://a/", long, "http://a/"]
    for source in inputs.Inputs(Reading(files=[str(path)])):
        tasks = [task if task is None else inputs.piece_of(task)[1] for task in source.tasks()]
        sizes = [task and task.end - task.begin for task in tasks]
        [place] = [index for index, size in enumerate(sizes) if size and size > LARGE]
        assert (sizes[place - 1], sizes[place + 1]) == (None, None)
