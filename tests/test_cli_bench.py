"""weburl bench."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from weburl import URL
from weburl._core.percent import choose_kernels, kernel_name
from weburl.cli import main
from weburl.cli.commands import bench

URLS = [text for _, text in zip(range(40), bench.made_up(), strict=False)]


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "SECONDS", 0.0)
    monkeypatch.setattr(bench, "made_up", lambda: iter(URLS))


def test_a_table(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "2"]) == 0
    first, _, _, *rows = capsys.readouterr().out.splitlines()
    kernels = f"kernels: {kernel_name()}"
    assert re.fullmatch(rf"40 URLs, \w+ [\d.]+\S* on \w+, {kernels}, median of 2 rounds", first)
    for row in rows:
        assert re.fullmatch(r".{24} *[\d,]+ +[\d.]+ x +[\d,]+ +[\d.]+ x +[\d.]+%", row)
    names = [row[:24].split()[0] for row in rows]
    assert (names[0], names[-2], names[-1]) == ("weburl", "urllib.parse", "weburl.bulk,")
    assert rows[0].split()[-1] == "100.0%"
    assert rows[-2].split()[-1] == "60.0%"


def test_the_kernels_in_use(capsys: pytest.CaptureFixture[str]) -> None:
    before = kernel_name()
    choose_kernels("plain")
    try:
        assert main(["bench", "--rounds", "1", "--json"]) == 0
        assert main(["--version"]) == 0
    finally:
        choose_kernels(before)
    measured, versions = capsys.readouterr().out.splitlines()
    assert json.loads(measured)["kernels"] == "plain"
    assert versions.endswith(", kernels: plain")


def test_json_of_files(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Only URLs that all libraries accept are timed, each once."""
    path = tmp_path / "urls.txt"
    path.write_text("http://a/\n\nhttp://a/\nno URL\nhttp://[::1/\nhttp://b/\nhttp://h:99999/\n")
    assert main(["bench", "--rounds", "1", "--json", str(path)]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["urls"], said["rounds"]) == (2, 1)
    assert {one["agrees"] for one in said["libraries"]} == {1.0}
    assert all(one["parse_and_read_ns"] > 0 < one["serialize_ns"] for one in said["libraries"])
    path.write_text("no URL\n")
    assert main(["bench", str(path)]) == 3
    assert capsys.readouterr().err == "weburl: no URL is accepted by every library\n"


def test_a_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "access.log"
    path.write_text('h - - [01/Jul/1995:00:00:01 -0400] "GET /a HTTP/1.0" 200 1\n')
    arguments = ["bench", "--rounds", "1", "--json", "--log", "common", str(path)]
    assert main(arguments) == 2
    assert "--base URL says whose log it is" in capsys.readouterr().err
    assert main([*arguments, "--base", "http://h/"]) == 0
    assert json.loads(capsys.readouterr().out)["urls"] == 1
    assert main([*arguments, "--base", "no URL"]) == 2
    assert main(["bench", "--base", "http://h/", str(path)]) == 2


def test_usage(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "--rounds", "0"]) == 2
    assert "--rounds" in capsys.readouterr().err


def test_the_libraries(monkeypatch: pytest.MonkeyPatch) -> None:
    """Installed libraries take part; another module with such a name does not."""

    class Split:
        def __init__(self, text: str) -> None:
            self.host, self.path, self.query, self.url = "h", "/", "", URL(text)

        def __str__(self) -> str:
            return self.url.href

    there: dict[str, Any] = {
        "weburl": SimpleNamespace(URL=URL),
        "pydantic_core": SimpleNamespace(Url=Split),
        "url": SimpleNamespace(URL=None),
        "can_ada": SimpleNamespace(),
    }

    def import_module(name: str) -> Any:
        if name not in there:
            raise ModuleNotFoundError(name)
        return there[name]

    monkeypatch.setattr(bench, "import_module", import_module)
    found = list(bench.installed())
    assert [one.name.split()[0] for one in found] == ["weburl", "pydantic-core"]
    for one in found:
        assert list(one.hrefs(["http://H"])) == ["http://h/"]
        assert one.accepts("http://h/")
        assert not one.accepts("no URL")


def test_rounds_take_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    """The result is the median of the rounds; each round has the libraries in another order."""
    order: list[str] = []
    clock = iter(range(10**9))

    def library(name: str) -> bench.Library:
        def parse(text: str) -> str:
            order.append(name)
            return text

        return bench.Library(name, parse, len, str)

    monkeypatch.setattr("time.perf_counter", lambda: next(clock) ** 2 / 1e9)
    result = bench.measured([library("a"), library("b")], ["http://h/"], 3)
    # Two runs to find the number of turns, three rounds, and a run that compares serializations.
    assert "".join(order) == "aabb" + "aabb" + "abba" + "bbaa" + "ab"
    assert [one["name"] for one in result["libraries"]] == ["a", "b", "weburl.bulk, a column"]
    times: list[float] = [one["parse_and_read_ns"] for one in result["libraries"]]
    assert times[0] == pytest.approx(2 * 2 * (6 + 6 + 5) + 1)


def test_made_up_urls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    made: Callable[[], Any] = bench.made_up
    texts = list(made())
    assert len(set(texts)) == len(texts) == 2000
    assert sum(URL(text).href == text for text in texts) == 1200
