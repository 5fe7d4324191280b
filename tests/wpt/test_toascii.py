"""url/toascii.window.js, over toascii.json: as a URL's host, through the host setters, and as a domain of its own."""

from __future__ import annotations

import pytest
from support.wpt_cases import STORAGE_KINDS, Case, each_case

from weburl import URL, InvalidURL
from weburl.hosts import domain_to_ascii, parse_host


@pytest.mark.parametrize("fragment", ["", *(f"#{character}" for character in STORAGE_KINDS)])
@each_case("toascii.json")
def test_constructor(case: Case, fragment: str) -> None:
    text = f"https://{case['input']}/x{fragment}"
    if case["output"] is None:
        with pytest.raises(InvalidURL):
            URL(text)
        return
    url = URL(text)
    assert url.host == case["output"]
    assert url.hostname == case["output"]
    assert url.pathname == "/x"
    assert url.serialize(exclude_fragment=True) == f"https://{case['output']}/x"


@pytest.mark.parametrize("attribute", ["host", "hostname"])
@each_case("toascii.json")
def test_setter(case: Case, attribute: str) -> None:
    url = URL("https://x/x")
    setattr(url, attribute, case["input"])
    assert getattr(url, attribute) == ("x" if case["output"] is None else case["output"])


@each_case("toascii.json")
def test_domain(case: Case) -> None:
    if case["output"] is None:
        with pytest.raises(InvalidURL):
            domain_to_ascii(case["input"])
        with pytest.raises(InvalidURL):
            parse_host(case["input"])
    else:
        assert domain_to_ascii(case["input"]) == case["output"]
        assert str(parse_host(case["input"])) == case["output"]
