"""Text: each line is a URL."""

from __future__ import annotations

import io
from collections.abc import Iterator

from weburl._arrow.cutting import PIECE_ROWS
from weburl._arrow.input import TOO_LONG_ROW
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.row_blocks import Row, RowBlock


def read_text(stream: ByteStream, limit: int) -> Iterator[RowBlock]:
    """The lines of a file; TOO_LONG_ROW in place of lines over the limit, which are not held in memory."""
    is_open = is_due = False  # a line over the limit has begun; its row is not given yet
    for block in stream.blocks(limit):
        data, end = block.rows, block.size
        begin = data.find(b"\n", 0, end) + 1 if is_open else 0
        if is_due and (begin or block.pause):
            yield RowBlock([TOO_LONG_ROW], 1, None, block.done, block.pause)
            is_due = False
        if is_open and not begin:
            continue
        if block.partial:
            end = max(data.rfind(b"\n", begin, end) + 1, begin)
        if _has_longer(data, begin, end, limit):
            # Not all at once: as objects, short lines take many times their bytes.
            rows: list[Row] = []
            for line in io.BytesIO(data[begin:end]):
                text = line.removesuffix(b"\n")
                rows.append(TOO_LONG_ROW if len(text) > limit else _decoded(text))
                if len(rows) == PIECE_ROWS:
                    yield RowBlock(rows, len(rows), None, block.done)
                    rows = []
            if rows or block.pause:
                yield RowBlock(rows, len(rows), None, block.done, block.pause)
        elif begin < end:
            yield RowBlock(data[begin:end] if begin else data, end - begin, None, block.done, block.pause)
        is_open = is_due = block.partial
    if is_due:
        yield RowBlock([TOO_LONG_ROW], 1, pause=True)


def _has_longer(data: bytes, begin: int, end: int, limit: int) -> bool:
    """Whether a line has more than `limit` bytes. It looks for one newline in each `limit` bytes, not for all."""
    while end - begin > limit:
        newline = data.rfind(b"\n", begin, begin + limit + 1)
        if newline < 0:
            return True
        begin = newline + 1
    return False


def _decoded(line: bytes) -> str:
    return line.decode("utf-8", "replace").removesuffix("\r")
