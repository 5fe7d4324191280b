"""Where a meta refresh leads."""

from __future__ import annotations

import re
from typing import Final, NamedTuple

REFRESH: Final = re.compile(
    r"[\t\n\f\r ]*+(?:([0-9]++)|(?=\.))[0-9.]*+"
    r"(?:\Z|(?=[;,\t\n\f\r ])[\t\n\f\r ]*+[;,]?[\t\n\f\r ]*+(.*+))",
    re.DOTALL,
)
URL_EQUALS: Final = re.compile(r"url[\t\n\f\r ]*+=[\t\n\f\r ]*+", re.IGNORECASE | re.ASCII)


class Refresh(NamedTuple):
    """The seconds, as digits, and the URL as it is written; None is the document itself."""

    seconds: str
    url: str | None


# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
def parse_refresh(content: str) -> Refresh | None:
    """What the attribute `content` of a meta refresh says, or None if it is not a refresh."""
    match = REFRESH.match(content)
    if match is None:
        return None
    seconds = (match[1] or "0").lstrip("0") or "0"
    url = match[2]
    if not url:
        return Refresh(seconds, None)
    if equals := URL_EQUALS.match(url):
        url = url[equals.end() :]
    elif url[0] in "uU":
        # What begins as `url` and is not is the URL, with its quotes.
        return Refresh(seconds, url)
    if url[:1] in ("'", '"'):
        url = url[1:].partition(url[0])[0]
    return Refresh(seconds, url)
