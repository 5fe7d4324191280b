"""urlpattern/urlpattern.any.js, over urlpatterntestdata.json."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from support.patterns import COMPONENTS, make_pattern
from support.wpt_cases import Case, each_case

from weburl import URL, InvalidURL, PatternError, URLPattern

# The components before each in a URL: if a pattern has one of them, it takes the later one not from a base URL.
EARLIER = {
    "protocol": (),
    "username": (),
    "password": (),
    "hostname": ("protocol",),
    "port": ("protocol", "hostname"),
    "pathname": ("protocol", "hostname", "port"),
    "search": ("protocol", "hostname", "port", "pathname"),
    "hash": ("protocol", "hostname", "port", "pathname", "search"),
}


def base_of(arguments: list[Any]) -> URL | None:
    if arguments and isinstance(arguments[0], dict):
        base = arguments[0].get("baseURL")
    else:
        base = next((base for base in arguments[1:2] if isinstance(base, str)), None)
    return None if base is None else URL(base)


def expected_pattern(case: Case, component: str) -> str:
    """The pattern of a component. Where a case does not have it, what it is made from."""
    shown: str | None = case.get("expected_obj", {}).get(component)
    if shown is not None:
        return shown
    if component in case.get("exactly_empty_components", ()):
        return ""
    init = case["pattern"][0] if case["pattern"] and isinstance(case["pattern"][0], dict) else {}
    if init.get(component):
        return str(init[component])
    base = base_of(case["pattern"])
    if base is None or component in ("username", "password") or any(name in init for name in EARLIER[component]):
        return "*"
    value: str = getattr(base, component)
    return {"protocol": value[:-1], "search": value[1:], "hash": value[1:]}.get(component, value)


def expected_result(case: Case, component: str) -> tuple[str, dict[str, str | None]]:
    """The input and the groups of a component. Where a case does not have them, an empty input that matches."""
    shown = case["expected_match"].get(component)
    if shown is not None:
        return shown["input"], shown["groups"]
    return "", {} if component in case.get("exactly_empty_components", ()) else {"0": ""}


def has_bad_base(arguments: list[Any]) -> bool:
    """Whether they have a base in its place that does not parse."""
    if arguments and isinstance(arguments[0], dict):
        base = arguments[0].get("baseURL")
    else:
        base = next((base for base in arguments[1:2] if isinstance(base, str)), None)
    return base is not None and URL.parse(base) is None


def check_construction_fails(arguments: list[Any]) -> None:
    """A base that does not parse is an `InvalidURL` with the error `base`; everything else is as `refusal` says."""
    expected = refusal(arguments)
    if expected is PatternError and has_bad_base(arguments):
        with pytest.raises(InvalidURL) as raised:
            make_pattern(arguments)
        assert raised.value.error == "base"
        return
    with pytest.raises(expected):
        make_pattern(arguments)


def refusal(arguments: list[Any]) -> type[Exception]:
    """What raises for arguments that WPT refuses with a TypeError: one that is of another type is one here, too."""
    # A base beside a mapping, or options that are not the last.
    is_misplaced = len(arguments) > 1 and isinstance(arguments[0], dict) and isinstance(arguments[1], str)
    is_misplaced |= len(arguments) > 2 and isinstance(arguments[1], dict)
    return TypeError if is_misplaced else PatternError


@each_case("urlpatterntestdata.json")
def test_urlpattern(case: Case) -> None:
    arguments = case["pattern"]
    if case.get("expected_obj") == "error":
        check_construction_fails(arguments)
        return
    pattern = make_pattern(arguments)
    shown = {name: getattr(pattern, name) for name in COMPONENTS}
    assert shown == {name: expected_pattern(case, name) for name in COMPONENTS}
    inputs = case.get("inputs", [])
    if case.get("expected_match") == "error":
        with pytest.raises(refusal(inputs)):
            pattern.test(*inputs)
        with pytest.raises(refusal(inputs)):
            pattern.exec(*inputs)
        return
    check_match(case, pattern, inputs)
    if len(inputs) == 1 and isinstance(inputs[0], str) and (url := URL.parse(inputs[0])) is not None:
        check_match(case, pattern, [url])


def check_match(case: Case, pattern: URLPattern, inputs: list[Any]) -> None:
    """`test` and `exec`; WPT passes strings and mappings, and a URL is an input, too."""
    expected = case["expected_match"]
    assert pattern.test(*inputs) is (expected is not None)
    match = pattern.exec(*inputs)
    if expected is None:
        assert match is None
        return
    assert match is not None
    assert len(match.inputs) == len(expected.get("inputs", inputs))
    for given, wanted in zip(match.inputs, expected.get("inputs", inputs), strict=True):
        if isinstance(wanted, Mapping):
            assert isinstance(given, Mapping)
            names = (*COMPONENTS, "baseURL")
            assert {name: given.get(name) for name in names} == {name: wanted.get(name) for name in names}
        else:
            assert given == (wanted.href if isinstance(wanted, URL) else wanted)
    results = {name: getattr(match, name) for name in COMPONENTS}
    shown = {name: (result.input, dict(result.groups)) for name, result in results.items()}
    assert shown == {name: expected_result(case, name) for name in COMPONENTS}


def is_of_components(case: Case) -> bool:
    if case.get("expected_obj") == "error" or len(case["pattern"]) != 1:
        return False
    (init,) = case["pattern"]
    return isinstance(init, dict) and init.keys() <= {*COMPONENTS, "baseURL"}


@each_case("urlpatterntestdata.json", is_of_components)
def test_keywords(case: Case) -> None:
    """The same pattern from keywords, and from a mapping with their names."""
    (init,) = case["pattern"]
    keywords = {"base_url" if name == "baseURL" else name: value for name, value in init.items()}
    assert URLPattern(**keywords) == URLPattern(keywords) == URLPattern(init)


def makes_itself(case: Case) -> bool:
    """A default port goes before the port is canonicalized: `80 ` is normalized to 80, which would go in turn."""
    return case.get("expected_obj") != "error" and case["pattern"] != [{"protocol": "http", "port": "80 "}]


@each_case("urlpatterntestdata.json", makes_itself)
def test_generated_patterns_are_patterns(case: Case) -> None:
    """The eight patterns of a pattern make it again, and they are normalized."""
    pattern = make_pattern(case["pattern"])
    shown = {name: getattr(pattern, name) for name in COMPONENTS}
    again = URLPattern(shown, ignore_case=pattern.ignore_case)
    assert {name: getattr(again, name) for name in COMPONENTS} == shown
    assert again == pattern
    assert hash(again) == hash(pattern)
    assert again.has_regexp_groups is pattern.has_regexp_groups
