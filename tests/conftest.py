"""What all tests share: settings, fixtures and checks of the environment."""

from __future__ import annotations

import gc
import os
import random
import signal
from collections import defaultdict
from pathlib import Path

import pytest
from hypothesis import settings
from support import missing, wpt_cases
from support.missing import pytest_runtest_makereport as pytest_runtest_makereport

# The same examples each time, however slow the machine is; `make agreement` and its kin take other seeds.
settings.register_profile("suite", derandomize=True, deadline=None, database=None)
settings.load_profile("suite")

_path: Path | None = None  # of the last test
EXPECTED_FAILURES = Path(__file__).with_name("expected_failures.txt")


@pytest.fixture(scope="session")
def mypy_cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Of all runs of mypy, in whatever worker: what it has read of the package is the same for each."""
    folder = tmp_path_factory.getbasetemp()
    return (folder.parent if "PYTEST_XDIST_WORKER" in os.environ else folder) / "mypy-cache"


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--timed", action="store_true", help="only the tests that measure time: make complexity, alone")


def pytest_configure(config: pytest.Config) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        # Shells without job control ignore it for what runs in the background, and so would the commands of the tests.
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if os.environ.get("WEBURL_REQUIRE_WPT") == "1":
        problems = wpt_cases.data_problems()
        if problems:
            raise pytest.UsageError("\n".join(["WEBURL_REQUIRE_WPT=1, but", *problems]))


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    lines = EXPECTED_FAILURES.read_text("utf-8").splitlines()
    expected = {line for line in lines if line and not line.startswith("#")}
    for item in items:
        if item.nodeid in expected:
            item.add_marker(pytest.mark.xfail(strict=True, reason=EXPECTED_FAILURES.name))
    if not any("::" in argument for argument in config.args):
        collected = {item.nodeid for item in items}
        files = {nodeid.partition("::")[0] for nodeid in collected}
        for line in sorted(expected - collected):
            file = line.partition("::")[0]
            if file in files or not (config.rootpath / file).is_file():
                raise pytest.UsageError(f"{EXPECTED_FAILURES.name} names a test that does not exist: {line}")
    mark_others_as_slow(items)
    # A machine that does other work, too, makes them fail without a fault.
    wanted = config.getoption("--timed")
    others = [item for item in items if (item.get_closest_marker("timed") is not None) != wanted]
    if others:
        config.hook.pytest_deselected(items=others)
        items[:] = [item for item in items if (item.get_closest_marker("timed") is not None) == wanted]


def mark_others_as_slow(items: list[pytest.Item]) -> None:
    """Marks cases of tests with the mark `sample(count)` as slow, so that `count` are left. The name decides which."""
    cases: defaultdict[str, list[pytest.Item]] = defaultdict(list)
    for item in items:
        if item.get_closest_marker("sample") is not None and item.get_closest_marker("slow") is None:
            cases[item.nodeid.partition("[")[0]].append(item)
    for name, found in cases.items():
        mark = found[0].get_closest_marker("sample")
        assert mark is not None
        if len(found) > (count := mark.args[0]):
            for item in random.Random(name).sample(found, len(found) - count):
                item.add_marker(pytest.mark.slow)


def pytest_runtest_setup(item: pytest.Item) -> None:
    global _path
    if item.path != _path:
        _path = item.path
        freeze()
    missing.told.clear()
    callspec = getattr(item, "callspec", None)
    if callspec is not None and callspec.params.get("case") is wpt_cases.NO_DATA:
        pytest.skip(wpt_cases.NO_DATA)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = terminalreporter.stats.get("skipped", [])
    if any(wpt_cases.NO_DATA in str(report.longrepr) for report in reports):
        cases = sum(entry["cases"] for entry in wpt_cases.MANIFEST.values())
        terminalreporter.section("WEB PLATFORM TESTS WERE NOT RUN", sep="!", red=True, bold=True)
        terminalreporter.line(f"{cases} cases in {len(wpt_cases.MANIFEST)} files: {wpt_cases.NO_DATA}", red=True)


def pytest_collection_finish() -> None:
    freeze()


def freeze() -> None:
    """Garbage collections no longer look at what is there, such as tests and their reports. That saves seconds of each
    minute.
    """
    gc.collect()
    gc.freeze()
