"""Columns by the Arrow C data interface: every layout, and everything that can be wrong with one."""

from __future__ import annotations

import ctypes as c
import errno
import random
import signal
import struct
import weakref
from _thread import interrupt_main
from collections.abc import Callable
from operator import methodcaller
from typing import Any

import pytest
from support import arrow
from support.arrow import Array, AsArray, AsStream, Column, Schema

from weburl import normalize
from weburl.bulk import (
    canonicalize_many,
    component_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    percent_decode_many,
    query_get_many,
)
from weburl.percent import percent_decode_text

URLS: list[str | None] = [
    "http://h/",
    None,
    "https://example.com/a/path/that/is/long",
    "x",
    "",
    "http://Ü.example/",
    "https://example.com/a/path/that/is/long",
    "a:b",
    "https://user@Example.com/another/that/changes",
]
HREFS = normalize_many(URLS).to_pylist()


@pytest.mark.sample(108)
@pytest.mark.parametrize("offset", [0, 1, 9])
@pytest.mark.parametrize("unaligned", [False, True])
@pytest.mark.parametrize("index", ["", *arrow.INDEX_FORMATS])
@pytest.mark.parametrize("format", ["u", "U", "vu", "z", "Z", "vz"])
def test_layouts(format: str, index: str, unaligned: bool, offset: int) -> None:
    for views in (False, True):
        rows = parse_many(URLS, views=views).to_pylist()
        chunks: list[list[str | None]] = [URLS, URLS[:0], URLS[3:], [None, None]]
        for whole in (
            AsArray([URLS], format, offset, index, unaligned),
            AsStream([URLS], format, offset, index, unaligned),
        ):
            table = parse_many(whole, views=views)
            assert table.to_pylist() == arrow.read_stream(table) == arrow.read_one(table) == rows
        stream = AsStream(chunks, format, offset, index, unaligned)
        column = component_many(stream, "href", views=views)
        assert (
            column.to_pylist() == arrow.read_stream(column) == arrow.read_one(column) == HREFS + HREFS[3:] + [None] * 2
        )


@pytest.mark.parametrize("format", ["u", "U", "z", "Z", "vz", "lines"])
@pytest.mark.parametrize("seed", range(20))
def test_rows_that_are_not_ascii_among_others(format: str, seed: int) -> None:
    """Rows that follow each other are looked at together, and some of them begin, end or go on where a look ends."""
    draw = random.Random(seed)
    odd = ["\u00e9".encode(), b"\xff", b"\xc3", "\u20ac".encode() * 500]
    rows = [
        b"http://h/" + b"x" * draw.choice((0, 1, 30, 100, 4076 - 9, 4096 - 9, 5000))
        + (draw.choice(odd) if draw.random() < draw.choice((0.01, 0.5)) else b"")
        for _ in range(draw.choice((5, 300)))
    ]  # fmt: skip
    column = b"\n".join(rows) if format == "lines" else AsStream([rows], format, draw.choice((0, 1)))
    for views in (False, True):
        if isinstance(column, bytes):
            table = parse_lines(column, ["href"], views=views)
        else:
            table = parse_many(column, ["href"], views=views)
        assert table["href"].to_pylist() == [normalize(row.decode("utf-8", "replace")) for row in rows]


def test_all_null() -> None:
    for source in (AsArray([[None] * 70], "n"), AsStream([[None] * 70], "n"), AsArray([[None] * 70], "vu")):
        assert normalize_many(source).to_pylist() == [None] * 70
    dictionary = AsArray([[None] * 70], "U", 0, "c")
    assert arrow.read_stream(normalize_many(dictionary)) == [None] * 70


