"""Parquet, Arrow IPC and Feather: each value of a column is a URL."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any, Final

from weburl._columns import input
from weburl._columns.pieces import PIECE_ROWS
from weburl.cli._exit import InputError
from weburl.cli._messages import quoted
from weburl.cli.readers.column_names import column_index
from weburl.cli.readers.files import ByteStream
from weburl.cli.readers.names import partition_of
from weburl.cli.readers.rows import RowBlock

# What a file of Arrow IPC begins with; a stream does not.
IPC_FILE: Final = b"ARROW1"


def read_parquet(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    with _in_our_words("Parquet"), stream.whole_file() as file:
        from pyarrow.parquet import ParquetFile

        # By default it reads ahead without a limit, and a whole column of a row group at once.
        table = ParquetFile(file, pre_buffer=False, buffer_size=1 << 20)
        name, kept = _wanted(table.schema_arrow.names, stream, options)
        for batch in table.iter_batches(PIECE_ROWS, columns=kept):
            yield _block(batch, name, stream, file.tell())


def read_arrow(stream: ByteStream, options: Namespace) -> Iterator[RowBlock]:
    is_file = stream.head.startswith(IPC_FILE)
    with _in_our_words("Arrow"), stream.whole_file() if is_file else nullcontext(stream) as file:
        from pyarrow import ipc

        if is_file:
            names = ipc.open_file(file).schema.names
            name, kept = _wanted(names, stream, options)
            some = ipc.IpcReadOptions(included_fields=[names.index(each) for each in kept])
            table = ipc.open_file(file, options=some)
            batches = (table.get_batch(number) for number in range(table.num_record_batches))
        else:
            # Its columns cannot be chosen before its schema is read.
            batches = table = ipc.open_stream(stream)
            name, kept = _wanted(table.schema.names, stream, options)
        for whole in batches:
            batch = whole.select(kept)
            # Arrow does not check what it reads.
            batch.validate(full=True)
            for begin in range(0, len(batch), PIECE_ROWS):
                yield _block(batch.slice(begin, PIECE_ROWS), name, stream, file.tell())


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


def _wanted(names: list[str], stream: ByteStream, options: Namespace) -> tuple[str, list[str]]:
    """The name of the column that has the URLs, and the columns of the file that are read."""
    keys = [key for key in partition_of(stream.name) if key not in names]
    name = [*names, *keys][column_index([*names, *keys], options.column)]
    return name, [name] if name in names else []


def _block(batch: Any, name: str, stream: ByteStream, done: int) -> RowBlock:
    if name in batch.schema.names:
        column = batch.column(batch.schema.names.index(name))
    else:
        import pyarrow

        value = pyarrow.scalar(partition_of(stream.name)[name], pyarrow.string())
        column = pyarrow.repeat(value, len(batch))
    try:
        input.from_arrow(column)
    except TypeError as error:
        raise InputError(f"the column {quoted(name)} {error}") from None
    return RowBlock(column, len(batch), done=done)
