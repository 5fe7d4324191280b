"""A pytest plugin for the tests of other projects: functions are replaced by weburl's, and outcomes are logged.

`WEBURL_REPLACED` has names of modules, to replace all functions that `weburl.compat` has for them, or of functions in
them; `scrapy` stands for what weburl.ext.scrapy replaces. `WEBURL_OUTCOMES` is the file for the outcomes. The plugin
has to be loaded before the modules that import the functions.
"""

from __future__ import annotations

import json
import os
from importlib import import_module
from pathlib import Path

import pytest

OUTCOMES: dict[str, str] = {}


def replace(names: list[str]) -> None:
    for module, ours in (("w3lib.url", "weburl.compat.w3lib"), ("urllib.parse", "weburl.compat.urllib")):
        for name in import_module(ours).__all__:
            if module in names or f"{module}.{name}" in names:
                assert hasattr(import_module(module), name), name
                setattr(import_module(module), name, getattr(import_module(ours), name))
    if "scrapy" in names:
        import_module("weburl.ext.scrapy").install()


replace(os.environ["WEBURL_REPLACED"].split())


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    if report.when == "call" or report.outcome != "passed":
        OUTCOMES[report.nodeid] = report.outcome


def pytest_sessionfinish() -> None:
    Path(os.environ["WEBURL_OUTCOMES"]).write_text(json.dumps(OUTCOMES), "utf-8")
