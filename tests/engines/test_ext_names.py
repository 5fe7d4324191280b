"""The modules of `weburl.ext` show their public names. Their other tests of names are in tests/test_names.py."""

from __future__ import annotations

import re
from importlib import import_module
from typing import get_type_hints

import pytest
from support.public import without_signature
from test_ext_functions import LATER
from test_names import FILES, NAMES, private_classes

from weburl._verbs.verb import engine_verbs

MODULES = [name for name in FILES if name.startswith("weburl.ext.")]


@pytest.mark.parametrize("name", MODULES)
def test_classes_are_of_public_modules(name: str) -> None:
    """Tracebacks and logs show the modules of exceptions and of Scrapy's components."""
    assert private_classes(name) == set()


@pytest.mark.parametrize("name", MODULES)
def test_completion_offers_the_public_names(name: str) -> None:
    module = import_module(name)
    assert dir(module) == sorted(NAMES[name])
    assert [each for each in NAMES[name] if not hasattr(module, each)] == []


@pytest.mark.parametrize("name", MODULES)
def test_every_callable_has_a_signature(name: str) -> None:
    pytest.importorskip(name, exc_type=ImportError)
    assert without_signature(name) == []


# Not of pandas, whose Series[Any] is a type for checkers only.
@pytest.mark.parametrize("name", ["polars", "pyarrow"])
def test_types_of_functions_are_found(name: str) -> None:
    module = import_module(f"weburl.ext.{name}")
    found = 0
    for verb in engine_verbs().values():
        function = getattr(getattr(module, "WebURL", module), module.ENGINE.name_of(verb))
        if LATER.isdisjoint(re.findall(r"\w+", " ".join(function.__annotations__.values()))):
            assert get_type_hints(function).keys() == function.__annotations__.keys()
            found += 1
    assert found > 10
