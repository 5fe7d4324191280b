"""Compares two builds: every verb in `weburl.bulk` and in each engine that is installed, and command lines.

    python -m tiers.same_as_before --before PYTHON [--before-path SRC] [--rows 100000]

`--before` is the interpreter that has the other build, and `--before-path` a folder that it imports weburl from: with
it, both builds may share one environment, with its engines. Results, names, signatures, docstrings, messages, pickles,
plans, output bytes and exit statuses must be equal.
"""

from __future__ import annotations

import argparse
import gzip
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
    (), ("--base", "http://b.example/x/"), ("--policy", "crawl"), ("--policy", "surt"), ("--policy", "whatwg"),
    ("--as-idn",), ("--json",), ("--csv",), ("--csv-safe",), ("--invalid", "drop"), ("--invalid", "fail"),
    ("--verify",), ("--invalid", "file=out"), ("-s", "scheme=https"), ("--match", "*://*.com/*"),
    ("--not-match", "*://*/a"), ("--match", "*://*/:id", "--csv", "-g", "{group:id}"), ("--threads", "1"),
    ("--sort-query",), ("--replace", "q=2"), ("-a", "query=b=c"), ("-a", "path=x"), ("--qtrim", "a*"),
    ("--iterate", "port=80 81"), ("--query-separator", ";"), ("--default-port",), ("--accept-space",),
    ("--hosts", "hosts"), ("--not-hosts", "hosts"), ("--csv", "--keep"), ("--json", "--keep"), ("--json", "--keep=n"),
    ("-o", "out"), ("--max-line", "20"), ("--memory", "64M"), ("--memory", "x"), ("--threads", "0"),
    ("--csv", "--json"), ("--parquet", "out", "-o", "out"), ("--keep",), ("-g", "{no}"), ("--no-such-option",),
)  # fmt: skip
# Those of other commands.
OWN_OPTIONS: dict[str, tuple[tuple[str, ...], ...]] = {
    "": OPTIONS,
    "dedup": (*OPTIONS, ("--key", "hostname"), ("--key", "registrable_domain"), ("--key", "no")),
    "join": (*OPTIONS, ("--left",), ("--key", "hostname"), ("--with-keep", "n"), ("--with-field", "u")),
    "check": ((), ("--json",), ("--failures",), ("--base", "http://b.example/x/"), ("--max-line", "20")),
    "stats": ((), ("--json",), ("--top", "2"), ("--top", "0"), ("--base", "http://b.example/x/"), ("--plot", "x")),
    "explain": ((), ("--base", "http://b.example/x/"), ("--pattern", "*://*/*"), ("--pattern", "(")),
    "diff": ((), ("--base", "http://b.example/x/"), ("--ignore-fragment",)),
    "links": ((), ("--json",), ("--base", "http://b.example/"), ("--base", "x"), ("--kinds", "image,x")),
    "completion": (("no",), ("--no-such",)),
}  # fmt: skip
LINES = "http://User@www.Example.co.uk:80/a?q=1&a=2#f\nno URL\n//h/x\nhttp://10.0.0.1/?token=secret\nfile:///c\n"
INPUTS = {
    "urls.txt": LINES.encode(),
    "urls.gz": gzip.compress(LINES.encode(), mtime=0),
    "hosts": b"10.0.0.1\nexample.co.uk\n",
    "t.csv": b'n,u\n1,http://a.com/x?q=2\n2,b\n"3,http://c.com/\n4,HTTP://D.com/a\n',
    "t.jsonl": b'{"n":1,"u":"http://a.com/x"}\n{"u":"b","n":[2]}\n{"u"\n{"n":null,"u":"HTTP://D.com/a?q"}\n',
    "log": b'1.2.3.4 - - [22/Nov/2026:10:00:01 +0000] "GET /a?q=1 HTTP/1.1" 200 5\nx\n',
    "page.html": b'<a href="/x?q">x</a><img src=y><a href="http://b c">z</a>',
}
FILES = (
    ("-f", "urls.txt"), ("-f", "urls.gz"), ("--column", "u", "-f", "t.csv"), ("--column", "2", "-f", "t.csv"),
    ("--field", "u", "-f", "t.jsonl"), ("--log", "common", "--base", "http://l/", "-f", "log"), ("--log", "no"),
    ("-f", "urls.txt", "urls.gz"), ("-f", "nothing"), ("--column", "x", "-f", "t.csv"),
)  # fmt: skip
COMMANDS = (
    "", "", "", "", "", "", "check", "dedup", "dedup", "stats", "explain", "diff", "join", "join", "links",
    *OWN_OPTIONS,
)  # fmt: skip
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
        "parse_many": [
            (), (["hostname", "error", "registrable_domain", "public_suffix"],), ("host",), (["no"],), ([],),
        ],
        "component_many": [("hostname",), ("registrable_domain",), ("file",), (5,)],
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
    "hostname": (), "path": (), "param": ("q",), "params": (), "query": (KEYS,), "parse": (), "normalize": (),
    "can_parse": (),
    "registrable_domain": (), "public_suffix": (), "canonicalize": ("surt",), "fingerprint": (),
    "pattern_test": ("*://*.com/*",),
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
        converts = command in ("", "dedup", "join")
        line = [command] if command else []
        if converts and source.random() < 0.6:
            line += ["-g", " ".join(f"{{{name}}}" for name in source.sample(FIELDS, source.randint(1, 4)))]
        if command == "join":
            line += ["--with", source.choice(("urls.txt", "t.jsonl", "t.csv"))]
        own = OWN_OPTIONS[command]
        line += [each for options in source.sample(own, min(source.randint(0, 2), len(own))) for each in options]
        texts, files = source.sample(LINES.splitlines(), source.randint(1, 3)), [*source.choice(FILES)]
        if converts:
            line += source.choice((texts, [*texts, *files], files, files, []))
        elif command in ("check", "stats"):
            line += source.choice((files, files, ["urls.txt", "nothing"]))
        elif command == "links":
            line += source.choice((["page.html"], ["nothing"], ["urls.gz"]))
        elif command in ("explain", "diff"):
            line += texts
        yield line


