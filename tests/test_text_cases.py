"""What GFM, linkify-it and twitter-text find in a text; where find_urls differs, docs/text.md says why."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from weburl.text import find_urls

ROOT = Path(__file__).resolve().parent
CASES: list[dict[str, Any]] = json.loads((ROOT / "data" / "found_urls.json").read_text("utf-8"))
PAGE = (ROOT.parent / "docs" / "text.md").read_text("utf-8")


@pytest.mark.parametrize("case", CASES, ids=[f"{case['source']}: {case['text']!a}" for case in CASES])
def test_cases(case: dict[str, Any]) -> None:
    found = [span.text for span in find_urls(case["text"], **case.get("options", {}))]
    assert found == case.get("ours", case["urls"])
    assert ("deviation" in case) == ("ours" in case)
    assert case.get("ours") != case["urls"]


def test_the_page_has_every_deviation() -> None:
    section = PAGE.partition("## Other finders\n")[2].partition("\n## ")[0]
    listed = re.findall(r"^\| ([\w ]+) \| `", section, re.MULTILINE)
    deviations = Counter(case["deviation"] for case in CASES if "deviation" in case)
    assert sorted(listed) == sorted(deviations)
    sources = Counter(case["source"] for case in CASES)
    assert sources.keys() == {"GFM", "linkify-it", "twitter-text"}
    for source, count in sources.items():
        assert f"| {source} | {count} |" in section
