"""Tests the program of `make differential`. Its oracle is a weburl with a fault; no other implementation runs."""

from __future__ import annotations

import sys
from itertools import islice
from pathlib import Path

import pytest
from tiers import differential
from tiers.differential import KNOWN, WEBURL, compare, difference, excuse
from tiers.oracles.cases import cases
from tiers.oracles.lags import Lag
from tiers.oracles.observe import FIELDS, PARAMS_METHODS, line, observed

FAULTY = """
from tiers.differential import Weburl
from tiers.oracles.observe import serve

class Faulty(Weburl):
    def assign(self, url, name, value):
        return super().assign(url, name, value.replace("`", "'") if name == "hash" else value)

serve("a faulty weburl", Faulty())
"""


@pytest.fixture
def faulty(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    path = tmp_path / "faulty.py"
    path.write_text(FAULTY, "utf-8")
    monkeypatch.setitem(differential.COMMANDS, "faulty", [sys.executable, str(path)])


@pytest.mark.slow
@pytest.mark.usefixtures("faulty")
def test_a_difference_is_found_and_minimized(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        assert not compare(("faulty",), 3000, 1, 1)
    finally:
        differential.oracle("faulty").end()
    out = capsys.readouterr().out
    assert "weburl against a faulty weburl" in out
    assert "3,000 cases (seeds 1 to 3)" in out
    assert "least: ('a:', None, [('hash', '`')])" in out
    assert "https://url.spec.whatwg.org/#dom-url-hash\nhttps://url.spec.whatwg.org/#fragment-state\n" in out


@pytest.mark.parametrize("lag", KNOWN, ids=lambda lag: f"{lag.oracle}: {lag.reason}")
def test_a_lag_explains_its_example_and_nothing_else(lag: Lag) -> None:
    ours = observed(WEBURL, lag.example)
    assert ours[-1] == lag.standard
    found = difference(lag.oracle, lag.example, line([*ours[:-1], lag.lagging]))
    assert found is not None
    index = excuse(lag.oracle, found)
    assert index is not None
    assert KNOWN[index] is lag
    shown = observed(WEBURL, ("http://h/#a", None, []))[-1]
    other = difference(lag.oracle, ("http://h/#b", None, []), line([None, shown]))
    assert other is not None
    assert not lag.explains(other)


def test_cases_are_deterministic() -> None:
    assert list(islice(cases(7), 200)) == list(islice(cases(7), 200))
    assert list(islice(cases(7), 200)) != list(islice(cases(8), 200))


def test_cases_are_of_every_plane_and_step() -> None:
    made = [case for seed in range(5) for case in islice(cases(seed), 1000)]
    assert {ord(c) >> 16 for url, _, _ in made for c in url} == set(range(17))
    assert {step[0] for _, _, steps in made for step in steps} == {*FIELDS, *PARAMS_METHODS} - {"origin"}
