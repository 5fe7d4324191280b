"""JSON Lines: each line is an object, and a field of it is the URL."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from functools import partial

from weburl.cli._exit import InputError
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.records.fields import read_fields
from weburl.cli.readers.records.line_records import read_line_records
from weburl.cli.readers.rows import Keep, KeptColumn, LineNumbers, RecordBlock, RowBlock, invalid_record, keep_of

# Stands for the name of the column with all members of an object: no name has a lone surrogate.
ALL_MEMBERS = "\udfff"


def read_jsonl(stream: ByteStream, options: Namespace) -> Iterator[RowBlock | RecordBlock]:
    if options.field is None:
        raise InputError("--field must say which field has the URLs")
    keep = keep_of(options)
    if keep.is_exact or (keep.names is None and not keep.as_json):
        raise InputError(f"JSON Lines have no header: {keep.option} needs names here, as {keep.option}=id,time")
    keep.check_urls(options.field)
    names = (ALL_MEMBERS,) if keep.names is None else keep.names
    parse = partial(_parse, field=options.field, keep=keep, names=names)
    yield from read_line_records(stream, options, names, parse)


def _parse(data: bytes, begin: int, end: int, line: int, *, field: str, keep: Keep, names: tuple[str, ...]) -> RowBlock:
    wanted = [(field, False), *((name, keep.as_json) for name in keep.names or ())]
    left_out = keep.left_out if keep.names is None else None
    if left_out is not None and not keep.urls:
        left_out |= {field, field.partition(".")[0]}
    (urls, *kept), lines, wrong = read_fields(data, begin, end, tuple(wanted), left_out)
    faults = {row: invalid_record(*why) for row, why in wrong.items()}
    columns = [KeptColumn(column, keep.as_json) for column in kept]
    return RowBlock(urls, len(lines), LineNumbers(lines, line), names=names, kept=columns, faults=faults)
