"""Writes the table of URL pattern libraries in docs/libraries.md: how many cases of the Web Platform Tests each passes.

    python tools/pattern_libraries.py            # writes the page
    python tools/pattern_libraries.py --check    # writes nothing; exit status 1 if the page is out of date

It needs tests/ in PYTHONPATH and the tests' data. Each library is installed into an environment of its own, as two of
them have the same module. PATTERN_PYTHON is the interpreter of those that need Python 3.12 (by default python3.12).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "libraries.md"
BEGIN, END = "<!-- pattern libraries -->\n", "<!-- /pattern libraries -->\n"
# The distribution, the module, what the library is, and whether it needs a newer Python than weburl.
LIBRARIES = (
    ("weburl", "weburl", "C, own automata", False),
    ("upa-url==2.1.0", "upa_url", "C++, its regular expressions", False),
    ("urlpattern==0.3.1", "urlpattern", "Rust, its regular expressions", False),
    ("urlpattern-py==0.2.0", "urlpattern", "Python, its regular expressions", False),
    ("yarlpattern[regex]==0.2.0", "yarlpattern", "Python, regular expressions of the package regex", True),
)
COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")


def construct(make: Any, arguments: Sequence[Any]) -> Any:
    if make.__module__.startswith("weburl") and arguments:
        from support.patterns import make_pattern

        return make_pattern(arguments)
    return make(*arguments)


def took_part(groups: Mapping[str, str | None]) -> dict[str, str]:
    return {name: value for name, value in groups.items() if value is not None}


def part(match: Any, name: str) -> tuple[str, dict[str, str]]:
    """The input and groups of a component. A group that took no part is None, or missing: in JavaScript undefined."""
    found = match[name] if isinstance(match, Mapping) else getattr(match, name)
    if isinstance(found, Mapping):
        return found["input"], took_part(found["groups"])
    return found.input, took_part(found.groups)


def passes(make: Any, case: Mapping[str, Any]) -> bool:
    """As WPT's urlpattern.any.js asks: the constructor, `test` and `exec`."""
    try:
        pattern = construct(make, case["pattern"])
    except Exception:
        return bool(case.get("expected_obj") == "error")
    if case.get("expected_obj") == "error":
        return False
    if "inputs" not in case and "expected_match" not in case:
        return True
    inputs, expected = case.get("inputs", []), case.get("expected_match")
    try:
        tested, match = pattern.test(*inputs), pattern.exec(*inputs)
    except Exception:
        return bool(expected == "error")
    if expected in (None, "error"):
        return expected is None and not tested and match is None
    if not tested or match is None:
        return False
    for name in COMPONENTS:
        empty = {} if name in case.get("exactly_empty_components", ()) else {"0": ""}
        wanted = expected.get(name, {"input": "", "groups": empty})
        if part(match, name) != (wanted["input"], took_part(wanted["groups"])):
            return False
    return True


def ask(module: str) -> None:
    """In the library's own process: cases on stdin, how many pass on stdout."""
    make = import_module(module).URLPattern
    print(sum(passes(make, case) for case in json.load(sys.stdin)))


def interpreter(requirement: str, is_newer: bool) -> str | None:
    """Of the environment that has the library; None if there is no Python for it."""
    python = os.environ.get("PATTERN_PYTHON", "python3.12") if is_newer else sys.executable
    if requirement == "weburl" or shutil.which(python) is None:
        return sys.executable if requirement == "weburl" else None
    folder = ROOT / "build" / "patterns" / requirement.partition("==")[0]
    if not (folder / requirement).exists():
        shutil.rmtree(folder, ignore_errors=True)
        subprocess.run([python, "-m", "venv", str(folder)], check=True)
        subprocess.run([str(folder / "bin" / "pip"), "install", "-q", requirement], check=True)
        (folder / requirement).touch()
    return str(folder / "bin" / "python")


def table() -> str:
    from support.wpt_cases import DATA, read_cases

    assert DATA is not None
    cases = read_cases(DATA["urlpatterntestdata.json"])
    lines = ["| library | version | what it is | WPT |", "|---|---|---|---:|"]
    for requirement, module, what, is_newer in LIBRARIES:
        python = interpreter(requirement, is_newer)
        name, _, number = requirement.replace("[regex]", "").partition("==")
        if python is None:
            raise SystemExit(f"{name} is not asked: it needs Python 3.12. Set PATTERN_PYTHON.")
        command = [python, str(Path(__file__)), "--ask", module]
        done = subprocess.run(command, input=json.dumps(cases), stdout=subprocess.PIPE, text=True, check=True)
        passed = int(done.stdout)
        share = f"{100 * passed // len(cases)}% ({passed} of {len(cases)})"
        lines.append(f"| {name} | {number or version(name)} | {what} | {share} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> int:
    if arguments[:1] == ["--ask"]:
        ask(arguments[1])
        return 0
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    made = f"{before}{BEGIN}{table()}{END}{re.split(END, rest)[1]}"
    if arguments == ["--check"]:
        return int(made != text)
    PAGE.write_text(made, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
