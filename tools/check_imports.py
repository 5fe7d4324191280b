"""Rules of imports: who may import whom, and that nobody imports in a circle. check_source.py runs them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from source_tree import Finding, Found, Tree, line_of, rule
from support.imports import Import, cycles, read_tree

# Who may import whom: the table of CONTRIBUTING.md. A row is a room or a module, what it may import at any time, and
# what only in functions and for types, so that `import weburl` stays fast. A module with a row of its own is not under
# its room's; a room's modules may import each other, but not in a cycle. `*` is everything below the top floor.

TOP_FLOOR = ("compat", "ext", "cli", "__main__")
# It imports engines by names from elsewhere.
BY_NAME = {"weburl/_verbs/rows.py"}


def short(module: str) -> str:
    return module.removeprefix("weburl").removeprefix(".") or "__init__"


def row_of(module: str, names: Iterable[str]) -> str:
    """The longest of the names that is the module or a room above it."""
    return max((name for name in names if f"{module}.".startswith(f"{name}.")), key=len, default="")


def is_allowed(each: Import, tree: Tree) -> bool:
    importer, imported = short(each.importer), short(each.imported)
    row = row_of(importer, tree.table)
    if not row:
        return False
    at_once, later = tree.table[row]
    # The row of a room, other than that of a module, allows the room's own modules.
    is_room = (tree.source / row).is_dir()
    names = [*at_once, *([] if each.at_once else later), *([row] if is_room else [])]
    return bool(row_of(imported, names)) or ("*" in names and not row_of(imported, TOP_FLOOR))


def place(tree: Tree, written: str) -> tuple[Path, int]:
    path, _, line = written.partition(":")
    return tree.source.parent / path, int(line)


@rule("A module imports what the table of CONTRIBUTING.md allows, and says what.")
def imports(tree: Tree) -> Found:
    read = read_tree(tree.source.parent)
    for each in read.imports:
        if not is_allowed(each, tree):
            yield Finding(*place(tree, each.place), f"it must not import {each.imported} here")
    for written in read.unknown:
        if written.partition(":")[0] not in BY_NAME:
            yield Finding(*place(tree, written), "it imports a module by a name that only the program knows")


@rule("The table of CONTRIBUTING.md has a row for each module, and allows nothing that is not needed.")
def permissions(tree: Tree) -> Found:
    page, read = tree.root / "CONTRIBUTING.md", read_tree(tree.source.parent)
    for module, paths in read.modules.items():
        if not row_of(short(module), tree.table):
            yield Finding(paths[0], 1, "CONTRIBUTING.md has no row for it")
    for row, allowed in tree.table.items():
        found = re.search(rf"^\| `{row.replace('.', '/')}(?:[.]pyx?|/)?` \|", tree.text(page), re.M)
        line = line_of(tree.text(page), found.start()) if found else 1
        path = tree.source.joinpath(*row.split("."))
        if not any(path.with_suffix(suffix).exists() for suffix in ("", ".py", ".pyx")):
            yield Finding(page, line, f"there is no {row}")
        own = [each for each in read.imports if row_of(short(each.importer), tree.table) == row]
        for at_once, names in zip((True, False), allowed, strict=True):
            used = {row_of(short(each.imported), names) for each in own if each.at_once is at_once or at_once}
            for name in sorted(set(names) - used - {"*"}):
                yield Finding(page, line, f"{row} may import {name}, and does not")


@rule("A header of `_core` is for all; one of another room is for that room.")
def headers(tree: Tree) -> Found:
    for path in [*tree.cython, *tree.files("src/weburl", ".h")]:
        text, own = tree.text(path), path.parent.relative_to(tree.source).as_posix()
        for found in re.finditer(r'^\s*(?:cdef extern from|#\s*include) "([\w./]+)/([\w.]+)"', text, re.M):
            if found[1] != own:
                yield Finding(path, line_of(text, found.start(1)), f"{found[2]} is another room's")


@rule("Imports never form a cycle, not even those in functions, for types, or inside a room.")
def circles(tree: Tree) -> Found:
    read = read_tree(tree.source.parent)
    for names in cycles(read.imports):
        yield Finding(read.modules[names[0]][0], 1, f"these modules import each other: {', '.join(names)}")


@rule("The drawing of docs/design.md shows who imports whom: down, within a box, or to a box that the text names.")
def drawing(tree: Tree) -> Found:
    page = tree.docs / "design.md"
    text, _, rest = tree.text(page).partition("## The layers")[2].partition("```text\n")
    lines = rest.partition("```")[0].splitlines()
    begin = line_of(tree.text(page), len(tree.text(page)) - len(rest))
    for number, line in enumerate(lines):
        if len(line) != len(lines[0]):
            yield Finding(page, begin + number, "the lines of the drawing are not equally long")
    # The box of each is its line and its place in the line: only rooms share a line without sharing a box.
    boxes = {
        name: (number, name if is_room else "")
        for number, line in enumerate(lines)
        for name, is_room in re.findall(r"\b(\w+)(?:\.py|(/))", line)
    }
    beside = {
        (user, used) for user, uses in re.findall(r"`(\w+)` uses ([^.]*?)(?:,|\.|$)", text) for used in uses.split("`")
    }
    top = {name.partition(".")[0] for name in tree.table} - {"__init__", "__main__", "_pydantic"}
    for name in sorted(boxes.keys() ^ top):
        yield Finding(page, begin, f"{name} is in the drawing or in the table of CONTRIBUTING.md, and not in both")
    for importer, (at_once, later) in tree.table.items():
        user = importer.partition(".")[0]
        for used in {name.partition(".")[0] for name in (*at_once, *later)} & top:
            if user not in boxes or used not in boxes or boxes[used] == boxes[user] or (user, used) in beside:
                continue
            if boxes[used][0] <= boxes[user][0]:
                yield Finding(page, begin + boxes[user][0], f"{user} imports {used}, which is not below it")
