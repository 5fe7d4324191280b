"""URLs in texts: logs, mail, source code."""

from __future__ import annotations

from weburl._text.replacing import WEB_SCHEMES, defang, find_urls, refang, replace_urls
from weburl._text.spans import URLSpan
from weburl._text.spans import restore_span as restore_span  # for pickles

__all__ = ["WEB_SCHEMES", "URLSpan", "defang", "find_urls", "refang", "replace_urls"]


def __dir__() -> list[str]:
    return __all__