@pytest.mark.parametrize("format", ["u", "U"])
def test_no_data(format: str) -> None:
    """If all entries are empty, the buffer of data may be missing. The entries are not null."""
    texts = ["", None, ""]
    for index in ("", "i"):
        for views in (False, True):
            source = AsArray([texts], format, 0, index)
            array = source.arrays[0].dictionary.contents if index else source.arrays[0]
            if index:
                array.length, array.buffers[2] = 1, None
                edit(1, "i" if format == "u" else "q", 4 if format == "u" else 8, 0)(array)
                edit(1, "i", 0, 0)(source.arrays[0])
                edit(1, "i", 8, 0)(source.arrays[0])
            else:
                array.buffers[2] = None
            table = parse_many(source, ["href"], base="http://h/x?y#z", views=views)
            assert table["href"].to_pylist() == ["http://h/x?y", None, "http://h/x?y"]


def test_what_comes_out_goes_in() -> None:
    for views in (False, True):
        hrefs = component_many(URLS, "href", views=views)
        assert normalize_many(hrefs).to_pylist() == HREFS
        errors = parse_many(URLS, ["error"])["error"]
        assert percent_decode_many(errors).to_pylist() == errors.to_pylist()
        assert component_many(parse_many(hrefs, views=views)["href"], "href", views=True).to_pylist() == HREFS
    with pytest.raises(TypeError, match=r"not of the Arrow format '\+s'"):
        normalize_many(parse_many(URLS))
    with pytest.raises(TypeError, match="not of the Arrow format 'b'"):
        normalize_many(AsArray([[b"x"]], "b"))


def test_all_is_released() -> None:
    source = AsStream([URLS, URLS], "vu", 2, "i")
    column = component_many(source, "hostname", views=True)
    assert sorted(source.released) == ["array", "array", "schema"]
    source = AsStream([URLS, URLS], "vu")
    column = component_many(source, "hostname", views=True)
    # Its views point into the arrays.
    assert source.released == ["schema"]
    hosts = arrow.read_stream(column)
    capsules = column.__arrow_c_array__()
    del column
    assert source.released == ["schema"]
    del capsules
    assert source.released == ["schema", "array", "array"]
    assert hosts == [None if href is None else component_many([href], "hostname").to_pylist()[0] for href in HREFS] * 2


# fmt: off
ILL_FORMED = [
    b"\xff", b"\xc3", b"\xc3(", b"\xe2\x82", b"\xe2\x82\xff", b"\xed\xa0\x80", b"\xed\xa0\x80\xed\xb0\x80",
    b"\xf0\x9f\x98", b"\xf0\x80\x80\x80", b"\xf4\x90\x80\x80", b"\xc0\xaf", b"\xe0\x80\xaf", b"\xf5\x80\x80\x80",
    b"\x80\x80", b"a\xf0\x9fb", b"\xef\xbb\xbf", "é\U0001f600".encode(), b"\xf4\x8f\xbf\xbf", b"\xee\x80\x80",
    b"\xed\x9f\xbf", b"\xf1\x80\x80\x80\x80",
]
# fmt: on


@pytest.mark.parametrize("format", ["u", "U", "vu"])
def test_ill_formed_text_is_replaced(format: str) -> None:
    rows = [b"http://h/?long-enough-for-a-view-" + bad + tail for bad in ILL_FORMED for tail in (b"", b"#x")]
    rows += [b"http://" + bad + b"/" for bad in ILL_FORMED]
    texts: list[str | None] = [row.decode("utf-8", "replace") for row in rows]
    for views in (False, True):
        own = parse_many(texts, views=views).to_pylist()
        assert parse_many(AsArray([rows], format), views=views).to_pylist() == own
        assert component_many(AsArray([rows], format), "host", views=views).to_pylist() == [row["host"] for row in own]
    assert percent_decode_many(AsArray([rows], format)).to_pylist() == percent_decode_many(texts).to_pylist()


