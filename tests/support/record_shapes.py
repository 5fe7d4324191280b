"""Files and keys that hurt the command's readers, counts and keys, and the work that has to stay linear on them."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator
from contextlib import closing
from typing import Any

from support.key_pairs_of import PAIR, pairs_of

from weburl._arrow import input
from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms
from weburl._verbs.table import columns_of
from weburl.cli._conversion import only
from weburl.cli._exit import InputError
from weburl.cli.counting.counts import FIELDS, Counts
from weburl.cli.keys.key_set import KeySet, digests_of
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.records.delimited import read_csv
from weburl.cli.readers.records.jsonl import read_jsonl
from weburl.cli.readers.records.log_formats import log_format
from weburl.cli.readers.records.logs import read_access_log
from weburl.cli.readers.row_blocks import RecordBlock, RowBlock

LOG = log_format("combined")
KEEP = Keep()
ALL = Keep(None, as_json=True)


def _read(reader: Any, data: bytes, keep: Keep = KEEP, **options: Any) -> list[tuple[list[Any], int]]:
    """The rows of each part of a file, and how many of them do not parse."""
    found = []
    for block in reader(ByteStream(io.BytesIO(data), ""), Reading(**options), keep):
        for part in [block] if isinstance(block, RowBlock) else [parse() for parse in block.parts()]:
            found.append((part.texts(), len(part.faults)))
    return found


def csv_read(data: bytes) -> object:
    return _read(read_csv, data, column="u")


def csv_kept(data: bytes) -> object:
    return _read(read_csv, data, column="u", keep=ALL)


def csv_refused(data: bytes) -> object:
    try:
        csv_kept(data)
    except InputError as error:
        return error
    raise AssertionError("columns of one name are kept")


def json_read(data: bytes) -> object:
    return _read(read_jsonl, data, field="a.b"), _read(read_jsonl, data, field="u", keep=ALL)


def log_read(data: bytes) -> object:
    return _read(read_access_log, data, log=LOG, base="http://h/", keep=Keep(("agent", "time", "status")))


def named_log_read(format: str) -> Callable[[bytes], object]:
    options: dict[str, Any] = {"log": log_format(format), "base": "http://h/", "keep": Keep(("status", "time"))}
    return lambda data: _read(read_access_log, data, **options)


def without_the_first(data: bytes) -> object:
    """What dedup does with lines that are not JSON, if there is a line that was there before."""
    [*_, records] = read_jsonl(ByteStream(io.BytesIO(data), ""), Reading(field="u"), KEEP)
    assert isinstance(records, RecordBlock)
    (parse,) = records.parts()
    part = parse()
    return only(part, part.whole(), b"\0" + b"\1" * (part.size - 1))


def keys_of(urls: list[str], key: str = "hostname") -> tuple[bytes, bytes]:
    is_digest = key == "fingerprint"
    field = canonical_forms("crawl", 128)[1] if is_digest else columns_of([key])[0]
    job = Job([field], is_struct=True)
    batch = job.run(input.from_objects(urls), 0, len(urls))
    assert batch is not None
    return digests_of(batch)


def deduped(urls: list[str], memory: int = 1 << 28) -> tuple[bytes, int]:
    with closing(KeySet(memory)) as keys:
        return keys.add(*keys_of(urls)) + keys.add(*keys_of(urls, "fingerprint")), keys.n_runs


def joined(urls: list[str]) -> object:
    keys, marks = keys_of(urls)
    given = (keys, marks)
    first = keys[:16], marks[:1]
    return [pairs_of(ours, given, is_left=ours is given).take(2 * PAIR * len(urls)) for ours in (first, given)]


def keys_with_equal_ends(n: int) -> bytes:
    """Digests of URLs that somebody has chosen: in the last 32 bits of both halves they are equal.

    They are few, so that their tables stay in the caches of a processor, where time is instructions.
    """
    return b"".join((number << 32 | 1).to_bytes(8, "little") * 2 for number in range(n // 64))


def found(keys: bytes) -> object:
    marks = b"\1" * (len(keys) // 16)
    with closing(KeySet(1 << 28)) as added:
        return added.add(keys, marks), pairs_of((keys, marks), (keys, marks)).take(PAIR * len(marks))


def counted(urls: list[str], texts: int = 1 << 20) -> Counts:
    rows = input.from_objects(urls)
    batch = Job(columns_of((*FIELDS[:-1], "error")), is_struct=True).run(rows, 0, len(urls))
    assert batch is not None
    counts = Counts(texts)
    piece = counts.share()
    if not piece.add(batch, rows, 0, len(urls), False):
        piece.clear()
        piece.add(batch, rows, 0, len(urls), False, whole=counts)
    counts.merge(piece)
    for name in ("hosts", "parameters"):
        counts.top(name, 10), counts.different(name)
    return counts


def in_little_room(urls: list[str]) -> Counts:
    return counted(urls, 1000)


def request(target: bytes, before: bytes = b"") -> bytes:
    return before + b'h - - [10/Oct/2000:13:55:36 -0700] "GET /' + target + b' HTTP/1.1" 200 1 "-" "a"\n'


def repeated(unit: bytes, before: bytes = b"", after: bytes = b"") -> Callable[[int], bytes]:
    return lambda n: before + unit * (n // len(unit)) + after


def lines_of(line: bytes, before: bytes = b"") -> Callable[[int], bytes]:
    return repeated(line + b"\n", before)


def numbered(text: str, step: int) -> Callable[[int], list[str]]:
    return lambda n: [text.format(number) for number in range(n // step)]


HEADER = b",".join((b"u", *(b"%d" % number for number in range(300)))) + b"\n"
CSV_SHAPES: dict[str, Callable[[int], bytes]] = {
    "quotes": repeated(b'"', b"u,v\n"),
    "quotes in quotes": repeated(b'""', b'u,v\n"', b'"\n'),
    "quotes in lines": lines_of(b'"', b"u,v\n"),
    # Each line ends one quoted field, and begins another.
    "quotes without an end": lines_of(b'x","', b"u,v\n"),
    "quotes without an end, and lines that are wrong by themselves": lines_of(b'x","\ny""\rz', b"u,v\n"),
    "quotes that are wrong at the end": repeated(b'x","\n', b"u,v\n", b'x"y\n'),
    "quotes and a carriage return at the end": repeated(b'x","\n', b"u,v\n", b'x"\ry\n'),
    "text after quotes": lines_of(b'""a', b"u,v\n"),
    "carriage returns": repeated(b"\r", b"u,v\n"),
    "lines of carriage returns": lines_of(b"\r", b"u,v\n"),
    "one field": repeated(b"a", b"u,v\n"),
    "a field that is not UTF-8": repeated(b"\xff", b"u,v\n"),
    "fields": repeated(b",", b"u,v\n"),
    "empty lines": repeated(b"\n", b"", b"u,v\n1\n"),
    "short lines": lines_of(b"a", b"u,v\n"),
    "names": lambda n: b"u," + b",".join(b"%d" % number for number in range(min(n // 7, 60_000))) + b"\n1\n",
    "equal names": lambda n: b"u" + b",v" * min(n // 2, 60_000) + b"\n1\n",
    "many columns in short lines": lambda n: HEADER + b"a\n" * (n // 200),
}  # fmt: skip
JSON_SHAPES: dict[str, Callable[[int], bytes]] = {
    "quotes": repeated(b'"'),
    "brackets": repeated(b"[", b'{"u":'),
    "nested": lambda n: b'{"u":' * (n // 5) + b"1" + b"}" * (n // 5),
    "objects": repeated(b'{"a":', b'{"u":'),
    "lines of nested objects": lines_of(b'{"a":' * 100 + b"1" + b"}" * 100),
    "lines of brackets": lines_of(b'{"u":' + b"[" * 600),
    "backslashes": repeated(b"\\", b'{"u":"', b'"}'),
    "escapes": repeated(b"\\n", b'{"u":"', b'"}'),
    "halves of surrogates": repeated(b"\\ud800", b'{"u":"', b'"}'),
    "escaped names": repeated(b"\\u0075", b'{"', b'":1}'),
    "members": repeated(b'"u":1,', b"{", b'"a":1}'),
    "members with a.b": repeated(b'"a":{"b":"x"},', b"{", b'"a":1}'),
    "digits": repeated(b"9", b'{"u":', b"}"),
    "spaces": repeated(b" ", b"{", b"}"),
    "one string": repeated(b"a", b'{"u":"', b'"}'),
    "a string that is not UTF-8": repeated(b"\xff", b'{"u":"', b'"}'),
    "lines": lines_of(b"{}"),
    "lines that are not JSON": lines_of(b"{"),
    "empty lines": lines_of(b""),
}  # fmt: skip
LOG_SHAPES: dict[str, Callable[[int], bytes]] = {
    "backslashes": lambda n: request(b"\\" * (n - n % 2)),
    "backslashes in a line without a quote": lambda n: request(b"")[:40] + b"\\" * n,
    "escapes": lambda n: request(b"\\x41" * (n // 4)),
    "escaped quotes": lambda n: request(b'\\"' * (n // 2)),
    "quotes": lambda n: request(b'"' * n),
    "spaces": lambda n: request(b" " * n),
    "brackets": lambda n: b"h - - [" + b"]" * n + b"\n",
    "beginnings": lambda n: b"h - - " * (n // 6) + b"\n",
    "lines": lambda n: request(b"a") * (n // 70),
    "lines of another format": lines_of(b"a"),
    "a scheme": lambda n: request(b"").replace(b" /", b" " + b"a" * n),
}  # fmt: skip
OTLP = b'{"resourceSpans":[{"scopeSpans":[{"spans":['
FORMAT_SHAPES: dict[tuple[str, str], Callable[[int], bytes]] = {
    ("w3c", "fields that change"): lines_of(b"#Fields: cs-uri-stem\n/a\n#Fields: cs-uri-stem cs-host\n/a b"),
    ("w3c", "equal fields"): lines_of(b"#Fields: cs-uri-stem\n/a"),
    ("w3c", "names"): repeated(b" a", b"#Fields:", b"\n/a\n"),
    ("w3c", "quotes"): repeated(b'"a ', b"#Fields: cs-uri-stem" + b" a" * 500 + b"\n"),
    ("w3c", "pairs of quotes"): repeated(b'""', b'#Fields: cs-uri-stem\n"', b'"\n'),
    ("w3c", "spaces"): repeated(b" ", b"#Fields: cs-uri-stem\n/a", b"b\n"),
    ("alb", "backslashes"): repeated(b"\\", b'a "', b'" b\n'),
    ("alb", "quotes"): repeated(b'"a', b'a "', b'" b\n'),
    ("s3", "brackets"): repeated(b"[", b"a "),
    ("s3", "words with brackets"): repeated(b"[a ", b"a "),
    ("envoy", "quotes"): repeated(b'"', b"[a] "),
    ("logfmt", "pairs"): repeated(b"url=/a "),
    ("logfmt", "words"): repeated(b"a "),
    ("logfmt", "quotes"): repeated(b'a="b" '),
    ("logfmt", "backslashes"): repeated(b"\\", b'url="/'),
    ("caddy", "requests"): repeated(b'"request":{"uri":"/"},', b"{", b'"a":1}'),
    ("caddy", "members of a request"): repeated(b'"uri":"/",', b'{"request":{', b'"a":1}}'),
    ("caddy", "arrays"): repeated(b'"a",', b'{"request":{"uri":["/",', b'"a"]}}'),
    ("ecs", "objects"): repeated(b'{"url":', b'{"url":'),
    ("otlp", "spans"): repeated(b"{},", OTLP, b"{}]}]}]}"),
    ("otlp", "spans without an end"): repeated(b"{},", OTLP),
    ("otlp", "attributes"): repeated(
        b'{"key":"url.full","value":{"stringValue":"/"}},', OTLP + b'{"attributes":[', b"{}]}]}]}]}"
    ),
    ("otlp", "scopes"): repeated(b'{"scopeSpans":[]},', b'{"resourceSpans":[', b"{}]}"),
    ("otlp", "brackets"): repeated(b"[", OTLP),
    ("otlp", "lines"): lines_of(OTLP + b"{}]}]}]}"),
}  # fmt: skip
URLS: dict[str, Callable[[int], list[str]]] = {
    "distinct hosts": numbered("http://h{}/", 16),
    "distinct parameters": lambda n: ["http://h/?" + "&".join(f"{number:x}=" for number in range(n // 7))],
    "parameters of one name": lambda n: ["http://h/?" + "a&" * (n // 2)],
    "escaped parameters": lambda n: ["http://h/?" + "%41&" * (n // 4)],
    "distinct templates": numbered("http://h/{:x}z/", 16),
    "segments": lambda n: ["http://h/" + "1/" * (n // 2)],
    "equal URLs": numbered("http://h/", 16),
    "not URLs": numbered("{}", 8),
    "blank": numbered("", 4),
    "a long host": lambda n: [f"x://{'a' * n}/"] * 2,
    "lengths": lambda n: ["http://h/" + "a" * number for number in range(int((2 * n) ** 0.5))],
}  # fmt: skip


def record_cases() -> Iterator[tuple[str, Callable[[int], Any], Callable[[Any], object]]]:
    for name, csv in CSV_SHAPES.items():
        read = csv_refused if name == "equal names" else csv_kept if "columns" in name or "names" in name else csv_read
        yield f"records: CSV, {name}", csv, read
    for name, json in JSON_SHAPES.items():
        yield f"records: JSON, {name}", json, json_read
    yield "records: without one of many faults", lines_of(b"["), without_the_first
    for name, log in LOG_SHAPES.items():
        yield f"records: a log, {name}", log, log_read
    for (format, name), log in FORMAT_SHAPES.items():
        yield f"records: {format}, {name}", log, named_log_read(format)
    yield "keys: equal ends", keys_with_equal_ends, found
    for name, urls in URLS.items():
        yield f"keys: dedup, {name}", urls, deduped
        yield f"keys: join, {name}", urls, joined
        yield f"counts: {name}", urls, counted
        yield f"counts: in little room, {name}", urls, in_little_room
