"""Compares the labels that display_host shows in Unicode with Chromium's: python -m tiers.display_agreement 3000

Chromium calls a tab whose page has no title by its URL, as it would show it. --write writes what it shows to
tests/data/displayed_labels.txt, which tests/test_displayed_labels.py compares with. --letters takes 22,000 labels, one
for each letter, instead of generated ones.
"""

from __future__ import annotations

import argparse
import sys
import threading
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from support import debian
from support.devtools import SECONDS, Page, chromium
from support.idn_labels import is_right_to_left, labels, letters

from weburl.display import display_host
from weburl.hosts import parse_host

FACTS = Path(__file__).parent.parent / "data" / "displayed_labels.txt"
LONGEST = 220


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def browser() -> Iterator[Page]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    rules = f"--host-resolver-rules=MAP * 127.0.0.1:{server.server_port}"
    without = "--disable-features=HttpsUpgrades,HttpsFirstBalancedModeAutoEnable"
    try:
        with chromium("--disable-quic", rules, without) as page:
            yield page
    finally:
        server.shutdown()
        server.server_close()


def shown(page: Page, host: str) -> list[str]:
    """The labels of a host as Chromium shows them."""
    page.events.clear()
    page.call("Page.navigate", url=f"http://{host}/")
    end = time.monotonic() + SECONDS
    while not any(event["method"] == "Page.loadEventFired" for event in page.events):
        page.events.append(page.read())
        if time.monotonic() > end:
            raise TimeoutError(host)
    title: str = page.call("Target.getTargetInfo")["targetInfo"]["title"]
    return title.strip("\u200e\u200f\u202a\u202c\u2066\u2069/").split(".")


def batches(hosts: Sequence[str]) -> Iterator[list[str]]:
    """First labels of hosts with one end, as many as a host has room for; one if it is right to left."""
    by_end: dict[str, list[str]] = defaultdict(list)
    for host in hosts:
        parsed = parse_host(host)
        if is_right_to_left(parsed.unicode):
            yield [host]
            continue
        batch = by_end[host.partition(".")[2]]
        if len(host) + sum([len(other.partition(".")[0]) + 1 for other in batch]) > LONGEST:
            yield batch
            by_end[host.partition(".")[2]] = batch = []
        batch.append(host)
    yield from filter(None, by_end.values())


def verdicts(page: Page, hosts: Sequence[str]) -> dict[str, bool]:
    """Whether Chromium shows the first label of each host in Unicode."""
    found = {}
    for batch in batches(hosts):
        first = [host.partition(".")[0] for host in batch]
        answer = shown(page, ".".join([*first, batch[0].partition(".")[2]]))
        assert len(answer) == len(first) + 2, answer
        found.update({host: not label.startswith("xn--") for host, label in zip(batch, answer, strict=False)})
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=3000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--letters", action="store_true")
    options = parser.parse_args(arguments)
    debian.require("chromium", "chromium")
    with browser() as page:
        version = page.call("Runtime.evaluate", expression="navigator.userAgent")["result"]["value"]
        found = verdicts(page, letters() if options.letters else labels(options.count, options.seed))
    chromium_version = version.split("Chrome/")[1].split(".")[0]
    if options.write:
        lines = [f"{'shown' if in_unicode else 'ascii'} {host}\n" for host, in_unicode in sorted(found.items())]
        FACTS.write_text(f"# Chromium {chromium_version}\n{''.join(lines)}", "utf-8")
    ours = {host: not display_host(host, isolate=False).startswith("xn--") for host in found}
    more = sorted([host for host in found if ours[host] and not found[host]])
    fewer = sum([found[host] and not ours[host] for host in found])
    same = len(found) - len(more) - fewer
    print(f"Chromium {chromium_version}, {len(found):,} labels: {same:,} the same, {fewer:,} only shown by Chromium")
    print(*(f"only shown by weburl: {parse_host(host).unicode} {host}" for host in more), sep="\n")
    return 1 if more else 0


if __name__ == "__main__":
    sys.exit(main())
