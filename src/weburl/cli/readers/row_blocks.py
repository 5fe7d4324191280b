"""Blocks of rows, as readers give them, and rows that cannot be read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from weburl._arrow import input
from weburl._arrow.cutting import Piece, cut_lines, cut_rows
from weburl._arrow.input import TOO_LONG_ROW, Input, TooLong
from weburl._named_tuple import NamedTuple
from weburl.cli._exit import InputError, MissingColumnError, WrongOptionError
from weburl.cli._messages import quoted
from weburl.cli.readers.reading import Keep
from weburl.cli.readers.rows.text_column import TextColumn, count_lines, kept_texts

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, overload

TOO_LONG_NAME: Final = "too-long"
RECORD_BYTES: Final = 1 << 18  # of records that one thread reads at a time
INVALID_RECORD: Final = "invalid-record"
EMPTY_NAME: Final = "empty"
# What the URL parser removes around a URL: https://url.spec.whatwg.org/#concept-basic-url-parser
C0_OR_SPACE: Final = "".join(map(chr, range(33)))
BLANK: Final = " \t\n\v\f\r"
OTHER_COLUMNS: Final = "its columns are not those of the first file: --keep must name some"


class Fault(NamedTuple):
    """Stands for a row of a record that cannot be read: the error, why, the record, and where it is wrong.

    The column is in characters from 1; it is 0 if no place is known.
    """

    name: str
    message: str
    record: str | None
    column: int = 0


EMPTY: Final = Fault(EMPTY_NAME, "The text is empty, and would be the base (--resolve-empty makes it so).", "")
# A text; TOO_LONG_ROW in place of one that has more bytes than --max-line; or None where there is no value.
Row = str | TooLong | Fault | None


def too_long_message(limit: int) -> str:
    return f"The line has more than {limit:,} bytes (--max-line)."


def _texts_of(values: Any) -> list[Row]:
    """The texts of a column of Arrow."""
    try:
        texts = values.to_pylist()
    except UnicodeDecodeError:
        # Its type says that they are UTF-8.
        whole = [getattr(value, "value", None) or value for value in values]
        texts = [value.as_buffer().to_pybytes() if value.is_valid else None for value in whole]
    return [text.decode("utf-8", "replace") if isinstance(text, bytes) else text for text in texts]


class KeptColumn(NamedTuple):
    """A column that is kept: a column of texts, or of Arrow; `is_json` says whether the texts are JSON."""

    values: Any
    is_json: bool = False

    def input(self) -> Input:
        if isinstance(self.values, TextColumn):
            return self.values.input()
        [column] = input.from_arrow(self.values)
        return column

    def arrow(self) -> Any:
        values = self.values
        if not isinstance(values, TextColumn):
            return values
        import pyarrow

        buffers = [pyarrow.py_buffer(part) for part in (values.validity, values.offsets, values.data)]
        return pyarrow.Array.from_buffers(pyarrow.large_string(), len(values), buffers)

    def slice(self, begin: int, length: int) -> KeptColumn:
        return self._replace(values=self.arrow().slice(begin, length))


def kept_names(names: Sequence[str], keep: Keep, column: str) -> tuple[str, ...]:
    """The columns that are kept of a file with these names. `column` has the URLs."""
    if keep.names is None or keep.is_exact:
        left_out = keep.left_out | {column} if keep.redacts else keep.left_out
        kept = [name for name in names if name not in left_out]
        repeated = next((name for name, count in Counter(kept).items() if count > 1), None)
        if repeated is not None:
            named = f"name the columns to keep ({keep.option}=NAME,NAME)"
            raise WrongOptionError(f"{quoted(repeated)} is the name of more than one column: {named}")
        if keep.names is None:
            return tuple(kept)
        if not set(kept) <= set(keep.names):
            raise InputError(OTHER_COLUMNS)
    known = set(names)
    for name in keep.names:
        if name not in known:
            listed = ", ".join(map(quoted, names)) or "none"
            raise MissingColumnError(f"there is no column {quoted(name)} to keep: the columns are {listed}")
    return keep.names


def blank_of(base: str | None) -> str:
    """The characters of a row that is skipped. With a base, what is empty for the URL parser would be the base."""
    return BLANK if base is None else C0_OR_SPACE


def null_columns(rows: int, names: Sequence[str]) -> list[KeptColumn]:
    """Kept columns without values."""
    column = kept_texts(input.from_objects([None] * rows), 0, rows, b"\1" * rows)
    return [KeptColumn(column) for _ in names]


def invalid_record(message: str, record: bytes, column: int = 0) -> Fault:
    return Fault(INVALID_RECORD, message, record.decode("utf-8", "replace").rstrip("\r\n"), column)


def line_cuts(data: bytes, size: int, part: int) -> list[int]:
    """Where parts of the first `size` bytes end, each with whole lines and at least `part` bytes but for the last."""
    cuts = []
    end = 0
    while end < size:
        end = data.find(b"\n", min(end + part, size) - 1, size) + 1 or size
        cuts.append(end)
    return cuts


class LineNumbers(Sequence[int]):
    """LineNumbers(numbers, before): numbers of lines in a part of a file, with the number of lines before that."""

    def __init__(self, numbers: Sequence[int], before: int) -> None:
        self.numbers = numbers
        self.before = before

    def __len__(self) -> int:
        return len(self.numbers)

    if TYPE_CHECKING:

        @overload
        def __getitem__(self, index: int) -> int: ...
        @overload
        def __getitem__(self, index: slice) -> LineNumbers: ...

    def __getitem__(self, index: int | slice) -> int | LineNumbers:
        if isinstance(index, slice):
            return LineNumbers(self.numbers[index], self.before)
        return self.numbers[index] + self.before


class RowBlock(NamedTuple):
    """Rows of an input: lines (the first `size` bytes of `rows`), a list of `Row`, or a column of texts or of Arrow."""

    rows: Any
    size: int
    lines: Sequence[int] | None = None  # the line number of each row, where rows are not lines
    done: int = 0  # how many bytes of the file have been read
    pause: bool = False  # the next block is not there yet, so the output should be flushed
    partial: bool = False  # the last line continues in the next block
    names: tuple[str, ...] = ()  # of the columns that are kept
    kept: Sequence[KeptColumn] = ()
    faults: dict[int, Fault] = {}  # noqa: RUF012  # never changed
    weight: int = 0  # the bytes of its texts, where these are not its rows

    def bytes_of(self, piece: Piece) -> int:
        return max(self.weight, piece.end - piece.begin if isinstance(self.rows, bytes) else 0)

    def pieces(self) -> Iterator[Piece]:
        if isinstance(self.rows, bytes):
            return cut_lines(self.rows, self.size)
        if isinstance(self.rows, TextColumn):
            return cut_rows([self.rows.input()])
        if isinstance(self.rows, list):
            return cut_rows([input.from_objects(None if isinstance(row, Fault) else row for row in self.rows)])
        return cut_rows(input.from_arrow(self.rows))

    def whole(self) -> Piece:
        """All rows of a block of records as one piece."""
        return Piece(self.rows.input(), 0, self.size)

    def head(self, piece: Piece, rows: int) -> Piece:
        """The first rows of a piece of this block."""
        end = piece.begin + rows
        if isinstance(self.rows, bytes):
            end = piece.begin
            for _ in range(rows):
                end = piece.rows.end_of_line(end)
        return piece._replace(end=end)

    def texts(self, begin: int = 0, end: int | None = None) -> list[Row]:
        """The rows of the block, or of a piece of it."""
        end = self.size if end is None else end
        if isinstance(self.rows, bytes):
            lines = self.rows[begin:end].decode("utf-8", "replace").split("\n")
            if not lines[-1]:
                lines.pop()
            return [line.removesuffix("\r") for line in lines]
        if isinstance(self.rows, TextColumn):
            rows: list[Row] = [*self.rows.texts(begin, end)]
        elif isinstance(self.rows, list):
            rows = self.rows[begin:end]
        else:
            rows = _texts_of(self.rows[begin:end])
        for row, fault in self.faults.items():
            if begin <= row < end:
                rows[row - begin] = TOO_LONG_ROW if fault.name == TOO_LONG_NAME else fault
        return rows

    def without_empty(self, piece: Piece) -> tuple[Piece, list[int]]:
        """The piece with nulls for the rows that are empty, which a base would make URLs; and their numbers in it.

        Records that cannot be read are nulls in it, as they were.
        """
        empty = input.empty_rows(piece.rows, piece.begin, piece.end)
        if not empty:
            return piece, empty
        rows = self.texts(piece.begin, piece.end)
        faults = (row - piece.begin for row in self.faults if piece.begin <= row < piece.end)
        for row in (*empty, *faults):
            rows[row] = None
        rows_left = input.from_objects(None if isinstance(row, Fault) else row for row in rows)
        return Piece(rows_left, 0, len(rows)), empty


class RecordBlock(NamedTuple):
    """Records that are not read yet: `data` from one of the `cuts` to the next. `parse` reads such a part of it.

    Its arguments are the data, the begin and the end of the part, and the number of lines before it.
    """

    data: bytes
    cuts: Sequence[int]
    parse: Callable[[bytes, int, int, int], RowBlock]
    line: int  # the number of lines before the first record
    done: int = 0
    pause: bool = False

    def sizes(self) -> Iterator[int]:
        """The bytes of each part."""
        return (end - begin for begin, end in pairwise((0, *self.cuts)))

    def parts(self) -> Iterator[Callable[[], RowBlock]]:
        """A function for each part, which may be called by another thread."""
        line, begin = self.line, 0
        for end in self.cuts:

            def parsed(begin: int = begin, end: int = end, line: int = line) -> RowBlock:
                pause = self.pause and end == self.cuts[-1]
                return self.parse(self.data, begin, end, line)._replace(done=self.done, pause=pause)

            yield parsed
            line += count_lines(self.data, begin, end)
            begin = end
