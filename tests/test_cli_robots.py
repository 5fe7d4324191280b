"""weburl robots: what it prints of URLs and of files."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from support.command import run

FILE = """\
User-agent: *
Disallow: /private
Disalow: /x
Sitemap: https://example.com/s
Crawl-delay: 2
User-agent: ExampleBot
Allow: /private
Content-Signal: search=yes
"""
URLS = ["https://example.com/private/a", "https://example.com/b/../x?y#z", "https://example.com/"]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "robots.txt").write_text(FILE)
    (tmp_path / "urls.txt").write_text("\n".join([*URLS, "", "no URL", "  "]))
    return tmp_path


@pytest.mark.usefixtures("folder")
def test_urls() -> None:
    ended = run("robots", "robots.txt", "-f", "urls.txt")
    assert ended.lines == [
        "forbidden\thttps://example.com/private/a",
        "forbidden\thttps://example.com/x?y#z",
        "allowed\thttps://example.com/",
    ]
    assert (ended.status, ended.err) == (0, "weburl: 1 of 4 lines is not a URL\n")
    ended = run("robots", "robots.txt", "--agent", "ExampleBot", "--explain", "-f", "urls.txt")
    assert ended.lines == [
        "allowed\tline 7: Allow: /private\thttps://example.com/private/a",
        "allowed\tno rule\thttps://example.com/x?y#z",
        "allowed\tno rule\thttps://example.com/",
    ]
    assert run("robots", "robots.txt", "--only", "allowed", "-f", "urls.txt").lines == [URLS[2]]
    assert len(run("robots", "robots.txt", "--only", "forbidden", "-f", "urls.txt").lines) == 2
    google = run("robots", "robots.txt", "--compat", "google", "-f", "urls.txt")
    assert google.lines == [
        f"forbidden\t{URLS[0]}", f"allowed\t{URLS[1]}", f"allowed\t{URLS[2]}", "allowed\tno URL",
    ]  # fmt: skip
    rows = [json.loads(line) for line in run("robots", "robots.txt", "--json", "-f", "urls.txt").lines]
    assert rows[0] == {
        "url": URLS[0], "allowed": False, "line": 2, "rule": "Disallow: /private", "error": None,
    }  # fmt: skip
    assert rows[3] == {
        "url": "no URL", "allowed": None, "line": None, "rule": None, "error": "missing-scheme-non-relative-URL",
    }  # fmt: skip


def test_inputs(folder: Path) -> None:
    text = (folder / "robots.txt").read_text()
    assert run("robots", "-", "-f", "urls.txt", stdin=text).lines == run("robots", "robots.txt", "-f", "urls.txt").lines
    assert run("robots", "robots.txt", "-f", "-", stdin=f"{URLS[0]}\n").lines == [f"forbidden\t{URLS[0]}"]
    (folder / "a.csv").write_text("n,u\n1,/private\n2,/y\n")
    found = run("robots", "robots.txt", "--base", "https://example.com", "-f", "a.csv", "--column", "u").lines
    assert found == ["forbidden\thttps://example.com/private", "allowed\thttps://example.com/y"]
    (folder / "a.jsonl").write_text('{"u": "https://h/x"}\n{"u": 1}\n{"v"\n')
    ended = run("robots", "robots.txt", "--json", "-f", "a.jsonl", "--field", "u")
    assert [json.loads(line)["allowed"] for line in ended.lines] == [False, None, None]
    long = "https://h/" + "a" * 200
    ended = run("robots", "robots.txt", "--max-line", "100", "-f", "-", stdin=f"{long}\nhttps://h/x\n")
    assert (ended.lines, ended.err) == (["forbidden\thttps://h/x"], "weburl: 1 of 2 lines is not a URL\n")


@pytest.mark.usefixtures("folder")
def test_the_file() -> None:
    ended = run("robots", "robots.txt")
    assert ended.lines == [
        "Robots for *: 2 rules",
        "Crawl-delay: 2",
        "Sitemap: https://example.com/s",
        "robots.txt:3: misspelt: the key is misspelt; the line is read as if it were right: Disalow: /x",
    ]
    assert ended.status == 1
    said = json.loads(run("robots", "robots.txt", "--agent", "ExampleBot", "--json").out)
    assert said["content_signals"] == {"search": "yes"}
    assert said["crawl_delay"] is None
    assert said["warnings"][0]["line"] == 3
    assert run("robots", "-", stdin="User-agent: *\nDisallow: /").status == 0


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["robots.txt", "--agent", "a/b"],
        ["robots.txt", "--only", "allowed"],
        ["robots.txt", "--explain"],
        ["robots.txt", "--base", "http://h"],
        ["robots.txt", "--explain", "--json", "-f", "urls.txt"],
        ["-", "-f", "-"],
        ["robots.txt", "--compat", "bing"],
        ["robots.txt", "--base", "x", "-f", "urls.txt"],
    ],
)
@pytest.mark.usefixtures("folder")
def test_wrong_options(arguments: list[str]) -> None:
    assert run("robots", *arguments).status == 2


@pytest.mark.usefixtures("folder")
def test_an_agent_with_a_version() -> None:
    said = run("robots", "robots.txt", "--agent", "X/2.1").err
    assert "--agent: agent must be a product token of letters, digits, - and _, not 'X/2.1': write \"X\"\n" in said


@pytest.mark.usefixtures("folder")
def test_a_file_that_is_missing() -> None:
    ended = run("robots", "nothing", "-f", "urls.txt")
    assert (ended.status, ended.err) == (3, "weburl: nothing: no such file or directory\n")
    assert run("robots", "robots.txt", "-f", "nothing").status == 3
