"""The tables of docs/from: a call of another library, the call of weburl for the same, and what differs.

The third cell says `same`, or has both results, as in "`None`; weburl: `1`". Before the class of an exception it says
raises, and before the exit status of a program, status. What follows a full stop is for readers.
"""

from __future__ import annotations

import ast
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from unittest.mock import MagicMock

from support.command import run
from support.pages import DOCS, PYTHON, blocks

FOLDER = DOCS / "from"
# The pages whose rows are commands. Without these programs, only weburl's side runs.
PROGRAMS = ("adaparse", "trurl")
# weburl's side of this page needs the other library, too.
TOGETHER = ("pydantic",)

TABLE = re.compile(r"^\| [^|\n]+ \| weburl \| what differs \|\n\|(?:---\|){3}\n((?:\|.*\n)+)", re.MULTILINE)
BARS = re.compile(r"(?<!\\)\|")
CODE = re.compile(r"`([^`]+)`")
RESULT = "(raises |status )?`([^`]+)`"
BOTH = re.compile(rf"{RESULT}; weburl: {RESULT}(?:\. .+)?")
# The types whose values are compared as they are. Objects of others are compared as strings.
PLAIN = (type(None), bool, int, float, str, bytes, list, tuple, dict, set)


class Result(NamedTuple):
    """A value, what a program prints, or the class of an exception or the status of a program that fails."""

    value: Any
    failed: bool = False

    def is_like(self, other: Result) -> bool:
        one, two = self.value, other.value
        if isinstance(one, PLAIN) and isinstance(two, PLAIN):
            same = type(one) is type(two) and one == two
        else:
            same = one is two if self.failed else str(one) == str(two)
        return self.failed == other.failed and same


class Row(NamedTuple):
    line: int
    theirs: str
    ours: str
    differs: str

    def __str__(self) -> str:
        return str(self.line)


class Page:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.stem
        text = path.read_text("utf-8")
        self.rows = list(rows_of(text))
        # The first program makes what the rows use; the first text is the file of the rows that are commands.
        self.setup, self.file = (
            next((block.text for block in blocks(text) if block.language in languages), "")
            for languages in (PYTHON, ("text",))
        )

    def __str__(self) -> str:
        return self.name

    @property
    def needs(self) -> set[str]:
        """The modules of the setup that are neither weburl's nor Python's."""
        names = set()
        for node in ast.walk(ast.parse(self.setup)):
            if isinstance(node, ast.Import):
                names |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                names.add(node.module)
        packages = {name: name.partition(".")[0] for name in names}
        known = {"weburl", "__future__", *sys.stdlib_module_names}
        return {part for name, package in packages.items() if package not in known for part in (name, package)}

    @property
    def is_complete(self) -> bool:
        """Whether both sides can run here."""
        if self.name in PROGRAMS:
            return shutil.which(self.name) is not None
        return not self.needs

    def value(self, code: str) -> Result:
        """What statements give that end in an expression. The setup runs anew, so that no row changes another."""
        names: dict[str, Any] = {"__name__": self.name}
        exec(self.setup, names)
        *before, last = ast.parse(code).body
        assert isinstance(last, ast.Expr), f"{code} does not end in an expression"
        try:
            exec(compile(ast.Module(before, []), "<cell>", "exec"), names)
            return Result(eval(compile(ast.Expression(last.value), "<cell>", "eval"), names))
        except ImportError:
            # What is not installed gives no result.
            raise
        except Exception as error:
            return Result(type(error), True)

    def stated(self, row: Row) -> list[Result] | None:
        """Both results that the third cell has, or None for the same."""
        if row.differs == "same":
            return None
        found = BOTH.fullmatch(row.differs)
        assert found, f"{self.at(row)}: {row.differs!r} is neither 'same' nor both results"
        results = []
        for kind, code in (found.groups()[:2], found.groups()[2:]):
            if self.name in PROGRAMS:
                results.append(Result(int(code), True) if kind else Result(code))
            else:
                result = self.value(code)
                assert not result.failed, f"{self.at(row)}: {code} is not a value: {result.value}"
                results.append(Result(result.value, kind is not None))
        return results

    def at(self, row: Row) -> str:
        return f"{self.path.name}:{row.line}"

    def ours(self, row: Row) -> Result:
        return our_command(row.ours) if self.name in PROGRAMS else self.value(row.ours)

    def theirs(self, row: Row) -> Result:
        return their_command(row.theirs) if self.name in PROGRAMS else self.value(row.theirs)

    def check(self, row: Row) -> None:
        """Both sides. In the folder there is a file urls.txt."""
        results = [self.theirs(row), self.ours(row)]
        self.compare(row, results)
        is_same = results[0].is_like(results[1])
        # Two libraries may fail with the same exception, for reasons of their own.
        if self.stated(row) is None:
            assert is_same, f"{self.at(row)}: {results}"
        else:
            assert not is_same or results[0].failed, f"{self.at(row)}: both give {results[0].value!r}"

    def check_ours(self, row: Row) -> None:
        """weburl's side, without the other library."""
        with without(self.needs):
            self.compare(row, [None, self.ours(row)])

    def compare(self, row: Row, results: Sequence[Result | None]) -> None:
        stated = self.stated(row)
        for side, result in enumerate(results):
            if result is not None and stated is not None:
                assert result.is_like(stated[side]), f"{self.at(row)}: {row[side + 1]} gives {result.value!r}"
            elif result is not None:
                assert not result.failed, f"{self.at(row)}: {row[side + 1]} fails: {result.value!r}"


@contextmanager
def without(modules: set[str]) -> Iterator[None]:
    """Puts something in place of modules. Those that are imported meanwhile stay, as weburl's own."""
    real = {name: sys.modules[name] for name in modules if name in sys.modules}
    sys.modules.update((name, MagicMock()) for name in modules)
    try:
        yield
    finally:
        for name in modules:
            del sys.modules[name]
        sys.modules.update(real)


def pages() -> list[Page]:
    return [Page(path) for path in sorted(FOLDER.glob("*.md"))]


def rows_of(page: str) -> list[Row]:
    rows = []
    for table in TABLE.finditer(page):
        first = page.count("\n", 0, table.start(1)) + 1
        for line, text in enumerate(table[1].splitlines(), first):
            theirs, ours, differs = (cell.strip().replace("\\|", "|") for cell in BARS.split(text)[1:-1])
            codes = [code[1] for code in map(CODE.fullmatch, (theirs, ours)) if code]
            assert len(codes) == 2, f"line {line}: a cell is not one piece of code: {text}"
            rows.append(Row(line, codes[0], codes[1], differs))
    return rows


def printed(text: str) -> str:
    """What a command prints: with spaces between lines, as in a cell."""
    return " ".join(text.removesuffix("\n").split("\n"))


def our_command(line: str) -> Result:
    name, *arguments = shlex.split(line)
    assert name == "weburl"
    ended = run(*arguments)
    return Result(ended.status, True) if ended.status else Result(printed(ended.out))


def their_command(line: str) -> Result:
    """Runs a program in a terminal: with another standard input, adaparse reads that."""
    import pty

    for_it, terminal = pty.openpty()
    try:
        ended = subprocess.run(shlex.split(line), stdin=terminal, capture_output=True, timeout=60)
    finally:
        os.close(for_it)
        os.close(terminal)
    return Result(ended.returncode, True) if ended.returncode else Result(printed(ended.stdout.decode()))
