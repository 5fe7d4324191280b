"""Texts that have URLs in them, such as logs, mail and source code."""

from __future__ import annotations

from weburl._redact.explained import Redaction, explain_redaction
from weburl._redact.text import redact_text

__all__ = ["Redaction", "explain_redaction", "redact_text"]


def __dir__() -> list[str]:
    return __all__
