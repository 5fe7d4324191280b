"""The source keeps to the rules that no other tool checks."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

import pytest
from support.imports import Import, cycles, read_tree
from tiers import seeded_faults

import weburl

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "weburl"
CYTHON = sorted([*SOURCE.rglob("*.pyx"), *SOURCE.rglob("*.pxd")])
PYTHON = sorted(SOURCE.rglob("*.py"))
TEXTS = sorted({*CYTHON, *PYTHON, *SOURCE.rglob("*.pyi"), *SOURCE.rglob("*.h")})
ALL = sorted(
    {
        *TEXTS,
        *(ROOT / "tests").rglob("*.py"),
        *(ROOT / "tools").rglob("*.py"),
        *(ROOT / "benchmarks").rglob("*.py"),
        *(ROOT / "wpt_data").rglob("*.py"),
        ROOT / "setup.py",
    }
)
TREE = read_tree(SOURCE.parent)
# One for each id of the standard; made from its source with the ids that Bikeshed gives.
ANCHORS = set((Path(__file__).parent / "data" / "anchors.txt").read_text("utf-8").split())

BANNED = {
    "include": r"^\s*include\s+[\"']",
    ".pxi": r"\.pxi\b",
    "DEF": r"^\s*(DEF|IF|ELIF|ELSE)\b[^:=]*[:=]",
    "cimport *": r"\bcimport\s+\*",
    "cdef function without except or noexcept": (
        r"^\s*c(?:p)?def\s+(?!class\b|extern\b|enum\b|struct\b|union\b|packed\b)"
        r"[^=\n(]*\w\s*\((?:[^()]|\([^()]*\))*\)(?![^\n]*\b(?:no)?except\b)"
    ),
}


def name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def code(text: str) -> str:
    return re.sub(r"#.*", "", text)


OBJECTS = {"object", "str", "bytes", "tuple", "list", "dict"} | {
    found
    for path in (*CYTHON, *(path for path in PYTHON if path.with_suffix(".pxd").exists()))
    for found in re.findall(r"^\s*(?:cdef\s+)?class\s+(\w+)", path.read_text("utf-8"), re.MULTILINE)
}


def returns_object(declaration: str) -> bool:
    """A function that returns an object needs no `except`: NULL is its error."""
    words = [word for word in declaration.partition("(")[0].split()[1:-1] if word not in ("inline", "public", "api")]
    return not words or words[-1] in OBJECTS


def test_there_is_source() -> None:
    assert len(CYTHON) >= 8
    assert len(PYTHON) >= 6


@pytest.mark.parametrize("token", BANNED)
@pytest.mark.parametrize("path", CYTHON, ids=name)
def test_banned_tokens(path: Path, token: str) -> None:
    text = code(path.read_text("utf-8"))
    assert find_banned(text, token) == []


@pytest.mark.parametrize("path", CYTHON, ids=name)
def test_what_is_cimported_is_used(path: Path) -> None:
    """A name that a .pxd cimports may also be for the module that it belongs to."""
    cimports = re.compile(r"^\s*from [\w.]+ cimport (\([^)]*\)|.*)", re.MULTILINE)
    files = [path, path.with_suffix(".pyx"), path.with_suffix(".py")] if path.suffix == ".pxd" else [path]
    text = "".join(cimports.sub("", code(file.read_text("utf-8"))) for file in files if file.exists())
    names = {
        given.split()[-1]
        for match in cimports.finditer(code(path.read_text("utf-8")))
        for given in match[1].strip("()").split(",")
        if given.strip()
    }
    assert names - set(re.findall(r"\w+", text)) == set()


def find_banned(text: str, token: str) -> list[str]:
    found = [match.group().strip() for match in re.finditer(BANNED[token], text, re.MULTILINE)]
    return [line for line in found if not (token.startswith("cdef function") and returns_object(line))]


@pytest.mark.parametrize(
    ("token", "line", "count"),
    [
        ("include", 'include "x.pxd"', 1), ("include", 'cdef extern from "x.h":', 0), (".pxi", 'x = "a.pxi"', 1),
        ("DEF", "DEF X = 1", 1), ("DEF", "IF X:", 1),
        ("DEF", "DEFAULT = 1", 0), ("cimport *", "from x cimport *", 1), ("cimport *", "from x cimport y", 0),
        ("cdef function without except or noexcept", "cdef int f()", 1),
        ("cdef function without except or noexcept", "cdef inline bint f(const uint8_t* p, int n) nogil:", 1),
        ("cdef function without except or noexcept", "cdef int f() noexcept nogil", 0),
        ("cdef function without except or noexcept", "cdef int f(\n    int a,\n) except -1:", 0),
        ("cdef function without except or noexcept", "cdef int f(\n    int a,\n):", 1),
        ("cdef function without except or noexcept", "cdef object f(int a):", 0),
        ("cdef function without except or noexcept", "cdef str f(int a)", 0),
        ("cdef function without except or noexcept", "cdef int x = f(1)", 0),
        ("cdef function without except or noexcept", "cdef class X(Y):", 0),
        ("cdef function without except or noexcept", "cdef void f(X* x)", 1),
        ("cdef function without except or noexcept", "cdef Status f(X* x)", 1),
        ("cdef function without except or noexcept", "cdef URL f(int x)", 0),
    ],
)  # fmt: skip
def test_the_search_finds(token: str, line: str, count: int) -> None:
    assert len(find_banned(line, token)) == count


@pytest.mark.parametrize("path", ALL, ids=name)
def test_no_long_file(path: Path) -> None:
    lines = path.read_text("utf-8").splitlines()
    limit = {"setup.py": 40, "scan.h": 200}.get(path.name, 800)
    assert len(lines) <= limit


def test_nothing_is_left_of_a_merge() -> None:
    files = [*ALL, *ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    found = [path for path in files if re.search(r"^(<{7}|>{7})", path.read_text("utf-8"), re.MULTILINE)]
    assert found == []


# Who may import whom: a room or a module, what it may import at any time, and what only in functions and for types, so
# that `import weburl` stays fast. A module with a row of its own is not under its room's; a room's modules may import
# each other, but not in a cycle. `*` is everything below the top floor, which is compat, ext and cli.
MAY_IMPORT = """
_unicode         |                                            |
_core            |                                            | _unicode
_literal         | _unicode                                   |
_diagnosis       | _literal _unicode _core.percent            |
errors           |                                            | _diagnosis
_pydantic        | errors                                     |
_files           | errors _core _diagnosis.file_paths         | _unicode
percent          | _core                                      | _unicode _diagnosis.messages
search_params    | errors _core                               |
forms            | search_params percent _core                | _unicode
_parts           | errors search_params _core                 | _hosts.host
url              | errors search_params _parts _core          | _diagnosis _pydantic _hosts.host _files
validation       | url _diagnosis.validation_error            | _diagnosis _literal _unicode
_patterns        | url errors _core _arrow                    | _diagnosis.messages
_patterns.reach  | url _core _literal _diagnosis _patterns |
patterns         | url errors _core _patterns                 | _diagnosis
__init__         | errors search_params url validation        | patterns
_hosts.host      | errors _core                               | _unicode
_hosts.host_set  | _hosts url _core                           | _diagnosis.messages
_hosts.patterns  |                                            |
_hosts.rendering | url _hosts _unicode _diagnosis.credentials |
_hosts           | errors url _core _unicode _arrow           |
hosts            | errors _hosts                              | _unicode _diagnosis
display          | url _hosts                                 |
_crawl           | url _core _arrow _unicode.encoding         | _diagnosis.messages
crawl            | url _crawl _unicode                        | bulk _verbs.links _diagnosis.messages
_arrow           | url _core                                  | _unicode
_redact          | url _core _arrow _crawl                    | _diagnosis.credentials _diagnosis.messages
redact           | _redact                                    |
_verbs           | errors url percent _core _arrow _crawl   | _hosts _patterns _redact patterns _diagnosis.messages
bulk             | url _arrow _verbs | _hosts.suffixes _crawl _redact patterns
compat           | *                                          |
ext              | * compat                                   |
cli              | *                                          |
__main__         | cli                                        |
"""
TOP_FLOOR = ("compat", "ext", "cli", "__main__")
# They import packages by names from elsewhere: engines, and the libraries that the command compares.
BY_NAME = {"weburl/_verbs/rows.py", "weburl/cli/commands/bench.py"}

Rows = dict[str, tuple[list[str], list[str]]]


def rows(table: str) -> Rows:
    split = [[cell.split() for cell in line.split("|")] for line in table.strip().splitlines()]
    return {name: (at_once, later) for (name,), at_once, later in split}


TABLE = rows(MAY_IMPORT)
ROOMS = {short for short in TABLE if (SOURCE / short).is_dir()}


def short(module: str) -> str:
    return module.removeprefix("weburl").removeprefix(".") or "__init__"


def row_of(module: str, names: Iterable[str]) -> str:
    """The longest of the names that is the module or a room above it."""
    return max((name for name in names if f"{module}.".startswith(f"{name}.")), key=len, default="")


def is_allowed(each: Import, table: Rows) -> bool:
    importer, imported = short(each.importer), short(each.imported)
    row = row_of(importer, table)
    if not row:
        return False
    at_once, later = table[row]
    # The row of a room, other than that of a module, allows the room's own modules.
    names = [*at_once, *([] if each.at_once else later), *([row] if row in ROOMS else [])]
    return bool(row_of(imported, names)) or ("*" in names and not row_of(imported, TOP_FLOOR))


def forbidden(imports: Iterable[Import], table: Rows) -> list[str]:
    return [f"{each.place}: {each.imported}" for each in imports if not is_allowed(each, table)]


def test_who_imports_whom() -> None:
    assert len(TREE.modules) > 80
    assert len(TREE.imports) > 400
    assert forbidden(TREE.imports, TABLE) == []
    assert [module for module in TREE.modules if not row_of(short(module), TABLE)] == []
    assert {place.partition(":")[0] for place in TREE.unknown} == BY_NAME


def test_nobody_imports_in_a_cycle() -> None:
    """Imports in functions and for types count, too, and those inside a room."""
    assert cycles(TREE.imports) == []


@pytest.mark.parametrize("row", TABLE)
def test_the_table_allows_what_is_needed(row: str) -> None:
    """Every permission in the table is used."""
    imports = [each for each in TREE.imports if row_of(short(each.importer), TABLE) == row]
    for at_once, names in zip((True, False), TABLE[row], strict=True):
        used = {row_of(short(each.imported), names) for each in imports if each.at_once is at_once or at_once}
        assert set(names) - used <= {"*"}


NEW = "_core/" + "new"
PLANTED = {
    "top": (".py", "from weburl import errors\n"),
    "function": (".py", "def f():\n    from weburl.errors import InvalidURL\n"),
    "types": (".py", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import weburl.errors\n"),
    "import_module": (".py", "from importlib import import_module\nimport_module('weburl.errors')\n"),
    "f-string": (".py", "import importlib\ndef f(x):\n    importlib.import_module(f'weburl.err{x}')\n"),
    "relative": (".py", "from ..errors import InvalidURL\n"),
    "relative package": (".py", "from .. import errors\n"),
    "cython": (".pyx", "from weburl.errors import InvalidURL\n"),
    "cython function": (".pyx", "cdef int f() except -1:\n    import weburl.errors as e\n"),
    "cimport": (".pxd", "from weburl cimport (\n    errors as e,\n)\n"),
    "cimport of a module": (".pxd", "cimport cython, weburl.errors\n"),
    "cython in one line": (".pyx", "x = 'y:'\ntry: import weburl.errors\nexcept ImportError: pass\n"),
    "cython after a semicolon": (".pyx", "x = 1; from weburl.errors import InvalidURL\n"),
    "cimport of compiled python": (".py", "from cython.cimports.weburl.errors import InvalidURL\n"),
    "stub": (".pyi", "from weburl.errors import InvalidURL\n"),
}


@pytest.mark.parametrize("planted", PLANTED)
def test_a_forbidden_import_is_found(planted: str, tmp_path: Path) -> None:
    """In _core, which may not import errors in any way; together with an import back, it is a cycle."""
    suffix, text = PLANTED[planted]
    name = NEW + suffix
    path = plant(tmp_path, name, text)
    tree = read_tree(tmp_path)
    (line,) = {1 + text[: text.rindex("weburl" if "weburl" in text else "from .")].count("\n")}
    assert forbidden(tree.imports, TABLE) == [f"weburl/{name}:{line}: weburl.errors"]
    assert cycles(tree.imports) == []
    plant(tmp_path, "errors.py", "def f():\n    from weburl._core.new import x\n")
    assert cycles(read_tree(tmp_path).imports) == [["weburl._core.new", "weburl.errors"]]
    path.write_text("# from weburl import errors\n" + repr("import weburl.errors"), "utf-8")
    assert forbidden(read_tree(tmp_path).imports, TABLE) == ["weburl/errors.py:2: weburl._core.new"]


def plant(root: Path, name: str, text: str) -> Path:
    path = root / "weburl" / name
    for made in ("", "_core/", "_unicode/"):
        (root / "weburl" / made).mkdir(parents=True, exist_ok=True)
        (root / "weburl" / made / "__init__.py").touch()
    (root / "weburl" / "errors.py").touch()
    (root / "weburl" / "_unicode" / "idna.py").touch()
    path.write_text(text, "utf-8")
    return path


def test_what_may_be_imported_later_only(tmp_path: Path) -> None:
    plant(tmp_path, f"{NEW}.py", "import weburl._unicode.idna\ndef f():\n    import weburl._unicode.idna\n")
    assert forbidden(read_tree(tmp_path).imports, TABLE) == [f"weburl/{NEW}.py:1: weburl._unicode.idna"]


def test_a_module_of_its_own_and_long_ways_round(tmp_path: Path) -> None:
    plant(tmp_path, "_hosts.py", "")
    plant(tmp_path, "a.py", "import weburl.b\n")
    plant(
        tmp_path,
        "b.py",
        "def f(name):\n    import weburl.c, weburl._hosts\n    __import__(name)\n    import_module('.a', name)\n",
    )
    plant(tmp_path, "c.pyi", "from weburl.a import x\n")
    tree = read_tree(tmp_path)
    assert cycles(tree.imports) == [["weburl.a", "weburl.b", "weburl.c"]]
    assert tree.unknown == ["weburl/b.py:3", "weburl/b.py:4"]
    assert forbidden(tree.imports, rows("a | b |\nb | | c _hosts\nc | | a")) == []
    assert forbidden(tree.imports, rows("a | b |\nb | c | _hosts\nc | a |")) == []
    assert forbidden(tree.imports, rows("a | |\nb | | _hosts.x c\nc | | a")) == [
        "weburl/a.py:1: weburl.b",
        "weburl/b.py:2: weburl._hosts",
    ]


def test_folders_are_small() -> None:
    """At most 24 modules in a folder; the files of one name are one module."""
    folders: dict[Path, set[str]] = {}
    for path in TEXTS:
        if path.suffix != ".h":
            folders.setdefault(path.parent, set()).add(path.stem)
    assert len(folders) > 10
    assert {folder for folder, stems in folders.items() if len(stems) > 24} == set()


def test_few_modules_are_compiled() -> None:
    """Each is a shared object, which takes some KB of the wheel and some of the time of an import."""
    compiled = [*SOURCE.rglob("*.pyx"), *(path for path in PYTHON if path.with_suffix(".pxd").exists())]
    assert 20 < len(compiled) <= 40


def test_public_modules_say_what_is_public() -> None:
    """Every public module has `__all__`; test_names.py checks its content. The packages compat and ext are empty."""
    public = [path for path in PYTHON if not re.search(r"/_(?!_init__)|/cli/|/(compat|ext)/__init__", path.as_posix())]
    assert len(public) > 20
    silent = [path for path in public if not re.search(r"^__all__ = ", path.read_text("utf-8"), re.MULTILINE)]
    assert list(map(name, silent)) == []


def test_makefile() -> None:
    assert len((ROOT / "Makefile").read_text("utf-8").splitlines()) <= 55


@pytest.mark.parametrize("path", TEXTS, ids=name)
def test_anchors_exist(path: Path) -> None:
    cited = re.findall(r"url\.spec\.whatwg\.org/?#([\w/()-]+)", path.read_text("utf-8"))
    assert {anchor if anchor in ANCHORS else anchor.rstrip(")") for anchor in cited} - ANCHORS == set()


def test_the_states_are_cited() -> None:
    source = "\n".join(path.read_text("utf-8") for path in TEXTS)
    states = {anchor for anchor in ANCHORS if anchor.endswith("-state")} - {"hostname-state"}
    assert len(states) == 20
    assert {state for state in states if f"url.spec.whatwg.org/#{state}" not in source} == set()


def test_cited_with_the_hash() -> None:
    for path in TEXTS:
        assert "url.spec.whatwg.org#" not in path.read_text("utf-8")


def test_typed() -> None:
    assert (SOURCE / "py.typed").is_file()
    assert (Path(weburl.__file__).parent / "py.typed").is_file()


def test_all_is_there() -> None:
    assert len(weburl.__all__) == len(set(weburl.__all__))
    assert {"URL", "URLSearchParams", "InvalidURL", "normalize", "join"} <= set(weburl.__all__)
    assert all(hasattr(weburl, public) for public in weburl.__all__)


@pytest.mark.parametrize("path", CYTHON, ids=name)
def test_bytes_are_uint8(path: Path) -> None:
    """Bytes are `uint8_t`: a `char` may be signed, a `Py_UCS4 | 0x20` becomes a Python object."""
    assert re.findall(r"\b(?:unsigned char|signed char)\b", code(path.read_text("utf-8"))) == []


@pytest.mark.parametrize("path", sorted(seeded_faults.FAULTS.glob("*.patch")), ids=lambda path: path.stem)
def test_the_faults_fit(path: Path) -> None:
    """Each patch of `make seeded-faults` fits the source. That program takes long; this does not."""
    head, _, hunk = path.read_text("utf-8").partition("\n@@")
    (source,) = re.findall(r"^--- a/(\S+)$", head, re.MULTILINE)
    lines = hunk.splitlines()[1:]
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    assert (ROOT / source).read_text("utf-8").count(before) == 1
    assert [line[:1] for line in lines].count("+") >= 1


def test_mutants_are_of_what_follows_declarations() -> None:
    text = """from a cimport (
    B,
)
cdef enum:
    C = 1

    D = 2
cdef inline bint f(int a) noexcept nogil:
    return a < 2
cdef int g(
    int a) except -1:
    cdef uint8_t[64] b
    return a + 1
"""
    assert seeded_faults.declarations(text.splitlines()) == {1, 2, 4, 5, 7, 8, 11, 12}
    # The last line that a mutant changes is near the end of its file.
    last = {mutant.module: mutant.number for mutant in sorted(seeded_faults.drawn(1), key=lambda each: each.number)}
    ends = {module: (SOURCE / f"{module}.pyx").read_text("utf-8").count("\n") for module in last}
    assert [module for module, number in last.items() if number < ends[module] * 0.7] == ["_core/record"]


def test_the_reasons_are_of_mutants() -> None:
    mutants = {mutant.key for mutant in seeded_faults.drawn(1)}
    reasons: dict[str, str] = json.loads(seeded_faults.REASONS.read_text("utf-8"))
    assert reasons
    assert reasons.keys() - mutants == set()
