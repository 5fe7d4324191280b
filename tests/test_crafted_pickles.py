"""Pickles of columns that set attributes, and batches that no job gave: exceptions, not reads of other memory.

Each runs in a process of its own, which must not crash.
"""

from __future__ import annotations

import copyreg
import pickle
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from weburl._arrow.batch import Batch
from weburl._verbs.columns import query_map, query_values
from weburl.bulk import Column, Table, normalize_many, parse_many, query_pairs_many

TESTS = str(Path(__file__).parent)
TEXTS = normalize_many(["http://h/"] * 3)._batches
PAIRS = query_pairs_many(["http://h/?a=1"] * 3)._batches
WHOLE = parse_many(["http://h/"] * 3)._batches
# Of each pickle; the last one that stands on standard error is the one that crashed.
USE = """
import pickle
import sys
sys.path.insert(0, {tests!r})
import test_crafted_pickles as made
for data in pickle.load(sys.stdin.buffer):
    print(data, file=sys.stderr, flush=True)
    try:
        column = pickle.loads(data)
    except Exception as error:
        print(type(error).__name__)
    else:
        made.use(column)
        print("used")
"""


def use(column: Any) -> None:
    """Calls all that a column or a table has."""
    calls: list[Callable[[Any], object]] = [
        repr, len, list, lambda c: c[0], lambda c: c[2], lambda c: c[10**8], lambda c: c[-1], lambda c: c[::-1],
        lambda c: c[1:10**8:7], lambda c: c.__arrow_c_schema__(), lambda c: c.__arrow_c_stream__(), pickle.dumps,
        lambda c: c.__arrow_c_array__(), lambda c: c.errors, lambda c: c.to_pylist(), lambda c: c.to_numpy(),
    ]  # fmt: skip
    for call in calls:
        with suppress(ValueError, TypeError, LookupError, AttributeError, ImportError, MemoryError):
            call(column)


class Crafted:
    """Pickles as an object of a class, with attributes that are set."""

    def __init__(self, kind: type[Any], **attributes: Any) -> None:
        self.kind = kind
        self.attributes = attributes

    def __reduce__(self) -> tuple[Any, ...]:
        # Not the function itself, which the pickler allows only for the object's own class.
        make = partial(copyreg.__newobj__, self.kind)  # type: ignore[attr-defined]
        return (make, (), (None, self.attributes)) if self.attributes else (make, ())


EMPTY = Crafted(Batch)
BATCHES: dict[str, Callable[[], list[Any]]] = {
    "none": list,
    "an empty batch": lambda: [Batch.__new__(Batch)],
    "empty batches": lambda: [Batch.__new__(Batch)] * 2,
    "a batch and an empty one": lambda: [*TEXTS, Batch.__new__(Batch)],
    "another kind of column": lambda: [*TEXTS, *PAIRS],
    "another kind of column first": lambda: [*PAIRS, *TEXTS],
    "a table's": lambda: [*TEXTS, *WHOLE],
    "a column's": lambda: [*WHOLE, *TEXTS],
    "a number": lambda: [*TEXTS, 3],
    "None first": lambda: [None, *TEXTS],
}
MAKE = """
import sys
sys.path.insert(0, {tests!r})
import pickle
import test_crafted_pickles as made
from weburl.bulk import Column, Table
name = sys.argv[1]
ways = [(Column, None), (Column, [0, 10**9]), (Column, [-(10**9), 10**9, 2 * 10**9]), (Table, None)]
for kind, starts in ways:
    print(kind, starts, file=sys.stderr, flush=True)
    column = kind.__new__(kind)
    column._batches = made.BATCHES[name]()
    if starts is not None:
        column._starts = (made.BATCHES[name](), starts)
    made.use(column)
print("used")
"""


def used(code: str, *arguments: str, data: bytes = b"") -> str:
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], input=data, capture_output=True, timeout=60, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.decode().strip()


@pytest.mark.sample(5)
@pytest.mark.parametrize("name", BATCHES)
def test_batches_that_no_job_gave(name: str) -> None:
    assert used(MAKE.format(tests=TESTS), name) == "used"


def test_pickles_that_set_attributes() -> None:
    batches: list[dict[str, Any]] = [{}, *({"_batches": each} for each in ([], [EMPTY], [EMPTY, 1], 3))]
    crafted = [Crafted(kind, **attributes) for kind in (Column, Table) for attributes in batches]
    for starts in ([0, 10**9], [-5, 10**9], [0], [], [1 << 70, 1 << 71]):
        crafted.append(Crafted(Column, _batches=[EMPTY], _starts=([EMPTY], starts)))
    found = used(USE.format(tests=TESTS), data=pickle.dumps([*map(pickle.dumps, crafted)])).split()
    assert len(found) == 15
    assert set(found[:10]) <= {"used", "TypeError"}
    assert found[10:] == ["used"] * 5


