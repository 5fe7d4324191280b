"""The page "From a log to a dashboard in ten minutes" is true: its commands and programs run over a made log."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from support.pages import DOCS, blocks, run_examples
from test_command_page import run, transcript

LINES = 20_000


def log_lines() -> Iterator[str]:
    """An hour of a shop. From the 35th minute to the 50th, payments fail."""
    random = Random(1)
    for number in range(LINES):
        second = number * 3600 // LINES
        kind = random.choices(["item", "list", "cart", "reset", "home"], [50, 20, 8, 2, 20])[0]
        n = random.randrange(1, 400)
        path = {
            "item": f"/items/{n}",
            "list": f"/list?q={random.choice(['tea', 'cup', 'pot'])}&page={n % 7 + 1}",
            "cart": f"/cart/{random.getrandbits(128):032x}/pay",
            "reset": f"/reset?token={random.getrandbits(160):040x}",
            "home": "/",
        }[kind]
        fails = kind == "cart" and 2100 <= second < 3000
        status = random.choices([200, 304, 404, 500, 502], [80, 10, 5, 9, 3] if fails else [90, 6, 3.5, 0.3, 0.2])[0]
        time = f"29/Nov/2026:06:{second // 60:02}:{second % 60:02} +0100"
        client = f"198.51.100.{random.randrange(1, 255)}"
        size = random.randrange(200, 90_000)
        yield f'{client} - - [{time}] "GET {path} HTTP/1.1" {status} {size} "-" "Mozilla/5.0"\n'


def test_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("pyarrow", "duckdb", "polars", "altair", "vl_convert"):
        pytest.importorskip(package)
    (tmp_path / "access.log").write_text("".join(log_lines()))
    shown = [
        block.text for block in blocks((DOCS / "howto/dashboard.md").read_text("utf-8")) if block.language == "console"
    ]
    assert len(shown) == 2
    for block in shown:
        assert run(transcript(block), tmp_path) == block
    monkeypatch.chdir(tmp_path)
    assert run_examples(DOCS / "howto/dashboard.md") == 5
    made = (tmp_path / "dashboard.html").read_text("utf-8")
    assert "/cart/{hex}/pay" in made
    # It has all that it needs.
    assert 'src="http' not in made
