"""The writers of Parquet and of Arrow IPC, for `formats`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from weburl.cli._exit import InputError
from weburl.cli._memory import MEMORY, import_pyarrow, limited_memory, too_little_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._output_fields import DATE, HOUR, HREF, OutputField
from weburl.cli.readers.reading import Keep
from weburl.cli.readers.storage import is_remote
from weburl.cli.writers.output_writer import Compression, OutputColumn, OutputWriter, Rows, codecs_of

TYPE_CHECKING = False
if TYPE_CHECKING:
    from datetime import datetime
    from typing import IO, Any, ClassVar, Final

# A row group is written when it has one of these: readers read a whole group at a time.
GROUP_ROWS: Final = 1 << 17
GROUP_BYTES: Final = 1 << 25
# Arrays that are not yet put together to longer ones: each takes about a KiB besides its bytes.
LOOSE_ARRAYS: Final = 1 << 14
# What pyarrow keeps of each column of a row group for the footer, and takes again when it writes it; and of its name.
CHUNK_BYTES: Final = 1 << 11
NAME_COPIES: Final = 4


def _time(text: str) -> datetime | None:
    """A time in ISO 8601; None if it has no zone."""
    from datetime import UTC, datetime

    try:
        time = datetime.fromisoformat(text)
        return None if time.tzinfo is None else time.astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def _leaves(kind: Any) -> int:
    """How many columns a column of this type is in a Parquet file."""
    return sum(_leaves(kind.field(number).type) for number in range(kind.num_fields)) or 1


class _Sink(io.RawIOBase):
    """An output that nothing is written to after an error: pyarrow's writers end their files when they are removed.

    So what is cut off never looks whole, not even in a pipe.
    """

    def __init__(self, out: IO[bytes]) -> None:
        self.out: IO[bytes] | None = out

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return len(data) if self.out is None else self.out.write(data)


class ParquetWriter(OutputWriter):
    option = "--parquet"
    help = "write a Parquet file, with the columns of -g and --keep (pip install weburl[parquet])"
    takes_file = True
    is_text = False
    copies_input = True
    keep: ClassVar[Keep | None] = Keep(as_arrow=True)
    codecs: ClassVar[tuple[str, ...]] = codecs_of(option)
    usual_codec = "snappy"
    extension: ClassVar[str] = ".parquet"
    rows: int
    size: int
    loose: int
    footer: int
    schema: Any
    group_bytes: int

    def __init__(self, out: Any, columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        try:
            import_pyarrow("parquet", "compute")
            import pyarrow
            from pyarrow import parquet
        except ModuleNotFoundError as error:
            raise ImportError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None
        self.pyarrow = pyarrow
        self.parquet: Any = parquet
        # A file, or a `NewFolder` for files of partitions.
        self.out = out
        self.columns: list[OutputColumn] = [column for column in columns if isinstance(column, OutputColumn)]
        # See template().
        self.valid: OutputColumn | None = self.columns.pop() if drop else None
        self.tables: list[Any] = []
        self.rows = self.size = self.loose = self.footer = self.group_bytes = 0
        self.file: Any = None
        self.sink: _Sink | None = None
        # How many times could not be read, of each piece that has some.
        self.unread: list[int] = []

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        """With `drop`, the last field is not written: its column is null where a row fails."""
        return [*super().template(format, drop=drop), *([HREF] if drop else [])]

    def start(self, nothing: Any) -> None:
        self.schema = nothing.schema
        with self._in_words():
            if not self.table.partition_by:
                self.file = self.open(self.out, self.schema)
                return
            from weburl.cli.writers.partitions import Partitions, with_wide_indices

            self.schema = with_wide_indices(self.schema)
            names = [field.label for field in self.table.partition_by]
            self.file = Partitions(names, self.schema, self.out, self._write_file, self.extension)

    def open(self, out: IO[bytes], schema: Any) -> Any:
        # What pyarrow keeps of a row group until the file ends.
        self.group_bytes = sum(
            _leaves(field.type) * (CHUNK_BYTES + NAME_COPIES * len(field.name.encode())) for field in schema
        )
        self.footer = 0
        name, level = self.table.compression or Compression(self.usual_codec, None)
        self.sink = _Sink(out)
        return self.parquet.ParquetWriter(self.sink, schema, compression=name, compression_level=level)

    def _write_file(self, out: IO[bytes], schema: Any, tables: Iterator[Any]) -> None:
        """A file of a partition."""
        file = self.open(out, schema)
        group: list[Any] = []
        rows = size = 0
        for table in tables:
            group.append(table)
            rows += len(table)
            size += table.nbytes
            if self._is_group(rows, size):
                self._write_rows(file, group)
                rows = size = 0
        self._write_rows(file, group)
        file.close()

    def _is_group(self, rows: int, size: int) -> bool:
        most = self.table.group_bytes
        return rows >= GROUP_ROWS or size >= GROUP_BYTES if most is None else size >= most

    def _cast(self, table: Any) -> Any:
        """Columns of another file may have other types."""
        columns = []
        for field in self.schema:
            column = table.column(field.name)
            if self.pyarrow.types.is_dictionary(field.type) and not self.pyarrow.types.is_dictionary(column.type):
                column = column.dictionary_encode()
            try:
                columns.append(column.cast(field.type))
                # Some casts of pyarrow give what is no column.
                columns[-1].validate()
            except self.pyarrow.ArrowException:
                raise InputError(
                    f"the column {quoted(field.name)} is of the type {column.type} here, and was {field.type} before"
                ) from None
        return self.pyarrow.table(columns, schema=self.schema)

    def render(self, rows: Rows) -> Any:
        from weburl._verbs.rows import Column

        times: dict[str, Any] = {}

        def arrow(column: OutputColumn) -> Any:
            place = column.place
            assert place is not None
            if isinstance(place, int):
                values = rows.kept[place].arrow().slice(rows.piece.begin, rows.piece.end - rows.piece.begin)
                name = str(column.field.key)
                if name not in self.table.times and column.field not in (DATE, HOUR):
                    return values
                if name not in times:
                    # What cannot be read counts once.
                    times[name] = self._times(values)
                return self._part(times[name], column.field)
            if place in rows.replaced:
                return Column([rows.replaced[place]]).to_pyarrow()
            number, index = place
            return Column([rows.batches[number].select(index)]).to_pyarrow()

        # The first one of a name: partitions may be columns that are kept.
        columns = {column.field.label: arrow(column) for column in reversed(self.columns)}
        columns = {label: columns[label] for label in dict.fromkeys(column.field.label for column in self.columns)}
        if self.valid is not None:
            from weburl.cli.readers.column_texts import filtered

            mask = arrow(self.valid).is_valid()
            columns = {label: filtered(column, mask) for label, column in columns.items()}
        return self.pyarrow.table(columns)

    def _times(self, values: Any) -> Any:
        """Texts as times with a zone. What is not one is null, and counted."""
        types = self.pyarrow.types
        if types.is_temporal(values.type):
            return values
        kind = self.pyarrow.timestamp("us", "UTC")
        try:
            return values.cast(kind)
        except self.pyarrow.ArrowException:
            times = [None if text is None else _time(text) for text in values.cast(self.pyarrow.string()).to_pylist()]
        self.unread.append(times.count(None) - values.null_count)
        return self.pyarrow.array(times, kind)

    def _part(self, times: Any, field: OutputField) -> Any:
        """Times, their days, or their hours as in 2026-11-22T10, in UTC."""
        if field is DATE:
            return times.cast(self.pyarrow.date32())
        if field is not HOUR:
            return times
        from pyarrow import compute

        # Without a zone, nothing asks for a database of them.
        texts = times.cast(self.pyarrow.timestamp("us")).cast(self.pyarrow.string())
        return compute.replace_substring(compute.utf8_slice_codeunits(texts, 0, 13), " ", "T")

    def write(self, rendered: Any) -> None:
        if rendered.schema != self.schema:
            rendered = self._cast(rendered)
        self.tables.append(rendered)
        self.rows += len(rendered)
        self.size += rendered.nbytes
        self.loose += rendered.num_columns
        if self._is_group(self.rows, self.size * 2 if self.table.partition_by else self.size):
            # What is sorted is there twice.
            self._write_group()
        elif self.loose > LOOSE_ARRAYS and len(self.tables) > 1:
            table = self.pyarrow.concat_tables(self.tables)
            columns = [self._joined(column) for column in table.columns]
            self.tables = [self.pyarrow.table(columns, schema=self.schema)]
            self.loose = 0

    def _joined(self, column: Any) -> Any:
        """The arrays of a column as one. The indices of dictionaries have a width that may be too small for all."""
        types = self.pyarrow.types
        stays = types.is_dictionary(column.type) or types.is_nested(column.type)
        return column if stays else column.combine_chunks()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        """Says what pyarrow cannot write, such as a type that Parquet does not have, or a second dictionary."""
        try:
            yield
        except self.pyarrow.ArrowMemoryError:
            raise
        except (self.pyarrow.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            why = str(error).partition("\n")[0].removesuffix(".")
            raise InputError(f"{self.name}: it cannot be written: {why}") from None

    def finish(self) -> None:
        self._write_group()
        if self.table.partition_by:
            with self._in_words():
                self.file.finish()
        if sum(self.unread):
            complain(f"{sum(self.unread):,} times are not dates with a time and a zone: they are null")

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        is_whole = False
        try:
            if kind is None:
                # The inputs have ended, and their limit with them.
                with limited_memory(self.name, self.memory, 1):
                    self.finish()
                    self.file.close()
                is_whole = True
        finally:
            if not is_whole and self.sink is not None:
                self.sink.out = None

    def _write_group(self) -> None:
        with self._in_words():
            self._write_rows(self.file, self.tables)
        self.rows = self.size = self.loose = 0

    def _write_rows(self, file: Any, tables: list[Any]) -> None:
        """Writes tables as one row group, and forgets them."""
        if not tables:
            return
        self.footer += self.group_bytes
        memory = max(self.memory, MEMORY)
        if self.footer > memory:
            raise InputError(f"{self.name}: {too_little_memory('its footer', memory)}")
        table = self.pyarrow.concat_tables(tables)
        tables.clear()
        file.write_table(table, max(len(table), 1))


class ArrowWriter(ParquetWriter):
    option = "--arrow"
    help = "write an Arrow file (Feather), or an Arrow stream if OUT is - (pip install weburl[parquet])"
    codecs: ClassVar[tuple[str, ...]] = codecs_of(option)
    usual_codec = "none"
    extension = ".arrow"

    def open(self, out: IO[bytes], schema: Any) -> Any:
        from pyarrow import Codec, ipc

        self.sink: _Sink | None = _Sink(out)
        name, level = self.table.compression or Compression(self.usual_codec, None)
        codec = None if name == "none" else Codec(name, level)
        # A file ends with a list of its parts. What is read from a pipe is read from its begin. An object is not.
        is_stream = not (out.seekable() or is_remote(self.name)) or out is getattr(sys.stdout, "buffer", None)
        if is_stream:
            options = ipc.IpcWriteOptions(compression=codec, use_threads=False)
            return ipc.new_stream(self.sink, schema, options=options)
        # A file has one dictionary for a column, which may get longer.
        options = ipc.IpcWriteOptions(
            compression=codec, use_threads=False, emit_dictionary_deltas=True, unify_dictionaries=True
        )
        return ipc.new_file(self.sink, schema, options=options)
