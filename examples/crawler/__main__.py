"""python -m crawler START... [options]: crawls, or goes on with a crawl. `--shards N` starts N processes."""

from __future__ import annotations

import argparse
import asyncio
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

from crawler.crawl import POLL, Crawler
from crawler.frontier import Frontier, create
from weburl import URL
from weburl.hosts import HostSet


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m crawler", description=__doc__)
    parser.add_argument("start", nargs="+", help="the URLs to start from")
    parser.add_argument("--scope", nargs="+", metavar="HOST", help="the hosts to fetch from; by default those of START")
    parser.add_argument("--frontier", type=Path, default=Path("crawl.sqlite"), metavar="FILE")
    parser.add_argument("--agent", default="ExampleBot/1.0", help="the header User-Agent")
    parser.add_argument("--delay", type=float, default=1.0, help="seconds after each request to a site")
    parser.add_argument("--trap-limit", type=int, default=1000, help="the most pages that may have one trap_key")
    parser.add_argument("--shards", type=int, default=1, metavar="N", help="the number of processes")
    parser.add_argument("--shard", type=int, metavar="I", help="be only the process I of them")
    parser.add_argument("--reach", nargs="+", default=[], metavar="HOST", help="private hosts that may be fetched")
    return parser.parse_args()


async def crawl(options: argparse.Namespace, shard: int) -> None:
    options.scope = HostSet(options.scope or [f"={URL(start).hostname}" for start in options.start])
    options.reach = HostSet(options.reach)
    with closing(Frontier(options.frontier, shard, options.shards, options.trap_limit)) as frontier:
        crawler = Crawler(options, frontier)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(crawler.stopping.set))
        frontier.add(crawler.pages(map(URL, options.start)))
        began, cpu_began = time.monotonic(), time.process_time()
        await crawler.run()
    seconds, cpu = time.monotonic() - began, time.process_time() - cpu_began
    rate, each = crawler.requests / seconds, cpu / max(crawler.requests, 1) * 1000
    print(f"shard {shard}: {crawler.requests} requests, {rate:.0f} a second. {each:.2f} ms of CPU each", flush=True)


def start_processes(frontier: Path, shards: int) -> int:
    """A process for each shard. A signal to this one is one to all of them, and so is the failure of one of them."""
    create(frontier, shards)
    command = [sys.executable, "-m", "crawler", *sys.argv[1:], "--shard"]
    processes = [subprocess.Popen([*command, str(shard)]) for shard in range(shards)]

    def stop(*_: object) -> None:
        for process in processes:
            process.terminate()

    signal.signal(signal.SIGINT, stop)
    signal.signal(signal.SIGTERM, stop)
    while None in (codes := [process.poll() for process in processes]):
        if any(codes):
            stop()
        time.sleep(POLL)
    # A process that has only just been started ends by the signal itself.
    return int(any(code not in (0, -signal.SIGTERM) for code in codes))


def main() -> None:
    options = read_arguments()
    if options.shard is None and options.shards > 1:
        sys.exit(start_processes(options.frontier, options.shards))
    asyncio.run(crawl(options, options.shard or 0))


if __name__ == "__main__":
    main()
