"""The faults of `make seeded-faults` fit the source. That program takes long; this does not."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from tiers import seeded_faults

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "weburl"


@pytest.mark.parametrize("path", sorted(seeded_faults.FAULTS.glob("*.patch")), ids=lambda path: path.stem)
def test_the_faults_fit(path: Path) -> None:
    head, _, hunk = path.read_text("utf-8").partition("\n@@")
    (source,) = re.findall(r"^--- a/(\S+)$", head, re.MULTILINE)
    lines = hunk.splitlines()[1:]
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    assert (ROOT / source).read_text("utf-8").count(before) == 1
    assert [line[:1] for line in lines].count("+") >= 1


def test_mutants_are_of_what_follows_declarations() -> None:
    text = """from a cimport (
    B,
)
cdef enum:
    C = 1

    D = 2
cdef inline bint f(int a) noexcept nogil:
    return a < 2
cdef int g(
    int a) except -1:
    cdef uint8_t[64] b
    return a + 1
"""
    assert seeded_faults.declarations(text.splitlines()) == {1, 2, 4, 5, 7, 8, 11, 12}
    # The last line that a mutant changes is near the end of its file.
    mutants = seeded_faults.drawn(1)
    last = {mutant.file: mutant.number for mutant in sorted(mutants, key=lambda each: each.number)}
    ends = {file: (SOURCE / file).read_text("utf-8").count("\n") for file in last}
    assert not [file for file, number in last.items() if number < ends[file] * 0.7]
    # The reasons are of mutants.
    reasons: dict[str, str] = json.loads(seeded_faults.REASONS.read_text("utf-8"))
    assert reasons
    assert reasons.keys() - {mutant.key for mutant in mutants} == set()


@pytest.mark.parametrize(
    ("text", "numbers"), [("30", None), ("3-5", [3, 4, 5]), ("9,3-4,4", [3, 4, 9]), ("7,", [7]), ("7-7", [7])]
)
def test_which_mutants(text: str, numbers: list[int] | None) -> None:
    assert seeded_faults.numbers_of(text) == numbers
