"""Who owns what: iterators outlive what they walk, cycles are collected, no reference is lost or kept.

For much more of it: leaks.py, no_memory.py.
"""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
import sys
import sysconfig
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.growth import EXACT, HAS_GLIBC, LIMIT
from tiers import leaks, no_memory

from weburl import URL, InvalidURL, URLSearchParams
from weburl.bulk import normalize_many, parse_lines, parse_many, query_pairs_many

NAME, VALUE = "name\u00e9" * 50, "value\U0001f600" * 50


def params() -> URLSearchParams:
    return URLSearchParams([(NAME, VALUE)] * 3)


def params_of_url() -> URLSearchParams:
    url = URL("https://h/")
    for _ in range(3):
        url.search_params.append(NAME, VALUE)
    return url.search_params


@pytest.mark.parametrize("make", [params, params_of_url])
@pytest.mark.parametrize(
    ("iterate", "entry"),
    [
        (iter, (NAME, VALUE)),
        (URLSearchParams.items, (NAME, VALUE)),
        (URLSearchParams.keys, NAME),
        (URLSearchParams.values, VALUE),
    ],
)
def test_iterators_on_temporaries(
    make: Callable[[], URLSearchParams], iterate: Callable[[URLSearchParams], Any], entry: object
) -> None:
    iterator = iterate(make())
    gc.collect()
    # What was freed would be used again.
    others = [params() for _ in range(50)]
    assert list(iterator) == [entry] * 3
    del others


@pytest.mark.parametrize("change", [URLSearchParams.sort, lambda p: p.delete(NAME), lambda p: p.set(NAME, "x")])
def test_iterators_while_the_list_changes(change: Callable[[URLSearchParams], object]) -> None:
    walked = params_of_url()
    iterator = iter(walked)
    assert next(iterator) == (NAME, VALUE)
    change(walked)
    gc.collect()
    assert all(len(pair) == 2 for pair in iterator)


def test_columns_outlive_their_table() -> None:
    rows = [f"http://h/{number}" for number in range(300)]
    iterator = iter(parse_many(rows)["href"])
    gc.collect()
    assert list(iterator) == rows
    views = parse_many(normalize_many(rows), views=True)["pathname"]
    gc.collect()
    assert views.to_pylist() == [f"/{number}" for number in range(300)]
    lines = parse_lines(bytearray("\n".join(rows).encode()), views=True)["href"]
    gc.collect()
    assert lines.to_pylist() == rows
    assert next(iter(query_pairs_many(["http://h/?a=1"]))) == [("a", "1")]


def test_the_input_outlives_its_owner() -> None:
    source = normalize_many([f"http://h/{'x' * number}" for number in range(100)])
    schema, array = source.__arrow_c_array__()
    del source

    class Capsules:
        def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
            return schema, array

    column = normalize_many(Capsules())
    gc.collect()
    assert column.to_pylist()[99] == f"http://h/{'x' * 99}"


class Node(URL):
    other: Any


def test_cycles_are_collected() -> None:
    url = Node("https://h/?a=1")
    url.other = [url.search_params, url]
    params = url.search_params
    gone = weakref.ref(url), weakref.ref(params)
    del url, params
    gc.collect()
    assert [reference() for reference in gone] == [None, None]


def test_a_url_and_its_params_are_collected() -> None:
    url = URL("https://h/?a=1")
    gone = weakref.ref(url.search_params)
    del url
    gc.collect()
    assert gone() is None


def test_params_keep_their_url() -> None:
    kept = URL("https://h/?a=1").search_params
    gc.collect()
    kept.append("b", "2")
    assert str(kept) == "a=1&b=2"


@pytest.mark.parametrize("case", leaks.CASES)
def test_references(case: str) -> None:
    """A call leaves no new object and no new reference to shared ones. leaks.py does the same for memory."""
    call = leaks.CASES[case]
    # What other tests have left is not looked at.
    gc.freeze()
    for _ in range(3):
        call()
    gc.collect()
    before = len(gc.get_objects()), [sys.getrefcount(thing) for thing in WATCHED]
    for _ in range(20):
        call()
    gc.collect()
    after = len(gc.get_objects()), [sys.getrefcount(thing) for thing in WATCHED]
    assert after[1] == before[1]
    assert after[0] - before[0] < 20


WATCHED: list[object] = [
    leaks.HREF, leaks.LONG, leaks.BAD, leaks.url, leaks.params, leaks.loose, leaks.rows, leaks.psl, URL,
    URLSearchParams, InvalidURL,
]  # fmt: skip


# In a process of its own, since what this one has freed hides what is lost; and with such memory, all the same.
GROWTH = """
import ctypes
from support.growth import growth
freed = [bytes(100) for _ in range(100_000)]
del freed
kept = []
print(growth(lambda: kept.append(bytearray(8)), 2000), growth(lambda: bytearray(200), 2000))
malloc = ctypes.CDLL(None).malloc
print(growth(lambda: malloc(1), 10**12, 0))
"""


@pytest.mark.skipif(not HAS_GLIBC, reason="asks glibc")
@pytest.mark.skipif(bool(sysconfig.get_config_var("Py_GIL_DISABLED")), reason="no memory of Python's comes from malloc")
def test_leaks_are_found() -> None:
    folder = str(Path(__file__).parent)
    environment = {**os.environ, **EXACT, "PYTHONPATH": folder, "LD_PRELOAD": ""}
    output = subprocess.run([sys.executable, "-c", GROWTH], env=environment, check=True, stdout=subprocess.PIPE).stdout
    lost, kept, lost_in_no_time = map(int, output.split())
    assert lost > 2000 * 64
    assert lost_in_no_time > LIMIT
    assert kept <= LIMIT


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.skipif(not HAS_GLIBC or shutil.which("cc") is None, reason="compiles what makes glibc fail")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="malloc is the sanitizer's here")
def test_out_of_memory() -> None:
    """The operations with URL.search in their names; `make no-memory` has all."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, no_memory.__file__, "URL.search"]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True)
    assert done.returncode == 0, done.stdout
    assert done.stdout.count("; 0 are wrong") == 2


def test_everything_public_is_called() -> None:
    assert leaks.public_names() - {name.partition(",")[0].partition(" ")[0] for name in leaks.CASES} == set()


# A few of the cases, and one that fails.
PEAK = """
import sys
from tiers import memory
if sys.argv[1] == "hog":
    memory.CASES = (memory.HOG,)
sys.exit(memory.main(["262144", "--jobs", "1", "--only", sys.argv[1]] if sys.argv[1] != "hog" else ["262144"]))
"""


@pytest.mark.sample(1)
@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
@pytest.mark.skipif("asan" in os.environ.get("LD_PRELOAD", ""), reason="the sanitizer takes memory of its own")
@pytest.mark.parametrize(
    ("only", "status"),
    [("hog", 1), ("non-ASCII query", 0), ("@ then host", 0), ("host: accented", 0), ("parse_lines", 0)],
)
def test_peak(only: str, status: int) -> None:
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])}
    done = subprocess.run([sys.executable, "-c", PEAK, only], env=environment, stdout=subprocess.PIPE, text=True)
    assert done.returncode == status, done.stdout
    assert f"\n{status} failed\n" in done.stdout
