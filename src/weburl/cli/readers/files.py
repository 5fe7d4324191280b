"""Files as blocks of whole lines: unpacked, without a byte order mark, in constant memory."""

from __future__ import annotations

import os
import re
import select
import stat
import sys
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import DEFAULT_BUFFER_SIZE
from typing import IO, Any, Final, cast

from weburl._arrow.pieces import whole_lines
from weburl.cli._exit import InputError
from weburl.cli._memory import MEMORY, too_little_memory
from weburl.cli.readers.rows import RowBlock
from weburl.cli.readers.signatures import LONGEST, SIZE, is_text, packing_of, refusal_of, unlike_text

BLOCK: Final = 1 << 21  # bytes read from a file at a time
PIPE: Final = 1 << 16  # and from a pipe
BOM: Final = b"\xef\xbb\xbf"
MOST_PACKINGS: Final = 2  # one in the other; there are files that unpack to themselves
# What lzma and zstd say where a dictionary or a window is larger than they may take.
TOO_LARGE: Final = re.compile("[Mm]emory usage limit|too much memory")


def file_size(file: Any) -> int | None:
    """The number of bytes of a file on a disk; None for a pipe, whose size is not known."""
    try:
        status = os.fstat(file.fileno())
    except OSError:
        return None
    return status.st_size if stat.S_ISREG(status.st_mode) else None


class ByteStream:
    """ByteStream(file, name): the bytes of a file that can be read, unpacked, without a byte order mark.

    `head` is the first of them, and `closed` and `tell` are for pyarrow. What cannot be read is refused, as is what
    takes more than `memory` bytes to unpack.
    """

    closed = False

    def __init__(self, file: Any, name: str, memory: int = MEMORY) -> None:
        self.file = file
        self.name = name
        self.memory = memory
        self.is_regular = file_size(file) is not None
        self.is_packed = False
        reader = file
        head = _head(file)
        while (packing := packing_of(head)) is not None:
            if self.is_packed and isinstance(reader, _Unpacked) and reader.depth == MOST_PACKINGS:
                raise InputError("it is packed more than twice: unpack it first")
            reader = _Unpacked(packing, Rejoined(head, reader), getattr(reader, "depth", 0) + 1, memory)
            self.is_packed = True
            head = _head(reader)
        refusal = refusal_of(head)
        if refusal is not None:
            raise InputError(refusal)
        self.head = head.removeprefix(BOM)
        self.can_seek = self.is_regular and not self.is_packed
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

    def check_text(self) -> None:
        if not is_text(self.head):
            raise InputError("it is not text (--input text reads it as text)")

    def blocks(self, limit: int) -> Iterator[RowBlock]:
        """The bytes in blocks of whole lines.

        After more than `limit` bytes without a newline a block is partial: its last line continues in the next block.
        """
        file = self.file
        ready = _always if self.is_regular or self.is_packed else _readiness(file)
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


class Rejoined:
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


class _Unpacked:
    """The unpacked bytes of a file; `depth` says how many packings are taken off.

    Unpacking takes at most `memory` bytes.
    """

    def __init__(self, packing: str, file: Rejoined, depth: int, memory: int) -> None:
        self.packing = packing
        self.depth = depth
        self.memory = memory
        # A packing in another one gets half as much.
        self.file = _opened(packing, file, memory >> (depth - 1))
        # What a damaged file raises, besides OSError and EOFError.
        self.errors: tuple[type[Exception], ...] = ()
        if packing == "xz":
            import lzma

            self.errors = (lzma.LZMAError,)
        elif packing == "zstd":
            self.errors = (_zstd().ZstdError,)

    def read(self, size: int) -> bytes:
        try:
            data: bytes = self.file.read(size)
        except EOFError:
            raise InputError(f"it is cut off: its {self.packing} data has no end") from None
        except (OSError, zlib.error) as error:
            if getattr(error, "errno", None) is not None:
                raise
            raise InputError(f"its {self.packing} data is damaged") from None
        except self.errors as error:
            if TOO_LARGE.search(str(error)):
                raise too_little_memory(f"its {self.packing} data", self.memory) from None
            raise InputError(f"its {self.packing} data cannot be unpacked: {error}") from None
        return data


