"""Writes the tables of src/weburl/_unicode/confusables.py from Unicode's files: python tools/confusables.py FOLDER

The folder has the files that SOURCES names, from ucd/, idna/ and security/ of https://www.unicode.org/Public/18.0.0/.
--check writes nothing, and fails if the tables are out of date.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import textwrap
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

MODULE = Path(__file__).resolve().parent.parent / "src" / "weburl" / "_unicode" / "confusables.py"
FIRST_LINE = "# A set of scripts, and the first"
# SHA-256 of the files of Unicode 18.0.0.
SOURCES = {
    "IdnaMappingTable.txt": "a03b1eb38032268c696406a83f0972d6a815acd2c8d4151d42ec0fda70ffced1",
    "PropertyValueAliases.txt": "06c4c8eaf7b0bf34abe73b113da1215bd784ac254d4c223600b90267caa4bbbd",
    "ScriptExtensions.txt": "5c9d34a922f687726f2a8bcf57d49f905987e51f1b21b58c95a00fbe255cec23",
    "Scripts.txt": "0071fd81b6aeae25f6e8bce8efec3066a6476a91b49bdb2f52dc76e817862a6a",
    "UnicodeData.txt": "0736451de439ae7baf1425136617da495e09ee5afbe6e394374db7009ea08950",
    "confusables.txt": "6ed3ee967c9dfdf6677d563c9985182fbc50a2efb7d6059cd57b2e2ce18f5b92",
}


class Tables(NamedTuple):
    """The module's tables: ranges by set of scripts, code points by prototype, the zeros of numbering systems."""

    starts: Mapping[str, list[int]]
    prototypes: Mapping[str, list[int]]
    zeros: list[int]


def rows(folder: Path, name: str) -> Iterator[list[str]]:
    content = (folder / name).read_bytes()
    if hashlib.sha256(content).hexdigest() != SOURCES[name]:
        sys.exit(f"{name} is not the file of Unicode 18.0.0")
    for line in content.decode("utf-8-sig").splitlines():
        fields = [field.strip() for field in line.partition("#")[0].split(";")]
        if fields != [""]:
            yield fields


def code_points(text: str) -> range:
    first, _, last = text.partition("..")
    return range(int(first, 16), int(last or first, 16) + 1)


def read(folder: Path) -> Tables:
    mapping = rows(folder, "IdnaMappingTable.txt")
    valid = {c for codes, status, *_ in mapping if status in ("valid", "deviation") for c in code_points(codes)}
    valid = {c for c in valid if c > 0x7F}
    names = {row[1]: row[2] for row in rows(folder, "PropertyValueAliases.txt") if row[0] == "sc"}
    scripts = {c: script for codes, script in rows(folder, "Scripts.txt") for c in code_points(codes)}
    for codes, short in rows(folder, "ScriptExtensions.txt"):
        for c in code_points(codes):
            scripts[c] = "+".join(sorted(names[script] for script in short.split()))
    starts = defaultdict(list)
    last = None
    for c in sorted(valid):
        if scripts[c] != last:
            last = scripts[c]
            starts[last].append(c)
    prototypes = defaultdict(list)
    for source, target, *_ in rows(folder, "confusables.txt"):
        prototype = "".join([chr(int(c, 16)) for c in target.split()])
        if int(source, 16) in valid and prototype.isascii():
            prototypes[prototype].append(int(source, 16))
    digits = [int(row[0], 16) for row in rows(folder, "UnicodeData.txt") if row[6] == "0"]
    return Tables(starts, prototypes, [c for c in digits if c in valid or c == ord("0")])


def hexes(codes: Iterable[int]) -> str:
    return " ".join([f"{c:X}" for c in codes])


def wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 119, break_long_words=False, break_on_hyphens=False)


def source(tables: Tables) -> str:
    """The tables as Python: the last part of the module."""
    lines = [
        f"{FIRST_LINE} code point of each of its ranges; a range ends where the next one begins.",
        'SCRIPT_STARTS: Final = """',
        *wrapped(" ".join([f"{n.replace('+', '+ ')} {hexes(codes)}" for n, codes in sorted(tables.starts.items())])),
        '"""',
        "",
        "# An ASCII string, and the code points that have it as their prototype in confusables.txt.",
        "PROTOTYPES: Final[dict[str, str]] = {",
    ]
    for prototype, codes in sorted(tables.prototypes.items()):
        first, *others = textwrap.wrap(hexes(codes), 100)
        key = json.dumps(prototype)
        if others:
            *others, last = [first, *others]
            lines += [f"    {key}: (", *[f'        "{line} "' for line in others], f'        "{last}"', "    ),"]
        else:
            lines.append(f'    {key}: "{first}",')
    lines += ["}", "", "# The first of the ten digits of each numbering system.", 'ZEROS: Final = """']
    return "\n".join([*lines, *wrapped(hexes(sorted(tables.zeros))), '"""', ""])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--check", action="store_true")
    given = arguments.parse_args()
    before = MODULE.read_text("utf-8")
    after = before[: before.index(FIRST_LINE)] + source(read(given.folder))
    if not given.check:
        MODULE.write_text(after, "utf-8")
    elif after != before:
        sys.exit(f"{MODULE} is out of date")


if __name__ == "__main__":
    main()
