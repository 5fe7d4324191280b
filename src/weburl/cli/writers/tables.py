"""The writers of Parquet and of Arrow IPC."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from weburl.cli._exit import InputError
from weburl.cli._memory import MEMORY, import_pyarrow, limited_memory, too_little_memory
from weburl.cli._messages import quoted
from weburl.cli._output_fields import HREF, OutputField
from weburl.cli.readers.reading import Keep
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter, Rows

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, ClassVar, Final

# A row group is written when it has one of these: readers read a whole group at a time.
GROUP_ROWS: Final = 1 << 17
GROUP_BYTES: Final = 1 << 25
# Arrays that are not yet put together to longer ones: each takes about a KiB besides its bytes.
LOOSE_ARRAYS: Final = 1 << 14
# What pyarrow keeps of each column of a row group for the footer, and takes again when it writes it; and of its name.
CHUNK_BYTES: Final = 1 << 11
NAME_COPIES: Final = 4


def _leaves(kind: Any) -> int:
    """How many columns a column of this type is in a Parquet file."""
    return sum(_leaves(kind.field(number).type) for number in range(kind.num_fields)) or 1


class ParquetWriter(OutputWriter):
    option = "--parquet"
    help = "write a Parquet file (pip install weburl[parquet])"
    takes_file = True
    is_text = False
    copies_input = True
    keep: ClassVar[Keep | None] = Keep(as_arrow=True)
    rows: int
    size: int
    loose: int
    footer: int
    schema: Any
    group_bytes: int

    def __init__(self, out: IO[bytes], columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        try:
            import_pyarrow()
            import pyarrow
            from pyarrow import parquet
        except ModuleNotFoundError as error:
            raise ImportError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None
        self.pyarrow = pyarrow
        self.parquet: Any = parquet
        self.out = out
        self.columns: list[OutputColumn] = [column for column in columns if isinstance(column, OutputColumn)]
        # See template().
        self.valid: OutputColumn | None = self.columns.pop() if drop else None
        self.tables: list[Any] = []
        self.rows = self.size = self.loose = self.footer = 0
        self.file: Any = None

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        """With `drop`, the last field is not written: its column is null where a row fails."""
        return [*super().template(format, drop=drop), *([HREF] if drop else [])]

    def start(self, nothing: Any) -> None:
        self.schema = nothing.schema
        # What pyarrow keeps of a row group until the file ends.
        self.group_bytes = sum(
            _leaves(field.type) * (CHUNK_BYTES + NAME_COPIES * len(field.name.encode())) for field in nothing.schema
        )
        with self._in_words():
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
                # Some casts of pyarrow give what is no column.
                columns[-1].validate()
            except self.pyarrow.ArrowException:
                raise InputError(
                    f"the column {quoted(field.name)} is of the type {column.type} here, and was {field.type} before"
                ) from None
        return self.pyarrow.table(columns, schema=self.schema)

    def render(self, rows: Rows) -> Any:
        from weburl._verbs.rows import Column

        def arrow(column: OutputColumn) -> Any:
            place = column.place
            assert place is not None
            if isinstance(place, int):
                return rows.kept[place].arrow().slice(rows.piece.begin, rows.piece.end - rows.piece.begin)
            if place in rows.replaced:
                return Column([rows.replaced[place]]).to_pyarrow()
            number, index = place
            return Column([rows.batches[number].select(index)]).to_pyarrow()

        columns = {column.field.label: arrow(column) for column in self.columns}
        if self.valid is not None:
            from weburl.cli.readers.column_texts import filtered

            mask = arrow(self.valid).is_valid()
            columns = {label: filtered(column, mask) for label, column in columns.items()}
        return self.pyarrow.table(columns)

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

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        # The inputs have ended, and their limit with them.
        with limited_memory(self.name, self.memory, 1):
            try:
                super().__exit__(kind, error, traceback)
            finally:
                if self.file is not None:
                    self.file.close()

    def _write_group(self) -> None:
        if not self.tables:
            return
        self.footer += self.group_bytes
        memory = max(self.memory, MEMORY)
        if self.footer > memory:
            raise InputError(f"{self.name}: {too_little_memory('its footer', memory)}")
        with self._in_words():
            self.file.write_table(self.pyarrow.concat_tables(self.tables))
        self.tables.clear()
        self.rows = self.size = self.loose = 0


class ArrowWriter(ParquetWriter):
    option = "--arrow"
    help = "write an Arrow file (Feather), or an Arrow stream if OUT is - (pip install weburl[parquet])"

    def open(self, schema: Any) -> Any:
        from pyarrow import ipc

        # A file ends with a list of its parts. What is read from a pipe is read from its begin.
        is_stream = not self.out.seekable() or self.out is getattr(sys.stdout, "buffer", None)
        if is_stream:
            return ipc.new_stream(self.out, schema)
        # A file has one dictionary for a column, which may get longer.
        options = ipc.IpcWriteOptions(emit_dictionary_deltas=True, unify_dictionaries=True)
        return ipc.new_file(self.out, schema, options=options)