# weburl searches many rows at once for what it decodes, in a column of ASCII. Some seeds have other columns.
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("format", ["u", "U", "vu"])
def test_rows_with_and_without_escapes(monkeypatch: pytest.MonkeyPatch, format: str, seed: int) -> None:
    rng = random.Random(f"escapes {format} {seed}")
    if seed % 4 < 2:
        monkeypatch.setattr("weburl._arrow.cutting.PIECE_ROWS", 64)
    texts: list[str | None] = []
    for _ in range(300):
        text = "x" * rng.choice((0, 0, 1, 12, 13, rng.randrange(200), rng.randrange(9000)))
        for _ in range(rng.choice((0, 0, 0, 1, 3))):
            place = rng.choice((0, len(text), rng.randrange(len(text) + 1)))
            text = text[:place] + rng.choice(("%41", "%", "%4", "%25")) + text[place:]
        texts.append(rng.choice((None, *[text] * 8)))
    if seed % 2:
        texts[rng.randrange(len(texts))] = "é%41"
    own = [None if text is None else percent_decode_text(text) for text in texts]
    first, slot = rng.choice((0, 1, 63, 64, 65)), rng.choice((b"", b"%", b"a null row, which has %41"))
    assert percent_decode_many(AsArray([texts], format, first, slot=slot)).to_pylist() == own
    assert percent_decode_many(AsStream([texts[:first], texts[first:]], format, slot=slot)).to_pylist() == own


# Malformed arrays.


def say_it_has_nulls(array: Array) -> None:
    array.buffers[0] = None
    array.null_count = 1


def edit(index: int, format: str, place: int, value: int) -> Callable[[Array], None]:
    def spoil(array: Array) -> None:
        struct.pack_into(format, (c.c_char * (place + 8)).from_address(array.buffers[index]), place, value)

    return spoil


def set_buffer(index: int, value: int | None) -> Callable[[Array], None]:
    def spoil(array: Array) -> None:
        array.buffers[index] = value

    return spoil


def set_field(**fields: Any) -> Callable[[Array], None]:
    def spoil(array: Array) -> None:
        for name, value in fields.items():
            setattr(array, name, value)

    return spoil


def in_dictionary(spoil: Callable[[Array], None]) -> Callable[[Array], None]:
    return lambda array: spoil(array.dictionary.contents)


TEXTS = ["http://example.com/long", "http://example.com/longer", "http://h/", None]
MALFORMED: list[tuple[str, str, str, Callable[[Array], None], str]] = [
    ("length", "U", "", set_field(length=-1), "length or offset"),
    ("huge length", "U", "", set_field(length=2**62), "length or offset"),
    ("offset", "U", "", set_field(offset=-1), "length or offset"),
    ("huge offset", "vu", "", set_field(offset=2**62), "length or offset"),
    ("no buffers", "U", "", set_field(n_buffers=0), "buffers are missing"),
    ("two buffers", "u", "", set_field(n_buffers=2), "buffers are missing"),
    ("two buffers of views", "vu", "", set_field(n_buffers=2), "buffers are missing"),
    ("negative buffers", "vu", "", set_field(n_buffers=-5), "buffers are missing"),
    ("null buffers", "U", "", set_field(buffers=None), "buffers are missing"),
    (
        "nulls nowhere",
        "U",
        "",
        say_it_has_nulls,
        "has nulls",
    ),
    ("null offsets", "U", "", set_buffer(1, None), "buffer is missing"),
    ("null views", "vu", "", set_buffer(1, None), "buffer is missing"),
    ("null data", "U", "", set_buffer(2, None), "data is missing"),
    ("null data of views", "vu", "", set_buffer(2, None), "size of a buffer is wrong"),
    ("null sizes", "vu", "", set_buffer(4, None), "sizes of its buffers"),
    ("negative size", "vu", "", edit(4, "q", 0, -1), "size of a buffer is wrong"),
    ("small size", "vu", "", edit(4, "q", 0, 5), "outside its buffer"),
    ("descending 64-bit offsets", "U", "", edit(1, "q", 8, 10**6), "do not ascend"),
    ("descending 32-bit offsets", "u", "", edit(1, "i", 8, 10**6), "do not ascend"),
    ("negative 64-bit offset", "U", "", edit(1, "q", 0, -8), "do not ascend"),
    ("negative 32-bit offset", "u", "", edit(1, "i", 0, -8), "do not ascend"),
    ("view's length", "vu", "", edit(1, "i", 0, -1), "length is negative"),
    ("view's large length", "vu", "", edit(1, "i", 0, 2**31 - 1), "outside its buffer"),
    ("view's buffer", "vu", "", edit(1, "i", 8, 2), "outside its buffer"),
    ("view's negative buffer", "vu", "", edit(1, "i", 8, -1), "outside its buffer"),
    ("view's offset", "vu", "", edit(1, "i", 12, 1), "outside its buffer"),
    ("view's negative offset", "vu", "", edit(1, "i", 12, -1), "outside its buffer"),
    ("view's large offset", "vu", "", edit(1, "i", 12, 2**31 - 1), "outside its buffer"),
    ("index", "U", "i", edit(1, "i", 0, 4), "outside its dictionary"),
    ("negative index", "U", "i", edit(1, "i", 4, -1), "outside its dictionary"),
    ("huge index", "U", "L", edit(1, "Q", 0, 2**64 - 1), "outside its dictionary"),
    ("no indices", "U", "i", set_buffer(1, None), "indices is missing"),
    ("no dictionary", "U", "i", set_field(dictionary=None), "dictionary is missing"),
    ("dictionary's offsets", "u", "i", in_dictionary(edit(1, "i", 4, 10**6)), "do not ascend"),
    ("dictionary's length", "u", "i", in_dictionary(set_field(length=1)), "outside its dictionary"),
]


