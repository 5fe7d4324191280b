"""URLs in texts: logs, mail, source code."""

from __future__ import annotations

from weburl._text.finder import URLSpan
from weburl._text.replacing import WEB_SCHEMES, defang, find_urls, refang, replace_urls

__all__ = ["WEB_SCHEMES", "URLSpan", "defang", "find_urls", "refang", "replace_urls"]


def __dir__() -> list[str]:
    return __all__
