"""Pieces of columns and of files: rows that one thread works on at a time."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator

from weburl._arrow import input
from weburl._arrow.input import Input
from weburl._core.arguments import wrong_type
from weburl._named_tuple import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

PIECE_ROWS: Final = 1 << 14
PIECE_BYTES: Final = 1 << 19  # of lines
READ_BYTES: Final = 1 << 21  # of a file, at a time: the C library keeps blocks of this size for the next ones


class Piece(NamedTuple):
    """The rows of an input from `begin` to `end`, and those of their bases. For lines, they count bytes."""

    rows: Input
    begin: int
    end: int
    bases: Input | None = None
    bases_begin: int = 0


def need_column(column: Any, what: str) -> bool:
    """Whether a column is one of Arrow; TypeError for what is not a column. `what` is its name."""
    is_arrow = hasattr(column, "__arrow_c_stream__") or hasattr(column, "__arrow_c_array__")
    if isinstance(column, (str, bytes, bytearray, memoryview)) or not (is_arrow or isinstance(column, Iterable)):
        raise wrong_type(column, f"{what} must be a column of str")
    return is_arrow


def open_column(column: Any, what: str = "urls") -> list[Input]:
    """The chunks of a caller's column; `what` is its name in messages."""
    is_arrow = need_column(column, what)
    try:
        if is_arrow:
            try:
                return input.from_arrow(column)
            except UnicodeEncodeError:
                # A series of pandas whose objects have lone surrogates, which pyarrow refuses.
                if getattr(column, "ndim", None) != 1 or not hasattr(column, "isna"):
                    raise
                rows = zip(column, column.isna(), strict=True)
                return [input.from_objects([None if is_missing else text for text, is_missing in rows])]
        return [input.from_objects(column)]
    except TypeError as error:
        raise TypeError(f"{what}: {error}") from None


def cut_rows(chunks: Iterable[Input], bases: Iterable[Input] | None = None) -> Iterator[Piece]:
    """The pieces of a column, each within one chunk. If there are bases, each is within one chunk of theirs, too.

    There are as many bases as rows.
    """
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


def cut_lines(data: object, size: int | None = None, *, is_begin: bool = False) -> Iterator[Piece]:
    """The pieces of a buffer of lines, or of its first `size` bytes.

    If it is the begin of a text, its first line has no byte order mark.
    """
    lines = input.from_lines(data, is_begin)
    size = len(lines) if size is None else size
    begin = 0
    while begin < size:
        end = lines.end_of_line(min(begin + PIECE_BYTES, size) - 1)
        yield Piece(lines, begin, end)
        begin = end


class WholeLines(NamedTuple):
    """The bytes of a file up to the end of a line: the first `size` of `data`. What follows them comes again."""

    data: bytes
    size: int
    pause: bool  # there is nothing to read yet
    partial: bool = False  # the last line continues in the next block


def whole_lines(
    file: IO[bytes],
    part: int,
    enough: int,
    limit: int = sys.maxsize,
    is_ready: Callable[[], bool] = lambda: True,
    seek: Callable[[int, int], object] | None = None,
) -> Iterator[WholeLines]:
    """A file in blocks of whole lines, read `part` bytes at a time.

    A block has `enough` bytes, or ends where nothing is ready. It is partial after more than `limit` bytes without a
    newline. With `seek`, which moves in the file, the begin of a line at the end of a block is read again: to put it
    before the next part would copy that.
    """
    parts: list[bytes] = []
    length = end = 0
    while True:
        data = file.read(part)
        if data is None:
            raise BlockingIOError("the file has nothing to read yet: it must not be in non-blocking mode")
        if not isinstance(data, bytes):
            raise TypeError(f"the file must be opened in binary mode: it gave {type(data).__name__}")
        if not data:
            break
        newline = data.rfind(b"\n")
        if newline >= 0:
            end = length + newline + 1
        parts.append(data)
        length += len(data)
        pause = not is_ready()
        partial = length - end > limit
        if partial or (end and (length >= enough or pause)):
            # A single part is not copied.
            joined = b"".join(parts)
            end = length if partial else end
            length -= end
            if seek is not None and 0 < length < len(data):
                seek(-length, os.SEEK_CUR)
                length = 0
            yield WholeLines(joined, end, pause, partial)
            parts = [joined[end:]] if length else []
            end = 0
    if length:
        yield WholeLines(b"".join(parts), length, True)


def cut_file(file: IO[bytes], seek: Callable[[int, int], object] | None = None) -> Iterator[Piece]:
    """The pieces of a file of lines, without a byte order mark.

    The file is read as pieces are asked for; for `seek` see `whole_lines`.
    """
    for number, lines in enumerate(whole_lines(file, READ_BYTES, 0, seek=seek)):
        yield from cut_lines(lines.data, lines.size, is_begin=number == 0)
