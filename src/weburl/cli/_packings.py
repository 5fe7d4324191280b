"""How files are compressed, read and written: a row of PACKINGS for each compression.

The help and the pages are made from it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from io import DEFAULT_BUFFER_SIZE

from weburl._named_tuple import NamedTuple
from weburl.cli._exit import InputError
from weburl.cli._memory import too_little_memory
from weburl.cli.readers.signatures import UNPACK

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

    Opened = tuple[Any, type[Exception]]

MOST_PACKINGS: Final = 2  # one in the other; there are files that unpack to themselves
# What lzma and zstd say where a dictionary or a window is larger than they may take.
TOO_LARGE: Final = "[Mm]emory usage limit|too much memory"
XZ_PRESET: Final = 2  # takes 17 MB to pack; that of the command xz takes 94 MB


class Rejoined:
    """A file whose first bytes have been read: it gives them again."""

    def __init__(self, head: bytes, file: Any) -> None:
        self.head: bytes = head
        self.file = file

    def read(self, size: int) -> bytes | None:
        if self.head:
            data, self.head = self.head[:size], self.head[size:]
            return data
        more: bytes | None = self.file.read(size)
        return more


class Unpacked:
    """Unpacked(packing, file, depth, memory): the unpacked bytes of a file.

    `depth` says how many packings are taken off. Unpacking takes at most `memory` bytes.
    """

    file: Any
    error: type[Exception]

    def __init__(self, packing: Packing, file: Rejoined, depth: int, memory: int) -> None:
        if packing.open is None:
            raise InputError(f"it is packed with {packing.name}: {UNPACK}")
        if depth > MOST_PACKINGS:
            raise InputError("it is packed more than twice: unpack it first")
        self.name: str = packing.name
        self.depth = depth
        self.memory = memory
        # A packing in another one gets half as much.
        self.file, self.error = packing.open(file, memory >> (depth - 1))

    def read(self, size: int) -> bytes:
        import zlib

        try:
            data: bytes = self.file.read(size)
        except EOFError:
            raise InputError(f"it is cut off: its {self.name} data has no end") from None
        except (OSError, zlib.error) as error:
            if getattr(error, "errno", None) is not None:
                raise
            raise InputError(f"its {self.name} data is damaged") from None
        except self.error as error:
            import re

            if re.search(TOO_LARGE, str(error)):
                raise too_little_memory(f"its {self.name} data", self.memory) from None
            raise InputError(f"its {self.name} data cannot be unpacked: {error}") from None
        return data


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
                unpacked: bytes = data
                return unpacked
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


class PackedOutput:
    """PackedOutput(out, packer): writes packed bytes to a file. `finish` writes their end."""

    def __init__(self, out: IO[bytes], packer: Any) -> None:
        self.out = out
        self.packer = packer

    def write(self, data: bytes) -> None:
        self.out.write(self.packer.compress(data))

    def flush(self) -> None:
        """Nothing: what is not yet packed would be packed less well."""

    def finish(self) -> None:
        self.out.write(self.packer.flush())


def _open_gzip(file: Rejoined, memory: int) -> Opened:
    from zlib import error

    from weburl.archives import GzipMember

    return _Streams(file, GzipMember, padding=b"\0", padding_size=1), error


def _pack_gzip() -> Any:
    from zlib import compressobj

    return compressobj(wbits=31)


def _open_bzip2(file: Rejoined, memory: int) -> Opened:
    from bz2 import BZ2Decompressor

    return _Streams(file, BZ2Decompressor), OSError


def _pack_bzip2() -> Any:
    from bz2 import BZ2Compressor

    return BZ2Compressor()


def _open_xz(file: Rejoined, memory: int) -> Opened:
    from lzma import FORMAT_XZ, LZMADecompressor, LZMAError

    return _Streams(file, lambda: LZMADecompressor(FORMAT_XZ, max(memory, 1)), b"\0", 4), LZMAError


def _pack_xz() -> Any:
    from lzma import LZMACompressor

    return LZMACompressor(preset=XZ_PRESET)


def _zstd(needs: str) -> Any:
    """The module for zstd, which `needs` says what is for."""
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise InputError(f"{needs} backports.zstd: pip install weburl[zstd]") from None
    return zstd


def _open_zstd(file: Rejoined, memory: int) -> Opened:
    zstd = _zstd("it is packed with zstd, which needs")
    opened: Any = file
    limit = zstd.DecompressionParameter.window_log_max
    least, most = limit.bounds()
    window = min(max(memory.bit_length() - 1, least), most)
    return zstd.ZstdFile(opened, options={limit: window}), zstd.ZstdError


def _pack_zstd() -> Any:
    return _zstd("to write .zst, weburl needs").ZstdCompressor()


class Packing(NamedTuple):
    """A packing: the first bytes of its files, and the end of their names.

    `open` takes a file, and how much memory unpacking may take for what it looks back at: a dictionary, or a window.
    It returns the unpacked file, and what that raises where the data is wrong, beside OSError and EOFError. A packing
    without it is refused by its name. `pack` makes an object with `compress` and `flush`, for files that are written.
    """

    name: str
    mark: bytes  # a regular expression
    extension: str = ""
    open: Callable[[Rejoined, int], Opened] | None = None
    pack: Callable[[], Any] | None = None


# No text has these marks: each has a byte that is not a character of a line. The second one of zstd begins a frame
# that is skipped, as pzstd writes it.
PACKINGS: Final = (
    Packing("gzip", rb"\x1f\x8b", ".gz", _open_gzip, _pack_gzip),
    Packing("bzip2", rb"BZh[1-9](?:1AY&SY|\x17rE8P\x90)", ".bz2", _open_bzip2, _pack_bzip2),
    Packing("xz", rb"\xfd7zXZ\0", ".xz", _open_xz, _pack_xz),
    Packing("zstd", rb"\x28\xb5\x2f\xfd|[\x50-\x5f]\x2a\x4d\x18", ".zst", _open_zstd, _pack_zstd),
    Packing("lz4", rb"\x04\x22\x4d\x18|\x02\x21\x4c\x18"),
    Packing("snappy", rb"\xff\x06\0\0sNaPpY"),
    Packing("lzop", rb"\x89LZO\0"),
    Packing("lzip", rb"LZIP[\0\x01]"),
    Packing("lzma", rb"\x5d\0\0"),
    Packing("compress", rb"\x1f[\x9d\xa0]"),
)
# By the ends of files' names: what is read, and what is written.
UNPACKED: Final = {packing.extension: packing for packing in PACKINGS if packing.open}
PACKED: Final = {packing.extension: packing for packing in PACKINGS if packing.pack}


def packing_of(head: bytes) -> Packing | None:
    """What a file is packed with, by its first bytes."""
    import re

    return next((packing for packing in PACKINGS if re.match(packing.mark, head)), None)


def packed_output(path: str, out: IO[bytes]) -> PackedOutput | None:
    """What packs the output with this name, if it is packed."""
    packing = PACKED.get(os.path.splitext(path)[1].lower())
    return None if packing is None or packing.pack is None else PackedOutput(out, packing.pack())
