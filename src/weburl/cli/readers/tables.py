"""Parquet, Arrow IPC and Feather: each value of a column is a URL.

Memory is bounded by bytes, not by rows: a few bytes of a file can stand for thousands of long values. Batches are as
small as the values of a row group are long, and blocks are cut where their texts take PART_BYTES.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from weburl._arrow import input
from weburl._arrow.cutting import PIECE_ROWS
from weburl.cli._exit import InputError
from weburl.cli._memory import import_pyarrow, too_little_memory
from weburl.cli._messages import quoted
from weburl.cli._packings import Rejoined
from weburl.cli.readers.arrow_fields import check_file, check_stream
from weburl.cli.readers.byte_stream import ByteStream
from weburl.cli.readers.column_names import column_index
from weburl.cli.readers.column_texts import check_indices, is_slow, kept_column, slow_text, text_bytes, with_used_values
from weburl.cli.readers.file_names import partition_of
from weburl.cli.readers.parquet_schema import check_schema
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.row_blocks import RowBlock, kept_names

# What a file of Arrow IPC begins with; a stream does not.
IPC_FILE: Final = b"ARROW1"
PART_BYTES: Final = 1 << 21  # of texts that one thread works on
BATCH_BYTES: Final = 1 << 23  # of a batch of Parquet, by the lengths that are known
BATCH_ROWS: Final = 1 << 10
FEW_ROWS: Final = 1 << 8  # if it is not known how long values are
# Encodings of texts that pyarrow does not read as dictionaries. In one, a value begins as the one before.
DELTAS: Final = frozenset(("DELTA_BYTE_ARRAY", "DELTA_LENGTH_BYTE_ARRAY"))
# Of a footer, by --memory: a struct of thrift has a few bytes there, and several hundreds in memory.
FOOTER: Final = 1 << 3
STRUCT: Final = 1 << 9
TOO_LARGE: Final = re.compile("Exceeded size limit|bad_alloc")  # what pyarrow says of one that is larger


def read_parquet(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock]:
    memory = reading.memory
    with _in_our_words("Parquet"), stream.whole_file() as file:
        from pyarrow.types import is_dictionary

        source = _Source(file, memory)
        check_schema(source, memory)
        table = _parquet_file(source)
        schema = table.schema_arrow
        wanted = _Wanted(schema.names, stream, reading, keep)
        for name in wanted.names:
            if _has_extended_dictionary(schema.field(wanted.places[name]).type):
                raise InputError(
                    f"the column {quoted(name)} has an extension type of a dictionary, which cannot be read"
                )
        yield from wanted.blocks(schema.empty_table(), 0)
        # Those that stay dictionaries take no more memory than they have in the file.
        names = {name for name in wanted.names if not is_dictionary(schema.field(wanted.places[name]).type)}
        leaves = [
            (number, path)
            for number in range(table.metadata.num_columns)
            if (path := table.schema.column(number).path).partition(".")[0] in names
        ]
        texts = {number: path for number, path in leaves if table.schema.column(number).physical_type == "BYTE_ARRAY"}
        # A dictionary is read by itself, to see how long its values are.
        probe = _parquet_file(source, metadata=table.metadata, read_dictionary=[*texts.values()]) if texts else None
        fixed = sum(table.schema.column(number).length for number, _ in leaves)
        for group in range(table.num_row_groups):
            metadata = table.metadata.row_group(group)
            size = max(_mean_row(metadata, leaves), fixed + _longest_row(probe, metadata, group, texts))
            has_deltas = any(DELTAS.intersection(metadata.column(number).encodings) for number in texts)
            most = FEW_ROWS if has_deltas else BATCH_ROWS
            rows = max(min(BATCH_BYTES // max(size, 1), most), 1)
            for batch in _batches(table, group, wanted.names, rows):
                yield from wanted.blocks(batch, file.tell())


def _has_extended_dictionary(kind: Any) -> bool:
    """Whether there is an extension type whose values are in a dictionary: pyarrow ends the process over one."""
    from pyarrow import BaseExtensionType, types

    if isinstance(kind, BaseExtensionType):
        return bool(types.is_dictionary(kind.storage_type)) or _has_extended_dictionary(kind.storage_type)
    return any(_has_extended_dictionary(kind.field(number).type) for number in range(kind.num_fields))


def _parquet_file(source: _Source, **options: Any) -> Any:
    from pyarrow.parquet import ParquetFile

    memory = source.memory
    limits = {"thrift_string_size_limit": memory // FOOTER, "thrift_container_size_limit": max(memory // STRUCT, 1)}
    try:
        # By default it reads ahead without a limit, and a whole column of a row group at once.
        return ParquetFile(source, pre_buffer=False, buffer_size=1 << 20, **limits, **options)
    except OSError as error:
        if TOO_LARGE.search(str(error)):
            raise too_little_memory("its footer", memory) from None
        raise


def _mean_row(metadata: Any, leaves: Sequence[tuple[int, str]]) -> int:
    """The bytes of a row of a row group in the file."""
    whole: int = sum(metadata.column(number).total_uncompressed_size for number, _ in leaves)
    rows: int = metadata.num_rows
    return whole // max(rows, 1)


def _longest_row(probe: Any, metadata: Any, group: int, texts: dict[int, str]) -> int:
    """The bytes of a row of a row group that has the longest texts of each dictionary."""
    import pyarrow

    names = [path for number, path in texts.items() if DELTAS.isdisjoint(metadata.column(number).encodings)]
    if not names:
        return 0
    try:
        first = next(probe.iter_batches(1, [group], columns=names, use_threads=False), None)
    except pyarrow.ArrowNotImplementedError:
        # It has one of DELTAS, and does not say so.
        return 0
    columns: list[Any] = [] if first is None else first.columns
    return sum(map(_longest, columns))


def _longest(values: Any) -> int:
    """The bytes of the longest texts in the dictionaries of a column."""
    import pyarrow
    from pyarrow import compute

    kind = values.type
    if pyarrow.types.is_dictionary(kind):
        longest: int | None = compute.max(compute.binary_length(values.dictionary)).as_py()
        return longest or 0
    if pyarrow.types.is_struct(kind):
        return sum(_longest(values.field(number)) for number in range(kind.num_fields))
    if pyarrow.types.is_map(kind):
        return _longest(values.keys) + _longest(values.items)
    return _longest(values.values) if hasattr(values, "values") else 0


def _batches(table: Any, group: int, names: Sequence[str], rows: int) -> Iterator[Any]:
    """The batches of a row group, put together to pieces. Where memory ends, batches get smaller."""
    import pyarrow

    done = 0
    held: list[Any] = []
    while True:
        try:
            skipped = 0
            for batch in table.iter_batches(rows, [group], columns=names, use_threads=False):
                begin = min(max(done - skipped, 0), len(batch))
                skipped += len(batch)
                if begin == len(batch):
                    continue
                done = skipped
                held.append(batch.slice(begin))
                count = sum(map(len, held))
                if count >= PIECE_ROWS or (count + rows) * held[-1].nbytes > len(held[-1]) * PART_BYTES:
                    yield from _joined(held)
                    held = []
            yield from _joined(held)
            return
        except pyarrow.ArrowMemoryError:
            if rows == 1:
                raise
            rows = max(rows >> 4, 1)


def _joined(batches: list[Any]) -> Iterator[Any]:
    import pyarrow

    if not batches:
        return
    if len(batches) == 1 or any(map(pyarrow.types.is_dictionary, batches[0].schema.types)):
        yield from batches
        return
    yield pyarrow.Table.from_batches(batches).combine_chunks()


def read_arrow(stream: ByteStream, reading: Reading, keep: Keep) -> Iterator[RowBlock]:
    with _in_our_words("Arrow"):
        if stream.head.startswith(IPC_FILE):
            with stream.whole_file() as file:
                yield from _read_arrow(stream, file, reading, keep, is_file=True)
        else:
            yield from _read_arrow(stream, stream, reading, keep, is_file=False)


def _read_arrow(stream: ByteStream, file: Any, reading: Reading, keep: Keep, *, is_file: bool) -> Iterator[RowBlock]:
    from pyarrow import ipc

    memory = reading.memory
    source = _Source(file, memory)
    if is_file:
        check_file(source, memory)
        names = ipc.open_file(source).schema.names
        wanted = _Wanted(names, stream, reading, keep)
        fields = [wanted.places[each] for each in wanted.names]
        table = ipc.open_file(source, options=ipc.IpcReadOptions(included_fields=fields, use_threads=False))
        batches = (table.get_batch(number) for number in range(table.num_record_batches))
    else:
        # Its columns cannot be chosen before its schema is read.
        source = _Source(Rejoined(check_stream(source, memory), file), memory)
        batches = table = ipc.open_stream(source, options=ipc.IpcReadOptions(use_threads=False))
        wanted = _Wanted(table.schema.names, stream, reading, keep)
    yield from wanted.blocks(table.schema.empty_table(), 0)
    checked: dict[int, Any] = {}
    for whole in batches:
        batch = whole.select(wanted.names)
        # Arrow does not check what it reads.
        for number, column in enumerate(batch.columns):
            _check(column, number, checked)
        for begin in range(0, len(batch), PIECE_ROWS):
            yield from wanted.blocks(batch.slice(begin, PIECE_ROWS), file.tell())


def _check(column: Any, number: int, checked: dict[int, Any]) -> None:
    """Refuses a column of a batch that is not what it says. A dictionary of many batches is checked once."""
    import pyarrow

    if not pyarrow.types.is_dictionary(column.type):
        column.validate(full=True)
        return
    before, values = checked.get(number), column.dictionary
    if before is None or _places(before) != _places(values):
        column.validate(full=True)
        checked[number] = values
        return
    column.indices.validate(full=True)
    check_indices(column.indices, len(values))


def _places(values: Any) -> list[object]:
    """Where an array is in memory."""
    return [values.offset, len(values), *(part and (part.address, part.size) for part in values.buffers())]


class _Source:
    """A file for pyarrow, which may ask for as many bytes as a few others say: at most `memory` at a time are read."""

    closed = False

    def __init__(self, file: Any, memory: int) -> None:
        self.file = file
        self.memory = memory

    def read(self, size: int = -1) -> bytes:
        if size > self.memory:
            raise too_little_memory("a part of it", self.memory)
        data: bytes = self.file.read(size)
        return data

    def tell(self) -> int:
        at: int = self.file.tell()
        return at

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        at: int = self.file.seek(offset, whence)
        return at

    def seekable(self) -> bool:
        return hasattr(self.file, "seek")

    def readable(self) -> bool:
        return True

    def writable(self) -> bool:
        return False

    def flush(self) -> None:
        pass

    def close(self) -> None:
        """Who opened the file closes it."""


@contextmanager
def _in_our_words(kind: str) -> Iterator[None]:
    try:
        import_pyarrow()
        import pyarrow
    except ModuleNotFoundError as error:
        raise InputError(f"{kind} needs {error.name}: pip install weburl[parquet]") from None
    try:
        yield
    except pyarrow.ArrowMemoryError:
        raise
    except (pyarrow.ArrowException, OSError, UnicodeDecodeError) as error:
        if isinstance(error, OSError) and error.errno is not None:
            raise
        if "MemoryError" in str(error):
            # What _Source raised, as pyarrow gives it back.
            raise MemoryError from None
        why = str(error).partition("\n")[0].removesuffix(".")
        raise InputError(f"its {kind} data cannot be read: {why}") from None


class _Wanted:
    """What is read of a file: the column that has the URLs, and those that are kept. `names` are those in the file."""

    def __init__(self, names: list[str], stream: ByteStream, reading: Reading, keep: Keep) -> None:
        self.partition = {key: value for key, value in partition_of(stream.name).items() if key not in names}
        known = [*names, *self.partition]
        # Of two columns with one name, the first is read.
        self.places = {name: place for place, name in reversed([*enumerate(names)])}
        self.column = known[column_index(known, reading.column)]
        self.keep = keep
        self.kept = kept_names(known, self.keep, self.column)
        self.names = [name for name in dict.fromkeys((self.column, *self.kept)) if name in self.places]

    def blocks(self, table: Any, done: int) -> Iterator[RowBlock]:
        """The rows in blocks, each with as many rows as have PART_BYTES of text."""
        rows = len(table)
        places = {name: place for place, name in reversed([*enumerate(table.schema.names)])}
        urls = self._values(table, places, self.column, rows)
        try:
            input.from_arrow(urls[:0])
        except TypeError as error:
            raise InputError(f"the column {quoted(self.column)} {error}") from None
        kept = {name: self._values(table, places, name, rows) for name in self.kept}
        slow = {name: values for name, values in kept.items() if not self.keep.as_arrow and is_slow(values.type)}
        spread = [values for name, values in kept.items() if name not in slow and not self._stays(values.type)]
        sizes = text_bytes([urls, *spread], PART_BYTES)
        begin = size = 0
        texts: dict[str, list[str | None]] = {name: [] for name in slow}
        for row in range(rows if slow or sizes is not None else 0):
            slow_texts = {name: self._slow_text(name, values[row]) for name, values in slow.items()}
            more = (sizes[row] if sizes is not None else 0) + sum(len(text or "") for text in slow_texts.values())
            if row > begin and size + more > PART_BYTES:
                yield self._block(urls, kept, texts, begin, row, size, done)
                begin, size, texts = row, 0, {name: [] for name in slow}
            size += more
            for name, text in slow_texts.items():
                texts[name].append(text)
        yield self._block(urls, kept, texts, begin, rows, size, done)

    def _block(
        self,
        urls: Any,
        kept: dict[str, Any],
        texts: dict[str, list[str | None]],
        begin: int,
        end: int,
        size: int,
        done: int,
    ) -> RowBlock:
        columns = []
        for name, values in kept.items():
            with self._named(name):
                columns.append(kept_column(values[begin:end], self.keep, texts.get(name)))
        rows = end - begin
        return RowBlock(urls[begin:end], rows, done=done, names=self.kept, kept=columns, weight=size)

    def _stays(self, kind: Any) -> bool:
        """Whether a dictionary is written as one."""
        import pyarrow

        return self.keep.as_arrow and bool(pyarrow.types.is_dictionary(kind))

    def _slow_text(self, name: str, value: Any) -> str | None:
        with self._named(name):
            return slow_text(value)

    @contextmanager
    def _named(self, name: str) -> Iterator[None]:
        try:
            yield
        except (ValueError, OverflowError, KeyError) as error:  # the last for a time zone that is not known
            why = str(error.args[0] if error.args else error).partition(". ")[0]
            raise InputError(f"the column {quoted(name)} cannot be written as text: {why}") from None

    def _values(self, table: Any, places: dict[str, int], name: str, rows: int) -> Any:
        import pyarrow

        if name in self.partition:
            return pyarrow.repeat(pyarrow.scalar(self.partition[name], pyarrow.string()), rows)
        column = table.column(places[name])
        if isinstance(column, pyarrow.ChunkedArray):
            column = column.chunk(0) if column.num_chunks == 1 else column.combine_chunks()
        return column if self._stays(column.type) else with_used_values(column)
