"""The files of the repository, and what a rule is: for check_source.py, and for tests."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cached_property
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent

# A line of a .pyx that brings in a part.
PART = r'^include "(\w+\.pxi)"$'


class Finding(NamedTuple):
    path: Path
    line: int
    what: str


Found = Iterator[Finding]
Rows = dict[str, tuple[list[str], list[str]]]


class Rule(NamedTuple):
    what: str
    check: Callable[[Tree], Found]


RULES: dict[str, Rule] = {}


def rule(what: str) -> Callable[[Callable[[Tree], Found]], Callable[[Tree], Found]]:
    def add(check: Callable[[Tree], Found]) -> Callable[[Tree], Found]:
        RULES[check.__name__] = Rule(what, check)
        return check

    return add


class Tree:
    """The files of the repository."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.source = root / "src" / "weburl"
        self.docs = root / "docs"
        self.texts: dict[Path, str] = {}

    def files(self, folder: str, *suffixes: str) -> list[Path]:
        left_out = {".venv", "build", "dist", "node_modules"}
        return sorted(
            path
            for path in (self.root / folder).rglob("*")
            if path.suffix in suffixes
            and path.is_file()
            and not left_out.intersection(path.relative_to(self.root).parts)
        )

    def text(self, path: Path) -> str:
        if path not in self.texts:
            self.texts[path] = path.read_text("utf-8") if path.exists() else ""
        return self.texts[path]

    @cached_property
    def cython(self) -> list[Path]:
        return self.files("src/weburl", ".pyx", ".pxi", ".pxd")

    def parts(self, path: Path) -> list[Path]:
        """The parts of a module, in their order: `include` in its .pyx."""
        return [path.with_name(name) for name in re.findall(PART, self.text(path), re.M)]

    @cached_property
    def code(self) -> list[Path]:
        return self.files("src/weburl", ".pyx", ".pxi", ".pxd", ".py", ".pyi", ".h")

    @cached_property
    def pages(self) -> list[Path]:
        return [*self.files("docs", ".md"), *sorted(self.root.glob("*.md"))]

    @cached_property
    def everything(self) -> list[Path]:
        own = [
            path
            for folder in ("tests", "tools", "benchmarks", "examples", "wpt_data")
            for path in self.files(folder, ".py")
        ]
        return [*self.code, *own, *self.root.glob("setup.py")]

    @cached_property
    def classes(self) -> set[str]:
        """The names of types whose functions need no `except`: NULL is their error."""
        compiled = [path for path in self.code if path in self.cython or path.with_suffix(".pxd").exists()]
        found = {
            name for path in compiled for name in re.findall(r"^\s*(?:cdef\s+)?class\s+(\w+)", self.text(path), re.M)
        }
        return found | {"object", "str", "bytes", "tuple", "list", "dict"}

    @cached_property
    def anchors(self) -> set[str]:
        """One for each id of the standard; made from its source with the ids that Bikeshed gives."""
        return set(self.text(self.root / "tests" / "data" / "anchors.txt").split())

    @cached_property
    def table(self) -> Rows:
        return rows_of(self.text(self.root / "CONTRIBUTING.md"))

    @cached_property
    def public_files(self) -> dict[str, Path]:
        """A module for each file that users import; the command is not for importing."""
        return {
            ".".join(("weburl", *path.relative_to(self.source).with_suffix("").parts)): path
            for path in sorted(self.source.rglob("[!_]*.py"))
            if not any(part.startswith("_") or part == "cli" for part in path.relative_to(self.source).parts)
        }

    @cached_property
    def public_names(self) -> dict[str, list[str]]:
        files = {"weburl": self.source / "__init__.py", **self.public_files}
        return {name: names for name, path in files.items() if (names := listed_in(path)) is not None}

    @cached_property
    def reference_pages(self) -> dict[str, Path]:
        """Modules whose reference is a page of their own, and not made from docstrings."""
        return {
            name: self.docs / f"engines/{name.rpartition('.')[2]}.md"
            for name in self.public_files
            if name.startswith("weburl.ext.") and f":: {name}\n" not in self.text(self.docs / "reference/ext.md")
        }


def described_in(path: Path) -> Path:
    """The file with the signatures of a module."""
    stub = path.with_suffix(".pyi")
    return stub if stub.exists() else path


def listed_in(path: Path) -> list[str] | None:
    """`__all__`, without an import: what is made from the table of verbs is listed in a stub."""
    described = described_in(path)
    for node in ast.parse(described.read_text("utf-8")).body if described.exists() else []:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__":
            found = ast.literal_eval(node.value)
            return found if isinstance(found, list) else None
    return None


def line_of(text: str, place: int) -> int:
    return text.count("\n", 0, place) + 1


def matches(tree: Tree, paths: Iterable[Path], pattern: str, what: str) -> Found:
    for path in paths:
        text = tree.text(path)
        for found in re.finditer(pattern, text, re.M):
            yield Finding(path, line_of(text, found.start()), f"{what}: {found[0].strip()!r}")


def without_comments(text: str) -> str:
    return re.sub(r"#.*", "", text)


def rows_of(page: str) -> Rows:
    table = page.partition("## Where things are")[2].partition("\n\nOutside")[0]
    rows: Rows = {}
    for path, at_once, later in re.findall(r"^\| `([\w./]+)` \|.*\| ([^|]*)\| ([^|]*)\|$", table, re.M):
        name = path.removesuffix("/").removesuffix(".py").removesuffix(".pyx").replace("/", ".")
        rows[name] = re.findall(r"`(.*?)`", at_once), re.findall(r"`(.*?)`", later)
    return rows
