"""What Polars' C interface to its plugins can be called with: malformed series, plans that are cut, NULL.

ctypes calls the functions as Polars does; Polars itself is not needed. All calls are made in another process, which
must not crash.
"""

from __future__ import annotations

import ctypes as c
import random
import struct
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from support.arrow import RELEASE, Array, Column, Schema, keep, read_array

from weburl import bulk
from weburl._verbs.verb import engine_verbs
from weburl.ext import _polars
from weburl.ext._engines import polars_plans

TEXTS = ["http://h/?a=1", None, "x", "https://example.com/a/path?that=is#long"]
FORMATS = ["u", "U", "vu", "z", "Z", "vz", "n"]
# No column has so many rows.
NUMBERS = [-1, -(1 << 31), -(1 << 48), -(1 << 63), 1 << 62, (1 << 63) - 1]


class Series(c.Structure):
    _fields_ = [
        ("field", c.POINTER(Schema)),
        ("arrays", c.POINTER(c.POINTER(Array))),
        ("len", c.c_size_t),
        ("release", RELEASE),
        ("private_data", c.c_void_p),
    ]


def library() -> c.CDLL:
    loaded = c.CDLL(_polars.__file__)
    loaded._polars_plugin_get_last_error_message.restype = c.c_char_p
    size, pointer = c.c_size_t, c.c_void_p
    loaded._polars_plugin_run.argtypes = [pointer, size, c.c_char_p, size, pointer, pointer]
    loaded._polars_plugin_field_run.argtypes = [pointer, size, pointer, c.c_char_p, size]
    for function in (loaded._polars_plugin_run, loaded._polars_plugin_field_run):
        function.restype = None
    return loaded


PLUGIN = library()


def plan(name: str = "url_normalize", **options: Any) -> bytes:
    import pickle

    return pickle.dumps(polars_plans.plan_of(engine_verbs()[name], options).arguments(), protocol=5)


PLAN = plan()


class Given:
    """A series for a call, and how often each of its parts was released."""

    def __init__(self, chunks: Sequence[Sequence[str | None]] = (TEXTS,), format: str = "U", index: str = "") -> None:
        self.column = Column(chunks, format, index=index)
        self.series_released = 0
        pointers = [c.pointer(array) for array in self.column.arrays]
        self.pointers = keep((c.POINTER(Array) * max(len(pointers), 1))(*pointers))
        self.series = keep(
            Series(
                field=c.pointer(self.column.schema),
                arrays=self.pointers,
                len=len(chunks),
                release=keep(RELEASE(self.end)),
            )
        )

    def end(self, pointer: int) -> None:
        self.series_released += 1
        Series.from_address(pointer).release = RELEASE()


def run(*given: Given, kwargs: bytes | None = PLAN, length: int | None = None, count: int | None = None) -> str:
    """What a call gives: "rows", or its error."""
    inputs = (Series * max(len(given), 1))(*(each.series for each in given))
    out = Series()
    size = len(kwargs or b"") if length is None else length
    PLUGIN._polars_plugin_run(inputs, len(given) if count is None else count, kwargs, size, c.addressof(out), None)
    if not out.private_data:
        return str(PLUGIN._polars_plugin_get_last_error_message().decode())
    for i in range(out.len):
        assert out.arrays[i].contents.release
        out.arrays[i].contents.release(c.addressof(out.arrays[i].contents))
    out.release(c.addressof(out))
    return "rows"


def ended(given: Given, arrays: int, series: int = 1) -> None:
    """Each of its arrays was released, once, and so was it."""
    assert given.column.released.count("array") == arrays, given.column.released
    assert given.series_released == series


# What spoils a series, and the begin of the error; then how many arrays and series remain to be released.
Spoil = Callable[[Given], object]


def spoil(thing: c.Structure, values: dict[str, Any]) -> None:
    for name, value in values.items():
        setattr(thing, name, value)


def first(**values: Any) -> Spoil:
    return lambda given: spoil(given.column.arrays[0], values)


