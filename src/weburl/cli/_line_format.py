"""The FORMAT of -g: text with fields in braces."""

from __future__ import annotations

from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted_part
from weburl.cli._output_fields import (
    ALIASES,
    COLUMN,
    COLUMN_NAMES,
    DEFAULT_PORT,
    KEYED,
    NAMES,
    PARTS,
    QUERY_VALUE,
    OutputField,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

OTHERS: Final = "query:NAME query-all:NAME default:port must:NAME group:NAME and column:NAME"
ESCAPES: Final = {"n": "\n", "t": "\t", "r": "\r", "0": "\0"}


def parse_format(format: str) -> list[str | OutputField]:
    """The texts and the fields of a format, in order."""
    parts: list[str | OutputField] = []
    place = 0

    def add(text: str) -> None:
        if parts and isinstance(parts[-1], str):
            parts[-1] += text
        elif text:
            parts.append(text)

    # A scan, and not a regular expression: a command that has one URL to print does without the module re.
    while place < len(format):
        character = format[place]
        if character == "\\" and place + 1 < len(format):
            add(_unescaped(format[place : place + 2]))
            place += 2
        elif format[place : place + 2] in ("{{", "}}"):
            add(character)
            place += 2
        elif character == "{" and (end := _end_of_field(format, place)):
            parts.append(_field(format[place + 1 : end - 1], format))
            place = end
        elif character in "{}\\":
            raise UsageError(
                f"{character} at character {place + 1} has no counterpart: write {character * 2} for {character}"
            )
        else:
            add(character)
            place += 1
    return parts


def _end_of_field(format: str, begin: int) -> int:
    """Where a field ends that begins with a brace there; 0 if it does not end."""
    place = begin + 1
    while place < len(format):
        if format[place] == "}":
            return place + 1
        place += 2 if format[place] == "\\" else 1
    return 0


def parse_columns(format: str) -> list[OutputField]:
    """The fields of a format that has nothing else but spaces and commas; each label once."""
    parts = parse_format(format)
    for part in parts:
        if isinstance(part, str) and part.strip(" ,\t\n"):
            raise UsageError(
                f"-g takes only columns here, as '{{hostname}} {{query:id}}': "
                f"{quoted_part(part, format)} is not a column"
            )
    columns = list({part.label: part for part in parts if isinstance(part, OutputField)}.values())
    if not columns:
        raise UsageError("-g takes columns here, as '{hostname} {query:id}', but none is given")
    return columns


def _field(text: str, format: str) -> OutputField:

    def shown() -> str:
        return f"{{{quoted_part(text, format)[1:-1]}}}"

    name, colon, key = text.partition(":")
    if name == "must" and colon:
        field = _field(key, format)
        if field.name not in (*PARTS, QUERY_VALUE):
            raise UsageError(
                f"{shown()}: must: is for parts of a URL, as in {{must:query}}, and for {{must:query:NAME}}"
            )
        return field._replace(must=True)
    if name == "default" and colon:
        if key != "port":
            raise UsageError(f"{shown()}: default: is only for {{default:port}}")
        return OutputField(DEFAULT_PORT, None, "port")
    if colon:
        if name not in KEYED:
            raise UsageError(f"{shown()}: only query, query-all, group and column take a name, as in {{query:id}}")
        key = _unescaped(key)
        return OutputField(KEYED[name], key, key if name == COLUMN else f"{name}:{key}")
    if name in COLUMN_NAMES:
        return OutputField(COLUMN, name, name)
    field_name = ALIASES.get(name, name)
    if field_name not in NAMES:
        from difflib import get_close_matches

        near = get_close_matches(name, [*NAMES, *ALIASES, *COLUMN_NAMES], 1)
        hint = (
            f"did you mean {{{near[0]}}}?"
            if near
            else f"the names are {' '.join(NAMES)} {' '.join(COLUMN_NAMES)} {' '.join(ALIASES)} {OTHERS}"
        )
        raise UsageError(f"no field is named {shown()}: {hint}")
    return OutputField(field_name, None, name)


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    import re

    return re.sub(r"\\(.)", lambda match: ESCAPES.get(match[1], match[1]), text, flags=re.DOTALL)
