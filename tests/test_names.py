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
from source_tree import Tree, described_in
from support.pages import DOCS, blocks

import weburl
from weburl import _advice, bulk, crawl, display, hosts, patterns, redact
from weburl.text import find_urls

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "weburl"
PACKAGES = ("weburl", "weburl.compat", "weburl.ext")
TREE = Tree(ROOT)
FILES, NAMES = TREE.public_files, TREE.public_names
# The others need engines: tests/engines/test_ext_names.py.
MODULES = [name for name in FILES if not name.startswith("weburl.ext.")]


def test_there_are_modules() -> None:
    assert {"weburl.url", "weburl.search_params", "weburl.errors", "weburl.bulk", "weburl.hosts"} <= set(MODULES)
    assert {"weburl.compat.w3lib", "weburl.ext.polars", "weburl.ext.scrapy"} <= set(FILES)
    assert "weburl.cli.commands.check" not in FILES


def test_all_is_there() -> None:
    assert len(weburl.__all__) == len(set(weburl.__all__))
    assert {"URL", "URLSearchParams", "InvalidURL", "normalize", "join"} <= set(weburl.__all__)
    assert all(hasattr(weburl, public) for public in weburl.__all__)


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


def test_completion_of_the_package_has_nothing_private() -> None:
    program = "import weburl.bulk, weburl.cli; print(*dir(weburl))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    shown = done.stdout.split()
    assert [name for name in shown if name.startswith("_")] == ["__version__"]
    assert {"bulk", "cli", *weburl.__all__} <= {*shown}


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("bulk", ": it is a module, so import weburl.bulk first"),
        ("path_template", ": use weburl.redact.path_template"),
        ("host", ": did you mean weburl.hosts.Host?"),
        ("pattern", ": did you mean weburl.patterns?"),
        ("Url", ": did you mean weburl.URL?"),
        ("is_private", ": did you mean weburl.hosts.is_private_url?"),
        ("zzzzzz", ""),
        ("_bulk", ""),
    ],
)
def test_where_a_name_is(name: str, message: str) -> None:
    program = f"import weburl\ntry:\n    weburl.{name}\nexcept AttributeError as error:\n    print(error, error.name)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == f"module 'weburl' has no attribute {name!r}{message} {name}"


def test_the_modules_that_are_searched_are_all() -> None:
    for name in (name for name in MODULES if name.count(".") == 1):
        module = name.removeprefix("weburl.")
        own = {*NAMES[name]} - {*weburl.__all__}
        assert {*_advice.MODULES.get(module, "").split()} == own, module
    assert len(_advice.MODULES) == 13


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
    "weburl.text": {"URLSpan"},
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
        patterns.PatternList(["http://h/"]), crawl.CrawlPolicy(index_names=["a"]), crawl.SurtPolicy(),
        crawl.DocumentBase("http://h/"),
        redact.LogPolicy(secret_names=["a"]), hosts.HostSet(["h"]), hosts.Origin.of("http://h/"), *skipped,
        hosts.is_private_host,
        *find_urls("http://h/"),
        *display.spoofing_risks("p\u0430ypal.com"), bulk.normalize_many(["http://h/"]), bulk.parse_many(["http://h/"]),
    ]  # fmt: skip
    assert len(skipped) == 1
    for value in values:
        named = [str(text).split()[0] for code, text, _ in genops(pickle.dumps(value, 2)) if code.name == "GLOBAL"]
        assert [module for module in named if module.startswith("weburl") and is_private(module)] == []
        assert any(module.startswith("weburl.") for module in named)
    assert pickle.loads(pickle.dumps(redact.LogPolicy(token_names=["b*"]))).token_names == {"b*"}


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
        if name not in TREE.reference_pages and (name == "weburl" or not set(NAMES[name]) <= set(NAMES["weburl"]))
    }


# What a type checker sees.


def test_every_public_name_has_a_type(tmp_path: Path, mypy_cache: Path) -> None:
    pytest.importorskip("mypy", reason="mypy is not installed")
    lines = [f"import {module}" for module in NAMES]
    revealed = [f"{module}.{name}" for module, names in NAMES.items() for name in names]
    lines += [f"reveal_type({name})" for name in revealed]
    program = tmp_path / "program.py"
    program.write_text("\n".join(lines) + "\n", "utf-8")
    (tmp_path / "mypy.ini").write_text("[mypy]\n")
    command = [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", str(mypy_cache)]
    done = subprocess.run([*command, str(program)], cwd=tmp_path, capture_output=True, text=True, check=False)
    said = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("program.py:")]
    types = [line.removeprefix('note: Revealed type is "').removesuffix('"') for line in said]
    assert [line for line in said if not line.startswith("note: Revealed type is ")] == []
    assert len(types) == len(revealed) > 100
    assert [name for name, type in zip(revealed, types, strict=True) if type == "Any"] == []
