"""Writes the tables of docs/conformance.md: which Web Platform Tests run, in which module, and their results.

    python tools/conformance_page.py            # writes the page
    python tools/conformance_page.py --check    # writes nothing; exit status 1 if the page is out of date

It runs tests/wpt, which takes some seconds and needs the data: see wpt_data/README.md.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from xml.etree import ElementTree

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"
MANIFEST = json.loads((ROOT / "wpt_data" / "MANIFEST.json").read_text("utf-8"))["files"]
BEGIN, END = "<!-- tables -->\n", "<!-- /tables -->\n"
MODULES = sorted((ROOT / "tests" / "wpt").glob("test_*.py"))

# What a module calls with the cases of a data file.
THROUGH = {
    "test_url_constructor": "constructor, `parse`, `can_parse`, `normalize`, every getter",
    "test_url_origin": "`origin`, for the cases that have one",
    "test_failure": "the cases that fail without a base: as a base, in the `href` setter, against three bases",
    "test_storage_kinds": "the same cases, with `#a` `#é` `#Ω` `#😀` added to the URL and to each base",
    "test_url_setters": "every setter, including `href`",
    "test_toascii": "constructor, `host` and `hostname` setters, `domain_to_ascii`, `parse_host`",
    "test_idna_test_v2": "constructor, `domain_to_ascii`",
    "test_percent_encoding": "`URL(..., encoding=...)`, `percent_encode`, with each encoding of a case",
    "test_urlpattern": "constructor, every getter, `test`, `exec`; with keywords; the patterns of the getters again",
    "test_urlpattern_compare": "`compare`, in both orders and with itself",
    "test_urlpattern_generate": "`generate`",
}

Outcomes = dict[str, Counter[str]]


def run_tests() -> Outcomes:
    """For each test function, how many of its tests passed, failed and were skipped."""
    with tempfile.TemporaryDirectory() as folder:
        report = Path(folder, "report.xml")
        command = [sys.executable, "-m", "pytest", "-qq", "-p", "no:cacheprovider", f"--junitxml={report}", "tests/wpt"]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "WEBURL_REQUIRE_WPT": "1"}, stdout=subprocess.DEVNULL)
        found: Outcomes = {}
        for case in ElementTree.parse(report).iter("testcase"):
            function = f"{case.get('classname', '').rpartition('.')[2]}.{case.get('name', '').partition('[')[0]}"
            ended = "passed" if len(case) == 0 else case[0].tag
            found.setdefault(function, Counter())[ended] += 1
    return found


def files_of(module: Path) -> dict[str, str]:
    """The test functions of a module that read a data file, each with the name of the file."""
    return {
        node.name: ast.literal_eval(decorator.args[0])
        for node in ast.parse(module.read_text("utf-8")).body
        if isinstance(node, ast.FunctionDef)
        for decorator in node.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "each_case"
    }


def scripts_of(module: Path) -> list[str]:
    """The scripts of WPT that a module restates: its docstring names them."""
    docstring = ast.get_docstring(ast.parse(module.read_text("utf-8"))) or ""
    return re.findall(r"\burl(?:pattern)?/([\w.-]+(?:\.any\.js|\.window\.js|\.html))", docstring)


def ended(counts: Iterable[Counter[str]]) -> str:
    total = sum(counts, Counter[str]())
    return ", ".join(f"{count:,} {how}" for how, count in sorted(total.items(), key=lambda item: item[0] != "passed"))


def tables(outcomes: Outcomes) -> str:
    lines = ["### Data files", "", "| file | cases | tests | result | what is called |", "|---|---:|---|---|---|"]
    for file, entry in MANIFEST.items():
        first = f"`{file}` | {entry['cases']:,}"
        for module in MODULES:
            functions = [name for name, data in files_of(module).items() if data == file]
            if functions:
                how = ended(outcomes[f"{module.stem}.{name}"] for name in functions)
                lines.append(f"| {first} | `{module.name}` | {how} | {THROUGH[module.stem]} |")
                first = "|"
    lines += ["", "### Scripts", "", "| file of WPT | tests | result |", "|---|---|---|"]
    for module in MODULES:
        if scripts := scripts_of(module):
            how = ended(counts for name, counts in outcomes.items() if name.startswith(f"{module.stem}."))
            lines.append(f"| {', '.join(f'`{script}`' for script in scripts)} | `{module.name}` | {how} |")
    lines += ["", f"All of `tests/wpt`, including the check of the data files' hashes: {ended(outcomes.values())}."]
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    made = f"{before}{BEGIN}\n{tables(run_tests())}{END}{rest.split(END)[1]}"
    if options.check:
        print(f"{PAGE.name} is {'up to date' if made == text else 'out of date'}")
        return 0 if made == text else 1
    PAGE.write_text(made, "utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
