"""Checks rules of the source and of the pages that no other tool knows. check_repository.py has those of other files,
and check_imports.py those of imports.

    PYTHONPATH=tests python tools/check_source.py

Each line that it prints is a place and what is wrong there. tests/test_check_source.py has a bad sample for each rule.
"""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TypeVar

import check_imports  # noqa: F401  # its rules
from check_repository import actions_of, data_files
from imported_constants import IMPORTED
from source_tree import (
    PART,
    ROOT,
    RULES,
    Finding,
    Found,
    Tree,
    described_in,
    line_of,
    listed_in,
    matches,
    rule,
    without_comments,
)
from support.imports import without_strings
from support.pages import PYTHON, blocks

Node = TypeVar("Node", bound=ast.AST)


# Cython.

BANNED = {
    "DEF or IF": r"^\s*(DEF|IF|ELIF|ELSE)\b[^:=]*[:=]",
    "cimport *": r"\bcimport\s+\*",
    "char with a sign: bytes are uint8_t": r"\b(?:unsigned char|signed char)\b",
}
FUNCTION = (
    r"^\s*c(?:p)?def\s+(?!class\b|extern\b|enum\b|struct\b|union\b|packed\b)"
    r"[^=\n(]*\w\s*\((?:[^()]|\([^()]*\))*\)(?![^\n]*\b(?:no)?except\b)"
)


@rule("What no compiled module has: DEF, cimport *, char.")
def banned(tree: Tree) -> Found:
    for path in tree.cython:
        code = without_comments(tree.text(path))
        for what, pattern in BANNED.items():
            for found in re.finditer(pattern, code, re.M):
                yield Finding(path, line_of(code, found.start(0) + len(found[0]) - len(found[0].lstrip())), what)


@rule("A cdef function says how it raises, if it does not return an object.")
def exceptions(tree: Tree) -> Found:
    for path in tree.cython:
        code = without_comments(tree.text(path))
        for found in re.finditer(FUNCTION, code, re.M):
            words = [
                word for word in found[0].partition("(")[0].split()[1:-1] if word not in ("inline", "public", "api")
            ]
            if words and words[-1] not in tree.classes:
                start = found.start() + len(found[0]) - len(found[0].lstrip())
                yield Finding(path, line_of(code, start), "a cdef function without except or noexcept")


CIMPORTS = re.compile(r"^\s*from [\w.]+ cimport (\([^)]*\)|.*)", re.M)


@rule("What is cimported is used; a name that a .pxd cimports may also be for its module.")
def cimports(tree: Tree) -> Found:
    for path in tree.cython:
        module = path.with_suffix(".pyx")
        files = [path, module, *tree.parts(module), path.with_suffix(".py")] if path.suffix == ".pxd" else [path]
        used = set(re.findall(r"\w+", "".join(CIMPORTS.sub("", without_comments(tree.text(file))) for file in files)))
        code = without_comments(tree.text(path))
        for found in CIMPORTS.finditer(code):
            for name in found[1].strip("()").split(","):
                if name.strip() and name.split()[-1] not in used:
                    yield Finding(path, line_of(code, found.start(1)), f"{name.split()[-1]} is cimported and not used")


# What a file of Cython defines at its top: functions and classes, types, variables, and members of enums.
DEFINED = re.compile(
    r"^(?:def|(?:cp?def )?class|(?:ctypedef|cdef) (?:packed )?(?:struct|enum|union)) (\w+)"
    r"|^ctypedef (?!struct|enum|union|packed)[^\n(]*?(?:\(\*)?(\w+)(?:\)\(.*)?$"
    r"|^cp?def (?!class\b|extern\b|enum\b|struct\b|union\b|packed\b)[^\n(=]*?(\w+) *(?:[(=]|$)"
    r"|^([A-Za-z_]\w*)(?: *, *\w+)* *=",
    re.M,
)
ENUM = re.compile(r"^c(?:type)?def enum\b[^\n]*:\n((?:[ ]+[^\n]*\n|\n)+)", re.M)


def defined_in(code: str) -> set[str]:
    members = "".join(ENUM.findall(code))
    names = {name for each in DEFINED.findall(code) for name in each if name}
    return names | {*re.findall(r"^[ ]+(\w+)[ ]*(?:=[^\n]*)?$", members, re.M)}


def pieces(tree: Tree, module: Path) -> Iterator[tuple[Path, int, str]]:
    """The code of a module in its order: of its parts, and of its own lines before, between and after them."""
    text = tree.text(module)
    begin = 0
    for found in re.finditer(PART, text, re.M):
        yield module, line_of(text, begin), without_strings(text[begin : found.start()])
        part = module.with_name(found[1])
        yield part, 1, without_strings(tree.text(part))
        begin = found.end()
    yield module, line_of(text, begin), without_strings(text[begin:])


