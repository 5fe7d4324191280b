"""Records that are lines: blocks of them, which other threads read, without those over the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from weburl._arrow.input import TOO_LONG_ROW, TooLong
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.row_blocks import RECORD_BYTES, RecordBlock, RowBlock, line_cuts, null_columns
from weburl.cli.readers.rows.text_column import count_lines
from weburl.cli.readers.text import read_text

# That of RecordBlock.
Parse: TypeAlias = Callable[[bytes, int, int, int], RowBlock]


def read_line_records(
    stream: ByteStream, limit: int, names: Sequence[str], parse: Parse
) -> Iterator[RowBlock | RecordBlock]:
    """The lines of a stream as `parse` reads them; `names` are those of kept columns."""
    yield parse(b"", 0, 0, 0)
    for data, size, line, block in read_lines(stream, limit):
        if data is None:
            yield too_long(line, names, block)
        else:
            yield record_block(data, size, parse, line, block)


def read_lines(stream: ByteStream, limit: int) -> Iterator[tuple[bytes | None, int, int, RowBlock]]:
    """Whole lines, their bytes, how many lines are before them, and their block. None is one over the limit."""
    line = 0
    for block in read_text(stream, limit):
        if isinstance(block.rows, bytes):
            yield block.rows, block.size, line, block
            line += count_lines(block.rows, 0, block.size)
            continue
        # Each by itself: a line over the limit is among them.
        for text in block.rows:
            data = None if isinstance(text, TooLong) else f"{text}\n".encode()
            yield data, len(data or b""), line, block
            line += 1


def record_block(data: bytes, size: int, parse: Parse, line: int, block: RowBlock) -> RecordBlock:
    """Lines of a block, with the number of lines before them."""
    return RecordBlock(data, line_cuts(data, size, RECORD_BYTES), parse, line, block.done, block.pause)


def too_long(line: int, names: Sequence[str], block: RowBlock) -> RowBlock:
    kept = null_columns(1, names)
    return RowBlock([TOO_LONG_ROW], 1, [line + 1], block.done, block.pause, names=tuple(names), kept=kept)
