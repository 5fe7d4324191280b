"""weburl bench: measures weburl and other installed URL libraries on this machine."""

from __future__ import annotations

import json
import platform
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from itertools import islice
from operator import attrgetter, methodcaller
from statistics import median
from typing import Any, Final, NamedTuple

from weburl import URL
from weburl._core.percent import kernel_name
from weburl.bulk import parse_many
from weburl.cli._arguments import ArgumentParser, flag, option
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._options import FileArgs, base_of, reading_of
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.rows import Row

EXAMPLES: Final = r"""examples:
  weburl bench
  weburl bench --rounds 9 --json urls.txt

It times two kinds of work on one str after the other, on one thread: to parse it and read host, path and query; and to
parse it and serialize it. The figures are nanoseconds for each URL, medians of rounds in which the libraries take
turns. "agrees" counts the URLs whose serialization is the URL Standard's. It times the first 20,000 different URLs of a
file that every library accepts, or 2,000 made-up URLs if there is no file. It compares weburl with urllib.parse, and
with those of can_ada, ada-url, upa-url, pydantic-core, url-py and yarl that are installed. The first line has the
kernels of weburl that are in use: ssse3, neon or plain.

"""

MOST: Final = 20_000  # URLs
SECONDS: Final = 0.02  # no timing is shorter


class Library(NamedTuple):
    name: str
    parse: Callable[[str], Any]
    read: Callable[[Any], object]
    serialize: Callable[[Any], str]

    def accepts(self, text: str) -> bool:
        try:
            self.read(self.parse(text))
            self.serialize(self.parse(text))
        except Exception:  # libraries raise many kinds
            return False
        return True

    def hrefs(self, urls: Iterable[str]) -> Iterator[str]:
        return map(self.serialize, map(self.parse, urls))


# Distribution, module, the function that parses, the attributes to read, the function that serializes.
LIBRARIES: Final[list[tuple[str, str, str, str, Callable[[Any], str]]]] = [
    ("weburl", "weburl", "URL", "hostname pathname search", attrgetter("href")),
    ("can_ada", "can_ada", "parse", "hostname pathname search", attrgetter("href")),
    ("ada-url", "ada_url", "URL", "hostname pathname search", attrgetter("href")),
    ("upa-url", "upa_url", "URL", "hostname pathname search", attrgetter("href")),
    ("pydantic-core", "pydantic_core", "Url", "host path query", str),
    ("url-py", "url", "URL.parse", "host_str path query", str),
    ("yarl", "yarl", "URL", "raw_host raw_path raw_query_string", str),
    ("", "urllib.parse", "urlsplit", "hostname path query", methodcaller("geturl")),
]


def installed() -> Iterator[Library]:
    for distribution, module, parse, names, serialize in LIBRARIES:
        try:
            function = attrgetter(parse)(import_module(module))
        except (ImportError, AttributeError):
            continue
        yield Library(named(distribution or module), function, attrgetter(*names.split()), serialize)


def named(distribution: str) -> str:
    try:
        return f"{distribution} {version(distribution)}"
    except PackageNotFoundError:
        return distribution


class BenchArgs(FileArgs):
    base: str | None = option("--base", metavar="URL", help="with --log, the URL of the host whose log it is")
    rounds: int = option("--rounds", type=int, default=5, metavar="N", help="the number of rounds (default: 5)")
    json: bool = flag("--json", help="print an object instead of the table")


def make_parser() -> ArgumentParser:
    return ArgumentParser(
        "weburl bench",
        BenchArgs,
        description="Measures weburl and other installed URL libraries on this machine.",
        examples=EXAMPLES,
    )


def main(arguments: list[str]) -> int:
    parser = make_parser()
    low = parser.parse_args(arguments, BenchArgs())
    if low.rounds < 1:
        parser.refuse("--rounds must be at least 1")
    if low.base is not None and low.log is None:
        parser.refuse("--base goes with --log only")
    reading = reading_of(low, base_of(low.base))
    libraries = list(installed())
    texts: Iterable[Row] = made_up()
    if reading.files:
        texts = (text for source in Inputs(reading) for _, text in source.numbered())
    different = dict.fromkeys(text for text in islice(texts, 10 * MOST) if text and isinstance(text, str))
    urls = list(islice((text for text in different if all(one.accepts(text) for one in libraries)), MOST))
    if not urls:
        raise InputError("no URL is accepted by every library")
    result = measured(libraries, urls, low.rounds)
    print(json.dumps(result) if low.json else "\n".join(table(result)))
    return ExitCode.OK


