"""Pieces of columns and of files: rows that one thread works on at a time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import IO, Any, Final, NamedTuple

from weburl._columns import input
from weburl._columns.input import Input

PIECE_ROWS: Final = 1 << 14
PIECE_BYTES: Final = 1 << 20  # of lines
READ_BYTES: Final = 1 << 25  # of a file, at a time


class Piece(NamedTuple):
    """The rows of an input from `begin` to `end`, and those of their bases. Of lines, these count bytes."""

    rows: Input
    begin: int
    end: int
    bases: Input | None = None
    bases_begin: int = 0


def open_column(column: Any, what: str = "urls") -> list[Input]:
    """The chunks of a caller's column; `what` is its name in messages."""
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


def cut_rows(chunks: Iterable[Input], bases: Iterable[Input] | None = None) -> Iterator[Piece]:
    """The pieces of a column, each within one chunk; with the chunks of a column of as many bases, each within one."""
    if bases is None:
        for chunk in chunks:
            for begin in range(0, len(chunk), PIECE_ROWS):
                yield Piece(chunk, begin, min(begin + PIECE_ROWS, len(chunk)))
        return
    rest = iter(bases)
    base_chunk, base_begin = next(rest, None), 0
    for chunk in chunks:
        begin = 0
        while begin < len(chunk):
            while base_chunk is not None and base_begin == len(base_chunk):
                base_chunk, base_begin = next(rest, None), 0
            assert base_chunk is not None
            size = min(PIECE_ROWS, len(chunk) - begin, len(base_chunk) - base_begin)
            yield Piece(chunk, begin, begin + size, base_chunk, base_begin)
            begin += size
            base_begin += size


def cut_lines(data: object, size: int | None = None) -> Iterator[Piece]:
    """The pieces of a buffer of lines, or of its first `size` bytes."""
    lines = input.from_lines(data)
    size = len(lines) if size is None else size
    begin = 0
    while begin < size:
        end = lines.end_of_line(min(begin + PIECE_BYTES, size) - 1)
        yield Piece(lines, begin, end)
        begin = end


def cut_file(file: IO[bytes]) -> Iterator[Piece]:
    """The pieces of a file of lines, which is read as they are drawn."""
    rest: list[bytes] = []
    while True:
        data = file.read(READ_BYTES)
        if data is None:
            raise BlockingIOError("the file has nothing to read yet: it must not be in non-blocking mode")
        if not isinstance(data, bytes):
            raise TypeError(f"the file must be opened in binary mode: it gave {type(data).__name__}")
        if not data:
            break
        end = data.rfind(b"\n") + 1
        if not end:
            rest.append(data)
            continue
        yield from cut_lines(b"".join((*rest, memoryview(data)[:end])))
        rest = [data[end:]]
    if last := b"".join(rest):
        yield from cut_lines(last)
