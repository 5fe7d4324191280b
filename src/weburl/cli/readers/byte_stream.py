"""An open file as blocks of whole lines: unpacked, without a byte order mark, in constant memory."""

from __future__ import annotations

import os
import select
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any, Final, cast

from weburl._arrow.cutting import whole_lines
from weburl.cli._exit import InputError
from weburl.cli._memory import MEMORY
from weburl.cli._packings import Rejoined, Unpacked, packing_of
from weburl.cli.readers.reading import SeenFields
from weburl.cli.readers.row_blocks import RowBlock
from weburl.cli.readers.signatures import LONGEST, SIZE, is_text, refusal_of

BLOCK: Final = 1 << 21  # bytes read from a file at a time
PIPE: Final = 1 << 16  # and from a pipe
BOM: Final = b"\xef\xbb\xbf"


def file_size(file: Any) -> int | None:
    """The number of bytes of a file on a disk; None for a pipe, whose size is not known."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class ByteStream:
    """ByteStream(file, name): the bytes of a file that can be read, unpacked, without a byte order mark.

    `head` is the first of them, `mark` the byte order mark, and `closed` and `tell` are for pyarrow. Readers of records
    say which `fields` there are. What cannot be read is refused, as is what takes more than `memory` bytes to unpack.
    """

    closed = False
    reader: Rejoined

    def __init__(self, file: Any, name: str, memory: int = MEMORY, fields: SeenFields | None = None) -> None:
        self.file = file
        self.name = name
        self.fields: SeenFields = fields or SeenFields()
        self.is_regular: bool = file_size(file) is not None
        self.is_packed: bool = False
        reader = file
        head = head_of(file)
        while (packing := packing_of(head)) is not None:
            reader = Unpacked(packing, Rejoined(head, reader), getattr(reader, "depth", 0) + 1, memory)
            self.is_packed = True
            head = head_of(reader)
        refusal = refusal_of(head)
        if refusal is not None:
            raise InputError(refusal)
        self.head: bytes = head.removeprefix(BOM)
        self.mark: bytes = head[: len(head) - len(self.head)]
        self.can_seek: bool = self.is_regular and not self.is_packed
        if self.can_seek:
            file.seek(-len(self.head), os.SEEK_CUR)
            self.reader = reader
        else:
            self.reader = Rejoined(self.head, reader)

    def read(self, size: int) -> bytes:
        """As many bytes as are asked for, if the file has them. A pipe gives what is there."""
        data = bytearray()
        while len(data) < size and (more := self.reader.read(min(size - len(data), BLOCK))):
            data += more
        return bytes(data)

    def tell(self) -> int:
        """How many bytes of the file have been read."""
        at: int = self.file.tell() if self.is_regular else 0
        return at

    def readiness(self) -> Callable[[], bool]:
        """What says whether the next bytes of the file are there."""
        return _always if self.is_regular else _readiness(self.file)

    def check_text(self) -> None:
        if not is_text(self.head):
            raise InputError("it is not text (--input text reads it as text)")

    def blocks(self, limit: int) -> Iterator[RowBlock]:
        """The bytes in blocks of whole lines.

        After more than `limit` bytes without a newline a block is partial: its last line continues in the next block.
        """
        file = self.file
        ready = _always if self.is_packed else self.readiness()
        seek = file.seek if self.can_seek else None
        done = 0
        reader = cast("IO[bytes]", self.reader)
        for lines in whole_lines(reader, BLOCK if self.is_regular else PIPE, BLOCK, limit, ready, seek):
            done += lines.size
            at = self.tell() or done
            yield RowBlock(lines.data, lines.size, None, at, lines.pause, lines.partial)

    @contextmanager
    def whole_file(self) -> Iterator[Any]:
        """The file, or a temporary copy of its bytes, for formats that are not read from the begin to the end."""
        if self.can_seek:
            yield self.file
            return
        import shutil
        import tempfile

        with tempfile.TemporaryFile() as whole:
            shutil.copyfileobj(cast("IO[bytes]", self), whole, BLOCK)
            whole.seek(0)
            yield whole


def head_of(file: Any) -> bytes:
    """The first bytes of a file: those that are there, but enough to know what it is, or a line that is not empty."""
    head = b""
    while (len(head) < LONGEST and b"\n" not in head.lstrip(b"\r\n")) and (more := file.read(SIZE - len(head))):
        head += more
    return head


@contextmanager
def name_in_errors(name: str) -> Iterator[None]:
    """What cannot be read is named: an error without a name is one of standard output."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{name}: {reason[:1].lower()}{reason[1:]}") from None
    except InputError as error:
        raise type(error)(f"{name}: {error}") from None


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
