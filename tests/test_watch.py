"""tools/watch.py: what has changed in clones of the standards, tests and lists; and the dates that weburl prints."""

from __future__ import annotations

import csv
import json
import subprocess
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
import watch
from support.command import run
from support.pages import DOCS
from watch import REGISTRIES

from weburl._hosts.psl import shipped_list
from weburl.cli.commands import _ages

Commit = Callable[..., str]

SPEC = """<h2 id=hosts>Hosts</h2>
<p>Text.
<p>The <dfn id=concept-host-parser>host parser</dfn> runs these steps.
 <li>One.
<p>The <dfn>ends in a number checker</dfn> runs these steps.
 <li>Two.
## URL patterns ## {#patterns}
 1. Three.
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    return tmp_path


@pytest.fixture
def commit(clone: Path) -> Commit:
    """Commits files, on a day, and gives the commit's name."""

    def commit(day: str, **files: str) -> str:
        for name, text in files.items():
            path = clone / name.replace("__", "/").replace("_dot_", ".")
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        who = ["-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false"]
        when = {"GIT_AUTHOR_DATE": f"{day}T12:00:00Z", "GIT_COMMITTER_DATE": f"{day}T12:00:00Z", "HOME": str(clone)}
        for arguments in (["add", "-A"], [*who, "commit", "-q", "--allow-empty", "-m", f"Of {day}"]):
            subprocess.run(["git", "-C", str(clone), *arguments], check=True, env={"PATH": "/usr/bin:/bin", **when})
        return watch.git(clone, "rev-parse", "HEAD").strip()

    return commit


def follow(monkeypatch: pytest.MonkeyPatch, *rows: tuple[str, str, str]) -> None:
    monkeypatch.setattr(watch, "SOURCES", tuple(("", name, at, day, "") for name, at, day in rows))


