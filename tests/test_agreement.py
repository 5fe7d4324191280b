"""The parser, the setters and `validate` do what the literal transcription of the standard does, on hostile inputs.

`make agreement N=1000000` does the same for as many inputs as wanted.
"""

from __future__ import annotations

from collections import Counter
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import counts, hostile, literal_compare
from support.hostile import Input, inputs
from support.literal_compare import error_of
from test_roundtrip import BASES, CHAOS, ENCODINGS, HOSTS, PATHS, PORTS, SCHEMES, TAILS, TEXTS
from tiers import agreement
from tiers.agreement import SEED_INPUTS, check, difference, minimized

from weburl import URL
from weburl._core.failures import FAILURE_NAMES
from weburl._literal import LiteralURL, setters
from weburl._literal.states import Outcome

SEEDS = range(1, 21)
# What the limit on the length gives, and what only parts that are given alone do.
NOT_HERE = {"", "too-long", "invalid-UTF-8", *FAILURE_NAMES[FAILURE_NAMES.index("ignored") :]}

ASSIGNMENTS = st.one_of(
    st.tuples(st.sampled_from(hostile.NAMES), TEXTS | CHAOS),
    st.tuples(st.sampled_from(["host", "hostname"]), st.builds(str.__add__, HOSTS, PORTS)),
    st.tuples(st.just("protocol"), SCHEMES),
    st.tuples(st.just("pathname"), PATHS),
    st.tuples(st.sampled_from(["search", "hash"]), TAILS),
)
INPUTS = st.builds(Input, TEXTS, BASES, ENCODINGS, st.lists(ASSIGNMENTS, max_size=4).map(tuple))


@pytest.mark.sample(5)
@pytest.mark.parametrize("seed", SEEDS)
def test_hostile(seed: int) -> None:
    for case in islice(inputs(seed), SEED_INPUTS):
        found = difference(case)
        if found is not None:
            least = minimized(case)
            pytest.fail(f"{case!a}\nleast: {least!a}\n{difference(least)!a}")


@pytest.mark.slow
@settings(
    max_examples=1000, derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)
@given(INPUTS)
def test_hypothesis(case: Input) -> None:
    check(case)


def test_generator_is_deterministic() -> None:
    assert list(islice(inputs(7), 200)) == list(islice(inputs(7), 200))
    assert list(islice(inputs(7), 200)) != list(islice(inputs(8), 200))


@pytest.mark.slow
def test_generator_reaches_everything() -> None:
    cases = {*hostile.corpus().urls}
    errors: Counter[str | None] = Counter()
    made: Counter[str | None] = Counter()
    hosts: Counter[str | None] = Counter()
    changed: Counter[str] = Counter()
    widths: Counter[int] = Counter()
    encodings: Counter[str] = Counter()
    for seed in SEEDS:
        for url, base, encoding, assignments in islice(inputs(seed), SEED_INPUTS):
            error = error_of(url, base, encoding)
            errors[error] += 1
            # The corpus has copies of each failure: they are not made by the generator.
            made[error] += url not in cases
            widths[sum(max(url, default="a") > last for last in "\x7f\xff\uffff")] += 1
            encodings[encoding] += 1
            parsed = URL.parse(url, base, encoding=encoding)
            hosts[None if parsed is None else parsed.host_type] += 1
            for name, value in assignments:
                if parsed is not None and name != "href":
                    before = parsed.href
                    setattr(parsed, name, value)
                    changed[name] += parsed.href != before
    few = {
        "errors": {name for name in FAILURE_NAMES if name not in NOT_HERE and made[name] < 5},
        "host types": {name for name in ("domain", "ipv4", "ipv6", "opaque", "empty") if hosts[name] < 200},
        "setters": {name for name in literal_compare.SETTERS if changed[name] < 200},
        "widths": {width for width in range(4) if widths[width] < 200},
        "encodings": {name for name in hostile.ENCODINGS if encodings[name] < 200},
    }
    assert not any(few.values()), few
    assert errors[None] > 0.4 * errors.total()


@pytest.mark.slow
def test_a_difference_is_found_and_minimized(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def set_hash(url: LiteralURL, value: str) -> Outcome:
        return setters.set_hash(url, value.replace("`", "'"))

    monkeypatch.setitem(literal_compare.SETTERS, "hash", set_hash)
    arguments = ["1500", "--seed", "3", "--jobs", "1"]
    assert agreement.main(arguments) == 1
    out = capsys.readouterr().out
    assert "1,500 inputs (seeds 3 to 4)" in out
    # Neither of these two inputs can be made shorter. Which ones are met depends on the longest URL of the build.
    found = {line for line in out.splitlines() if line.startswith("least: ")}
    either = ("url='a:', base=None", "url='', base='a:'")
    assert found <= {f"least: Input({url}, encoding='utf-8', assignments=(('hash', '`'),))" for url in either}
    assert out.count("least: ") == 5
    monkeypatch.undo()
    assert agreement.main(arguments) == 0
    assert "; 0 differences; " in capsys.readouterr().out


def test_a_count_is_dirty_if_more_than_counts_has_changed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(counts, "ROOT", tmp_path)
    files = [tmp_path / "tiers" / name for name in ("seeds.json", "fuzz/counts.json", "code.py")]
    files[1].parent.mkdir(parents=True)
    counts.git("init", "-q")
    for file in files:
        file.touch()
    counts.git("add", ".")
    counts.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all")
    commit = counts.git("rev-parse", "--short", "HEAD")
    for file in files[:2]:
        file.write_text("[]")
        assert counts.today()["commit"] == commit
    files[2].write_text("1")
    assert counts.today()["commit"] == f"{commit}-dirty"


def test_counted_runs_go_on_where_the_last_ended(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(counts, "SEEDS", tmp_path / "seeds.json")
    counts.write(counts.SEEDS, [])
    seeds = []

    def run(task: tuple[int, int]) -> agreement.Report:
        seeds.append(task[0])
        return agreement.Report(task[1], 0, 0, [])

    monkeypatch.setattr(agreement, "run", run)
    for count in (1, 2 * SEED_INPUTS, SEED_INPUTS + 1):
        assert agreement.main([str(count), "--jobs", "1", "--count"]) == 0
    assert seeds == [1, 2, 3, 4, 5]
    assert [entry["cases"] for entry in counts.read(counts.SEEDS)] == [1, 2000, 1001]
    assert "agreement against the literal parser: 3,002 cases since" in capsys.readouterr().out
    # Another tier has other cases.
    assert counts.next_seed("differential") == 1


def test_a_run_with_a_difference_is_not_counted(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(counts, "SEEDS", tmp_path / "seeds.json")
    counts.write(counts.SEEDS, [])
    case = Input("http://h/", None, "utf-8", ())
    monkeypatch.setattr(agreement, "run", lambda task: agreement.Report(task[1], 0, 0, [case]))
    assert agreement.main(["1", "--jobs", "1", "--count"]) == 1
    assert counts.read(counts.SEEDS) == []
