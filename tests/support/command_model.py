"""Counts, keys and lines of logs as Python makes them, one after the other, and checks that the command's agree."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from contextlib import closing
from itertools import pairwise

from support.key_pairs_of import PAIR, pairs_of, taken_pairs
from support.record_shapes import LOG, counted, keys_of

from weburl import URL
from weburl.cli.counting.counts import Counts
from weburl.cli.keys.key_set import KeySet
from weburl.cli.readers.records.cells import KINDS, read_log
from weburl.redact import path_template

LONGEST = 200  # bytes of a name that are kept
LAYOUT = LOG.layout("http", "h")
ESCAPE = re.compile(rb'\\(?:x([0-9A-Fa-f]{2})|([ntrbv"\\]))')
ESCAPED = {b"n": b"\n", b"t": b"\t", b"r": b"\r", b"b": b"\b", b"v": b"\v", b'"': b'"', b"\\": b"\\"}


def kept(name: str) -> str:
    data = name.encode()
    return name if len(data) <= LONGEST else data[:LONGEST].decode("utf-8", "ignore") + "…"


def check_counts(texts: Sequence[str], room: int) -> None:
    """With room for all names, and with little."""
    urls = [url for url in map(URL.parse, texts) if url is not None]
    exact = {
        "schemes": Counter(url.scheme for url in urls),
        "hosts": Counter(url.hostname for url in urls if url.hostname),
        "templates": Counter(map(path_template, urls)),
        "parameters": Counter(name for url in urls for name, _ in url.search_params),
    }
    whole, little = counted([*texts]), counted([*texts], room)
    for counts in (whole, little):
        assert counts.urls == len(urls)
        assert sum(number for _, number in counts.length_counts()) == len(urls)
        assert counts.longest == max((len(url.href) for url in urls), default=0)
        assert all(counts.total(name) == names.total() for name, names in exact.items())
    for name, names in exact.items():
        check_names(whole, name, names)
        assert whole.is_exact(name)
        assert whole.different(name) == len(names)
        check_names(little, name, names)


def check_names(counts: Counts, name: str, exact: Counter[str]) -> None:
    shown = Counter[str]()
    for text, number in exact.items():
        shown[kept(text)] += number
    found = counts.top(name, 1 << 30)
    assert [number for _, number, _ in found] == sorted((number for _, number, _ in found), reverse=True)
    least, most = Counter[str](), Counter[str]()
    for text, number, missed in found:
        least[text] += number
        most[text] += number + missed
    for text, number in shown.items():
        assert least[text] <= number
        # Of names with one beginning, some may be forgotten.
        assert number <= most[text] or text.endswith("…") or text not in most
        assert text in most or text.endswith("…") or number <= counts.missed(name)
    assert least.keys() <= shown.keys()


def check_keys(texts: Sequence[str], size: int) -> None:
    """By hosts; `size` is how many keys are added at a time."""
    hosts = [None if (url := URL.parse(text)) is None else url.hostname for text in texts]
    keys, marks = keys_of([*texts])
    assert [*marks] == [0 if host is None else 1 if host else 2 for host in hosts]
    seen: set[str] = set()
    first = [not host or not (host in seen or seen.add(host)) for host in hosts]  # type: ignore[func-returns-value]
    cuts = [*range(0, len(texts), size), len(texts)]
    with closing(KeySet(1)) as found:
        added = b"".join(found.add(keys[16 * begin : 16 * end], marks[begin:end]) for begin, end in pairwise(cuts))
        assert len(found) == len(seen)
    assert [*map(bool, added)] == first
    expected = [
        (row, other)
        for row, host in enumerate(hosts)
        for other in ([at for at, one in enumerate(hosts) if one == host] if host else [-1])
    ]
    given = (keys, marks)
    assert taken_pairs(pairs_of(given, given, is_left=True), size * PAIR) == expected


def fields_of(line: bytes) -> list[bytes] | None:
    """The fields of a line; each ends where what must come after it is first found. A status and a size are numbers."""
    at, fields = len(LOG.texts[0]), []
    if not line.startswith(LOG.texts[0].encode()):
        return None
    for before, after in pairwise(LOG.texts):
        is_quoted = before.endswith('"') and after.startswith('"')
        text = rb"((?:\\.|[^\\])*?)" if is_quoted else rb"(.*?)"
        match = re.compile(text + re.escape(after.encode()), re.DOTALL).match(line, at)
        if match is None:
            return None
        fields.append(match[1])
        at = match.end()
    numbers = (fields[LOG.names.index(name)] for name in ("status", "bytes"))
    return fields if all(re.fullmatch(b"-?|[0-9]+", number) for number in numbers) else None


def plain(field: bytes) -> str | None:
    if field in (b"", b"-"):
        return None
    text = ESCAPE.sub(lambda match: bytes.fromhex(match[1].decode()) if match[1] else ESCAPED[match[2]], field)
    return text.decode("utf-8", "replace")


def check_log(data: bytes) -> None:
    texts = [name for name in LOG.names if name not in ("status", "bytes", "time")]
    wanted = tuple((LOG.names.index(name), KINDS["text"]) for name in texts)
    (urls, *columns), lines, faults = read_log(LAYOUT, data, 0, len(data), wanted)
    given = [(number, line.removesuffix(b"\r")) for number, line in enumerate(data.split(b"\n"), 1)]
    given = [(number, line) for number, line in given if line]
    assert list(lines) == [number for number, _ in given]
    rows = zip(*(column.texts(0, len(column)) for column in columns), strict=True)
    for row, ((_, line), found, url) in enumerate(zip(given, rows, urls.texts(0, len(urls)), strict=True)):
        fields = fields_of(line)
        assert (url is None) == (row in faults)
        if fields is not None and re.match(rb"- .", fields[LOG.names.index("user")], re.DOTALL):
            # A field of another format is before the client.
            assert str(faults[row][0]).startswith("a field is before the client")
            assert not any(found)
            continue
        assert (fields is None) == (row in faults and isinstance(faults[row][0], int))
        assert list(found) == [None if fields is None else plain(fields[LOG.names.index(name)]) for name in texts]
