"""Runs the examples of the commands' help and pages, as they are written."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

import pytest
from support.missing import noticing

import weburl
from weburl.cli import main
from weburl.cli.commands import COMMANDS
from weburl.cli.commands.view import make_parser

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "docs" / name for name in ("command-check.md", "command-stats.md", "viewer.md")]
FILES = {
    "urls.txt": "https://example.com/\n\nhttps://user@ex ample.com/\nhttp:example.com\\a|b\n",
    "links.txt": "https://www.example.co.uk/users/17?id=1&utm_source=x\nhttps://www.example.co.uk/users/18?id=2\n"
    "http://EXAMPLE.com/\nhttp://a b/\n",
    "links.csv": "href\n/a\n",
    "a.txt": "http://h/\n",
    "logs.csv": "url,n\nhttp://h/,1\n",
    "today.txt": "http://h/a\nhttp://example.com\n",
    "seen.txt": "http://example.com\n",
    "owners.csv": "site,owner,domain\nhttp://h/,ann,http://h/\n",
    "page.html": "<a href='b'>b</a><img src=c.png>",
    "sitemap.xml": "<urlset><url><loc>https://example.com/</loc></url></urlset>",
    "crawl.warc.gz": "WARC/1.0\nWARC-Type: response\nWARC-Target-URI: https://example.com/\nContent-Length: 48\n\n"
    "HTTP/1.0 200\nContent-Type: text/html\n\n<a href=b>",
    "pages/1.html": "<a href='b'>b</a>",
    "shop.routes": "page\thttp://h/a\n",
    "access.log": '1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET /a HTTP/1.1" 200 1 "-" "-"\n',
    "shop.log": '203.0.113.7 - - [22/Nov/2026:10:00:05 +0000] "GET /users/17 HTTP/1.1" 200 2153\n'
    '203.0.113.7 - - [22/Nov/2026:10:00:06 +0000] "GET /users/18 HTTP/1.1" 503 153\n'
    '203.0.113.7 - - [22/Nov/2026:10:59:59 +0000] "GET /cart HTTP/1.1" 200 990\n'
    '203.0.113.9 - - [22/Nov/2026:11:00:00 +0000] "GET /users/19 HTTP/1.1" 200 1821\n'
    '203.0.113.9 - - [22/Nov/2026:11:00:03 +0000] "GET /search?q=tea HTTP/1.1" 404 0\n',
    "spans.jsonl": '{"attributes": {"url.full": "https://example.com/?token=q8Zx"}}\n',
    "app.log": "12:34:56 GET https://example.com/a, then www.example.org.\n",
    "logs/a.log": "GET /?token=q8Zx HTTP/1.1\n",
    "requests.txt": "http://h/a/../b\n",
    "pages.txt": "http://h/a\nhttps://example.com/\n",
    "robots.txt": "User-agent: *\nDisallow: /a\n",
    "docs/page.md": "See <https://example.com/> and (https://example.org/a b).\n",
}

Run = Callable[[str], tuple[int, str]]

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the examples are for a shell of POSIX")


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> Run:
    """A function that runs a command in a folder with the files of the examples, and gives its status and output."""
    work = tmp_path / "work"
    for name, text in FILES.items():
        (work / name).parent.mkdir(parents=True, exist_ok=True)
        (work / name).write_text(text)
    for folder in (".local/share/bash-completion/completions", ".config/fish/completions"):
        (work / folder).mkdir(parents=True)
    command = tmp_path / "bin" / "weburl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m weburl "$@"\n')
    command.chmod(0o755)
    monkeypatch.chdir(work)
    monkeypatch.setenv("HOME", str(work))
    monkeypatch.setenv("PATH", f"{command.parent}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setenv("PYTHONPATH", str(Path(weburl.__file__).parent.parent))
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)

    def run(line: str) -> tuple[int, str]:
        # Not from the network.
        line = re.sub("^curl -sL [^ ]+", "cat page.html", line)
        words = shlex.split(line)
        if words[:2] == ["weburl", "view"]:
            # It serves until it is stopped, see test_cli_view.py. Here only its arguments are parsed.
            make_parser().parse_args(words[2:])
            return 0, ""
        if words[0] == "weburl" and not set("|>*") & set(line):
            with noticing():
                status = main(shlex.split(line)[1:])
            out, err = capfd.readouterr()
            return status, out + err
        # Only zsh sets this variable.
        line = f"fpath=([1]={shlex.quote(str(work))}); {line}"
        done = subprocess.run(
            ["bash", "-c", line], text=True, timeout=60, stdin=subprocess.DEVNULL, capture_output=True
        )
        return done.returncode, done.stdout + done.stderr

    return run


def of_help() -> list[str]:
    texts = [import_module(f"weburl.cli.commands.{name}").EXAMPLES for name in COMMANDS]
    found = [line.strip() for text in texts for line in text.splitlines() if re.match(r"  .*\bweburl ", line)]
    assert len(found) > 15
    return found


@pytest.mark.parametrize("command", of_help())
def test_help(command: str, run: Run) -> None:
    status, out = run(command)
    if "--plot" in command and status == 3:
        # This is right if it is not installed.
        assert out == "weburl: --plot needs matplotlib: pip install weburl[plot]\n"
    elif "--from" in command and status == 3:
        assert out == "weburl: --from needs w3lib, whose results it compares: pip install w3lib\n"
    else:
        assert status in (0, 1)
        # The log of the examples is older than a day.
        said = out.replace(
            "weburl: no record is left: --since 1d counts back from now, not from the end of the log\n", ""
        )
        assert re.search("^weburl: |Traceback|No module", said, re.MULTILINE) is None


def of_pages() -> list[tuple[str, str, str]]:
    """Each command of the pages, with its page and what it prints."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, out = example.partition("\n")
                found.append((page.name, command, out))
    assert len(found) > 10
    return found


@pytest.mark.parametrize(("page", "command", "out"), of_pages(), ids=lambda text: ascii(text)[:40])
def test_pages(page: str, command: str, out: str, run: Run) -> None:
    status, printed = run(command)
    assert status in (0, 1)
    if "weburl view" not in command:
        assert printed == out
