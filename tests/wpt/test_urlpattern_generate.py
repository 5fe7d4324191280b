"""urlpattern/urlpattern-generate.tentative.any.js, over urlpattern-generate-test-data.json."""

from __future__ import annotations

import pytest
from support.wpt_cases import Case, each_case

from weburl import PatternError, URLPattern


@each_case("urlpattern-generate-test-data.json")
def test_generate(case: Case) -> None:
    pattern = URLPattern(case["pattern"])
    if case["expected"] is None:
        with pytest.raises(PatternError):
            pattern.generate(case["component"], case["groups"])
        return
    assert pattern.generate(case["component"], case["groups"]) == case["expected"]
