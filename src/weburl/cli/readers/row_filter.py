"""The filter of --status, --since and --until: which records are left out because of their columns."""

from __future__ import annotations

import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, compress
from typing import Any, Final

from weburl._arrow.input import Input, TooLong
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.reading import ALL_MEMBERS, STATUS, TIME, Keep, Moment, RowFilter, SeenFields
from weburl.cli.readers.row_blocks import Fault, KeptColumn, RecordBlock, RowBlock
from weburl.cli.readers.rows.text_column import TextColumn, kept_texts, leave_out, read_time

MOST_STATUS: Final = 10**18
UNITS: Final = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}  # seconds
LONGEST_AGO: Final = 9  # digits
FOREVER: Final = 1 << 62  # microseconds
# Marks of records; those of lines that are not such records stay, and are errors.
KNOWN: Final = b"\1"
NOT_READ: Final = 2

Blocks = Iterator[RowBlock | RecordBlock]


def statuses(text: str) -> tuple[tuple[int, int], ...]:
    """What --status takes: numbers such as 404, 5xx and 400-499, with commas between them, as the ends of ranges."""
    return tuple(_range(part) for part in text.split(","))


def _range(part: str) -> tuple[int, int]:
    first, dash, last = part.strip().lower().partition("-")
    digits = first.rstrip("x")
    low, high = f"{digits}{'0' * (len(first) - len(digits))}", last if dash else first.replace("x", "9")
    is_number = all(text.isascii() and text.isdecimal() for text in (digits, low, high))
    if not is_number or (dash and digits != first) or not int(low) <= int(high) < MOST_STATUS:
        from argparse import ArgumentTypeError

        raise ArgumentTypeError(f"STATUS is such as 404, 5xx or 400-499, with commas between them, not {quoted(part)}")
    return int(low), int(high)


def moment(text: str) -> Moment:
    """What --since and --until take: a date and a time of ISO 8601, or how long ago."""
    number, unit = text[:-1], text[-1:]
    if unit in UNITS and number.isascii() and number.isdecimal() and len(number) <= LONGEST_AGO:
        return Moment(max(int((time.time() - int(number) * UNITS[unit]) * 1e6), -FOREVER), "instant", text)
    read = read_time(text.encode("utf-8", "replace"))
    # A number of seconds is a time in records; here it is more likely a unit that is missing.
    if read is None or text.partition(".")[0].isdecimal():
        from argparse import ArgumentTypeError

        what = "a date, such as 2026-11-28 or 2026-11-28T14:30+01:00, or how long ago, such as 30m, 12h or 7d"
        raise ArgumentTypeError(f"TIME is {what}, not {quoted(text)}")
    clock, offset = read
    return Moment(clock, "clock") if offset is None else Moment(clock - offset, "instant")


def blocks_left(filter: RowFilter, read: Callable[[Keep], Blocks], keep: Keep, fields: SeenFields) -> Blocks:
    """The blocks that `read` gives, without the records that are left out. It is asked for the columns, too."""
    asked = keep._replace(left_out=keep.left_out.difference(filter.columns), more=filter.columns)
    if keep.names is not None:
        asked = asked._replace(names=tuple(dict.fromkeys((*keep.names, *filter.columns))))
    for name in filter.columns:
        fields.filtered.setdefault(name, False)
    before = 0
    for block in read(asked):
        if isinstance(block, RecordBlock):
            yield block._replace(parse=partial(_parsed, filter, block.parse, keep, fields))
        else:
            yield _left(filter, block, keep, fields, before)
            before += block.size


def _parsed(
    filter: RowFilter,
    parse: Callable[[bytes, int, int, int], RowBlock],
    keep: Keep,
    fields: SeenFields,
    data: bytes,
    begin: int,
    end: int,
    line: int,
) -> RowBlock:
    return _left(filter, parse(data, begin, end, line), keep, fields)


def _left(filter: RowFilter, block: RowBlock, keep: Keep, fields: SeenFields, before: int = 0) -> RowBlock:
    """A block without the records that are left out; `before` is how many the file has before it."""
    columns = dict(zip(block.names, block.kept, strict=True))
    marks = bytearray(KNOWN * block.size)
    for row in block.faults:
        marks[row] = NOT_READ
    if isinstance(block.rows, list):
        for row, text in enumerate(block.rows):
            marks[row] = NOT_READ if isinstance(text, (TooLong, Fault)) else marks[row]
    for name, kind, ranges in _tests(filter):
        if leave_out(_texts(columns[name], name), marks, array("q", ranges).tobytes(), kind):
            fields.filtered[name] = True
    fields.has_records |= block.size > len(block.faults)
    fields.has_left |= KNOWN in marks
    names = tuple(name for name in block.names if _is_kept(name, block.names, keep))
    block = block._replace(names=names, kept=[columns[name] for name in names])
    return block if all(marks) else _only(block, bytes(marks), before)


def _tests(filter: RowFilter) -> Iterator[tuple[str, str, tuple[int, ...]]]:
    """For each test: its column, how that is read, and the first and the last number of each range."""
    if filter.statuses:
        yield STATUS, "number", tuple(end for ends in filter.statuses for end in ends)
    if filter.since is not None:
        yield TIME, filter.since.kind, (filter.since.microseconds, FOREVER)
    if filter.until is not None:
        yield TIME, filter.until.kind, (-FOREVER, filter.until.microseconds - 1)


def _is_kept(name: str, names: Sequence[str], keep: Keep) -> bool:
    if keep.names is not None:
        return name in keep.names
    return name == ALL_MEMBERS if ALL_MEMBERS in names else name not in keep.left_out


def _texts(column: KeptColumn, name: str) -> Input:
    if not isinstance(column.values, TextColumn):
        from weburl.cli.readers.column_texts import kept_column

        try:
            column = kept_column(column.values, Keep(), None)
        except (ValueError, OverflowError, KeyError) as error:
            raise InputError(f"the column {quoted(name)} cannot be read as text: {error}") from None
    return column.input()


def _only(block: RowBlock, marks: bytes, before: int) -> RowBlock:
    """The rows of a block that are marked. They keep the numbers of their lines, or get those of their rows."""
    rows, places = block.rows, [0, *accumulate(map(bool, marks))]
    numbers = block.lines or range(before + 1, before + 1 + len(marks))
    if isinstance(rows, TextColumn):
        rows = kept_texts(rows.input(), 0, len(marks), marks)
    elif isinstance(rows, list):
        rows = list(compress(rows, marks))
    else:
        rows = _taken(rows, marks)
    columns = []
    for column in block.kept:
        if isinstance(column.values, TextColumn):
            columns.append(column._replace(values=kept_texts(column.input(), 0, len(marks), marks)))
        else:
            columns.append(column._replace(values=_taken(column.values, marks)))
    return block._replace(
        rows=rows,
        size=places[-1],
        lines=array("q", compress(numbers, marks)),
        kept=columns,
        faults={places[row]: fault for row, fault in block.faults.items() if marks[row]},
    )


def _taken(values: Any, marks: bytes) -> Any:
    import pyarrow

    from weburl.cli.readers.column_texts import filtered

    return filtered(values, pyarrow.array(map(bool, marks), pyarrow.bool_()))
