"""Runs the tests of w3lib and of Scrapy with their functions replaced by those of weburl.compat.

A test that passes with the original functions has to pass, unless ALLOWED has a reason; a stale entry is a failure,
too. The tests come from the projects' source distributions, which pip downloads.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
MOST = 15
SCRAPY_TESTS = """
    downloader_handlers downloadermiddleware_cookies downloadermiddleware_httpcache downloadermiddleware_httpproxy
    downloadermiddleware_offsite downloadermiddleware_redirect downloadermiddleware_redirect_metarefresh
    downloadermiddleware_robotstxt dupefilters feedexport_storages feedexport_uri_params http_cookies http_request
    http_request_form http_request_json http_response http_response_text link linkextractors pipeline_crawl
    pipeline_files request_dict robotstxt_interface scheduler_base spider_crawl spider_sitemap
    spidermiddleware_referer spidermiddleware_urllength utils_curl utils_httpobj utils_request utils_response
    utils_sitemap utils_spider utils_url
"""


@dataclass(frozen=True)
class Suite:
    """The tests of a project, what they need, and which functions are replaced."""

    requirement: str
    files: list[str]
    replaced: str
    needs: list[str] = field(default_factory=list)


SCRAPY = [f"tests/test_{name}.py" for name in SCRAPY_TESTS.split()]
SCRAPY_NEEDS = ["w3lib==2.5.0", "pytest-twisted", "pyftpdlib", "pexpect", "testfixtures", "sybil"]
SUITES = {
    "w3lib": Suite("w3lib==2.5.0", ["tests/test_url.py"], "w3lib.url"),
    "scrapy": Suite("scrapy==2.19.0", SCRAPY, "w3lib.url", SCRAPY_NEEDS),
    "scrapy-urljoin": Suite("scrapy==2.19.0", SCRAPY, "w3lib.url urllib.parse.urljoin", SCRAPY_NEEDS),
    "scrapy-add-on": Suite("scrapy==2.19.0", SCRAPY, "scrapy", SCRAPY_NEEDS),
}


# What fails with the functions of weburl.compat, and why; docs/compat-w3lib.md has what a browser requests.
WINDOWS = "plays Windows with a private variable of w3lib"
IDNA = "a browser requests http://.xn--xampl-9raf.com/, and takes labels of any length; UTF-16 is sent as UTF-8"
HREF = "a URL that has been joined is serialized: with a path, without its default port"

ALLOWED: dict[str, dict[str, str]] = {
    "w3lib": {
        "test_canonicalize_url_idna_exceptions": IDNA,
        "test_canonicalize_url_unicode_query_string_wrong_encoding": (
            "what the encoding of a page lacks is sent as &#...;, and the rest of the query in that encoding"
        ),
        "test_file_uri_to_path_windows[file:///C:/a-C:\\\\a]": WINDOWS,
        "test_file_uri_to_path_windows[file:///////a/b-\\\\\\\\a\\\\b]": WINDOWS,
        "test_file_uri_to_path_windows_bad_drive": WINDOWS,
        "test_safe_url_idna_encoding_failure": IDNA,
        "test_safe_url_string_url[http://[v6a.ip]-http://v6a.ip]": "without its brackets it would be another host",
        "test_safe_url_string_url[scheme://us[er]@example.com-ValueError]": "it is a URL",
        "test_userinfo_is_case_sensitive": "the host of a scheme that is not special is opaque: its case matters",
    },
    "scrapy": {},
    "scrapy-urljoin": {
        "test_cross_origin_maintain_body[307]": HREF,
        "test_cross_origin_maintain_body[308]": HREF,
        "test_follow_all_absolute": HREF,
        "test_follow_encoding": "urljoin() makes the query UTF-8 unless it is told the encoding of the page",
        "test_follow_url_absolute": HREF,
        "test_restrict_xpaths_with_html_entities": "urljoin() makes the query UTF-8 unless it is told the encoding",
        "test_strip_false": "white space around a link is not part of it",
    },
    "scrapy-add-on": {
        "test_follow_all_absolute": HREF,
        "test_follow_url_absolute": HREF,
        "test_urljoin_with_base_url": "what XML has by the name of base is not HTML's",
    },
}

# w3lib marks them as expected failures.
MUST_PASS: dict[str, list[str]] = {
    "w3lib": [
        f"test_safe_url_string_encoding[iso-8859-1-{case}]"
        for case in (
            r"a://example.com?\xa9-a://example.com?%C2%A9",
            r"ws://example.com?\xa9-ws://example.com/?%C2%A9",
            r"wss://example.com?\xa9-wss://example.com/?%C2%A9",
            r"https://example.com#\xa9-https://example.com#%C2%A9",
        )
    ],
    "scrapy": [],
    "scrapy-urljoin": [],
    "scrapy-add-on": [],
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("suites", nargs="*", metavar="SUITE", help=f"of {', '.join(SUITES)}; else all of them")
    chosen = parser.parse_args().suites or list(SUITES)
    with tempfile.TemporaryDirectory() as folder:
        problems = [f"{name}: {problem}" for name in chosen for problem in run(name, SUITES[name], Path(folder))]
    print(*problems, sep="\n")
    return 1 if problems else 0


def run(name: str, suite: Suite, folder: Path) -> list[str]:
    source, path = prepare(suite, folder)
    as_they_are = outcomes(suite, source, path, "")
    replaced = outcomes(suite, source, path, suite.replaced)
    passed = {test for test, outcome in as_they_are.items() if outcome == "passed"}
    broken = {key(test) for test in passed if replaced.get(test) != "passed"}
    mended = sum(outcome == "passed" and as_they_are.get(test) == "failed" for test, outcome in replaced.items())
    allowed = set(ALLOWED[name])
    functions = {test.partition("[")[0] for test in broken}
    print(f"{name}: {len(passed)} tests pass with {suite.requirement} as it is", end="; ")
    print(f"with weburl.compat not {len(broken)}, of {len(functions)} functions, but {mended} others", flush=True)
    return [
        *(f"{test} passes no more" for test in sorted(broken - allowed)),
        *(f"{test} is allowed to fail, but does not" for test in sorted(allowed - broken)),
        *(
            f"{test} has to pass"
            for test in set(MUST_PASS[name]) - {key(test) for test in replaced if replaced[test] == "passed"}
        ),
        *([f"{len(functions)} test functions fail, more than {MOST}"] if len(functions) > MOST else []),
        *([] if len(passed) > 100 else ["the tests do not run"]),
    ]


def key(test: str) -> str:
    """The name of a test function and its parameters; the classes that inherit it count as one."""
    return re.sub(r"^[^:]*::(?:\w+::)?", "", test)


def prepare(suite: Suite, folder: Path) -> tuple[Path, list[str]]:
    """The folder of the source, and what else has to be on the path."""
    project = suite.requirement.partition("==")[0]
    sources, packages = folder / "sources" / project, folder / "packages" / project
    if not sources.exists():
        pip("download", "--no-deps", "--no-binary", project, "--dest", str(sources), suite.requirement)
        with tarfile.open(next(sources.glob("*.tar.gz"))) as archive:
            archive.extractall(sources)
        if suite.needs:
            pip("install", "--target", str(packages), suite.requirement, *suite.needs)
    source = next(path for path in sources.iterdir() if path.is_dir())
    return source, [str(source), str(packages), str(HERE)]


def pip(*arguments: str) -> None:
    subprocess.run([sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", *arguments], check=True)


def outcomes(suite: Suite, source: Path, path: list[str], replaced: str) -> dict[str, str]:
    """The outcome of each test. Tests that are expected to fail run like the others."""
    file = source / "outcomes.json"
    environment = os.environ | {
        "PYTHONHASHSEED": "0",
        "PYTHONPATH": os.pathsep.join([*path, *filter(None, [os.environ.get("PYTHONPATH")])]),
        "WEBURL_OUTCOMES": str(file),
        "WEBURL_REPLACED": replaced,
    }
    command = [sys.executable, "-m", "pytest", "-q", "-p", "replaced", "-p", "no:cacheprovider", "--runxfail"]
    log = subprocess.run([*command, *suite.files], cwd=source, env=environment, capture_output=True, text=True)
    if log.returncode not in (0, 1):
        raise SystemExit(log.stdout + log.stderr)
    result: dict[str, str] = json.loads(file.read_text("utf-8"))
    file.unlink()
    return result


if __name__ == "__main__":
    sys.exit(main())
