"""The command where there is no memory left, not for one more object."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

# A reader that takes all memory, to the last object of each size, and fails with all of it in its hands.
TAKES_ALL = """
import sys
from weburl.cli import main
from weburl.cli.readers import open_files

def read_blocks(*arguments):
    held = [None] * 10_000_000
    count = 0
    for size in (1 << 20, 1 << 16, 1 << 12, 600, {smallest}):
        try:
            while True:
                held[count] = bytes(size)
                count += 1
        except MemoryError:
            pass
    yield held[count:count] + [bytes(1 << 20)]

open_files.read_blocks = read_blocks
sys.exit(main())
"""


@pytest.mark.sample(12)
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the memory of a process by what it uses")
@pytest.mark.parametrize("smallest", [1, 40, 100, 200, 300, 400, 500, 590])
@pytest.mark.parametrize("command", [["-f"], ["check"], ["stats"], ["dedup", "-f"]])
def test_no_memory_for_one_object(command: list[str], smallest: int, tmp_path: Path) -> None:
    """It ends with a sentence, though what took the memory lives as long as the exception that says so."""
    (tmp_path / "urls").write_text("http://a/\n")
    code = TAKES_ALL.format(smallest=smallest)
    done = subprocess.run(
        [sys.executable, "-c", code, *command, "urls"], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 3, done
    assert (
        done.stderr
        == "weburl: urls: it needs more than 128 MiB of memory: give it more with --memory, as --memory 1G\n"
    )
