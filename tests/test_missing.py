"""A test is skipped for what a machine does not have only if its exception says so: support/missing.py."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from source_tree import ROOT

CONFTEST = """
from support import missing
missing.HERE = missing.OF_WEBASSEMBLY + missing.OF_SELECTOLAX
from support.missing import pytest_runtest_makereport
"""
TESTS = """
import doctest, logging, pathlib, sys
import pytest
from support import command, missing, pages

TEXT = "this needs selectolax: pip install weburl[html]"

@pytest.fixture(autouse=True)
def forgotten():
    missing.told.clear()

def test_skipped_error():
    raise ImportError(TEXT)

def test_skipped_cause():
    try:
        raise OSError(138, "emscripten does not support processes.")
    except OSError as error:
        raise AssertionError("a program fails") from error

def test_skipped_while_handled():
    with pytest.raises(ValueError, match="^other$"):
        raise ValueError("threads must be 1 here, not 2: this Python, which is WebAssembly, starts no threads")

def test_skipped_of_the_command(monkeypatch):
    def main(arguments):
        raise ImportError(TEXT)
    monkeypatch.setattr("weburl.cli.commands.robots.main", main)
    assert command.run("robots", "x").status == 0

def test_skipped_example(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("```python\\n>>> raise RuntimeError(\\"can't start new thread\\")\\n```\\n")
    pages.run_examples(page)

@pytest.fixture
def broken():
    raise ModuleNotFoundError("No module named 'resource'")

def test_skipped_fixture(broken):
    pass

def test_failed_output():
    print(TEXT, file=sys.stderr)
    print(TEXT)
    logging.warning(TEXT)
    assert 1 == 2, TEXT

def test_failed_message():
    raise ValueError(TEXT)

def test_failed_other_message():
    raise ImportError("cannot import name x; " + TEXT)

def test_failed_traceback():
    def f():
        assert not [TEXT]  # can't start new thread
    f()

def test_failed_of_the_command():
    assert command.run("--no-such-option", TEXT).status == 0

def test_failed_example(tmp_path):
    page = tmp_path / "page.md"
    page.write_text(f"```python\\n>>> 1 + 1  # {TEXT}\\n3\\n```\\n")
    pages.run_examples(page)

def test_passed():
    print(TEXT)
"""


def test_what_is_skipped(tmp_path: Path) -> None:
    (tmp_path / "conftest.py").write_text(CONFTEST)
    (tmp_path / "test_a.py").write_text(TESTS)
    (tmp_path / "pytest.ini").write_text(f"[pytest]\npythonpath = {ROOT / 'tests'}\n")
    options = ["-p", "no:cacheprovider", "-p", "no:xdist", "-v", "--tb=no", f"--basetemp={tmp_path / 'inner'}"]
    command = [sys.executable, "-m", "pytest", *options, str(tmp_path)]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False)
    outcomes = re.findall(r"::test_([a-z]+)\w* ([A-Z]+)", done.stdout)
    assert len(outcomes) == 13, done.stdout
    wanted = {"skipped": {"SKIPPED"}, "passed": {"PASSED"}, "failed": {"FAILED"}}
    assert {name: {outcome for own, outcome in outcomes if own == name} for name in wanted} == wanted, done.stdout
