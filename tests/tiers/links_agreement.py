"""Compares page_links with a headless Chromium on generated pages: python -m tiers.links_agreement 500"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence

from support.link_pages import browser, explain, generate

# A browser that has had so many is started again.
PAGES_OF_A_BROWSER = 100
ATTEMPTS = 5


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=int, nargs="?", default=500)
    parser.add_argument("--seed", type=int, default=0, help="the seed of the first page")
    options = parser.parse_args(arguments)
    start = time.monotonic()
    explained: Counter[str] = Counter()
    links = unexplained = differ = 0
    last = options.seed + options.pages
    seed = options.seed
    attempts = 0
    while seed < last:
        begin = seed
        try:
            with browser() as chromium:
                while seed < min(begin + PAGES_OF_A_BROWSER, last):
                    page = generate(seed)
                    found, reasons = explain(chromium, page)
                    links += chromium.links
                    differ += bool(found)
                    explained.update(reasons)
                    if found and not reasons:
                        unexplained += 1
                        print(f"page {seed}: {page}", *found, sep="\n    ", flush=True)
                    seed += 1
                    attempts = 0
        except TimeoutError:
            # On a machine that is busy, or stops its programs, a browser may not answer.
            attempts += 1
            if attempts == ATTEMPTS:
                raise
    print(
        f"{options.pages:,} pages with {links:,} links, seeds {options.seed} to {last - 1}: {differ:,} differ, "
        f"{unexplained:,} unexplained; {time.monotonic() - start:.0f} s"
    )
    print(*(f"{count:9,} {reason}" for reason, count in explained.most_common()), sep="\n")
    return 1 if unexplained else 0


if __name__ == "__main__":
    sys.exit(main())
