"""Writes the table of docs/one-url-many-hosts.md: the host that each library and a browser read from the same URL.

    python tools/hosts_page.py            # writes the page
    python tools/hosts_page.py --check    # writes nothing; exit status 1 if the page is out of date

It installs the libraries of hosts_page.txt into the current environment, and needs the command chromium. For requests
and httpx the host is the name that they try to look up; for urllib and yarl, which look up nothing, an attribute.
Nothing uses the network.
"""

from __future__ import annotations

import argparse
import html
import importlib
import ipaddress
import json
import platform
import re
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any
from unittest.mock import patch
from urllib.parse import urlsplit

from weburl import URL

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "one-url-many-hosts.md"
REQUIREMENTS = Path(__file__).with_name("hosts_page.txt")
BEGIN, END = "<!-- table -->\n", "<!-- /table -->\n"

INPUTS = {
    "Where the host begins and ends": [
        "http://evil.example\\@good.example/", "http://good.example\\@evil.example/", "http://evil.example\\.good.example/",
        "http://evil.example#@good.example/", "http://evil.example?@good.example/", "http://evil.example;@good.example/",
        "http://evil.example\\\\good.example/", "http://good.example&@evil.example#@good.example/",
    ],
    "Credentials": [
        "http://good.example@evil.example/", "http://good.example:80@evil.example/", "http://a@good.example@evil.example/",
        "http://good.example:@evil.example/", "http://good.example%40evil.example/", "http://@evil.example/",
        "http://good.example @evil.example/", "http://[good.example]@evil.example/",
    ],
    "Slashes": [
        "http:evil.example/", "http:/evil.example/", "http:///evil.example/", "http:\\\\evil.example/",
        "http:/\\evil.example/", "http:////evil.example/",
    ],
    "White space and control characters": [
        " http://evil.example/", "http://evil.example /", "http://ev\til.example/", "http://ev\nil.example/",
        "ht\ttp://evil.example/", "\x01http://evil.example/", "http://good.example\t@evil.example/",
        "http://good.example\r\n@evil.example/", "http://evil.example\x00.good.example/",
    ],
    "Addresses": [
        "http://127.1/", "http://2130706433/", "http://0x7f.1/", "http://017700000001/", "http://0177.0.0.1/",
        "http://127.0.0.1./", "http://0x7f000001/", "http://127.0.0.08/", "http://1.2.3.4.5/", "http://256.0.0.1/",
        "http://[::ffff:127.0.0.1]/", "http://[0:0::1]/", "http://[::1%25eth0]/", "http://１２７.0.0.1/",
        "http://127。0。0。1/", "http://%31%32%37.0.0.1/",
    ],
    "Names": [
        "http://EVIL.example/", "http://evil%2eexample/", "http://evil.example%2fgood.example/", "http://%65vil.example/",
        "http://evil.example%00.good.example/", "http://ｅｖｉｌ.example/", "http://evil。example/", "http://faß.example/",
        "http://evil\u200b.example/", "http://ev\u00adil.example/", "http://℀.example/", "http://evil.example／.good.example/",
        "http://evil.example../", "http://a_b.example/", "http://-a.example/", "http://xn--a.example/", "http://😀.example/",
        "http://evil.example:80:81/", "http://evil.example:/", "http://evil.example:0x50/", "http://evil.example:65536/",
    ],
}  # fmt: skip
NONE = "–"


class LookedUp(Exception):
    pass


def looked_up(get: Callable[[str], object], url: str) -> str:
    """The name or address that a client tries to look up; NONE if it tries nothing."""
    names: list[str] = []

    def refuse(host: Any, *arguments: Any, **options: Any) -> Any:
        names.append(host.decode() if isinstance(host, bytes) else str(host))
        raise LookedUp

    with patch.object(socket, "getaddrinfo", refuse):
        try:
            get(url)
        except Exception:
            return names[0] if names else NONE
    return NONE


def libraries() -> dict[str, tuple[str, Callable[[str], str]]]:
    """For each library, its name with its version, and a function from a URL to the host."""
    requests, httpx, yarl = map(importlib.import_module, ("requests", "httpx", "yarl"))
    session = requests.Session()
    session.trust_env = False

    def attempt(call: Callable[[], str | None]) -> str:
        try:
            return call() or NONE
        except ValueError:
            return NONE

    def parsed(url: str) -> str:
        found = URL.parse(url)
        return NONE if found is None else found.hostname

    return {
        "urllib": (
            f"urllib of CPython {platform.python_version()}: `urlsplit(url).hostname`",
            lambda url: attempt(lambda: urlsplit(url).hostname),
        ),
        "requests": (
            f"requests {version('requests')}: the name that `requests.get(url)` looks up",
            lambda url: looked_up(session.get, url),
        ),
        "httpx": (
            f"httpx {version('httpx')}: the name that `httpx.get(url)` looks up",
            lambda url: looked_up(lambda text: httpx.get(text, trust_env=False), url),
        ),
        "yarl": (
            f"yarl {version('yarl')}, which aiohttp uses: `URL(url).raw_host`",
            lambda url: attempt(lambda: yarl.URL(url).raw_host),
        ),
        "weburl": ("weburl: `URL(url).hostname`", parsed),
    }


