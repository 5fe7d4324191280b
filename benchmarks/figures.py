"""The file of figures, benchmarks/figures.json: each benchmark writes its section with --json, and
tools/figure_pages.py writes the tables of the pages from it."""

import json
from argparse import ArgumentParser, Namespace
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).with_suffix(".json")


def parsed(parser: ArgumentParser, section: str, is_whole: Callable[[Namespace], bool] | None = None) -> Namespace:
    """The arguments, with --json. What is not a whole run does not go into the file of the pages."""
    parser.add_argument("--json", type=Path, metavar="FILE", help=f'write the figures there, too, as "{section}"')
    arguments = parser.parse_args()
    is_part = getattr(arguments, "short", False) or (is_whole is not None and not is_whole(arguments))
    if arguments.json is not None and arguments.json.resolve() == FIGURES.resolve() and is_part:
        parser.error(f"{FIGURES.name} has the figures of whole runs: write those of a part to another file")
    return arguments


def read(path: Path = FIGURES) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
    return figures


def today() -> str:
    return f"{date.today():%-d %B %Y}"


def add(path: Path, section: str, measured: Mapping[str, Any]) -> None:
    """Writes a section, with the day; what other benchmarks have written stays."""
    figures = read(path) | {section: {"date": today(), **measured}}
    path.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", "utf-8")
