"""urlpattern/urlpattern-compare.tentative.any.js, over urlpattern-compare-test-data.json."""

from __future__ import annotations

from support.wpt_cases import Case, each_case

from weburl import URLPattern


@each_case("urlpattern-compare-test-data.json")
def test_compare(case: Case) -> None:
    component, expected = case["component"], case["expected"]
    left, right = URLPattern(case["left"]), URLPattern(case["right"])
    assert URLPattern.compare(component, left, right) == expected
    assert URLPattern.compare(component, right, left) == -expected
    assert URLPattern.compare(component, left, left) == 0
    assert URLPattern.compare(component, right, right) == 0
