"""What is said where an engine is missing, or older than what is needed. No engine is imported."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib import import_module
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest
from tiers import oldest
from verb_pages import ENGINES, EXT, NEEDED

from weburl.ext._engines.versions import is_older, needed

ROOT = Path(__file__).resolve().parents[1]
ENGINE_TESTS = ROOT / "tests" / "engines"
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
EXTRAS = PROJECT["optional-dependencies"].values()


def pinned(requirements: str, package: str) -> str:
    text = (ENGINE_TESTS / requirements).read_text("utf-8")
    (version,) = re.findall(rf"^{re.escape(package)}==(.+)$", text, re.MULTILINE)
    return str(version)


@pytest.mark.parametrize("name", NEEDED)
def test_what_is_tested_is_new_enough(name: str) -> None:
    package, oldest = NEEDED[name]
    assert not is_older(pinned("requirements.txt", package), oldest)
    assert pinned("oldest.txt", package) == oldest


@pytest.mark.parametrize("requirement", sorted({*PROJECT["dependencies"], *chain(*EXTRAS)}))
def test_the_oldest_that_is_allowed_is_tested(requirement: str) -> None:
    package, oldest = re.match(r"([\w.]+)>=([\w.]+)", requirement).groups()  # type: ignore[union-attr]
    assert pinned("oldest.txt", package) == oldest


def test_the_oldest_clients_are_those_of_the_pages() -> None:
    """Nothing else is pinned, except what keeps these running."""
    said: dict[str, str] = {}
    for name in ("aiohttp", "django", "httpx", "opentelemetry", "pydantic", "requests", "scrapy"):
        page = (ROOT / "docs" / "engines" / f"{name}.md").read_text("utf-8")
        (needed,) = re.findall(r"^Needs (.*?)\. ", page, re.MULTILINE)
        said |= dict(re.findall(r"([\w-]+) ([\d.]+)", needed.lower()))
    for package, version in said.items():
        assert re.fullmatch(rf"{re.escape(version)}(?:\.0)*", pinned("oldest.txt", package))
    of_project = {re.match(r"[\w.]+", one)[0] for one in chain(PROJECT["dependencies"], *EXTRAS)}  # type: ignore[index]
    names = re.findall(r"^([\w.-]+)", (ENGINE_TESTS / "oldest.txt").read_text("utf-8"), re.MULTILINE)
    assert {*names} == {*said, *of_project, *(package.partition("[")[0] for package, _ in NEEDED.values()), "pyparsing"}


def test_what_the_oldest_leave_out_exists() -> None:
    for name in oldest.LEFT_OUT:
        assert (ENGINE_TESTS / f"test_{name}.py").exists()
    for test in oldest.TESTS_LEFT_OUT:
        file, function = test.partition("[")[0].split("::")
        assert f"def {function}(" in (ENGINE_TESTS / file).read_text("utf-8")


def test_every_engine_is_checked() -> None:
    # SQLite is a part of Python.
    assert {*NEEDED} == {*ENGINES} - {"sqlite"}
    for name in NEEDED:
        assert f'with needed("{name}", "{NEEDED[name][1]}"' in (EXT / f"{name}.py").read_text("utf-8")


@pytest.mark.parametrize("name", NEEDED)
def test_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    package, oldest = NEEDED[name]
    monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, f"weburl.ext.{name}", raising=False)
    with pytest.raises(ImportError) as raised:
        import_module(f"weburl.ext.{name}")
    assert str(raised.value) == f"this needs {name} {oldest} or later: pip install '{package}>={oldest}'"


def older(name: str, version: str) -> ModuleType:
    module = ModuleType(name)
    module.__version__ = version  # type: ignore[attr-defined]
    return module


@pytest.mark.parametrize("version", ["0.6.99", "0.0.0+local.99", "0.7rc1", "0.7.9"])
def test_older(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether its imports fail or not."""
    monkeypatch.setitem(sys.modules, "daft", older("daft", version))
    _, oldest = NEEDED["daft"]
    message = f"this needs daft {oldest} or later, not {version}: pip install 'daft>={oldest}'"
    with pytest.raises(ImportError) as raised, needed("daft", NEEDED["daft"][1]):
        pass
    assert str(raised.value) == message
    with pytest.raises(ImportError) as raised, needed("daft", NEEDED["daft"][1]):
        import_module("daft.nothing")
    assert str(raised.value) == message
    with pytest.raises(ImportError) as raised, needed("daft", NEEDED["daft"][1]):
        raise AttributeError("module 'daft' has no attribute 'func'")
    assert str(raised.value) == message


@pytest.mark.parametrize("version", [NEEDED["daft"][1], NEEDED["daft"][1] + ".dev3", "0.10.1", "1.0a1"])
def test_new_enough(version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Then an import that fails says itself why."""
    monkeypatch.setitem(sys.modules, "daft", older("daft", version))
    with needed("daft", NEEDED["daft"][1]):
        pass
    with (
        pytest.raises(ModuleNotFoundError, match=r"No module named 'daft\.nothing'"),
        needed("daft", NEEDED["daft"][1]),
    ):
        import_module("daft.nothing")
    with pytest.raises(AttributeError, match="func"), needed("daft", NEEDED["daft"][1]):
        raise AttributeError("func")


def test_no_version() -> None:
    """Some platforms change what they ship."""
    with needed("daft", NEEDED["daft"][1]):
        pass
