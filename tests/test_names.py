"""A public module shows its public names and no others: in `__all__`, to completion, to type checkers, in the docs."""

from __future__ import annotations

import ast
import inspect
import pickle
import pkgutil
import pydoc
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pickletools import genops

import pytest
from support.pages import DOCS, PYTHON, blocks

import weburl
from weburl import bulk, crawl, display, hosts, patterns, redact

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "weburl"
PACKAGES = ("weburl", "weburl.compat", "weburl.ext")
# A module for each file that users import; the command is not for importing.
FILES = {
    ".".join(("weburl", *path.relative_to(SOURCE).with_suffix("").parts)): path
    for path in sorted(SOURCE.rglob("[!_]*.py"))
    if not any(part.startswith("_") or part == "cli" for part in path.relative_to(SOURCE).parts)
}
# The others need engines: tests/engines/test_ext_names.py.
MODULES = [name for name in FILES if not name.startswith("weburl.ext.")]
# Modules whose reference is a page of their own, and not made from docstrings.
PAGES = {
    name: DOCS / f"engines/{name.rpartition('.')[2]}.md"
    for name in FILES
    if name.startswith("weburl.ext.") and f":: {name}\n" not in (DOCS / "reference/ext.md").read_text("utf-8")
}

DIR = "def __dir__() -> list[str]:\n    return __all__"


def described_in(path: Path) -> Path:
    """The file with the signatures of a module."""
    stub = path.with_suffix(".pyi")
    return stub if stub.exists() else path


def public_names(path: Path) -> list[str]:
    """`__all__`, without an import: what is made from the table of verbs is listed in a stub."""
    (found,) = (
        ast.literal_eval(node.value)
        for node in ast.parse(described_in(path).read_text("utf-8")).body
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "__all__"
    )
    assert isinstance(found, list)
    return found


NAMES = {"weburl": public_names(SOURCE / "__init__.py"), **{name: public_names(path) for name, path in FILES.items()}}


def test_there_are_modules() -> None:
    assert {"weburl.url", "weburl.search_params", "weburl.errors", "weburl.bulk", "weburl.hosts"} <= set(MODULES)
    assert {"weburl.compat.w3lib", "weburl.ext.polars", "weburl.ext.scrapy"} <= set(FILES)
    assert "weburl.cli.commands.check" not in FILES


@pytest.mark.parametrize("name", FILES)
def test_dir_is_written_in_one_way(name: str) -> None:
    """With the engines' modules, which cannot be imported here."""
    functions = [node for node in ast.parse(FILES[name].read_text("utf-8")).body if isinstance(node, ast.FunctionDef)]
    assert [ast.unparse(node) for node in functions if node.name == "__dir__"] == [DIR]
    assert NAMES[name]
    assert len(NAMES[name]) == len(set(NAMES[name]))
    assert [each for each in NAMES[name] if each.startswith("_")] == []


@pytest.mark.parametrize("name", MODULES)
def test_completion_offers_the_public_names(name: str) -> None:
    module = import_module(name)
    assert dir(module) == sorted(NAMES[name])
    assert [each for each in NAMES[name] if not hasattr(module, each)] == []
    starred: dict[str, object] = {}
    exec(f"from {name} import *", starred)
    assert starred.keys() - {"__builtins__"} == set(NAMES[name])


@pytest.mark.parametrize("name", PACKAGES)
def test_completion_of_a_package(name: str) -> None:
    """It offers its public names, and those of its modules that have been imported."""
    program = f"import {name}; print(*(each for each in dir({name}) if not each.startswith('_')))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    modules = {module.name for module in pkgutil.iter_modules(import_module(name).__path__)}
    expected = NAMES.get(name, [])
    assert set(done.stdout.split()) - modules == set(expected)


def test_help_has_what_it_needs() -> None:
    """`help` lists what a module has by `dir`, but gets its docstring otherwise."""
    text = pydoc.plain(pydoc.render_doc(import_module("weburl.hosts")))
    assert "Hosts" in text
    for name in NAMES["weburl.hosts"]:
        assert re.search(rf"^    (?:class )?{name}\b", text, re.MULTILINE)
    assert "HOST_TYPES" not in text


