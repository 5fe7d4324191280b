"""Compare weburl with other URL libraries: a table of the limits it is held to, and one of everybody."""

import argparse
import importlib
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from importlib.metadata import version
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import Any
from urllib.parse import quote

import answers
import corpora
import figures
import instructions
from programs import JavaScript, write_lines
from timing import Loop, Timing, import_time, measure

from weburl import URL
from weburl._core.percent import kernel_name

PEERS = (
    "can_ada",
    "ada_url",
    "upa_url",
    "pydantic_core",
    "url_py",
    "yarl",
    "furl",
    "urllib",
    "pywhatwgurl",
    "fast_query_parsers",
    "w3lib",
    "scrapy",
    "str",
)
Inputs = Sequence[Any]


@dataclass(frozen=True)
class Limit:
    """weburl may take `limit` times what the peer takes for the same work."""

    work: str
    function: str
    inputs: str
    peer: str
    limit: float


LIMITS = (
    Limit("URL(s)", "parse", "links", "can_ada", 0.20),
    Limit("URL(s), hostname, pathname, search", "parse_parts", "links", "can_ada", 0.28),
    Limit("URL.can_parse(s)", "can_parse", "links", "can_ada", 0.17),
    Limit("normalize(s)", "normalize", "links", "can_ada", 0.13),
    Limit("URL(s)", "parse", "not normalized", "can_ada", 0.25),
    Limit("URL(s)", "parse", "other", "can_ada", 0.22),
    Limit("URL(s), raise and catch", "fail", "failing", "can_ada", 0.35),
    Limit("URL(ref, base)", "parse_relative", "relative", "can_ada", 0.40),
    Limit("join(base, ref)", "join", "relative", "can_ada", 0.15),
    Limit("URL.can_parse(ref, base)", "can_parse_relative", "relative", "can_ada", 0.50),
    Limit("URL(s), host seen before", "parse", "IDN", "upa_url", 0.70),
    Limit("URLSearchParams(q)", "params", "queries", "upa_url", 0.50),
    Limit("list(URLSearchParams(q))", "params_list", "queries", "upa_url", 0.35),
    Limit("str(URLSearchParams(q))", "params_str", "queries", "upa_url", 0.22),
    Limit("URLSearchParams(q), list, str", "params_all", "queries", "upa_url", 0.50),
    Limit("percent_encode(text)", "percent_encode", "phrases", "urllib", 0.20),
    Limit("percent_decode(text)", "percent_decode", "encoded phrases", "urllib", 0.20),
    Limit("safe_url_string(s)", "safe_url_string", "links", "w3lib", 0.20),
    Limit("safe_url_string(s)", "safe_url_string", "not ASCII", "w3lib", 0.30),
    Limit("canonicalize_url(s)", "canonicalize_url", "links", "w3lib", 0.20),
    Limit("canonicalize_url(s)", "canonicalize_url", "not ASCII", "w3lib", 0.30),
    Limit("compat.urllib.urljoin(base, ref)", "urljoin", "relative", "urllib", 0.10),
    Limit("registrable_domain(host)", "registrable_domain", "hosts", "upa_url", 0.80),
    # Not beside URL(s), which keeps the str that it is given: the faster that is, the slower this would seem.
    Limit("URL.build(...)", "build", "parts of links", "yarl", 0.15),
    Limit("URL.build(path_segments=...)", "build_decoded", "decoded parts", "yarl", 0.15),
    Limit("URL.build(...)", "build", "parts of links", "furl", 0.05),
    Limit("url.with_params(...)", "edit", "built links", "yarl", 1.00),
    Limit("hash(url)", "take_hash", "built links", "str", 1.20),
    Limit("url == other", "compare", "built links", "str", 1.20),
    Limit("fingerprint(s)", "fingerprint", "links", "scrapy", 0.15),
)
# Bun and Node, on the links: the work, the function, the same work in JavaScript, and the limit.
JAVASCRIPT = (
    ("URL(s)", "parse", "new URL(s)", 1.00),
    ("URL(s)", "parse", "URL.parse(s)", 1.00),
    ("URL(s), hostname, pathname, search", "parse_parts", "hostname, pathname, search", 1.00),
    ("URL.can_parse(s)", "can_parse", "URL.canParse(s)", 1.00),
    ("normalize(s)", "normalize", "URL.parse(s).href", 1.00),
)
EVERYBODY = (
    ("links", ("parse", "parse_parts", "can_parse", "normalize")),
    ("not normalized", ("normalize",)),
    ("other", ("normalize",)),
    ("failing", ("fail",)),
    ("relative", ("parse_relative", "join")),
    ("queries", ("params", "params_list", "params_str", "params_all")),
    ("phrases", ("percent_encode",)),
    ("encoded phrases", ("percent_decode",)),
)


