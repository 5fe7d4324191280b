"""Who imports whom: every import of a source tree, as edges of a graph."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

SUFFIXES = (".py", ".pyi", ".pyx", ".pxi", ".pxd")


class Import(NamedTuple):
    importer: str
    imported: str
    at_once: bool  # with its importer; otherwise when a function is called, or for type checkers only
    place: str


class Tree(NamedTuple):
    modules: dict[str, list[Path]]  # the files of each: .pyx, .pxd and .pyi of one name are one; a .pxi counts as one
    imports: list[Import]
    unknown: list[str]  # places where a module is imported whose name only the program knows


def read_tree(source: Path, package: str = "weburl") -> Tree:
    """The modules of source/package, and their imports of each other."""
    modules: dict[str, list[Path]] = {}
    for path in sorted((source / package).rglob("*")):
        if path.suffix in SUFFIXES:
            parts = path.relative_to(source).with_suffix("").parts
            modules.setdefault(".".join(parts[:-1] if parts[-1] == "__init__" else parts), []).append(path)
    tree = Tree(modules, [], [])
    for importer, paths in modules.items():
        for path in paths:
            text = path.read_text("utf-8")
            read = python_imports if path.suffix in (".py", ".pyi") else cython_imports
            package_of_it = importer if path.stem == "__init__" else importer.rpartition(".")[0]
            for line, name, at_once in read(text, package_of_it, modules):
                place = f"{path.relative_to(source).as_posix()}:{line}"
                if name is None:
                    tree.unknown.append(place)
                    continue
                for imported in modules_of(name, modules):
                    if imported != importer:
                        tree.imports.append(Import(importer, imported, at_once and path.suffix != ".pyi", place))
    return tree


def modules_of(name: str, modules: Iterable[str]) -> list[str]:
    """The modules that a name means: the longest prefix of it that is a module or, with * at its end, all that fit."""
    # How Python that is compiled may write a cimport.
    name = name.removeprefix("cython.cimports.")
    if name.endswith("*"):
        return [module for module in modules if module.startswith(name[:-1])]
    parts = name.split(".")
    known = [".".join(parts[:end]) for end in range(len(parts), 0, -1) if ".".join(parts[:end]) in modules]
    return known[:1]


Found = Iterator[tuple[int, str | None, bool]]


def python_imports(text: str, package: str, modules: Iterable[str], at_once: bool = True) -> Found:
    yield from imports_of_body(ast.parse(text), package, at_once)


def imports_of_body(node: ast.AST, package: str, at_once: bool) -> Found:
    for child in ast.iter_child_nodes(node):
        now = at_once and not isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda))
        if isinstance(child, ast.Import):
            for alias in child.names:
                yield child.lineno, alias.name, now
        elif isinstance(child, ast.ImportFrom):
            above = ".".join(package.split(".")[: len(package.split(".")) + 1 - child.level]) if child.level else ""
            module = ".".join(filter(None, (above, child.module)))
            for alias in child.names:
                yield child.lineno, f"{module}.{alias.name}", now
        elif isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test):
            for part in child.body:
                yield from imports_of_body(ast.Module([part], []), package, False)
            for part in child.orelse:
                yield from imports_of_body(ast.Module([part], []), package, now)
            continue
        elif isinstance(child, ast.Call) and ast.unparse(child.func).split(".")[-1] in ("import_module", "__import__"):
            yield child.lineno, name_of_argument(child), now
        yield from imports_of_body(child, package, now)


def name_of_argument(call: ast.Call) -> str | None:
    """The name that is imported, with * where an f-string has another value; None if its start is only known later."""
    argument = call.args[0] if call.args else None
    start = argument.values[0] if isinstance(argument, ast.JoinedStr) else argument
    if not isinstance(start, ast.Constant) or not isinstance(start.value, str) or start.value.startswith("."):
        return None
    return start.value if start is argument else start.value + "*"


STRING_OR_COMMENT = re.compile(r'"""(?:.|\n)*?"""|"(?:[^"\\\n]|\\.)*"|\'(?:[^\'\\\n]|\\.)*\'|#.*')


def without_strings(text: str) -> str:
    """The code with spaces in place of strings and comments."""
    return STRING_OR_COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


# At the start of a line, or after a colon or a semicolon: `try: import x`.
STATEMENT = re.compile(
    r"^([ \t]*)(?:[^\n]*?[:;][ \t]*)?"
    r"(?:from\s+([\w.]+)\s+c?import\s+(\([^)]*\)|(?:[^\n\\]|\\\n)*)|c?import\s+((?:[^\n\\]|\\\n)*))",
    re.MULTILINE,
)
# A part of a module counts as a module that it imports.
PART = re.compile(r'^include "(\w+)\.pxi"', re.MULTILINE)
CALL = re.compile(r"\b(?:import_module|__import__)\s*\(")


def cython_imports(text: str, package: str, modules: Iterable[str]) -> Found:
    with_strings, text = text, without_strings(text)
    for found in STATEMENT.finditer(text):
        line = text.count("\n", 0, found.start(2) if found[2] else found.start(4)) + 1
        indent, module, names, whole = found.groups()
        for name in re.findall(r"[\w.]+", re.sub(r"\bas\s+\w+", "", names or whole)):
            if module and module.startswith("."):
                yield line, None, True
            else:
                yield line, f"{module}.{name}" if module else name, not indent
    for found in PART.finditer(with_strings):
        yield with_strings.count("\n", 0, found.start()) + 1, f"{package}.{found[1]}", True
    for found in CALL.finditer(text):
        yield text.count("\n", 0, found.start()) + 1, None, False


def cycles(imports: Iterable[Import]) -> list[list[str]]:
    """The sets of modules that import each other, by whatever way round."""
    follows: dict[str, set[str]] = {}
    for each in imports:
        follows.setdefault(each.importer, set()).add(each.imported)
        follows.setdefault(each.imported, set())
    reached = {module: reach(module, follows) for module in follows}
    found = {
        tuple(sorted(other for other in reached[module] if module in reached[other]))
        for module in follows
        if module in reached[module]
    }
    return sorted(map(list, found))


def reach(module: str, follows: dict[str, set[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = [module]
    while waiting:
        new = follows[waiting.pop()] - reached
        reached |= new
        waiting += new
    return reached
