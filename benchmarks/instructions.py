"""Counts the instructions of each operation, with callgrind: a table that noise of the machine does not change.

    python benchmarks/instructions.py --json build/before.json
    python benchmarks/instructions.py --compare build/before.json
    python benchmarks/instructions.py --check

The inputs are the same every time: 2,000 of the real links, or generated ones. All operations run in one process. Each
runs over its inputs twice before it is counted, so that first calls drop out, and then twice more. A plain `for` loop
is part of it, as in the times of bench.py. Counts depend on the build, on the C library and on which kernels and which
copies the processor has, not on its speed or its load.

instructions.json has the counts that hold for this commit, and what they depend on. --check fails if a row is more than
2 % above its count there, and says if it cannot compare; --write writes the file. `make instructions` runs --check.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache, partial
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple
from urllib.parse import quote

sys.path.append(str(Path(__file__).parents[1] / "tests"))

import corpora
from compare import str as text
from compare import weburl
from support.arrow import Array, AsArray

from weburl import URL, URLPattern, URLSearchParams
from weburl.bulk import (
    can_parse_many,
    canonicalize_many,
    component_many,
    fingerprint_many,
    host_in_many,
    is_private_url_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    path_template_many,
    pattern_extract_many,
    pattern_test_many,
    percent_decode_many,
    query_get_many,
    query_pairs_many,
    query_values_many,
    redact_many,
    redactions_many,
    route_many,
)
from weburl.patterns import PatternList
from weburl.percent import PercentEncodeSet, percent_encode
from weburl.redact import path_template, redact

KEPT = Path(__file__).with_name("instructions.json")
MOST = 1.02
COUNT = 2000
REPETITIONS = 2
FOUR = ("href", "hostname", "pathname", "search")
PATTERN = "https://:sub.*/:first/*"
OWN_SET = PercentEncodeSet.of("component", "!'()*")
ROUTES = {
    "number": "https://*/*/:number(\\d+)",
    "page": "https://*/*.html",
    "wiki": "https://:language.wikipedia.org/wiki/:title",
    "path": "https://*/:first/*",
}
# How many routes a list has, of each form: names alone, as people write them, and as they are learnt.
LISTS = (1, 10, 100, 2000)


def routes(count: int, name: str) -> dict[str, str]:
    """So many routes of one host, with two to four segments."""
    kinds = ("{0}/{1}", "{0}/:id/{1}", "{0}/{1}/:id", "{0}/:id/{1}/:n")
    return {
        str(i): f"*://shop.example/{kinds[i % 4].format(f'kind{i // 40}', f'part{i}')}".replace(":id", name)
        for i in range(count)
    }


@cache
def route_list(count: int, name: str) -> PatternList:
    return PatternList(routes(count, name))


def route(count: int, name: str) -> Callable[[Any], None]:
    """The list is compiled once, when it is first used."""
    return lambda column: on_column(route_many, route_list(count, name))(column)


def routed(count: int) -> list[str]:
    """URLs for these routes."""
    patterns = [*routes(count, "7301").values()]
    return [
        patterns[i * 7 % count].replace("*", "https", 1).replace(":n", str(i)).replace("7301", str(i * 31))
        for i in range(COUNT)
    ]


# The C library's copies are loops: from some length on it takes an instruction that is counted for each byte.
ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "GLIBC_TUNABLES": "glibc.cpu.x86_rep_movsb_threshold=1000000000:glibc.cpu.x86_rep_stosb_threshold=1000000000",
}

# Tables of hashes have random keys: with another key, other texts share a place, which is up to 5 % of a row.
SAME_KEYS = "import os\nos.urandom = lambda count: (b'\\x9e7y\\xb9\\x7fJ|\\x15' * count)[:count]\n"


class Operation(NamedTuple):
    work: str
    inputs: str
    run: Callable[[Any], None]


def loop(urls: Iterable[str]) -> None:
    for _ in urls:
        pass


def get(urls: Iterable[URL]) -> None:
    for url in urls:
        url.hostname  # noqa: B018


def assign(urls: Iterable[URL]) -> None:
    for url in urls:
        url.pathname = "/x/y"
        url.search = "?q=1"
        url.hash = "#z"
        url.host = "example.org"


def add(urls: Iterable[URL]) -> None:
    for url in urls:
        url.add_params(page="2", q="a b")


def remove(urls: Iterable[URL]) -> None:
    for url in urls:
        url.without_params("page", "q")


def build(all_params: Iterable[dict[str, str]]) -> None:
    for params in all_params:
        URL.build(scheme="https", host="h", params=params)


def build_links(urls: Iterable[URL]) -> None:
    for url in urls:
        URL.build(scheme=url.scheme, host=url.host, pathname=url.pathname, query=url.query, fragment=url.fragment)


def build_paths(all_segments: Iterable[list[str]]) -> None:
    for segments in all_segments:
        URL.build(scheme="https", host="h", path_segments=segments)


def each(function: Callable[[Any], object]) -> Callable[[Any], None]:
    def run(urls: Iterable[str]) -> None:
        for url in urls:
            function(url)

    return run


def on_column(function: Callable[..., object], *arguments: object, **options: object) -> Callable[[Any], None]:
    def run(column: Any) -> None:
        function(column, *arguments, threads=1, **options)

    return run


def join_rows(column: Any) -> None:
    join_many(column, column, threads=1)


OPERATIONS = (
    Operation("the loop alone", "links", loop),
    Operation("URL(s)", "links", weburl.parse),
    Operation("FrozenURL(s)", "links", weburl.parse_frozen),
    Operation("URL(s)", "long links", weburl.parse),
    Operation("URL(s)", "not normalized", weburl.parse),
    Operation("URL(s)", "other", weburl.parse),
    Operation("URL(s), raise and catch", "failing", weburl.fail),
    Operation("url.hostname", "URLs", get),
    Operation("URL(s), hostname, pathname, search", "links", weburl.parse_parts),
    Operation("URL.can_parse(s)", "links", weburl.can_parse),
    Operation("URL.can_parse(s)", "not ASCII", weburl.can_parse),
    Operation("normalize(s)", "links", weburl.normalize),
    Operation("join(base, ref)", "relative", weburl.join),
    Operation("pathname, search, hash, host assigned", "URLs", assign),
    Operation("hash(url)", "texts", text.take_hash),
    Operation("hash(url)", "FrozenURLs", weburl.take_hash),
    Operation("url == other", "texts", text.compare),
    Operation("url == other", "FrozenURLs", weburl.compare),
    Operation("URLSearchParams(q)", "queries", weburl.params),
    Operation("list(URLSearchParams(q))", "queries", weburl.params_list),
    Operation("str(URLSearchParams(q))", "queries", weburl.params_str),
    Operation("URLSearchParams(mapping)", "pairs", each(URLSearchParams)),
    Operation("URL.build(params=mapping)", "pairs", build),
    Operation("URL.build(...)", "URLs", build_links),
    Operation("URL.build(path_segments=...)", "segments", build_paths),
    Operation("url.with_params(...)", "URLs", weburl.edit),
    Operation("url.add_params(...)", "URLs", add),
    Operation("url.without_params(...)", "URLs", remove),
    Operation("percent_encode(text)", "phrases", weburl.percent_encode),
    Operation("percent_encode(text, own_set)", "phrases", each(partial(percent_encode, set=OWN_SET))),
    Operation("percent_decode(text)", "encoded phrases", weburl.percent_decode),
    Operation("pattern.test(s)", "links", partial(weburl.pattern_test, URLPattern(PATTERN))),
    Operation("pattern.exec(s)", "links", partial(weburl.pattern_groups, URLPattern(PATTERN))),
    Operation("can_parse_many(urls)", "column", on_column(can_parse_many)),
    Operation("can_parse_many(urls)", "long column", on_column(can_parse_many)),
    Operation("component_many(urls, 'hostname')", "column", on_column(component_many, "hostname")),
    Operation("href, hostname, pathname, search", "column", on_column(parse_many, FOUR)),
    Operation("href, hostname, pathname, search", "long column", on_column(parse_many, FOUR)),
    Operation("href, hostname, pathname, search as views", "column", on_column(parse_many, FOUR, views=True)),
    Operation("parse_lines(data, ['hostname'])", "lines", on_column(parse_lines, ["hostname"])),
    *(
        operation
        for inputs in ("list", "views", "dictionary")
        for operation in (
            Operation("can_parse_many(urls)", inputs, on_column(can_parse_many)),
            Operation("component_many(urls, 'hostname')", inputs, on_column(component_many, "hostname")),
            Operation("href, hostname, pathname, search", inputs, on_column(parse_many, FOUR)),
            Operation("href, hostname, pathname, search as views", inputs, on_column(parse_many, FOUR, views=True)),
        )
    ),
    Operation("component_many(urls, 'hostname')", "other, in a list", on_column(component_many, "hostname")),
    Operation("component_many(urls, 'hostname')", "not ASCII, in a list", on_column(component_many, "hostname")),
    Operation("all fields", "column", on_column(parse_many)),
    Operation("all fields as views", "column", on_column(parse_many, views=True)),
    Operation(
        "registrable_domain, public_suffix", "column", on_column(parse_many, ("registrable_domain", "public_suffix"))
    ),
    Operation("normalize_many(urls)", "column", on_column(normalize_many)),
    Operation("normalize_many(urls, base)", "column", on_column(normalize_many, "https://example.org/a/b")),
    Operation("join_many(urls, urls)", "column", join_rows),
    Operation("canonicalize_many(urls)", "column", on_column(canonicalize_many)),
    Operation("canonicalize_many(urls, 'surt')", "column", on_column(canonicalize_many, "surt")),
    Operation("fingerprint_many(urls)", "column", on_column(fingerprint_many)),
    Operation("fingerprint_many(urls, bits=128)", "column", on_column(fingerprint_many, bits=128)),
    Operation("redact_many(urls)", "column", on_column(redact_many)),
    Operation("redactions_many(urls)", "column", on_column(redactions_many)),
    Operation("path_template_many(urls)", "column", on_column(path_template_many)),
    Operation("is_private_url_many(urls)", "column", on_column(is_private_url_many)),
    Operation("host_in_many(urls, hosts)", "column", on_column(host_in_many, ("sourceforge.net", "*.wikipedia.org"))),
    Operation("query_get_many(urls, 'id')", "column", on_column(query_get_many, "id")),
    Operation("query_values_many(urls, keys)", "column", on_column(query_values_many, ("id", "q", "utm_source"))),
    Operation("query_pairs_many(urls)", "column", on_column(query_pairs_many)),
    Operation("pattern_test_many(urls, pattern)", "column", on_column(pattern_test_many, PATTERN)),
    Operation("pattern_extract_many(urls, pattern)", "column", on_column(pattern_extract_many, PATTERN)),
    Operation("route_many(urls, routes)", "column", on_column(route_many, ROUTES)),
    *(
        Operation(f"route_many(urls, {count} routes, {form})", f"of {count} routes", route(count, name))
        for form, name in (("names", ":id"), ("typed", ":id(\\d+)"))
        for count in LISTS
    ),
    Operation("percent_decode_many(texts)", "column", on_column(percent_decode_many)),
    Operation("redact(s)", "links", each(redact)),
    Operation("redact(s)", "long links", each(redact)),
    Operation("path_template(s)", "links", each(path_template)),
    Operation("redact_many(urls)", "long column", on_column(redact_many)),
)


class Dictionary(AsArray):
    """An Arrow column that can be read again."""

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        kept = self.arrays
        self.arrays = [Array.from_buffer_copy(kept[0])]
        exported = super().__arrow_c_array__()
        self.exported, self.arrays = self.arrays, kept
        return exported


def make(inputs: str) -> tuple[Any, int]:
    """The inputs of a name, and how many there are."""
    links = corpora.real_links() or corpora.links(COUNT)
    links = [link for link in links if URL.can_parse(link)]
    links = links[:: len(links) // COUNT][:COUNT]
    # As in the other benchmarks, a query has ten pairs.
    makers: dict[str, Callable[[], Sequence[Any]]] = {
        "links": lambda: links,
        "long links": lambda: corpora.longer(links),
        "not normalized": lambda: corpora.not_normalized(COUNT),
        "other": lambda: corpora.other(COUNT),
        "not ASCII": lambda: corpora.not_ascii(COUNT),
        "other, in a list": lambda: 5 * corpora.other(COUNT),
        "not ASCII, in a list": lambda: 5 * corpora.not_ascii(COUNT),
        "failing": lambda: corpora.failing(COUNT),
        "relative": lambda: corpora.relative(COUNT),
        "URLs": lambda: list(map(URL, links)),
        "FrozenURLs": lambda: weburl.make_compare(links),
        "texts": lambda: text.make_compare(links),
        "queries": lambda: corpora.queries(COUNT // 5),
        "pairs": lambda: [dict(URLSearchParams(query)) for query in corpora.queries(COUNT // 5)],
        "segments": lambda: [list(URL(link).decoded_segments or ()) for link in links if "%" not in link],
        "phrases": lambda: corpora.phrases(COUNT),
        "encoded phrases": lambda: [quote(phrase, safe="") for phrase in corpora.phrases(COUNT)],
    }
    if inputs in makers:
        found = makers[inputs]()
        return found, len(found)
    if inputs.startswith("of "):
        made = routed(int(inputs.split()[1]))
        return normalize_many(made, threads=1), len(made)
    rows = 5 * (corpora.longer(links) if inputs == "long column" else links)
    if inputs == "lines":
        return "\n".join(rows).encode(), len(rows)
    # Arrow columns, which need no other package.
    columns: dict[str, Callable[[], Any]] = {
        "list": lambda: rows,
        "views": lambda: component_many(normalize_many(rows, threads=1), "href", threads=1, views=True),
        "dictionary": lambda: Dictionary([rows], index="i"),
    }
    return columns.get(inputs, lambda: normalize_many(rows, threads=1))(), len(rows)


def run_here(library: str, indices: Iterable[int]) -> None:
    """Under callgrind, which writes a file for each operation."""
    callgrind = ctypes.CDLL(library)
    gc.disable()
    inputs: dict[str, Any] = {}
    for index in indices:
        _, name, run = OPERATIONS[index]
        if name not in inputs:
            inputs[name] = make(name)[0]
        for _ in range(REPETITIONS):
            run(inputs[name])
        callgrind.start_counting()
        for _ in range(REPETITIONS):
            run(inputs[name])
        callgrind.stop_counting(str(index).encode())


def describe_here() -> None:
    """The build, and how many inputs each operation has."""
    try:
        from weburl._core.percent import kernel_name

        kernels = kernel_name()
    except ImportError:
        # A tree from before there was a choice.
        kernels = ""
    counts = {inputs: make(inputs)[1] for _, inputs, _ in OPERATIONS}
    build = f"CPython {sys.version.split()[0]}, weburl {version('weburl')}" + (kernels and f", kernels {kernels}")
    print(json.dumps({"build": build, "counts": counts}))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE", help="write the counts there")
    parser.add_argument("--compare", metavar="FILE", help="print those of an earlier --json, too")
    parser.add_argument("--python", default=sys.executable, help="the interpreter that has the weburl to count")
    parser.add_argument("--only", default="", metavar="TEXT", help="operations that have the text in their name")
    parser.add_argument("--check", action="store_true", help="fail if a row is 2 %% above instructions.json")
    parser.add_argument("--write", action="store_true", help="write instructions.json")
    parser.add_argument("--describe", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--run", nargs="+", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.describe:
        describe_here()
    elif options.run:
        run_here(options.run[0], map(int, options.run[1:]))
    else:
        before = json.loads(Path(options.compare).read_bytes()) if options.compare else None
        found = print_counts([one for one in OPERATIONS if options.only in one.work], options.python, before)
        if found and options.json:
            Path(options.json).write_text(json.dumps(found, indent=1), "utf-8")
        if options.check or options.write:
            return keep(found, options.write)
    return 0


Counts = dict[str, Any]


def print_counts(
    chosen: Sequence[Operation] = OPERATIONS, python: str = sys.executable, before: Counts | None = None
) -> Counts | None:
    """Prints the table, and returns what --json has."""
    valgrind, compiler = shutil.which("valgrind"), shutil.which("cc")
    if valgrind is None or compiler is None:
        print("no instructions are counted: valgrind or a C compiler is not installed\n")
        return None
    kept = ("PATH", "WEBURL_DATA", "WEBURL_SIMD")
    environment = ENVIRONMENT | {name: os.environ[name] for name in kept if name in os.environ}
    start = partial(subprocess.run, env=environment, check=True, capture_output=True, text=True)
    described = json.loads(start([python, __file__, "--describe"]).stdout)
    number = start([valgrind, "--version"]).stdout.strip()
    print(f"{described['build']}, {number}: instructions for each item\n", flush=True)
    with TemporaryDirectory() as folder:
        library = f"{folder}/callgrind.so"
        source = Path(__file__).with_name("callgrind.c")
        if subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=False).returncode:
            print("no instructions are counted: the headers of valgrind are not installed\n")
            return None
        Path(folder, "sitecustomize.py").write_text(SAME_KEYS, "utf-8")
        start.keywords["env"]["PYTHONPATH"] = folder
        command = [valgrind, "--tool=callgrind", "--instr-atstart=no", f"--callgrind-out-file={folder}/counted"]
        start([*command, python, __file__, "--run", library, *(str(OPERATIONS.index(one)) for one in chosen)])
        counted = dict(map(read_count, Path(folder).glob("counted.*")))
    rows = []
    for one in chosen:
        each = counted[OPERATIONS.index(one)] / REPETITIONS / described["counts"][one.inputs]
        rows.append({"work": one.work, "inputs": one.inputs, "instructions": round(each, 1)})
    print("\n".join(table(rows, before["rows"] if before else None)), end="\n\n")
    return {"build": described["build"], "valgrind": number, "rows": rows}


def read_count(path: Path) -> tuple[int, int]:
    """The index of an operation, and its instructions, from what callgrind has written."""
    text = path.read_text("utf-8", "replace")
    index, count = (re.search(line, text, re.MULTILINE) for line in (r"^desc: Trigger: .*: (\d+)$", r"^summary: (\d+)"))
    if index is None or count is None:
        raise ValueError(f"callgrind has written no count: {text[:300]}")
    return int(index[1]), int(count[1])


def conditions(found: Counts) -> dict[str, str]:
    """What counts depend on."""
    compiler = subprocess.run(["cc", "--version"], capture_output=True, text=True, check=True).stdout.partition("\n")[0]
    links = "\n".join(corpora.real_links() or [])
    return {
        "machine": platform.machine(),
        "python and kernels": re.sub(r", weburl [^,]*", "", found["build"]),
        "compiler": compiler,
        "C library": " ".join(platform.libc_ver()),
        "valgrind": found["valgrind"],
        "links": hashlib.sha256(links.encode()).hexdigest()[:16],
    }


def keep(found: Counts | None, write: bool) -> int:
    """Writes instructions.json, or compares with it: 1 if a row is too much above it, or nothing was counted."""
    if found is None:
        return 1
    now = {f"{row['work']} | {row['inputs']}": row["instructions"] for row in found["rows"]}
    if write:
        KEPT.write_text(json.dumps({"counted with": conditions(found), "instructions": now}, indent=1) + "\n", "utf-8")
        return 0
    lines, failed = compared(now, json.loads(KEPT.read_bytes()), conditions(found))
    print("\n".join(lines))
    return failed


def compared(now: Mapping[str, float], kept: Mapping[str, Any], conditions: Mapping[str, str]) -> tuple[list[str], int]:
    """Lines about the rows whose counts differ, or about why these are not compared; and whether a row has failed."""
    other = [
        f"{name} {was}, now {conditions[name]}" for name, was in kept["counted with"].items() if was != conditions[name]
    ]
    if other:
        return [f"NOT COMPARED: {KEPT.name} was counted with {'; '.join(other)}"], 0
    before = kept["instructions"]
    lines, failed = [], 0
    for row, count in now.items():
        # Those of texts are Python's own, and differ by some percent from folder to folder.
        texts = f"{row.partition(' | ')[0]} | texts"
        if row == texts:
            continue
        rise = now[texts] - before[texts] if texts in now and texts in before else 0
        ratio = (count - rise) / before[row] if row in before else float("inf")
        if ratio > MOST:
            was = f"{before[row]:,.0f} before" if row in before else f"not in {KEPT.name}"
            lines.append(f"FAILED {row}: {count:,.0f} instructions, {was}")
            failed = 1
        elif ratio < 2 - MOST:
            lines.append(f"{row}: {count:,.0f} instructions, {before[row]:,.0f} before; --write keeps this")
    own = sum(not row.endswith(" | texts") for row in now)
    return [*lines, f"{own} rows are compared with {KEPT.name}"], failed


Rows = Sequence[Mapping[str, Any]]


def table(rows: Rows, before: Rows | None = None) -> Iterator[str]:
    """In Markdown, with the counts before if there are any."""
    header = ("operation", "inputs", "instructions") if before is None else ("operation", "inputs", "before", "now", "")
    yield f"| {' | '.join(header)} |".replace("|  |", "| |")
    yield f"|---|---|{'---:|' * (len(header) - 2)}"
    earlier = {(row["work"], row["inputs"]): row["instructions"] for row in before or ()}
    for row in rows:
        now = row["instructions"]
        cells = [f"`{row['work']}`" if "(" in row["work"] else row["work"], row["inputs"], f"{now:,.0f}"]
        if before is not None:
            was = earlier.get((row["work"], row["inputs"]))
            cells[2:] = [f"{was:,.0f}" if was else "", f"{now:,.0f}", f"{now / was - 1:+.1%}" if was else ""]
        yield f"| {' | '.join(cells)} |".replace("|  |", "| |")


if __name__ == "__main__":
    sys.exit(main())
