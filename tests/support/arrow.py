"""The Arrow C data interface by ctypes: columns to export, with every kind of mistake, and a reader of columns."""

from __future__ import annotations

import ctypes as c
import itertools
import struct
from collections.abc import Callable, Sequence
from typing import Any

Text = bytes | str | None


class Schema(c.Structure):
    pass


class Array(c.Structure):
    pass


class Stream(c.Structure):
    pass


RELEASE = c.CFUNCTYPE(None, c.c_void_p)
# An int, in a whole register: where bytes are big-endian, ctypes leaves the other half of it as it was.
GET = c.CFUNCTYPE(c.c_ssize_t, c.c_void_p, c.c_void_p)
ERROR = c.CFUNCTYPE(c.c_void_p, c.c_void_p)

Schema._fields_ = [
    ("format", c.c_char_p),
    ("name", c.c_char_p),
    ("metadata", c.c_char_p),
    ("flags", c.c_int64),
    ("n_children", c.c_int64),
    ("children", c.POINTER(c.POINTER(Schema))),
    ("dictionary", c.POINTER(Schema)),
    ("release", RELEASE),
    ("private_data", c.c_void_p),
]
Array._fields_ = [
    ("length", c.c_int64),
    ("null_count", c.c_int64),
    ("offset", c.c_int64),
    ("n_buffers", c.c_int64),
    ("n_children", c.c_int64),
    ("buffers", c.POINTER(c.c_void_p)),
    ("children", c.POINTER(c.POINTER(Array))),
    ("dictionary", c.POINTER(Array)),
    ("release", RELEASE),
    ("private_data", c.c_void_p),
]
Stream._fields_ = [
    ("get_schema", GET),
    ("get_next", GET),
    ("get_last_error", ERROR),
    ("release", RELEASE),
    ("private_data", c.c_void_p),
]

capsule_new = c.pythonapi.PyCapsule_New
capsule_new.restype, capsule_new.argtypes = c.py_object, [c.c_void_p, c.c_char_p, c.c_void_p]
capsule_pointer = c.pythonapi.PyCapsule_GetPointer
capsule_pointer.restype, capsule_pointer.argtypes = c.c_void_p, [c.py_object, c.c_char_p]

# What Arrow structures point to has to live as long as they do, and nobody says how long that is.
KEPT: list[Any] = []
INDEX_FORMATS = {"c": "b", "C": "B", "s": "h", "S": "H", "i": "i", "I": "I", "l": "q", "L": "Q"}


def keep(thing: Any) -> Any:
    KEPT.append(thing)
    return thing


def encoded(text: Text) -> bytes | None:
    return text.encode() if isinstance(text, str) else text


