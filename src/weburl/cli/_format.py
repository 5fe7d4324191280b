"""Formats: what of a URL goes where."""

from __future__ import annotations

import re
from difflib import get_close_matches
from typing import Final, NamedTuple

from weburl._columns.fields import PARSE_FIELDS
from weburl.cli._status import UsageError
from weburl.cli.writers.output import quoted_of

# What other names there are.
ALIASES: Final = {"url": "href", "user": "username", "path": "pathname"}
INPUT: Final = "input"
NAMES: Final = (*PARSE_FIELDS, INPUT)
ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}
TOKEN: Final = re.compile(
    r"\\(?P<escape>.)|(?P<brace>\{\{|\}\})|\{(?P<field>(?:\\.|[^}\\])*)\}|(?P<stray>[{}\\])", re.DOTALL
)


class Field(NamedTuple):
    """What stands for a part of a URL: the name of a column of `weburl.bulk`, or "query_get" and a key."""

    name: str
    key: str | None
    label: str


def parse_field(text: str, format: str) -> Field:
    shown = f"{{{quoted_of(text, format)[1:-1]}}}"
    name, colon, key = text.partition(":")
    if colon:
        if name != "query":
            raise UsageError(f"{shown}: only query has names, as in {{query:id}}")
        return Field("query_get", _unescaped(key), f"query:{_unescaped(key)}")
    found = ALIASES.get(name, name)
    if found not in NAMES:
        near = get_close_matches(name, [*NAMES, *ALIASES], 1)
        hint = f"did you mean {{{near[0]}}}?" if near else f"the names are {' '.join(NAMES)} and query:NAME"
        raise UsageError(f"there is nothing named {shown}: {hint}")
    return Field(found, None, name)


def parse_format(text: str) -> list[str | Field]:
    """The literals and the fields of a format, in turn."""
    parts: list[str | Field] = []
    end = 0

    def add(literal: str) -> None:
        if parts and isinstance(parts[-1], str):
            parts[-1] += literal
        elif literal:
            parts.append(literal)

    for match in TOKEN.finditer(text):
        add(text[end : match.start()])
        end = match.end()
        if match["field"] is not None:
            parts.append(parse_field(match["field"], text))
        elif match["brace"]:
            add(match["brace"][0])
        elif match["escape"]:
            add(_unescaped(match[0]))
        else:
            raise UsageError(
                f"{match[0]} at {match.start() + 1} has no other half: {match[0] * 2} stands for {match[0]}"
            )
    add(text[end:])
    return parts


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)
