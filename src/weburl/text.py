"""URLs in texts, and texts without secrets: logs, mail, source code."""

from __future__ import annotations

from weburl._redact.explained import Redaction, explain_redaction
from weburl._redact.text import redact_text
from weburl._text.replacing import WEB_SCHEMES, defang, find_urls, refang, replace_urls
from weburl._text.spans import URLSpan
from weburl._text.spans import restore_span as restore_span  # for pickles

__all__ = [
    "WEB_SCHEMES",
    "Redaction",
    "URLSpan",
    "defang",
    "explain_redaction",
    "find_urls",
    "redact_text",
    "refang",
    "replace_urls",
]


def __dir__() -> list[str]:
    return __all__
