"""The file that rows are joined with: its columns in memory, and which rows have a key."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Final, NamedTuple

from weburl._columns.input import TooLong
from weburl.cli._arguments import argument_text
from weburl.cli._conversion import Filtered
from weburl.cli._exit import InputError
from weburl.cli._messages import complain
from weburl.cli.keys.key_index import KeyIndex
from weburl.cli.keys.keys import Keys
from weburl.cli.readers.inputs import open_inputs
from weburl.cli.readers.rows import TOO_LONG_NAME, Fault, Keep, KeptColumn, RowBlock
from weburl.cli.readers.text_column import TextColumn, joined_texts, kept_texts, taken_texts

PREFIX: Final = "with"
MOST: Final = 1 << 24  # rows that a piece may become


class Table(NamedTuple):
    """The columns of a file, by names that begin with "with."; a line of text is the column "with"."""

    names: tuple[str, ...]
    columns: Sequence[TextColumn]
    counterparts: KeyIndex

    def joined(self, given: Filtered, keys: bytes, marks: bytes, *, is_left: bool) -> Filtered:
        """Rows with the columns of all rows of the table that have their keys; with `is_left` also those without."""
        found = self.counterparts.pairs(keys, marks, is_left, MOST)
        if found is None:
            raise InputError(f"rows have too many counterparts: more than {MOST:,} at once")
        lefts, rights = found
        block, piece = given.block, given.piece
        everything = b"\1" * len(marks)
        rows = taken_texts(kept_texts(piece.rows, piece.begin, piece.end, everything), lefts)
        kept = [_taken(column, piece.begin, len(marks), lefts) for column in block.kept]
        kept += [KeptColumn(taken_texts(column, rights)) for column in self.columns]
        wrong = {row - piece.begin: fault for row, fault in _faults(block).items()}
        faults = {}
        if wrong:
            faults = {place: wrong[row] for place, row in enumerate(memoryview(lefts).cast("q")) if row in wrong}
        left = RowBlock(rows, len(rows), names=block.names, kept=kept, faults=faults)
        return given._replace(block=left, piece=left.whole())


def _faults(block: RowBlock) -> dict[int, Fault]:
    """The rows that cannot be read. Lines that are too long are among them."""
    if not isinstance(block.rows, list):
        return block.faults
    too_long = Fault(TOO_LONG_NAME, "", None)
    return block.faults | {row: too_long for row, text in enumerate(block.rows) if isinstance(text, TooLong)}


def _taken(column: KeptColumn, begin: int, count: int, rows: bytes) -> KeptColumn:
    if isinstance(column.values, TextColumn):
        values = kept_texts(column.input(), begin, begin + count, b"\1" * count)
        return column._replace(values=taken_texts(values, rows))
    import pyarrow

    numbers = pyarrow.Array.from_buffers(pyarrow.int64(), len(rows) // 8, [None, pyarrow.py_buffer(rows)])
    return column._replace(values=column.values.slice(begin, count).take(numbers))


def read_table(options: Namespace, keys: Keys) -> Table:
    """The file of --with. Its rows that are not URLs have no key, and are counted on standard error."""
    named = options.with_keep
    keep = Keep(None if named is None else tuple(filter(None, argument_text(named).split(","))))
    names = {"files": [options.with_file], "column": options.with_column, "field": options.with_field, "log": None}
    names["input_format"] = options.with_input
    given = Namespace(max_line=options.max_line, base=options.base, **names)
    given.keep = keep._replace(or_lines=True, option="--with-keep", urls=not options.redact)
    blocks: list[list[TextColumn]] = []
    digests: list[bytes] = []
    marks: list[bytes] = []
    labels: tuple[str, ...] | None = None
    for source in open_inputs(given, []):
        for block in source.row_blocks():
            found = tuple(f"{PREFIX}.{name}" for name in block.names) or (PREFIX,)
            if labels is not None and labels != found:
                raise InputError(f"{source.name}: its columns are not those of the first file")
            labels = found
            for piece in block.pieces():
                some, marked = keys(piece)
                every = b"\1" * len(marked)
                digests.append(some)
                marks.append(marked)
                inputs = [column.input() for column in block.kept] or [piece.rows]
                blocks.append([kept_texts(column, piece.begin, piece.end, every) for column in inputs])
    labels = labels or (PREFIX,)
    marked = b"".join(marks)
    if wrong := marked.count(0):
        are = "is not a URL" if wrong == 1 else "are not URLs"
        complain(f"{options.with_file}: {wrong:,} of {len(marked):,} lines {are}")
    columns = [joined_texts([block[number] for block in blocks]) for number in range(len(labels))]
    return Table(labels, columns, KeyIndex(b"".join(digests), marked))
