"""tools/pattern_libraries.py: how it decides that a case of WPT passes, and what the page says of weburl."""

from __future__ import annotations

from typing import Any

import pattern_libraries
import pytest
from pattern_libraries import passes
from support.pages import DOCS
from support.wpt_cases import DATA, NO_DATA, read_cases

from weburl import URLPattern


class Wrong:
    """A pattern of weburl with a fault."""

    fault = ""

    def __init__(self, *arguments: Any) -> None:
        self.pattern = pattern_libraries.construct(URLPattern, arguments)

    def test(self, *inputs: Any) -> bool:
        return bool(self.pattern.test(*inputs)) != (self.fault == "test")

    def exec(self, *inputs: Any) -> Any:
        match = self.pattern.exec(*inputs)
        if match is None or self.fault == "exec":
            return None
        shown = {}
        for name in pattern_libraries.COMPONENTS:
            given, groups = pattern_libraries.part(match, name)
            if self.fault == "groups":
                groups = {**groups, "other": ""}
            shown[name] = {"input": given + "x" * (self.fault == "input"), "groups": groups}
        return shown


@pytest.mark.skipif(DATA is None, reason=NO_DATA)
def test_weburl_passes_each_case() -> None:
    assert DATA is not None
    cases = read_cases(DATA["urlpatterntestdata.json"])
    assert [case for case in cases if not passes(URLPattern, case)] == []
    page = (DOCS / "libraries.md").read_text("utf-8")
    assert f" | 100% ({len(cases)} of {len(cases)}) |" in page
    for requirement, _, what, _ in pattern_libraries.LIBRARIES:
        name, _, number = requirement.replace("[regex]", "").partition("==")
        assert f"| {name} | {number}" in page
        assert f" | {what} | " in page


@pytest.mark.parametrize("fault", ["", "test", "exec", "groups", "input"])
def test_a_fault_is_noticed(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Wrong, "fault", fault)
    matched = {
        "pattern": [{"pathname": "/:a/:b?", "port": ""}],
        "inputs": ["x://h/1"],
        "exactly_empty_components": ["port"],
        "expected_match": {
            "protocol": {"input": "x", "groups": {"0": "x"}},
            "hostname": {"input": "h", "groups": {"0": "h"}},
            "pathname": {"input": "/1", "groups": {"a": "1", "b": None}},
        },
    }
    assert passes(Wrong, matched) == (fault == "")
    unmatched = {"pattern": [{"pathname": "/a"}], "inputs": ["x://h/1"], "expected_match": None}
    assert passes(Wrong, unmatched) == (fault != "test")


def test_errors() -> None:
    error = {"pattern": [{"pathname": "("}], "expected_obj": "error"}
    assert passes(URLPattern, error)
    assert not passes(URLPattern, {"pattern": [{"pathname": "("}], "expected_match": None})
    assert not passes(URLPattern, {"pattern": [{"pathname": "/"}], "expected_obj": "error"})
    refused = {"pattern": [{"pathname": "/"}], "inputs": [{"pathname": "/"}, "x:"], "expected_match": "error"}
    assert passes(URLPattern, refused)
