"""A pytest plugin: the functions of w3lib.url and urllib.parse are those of weburl.compat, and outcomes are written down.

It is loaded with `-p replaced` before the tests of another project, which import the functions after it.
"""

from __future__ import annotations

import json
import os
import urllib.parse
from pathlib import Path

import pytest
import w3lib.url

import weburl.compat.urllib
import weburl.compat.w3lib

if os.environ["WEBURL_REPLACED"] == "1":
    for module, ours in ((w3lib.url, weburl.compat.w3lib), (urllib.parse, weburl.compat.urllib)):
        for name in ours.__all__:
            assert hasattr(module, name)
            setattr(module, name, getattr(ours, name))

OUTCOMES: dict[str, str] = {}


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    Path(os.environ["WEBURL_OUTCOMES"]).write_text(json.dumps(OUTCOMES), "utf-8")
