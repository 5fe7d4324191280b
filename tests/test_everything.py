"""A program that uses every public name runs, and type checkers have nothing to say about it."""

from __future__ import annotations

import ast
import doctest
from importlib.util import find_spec
from pathlib import Path

import pytest
from support import everything
from support.public import NAMES

from weburl import bulk
from weburl._verbs.verb import VERBS

PROGRAM = Path(str(everything.__file__))


def test_it_runs(tmp_path: Path) -> None:
    visit = everything.main(tmp_path)
    assert visit["links"] == ["https://shop.example.com/docs/a", "https://shop.example.com/docs/b"]
    assert visit["shown"].startswith("https://shop.example.com/books/7")


def test_it_uses_every_public_name() -> None:
    nodes = list(ast.walk(ast.parse(PROGRAM.read_text("utf-8"))))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    public = {name for module, names in NAMES.items() if not module.startswith("weburl.ext.") for name in names}
    assert len(public) > 90
    assert public - used - {verb.bulk for verb in VERBS} == set()


def examples_of_verbs() -> str:
    """A program with the examples of all verbs: a function for each, so that names have one type."""
    lines = ["from weburl.bulk import *"]
    for name in sorted({verb.bulk for verb in VERBS if verb.bulk}):
        examples = doctest.DocTestParser().get_examples(getattr(bulk, name).__doc__)
        assert examples, name
        lines += ["", f"def use_{name}() -> None:", *[f"    {example.source.rstrip()}" for example in examples]]
    return "\n".join([*lines, ""])


@pytest.mark.skipif(find_spec("mypy") is None, reason="mypy is not installed")
def test_mypy_has_nothing_to_say_about_examples(tmp_path: Path, mypy_cache: Path) -> None:
    """The program itself is checked by `make lint`."""
    from test_typing import mypy

    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    program = tmp_path / "examples.py"
    text = examples_of_verbs()
    # It is checked: a line with an error is noticed.
    program.write_text(f"{text}\nfrom weburl import URL\n\n{{URL(''): 1}}.get(5)\n", "utf-8")
    errors = [line for line in mypy(program, mypy_cache) if "error:" in line]
    assert errors
    assert {line.split(":")[1] for line in errors} == {str(text.count("\n") + 4)}
