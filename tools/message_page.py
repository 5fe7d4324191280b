"""Writes the tables of docs/errors.md, from the wrong calls that the tests make.

    PYTHONPATH=tests python tools/message_page.py [--check]

With --check, nothing is written: it fails if the page is not what it should be.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from support.wrong_calls import GROUPS

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "errors.md"
BEGIN, END = "<!-- messages -->\n", "<!-- /messages -->\n"


def code(text: str) -> str:
    """Text as code in a cell of a table."""
    marks = "``" if "`" in text else "`"
    return f"{marks}{text.replace('|', chr(92) + '|')}{marks}"


def tables() -> str:
    parts = []
    for group in GROUPS:
        rows = "".join(f"| {code(call)} | {code(message)} |\n" for call, message in group.calls)
        parts.append(f"### {group.title}\n\n| call | message |\n|---|---|\n{rows}")
    return "\n".join(parts)


def files() -> dict[Path, str]:
    """All that is generated, by its path."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    return {PAGE: f"{before}{BEGIN}\n{tables()}\n{END}{after}"}


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="only compare")
    options = parser.parse_args(arguments)
    changed = {path: text for path, text in files().items() if path.read_text("utf-8") != text}
    for path, text in changed.items():
        print(path.relative_to(ROOT))
        if not options.check:
            path.write_text(text, "utf-8")
    return int(options.check and bool(changed))


if __name__ == "__main__":
    sys.exit(main())
