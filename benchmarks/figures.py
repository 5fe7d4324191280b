"""The file of figures, benchmarks/figures.json: each benchmark writes its section with --json, and
tools/figure_pages.py writes the tables of the pages from it."""

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

FIGURES = Path(__file__).with_suffix(".json")


def read(path: Path = FIGURES) -> dict[str, Any]:
    figures: dict[str, Any] = json.loads(path.read_bytes()) if path.exists() else {}
    return figures


def today() -> str:
    return f"{date.today():%-d %B %Y}"


def add(path: Path, section: str, measured: Mapping[str, Any]) -> None:
    """Writes a section, with the day; what other benchmarks have written stays."""
    figures = read(path) | {section: {"date": today(), **measured}}
    path.write_text(json.dumps(figures, indent=1, sort_keys=True) + "\n", "utf-8")
