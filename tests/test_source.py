"""The source keeps to the rules that no other tool checks."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
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
    """A function that returns an object needs no except: NULL is its error."""
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


def test_makefile() -> None:
    assert len((ROOT / "Makefile").read_text("utf-8").splitlines()) <= 50


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
    """`make seeded-faults` takes long; that a patch is of another source, it need not be asked."""
    head, _, hunk = path.read_text("utf-8").partition("\n@@")
    (source,) = re.findall(r"^--- a/(\S+)$", head, re.MULTILINE)
    lines = hunk.splitlines()[1:]
    before = "\n".join(line[1:] for line in lines if not line.startswith("+"))
    assert (ROOT / source).read_text("utf-8").count(before) == 1
    assert [line[:1] for line in lines].count("+") >= 1


def test_the_reasons_are_of_mutants() -> None:
    mutants = {mutant.key for mutant in seeded_faults.drawn(1)}
    reasons: dict[str, str] = json.loads(seeded_faults.REASONS.read_text("utf-8"))
    assert reasons
    assert reasons.keys() - mutants == set()
