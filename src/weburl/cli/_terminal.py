"""Terminals as output: what a terminal would obey is escaped, whoever writes it."""

from __future__ import annotations

import codecs
import io

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, Final, TextIO

# As in writers/lines.pyx: C0, DEL, C1, the separators of lines and paragraphs, and what changes the direction of text.
CONTROL: Final = "[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]"
# The lines and columns of what is written.
SHOWN: Final = "\n\t"


def escape_controls(text: str, kept: str = "") -> str:
    """A text with its control characters percent-encoded, but for those that are kept."""
    import re

    from weburl.percent import percent_encode

    def escaped(match: re.Match[str]) -> str:
        return match[0] if match[0] in kept else percent_encode(match[0], "component")

    return re.sub(CONTROL, escaped, text)


class Terminal(io.TextIOBase):
    """Terminal(stream): the text stream of a terminal, without control characters but newlines and tabs.

    `stream` takes the same text with them. `buffer` takes bytes of UTF-8.
    """

    def __init__(self, stream: TextIO) -> None:
        self.stream = stream
        self.buffer = TerminalBytes(self)

    @property
    def encoding(self) -> str:  # type: ignore[override]
        return self.stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        return self.stream.errors

    def write(self, text: str) -> int:
        self.stream.write(escape_controls(text, SHOWN))
        return len(text)

    def flush(self) -> None:
        self.stream.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.stream.fileno()


class TerminalBytes(io.BufferedIOBase):
    """The same for bytes of UTF-8. The terminal may have another encoding, in which they would be other characters."""

    def __init__(self, terminal: Terminal) -> None:
        self.terminal = terminal
        self.decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def write(self, data: Any) -> int:
        self.terminal.write(self.decoder.decode(data))
        return len(data)

    def flush(self) -> None:
        self.terminal.flush()

    def writable(self) -> bool:
        return True

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self.terminal.fileno()


def unescaped(stream: Any) -> Any:
    """The stream that takes control characters, for what moves the cursor on purpose."""
    return stream.stream if isinstance(stream, Terminal) else stream


def for_terminal(stream: Any) -> Any:
    """Standard output or error, without control characters if it is a terminal."""
    if not isinstance(stream, io.TextIOWrapper) or not stream.isatty():
        return stream
    out = buffered(stream.buffer)
    if out is not stream.buffer:
        stream = io.TextIOWrapper(out, stream.encoding, stream.errors, line_buffering=True)
    return Terminal(stream)


def buffered(out: Any) -> Any:
    """A binary stream that writes all that it is given: with python -u, a write may write less."""
    if not isinstance(out, io.RawIOBase):
        return out
    return io.BufferedWriter(
        io.FileIO(out.fileno(), "w", closefd=False) if isinstance(out, io.FileIO) else _Console(out)
    )


class _Console(io.RawIOBase):
    """A console of Windows: it takes UTF-8 only from the object that Python made. It is not closed with its buffer."""

    def __init__(self, raw: io.RawIOBase) -> None:
        self.raw = raw

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int | None:
        return self.raw.write(data)
