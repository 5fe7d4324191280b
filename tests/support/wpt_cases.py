"""The data of the Web Platform Tests, and tests made from it."""

from __future__ import annotations

import importlib.util
import inspect
import json
import os
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
WPT = ROOT / "wpt_data"

Case = dict[str, Any]


def load_sync(path: Path = WPT / "sync.py") -> ModuleType:
    spec = importlib.util.spec_from_file_location("wpt_data_sync", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


SYNC = load_sync()
MANIFEST: dict[str, Case] = SYNC.read_manifest()["files"]


def find_data() -> dict[str, Path] | None:
    configured = os.environ.get("WEBURL_DATA")
    places = [Path(configured)] if configured else []
    found = (SYNC.find_files(place, list(MANIFEST)) for place in [*places, WPT / "data"])
    return next(filter(None, found), None)


DATA = find_data()
NO_DATA = "no Web Platform Tests data: run `python wpt_data/sync.py` (or with `--from DIR`), or set WEBURL_DATA"

# What the getters of every parsed URL in the data are compared by.
# A name that is the same in every process.
AN_OBJECT = pytest.param(object(), id="object")

ATTRIBUTES = ("href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")

# One character of each width in which CPython stores a str: ASCII, Latin-1, two bytes, four bytes.
STORAGE_KINDS = {"a": "a", "é": "%C3%A9", "Ω": "%CE%A9", "😀": "%F0%9F%98%80"}


def data_problems() -> list[str]:
    """The differences between the data and the manifest."""
    if DATA is None:
        return [NO_DATA]
    problems = []
    for name, entry in MANIFEST.items():
        path = DATA[name]
        problems.append(SYNC.mismatch(name, path.read_bytes(), entry) if path.is_file() else f"{path} is missing")
    return [problem for problem in problems if problem]


def read_cases(path: Path) -> list[Case]:
    """The cases of a file in one of WPT's formats; one by attribute gets the key `attribute`."""
    document = json.loads(path.read_bytes())
    if isinstance(document, list):
        return [case for case in document if isinstance(case, dict)]
    return [{"attribute": key, **case} for key, cases in document.items() if key != "comment" for case in cases]


def case_id(case: Case) -> str:
    if "attribute" in case:
        text = f"{case['attribute']}: {case['href']} = {case['new_value']}"
    elif "pattern" in case or "left" in case:
        text = json.dumps(list(case.values()))
    else:
        text = case["input"] if case.get("base") is None else f"{case['input']} against {case['base']}"
    return text[:80]


def each_case(file: str, keep: Callable[[Case], bool] = lambda case: True) -> pytest.MarkDecorator:
    """Makes a test of each case of a file of the data. Without data, conftest skips the one case NO_DATA."""
    if DATA is None:
        return pytest.mark.parametrize("case", [NO_DATA], ids=[file])
    cases = [case for case in read_cases(DATA[file]) if keep(case)]
    return pytest.mark.parametrize("case", cases, ids=[case_id(case) for case in cases])


def all_cases(
    file: str, keep: Callable[[Case], bool] = lambda case: True
) -> Callable[[Callable[..., None]], Callable[..., None]]:
    """Makes one test of all cases of a file. It names each case that fails.

    This is for a second use of cases that `each_case` has one by one: a thousand tests take seconds, a loop does not.
    """

    def decorate(check: Callable[..., None]) -> Callable[..., None]:
        def test(**arguments: object) -> None:
            if DATA is None:
                pytest.skip(NO_DATA)
            failed = []
            for case in filter(keep, read_cases(DATA[file])):
                try:
                    check(case=case, **arguments)
                except (Exception, pytest.fail.Exception) as error:
                    failed.append(f"{case_id(case)!a}: {type(error).__name__}: {error}")
            assert not failed, "\n".join([f"{len(failed)} cases fail", *failed])

        signature = inspect.signature(check)
        others = [parameter for name, parameter in signature.parameters.items() if name != "case"]
        test.__signature__ = signature.replace(parameters=others)  # type: ignore[attr-defined]
        test.__name__, test.__qualname__, test.__module__ = check.__name__, check.__qualname__, check.__module__
        test.__doc__ = check.__doc__
        return test

    return decorate