def test_algorithms(
    clone: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    base = commit("2026-01-01", url_dot_bs=SPEC)
    follow(monkeypatch, ("whatwg/url", base, "2026-01-01"), ("whatwg/url", "0123456", "2026-01-02"))
    assert watch.main(["--url", str(clone)]) == 0
    assert capsys.readouterr().out == "0 differences\n"
    # Other space is no change.
    commit("2026-01-03", url_dot_bs=SPEC.replace(" <li>", "   <li>"))
    text = SPEC.replace("Two", "2").replace("Three", "3") + '<p>The <dfn id="new-one">x</dfn>.\n'
    last = commit("2026-01-04", url_dot_bs=text.replace("<p>Text.\n", "").replace("host parser</dfn>", "parser</dfn>"))
    assert watch.main(["--url", str(clone)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[1] == f"whatwg/url: commit {last[:7]} 2026-01-04 Of 2026-01-04"
    assert lines[2:] == [
        "whatwg/url: changed #hosts", "whatwg/url: changed #concept-host-parser",
        "whatwg/url: changed #ends in a number checker", "whatwg/url: changed #patterns", "whatwg/url: new #new-one",
        "7 differences",
    ]  # fmt: skip
    assert list(watch.of_standard(clone, "whatwg/url", "url.bs")) == lines[:-1]


def test_a_commit_is_found_by_its_date(clone: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = commit("2026-01-01", a="1"), commit("2026-01-05", a="2")
    for day, found in (("2026-01-01", first), ("2026-01-04", first), ("2026-01-05", second), ("2026-02-01", second)):
        follow(monkeypatch, ("whatwg/url", "", day))
        assert watch.start(clone, "whatwg/url") == found
    follow(monkeypatch, ("whatwg/url", "", "2025-12-31"), ("whatwg/url", "0123456", "2026-01-01"))
    with pytest.raises(SystemExit, match="is its history complete"):
        watch.start(clone, "whatwg/url")


def test_cases_of_tests(clone: Path, commit: Commit, monkeypatch: pytest.MonkeyPatch) -> None:
    cases = [{"input": "a"}, {"input": "b"}, {"input": "b"}]
    setters = {"comment": "x", "host": [{"href": "x:"}], "port": []}
    base = commit("2026-01-01", url__resources__a_dot_json=json.dumps(cases), url__s_dot_json=json.dumps(setters),
        url__old_dot_js="", dom__x_dot_js="")  # fmt: skip
    follow(monkeypatch, ("web-platform-tests/wpt", base, "2026-01-01"))
    assert list(watch.of_tests(clone)) == []
    setters["port"] = setters.pop("host")
    (clone / "url" / "old.js").unlink()
    commit("2026-01-02", url__resources__a_dot_json=json.dumps([*cases[:2], {"input": "c" * 99}]),
        url__s_dot_json=json.dumps(setters), urlpattern__new_dot_js="", dom__x_dot_js="changed")  # fmt: skip
    assert list(watch.of_tests(clone)) == [
        "wpt: removed url/old.js",
        "wpt: changed url/resources/a.json",
        'wpt: url/resources/a.json: - {"input": "b"}',
        f'wpt: url/resources/a.json: + {{"input": "{"c" * 49}…',
        "wpt: changed url/s.json",
        'wpt: url/s.json: - host {"href": "x:"}',
        'wpt: url/s.json: + port {"href": "x:"}',
        "wpt: new urlpattern/new.js",
    ]


def test_rows_of_the_public_suffix_list(clone: Path, commit: Commit) -> None:
    text = shipped_list().read()
    commit("2026-01-01", public_suffix_list_dot_dat=text)
    assert list(watch.of_suffixes(clone)) == []
    commit("2026-01-02", public_suffix_list_dot_dat=text.replace("\nco.uk\n", "\n// co.uk\n*.new.uk  rest\n"))
    assert list(watch.of_suffixes(clone)) == ["psl: - co.uk (ICANN DOMAINS)", "psl: + *.new.uk (ICANN DOMAINS)"]


def test_rows_of_the_registries(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A registry made from our file has no difference; then some rows of it are other ones, are new, or are gone."""
    ours = REGISTRIES.read_text("utf-8").partition("# Names that are in no registry")[0]
    lines = [line.split()[:4] for line in ours.splitlines() if line and line[0] != "#"]
    said = {"no": "False", "yes": "True [1]", "holds": "True", "none": "N/A"}
    blocks = [[name, "Block", said[kind]] for name, _, kind, *what in lines if "/" in name and what != ["multicast"]]
    rows = {kind: [row for row in blocks if (":" in row[0]) == (kind == "IPv6")] for kind in ("IPv4", "IPv6")}
    rows["names"] = [[f"{line[0]}.", "[RFC6761]", ""] for line in lines if "/" not in line[0]]
    footnotes = {"192.0.0.0/24": "192.0.0.0/24 [2]", "192.0.0.170/31": "192.0.0.170/32, 192.0.0.171/32"}
    for row in rows["IPv4"]:
        row[0] = footnotes.get(row[0], row[0])
    assert {kind: len(some) > 20 for kind, some in rows.items()} == dict.fromkeys(rows, True)

    def compared() -> tuple[int, list[str]]:
        arguments = []
        for kind, some in rows.items():
            arguments += ["--iana", str(tmp_path / f"{kind}.csv")]
            with open(arguments[-1], "w", encoding="utf-8-sig", newline="") as file:
                header = (
                    ["Name", "Reference", ""] if kind == "names" else ["Address Block", "Name", "Globally Reachable"]
                )
                csv.writer(file).writerows([header, *some])
        status = watch.main(arguments)
        return status, capsys.readouterr().out.splitlines()

    assert compared() == (0, ["0 differences"])
    rows["IPv4"] = [[*row[:2], "True" if row[0] == "10.0.0.0/8" else row[2]] for row in rows["IPv4"]]
    rows["IPv4"] = [*(row for row in rows["IPv4"] if row[0] != "192.0.2.0/24"), ["198.97.38.0/24", "New", "False"]]
    rows["IPv6"].pop()
    rows["names"] = [["new-one.arpa.", "x", ""], *rows["names"][1:]]
    assert compared() == (
        1,
        [
            "iana: 10.0.0.0/8 is 'True' there, and 'no' here",
            "iana: 198.97.38.0/24 is 'False' there, and 'missing' here",
            "iana: 192.0.2.0/24 is missing there, and 'no' here",
            "iana: fe80::/10 is missing there, and 'no' here",
            "iana: new-one.arpa is 'special use' there, and 'missing' here",
            "iana: alt is missing there, and 'no' here",
            "6 differences",
        ],
    )


def test_the_page_and_the_command_say_the_same() -> None:
    assert watch.main(["--page", "--check"]) == 0
    page = (DOCS / "conformance.md").read_text("utf-8")
    lines = run("--version", "--verbose").out.splitlines()
    assert lines[:1] == run("--version").out.splitlines()
    today = datetime.now(UTC).date()
    for name, _, commit, day, newer in _ages.SOURCES:
        age = (today - date.fromisoformat(day)).days
        dated = f"{name}: {day}, {age:,} days old{f', commit {commit}' * bool(commit)}; newer: {newer}"
        assert dated in lines
        assert age >= 0
        assert f"| {day} |" in page
    assert any(line.startswith("Public Suffix List: 20") for line in lines)
    assert run("http://h/", "--version", "--verbose").out.splitlines() == lines
    assert run("http://h/", "--verbose").status == 2


def test_the_dates_are_those_of_the_data() -> None:
    """Each date is written once more where the data is."""
    dated = {name: date.fromisoformat(day) for name, _, _, day, _ in _ages.SOURCES}
    registries = watch.REGISTRIES.read_text("utf-8")
    for name in ("IANA's special-purpose addresses", "IANA's multicast addresses"):
        assert f"on {dated[name].day} {dated[name]:%B %Y}" in registries
    tracking, tests = dated["Tracking parameters"], dated["Web Platform Tests"]
    assert f"The list is of {tracking.day} {tracking:%B %Y}." in (DOCS / "tracking.md").read_text("utf-8")
    assert json.loads((watch.ROOT / "wpt_data" / "MANIFEST.json").read_text("utf-8"))["date"] == tests.isoformat()


def test_without_the_public_suffix_list(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing() -> None:
        raise ImportError

    monkeypatch.setattr("weburl._hosts.psl.shipped_list", missing)
    assert any(line.startswith("Public Suffix List: not installed; newer: ") for line in _ages.sources())


def test_nothing_to_compare() -> None:
    for arguments in ([], ["--check"]):
        with pytest.raises(SystemExit) as raised:
            watch.main(arguments)
        assert raised.value.code == 2
