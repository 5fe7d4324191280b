"""Records that are lines: blocks of them, which other threads read, without those over the limit."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from weburl._arrow.input import TOO_LONG_ROW, TooLong
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.rows import RECORD_BYTES, RecordBlock, RowBlock, line_cuts, null_columns
from weburl.cli.readers.text import read_text
from weburl.cli.readers.text_column import count_lines


def read_line_records(
    stream: ByteStream, limit: int, names: Sequence[str], parse: Callable[[bytes, int, int, int], RowBlock]
) -> Iterator[RowBlock | RecordBlock]:
    """The lines of a stream as `parse` reads them, which is that of RecordBlock; `names` are those of kept columns."""
    yield parse(b"", 0, 0, 0)
    line = 0
    for block in read_text(stream, limit):
        if isinstance(block.rows, bytes):
            cuts = line_cuts(block.rows, block.size, RECORD_BYTES)
            yield RecordBlock(block.rows, cuts, parse, line, block.done, block.pause)
            line += count_lines(block.rows, 0, block.size)
            continue
        # Each by itself: a line over the limit is among them.
        for text in block.rows:
            if isinstance(text, TooLong):
                kept = null_columns(1, names)
                yield RowBlock([TOO_LONG_ROW], 1, [line + 1], block.done, block.pause, names=tuple(names), kept=kept)
            else:
                data = f"{text}\n".encode()
                yield RecordBlock(data, [len(data)], parse, line, block.done, block.pause)
            line += 1
