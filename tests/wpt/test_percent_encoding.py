"""url/percent-encoding.window.js, over percent-encoding.json: every input with every encoding it lists."""

from __future__ import annotations

from support.wpt_cases import STORAGE_KINDS, Case, each_case

from weburl import URL
from weburl.percent import percent_encode


@each_case("percent-encoding.json")
def test_query(case: Case) -> None:
    for encoding, output in case["output"].items():
        url = URL(f"https://doesnotmatter.invalid/?{case['input']}#{case['input']}", encoding=encoding)
        assert (encoding, url.search) == (encoding, f"?{output}")
        assert url.hash == f"#{case['output']['utf-8']}"
        for character, encoded in STORAGE_KINDS.items():
            longer = URL(f"{url.href.partition('?')[0]}?{case['input']}#{character}", encoding=encoding)
            assert (longer.search, longer.hash) == (url.search, f"#{encoded}")


@each_case("percent-encoding.json")
def test_percent_encode(case: Case) -> None:
    for encoding, output in case["output"].items():
        assert (encoding, percent_encode(case["input"], "special-query", encoding=encoding)) == (encoding, output)
