"""weburl diff --from, without w3lib; tests/engines has it with the real one."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from weburl.cli import main
from weburl.cli.commands._moves import CLASSES, Entries, class_of


@pytest.fixture
def w3lib(monkeypatch: pytest.MonkeyPatch) -> None:
    """A w3lib whose results are easy to tell: a canonical form has no query."""

    def safe_url_string(url: str) -> str:
        if "!" in url:
            raise ValueError("a !")
        return url.replace("[", "%5B")

    def canonicalize_url(url: str) -> str:
        return safe_url_string(url).partition("?")[0].partition("#")[0]

    package, module = ModuleType("w3lib"), ModuleType("w3lib.url")
    vars(package)["url"] = module
    vars(module).update(safe_url_string=safe_url_string, canonicalize_url=canonicalize_url)
    monkeypatch.setitem(sys.modules, "w3lib", package)
    monkeypatch.setitem(sys.modules, "w3lib.url", module)
    monkeypatch.setattr("weburl.cli.commands._moves.version", lambda name: "0.0")


@pytest.mark.parametrize(
    ("old", "new", "name"),
    [
        (None, None, None),
        ("http://h/", "http://h/", None),
        ("http://h/#a", "http://h/#b", None),
        ("http://h/", None, "refused"),
        (None, "http://h/", "accepted"),
        ("http://h/", "https://h/", "scheme"),
        ("http://fass.de/", "http://xn--fa-hia.de/", "host"),
        ("http://h/", "http://u@h/", "host"),
        ("http://h:1/", "http://h:2/", "host"),
        ("http://h h/", "http://h%20h/", "host"),
        ("http://127.1/", "http://127.0.0.1/", "spelling"),
        ("http://H:80/", "http://h/", "spelling"),
        ("http://h/a/../b", "http://h/b", "dots"),
        ("http://h/a/%2e%2E", "http://h/", "dots"),
        ("http://h/..", "http://h/%2E%2E/a", "path"),
        ("http://h/a?b", "http://h/b?b", "path"),
        ("http://h/?a&b", "http://h/?b&a", "order"),
        ("http://h/?a&b", "http://h/?a", "parameters"),
        ("http://h/?a=", "http://h/?a", "parameters"),
        ("http://h", "http://h/", "empty"),
        ("http://h/?", "http://h/", "empty"),
        ("http://h/%5B?%7B", "http://h/[?{", "escapes"),
        ("mailto:%41", "mailto:A", "escapes"),
    ],
)
def test_classes(old: str | None, new: str | None, name: str | None) -> None:
    assert class_of(old, new) == name
    assert name is None or name in CLASSES


@pytest.mark.usefixtures("w3lib")
def test_what_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_text(
        "http://h/?a\nhttp://h/?b\nhttp://h/?b\n\nhttp://h/index.html\nhttp://h/x!\nhttp://h:x/\nhttp://h:x!/\n"
        "http://u:pw@h/[?token=abcd\n"
    )
    assert main(["diff", "--from", "scrapy", "--json", "-f", str(path)]) == 1
    out = capsys.readouterr().out
    assert "pw" not in out
    assert "abcd" not in out
    found: dict[str, Any] = json.loads(out)
    # Four old keys: /, /index.html, :x and [. The first one has two new ones, and the third one none.
    assert {name: value for name, value in found.items() if isinstance(value, int)} == {
        "urls": 8, "not_urls": 1, "old_keys": 4, "new_keys": 4, "invalid": 4, "invalid_with_old_fingerprinter": 3,
        "together": 0, "apart": 1,
    }  # fmt: skip
    assert {name: value["count"] for name, value in found["requests"].items()} == {
        "refused": 1, "accepted": 1, "escapes": 1,
    }  # fmt: skip
    assert {name: value["count"] for name, value in found["keys"].items()} == {
        "refused": 1, "accepted": 1, "path": 1, "parameters": 4,
    }  # fmt: skip
    assert len(found["keys"]["parameters"]["examples"]) == 2
    assert main(["diff", "--from", "scrapy", "--policy", "whatwg", "--examples", "1", "-f", str(path)]) == 1
    out = capsys.readouterr().out
    assert "8 URLs, from w3lib 0.0 to weburl.ext.scrapy.AddOn\n" in out
    assert out.count("    - ") == 3 + 3


@pytest.mark.usefixtures("w3lib")
def test_nothing_changes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "urls.txt"
    path.write_text("http://h/\nhttp://h/a\n")
    assert main(["diff", "--from", "w3lib", "-f", str(path)]) == 0
    assert "Entries of a cache or a job: 2. Of these, 0 become invalid\n" in capsys.readouterr().out
    # U+00A0 is not blank: elsewhere it is a URL, with a base.
    path.write_text("http://h/\n\n \t\n\u00a0\n", "utf-8")
    assert main(["diff", "--from", "w3lib", "--json", "-f", str(path)]) == 1
    assert json.loads(capsys.readouterr().out)["urls"] == 2


def test_without_w3lib(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "w3lib", None)
    monkeypatch.setitem(sys.modules, "w3lib.url", None)
    path = tmp_path / "urls.txt"
    path.write_text("http://h/\n")
    assert main(["diff", "--from", "w3lib", "-f", str(path)]) == 3
    assert capsys.readouterr().err == "weburl: --from needs w3lib, whose results it compares: pip install w3lib\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["http://h/"], "the following arguments are required: A and B"),
        (["a", "b", "--json"], "--json goes with --from only"),
        (["a", "b", "--examples", "3"], "--examples goes with --from only"),
        (["a", "b", "--policy", "crawl"], "--policy goes with --from only"),
        (["a", "b", "-f", "x"], "-f goes with --from only"),
        (["--from", "w3lib"], "--from reads URLs from files only"),
        (["--from", "w3lib", "a", "-f", "x"], "--from reads URLs from files only"),
        (["--from", "w3lib", "--base", "http://h", "-f", "x"], "--from does not go with --base"),
        (["--from", "w3lib", "--policy", "crawl", "-f", "x"], "--policy goes with --from scrapy only"),
        (["--from", "scrapy", "--policy", "x", "-f", "x"], "weburl: --policy must be whatwg, crawl or surt"),
        (
            ["--from", "scrapy", "--policy", "CrawlPolicy(x=1)", "-f", "x"],
            "weburl: --policy: CrawlPolicy has no setting",
        ),
        (["--from", "surt", "-f", "x"], "--from"),
    ],
)
def test_options(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", *arguments]) == 2
    assert message in capsys.readouterr().err


def test_many_entries() -> None:
    """Texts that are there twice count once, also in other batches, and if they do not fit into the memory."""
    entries = Entries(1 << 20)
    try:
        for i in range(100_000):
            entries.add(str(i % 70_000), "x")
        entries.add("0", "y")
        assert len(entries) == 70_001
    finally:
        entries.close()
