"""Calls of the command's compiled parts, on small inputs with what is hostile. Each returns what can be compared.

Inputs, layouts and indices of keys are shared by all calls. Sets of keys and counts are those of one thread.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from typing import TYPE_CHECKING, Any

from support.key_pairs_of import pairs_of, store_of, taken_pairs
from support.record_shapes import LOG, counted, keys_of, request

from weburl._arrow import input
from weburl._arrow.job import Job
from weburl._hosts.columns import private_hosts
from weburl._verbs.table import columns_of
from weburl.cli.counting.counts import NAMES, Counts
from weburl.cli.keys.key_set import KeySet
from weburl.cli.readers.records.cells import (
    KINDS,
    LogLayout,
    compose,
    cut_records,
    field_spans,
    read_columns,
    read_fields,
    read_log,
    split_otlp,
)
from weburl.cli.readers.records.log_formats import FORMATS, w3c_format
from weburl.cli.readers.rows.text_column import (
    DistinctRows,
    TextColumn,
    kept_lines,
    kept_rows,
    kept_texts,
    leave_out,
    read_time,
    taken_texts,
)
from weburl.cli.writers.lines import Layout

if TYPE_CHECKING:
    from weburl.cli.writers.lines import Style

WIDE = b"\xff\xc3\xa9" * 300
CSV = b'u,"v ""w"""\r\nhttp://h/,"a\nb"\n\nx",\n"y"z\n"' + WIDE + b'",1\n\ra\n,"open\n'
JSON = b'{"u":"http://h/\\u00e9\\ud800","a":{"b":[1]},"x":null}\n\n[1]\n{"u":7}\n{"a":1,"u":"%s\\n"}\n{"u"\n' % WIDE
LINES = request(b"\\x41" + WIDE) + b"\n" + request(b'\\"') + b"other\n" + request(b"").replace(b"GET ", b"GET")
LOGS = [
    (w3c_format(b"#Fields: date time cs-uri-stem cs-uri-query"), b'2026-11-22 10:00:00 "/a ""b" q=' + WIDE),
    (FORMATS["s3"], b'o b [22/Nov/2026:10:00:00 +0000] c "\\"' + WIDE + b'" "open'),
    (FORMATS["logfmt"], b'ts=1646861401.5 url="/a\\u00e9\\x41" path=' + WIDE + b' host=::1 port=5 x="open'),
]
OTLP = (
    b'{"resourceSpans":[{"scopeSpans":[{"spans":[{"name":1,"attributes":[{"key":"url.full","value":{"stringValue":"http://h/'
    + WIDE
    + b'"}},7,{"value":{}}]},{}]}]}]}\n{"resourceLogs":[]}\n{"resourceSpans":[{"scopeSpans":[{"spans":[{"a":1},'
)
URLS = [
    "http://h/a/5?q=%C3%A9&q", None, "no URL", "",
    *(f"http://h{number}.example/{number:x}z?n{number}" for number in range(40)),
    f"x://{'a' * 900}/?{'%41' * 300}",
]  # fmt: skip
ROWS = input.from_objects(URLS)
PLAIN = input.from_lines(b"http://h/\r\n\n" + WIDE + b"\nx\n")
BATCH = Job(columns_of(("hostname", "query")), is_struct=True).run(ROWS, 0, len(URLS))
ARE_PRIVATE = Job([private_hosts()], is_struct=True).run(ROWS, 0, len(URLS))
NUMBERS = b"".join(number.to_bytes(8, "little", signed=True) for number in (3, -1, 0, 3, 99))
KEYS, MARKS = keys_of([url or "" for url in URLS])
# Objects of all calls, in any thread.
SHARED_STORE = store_of(URLS)
SHARED_LAYOUT = LOG.layout("http", "h")
# More keys than the smallest table has room for: they go to a file.
MANY = b"".join(number.to_bytes(16, "little") for number in range(1, 3101))


