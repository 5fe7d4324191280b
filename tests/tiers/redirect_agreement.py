"""Asks Chromium and Django about redirects and links, and writes their answers: python -m tiers.redirect_agreement

Without --write it compares, and fails if an answer is not that of tests/data/hostile_targets.json.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
from collections.abc import Sequence
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from support import debian
from support.devtools import Page, chromium
from support.hostile_targets import ALLOWED, BASES, PAGE, link_targets, redirect_targets

FACTS = Path(__file__).parent.parent / "data" / "hostile_targets.json"
DJANGO = "django==5.2.19"
SCHEMES = ("http:", "https:", "mailto:", "tel:")
BATCH = 1000
ROW = 100

# "stays" on the page's origin, or goes to an allowed host and the default port, from all bases; "leaves" from one;
# else it "fails" to parse from one.
REDIRECTS = """(targets, bases, hosts) => targets.map((target) => {
    let fails = false;
    for (const base of bases) {
        let url;
        try { url = new URL(target, base); } catch { fails = true; continue; }
        const allowed = ["http:", "https:"].includes(url.protocol) && url.port === ""
            && hosts.includes(url.hostname.replace(/[.]$/, ""));
        if (!allowed && url.origin !== new URL(base).origin) return "l";
    }
    return fails ? "x" : "s";
}).join("")"""

# A link as the value of an attribute, and as a template writes it that does not escape. "unsafe" is one that opens
# something else in one of these ways.
LINKS = """(targets, bases, schemes) => targets.map((target) => {
    let fails = false;
    for (const base of bases) {
        const page = document.implementation.createHTMLDocument("");
        page.head.appendChild(page.createElement("base")).href = base;
        const link = page.body.appendChild(page.createElement("a"));
        link.setAttribute("href", target);
        const rendered = page.body.appendChild(page.createElement("p"));
        rendered.innerHTML = `<a href="${target.replaceAll('"', "&quot;")}">`;
        for (const { protocol } of [link, rendered.firstChild]) {
            if (protocol === ":") fails = true;
            else if (!schemes.includes(protocol)) return "u";
        }
    }
    return fails ? "x" : "s";
}).join("")"""


def ask(page: Page, function: str, targets: Sequence[str], *arguments: Any) -> str:
    verdicts = ""
    for start in range(0, len(targets), BATCH):
        given = ", ".join(map(json.dumps, (targets[start : start + BATCH], *arguments)))
        verdicts += page.value(f"({function})({given})")
    assert len(verdicts) == len(targets)
    return verdicts


def django_verdicts(targets: Sequence[str]) -> tuple[str, str]:
    is_safe = import_module("django.utils.http").url_has_allowed_host_and_scheme
    verdicts = [is_safe(target, allowed_hosts={PAGE, ALLOWED}) for target in targets]
    return version("django"), "".join(["s" if verdict else "l" for verdict in verdicts])


def digest(targets: Sequence[str]) -> str:
    return hashlib.sha256("\n".join([json.dumps(target) for target in targets]).encode()).hexdigest()


def prepare() -> None:
    debian.require("chromium", "chromium")
    if find_spec("django") is None:
        subprocess.run([sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", DJANGO], check=True)


def facts() -> dict[str, Any]:
    redirects, links = redirect_targets(), link_targets()
    with chromium("--disable-quic") as page:
        browser = page.call("Runtime.evaluate", expression="navigator.userAgent")["result"]["value"]
        from_chromium = ask(page, REDIRECTS, redirects, BASES, (PAGE, ALLOWED))
        of_links = ask(page, LINKS, links, BASES, SCHEMES)
    django, from_django = django_verdicts(redirects)
    return {
        "browser": browser.split("Chrome/")[1].split()[0],
        "django": django,
        "redirects": {"sha256": digest(redirects), "chromium": rows(from_chromium), "django": rows(from_django)},
        "links": {"sha256": digest(links), "chromium": rows(of_links)},
    }


def rows(verdicts: str) -> list[str]:
    return [verdicts[start : start + ROW] for start in range(0, len(verdicts), ROW)]


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args(arguments)
    prepare()
    found = facts()
    if options.write:
        FACTS.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
        return 0
    known = json.loads(FACTS.read_text("utf-8"))
    differ = [name for name in ("redirects", "links") if found[name] != known[name]]
    print(f"Chromium {found['browser']}, Django {found['django']}: {', '.join(differ) or 'nothing'} differs")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
