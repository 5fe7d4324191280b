"""Files of counts, which are committed: what the runs of a tier add up to."""

from __future__ import annotations

import json
import os
import subprocess
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
# Of the tiers that compare generated cases: which seeds have been run, so that the next run takes others.
SEEDS = ROOT / "tests" / "tiers" / "seeds.json"

Entry = dict[str, Any]


def read(path: Path) -> list[Entry]:
    entries: list[Entry] = json.loads(path.read_text("utf-8"))
    return entries


def write(path: Path, entries: list[Entry]) -> None:
    path.write_text("[\n" + ",\n".join(f"  {json.dumps(entry)}" for entry in entries) + "\n]\n", "utf-8")


def today() -> Entry:
    """What each entry begins with: the date, and the commit, `-dirty` if a file that is not of counts has changed."""
    commit = git("rev-parse", "--short", "HEAD")
    changed = git("status", "--porcelain", "--untracked-files=no", "--", ".", ":!*/seeds.json", ":!*/counts.json")
    return {"date": time.strftime("%Y-%m-%d"), "commit": commit + "-dirty" * bool(changed)}


def git(*arguments: str) -> str:
    # It does not run beside the libraries of sanitizers.
    variables = {**os.environ, "LD_PRELOAD": ""}
    command = ["git", *arguments]
    return subprocess.run(command, cwd=ROOT, env=variables, capture_output=True, text=True, check=True).stdout.strip()


def next_seed(tier: str) -> int:
    """The first seed that no counted run of the tier has had."""
    return max((entry["last_seed"] for entry in read(SEEDS) if entry["tier"] == tier), default=0) + 1


def add_seeds(tier: str, against: str, first: int, last: int, cases: int) -> None:
    """Counts a run without a difference, and prints what the tier's runs against these add up to."""
    entries = read(SEEDS)
    key = {"tier": tier, "against": against}
    entries.append({**today(), **key, "first_seed": first, "last_seed": last, "cases": cases})
    write(SEEDS, entries)
    of_these = [entry for entry in entries if key.items() <= entry.items()]
    total = sum(entry["cases"] for entry in of_these)
    print(f"{tier} against {against}: {total:,} cases since {of_these[0]['date']}, 0 differences")