HEADER = ("work", "inputs", "weburl", "peer", "its time", "ratio", "at most", "")
WIDTHS = (35, 15, 9, 31, 9, 5, 9, 7)


@dataclass(frozen=True)
class Row:
    """A measured limit: a ratio to the peer's time or, without a peer, a bound in the row's own unit."""

    work: str
    inputs: str
    unit: str
    ours: Timing
    limit: float
    peer: str = ""
    theirs: Timing | None = None

    @property
    def ratio(self) -> float | None:
        return self.ours.best / self.theirs.best if self.theirs else None

    @property
    def verdict(self) -> str:
        if self.peer and self.ratio is None:
            return "no peer"
        return "OK" if (self.ratio or self.ours.best) <= self.limit else "MISS"

    def cells(self) -> list[str]:
        return [
            self.work,
            self.inputs,
            f"{self.ours.best:,.{1 if self.unit == 'ms' else 0}f} {self.unit}",
            self.peer,
            f"{self.theirs.best:,.0f} {self.unit}" if self.theirs else "",
            f"{self.ratio:.2f}" if self.ratio else "",
            f"{self.limit:.2f}" if self.peer else f"{self.limit:,.0f} {self.unit}",
            self.verdict,
        ]


@dataclass(frozen=True)
class Corpus:
    """What both weburl and can_ada parse, how much was left out for that, and what weburl made of it."""

    urls: Inputs
    left_out: int
    kept_share: float
    same_href_share: float | None


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--short", action="store_true", help="a smoke run: few inputs, three rounds")
    parser.add_argument("--rounds", type=int, help="rounds a row; else WEBURL_BENCH_ROUNDS, else 15")
    parser.add_argument("--only", metavar="TEXT", help="only works with the text, which --json adds to the others")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    arguments = figures.parsed(parser, "scalar")
    rounds = arguments.rounds or int(os.environ.get("WEBURL_BENCH_ROUNDS", "3" if arguments.short else "15"))
    count = 500 if arguments.short else 5000

    libraries, missing = load()
    engines = load_engines(missing)
    versions = {name: version(module.DISTRIBUTION) for name, module in libraries.items() if module.DISTRIBUTION}
    versions |= {name: engine.version for name, engine in engines.items()}
    machine = describe_machine()
    print(f"{machine}, one thread, best of {rounds} rounds")
    print(", ".join(f"{name} {number}" for name, number in versions.items()), end="\n\n")

    chosen = choose(libraries.get("can_ada"), count)
    inputs = assemble(chosen, count)
    if arguments.only:
        some = list(measure_limits(libraries, inputs, rounds, arguments.only))
        return measure_only(arguments.only, some, arguments.json)
    rows = print_limits(libraries, engines, inputs, rounds)
    print_corpora(chosen)
    parsers = {name: library for name, library in libraries.items() if hasattr(library, "href")}
    everybody = print_everybody(parsers, inputs, min(rounds, 5))
    right = answers.count(libraries, engines)
    counts = instructions.print_counts(instructions.OPERATIONS[:: 8 if arguments.short else 1])
    if arguments.json:
        measured = {
            "machine": machine,
            "versions": versions,
            "missing": missing,
            "rounds": rounds,
            "limits": [drawn(row) for row in rows],
            "corpora": {name: asdict(corpus) | {"urls": len(corpus.urls)} for name, corpus in chosen.items()},
            "everybody": {
                work: {name: asdict(each) for name, each in all_.items()} for work, all_ in everybody.items()
            },
            "instructions": counts,
        }
        figures.add(arguments.json, "scalar", measured)
        figures.add(arguments.json, "answers", {"counts": right})
    return 1 if missing and arguments.require_peers else 0


