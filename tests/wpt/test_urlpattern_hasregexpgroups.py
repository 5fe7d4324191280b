"""urlpattern/urlpattern-hasregexpgroups.any.js"""

from __future__ import annotations

import pytest
from support.patterns import COMPONENTS

from weburl import URLPattern


def test_everything() -> None:
    assert URLPattern({}).has_regexp_groups is False


@pytest.mark.parametrize("component", COMPONENTS)
@pytest.mark.parametrize(
    ("text", "expected"),
    [("*", False), (":foo", False), (":foo?", False), (":foo(hi)", True), ("(hi)", True)],
)
def test_component(component: str, text: str, expected: bool) -> None:
    assert URLPattern({component: text}).has_regexp_groups is expected


# Letters are not part of a port, and a wildcard between two hyphens does not make a scheme.
@pytest.mark.parametrize("component", [name for name in COMPONENTS if name not in ("protocol", "port")])
@pytest.mark.parametrize(("text", "expected"), [("a-{:hello}-z-*-a", False), ("a-(hi)-z-(lo)-a", True)])
def test_with_fixed_text(component: str, text: str, expected: bool) -> None:
    assert URLPattern({component: text}).has_regexp_groups is expected


@pytest.mark.parametrize(("pathname", "expected"), [("/a/:foo/:baz?/b/*", False), ("/a/:foo/:baz([a-z]+)?/b/*", True)])
def test_long_pathname(pathname: str, expected: bool) -> None:
    assert URLPattern({"pathname": pathname}).has_regexp_groups is expected
