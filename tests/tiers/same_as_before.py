"""Compares two builds: every verb in `weburl.bulk` and in each engine that is installed, and command lines.

    python -m tiers.same_as_before --before PYTHON [--before-path SRC] [--rows 100000]

`--before` is the interpreter that has the other build, and `--before-path` a folder that it imports weburl from: with
it, both builds may share one environment, with its engines. Results, names, signatures, docstrings, messages, pickles,
plans, output bytes and exit statuses must be equal.
"""

from __future__ import annotations

import argparse
import hashlib
import inspect
import io
import json
import os
import pickle
import random
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from typing import Any

Outcomes = dict[str, str]
FIELDS = (
    "href protocol scheme username password host hostname port pathname search hash query fragment origin host_type "
    "error site public_suffix input query:q query-all:a default:port must:query"
).split()
OPTIONS: tuple[tuple[str, ...], ...] = (
    (), ("--base", "http://b.example/x/"), ("--policy", "crawl"), ("--policy", "surt"), ("--redact",), ("--template",),
    ("--as-idn",), ("--json",), ("--csv",), ("--invalid", "drop"), ("--invalid", "fail"), ("--verify",),
    ("-s", "scheme=https"), ("--match", "*://*.com/*"), ("--not-match", "*://*/a"), ("--threads", "1"),
    ("--sort-query",), ("--replace", "q=2"), ("-a", "query=b=c"), ("--qtrim", "a*"), ("--no-such-option",),
)  # fmt: skip
COMMANDS = ("", "", "", "", "check", "dedup", "stats", "explain", "diff", "join", "links")
KEYS = ["q", "a", "é", ""]


def digest(value: Any) -> str:
    return hashlib.sha256(repr(value).encode("utf-8", "surrogatepass")).hexdigest()


def outcome(make: Callable[[], Any]) -> str:
    """What is made, or the exception."""
    try:
        value = make()
    except BaseException as error:
        return f"{type(error).__name__}: {error}"
    errors = getattr(value, "errors", None)
    return digest((type(value).__name__, errors, value.to_pylist() if hasattr(value, "to_pylist") else value))


def type_of(call: Callable[..., Any], *arguments: Any) -> str:
    return type(call(*arguments)).__name__


def rows_of(con: Any, query: str) -> list[Any]:
    rows: list[Any] = con.sql(query).fetchall()
    return rows


# One build.


