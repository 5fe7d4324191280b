"""Checks that serializations parse to the same URL: after parsing, joining, replacing, copying, pickling and assigning.
And that their parts build the same URL.

After an assignment there are two exceptions, which are in the standard itself: see test_roundtrip.py.
"""

from __future__ import annotations

import argparse
import copy
import os
import pickle
import sys
import time
from collections import Counter
from collections.abc import Sequence
from itertools import islice
from multiprocessing import get_context
from typing import Any, NamedTuple

from support.hostile import inputs

from weburl import URL, InvalidURL

SEED_INPUTS = 10_000
PARTS = (
    "href protocol username password host hostname port pathname search hash origin host_type path_segments ip_address"
).split()


class Report(NamedTuple):
    """The number of round trips of a seed, by operation, and the hrefs that failed."""

    trips: Counter[str]
    failed: list[str]


def reads_back(url: URL) -> bool:
    again = URL.parse(url.href)
    if again is None or again != url or again.href != url.href:
        return False
    return all(getattr(again, name) == getattr(url, name) for name in PARTS)


def is_built(url: URL) -> bool:
    """Whether the parts make the same URL again, given as they are and with the path as its segments."""
    parts = url.parts()
    again = URL.build(**parts)
    if again != url or any(getattr(again, name) != getattr(url, name) for name in PARTS):
        return False
    segments = url.decoded_segments
    if segments is None:
        return url.has_opaque_path
    if any(segment in (".", "..") for segment in segments):
        return False
    others: Any = {**parts, "pathname": None}
    by_segments = URL.build(**others, path_segments=segments)
    return by_segments.decoded_segments == segments and by_segments.replace(pathname=url.pathname) == url


def assigned(url: URL, name: str, value: str) -> bool:
    """Whether an assignment has changed the URL. One that is refused must not."""
    before = url.href
    try:
        setattr(url, name, value)
    except InvalidURL:
        assert url.href == before
    return url.href != before


def replaced(url: URL, name: str, value: str) -> URL | None:
    try:
        return url.replace(**{name: value})
    except InvalidURL:
        return None


def run(seed: int) -> Report:
    trips: Counter[str] = Counter()
    failed: list[str] = []

    def check(what: str, url: URL | None) -> None:
        if url is not None:
            trips[what] += 1
            if not reads_back(url):
                failed.append(f"{what}: {url.href!a}")
            trips["built"] += 1
            if not is_built(url):
                failed.append(f"built, {what}: {url.href!a}")

    previous = URL("http://h/")
    for text, base, encoding, assignments in islice(inputs(seed), SEED_INPUTS):
        url = URL.parse(text, base, encoding=encoding)
        if url is None:
            continue
        check("parsed", url)
        check("joined", URL.parse(text, previous))
        check("copied", copy.copy(url))
        check("pickled", pickle.loads(pickle.dumps(url)))
        previous = copy.copy(url)
        for name, value in assignments:
            check("replaced", replaced(url, name, value))
            if assigned(url, name, value) and name == "protocol" and url.scheme == "file":
                url = URL(url.href)
            check("assigned", url)
        url.search_params.append("\u00e9", text[:9])
        check("appended", url)
    return Report(trips, failed)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("trips", type=int, nargs="?", default=10_000_000, help="about how many")
    parser.add_argument("--seed", type=int, default=1, help="the first seed")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args(arguments)
    start = time.monotonic()
    trips: Counter[str] = Counter()
    failed: list[str] = []
    with get_context("spawn").Pool(options.jobs) as pool:
        for report in pool.imap_unordered(run, range(options.seed, sys.maxsize)):
            trips += report.trips
            failed += report.failed
            if trips.total() >= options.trips:
                break
    listed = ", ".join(f"{count:,} {what}" for what, count in trips.items())
    print(*failed[:20], sep="\n", end="\n" if failed else "")
    print(f"{trips.total():,} round trips ({listed}): {len(failed):,} failed; {time.monotonic() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
