"""Compares this build with the last release: every verb in `weburl.bulk` and in each engine that is installed, command
lines, and what is in the pickles and the plans of Polars that the release writes.

    python -m tiers.same_as_before [--rows 100000] [--lines 2000] [--before SRC]

The release is built in build/, from the commit that `support/since_0_2.py` names. `--before` is another folder to
import it from. Results, names, output bytes and exit statuses must be equal, row by row, but for what that file lists.
Messages and docstrings are not compared: of an exception that is raised, only its type and its error are.
"""

from __future__ import annotations

import argparse
import gzip
import inspect
import io
import os
import random
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from itertools import chain, islice
from multiprocessing.connection import Client, Connection, Listener
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).resolve().parents[1]))

from support.since_0_2 import (
    ACCEPTED,
    GONE,
    RELEASE,
    RENAMED,
    RENAMED_FIELDS,
    RENAMED_KEYS,
    RENAMED_OPTIONS,
    STEPS,
    alike,
)

ROOT = Path(__file__).resolve().parents[2]
Request = tuple[Any, ...]

# What is compared, in today's words.

FIELDS = (
    "href protocol scheme username password host hostname port pathname search hash query fragment origin host_type "
    "error registrable_domain public_suffix input query:q query-all:a default:port must:query"
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
    ("-g", "{redacted}"), ("-g", "{template}"), ("--routes", "routes", "-g", "{route} {pathname}"),
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
LINES = "http://User@www.Example.co.uk:80/a?q=1&a=2#f\nno URL\n//h/x\nhttp://10.0.0.1/?token=secret\nfile:///c\n\n"
INPUTS = {
    "urls.txt": LINES.encode(),
    "urls.gz": gzip.compress(LINES.encode(), mtime=0),
    "hosts": b"10.0.0.1\nexample.co.uk\n",
    "routes": b"a\thttp{s}?://*/a*\nfile\tfile:///*\n",
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
# Whose differences are rare among others.
FIXED_ROWS = (
    "//h/x",
    "http://a b/",
    "http://h/?abcdefgabcdEFGABCDEFgabcdefgabcdefgabc%44",
)
FIXED = [line.split() for line in (
    "-g {redacted} --csv -f urls.txt", "-g {template} --json -f urls.txt", "--policy whatwg -g {template} -f urls.txt",
    "-g {hostname} --field no -f t.jsonl", "join --with t.csv --json --csv //h/x", "-g {href} --memory 64M //h/x",
    "--routes routes -g {route} --json -f urls.txt", "stats --json urls.txt", "links --json --base http://h/ page.html",
    "-g {registrable_domain} --csv -f urls.txt", "-g {registrable_domain} --json -f urls.txt",
)]  # fmt: skip
COMMANDS = (
    "", "", "", "", "", "", "check", "dedup", "dedup", "stats", "explain", "diff", "join", "join", "links",
    *OWN_OPTIONS,
)  # fmt: skip
OWN_COMMANDS = ("check", "stats", "explain", "diff", "links", "completion")
KEYS = ["q", "a", "é", ""]
PATTERN = {"hostname": ":sub*", "pathname": "/:first*"}
ROUTES = {"a": "*://*.com/*", "b": "http{s}?://*/*"}
# The arguments of each verb in `weburl.bulk`, of which some are wrong.
ARGUMENTS: dict[str, list[tuple[Any, ...]]] = {
    "parse_many": [(), (["hostname", "error", "registrable_domain", "public_suffix"],), ("host",), (["no"],), ([],)],
    "component_many": [("hostname",), ("registrable_domain",), ("file",), (5,)],
    "query_get_many": [("q",), (5,), ()], "query_values_many": [(KEYS,), ([],), (["a\0"],), (["a", "a"],)],
    "canonicalize_many": [(), ("surt",), ("whatwg",), ("no",), (None,)],
    "fingerprint_many": [(), ("surt",), ("no",)],
    "redact_many": [(), (None,), ("no",)], "redactions_many": [()], "path_template_many": [(), (None,), ("no",)],
    "pattern_test_many": [(PATTERN,), ("*://*.com/*",), (5,)],
    "pattern_extract_many": [(PATTERN,), (PATTERN, ["first", "search.0"]), ("*://*",), (PATTERN, "x")],
    "route_many": [(ROUTES,), (5,)], "host_in_many": [(["*.com", "h"],), ("*.com",), (5,)],
    "percent_decode_many": [()],
}  # fmt: skip
# Of each verb, with fewer rows.
KEYWORDS: tuple[tuple[str, Any], ...] = (
    ("base", "http://b.example/?q"), ("base", "no"), ("threads", 1), ("threads", 0), ("on_error", "raise"),
    ("on_error", "no"), ("views", True), ("encoding", "latin1"), ("schemes", None), ("nothing", 1), ("bits", 128),
    ("bits", 7), ("errors", "strict"), ("errors", "no"),
)  # fmt: skip
# The methods of engines, with their arguments; in SQL, these are texts.
METHODS: dict[str, tuple[Any, ...]] = {
    "hostname": (), "path": (), "param": ("q",), "params": (), "query": (KEYS,), "parse": (), "normalize": (),
    "can_parse": (), "registrable_domain": (), "public_suffix": (), "canonicalize": ("surt",), "fingerprint": (),
    "pattern_test": ("*://*.com/*",), "pattern_extract": ("*://*/:a*", ["a", "pathname.a"]), "route": (ROUTES,),
    "host_in": (["*.com", "é.example"],), "is_private": (), "redact": (), "path_template": (), "percent_decode": (),
    "parse_url": ("FILE",), "join": ("../x?y",),
}  # fmt: skip
IN_SQL = {
    "param": "'q'", "query": "'q', 'a'", "canonicalize": "'crawl'", "fingerprint": "'crawl'", "host_in": "'*.com set'",
    "pattern_test": "'*://*.com/*'", "pattern_extract": "'*://*/:a*', 'a'", "join": "'../x?y'",
}  # fmt: skip
MODULES = (
    "weburl", "weburl.bulk", "weburl.compat.urllib", "weburl.compat.w3lib", "weburl.crawl", "weburl.display",
    "weburl.errors", "weburl.forms", "weburl.hosts", "weburl.patterns", "weburl.percent", "weburl.redact",
    "weburl.search_params", "weburl.url", "weburl.validation",
    *(f"weburl.cli.commands.{name}" for name in ("bench", "convert", "check", "completion", "dedup", "diff", "explain",
        "join", "links", "stats", "view")),
)  # fmt: skip
ENGINES = ("pyarrow", "pandas", "polars", "duckdb", "daft", "pyspark", "ray")
# Modules of `weburl.ext` for packages that need not be installed either, of which the names are compared.
CLIENTS = ("aiohttp", "http", "httpx", "pydantic", "requests", "scrapy")
FEW, SOME = 2_000, 20_000  # rows
PICKLED = 400  # rows that objects are made from
SHOWN = 2  # differences of a request


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
        texts, files = source.sample(LINES.splitlines()[:5], source.randint(1, 3)), [*source.choice(FILES)]
        if converts:
            line += source.choice((texts, [*texts, *files], files, files, []))
        elif command in ("check", "stats"):
            line += source.choice((files, files, ["urls.txt", "nothing"]))
        elif command == "links":
            line += source.choice((["page.html"], ["nothing"], ["urls.gz"]))
        elif command in ("explain", "diff"):
            line += texts
        yield line


def requests(lines: int, engines: Sequence[str]) -> Iterator[tuple[str, Request]]:
    """Each thing that both builds are asked, with its name."""
    for verb in sorted({*ARGUMENTS, "can_parse_many", "is_private_url_many", "join_many", "normalize_many",
            "query_pairs_many"}):  # fmt: skip
        for arguments in ARGUMENTS.get(verb, [()]):
            name = f"bulk.{verb}{arguments}"
            yield name, ("bulk", verb, arguments, {}, None)
            for key, value in KEYWORDS:
                yield f"{name} {key}={value!r}", ("bulk", verb, arguments, {key: value}, FEW)
    for engine in engines:
        for method, arguments in METHODS.items():
            more: dict[str, Any] = {"native": True} if engine == "duckdb" else {"base": "http://b.example/?q"}
            for options in ({}, more):
                yield f"{engine}.{method}{arguments} {options}", (engine, method, arguments, options, SOME)
    for line in (*FIXED, *command_lines(lines)):
        yield f"weburl {' '.join(line)}", ("line", line)


def written(pickles: Sequence[tuple[str, str, list[bytes]]], plans: Sequence[bytes]) -> Iterator[tuple[str, Request]]:
    """What both builds are asked about pickles and plans of the release."""
    for kind, source, each in pickles:
        yield f"pickle {kind} {source}", ("pickle", kind, each)
    for plan in plans:
        yield f"plan {plan!r}", ("plan", plan)


# One build, in a process of its own.

IS_OLD = False


def old_word(word: str, table: dict[str, str]) -> str:
    return table.get(word, word) if IS_OLD else word


def in_old_fields(value: Any) -> Any:
    """Names of fields, as this build spells them."""
    return [old_word(name, RENAMED_FIELDS) for name in value] if isinstance(value, list) else value


def plain(value: Any) -> Any:
    """A result of either build as one of today's, without objects."""
    if isinstance(value, dict):
        names = {old: new for new, old in RENAMED_FIELDS.items()} if IS_OLD else {}
        return {names.get(key, key): plain(each) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [plain(each) for each in value]
    return value if isinstance(value, str | bytes | int | float | None) else repr(value)


def raised(error: BaseException) -> tuple[str, str, str]:
    return "raised", type(error).__name__, str(getattr(error, "error", ""))


def in_bulk(rows: list[Any], verb: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    from weburl import URLPattern, bulk

    given = [URLPattern(**each) if each is PATTERN or each == PATTERN else in_old_fields(each) for each in arguments]
    if verb == "component_many":
        given = [old_word(each, RENAMED_FIELDS) if isinstance(each, str) else each for each in given]
    if verb == "join_many":
        given = [rows[::-1]]
    options = {RENAMED_OPTIONS.get((verb, key), key) if IS_OLD else key: each for key, each in options.items()}
    result = getattr(bulk, verb)(rows, *given, **options)
    return result.to_pylist(), result.errors


def table_of(rows: list[Any]) -> Any:
    import pyarrow as pa

    return pa.array(rows, pa.string())


def in_pyarrow(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    module = import_module("weburl.ext.pyarrow")
    name = method if method == "parse_url" else f"url_{old_word(method, RENAMED)}"
    return getattr(module, name)(table_of(rows), *arguments, **options).to_pylist()


def in_pandas(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    import pandas as pd

    import_module("weburl.ext.pandas")
    found = getattr(pd.Series(rows, dtype="str").weburl, old_word(method, RENAMED))(*arguments, **options)
    if isinstance(found, pd.DataFrame):
        return found.astype(object).where(found.notna(), None).to_dict("records")
    return [None if each is pd.NA or each != each else each for each in found.tolist()]


def in_polars(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    import polars as pl

    import_module("weburl.ext.polars")
    frame = pl.DataFrame({"u": rows}, schema={"u": pl.String})
    given = [pl.lit(each) for each in arguments] if method == "join" else arguments
    expression = getattr(pl.col("u").weburl, old_word(method, RENAMED))(*given, **options)
    return frame.select(expression.alias("x"))["x"].to_list()


@cache
def connection(native: bool) -> Any:
    import duckdb

    con = duckdb.connect(config={"allow_unsigned_extensions": native, "threads": 2})
    import_module("weburl.ext.duckdb").register(con, routes={"a": "*://*.com/*"}, hosts={"set": ["h"]})
    return con


def in_duckdb(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    con = connection("native" in options)
    con.execute("create or replace table t as select * from (select unnest(?) as u)", [rows])
    text = f"url_{old_word(method, RENAMED)}({', '.join(filter(None, ('u', IN_SQL.get(method))))})"
    if method == "parse_url":
        text = "parse_url(u, 'FILE')"
    return [row[0] for row in con.sql(f"select {text} from t").fetchall()]


def in_daft(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    import daft

    module = import_module("weburl.ext.daft")
    name = method if method == "parse_url" else f"url_{old_word(method, RENAMED)}"
    given = [daft.lit(each) for each in arguments] if method == "join" else arguments
    column = getattr(module, name)(daft.col("u"), *given, **options)
    return daft.from_pydict({"u": rows}).select(column.alias("x")).to_pydict()["x"]


@cache
def spark() -> Any:
    from pyspark.sql import SparkSession

    settings = {
        "spark.master": "local[2]",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.shuffle.partitions": "2",
    }
    builder = SparkSession.builder
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    # What is wrong raises, as elsewhere.
    session.sparkContext.setLogLevel("OFF")
    return session


def in_pyspark(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    from pyspark.sql.functions import col, lit

    module = import_module("weburl.ext.pyspark")
    name = method if method == "parse_url" else f"url_{old_word(method, RENAMED)}"
    given = [lit(each) for each in arguments] if method == "join" else arguments
    frame = spark().createDataFrame([(row,) for row in rows], "u string").coalesce(1)
    found = frame.select(getattr(module, name)(col("u"), *given, **options).alias("x")).collect()
    return [row.asDict(recursive=True)["x"] for row in found]


def in_ray(rows: list[Any], method: str, arguments: tuple[Any, ...], options: dict[str, Any]) -> Any:
    import ray
    from ray.data.expressions import col, lit

    if not ray.is_initialized():
        ray.init(num_cpus=1, include_dashboard=False, log_to_driver=False, logging_level="error")
        ray.data.DataContext.get_current().enable_progress_bars = False
    module = import_module("weburl.ext.ray")
    name = method if method == "parse_url" else f"url_{old_word(method, RENAMED)}"
    given = [lit(each) for each in arguments] if method == "join" else arguments
    data = ray.data.from_arrow([import_module("pyarrow").table({"u": table_of(rows)})])
    found = data.with_column("x", getattr(module, name)(col("u"), *given, **options))
    return [row["x"] for row in found.take_all()]


def in_the_command(line: list[str]) -> tuple[object, bytes, bytes, bytes]:
    """The status, the output, the messages and the file of a command line."""
    from weburl.cli import main

    if IS_OLD:
        keys = {place + 1 for place, word in enumerate(line) if word == "--key"}
        line = [old_word(word, RENAMED_KEYS) if place in keys else word for place, word in enumerate(line)]
        line = ["--url" if word == "--base" and line[0] == "links" else word for word in line]
        line = [re.sub(r"\{(\w+)", lambda name: f"{{{old_word(name[1], RENAMED_FIELDS)}", word) for word in line]
        for field, option in (("{redacted}", "--redact"), ("{template}", "--template")):
            line = [each for word in line for each in (("{href}", option) if word == field else (word,))]
    elif "--base" in line and line[0] not in OWN_COMMANDS:
        # By itself, an empty line is not a URL now.
        line = [*line[: line.index("--base")], "--resolve-empty", *line[line.index("--base") :]]
    before, kept = os.getcwd(), [os.dup(place) for place in range(3)]
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
                os.close(descriptor)
            sys.stdin, sys.stdout, sys.stderr = sys.__stdin__, sys.__stdout__, sys.__stderr__
            os.chdir(before)
        out, err, file = (Path(folder, name) for name in (".out", ".err", "out"))
        # Without the list of options, which may have new ones.
        said = re.sub(rb"(?s)usage: .*?(?=weburl: |$)", b"", err.read_bytes())
        return status, out.read_bytes(), said, file.read_bytes() if file.exists() else b""


def public_names(module: str) -> Iterator[str]:
    """The module, its names, those in its classes, and those of parameters; or the options of a command."""
    if find_spec(module) is None:
        return
    yield module
    if module.startswith("weburl.cli."):
        for action in import_module(module).make_parser()._actions:
            yield from (f"{module}{name}" for name in action.option_strings)
        return
    found = import_module(module)
    for name in filter(is_public, dir(found)):
        thing = getattr(found, name)
        yield f"{module}.{name}"
        if isinstance(thing, type):
            for member in filter(is_public, dir(thing)):
                yield f"{module}.{name}.{member}"
                yield from parameters(f"{module}.{name}.{member}", getattr(thing, member, None))
        yield from parameters(f"{module}.{name}", thing)


def is_public(name: str) -> bool:
    return not name.startswith("_")


def parameters(place: str, thing: Any) -> Iterator[str]:
    try:
        yield from (f"{place}({name})" for name in inspect.signature(thing).parameters)
    except (TypeError, ValueError):
        # It is not a function, or is a class of Python's own.
        return


def answer(rows: list[Any], request: Request) -> Any:
    kind, *rest = request
    if kind == "names":
        return sorted(public_names(*rest))
    if kind == "line":
        return in_the_command(rest[0])
    if kind in ("written", "pickle", "plan"):
        # It imports modules, which become names of `weburl`.
        from support import pickled

        try:
            if kind == "written":
                return [*pickled.written(rows[:PICKLED])], [*pickled.plans()]
            return pickled.told(*rest) if kind == "pickle" else pickled.run_plan(*rest, is_old=IS_OLD)
        except Exception as error:
            return "raised", type(error).__name__, str(error)
    name, arguments, options, limit = rest
    functions = {engine: globals()[f"in_{engine}"] for engine in ("bulk", *ENGINES)}
    try:
        return plain(functions[kind](rows[:limit], name, arguments, dict(options)))
    except Exception as error:
        return raised(error)


def serve(address: str, is_old: bool) -> None:
    global IS_OLD
    IS_OLD = is_old
    with Client(address) as connection:
        rows = connection.recv()
        while (request := connection.recv()) is not None:
            connection.send(answer(rows, request))


# Two builds.


def build(commit: str) -> Path:
    """The source of a commit, compiled for this interpreter."""
    folder = ROOT / "build" / f"before-{commit}-{sys.implementation.cache_tag}"
    if not (folder / "built").exists():
        folder.mkdir(parents=True, exist_ok=True)
        archive = subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=subprocess.PIPE, check=True)
        subprocess.run(["tar", "-x"], cwd=folder, input=archive.stdout, check=True)
        command = [sys.executable, "setup.py", "-q", "build_ext", "--inplace"]
        subprocess.run(command, cwd=folder, check=True, env={**os.environ, "PYTHONPATH": ""})
        (folder / "built").touch()
    return folder / "src"


class Build:
    """A process that imports weburl from a folder, and answers requests."""

    def __init__(self, source: Path, rows: list[Any], *, is_old: bool) -> None:
        address = tempfile.mktemp(prefix="weburl-", suffix=".socket")
        with Listener(address) as listener:
            command = [sys.executable, __file__, "--serve", address, *["--old"] * is_old]
            self.process = subprocess.Popen(
                command, env={**os.environ, "COLUMNS": "80", "PYTHONPATH": str(source)}, stdin=subprocess.DEVNULL
            )
            # One that cannot start must not be waited for.
            Thread(target=self._let_in, args=(address,), daemon=True).start()
            self.connection: Connection = listener.accept()
            if self.process.poll() is not None:
                raise RuntimeError(f"the build in {source} cannot be started")
        self.connection.send(rows)

    def _let_in(self, address: str) -> None:
        if self.process.wait() != 0:
            with suppress(OSError):
                Client(address).close()

    def ask(self, request: Request) -> None:
        self.connection.send(request)

    def answer(self) -> Any:
        return self.connection.recv()

    def __enter__(self) -> Build:
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.send(None)
        self.process.wait()


class Difference(NamedTuple):
    name: str
    row: Any  # the text of the row, if it is one of a column
    before: Any
    after: Any


def differences(name: str, rows: Sequence[Any], before: Any, after: Any) -> Iterator[Difference]:
    """What differs: rows, if both give as many; of an object in a pickle, what users see."""
    if before == after:
        return
    if name.startswith("pickle "):
        kind, source = name.split(" ", 2)[1:]
        if isinstance(before, dict) and isinstance(after, dict):
            for seen in before:
                if before[seen] != after[seen]:
                    yield Difference(f"pickle {kind} {seen}", source, before[seen], after[seen])
        else:
            yield Difference(f"pickle {kind}", source, before, after)
        return
    columns = []
    for found in (before, after):
        # In weburl.bulk with the counts of errors.
        values = found[0] if name.startswith("bulk.") and isinstance(found[0], list) else found
        columns.append(values if isinstance(values, list) else None)
    old, new = columns
    if name.startswith(("weburl ", "plan ")) or old is None or new is None or len(old) != len(new):
        yield Difference(name, None, before, after)
        return
    for row, one, other in zip(rows, old, new, strict=False):
        if one != other:
            yield Difference(name, row, one, other)
    if old == new:
        yield Difference(name, None, before, after)


def reasons(difference: Difference) -> list[str]:
    """Why there may be such a difference; nothing if it is a fault."""
    if difference.name.startswith("weburl "):
        return [step.reason for step in alike(difference.name, difference.before, difference.after)]
    rows = (each for each in ACCEPTED if re.match(each.names, difference.name) and each.accepts(*difference[1:]))
    return [each.reason for each in islice(rows, 1)]


def compare(old: Build, new: Build, rows: list[Any], lines: int, engines: Sequence[str]) -> int:
    counts: Counter[str] = Counter()
    asked: Counter[str] = Counter()
    unexplained: Counter[str] = Counter()

    def note(difference: Difference) -> None:
        counts.update(found := reasons(difference))
        if found:
            return
        unexplained[difference.name] += 1
        if unexplained[difference.name] <= SHOWN:
            print(f"{difference.name} {difference.row!r:.300}", f"  before: {difference.before!r:.700}",
                f"  after:  {difference.after!r:.700}", sep="\n", flush=True)  # fmt: skip

    gone: set[str] = set()
    clients = [name for name in CLIENTS if find_spec(name) is not None]
    for module in (*MODULES, *(f"weburl.ext.{name}" for name in (*engines, *clients))):
        old.ask(("names", module))
        new.ask(("names", module))
        gone |= {*old.answer()} - {*new.answer()}
        asked["names"] += 1
    gone = {name for name in gone if not any(name.startswith((f"{each}.", f"{each}(", f"{each}-")) for each in gone)}
    lacking = sorted({*ENGINES, *CLIENTS} - {*engines, *clients})
    left_out = tuple(f"weburl.ext.{name}." for name in lacking)
    for name in sorted(gone ^ {name for name in GONE if not name.startswith(left_out)}):
        note(Difference(f"name {name}", None, name in gone, f"{name in GONE} in the table GONE"))
    if not unexplained:
        print(f"{len(gone):,} names are gone, each with its new name")
    old.ask(("written",))
    for name, request in (*written(*old.answer()), *requests(lines, engines)):
        old.ask(request)
        new.ask(request)
        before, after = old.answer(), new.answer()
        asked[request[0]] += 1
        of_rows = request[0] not in ("line", "pickle", "plan")
        for difference in differences(name, rows[: request[-1]] if of_rows else (), before, after):
            note(difference)
    print(f"not compared: {', '.join(lacking) or 'none'}")
    print(f"{len(rows):,} rows; asked: {', '.join(f'{kind} {count:,}' for kind, count in asked.items())}")
    for reason in [*(each.reason for each in ACCEPTED), *(step.reason for step in STEPS)]:
        print(f"{counts[reason]:9,} differ: {reason}")
        if not counts[reason] and len(rows) >= 10**5:
            unexplained[reason] += 1
            print("    none: the row of the table is not needed")
    print(
        f"{unexplained.total():,} differences without a reason, in {len(unexplained):,} of {asked.total():,} requests"
    )
    return unexplained.total()


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--before", type=Path, help="the folder to import the release from; it is built without this")
    parser.add_argument("--rows", type=int, default=10**5)
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--serve", help=argparse.SUPPRESS)
    parser.add_argument("--old", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.serve:
        serve(options.serve, options.old)
        return 0
    from support.hostile import inputs

    texts = (case.url.encode("utf-16", "surrogatepass").decode("utf-16", "replace") for case in inputs(36))
    first = islice(chain(FIXED_ROWS, texts), options.rows)
    rows = [None if index % 37 == 5 else text for index, text in enumerate(first)]
    before = options.before or build(RELEASE)
    engines = [name for name in options.engines.split(",") if name and find_spec(name) is not None]
    with Build(before, rows, is_old=True) as old, Build(ROOT / "src", rows, is_old=False) as new:
        return int(compare(old, new, rows, options.lines, engines) > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
