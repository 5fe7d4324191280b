"""What a machine does not have. A test that fails because of it counts as skipped.

Only the exception says so: its type and its message, or those of its cause. What a test prints says nothing.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple
from unittest.mock import patch

import pytest


class Missing(NamedTuple):
    """An exception, and how its message begins; after three dots, how it ends."""

    error: type[Exception]
    message: str


# What Python, or weburl, says in WebAssembly: there are no threads, processes, terminals and limits of memory. That
# columns and the command take one thread by themselves is in tests/test_webassembly.py.
OF_WEBASSEMBLY = (
    Missing(RuntimeError, "can't start new thread"),
    Missing(ValueError, "...this Python, which is WebAssembly, starts no threads"),
    Missing(OSError, "...emscripten does not support processes."),
    Missing(ModuleNotFoundError, "No module named 'resource'"),
    Missing(OSError, "out of pty devices"),
    Missing(AttributeError, "module 'os' has no attribute 'mkfifo'"),
    Missing(AttributeError, "module 'os' has no attribute 'removexattr'"),
    Missing(AttributeError, "module 'socket' has no attribute 'AF_UNIX'"),
)
# It has no wheel for some systems and processors.
OF_SELECTOLAX = (Missing(ImportError, "this needs selectolax"),)
HERE = (OF_WEBASSEMBLY if sys.platform == "emscripten" else ()) + (() if find_spec("selectolax") else OF_SELECTOLAX)

# Those that the command has told its user, since the test began.
told: list[Missing] = []


def missing(error: BaseException) -> Missing | None:
    """What the exception says is missing here."""
    for each in HERE:
        begin, dots, end = each.message.partition("...")
        text = str(error)
        if isinstance(error, each.error) and (text.endswith(end) if dots else text.startswith(begin)):
            return each
    return None


def with_causes(error: BaseException | None, seen: frozenset[int] = frozenset()) -> Iterator[BaseException]:
    """The exception, and those that it comes from; of doctest, those of the examples."""
    if error is None or id(error) in seen:
        return
    yield error
    causes = [error.__cause__ or error.__context__, *getattr(error, "exceptions", ()), *getattr(error, "failures", ())]
    for cause in (*causes, (getattr(error, "exc_info", None) or (None, None))[1]):
        yield from with_causes(cause, seen | {id(error)})


@contextmanager
def noticing() -> Iterator[None]:
    """Keeps what the command says is missing: it turns exceptions into messages."""
    from weburl import cli
    from weburl.cli import _messages, _parser

    def complain(*lines: Any) -> None:
        told.extend(filter(None, map(missing, with_causes(sys.exc_info()[1]))))
        print_lines(*lines)

    print_lines = _messages.complain
    with patch.object(cli, "complain", complain), patch.object(_parser, "complain", complain):
        yield


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if HERE and report.failed and call.excinfo is not None:
        found = next(filter(None, map(missing, with_causes(call.excinfo.value))), None) or next(iter(told), None)
        if found is not None:
            file, line, _ = report.location
            report.outcome, report.longrepr = "skipped", (file, line or 0, f"Skipped: {found.message}")
    return report
