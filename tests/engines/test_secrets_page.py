"""The page "Keep secrets out of logs in five minutes" is true, with the real packages."""

from __future__ import annotations

import json
import logging
from typing import Any

import pytest
from support.pages import DOCS, run_examples


def test_examples(capsys: pytest.CaptureFixture[str]) -> None:
    structlog, loguru = pytest.importorskip("structlog"), pytest.importorskip("loguru")
    sentry_sdk = pytest.importorskip("sentry_sdk")
    for package in ("opentelemetry.sdk", "polars"):
        pytest.importorskip(package)
    names: dict[str, Any] = {"__name__": "page"}
    shop = logging.getLogger("shop")
    before = shop.handlers[:]
    try:
        assert run_examples(DOCS / "howto/secrets.md", names) > 8
        # The test of the page notices a handler without the filter, and passes with one.
        shop.handlers[:] = before
        capsys.readouterr()
        for filters in ([], [names["RedactingFilter"]()]):
            handler = logging.StreamHandler(names["sys"].stdout)
            handler.filters[:] = filters
            shop.handlers[:] = [handler]
            if filters:
                names["test_logs_have_no_secrets"](capsys)
            else:
                with pytest.raises(AssertionError):
                    names["test_logs_have_no_secrets"](capsys)
        event = {"message": "GET https://h.example/?token=q8Zx", "extra": {"password": "hunter2"}}
        for hide in (names["hide_in_event"], names["hide_in_crumb"]):
            assert json.dumps(hide(event, {})) == (
                '{"message": "GET https://h.example/?token=REDACTED", "extra": {"password": "REDACTED"}}'
            )
    finally:
        shop.handlers[:] = before
        structlog.reset_defaults()
        sentry_sdk.get_global_scope().set_client(None)
        loguru.logger.remove()
        loguru.logger.configure(patcher=lambda record: None)