@rule("A module of several files has parts. Each has one module; a function, constant or type comes before its use.")
def parts(tree: Tree) -> Found:
    whole = {path: tree.parts(path) for path in tree.cython if path.suffix == ".pyx"}
    owned = [part for files in whole.values() for part in files]
    for path in tree.cython:
        text = tree.text(path)
        for found in re.finditer(r"^[ \t]*include[ \t]*[\"'].*", text, re.M):
            if path.suffix != ".pyx" or not re.fullmatch(PART, found[0]):
                yield Finding(path, line_of(text, found.start()), 'write `include "part.pxi"`, in the .pyx')
        if path.suffix == ".pxi" and owned.count(path) != 1:
            yield Finding(path, 1, f"it must be a part of one module, not of {owned.count(path)}")
        if path.suffix == ".pxi" and any(path.with_suffix(end).exists() for end in (".py", ".pyx", ".pxd")):
            yield Finding(path, 1, "a module has its name")
    for module, files in whole.items():
        for part in files:
            if f"A part of {module.name}: " not in tree.text(part)[:200]:
                yield Finding(part, 1, f"it must begin with what it is: # A part of {module.name}: ...")
        yield from later_names([*pieces(tree, module)] if files else [])


def later_names(ordered: Sequence[tuple[Path, int, str]]) -> Found:
    """Of the pieces of a module: names that are used before they are defined, or that two pieces define."""
    later: dict[str, Path] = {}
    for path, begin, code in reversed(ordered):
        for found in re.finditer(r"(?<![\w.])(\w+)(\(?)", code):
            line = code[code.rfind("\n", 0, found.start()) + 1 : found.start()]
            # A method has a name of its own, and so have variables.
            is_use = (found[2] or found[1][0].isupper()) and not re.match(r"\s+(?:c|cp)?def\b", line)
            if is_use and later.get(found[1], path) != path:
                what = f"it uses {found[1]}, which {later[found[1]].name} defines after it"
                yield Finding(path, begin + line_of(code, found.start()) - 1, what)
        own = defined_in(code)
        for name in sorted(own & later.keys()):
            if later[name] != path:
                yield Finding(path, begin, f"{later[name].name} defines {name}, too")
        later |= dict.fromkeys(own, path)


# Sizes.

LONGEST = {"setup.py": 40, "scan.h": 200, "Makefile": 55}


@rule("A file has at most 800 lines, some have fewer.")
def lengths(tree: Tree) -> Found:
    for path in (*tree.everything, *tree.root.glob("Makefile")):
        limit, count = LONGEST.get(path.name, 800), len(tree.text(path).splitlines())
        if count > limit:
            yield Finding(path, limit + 1, f"it has {count} lines; at most {limit} are allowed")


@rule("A folder has at most 24 modules; the files of one name are one.")
def folders(tree: Tree) -> Found:
    modules: dict[Path, set[str]] = {}
    for path in tree.code:
        if path.suffix != ".h":
            modules.setdefault(path.parent, set()).add(path.stem)
    for folder, stems in modules.items():
        if len(stems) > 24:
            yield Finding(folder, 1, f"it has {len(stems)} modules; at most 24 are allowed")


@rule("At most 40 modules are compiled: each takes some KB of the wheel. At most 1,760 lines of C are written by hand.")
def compiled(tree: Tree) -> Found:
    in_python = [path.with_suffix(".py") for path in tree.cython if path.suffix == ".pxd"]
    modules = [path for path in tree.code if path.suffix == ".pyx" or path in in_python]
    in_c = sum(len(tree.text(path).splitlines()) for path in tree.files("src", ".h") if path.stem != "byte_classes")
    for count, most, what in ((len(modules), 40, "compiled modules"), (in_c, 1760, "lines of C")):
        if count > most:
            yield Finding(tree.source, 1, f"it has {count} {what}; at most {most} are allowed")


@rule("Nothing is left of a merge.")
def merges(tree: Tree) -> Found:
    yield from matches(tree, (*tree.everything, *tree.pages), r"^(<{7}|>{7})", "left of a merge")


# The standard.


@rule("An anchor of the standard exists.")
def anchors(tree: Tree) -> Found:
    for path in tree.code:
        text = tree.text(path)
        for found in re.finditer(r"url\.spec\.whatwg\.org(/?)#([\w/()-]+)", text):
            if not found[1]:
                yield Finding(path, line_of(text, found.start()), "an anchor comes after /#")
            if found[2] not in tree.anchors and found[2].rstrip(")") not in tree.anchors:
                yield Finding(path, line_of(text, found.start()), f"the standard has no anchor {found[2]}")


