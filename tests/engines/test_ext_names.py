"""The modules of `weburl.ext` show their public names. Their other tests of names are in tests/test_names.py."""

from __future__ import annotations

from importlib import import_module

import pytest
from test_names import FILES, NAMES, private_classes

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
