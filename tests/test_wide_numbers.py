"""Numbers from outside that are larger than a size in memory, or than the integer that holds them: they are refused.

The values are generated: those beside each width, for each number of an Arrow array, a pickle and a table of keys.
"""

from __future__ import annotations

import ctypes
import os
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any

import pytest
from support import arrow
from support.arrow import Array, AsArray, AsStream

from weburl._arrow import batch, export, input
from weburl._arrow.job import Job, Runner
from weburl._verbs.columns import decoded
from weburl.bulk import (
    Column,
    can_parse_many,
    component_many,
    fingerprint_many,
    normalize_many,
    parse_many,
    query_pairs_many,
    route_many,
)
from weburl.cli.keys.key_set import KeyIndex, KeySet
from weburl.percent import percent_encode

IS_32_BIT = sys.maxsize < 2**32
only_32_bits = pytest.mark.skipif(not IS_32_BIT, reason="the sizes of this processor have 64 bits")
EDGES = sorted(
    {edge + near for bits in (15, 16, 31, 32, 48, 56, 63) for edge in (2**bits, -(2**bits)) for near in (-1, 0, 1)}
)
NARROW = [edge for edge in EDGES if -(2**31) <= edge < 2**31]
WIDE = [edge for edge in EDGES if -(2**63) <= edge < 2**63]
MOST_ROWS, MOST_BYTES = (2**25, 2**31 - 1) if IS_32_BIT else (2**48, 2**56)
TEXTS = ["http://example.com/long", "http://example.com/longer", "http://h/", None]
FORMATS = ["u", "U", "vu", "z", "Z", "vz", "n"]
INDICES = ["", *arrow.INDEX_FORMATS]
refused = pytest.raises(ValueError, match=r"^malformed Arrow array: ")


Spoil = Callable[[Array], None]


def setting(name: str, value: int) -> Spoil:
    return lambda array: setattr(array, name, value)


def in_dictionary(spoil: Spoil) -> Spoil:
    return lambda array: spoil(array.dictionary.contents)


def storing(buffer: int, place: int, format: str, value: int) -> Spoil:
    packed = struct.pack(f"={format}", value)

    def spoil(array: Array) -> None:
        ctypes.memmove((array.buffers[buffer] or 0) + place, packed, len(packed))

    return spoil


def sources(format: str, index: str, spoil: Spoil) -> Iterator[AsArray | AsStream]:
    for kind in (AsArray, AsStream):
        source = kind([[None] * 4 if format == "n" else TEXTS], format, 0, index)
        spoil(source.arrays[0])
        yield source
        # Whatever happens, it is released.
        assert source.released.count("array") == 1


def layouts() -> Iterator[tuple[str, str]]:
    for format in FORMATS:
        for index in INDICES:
            if not (format == "n" and index):
                yield format, index


# Arrow's structures.


@pytest.mark.parametrize("name", ["length", "offset"])
@pytest.mark.parametrize(("format", "index"), list(layouts()))
def test_lengths_and_offsets_of_arrays(format: str, index: str, name: str) -> None:
    """A number within MOST_ROWS may be a lie, too. Nobody can tell, as Arrow does not say how large a buffer is."""
    for value in WIDE:
        if value < 0 or value > MOST_ROWS:
            for source in sources(format, index, setting(name, value)):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize("name", ["length", "offset"])
@pytest.mark.parametrize("index", arrow.INDEX_FORMATS)
def test_lengths_and_offsets_of_dictionaries(index: str, name: str) -> None:
    for value in WIDE:
        if value < 0 or value > MOST_ROWS:
            for source in sources("U", index, in_dictionary(setting(name, value))):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize("value", [value for value in WIDE if 0 <= value <= MOST_ROWS])
def test_lengths_that_are_allowed_are_kept(value: int) -> None:
    """Rows that are all null have no memory."""
    source = AsArray([[None]], "n")
    source.arrays[0].length = value
    [rows] = input.from_arrow(source)
    assert len(rows) == value


@pytest.mark.parametrize(("format", "index"), list(layouts()))
def test_counts_of_buffers(format: str, index: str) -> None:
    for value in WIDE:
        if value < 0 or value > 2**30:
            for source in sources(format, index, setting("n_buffers", value)):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize(("format", "index"), [layout for layout in layouts() if layout[0] != "n"])
