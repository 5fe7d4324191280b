"""The examples of the documentation."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = sorted(DOCS.glob("*.md"))


def examples(page: str) -> str:
    """The blocks of a page's Python; in those called pycon the output has empty lines, which a doctest marks."""
    blocks = re.findall(r"```(python|pycon)\n(.*?)```", page, re.DOTALL)
    return "\n".join(
        text if kind == "python" else text.strip().replace("\n\n", "\n<BLANKLINE>\n") + "\n" for kind, text in blocks
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_examples(path: Path) -> None:
    page = path.read_text("utf-8")
    test = doctest.DocTestParser().get_doctest(examples(page), {}, path.name, str(path), 0)
    assert len(test.examples) == page.count("\n>>> ")
    assert doctest.DocTestRunner().run(test).failed == 0


def test_there_are_some() -> None:
    assert sum(page.read_text("utf-8").count("\n>>> ") for page in PAGES) > 40
