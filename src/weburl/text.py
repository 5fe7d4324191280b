"""URLs in texts, and texts without secrets: logs, mail, source code."""

from __future__ import annotations

from weburl._redact.explained import Redaction, explain_redaction
from weburl._redact.redact import redact_text
from weburl._text.replacing import WEB_SCHEMES, defang, find_urls, refang, replace_urls
from weburl._text.spans import URLSpan
from weburl._text.spans import restore_span as restore_span  # for pickles

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from weburl.bulk import find_urls_many, redact_text_many

__all__ = [
    "WEB_SCHEMES",
    "Redaction",
    "URLSpan",
    "defang",
    "explain_redaction",
    "find_urls",
    "find_urls_many",
    "redact_text",
    "redact_text_many",
    "refang",
    "replace_urls",
]


def __dir__() -> list[str]:
    return __all__


def __getattr__(name: str) -> Any:
    """The functions for columns, which need more modules."""
    if name not in {"find_urls_many", "redact_text_many"}:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from weburl import bulk

    return getattr(bulk, name)
