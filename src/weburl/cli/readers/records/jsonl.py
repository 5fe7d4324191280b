"""JSON Lines: each line is an object, and a field of it is the URL."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

from weburl.cli._exit import WrongOptionError
from weburl.cli._messages import quoted
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.field_path import EACH, field_names, field_path
from weburl.cli.readers.reading import ALL_MEMBERS, Keep, Reading, SeenFields
from weburl.cli.readers.records.cells import read_fields
from weburl.cli.readers.records.line_records import read_line_records
from weburl.cli.readers.row_blocks import KeptColumn, LineNumbers, RecordBlock, RowBlock, invalid_record


def read_jsonl(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock | RecordBlock]:
    field = reading.field
    if field is None:
        raise WrongOptionError("--field must say which field has the URLs")
    several = [name for name in keep.names or () if EACH in field_path(name)]
    if several:
        raise WrongOptionError(f"{quoted(several[0])} is several values of one record: only --field takes such a path")
    if EACH in field_path(field) and keep.names is None:
        raise WrongOptionError(f"{quoted(field)} is several rows of one record: {keep.option} needs names here")
    if keep.is_exact or (keep.names is None and not keep.as_json):
        raise WrongOptionError(f"JSON Lines have no header: {keep.option} needs names here, as {keep.option}=id,time")
    names = (*keep.more, ALL_MEMBERS) if keep.names is None else keep.names
    stream.fields.wanted = (field, *(keep.more if keep.names is None else keep.names))
    parse = partial(_parse, field=field, keep=keep, names=names, fields=stream.fields)
    yield from read_line_records(stream, reading.limit, names, parse)


def _parse(
    data: bytes,
    begin: int,
    end: int,
    line: int,
    *,
    field: str,
    keep: Keep,
    names: tuple[str, ...],
    fields: SeenFields,
) -> RowBlock:
    wanted = [(name, keep.as_json) for name in (keep.more if keep.names is None else keep.names)]
    left_out = keep.left_out if keep.names is None else None
    if left_out is not None and keep.redacts:
        left_out |= {field, *filter(None, field_names(field)[:2])}
    (urls, *kept), lines, wrong = read_fields(data, begin, end, ((field, False), *wanted), left_out)
    if len(lines):
        fields.has_records = True
        columns = zip(fields.wanted, (urls, *kept), strict=False)
        fields.seen.update(name for name, column in columns if name not in fields.seen and any(column.validity))
    faults = {row: invalid_record(*why) for row, why in wrong.items()}
    kept_columns = [KeptColumn(column, keep.as_json) for column in kept]
    return RowBlock(urls, len(lines), LineNumbers(lines, line), names=names, kept=kept_columns, faults=faults)
