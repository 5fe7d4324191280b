"""What importing the package needs, and what the classes say of themselves."""

from __future__ import annotations

import shutil
import subprocess
import sys
from importlib.metadata import version
from inspect import signature
from pathlib import Path

import pytest

import weburl
from weburl import URL, FrozenURL, URLSearchParams

# What `import weburl` brings into an interpreter that has imported os: programs that run for a moment pay for each.
MODULES = """
    __future__ _operator weburl weburl._core weburl._core.arguments weburl._core.failures weburl._core.host
    weburl._core.parser weburl._core.parts weburl._core.percent weburl._core.texts weburl._core.urlencoded
    weburl._parsed weburl._parts weburl.errors weburl.search_params weburl.url
""".split()

COMPILED = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")


@pytest.mark.parametrize("module", ["weburl", "weburl.url", "weburl.search_params", "weburl.bulk", "weburl.hosts"])
def test_a_missing_build_is_an_import_error(module: str, tmp_path: Path) -> None:
    """Without the compiled modules the import fails; Python does not run url.py in their place."""
    shutil.copytree(Path(weburl.__file__).parent, tmp_path / "weburl", ignore=COMPILED)
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\ntry: import {module}\nexcept ImportError: print('missing')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("missing\n", "")


@pytest.mark.parametrize("compiled", ["url", "search_params"])
def test_a_class_that_is_not_compiled_is_an_import_error(compiled: str, tmp_path: Path) -> None:
    """All is there except one compiled module, and Python finds its source instead."""
    source = Path(weburl.__file__).parent
    if not [*source.glob(f"{compiled}.*.so"), *source.glob(f"{compiled}.*.pyd")]:
        pytest.fail("the package that is tested lies elsewhere than its compiled modules")
    shutil.copytree(
        source,
        tmp_path / "weburl",
        ignore=shutil.ignore_patterns(f"{compiled}.*.so", f"{compiled}.*.pyd", "__pycache__"),
    )
    script = (
        f"import sys; sys.path.insert(0, {str(tmp_path)!r})\ntry: import weburl\nexcept ImportError: print('missing')"
    )
    done = subprocess.run([sys.executable, "-I", "-c", script], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("missing\n", "")


def loaded(program: str) -> set[str]:
    """The modules that a program imports, in an interpreter that has only os."""
    script = (
        f"import os, sys; before = {{*sys.modules}}; sys.path += {sys.path!r}\n"
        f"{program}\nprint(*{{*sys.modules}} - before)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, check=True)
    # Cython makes modules for what compiled modules share.
    return {name for name in done.stdout.splitlines()[-1].split() if "cython" not in name}


def test_few_modules_are_imported() -> None:
    assert sorted(loaded("import weburl")) == MODULES


@pytest.mark.parametrize("name", weburl.__all__)
def test_a_public_name_is_there_however_it_is_asked_for(name: str) -> None:
    for program in (f"from weburl import {name}", f"import weburl; weburl.{name}", "from weburl import *"):
        assert loaded(f"{program}\nassert '{name}' in vars(sys.modules['weburl'])") >= {"weburl"}


def test_without_docstrings() -> None:
    """All that needs no other package can be imported."""
    names = ("bulk", "ext.sqlite", "ext.logging", "crawl", "robots", "archives", "text", "redact", "patterns", "cli")
    script = "\n".join(
        [
            "import sqlite3",
            *[f"import weburl.{name}" for name in names],
            "con = sqlite3.connect('')",
            "weburl.ext.sqlite.register(con)",
            "print(con.execute('select url_hostname(?)', ('HTTP://A.b',)).fetchone())",
        ]
    )
    run = [sys.executable, "-OO", "-c", script]
    assert subprocess.run(run, capture_output=True, text=True, check=True).stdout == "('a.b',)\n"


def test_what_is_only_looked_at_is_not_imported() -> None:
    assert sorted(loaded("import weburl; dir(weburl); hasattr(weburl, 'nothing')")) == MODULES


@pytest.mark.parametrize("module", ["redact", "crawl", "text"])
def test_what_few_need_is_imported_later(module: str) -> None:
    # From 3.14 on, typing imports ast.
    later = {"string", "hashlib", "inspect", "dataclasses", *(["ast"] if sys.version_info < (3, 14) else [])}
    assert loaded(f"import weburl.{module}") & later == set()


def test_the_version() -> None:
    assert weburl.__version__ == version("weburl")
    assert "version" not in " ".join(loaded("import weburl; weburl.__version__"))


def test_signatures() -> None:
    assert str(signature(URL)) == str(signature(FrozenURL)) == "(url, base=None, *, encoding='utf-8')"
    assert str(signature(URLSearchParams)) == "(init='')"


def test_it_says_that_it_is_typed() -> None:
    assert (Path(weburl.__file__).parent / "py.typed").is_file()
