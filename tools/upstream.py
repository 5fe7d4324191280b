"""Writes the tables of docs/upstream/: what four implementations and weburl do in the cases of each report.

    python tools/upstream.py              # writes all pages
    python tools/upstream.py bun          # writes docs/upstream/bun.md
    python tools/upstream.py --check      # writes nothing; exit status 1 if a page is out of date

It needs tests/ in PYTHONPATH, npm and Chromium. Bun and Node are those of benchmarks/package.json, whatwg-url that of
tests/tiers/oracles/package.json. `bun` and `node` also count the classes of their differences in 60,000 cases.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import islice
from pathlib import Path
from typing import Any, cast

from tiers.differential import BUILD, WEBURL, install
from tiers.oracles.cases import cases
from tiers.oracles.chromium import FLAGS
from tiers.oracles.lags import Difference
from tiers.oracles.observe import Case as OfParser
from tiers.oracles.observe import observed
from upstream_cases import CASES, CLASSES, Case

from weburl import URL, InvalidURL, validate
from weburl.patterns import PatternError, URLPattern

ROOT = Path(__file__).resolve().parent.parent
PAGES = ROOT / "docs" / "upstream"
SCRIPT = Path(__file__).with_suffix(".js")
OBSERVE = ROOT / "tests" / "tiers" / "oracles" / "observe.js"
JAVASCRIPT = ROOT / "build" / "javascript"
BEGIN, END = "<!-- table -->\n", "<!-- /table -->\n"
SEEDS, CASES_OF_SEED = 60, 1000
IN_PROGRAM = """
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
const [folder] = process.argv.slice(2);
const require = folder && createRequire(`${folder}/`);
const url = folder ? require("whatwg-url").URL : URL;
const pattern = folder ? require("urlpattern-polyfill").URLPattern : globalThis.URLPattern;
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify([process.versions, cases.map((one) => answer(url, pattern, one))]));
"""
IN_PAGE = "document.body.textContent = JSON.stringify(CASES.map((one) => answer(URL, globalThis.URLPattern, one)));"
LINES = """
import { readFileSync } from "node:fs";
import { line } from %s;
console.log(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map((one) => line(URL, one))));
"""


@cache
def installed() -> None:
    install(("whatwg-url", "chromium"))
    package = ROOT / "benchmarks" / "package.json"
    if not (JAVASCRIPT / "node_modules" / ".bin").is_dir():
        JAVASCRIPT.mkdir(parents=True, exist_ok=True)
        shutil.copy(package, JAVASCRIPT)
        subprocess.run(["npm", "install", "--silent"], cwd=JAVASCRIPT, check=True)


def ran(program: str, script: str, given: object, *arguments: str) -> Any:
    """What a script prints, as JSON, for JSON on its stdin."""
    installed()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "script.mjs")
        path.write_text(script, "utf-8")
        command = [str(JAVASCRIPT / "node_modules" / ".bin" / program), str(path), *arguments]
        done = subprocess.run(command, input=json.dumps(given).encode(), stdout=subprocess.PIPE, check=True)
        return json.loads(done.stdout)


def is_of_patterns(asked: Sequence[Case]) -> bool:
    """whatwg-url has no patterns: then urlpattern-polyfill stands in its place."""
    return asked[0][0] in ("pattern", "test")


def in_program(program: str, asked: Sequence[Case], *folder: str) -> tuple[str, list[str]]:
    versions, answers = ran(program, SCRIPT.read_text("utf-8") + IN_PROGRAM, asked, *folder)
    if folder:
        package = "urlpattern-polyfill" if is_of_patterns(asked) else "whatwg-url"
        described = json.loads((BUILD / "node_modules" / package / "package.json").read_text("utf-8"))
        return f"{package} {described['version']}", answers
    own = f"Bun {versions['bun']}" if program == "bun" else f"Node {versions['node']} (ada {versions['ada']})"
    return own, answers


def in_chromium(asked: Sequence[Case]) -> tuple[str, list[str]]:
    installed()
    version = subprocess.run(["chromium", "--version"], check=True, capture_output=True, text=True).stdout
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder, "page.html")
        # Within a script, JSON is JavaScript but for what would end the script.
        data = json.dumps(asked).replace("<", "\\u003c")
        script = f"{SCRIPT.read_text('utf-8')}const CASES = {data};{IN_PAGE}"
        page.write_text(f"<!doctype html><body><script>{script}</script>", "utf-8")
        command = ["chromium", *FLAGS, f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()]
        text = subprocess.run(command, check=True, capture_output=True).stdout.decode()
    found = re.search(r"<body>(.*)</body>", text, re.DOTALL)
    assert found
    return " ".join(version.split()[:2]), json.loads(html.unescape(found[1]))


def of_weburl(case: Case) -> str:
    """The same as answer() of upstream.js."""
    what, *arguments = case
    try:
        if what == "test":
            given = cast("list[Any]", arguments)
            return str(URLPattern(given[0], ignore_case=given[2]["ignoreCase"]).test(given[1])).lower()
        if what == "pattern":
            pattern = URLPattern(cast(Any, arguments[0]))
            return f'"{pattern.port}" {"matches" if pattern.test(str(arguments[1])) else "does not match"}'
        url = URL(*map(str, arguments[: 2 if what == "parse" and arguments[-1] is not None else 1]))
        if what == "set":
            setattr(url, str(arguments[1]), arguments[2])
            return f"{url.href} parses to {URL(url.href).href}"
    except (InvalidURL, PatternError):
        return "failure"
    return str({"parse": url.href, "origin": url.origin, "pathname": url.pathname}[str(what)])


def code(text: str) -> str:
    """A cell. What is not printable ASCII is escaped, and what is long is cut."""
    text = text if len(text) <= 90 else f"{text[:40]}… ({len(text)} characters)"
    return "`" + re.sub(r"[^ -~é…]", lambda found: f"\\u{{{ord(found[0]):X}}}", text).replace("|", "\\|") + "`"


def shown(case: Case) -> str:
    what, *arguments = case
    texts = [code(json.dumps(one) if isinstance(one, dict) else str(one)) for one in arguments if one is not None]
    if what == "set":
        return f"{texts[0]}, then {texts[1]} = {texts[2]}"
    if what == "test":
        return f"{texts[0]}{', ignoreCase,' * cast(Any, arguments[2])['ignoreCase']} tested with {texts[1]}"
    joined = (" tested with " if what == "pattern" else " against ").join(texts)
    return joined if what in ("parse", "pattern") else f"{what} of {joined}"


def errors(case: Case) -> str:
    found = validate(*map(str, case[1:])) if case[0] == "parse" else []
    return ", ".join(f"{one.name}{' (failure)' * one.failure}" for one in found) or "none"


@cache
def counts(name: str) -> tuple[int, Counter[str]]:
    """How many cases differ, by class: the first difference of a case counts, for the first class that explains it."""
    asked: list[OfParser] = [
        (text, base, []) for seed in range(SEEDS) for text, base, _ in islice(cases(seed), CASES_OF_SEED)
    ]
    found: Counter[str] = Counter()
    for case, answer in zip(asked, ran(name, LINES % json.dumps(OBSERVE.as_uri()), asked), strict=True):
        both: list[OfParser] = [(case[1] or "", None, []), case]
        for its, ours, theirs in zip(both, observed(WEBURL, case), json.loads(answer), strict=True):
            if ours != theirs:
                one = Difference(its, None, None, ours, theirs)
                found[next((each.what for each in CLASSES[name] if each.explains(one)), "")] += 1
                break
    return len(asked), found


def table(name: str) -> str:
    asked = CASES[name]
    has_classes, has_errors = name in CLASSES, asked[0][0] == "parse" and name not in CLASSES
    columns: list[tuple[str, list[str]]] = [
        in_chromium(asked),
        in_program("bun", asked),
        in_program("node", asked),
        in_program("node", asked, str(BUILD)),
        ("weburl", list(map(of_weburl, asked))),
    ]
    header = ["case", *(version for version, _ in columns)]
    answers = zip(*(given for _, given in columns), strict=True)
    rows = [[shown(case), *map(code, each)] for case, each in zip(asked, answers, strict=True)]
    text = ""
    if has_errors:
        header.append("errors by the text")
        rows = [[*row, errors(case)] for row, case in zip(rows, asked, strict=True)]
    if has_classes:
        total, found = counts(name)
        header[:0] = ["class", "cases"]
        rows = [[each.what, f"{found[each.what]:,}", *row] for each, row in zip(CLASSES[name], rows, strict=True)]
        text = f"Of {total:,} cases, {found.total():,} differ; {found['']:,} of these are of no class.\n\n"
    lines = [header, ["---:" if one == "cases" else "---" for one in header], *rows]
    return text + "".join(f"| {' | '.join(line)} |\n" for line in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", choices=[*CASES, []])
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    status = 0
    for name in options.names or CASES:
        page = PAGES / f"{name}.md"
        text = page.read_text("utf-8")
        before, rest = text.split(BEGIN)
        made = f"{before}{BEGIN}\n{table(name)}{END}{rest.split(END)[1]}"
        if made != text and options.check:
            status = 1
            print(f"{page.name} is out of date")
        elif made != text:
            page.write_text(made, "utf-8")
            print(f"wrote {page.name}")
    return status


if __name__ == "__main__":
    sys.exit(main())