def of_series(**values: Any) -> Spoil:
    return lambda given: spoil(given.series, values)


def of_schema(**values: Any) -> Spoil:
    return lambda given: spoil(given.column.schema, values)


def same_array(given: Given) -> None:
    given.pointers[1] = given.pointers[0]


def no_array(given: Given) -> None:
    given.pointers[1] = c.POINTER(Array)()


MALFORMED: dict[str, tuple[Spoil, str, int, int]] = {
    "an array that is released": (first(release=RELEASE()), "ValueError: malformed Arrow array: it is released", 1, 1),
    "a series that is released": (of_series(release=RELEASE()), "ValueError: malformed series: it is released", 0, 0),
    "a series without a field": (of_series(field=c.POINTER(Schema)()), "ValueError: malformed series: it is", 2, 1),
    "a series without arrays": (
        of_series(arrays=c.POINTER(c.POINTER(Array))()), "ValueError: malformed series: it is", 0, 1,
    ),
    "an array that is missing": (no_array, "ValueError: malformed series: an array is missing", 1, 1),
    "one array twice": (same_array, "ValueError: malformed Arrow array: it is released", 1, 1),
    "a schema that is released": (of_schema(release=RELEASE()), "ValueError: malformed Arrow array: the schema", 2, 1),
    "a schema without a format": (of_schema(format=None), "ValueError: malformed Arrow array: the schema", 2, 1),
    "numbers": (of_schema(format=b"l"), "TypeError: must be a column of strings or of bytes", 2, 1),
    "an empty format": (of_schema(format=b""), "TypeError: must be a column of strings or of bytes", 2, 1),
    "a struct": (of_schema(format=b"+s"), "TypeError: must be a column of strings or of bytes", 2, 1),
    "a format that is not UTF-8": (of_schema(format=b"\xff\x1b"), "TypeError: must be a column of strings", 2, 1),
    "a long format": (of_schema(format=b"x" * 10_000), "TypeError: must be a column of strings or of bytes", 2, 1),
    "no buffers": (first(buffers=c.POINTER(c.c_void_p)()), "ValueError: malformed Arrow array: buffers are", 2, 1),
    "few buffers": (first(n_buffers=2), "ValueError: malformed Arrow array: buffers are missing", 2, 1),
    "a negative number of buffers": (first(n_buffers=-1), "ValueError: malformed Arrow array: buffers are", 2, 1),
    "too many buffers": (first(n_buffers=1 << 48), "ValueError: malformed Arrow array: it has too many", 2, 1),
}  # fmt: skip
for number in NUMBERS:
    for name in ("length", "offset"):
        MALFORMED[f"a {name} of {number}"] = (first(**{name: number}), "ValueError: malformed Arrow array: its", 2, 1)


def malformed() -> None:
    for name, (spoil, message, arrays, series) in MALFORMED.items():
        for beside in (False, True):
            say(f"{name}, {beside=}")
            given, other = Given([TEXTS, TEXTS]), Given([TEXTS])
            spoil(given)
            said = run(*([other, given] if beside else [given]))
            assert said.startswith(message), said
            ended(given, arrays, series)
            if beside:
                ended(other, 1)


def offsets() -> None:
    """Offsets that descend or are negative, in either layout, and views that lead elsewhere."""
    for format, code in (("u", "i"), ("U", "q"), ("z", "i"), ("Z", "q")):
        for place in range(len(TEXTS) + 1):
            for number in (-1, -(1 << 31), *([1 << 62, (1 << 63) - 1, -(1 << 63)] if code == "q" else [])):
                if place == len(TEXTS) and number > 0 and code == "i":
                    continue
                given = Given(format=format)
                spoiled = struct.pack(f"={code}", number)
                address = (given.column.arrays[0].buffers[1] or 0) + place * len(spoiled)
                say(f"{format} {place} {number}")
                c.memmove(address, spoiled, len(spoiled))
                said = run(given)
                assert said.startswith("ValueError: malformed Arrow array: its offsets"), said
                ended(given, 1)
    for view in ((-1, 0, 0), (1 << 30, 0, 0), (13, -1, 0), (13, 2, 0), (13, 0, -1), (13, 1 << 30, 0), (13, 0, 1 << 30)):
        given = Given(format="vu")
        say(f"view {view}")
        c.memmove(given.column.arrays[0].buffers[1], struct.pack("=i4sii", view[0], b"http", *view[1:]), 16)
        assert run(given).startswith("ValueError: malformed Arrow array: a view"), view
        ended(given, 1)


