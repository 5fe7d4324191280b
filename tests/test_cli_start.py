"""What the command imports for a short call: each module makes it later by a part of a millisecond."""

from __future__ import annotations

import subprocess
import sys

import pytest
import start

# Modules of Python that take long to import, and that a URL on the command line does not need.
SLOW = """
    argparse dataclasses email enum gettext importlib.metadata inspect json locale pathlib re shutil signal tempfile
    threading typing zlib
""".split()
# With room for a few more. What a reader, another writer or an edit needs is not among them.
MOST = {
    ("--version",): 47,
    ("http://h/",): 88,
    ("-g", "{hostname} {query:id}", "http://h/"): 88,
    ("--json", "http://h/"): 101,
}


def imported(*arguments: str) -> set[str]:
    program = (
        f"import os, sys; before = {{*sys.modules}}; sys.path += {sys.path!r}\n"
        f"from weburl.cli import main; assert main({list(arguments)!r}) == 0; print(*{{*sys.modules}} - before)"
    )
    done = subprocess.run([sys.executable, "-I", "-S", "-c", program], capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines()[-1].split())


@pytest.mark.parametrize("arguments", MOST, ids=" ".join)
def test_few_modules(arguments: tuple[str, ...]) -> None:
    found = imported(*arguments)
    assert {"weburl.url", "weburl.cli"} <= found
    assert len(found) <= MOST[arguments], sorted(found)
    # json is for the names in the rows of --json.
    allowed = {"json", "re", "enum"} if arguments[0] == "--json" else set()
    assert found & {*SLOW} <= allowed


def test_what_is_not_asked_for_is_not_imported() -> None:
    found = imported("-g", "{hostname}", "http://h/")
    rooms = ("_crawl", "_hosts", "_literal", "_patterns", "_redact", "_diagnosis", "_unicode", "cli.readers.records")
    assert [name for name in found if name.startswith(tuple(f"weburl.{room}" for room in rooms))] == []


@pytest.mark.timed
@pytest.mark.parametrize("name", [name for name, (_, goal) in start.STARTS.items() if goal is not None])
def test_starts_are_fast(name: str) -> None:
    timings = start.times([start.EMPTY, name], sys.executable, 40)
    goal = start.STARTS[name][1]
    assert goal is not None
    assert timings[name].best - timings[start.EMPTY].best <= goal
