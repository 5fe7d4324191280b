"""How the pages read, in figures: words, words a sentence, and sentences of more than 25 words.

    python tools/readability.py                    # as they are
    python tools/readability.py --before COMMIT    # beside what they were in a commit

A figure is not a goal: a short sentence can be a riddle. The figures show which page to read again first.
"""

from __future__ import annotations

import argparse
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
LONG = 25


class Figures(NamedTuple):
    words: int
    mean: float
    long: float

    def cells(self) -> list[str]:
        return [f"{self.words:,}", f"{self.mean:.1f}", f"{self.long:.0%}"]


def prose(page: str) -> str:
    """The page without code, tables, directives, comments and the addresses of links."""
    page = re.sub(r"^```.*?^```$|<!--.*?-->", "", page, flags=re.DOTALL | re.MULTILINE)
    page = re.sub(r"^(\|| {4}).*$", "", page, flags=re.MULTILINE)
    page = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", page)
    page = re.sub(r"\[([^\]]*)\]\([^)]*\)", lambda link: link[1] or "page", page)
    return re.sub(r"`[^`]*`", "code", page)


def measured(page: str) -> Figures:
    paragraphs = re.split(r"\n\s*\n|\n(?=- |\d+\. )|^#.*$", prose(page), flags=re.MULTILINE)
    sentences = [part for text in paragraphs for part in re.split(r"(?<=[.?!:])\s+", text)]
    counts = [count for each in sentences if (count := len(re.findall(r"[\w'’-]+", each)))]
    if not counts:
        return Figures(0, 0, 0)
    return Figures(sum(counts), sum(counts) / len(counts), sum(count > LONG for count in counts) / len(counts))


def before(commit: str, path: str) -> str:
    ran = subprocess.run(["git", "show", f"{commit}:{path}"], cwd=ROOT, capture_output=True, check=False)
    return ran.stdout.decode("utf-8") if ran.returncode == 0 else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", metavar="COMMIT")
    commit = parser.parse_args().before
    header = ["page", *(["words then", "words a sentence then", "long then"] if commit else [])]
    header += ["words", "words a sentence", "long"]
    print(f"| {' | '.join(header)} |\n|---{'|---:' * (len(header) - 1)}|")
    for file in sorted((*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"))):
        path = file.relative_to(ROOT).as_posix()
        old = measured(before(commit, path)).cells() if commit else []
        print(f"| {' | '.join([path, *old, *measured(file.read_text('utf-8')).cells()])} |")


if __name__ == "__main__":
    main()
