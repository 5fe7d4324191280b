"""Columns as sequences and as pickles: entries, slices and copies are those of the list of entries."""

from __future__ import annotations

import copy
import pickle
import pickletools
import sys
from collections.abc import Callable
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from support import arrow

from weburl import URL
from weburl._arrow import export
from weburl._arrow.batch import COLUMN_TYPES
from weburl._verbs.rows import restore_rows
from weburl.bulk import (
    Column,
    Table,
    can_parse_many,
    canonicalize_many,
    component_many,
    find_urls_many,
    fingerprint_many,
    normalize_many,
    parse_many,
    query_pairs_many,
    route_many,
)

URLS = ["http://a.example/?x=1&y=é", "no URL", None, "http://b.example/path/above/twelve/bytes?a=1&a=2&b", "foo:", ""]
# More than a piece of rows.
MANY = URLS * 2800
ROUTES = {"a": "http://a.*/*", "host": "http://:host/*"}
MAKERS: dict[str, Callable[[list[str | None]], Column]] = {
    "strings": normalize_many,
    "views": lambda urls: component_many(urls, "href", views=True),
    "views of another text": lambda urls: component_many(urls, "origin", views=True),
    "nullable strings": lambda urls: component_many(urls, "query"),
    "codes": lambda urls: parse_many(urls)["error"],
    "host types": lambda urls: component_many(urls, "host_type"),
    "bits": can_parse_many,
    "pairs": query_pairs_many,
    "map": lambda urls: route_many(urls, ROUTES)["groups"],
    "numbers": fingerprint_many,
    "digests": lambda urls: fingerprint_many(urls, bits=128),
    "short digests": lambda urls: fingerprint_many(urls, bits=96),
    "lists": lambda urls: find_urls_many([url and f"{url} {url}x" for url in urls]),
}


def test_each_type_of_columns_is_copied() -> None:
    pickled = {column[0] for make in MAKERS.values() for column in make(URLS).__reduce__()[1][1][0][5]}
    assert pickled == {name for name, *_ in COLUMN_TYPES.values()}


@pytest.fixture(params=MAKERS)
def make(request: pytest.FixtureRequest) -> Callable[[list[str | None]], Column]:
    return MAKERS[request.param]


def check(column: Column, expected: list[Any]) -> None:
    """By Python objects and by Arrow."""
    assert len(column) == len(expected)
    assert column.to_pylist() == expected
    assert arrow.read_stream(column) == list(map(in_arrow, expected))


def in_arrow(entry: Any) -> Any:
    is_pairs = isinstance(entry, list) and not all(isinstance(each, str) for each in entry)
    return [{"name": name, "value": value} for name, value in entry] if is_pairs else entry


def test_entries(make: Callable[[list[str | None]], Column]) -> None:
    column = make(MANY)
    entries = column.to_pylist()
    for index in (0, 1, 3, 16383, 16384, len(entries) - 1, -1, -len(entries), True):
        assert column[index] == entries[index]
    for index in (len(entries), -len(entries) - 1, 1 << 70):
        with pytest.raises(IndexError):
            column[index]
    for wrong in ("x", 1.0, None):
        with pytest.raises(TypeError):
            column[wrong]  # type: ignore[call-overload]
    assert list(reversed(make(URLS))) == make(URLS).to_pylist()[::-1]
    with pytest.raises(IndexError):
        make([])[0]
    # With other batches, the places are found anew.
    column.__arrow_c_array__()
    assert column[16790] == entries[16790]


def test_slices(make: Callable[[list[str | None]], Column]) -> None:
    column = make(MANY)
    entries = column.to_pylist()
    random = Random(1)
    ends = [None, 0, 1, 5, 16383, 16384, 16385, len(entries), -1, -7, 10**6]
    slices = [slice(random.choice(ends), random.choice(ends), random.choice([None, 1, 2, 7, 16385])) for _ in range(12)]
    slices += [slice(random.choice(ends), random.choice(ends), random.choice([-1, -3, -40000])) for _ in range(12)]
    for each in (slice(None), slice(2, 2), slice(1, 4), slice(None, None, -1), *slices):
        check(column[each], entries[each])
    for step in (10**30, -(10**30), 2**63, -(2**63)):
        check(column[::step], entries[::step])
        check(column[0:2:step], entries[0:2:step])
    part = column[16380:16390][::-2]
    check(part, entries[16380:16390][::-2])
    assert part.errors == {}
    assert make([])[:].to_pylist() == []


def test_pickles(make: Callable[[list[str | None]], Column]) -> None:
    column = make(MANY)
    entries = column.to_pylist()
    for protocol in (2, pickle.HIGHEST_PROTOCOL):
        restored = pickle.loads(pickle.dumps(column, protocol))
        assert type(restored) is Column
        assert restored.errors == column.errors
        check(restored, entries)
        check(pickle.loads(pickle.dumps(column[5:16390:3], protocol)), entries[5:16390:3])
    check(copy.deepcopy(column[:9]), entries[:9])
    check(pickle.loads(pickle.dumps(make([]))), [])
    check(pickle.loads(pickle.dumps(make([None, "http://h/?b"]))), make([None, "http://h/?b"]).to_pylist())


