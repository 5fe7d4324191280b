"""url/url-setters.any.js, over setters_tests.json."""

from __future__ import annotations

from support.wpt_cases import Case, each_case

from weburl import URL


@each_case("setters_tests.json")
def test_setter(case: Case) -> None:
    url = URL(case["href"])
    setattr(url, case["attribute"], case["new_value"])
    assert {name: getattr(url, name) for name in case["expected"]} == case["expected"]
