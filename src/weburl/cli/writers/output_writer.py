"""What a writer of one output format is."""

from __future__ import annotations

from collections.abc import Sequence

from weburl._named_tuple import NamedTuple
from weburl.cli._line_format import parse_columns
from weburl.cli._memory import MEMORY
from weburl.cli._output_fields import ERROR, PARAMS, RECORD, OutputField
from weburl.cli.readers.reading import Keep
from weburl.cli.writers import STANDARD_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any, ClassVar, Final, Self

    from weburl._arrow.batch import Batch
    from weburl._arrow.cutting import Piece
    from weburl.cli.readers.row_blocks import KeptColumn


class OutputColumn(NamedTuple):
    """A column of the output: a field, and where its values are.

    `place` is the number of a batch and the number of a column in it, or the number of a column that is kept of the
    input; None is the text of the row itself.
    """

    field: OutputField
    place: tuple[int, int] | int | None


class Rows(NamedTuple):
    """Rows to write: the batches that were made of a piece, and the columns that are kept of the input.

    In `replaced`, a batch with one column stands for a column of another.
    """

    batches: list[Batch]
    piece: Piece
    kept: Sequence[KeptColumn]
    replaced: dict[tuple[int, int], Batch]


class TableCodec(NamedTuple):
    """How tables are compressed: a name of --compression, and the options of the writers that take it."""

    name: str
    most: int  # the highest level; 0 if it has no levels
    writers: tuple[str, ...]


# To add one, write its row: what --compression takes, its help and the table of the page are made from it.
TABLE_CODECS: Final = (
    TableCodec("zstd", 22, ("--parquet", "--arrow")),
    TableCodec("snappy", 0, ("--parquet",)),
    TableCodec("gzip", 9, ("--parquet",)),
    TableCodec("none", 0, ("--parquet", "--arrow")),
)


def codecs_of(option: str) -> tuple[str, ...]:
    """The names of those that a writer takes."""
    return tuple(codec.name for codec in TABLE_CODECS if option in codec.writers)


class Compression(NamedTuple):
    name: str  # of TABLE_CODECS
    level: int | None


class TableOptions(NamedTuple):
    """How a table is written: its compression, its partitions, and how many bytes a row group has, if that is said.

    `times` are columns of texts that are times: those of logs.
    """

    compression: Compression | None = None
    partition_by: tuple[OutputField, ...] = ()
    group_bytes: int | None = None
    times: frozenset[str] = frozenset()


class OutputWriter:
    """OutputWriter(out, columns, drop): writes rows to a file. With `drop`, rows that fail are left out.

    `formats.WRITERS` has those that have an option.
    """

    option: ClassVar[str]
    help: ClassVar[str]
    # The option takes the file to write.
    takes_file: ClassVar[bool] = False
    # A terminal can show it.
    is_text: ClassVar[bool] = True
    # Its columns are in batches, also that of the rows' own texts.
    copies_input: ClassVar[bool] = False
    # What it takes of the columns that are kept of the input. None if it has no columns.
    keep: ClassVar[Keep | None] = Keep()
    # Of tables: which of TABLE_CODECS it takes, and which one without --compression.
    codecs: ClassVar[tuple[str, ...]] = ()
    usual_codec: ClassVar[str] = ""
    # The file that is written, for messages, the bytes of --memory, and how tables are written.
    name = STANDARD_OUTPUT
    memory = MEMORY
    table: TableOptions = TableOptions()

    def __init__(self, out: IO[bytes], columns: Sequence[str | OutputColumn], *, drop: bool) -> None:
        raise NotImplementedError

    @classmethod
    def template(cls, format: str | None, *, drop: bool) -> Sequence[str | OutputField]:
        """The fields of a row, by the FORMAT of -g, with the text between them if the output may have any."""
        return [*RECORD, PARAMS, ERROR] if format is None else parse_columns(format)

    def start(self, nothing: Any) -> None:
        """Called first, with what `render` gives for no rows."""

    def render(self, rows: Rows) -> Any:
        """Rows as `write` takes it. Several threads call this at once."""
        raise NotImplementedError

    def write(self, rendered: Any) -> None:
        """Writes the next piece."""
        raise NotImplementedError

    def finish(self) -> None:
        """Called last, if nothing has failed."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: object, traceback: object) -> None:
        if kind is None:
            self.finish()