def _opened(packing: str, file: Rejoined, memory: int) -> Any:
    """`memory` is for what the unpacker looks back at: a dictionary of xz, a window of zstd. Others need 4 MB."""
    if packing == "gzip":
        return _Streams(file, _GzipMember, padding=b"\0", padding_size=1)
    if packing == "bzip2":
        from bz2 import BZ2Decompressor

        return _Streams(file, BZ2Decompressor)
    if packing == "xz":
        from lzma import FORMAT_XZ, LZMADecompressor

        return _Streams(file, lambda: LZMADecompressor(FORMAT_XZ, max(memory, 1)), padding=b"\0", padding_size=4)
    zstd = _zstd()
    limit = zstd.DecompressionParameter.window_log_max
    least, most = limit.bounds()
    window = min(max(memory.bit_length() - 1, least), most)
    return zstd.ZstdFile(file, options={limit: window})


class _GzipMember:
    """What unpacks a member of gzip, like those of bz2 and lzma. Names and comments in its header are not kept."""

    def __init__(self) -> None:
        self.unpacker = zlib.decompressobj(wbits=31)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.unpacker, name)

    @property
    def needs_input(self) -> bool:
        return not self.unpacker.unconsumed_tail

    def decompress(self, packed: bytes, size: int) -> bytes:
        return self.unpacker.decompress(self.unpacker.unconsumed_tail or packed, size)


class _Streams:
    """The unpacked bytes of streams that follow each other, perhaps with padding.

    Python's own files end, and say nothing, where a later stream is damaged.
    """

    def __init__(self, file: Rejoined, make: Callable[[], Any], padding: bytes = b"", padding_size: int = 1) -> None:
        self.file = file
        self.make = make
        self.padding = padding
        self.padding_size = padding_size
        self.unpacker = make()
        self.packed = b""

    def read(self, size: int) -> bytes:
        while not self.unpacker.eof or self._has_next():
            packed = b""
            if self.unpacker.needs_input:
                packed = self.packed or self._more()
                self.packed = b""
                if not packed:
                    raise EOFError
            if data := self.unpacker.decompress(packed, size):
                return cast("bytes", data)
        return b""

    def _more(self) -> bytes:
        return self.file.read(DEFAULT_BUFFER_SIZE) or b""

    def _has_next(self) -> bool:
        """Whether another stream follows the one that has ended, or what is taken for one."""
        rest = self.unpacker.unused_data or self._more()
        padding = 0
        while rest:
            # The padding of xz has four bytes, or a multiple of these.
            if begin := rest.lstrip(self.padding):
                padding += len(rest) - len(begin)
                self.packed = begin if padding % self.padding_size == 0 else self.padding + begin
                self.unpacker = self.make()
                return True
            padding += len(rest)
            rest = self._more()
        if padding % self.padding_size:
            raise EOFError
        return False


def _zstd() -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise InputError("it is packed with zstd, which needs backports.zstd: pip install weburl[zstd]") from None
    return zstd


def _head(file: Any) -> bytes:
    """The first bytes of a file: those that are there, but enough to know what it is, or a line."""
    head = b""
    while (len(head) < LONGEST and b"\n" not in head) and (more := file.read(SIZE - len(head))):
        head += more
    return head


def check_file_of_text(name: str) -> None:
    """Refuses a file that is not text. What is not on a disk is not looked at: it can be read once."""
    try:
        with open(name, "rb") as file:
            head = file.read(SIZE) if file_size(file) is not None else b""
    except OSError:
        # Whoever reads it says what is wrong.
        return
    why = unlike_text(head)
    if why is not None:
        raise InputError(f"{name}: {why}")


@contextmanager
def name_in_errors(name: str) -> Iterator[None]:
    """What cannot be read is named: an error without a name is one of standard output."""
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{name}: {reason[:1].lower()}{reason[1:]}") from None
    except InputError as error:
        raise InputError(f"{name}: {error}") from None


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
