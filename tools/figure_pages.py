"""Writes the tables of measured figures into the pages, from benchmarks/figures.json.

    make bench
    PYTHONPATH=benchmarks python tools/figure_pages.py [--check]

A page has `<!-- figures: NAME -->` where a table begins, and `<!-- /figures -->` after its end. Within a sentence, it
has `<!-- figure: NAME -->` before a figure, and `<!-- /figure -->` after it. benchmarks/tables.py makes both. With
--check, nothing is written: it fails if a page is not what it should be, if no page has a table, or if
docs/performance.md has no reason for a goal that is missed.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from pathlib import Path

import figures
import tables

ROOT = Path(__file__).resolve().parent.parent
PERFORMANCE = ROOT / "docs" / "performance.md"
REASONS = "## Goals that are missed, and why\n"
FIGURE = re.compile(r"(<!-- figure: ([^>]*?) -->)([^<\n]*)(<!-- /figure -->)")
TABLE = re.compile(r"(<!-- figures: (.*?) -->\n)(.*?)(<!-- /figures -->\n)", re.DOTALL)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if something is not current")
    is_check = parser.parse_args().check
    found = figures.read()
    made, values = tables.tables(found), tables.values(found)
    wrong, drawn = [], Counter[str]()
    for path in (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))):
        text = path.read_text("utf-8")
        current = TABLE.sub(lambda match: f"{match[1]}{made[match[2]]}{match[4]}", text)
        current = FIGURE.sub(lambda match: f"{match[1]}{values[match[2]]}{match[4]}", current)
        drawn.update(match[2] for match in TABLE.finditer(text))
        if text != current:
            wrong.append(f"{path.relative_to(ROOT)} is not current")
            if not is_check:
                path.write_text(current, "utf-8")
    # The page has the rows of README.md, too.
    wrong += [f"no page has the table {name}" for name in made if drawn[name] < 1 + (name == "headlines")]
    print(*wrong, sep="\n", end="\n" * bool(wrong))
    without = missing_reasons(tables.missed(found), PERFORMANCE.read_text("utf-8"))
    for work, inputs in without:
        print(f"docs/performance.md has no reason why {work}, {inputs}, misses its goal")
    return 1 if without or (wrong and is_check) else 0


def missing_reasons(missed: set[tuple[str, str]], page: str) -> list[tuple[str, str]]:
    """The goals that are missed and have no row in the page's table, whose first cells are works and inputs."""
    section = page.partition(REASONS)[2].partition("\n## ")[0]
    given = set()
    for line in section.splitlines():
        if line.startswith("|"):
            work, inputs = line.split("|")[1:3]
            given |= {(work.strip(), each.strip()) for each in inputs.split(";")}
    return sorted(missed - given)


if __name__ == "__main__":
    raise SystemExit(main())
