"""Runs the examples of a page of the documentation."""

from __future__ import annotations

import doctest
import re
from pathlib import Path
from typing import Any, NamedTuple

DOCS = Path(__file__).resolve().parents[2] / "docs"
# The names of fences that hold Python.
PYTHON = ("python", "pycon")


class Block(NamedTuple):
    language: str
    text: str


def blocks(page: str) -> list[Block]:
    return [Block(*found) for found in re.findall(r"^```([^\n]*)\n(.*?)^```$", page, re.DOTALL | re.MULTILINE)]


class Runner(doctest.DocTestRunner):
    """Keeps the exception of an example, for support/missing.py."""

    error: BaseException | None = None

    def report_unexpected_exception(self, out: Any, test: Any, example: Any, exc_info: Any) -> None:
        super().report_unexpected_exception(out, test, example, exc_info)
        self.error = exc_info[1]


def run_examples(path: Path, names: dict[str, Any] | None = None) -> int:
    """Runs a page's Python from top to bottom, prompts and whole programs; returns the number of blocks."""
    names = {"__name__": path.stem} if names is None else names
    ran = 0
    for language, text in blocks(path.read_text("utf-8")):
        if language not in PYTHON:
            continue
        if text.startswith(">>> "):
            # In those called pycon the output has empty lines, which a doctest marks.
            marked = text.strip().replace("\n\n", "\n<BLANKLINE>\n") + "\n" if language == "pycon" else text
            test = doctest.DocTestParser().get_doctest(marked, names, path.name, str(path), 0)
            assert len(test.examples) == len(re.findall(r"^>>> ", text, re.MULTILINE))
            runner = Runner()
            if runner.run(test, clear_globs=False).failed:
                raise AssertionError(f"{path.name}: an example fails") from runner.error
            names.update(test.globs)
        else:
            exec(compile(text, path.name, "exec"), names)
        ran += 1
    return ran
