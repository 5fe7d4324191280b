"""A folder with a file for each partition, as Hive names them: host=a.example/date=2026-11-22/part-0.parquet.

Rows are sorted by their folders, in runs that are as long as a row group, on disk. The runs are then merged. So one
file is open at a time, and memory is bounded, however many partitions there are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from heapq import merge
from itertools import groupby
from operator import itemgetter

from weburl.cli._exit import InputError
from weburl.cli._messages import complain, quoted
from weburl.cli._system import SYSTEM
from weburl.cli._temporary import failure, open_temporary
from weburl.cli.readers.column_texts import taken

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, Final

    from weburl.cli.writers.output_file import NewFolder

# Null and the empty text are one partition, as in Hive, Spark and Trino.
NULL: Final = "__HIVE_DEFAULT_PARTITION__"
# What Hive escapes in names; and NUL.
ESCAPED: Final = "\0-\x1f\"#%'*/:=?\\\\\x7f{\\[\\]^"
LONGEST_NAME: Final = 255  # bytes of the name of a folder
FOLDER: Final = "\0folder"  # the name of a column that no input has
FAN: Final = 32  # runs that are merged at a time
STEP: Final = 1 << 18  # bytes of a run that are read at a time
SPILLED: Final = "partitions"  # in messages


def escaped(text: str) -> str:
    return re.sub(f"[{ESCAPED}{SYSTEM.reserved}]", lambda match: f"%{ord(match[0]):02X}", text)


def with_wide_indices(schema: Any) -> Any:
    """A schema whose dictionaries have room for the values of all tables together."""
    import pyarrow

    for number, field in enumerate(schema):
        if pyarrow.types.is_dictionary(field.type):
            kind = pyarrow.dictionary(pyarrow.int32(), field.type.value_type, field.type.ordered)
            schema = schema.set(number, field.with_type(kind))
    return schema


class Partitions:
    """Partitions(names, schema, folder, write): a writer of tables with `schema`, which has the columns `names`.

    `write` writes tables without these columns to an open file.
    """

    def __init__(
        self,
        names: Sequence[str],
        schema: Any,
        folder: NewFolder,
        write: Callable[[IO[bytes], Any, Iterator[Any]], None],
        extension: str,
    ) -> None:
        import pyarrow

        self.pyarrow = pyarrow
        self.names = names
        self.folder = folder
        self.write = write
        self.extension = extension
        self.schema: Any = pyarrow.schema([field for field in schema if field.name not in names])
        if not len(self.schema):
            raise InputError(f"{folder.shown}: no column is left beside those of --partition-by")
        self.sorted_schema: Any = self.schema.append(pyarrow.field(FOLDER, pyarrow.string()))
        # Of each level, the runs in the order of their rows. FAN of them are one of the next level.
        self.levels: list[list[IO[bytes]]] = [[]]
        self.too_long: set[str] = set()

    def write_table(self, table: Any, rows: int) -> None:
        """Sorts a table of so many rows. The writers of files have a method of this name, too."""
        from pyarrow import compute

        folders = self._folders(table)
        order = compute.sort_indices(folders)
        table = table.select(self.schema.names).unify_dictionaries()
        columns = [taken(column, order) for column in (*table.columns, folders)]
        del table, folders, order
        whole = self.pyarrow.table(columns, schema=self.sorted_schema)
        step = max(1, STEP * rows // max(whole.nbytes, 1))
        self._add(0, iter(whole.to_batches(step)))

    def _folders(self, table: Any) -> Any:
        """The folder of each row."""
        from pyarrow import compute

        parts = []
        for name in self.names:
            column = table.column(name)
            try:
                texts = column.cast(self.pyarrow.string()).combine_chunks().dictionary_encode()
            except self.pyarrow.ArrowException:
                what = f"the column {quoted(name)} is of the type {column.type}"
                raise InputError(f"{what}, which --partition-by does not take") from None
            names = [self._folder(name, text) for text in (*texts.dictionary.to_pylist(), "")]
            values = self.pyarrow.array(names, self.pyarrow.string())
            parts.append(values.take(compute.fill_null(texts.indices, len(names) - 1)))
        return compute.binary_join_element_wise(*parts, "/") if len(parts) > 1 else parts[0]

    def _folder(self, name: str, text: str) -> str:
        # Whoever sends requests chooses hosts and paths: a long one must not cost all rows their table.
        folder = f"{escaped(name)}={escaped(text) or NULL}"
        if len(folder.encode()) <= LONGEST_NAME or not text:
            return folder
        self.too_long.add(name)
        return self._folder(name, "")

    def _add(self, level: int, batches: Iterator[Any]) -> None:
        """Writes a run. They are sorted, so what is merged is one longer run."""
        from pyarrow import Codec, ipc

        file = open_temporary(SPILLED)
        packing = "lz4" if Codec.is_available("lz4") else None
        # Within a limit of memory, pyarrow cannot start a thread for each core, and ends the process.
        options = ipc.IpcWriteOptions(compression=packing, use_threads=False)
        try:
            with ipc.new_stream(file, self.sorted_schema, options=options) as run:
                for batch in batches:
                    run.write(batch)
            file.seek(0)
        except OSError as error:
            raise failure(SPILLED, error) from None
        self.levels[level].append(file)
        if len(self.levels[level]) == FAN:
            runs = self.levels[level]
            self.levels[level] = []
            if level + 1 == len(self.levels):
                self.levels.append([])
            self._add(level + 1, self._joined(merge(*map(self._parts, runs), key=itemgetter(0))))

    def _joined(self, parts: Iterator[tuple[str, Any]]) -> Iterator[Any]:
        """Parts of runs, in batches of about STEP bytes."""
        size, batches = 0, []
        for _, batch in parts:
            batches.append(batch)
            size += batch.nbytes
            if size >= STEP:
                yield self._one(batches)
                size, batches = 0, []
        if batches:
            yield self._one(batches)

    def _one(self, batches: list[Any]) -> Any:
        whole = self.pyarrow.Table.from_batches(batches).unify_dictionaries().combine_chunks()
        [batch] = whole.to_batches()
        return batch

    def _parts(self, file: IO[bytes]) -> Iterator[tuple[str, Any]]:
        """The rows of a run, in parts that are of one folder."""
        from pyarrow import compute, ipc

        with file:
            for batch in ipc.open_stream(file, options=ipc.IpcReadOptions(use_threads=False)):
                runs = compute.run_end_encode(batch.column(FOLDER))
                begin = 0
                for folder, end in zip(runs.values.to_pylist(), runs.run_ends.to_pylist(), strict=True):
                    yield folder, batch.slice(begin, end - begin)
                    begin = end

    def close(self) -> None:
        for runs in self.levels:
            for file in runs:
                file.close()
        self.levels = [[]]

    def finish(self) -> None:
        """Writes the files."""
        runs = [file for level in reversed(self.levels) for file in level]
        folders = groupby(merge(*map(self._parts, runs), key=itemgetter(0)), key=itemgetter(0))
        for number, (folder, parts) in enumerate(folders):
            # Where names of folders have no case, two partitions are one folder.
            with self.folder.open(f"{folder}/part-{number}{self.extension}") as out:
                tables = (self.pyarrow.Table.from_batches([part]).select(self.schema.names) for _, part in parts)
                self.write(out, self.schema, tables)
        for name in sorted(self.too_long):
            folder = self._folder(name, "")
            complain(f"{quoted(name)} has values that are too long for the name of a folder: they are in {folder}")
