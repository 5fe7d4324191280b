"""The recipes of docs/cookbook: what each is made of, and a run of its code as it is pasted."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import redirect_stdout
from pathlib import Path
from shlex import quote
from types import ModuleType
from typing import NamedTuple

from support.pages import DOCS

COOKBOOK = DOCS / "cookbook"
PAGES = sorted(path for path in COOKBOOK.glob("*.md") if path.name != "index.md")
# A task, a sentence, a program and what it prints, or a session in a shell; and what can go wrong.
RECIPE = re.compile(
    r"(?P<title>[^\n]+)\n\n(?P<intro>(?:[^`\n][^\n]*\n|`[^`\n][^\n]*\n)+)\n"
    r"```(?P<language>python|console)\n(?P<code>.*?)```\n\n(?:```text\n(?P<output>.*?)```\n\n)?"
    r"(?P<caveat>(?:[^\n]+\n)+)",
    re.DOTALL,
)


class Recipe(NamedTuple):
    page: Path
    title: str
    intro: str
    language: str
    code: str
    output: str
    caveat: str

    @property
    def lines(self) -> list[str]:
        """The lines of code: of a session in a shell, those that are typed."""
        lines = [line for line in self.code.splitlines() if line.strip()]
        return lines if self.language == "python" else [line for line in lines if line.startswith(("$ ", "> "))]

    @property
    def prose(self) -> str:
        return f"{self.title}\n{self.intro}\n{self.caveat}"

    def __str__(self) -> str:
        return f"{self.page.stem}: {self.title}"


def recipes_of(page: str, path: Path) -> list[Recipe]:
    """The recipes of a page; a section that is none is an error."""
    recipes = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        found = RECIPE.fullmatch(f"{section.rstrip()}\n")
        if found is None or (found["output"] is None) == (found["language"] == "python"):
            raise ValueError(f"{path.name} has a section that is not a recipe: {section.partition(chr(10))[0]}")
        parts = found.groupdict()
        recipes.append(Recipe(path, **{**parts, "output": parts["output"] or ""}))
    return recipes


RECIPES = [recipe for path in PAGES for recipe in recipes_of(path.read_text("utf-8"), path)]


def sentences(text: str) -> int:
    """How many sentences a paragraph has."""
    plain = re.sub(r"`[^`]+`|\]\([^)]*\)", "x", text)
    return len(re.findall(r"[.?!](?=\s|$)", plain.strip()))


def run_python(code: str) -> str:
    """What a program prints, in a module of its own."""
    module = ModuleType("recipe")
    printed = io.StringIO()
    # Classes ask for the module that they are from.
    sys.modules["recipe"] = module
    try:
        with redirect_stdout(printed):
            exec(compile(code, "recipe", "exec", dont_inherit=True), module.__dict__)
    finally:
        del sys.modules["recipe"]
    return printed.getvalue()


def run_console(code: str, folder: Path) -> str:
    """The session in a shell, with what is printed now."""
    command = folder / "bin" / "weburl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {quote(sys.executable)} -m weburl "$@"\n', "utf-8")
    command.chmod(0o755)
    work = folder / "work"
    work.mkdir()
    typed = re.findall(r"^\$ .*\n(?:> .*\n)*", code, re.MULTILINE)
    script = "".join(f"printf %s {quote(text)}\n{re.sub('^..', '', text, flags=re.MULTILINE)}" for text in typed)
    done = subprocess.run(
        ["sh"],
        input=script.encode(),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        cwd=work,
        env=os.environ | {"PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"},
        check=False,
    )
    return done.stdout.decode()


def check_recipe(recipe: Recipe, folder: Path) -> None:
    """A recipe prints what its page says."""
    if recipe.language == "console":
        assert run_console(recipe.code, folder) == recipe.code
    else:
        assert [line.rstrip() for line in run_python(recipe.code).splitlines()] == recipe.output.splitlines()


def run_recipes(path: Path, folder: Path) -> int:
    """Runs each recipe of a page by itself; returns how many there are."""
    recipes = [recipe for recipe in RECIPES if recipe.page == path]
    for number, recipe in enumerate(recipes):
        own = folder / str(number)
        own.mkdir()
        check_recipe(recipe, own)
    return len(recipes)