def made_up() -> Iterator[str]:
    """Links as pages have them: most are serialized URLs, some are not."""
    for i in range(200):
        yield f"https://www.example{i}.com/"
        yield f"https://example.org/articles/2026/{i}/a-title-of-some-words.html"
        yield f"https://shop{i}.example.co.uk/search?q=some+words&page={i}&sort=price"
        yield f"http://example{i}.net:8080/a/b/c/d/e/f/g/h/i/j/k?x=1#section-{i}"
        yield f"https://en.example.org/wiki/Caf%C3%A9_{i}"
        yield f"https://cdn.example.com/assets/{i:032x}/image.png?w=640&h=480"
        yield f"HTTPS://WWW.Example{i}.COM/Index.html"
        yield f"https://example.com:443/a/b/../{i}/./c"
        yield f"https://example.com/search?q=a b {i}"
        yield f"https://example.com/größe/{i}"


def measured(libraries: Sequence[Library], urls: list[str], rounds: int) -> dict[str, Any]:
    """Nanoseconds for each URL, by library: the medians of the rounds."""
    exhaust = deque[object](maxlen=0).extend
    contenders: dict[tuple[str, str], Callable[[], object]] = {}
    for one in libraries:
        contenders[one.name, "parse_and_read"] = lambda one=one: exhaust(map(one.read, map(one.parse, urls)))  # type: ignore[misc]
        contenders[one.name, "serialize"] = lambda one=one: exhaust(one.hrefs(urls))  # type: ignore[misc]
    column = "weburl.bulk, a column"
    contenders[column, "parse_and_read"] = lambda: parse_many(urls, ["hostname", "pathname", "search"], threads=1)
    contenders[column, "serialize"] = lambda: parse_many(urls, ["href"], threads=1)
    turns = {key: max(round(SECONDS / seconds(run, 1)), 1) for key, run in contenders.items()}
    times: dict[tuple[str, str], list[float]] = {key: [] for key in contenders}
    for number in range(rounds):
        keys = list(contenders)
        for key in keys[number % len(keys) :] + keys[: number % len(keys)]:
            times[key].append(seconds(contenders[key], turns[key]) / turns[key] / len(urls) * 1e9)
    standard = [URL(text).href for text in urls]
    agreeing = {one.name: sum(map(str.__eq__, one.hrefs(urls), standard)) for one in libraries}
    return {
        "machine": platform.machine(),
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        "kernels": kernel_name(),
        "urls": len(urls),
        "rounds": rounds,
        "libraries": [
            {
                "name": name,
                "parse_and_read_ns": round(median(times[name, "parse_and_read"]), 1),
                "serialize_ns": round(median(times[name, "serialize"]), 1),
                "agrees": agreeing.get(name, len(urls)) / len(urls),
            }
            for name in dict.fromkeys(name for name, _ in contenders)
        ],
    }


def seconds(run: Callable[[], object], turns: int) -> float:
    start = time.perf_counter()
    for _ in range(turns):
        run()
    return time.perf_counter() - start


def table(result: dict[str, Any]) -> Iterator[str]:
    machine = f"{result['python']} on {result['machine']}, kernels: {result['kernels']}"
    yield f"{result['urls']:,} URLs, {machine}, median of {result['rounds']} rounds"
    yield f"\n{'ns a URL':<24}{'parse and read':>16}{'serialize':>20}{'agrees':>10}"
    first = result["libraries"][0]
    for one in result["libraries"]:
        row = f"{one['name']:<24}"
        for name, width in (("parse_and_read_ns", 8), ("serialize_ns", 12)):
            row += f"{one[name]:>{width},.0f} {one[name] / first[name]:>5.1f} x"
        yield f"{row}{one['agrees']:>10.1%}"