def texts(columns: list[TextColumn]) -> list[list[str | None]]:
    return [column.texts(0, len(column)) for column in columns]


def csv() -> object:
    cuts = cut_records(CSV, ",", 8, 400, True)
    columns, lines, faults = read_columns(CSV, 0, len(CSV), ",", (1, 0), 400)
    return cuts, texts(columns), list(lines), faults


def json() -> object:
    columns, lines, faults = read_fields(JSON, 0, len(JSON), (("u", False), ("a.b", True)), frozenset({"u"}))
    return texts(columns), list(lines), faults


def log() -> object:
    wanted = ((4, KINDS["text"]), (3, KINDS["time"]), (5, KINDS["number"]))
    found = [read_log(layout, LINES, 0, len(LINES), wanted) for layout in (LOG.layout("http", "h"), SHARED_LAYOUT)]
    return [(texts(columns), list(lines), faults) for columns, lines, faults in found]


def a_layout() -> object:
    layout = LogLayout("pairs", 1, {"target": 0}, b"http", b"h", keys=[(b"a", 0, 0)])
    steps = [(b'"', True, False), (b"", False, True)]
    layout.__init__("template", 2, {"target": 0}, b"x", b"y", steps=steps)  # type: ignore[misc]
    columns, _, _ = read_log(layout, b'/\\"a"1\n', 0, 7, ((1, KINDS["number"]),))
    return texts(columns)


def logs() -> object:
    found: list[object] = []
    for format, data in LOGS:
        layout = format.layout("https", "h")
        found.append(field_spans(layout, data))
        found.append(read_log(layout, data, 0, len(data), ((0, KINDS["time"]), (-1, KINDS["text"])))[1:])
    records, ends = split_otlp(OTLP, len(OTLP))
    columns, _, _ = read_fields(records, 0, len(records), (("url.full", False), ("name", False)), None, True)
    layout = LogLayout("columns", 1, {"url": 0}, b"http", b"")
    kept, faults = compose(layout, columns, [(0, 1)], ((0, KINDS["text"]),))
    return found, list(ends), texts(kept), faults


