"""The reports of docs/upstream/: what they say of weburl is so. `python tools/upstream.py --check` asks the others."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
import upstream
import upstream_cases
from support.pages import DOCS
from tiers.oracles.observe import FIELDS
from wpt import test_urlpattern

from weburl import URL

PAGES = sorted(path for path in (DOCS / "upstream").glob("*.md") if path.name != "index.md")
SECTIONS = ["In the text", "What implementations do", "Proposed change", "Case for WPT"]


def table(path: Path) -> list[list[str]]:
    rows = path.read_text("utf-8").partition(upstream.BEGIN)[2].partition(upstream.END)[0]
    return [re.split(r"(?<!\\)\|", row.strip("|\n")) for row in rows.splitlines() if row.startswith("|")]


def test_each_report_has_a_page() -> None:
    assert {path.stem for path in PAGES} == set(upstream_cases.CASES)
    index = (DOCS / "upstream" / "index.md").read_text("utf-8")
    for path in PAGES:
        page = path.read_text("utf-8")
        assert f"]({path.name})" in index
        assert sorted(set(re.findall("^## (.*)$", page, re.MULTILINE)) & set(SECTIONS)) == sorted(SECTIONS)
        assert "spec.whatwg.org/#" in page
        assert "\nFor: " in page


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_page_says_what_weburl_does(path: Path) -> None:
    header, _, *rows = [[cell.strip() for cell in row] for row in table(path)]
    column, cases = header.index("weburl"), upstream_cases.CASES[path.stem]
    assert len(header) >= 6  # four implementations, and weburl
    assert [row[column] for row in rows] == [upstream.code(upstream.of_weburl(case)) for case in cases]
    assert [row[header.index("case")] for row in rows] == list(map(upstream.shown, cases))
    if header[-1] == "errors by the text":
        assert [row[-1] for row in rows] == list(map(upstream.errors, cases))


@pytest.mark.parametrize("name", ["bun", "node"])
def test_each_difference_is_of_a_class(name: str) -> None:
    page = (DOCS / "upstream" / f"{name}.md").read_text("utf-8")
    found = re.search(r"Of 60,000 cases, ([\d,]+) differ; 0 of these are of no class\.", page)
    assert found
    header, _, *rows = [[cell.strip() for cell in row] for row in table(DOCS / "upstream" / f"{name}.md")]
    assert sum(int(row[1].replace(",", "")) for row in rows) == int(found[1].replace(",", ""))
    theirs = next(index for index, cell in enumerate(header) if cell.lower().startswith(f"{name} "))
    assert all(row[theirs] != row[header.index("weburl")] for row in rows)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.stem)
def test_the_cases_for_wpt(path: Path) -> None:
    """All but those of a change that is only proposed: they say what weburl gives after the URL is parsed again."""
    block = re.search("```json\n(.*?)```", path.read_text("utf-8"), re.DOTALL)
    assert block
    cases = json.loads(block[1])
    if isinstance(cases, dict):
        for case in cases["protocol"]:
            url = URL(case["href"])
            url.protocol = case["new_value"]
            again = URL(url.href)
            assert again.href != url.href
            assert {name: getattr(again, name) for name in case["expected"]} == case["expected"]
        return
    for case in cases:
        if "pattern" in case:
            test_urlpattern.test_urlpattern(case)
        elif "output" in case:
            host = URL.parse(f"https://{case['input']}/")
            assert (host and host.host) == case["output"]
        elif case.get("failure"):
            assert not URL.can_parse(case["input"], case["base"])
        else:
            url = URL(case["input"], case["base"])
            assert {"input": case["input"], "base": case["base"], **{one: getattr(url, one) for one in FIELDS}} == case
