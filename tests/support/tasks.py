"""The forty tasks of tests/tasks: what a check is, and how the lines of a solution are counted.

A task is a file, such as tests/tasks/test_11_set_param.py. It has CHECKS, and a function with the name of the task,
set_param(), which is what a user writes. The function takes and gives plain values, so that benchmarks/peer_tasks can
have the same function for another library, and the same checks ask both.
"""

from __future__ import annotations

import ast
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

# The longest text that a page shows as code.
LONGEST = 120
TASKS = Path(__file__).resolve().parent.parent / "tasks"


def code(text: str) -> str:
    """Text as code, shortened; what is not seen or turns the text around is escaped."""
    text = text if len(text) <= LONGEST else f"{text[: LONGEST - 1]}…"
    text = "".join(each if each.isprintable() else f"\\u{ord(each):04x}" for each in text)
    marks = "``" if "`" in text else "`"
    return f"{marks}{text}{marks}"


def in_words(want: object) -> str:
    """What an answer must be, for a page."""
    return repr(want) if isinstance(want, Want) else code(repr(want))


class Want:
    """What an answer must be, where it is not one value. Its repr says it in words."""

    def accepts(self, answer: object) -> bool:
        raise NotImplementedError


class Shows(Want):
    """A text that has some texts in it, and does not have others. Case does not matter."""

    def __init__(self, *shown: str, hides: Iterable[str] = ()) -> None:
        self.shown = shown
        self.hidden = tuple(hides)

    def accepts(self, answer: object) -> bool:
        text = (answer if isinstance(answer, str) else repr(answer)).casefold()
        has = [each.casefold() in text for each in (*self.shown, *self.hidden)]
        return all(has[: len(self.shown)]) and not any(has[len(self.shown) :])

    def __repr__(self) -> str:
        parts = [f"with {', '.join(map(code, self.shown))}"] if self.shown else []
        parts += [f"without {', '.join(map(code, self.hidden))}"] if self.hidden else []
        return f"a text {' and '.join(parts)}"


class Refused(Want):
    """The solution raises an error, which does not show some texts."""

    def __init__(self, hides: Iterable[str] = ()) -> None:
        self.hidden = tuple(hides)

    def accepts(self, answer: object) -> bool:
        return isinstance(answer, Refusal) and not any(each in answer.message for each in self.hidden)

    def __repr__(self) -> str:
        return f"an error without {', '.join(map(code, self.hidden))}" if self.hidden else "an error"


class Query(Want):
    """A URL that begins with a text, and whose query has the pairs, however they are spelled."""

    def __init__(self, beginning: str, pairs: Sequence[tuple[str, str]], fragment: str = "") -> None:
        self.beginning = beginning
        self.pairs = list(pairs)
        self.fragment = fragment

    def accepts(self, answer: object) -> bool:
        if not isinstance(answer, str) or not answer.startswith(self.beginning):
            return False
        before, _, fragment = answer.partition("#")
        pairs = parse_qsl(before.partition("?")[2], keep_blank_values=True)
        return pairs == self.pairs and fragment == self.fragment

    def __repr__(self) -> str:
        fragment = f" and the fragment {code(self.fragment)}" if self.fragment else ""
        return f"{code(self.beginning + '…')} with the pairs {code(repr(self.pairs))}{fragment}"


class SamePieces(Want):
    """A URL with the same text before its query, and in the query the same texts between the &, in any order."""

    def __init__(self, url: str) -> None:
        self.url = url

    def accepts(self, answer: object) -> bool:
        if not isinstance(answer, str):
            return False
        (before, _, query), (wanted, _, pieces) = answer.partition("?"), self.url.partition("?")
        return before == wanted and sorted(query.split("&")) == sorted(pieces.split("&"))

    def __repr__(self) -> str:
        return code(repr(self.url))


class AnyOf(Want):
    """One of several answers is right."""

    def __init__(self, *answers: object) -> None:
        self.answers = answers

    def accepts(self, answer: object) -> bool:
        return any(each.accepts(answer) if isinstance(each, Want) else is_same(answer, each) for each in self.answers)

    def __repr__(self) -> str:
        return " or ".join(map(in_words, self.answers))


class Refusal(NamedTuple):
    """An answer: the solution refused the input with this message."""

    message: str


class Crash(NamedTuple):
    """An answer: the solution raised an error that does not refuse the input, such as AttributeError."""

    error: str


class Check(NamedTuple):
    """An input, the right answer, and why a careless solution gives another one. Ordinary inputs have no `why`."""

    given: tuple[Any, ...]
    want: object
    why: str

    def is_right(self, answer: object) -> bool:
        return self.want.accepts(answer) if isinstance(self.want, Want) else is_same(answer, self.want)


