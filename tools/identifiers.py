"""Writes the table of src/weburl/_unicode/identifiers.py from Unicode's file: python tools/identifiers.py FILE

The file is security/17.0.0/IdentifierStatus.txt of https://www.unicode.org/Public/. --check writes nothing, and fails
if the table is out of date.
"""

from __future__ import annotations

import argparse
import hashlib
import sys
import textwrap
from pathlib import Path

MODULE = Path(__file__).resolve().parent.parent / "src" / "weburl" / "_unicode" / "identifiers.py"
FIRST_LINE = "# How many code points"
SHA256 = "617228a16da13850bf8af28b6cd08f5e9b6595d2eb60404fe6eee2c85b4e4a35"


def allowed(content: bytes) -> set[int]:
    """The code points that are not ASCII and have Identifier_Status=Allowed."""
    found: set[int] = set()
    for line in content.decode("utf-8-sig").splitlines():
        codes, _, status = line.partition("#")[0].partition(";")
        if status.strip() == "Allowed":
            first, _, last = codes.strip().partition("..")
            found.update(range(int(first, 16), int(last or first, 16) + 1))
    return {code for code in found if code > 0x7F}


def source(codes: set[int]) -> str:
    """The table as Python: the last part of the module."""
    edges = sorted(code for code in {*codes, *[code + 1 for code in codes]} if (code in codes) != (code - 1 in codes))
    runs = [edge - before for before, edge in zip([0, *edges], edges, strict=False)]
    lines = textwrap.wrap(" ".join([f"{run:X}" for run in runs]), 119)
    head = f"{FIRST_LINE} are not allowed, and how many are after them, and so on, in hexadecimal."
    return "\n".join([head, 'RUNS: Final = """', *lines, '"""', ""])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("file", type=Path)
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    content = given.file.read_bytes()
    if hashlib.sha256(content).hexdigest() != SHA256:
        sys.exit(f"{given.file} is not the file of Unicode 17.0.0")
    before = MODULE.read_text("utf-8")
    after = before[: before.index(FIRST_LINE)] + source(allowed(content))
    if not given.check:
        MODULE.write_text(after, "utf-8")
    elif after != before:
        sys.exit(f"{MODULE} is out of date")


if __name__ == "__main__":
    main()
