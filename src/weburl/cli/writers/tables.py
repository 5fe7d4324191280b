"""The writers of Parquet and of Arrow IPC."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import IO, Any, Final

from weburl.bulk import Column
from weburl.cli._exit import InputError
from weburl.cli._memory import import_pyarrow
from weburl.cli._messages import quoted
from weburl.cli._output_fields import HREF, OutputField
from weburl.cli.readers.reading import Keep
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter, Rows

# A row group is written when it has one of these: readers read a whole group at a time.
GROUP_ROWS: Final = 1 << 17
GROUP_BYTES: Final = 1 << 25
# Arrays that are not yet put together to longer ones: each takes about a KiB besides its bytes.
LOOSE_ARRAYS: Final = 1 << 14


class ParquetWriter(OutputWriter):
    option = "--parquet"
    help = "a Parquet file (pip install weburl[parquet])"
    takes_file = True
    is_text = False
    copies_input = True
    keep = Keep(as_arrow=True)

    def __init__(self, out: IO[bytes], columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        try:
            import_pyarrow()
            import pyarrow
            from pyarrow import parquet
        except ModuleNotFoundError as error:
            raise ImportError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None
        self.pyarrow = pyarrow
        self.parquet = parquet
        self.out = out
        self.columns = [column for column in columns if isinstance(column, OutputColumn)]
        # See template().
        self.valid = self.columns.pop() if drop else None
        self.tables: list[Any] = []
        self.rows = self.size = self.loose = 0
        self.file: Any = None

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        """With `drop`, the last field is not written: its column is null where a row fails."""
        return [*super().template(format, drop=drop), *([HREF] if drop else [])]

    def start(self, nothing: Any) -> None:
        self.schema = nothing.schema
        self.file = self.open(nothing.schema)

    def open(self, schema: Any) -> Any:
        return self.parquet.ParquetWriter(self.out, schema)

    def _cast(self, table: Any) -> Any:
        """Columns of another file may have other types."""
        columns = []
        for field in self.schema:
            column = table.column(field.name)
            if self.pyarrow.types.is_dictionary(field.type) and not self.pyarrow.types.is_dictionary(column.type):
                column = column.dictionary_encode()
            try:
                columns.append(column.cast(field.type))
            except self.pyarrow.ArrowException:
                raise InputError(
                    f"the column {quoted(field.name)} is of the type {column.type} here, and was {field.type} before"
                ) from None
        return self.pyarrow.table(columns, schema=self.schema)

    def render(self, rows: Rows) -> Any:
        def arrow(column: OutputColumn) -> Any:
            place = column.place
            assert place is not None
            if isinstance(place, int):
                return rows.kept[place].arrow().slice(rows.piece.begin, rows.piece.end - rows.piece.begin)
            if place in rows.replaced:
                return Column([rows.replaced[place]]).to_pyarrow()
            number, index = place
            return Column([rows.batches[number].select(index)]).to_pyarrow()

        table = self.pyarrow.table({column.field.label: arrow(column) for column in self.columns})
        return table if self.valid is None else table.filter(arrow(self.valid).is_valid())

    def write(self, rendered: Any) -> None:
        if rendered.schema != self.schema:
            rendered = self._cast(rendered)
        self.tables.append(rendered)
        self.rows += len(rendered)
        self.size += rendered.nbytes
        self.loose += rendered.num_columns
        if self.rows >= GROUP_ROWS or self.size >= GROUP_BYTES:
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

    def finish(self) -> None:
        self._write_group()

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        try:
            super().__exit__(kind, error, traceback)
        finally:
            if self.file is not None:
                self.file.close()

    def _write_group(self) -> None:
        if self.tables:
            self.file.write_table(self.pyarrow.concat_tables(self.tables))
            self.tables.clear()
            self.rows = self.size = self.loose = 0


class ArrowWriter(ParquetWriter):
    option = "--arrow"
    help = "an Arrow file, which is also Feather; a stream if OUT is - (pip install weburl[parquet])"

    def open(self, schema: Any) -> Any:
        from pyarrow import ipc

        # A file ends with a list of its parts. What is read from a pipe is read from its begin.
        is_stream = not self.out.seekable() or self.out is getattr(sys.stdout, "buffer", None)
        return (ipc.new_stream if is_stream else ipc.new_file)(self.out, schema)
