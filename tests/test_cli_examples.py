"""The examples of the commands' help and of their pages, run as they stand."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

import weburl
from weburl.cli import COMMANDS
from weburl.cli.view import make_parser

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "docs" / name for name in ("command-check.md", "viewer.md")]
# It serves until it is ended, as test_cli_view.py does; here it is only seen that it takes such arguments.
SERVES = "weburl view"

pytestmark = pytest.mark.skipif(os.name != "posix", reason="the examples are for a shell of POSIX")


@pytest.fixture
def shell(tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A folder with the files that the examples name, and an environment with the command."""
    files = {
        "urls.txt": "https://example.com/\n\nhttps://user@ex ample.com/\nhttp:example.com\\a|b\n",
        "links.txt": "https://www.example.co.uk/?id=1&utm_source=x\nhttps://www.example.co.uk/?id=2\n"
        "http://EXAMPLE.com/\nhttp://a b/\n",
        "links.csv": "href\n/a\n",
        "logs.csv": "url,n\nhttp://h/,1\n",
        "docs/page.md": "See <https://example.com/> and (https://example.org/a b).\n",
    }
    for name, text in files.items():
        path = tmp_path / "work" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    command = tmp_path / "bin" / "weburl"
    command.parent.mkdir()
    command.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m weburl "$@"\n')
    command.chmod(0o755)
    environment = os.environ | {
        "HOME": str(tmp_path / "work"),
        "PATH": f"{command.parent}{os.pathsep}{os.environ['PATH']}",
        "PYTHONPATH": str(Path(weburl.__file__).parent.parent),
        # As in a terminal that is not asked for it.
        "PYTHONUNBUFFERED": "",
    }
    return tmp_path / "work", environment


def run(command: str, shell: tuple[Path, dict[str, str]]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-c", command], cwd=shell[0], env=shell[1], text=True, timeout=60,
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
    )  # fmt: skip


def of_help() -> list[str]:
    texts = [import_module(f"weburl.cli.{name}").EXAMPLES for name in COMMANDS]
    found = [line.strip() for text in texts for line in text.splitlines() if re.match(r"  .*\bweburl ", line)]
    assert len(found) > 15
    return found


@pytest.mark.parametrize("command", of_help())
def test_help(command: str, shell: tuple[Path, dict[str, str]]) -> None:
    if command.startswith(SERVES):
        make_parser().parse_args(shlex.split(command)[2:])
        return
    if "weburl bench" in command:
        command += " --rounds 1"
    for folder in (".local/share/bash-completion/completions", ".config/fish/completions"):
        (shell[0] / folder).mkdir(parents=True)
    if "fpath" in command:
        command = f"fpath=([1]={shlex.quote(str(shell[0]))}); {command}"
    done = run(command, shell)
    if "--plot" in command and done.returncode == 3:
        # That is right where it is not installed.
        assert done.stdout == "weburl: --plot needs matplotlib: pip install weburl[plot]\n"
    else:
        assert done.returncode in (0, 1)
        assert re.search("^weburl: |Traceback|No module", done.stdout, re.MULTILINE) is None


def of_pages() -> list[tuple[str, str, str]]:
    """The page, a command, and what it prints."""
    found = []
    for page in PAGES:
        for block in re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL):
            for example in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
                command, _, out = example.partition("\n")
                found.append((page.name, command, out))
    assert len(found) > 10
    return found


@pytest.mark.parametrize(("page", "command", "out"), of_pages(), ids=lambda text: ascii(text)[:40])
def test_pages(page: str, command: str, out: str, shell: tuple[Path, dict[str, str]]) -> None:
    if command.startswith(SERVES):
        make_parser().parse_args(shlex.split(command)[2:])
        return
    if " > " in command:
        (shell[0] / ".local/share/bash-completion/completions").mkdir(parents=True)
    done = run(f"{command} --rounds 1" if "weburl bench" in command else command, shell)
    assert done.returncode in (0, 1)
    if "weburl bench" in command:
        assert done.stdout.startswith("3 URLs, ")
    else:
        assert done.stdout == out
