"""Four crawlers on a site of 2,000 pages on loopback, and what the site counts: the table of docs/howto/crawl.md.

make demo-crawl
python benchmarks/demo_crawl.py [--wrong]       # prints wrong requests, too
python benchmarks/demo_crawl.py --json benchmarks/figures.json
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import figures
from bench import describe_machine
from crawl.site import PAGES

FOLDER = Path(__file__).resolve().parent / "crawl"
# After which a crawler stops, whatever it finds.
LIMIT = 2 * PAGES
CRAWLERS = {
    "Scrapy": ("with_scrapy.py",),
    "Scrapy with the add-on": ("with_scrapy.py", "add-on"),
    "Scrapy with the add-on, reading pages that have a refresh": ("with_scrapy.py", "add-on", "both"),
    "weburl and aiohttp": ("with_weburl.py",),
}
COLUMNS = ("missed", "twice", "wrong", "requests")


def crawl(origin: str, script: str, *options: str) -> dict[str, Any]:
    urlopen(f"{origin}/.clear").read()
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, str(FOLDER / script), f"{origin}/", str(LIMIT), *options]
    ran = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    counts: dict[str, Any] = json.load(urlopen(f"{origin}/.counts"))
    # Those that did not even come to the site are wrong, too.
    return counts | {"seconds": seconds, "wrong": counts["wrong"] + int(ran.stdout)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wrong", action="store_true", help="print the wrong requests, too")
    options = figures.parsed(parser, "crawl demo")
    rows = []
    server = subprocess.Popen([sys.executable, str(FOLDER / "site.py")], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    try:
        origin = f"http://127.0.0.1:{int(server.stdout.readline())}"
        print("| crawler | pages missed | fetched again | wrong requests | requests | CPU seconds |")
        print("|---|---:|---:|---:|---:|---:|")
        for name, command in CRAWLERS.items():
            counts = crawl(origin, *command)
            rows.append({"crawler": name} | {column: counts[column] for column in (*COLUMNS, "seconds")})
            cells = [f"{counts[column]:,}" for column in COLUMNS]
            print(f"| {name} | {' | '.join(cells)} | {counts['seconds']:.1f} |", flush=True)
            if options.wrong:
                print(*counts["examples"], sep="\n", file=sys.stderr)
    finally:
        server.terminate()
        server.wait()
    if options.json:
        versions = {name: version(name) for name in ("aiohttp", "scrapy", "weburl")}
        figures.add(options.json, "crawl demo", {"machine": describe_machine(), "versions": versions, "rows": rows})


if __name__ == "__main__":
    main()