def in_the_command(count: int) -> Iterator[tuple[str, str]]:
    """Each line with its status, its output, its messages and the file that it writes."""
    from weburl.cli import main

    before, kept = os.getcwd(), [os.dup(place) for place in range(3)]
    for number, line in enumerate(command_lines(count)):
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            for name, data in {**INPUTS, ".in": LINES.encode(), ".out": b"", ".err": b""}.items():
                Path(name).write_bytes(data)
            for place, name in enumerate((".in", ".out", ".err")):
                opened = os.open(name, os.O_RDWR)
                os.dup2(opened, place)
                os.close(opened)
            sys.stdin = io.TextIOWrapper(io.BufferedReader(io.FileIO(0, closefd=False)))
            sys.stdout = io.TextIOWrapper(io.FileIO(1, "w", closefd=False), write_through=True)
            sys.stderr = io.TextIOWrapper(io.FileIO(2, "w", closefd=False), write_through=True)
            try:
                status: object = int(main(line))
            except SystemExit as exit:
                status = exit.code
            finally:
                sys.stdout.flush()
                for place, descriptor in enumerate(kept):
                    os.dup2(descriptor, place)
                sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
                os.chdir(before)
            out, err, file = (Path(folder, name) for name in (".out", ".err", "out"))
            # Without the list of options, which may have new ones.
            said = re.sub(rb"(?s)usage: .*?(?=weburl: |$)", b"", err.read_bytes())
            written = file.read_bytes() if file.exists() else b""
            yield f"{number}: weburl {' '.join(line)}", f"{status} {out.read_bytes()!r} {said!r} {written!r}"


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
