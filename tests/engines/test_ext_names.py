"""The modules of `weburl.ext` show their public names. Their other tests of names are in tests/test_names.py."""

from __future__ import annotations

from importlib import import_module

import pytest
from test_names import FILES, NAMES


@pytest.mark.parametrize("name", [name for name in FILES if name.startswith("weburl.ext.")])
def test_completion_offers_the_public_names(name: str) -> None:
    module = import_module(name)
    assert dir(module) == sorted(NAMES[name])
    assert [each for each in NAMES[name] if not hasattr(module, each)] == []
