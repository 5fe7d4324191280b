"""Compares columns with the scalar functions, row by row, over many hostile inputs.

Every verb of the table is called with every value of `support.verb_calls` for each of its options, over a tenth of the
rows: in lists, as Arrow, by threads, as views, and with `on_error="raise"`.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import time
from codecs import BOM_UTF8
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from multiprocessing import get_context
from random import Random
from typing import Any, NamedTuple

from support.hostile import inputs
from support.verb_calls import Call, all_calls, expected

from weburl import URL, InvalidURL, URLPattern, URLSearchParams, bulk
from weburl._core.parser import LONGEST
from weburl._verbs.work import evaluate
from weburl.bulk import (
    can_parse_many,
    host_in_many,
    is_private_url_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    pattern_extract_many,
    pattern_test_many,
    percent_decode_many,
    query_get_many,
    query_pairs_many,
    query_values_many,
    route_many,
)
from weburl.hosts import is_private_url, url_host_matches
from weburl.patterns import PatternList, URLPatternResult
from weburl.percent import percent_decode_text

# Of a URL in a column of views: a quarter of what an offset can say.
LONGEST_VIEW = (LONGEST + 2) // 4
# More than one piece of work, so that there are threads, too.
SEED_ROWS = 20_000
# Of these, as many are given to every verb.
VERB_ROWS = SEED_ROWS // 10
SHOWN_DIFFERENCES = 5
FIELDS = parse_many([]).column_names
SURROGATE = re.compile("[\ud800-\udfff]")
HOSTS = ["com", "*.example", "example.org", "127.0.0.1", "[::1]", "é.example", "h", "*.h"]
# With the groups that are compared.
GROUPS = {
    URLPattern("http{s}?://:host/*"): ["host", "pathname.0", "search.0"],
    URLPattern(hostname="*.:top", port="8*"): ["top", "hostname.0", "port.0"],
    URLPattern(pathname="/:first/:rest*", search=":query?"): ["first", "rest", "query", "hash.0"],
    URLPattern(username=":user", password="*"): ["user", "password.0"],
    URLPattern(pathname="*:a-(\\w+)*", ignore_case=True): ["a", "pathname.0", "pathname.1"],
    URLPattern(protocol="(x|file)+", hash=":hash"): ["protocol.0", "hash"],
}
PATTERNS = list(GROUPS)
ROUTES = PatternList([(f"{index}", pattern) for index, pattern in enumerate((*PATTERNS[1:], PATTERNS[0]))])
NO_URL: dict[str, Any] = dict.fromkeys(FIELDS)


class Difference(NamedTuple):
    """A row, with the results of the scalar functions and of the column."""

    work: str
    row: object
    right: object
    found: object


def scalar(url: str, base: str | None = None) -> dict[str, Any]:
    """The expected row of a table of all fields."""
    try:
        parsed = URL(url, base)
    except InvalidURL as error:
        return NO_URL | {"error": error.error}
    return {name: None if name == "error" else getattr(parsed, name) for name in FIELDS}


def viewed(row: dict[str, Any]) -> dict[str, Any]:
    """The row of a table of views: there is none of a URL longer than a quarter of the limit."""
    return NO_URL | {"error": "too-long"} if len(row["href"] or "") > LONGEST_VIEW else row


def check(rows: Sequence[tuple[str | None, str | None]]) -> Iterator[Difference]:
    """The differences for rows of a URL and a base. Both can be null."""
    urls = [url for url, _ in rows]
    parsed = [NO_URL if url is None else scalar(url) for url in urls]
    # The same texts as an Arrow column.
    arrow = percent_decode_many([None if url is None else url.replace("%", "%25") for url in urls])

    for what, column, views in (("", urls, False), (" of Arrow, as views", arrow, True)):
        table = parse_many(column, threads=2, views=views)
        right = [viewed(row) for row in parsed] if views else parsed
        for name in FIELDS:
            yield from differences(name + what, urls, [row[name] for row in right], table[name])
        yield from differences("errors" + what, ["all"], [count_errors(right)], [table.errors])
    yield from differences("normalize_many", urls, [row["href"] for row in parsed], normalize_many(urls))
    valid = [None if url is None else URL.can_parse(url) for url in urls]
    yield from differences("can_parse_many", urls, valid, can_parse_many(urls))
    queries = [None if row["href"] is None else URLSearchParams("?" + (row["query"] or "")) for row in parsed]
    values = [None if query is None else query.get("q") for query in queries]
    yield from differences("query_get_many", urls, values, query_get_many(urls, "q"))
    pairs = [None if query is None else list(query) for query in queries]
    yield from differences("query_values_many", urls, values, query_values_many(urls, ["a", "q"])["q"])
    yield from differences("query_pairs_many", urls, pairs, query_pairs_many(urls))
    found = [None if url is None else URL.parse(url) for url in urls]
    private = [None if url is None else is_private_url(url) for url in found]
    yield from differences("is_private_url_many", urls, private, is_private_url_many(urls, threads=2))
    matching = [None if url is None else url_host_matches(url, HOSTS, schemes=None) for url in found]
    yield from differences("host_in_many", urls, matching, host_in_many(urls, HOSTS, schemes=None))
    matching = [None if url is None else url_host_matches(url, HOSTS) for url in found]
    yield from differences("host_in_many of Arrow", urls, matching, host_in_many(arrow, HOSTS))
    yield from check_patterns(urls, arrow)
    decoded = [None if url is None else percent_decode_text(url) for url in urls]
    yield from differences("percent_decode_many", urls, decoded, percent_decode_many(urls))

    joined = [NO_URL if url is None or base is None else scalar(url, base) for url, base in rows]
    column = join_many([base for _, base in rows], urls, threads=2)
    yield from differences("join_many", rows, [row["href"] for row in joined], column)
    yield from differences("errors of join_many", ["all"], [count_errors(joined)], [column.errors])

    lines = {index: url for index, url in enumerate(urls) if url is not None and is_line(url)}
    file = "".join(f"{line}\n" for line in lines.values()).encode()
    # A first line keeps the byte order mark that it begins with, if the file has another one.
    table = parse_lines(BOM_UTF8 * file.startswith(BOM_UTF8) + file, threads=2)
    for name in FIELDS:
        right = [parsed[index][name] for index in lines]
        yield from differences(f"{name} of lines", list(lines.values()), right, table[name])


def check_verb(call: Call, rows: Sequence[tuple[str | None, str | None]]) -> Iterator[Difference]:
    """The differences of one call of a verb."""
    verb = call.verb
    texts = [text for text, _ in rows]
    bases = [base for _, base in rows] if len(verb.columns) == 2 else None
    right = expected(call, texts, bases)

    def columns_of(texts: Any) -> tuple[Any, ...]:
        return (texts,) if bases is None else (bases, texts)

    arrow = percent_decode_many([None if text is None else text.replace("%", "%25") for text in texts])
    ways: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {
        "": (columns_of(texts), {"threads": 1}),
        " of Arrow, by threads": (columns_of(arrow), {"threads": 2}),
    }
    if verb.views and LONGEST > 2**20:
        ways[" as views"] = columns_of(arrow), {"threads": 2, "views": True}
    for way, (columns, options) in ways.items():
        found = of_verb(call, columns, options)
        yield from differences(call.label + way, texts, right.rows, found)
        yield from differences(f"errors of {call.label}{way}", ["all"], [right.errors], [found.errors])
    try:
        of_verb(call, columns_of(texts), {"on_error": "raise"})
        row = None
    except InvalidURL as error:
        row = error.row
    except UnicodeDecodeError as error:
        row = int(error.reason.rpartition("row ")[2].removesuffix(")"))
    yield from differences(f"{call.label}, raising", ["all"], [right.first], [row])


def of_verb(call: Call, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
    verb = call.verb
    if verb.bulk is not None:
        return getattr(bulk, verb.bulk)(*columns, **call.options, **options)
    # Engines call these.
    return (bulk.Table if verb.is_struct else bulk.Column)(evaluate(verb, columns, {**call.options, **options}))


def check_patterns(urls: Sequence[str | None], arrow: Any) -> Iterator[Difference]:
    for pattern in PATTERNS:
        results = [None if url is None else pattern.exec(url) for url in urls]
        test = [None if url is None else result is not None for url, result in zip(urls, results, strict=True)]
        yield from differences(f"pattern_test_many {pattern}", urls, test, pattern_test_many(urls, pattern, threads=2))
        names = GROUPS[pattern]
        for column, views in ((urls, False), (arrow, True)):
            table = pattern_extract_many(column, pattern, names, views=views)
            for name in names:
                right = [
                    # A URL that is too long for a view may have its groups all the same: then its path was not read.
                    None if result is None or (entry is None and views and is_long(url)) else group_of(result, name)
                    for url, result, entry in zip(urls, results, table[name], strict=True)
                ]
                yield from differences(f"pattern_extract_many {pattern} {name}", urls, right, table[name])
    found = [None if url is None else ROUTES.first(url) for url in urls]
    routes = route_many(urls, ROUTES, threads=2)
    yield from differences("route_many", urls, [one and one[0] for one in found], routes["route"])
    groups = [
        None if one is None else {name: text for name, text in one[1].groups.items() if text is not None}
        for one in found
    ]
    yield from differences("groups of route_many", urls, groups, routes["groups"])
    yield from differences("route_many of Arrow", urls, routes["route"].to_pylist(), route_many(arrow, ROUTES)["route"])


def is_long(url: str | None) -> bool:
    """Whether there is no view of this URL."""
    return url is not None and len(URL(url).href) > LONGEST_VIEW


def group_of(result: URLPatternResult, name: str) -> str | None:
    component, dot, own = name.partition(".")
    return getattr(result, component).groups[own] if dot else result[name]


def count_errors(rows: Sequence[dict[str, Any]]) -> dict[str, int]:
    return dict(Counter(row["error"] for row in rows if row["error"]))


def is_line(url: str) -> bool:
    """Whether a file of lines gives the text back unchanged."""
    return "\n" not in url and not url.endswith("\r") and not SURROGATE.search(url)


def differences(
    work: str, rows: Sequence[object], right: Sequence[object], found: Iterable[object]
) -> Iterator[Difference]:
    entries = list(found)
    if len(entries) != len(right):
        yield Difference(work, "all rows", len(right), len(entries))
    elif entries != right:
        for row, should, entry in zip(rows, right, entries, strict=True):
            if entry != should:
                yield Difference(work, row, should, entry)


def run(task: tuple[int, int]) -> list[Difference]:
    seed, count = task
    random = Random(seed)

    def nullable(text: str | None) -> str | None:
        return None if random.random() < 0.01 else text

    rows = [(nullable(case.url), nullable(case.base)) for case in islice(inputs(seed), count)]
    own = rows[: -(-count * VERB_ROWS // SEED_ROWS)]
    return [*check(rows), *(each for call in all_calls() for each in check_verb(call, own))]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("rows", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--seed", type=int, default=1, help=f"the first seed: every {SEED_ROWS} rows have the next")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    if options.rows < 1 or options.jobs < 1:
        parser.error("rows and jobs are at least 1")
    counts = [min(SEED_ROWS, options.rows - done) for done in range(0, options.rows, SEED_ROWS)]
    tasks = list(enumerate(counts, options.seed))

    start = time.monotonic()
    done = 0
    found: list[Difference] = []
    with get_context("spawn").Pool(options.jobs) as pool:
        for (_, count), differ in zip(tasks, pool.imap(run, tasks), strict=True):
            before = done
            done += count
            found += differ
            if before * 20 // options.rows < done * 20 // options.rows:
                print(f"{done:,} rows, {len(found):,} differences, {time.monotonic() - start:.0f} s", flush=True)
    print(f"{done:,} rows (seeds {tasks[0][0]} to {tasks[-1][0]}), {len(found):,} differences")
    for difference in sorted(found, key=lambda each: len(ascii(each)))[:SHOWN_DIFFERENCES]:
        print(f"\n{difference.work}: {difference.row!a}\n{difference.right!a}\n{difference.found!a}", flush=True)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