def empty() -> None:
    """Chunks without rows, and series without chunks."""
    shapes: list[list[list[str | None]]] = [[], [[]], [[], [], []], [[], list(TEXTS), []], [list(TEXTS), []]]
    for format in FORMATS:
        for chunks in shapes:
            if format == "n":
                chunks = [[None] * len(chunk) for chunk in chunks]
            say(f"{format} {chunks}")
            given = Given(chunks, format)
            assert run(given) == "rows"
            ended(given, len(chunks))
            bases_of: list[list[list[str]]] = [[], [[]], [["http://b/"]], [[], ["http://b/"]]]
            for base in bases_of:
                given, bases = Given(chunks, format), Given(base)
                said = run(bases, given)
                n, m = sum(map(len, base)), sum(map(len, chunks))
                right = "rows" if n == m or 1 in (n, m) else "ValueError: columns of "
                assert said.startswith(right), said
                ended(given, len(chunks))
                ended(bases, len(base))


def arguments() -> None:
    """Plans that are cut, edited or missing, and lengths of them that nothing has."""
    edited = [PLAN[:i] + bytes([PLAN[i] ^ 1 << i % 8]) + PLAN[i + 1 :] for i in range(len(PLAN))]
    for kwargs in [*(PLAN[:i] for i in range(len(PLAN))), *edited, PLAN * 2, b"\x80\x05cos\nsystem\n."]:
        say(repr(kwargs))
        given = Given()
        said = run(given, kwargs=kwargs)
        assert said == "rows" or said.startswith("ValueError: "), said
        assert said == "rows" or field(1, kwargs) == said
        ended(given, 1)
    for length in (0, 1, 1 << 20, (1 << 63) - 1, 1 << 63, (1 << 64) - 1):
        given = Given()
        say(f"{length} of nothing")
        assert run(given, kwargs=None, length=length) == "ValueError: these are not the arguments of a job"
        ended(given, 1)
    for length in (1 << 63, (1 << 64) - 1):
        given = Given()
        say(f"{length} of a plan")
        assert run(given, length=length) == "ValueError: these are not the arguments of a job"
        ended(given, 1)
    for count in (0, 3):
        many = [Given() for _ in range(count)]
        say(f"{count} columns")
        assert run(*many).startswith("ValueError: a job has one column or two"), count
        assert field(count, PLAN).startswith("ValueError: a job has one column or two"), count
        for given in many:
            ended(given, 1)
    out = Series()
    for function, more in ((PLUGIN._polars_plugin_run, (None,)), (PLUGIN._polars_plugin_field_run, ())):
        say("inputs that are NULL")
        if more:
            function(None, 1, PLAN, len(PLAN), c.addressof(out), *more)
        else:
            function(None, 1, c.addressof(Schema()), PLAN, len(PLAN))
        assert PLUGIN._polars_plugin_get_last_error_message().startswith(b"ValueError: a job has one column or two")


def field(count: int, kwargs: bytes) -> str:
    schemas = (Schema * max(count, 1))(*(Schema(format=b"u", name=b"a") for _ in range(count)))
    out = Schema()
    PLUGIN._polars_plugin_field_run(schemas, count, c.addressof(out), kwargs, len(kwargs))
    if not out.release:
        return str(PLUGIN._polars_plugin_get_last_error_message().decode())
    out.release(c.addressof(out))
    return "schema"


