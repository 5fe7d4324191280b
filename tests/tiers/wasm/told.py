"""A plugin of pytest that writes each step at once, so that what ends the process does not hide how far it came.

It also runs a test that has many seeds with the first ones only.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from pathlib import Path

import pytest


class Told:
    """Writes a line of JSON for each file that is imported, for each test, before and after it, and for the end."""

    def __init__(self, path: str) -> None:
        self.output = Path(path).open("w", encoding="utf-8")  # noqa: SIM115
        self.outcome, self.text, self.begin = "passed", "", 0.0

    def write(self, **values: str | float) -> None:
        self.output.write(json.dumps(values) + "\n")
        self.output.flush()

    def pytest_collectstart(self, collector: pytest.Collector) -> None:
        if isinstance(collector, pytest.File):
            self.write(file=collector.nodeid, test="")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed or report.skipped:
            text = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else report.longreprtext
            self.write(file=report.nodeid, test="", outcome=report.outcome, text=text, seconds=0)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self.outcome, self.text, self.begin = "passed", "", time.monotonic()
        file, _, test = nodeid.partition("::")
        self.write(file=file, test=test)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or (report.skipped and self.outcome == "passed"):
            self.outcome = report.outcome
            self.text = str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else report.longreprtext
            if hasattr(report, "wasxfail"):
                self.text = f"expected to fail: {report.wasxfail}"

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        file, _, test = nodeid.partition("::")
        seconds = round(time.monotonic() - self.begin, 3)
        self.write(file=file, test=test, outcome=self.outcome, text=self.text, seconds=seconds)

    def pytest_sessionfinish(self, exitstatus: int) -> None:
        self.write(ended=int(exitstatus))
        self.output.close()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--told", required=True, help="the file that is written")
    parser.addoption("--seeds", type=int, required=True, help="how many seeds of a test run")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Told(config.getoption("--told")))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    seen: Counter[str] = Counter()
    left_out = []
    for item in items:
        callspec = getattr(item, "callspec", None)
        # Those that are slow are not run at all, so the first of the others is.
        if callspec is not None and "seed" in callspec.params and item.get_closest_marker("slow") is None:
            others = {name: value for name, value in callspec.params.items() if name != "seed"}
            test = f"{item.nodeid.partition('[')[0]} {others}"
            seen[test] += 1
            if seen[test] > config.getoption("--seeds"):
                left_out.append(item)
    if left_out:
        config.hook.pytest_deselected(items=left_out)
        wanted = set(items).difference(left_out)
        items[:] = [item for item in items if item in wanted]
