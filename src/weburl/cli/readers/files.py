"""Files as blocks of whole lines: unpacked, without a byte order mark, in constant memory."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Callable, Iterator
from typing import Any, Final

from weburl._columns.pieces import whole_lines
from weburl.cli._exit import InputError
from weburl.cli.readers.rows import RowBlock

BLOCK: Final = 1 << 21  # bytes read from a file at a time
PIPE: Final = 1 << 16  # and from a pipe
GZIP: Final = b"\x1f\x8b"
BOM: Final = b"\xef\xbb\xbf"
# UTF-8 never begins with these.
UTF_16: Final = (b"\xff\xfe", b"\xfe\xff")


def file_size(file: Any) -> int | None:
    """The number of bytes of a file on a disk; None for a pipe, whose size is not known."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


def read_blocks(file: Any, limit: int) -> Iterator[RowBlock]:
    """The bytes of a file in blocks of whole lines.

    After more than `limit` bytes without a newline a block is partial: its last line continues in the next block.
    """
    is_regular = file_size(file) is not None
    seek = file.seek if is_regular else None
    ready = _always if is_regular else _readiness(file)
    head = _head(file, (GZIP,))
    reader: Any = _Rejoined(head, file)
    if head == GZIP:
        import gzip

        reader = gzip.GzipFile(fileobj=reader, mode="rb")
        seek = None
        ready = _always
    head = _head(reader, (BOM, *UTF_16))
    if head in UTF_16:
        raise InputError("it is in UTF-16: only UTF-8 is read")
    if head != BOM:
        reader = _Rejoined(head, reader)
    done = 0
    for lines in whole_lines(reader, BLOCK if is_regular else PIPE, BLOCK, limit, ready, seek):
        done += lines.size
        yield RowBlock(lines.data, lines.size, None, file.tell() if is_regular else done, lines.pause, lines.partial)


class _Rejoined:
    """A file whose first bytes have been read: it gives them again."""

    def __init__(self, head: bytes, file: Any) -> None:
        self.head = head
        self.file = file

    def read(self, size: int) -> bytes | None:
        if self.head:
            found, self.head = self.head[:size], self.head[size:]
            return found
        more: bytes | None = self.file.read(size)
        return more


def _head(file: Any, marks: tuple[bytes, ...]) -> bytes:
    """The first bytes of a file: one of the marks, or just enough to know that there is none."""
    head = b""
    while head not in marks and any(mark.startswith(head) for mark in marks) and (more := file.read(1)):
        head += more
    return head


def _always() -> bool:
    return True


def _readiness(file: Any) -> Callable[[], bool]:
    """A function that tells whether the file has something to read now."""
    try:
        number = file.fileno()
    except OSError:
        return _always
    if not hasattr(select, "poll"):
        return lambda: False
    poll = select.poll()
    poll.register(number, select.POLLIN)
    return lambda: bool(poll.poll(0))
