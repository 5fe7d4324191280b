"""How many fields the schema of an Arrow file has, before pyarrow makes objects of them."""

from __future__ import annotations

import struct
from typing import Any, Final

from weburl.cli._memory import too_little_memory

FIELD_BYTES: Final = 1 << 10  # that a field takes at most
CONTINUATION: Final = 0xFFFFFFFF
# Of the tables in https://github.com/apache/arrow/blob/main/format/: Message, File and Schema.
HEADER: Final = 2
FOOTER_SCHEMA: Final = 1
FIELDS: Final = 1
CHILDREN: Final = 5
END: Final = 10  # bytes: the length of the footer, and the mark


def check_file(file: Any, memory: int) -> None:
    """Refuses a file of Arrow IPC with more fields than --memory is for. A damaged one is left to pyarrow."""
    size = file.seek(0, 2)
    file.seek(max(size - END, 0))
    (length,) = struct.unpack("<i", file.read(END)[:4])
    if 0 < length < size:
        file.seek(size - END - length)
        _check(file.read(length), FOOTER_SCHEMA, memory)
    file.seek(0)


def check_stream(file: Any, memory: int) -> bytes:
    """The same for a stream. It returns the bytes that it has read."""
    head: bytes = file.read(4)
    if head == b"\xff" * 4:
        head += file.read(4)
    if len(head) not in (4, 8):
        return head
    (length,) = struct.unpack("<i", head[-4:])
    if length > 0:
        schema = file.read(length)
        _check(schema, HEADER, memory)
        head += schema
    return head


def _check(data: bytes, schema: int, memory: int) -> None:
    try:
        tables = [_table(data, _table(data, 0), schema)]
        number = FIELDS
        count = 0
        while tables:
            vector = _offset(data, tables.pop(), number)
            number = CHILDREN
            if vector:
                vector = _at(data, vector)
                (length,) = struct.unpack_from("<I", data, vector)
                count += length
                if count * FIELD_BYTES > memory:
                    raise too_little_memory("its schema", memory)
                tables += [_at(data, vector + 4 + 4 * index) for index in range(length)]
    except (struct.error, IndexError):
        return


def _at(data: bytes, place: int) -> int:
    """The place that the offset at this place is for."""
    return place + int(struct.unpack_from("<I", data, place)[0])


def _offset(data: bytes, table: int, number: int) -> int:
    """The place of a field of a table; 0 if the table does not have it."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    if vtable < 0 or struct.unpack_from("<H", data, vtable)[0] < 6 + 2 * number:
        return 0
    (offset,) = struct.unpack_from("<H", data, vtable + 4 + 2 * number)
    return table + offset if offset else 0


def _table(data: bytes, place: int, number: int | None = None) -> int:
    """The table that a field of a table is, or the one that the data begins with."""
    if number is None:
        return _at(data, place)
    offset = _offset(data, place, number)
    if not offset:
        raise IndexError
    return _at(data, offset)