@rule("Each of the 20 states of the standard's parser is cited.")
def states(tree: Tree) -> Found:
    listed = tree.root / "tests" / "data" / "anchors.txt"
    wanted = {anchor for anchor in tree.anchors if anchor.endswith("-state")} - {"hostname-state"}
    if len(wanted) != 20:
        yield Finding(listed, 1, f"it has {len(wanted)} states, not 20")
    source = "\n".join(map(tree.text, tree.code))
    for state in sorted(wanted):
        if f"url.spec.whatwg.org/#{state}" not in source:
            yield Finding(listed, 1, f"no code cites {state}")


# Public names.

DIR = "def __dir__() -> list[str]:\n    return __all__"


@rule("A public module lists its names in `__all__`, each once, and shows them in `__dir__`.")
def public(tree: Tree) -> Found:
    for path in tree.public_files.values():
        functions = [node for node in ast.parse(tree.text(path)).body if isinstance(node, ast.FunctionDef)]
        if [ast.unparse(node) for node in functions if node.name == "__dir__"] != [DIR]:
            yield Finding(path, 1, f"it has not the function {DIR!r}")
        if not re.search(r"^__all__ = ", tree.text(path), re.M):
            yield Finding(path, 1, "it has no __all__")
        names = listed_in(path)
        if not names or len(names) != len(set(names)) or any(name.startswith("_") for name in names):
            yield Finding(described_in(path), 1, "`__all__` must be a list of public names, each once")


def unused_names(tree: Tree) -> Iterator[tuple[str, str]]:
    """Public names that no page for users has as code, each with its module."""
    reference = tree.docs / "reference"
    pages = [path for path in tree.pages if reference not in path.parents and path.parent != tree.root]
    text = "\n".join(map(tree.text, [*pages, tree.root / "README.md"]))
    code = "\n".join(re.findall(r"^```.*?^```|`[^`\n]+`", text, re.M | re.S))
    words = set(re.findall(r"\w+", code))
    for module, names in tree.public_names.items():
        for name in names:
            # The class of an accessor is for annotations: pages have its methods.
            if name not in words and names != ["WebURL"]:
                yield module, name


@rule("A page for users, and not only the reference, has each public name.")
def needed(tree: Tree) -> Found:
    for module, name in unused_names(tree):
        path = tree.public_files.get(module, tree.source / "__init__.py")
        yield Finding(described_in(path), 1, f"no page needs {module}.{name}: show what it is for, or make it private")


@rule("Pages and examples name public names only.")
def named(tree: Tree) -> Found:
    names, packages = tree.public_names, ("weburl", "weburl.compat", "weburl.ext")
    for path in tree.pages:
        text = tree.text(path)
        if path.parent == tree.root and path.name != "README.md":
            continue
        found = [
            (each.start(), module, each[1])
            for module in names
            for each in re.finditer(rf"(?<![\w.]){re.escape(module)}\.([A-Za-z]\w*)", text)
            if f"{module}.{each[1]}" not in (*names, *packages, "weburl.cli")
        ]
        for language, block in blocks(text):
            if language in PYTHON:
                for module, given in re.findall(
                    r"^(?:>>> )?from (weburl[\w.]*) import (\([^)]*\)|[^#\n]+)", block, re.M
                ):
                    for name in re.findall(r"\w+(?: as \w+)?", given):
                        found.append((text.index(block), module, name.partition(" as ")[0]))
        for start, module, name in found:
            whole = f"{module}.{name}"
            if name not in names.get(module, []) and whole not in names and whole not in packages:
                yield Finding(path, line_of(text, start), f"{whole} is not a public name")


