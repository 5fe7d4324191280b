"""Runs the command's examples: those of README.md, of pages of docs/, and of the command's help."""

from __future__ import annotations

import gzip
import os
import re
import subprocess
import sys
from pathlib import Path
from shlex import quote

import pytest

from weburl.cli.commands.convert import EXAMPLES

DOCS = Path(__file__).resolve().parent.parent / "docs"
PAGES = (
    "command.md", "command-change.md", "command-filter.md", "command-input.md", "command-output.md", "command-files.md",
    "access-logs.md", "archives.md", "redact-command.md", "howto/logs.md", "howto/secrets.md", "from/adaparse.md",
    "from/trurl.md", "../README.md",
)  # fmt: skip
BLOCKS = [
    block
    for page in PAGES
    for block in re.findall(r"```console\n(.*?)```", (DOCS / page).read_text("utf-8"), re.DOTALL)
]


def environment(folder: Path) -> dict[str, str]:
    """An environment where `weburl` is the command of this interpreter."""
    command = folder / "weburl"
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m weburl "$@"\n', "utf-8")
    command.chmod(0o755)
    return os.environ | {"PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}


def run(script: str, folder: Path) -> str:
    done = subprocess.run(
        ["sh"], input=script.encode(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, cwd=folder,
        env=environment(folder), check=False,
    )  # fmt: skip
    return done.stdout.decode()


def transcript(block: str) -> str:
    """A script that prints each command and its output."""
    shown = re.findall(r"^\$ .*\n(?:> .*\n)*", block, re.MULTILINE)
    return "".join(f"printf %s {quote(text)}\n{re.sub('^..', '', text, flags=re.MULTILINE)}" for text in shown)


@pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize("number", range(len(BLOCKS)))
def test_examples(number: int, tmp_path: Path) -> None:
    assert run(transcript(BLOCKS[number]), tmp_path) == BLOCKS[number]


def test_there_are_some() -> None:
    assert sum(block.count("\n$ ") + 1 for block in BLOCKS) > 20


FILES = {
    "urls.txt": b"http://www.example.com/?id=1\nhttps://example.org/\nhttps://www.example.com/books/7\n",
    "routes.txt": b"page\thttps://*/*\n",
    "links.txt.gz": gzip.compress(b"https://example.com/index.html?b&a\n"),
    "blocklist.txt": b"0.0.0.0 www.example.com\n",
    "log.csv": b"time,url\n1,https://www.example.com/\n",
    "log.jsonl": b'{"request": {"url": "https://example.com/"}}\n',
}
# Examples that need pyarrow run in tests/engines.
HELP = [line.strip() for line in EXAMPLES.splitlines() if line.startswith("  ")]


@pytest.mark.skipif(os.name != "posix", reason="the examples are for a POSIX shell")
@pytest.mark.parametrize(
    "example", [example for example in HELP if "parquet" not in example and "explain" not in example]
)
def test_examples_of_the_help(example: str, tmp_path: Path) -> None:
    for name, data in FILES.items():
        (tmp_path / name).write_bytes(data)
    command = re.split(r"\s{3,}", example)[0]
    assert command.startswith("weburl ")
    printed = run(f"set -e\n{command}\necho done\n", tmp_path)
    assert printed.endswith("done\n")
    assert "weburl:" not in printed
    out = tmp_path / "keys.txt"
    assert len(printed) > 10 or out.read_text() == "https://example.com/?a&b\n"