@pytest.mark.parametrize("views", [False, True])
def test_pickles_of_tables(views: bool) -> None:
    table = parse_many(URLS, views=views)
    restored = pickle.loads(pickle.dumps(table))
    assert type(restored) is Table
    assert restored.to_pylist() == table.to_pylist()
    assert restored.column_names == table.column_names
    assert restored.errors == table.errors
    assert restored["href"][3] == table["href"][3]


def states(make: Callable[[list[str | None]], Column]) -> list[Any]:
    restored, (_, (state,)) = make(URLS).__reduce__()
    assert restored is restore_rows
    return list(state)


def test_pickles_that_lie(make: Callable[[list[str | None]], Column]) -> None:
    """Offsets, views, codes and sizes that do not fit are a ValueError, not a read of other memory."""
    good = states(make)
    export.batch_of(tuple(good))
    wrong: list[list[Any]] = [
        [*good[:i], value, *good[i + 1 :]] for i in range(7) for value in (None, -1, b"", 1 << 61, ["x"])
    ]
    columns = good[5]
    for i, column in enumerate(columns):
        for k, old in enumerate(column):
            values: list[Any] = [None, -1, 1 << 61, b"", ("x",), "map", "strings"]
            if isinstance(old, bytes) and old:
                values += [old + b"\0", old[:-1], b"\xff" * len(old), b"\x7f" * len(old), old[::-1]]
            for value in values:
                changed = (*column[:k], value, *column[k + 1 :])
                wrong.append([*good[:5], [*columns[:i], changed, *columns[i + 1 :]], good[6]])
        wrong.append([*good[:5], columns[:i] + columns[i + 1 :], good[6]])
    if good[6]:
        wrong.append([*good[:6], good[6][:-1]])
    refused = 0
    for state in wrong:
        try:
            batch = export.batch_of(tuple(state))
        except (ValueError, TypeError, OverflowError):
            refused += 1
            continue
        # What passes is whole.
        column = Column([batch])
        assert len(column.to_pylist()) == len(column[:]) == 6
        arrow.read_stream(column)
    assert refused > len(wrong) // 2
    for kind, given in ((int, [tuple(good)]), (Column, []), (type, []), (Column, [()])):
        with pytest.raises((ValueError, TypeError)):
            restore_rows(kind, given)  # type: ignore[type-var]


def test_pickles_of_batches_that_differ() -> None:
    """What reads several batches reads them by the first."""
    state_of = {name: tuple(states(make)) for name, make in MAKERS.items()}
    refused = 0
    for state in state_of.values():
        assert len(restore_rows(Column, [state, state])) == 2 * len(URLS)
        for other in state_of.values():
            shapes = {export.shape_of(export.batch_of(each)) for each in (state, other)}
            if len(shapes) == 2:
                refused += 1
                with pytest.raises(ValueError, match="damaged"):
                    restore_rows(Column, [state, other])
    assert refused > 80


def test_pickles_without_columns(make: Callable[[list[str | None]], Column]) -> None:
    good = states(make)
    struct = (*good[:1], True, *good[2:])
    assert len(restore_rows(Table, [struct])) == len(URLS)
    wrong = [
        (Column, struct),
        (Table, tuple(good)),
        (Table, ((), True, *good[2:5], [], good[6])),
        (Table, (("a", "b"), *struct[1:])),
        (Column, (("a", "b"), *good[1:5], good[5] * 2, good[6])),
    ]
    for kind, state in wrong:
        with pytest.raises(ValueError, match="damaged"):
            restore_rows(kind, [state])
    for short in ((), ("strings",), good[5][0][:5]):
        for place in range(len(good[5])):
            columns = [*good[5][:place], short, *good[5][place + 1 :]]
            with pytest.raises(ValueError, match="damaged"):
                export.batch_of((*good[:5], columns, good[6]))


def test_refused_pickles_leave_the_references_as_they_are(make: Callable[[list[str | None]], Column]) -> None:
    good = states(make)
    constants = (True, False, None)
    before = [sys.getrefcount(each) for each in constants]
    for i in range(len(good)):
        for _ in range(100):
            with suppress(ValueError, TypeError):
                export.batch_of((*good[:i], None, *good[i + 1 :]))
    after = [sys.getrefcount(each) for each in constants]
    assert all(abs(now - then) < 50 for now, then in zip(after, before, strict=True)), (before, after)


