"""The function hide() of docs/redact-text.md."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest
from support.pages import DOCS, run_examples

NAMES: dict[str, Any] = {"__name__": "page"}
run_examples(DOCS / "redact-text.md", NAMES)
hide = NAMES["hide"]


@pytest.mark.parametrize("rest", ["", " /a?token=q8Zx", " password=q8Zx", "-REDACTED", ' \\"q8Zx\\"', " Cookie: a=b"])
def test_the_whole_value_of_a_field_is_hidden(rest: str) -> None:
    """Also if another secret is in it; and there is a reason for each."""
    line, reasons = hide(f'otp="K7QX{rest}" pin=4711 a=b pin=4712')
    assert line == "otp=REDACTED pin=REDACTED a=b pin=REDACTED"
    assert [each.rule for each in reasons][-3:] == ["otp", "pin", "pin"]


@pytest.mark.parametrize("before", ["", "10:02 ", "2026-11-29T10:00:00Z level=info ", "203.0.113.7 - - "])
@pytest.mark.parametrize("after", ["", "\n", "\r\n", " took 3ms", " status=200\n"])
def test_json_stays_json(before: str, after: str) -> None:
    """A number that is hidden is a text then; what is around the JSON stays."""
    draw = Random(len(before) * 10 + len(after))
    for _ in range(50):
        secrets: list[Any] = [draw.randint(0, 10**12), "q8Zx", ["q8Zx", "q9Zx"], "two words"]
        fields = {name: draw.choice(secrets) for name in ("password", "otp", "token", "api_key")}
        fields |= {"user": "ada", "path": "/login?token=q8Zx", "Authorization": "Bearer q8Zx"}
        line, reasons = hide(f"{before}{json.dumps(fields)}{after}")
        assert line.startswith(before)
        assert line.endswith(after)
        shown = json.loads(line[len(before) : len(line) - len(after)])
        assert shown["user"] == "ada"
        assert shown["path"] == "/login?token=REDACTED"
        assert "q8Zx" not in line
        assert "q9Zx" not in line
        assert "two words" not in line
        for name in ("password", "otp"):
            assert set(shown[name]) == {"REDACTED"} if isinstance(shown[name], list) else shown[name] == "REDACTED"
        assert len(reasons) >= 6


@pytest.mark.parametrize("before", ["", "10:02 ", "2026-11-29T10:00:00Z ", "7 "])
def test_lines_of_logfmt_that_begin_with_a_number(before: str) -> None:
    assert hide(f"{before}level=info pin=4711 otp=K7QX\n")[0] == f"{before}level=info pin=REDACTED otp=REDACTED\n"