@pytest.mark.parametrize(
    ("format", "index", "spoil", "message"), [case[1:] for case in MALFORMED], ids=[m[0] for m in MALFORMED]
)
def test_malformed_arrays(format: str, index: str, spoil: Callable[[Array], None], message: str) -> None:
    for kind in (AsArray, AsStream):
        source = kind([TEXTS], format, 0, index)
        assert normalize_many(kind([TEXTS], format, 0, index)).to_pylist() == TEXTS
        [array] = source.arrays
        spoil(array)
        with pytest.raises(ValueError, match=f"^malformed Arrow array: .*{message}"):
            parse_many(source)
        assert source.released.count("array") == 1


def test_what_stands_in_null_rows_does_not_matter() -> None:
    source = AsArray([TEXTS], "vu")
    edit(1, "i", 3 * 16, -1)(source.arrays[0])
    assert normalize_many(source).to_pylist() == TEXTS
    source = AsArray([TEXTS], "U", 0, "i")
    edit(1, "i", 3 * 4, 10**6)(source.arrays[0])
    assert normalize_many(source).to_pylist() == TEXTS


def released(source: Column) -> Column:
    source.arrays[0].release = arrow.RELEASE()
    return source


def test_released_structures() -> None:
    with pytest.raises(ValueError, match="malformed Arrow array: it is released"):
        normalize_many(released(AsArray([TEXTS])))
    source = AsArray([TEXTS])
    source.schema.release = arrow.RELEASE()
    with pytest.raises(ValueError, match="the schema is released"):
        normalize_many(source)
    stream = AsStream([TEXTS])
    capsule = stream.__arrow_c_stream__()
    arrow.Stream.from_address(arrow.capsule_pointer(capsule, b"arrow_array_stream")).release = arrow.RELEASE()

    class Holder:
        def __arrow_c_stream__(self) -> object:
            return capsule

    with pytest.raises(ValueError, match="the stream is released"):
        normalize_many(Holder())


def test_streams_that_fail() -> None:
    source = AsStream([TEXTS])
    source.error = b"the disk is \xff gone"
    with pytest.raises(ValueError, match="the Arrow stream failed: the disk is � gone"):
        normalize_many(source)
    source = AsStream([TEXTS])
    source.error, source.code = b"", errno.ENOMEM
    with pytest.raises(MemoryError):
        normalize_many(source)


