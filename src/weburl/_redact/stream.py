"""Texts that come in parts, such as a log that is read from a pipe, without their secrets and in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, TypeAlias

from weburl._redact.redact import LogPolicy
from weburl._redact.text_parts import TextParts

# What is read of a word, or of the value of a header, whose end is not there yet. Of longer ones, the rest is replaced.
LONGEST: Final = 1 << 16
# What is kept of the text before a part: its begin may depend on it. Rules of explain_redaction() look at 256 bytes.
CONTEXT: Final = 1 << 12
HIDDEN: Final = b"REDACTED"
LONG: Final = "long"
# What ends each URL, and is not in the middle of a colour.
END_OF_WORD: Final = re.compile(rb'[\x00-\x1a\x1c-\x20\x7f"](?<!\\")')
END_OF_LINE: Final = re.compile(rb"[\r\n]")
END_OF_LIST: Final = re.compile(rb"[\r\n\]]")
ENDS_OF_QUOTES: Final = {
    ord('"'): re.compile(rb'[\r\n"](?<!\\")'),
    ord("'"): re.compile(rb"[\r\n'](?<!\\')"),
}
# Of headers, whose values are longer than a word.
NAMES: Final = (b"cookie", b"authorization")
LONGEST_NAME: Final = 13
HOST: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,31}://[A-Za-z0-9.-]{1,255}/")

# From where to where, and the kind.
Span: TypeAlias = tuple[int, int, str]


class TextStream:
    """TextStream(policy, explain): a text in parts, redacted as redact_text() redacts the whole.

    >>> stream = TextStream("logs/1")
    >>> stream.redact(b"GET /?token=1 GET /?tok"), stream.redact(b"en=q8Zx HTTP"), stream.finish()
    (b'GET /?token=REDACTED GET ', b'/?token=REDACTED ', b'HTTP')

    Parts of whole lines are written at once, unless the next line decides about the value of a header. Other parts are
    written up to the last space. The word after it comes with the next part: a URL may go on. Of a word, and of a
    header, that has more than LONGEST bytes by then, the rest is replaced.

    `explain` is called with a text and what is hidden in it between two
    places of it.
    """

    def __init__(
        self,
        policy: str | LogPolicy = "logs/1",
        explain: Callable[[bytes, list[Span], int, int], None] | None = None,
    ) -> None:
        self.parts: TextParts = TextParts(policy)
        # Of headers whose values are too long.
        self.names: TextParts = TextParts(policy)
        self.explain: Callable[[bytes, list[Span], int, int], None] | None = explain
        self.cuts: int = 0
        # What comes again before the next part, and how much of it has been written.
        self.held: bytes = b""
        self.begin: int = 0
        # Where the text that is replaced ends, and whether it is in a list of values.
        self.end: re.Pattern[bytes] | None = None
        self.is_in_list: bool = False
        # How much of it is held: a backslash may escape what comes next, and a name may go on.
        self.known: int = 0

    @property
    def counts(self) -> dict[str, int]:
        """How often which kind was hidden."""
        counts = self.parts.counts
        for kind, count in (*self.names.counts.items(), (LONG, self.cuts)):
            if count:
                counts[kind] = counts.get(kind, 0) + count
        return counts

    def redact(self, part: bytes) -> bytes:
        """What is decided by now. A part that has no line end at its end is one of a long line."""
        return self._redact(part, more=True)

    def finish(self, part: bytes = b"") -> bytes:
        """The rest, with a last part."""
        return self._redact(part, more=False)

    def _redact(self, part: bytes, *, more: bool) -> bytes:
        data = self.held + part if self.held else part
        if self.end is not None:
            data = self._after_end(data, self.end)
            if not data:
                return b""
        text = self.parts.redact(data, self.begin, more)
        if self.explain is not None:
            self.explain(data, self.parts.found, self.begin, self.parts.cut)
        if not data.endswith(b"\n") and len(data) - self.parts.needed() > LONGEST:
            return text + self._cut(data)
        self._hold(data)
        return text

    def _hold(self, data: bytes) -> None:
        """Keeps what is not decided, and what is before it."""
        place = self.parts.needed()
        keep = len(data)
        if place < keep or not data.endswith(b"\n"):
            keep = data.rfind(b"\n", 0, place) + 1
            if place - keep > CONTEXT and not data.endswith(b"\n"):
                keep = place - CONTEXT
        if self.explain is not None:
            keep = min(keep, max(place - CONTEXT, 0))
        self.parts.move(keep)
        self.held = data[keep:]
        self.begin = self.parts.cut

    def _cut(self, data: bytes) -> bytes:
        """Replaces a word, or the value of a header, that is too long. A host stays, and the name of a header."""
        parts, cut = self.parts, self.parts.cut
        text = b""
        if not parts.is_header:
            self.is_in_list = False
            self.end = END_OF_LINE if has_name(data[cut:]) else END_OF_WORD
            host = HOST.match(data, cut)
            value = host.end() if host else cut
            text = data[cut:value]
            if self.explain is not None:
                self.explain(data, [], cut, value)
        else:
            value, quote, is_list = parts.header
            value = max(value if value >= 0 else len(data), cut)
            self.end = ENDS_OF_QUOTES.get(quote, END_OF_LIST if is_list else END_OF_LINE)
            self.is_in_list = is_list and quote in ENDS_OF_QUOTES
            # The name stays; a key can be before it.
            text = self.names.redact(data[:value], cut, more=False)
            if self.explain is not None:
                self.explain(data, self.names.found, cut, value)
        self.cuts += 1
        if self.explain is not None:
            self.explain(data, [(value, len(data), LONG)], value, len(data))
        self._hold_end(data)
        return text + HIDDEN

    def _hold_end(self, data: bytes) -> None:
        self.held = data[-LONGEST_NAME:]
        self.known = len(self.held)

    def _after_end(self, data: bytes, end: re.Pattern[bytes]) -> bytes:
        """What follows the text that is replaced, or nothing if that goes on."""
        found = end.search(data, self.known)
        place = found.start() if found else len(data)
        if end is END_OF_WORD and has_name(data[:place]):
            end = self.end = END_OF_LINE
            found = end.search(data, place)
            place = found.start() if found else len(data)
        if self.explain is not None:
            self.explain(data, [], self.known, place)
        if found is None:
            self._hold_end(data)
            return b""
        self.parts.restart(self.is_in_list and data[place] not in b"\r\n")
        self.begin = 0
        self.end = None
        return data[place:]


def has_name(text: bytes) -> bool:
    """Whether the name of a header is in a text."""
    text = text.lower()
    return any(name in text for name in NAMES)
