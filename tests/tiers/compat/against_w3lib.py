"""Compares weburl.compat.w3lib with w3lib 2.5.0 on hostile inputs: it must not raise if w3lib does not.

    cd tests && python -m tiers.compat.against_w3lib [N]

It also prints how many results are the same.
"""

from __future__ import annotations

import sys
from importlib import import_module
from itertools import islice
from typing import Any

from support import hostile

import weburl.compat.w3lib

FUNCTIONS = ("safe_url_string", "canonicalize_url", "safe_download_url", "parse_url", "parse_data_uri", "any_to_uri")


def outcome(function: Any, url: str) -> object:
    try:
        return function(url)
    except ValueError:
        return None


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 20_000
    peer = import_module("w3lib.url")
    problems = 0
    for name in FUNCTIONS:
        same = refused = both_refused = 0
        for item in islice(hostile.inputs(7), number):
            url = "data:" + item.url if name == "parse_data_uri" else item.url
            theirs, ours = outcome(getattr(peer, name), url), outcome(getattr(weburl.compat.w3lib, name), url)
            same += ours == theirs
            refused += theirs is None
            both_refused += theirs is None and ours is None
            # w3lib loses an empty query before it reads a data: URL, and so its question mark.
            if ours is None and theirs is not None and not (name == "parse_data_uri" and "?#" in url):
                problems += 1
                print(f"{name}({url!r}) raises; w3lib gives {theirs!r}")
        print(f"{name}: of {number}, {same} alike; w3lib refuses {refused}, weburl.compat {both_refused} of them")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
