"""Our own cases in the formats of the Web Platform Tests: every state of the parser, every setter."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.wpt_cases import ATTRIBUTES, Case, case_id

from weburl import URL, InvalidURL, join, normalize

DATA = Path(__file__).parent / "data"
URLS: list[Case] = [case for case in json.loads((DATA / "urls.json").read_bytes()) if isinstance(case, dict)]
SETTERS: list[Case] = [
    {"attribute": attribute, **case}
    for attribute, cases in json.loads((DATA / "setters.json").read_bytes()).items()
    if attribute != "comment"
    for case in cases
]
SUCCESSES = [case for case in URLS if not case.get("failure")]
FAILURES = [case for case in URLS if case.get("failure")]

C0_CONTROL_OR_SPACE = "".join(map(chr, range(0x21)))


def components(url: URL) -> dict[str, str]:
    return {name: getattr(url, name) for name in (*ATTRIBUTES, "origin")}


def test_enough_cases() -> None:
    assert len(SUCCESSES) > 600
    assert len(FAILURES) > 250
    assert {case["attribute"] for case in SETTERS} == set(ATTRIBUTES)
    assert all(sum(case["attribute"] == name for case in SETTERS) >= 5 for name in ATTRIBUTES)


@pytest.mark.parametrize("case", SUCCESSES, ids=case_id)
def test_parses(case: Case) -> None:
    text, base = case["input"], case["base"]
    expected = {name: case[name] for name in (*ATTRIBUTES, "origin")}
    assert components(URL(text, base)) == expected
    parsed = URL.parse(text, base)
    assert parsed is not None
    assert components(parsed) == expected
    assert URL.can_parse(text, base) is True
    assert normalize(text, base) == case["href"]
    if base is not None:
        assert components(URL(text, URL(base))) == expected
        assert components(URL(base).join(text)) == expected
        assert join(base, text) == case["href"]
    assert components(URL(case["href"])) == expected


@pytest.mark.parametrize("case", FAILURES, ids=case_id)
def test_fails(case: Case) -> None:
    text, base = case["input"], case["base"]
    with pytest.raises(InvalidURL) as raised:
        URL(text, base)
    assert (raised.value.input, raised.value.base, raised.value.error) == (text, base, case["error"])
    assert URL.parse(text, base) is None
    assert URL.can_parse(text, base) is False
    with pytest.raises(InvalidURL) as raised:
        normalize(text, base)
    assert raised.value.error == case["error"]
    if base is None:
        url = URL("http://before/")
        with pytest.raises(InvalidURL) as raised:
            url.href = text
        assert raised.value.error == case["error"]
        assert url.href == "http://before/"
    else:
        with pytest.raises(InvalidURL):
            join(base, text)


@pytest.mark.parametrize("tail", ["a", "é", "Ω", "😀"])
def test_storage_kinds(tail: str) -> None:
    """However wide the str is stored, all but hash and href are the same."""
    for case in SUCCESSES:
        # What ends the input is trimmed, what comes before the fragment is not.
        if "#" in case["input"] or case["input"] != case["input"].rstrip(C0_CONTROL_OR_SPACE):
            continue
        url = URL(case["input"] + "#" + tail, case["base"])
        same = [name for name in (*ATTRIBUTES, "origin") if name not in ("href", "hash")]
        assert {name: getattr(url, name) for name in same} == {name: case[name] for name in same}, case
        assert url.hash == URL("x:#" + tail).hash


@pytest.mark.parametrize("case", SETTERS, ids=case_id)
def test_setter(case: Case) -> None:
    url = URL(case["href"])
    setattr(url, case["attribute"], case["new_value"])
    assert components(url) == case["expected"]


@pytest.mark.parametrize("case", SETTERS, ids=case_id)
def test_setter_after_reading(case: Case) -> None:
    """Whatever has been read before, search_params included, a setter does the same."""
    url = URL(case["href"])
    before = list(url.search_params)
    components(url)
    setattr(url, case["attribute"], case["new_value"])
    assert components(url) == case["expected"]
    if case["attribute"] not in ("href", "search"):
        assert list(url.search_params) == before
