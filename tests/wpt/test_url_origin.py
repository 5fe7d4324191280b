"""url/url-origin.any.js, over the cases of urltestdata.json that have an origin."""

from __future__ import annotations

from support.wpt_cases import Case, each_case

from weburl import URL


@each_case("urltestdata.json", lambda case: "origin" in case)
def test_origin(case: Case) -> None:
    assert URL(case["input"], case["base"]).origin == case["origin"]
