"""What training gains: the times of a build with WEBURL_PGO=1, divided by those of the usual build.

Each build measures with the same programs, several times:

    python benchmarks/bench.py --json build/usual-1.json && python benchmarks/bench_bulk.py --json build/usual-1.json
    python benchmarks/trained.py --usual build/usual-*.json --trained build/trained-*.json

The best time of all runs counts.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import figures

# Rows of the page: the work, and its inputs.
ROWS = (
    ("URL(s)", "links"),
    ("URL(s)", "not normalized"),
    ("URL(s)", "other"),
    ("normalize(s)", "links"),
    ("join(base, ref)", "relative"),
    ("list(URLSearchParams(q))", "queries"),
    ("str(URLSearchParams(q))", "queries"),
    ("can_parse_many(urls)", "links"),
    ("component_many(urls, 'hostname')", "links"),
    ("href, hostname, pathname, search", "links"),
    ("redact_many(urls)", "links"),
)


def best(reports: Iterable[dict[str, Any]]) -> dict[tuple[str, str], float]:
    """The best time of each row, by its work and its inputs."""
    found: dict[tuple[str, str], float] = {}
    for report in reports:
        for row in (*report["scalar"]["limits"], *report["bulk"]["limits"]):
            key = row["work"], row["inputs"]
            found[key] = min(found.get(key, float("inf")), row["ours"]["best"])
    return found


def compared(usual: dict[tuple[str, str], float], trained: dict[tuple[str, str], float]) -> list[dict[str, Any]]:
    return [{"work": row[0], "inputs": row[1], "ratio": trained[row] / usual[row]} for row in ROWS]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--usual", type=Path, nargs="+", required=True, metavar="FILE")
    parser.add_argument("--trained", type=Path, nargs="+", required=True, metavar="FILE")
    options = figures.parsed(parser, "trained")
    usual, trained = ([figures.read(path) for path in paths] for paths in (options.usual, options.trained))
    rows = compared(best(usual), best(trained))
    for row in rows:
        print(f"{row['work']:40}{row['inputs']:16}{row['ratio']:.2f}")
    if options.json:
        scalar = trained[0]["scalar"]
        about = {name: scalar[name] for name in ("machine", "versions", "rounds")}
        figures.add(options.json, "trained", {**about, "runs": len(usual), "rows": rows})
    return 0


if __name__ == "__main__":
    sys.exit(main())
