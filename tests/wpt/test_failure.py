"""url/failure.html: the cases of urltestdata.json that fail without a base."""

from __future__ import annotations

import pytest
from support.wpt_cases import Case, all_cases

from weburl import URL, InvalidURL


def fails_alone(case: Case) -> bool:
    return bool(case.get("failure")) and case["base"] is None


@all_cases("urltestdata.json", fails_alone)
def test_as_base(case: Case) -> None:
    with pytest.raises(InvalidURL):
        URL("about:blank", case["input"])


@all_cases("urltestdata.json", fails_alone)
def test_href_setter(case: Case) -> None:
    url = URL("about:blank")
    with pytest.raises(InvalidURL):
        url.href = case["input"]
    assert url.href == "about:blank"


@pytest.mark.parametrize("base", ["http://example.com/a/b?c#d", "wpt:/a/b?c#d", "data:opaque?c#d"])
@all_cases("urltestdata.json", fails_alone)
def test_against_a_base(case: Case, base: str) -> None:
    scheme = base.partition(":")[0]
    # `http:@/www.example.com` and its like are relative only against a base of the same special scheme.
    is_relative = not case["input"].startswith("http") or case["input"].startswith(f"{scheme}:")
    parses = {"any-base": True, "non-opaque-path-base": scheme != "data" and is_relative}
    assert URL.can_parse(case["input"], base) is parses.get(case.get("relativeTo", ""), False)
