"""The writer of Parquet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, TYPE_CHECKING, Any, Final

from weburl.bulk import Column
from weburl.cli._output_fields import HREF, OutputField
from weburl.cli.writers.output_writer import OutputColumn, OutputWriter

if TYPE_CHECKING:
    from weburl._columns.batch import Batch
    from weburl._columns.pieces import Piece

# A row group is written when it has one of these: readers read a whole group at a time.
GROUP_ROWS: Final = 1 << 17
GROUP_BYTES: Final = 1 << 26


class ParquetWriter(OutputWriter):
    option = "--parquet"
    help = "a Parquet file (pip install weburl[parquet])"
    takes_file = True
    copies_input = True

    def __init__(self, out: IO[bytes], columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        try:
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
        self.file: Any = None

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        """With `drop`, the last field is not written: its column is null where a row fails."""
        return [*super().template(format, drop=drop), *([HREF] if drop else [])]

    def start(self, nothing: Any) -> None:
        self.file = self.parquet.ParquetWriter(self.out, nothing.schema)

    def render(self, batches: list[Batch], piece: Piece) -> Any:
        def arrow(column: OutputColumn) -> Any:
            assert column.place is not None
            number, index = column.place
            return Column([batches[number].select(index)]).to_pyarrow()

        table = self.pyarrow.table({column.field.label: arrow(column) for column in self.columns})
        return table if self.valid is None else table.filter(arrow(self.valid).is_valid())

    def write(self, rendered: Any) -> None:
        self.tables.append(rendered)
        if sum(map(len, self.tables)) >= GROUP_ROWS or sum(table.nbytes for table in self.tables) >= GROUP_BYTES:
            self._write_group()

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