def columns_of_texts() -> object:
    kept = kept_texts(ROWS, 0, len(URLS), b"\1\0" * (len(URLS) // 2) + b"\1" * (len(URLS) % 2))
    return texts([kept, taken_texts(kept, NUMBERS)]), len(kept.input())


def kept() -> object:
    assert ARE_PRIVATE is not None
    marks = kept_rows([ARE_PRIVATE, ARE_PRIVATE], (True, True))
    return marks, kept_lines(PLAIN, 0, len(PLAIN), b"\1\0\1\1")


def empty() -> object:
    return input.empty_rows(ROWS, 0, len(URLS)), input.empty_rows(PLAIN, 0, len(PLAIN))


def keys() -> object:
    return keys_of([url or "" for url in URLS]), keys_of([url or "" for url in URLS], "fingerprint")


def key_set() -> object:
    with closing(KeySet(1)) as found:
        added = found.add(KEYS + bytes(16), MARKS + b"\1") + found.add(KEYS, MARKS)
        return added, len(found)


def key_set_on_disk() -> object:
    with closing(KeySet(1)) as found:
        added = found.add(MANY, b"\1" * 3100) + found.add(MANY[:1600], b"\1" * 100)
        return added, len(found), found.n_runs


def key_index() -> object:
    ours, theirs = (KEYS, MARKS), (KEYS * 2, MARKS * 2)
    return taken_pairs(pairs_of(ours, theirs, is_left=True)), taken_pairs(pairs_of(ours, theirs), 1)


def row_store() -> object:
    store = store_of(URLS, URLS[::-1])
    before = texts(store.take(NUMBERS))
    with closing(store):
        store.spill()
        store.finish()
        return before, texts(store.take(NUMBERS)), texts(SHARED_STORE.take(NUMBERS))


def counts() -> object:
    return said([counted([url or "" for url in URLS]), counted([url or "" for url in URLS], 20)])


def said(each: list[Counts]) -> object:
    return [[(one.total(name), one.missed(name), one.top(name, 50)) for name in NAMES] for one in each] + [
        (one.urls, one.blank, one.length_counts()) for one in each
    ]


def groups() -> object:
    """With room, with hardly any, and with none in a piece."""
    batch = Job(columns_of(("href", "hostname", "error")), is_struct=True).run(ROWS, 0, len(URLS))
    assert batch is not None
    times = input.from_objects(["2026-11-29T10:00:00Z", None, "x", "9" * 40] * (len(URLS) // 4 + 1))
    numbers = [(input.from_objects([str(1.5**number) for number in range(len(URLS))]), 0, len(URLS))]
    levels = [(times, 0, len(URLS), 10), (ROWS, 0, len(URLS), 0)]
    found = []
    for room in (1 << 20, 200, 40):
        counts = Counts(room)
        piece = counts.share()
        place = batch, ROWS, 0, len(URLS), False, b"\1" * (len(URLS) - 1) + b"\0", 0, levels, numbers
        if not piece.add_groups(*place):
            piece.clear()
            piece.add_groups(*place, counts)
        counts.merge(piece)
        known = counts.groups(0, [0], 50)
        inside = counts.groups(1, [group for *_, group in known[0][1]], 50)
        buckets = counts.buckets([0, *inside])
        names = [(name, count, missed) for name, count, missed, _ in known[0][1]]
        found.append(
            (names, [(count, len(top)) for count, top in inside.values()], sorted(buckets[0].get(1, [])), counts.coarse)
        )
    return found


def distinct_rows() -> object:
    rows = DistinctRows(64, 2000)
    found = []
    for column, size in ((ROWS, len(URLS)), (PLAIN, len(PLAIN)), (ROWS, len(URLS))):
        read, before = 0, -1
        while read > before:
            before = read
            read = rows.add(column, 0, size, read)
            if rows.is_full:
                found.append((rows.total, rows.too_long, *taken_rows(rows)))
    return [*found, taken_rows(rows), taken_rows(rows), read_time(b"2026-11-29T10:00+01:00"), filtered_marks()]


def taken_rows(rows: DistinctRows) -> tuple[object, bytes]:
    column, times = rows.take()
    return None if column is None else texts([column]), times


def filtered_marks() -> object:
    marks = bytearray(b"\1\2" * (len(URLS) // 2))
    values = input.from_objects(["404", None, "x", '"7"', "2026-11-29", "9" * 30] * len(URLS))
    ranges = b"".join(end.to_bytes(8, "little") for end in (7, 7, 400, 499))
    return [leave_out(values, marks, ranges, kind) for kind in ("number", "clock", "instant")], bytes(marks)


def written(style: Style) -> Callable[[], object]:
    def made() -> Layout:
        return Layout((b"{", (0, 0), b",", None, 0, b"}"), style, False, False)

    def call() -> object:
        assert BATCH is not None
        return [each.render([BATCH], ROWS, 0, len(URLS), [(ROWS, False)], {}) for each in (made(), shared)]

    shared = made()
    return call


CALLS: dict[str, Callable[[], Any]] = {
    "CSV": csv, "JSON Lines": json, "a log": log, "a layout of logs": a_layout,
    "formats of logs": logs, "columns of texts": columns_of_texts,
    "rows that are kept": kept, "empty rows": empty, "keys": keys, "a set of keys": key_set,
    "a set of keys on disk": key_set_on_disk,
    "groups": groups, "rows that are different": distinct_rows,
    "an index of keys": key_index, "rows on disk": row_store,
    "counts": counts, "lines": written("lines"), "lines of JSON": written("json"),
    "lines of CSV": written("csv-safe"),
}  # fmt: skip