def test_counts_of_nulls(format: str, index: str) -> None:
    """The buffer of validity decides. Without it, there can be no null."""
    rows = normalize_many(TEXTS).to_pylist()
    for value in WIDE:
        for source in sources(format, index, setting("null_count", value)):
            assert normalize_many(source).to_pylist() == rows

        def without_validity(array: Array, value: int = value) -> None:
            array.null_count = value
            array.buffers[0] = None

        if value > 0:
            for source in sources(format, index, without_validity):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize("format", ["u", "U", "z", "Z"])
@pytest.mark.parametrize("entry", range(5))
def test_offsets_of_texts(format: str, entry: int) -> None:
    """An offset that is within MOST_BYTES and above the one before cannot be told from that of a longer buffer."""
    kind, size, edges = ("q", 8, WIDE) if format in "UZ" else ("i", 4, NARROW)
    for value in edges:
        if value < 0 or value > MOST_BYTES or entry < 4:
            for source in sources(format, "", storing(1, size * entry, kind, value)):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize("format", ["U", "Z"])
def test_offsets_of_texts_that_are_allowed(format: str) -> None:
    """The last one, of a row that is null: nothing is read there."""
    for source in sources(format, "", storing(1, 32, "q", MOST_BYTES)):
        [rows] = input.from_arrow(source)
        assert len(rows) == 4
        del rows


@pytest.mark.parametrize("views", [False, True])
@pytest.mark.parametrize("row", [0, 1])
def test_numbers_of_views(row: int, views: bool) -> None:
    for place in (0, 8, 12):
        for value in NARROW:
            for source in sources("vu", "", storing(1, 16 * row + place, "i", value)):
                with refused:
                    parse_many(source, views=views)


@pytest.mark.parametrize("which", [0, 1])
def test_sizes_of_buffers(which: int) -> None:
    for value in WIDE:
        if value < 0 or value > MOST_BYTES:
            for source in sources("vu", "", storing(4, 8 * which, "q", value)):
                with refused:
                    parse_many(source)


@pytest.mark.parametrize("index", arrow.INDEX_FORMATS)
def test_indices(index: str) -> None:
    kind = arrow.INDEX_FORMATS[index]
    size = struct.calcsize(f"={kind}")
    low, high = (0, 2 ** (8 * size)) if index in "CSIL" else (-(2 ** (8 * size - 1)), 2 ** (8 * size - 1))
    for value in {low, high - 1, *(edge for edge in (*EDGES, 4, 2**64 - 1) if low <= edge < high)} - set(range(4)):
        for source in sources("U", index, storing(1, size, kind, value)):
            with refused:
                parse_many(source)


# Pickles.

URLS = ["http://a.example/?x=1&y=é", "no URL", None, "http://b.example/path/above/twelve/bytes?a=1&a=2&b", "foo:", ""]
COLUMNS: dict[str, Callable[[list[str | None]], Column]] = {
    "strings": normalize_many,
    "views": lambda urls: component_many(urls, "href", views=True),
    "codes": lambda urls: parse_many(urls)["error"],
    "bits": can_parse_many,
    "pairs": query_pairs_many,
    "map": lambda urls: route_many(urls, {"a": "http://a.*/*", "host": "http://:host/*"})["groups"],
    "numbers": fingerprint_many,
    "digests": lambda urls: fingerprint_many(urls, bits=128),
}


def state_of(name: str) -> list[Any]:
    _, (_, (state,)) = COLUMNS[name](URLS).__reduce__()
    return list(state)


def restore(state: list[Any], column: int, place: int, value: Any) -> None:
    """Refused, or whole: every entry can be read, by Python and by Arrow."""
    columns = list(state[5])
    columns[column] = (*columns[column][:place], value, *columns[column][place + 1 :])
    restored = Column([export.batch_of((*state[:5], columns, state[6]))])
    assert len(restored.to_pylist()) == len(restored[::2].to_pylist()) * 2 == len(URLS)
    arrow.read_stream(restored)


@pytest.mark.parametrize("name", COLUMNS)
def test_numbers_in_pickles(name: str) -> None:
    """Each number of each column's slots becomes each edge."""
    state = state_of(name)
    refusals = 0
    for column, (kind, _, _, _, slots, _) in enumerate(state[5]):
        width = {"map": 4, "string_views": 4, "codes": 1, "bits": 1}.get(kind, 8)
        edges = {1: [-128, -1, 127], 4: NARROW, 8: WIDE}[width]
        for place in range(0, len(slots) - width + 1, width):
            for value in edges:
                changed = slots[:place] + value.to_bytes(width, sys.byteorder, signed=True) + slots[place + width :]
                try:
                    restore(state, column, 4, changed)
                except ValueError:
                    refusals += 1
                else:
                    # An offset cannot be replaced by another one, nor a view that is read.
                    assert kind in ("codes", "bits", "numbers", "digests", "string_views")
    assert refusals or name in ("bits", "numbers", "digests")


