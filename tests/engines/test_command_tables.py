"""The page "Write Parquet, partitions and objects" is true."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import pytest
from support.pages import DOCS
from support.recipes import run_console


def run_examples(page: Path, folder: Path) -> int:
    """Runs the sessions of a page, one after another in one folder, and returns how many there are."""
    sessions = re.findall(r"```console\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    assert run_console("".join(sessions), folder) == "".join(sessions)
    return len(sessions)


@pytest.mark.skipif(os.name != "posix", reason="the examples are for a shell of POSIX")
def test_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # python3 has what this interpreter has.
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    assert run_examples(DOCS / "command-tables.md", tmp_path) == 2
