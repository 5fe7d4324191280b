"""The tier that compares all functions of the engines, with few rows; Ray and Spark have it in the tier alone."""

from __future__ import annotations

import pytest
from tiers.engine_agreement import CALLS, ENGINES, compare, hostile_rows, right, sql_calls

from weburl._verbs.make_functions import with_common
from weburl._verbs.verb import engine_verbs
from weburl.ext import _adapter  # noqa: F401  # fills the table

ROWS = hostile_rows(1500, 3)
EXPECTED = right(ROWS)


def test_all_functions_are_compared() -> None:
    assert {call.verb.function for call in CALLS.values()} == {*engine_verbs()}
    for verb in engine_verbs().values():
        for option in with_common(verb, verb.engine_options):
            given = [call.options.get(option.name, option.default) for call in CALLS.values() if call.verb is verb]
            assert any(value != option.default for value in given), (verb.name, option.name)
    assert {*EXPECTED} == {*CALLS}
    # None is the same for all rows, unless few have its key.
    same = [name for name, column in EXPECTED.items() if len({repr(value) for value in column}) == 1]
    assert [name for name in same if {"key", "keys"}.isdisjoint(CALLS[name].options)] == []


def test_functions_of_sql_are_compared() -> None:
    # A group is one value there, and a number is no text.
    left_out = {"url_pattern_extract", "url_shard"}
    assert {text.partition("(")[0] for text in sql_calls().values()} == {*engine_verbs()} - left_out


@pytest.mark.parametrize("engine", [name for name in ENGINES if name not in ("ray", "spark")])
def test_engines(engine: str) -> None:
    assert compare(engine, ROWS, EXPECTED) == 0


def test_differences_are_found(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = {**EXPECTED, "hostname": ["x", *EXPECTED["hostname"][1:]]}
    assert compare("daft", ROWS, wrong) == 4
    assert "daft, chunks, hostname: " in capsys.readouterr().out
