"""The file that rows are joined with: the texts of its columns, in memory or on disk, and which rows have a key."""

from __future__ import annotations

from contextlib import ExitStack, closing
from typing import Final, NamedTuple

from weburl._arrow import input
from weburl._arrow.cutting import Piece
from weburl._redact.redact import LogPolicy
from weburl.cli._conversion import Filtered, taken
from weburl.cli._exit import InputError
from weburl.cli._memory import too_little_memory
from weburl.cli._messages import complain
from weburl.cli.keys.key_set import KeyIndex, Pairs, index_memory
from weburl.cli.keys.keys import Keys
from weburl.cli.readers.inputs import Inputs
from weburl.cli.readers.reading import Keep, Reading
from weburl.cli.readers.row_blocks import KeptColumn, RowBlock
from weburl.cli.readers.rows.text_column import RowStore, TextColumn, add_sizes, kept_texts
from weburl.redact import redact

PREFIX: Final = "with"
LEAST: Final = 1 << 18  # bytes that the list of keys may take, even if --memory says less


class Table(NamedTuple):
    """The columns of a file, by names that begin with "with."; a line of text is the column "with"."""

    names: tuple[str, ...]
    rows: RowStore
    key_index: KeyIndex
    is_left: bool
    status: int

    def pairs(self, filtered: Filtered, keys: bytes, marks: bytes) -> Pairs:
        """The pairs of rows and of all rows of the table that have their keys; with `is_left` also rows without."""
        sizes = bytearray(8 * len(marks))
        add_sizes(sizes, filtered.piece.rows, filtered.piece.begin, filtered.piece.end)
        for column in filtered.block.kept:
            _add_sizes_of(sizes, column, filtered.piece.begin, len(marks))
        return Pairs(self.key_index, self.rows, keys, marks, sizes, self.is_left)

    def joined(self, filtered: Filtered, pairs: Pairs, most: int, *, is_marked: bool) -> Filtered:
        """The next pairs, of at most so many bytes, as rows. With `is_marked`, `marks` says which rows are in them."""
        lefts, rights = pairs.take(most)
        block, piece = taken(filtered.block, filtered.piece, pairs.count, lefts)
        kept = [*block.kept, *map(KeptColumn, self.rows.take(rights))]
        joined = filtered._replace(block=block._replace(kept=kept), piece=piece)
        if is_marked:
            rows = set(memoryview(lefts).cast("q"))
            joined = joined.marked(bytes(row in rows for row in range(pairs.count)))
        # The rows that were read are those of the file.
        return joined if filtered.left is not None else joined._replace(left=pairs.count, rows_read=pairs.count)


def _add_sizes_of(sizes: bytearray, column: KeptColumn, begin: int, count: int) -> None:
    """Adds the bytes of a column that is kept."""
    if isinstance(column.values, TextColumn):
        add_sizes(sizes, column.input(), begin, begin + count)
        return
    try:
        add_sizes(sizes, column.input(), begin, begin + count)
    except TypeError:
        # It has no texts.
        numbers = memoryview(sizes).cast("q")
        for row in range(count):
            numbers[row] += column.values.slice(begin + row, 1).nbytes


def read_table(reading: Reading, keep: Keep, keys: Keys, *, is_left: bool) -> Table:
    """The file of --with. Its rows that are not URLs have no key, and are counted on standard error."""
    with ExitStack() as failed:
        table = _read(Inputs(reading, keep), keys, failed, is_left=is_left)
        failed.pop_all()
    return table


def _read(inputs: Inputs, keys: Keys, failed: ExitStack, *, is_left: bool) -> Table:
    [name] = inputs.reading.files
    digests, marks = bytearray(), bytearray()
    labels: tuple[str, ...] | None = None
    rows: RowStore | None = None
    for source in inputs:
        for block in source.row_blocks():
            kept_labels = tuple(f"{PREFIX}.{name}" for name in block.names) or (PREFIX,)
            if labels is not None and labels != kept_labels:
                raise InputError(f"{source.name}: its columns are not those of the first file")
            labels = kept_labels
            rows = rows or failed.enter_context(closing(RowStore(len(labels))))
            for piece in block.pieces():
                some, marked = keys(block, piece)
                every = b"\1" * len(marked)
                columns = [kept_texts(column.input(), piece.begin, piece.end, every) for column in block.kept]
                rows.append(columns or [_urls(block, piece, every, redacts=inputs.keep.redacts)])
                digests += some
                marks += marked
                _keep_within(inputs.reading.memory, rows, name)
    labels = labels or (PREFIX,)
    rows = rows or RowStore(len(labels))
    rows.finish()
    if wrong := marks.count(0):
        are = "is not a URL" if wrong == 1 else "are not URLs"
        complain(f"{name}: {wrong:,} of {len(marks):,} lines {are}")
    return Table(labels, rows, KeyIndex(digests, marks), is_left, inputs.status)


def _keep_within(memory: int, rows: RowStore, name: str) -> None:
    """Moves the texts of the rows to disk, if memory is only enough for their keys and places."""
    index = index_memory(len(rows))
    if index + rows.memory > memory and not rows.is_on_disk:
        rows.spill()
    if rows.is_on_disk and index + 8 * len(rows) > max(memory, LEAST):
        raise too_little_memory(f"{name}: the list of its keys", memory)


def _urls(block: RowBlock, piece: Piece, every: bytes, *, redacts: LogPolicy | None) -> TextColumn:
    """The texts of the URLs, where no column is kept."""
    if redacts is None:
        return kept_texts(piece.rows, piece.begin, piece.end, every)
    texts = [redact(row, redacts) if isinstance(row, str) else None for row in block.texts(piece.begin, piece.end)]
    return kept_texts(input.from_objects(texts), 0, len(texts), every)
