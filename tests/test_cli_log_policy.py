"""The policies that the command takes for what it hides: by name, as a text, and from a file."""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Callable
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple
from unittest.mock import patch

import pytest

from weburl.cli import main
from weburl.crawl import trap_key
from weburl.redact import LogPolicy, path_template, redact
from weburl.text import redact_text

TEXT = """
name = "shop"
hide = ["plate"]
keep = ["token"]
paths = ["/reset/{secret}"]
replacement = {key_env = "WEBURL_TEST_KEY"}
[[rules]]
hosts = ["pay.example.com"]
hide = ["token"]
"""
URLS = [
    "https://a.com/reset/q8Zx?token=1&plate=2", "https://x.pay.example.com/?token=1", "https://u:p@a.com/5/x?code=1",
    "https://1.2.3.4/reset/1", "mailto:a@b.com",
]  # fmt: skip


class Ended(NamedTuple):
    status: int
    out: str
    err: str


def run(*arguments: str, stdin: str = "") -> Ended:
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    given = io.TextIOWrapper(io.BytesIO(stdin.encode()))
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", given):
        status = main([*arguments])
    assert isinstance(out.buffer, io.BytesIO)
    return Ended(status, out.buffer.getvalue().decode(), err.getvalue())


@pytest.fixture
def policy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> LogPolicy:
    monkeypatch.setenv("WEBURL_TEST_KEY", "0123456789abcdef")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sub").mkdir()
    for name in ("shop.toml", "sub/policy"):
        (tmp_path / name).write_text(TEXT)
    return LogPolicy.from_toml(TEXT)


def test_fields_under_a_policy(policy: LogPolicy) -> None:
    expected = "".join(f"{redact(url, policy)} {path_template(url, policy)} {url}\n" for url in URLS)
    for given in ("shop.toml", "./shop.toml", "sub/policy", repr(policy)):
        done = run("-g", "{redacted} {template} {href}", "--log-policy", given, stdin="\n".join(URLS))
        assert done == (0, expected, "")
    for given in ("logs", "logs/1", "logs-strict", "otel/1"):
        done = run("-g", "{redacted}", "--log-policy", given, stdin="\n".join(URLS))
        assert done.out == "".join(f"{redact(url, given)}\n" for url in URLS)


def test_fields_of_whole_urls_under_a_policy(policy: LogPolicy) -> None:
    """Also those that take no policy."""
    fields: dict[str, Callable[[str], str | None]] = {
        "trap_key": trap_key,
        "redacted": lambda url: redact(url, policy),
    }
    for name in (*fields, "template"):
        ended = run("--log-policy", "shop.toml", "-g", f"{{{name}}}\t{{redacted}}", *URLS)
        assert (ended.status, ended.err) == (0, "")
        for url, line in zip(URLS, ended.out.splitlines(), strict=True):
            value, hidden = line.split("\t")
            assert hidden == redact(url, policy)
            assert name not in fields or value == fields[name](url)


def test_texts_under_a_policy(policy: LogPolicy) -> None:
    text = " ".join(URLS) + '\n"GET /reset/q8Zx HTTP/1.1" token=1\n'
    for given in ("shop.toml", "sub/policy", repr(policy)):
        assert run("redact", "--log-policy", given, stdin=text).out == redact_text(text, policy)


def test_what_fails_has_no_secrets_of_the_policy(policy: LogPolicy, tmp_path: Path) -> None:
    wrong = "https://a b/reset/q8Zx?plate=2"
    shown = redact(wrong, policy)
    assert "REDACTED-" in shown
    assert "q8Zx" not in shown
    done = run("-g", "{redacted}", "--log-policy", "shop.toml", wrong)
    assert done.status == 1
    assert "q8Zx" not in done.err
    assert "plate=REDACTED-" in done.err
    run("-g", "{redacted}", "--log-policy", "shop.toml", "--invalid", "file=rejects", stdin=f"{wrong}\n")
    assert json.loads((tmp_path / "rejects").read_text())["input"] == shown
    log = '1.2.3.4 - - [22/Nov/2026:10:00:00 +0000] "GET /reset/q8Zx HTTP/1.1" 200 1 "https://b.com/?plate=q8Zx" "x"\n'
    (tmp_path / "log").write_text(log)
    options = ("--log", "combined", "--base", "https://a.com", "-f", "log", "--json", "--keep")
    record = json.loads(run(*options, "-g", "{redacted}", "--log-policy", "shop.toml").out)
    assert record["redacted"] == redact("https://a.com/reset/q8Zx", policy)
    assert record["referrer"] == redact("https://b.com/?plate=q8Zx", policy)


@pytest.mark.parametrize(
    ("given", "status", "message"),
    [
        ("nonsense", 2, "--log-policy: policy must be logs, logs-strict, otel, with /1 or without"),
        ("none.toml", 3, "--log-policy: none.toml: no such file or directory"),
        ("sub/none", 3, "no such file or directory"),
        ("sub.toml/", 3, "no such file or directory"),
        ("sub", 2, "policy must be"),
        ("./sub", 3, "is a directory"),
        ("LogPolicy(kept_names={'A'})", 2, "--log-policy: kept_names: 'A' is not a name"),
        ("wrong.toml", 2, "--log-policy: wrong.toml:3: keep: 'B' is not a name"),
    ],
)
def test_wrong_policies(policy: LogPolicy, tmp_path: Path, given: str, status: int, message: str) -> None:
    (tmp_path / "wrong.toml").write_text("name = 'a'\nkeep = ['a',\n'B']\n")
    done = run("-g", "{redacted}", "--log-policy", given, URLS[0])
    assert (done.status, done.out) == (status, "")
    assert message in done.err
    assert message in run("redact", "--log-policy", given, "-").err


def test_an_option_without_a_field(policy: LogPolicy) -> None:
    done = run("-g", "{href}", "--log-policy", "logs", URLS[0])
    assert (done.status, done.out) == (2, "")
    assert "--log-policy is for {redacted} and {template} in -g" in done.err
