"""What the command says and removes if a library ends the process."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits memory so")

PROGRAM = """
import os, sys
from weburl.cli import _last_words, _memory
from weburl.cli.writers.output_file import open_output

def end():
    assert len(os.listdir(".")) == int(sys.argv[3])
    os.abort()

name, when = sys.argv[1:3]
_memory.run_alone()
_last_words.listen() if when != "deaf" else None
with open_output("out") as out, open_output("other") as other:
    out.write(b"half")
    with _memory.limited_memory(name, 1 << 27, 1):
        if when == "late":
            _last_words.listen()
        with _memory.limited_memory("inner", 1 << 20, 1):
            end() if when == "inner" else None
        end() if when in ("in", "late", "deaf") else None
    end() if when == "after" else None
end()
"""


def ended(folder: Path, name: str, when: str, files: int = 2) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", PROGRAM, name, when, str(files)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a.parquet", "a.parquet"),
        ("http://u:hunter2@h/a\x1b[0m", "http://***@h/a\\x1b[0m"),
        ("é" * 3000, "é" * 3000),
        ("x" * 100_000, "x" * 8000),
    ],
)
@pytest.mark.parametrize("when", ["in", "late"])
def test_the_message(name: str, shown: str, when: str, tmp_path: Path) -> None:
    done = ended(tmp_path, name, when)
    assert done.returncode == 3
    assert done.stderr.startswith(f"weburl: {shown}")
    if len(name) < 8000:
        assert done.stderr.endswith("needs more than 128 MiB of memory: give it more with --memory, as --memory 1G\n")
    assert os.listdir(tmp_path) == []


def test_the_innermost_file_is_named(tmp_path: Path) -> None:
    assert ended(tmp_path, "outer", "inner").stderr.startswith("weburl: inner: pyarrow cannot go on")


def test_no_other_abort_is_touched(tmp_path: Path) -> None:
    """Outside, or before pyarrow is there, a crash is a crash."""
    for number, (when, files) in enumerate([("deaf", 2), ("after", 2), ("end", 2)]):
        folder = tmp_path / str(number)
        folder.mkdir()
        done = ended(folder, "a", when, files)
        assert done.returncode == -signal.SIGABRT
        assert "weburl" not in done.stderr
