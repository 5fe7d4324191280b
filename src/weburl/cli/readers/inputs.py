"""The inputs of a command: its arguments, and the files that are read."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from itertools import count

from weburl._arrow.cutting import Piece
from weburl._named_tuple import NamedTuple
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._memory import give_back_reserve, limited_memory, too_little_memory
from weburl.cli._messages import complain, quoted
from weburl.cli._progress import Progress, is_terminal
from weburl.cli.readers.reading import STDIN, Keep, Reading, SeenFields
from weburl.cli.readers.row_blocks import RecordBlock, Row, RowBlock, null_columns

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final

    from weburl._arrow.input import TooLong
    from weburl.cli.readers.row_blocks import Fault

ARGUMENTS: Final = "argument"
LARGE: Final = 1 << 20  # bytes of a piece


# A piece of a block; or records that are to be read.
Task = tuple[RowBlock, Piece] | Callable[[], RowBlock]


class OpenInput(NamedTuple):
    """An input that is open; its blocks can be read once."""

    name: str  # for messages
    size: int | None  # in bytes, if it is known
    blocks: Iterator[RowBlock | RecordBlock]
    is_arguments: bool = False  # and not a file, which may have the same name

    def row_blocks(self) -> Iterator[RowBlock]:
        """The blocks; records are read in this thread."""
        for block in self.blocks:
            if isinstance(block, RowBlock):
                yield block
            else:
                yield from (part() for part in block.parts())

    def numbered(self, progress: Callable[[int], object] | None = None) -> Iterator[tuple[int, Row]]:
        """Each row with the number of its line, or with the number of the row if the file has no lines."""
        before = 0
        for block in self.row_blocks():
            texts = block.texts()
            yield from zip(block.lines or count(before + 1), texts, strict=False)
            before += len(texts)
            if progress is not None:
                progress(block.done)

    def tasks(self) -> Iterator[Task | None]:
        """The pieces, and the records that are to be read; None where the next one is not there yet.

        It is also before and after a large one, which then is the only one in work: what is made of it is larger.
        """
        for block in self.blocks:
            tasks: Iterator[tuple[Task, int]]
            if isinstance(block, RecordBlock):
                tasks = zip(block.parts(), block.sizes(), strict=True)
            else:
                tasks = (((block, piece), block.bytes_of(piece)) for piece in block.pieces())
            for task, size in tasks:
                if size > LARGE:
                    yield None
                yield task
                if size > LARGE:
                    yield None
            if block.pause:
                yield None


def piece_of(task: Any) -> tuple[RowBlock, Piece]:
    """The piece of a task, with its block. Records are read in the thread that calls this."""
    if isinstance(task, tuple):
        return task
    block: RowBlock = task()
    return block, block.whole()


class Inputs:
    """Inputs(reading, keep, arguments): the arguments and the files, each open until the next one is asked for.

    Standard input is read if there are neither arguments nor files. `keep` may change before a file is opened.
    """

    def __init__(self, reading: Reading, keep: Keep = Keep(), arguments: Sequence[str] = ()) -> None:  # noqa: B008
        self.reading = reading
        self.keep = keep
        self.arguments = arguments
        # Of JSON, in all files.
        self.fields: SeenFields = SeenFields()

    def __iter__(self) -> Iterator[OpenInput]:
        if self.arguments:
            texts = list(self.arguments)
            names = self.keep.names or ()
            block = RowBlock(texts, len(texts), pause=True, names=names, kept=null_columns(len(texts), names))
            yield OpenInput(ARGUMENTS, None, iter([block]), is_arguments=True)
        if self.reading.files or not self.arguments:
            yield from self._files(self.reading.files or [STDIN])
        for field in self.fields.missing:
            what = "text" if field == self.reading.field else "value"
            place = "column" if field == self.reading.column else "field"
            complain(f"no record has a {what} in the {place} {quoted(field)}")
        for name in self.fields.unread:
            complain(f"no record has a {name} that can be read")
        since = self.reading.filter and self.reading.filter.since
        if since and since.ago and self.fields.has_records and not self.fields.has_left and not self.status:
            complain(f"no record is left: --since {since.ago} counts back from now, not from the end of the log")

    def numbered(self, blank: str) -> Iterator[tuple[OpenInput, int, str | Fault | TooLong]]:
        """Each row with its input and its number, but for nulls and rows of `blank` characters. The progress bar goes
        with them.
        """
        for source in self:
            with closing(Progress(source.size, shown=not is_terminal(sys.stdout))) as progress:
                for line, text in source.numbered(progress):
                    if text is not None and not (isinstance(text, str) and not text.strip(blank)):
                        yield source, line, text

    def _files(self, patterns: Sequence[str]) -> Iterator[OpenInput]:
        # What reads files is imported where there are some.
        from weburl.cli.readers import storage
        from weburl.cli.readers.byte_stream import file_size
        from weburl.cli.readers.file_names import files_of
        from weburl.cli.readers.open_files import open_file

        reading = self.reading
        for pattern in patterns:
            for name in (STDIN,) if pattern == STDIN else files_of(pattern):
                shown = "standard input" if name == STDIN else storage.shown(name)
                with (
                    limited_memory(shown, reading.memory, reading.threads),
                    open_file(name, reading.takes_urls) as file,
                ):
                    yield OpenInput(shown, file_size(file), self._blocks(file, name, shown))

    def _blocks(self, file: Any, name: str, shown: str) -> Iterator[RowBlock | RecordBlock]:
        """The blocks of a file. One that cannot be read is closed here: the generator that opened it does not go on."""
        from weburl.cli.readers.byte_stream import name_in_errors
        from weburl.cli.readers.open_files import read_blocks

        try:
            with name_in_errors(shown):
                try:
                    yield from read_blocks(file, name, self.reading, self.keep, self.fields)
                except MemoryError:
                    give_back_reserve()
                    raise too_little_memory("it", self.reading.memory) from None
        except InputError:
            if name != STDIN:
                file.close()
            raise

    @property
    def status(self) -> int:
        return ExitCode.FOUND if self.fields.missing or self.fields.unread else ExitCode.OK