def calls(rows: list[Any]) -> dict[str, tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of each verb in `weburl.bulk`, of which some are wrong."""
    from weburl import URLPattern

    pattern = URLPattern(hostname=":sub*", pathname="/:first*")
    routes = {"a": "*://*.com/*", "b": "http{s}?://*/*"}
    own: dict[str, list[tuple[Any, ...]]] = {
        "parse_many": [(), (["hostname", "error", "site", "public_suffix"],), ("host",), (["no"],), ([],)],
        "component_many": [("hostname",), ("site",), ("file",), (5,)],
        "query_get_many": [("q",), (5,), ()], "query_values_many": [(KEYS,), ([],), (["a\0"],), (["a", "a"],)],
        "canonicalize_many": [(), ("surt",), ("no",), (None,)],
        "fingerprint_many": [(), ("crawl", 128), ("crawl", 7), ("surt", 65)],
        "redact_many": [(), (None,), ("no",)], "redactions_many": [()], "path_template_many": [(), (None,), ("no",)],
        "pattern_test_many": [(pattern,), ("*://*.com/*",), (5,)],
        "pattern_extract_many": [(pattern,), (pattern, ["first", "search.0"]), ("*://*",), (pattern, "x")],
        "route_many": [(routes,), (5,)], "host_in_many": [(["*.com", "h"],), ("*.com",), (5,)],
        "percent_decode_many": [(), ("strict",), ("ignore",), ("no",)], "join_many": [(rows[::-1],), ("http://h/",)],
    }  # fmt: skip
    made: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}
    from weburl import bulk

    for name in bulk.__all__:
        if name in ("Column", "Table", "parse_lines"):
            continue
        for number, arguments in enumerate(own.get(name, [()])):
            made[f"{name} {number}"] = (rows, *arguments), {}
            for key, value in (
                ("base", "http://b.example/?q"), ("base", "no"), ("threads", 1), ("threads", 0), ("on_error", "raise"),
                ("on_error", "no"), ("views", True), ("encoding", "latin1"), ("schemes", None), ("nothing", 1),
            ):  # fmt: skip
                some = rows if len(rows) < 2000 else rows[:2000]
                made[f"{name} {number} {key}={value}"] = (some, *arguments), {key: value}
    return made


def in_bulk(rows: list[Any]) -> Iterator[tuple[str, str]]:
    from weburl import bulk

    yield "weburl.bulk", repr(dir(bulk))
    for name in dir(bulk):
        thing = getattr(bulk, name)
        signature = str(inspect.signature(thing)) if inspect.isfunction(thing) else ""
        yield f"bulk.{name}", f"{thing.__module__} {thing.__qualname__} {signature} {inspect.getdoc(thing)}"
        yield f"pickle of bulk.{name}", repr(pickle.dumps(thing, 2))
    for name, (arguments, options) in calls(rows).items():
        function = getattr(bulk, name.partition(" ")[0])
        yield (
            name,
            outcome(partial(function, *arguments, **options)),
        )
    yield "parse_lines", outcome(lambda: bulk.parse_lines("\n".join(map(str, rows)).encode("utf-8", "replace")))
    yield "a pickle", repr(pickle.dumps(bulk.parse_many(["http://h/?q", "x", None], ["hostname", "error"]), 4))
    yield "another", repr(pickle.dumps(bulk.fingerprint_many(["http://h/?q", "x", None]), 4))


def in_engines(rows: list[Any]) -> Iterator[tuple[str, str]]:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    for name in ("pyarrow", "pandas", "polars", "daft", "ray", "pyspark", "duckdb"):
        if find_spec(name) is None:
            continue
        module = import_module(f"weburl.ext.{name}")
        source = getattr(module, "WebURL", module)
        yield name, repr(dir(module))
        for each in sorted(vars(source)) if source is not module else dir(module):
            if each.startswith("_"):
                continue
            function = getattr(source, each)
            signature = f"{function.__module__} {function.__qualname__} {inspect.signature(function)}"
            yield f"{name}.{each}", f"{signature} {inspect.getdoc(function)}"
            yield f"pickle of {name}.{each}", repr(pickle.dumps(function, 2))
    if find_spec("polars") is not None:
        yield from polars_plans(rows)
    if find_spec("duckdb") is not None:
        yield from duckdb_calls(rows)


METHODS: dict[str, tuple[Any, ...]] = {
    "host": (), "path": (), "param": ("q",), "params": (), "query": (KEYS,), "parse": (), "normalize": (), "valid": (),
    "site": (), "public_suffix": (), "canonicalize": ("surt",), "fingerprint": (), "pattern_test": ("*://*.com/*",),
    "pattern_extract": ("*://*/:a*", ["a", "pathname.a"]), "route": ({"a": "*://*.com/*", "b": "*://*/*"},),
    "host_in": (["*.com", "é.example"],), "is_private": (), "redact": (), "path_template": (),
    "percent_decode": ("strict",), "parse_url": ("file",),
}  # fmt: skip


def polars_plans(rows: list[Any]) -> Iterator[tuple[str, str]]:
    import polars as pl

    frame = pl.DataFrame({"u": rows}, schema={"u": pl.String})
    wrong: tuple[tuple[Any, ...], ...] = ((), (5,), ("no",), (None,))
    for method, arguments in METHODS.items():
        for options in ({}, {"base": "http://b.example/?q"}, {"base": "no"}):
            expression: Any = None
            try:
                expression = getattr(pl.col("u").weburl, method)(*arguments, **options)
            except Exception as error:
                yield f"polars.{method} {options}", f"{type(error).__name__}: {error}"
                continue
            # Without the place of the library.
            plan = re.sub(r'"lib":"[^"]*"', "", expression.meta.serialize(format="json"))
            yield f"plan of {method} {options}", plan
            yield f"polars.{method} {options}", digest(frame.select(expression.alias("x"))["x"].to_list())
        for some in wrong:
            call = getattr(pl.col("u").weburl, method)
            yield f"polars.{method}{some}", outcome(partial(type_of, call, *some))


def duckdb_calls(rows: list[Any]) -> Iterator[tuple[str, str]]:
    import duckdb

    from weburl.ext.duckdb import register

    in_sql = {
        "param": "'q'", "query": "'q', 'a'", "canonicalize": "'crawl'", "fingerprint": "'crawl'",
        "host_in": "'*.com set'",
        "pattern_test": "'*://*.com/*'", "pattern_extract": "'*://*/:a*', 'a'",
    }  # fmt: skip
    for native in (False, True):
        con = duckdb.connect(config={"allow_unsigned_extensions": native, "threads": 2})
        yield f"duckdb {native}", register(con, routes={"a": "*://*.com/*"}, hosts={"set": ["h"]})
        con.execute("create table t as select * from (select unnest(?) as u)", [rows])
        for name in METHODS:
            text = f"url_{name}({', '.join(filter(None, ('u', in_sql.get(name))))})"
            text = "parse_url(u, 'FILE')" if name == "parse_url" else text
            yield (
                f"duckdb {native} {text}",
                outcome(partial(rows_of, con, f"select {text} from t")),
            )


def command_lines(count: int) -> Iterator[list[str]]:
    source = random.Random(36)
    for _ in range(count):
        command = source.choice(COMMANDS)
        line = [command] if command else []
        if not command and source.random() < 0.8:
            line += ["-g", " ".join(f"{{{name}}}" for name in source.sample(FIELDS, source.randint(1, 4)))]
        others = source.sample(OPTIONS, source.randint(0, 2)) if not command else [OPTIONS[source.randrange(2)]]
        line += [each for options in others for each in options]
        texts = [
            "http://User@www.Example.co.uk:80/a?q=1&a=2#f",
            "no URL",
            "//h/x",
            "http://10.0.0.1/?token=secret",
            "file:///c",
        ]
        yield [*line, *source.sample(texts, source.randint(1, 3))]


def in_the_command(count: int) -> Iterator[tuple[str, str]]:
    from weburl.cli import main

    kept = os.dup(1), os.dup(2)
    for line in command_lines(count):
        with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
            os.dup2(out.fileno(), 1)
            os.dup2(err.fileno(), 2)
            sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=True)
            sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)
            try:
                status: object = main(line)
            except SystemExit as exit:
                status = exit.code
            finally:
                sys.stdout.flush()
                os.dup2(kept[0], 1)
                os.dup2(kept[1], 2)
                sys.stdout, sys.stderr = sys.__stdout__, sys.__stderr__
            out.seek(0)
            err.seek(0)
            # Without the list of options, which may have new ones.
            said = re.sub(rb"(?s)usage: .*?(?=weburl: |$)", b"", err.read())
            yield f"weburl {' '.join(line)}", f"{status} {out.read()!r} {said!r}"


def of_this_build(rows: list[Any], lines: int) -> Outcomes:
    found = dict(in_bulk(rows))
    found |= dict(in_engines(rows[:20_000]))
    found |= dict(in_the_command(lines))
    return found


# Two builds.


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", help="the interpreter of the other build", default=sys.executable)
    parser.add_argument("--before-path", help="the folder from which it imports weburl")
    parser.add_argument("--rows", type=int, default=10**5)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--print", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.print:
        print(json.dumps(of_this_build(json.loads(options.print.read_text("ascii")), options.lines)))
        return 0
    from support.hostile import inputs

    texts = (case.url.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for case in inputs(36))
    rows = [None if index % 37 == 5 else text for index, text in enumerate(islice(texts, options.rows))]
    outcomes: list[Outcomes] = []
    with tempfile.TemporaryDirectory() as folder:
        listed = Path(folder) / "rows.json"
        listed.write_text(json.dumps(rows), "ascii")
        for python, path in ((options.before, options.before_path), (sys.executable, None)):
            environment = {**os.environ, "COLUMNS": "80", "PYTHONPATH": path or ""}
            command = [python, __file__, "--print", str(listed), "--lines", str(options.lines)]
            done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True)
            outcomes.append(json.loads(done.stdout.splitlines()[-1]))
    before, after = outcomes
    different = [name for name in {**before, **after} if before.get(name) != after.get(name)]
    for name in different:
        print(name, f"  before: {before.get(name)!s:.1500}", f"  after:  {after.get(name)!s:.1500}", sep="\n")
    print(f"{len(rows):,} rows: {len(after):,} outcomes, {len(different)} differ")
    return int(bool(different))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