class Untouched(AsStream):
    """A stream that reports success and writes no schema."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        capsule = super().__arrow_c_stream__()

        def get_schema(stream: int, out: int) -> int:
            self.found = c.string_at(out, c.sizeof(Schema))
            return 0

        stream = arrow.Stream.from_address(arrow.capsule_pointer(capsule, b"arrow_array_stream"))
        stream.get_schema = arrow.keep(arrow.GET(get_schema))
        return capsule


def test_a_schema_that_is_not_written() -> None:
    source = Untouched([TEXTS])
    with pytest.raises(ValueError, match="the schema is released"):
        normalize_many(source)
    assert not any(source.found)


def test_schemas_that_are_wrong() -> None:
    for format, match in ((b"", "not of the Arrow format ''"), (b"u2", "'u2'"), (b"i", "'i'"), (b"\xff", "'�'")):
        source = AsArray([TEXTS])
        source.schema.format = format
        with pytest.raises(TypeError, match=f"^urls: .*{match}"):
            normalize_many(source)
    source = AsArray([TEXTS])
    source.schema.format = None
    with pytest.raises(ValueError, match="schema"):
        normalize_many(source)
    for format in (b"f", b"", b"ii"):
        source = AsArray([TEXTS], "U", 0, "i")
        source.schema.format = format
        with pytest.raises(ValueError, match="indices of a dictionary are not integers"):
            normalize_many(source)
    source = AsArray([TEXTS], "U", 0, "i")
    source.schema.dictionary.contents.format = b"i"
    with pytest.raises(TypeError, match="'i'"):
        normalize_many(source)


def test_objects_that_are_no_capsules() -> None:
    class Wrong:
        def __arrow_c_stream__(self) -> object:
            return None

    with pytest.raises(ValueError, match="PyCapsule"):
        normalize_many(Wrong())


def test_texts_are_views_only_where_asked_for() -> None:
    def layout(column: Any) -> Any:
        capsule = column.__arrow_c_schema__()
        schema = Schema.from_address(arrow.capsule_pointer(capsule, b"arrow_schema"))
        return schema.children[0].contents.format if schema.format == b"+s" else schema.format

    urls = ["http://h/a?q=1"]
    assert {layout(function(urls)) for function in (normalize_many, canonicalize_many, percent_decode_many)} == {b"U"}
    assert layout(join_many("http://h/", urls)) == layout(query_get_many(urls, "q")) == b"U"
    for views, expected in ((False, b"U"), (True, b"vu")):
        assert layout(component_many(urls, "href", views=views)) == expected
        assert layout(parse_many(urls, ["href"], views=views)) == expected
        assert layout(parse_lines(b"x:", ["href"], views=views)) == expected
    assert layout(component_many(urls, "href")) == layout(parse_many(urls)) == layout(parse_lines(b"x:")) == b"U"


class Interrupting(weakref.ref["Zero"]):
    interrupt = staticmethod(interrupt_main)


class Zero(int):
    """The status of a success. When it is freed, Ctrl-C comes: no bytecode of Python that would handle it runs then."""

    def __init__(self) -> None:
        class Held:
            pass

        self.held = Held()
        arrow.keep(Interrupting(self.held, methodcaller("interrupt")))  # type: ignore[arg-type]


class Interrupted(AsStream):
    """A stream during which Ctrl-C comes, right after the array with this number."""

    def __init__(self, chunks: int, last: int) -> None:
        super().__init__([TEXTS[:1]] * chunks)
        self.last = last
        self.handed_out = 0

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        capsule = super().__arrow_c_stream__()
        stream = arrow.Stream.from_address(arrow.capsule_pointer(capsule, b"arrow_array_stream"))
        # Not the field itself, which is about to change.
        inner = arrow.GET(c.cast(stream.get_next, c.c_void_p).value or 0)

        def get_next(stream: int, out: int) -> int:
            assert inner(stream, out) == 0
            self.handed_out += 1
            return Zero() if self.handed_out == self.last else 0

        stream.get_next = arrow.keep(arrow.GET(get_next))
        return capsule


@pytest.mark.parametrize("last", [1, 2, 7])
def test_ctrl_c_between_two_arrays(last: int) -> None:
    """An array that has come, and that nothing has taken over when the signal is handled, is released."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    source = Interrupted(7, last)
    try:
        with pytest.raises(KeyboardInterrupt):
            normalize_many(source)
    finally:
        signal.signal(signal.SIGINT, before)
    assert source.handed_out == last
    assert sorted(source.released) == ["array"] * last + ["schema"]