@pytest.mark.parametrize("key", [1, None, b"a", 1.5, ("a",), object()])
def test_keys_that_are_not_texts(key: object) -> None:
    for field in (query_map, query_values):
        with pytest.raises(TypeError, match=f"a key must be a str, not {type(key).__name__}"):
            field(("a", key))  # type: ignore[arg-type]


OBJECTS = {
    "URL": "weburl.URL('https://u:p@h:8/a?b#c')",
    "URLSearchParams": "weburl.URLSearchParams('a=1&b=2')",
    "Host": "weburl.hosts.parse_host('example.com')",
    "HostSet": "weburl.hosts.HostSet(['example.com', '=a.example'])",
    "Origin": "weburl.hosts.Origin.of(weburl.URL('https://h/'))",
    "URLPattern": "weburl.URLPattern('https://*.example/:id')",
    "PatternList": "weburl.patterns.PatternList([('a', 'https://h/:id'), ('b', 'https://h/*')])",
    "CrawlPolicy": "weburl.crawl.CrawlPolicy()",
    "SurtPolicy": "weburl.crawl.SurtPolicy()",
    "LogPolicy": "weburl.redact.LogPolicy()",
    "DocumentBase": "weburl.crawl.DocumentBase('https://h/')",
    "SkippedLine": "weburl.hosts.SkippedLine(1, 'a', 'b')",
    "SpoofingRisk": "weburl.display.spoofing_risks('xn--pypal-4ve.com')[0]",
    "ValidationError": "weburl.validate('http:a')[0]",
    "InvalidURL": "failure(lambda: weburl.URL('http://a b'))",
    "PatternError": "failure(lambda: weburl.URLPattern('('))",
    "Column": "weburl.bulk.normalize_many(['http://h/', None])",
    "Table": "weburl.bulk.parse_many(['http://h/', None])",
}
SPOIL = """
import copyreg, itertools, sys
import weburl, weburl.bulk, weburl.crawl, weburl.display, weburl.hosts, weburl.patterns, weburl.redact

def failure(call):
    try:
        call()
    except Exception as error:
        return error

wrong = [None, 3, -1, 1 << 70, 1.5, "", "x", "http://h/", b"x", (), (1,), [], [None], {}, {"x": 1}, object(), int]
wrong += ["a" * 10**5]

def nested(value, depth=0):
    # The value with each part of it replaced.
    yield from wrong
    if isinstance(value, (tuple, list)) and depth < 3:
        for index, part in enumerate(value):
            for other in nested(part, depth + 1):
                if type(value) in (tuple, list):
                    yield type(value)([*value[:index], other, *value[index + 1:]])
    elif isinstance(value, dict) and depth < 3:
        for key, part in value.items():
            for other in nested(part, depth + 1):
                yield {**value, key: other}

def make(function, arguments, state=None):
    made = function(*arguments)
    if state is not None:
        if hasattr(made, "__setstate__"):
            made.__setstate__(state)
        else:
            for part in state if isinstance(state, tuple) else (state,):
                for name, value in (part or {}).items():
                    setattr(made, name, value)
    return made

tried = 0
value = eval(sys.argv[1])
assert value is not None
for protocol in (2, 5):
    reduced = value.__reduce_ex__(protocol)
    function, arguments, state = (*reduced, None)[:3]
    spoiled = [(each, state) for each in itertools.islice(nested(arguments), 5000) if isinstance(each, tuple)]
    spoiled += [(arguments, each) for each in itertools.islice(nested(state), 5000)] if state is not None else []
    for some, other in spoiled:
        tried += 1
        try:
            made = make(function, some, other)
            calls = (repr, str, hash, lambda v: v == value, lambda v: v.__reduce_ex__(4), list, len)
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError, AssertionError):
            continue
        for call in calls:
            try:
                call(made)
            except (ValueError, TypeError, LookupError, AttributeError, OverflowError, MemoryError):
                pass
print(tried)
"""


@pytest.mark.sample(9)
@pytest.mark.parametrize("name", OBJECTS)
def test_arguments_of_pickles(name: str) -> None:
    """Each argument of what a pickle calls, and each part of it, is replaced: the process does not crash."""
    assert int(used(SPOIL, OBJECTS[name])) > 20
