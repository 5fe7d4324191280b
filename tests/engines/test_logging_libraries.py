"""The recipes of docs/engines/logging.md, with the real packages."""

from __future__ import annotations

import json
import re
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "engines" / "logging.md").read_text("utf-8")
SECRET = "q8Zx" + "3f7aK1vB9m"
URL_TEXT = f"https://ada:{SECRET}@h.example/a?token={SECRET}&page=2"
SHOWN = "https://REDACTED:REDACTED@h.example/a?token=REDACTED&page=2"


def recipe(title: str) -> dict[str, Any]:
    """The names that the program below a title makes."""
    section = PAGE.partition(f"\n### {title}\n")[2]
    program = re.match(r".*?```python\n(.*?)```", section, re.DOTALL)
    assert program is not None
    names: dict[str, Any] = {}
    exec(program[1], names)
    return names


def test_structlog() -> None:
    structlog = pytest.importorskip("structlog")
    try:
        recipe("structlog")
        out = StringIO()
        logger = structlog.wrap_logger(structlog.PrintLogger(out))
        headers = {"Cookie": [f"sid={SECRET}"], "Accept": "*/*"}
        logger.info(f"at {URL_TEXT}", url=URL_TEXT, password=SECRET, headers=headers, n=5)
        try:
            raise ValueError(URL_TEXT)
        except ValueError:
            logger.exception("failed")
        first, second = map(json.loads, out.getvalue().splitlines())
        assert first["event"] == f"at {SHOWN}"
        assert (first["url"], first["password"], first["n"]) == (SHOWN, "REDACTED", 5)
        assert first["headers"] == {"Cookie": ["REDACTED"], "Accept": "*/*"}
        assert f"ValueError: {SHOWN}" in second["exception"]
        assert SECRET not in out.getvalue()
        assert headers["Cookie"] == [f"sid={SECRET}"]
    finally:
        structlog.reset_defaults()


def test_loguru() -> None:
    loguru = pytest.importorskip("loguru")
    try:
        recipe("loguru")
        out = StringIO()
        rows: list[Any] = []
        loguru.logger.remove()
        loguru.logger.add(out, format="{message} {extra}", backtrace=True, diagnose=True)
        loguru.logger.add(rows.append, serialize=True)
        loguru.logger.bind(password=SECRET, headers={"Cookie": [f"sid={SECRET}"]}, n=5).info("at {}", URL_TEXT)
        assert out.getvalue().startswith(f"at {SHOWN} ")
        assert "'n': 5" in out.getvalue()
        try:
            raise ValueError(URL_TEXT)
        except ValueError:
            loguru.logger.exception("failed")
        assert SECRET not in out.getvalue()
        assert "failed\nTraceback (most recent call last):\n" in out.getvalue()
        assert f"ValueError: {SHOWN}\n" in out.getvalue()
        assert len(rows) == 2
        assert SECRET not in "".join(rows)
        assert json.loads(rows[0])["record"]["extra"]["password"] == "REDACTED"
    finally:
        loguru.logger.remove()
        loguru.logger.configure(patcher=lambda record: None)


def test_sentry() -> None:
    sentry_sdk = pytest.importorskip("sentry_sdk")
    names = recipe("Sentry")
    events: list[Any] = []

    class Kept(sentry_sdk.transport.Transport):  # type: ignore[misc, name-defined]
        def capture_envelope(self, envelope: Any) -> None:
            events.append(envelope.get_event())

    client = sentry_sdk.Client(
        dsn="https://key@h.example/1", before_send=names["hide_secrets"], before_breadcrumb=names["hide_crumb"],
        transport=Kept, default_integrations=False, include_local_variables=True,
    )  # fmt: skip
    with sentry_sdk.isolation_scope() as scope:
        scope.set_client(client)
        scope.set_extra("password", SECRET)
        scope.set_context("request", {"headers": {"Cookie": f"sid={SECRET}"}})
        scope.add_breadcrumb(message=f"GET {URL_TEXT}", data={"url": URL_TEXT})
        try:
            url = URL_TEXT
            raise ValueError(url)
        except ValueError as error:
            scope.capture_exception(error)
        scope.capture_message(f"at {URL_TEXT}")
    client.flush()
    assert len(events) == 2
    assert SECRET not in json.dumps(events)
    assert events[0]["exception"]["values"][0]["value"] == SHOWN
    assert events[0]["extra"]["password"] == "REDACTED"
    assert events[1]["message"] == f"at {SHOWN}"
