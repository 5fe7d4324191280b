"""Many threads call the functions of the engines at once, over columns that they share, and each gets the right rows.

`make threads` runs this without the GIL, with the engines that can be installed there.
"""

from __future__ import annotations

import random
import subprocess
import sys
import sysconfig
from collections.abc import Callable
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from support.together import run_together
from tiers.engine_agreement import DEFAULTS, Rows, hostile_rows, layouts, right

from weburl import bulk

THREADS = 8
COUNT = 700
TESTS = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="module")
def rows() -> Rows:
    return hostile_rows(COUNT, 23)


@pytest.fixture(scope="module")
def expected(rows: Rows) -> dict[str, list[Any]]:
    return right(rows)


def engine(name: str) -> Any:
    """Its functions; an engine may have no package for this interpreter."""
    pytest.importorskip(name, reason=f"{name} is not installed")
    return import_module(f"weburl.ext.{name}")


def at_once(work: Callable[[random.Random], None]) -> None:
    """Calls it in all threads at once, each with a random order of its own; raises what one of them raises."""
    run_together([partial(work, random.Random(thread)) for thread in range(THREADS)])


def shuffled(order: random.Random, things: Any) -> list[Any]:
    listed = [*things]
    order.shuffle(listed)
    return listed


def test_the_check_notices(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """A thread that fails is not lost."""
    with pytest.raises(AssertionError, match="wrong row"):
        at_once(lambda order: check(bulk.normalize_many(rows).to_pylist()[::-1], expected["normalize"], "wrong row"))


def check(found: list[Any], expected: list[Any], what: str) -> None:
    assert len(found) == len(expected), what
    wrong = [index for index, (one, other) in enumerate(zip(found, expected, strict=True)) if one != other]
    assert wrong == [], f"{what}: {[(found[index], expected[index]) for index in wrong[:3]]}"


def test_pyarrow(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """All functions over arrays in all layouts; patterns, lists of patterns and sets of hosts are shared, too."""
    ext = engine("pyarrow")
    columns = layouts(rows)
    bases = columns["large text"].take(list(range(len(rows)))[::-1])

    def work(order: random.Random) -> None:
        for layout in shuffled(order, columns):
            column = columns[layout]
            for call in shuffled(order, DEFAULTS):
                options: dict[str, Any] = {"threads": order.randrange(1, 4)}
                if call in ("hostname", "path", "parse", "query", "registrable_domain"):
                    options["views"] = order.random() < 0.5
                found = getattr(ext, DEFAULTS[call].verb.function)(column, **DEFAULTS[call].options, **options)
                found.validate(full=True)
                check(found.to_pylist(), expected[call], f"{layout}: {call}")
            check(ext.url_join(bases, column).to_pylist(), expected["join"], f"{layout}: join")

    at_once(work)


def test_views_into_a_column_that_others_release(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """Each thread drops its slices of a shared column before it reads what was made of them."""
    ext = engine("pyarrow")
    shared = [layouts(rows)["large text"]]

    def work(order: random.Random) -> None:
        for _ in range(20):
            begin = order.randrange(COUNT - 1)
            end = order.randrange(begin + 1, COUNT)
            made = [
                (name, ext.url_parse(shared[0][begin:end], [name], views=True, threads=2).field(0))
                for name in ("hostname", "pathname", "href")
            ]
            if order.random() < 0.2:
                # The others go on with the same rows in other memory.
                shared[0] = layouts(rows)["large text"]
            for name, column in made:
                call = {"hostname": "hostname", "pathname": "path", "href": "normalize"}[name]
                check(column.to_pylist(), expected[call][begin:end], name)

    at_once(work)


def test_polars(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """All functions over one frame, whose chunks all plans share: of expressions in both engines, and of series."""
    engine("polars")
    import polars as pl

    series = pl.Series("u", layouts(rows)["chunks"])
    frame = pl.DataFrame([series, series.reverse().alias("base")], strict=False)
    calls = {call: getattr(pl.col("u").weburl, call)(**given.options) for call, given in DEFAULTS.items()}
    calls["join"] = pl.col("base").weburl.join(pl.col("u"))

    def work(order: random.Random) -> None:
        for how in shuffled(order, ("in-memory", "streaming", "series")):
            names = shuffled(order, calls)
            if how == "series":
                names.remove("join")
                found = {name: getattr(series.weburl, name)(**DEFAULTS[name].options) for name in names}
            else:
                lazy = frame.lazy().select(calls[name].alias(name) for name in names)
                found = lazy.collect(engine=how).to_dict()
            for name in names:
                check(found[name].to_list(), expected[name], f"{how}: {name}")

    at_once(work)


def is_missing(value: Any) -> bool:
    """Whether a row of pandas has no value. A list is one, also an empty one."""
    import pandas as pd

    return value is None or (not isinstance(value, list) and bool(pd.isna(value)))


def test_pandas(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """The accessor is one object for each series, which the threads share."""
    engine("pandas")
    import pandas as pd

    columns = {dtype: pd.Series(rows, dtype=dtype) for dtype in ("str", "object", "category")}
    names = [call for call in DEFAULTS if call not in ("parse", "query", "params", "pattern_extract")]

    def work(order: random.Random) -> None:
        for dtype in shuffled(order, columns):
            accessor = columns[dtype].weburl
            for call in shuffled(order, names):
                found = getattr(accessor, call)(**DEFAULTS[call].options, threads=order.randrange(1, 4))
                check([None if is_missing(value) else value for value in found], expected[call], f"{dtype}: {call}")

    at_once(work)


def test_columns_of_ours(rows: Rows, expected: dict[str, list[Any]]) -> None:
    """Threads export, slice and read one column, in pyarrow and in NumPy, while all but the last let it go."""
    engine("pyarrow")
    import numpy as np
    import pyarrow as pa

    table = bulk.parse_many(rows, ["hostname", "href", "error"])
    valid, keys = bulk.can_parse_many(rows), bulk.fingerprint_many([row or "http://h/" for row in rows])
    numbers = [0 if key is None else key for key in keys.to_pylist()]

    def work(order: random.Random) -> None:
        for _ in range(10):
            begin = order.randrange(COUNT)
            check(pa.array(table["hostname"]).to_pylist(), expected["hostname"], "exported")
            check(table["href"][begin:].to_pylist(), expected["normalize"][begin:], "sliced")
            check([*valid], expected["can_parse"], "iterated")
            got = table.to_pyarrow()
            got.validate(full=True)
            check(got["href"].to_pylist(), expected["normalize"], "a table")
            filled = np.asarray(pa.array(keys).fill_null(0))
            check(filled.tolist(), numbers, "NumPy")

    at_once(work)


FIRST = """
import importlib, sys, threading
start, failures = threading.Barrier(8), []
ROWS = ["https://EXAMPLE.co.uk:443/a?q=b", None, "no URL", "http://ü.example/"] * 50
RIGHT = [["example.co.uk", None, None, "xn--tda.example"] * 50, ["example.co.uk", None, None, "xn--tda.example"] * 50]
def run():
    try:
        start.wait()
        ext = importlib.import_module("weburl.ext.{name}")
        assert [{hostname}, {domain}] == RIGHT
    except BaseException as error:
        failures.append(error)
threads = [threading.Thread(target=run) for _ in range(8)]
for thread in threads: thread.start()
for thread in threads: thread.join()
if failures: raise failures[0]
print("GIL" if getattr(sys, "_is_gil_enabled", lambda: True)() else "no GIL")
"""
COLUMNS = {
    "pyarrow": "ext.url_{}(ext.pa.array(ROWS)).to_pylist()",
    "polars": "ext.pl.Series(ROWS).weburl.{}().to_list()",
    "pandas": "[None if each != each else each for each in ext.pd.Series(ROWS, dtype='str').weburl.{}()]",
}
FREE_THREADED = bool(sysconfig.get_config_var("Py_GIL_DISABLED"))


@pytest.mark.parametrize("name", COLUMNS)
def test_the_first_calls(name: str) -> None:
    """Threads import the engine's module and make its first calls at once; the GIL, if it was off, stays off."""
    engine(name)
    hostname, domain = map(COLUMNS[name].format, ("hostname", "registrable_domain"))
    program = FIRST.format(name=name, hostname=hostname, domain=domain)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False, cwd=TESTS)
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.strip() == ("no GIL" if FREE_THREADED else "GIL")


def test_the_gil_is_off() -> None:
    """What was imported since the process began has not switched it on."""
    for name in ("numpy", *COLUMNS):
        if find_spec(name):
            import_module(name)
    assert getattr(sys, "_is_gil_enabled", lambda: True)() is not FREE_THREADED
