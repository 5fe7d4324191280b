"""Rules of make lint for what is not code: licences, workflows, and the page on the Web Platform Tests."""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path, PurePosixPath
from typing import Any

from conformance_page import THROUGH, files_of, scripts_of
from package import links_of
from source_tree import Finding, Found, Tree, line_of, rule

# Files that hold data, and not code or text of this project. Requirements name packages.
DATA = {".csv", ".dat", ".gz", ".json", ".jsonl", ".png", ".svg", ".tsv", ".txt"}
NO_DATA = ("requirements*.txt", "package.json", "LICENSES/*", "oldest.txt", "expected_failures.txt")


def files(tree: Tree) -> list[str]:
    """All files of the repository, or of the sdist."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=tree.root, capture_output=True, text=True)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in listed.stdout.split("\0") if name and (tree.root / name).is_file())
    for names in (tree.root / "src").glob("*.egg-info/SOURCES.txt"):
        return sorted(name for name in names.read_text("utf-8").splitlines() if ".egg-info/" not in name)
    return sorted(path.relative_to(tree.root).as_posix() for path in tree.root.rglob("*") if path.is_file())


def read_project(tree: Tree) -> dict[str, Any]:
    return tomllib.loads(tree.text(tree.root / "pyproject.toml"))


@rule("A link of README.md that is not absolute names a file: the page of the package makes it absolute.")
def readme(tree: Tree) -> Found:
    path = tree.root / "README.md"
    text = tree.text(path)
    for name in links_of(text):
        if not (tree.root / name).is_file():
            yield Finding(path, line_of(text, text.index(name)), f"there is no file {name}")


# Licences.


@cache
def tables_of_licences(tree: Tree) -> list[tuple[list[str], str]]:
    tables = tomllib.loads(tree.text(tree.root / "REUSE.toml")).get("annotations", [])
    paths = [[table["path"]] if isinstance(table["path"], str) else table["path"] for table in tables]
    return [(each, table["SPDX-License-Identifier"]) for each, table in zip(paths, tables, strict=True)]


@cache
def is_named(file: str, pattern: str) -> bool:
    """As REUSE has it: two stars cross folders, one does not."""
    parts = re.split(r"(\*\*?)", pattern)
    words = {"**": ".*", "*": "[^/]*"}
    return re.fullmatch("".join(words.get(part) or re.escape(part) for part in parts), file) is not None


def licence_of(tree: Tree, file: str, *, named: bool) -> str | None:
    """By the last table that has it. With `named`, the table for all files does not count."""
    found = None
    for paths, expression in tables_of_licences(tree):
        if any(is_named(file, path) and not (named and path == "**") for path in paths):
            found = expression
    return found


def identifiers(expression: str) -> set[str]:
    return set(expression.split(" AND "))


def data_files(tree: Tree) -> list[str]:
    return [
        name
        for name in files(tree)
        if PurePosixPath(name).suffix in DATA and not any(fnmatchcase(name, f"*{pattern}") for pattern in NO_DATA)
    ]


@rule("Each file of data has a table of REUSE.toml. A table names files that exist, and its licences have their texts.")
def licences(tree: Tree) -> Found:
    page, names, tables = tree.root / "REUSE.toml", files(tree), tables_of_licences(tree)
    for name in data_files(tree):
        if licence_of(tree, name, named=True) is None:
            yield Finding(tree.root / name, 1, "no table of REUSE.toml says its licence")
    for paths, _ in tables:
        for path in paths:
            if not any(is_named(name, path) for name in names):
                yield Finding(page, line_of(tree.text(page), tree.text(page).index(path)), f"there is no file {path}")
    used = {each for _, expression in tables for each in identifiers(expression)}
    for name in sorted(used ^ {path.stem for path in (tree.root / "LICENSES").glob("*")}):
        yield Finding(page, 1, f"{name} is used, or has a text in LICENSES, and not both")
    if tree.text(tree.root / "LICENSE") != tree.text(tree.root / "LICENSES" / "BSD-3-Clause.txt"):
        yield Finding(tree.root / "LICENSE", 1, "it is not LICENSES/BSD-3-Clause.txt")


@rule("pyproject.toml has the licences of all files of the wheel, with their texts, and lists what is Unicode's.")
def wheel_licences(tree: Tree) -> Found:
    page, project = tree.root / "pyproject.toml", read_project(tree)
    sources = [name for name in files(tree) if name.startswith("src/")]
    used = {each for name in sources for each in identifiers(licence_of(tree, name, named=False) or "")}
    if used != identifiers(project["project"]["license"]):
        yield Finding(page, 1, f"the files of the wheel have the licences {', '.join(sorted(used))}")
    texts = {"LICENSE", *(f"LICENSES/{each}.txt" for each in used - {"BSD-3-Clause"})}
    if texts != set(project["project"]["license-files"]):
        yield Finding(page, 1, f"its license-files must be {', '.join(sorted(texts))}")
    listed = {f"src/{file}" for each in project["tool"]["weburl"]["materials"] for file in each["files"]}
    for name in sources:
        is_table = re.search(r"[Uu]nicode[^.\n]{0,12} 1[4-9]\b", tree.text(tree.root / name)[:1200])
        if name.endswith(".py") and is_table and name not in listed:
            yield Finding(
                tree.root / name, 1, "it is made from Unicode's files: list it in materials of pyproject.toml"
            )
    for name in sorted(listed):
        if licence_of(tree, name, named=True) != "BSD-3-Clause AND Unicode-3.0":
            yield Finding(tree.root / name, 1, "its licence in REUSE.toml must be BSD-3-Clause AND Unicode-3.0")


# What runs elsewhere. An sdist has none of it.


def workflows(tree: Tree) -> list[Path]:
    return sorted(tree.root.glob(".github/workflows/*.yml"))


def actions_of(tree: Tree) -> list[tuple[Path, int, str]]:
    return [
        (path, line_of(tree.text(path), found.start()), found[1])
        for path in workflows(tree)
        for found in re.finditer(r"uses: (.*)", tree.text(path))
    ]


@rule("An action is pinned: the hash of a commit, and the version that it is, which dependabot changes with it.")
def actions(tree: Tree) -> Found:
    pinned: dict[str, str] = {}
    for path, line, action in actions_of(tree):
        if not re.fullmatch(r"\./\S+|[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+", action):
            yield Finding(path, line, f"{action} is not pinned")
        elif pinned.setdefault(action.partition("@")[0], action) != action:
            yield Finding(path, line, f"{action} has another version elsewhere")


# The packages that build are there before the package is built; requirements of the tests pin versions.
INSTALLS = ("--require-hashes -r .ci/requirements/", "--no-build-isolation ", "-r {project}/tests/tiers/wasm/")
BUILDS = "python -m pip install --require-hashes -r {project}/.ci/requirements/build.txt"


@rule("A workflow installs packages that are pinned.")
def installs(tree: Tree) -> Found:
    for path in workflows(tree):
        text = tree.text(path)
        found = [*re.finditer(r"pip install (.*)", text)] if path.stem in ("ci", "wheels") else []
        for each in found:
            if each[1] != "--upgrade pip" and not each[1].startswith(INSTALLS):
                yield Finding(path, line_of(text, each.start()), f"{each[1]} is not pinned")
    if workflows(tree):
        page, settings = tree.root / "pyproject.toml", read_project(tree)["tool"]["cibuildwheel"]
        if settings["build-frontend"]["args"] != ["--no-isolation"] or "test-groups" in settings:
            yield Finding(page, 1, "cibuildwheel must not install what is not pinned")
        for step in ("before-build", "before-test"):
            if not settings[step].startswith(BUILDS):
                yield Finding(page, 1, f"{step} of cibuildwheel must begin with {BUILDS}")


@rule("Each change is tested on the systems that have wheels.")
def systems(tree: Tree) -> Found:
    paths = [path for path in workflows(tree) if path.stem in ("ci", "wheels")]
    listed = [re.findall(r" os: \[(.*)\]", tree.text(path)) for path in paths]
    wanted = next((found[0] for found in listed if found), "")
    for path, found in zip(paths, listed, strict=True):
        if len(found) != 1 or set(found[0].split(", ")) != set(wanted.split(", ")):
            yield Finding(path, 1, "it must have one list of systems, that of the other workflow")


@rule("dependabot looks at each folder with requirements.")
def dependabot(tree: Tree) -> Found:
    path = tree.root / ".github" / "dependabot.yml"
    found = re.search(r"directories: \[(.*)\]", tree.text(path))
    if found is None:
        if path.exists():
            yield Finding(path, 1, "it has no list of directories")
        return
    line = line_of(tree.text(path), found.start())
    patterns = [each.strip('"').removeprefix("/") for each in found[1].split(", ")]
    requirements = [name for name in files(tree) if re.search(r"requirements(/\w+)?\.txt$", name)]
    folders = {str(PurePosixPath(name).parent) for name in requirements}
    for folder in sorted(folders):
        if not any(is_named(folder, pattern) for pattern in patterns):
            yield Finding(path, line, f"it does not look at {folder}")
    for pattern in patterns:
        if not any(is_named(folder, pattern) for folder in folders):
            yield Finding(path, line, f"{pattern} has no requirements")


# Pages.


@rule("docs/conformance.md has each file of the tests, and no failure. Which tests passed, conformance_page.py says.")
def conformance(tree: Tree) -> Found:
    page = tree.docs / "conformance.md"
    text, manifest = tree.text(page), tree.text(tree.root / "wpt_data" / "MANIFEST.json")
    for file, entry in json.loads(manifest or '{"files": {}}')["files"].items():
        if f"| `{file}` | {entry['cases']:,} |" not in text:
            yield Finding(page, 1, f"it has no row for {file} with {entry['cases']:,} cases")
    for module in sorted((tree.root / "tests" / "wpt").glob("test_*.py")):
        scripts, data = scripts_of(module), files_of(module)
        # The one is about the manifest; the other has the cases of other modules once more.
        if not scripts and not data and module.name not in ("test_data.py", "test_storage_kinds.py"):
            yield Finding(module, 1, "it names no script of the Web Platform Tests, and reads none of their data")
        if scripts and f"| {', '.join(f'`{script}`' for script in scripts)} | `{module.name}` |" not in text:
            yield Finding(page, 1, f"it has no row for the scripts of {module.name}")
        if data and module.stem not in THROUGH:
            yield Finding(module, 1, "tools/conformance_page.py does not say what it calls")
    for found in re.finditer(r"(?:failure|error|skipped) \|", text):
        yield Finding(page, line_of(text, found.start()), "a test of the Web Platform Tests does not pass")
