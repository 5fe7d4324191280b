"""The header Link: https://www.rfc-editor.org/rfc/rfc8288#section-3"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._core.percent import SETS, decode, encode_bytes, utf8
from weburl._crawl.relations import kinds_of

OWS: Final = " \t"
BETWEEN: Final = re.compile(r"[ \t,]*+")
TARGET: Final = re.compile(r"<([^>]*+)>")
# https://www.rfc-editor.org/rfc/rfc8288#appendix-B.3
PARAMETER: Final = re.compile(
    r"[ \t]*+;[ \t]*+([^ \t=;,]*+)[ \t]*+(?:=[ \t]*+(?:\"((?:[^\"\\]|\\.)*+)(?:\"|\\?\Z)|([^;,]*+)))?", re.DOTALL
)
# What is not a link, up to the comma before the next one.
JUNK: Final = re.compile(r"(?:[^,\"<]|\"(?:[^\"\\]|\\.)*+(?:\"|\\?\Z)|<[^>]*+(?:>|\Z))*+", re.DOTALL)
ESCAPED: Final = re.compile(r"\\(.)", re.DOTALL)
# https://www.rfc-editor.org/rfc/rfc8187#section-3.2.1
EXTENDED: Final = re.compile(r"([^']*)'[^']*'(.*)", re.DOTALL)
NOT_ASCII: Final = re.compile(r"[\x80-\xff]+")


class HeaderLink(NamedTuple):
    """A link as the header has it."""

    kind: str | None
    tag: str | None
    attribute: str
    value: str
    text: str | None
    rel: str | None
    hreflang: str | None
    type: str | None
    anchor: str | None
    url: str


def read_links(value: bytes | str) -> Iterator[HeaderLink]:
    """The links in the value of a header. A link has a row for each of its kinds."""
    if not isinstance(value, (bytes, str)):
        raise wrong_type(value, "value must be bytes or a str")
    is_text = isinstance(value, str)
    text = utf8(value).decode() if isinstance(value, str) else value.decode("latin-1")
    position = skip(BETWEEN, text, 0)
    while position < len(text):
        target = TARGET.match(text, position)
        if target is None:
            position = skip(BETWEEN, text, skip(JUNK, text, position))
            continue
        position = target.end()
        parameters: dict[str, str] = {}
        languages = []
        while parameter := PARAMETER.match(text, position):
            position = parameter.end()
            name, quoted, plain = parameter.groups()
            given = (plain or "").rstrip(OWS) if quoted is None else ESCAPED.sub(r"\1", quoted)
            if name.lower() == "hreflang":
                languages.append(given)
            # The first of each name counts.
            parameters.setdefault(name.lower(), given)
        position = skip(BETWEEN, text, skip(JUNK, text, position))
        url = target[1] if is_text else NOT_ASCII.sub(escape, target[1])
        rel = parameters.get("rel")
        words = set((rel or "").lower().split())
        kinds: list[str | None] = [*kinds_of(words, parameters.get("as", "").lower())]
        for kind in kinds or [None]:
            yield HeaderLink(
                kind,
                None,
                "Link",
                target[1] if is_text else readable(target[1]),
                title_of(parameters, is_text),
                rel,
                ", ".join(languages) if languages else None,
                parameters.get("type"),
                parameters.get("anchor"),
                url,
            )


def skip(pattern: re.Pattern[str], text: str, position: int) -> int:
    """Where what the pattern matches ends; it may be empty."""
    match = pattern.match(text, position)
    return position if match is None else match.end()


def title_of(parameters: dict[str, str], is_text: bool) -> str | None:
    extended = EXTENDED.fullmatch(parameters.get("title*", ""))
    if extended is not None and extended[1].lower() in ("utf-8", "iso-8859-1"):
        return decode(extended[2]).decode(extended[1].lower(), "replace")
    title = parameters.get("title")
    return title if title is None or is_text else readable(title)


def escape(run: re.Match[str]) -> str:
    """The escapes of bytes that are not ASCII, whatever text they stand for, as in a redirect."""
    return encode_bytes(run[0].encode("latin-1"), SETS["c0-control"])


def readable(text: str) -> str:
    """Bytes, given as code points, as a text."""
    return text.encode("latin-1").decode("utf-8", "replace")