def test_damaged_pickles(make: Callable[[list[str | None]], Column]) -> None:
    data = pickle.dumps(make(URLS))
    random = Random(1)
    for _ in range(1000):
        damaged = bytearray(data)
        for _ in range(random.randint(1, 3)):
            damaged[random.randrange(len(data))] = random.choice((0, 1, 0x7F, 0x80, 0xFF, random.randrange(256)))
        if b"weburl.bulk" not in damaged or b"restore_rows" not in damaged or b"Column" not in damaged:
            continue
        if has_a_huge_memo(bytes(damaged)):
            continue
        try:
            column = pickle.loads(damaged)
        except Exception:
            continue
        if isinstance(column, Column):
            column.to_pylist()
            arrow.read_stream(column)


def has_a_huge_memo(data: bytes) -> bool:
    """Whether pickle itself would fill gigabytes: without the GIL, it does so until the machine has no more."""
    with suppress(Exception):
        return any("PUT" in code.name and (place or 0) > 1 << 20 for code, place, _ in pickletools.genops(data))
    return False


@pytest.mark.parametrize("name", ["strings", "nullable strings", "bits", "views"])
def test_bits_after_the_last_row_are_nobodys(name: str) -> None:
    """A pickle that was changed has them set: they do not become bits of the next batch."""
    column = MAKERS[name](URLS[:3])
    (names, is_struct, errors, length, rows, columns, arena) = column.__reduce__()[1][1][0]

    def set_rest(bits: bytes | None) -> bytes | None:
        return bits and bytes([*bits[:-1], bits[-1] | 0xFF << length % 8 & 0xFF])

    changed = [
        (kind, n, texts, set_rest(validity), set_rest(slots) if kind == "bits" else slots, data)
        for kind, n, texts, validity, slots, data in columns
    ]
    restored = restore_rows(Column, [(names, is_struct, errors, length, set_rest(rows), changed, arena)] * 2)
    assert isinstance(restored, Column)
    expected = column.to_pylist() * 2
    assert restored.to_pylist() == expected
    assert arrow.read_one(restored) == arrow.read_stream(restored) == expected


def test_what_pickles_hold(make: Callable[[list[str | None]], Column]) -> None:
    """The slots of a column are as many bytes as it has rows, and no more."""
    for kind, count, _, _, slots, _ in states(make)[5]:
        sizes = {
            "strings": 8 * (count + 1), "pairs": 8 * (count + 1), "map": 4 * (count + 1), "string_views": 16 * count,
            "digests": 16 * count, "numbers": 8 * count, "codes": count, "bits": (count + 7) // 8,
                "short_digests": 12 * count, "lists": 8 * (count + 1),
        }  # fmt: skip
        assert len(slots) == sizes[kind]


@pytest.mark.parametrize("name", ["numbers", "digests", "bits"])
def test_values_for_numpy(name: str) -> None:
    """As bytes; tests/engines has those of NumPy itself."""
    state = states(MAKERS[name])
    batch = export.batch_of(tuple(state))
    values = MAKERS[name](URLS).to_pylist()
    assert None in values or name == "bits"
    size = {"numbers": 8, "digests": 16, "bits": 1}[name]
    order: Any = "big" if name == "digests" else sys.byteorder
    as_bytes = [value if isinstance(value, bytes) else int(value or 0).to_bytes(size, order) for value in values]
    assert export.values_of(batch) == b"".join(as_bytes)
    assert export.valid_of(batch) == bytes(value is not None for value in values)
    assert export.type_of(batch) == name


def test_codes_of_another_version() -> None:
    """Names are pickled with their codes, whose order may change."""
    state = states(MAKERS["codes"])
    kind, count, names, validity, slots, data = state[5][0]
    turned = bytes(len(names) - 1 - code for code in slots)
    batch = export.batch_of((*state[:5], [(kind, count, names[::-1], validity, turned, data)], state[6]))
    assert Column([batch]).to_pylist() == MAKERS["codes"](URLS).to_pylist()
    with pytest.raises(ValueError, match="damaged"):
        export.batch_of((*state[:5], [(kind, count, ("new", *names), validity, turned, data)], state[6]))


class Sub(URL):
    @property  # type: ignore[misc]
    def href(self) -> str:
        raise AssertionError


def test_rows_that_are_urls() -> None:
    rows = [URL("http://h/?b&a#f"), "HTTP://x", None, Sub("http://www.h/%7e")]
    texts = ["http://h/?b&a#f", "HTTP://x", None, "http://www.h/%7e"]
    for function in (normalize_many, canonicalize_many, fingerprint_many, can_parse_many, query_pairs_many):
        assert function(rows).to_pylist() == function(texts).to_pylist()
        assert function(iter(rows), base="http://y/").to_pylist() == function(texts, base="http://y/").to_pylist()
    for policy in ("surt", "whatwg-no-fragment"):
        assert canonicalize_many(rows, policy).to_pylist() == canonicalize_many(texts, policy).to_pylist()
    with pytest.raises(TypeError, match="urls: row 1 must be a str, a URL or None, not bytes"):
        normalize_many([URL("http://h/"), b"http://h/"])
