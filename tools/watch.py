"""What has changed upstream since the commits and lists that weburl follows.

    python tools/watch.py --url CLONE --urlpattern CLONE --wpt CLONE --psl CLONE --iana CSV --iana CSV
    python tools/watch.py --page            # writes the table of docs/conformance.md
    python tools/watch.py --page --check    # writes nothing; exit status 1 if the page is out of date

Each CLONE is a clone with the whole history; its HEAD is compared. CSV is a file of IANA's registries of
special-purpose IPv4 addresses, IPv6 addresses or domain names. Prints which algorithms, tests and rows differ; the exit
status is 1 if any do.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from ipaddress import collapse_addresses, ip_network
from pathlib import Path
from typing import Any

from weburl._hosts.psl import shipped_list
from weburl.cli.commands._ages import SOURCES

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "conformance.md"
REGISTRIES = ROOT / "tests" / "data" / "special_use.txt"
BEGIN, END = "<!-- sources -->\n", "<!-- /sources -->\n"
# A definition, or a heading, of Bikeshed: its anchor if it is written, else its text.
PART = re.compile(
    r"""<(?:dfn|h[2-6])\b[^>]*?\bid=["']?(?P<id>[\w-]+)|<dfn\b[^>]*>(?P<term>[^<]+)|^\#+ .*\{\#(?P<heading>[^}]+)\}"""
)
SHOWN = 60


def git(clone: Path, *arguments: str) -> str:
    done = subprocess.run(["git", "-C", str(clone), *arguments], capture_output=True, check=True)
    return done.stdout.decode("utf-8")


def start(clone: Path, repository: str) -> str:
    """The newest commit that weburl follows: by its name if the clone has it, else by its date."""
    rows = [(date, commit) for _, name, commit, date, _ in SOURCES if name == repository]
    for date, commit in sorted(rows, reverse=True):
        if commit:
            has = subprocess.run(
                ["git", "-C", str(clone), "cat-file", "-e", f"{commit}^{{commit}}"], capture_output=True
            )
            if has.returncode == 0:
                return commit
        elif found := git(clone, "rev-list", "-1", f"--before={date}T23:59:59Z", "HEAD").strip():
            return found
    raise SystemExit(f"{clone} has no commit of {repository} that weburl follows: is its history complete?")


def changed(what: str, before: Iterable[str], after: Iterable[str]) -> Iterator[str]:
    """The lines that only one of two has."""
    old, new = Counter(before), Counter(after)
    for sign, rows in (("-", old - new), ("+", new - old)):
        yield from (f"{what}: {sign} {row if len(row) <= SHOWN else row[:SHOWN] + '…'}" for row in rows.elements())


def algorithms(text: str) -> dict[str, list[str]]:
    """The lines after each definition or heading, without the space around them."""
    parts: dict[str, list[str]] = {}
    name = "(start)"
    for line in text.splitlines():
        found = PART.search(line)
        if found:
            name = " ".join((found["id"] or found["term"] or found["heading"]).split())
        parts.setdefault(name, []).append(line.strip())
    return parts


def of_standard(clone: Path, repository: str, file: str) -> Iterator[str]:
    base = start(clone, repository)
    for line in git(clone, "log", "--reverse", "--format=%h %cs %s", f"{base}..HEAD", "--", file).splitlines():
        yield f"{repository}: commit {line}"
    before, after = (algorithms(git(clone, "show", f"{commit}:{file}")) for commit in (base, "HEAD"))
    for name in dict.fromkeys((*before, *after)):
        if before.get(name) != after.get(name):
            how = "new" if name not in before else "removed" if name not in after else "changed"
            yield f"{repository}: {how} #{name}"


def of_tests(clone: Path) -> Iterator[str]:
    base = start(clone, "web-platform-tests/wpt")
    listed = git(clone, "diff", "--no-renames", "--name-status", base, "HEAD", "--", "url", "urlpattern")
    for line in listed.splitlines():
        status, file = line.split("\t")
        yield f"wpt: {({'A': 'new', 'D': 'removed'}).get(status, 'changed')} {file}"
        if file.endswith(".json") and status == "M":
            yield from changed(f"wpt: {file}", *(cases(git(clone, "show", f"{one}:{file}")) for one in (base, "HEAD")))


