"""url/url-constructor.any.js, over urltestdata.json and urltestdata-javascript-only.json."""

from __future__ import annotations

import pytest
from support.wpt_cases import ATTRIBUTES, Case, each_case

from weburl import URL, InvalidURL, normalize


@each_case("urltestdata.json")
def test_urltestdata(case: Case) -> None:
    check(case)


@each_case("urltestdata-javascript-only.json")
def test_javascript_only(case: Case) -> None:
    check(case)


def check(case: Case) -> None:
    text, base = case["input"], case["base"]
    if case.get("failure"):
        with pytest.raises(InvalidURL) as raised:
            URL(text, base)
        assert raised.value.input == text
        assert raised.value.base == base
        assert URL.parse(text, base) is None
        assert URL.can_parse(text, base) is False
        with pytest.raises(InvalidURL):
            normalize(text, base)
        return
    url = URL(text, base)
    assert {name: getattr(url, name) for name in ATTRIBUTES} == {name: case[name] for name in ATTRIBUTES}
    if "searchParams" in case:
        assert str(url.search_params) == case["searchParams"]
    parsed = URL.parse(text, base)
    assert parsed is not None
    assert parsed.href == case["href"]
    assert URL.can_parse(text, base) is True
    assert normalize(text, base) == case["href"]
    assert URL(url.href).href == case["href"]
