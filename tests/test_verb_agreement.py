"""Every verb, with every one of its options, gives for columns what the scalar functions give for each row.

`make bulk-agreement` does the same for as many rows as wanted, `make engine-agreement` for all engines.
"""

from __future__ import annotations

from itertools import islice

import pytest
from support.hostile import inputs
from support.verb_calls import SCALAR, all_calls, calls_of, expected
from tiers.bulk_agreement import check_verb

from weburl._verbs.make_functions import with_common
from weburl._verbs.options import check_key
from weburl._verbs.verb import VERBS, Option, Verb

ROWS = 2000
CASES = list(islice(inputs(23), ROWS))
HOSTILE = [(None if index % 41 == 7 else case.url, case.base) for index, case in enumerate(CASES)]
OWN: list[tuple[str | None, str | None]] = [
    ("http://user:secret@h/?token=1&q=%C3%A9+z#f", "http://h/"), ("//user:secret@h/", "x:"), ("/users/7", "http://h/a/"),
    ("http://h/?\u00e9=\u00df", None), ("no URL, password=1", "no base"), ("com,example)/path", None), ("%ff%41", ""),
    ("http://u:p/w@h/?a=1", None), ("http://h/?a=2", None),
    ("https://www.example.co.uk/a/b?q=1", "https://h/"), ("", "http://h/?x"),
    (None, None),
]  # fmt: skip
CALLS = {call.label if call.verb.in_engines else f"{call.label} of bulk": call for call in all_calls()}


@pytest.mark.parametrize("label", CALLS)
def test_columns_give_what_scalars_give(label: str) -> None:
    assert list(check_verb(CALLS[label], [*OWN, *HOSTILE])) == []


def test_every_verb_and_every_option_is_called() -> None:
    assert {*SCALAR} == {(verb.name, verb.result) for verb in VERBS}
    for verb in VERBS:
        own = [call for call in CALLS.values() if call.verb is verb]
        for option in with_common(verb, verb.options):
            given = [call.options[option.name] for call in own if option.name in call.options]
            assert any(value != option.default for value in given), (verb.name, option.name)


def test_an_option_without_values_is_noticed() -> None:
    new = Option("new", "str", "", check_key)
    with pytest.raises(KeyError, match="no value of hostname's option new is tried"):
        calls_of(Verb("hostname", "text", "", options=(new,)), [new])


def test_no_call_gives_the_same_for_all_rows() -> None:
    cases = [*OWN, *HOSTILE]
    for call in CALLS.values():
        # Most need no more than a few rows.
        for some in (cases[::8], cases):
            texts, bases = [text for text, _ in some], [base for _, base in some]
            rows = expected(call, texts, bases if len(call.verb.columns) == 2 else None).rows
            if len({repr(row) for row in rows}) > 1:
                break
        else:
            # Not each row of a few has a rare key.
            assert "key" in call.options, call.label


def test_a_difference_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(SCALAR, ("hostname", "text"), lambda row: row.url().host)
    found = list(check_verb(CALLS["hostname"], [("http://h:8/", None), ("http://h/", None)]))
    assert [(each.work, each.row, each.right, each.found) for each in found[:1]] == [
        ("hostname", "http://h:8/", "h:8", "h")
    ]
    assert len(found) == 2
