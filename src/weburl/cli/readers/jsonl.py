"""JSON Lines: each line is an object, and a field of it is the URL."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from weburl._columns.input import TooLong
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.rows import Row, RowBlock
from weburl.cli.readers.text import read_text


def read_jsonl(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    if options.field is None:
        raise InputError("--field must say which field has the URLs")
    import json

    number = 0
    for block in read_text(stream, options):
        rows: list[Row] = []
        numbers = []
        for line in block.texts():
            number += 1
            if isinstance(line, TooLong):
                rows.append(line)
                numbers.append(number)
            elif line and line.strip():
                try:
                    value = json.loads(line)
                except (ValueError, RecursionError) as error:
                    raise InputError(f"line {number} is not JSON: {error}") from None
                rows.append(_field_of(value, options.field, number))
                numbers.append(number)
        yield RowBlock(rows, len(rows), numbers, block.done, block.pause)


def _field_of(value: Any, field: str, number: int) -> str | None:
    if isinstance(value, dict) and field in value:
        value = value[field]
    else:
        for name in field.split("."):
            if not isinstance(value, dict):
                raise InputError(f"line {number}: the field {quoted(field)} is not in an object")
            value = value.get(name)
            if value is None:
                break
    if value is not None and not isinstance(value, str):
        raise InputError(f"line {number}: the field {quoted(field)} is not a string")
    return value