def measure_only(text: str, rows: Sequence[Row], path: Path | None) -> int:
    """Prints some rows and their instructions, and puts them into the file in the place of those of before."""
    print_table(HEADER, [row.cells() for row in rows], WIDTHS)
    counts = instructions.print_counts([one for one in instructions.OPERATIONS if text in one.work])
    if path:
        section = figures.read(path)["scalar"]
        section["limits"] = merged(section["limits"], [drawn(row) | {"date": figures.today()} for row in rows])
        if counts:
            section["instructions"]["rows"] = merged(section["instructions"]["rows"], counts["rows"])
        figures.add(path, "scalar", section)
    return 0


def merged(rows: Iterable[dict[str, Any]], others: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """Rows with those of the same work replaced by others, and the rest of these at the end."""
    by_key = {(row["work"], row["inputs"], row.get("peer")): row for each in (rows, others) for row in each}
    return list(by_key.values())


def drawn(row: Row) -> dict[str, Any]:
    return asdict(row) | {"ratio": row.ratio, "verdict": row.verdict}


def describe_machine() -> str:
    cpuinfo = Path("/proc/cpuinfo")
    lines = cpuinfo.read_text("utf-8").splitlines() if cpuinfo.exists() else []
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    processor = next(models, platform.processor() or platform.machine())
    system = f"{platform.system()} {platform.machine()}"
    cores = f"{os.cpu_count()} cores, kernels {kernel_name()}"
    return f"CPython {platform.python_version()}, {system}, {processor}, {cores}"


def load() -> tuple[dict[str, ModuleType], list[str]]:
    libraries = {"weburl": importlib.import_module("compare.weburl")}
    missing = []
    for name in PEERS:
        try:
            libraries[name] = importlib.import_module(f"compare.{name}")
        except ImportError as error:
            missing.append(name)
            print(f"MISSING PEER {name}: {error}")
    return libraries, missing


def load_engines(missing: list[str]) -> dict[str, JavaScript]:
    engines = {}
    for name in ("Bun", "Node"):
        try:
            engines[name] = JavaScript(name)
        except ImportError as error:
            missing.append(name)
            print(f"MISSING PEER {name}: {error}")
    return engines


def choose(can_ada: ModuleType | None, count: int) -> dict[str, Corpus]:
    links = corpora.real_links()
    if links is None:
        print("no real links (WEBURL_DATA is not set, or has none): generated ones instead\n")
        links = corpora.links(4 * count)
    elif count < 5000:
        links = links[:: len(links) // count]
    return {
        "links": accepted(links, can_ada),
        "not normalized": accepted(corpora.not_normalized(count), can_ada),
        "other": accepted(corpora.other(count), can_ada),
        "relative": accepted(corpora.relative(count), can_ada),
    }


def accepted(candidates: Inputs, can_ada: ModuleType | None) -> Corpus:
    urls, kept, same = [], 0, 0
    for candidate in candidates:
        arguments = (candidate,) if isinstance(candidate, str) else candidate
        url = URL.parse(*arguments)
        theirs = can_ada.href(*arguments) if can_ada else None
        if url is None or (can_ada and theirs is None):
            continue
        urls.append(candidate)
        kept += url.href is arguments[0]
        same += url.href == theirs
    left_out = len(candidates) - len(urls)
    return Corpus(urls, left_out, kept / len(urls), same / len(urls) if can_ada else None)


def assemble(chosen: dict[str, Corpus], count: int) -> dict[str, Inputs]:
    phrases = corpora.phrases(count)
    # Without ports and credentials, and with hosts that all libraries take.
    built = [url for url in map(URL, map(str, chosen["links"].urls)) if re.fullmatch("[a-z0-9.-]+", url.host)]
    built = [url for url in built if not url.includes_credentials]
    # Few, as it is not the reading of five times as many objects that is measured.
    built = built[:: max(1, len(built) // 1000)]
    return {
        **{name: corpus.urls for name, corpus in chosen.items()},
        "built links": [url.href for url in built],
        "parts of links": [(url.scheme, url.hostname, url.pathname, url.query, url.fragment) for url in built],
        "decoded parts": [(url.scheme, url.hostname, url.decoded_segments, url.query, url.fragment) for url in built],
        "failing": corpora.failing(count),
        "not ASCII": corpora.not_ascii(count),
        "hosts": corpora.hosts(count),
        "pages": corpora.pages(count // 20),
        "pages of links": corpora.large_pages(max(1, count // 200), 200, 0),
        "pages of text": corpora.large_pages(max(1, count // 400), 200, 160),
        "IDN": corpora.idn_hosts(200),
        "queries": corpora.queries(count // 5),
        "phrases": phrases,
        "encoded phrases": [quote(phrase, safe="") for phrase in phrases],
    }


def print_limits(
    libraries: dict[str, ModuleType], engines: dict[str, JavaScript], inputs: dict[str, Inputs], rounds: int
) -> list[Row]:
    rows = []

    def cells() -> Iterator[list[str]]:
        for row in chain(
            measure_limits(libraries, inputs, rounds),
            measure_engines(libraries["weburl"], engines, inputs["links"], rounds),
        ):
            rows.append(row)
            yield row.cells()

    print_table(HEADER, cells(), WIDTHS)
    return rows


def measure_limits(
    libraries: dict[str, ModuleType], inputs: dict[str, Inputs], rounds: int, only: str = ""
) -> Iterator[Row]:
    weburl = libraries["weburl"]
    for limit in LIMITS:
        if only not in limit.work:
            continue
        contenders = {}
        for name in ("weburl", limit.peer):
            if name in libraries:
                # What a library makes of the inputs first, which is not measured.
                make = getattr(libraries[name], f"make_{limit.function}", list)
                contenders[name] = Loop(getattr(libraries[name], limit.function), [make(inputs[limit.inputs])])
        timings = measure(contenders, rounds)
        theirs = timings.get(limit.peer)
        yield Row(limit.work, limit.inputs, "ns", timings["weburl"], limit.limit, limit.peer, theirs)
    if only:
        return

    if "scrapy" in libraries:
        scrapy = libraries["scrapy"]
        timings = measure(
            {
                "weburl": Loop(scrapy.extract_links_with_weburl, [inputs["pages"]]),
                "scrapy": Loop(scrapy.extract_links, [inputs["pages"]]),
            },
            rounds,
        )
        for inputs_name, most in (("pages of links", 1 / 12), ("pages of text", 1 / 5)):
            pages_timings = measure(
                {
                    "weburl": Loop(scrapy.page_links, [inputs[inputs_name]]),
                    "scrapy": Loop(scrapy.extract_links_of_bytes, [inputs[inputs_name]]),
                },
                rounds,
            )
            yield Row(
                "page_links(html, url)", inputs_name, "ns", pages_timings["weburl"], most, "scrapy",
                pages_timings["scrapy"],
            )  # fmt: skip
        # 1.6 times as many links a second.
        yield Row("LinkExtractor", "pages", "ns", timings["weburl"], 1 / 1.6, "scrapy", timings["scrapy"])

    # What making a URL of another one costs beside joining.
    urls = list(map(URL, inputs["built links"]))
    timings = measure(
        {
            "add_segment": Loop(weburl.add_segment, [urls]),
            "join_segment": Loop(weburl.join_segment, [urls]),
        },
        rounds,
    )
    yield Row('url / "x"', "links", "ns", timings["add_segment"], 2, "join", timings["join_segment"])

    # Each round takes 200 hosts that this process has not met, and comes after others of their kind.
    hosts = corpora.idn_hosts(200 * (rounds + 2))[len(inputs["IDN"]) :]
    fresh = [hosts[start : start + 200] for start in range(0, len(hosts), 200)]
    timing = measure({"weburl": Loop(weburl.parse, fresh)}, rounds)["weburl"]
    yield Row("URL(s), a host not seen before", "IDN", "ns", timing, 10_000)

    size = float(sys.getsizeof(URL("https://example.com/path?query#fragment")))
    yield Row("sys.getsizeof(URL(s))", "", "bytes", Timing(size, size), 96)
    timing, modules = import_time("weburl", "idna", max(rounds, 7))
    yield Row("import weburl", "", "ms", timing, 8)
    yield Row("import weburl: modules of idna", "", "", Timing(modules, modules), 0)


def measure_engines(weburl: ModuleType, engines: dict[str, JavaScript], links: Inputs, rounds: int) -> Iterator[Row]:
    with TemporaryDirectory() as folder:
        lines = write_lines(Path(folder, "links"), links)
        programs = {name: engine.over(lines, links) for name, engine in engines.items()}
        for work, function, theirs, limit in JAVASCRIPT:
            contenders: dict[str, Loop | Callable[[], float]] = {"weburl": Loop(getattr(weburl, function), [links])}
            for name, program in programs.items():
                contenders[name] = partial(program.a_line, theirs)
            timings = measure(contenders, rounds)
            for name in programs:
                yield Row(work, "links", "ns", timings["weburl"], limit, f"{name}: {theirs}", timings[name])
        for program in programs.values():
            program.close()


def print_corpora(chosen: dict[str, Corpus]) -> None:
    rows = [
        [
            name,
            f"{len(corpus.urls):,}",
            f"{corpus.left_out:,}",
            f"{corpus.kept_share:.1%}",
            "" if corpus.same_href_share is None else f"{corpus.same_href_share:.2%}",
        ]
        for name, corpus in chosen.items()
    ]
    print_table(("inputs", "URLs", "left out", "kept without a copy", "href as can_ada's"), rows, (14, 6, 8, 19, 17))


def print_everybody(
    libraries: dict[str, ModuleType], inputs: dict[str, Inputs], rounds: int
) -> dict[str, dict[str, Timing]]:
    """Nanoseconds of every library, on a sample of the inputs that all of them take as URLs (or, failing, refuse)."""
    measured: dict[str, dict[str, Timing]] = {}

    def cells() -> Iterator[list[str]]:
        for name, functions in EVERYBODY:
            sample = inputs[name][:: max(1, len(inputs[name]) // 1000)]
            for function in functions:
                able = {key: library for key, library in libraries.items() if hasattr(library, function)}
                common = [item for item in sample if all_take(able.values(), name, item)]
                timings = measure({key: Loop(getattr(each, function), [common]) for key, each in able.items()}, rounds)
                measured[f"{function}, {name}"] = timings
                yield [
                    f"{function}, {name}",
                    *(f"{timings[key].best:,.0f}" if key in timings else "" for key in libraries),
                ]

    print("everybody, nanoseconds:")
    print_table(("", *libraries), cells(), (30, *(max(len(name), 7) for name in libraries)))
    return measured


def all_take(libraries: Iterable[ModuleType], name: str, item: str | tuple[str, str]) -> bool:
    if name in ("queries", "phrases", "encoded phrases"):
        return True
    arguments = (item,) if isinstance(item, str) else item
    return all((library.href(*arguments) is None) == (name == "failing") for library in libraries)


def print_table(header: Sequence[str], rows: Iterable[Sequence[str]], widths: Sequence[int]) -> None:
    """A Markdown table, the first column to the left; each row is printed when it is there."""

    def line(cells: Sequence[str]) -> str:
        first, *others = (cell.ljust(width) for cell, width in zip(cells, widths, strict=True))
        return " | ".join(["| " + first, *(cell.strip().rjust(len(cell)) for cell in others)]) + " |"

    print(line(header))
    print("|" + "|".join(("-" * (width + 1)) + (":" if index else "-") for index, width in enumerate(widths)) + "|")
    for row in rows:
        print(line(row), flush=True)
    print()


if __name__ == "__main__":
    sys.exit(main())
