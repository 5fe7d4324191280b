"""One file without its secrets: read, redacted and written in parts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from threading import Lock
from typing import Any, Protocol

from weburl._redact.redact import LogPolicy
from weburl._redact.stream import TextStream
from weburl.cli._messages import hide_credentials
from weburl.cli._progress import Progress
from weburl.cli.readers.files import ByteStream, file_size, name_in_errors
from weburl.cli.readers.open_files import open_file
from weburl.cli.readers.reading import STDIN
from weburl.cli.redacting.explanations import Explanations
from weburl.cli.redacting.tally import Tally

STANDARD_INPUT = "standard input"


class Out(Protocol):
    """Where the text goes."""

    def write(self, data: bytes, /) -> object: ...


class Cancelled(Exception):
    """Raised in a thread whose file is not wanted any more."""


class Redaction:
    """How files are redacted, and what comes of it. Threads call `run` at once."""

    def __init__(self, policy: LogPolicy, limit: int, memory: int, tally: Tally, *, explains: bool) -> None:
        self.policy = policy
        self.limit = limit
        self.memory = memory
        self.tally = tally
        self.explains = explains
        self.lock: Lock = Lock()
        self.cancelled: bool = False

    def run(
        self, name: str, out: Out | None, pause: Callable[[], object], *, shows_progress: bool, opened: Any = None
    ) -> None:
        """Writes the text of a file. `pause` is called where the input has nothing more to read yet."""
        shown = STANDARD_INPUT if name == STDIN else name
        explain = Explanations(hide_credentials(shown), self.policy, self.lock) if self.explains else None
        stream = TextStream(self.policy, explain)
        if opened is None:
            with open_file(name) as opened:
                self._run(stream, opened, shown, out, pause, shows_progress=shows_progress)
        else:
            self._run(stream, opened, shown, out, pause, shows_progress=shows_progress)
        self.tally.add_file(stream.counts)

    def _run(
        self,
        stream: TextStream,
        opened: Any,
        shown: str,
        out: Out | None,
        pause: Callable[[], object],
        *,
        shows_progress: bool,
    ) -> None:
        with closing(Progress(file_size(opened), shown=shows_progress)) as progress:
            for data, done, is_pause in self._parts(opened, shown):
                if self.cancelled:
                    raise Cancelled
                text = stream.redact(data)
                self._write(out, data, text)
                if is_pause:
                    pause()
                progress(done)
                if self.tally.is_due():
                    self.tally.write_metrics(stream.counts)
            self._write(out, b"", stream.finish())

    def _write(self, out: Out | None, data: bytes, text: bytes) -> None:
        if out is not None and text:
            out.write(text)
        self.tally.add(data, text)

    def _parts(self, file: Any, name: str) -> Iterator[tuple[bytes, int, bool]]:
        """The text in parts; how many bytes have been read; and whether no more are there yet."""
        with name_in_errors(name):
            stream = ByteStream(file, name, self.memory)
            if stream.mark:
                yield stream.mark, 0, False
            for block in stream.blocks(self.limit):
                data = block.rows
                yield data if block.size == len(data) else data[: block.size], block.done, block.pause
