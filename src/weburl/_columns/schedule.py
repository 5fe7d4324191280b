"""What bulk work is cut into, and the threads that do it."""

from __future__ import annotations

import os
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, NamedTuple

from weburl._columns import input

if TYPE_CHECKING:
    from weburl._columns.batch import Batch
    from weburl._columns.input import Input
    from weburl._columns.job import Job

ROWS = 1 << 14
LINES = 1 << 20  # bytes
BLOCK = 1 << 25  # of a file


Progress = bool | Callable[[int, int | None], object] | None


class Piece(NamedTuple):
    """Some rows, and those of their bases."""

    rows: Input
    begin: int
    end: int
    bases: Input | None = None
    bases_begin: int = 0


def inputs(column: Any, what: str = "urls") -> list[Input]:
    """The chunks of what a caller gives for a column."""
    if isinstance(column, str):
        raise TypeError(f"{what} must be a column of str, not one str")
    if isinstance(column, (bytes, bytearray, memoryview)):
        raise TypeError(f"{what} must be a column of str, not {type(column).__name__}: parse_lines() takes lines")
    try:
        if hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__"):
            return input.from_arrow(column)
        if not isinstance(column, Iterable):
            raise TypeError(f"must be a column of str, not {type(column).__name__}")
        return [input.from_objects(column)]
    except TypeError as error:
        raise TypeError(f"{what}: {error}") from None


def cut(rows: list[Input], bases: list[Input] | None = None) -> Iterator[Piece]:
    """The pieces of a column, each within one chunk; beside it, with as many rows, its bases."""
    if bases is None:
        for chunk in rows:
            for begin in range(0, len(chunk), ROWS):
                yield Piece(chunk, begin, min(begin + ROWS, len(chunk)))
        return
    rest = iter(bases)
    base_chunk, base_begin = next(rest, None), 0
    for chunk in rows:
        begin = 0
        while begin < len(chunk):
            while base_chunk is not None and base_begin == len(base_chunk):
                base_chunk, base_begin = next(rest, None), 0
            assert base_chunk is not None
            size = min(ROWS, len(chunk) - begin, len(base_chunk) - base_begin)
            yield Piece(chunk, begin, begin + size, base_chunk, base_begin)
            begin += size
            base_begin += size


def cut_lines(data: object) -> Iterator[Piece]:
    """The pieces of a buffer of lines."""
    rows = input.from_lines(data)
    begin = 0
    while begin < len(rows):
        end = rows.end_of_line(min(begin + LINES, len(rows)) - 1)
        yield Piece(rows, begin, end)
        begin = end


def read_lines(file: IO[bytes]) -> Iterator[Piece]:
    """The pieces of a file, which is read a block at a time."""
    rest: list[bytes] = []
    while True:
        block = file.read(BLOCK)
        if block is None:
            raise BlockingIOError("the file has nothing to read yet: it must not be in non-blocking mode")
        if not isinstance(block, bytes):
            raise TypeError(f"the file must be opened in binary mode: it gave {type(block).__name__}")
        if not block:
            break
        end = block.rfind(b"\n") + 1
        if not end:
            rest.append(block)
            continue
        yield from cut_lines(b"".join((*rest, memoryview(block)[:end])))
        rest = [block[end:]]
    if last := b"".join(rest):
        yield from cut_lines(last)


def count_threads(threads: int | None, pieces: int) -> int:
    """How many threads that many pieces are worth."""
    if threads is None:
        threads = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    elif isinstance(threads, bool) or not isinstance(threads, int):
        raise TypeError(f"threads must be an int or None, not {type(threads).__name__}")
    elif threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    return max(1, min(threads, pieces))


def run(
    job: Job,
    pieces: Iterator[Piece],
    threads: int,
    *,
    stop_at_failure: bool = False,
    progress: Callable[[int], object] | None = None,
) -> list[tuple[Piece | None, Batch]]:
    """The batches of the pieces, in their order, with those pieces that a failure has to be found in.

    The caller's thread works, too; what is raised in any ends all.
    """
    results: dict[int, tuple[Piece | None, Batch]] = {}
    raised: list[BaseException] = []
    done = [0]
    numbered = enumerate(pieces)
    try:
        drawing, counting, stopped = threading.Lock(), threading.Lock(), threading.Event()
    except RuntimeError as error:
        # So it says that there is no memory for a lock.
        raise MemoryError(str(error)) from None

    def work(report: Callable[[int], object] | None = None) -> None:
        while True:
            with drawing:
                if job.cancelled or stopped.is_set():
                    return
                index, piece = next(numbered, (-1, None))
            if piece is None:
                return
            batch = job.run(*piece)
            if batch is None:
                return
            failed = stop_at_failure and batch.first_failed >= 0
            if failed:
                # The pieces before this one have been begun, and will be done.
                stopped.set()
            # Of a file, no more than needed is kept in memory.
            results[index] = piece if failed else None, batch
            with counting:
                done[0] += piece.end - piece.begin
            if report is not None:
                report(done[0])

    def help_out() -> None:
        try:
            work()
        except BaseException as error:
            raised.append(error)
            job.cancelled = True

    helpers = [threading.Thread(target=help_out, daemon=True) for _ in range(threads - 1)]
    try:
        for helper in helpers:
            helper.start()
        work(progress)
        for helper in helpers:
            helper.join()
        if progress is not None and helpers:
            progress(done[0])
    except BaseException:
        job.cancelled = True
        for helper in helpers:
            while helper.is_alive():
                helper.join(0.02)
                if drawing.locked():
                    # A file that has nothing to read is not waited for. They end when it does, and do no more.
                    raise
        raise
    if raised:
        raise raised[0]
    return [results[index] for index in sorted(results)]


@contextmanager
def reporting(progress: Progress, total: int | None) -> Iterator[Callable[[int], object] | None]:
    """A function that is told how many bytes are done, for what a caller gives as `progress`."""
    if progress is None or progress is False:
        yield None
    elif callable(progress):
        yield lambda done: progress(done, total)
    elif progress is True:
        try:
            from tqdm import tqdm
        except ImportError:
            yield lambda done: _count(done, total)
            print(file=sys.stderr)
            return
        with tqdm(total=total, unit="B", unit_scale=True) as bar:
            yield lambda done: bar.update(done - bar.n)
    else:
        raise TypeError(f"progress must be a bool or a function, not {type(progress).__name__}")


def _count(done: int, total: int | None) -> None:
    of = f" of {total >> 20}" if total else ""
    print(f"\r{done >> 20}{of} MiB", end="", file=sys.stderr, flush=True)
