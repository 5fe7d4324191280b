"""The tier that compares all functions of the engines, with few rows; Ray and Spark have it in the tier alone."""

from __future__ import annotations

import pytest
from tiers.engine_agreement import CALLS, ENGINES, compare, hostile_rows, right

from weburl._verbs.verb import engine_verbs
from weburl.ext import _adapter  # noqa: F401  # fills the table

ROWS = hostile_rows(1500, 3)
EXPECTED = right(ROWS)


def test_all_functions_are_compared() -> None:
    called = {call if " " not in call else "parse_url" for call in (*CALLS, "join")}
    assert called == {name.removeprefix("url_") for name in engine_verbs()}
    assert {*EXPECTED} == {*CALLS, "join"}
    # None is the same for all rows.
    assert [name for name, column in EXPECTED.items() if len({repr(value) for value in column}) == 1] == []


@pytest.mark.parametrize("engine", [name for name in ENGINES if name not in ("ray", "spark")])
def test_engines(engine: str) -> None:
    assert compare(engine, ROWS, EXPECTED) == 0


def test_differences_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {**EXPECTED, "host": ["x", *EXPECTED["host"][1:]]}
    assert compare("daft", ROWS, wrong) == 3
    assert "daft, chunks, host: " in capsys.readouterr().out