def test_pickles_find_what_is_not_shown() -> None:
    assert "restore" not in dir(import_module("weburl.url"))
    assert pickle.dumps(weburl.URL("http://h/"), 0).startswith(b"cweburl.url\nrestore\n")
    assert pickle.loads(b"cweburl.url\nrestore\n(cweburl.url\nURL\nVhttp://h/\nNtR.") == weburl.URL("http://h/")


# What repr, tracebacks, logs and pickles show.

# Of C, which cannot be told another module. Their instances are pickled by functions of the public ones.
STATIC = {
    "weburl.crawl": {"CrawlPolicy", "SurtPolicy"},
    "weburl.hosts": {"HostSet", "PublicSuffixList"},
    "weburl.redact": {"LogPolicy"},
}


@pytest.mark.parametrize("name", MODULES)
def test_classes_are_of_public_modules(name: str) -> None:
    assert private_classes(name) == STATIC.get(name, set())


def private_classes(name: str) -> set[str]:
    things = {each: getattr(import_module(name), each) for each in NAMES[name]}
    return {each for each, thing in things.items() if isinstance(thing, type) and is_private(thing.__module__)}


def is_private(module: str) -> bool:
    return any(part.startswith("_") for part in module.split("."))


def test_pickles_name_public_modules(tmp_path: Path) -> None:
    listed = tmp_path / "hosts.txt"
    listed.write_text("a b\n")
    skipped: list[object] = []
    hosts.HostSet.read(listed, on_skip=skipped.append)
    values = [
        weburl.URL("http://h/?a"), weburl.URL("http://h/?a").search_params, weburl.URL("http://h/").host_value,
        *weburl.validate(" http://h"), weburl.InvalidURL("x"), weburl.PatternError("x"), weburl.URLPattern("http://h/"),
        patterns.PatternList(["http://h/"]), crawl.CrawlPolicy(["a"]), crawl.SurtPolicy(), crawl.DocumentBase("http://h/"),
        redact.LogPolicy(["a"]), hosts.HostSet(["h"]), hosts.Origin.of("http://h/"), *skipped, hosts.is_private_host,
        *display.spoofing_risks("p\u0430ypal.com"), bulk.normalize_many(["http://h/"]), bulk.parse_many(["http://h/"]),
    ]  # fmt: skip
    assert len(skipped) == 1
    for value in values:
        named = [str(text).split()[0] for code, text, _ in genops(pickle.dumps(value, 2)) if code.name == "GLOBAL"]
        assert [module for module in named if module.startswith("weburl") and is_private(module)] == []
        assert any(module.startswith("weburl.") for module in named)
    assert pickle.loads(pickle.dumps(redact.LogPolicy(["a"], ["b*"]))).token_names == {"b*"}


# The reference.


def listed() -> dict[str, list[str]]:
    """The names of the reference, by module: what autodoc finds there, and what the pages themselves say."""
    found: dict[str, list[str]] = {}
    for page in (DOCS / "reference").glob("*.md"):
        for language, text in blocks(page.read_text("utf-8")):
            assert language == "{eval-rst}"
            module = ""
            for directive, arguments in re.findall(r"^\.\. ([\w:]+):: (\S+(?:\n {9,}\S+)*)", text, re.MULTILINE):
                if directive == "automodule":
                    module = arguments
                    found.setdefault(module, []).extend(described(module))
                elif directive == "py:data":
                    # In the module above.
                    found[module] += arguments.split()
                else:
                    assert directive == "autofunction"
                    module, _, name = arguments.rpartition(".")
                    found.setdefault(module, []).append(name)
    return found


def described(module: str) -> list[str]:
    """Those of the names in `__all__` that autodoc shows: what has a docstring of its own."""
    if module not in MODULES and module != "weburl":
        tree = ast.parse(described_in(FILES[module]).read_text("utf-8"))
        documented = [
            node.name
            for node in tree.body
            if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and ast.get_docstring(node)
        ]
        return [name for name in NAMES[module] if name in documented]
    things = {name: getattr(import_module(module), name) for name in NAMES[module]}
    return [name for name, thing in things.items() if callable(thing) and inspect.getdoc(thing)]