@pytest.mark.parametrize("name", COLUMNS)
def test_counts_in_pickles(name: str) -> None:
    state = state_of(name)
    for value in [*EDGES, 2**64 - 1, 2**64, 2**64 + len(URLS), 2**32 + len(URLS), 2**28 + len(URLS)]:
        for column in range(len(state[5])):
            with pytest.raises((ValueError, OverflowError)):
                restore(state, column, 1, value)
        with pytest.raises((ValueError, OverflowError)):
            export.batch_of((*state[:3], value, *state[4:]))


def test_views_of_too_many_buffers() -> None:
    column = component_many([*URLS, "http://c.example/above/twelve/bytes"] * 5000, "origin", views=True)
    before = batch.set_most_view_buffers(2)
    try:
        with pytest.raises(ValueError, match="too many buffers: take the stream"):
            arrow.read_one(column)
        assert len(arrow.read_stream(column)) == 35000
        # One for each piece of rows; several for each where offsets have 16 bits.
        for count in range(3, 1000):
            batch.set_most_view_buffers(count)
            with suppress(ValueError):
                assert len(arrow.read_one(column)) == 35000
                break
        else:
            pytest.fail("no number of buffers is enough")
        batch.set_most_view_buffers(0)
        with pytest.raises(ValueError, match="too many buffers"):
            component_many(URLS, "origin", views=True)
    finally:
        batch.set_most_view_buffers(before)


def test_decoded_texts_that_are_too_long() -> None:
    """For DuckDB, a text has less than 2**32 bytes. Decoding makes three of each byte that is not UTF-8."""
    work = Job([decoded("replace")])
    Runner(work, 64)
    assert work.longest == 2**32 - 1
    work.longest = 100
    [rows] = input.from_arrow(AsArray([[b"\xff" * 33, b"\xff" * 34, b"%ff" * 33, b"%ff" * 34, b"x" * 101]], "u"))
    found = work.run(rows, 0, 5)
    assert found is not None
    # The last is a part of its row.
    assert found.entries(0) == ["\ufffd" * 33, None, "\ufffd" * 33, None, "x" * 101]
    assert found.errors == {"too-long": 2}


# Products.

GROUPS = """
import resource
from weburl import URLPattern
from weburl._patterns.columns import Matching
from weburl._patterns.matcher import RouteTable

resource.setrlimit(resource.RLIMIT_AS, (4 << 30, 4 << 30))
COUNT = 1 << 16
matcher = URLPattern("http://h/:name")._matcher
table = RouteTable([matcher] * COUNT, [(None, (), (), False, False)] * COUNT)
try:
    Matching(table, [("", [("name", 5, 0)])] * COUNT, [f"g{number}" for number in range(COUNT)])
except MemoryError:
    print("refused")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="limits the memory of a process")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
def test_patterns_times_groups() -> None:
    """2**16 patterns with 2**16 columns of groups: the product has 33 bits."""
    done = subprocess.run([sys.executable, "-c", GROUPS], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "refused\n"), done.stderr


def test_sets_of_keys_without_a_limit() -> None:
    assert len(KeySet(sys.maxsize)) == 0


def test_keys_and_marks() -> None:
    for count in (0, 1, 15, 17, 32):
        for make in (lambda keys: KeyIndex(bytearray(keys), bytearray(b"\1")), lambda keys: KeySet(1).add(keys, b"\1")):
            with pytest.raises(ValueError, match="16 bytes"):
                make(bytes(count))


@only_32_bits
def test_keys_that_are_2_to_the_32_bytes() -> None:
    marks = bytes(2**28)
    for make in (lambda: KeyIndex(bytearray(), bytearray(marks)), lambda: KeySet(1).add(b"", marks)):
        with pytest.raises(ValueError, match="16 bytes"):
            make()


@only_32_bits
def test_rows_that_share_a_text() -> None:
    """A block of 64 rows has 2**31 bytes and more."""
    with pytest.raises(MemoryError):
        normalize_many(["http://h/" + "x" * 2**25] * 64)


@only_32_bits
def test_texts_that_become_three_times_as_long() -> None:
    with pytest.raises((MemoryError, OverflowError)):
        percent_encode(b"\xff" * (2**31 // 3 + 1), "form")