def anything() -> None:
    """Series of all layouts, each with some of its numbers replaced."""
    rng = random.Random(1)
    plans = [
        PLAN,
        plan("url_parse", fields=("href", "host_type", "error")),
        plan("url_query", keys=("a",)),
        plan("url_params"),
    ]
    results = set()
    for number in range(400):
        format, index = rng.choice(FORMATS), rng.choice(["", "", "c", "L"])
        if format == "n":
            index = ""
        chunks = [
            [None if format == "n" else text for text in TEXTS[: rng.randrange(5)]] for _ in range(rng.randrange(4))
        ]
        given = Given(chunks, format, index)
        spoiled = []
        for array in given.column.arrays:
            if rng.random() < 0.3:
                target = array.dictionary.contents if index and rng.random() < 0.5 else array
                name = rng.choice(["length", "offset", "n_buffers", "null_count"])
                setattr(target, name, rng.choice(NUMBERS))
                spoiled.append(name)
        say(f"{number}: {format} {index} {chunks} {spoiled}")
        said = run(given, kwargs=rng.choice(plans))
        assert said == "rows" or said.startswith("ValueError: malformed Arrow array: "), said
        ended(given, len(chunks))
        results.add(said)
    assert len(results) > 3


def threads() -> None:
    """Threads that call it at once, over memory that they share, get the rows of each layout and of each plan."""
    chunks = [[f"http://h{n}/p?a={n}" if n % 7 else None for n in range(600)], [], list(TEXTS)]
    columns = [Column(chunks, format, index=index) for format in FORMATS[:6] for index in ("", "i")]
    rows = [*chunks[0], *chunks[2]]
    plans = {
        plan(): bulk.normalize_many(rows).to_pylist(),
        plan("url_registrable_domain"): bulk.component_many(rows, "registrable_domain").to_pylist(),
        plan("url_fingerprint"): bulk.fingerprint_many(rows).to_pylist(),
        plan("url_param", key="a"): bulk.query_get_many(rows, "a").to_pylist(),
    }
    start, failures = threading.Barrier(8), []

    def work(thread: int) -> None:
        rng = random.Random(thread)
        try:
            start.wait()
            for _ in range(60):
                column, kwargs = rng.choice(columns), rng.choice([*plans])
                given = Given([])
                copies = [keep(Array.from_buffer_copy(array)) for array in column.arrays]
                for array in copies:
                    array.release = given.column.releaser("array", Array)
                pointers = keep((c.POINTER(Array) * len(copies))(*map(c.pointer, copies)))
                spoil(given.series, {"field": c.pointer(column.schema), "arrays": pointers, "len": len(copies)})
                out = Series()
                PLUGIN._polars_plugin_run((Series * 1)(given.series), 1, kwargs, len(kwargs), c.addressof(out), None)
                assert out.private_data, PLUGIN._polars_plugin_get_last_error_message()
                found = [row for i in range(out.len) for row in read_array(out.arrays[i].contents, out.field.contents)]
                assert found == plans[kwargs], (column.schema.format, kwargs)
                for i in range(out.len):
                    out.arrays[i].contents.release(c.addressof(out.arrays[i].contents))
                out.release(c.addressof(out))
                ended(given, len(copies))
                # An error is that of the thread that made the call.
                message = run(Given(format="l") if thread % 2 else Given(), kwargs=PLAN if thread % 2 else b"")
                assert message.startswith("TypeError: must be" if thread % 2 else "ValueError: these are"), message
        except BaseException as error:
            failures.append(error)

    workers = [threading.Thread(target=work, args=(thread,)) for thread in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    if failures:
        raise failures[0]


GROUPS = {
    "threads": threads,
    "malformed": malformed,
    "offsets": offsets,
    "empty": empty,
    "arguments": arguments,
    "anything": anything,
}


def say(what: str) -> None:
    """If the process crashes, this was the reason."""
    print(what, file=sys.stderr, flush=True)


@pytest.mark.parametrize("group", GROUPS)
def test_what_the_interface_is_called_with(group: str) -> None:
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r})\n"
    code += f"import test_polars_interface as made; made.GROUPS[{group!r}]()"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, f"{done.returncode}: {done.stderr[-2000:]}"