def test_the_reference_has_the_public_names() -> None:
    reference = listed()
    assert {module: sorted(names) for module, names in reference.items()} == {
        name: sorted(NAMES[name])
        for name in NAMES
        # What `weburl` itself has is shown there, and not in the module where it is written.
        if name not in PAGES and (name == "weburl" or not set(NAMES[name]) <= set(NAMES["weburl"]))
    }


@pytest.mark.parametrize("name", PAGES)
def test_the_pages_that_are_references_have_the_public_names(name: str) -> None:
    page = PAGES[name].read_text("utf-8")
    assert f"`{name}`" in (DOCS / "reference/ext.md").read_text("utf-8")
    tree = ast.parse(described_in(FILES[name]).read_text("utf-8"))
    classes = [node for node in tree.body if isinstance(node, ast.ClassDef)]
    accessor = next((node for node in classes if node.name == "WebURL"), None)
    if accessor is None:
        assert [each for each in NAMES[name] if not re.search(rf"\b{each}\b", page)] == []
        return
    assert NAMES[name] == ["WebURL"]
    methods = {node.name for node in accessor.body if isinstance(node, ast.FunctionDef) and node.name[0] != "_"}
    assert [each for each in sorted(methods) if not re.search(rf"`{each}[`(]", page)] == []
    # In examples, and in the first column of a table.
    named = re.findall(r"\bweburl\.(\w+)\(", page)
    for cell in re.findall(r"^\| (`\w+\(.*?) \| ", page, re.MULTILINE):
        named += re.findall(r"`(\w+)\(", cell)
    assert set(named) - methods == set()


def test_every_engine_has_a_page() -> None:
    # Dask has the accessor of pandas, DataFusion the functions of pyarrow.
    engines = {"dask", "datafusion"} | {name.rpartition(".")[2] for name in FILES if name.startswith("weburl.ext.")}
    assert {path.stem for path in (DOCS / "engines").glob("*.md")} - {"index"} == engines
    index = (DOCS / "engines/index.md").read_text("utf-8")
    assert set(re.findall(r"^\| \[\]\((\w+)\.md\) \|", index, re.MULTILINE)) == engines


def texts() -> dict[str, str]:
    pages = {path.relative_to(ROOT).as_posix(): path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))}
    return {"README.md": (ROOT / "README.md").read_text("utf-8"), **pages}


@pytest.mark.parametrize("page", texts())
def test_pages_name_only_public_names(page: str) -> None:
    text = texts()[page]
    named = [
        (module, name)
        for module in NAMES
        for name in re.findall(rf"(?<![\w.]){re.escape(module)}\.([A-Za-z]\w*)", text)
        if f"{module}.{name}" not in (*NAMES, *PACKAGES, "weburl.cli")
    ]
    for block in blocks(text):
        if block.language not in PYTHON:
            continue
        for module, names in re.findall(r"^(?:>>> )?from (weburl[\w.]*) import (\([^)]*\)|[^#\n]+)", block.text, re.M):
            for name in re.findall(r"\w+(?: as \w+)?", names):
                named.append((module, name.partition(" as ")[0]))
    assert [
        f"{module}.{name}"
        for module, name in named
        if name not in NAMES.get(module, []) and f"{module}.{name}" not in NAMES and f"{module}.{name}" not in PACKAGES
    ] == []


# What a type checker sees.


def test_every_public_name_has_a_type(tmp_path: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    lines = [f"import {module}" for module in NAMES]
    revealed = [f"{module}.{name}" for module, names in NAMES.items() for name in names]
    lines += [f"reveal_type({name})" for name in revealed]
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(tmp_path / "cache")]
    done = subprocess.run([*command, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("program.py:")]
    types = [line.removeprefix('note: Revealed type is "').removesuffix('"') for line in said]
    assert [line for line in said if not line.startswith("note: Revealed type is ")] == []
    assert len(types) == len(revealed) > 100
    assert [name for name, type in zip(revealed, types, strict=True) if type == "Any"] == []
