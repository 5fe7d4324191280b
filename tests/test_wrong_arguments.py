"""Every public callable says of a wrong argument which one it is, what was passed, and what to write."""

from __future__ import annotations

import re

import pytest
from support.wrong_arguments import (
    CONTAINERS,
    FOREIGN,
    RIGHT,
    TAKES,
    WRONG,
    Wrong,
    callables,
    right_arguments,
    wrong_calls,
)

CALLS = list(wrong_calls())
# What a message says of one item of an argument: which it is, and its type.
ITEM = re.compile(r"^(urls: row \d+|an? \w+) must be ")
# Callables that need other things than texts and URLs: results, and what other callables make.
OTHERS = {
    "Column", "Table", "URLPatternResult", "URLPatternResult.get", "ValidationError", "SpoofingRisk", "SkippedLine",
    "Redaction", "ImportantParams", "ParameterUse", "LinkTable", "LinkTable.may_follow", "RobotsRule",
    "RobotsWarning", "ArchiveRecord", "LearntRoutes",
}  # fmt: skip


@pytest.mark.parametrize("function", sorted({wrong.function for wrong in CALLS}))
def test_messages(function: str) -> None:
    for wrong in CALLS:
        if wrong.function == function:
            check(wrong)


def check(wrong: Wrong) -> None:
    with pytest.raises((TypeError, ValueError)) as raised:
        wrong.call()
    message = str(raised.value)
    assert re.search(rf"\b{wrong.parameter}\b", message) or ITEM.match(message), f"{wrong}: {message}"
    assert re.search(rf"\bnot {re.escape(wrong.kind)}\b", message), f"{wrong}: {message}"
    if wrong.kind in FOREIGN:
        # What to write is after the colon, or is all that can be written.
        assert re.search(r": .", message) or " must be one of " in message, f"{wrong}: {message}"


def test_all_callables_are_called() -> None:
    names = {name for name, function in callables() if right_arguments(name, function) is None}
    assert {name for name in names if name.partition(".")[0] not in ("Column", "Table")} == OTHERS - {"Column", "Table"}
    assert len(CALLS) > 2000
    assert {wrong.kind for wrong in CALLS} == set(WRONG)


def test_the_tables_have_nothing_else() -> None:
    parameters = {wrong.parameter for wrong in CALLS}
    functions = {wrong.function for wrong in CALLS}
    assert set(RIGHT) == parameters | {"file"}
    assert parameters >= CONTAINERS
    for name in TAKES:
        function, _, parameter = name.rpartition("(")
        assert (function or name) in (functions if function else parameters | {"file"}), name
        assert not function or parameter.removesuffix(")") in parameters, name
