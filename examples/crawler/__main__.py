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

from crawler.crawl import POLL, Crawler, Options
from crawler.frontier import Frontier, create
from weburl import URL
from weburl.hosts import HostSet


def read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m crawler", description=__doc__)
    parser.add_argument("start", nargs="+", help="the URLs to start from")
    parser.add_argument("--scope", nargs="+", metavar="HOST", help="the hosts to fetch from; by default those of START")
    parser.add_argument("--frontier", type=Path, default=Path("crawl.sqlite"), metavar="FILE")
    parser.add_argument("--agent", default=Options.agent, help="the header User-Agent")
    parser.add_argument("--delay", type=float, default=Options.delay, help="seconds after each request to a site")
    parser.add_argument("--trap-limit", type=int, default=1000, help="the most pages that may have one trap_key")
    parser.add_argument("--shards", type=int, default=1, metavar="N", help="the number of processes")
    parser.add_argument("--shard", type=int, metavar="I", help="be only the process I of them")
    parser.add_argument("--reach", nargs="+", default=[], metavar="HOST", help="private hosts that may be fetched")
    return parser.parse_args()


async def crawl(arguments: argparse.Namespace, shard: int) -> None:
    scope = HostSet(arguments.scope or [f"={URL(start).hostname}" for start in arguments.start])
    options = Options(scope, arguments.agent, arguments.delay, shard, arguments.shards, reach=HostSet(arguments.reach))
    with closing(Frontier(arguments.frontier, shard, arguments.shards, arguments.trap_limit)) as frontier:
        crawler = Crawler(options, frontier)
        loop = asyncio.get_running_loop()
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(crawler.stopping.set))
        frontier.add(crawler.places(map(URL, arguments.start)))
        began, cpu_began = time.monotonic(), time.process_time()
        await crawler.run()
    seconds, cpu = time.monotonic() - began, time.process_time() - cpu_began
    count = max(crawler.requests, 1)
    print(
        f"shard {shard}: {crawler.requests} requests in {seconds:.1f} s, {count / seconds:.0f} a second. "
        f"{cpu / count * 1000:.2f} ms of CPU each: {crawler.page_work.nanoseconds / cpu / 1e7:.1f} % of it for links "
        f"of pages, {crawler.url_work.nanoseconds / cpu / 1e7:.1f} % for other work with URLs",
        flush=True,
    )


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
    while True:
        codes = [process.poll() for process in processes]
        # A process that has only just been started ends by the signal itself.
        has_failed = any(code not in (None, 0, -signal.SIGTERM) for code in codes)
        if None not in codes:
            return int(has_failed)
        if has_failed:
            stop()
        time.sleep(POLL)


def main() -> None:
    arguments = read_arguments()
    if arguments.shard is None and arguments.shards > 1:
        sys.exit(start_processes(arguments.frontier, arguments.shards))
    asyncio.run(crawl(arguments, arguments.shard or 0))


if __name__ == "__main__":
    main()
