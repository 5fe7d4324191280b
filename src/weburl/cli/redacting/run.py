"""One file without its secrets: read, redacted and written in parts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import closing, nullcontext
from threading import Lock
from typing import Any, Final, Protocol

from weburl._redact.redact import LogPolicy
from weburl._redact.stream import TextStream
from weburl.cli._exit import InputError, MissingColumnError
from weburl.cli._messages import hide_credentials
from weburl.cli._progress import Progress
from weburl.cli.readers.byte_stream import ByteStream, file_size, name_in_errors
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN
from weburl.cli.readers.row_blocks import RowBlock
from weburl.cli.readers.signatures import UTF_8
from weburl.cli.redacting.addressed import Address, AddressedStream
from weburl.cli.redacting.explanations import Explanations
from weburl.cli.redacting.lines import Lines
from weburl.cli.redacting.totals import Totals

STANDARD_INPUT = "standard input"
# Four characters, without a byte order mark. A log that was cut while it was open can begin with NUL bytes alone.
UTF_32: Final = re.compile(rb"((?:(?!\0\0)..\0\0){4})|(?:\0\0(?!\0\0)..){4}", re.DOTALL)


class Out(Protocol):
    """Where the text goes."""

    def write(self, data: bytes, /) -> object: ...


class Cancelled(Exception):
    """Raised in a thread whose file is not wanted any more."""


class Redaction:
    """How files are redacted, and what comes of it. Threads call `run` at once."""

    def __init__(
        self,
        policy: LogPolicy,
        limit: int,
        memory: int,
        totals: Totals,
        address: Address | None = None,
        *,
        explains: bool,
    ) -> None:
        self.policy = policy
        self.limit = limit
        self.memory = memory
        self.totals = totals
        self.address = address
        # What was found of the address, by file.
        self.files: list[Lines] = []
        self.explains = explains
        self.lock: Lock = Lock()
        self.cancelled: bool = False

    def run(
        self, name: str, out: Out | None, pause: Callable[[], object], *, shows_progress: bool, opened: Any = None
    ) -> None:
        """Writes the text of a file. `pause` is called where the input has nothing more to read yet."""
        shown = STANDARD_INPUT if name == STDIN else name
        explain = Explanations(hide_credentials(shown), self.policy, self.lock) if self.explains else None
        stream: TextStream | AddressedStream
        if self.address is None:
            stream = TextStream(self.policy, explain)
        else:
            lines = self.address.lines(name)
            self.files.append(lines)
            stream = AddressedStream(self.policy, lines, self.limit)
        is_whole = False
        try:
            with open_file(name) if opened is None else nullcontext(opened) as file:
                self._run(stream, file, shown, out, pause, shows_progress=shows_progress)
            is_whole = True
        except MissingColumnError as error:
            raise MissingColumnError(f"{shown}: {error}") from None
        finally:
            self.totals.add_file(stream, stream.counts, is_whole=is_whole)

    def _run(
        self,
        stream: TextStream | AddressedStream,
        opened: Any,
        shown: str,
        out: Out | None,
        pause: Callable[[], object],
        *,
        shows_progress: bool,
    ) -> None:
        with closing(Progress(file_size(opened), shown=shows_progress)) as progress:
            for data, block in self._parts(opened, shown):
                if self.cancelled:
                    raise Cancelled
                # What ends without a line end, and is not a part of a longer line, is the last line.
                is_last = not block.partial and not data.endswith(b"\n")
                self._write(out, data, stream.finish(data) if is_last else stream.redact(data))
                if block.pause:
                    pause()
                progress(block.done)
                if self.totals.path is not None:
                    self.totals.go_on(stream, stream.counts)
            self._write(out, b"", stream.finish())

    def _write(self, out: Out | None, data: bytes, text: bytes) -> None:
        if out is not None and text:
            out.write(text)
        self.totals.add(data, text)

    def _parts(self, file: Any, name: str) -> Iterator[tuple[bytes, RowBlock]]:
        """The text in parts, and the blocks that they are from."""
        with name_in_errors(name):
            stream = ByteStream(file, name, self.memory)
            match = UTF_32.match(stream.head)
            if match is not None:
                encoding = "UTF-32LE" if match[1] else "UTF-32BE"
                raise InputError(f"it is in UTF-32: {UTF_8.format(encoding)}")
            mark = stream.mark
            for block in stream.blocks(self.limit):
                data = block.rows if block.size == len(block.rows) else block.rows[: block.size]
                yield mark + data if mark else data, block
                mark = b""
            if mark:
                yield mark, RowBlock([], 0)
