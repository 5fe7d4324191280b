"""The edits of -s, --qtrim, -a and --sort-query, made to each URL before it is written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fnmatch import translate
from typing import Any, Final

from weburl import URL, InvalidURL
from weburl._columns.input import TooLong
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli._output_fields import ALIASES
from weburl.cli.readers.rows import TOO_LONG_NAME, Fault, Row
from weburl.forms import parse_form, serialize_form
from weburl.percent import percent_encode

PARTS: Final = (
    "href", "protocol", "scheme", "username", "password", "host", "hostname", "port", "pathname", "search", "query",
    "hash", "fragment",
)  # fmt: skip
# `URL.replace` takes only one of each pair.
SAME: Final = {"scheme": "protocol", "query": "search", "fragment": "hash"}


class Edits:
    """Edits(assignments, additions, globs, sort): what -s, -a, --qtrim and --sort-query are given."""

    def __init__(self, assignments: list[str], additions: list[str], globs: list[str], sort: bool) -> None:
        self.parts: dict[str, Any] = {}
        self.segments: list[str] = []
        self.pairs: list[tuple[str, str]] = []
        self.sort = sort
        self.trimmed = re.compile("|".join(map(translate, globs))) if globs else None
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

    def hrefs(self, rows: Sequence[Row], base: str | None) -> tuple[list[str | None], list[str | None]]:
        """The edited URL of each row, or None; and for each the name of its error, or None."""
        hrefs: list[str | None] = []
        errors: list[str | None] = []
        for row in rows:
            href = error = None
            if isinstance(row, TooLong):
                error = TOO_LONG_NAME
            elif isinstance(row, Fault):
                error = row.name
            elif row is not None:
                try:
                    href = self.edited(URL(row, base)).href
                except InvalidURL as invalid:
                    error = invalid.error
            hrefs.append(href)
            errors.append(error)
        return hrefs, errors

    def edited(self, url: URL) -> URL:
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
        """The edited query. Pairs that stay keep their spelling."""
        pairs = query.split("&") if query else []
        if self.trimmed:
            pairs = [pair for pair in pairs if not (pair and self.trimmed.match(_name(pair)))]
        # https://url.spec.whatwg.org/#concept-urlencoded-serializer
        pairs += [serialize_form([pair]) for pair in self.pairs]
        if self.sort:
            # https://url.spec.whatwg.org/#dom-urlsearchparams-sort
            pairs = sorted(filter(None, pairs), key=lambda pair: _name(pair).encode("utf-16-be", "surrogatepass"))
        return "&".join(pairs)


def _name(pair: str) -> str:
    pairs = parse_form(pair)
    return pairs[0][0] if pairs else ""
