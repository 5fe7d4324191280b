"""The inputs of a command: its arguments, and the files that are read."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from itertools import count
from typing import Any, Final, NamedTuple

from weburl import URL
from weburl._arrow.pieces import Piece
from weburl.cli._exit import ExitCode, InputError
from weburl.cli._memory import limited_memory, too_little_memory
from weburl.cli._messages import complain, quoted
from weburl.cli.readers.files import ByteStream, file_size, name_in_errors
from weburl.cli.readers.formats import BY_EXTENSION, FORMATS, marked_format
from weburl.cli.readers.names import files_of
from weburl.cli.readers.packings import EXTENSIONS, packing_of
from weburl.cli.readers.reading import Keep, Reading, SeenFields
from weburl.cli.readers.rows import RecordBlock, Row, RowBlock, null_columns
from weburl.cli.readers.signatures import SIZE, UNPACK, is_text, refusal_of

STDIN: Final = "-"
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
        self.fields = SeenFields()

    def __iter__(self) -> Iterator[OpenInput]:
        if self.arguments:
            texts = list(self.arguments)
            names = self.keep.names or ()
            block = RowBlock(texts, len(texts), pause=True, names=names, kept=null_columns(len(texts), names))
            yield OpenInput(ARGUMENTS, None, iter([block]), is_arguments=True)
        reading = self.reading
        for pattern in reading.files or ([] if self.arguments else [STDIN]):
            for name in (STDIN,) if pattern == STDIN else files_of(pattern):
                shown = "standard input" if name == STDIN else name
                with (
                    limited_memory(shown, reading.memory, reading.threads),
                    open_file(name, reading.takes_urls) as file,
                ):
                    yield OpenInput(shown, file_size(file), self._blocks(file, name, shown))
        for field in self.fields.missing:
            what = "text" if field == reading.field else "value"
            complain(f"no record has a {what} in the field {quoted(field)}")

    def _blocks(self, file: Any, name: str, shown: str) -> Iterator[RowBlock | RecordBlock]:
        """The blocks of a file. One that cannot be read is closed here: the generator that opened it does not go on."""
        try:
            with name_in_errors(shown):
                try:
                    yield from self._read(file, name)
                except MemoryError:
                    raise too_little_memory("it", self.reading.memory) from None
        except InputError:
            if name != STDIN:
                file.close()
            raise

    def _read(self, file: Any, name: str) -> Iterator[RowBlock | RecordBlock]:
        stream = ByteStream(file, name, self.reading.memory, self.fields)
        kind = _kind_of(stream, name, self.reading)
        if kind is None:
            from weburl.cli.readers.records.logs import read_access_log

            yield from read_access_log(stream, self.reading, self.keep)
        else:
            yield from FORMATS[kind].read(stream, self.reading, self.keep)

    @property
    def status(self) -> ExitCode:
        return ExitCode.FOUND if self.fields.missing else ExitCode.OK


def _kind_of(stream: ByteStream, name: str, reading: Reading) -> str | None:
    """The name of a file's format; None for an access log."""
    marked = marked_format(stream.head)
    wanted = reading.format
    if marked is not None:
        if wanted not in (marked.name, None):
            raise InputError(f"it is {marked.name}, not {wanted}: leave out --input {wanted}")
        return marked.name
    root, extension = os.path.splitext(name.lower())
    if extension in EXTENSIONS:
        extension = os.path.splitext(root)[1]
    known = FORMATS[wanted] if wanted else BY_EXTENSION.get(extension)
    if known is not None and known.mark is not None:
        raise InputError(f"it is not {known.name}: its first bytes are not {known.name}'s")
    if wanted is None:
        stream.check_text()
    if reading.log is not None:
        return None
    if known is not None:
        return known.name
    if reading.column is not None:
        return "csv"
    if reading.field is not None:
        return "jsonl"
    if stream.head.startswith((b'{"', b"[{")) and wanted is None:
        raise InputError("it looks like JSON: --field NAME says which field has the URLs")
    return "text"


@contextmanager
def open_file(name: str, takes_urls: bool = False) -> Iterator[Any]:
    """A file, or standard input, to read bytes from."""
    if name == STDIN:
        if sys.stdin is None:
            raise InputError("standard input: it is closed")
        # Nobody has read from its buffer, so the buffer can be left out.
        file = sys.stdin.buffer
        yield getattr(file, "raw", file)
        return
    with name_in_errors(name):
        try:
            opened = open(name, "rb", buffering=0)  # noqa: SIM115
        except FileNotFoundError:
            if not takes_urls or not URL.can_parse(name):
                raise
            raise InputError("no such file or directory; all that follows -f is a file: URLs go before it") from None
    with closing(opened):
        yield opened


def check_file_of_text(name: str) -> None:
    """Refuses a file that is not text. What is not on a disk is not looked at: it can be read once."""
    try:
        with open(name, "rb") as file:
            head = file.read(SIZE) if file_size(file) is not None else b""
    except OSError:
        # Whoever reads it says what is wrong.
        return
    why = unlike_text(head)
    if why is not None:
        raise InputError(f"{name}: {why}")


def unlike_text(head: bytes) -> str | None:
    """A sentence that says why a file of text cannot be one, for files that are not unpacked."""
    packing = packing_of(head)
    if packing is not None:
        return f"it is packed with {packing.name}: {UNPACK}"
    format = marked_format(head)
    if format is not None:
        return f"it is a file of {format.name.capitalize()}, not of text"
    return refusal_of(head) or (None if is_text(head) else "it is not text")
