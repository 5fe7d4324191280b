"""Rows, written as a Parquet file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, TYPE_CHECKING, Any, Final

from weburl._columns import input
from weburl._columns.pieces import Piece
from weburl.cli.readers.input import Block

if TYPE_CHECKING:
    from weburl.cli._conversion import Conversion, Done
    from weburl.cli.writers.output import Write

# Of a row group, once it has so many: readers take a group at a time.
GROUP_ROWS: Final = 1 << 17
GROUP_BYTES: Final = 1 << 26


@contextmanager
def open_parquet(out: IO[bytes], conversion: Conversion) -> Iterator[Write]:
    """What writes the columns of each piece."""
    try:
        import pyarrow
        from pyarrow.parquet import ParquetWriter
    except ModuleNotFoundError as error:
        raise ImportError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None

    def table(block: Block, piece: Piece, done: Done) -> Any:
        columns = conversion.arrow_columns(block, piece, done)
        found = pyarrow.table({name: column.to_pyarrow() for name, column in columns.items()})
        return found.filter(conversion.href(done).to_pyarrow().is_valid()) if conversion.drops else found

    nothing = Block([], 0), Piece(input.from_objects([]), 0, 0)
    with ParquetWriter(out, table(*nothing, conversion(*nothing)).schema) as writer:
        tables: list[Any] = []

        def flush() -> None:
            if tables:
                writer.write_table(pyarrow.concat_tables(tables))
                tables.clear()

        def write(block: Block, piece: Piece, done: Done) -> None:
            tables.append(table(block, piece, done))
            if sum(map(len, tables)) >= GROUP_ROWS or sum(one.nbytes for one in tables) >= GROUP_BYTES:
                flush()

        yield write
        flush()
