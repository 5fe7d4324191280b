"""The file that rows are joined with: its columns in memory, and which rows have a key."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import Final, NamedTuple

from weburl._arrow import input
from weburl._arrow.pieces import Piece
from weburl.cli._arguments import argument_text
from weburl.cli._conversion import Filtered, taken
from weburl.cli._exit import InputError
from weburl.cli._messages import complain
from weburl.cli.keys.key_index import KeyIndex
from weburl.cli.keys.keys import Keys
from weburl.cli.readers.inputs import open_inputs
from weburl.cli.readers.rows import Keep, KeptColumn, RowBlock
from weburl.cli.readers.text_column import TextColumn, joined_texts, kept_texts, taken_texts
from weburl.redact import redact

PREFIX: Final = "with"
MOST: Final = 1 << 24  # rows that a piece may become


class Table(NamedTuple):
    """The columns of a file, by names that begin with "with."; a line of text is the column "with"."""

    names: tuple[str, ...]
    columns: Sequence[TextColumn]
    counterparts: KeyIndex

    def joined(self, given: Filtered, keys: bytes, marks: bytes, *, is_left: bool, is_marked: bool) -> Filtered:
        """Rows with the columns of all rows of the table that have their keys; with `is_left` also those without.

        With `is_marked`, `marks` says which these are.
        """
        found = self.counterparts.pairs(keys, marks, is_left, MOST)
        if found is None:
            raise InputError(f"rows have too many counterparts: more than {MOST:,} at once")
        lefts, rights = found
        block, piece = taken(given.block, given.piece, len(marks), lefts)
        kept = [*block.kept, *(KeptColumn(taken_texts(column, rights)) for column in self.columns)]
        joined = given._replace(block=block._replace(kept=kept), piece=piece)
        if not is_marked:
            return joined
        rows = set(memoryview(lefts).cast("q"))
        return joined.marked(bytes(row in rows for row in range(len(marks))))


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
                inputs = [column.input() for column in block.kept]
                columns = [kept_texts(column, piece.begin, piece.end, every) for column in inputs]
                blocks.append(columns or [_urls(block, piece, every, redacts=options.redact)])
    labels = labels or (PREFIX,)
    marked = b"".join(marks)
    if wrong := marked.count(0):
        are = "is not a URL" if wrong == 1 else "are not URLs"
        complain(f"{options.with_file}: {wrong:,} of {len(marked):,} lines {are}")
    joined = [joined_texts([block[number] for block in blocks]) for number in range(len(labels))]
    return Table(labels, joined, KeyIndex(b"".join(digests), marked))


def _urls(block: RowBlock, piece: Piece, every: bytes, *, redacts: bool) -> TextColumn:
    """The texts of the URLs, where no column is kept."""
    if not redacts:
        return kept_texts(piece.rows, piece.begin, piece.end, every)
    texts = [redact(row) if isinstance(row, str) else None for row in block.texts(piece.begin, piece.end)]
    return kept_texts(input.from_objects(texts), 0, len(texts), every)
