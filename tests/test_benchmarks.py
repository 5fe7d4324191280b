"""What the benchmarks measure, and what they print."""

from __future__ import annotations

import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import bench
import bench_bulk
import corpora
import instructions
import plots
import programs
import pytest
from timing import Timing

from weburl import URL

BENCHMARKS = Path(instructions.__file__).parent


def test_longer_links() -> None:
    links = [link for link in corpora.real_links() or corpora.links(2000) if URL.can_parse(link)]
    longer = corpora.longer(links)
    assert longer == corpora.longer(links)
    assert 80 <= sum(map(len, longer)) / len(longer) <= 120
    for link, long in zip(links, longer, strict=True):
        assert len(long) >= len(link) + 4
        assert URL(long).host == URL(link).host
        assert URL(long).hash == URL(link).hash
        assert (URL(long).href == long) == (URL(link).href == link)


@pytest.mark.parametrize(
    ("link", "start", "end"),
    [
        ("http://h/", "http://h/", ""),
        ("http://h/a.html#b", "http://h/a.html/", "#b"),
        ("http://h/a?b=c#d?e", "http://h/a/", "#d?e"),
    ],
)
def test_a_longer_link(link: str, start: str, end: str) -> None:
    (longer,) = corpora.longer([link])
    assert longer.startswith(start)
    assert longer.endswith(end)
    assert link.count("/") <= longer.count("/")
    assert URL(longer).search.startswith(URL(link).search)


def test_the_works_in_javascript() -> None:
    """They have one name in each of three places."""
    script = (BENCHMARKS / "javascript.mjs").read_text("utf-8")
    names = re.findall(r'^  "([^"]+)": \(\) =>', script, re.MULTILINE)
    assert len(names) == 5
    assert list(programs.IN_JAVASCRIPT) == [work for _, _, work, _ in bench.JAVASCRIPT]
    assert sorted(names) == sorted(programs.IN_JAVASCRIPT)


def test_the_versions_of_bun_and_node_are_pinned() -> None:
    wanted: dict[str, str] = json.loads((BENCHMARKS / "package.json").read_bytes())["dependencies"]
    assert wanted.keys() == {"bun", "node"}
    assert all(re.fullmatch(r"\d+\.\d+\.\d+", number) for number in wanted.values())


def test_a_program_that_does_other_work_is_refused() -> None:
    answers = "for _ in __import__('sys').stdin: print('[1200, 3]', flush=True)"
    program = programs.Program([sys.executable, "-c", answers], {"three": 3, "four": 4}, 3)
    assert program.spent("three") == 1200
    assert program.a_line("three") == 400
    with pytest.raises(AssertionError, match="four: 3 instead of 4"):
        program.spent("four")
    program.close()


def test_missing_engines(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(programs, "NPM", tmp_path)
    missing: list[str] = []
    assert bench.load_engines(missing) == {}
    assert missing == ["Bun", "Node"]
    assert capsys.readouterr().out.count("MISSING PEER") == 2


def test_a_missing_checkout_of_ada(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(programs, "find_spec", lambda name: None)
    assert bench_bulk.load_adas(tmp_path, None) == ({}, ["ada"])
    assert bench_bulk.load_adas(tmp_path, tmp_path) == ({}, ["ada", "the other ada"])
    assert f"MISSING PEER the other ada: no ada.cpp in {tmp_path / 'src'}" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ours", "peer", "theirs", "verdict"),
    [
        (20, "can_ada", 100, "OK"),
        (21, "can_ada", 100, "MISS"),
        (1, "can_ada", None, "no peer"),
        (0.2, "", None, "OK"),
        (0.3, "", None, "MISS"),
    ],
)
def test_verdicts(ours: float, peer: str, theirs: float | None, verdict: str) -> None:
    timing = None if theirs is None else Timing(theirs, theirs)
    assert bench.Row("work", "links", "ns", Timing(ours, ours), 0.2, peer, timing).verdict == verdict


def test_two_processes_share_the_links() -> None:
    """From one moment on, until the last of them has done its half."""
    links = ["https://example.com/"] * 1000
    with bench_bulk.Halves(links, bench_bulk.four_columns) as halves:
        assert all(0 < halves.spent() < 60e9 for _ in range(2))


Rows = list[dict[str, Any]]
NOW: Rows = [
    {"work": "URL(s)", "inputs": "links", "instructions": 900.0},
    {"work": "one more", "inputs": "URLs", "instructions": 1234.5},
]


def test_instructions() -> None:
    assert list(instructions.table(NOW)) == [
        "| operation | inputs | instructions |",
        "|---|---|---:|",
        "| `URL(s)` | links | 900 |",
        "| one more | URLs | 1,234 |",
    ]


def test_instructions_before_and_after() -> None:
    before = [{"work": "URL(s)", "inputs": "links", "instructions": 1000.0}]
    assert list(instructions.table(NOW, before)) == [
        "| operation | inputs | before | now | |",
        "|---|---|---:|---:|---:|",
        "| `URL(s)` | links | 1,000 | 900 | -10.0% |",
        "| one more | URLs | | 1,234 | |",
    ]


def test_no_valgrind(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    assert instructions.print_counts() is None
    assert capsys.readouterr().out == "no instructions are counted: valgrind is not installed\n\n"


@pytest.mark.parametrize("operation", instructions.OPERATIONS, ids=lambda operation: f"{operation[0]}, {operation[1]}")
def test_each_operation_runs(operation: instructions.Operation) -> None:
    made, count = instructions.make(operation.inputs)
    assert count >= 400
    operation.run(made)


def test_pictures_have_every_panel() -> None:
    assert {f"{function}, {name}" for name, functions in bench.EVERYBODY for function in functions} >= set(plots.PANELS)
