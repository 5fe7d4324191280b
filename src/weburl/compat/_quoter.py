"""Percent-encoding of bytes."""

from __future__ import annotations

UNRESERVED = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"


class Quoter:
    """Percent-encodes bytes but for those that are safe."""

    __slots__ = ("safe", "table")

    def __init__(self, safe: bytes, space: str = "%20") -> None:
        self.safe = safe
        self.table = [chr(byte) if byte in safe else f"%{byte:02X}" for byte in range(256)]
        self.table[0x20] = space

    def __call__(self, data: bytes) -> str:
        if not data.translate(None, self.safe):
            return data.decode("ascii")
        return "".join(map(self.table.__getitem__, data))