def cases(text: str) -> list[str]:
    """The cases of a file, as JSON: those of a list, or of the lists of an object."""
    found = json.loads(text)
    groups = found.items() if isinstance(found, dict) else [("", found)]
    return [f"{name} {json.dumps(case)}".strip() for name, group in groups if isinstance(group, list) for case in group]


def rules(text: str) -> list[str]:
    """https://github.com/publicsuffix/list/wiki/Format, with the section of each rule."""
    section, found = "", []
    for line in text.splitlines():
        if line.startswith("// ==="):
            section = line.strip("/ =").removeprefix("BEGIN ")
        elif line.strip() and not line.startswith("//"):
            found.append(f"{line.split()[0]} ({section})")
    return found


def of_suffixes(clone: Path) -> Iterator[str]:
    yield from changed("psl", rules(shipped_list().read()), rules(git(clone, "show", "HEAD:public_suffix_list.dat")))


def registry_of(name: str) -> str:
    return "names" if "/" not in name else "IPv6" if ":" in name else "IPv4"


def of_registry(file: Path) -> Iterator[str]:
    """What differs between a registry and tests/data/special_use.txt: rows that one of them has, or has otherwise."""
    with file.open(encoding="utf-8-sig", newline="") as opened:
        rows = list(csv.DictReader(opened))
    known = {}
    for line in REGISTRIES.read_text("utf-8").partition("# Names that are in no registry")[0].splitlines():
        if line and not line.startswith("#") and not line.endswith("multicast"):
            name, _, kind = line.split()[:3]
            known[name] = kind
    found = set()
    for row in rows:
        if "Address Block" in row:
            # Footnotes, and two blocks in one row.
            blocks = re.sub(r"\[\d+\]", "", row["Address Block"]).split(",")
            networks: Any = [ip_network(block.strip()) for block in blocks]
            # From Python 3.13 on, the end of a mapped address is written with dots.
            names = [str(each).replace("::ffff:0.0.0.0/", "::ffff:0:0/") for each in collapse_addresses(networks)]
            said = re.sub(r"\[\d+\]", "", row["Globally Reachable"]).strip()
            kinds = {"False": ("no",), "True": ("yes", "holds"), "N/A": ("none", "yes", "no")}.get(said, ())
            kinds += ("holds",) if "::ffff:0:0/96" in names else ()
        else:
            names, said, kinds = [row["Name"].strip().rstrip(".").lower()], "special use", ("no", "yes")
        found.update(names)
        for name in names:
            if known.get(name) not in kinds:
                yield f"iana: {name} is {said!r} there, and {known.get(name, 'missing')!r} here"
    of = set(map(registry_of, found))
    for name, kind in known.items():
        if registry_of(name) in of and name not in found:
            yield f"iana: {name} is missing there, and {kind!r} here"


def page() -> str:
    lines = ["| what weburl follows or has | repository and commit | date | a newer one |", "|---|---|---|---|"]
    for name, repository, commit, date, newer in SOURCES:
        lines.append(f"| {name} | {repository}{f' {commit}' * bool(commit)} | {date} | {newer} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("url", "urlpattern", "wpt", "psl"):
        parser.add_argument(f"--{name}", type=Path, metavar="CLONE")
    parser.add_argument("--iana", type=Path, metavar="CSV", action="append", default=[])
    parser.add_argument("--page", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    if options.page:
        text = PAGE.read_text("utf-8")
        before, rest = text.split(BEGIN)
        made = f"{before}{BEGIN}\n{page()}{END}{rest.split(END)[1]}"
        if not options.check:
            PAGE.write_text(made, "utf-8")
        return int(options.check and made != text)
    if not (options.url or options.urlpattern or options.wpt or options.psl or options.iana):
        parser.error("there is nothing to compare: give a clone or a file")
    found: list[str] = []
    if options.url:
        found += of_standard(options.url, "whatwg/url", "url.bs")
    if options.urlpattern:
        found += of_standard(options.urlpattern, "whatwg/urlpattern", "spec.bs")
    if options.wpt:
        found += of_tests(options.wpt)
    if options.psl:
        found += of_suffixes(options.psl)
    for file in options.iana:
        found += of_registry(file)
    print(*found, f"{len(found)} differences", sep="\n")
    return int(bool(found))


if __name__ == "__main__":
    sys.exit(main())
