"""Where the records of WARC files are, and files that come through a pipe."""

from __future__ import annotations

import gzip
import io
import os
import random
import subprocess
import sys
import tracemalloc
import zlib
from collections.abc import Callable
from importlib.util import find_spec

import pytest
from support.archives import generated, records_of, response
from support.waiting import wait_until_read

from weburl import URL
from weburl.archives import ArchiveRecord, find_isal, read_warc

needs_html = pytest.mark.skipif(find_spec("selectolax") is None, reason="needs selectolax")


def read(data: bytes) -> list[ArchiveRecord]:
    return [*read_warc(io.BytesIO(data), bodies=True)]


@pytest.mark.parametrize("seed", range(6))
def test_a_record_is_found_where_its_file_offset_says(seed: int) -> None:
    draw = random.Random(seed)
    records = [each for page in generated(12, seed) for each in records_of(*page)]
    packed_alone, at = b"", list[int]()
    for each in records:
        # Empty members and padding may be between them.
        packed_alone += draw.choice((b"", b"", gzip.compress(b""), b"\0" * draw.randrange(40_000) * bool(at)))
        at.append(len(packed_alone))
        size = draw.choice((len(each), len(each) // 2))
        packed_alone += gzip.compress(each[:size]) + (gzip.compress(each[size:]) if size < len(each) else b"")
    found = read(packed_alone)
    plain = read(b"".join(records))
    responses = [number for number, each in enumerate(records) if b"WARC-Type: response" in each]
    assert [page.file_offset for page in found] == [at[number] for number in responses]
    assert [each.file_offset for each in plain] == [each.offset for each in plain] == [each.offset for each in found]
    for data, pages in ((packed_alone, found), (b"".join(records), plain)):
        for page in pages:
            file = io.BytesIO(data)
            file.seek(page.file_offset or 0)
            again = next(read_warc(file, bodies=True))
            assert (again.url, again.body, again.offset) == (page.url, page.body, 0)
    # Within a member, there is no place to begin at.
    together = read(gzip.compress(b"".join(records)))
    assert {each.file_offset for each in together} == {None}
    assert read(gzip.compress(records[responses[0]] + records[responses[1]]))[0].file_offset == 0


def test_places_of_many_members_take_no_memory() -> None:
    begin = response("x:y", b"x" * 200_000)
    data = b"".join(gzip.compress(begin[place : place + 4]) for place in range(0, len(begin), 4))
    file = io.BytesIO(data + gzip.compress(begin))
    tracemalloc.start()
    [first, second] = [*read_warc(file)]
    assert tracemalloc.get_traced_memory()[1] < 3 << 20
    tracemalloc.stop()
    assert (first.file_offset, second.file_offset) == (0, len(data))


class NoIsal:
    """The last that is asked for a module: nothing has isal."""

    def __init__(self) -> None:
        self.asked = 0

    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        self.asked += name == "isal"


def test_isal_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    pages = generated(20, 1)
    finder = NoIsal()
    for name in [name for name in sys.modules if name.startswith("isal")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [finder])
    find_isal.cache_clear()
    try:
        found = read(b"".join(gzip.compress(response(*page)) for page in pages))
        assert find_isal() is zlib
    finally:
        find_isal.cache_clear()
    assert [(each.url, each.body) for each in found] == pages
    assert finder.asked == 1


class Pipe(io.RawIOBase):
    """A pipe that would wait where more is asked for than is written."""

    written = b""

    def read(self, size: int = -1) -> bytes:
        assert 0 <= size <= len(self.written)
        return self.read1(size)

    def read1(self, size: int) -> bytes:
        assert self.written
        data, self.written = self.written[:size], self.written[size:]
        return data


@pytest.mark.parametrize("pack", [bytes, gzip.compress])
def test_pages_of_a_pipe_come_early(pack: Callable[[bytes], bytes]) -> None:
    pipe = Pipe()
    records = read_warc(pipe, bodies=True)  # type: ignore[arg-type]
    for url, html in generated(5, 4):
        pipe.written = pack(response(url, html))
        each = next(records)
        assert (each.url, each.body) == (url, html)


@pytest.mark.skipif(os.name != "posix", reason="reads a pipe while it is written")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("before", [b"", b"\n", b"\r\n\n"])
def test_the_command_prints_pages_of_a_pipe_at_once(pack: Callable[[bytes], bytes], before: bytes) -> None:
    command = [sys.executable, "-m", "weburl"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        if before and pack is bytes:
            process.stdin.write(before)
            wait_until_read(process.stdin, process)
        for url, html in generated(6, 5):
            process.stdin.write(pack(response(url, html)))
            assert process.stdout.readline().decode() == f"{URL(url).href}\n"
        process.stdin.close()
        assert process.wait() == 0


@needs_html
@pytest.mark.skipif(os.name != "posix", reason="reads a pipe while it is written")
@pytest.mark.parametrize("pack", [bytes, gzip.compress])
@pytest.mark.parametrize("option", ["--charset=utf-8", "--json"])
def test_the_links_of_pages_of_a_pipe_are_printed_at_once(pack: Callable[[bytes], bytes], option: str) -> None:
    command = [sys.executable, "-m", "weburl", "links", option]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, (url, _) in enumerate(generated(6, 5)):
            process.stdin.write(pack(response(url, b"<a href='//h/%d'>" % number)))
            assert f"//h/{number}" in process.stdout.readline().decode()
        process.stdin.close()
        assert process.wait() == 0
