"""How many answers of each peer are right, by the Web Platform Tests' urltestdata.json.

    python benchmarks/answers.py --json benchmarks/figures.json

`make bench` does it, too. A case is an input, often with a base, and the serialization that a browser gives, or that it
refuses the input. A peer that only finds hosts is asked for the host of the cases without a base.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any

import figures
from programs import HERE, JavaScript, write_lines

DATA = "urltestdata.json"
# Peers that find a host in a line of text. What they find for a text that is not a URL has to be nothing.
Hosts = Callable[[Sequence[str]], Sequence[str | None]]
Counts = dict[str, tuple[int, int]]
Case = dict[str, Any]


def cases() -> list[Case] | None:
    """The cases, from WEBURL_DATA or from where wpt_data/sync.py puts them."""
    spec = importlib.util.spec_from_file_location("wpt_data_sync", HERE.parent / "wpt_data" / "sync.py")
    assert spec is not None
    assert spec.loader is not None
    sync = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(sync)
    given = os.environ.get("WEBURL_DATA")
    for place in (*([Path(given)] if given else []), HERE.parent / "wpt_data" / "data"):
        if files := sync.find_files(place, [DATA]):
            return [case for case in json.loads(files[DATA].read_bytes()) if isinstance(case, dict)]
    return None


def of_library(library: ModuleType, asked: Sequence[Case]) -> tuple[int, int]:
    right = count = 0
    for case in asked:
        try:
            href = library.href(case["input"], case.get("base"))
        except NotImplementedError:  # it cannot join
            continue
        except Exception as error:
            href = repr(error)
        count += 1
        right += href == case.get("href")
    return right, count


def of_engine(engine: JavaScript, asked: Sequence[Case]) -> tuple[int, int]:
    with tempfile.TemporaryDirectory() as folder:
        pairs = Path(folder, "pairs.json")
        pairs.write_text(json.dumps([[case["input"], case.get("base")] for case in asked]), "utf-8")
        hrefs = json.loads(engine.run("answers.mjs", pairs))
    return sum(href == case.get("href") for href, case in zip(hrefs, asked, strict=True)), len(asked)


def of_hosts(find: Hosts, asked: Sequence[Case]) -> tuple[int, int]:
    """An empty host is as good as none."""
    lines = [
        case for case in asked if not case.get("base") and case["input"].isprintable() and "\ufffd" not in case["input"]
    ]
    hosts = find([case["input"] for case in lines])
    return sum((host or "") == case.get("hostname", "") for host, case in zip(hosts, lines, strict=True)), len(lines)


def host_finders() -> Iterator[tuple[str, Hosts]]:
    columns: ModuleType = import_module("columns")

    def chdb(lines: Sequence[str]) -> Sequence[str]:
        with tempfile.TemporaryDirectory() as folder:
            hosts: Sequence[str] = columns.Chdb(write_lines(Path(folder, "urls"), lines)).hosts()
            return hosts

    def istr(lines: Sequence[str]) -> Sequence[str | None]:
        hosts: Sequence[str | None] = columns.PolarsIstr(lines).hosts()
        return hosts

    def cut(lines: Sequence[str]) -> Sequence[str]:
        text = "".join(f"{line}\n" for line in lines)
        ran = subprocess.run(["cut", "-d/", "-f3"], input=text.encode(), capture_output=True, check=True)
        return ran.stdout.decode("utf-8", "replace").split("\n")[:-1]

    yield "chdb", chdb
    yield "polars-istr", istr
    yield "cut", cut


def count(libraries: Mapping[str, ModuleType], engines: Mapping[str, JavaScript]) -> Counts:
    """The right answers of each peer, and how many it was asked for; nothing where there is no data."""
    asked = cases()
    if asked is None:
        print("no Web Platform Tests data: right answers are not counted")
        return {}
    counts = {name: of_library(each, asked) for name, each in libraries.items() if hasattr(each, "href")}
    counts |= {name: of_engine(each, asked) for name, each in engines.items()}
    for name, find in host_finders():
        try:
            counts[f"{name}, hosts"] = of_hosts(find, asked)
        except (ImportError, OSError) as error:
            print(f"MISSING PEER {name}: {error}")
    print("right answers, of the Web Platform Tests' cases:")
    for name, (right, number) in counts.items():
        print(f"  {name}: {right} of {number}")
    print()
    return counts


def main() -> None:
    import bench

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", type=Path, metavar="FILE", help='write them there, too, as "answers"')
    arguments = parser.parse_args()
    libraries, missing = bench.load()
    counts = count(libraries, bench.load_engines(missing))
    if arguments.json and counts:
        figures.add(arguments.json, "answers", {"counts": counts})


if __name__ == "__main__":
    main()
