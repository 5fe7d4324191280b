"""Parquet: each value of a column is a URL."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from weburl._columns import input
from weburl._columns.pieces import PIECE_ROWS
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.column_names import column_index
from weburl.cli.readers.rows import RowBlock


def read_parquet(file: Any, options: Namespace) -> Iterator[RowBlock]:
    try:
        import pyarrow
        from pyarrow.parquet import ParquetFile
    except ModuleNotFoundError as error:
        raise InputError(f"Parquet needs {error.name}: pip install weburl[parquet]") from None
    if not file.seekable():
        raise InputError("Parquet is read from its end: give a file, not a pipe")
    try:
        # By default it reads ahead without a limit, and a whole column of a row group at once.
        table = ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
        names = table.schema_arrow.names
        name = names[column_index(names, options.column)]
        for batch in table.iter_batches(PIECE_ROWS, columns=[name]):
            yield RowBlock(_strings(batch.column(0), name), len(batch), done=file.tell())
    except pyarrow.ArrowException as error:
        raise InputError(str(error)) from None


def _strings(column: Any, name: str) -> Any:
    try:
        input.from_arrow(column)
    except TypeError as error:
        raise InputError(f"the column {quoted(name)} {error}") from None
    return column
