"""Crawls the sites of crawl/wild_site.py with examples/crawler and with Scrapy, and compares with what is expected.

python benchmarks/crawl_wild.py [--pages 20000] [--shards 2] [--kills 20] [--scrapy]

With --json benchmarks/figures.json, each run writes its row of a table in docs/howto/crawl.md, or its column. The page
has the commands.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from importlib.metadata import version
from pathlib import Path
from random import Random
from sqlite3 import connect
from typing import Any
from urllib.request import ProxyHandler, build_opener

import figures
from bench import describe_machine
from crawl.wild_site import HOSTS, NAMES, PRIVATE, SCOPE, WildSite, problems

HERE = Path(__file__).resolve().parent
EXAMPLES = HERE.parent / "examples"
# Pages of a run whose figures the page has.
FEWEST = 8000
# No proxy, whatever the environment says.
open_url = build_opener(ProxyHandler({})).open


class Wild:
    """The sites, served by a process; and crawls of them."""

    def __init__(self, port: int, pages: int, trap_limit: int) -> None:
        self.port = port
        self.trap_limit = trap_limit
        self.expected = WildSite(pages, trap_limit).expected()
        self.start = f"http://{HOSTS[0]}:{port}/"

    def ask(self, what: str) -> Any:
        """The answer of the site to "tell", "clear" or "requests"."""
        with open_url(f"http://127.0.0.1:{self.port}/.{what}") as response:
            return json.load(response)

    def problems(self) -> dict[str, list[str]]:
        return problems(self.ask("tell"), self.expected)

    def command(self, *options: str, module: str = "crawler") -> list[str]:
        settings = {"--delay": ["0"], "--trap-limit": [str(self.trap_limit)]}
        settings |= {"--scope": [*SCOPE, *PRIVATE], "--reach": ["127.0.0.1"]}
        words = [word for name, values in settings.items() for word in (name, *values)]
        return [sys.executable, "-m", module, self.start, *words, *options]

    def crawl_with_scrapy(self, folder: Path, *options: str) -> None:
        command = self.command("--jobdir", str(folder), *options, module="crawler.with_scrapy")
        # Its log is long: each redirect to what is not a URL for the web has a traceback.
        subprocess.run(command, check=True, env=environment(), stderr=subprocess.DEVNULL)

    def crawl(self, frontier: Path, *options: str, module: str = "crawler") -> subprocess.Popen[str]:
        """Starts the crawler, with its processes in a group of their own."""
        command = self.command("--frontier", str(frontier), *options, module=module)
        return subprocess.Popen(command, env=environment(), stdout=subprocess.PIPE, text=True, start_new_session=True)

    def crawl_with_kills(self, frontier: Path, kills: int, random: Random, *options: str) -> list[list[str]]:
        """Kills the crawler at random moments, and starts it again. Returns the sites of what was in flight."""
        total = len(self.expected.once) + sum(self.expected.limited.values())
        moments = sorted(random.randrange(total) for _ in range(kills))
        repeated = []
        for moment in moments:
            process = self.crawl(frontier, *options)
            while process.poll() is None and self.ask("requests") < moment:
                time.sleep(random.random() / 50)
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            repeated.append(in_flight(frontier))
        process = self.crawl(frontier, *options)
        process.communicate()
        assert process.returncode == 0
        return repeated


def in_flight(frontier: Path) -> list[str]:
    """The site of each page that is in flight."""
    with closing(connect(frontier)) as db:
        if not db.execute("SELECT 1 FROM sqlite_schema WHERE name = 'pages'").fetchone():
            return []
        return [site for (site,) in db.execute("SELECT site FROM pages WHERE state = 'in flight'")]


def environment() -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return kept | {"PYTHONPATH": os.pathsep.join([str(NAMES), str(EXAMPLES), *filter(None, sys.path)])}


@contextmanager
def serving(pages: int, trap_limit: int, text: int = 0, links: int = 0) -> Iterator[Wild]:
    command = [sys.executable, "-m", "crawl.wild_site", *map(str, (pages, trap_limit, text, links))]
    server = subprocess.Popen(command, cwd=HERE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        yield Wild(int(server.stdout.readline()), pages, trap_limit)
    finally:
        server.terminate()
        server.communicate()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=20_000)
    parser.add_argument("--text", type=int, default=0, help="bytes of text in each page beside its links")
    parser.add_argument("--links", type=int, default=0, help="links in each page to pages that all pages link to")
    parser.add_argument("--shards", type=int, default=1)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--scrapy", action="store_true")
    parser.add_argument("--seed", type=int, default=1)
    options = figures.parsed(parser, "wild crawl", lambda options: options.pages >= FEWEST)
    measured = in_flights = None
    with serving(options.pages, 200, options.text, options.links) as wild, tempfile.TemporaryDirectory() as folder:
        frontier = Path(folder) / "crawl.sqlite"
        shards = ("--shards", str(options.shards))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        if options.scrapy:
            wild.crawl_with_scrapy(Path(folder))
        elif options.kills:
            repeated = wild.crawl_with_kills(frontier, options.kills, Random(options.seed), *shards)
            counts = [len(sites) for sites in repeated]
            in_flights = sum(counts)
            print(f"in flight at each kill: {counts}, {in_flights} together")
        else:
            # Which part of page_links() is for URLs is measured by a module that looks into it, in one process.
            process = wild.crawl(frontier, *shards, module="crawler" if options.shards > 1 else "crawl.measured")
            measured = process.communicate()[0]
            print(measured)
        told = wild.ask("tell")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        # Of processes that were killed, it is not known.
        cpu = "" if options.kills else f", {seconds:.1f} s of CPU"
        print(f"{told['requests']} requests for {len(told['seen'])} pages{cpu}")
        listed = wild.problems()
        for name, found in listed.items():
            print(f"{name}: {len(found)} {found[:10]}")
    if options.json:
        row: dict[str, Any] = {"requests": told["requests"], "in flight": in_flights}
        row["milliseconds"] = None if options.kills else seconds / told["requests"] * 1000
        row |= {name: len(listed[name]) for name in ("missed", "again")}
        row["wrong"] = sum(len(listed[name]) for name in ("forbidden", "wrong", "too much"))
        write_figures(options.json, options, row, measured or "")


def write_figures(path: Path, options: argparse.Namespace, row: dict[str, Any], measured: str) -> None:
    """The other rows and columns stay as they are, with their dates."""
    date = {"date": figures.today(), "machine": describe_machine()}
    section = {"rows": {}, "shares": {}} | figures.read(path).get("wild crawl", {}) | date
    section["versions"] = {name: version(name) for name in ("aiohttp", "scrapy", "weburl")}
    if not options.text and not options.links:
        section["rows"][kind_of(options)] = row | date
    if options.shards == 1 and not options.scrapy and not options.kills:
        found = re.findall(r"^ *([\d.]+)% .*? s (.+)$", measured, re.MULTILINE)
        shares = {part: float(share) for share, part in found}
        page = {"text": options.text, "links": options.links, "milliseconds": row["milliseconds"]}
        section["shares"][f"{options.text}, {options.links}"] = page | {"parts": shares} | date
    figures.add(path, "wild crawl", section)


def kind_of(options: argparse.Namespace) -> str:
    """The name of the row."""
    if options.scrapy:
        return "scrapy"
    return f"shards {options.shards}" + f", kills {options.kills}" * bool(options.kills)


if __name__ == "__main__":
    main()