PROGRAM = """<body><script>
document.body.textContent = JSON.stringify(%s.map(text => {
    try { return new URL(text).hostname } catch { return null }
}))
</script>"""


def browser(urls: Sequence[str]) -> tuple[str, list[str]]:
    """Chromium's version, and the host that it reads from each URL."""
    chromium = ["chromium", "--headless", "--no-sandbox", "--disable-gpu"]
    name = subprocess.check_output(["chromium", "--version"], text=True, stderr=subprocess.DEVNULL).split()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        page = Path(folder) / "page.html"
        page.write_text(PROGRAM % json.dumps(urls), "utf-8")
        options = [f"--user-data-dir={folder}/profile", "--dump-dom", page.as_uri()]
        document = subprocess.check_output([*chromium, *options], text=True, stderr=subprocess.DEVNULL, timeout=120)
    body = re.search("<body>(.*)</body>", document, re.DOTALL)
    if body is None:
        sys.exit(f"Chromium gave no result: {document[:200]}")
    return f"{name[0]} {name[1].partition('.')[0]}", [host or NONE for host in json.loads(html.unescape(body[1]))]


def cell(host: str) -> str:
    """A cell of the table. Invisible characters are escaped."""
    if host == NONE:
        return NONE
    host = host if host.startswith("[") or not is_ipv6(host) else f"[{host}]"
    return f"`{visible(host)}`"


def is_ipv6(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.partition("%")[0]).version == 6
    except ValueError:
        return False


def visible(text: str) -> str:
    shown = "".join(c if c.isprintable() and c not in "\u00ad" else ascii(c)[1:-1] for c in text)
    return shown.replace("|", "\\|")


def page() -> str:
    every = [url for urls in INPUTS.values() for url in urls]
    known = libraries()
    chromium, hosts = browser(every)
    columns = {name: [host(url) for url in every] for name, (_, host) in known.items()}
    ours = columns.pop("weburl")
    columns |= {"Chromium": hosts, "weburl": ours}
    lines = []
    index = 0
    for title, urls in INPUTS.items():
        lines += [f"### {title}", "", f"| URL | {' | '.join(columns)} |", "|---" * (len(columns) + 1) + "|"]
        for url in urls:
            lines.append(f"| `{visible(url)}` | {' | '.join(cell(column[index]) for column in columns.values())} |")
            index += 1
        lines.append("")
    lines += [
        "### Who differs from the browser",
        "",
        "| | URLs | other host | no host, but the browser has one | a host, but the browser has none |",
    ]
    lines += ["|---|---:|---:|---:|---:|"]
    for name, column in columns.items():
        pairs = [(normal(own), normal(theirs)) for own, theirs in zip(column, hosts, strict=True)]
        other = sum(NONE not in pair and pair[0] != pair[1] for pair in pairs)
        missing = sum(own == NONE != theirs for own, theirs in pairs)
        more = sum(theirs == NONE != own for own, theirs in pairs)
        lines.append(f"| {name} | {len(pairs)} | {other} | {missing} | {more} |")
    lines += ["", "How each host was found:", "", f"- {chromium}: `new URL(url).hostname`"]
    lines += [f"- {text}" for name, (text, _) in known.items() if name != "weburl"]
    return "\n".join(lines) + "\n"


def normal(host: str) -> str:
    """The host, with addresses in one spelling: for comparing."""
    try:
        return str(ipaddress.ip_address(host.strip("[]")))
    except ValueError:
        return host


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args(arguments)
    pip = [sys.executable, "-m", "pip", "install", "-q", "--only-binary", ":all:", "-r", str(REQUIREMENTS)]
    subprocess.run(pip, check=True)
    text = PAGE.read_text("utf-8")
    before, rest = text.split(BEGIN)
    after = rest.split(END)[1]
    made = f"{before}{BEGIN}\n{page()}{END}{after}"
    if options.check:
        print(f"{PAGE.name} is {'up to date' if made == text else 'out of date'}")
        return 0 if made == text else 1
    PAGE.write_text(made, "utf-8")
    print(f"wrote {PAGE.name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
