"""Output that is packed, as the end of its name says: .gz, .bz2, .xz and .zst."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

from weburl.cli._exit import InputError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

XZ_PRESET: Final = 2  # takes 17 MB; that of the command xz takes 94 MB


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


def _gzip_packer() -> Any:
    from zlib import compressobj

    return compressobj(wbits=31)


def _bzip2_packer() -> Any:
    from bz2 import BZ2Compressor

    return BZ2Compressor()


def _xz_packer() -> Any:
    from lzma import LZMACompressor

    return LZMACompressor(preset=XZ_PRESET)


def _zstd_packer() -> Any:
    try:
        if sys.version_info >= (3, 14):
            from compression import zstd
        else:
            from backports import zstd
    except ImportError:
        raise InputError("to write .zst, weburl needs backports.zstd: pip install weburl[zstd]") from None
    return zstd.ZstdCompressor()


PACKERS: Final[dict[str, Callable[[], Any]]] = {
    ".gz": _gzip_packer,
    ".bz2": _bzip2_packer,
    ".xz": _xz_packer,
    ".zst": _zstd_packer,
}


def packed_output(path: str, out: IO[bytes]) -> PackedOutput | None:
    """What packs the output with this name, if it is packed."""
    make = PACKERS.get(os.path.splitext(path)[1].lower())
    return PackedOutput(out, make()) if make else None
