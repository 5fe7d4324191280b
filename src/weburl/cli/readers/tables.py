"""Parquet, Arrow IPC and Feather: each value of a column is a URL."""

from __future__ import annotations

import re
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from math import isfinite
from typing import Any, Final

from weburl._arrow import input
from weburl._arrow.pieces import PIECE_ROWS
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.column_names import column_index
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.names import partition_of
from weburl.cli.readers.rows import KeptColumn, RowBlock, keep_of, kept_names

# How Arrow writes times: what it cannot write, and the end of one with a zone.
OUT_OF_RANGE: Final = "<value out of range"
ZONE: Final = re.compile(r"([+-][0-9]{2})([0-9]{2})\Z")
# What a file of Arrow IPC begins with; a stream does not.
IPC_FILE: Final = b"ARROW1"


def read_parquet(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    with _in_our_words("Parquet"), stream.whole_file() as file:
        from pyarrow.parquet import ParquetFile

        # By default it reads ahead without a limit, and a whole column of a row group at once.
        table = ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
        wanted = _Wanted(table.schema_arrow.names, stream, options)
        yield wanted.block(table.schema_arrow.empty_table(), 0, 0)
        for batch in table.iter_batches(PIECE_ROWS, columns=wanted.names):
            yield wanted.block(batch, len(batch), file.tell())


def read_arrow(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    is_file = stream.head.startswith(IPC_FILE)
    with _in_our_words("Arrow"), stream.whole_file() if is_file else nullcontext(stream) as file:
        from pyarrow import ipc

        if is_file:
            names = ipc.open_file(file).schema.names
            wanted = _Wanted(names, stream, options)
            some = ipc.IpcReadOptions(included_fields=[names.index(each) for each in wanted.names])
            table = ipc.open_file(file, options=some)
            batches = (table.get_batch(number) for number in range(table.num_record_batches))
        else:
            # Its columns cannot be chosen before its schema is read.
            batches = table = ipc.open_stream(stream)
            wanted = _Wanted(table.schema.names, stream, options)
        yield wanted.block(table.schema.empty_table(), 0, 0)
        for whole in batches:
            batch = whole.select(wanted.names)
            # Arrow does not check what it reads.
            batch.validate(full=True)
            for begin in range(0, len(batch), PIECE_ROWS):
                part = batch.slice(begin, PIECE_ROWS)
                yield wanted.block(part, len(part), file.tell())


@contextmanager
def _in_our_words(kind: str) -> Iterator[None]:
    try:
        import pyarrow
    except ModuleNotFoundError as error:
        raise InputError(f"{kind} needs {error.name}: pip install weburl[parquet]") from None
    try:
        yield
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        why = str(error).partition("\n")[0].removesuffix(".")
        raise InputError(f"its {kind} data cannot be read: {why}") from None


class _Wanted:
    """What is read of a file: the column that has the URLs, and those that are kept. `names` are those in the file."""

    def __init__(self, names: list[str], stream: ByteStream, options: Namespace) -> None:
        self.partition = {key: value for key, value in partition_of(stream.name).items() if key not in names}
        known = [*names, *self.partition]
        self.column = known[column_index(known, options.column)]
        self.keep = keep_of(options)
        self.kept = kept_names(known, self.keep, self.column)
        self.names = [name for name in dict.fromkeys((self.column, *self.kept)) if name in names]

    def block(self, table: Any, rows: int, done: int) -> RowBlock:
        urls = self._values(table, self.column, rows)
        try:
            input.from_arrow(urls)
        except TypeError as error:
            raise InputError(f"the column {quoted(self.column)} {error}") from None
        kept = []
        for name in self.kept:
            try:
                kept.append(self._kept(self._values(table, name, rows)))
            except (ValueError, OverflowError) as error:
                why = str(error).partition(". ")[0]
                raise InputError(f"the column {quoted(name)} cannot be written as text: {why}") from None
        return RowBlock(urls, rows, done=done, names=self.kept, kept=kept)

    def _values(self, table: Any, name: str, rows: int) -> Any:
        import pyarrow

        if name in self.partition:
            return pyarrow.repeat(pyarrow.scalar(self.partition[name], pyarrow.string()), rows)
        column = table.column(table.column_names.index(name))
        return column.combine_chunks() if isinstance(column, pyarrow.ChunkedArray) else column

    def _kept(self, values: Any) -> KeptColumn:
        import pyarrow

        if self.keep.as_arrow or pyarrow.types.is_string(values.type):
            return KeptColumn(values)
        kind = values.type
        if pyarrow.types.is_dictionary(kind):
            return self._kept(values.dictionary_decode())
        if pyarrow.types.is_large_string(kind) or pyarrow.types.is_string_view(kind):
            return KeptColumn(values)
        # What JSON has: numbers, true and false, lists and objects. The rest is a string in it.
        is_json = self.keep.as_json
        if pyarrow.types.is_integer(kind) or pyarrow.types.is_boolean(kind):
            return KeptColumn(values.cast(pyarrow.string()), is_json)
        if pyarrow.types.is_nested(kind) or (is_json and pyarrow.types.is_floating(kind)):
            texts = [None if value is None else _json_of(value) for value in values.to_pylist()]
            return KeptColumn(pyarrow.array(texts, pyarrow.string()), is_json)
        if pyarrow.types.is_temporal(kind):
            return KeptColumn(_times(values))
        texts = [None if value is None else _text_of(value) for value in values.to_pylist()]
        return KeptColumn(pyarrow.array(texts, pyarrow.string()))


def _times(values: Any) -> Any:
    """Times as in ISO 8601, also those with nanoseconds, for which Python has no object."""
    import pyarrow

    kind = values.type
    if getattr(kind, "unit", "") == "ns":
        is_duration = pyarrow.types.is_duration(kind)
        is_time = pyarrow.types.is_time(kind)
        microseconds = pyarrow.time64("us") if is_time else pyarrow.duration("us") if is_duration else None
        try:
            values = values.cast(microseconds or pyarrow.timestamp("us", kind.tz))
        except pyarrow.ArrowInvalid:
            if is_duration:
                raise ValueError("it has a duration with nanoseconds") from None
            return _as_arrow_writes(values)
    try:
        texts = [None if value is None else _text_of(value) for value in values.to_pylist()]
    except (ValueError, OverflowError, KeyError):  # the last for a time zone that is not known
        return _as_arrow_writes(values)
    return pyarrow.array(texts, pyarrow.string())


def _as_arrow_writes(values: Any) -> Any:
    """Times as Arrow writes them, which is nearly ISO 8601."""
    import pyarrow

    texts = values.cast(pyarrow.string()).to_pylist()
    if any(text is not None and text.startswith(OUT_OF_RANGE) for text in texts):
        raise ValueError("it has a time that is out of range")
    texts = [None if text is None else ZONE.sub(r"\1:\2", text.replace(" ", "T")) for text in texts]
    return pyarrow.array(texts, pyarrow.string())


def _json_of(value: Any) -> str:
    import json

    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_text_of)
    except ValueError:
        return _json_of(_finite(value))


def _finite(value: Any) -> Any:
    """A value in which null stands for the numbers that JSON does not have."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, dict):
        return {name: _finite(member) for name, member in value.items()}
    return [_finite(each) for each in value] if isinstance(value, (list, tuple)) else value


def _text_of(value: Any) -> str:
    if isinstance(value, bytes):
        return value.decode("utf-8", "replace")
    return value.isoformat() if hasattr(value, "isoformat") else str(value)
