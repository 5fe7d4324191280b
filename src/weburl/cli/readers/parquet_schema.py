"""How many columns a Parquet file has, and how deep they are in each other, before pyarrow makes objects of them.

pyarrow calls itself for a column in another one, until its stack ends; and it ends the process where it has no memory
for a column.
"""

from __future__ import annotations

import struct
from typing import Any, Final

from weburl.cli._exit import InputError
from weburl.cli._memory import too_little_memory

COLUMN_BYTES: Final = 1 << 12  # that a column takes
FOOTER_BYTES: Final = 1 << 3  # that a byte of the footer takes
DEEPEST: Final = 100  # columns in each other
END: Final = 8  # bytes: the length of the footer, and the mark
# https://github.com/apache/thrift/blob/master/doc/specs/thrift-compact-protocol.md
INTEGERS: Final = (4, 5, 6)
BINARY: Final = 8
LIST: Final = 9
# https://github.com/apache/parquet-format/blob/master/src/main/thrift/parquet.thrift
SCHEMA: Final = 2
NUM_CHILDREN: Final = 5


def check_schema(file: Any, memory: int) -> None:
    """Refuses a file whose columns are too many or too deep in each other. A damaged one is left to pyarrow."""
    size = file.seek(0, 2)
    if size < END:
        return
    file.seek(size - END)
    (length,) = struct.unpack("<I", file.read(END)[:4])
    if length > size - END:
        return
    file.seek(size - END - length)
    try:
        _check(file.read(length), memory)
    except (IndexError, ValueError):
        return
    finally:
        file.seek(0)


def _check(footer: bytes, memory: int) -> None:
    reader = _Reader(footer)
    for field, kind in reader.fields():
        if field == SCHEMA and kind == LIST:
            break
        reader.skip(kind)
    else:
        return
    count, _ = reader.list_header()
    if count * COLUMN_BYTES + len(footer) * FOOTER_BYTES > memory:
        raise too_little_memory("its footer", memory)
    if count <= DEEPEST:
        return
    left: list[int] = []  # how many children each of those around has, which are to come
    for _ in range(count):
        children = 0
        for field, kind in reader.fields():
            if field == NUM_CHILDREN and kind in INTEGERS:
                children = reader.integer()
            else:
                reader.skip(kind)
        while left and left[-1] < 1:
            left.pop()
        if left:
            left[-1] -= 1
        if children > 0:
            left.append(children)
        if len(left) > DEEPEST:
            raise InputError(f"its columns are more than {DEEPEST} deep in each other")


class _Reader:
    """Thrift's compact protocol, as far as the schema has it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.at = 0

    def byte(self) -> int:
        value = self.data[self.at]
        self.at += 1
        return value

    def varint(self) -> int:
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 127) << shift
            if byte < 128:
                return value
            shift += 7
            if shift > 63:
                raise ValueError

    def integer(self) -> int:
        value = self.varint()
        return value >> 1 ^ -(value & 1)

    def list_header(self) -> tuple[int, int]:
        header = self.byte()
        return (self.varint() if header >> 4 == 15 else header >> 4), header & 15

    def fields(self) -> Any:
        """The number and the kind of each field of a struct. What has it is read or skipped before the next one."""
        field = 0
        while header := self.byte():
            field = field + (header >> 4) if header >> 4 else self.integer()
            yield field, header & 15

    def skip(self, kind: int, depth: int = 0) -> None:
        if kind in INTEGERS:
            self.varint()
        elif kind == BINARY:
            length = self.varint()
            self.at += length
        elif kind == 3:
            self.at += 1
        elif kind == 7:
            self.at += 8
        elif kind == 12:
            if depth > DEEPEST:
                raise ValueError
            for _, inner in self.fields():
                self.skip(inner, depth + 1)
        elif kind not in (1, 2):
            # A schema has no lists and no maps.
            raise ValueError
