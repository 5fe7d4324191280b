"""What is made of URLs before they are written: parts that are set, and queries that are trimmed, added to, sorted."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from typing import Any, Final

from weburl import URL, InvalidURL
from weburl._columns.input import TooLong
from weburl.cli._format import ALIASES
from weburl.cli._status import UsageError
from weburl.cli.readers.input import TOO_LONG_NAME, Row
from weburl.cli.writers.output import quoted
from weburl.forms import parse_form, serialize_form
from weburl.percent import percent_encode

PARTS: Final = (
    "href", "protocol", "scheme", "username", "password", "host", "hostname", "port", "pathname", "search", "query",
    "hash", "fragment",
)  # fmt: skip
# Of those that there are in two ways, `replace` takes one.
SAME: Final = {"scheme": "protocol", "query": "search", "fragment": "hash"}


class Change:
    """Change(set, append, trim, sort): the texts of the options of these names."""

    def __init__(self, assignments: list[str], additions: list[str], patterns: list[str], sort: bool) -> None:
        self.parts: dict[str, Any] = {}
        self.segments: list[str] = []
        self.pairs: list[tuple[str, str]] = []
        self.sort = sort
        self.trimmed = re.compile("|".join(map(translate, patterns))) if patterns else None
        for text in assignments:
            name, equals, value = text.partition("=")
            part = ALIASES.get(name, name)
            if not equals or part not in PARTS:
                raise UsageError(f"-s takes PART=VALUE, where PART is one of {' '.join(PARTS)}, not {quoted(text)}")
            for twin in (other for pair in SAME.items() if part in pair for other in pair):
                self.parts.pop(twin, None)
            self.parts[part] = None if part in ("query", "fragment") and not value else value
        for text in additions:
            part, equals, value = text.partition("=")
            if equals and ALIASES.get(part, part) == "pathname":
                self.segments.append(percent_encode(value, "component"))
            elif equals and part in ("query", "search"):
                name, _, value = value.partition("=")
                self.pairs.append((name, value))
            else:
                raise UsageError(f"-a takes query=NAME=VALUE or path=SEGMENT, not {quoted(text)}")

    def __bool__(self) -> bool:
        return bool(self.parts or self.segments or self.pairs or self.trimmed or self.sort)

    def texts(self, texts: Sequence[Row], base: str | None) -> tuple[list[str | None], list[str | None]]:
        """What becomes of each URL, None where it is none; and beside it the name of what is wrong."""
        hrefs: list[str | None] = []
        errors: list[str | None] = []
        for text in texts:
            href = error = None
            if isinstance(text, TooLong):
                error = TOO_LONG_NAME
            elif text is not None:
                try:
                    href = self.url(URL(text, base)).href
                except InvalidURL as invalid:
                    error = invalid.error
            hrefs.append(href)
            errors.append(error)
        return hrefs, errors

    def url(self, url: URL) -> URL:
        if self.parts:
            url = url.replace(**self.parts)
        if self.segments:
            if url.has_opaque_path:
                raise InvalidURL(url.pathname, None, "ignored", "pathname")
            url.pathname = "/".join([url.pathname.removesuffix("/"), *self.segments])
        if self.trimmed or self.pairs or self.sort:
            query = self._query(url.query or "")
            if query != (url.query or ""):
                url.search = f"?{query}" if query else ""
        return url

    def _query(self, query: str) -> str:
        """Pieces that stay are as they were."""
        pieces = query.split("&") if query else []
        if self.trimmed:
            pieces = [piece for piece in pieces if not (piece and self.trimmed.match(_name(piece)))]
        # https://url.spec.whatwg.org/#concept-urlencoded-serializer
        pieces += [serialize_form([pair]) for pair in self.pairs]
        if self.sort:
            # https://url.spec.whatwg.org/#dom-urlsearchparams-sort
            pieces = sorted(filter(None, pieces), key=lambda piece: _name(piece).encode("utf-16-be", "surrogatepass"))
        return "&".join(pieces)


def _name(piece: str) -> str:
    pairs = parse_form(piece)
    return pairs[0][0] if pairs else ""