def is_same(answer: object, wanted: object) -> bool:
    """1 is not True, and a subclass of str is a str."""
    return answer == wanted and (isinstance(answer, bool) is isinstance(wanted, bool))


def gives(*given: Any, want: object, why: str = "") -> Check:
    return Check(given, want, why)


def refuses(*given: Any, why: str = "", hides: Iterable[str] = ()) -> Check:
    return Check(given, Refused(hides), why)


def answer_of(solve: Callable[..., object], check: Check, refusals: tuple[type[BaseException], ...] = ()) -> object:
    """What a solution answers. ValueError is a refusal; a library may have others."""
    refused: tuple[type[BaseException], ...] = (ValueError, *refusals)
    try:
        return solve(*check.given)
    except refused as error:
        return Refusal(str(error))
    except Exception as error:
        return Crash(f"{type(error).__name__}: {error}")


def all_right(solve: Callable[..., object], checks: Sequence[Check]) -> bool:
    """Whether all answers are right. AssertionError says which one is not."""
    # Without inputs that are not ordinary, a task says little.
    assert sum(not check.why for check in checks) >= 1
    assert sum(bool(check.why) for check in checks) >= 2
    for check in checks:
        answer = answer_of(solve, check)
        assert check.is_right(answer), f"{check.given} gives {answer!r}, not {check.want!r}: {check.why}"
    return True


class Task(NamedTuple):
    """A task: its number, its name, and its file."""

    number: int
    name: str
    path: Path


def find_tasks() -> list[Task]:
    found = [re.fullmatch(r"test_(\d\d)_(\w+)", path.stem) for path in sorted(TASKS.glob("test_*.py"))]
    return [Task(int(each[1]), each[2], TASKS / f"{each[0]}.py") for each in found if each is not None]


def load_task(task: Task) -> ModuleType:
    """Its module. ModuleNotFoundError is raised if it needs a package that is not installed."""
    name = task.path.stem
    if name not in sys.modules:
        spec = importlib.util.spec_from_file_location(name, task.path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[name] = module
        try:
            spec.loader.exec_module(module)
        except BaseException:
            del sys.modules[name]
            raise
    return sys.modules[name]


def sentence_of(task: Task) -> str:
    """What the task is: the docstring of its file."""
    return " ".join((ast.get_docstring(ast.parse(task.path.read_text("utf-8"))) or "").split())


# Counting lines.


@cache
def body_of(source: str) -> list[ast.stmt]:
    return ast.parse(source).body


def names_of(node: ast.stmt) -> list[str]:
    """The names that a statement of a module defines. An import defines none here."""
    if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
        return [node.name]
    targets = node.targets if isinstance(node, ast.Assign) else [node.target] if isinstance(node, ast.AnnAssign) else []
    return [each.id for target in targets for each in ast.walk(target) if isinstance(each, ast.Name)]


def definitions_of(source: str, name: str) -> list[ast.stmt]:
    """A function, and what it uses of its module: functions, classes and constants, and what these use."""
    defined = {each: node for node in body_of(source) for each in names_of(node)}
    found: list[ast.stmt] = []
    wanted = [name]
    while wanted:
        node = defined.get(wanted.pop())
        if node is not None and node not in found:
            found.append(node)
            wanted += [each.id for each in ast.walk(node) if isinstance(each, ast.Name)]
    return sorted(found, key=lambda node: node.lineno)


def docstring_lines(node: ast.AST) -> set[int]:
    lines: set[int] = set()
    for each in ast.walk(node):
        if isinstance(each, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(each) is not None:
            lines.update(range(each.body[0].lineno, (each.body[0].end_lineno or 0) + 1))
    return lines


def first_line(node: ast.stmt) -> int:
    """The line at which a definition begins, with its decorators."""
    decorators = node.decorator_list if isinstance(node, (ast.FunctionDef, ast.ClassDef)) else []
    return min([node.lineno, *(each.lineno for each in decorators)])


def text_of(source: str, node: ast.stmt) -> str:
    return "\n".join(source.splitlines()[first_line(node) - 1 : node.end_lineno])


@cache
def solution_of(source: str, name: str) -> str | None:
    """A solution without imports, docstrings, comments and empty lines, which do not count; None if there is none."""
    lines: list[str] = []
    definitions = definitions_of(source, name)
    if not any(isinstance(node, ast.FunctionDef) and node.name == name for node in definitions):
        return None
    for node in definitions:
        left_out = docstring_lines(node)
        for number, text in enumerate(text_of(source, node).splitlines(), first_line(node)):
            if number not in left_out and text.strip() and not text.lstrip().startswith("#"):
                lines.append(text)
    return "\n".join(lines)


def lines_of(source: str, name: str) -> int | None:
    """How many lines a solution has; None if the module has none for the task."""
    solution = solution_of(source, name)
    return None if solution is None else len(solution.splitlines())
