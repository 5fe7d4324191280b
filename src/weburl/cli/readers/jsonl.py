"""JSON Lines: each line is an object, and a field of it is the URL."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from weburl._columns.input import TOO_LONG_ROW, TooLong
from weburl.cli._exit import InputError
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.json_records import read_fields
from weburl.cli.readers.rows import (
    RECORD_BYTES,
    Keep,
    KeptColumn,
    LineNumbers,
    RecordBlock,
    RowBlock,
    invalid_record,
    keep_of,
    line_cuts,
    null_columns,
)
from weburl.cli.readers.text import read_text
from weburl.cli.readers.text_column import count_lines

# The name of the column with all members of an object.
ALL_MEMBERS = ""


def read_jsonl(stream: ByteStream, options: Namespace) -> Iterator[RowBlock | RecordBlock]:
    if options.field is None:
        raise InputError("--field must say which field has the URLs")
    keep = keep_of(options)
    if keep.names is None and not keep.as_json:
        raise InputError("JSON Lines have no header: --keep needs names here, as --keep=id,time")
    keep.check_urls(options.field)
    names = (ALL_MEMBERS,) if keep.names is None else keep.names
    parse = partial(_parse, field=options.field, keep=keep, names=names)
    yield RowBlock([], 0, [], names=names, kept=null_columns(0, names))
    line = 0
    for block in read_text(stream, options):
        if isinstance(block.rows, bytes):
            cuts = line_cuts(block.rows, block.size, RECORD_BYTES)
            yield RecordBlock(block.rows, cuts, parse, line, block.done, block.pause)
            line += count_lines(block.rows, 0, block.size)
            continue
        # Each by itself: a line over the limit is among them.
        for text in block.rows:
            if isinstance(text, TooLong):
                kept = null_columns(1, names)
                yield RowBlock([TOO_LONG_ROW], 1, [line + 1], block.done, block.pause, names=names, kept=kept)
            else:
                data = f"{text}\n".encode()
                yield RecordBlock(data, [len(data)], parse, line, block.done, block.pause)
            line += 1


def _parse(data: bytes, begin: int, end: int, line: int, *, field: str, keep: Keep, names: tuple[str, ...]) -> RowBlock:
    wanted = [(field, False), *((name, keep.as_json) for name in keep.names or ())]
    left_out = keep.left_out if keep.names is None else None
    if left_out is not None and not keep.urls:
        left_out |= {field, field.partition(".")[0]}
    (urls, *kept), lines, wrong = read_fields(data, begin, end, tuple(wanted), left_out)
    faults = {row: invalid_record(*why) for row, why in wrong.items()}
    columns = [KeptColumn(column, keep.as_json) for column in kept]
    return RowBlock(urls, len(lines), LineNumbers(lines, line), names=names, kept=columns, faults=faults)