@rule("The page of an engine has all its public names, and every engine has a page.")
def engines(tree: Tree) -> Found:
    index = tree.docs / "engines" / "index.md"
    # Dask has the accessor of pandas, DataFusion the functions of pyarrow.
    wanted = {"dask", "datafusion"} | {
        name.rpartition(".")[2] for name in tree.public_files if name.startswith("weburl.ext.")
    }
    in_index = set(re.findall(r"^\| \[[^]]+\]\((\w+)\.md\) \|", tree.text(index), re.M))
    pages = {path.stem for path in (tree.docs / "engines").glob("*.md")} - {"index"}
    for name in sorted((wanted ^ pages) | (wanted ^ in_index)):
        yield Finding(index, 1, f"{name} is not a module, a page and a row of the index")
    for name, path in tree.reference_pages.items():
        page, module = tree.text(path), tree.public_files[name]
        if f"`{name}`" not in tree.text(tree.docs / "reference/ext.md"):
            yield Finding(tree.docs / "reference/ext.md", 1, f"it does not name {name}")
        parsed = ast.parse(tree.text(described_in(module)))
        accessor = [node for node in parsed.body if isinstance(node, ast.ClassDef) and node.name == "WebURL"]
        if not accessor:
            for each in tree.public_names.get(name, []):
                if not re.search(rf"\b{each}\b", page):
                    yield Finding(path, 1, f"it does not name {each}")
            continue
        if tree.public_names.get(name) != ["WebURL"]:
            yield Finding(module, 1, "it has more public names than its accessor")
        methods = {node.name for node in accessor[0].body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
        # In examples, and in the first column of a table.
        in_page = set(re.findall(r"\bweburl\.(\w+)\(", page))
        for cell in re.findall(r"^\| (`\w+\(.*?) \| ", page, re.M):
            in_page.update(re.findall(r"`(\w+)\(", cell))
        for each in sorted(methods):
            if not re.search(rf"`{each}[`(]", page):
                yield Finding(path, 1, f"it does not name the method {each}")
        for each in sorted(in_page - methods):
            yield Finding(path, 1, f"it names {each}, which is not a method")


# The command: what the arguments say (LowArgs) is decided once (HiArgs), and nothing keeps it.


def nodes(tree: ast.AST, kind: type[Node]) -> Iterator[Node]:
    return (node for node in ast.walk(tree) if isinstance(node, kind))


def assigned(function: ast.AST) -> Iterator[tuple[ast.Attribute, str]]:
    """Each attribute that a function assigns to, with the expression that it gets."""
    for node in ast.walk(function):
        targets = node.targets if isinstance(node, ast.Assign) else []
        if isinstance(node, ast.AnnAssign | ast.AugAssign):
            targets = [node.target]
        for target in targets:
            if isinstance(target, ast.Attribute):
                value = getattr(node, "value", None)
                yield target, "" if value is None else ast.unparse(value)


@rule("Options are read once (LowArgs), decided once (HiArgs, frozen), and not kept or changed as they were read.")
def options(tree: Tree) -> Found:
    files = {path: ast.parse(tree.text(path)) for path in tree.files("src/weburl/cli", ".py")}
    classes = [(path, node) for path, file in files.items() for node in nodes(file, ast.ClassDef)]
    low = {"LowArgs", "Low"}
    for _ in classes:
        low |= {node.name for _, node in classes if low.intersection(map(ast.unparse, node.bases))}
    is_low = re.compile(rf"\b(?:{'|'.join(sorted(low))})\b")
    for path, node in classes:
        if node.name.endswith("HiArgs") and list(map(ast.unparse, node.bases)) != ["NamedTuple"]:
            yield Finding(path, node.lineno, f"{node.name} is not a NamedTuple: it can change")
        for each in nodes(node, ast.AnnAssign):
            if is_low.search(ast.unparse(each.annotation)):
                yield Finding(path, each.lineno, f"{ast.unparse(each.target)} keeps what the arguments say")
    for path, file in files.items():
        for call in nodes(file, ast.Call):
            # `scanned` fills in an object, as argparse does.
            if ast.unparse(call.func) in ("setattr", "object.__setattr__") and path.name != "_arguments.py":
                yield Finding(path, call.lineno, "setattr changes what is read or decided: call a function with values")
        for function in nodes(file, ast.FunctionDef):
            arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
            given = {each.arg for each in arguments if each.annotation and is_low.search(ast.unparse(each.annotation))}
            for target, value in assigned(function):
                if value in given:
                    yield Finding(path, target.lineno, f"{ast.unparse(target)} keeps what the arguments say")
                elif ast.unparse(target.value) in {*given, "low"}:
                    yield Finding(path, target.lineno, f"{ast.unparse(target)} changes after the arguments are read")
            for attribute in nodes(function, ast.Attribute):
                if ast.unparse(attribute.value) == "low" and "low" not in given:
                    yield Finding(path, attribute.lineno, f"{function.name} decides by {ast.unparse(attribute)}")
        if path.parent.name == "commands" and is_low.search(tree.text(path)):
            deciding = [node for node in nodes(file, ast.FunctionDef) if node.name == "decided"]
            imported = [name for node in nodes(file, ast.ImportFrom) for name in node.names if name.name == "decided"]
            if not imported and not any("HiArgs" in ast.unparse(node.returns or node) for node in deciding):
                yield Finding(path, 1, "it has options, and no function `decided` that makes a HiArgs of them")


@rule("The ends of the names of compressed files are in one table.")
def compressions(tree: Tree) -> Found:
    paths = [path for path in tree.files("src/weburl/cli", ".py", ".pyx", ".pxi") if path.name != "_packings.py"]
    yield from matches(tree, paths, r"(?<![\w}])\.(?:gz|bz2|xz|zst)\b", "the table of _packings.py has it")


MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"

# Tests.

CLOCKS = {
    f"{name}{unit}"
    for name in ("perf_counter", "monotonic", "process_time", "thread_time", "time")
    for unit in ("", "_ns")
}
# Why a test may read a clock: to end what would wait for ever; for tests that are `timed`; because a limit of time of
# ours is what it tests.
CLOCK = re.compile(r"# clock: (?:deadline|timed|limit of time)$", re.M)


ANY_CLOCK = re.compile(rf"\b(?:time\.time|{'|'.join(sorted(CLOCKS - {'time'}))})\b")
CLOCK_IN_TEXT = re.compile(rf"\btime\.(?:{'|'.join(sorted(CLOCKS))})\(\)")


def reads_clock(node: ast.AST) -> bool:
    """Also in the text of a program that it runs."""
    return any(
        (isinstance(each, ast.Attribute) and ast.unparse(each.value) == "time" and each.attr in CLOCKS)
        or (isinstance(each, ast.Name) and each.id in CLOCKS - {"time"})
        or (isinstance(each, ast.Constant) and isinstance(each.value, str) and CLOCK_IN_TEXT.search(each.value))
        for each in ast.walk(node)
    )


def uses(node: ast.AST, names: set[str]) -> bool:
    return any(each.id in names for each in nodes(node, ast.Name))


@cache
def measuring(tree: Tree, path: Path) -> set[str]:
    """What measures time of a module of tests: texts, functions, and what it has from other modules of tests."""
    found: set[str] = set()
    for module, names in re.findall(r"^from ((?:test_|support\.)[\w.]+) import (\([^)]*\)|.*)", tree.text(path), re.M):
        for folder in (path.parent, tree.root / "tests"):
            other = folder.joinpath(*module.split(".")).with_suffix(".py")
            if other.exists():
                found |= measuring(tree, other) & {*re.findall(r"\w+", names)}
                break
    if not found and not ANY_CLOCK.search(tree.text(path)):
        return found
    file = ast.parse(tree.text(path))
    lines = tree.text(path).splitlines()
    parts: dict[str, ast.AST] = {
        name: value for node in file.body for name, value in named_values(node) if isinstance(value, ast.Constant)
    }
    for node in file.body:
        if isinstance(node, ast.FunctionDef):
            excuse = CLOCK.search("\n".join(lines[node.lineno - 1 : node.end_lineno]))
            if excuse is None or excuse[0].endswith("timed"):
                parts[node.name] = node
    found |= {name for name, node in parts.items() if reads_clock(node)}
    while more := {name for name, node in parts.items() if name not in found and uses(node, found)}:
        found |= more
    return found


@rule("A test that measures time is `timed`, so that it runs alone, in make complexity; or it says why not.")
def clocks(tree: Tree) -> Found:
    for path in tree.files("tests", ".py"):
        if path.is_relative_to(tree.root / "tests" / "tiers"):
            continue
        names = measuring(tree, path)
        if not names and not ANY_CLOCK.search(tree.text(path)):
            continue
        file = ast.parse(tree.text(path))
        lines = tree.text(path).splitlines()
        all_timed = re.search(r"^pytestmark = .*\.timed\b", tree.text(path), re.M)
        body = [*file.body, *(node for each in nodes(file, ast.ClassDef) for node in each.body)]
        for node in (node for node in body if isinstance(node, ast.FunctionDef)):
            text = "\n".join(lines[node.lineno - 1 : node.end_lineno])
            is_timed = all_timed or "pytest.mark.timed" in map(ast.unparse, node.decorator_list)
            measures = reads_clock(node) or (node.name.startswith("test_") and uses(node, names))
            if measures and not is_timed and not CLOCK.search(text):
                yield Finding(path, node.lineno, f"{node.name} reads a clock, is not `timed` and does not say why")


def named_values(node: ast.stmt) -> Iterator[tuple[str, ast.expr]]:
    """Each name that a statement assigns to, with its value."""
    if isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
        for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
            if isinstance(target, ast.Tuple) and isinstance(node.value, ast.Tuple):
                yield from zip(map(ast.unparse, target.elts), node.value.elts, strict=False)
            else:
                yield ast.unparse(target), node.value


def is_number(value: ast.expr) -> bool:
    parts = {*map(type, ast.walk(value))} - {ast.Add, ast.Sub, ast.Mult, ast.Div, ast.Pow, ast.LShift, ast.USub}
    return parts <= {ast.BinOp, ast.UnaryOp, ast.Constant} and all(
        type(each.value) in (int, float) for each in nodes(value, ast.Constant)
    )


COLLECTIONS = (ast.Dict, ast.DictComp, ast.List, ast.ListComp, ast.Set, ast.SetComp, ast.Tuple)


def is_collection(value: ast.expr) -> bool:
    if isinstance(value, ast.BinOp):
        return is_collection(value.left) or is_collection(value.right)
    if isinstance(value, ast.Call):
        return ast.unparse(value.func) in ("dict", "frozenset", "list", "re.compile", "set", "tuple") or (
            isinstance(value.func, ast.Attribute) and value.func.attr == "split"
        )
    return isinstance(value, COLLECTIONS)


def constants_of(tree: Tree, module: str) -> set[str]:
    """The constants of a module that are numbers; of a private module or the command, also collections and regular
    expressions.
    """
    path = (tree.root / "src").joinpath(*module.split("."))
    is_private = re.search(r"\._|^weburl\.cli\b", module) is not None
    if python := next(filter(Path.exists, (path.with_suffix(".py"), path / "__init__.py")), None):
        body = ast.parse(tree.text(python)).body
        return {
            name
            for node in body
            for name, value in named_values(node)
            if name.isupper() and (is_number(value) or (is_private and is_collection(value)))
        }
    if not path.with_suffix(".pyx").exists():
        return set()
    begins = r"-?[0-9]|[(\[{]|frozenset\(|re\.compile\(" if is_private else "-?[0-9]"
    return {*re.findall(rf"^([A-Z][A-Z0-9_]*)(?:: [^=\n]+)? = (?:{begins})", tree.text(path.with_suffix(".pyx")), re.M)}


def imported_constants(file: ast.Module) -> Iterator[tuple[int, str, str]]:
    """The line, the module and the name of each constant that a test takes from a module of weburl."""
    modules = {}
    for found in nodes(file, ast.ImportFrom):
        for name in found.names:
            modules[name.asname or name.name] = f"{found.module}.{name.name}"
            if name.name.isupper():
                yield found.lineno, found.module or "", name.name
    for node in nodes(file, ast.Attribute):
        if node.attr.isupper() and isinstance(node.value, ast.Name) and node.value.id in modules:
            yield node.lineno, modules[node.value.id], node.attr


@rule("A test has figures and lists of its own: what it imports it cannot guard. imported_constants.py has exceptions.")
def figures(tree: Tree) -> Found:
    of_modules: dict[str, set[str]] = {}
    used = set()
    for path in tree.files("tests", ".py"):
        if path.is_relative_to(tree.root / "tests" / "tiers"):
            continue
        for line, module, name in sorted({*imported_constants(ast.parse(tree.text(path)))}):
            if module.startswith("weburl.") and module not in of_modules:
                of_modules[module] = constants_of(tree, module)
            if name in of_modules.get(module, ()):
                used.add(f"{module}.{name}")
                if f"{module}.{name}" not in IMPORTED:
                    yield Finding(path, line, f"it imports {module}.{name}: write it down")
    table = tree.root / "tools" / "imported_constants.py"
    for name in sorted(IMPORTED - used if table.exists() else ()):
        yield Finding(table, 1, f"no test imports {name}")


# Pages.


# `every 5 seconds` is a setting and not a speed. So are minutes, hours and days.
SPEED = re.compile(
    r"(?<!every )\b\d[\d.,]* (?:[GM]B/s|[GM]B a second|[nµm]?s|min|(?:micro|milli|nano)?seconds?)\b"
    r"|\b\d[\d.,]* times (?:as|the time)\b|\b(?:twice|half) as (?:fast|long|slow)\b"
)


@rule("A speed in a page is made from benchmarks/figures.json, or has its date; a promise says that it is one.")
def speeds(tree: Tree) -> Found:
    for path in (*tree.files("docs", ".md"), *tree.root.glob("README.md")):
        text = page = tree.text(path)
        for pattern in (r"<!-- figures: .*?<!-- /figures -->", r"<!-- figure: .*?<!-- /figure -->", r"^```.*?^```$"):
            text = re.sub(pattern, lambda found: re.sub(r"[^\n]", " ", found[0]), text, flags=re.S | re.M)
        for part in re.finditer(r"(?:.+\n)+", text):
            found = SPEED.search(part[0])
            if found and not re.search(rf"\b(?:{MONTHS})\b|promise", page[part.start() : part.end()]):
                yield Finding(path, line_of(text, part.start() + found.start()), f"{found[0]!r} has no date")


# What a fence may hold, besides directives.
LANGUAGES = (*PYTHON, "text", "sh", "console", "json", "sql")


@rule("An example is in a fence, of a language that says whether it runs.")
def fences(tree: Tree) -> Found:
    for path in (*tree.files("docs", ".md"), *tree.root.glob("README.md")):
        page = tree.text(path)
        fenced = blocks(page)
        if page.count("\n```") + page.startswith("```") != 2 * len(fenced):
            yield Finding(path, 1, "a fence does not end")
        for language, text in fenced:
            line = line_of(page, page.index(text)) if text else 1
            if language not in LANGUAGES and not language.startswith("{"):
                yield Finding(path, line, f"a fence must not be of {language or 'no language'}")
            elif language not in PYTHON and not language.startswith("{") and ">>> " in text:
                yield Finding(path, line, f"an example of Python is in a fence of {language}")
        outside = re.sub(r"^```.*?^```$", lambda found: re.sub(r"[^\n]", "", found[0]), page, flags=re.S | re.M)
        for found in re.finditer(r"^\s*>>> ", outside, re.M):
            yield Finding(path, line_of(outside, found.end()), "an example of Python is in no fence")
        # What is indented instead is for a shell.
        for found in re.finditer(r"\n\n {4}(\S+)", outside):
            if found[1] not in ("make", "pip", "python", "weburl"):
                yield Finding(
                    path, line_of(outside, found.start(1)), f"what is indented is for a shell, not {found[1]}"
                )


@rule("A link has a text: Sphinx would write the title of its page, but elsewhere nobody would see it.")
def links(tree: Tree) -> Found:
    for path in tree.files(".", ".md"):
        text = tree.text(path)
        for found in re.finditer(r"\[\s*\]\(([^)\n]+)\)", re.sub(r"`[^`\n]+`", lambda code: "x" * len(code[0]), text)):
            yield Finding(path, line_of(text, found.start()), f"the link to {found[1]} has no text")


def run_elsewhere(tree: Tree) -> dict[str, str]:
    """Pages whose examples need engines, and the tests that run them."""
    engines = [path.stem for path in sorted((tree.docs / "engines").glob("*.md")) if path.stem != "index"]
    tests = {f"engines/{stem}.md": f"engines/test_{stem}.py" for stem in engines}
    # These pages need nothing that is installed: one library is Python's own, the others are programs.
    others = {path.stem for path in (tree.docs / "from").glob("*.md")} - {"urllib", "trurl", "adaparse"}
    tests |= {f"from/{stem}.md": "engines/test_from_pages.py" for stem in sorted(others)}
    tests |= {"howto/logs.md": "engines/test_howto.py", "frameworks.md": "engines/test_frameworks.py"}
    tests |= {"howto/secrets.md": "engines/test_secrets_page.py", "command-tables.md": "engines/test_command_tables.py"}
    tests |= {"howto/dashboard.md": "engines/test_dashboard_page.py"}
    tests |= {f"cookbook/{page}.md": "engines/test_recipes.py" for page in ("data-frames", "web")}
    return {**tests, "links.md": "engines/test_page_links.py"}


@rule("The examples of a page that needs engines are run by a test of engines.")
def elsewhere(tree: Tree) -> Found:
    for page, test in run_elsewhere(tree).items():
        path, text = tree.docs / page, tree.text(tree.root / "tests" / test)
        ways = (
            rf"check_examples\(\"{path.stem}\"\)|run_(?:examples|recipes)\(DOCS / \"{page}\"(?:, (?:tmp_path|names))?\)"
        )
        if path.parent.name == "from":
            ways = r"run_examples\(page\.path\)"
        if path.exists() and not re.search(ways, text):
            yield Finding(path, 1, f"its examples are not run by tests/{test}")


@rule("A command of make that a page tells is a target.")
def targets(tree: Tree) -> Found:
    listed = re.findall(r"^(?:TIERS *:=|\.PHONY:)(.*)", tree.text(tree.root / "Makefile"), re.M)
    known = " ".join(listed).split()
    for path in tree.pages:
        for found in re.finditer(r"(?:`| {4})make ([a-z-]+)", tree.text(path)):
            if found[1] not in known:
                yield Finding(path, line_of(tree.text(path), found.start()), f"make has no target {found[1]}")


@rule("Each tier is a step of .ci/run, or in the list of docs/reliability.md of those that are not.")
def steps(tree: Tree) -> Found:
    listed = re.search(r"^TIERS *:=(.*)", tree.text(tree.root / "Makefile"), re.M)
    tiers = set(listed[1].split()) if listed else set()
    page = tree.docs / "reliability.md"
    run = set(re.findall(r"^[^#\n]*?(?:tier|make) ([a-z-]+)", tree.text(tree.root / ".ci" / "run"), re.M))
    _, begin, rest = tree.text(page).partition("It runs no `make` command of these")
    left_out = set(re.findall(r"`([a-z-]+)`", rest.partition("\n\n")[0]))
    for name in sorted(tiers - run - left_out):
        yield Finding(page, 1, f"{name} is not in .ci/run, nor in the list of what is not")
    for name in sorted(left_out & run | left_out - tiers if begin else set()):
        yield Finding(page, 1, f"{name} is a step of .ci/run, or is not a tier")


# Made by a command, by a test or by whoever adds a file.
MADE = re.compile(r"wpt_data/data|src/\*\.egg-info|docs/page\.md|_core/new\.\w+|.*NAME.*|.*\*\.so")
FOLDERS = ["src", "tests", "tools", "benchmarks", "examples", "docs", "wpt_data", r"\.ci", r"\.github"]
# Of one file, where a page of the repository itself names it without its folder.
FILE = re.compile(r"`([\w-]+\.(?:py|pyx|pxi|pxd|pyi|h|md|toml|json|mjs))`")


def place_pattern(tree: Tree) -> re.Pattern[str]:
    rooms = [path.parent.name for path in sorted(tree.source.glob("*/__init__.py"))]
    return re.compile(rf"(?<![\w./%-])(?:\./|weburl/)?((?:{'|'.join(FOLDERS + rooms)})/[\w*./-]*\w)(?!\w*[*%{{<])")


def exists(tree: Tree, written: str, beside: Path) -> bool:
    """Whether there is such a file or folder; or a module, whose kind of file is left out."""
    for folder in (tree.root, tree.source, tree.root / "tests", beside):
        for suffix in ("", ".py", ".pyx", ".pxi", ".pxd"):
            if "*" in written and any(folder.glob(written + suffix)):
                return True
            if (folder / (written + suffix)).exists():
                return True
    return False


@rule("A file that a page, a comment or a command names exists.")
def paths(tree: Tree) -> Found:
    suffixes = (".md", ".py", ".pyx", ".pxi", ".pxd", ".pyi", ".h", ".in", ".yml")
    own = [Path(__file__).resolve(), tree.root / "tests" / "test_check_source.py"]
    written = [path for path in tree.files(".", *suffixes) if path.resolve() not in own]
    pattern = place_pattern(tree)
    for path in (*written, tree.root / "Makefile", tree.root / ".ci" / "run"):
        text = tree.text(path)
        for found in pattern.finditer(text):
            if not MADE.fullmatch(found[1]) and not exists(tree, found[1], path.parent):
                yield Finding(path, line_of(text, found.start(1)), f"there is no {found[1]}")
    there = {path.name for folder in FOLDERS for path in (tree.root / folder.replace("\\", "")).rglob("*")}
    there |= {path.name for path in tree.root.glob("*")}
    for path in (tree.root / "CONTRIBUTING.md", tree.docs / "design.md"):
        for found in FILE.finditer(tree.text(path)):
            if found[1] not in there:
                yield Finding(path, line_of(tree.text(path), found.start(1)), f"there is no file {found[1]}")


@rule("Each row of the tables in docs/design.md has a file, and a function or class that the file defines.")
def ways(tree: Tree) -> Found:
    page = tree.docs / "design.md"
    text = tree.text(page)
    for found in re.finditer(r"^\| `([\w/]+\.\w+)` \| `(\w+)` \| ", text, re.M):
        defined = (
            r"^\s*(?:async )?(?:def |class |cdef (?:inline )?(?:class )?(?:const )?(?:[\w*]+ )*\*?)"
            rf"{found[2]}\b|^{found[2]}\b"
        )
        if not re.search(defined, tree.text(tree.source / found[1]), re.M):
            yield Finding(page, line_of(text, found.start()), f"{found[1]} does not define {found[2]}")


def check(tree: Tree) -> list[tuple[str, Finding]]:
    return [(name, finding) for name, rule in RULES.items() for finding in rule.check(tree)]


def main(arguments: Sequence[str]) -> int:
    if arguments:
        print(__doc__, *(f"{name}: {rule.what}" for name, rule in RULES.items()), sep="\n")
        return 2
    tree = Tree(ROOT)
    found = check(tree)
    for name, (path, line, what) in found:
        print(f"{path.relative_to(ROOT)}:{line}: {what} [{name}]")
    own = (tree.cython, tree.code, tree.pages, tree.table, tree.public_files, data_files(tree), actions_of(tree))
    sizes = [len(files) for files in own]
    # Where files are not found, no rule can fail.
    if any(size < fewest for size, fewest in zip(sizes, (50, 200, 40, 25, 20, 30, 20), strict=True)):
        print(f"there are too few files: {sizes}")
        return 1
    print(f"{len(RULES)} rules, {len(tree.everything)} files, {len(tree.pages)} pages: {len(found)} findings")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