def bits(flags: Sequence[bool]) -> bytes:
    packed = bytearray(len(flags) // 8 + 1)
    for index, flag in enumerate(flags):
        packed[index // 8] |= flag << index % 8
    return bytes(packed)


def views(texts: Sequence[bytes]) -> list[bytes]:
    """The buffers of views and data. There are two of data, used in turn."""
    data = [bytearray(), bytearray(b"xyz")]
    packed = b""
    for index, text in enumerate(texts):
        if len(text) <= 12:
            packed += struct.pack("=i12s", len(text), text)
        else:
            target = data[index % 2]
            packed += struct.pack("=i4sii", len(text), text[:4], index % 2, len(target))
            target += text
    sizes = struct.pack("=2q", *map(len, data))
    return [packed, *map(bytes, data), sizes]


class Column:
    """A column to export. Its structures may be spoilt first; `released` counts those that were released.

    `slot` is the text that a null row has in the data: Arrow allows any.
    """

    def __init__(
        self,
        chunks: Sequence[Sequence[Text]],
        format: str = "U",
        offset: int = 0,
        index: str = "",
        unaligned: bool = False,
        slot: bytes = b"",
    ) -> None:
        self.released: list[str] = []
        self.slot = slot
        self.unaligned = unaligned
        self.schema = self.make_schema(index or format)
        if index:
            self.schema.dictionary = c.pointer(keep(self.make_schema(format)))
        self.arrays = [self.make_array(list(map(encoded, chunk)), format, offset, index) for chunk in chunks]
        keep(self)

    def releaser(self, what: str, kind: type[Schema] | type[Array] | type[Stream]) -> Any:
        def release(pointer: int) -> None:
            self.released.append(what)
            kind.from_address(pointer).release = RELEASE()

        return keep(RELEASE(release))

    def make_schema(self, format: str) -> Schema:
        return Schema(format=format.encode(), flags=2, release=self.releaser("schema", Schema))

    def buffer(self, data: bytes | None) -> int | None:
        if data is None:
            return None
        # No byte of ours follows the data: a reader that goes further leaves the block, which a sanitizer sees.
        shift = 1 if self.unaligned else 0
        block = keep(c.create_string_buffer(bytes(shift) + data, len(data) + shift))
        return c.addressof(block) + shift

    def make_array(self, texts: list[bytes | None], format: str, offset: int, index: str) -> Array:
        if index:
            entries = dict.fromkeys([b"unused", *(text for text in texts if text is not None)])
            known = {text: place for place, text in enumerate(entries)}
            values = self.make_array(list(entries), format, 0, "")
            places = [-1] * offset + [0 if text is None else known[text] for text in texts]
            mask = (1 << 8 * struct.calcsize(INDEX_FORMATS[index])) - 1 if index in "CSIL" else -1
            packed = struct.pack(f"={len(places)}{INDEX_FORMATS[index]}", *(p & mask if p < 0 else p for p in places))
            valid = bits([True] * offset + [text is not None for text in texts])
            array = self.array([valid, packed], len(texts), offset)
            array.dictionary = c.pointer(keep(values))
            return array
        texts = [*[b"before the slice"] * offset, *texts]
        if format == "n":
            return self.array([], len(texts) - offset, offset)
        validity = bits([text is not None for text in texts]) if None in texts else None
        buffers: list[bytes | None] = [validity]
        slots = [self.slot if text is None else text for text in texts]
        if format in ("vu", "vz"):
            buffers += views(slots)
        else:
            ends = list(itertools.accumulate(map(len, slots), initial=0))
            buffers.append(struct.pack(f"={len(ends)}{'i' if format in 'uz' else 'q'}", *ends))
            buffers.append(b"".join(slots))
        return self.array(buffers, len(texts) - offset, offset)

    def array(self, buffers: Sequence[bytes | None], length: int, offset: int) -> Array:
        pointers = keep((c.c_void_p * max(len(buffers), 1))(*map(self.buffer, buffers)))
        return Array(
            length=length,
            null_count=-1,
            offset=offset,
            n_buffers=len(buffers),
            buffers=pointers,
            release=self.releaser("array", Array),
        )


class AsArray(Column):
    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        [array] = self.arrays
        return (
            capsule_new(c.addressof(self.schema), b"arrow_schema", None),
            capsule_new(c.addressof(array), b"arrow_array", None),
        )


class AsStream(Column):
    error: bytes | None = None
    code = 5

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        rest = iter(self.arrays)

        def get_schema(stream: int, out: int) -> int:
            c.memmove(out, c.addressof(self.schema), c.sizeof(Schema))
            return 0

        def get_next(stream: int, out: int) -> int:
            if self.error is not None:
                return self.code
            array = next(rest, None)
            if array is None:
                c.memset(out, 0, c.sizeof(Array))
            else:
                c.memmove(out, c.addressof(array), c.sizeof(Array))
            return 0

        stream = keep(
            Stream(
                get_schema=keep(GET(get_schema)),
                get_next=keep(GET(get_next)),
                get_last_error=keep(ERROR(lambda stream: self.buffer(self.error and self.error + b"\0"))),
                release=self.releaser("stream", Stream),
            )
        )
        return capsule_new(c.addressof(stream), b"arrow_array_stream", None)


# Reading.


def is_set(buffer: int | None, index: int) -> bool:
    return not buffer or bool(c.c_uint8.from_address(buffer + index // 8).value >> index % 8 & 1)


def read_array(array: Array, schema: Schema) -> list[Any]:
    """The entries, and None; it says what is wrong with the structures."""
    format = schema.format
    assert array.offset == 0
    assert bool(array.private_data)
    buffers = [array.buffers[index] for index in range(array.n_buffers)]
    valid = [is_set(buffers[0], index) for index in range(array.length)]
    assert array.null_count == valid.count(False)
    entry: Callable[[int], Any]
    if format == b"+s":
        names = [schema.children[index].contents.name.decode() for index in range(schema.n_children)]
        columns = [
            read_array(array.children[index].contents, schema.children[index].contents)
            for index in range(array.n_children)
        ]
        assert all(len(column) == array.length for column in columns)
        entry = lambda index: {name: column[index] for name, column in zip(names, columns, strict=True)}  # noqa: E731
    elif format == b"+L":
        offsets = (c.c_int64 * (array.length + 1)).from_address(buffers[1])
        assert offsets[0] == 0
        assert list(offsets) == sorted(offsets)
        items = read_array(array.children[0].contents, schema.children[0].contents)
        assert len(items) == offsets[array.length]
        entry = lambda index: items[offsets[index] : offsets[index + 1]]  # noqa: E731
    elif format == b"+m":
        starts = (c.c_int32 * (array.length + 1)).from_address(buffers[1])
        assert starts[0] == 0
        assert list(starts) == sorted(starts)
        entries_schema = schema.children[0].contents
        # https://arrow.apache.org/docs/format/CDataInterface.html: neither the entries nor the keys are nullable.
        assert not entries_schema.flags & 2
        assert not entries_schema.children[0].contents.flags & 2
        pairs = read_array(array.children[0].contents, entries_schema)
        assert len(pairs) == starts[array.length]
        entry = lambda index: {pair["key"]: pair["value"] for pair in pairs[starts[index] : starts[index + 1]]}  # noqa: E731
    elif format == b"U":
        offsets = (c.c_int64 * (array.length + 1)).from_address(buffers[1])
        assert offsets[0] == 0
        assert list(offsets) == sorted(offsets)
        entry = lambda index: c.string_at(buffers[2] + offsets[index], offsets[index + 1] - offsets[index]).decode()  # noqa: E731
    elif format == b"vu":
        sizes = (c.c_int64 * (array.n_buffers - 3)).from_address(buffers[-1]) if array.n_buffers > 3 else []
        entry = lambda index: read_view(buffers[1] + 16 * index, buffers[2:-1], list(sizes))  # noqa: E731
    elif format == b"b":
        entry = lambda index: is_set(buffers[1], index)  # noqa: E731
    elif format == b"L":
        numbers = (c.c_uint64 * array.length).from_address(buffers[1])
        entry = lambda index: numbers[index]  # noqa: E731
    elif format in (b"w:12", b"w:16"):
        size = int(format[2:])
        entry = lambda index: c.string_at(buffers[1] + size * index, size)  # noqa: E731
    else:
        assert format == b"c"
        names = read_names(array.dictionary.contents)
        codes = (c.c_int8 * array.length).from_address(buffers[1]) if array.length else []
        entry = lambda index: names[codes[index]]  # noqa: E731
    return [entry(index) if valid[index] else None for index in range(array.length)]


def read_names(array: Array) -> list[str]:
    offsets = list((c.c_int32 * (array.length + 1)).from_address(array.buffers[1]))
    ends = itertools.pairwise(offsets)
    return [c.string_at(array.buffers[2] + start, end - start).decode() for start, end in ends]


def read_view(address: int, buffers: Sequence[int], sizes: Sequence[int]) -> str:
    length = c.c_int32.from_address(address).value
    if length <= 12:
        assert c.string_at(address + 4 + length, 12 - length) == bytes(12 - length), "not padded with zeros"
        return c.string_at(address + 4, length).decode()
    prefix, buffer, offset = struct.unpack("=4sii", c.string_at(address + 4, 12))
    assert 0 <= offset <= offset + length <= sizes[buffer]
    text = c.string_at(buffers[buffer] + offset, length)
    assert text[:4] == prefix
    return text.decode()


def read_stream(source: Any) -> list[Any]:
    """All entries of an object's stream. Releases what it gives."""
    capsule = source.__arrow_c_stream__()
    address = capsule_pointer(capsule, b"arrow_array_stream")
    stream = Stream.from_address(address)
    schema = Schema()
    assert stream.get_schema(address, c.addressof(schema)) == 0
    entries: list[Any] = []
    while True:
        array = Array()
        assert stream.get_next(address, c.addressof(array)) == 0
        if not array.release:
            break
        entries += read_array(array, schema)
        array.release(c.addressof(array))
        assert not array.release
    schema.release(c.addressof(schema))
    assert not schema.release
    return entries


def read_one(source: Any) -> list[Any]:
    """The entries of an object's only array; the capsules release it."""
    schema, array = source.__arrow_c_array__()
    return read_array(
        Array.from_address(capsule_pointer(array, b"arrow_array")),
        Schema.from_address(capsule_pointer(schema, b"arrow_schema")),
    )
