"""Every case of urltestdata.json, urltestdata-javascript-only.json and setters_tests.json again, stored differently.

CPython stores a str in one, two or four bytes a character. A fragment moves a case to each of the kinds, and changes
nothing but `hash` and `href`.
"""

from __future__ import annotations

import pytest
from support.wpt_cases import ATTRIBUTES, STORAGE_KINDS, Case, all_cases

from weburl import URL

each_kind = pytest.mark.parametrize("character", STORAGE_KINDS)

OTHERS = (
    *(name for name in ATTRIBUTES if name not in ("href", "hash")),
    *("origin", "scheme", "port_number", "path_segments", "query", "host_type", "host_value", "ip_address"),
    *("is_special", "has_opaque_path", "includes_credentials"),
)
# What the basic URL parser strips from the end of its input: https://url.spec.whatwg.org/#c0-control-or-space
C0_CONTROL_OR_SPACE = "".join(map(chr, range(0x21)))


def append(text: str, character: str) -> str:
    """The same URL with `character` at the end of its fragment."""
    stripped = text.rstrip(C0_CONTROL_OR_SPACE)
    return stripped + character if "#" in stripped else f"{stripped}#{character}"


def others(url: URL) -> dict[str, object]:
    return {name: getattr(url, name) for name in OTHERS} | {"search_params": list(url.search_params)}


def fragment_alone_parses(case: Case) -> bool:
    """Nothing cannot be parsed against an opaque path, a fragment can."""
    return case["base"] is not None and not case["input"].strip(C0_CONTROL_OR_SPACE)


def check_input(case: Case, character: str) -> None:
    text, base = case["input"], case["base"]
    plain, longer = URL.parse(text, base), URL.parse(append(text, character), base)
    if plain is None:
        assert (longer is not None) is fragment_alone_parses(case)
        return
    assert longer is not None
    encoded = STORAGE_KINDS[character]
    assert others(longer) == others(plain)
    assert longer.hash == (plain.hash or "#") + encoded
    assert longer.href == (plain.href if plain.fragment is not None else plain.href + "#") + encoded
    assert longer.serialize(exclude_fragment=True) == plain.serialize(exclude_fragment=True)


@each_kind
@all_cases("urltestdata.json")
def test_input(case: Case, character: str) -> None:
    check_input(case, character)


@each_kind
@all_cases("urltestdata-javascript-only.json")
def test_javascript_only(case: Case, character: str) -> None:
    check_input(case, character)


@each_kind
@all_cases("urltestdata.json", lambda case: case["base"] is not None)
def test_base(case: Case, character: str) -> None:
    text, base = case["input"], case["base"]
    plain, same = URL.parse(text, base), URL.parse(text, append(base, character))
    assert (plain and plain.href) == (same and same.href)


@each_kind
@all_cases("setters_tests.json", lambda case: case["attribute"] not in ("href", "hash"))
def test_setter(case: Case, character: str) -> None:
    plain, longer = URL(case["href"]), URL(append(case["href"], character))
    for url in (plain, longer):
        setattr(url, case["attribute"], case["new_value"])
    assert others(longer) == others(plain)
    assert longer.hash == (plain.hash or "#") + STORAGE_KINDS[character]
    assert longer.serialize(exclude_fragment=True) == plain.serialize(exclude_fragment=True)
