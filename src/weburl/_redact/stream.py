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
END_OF_WORD: Final = re.compile(rb'[\x00-\x1a\x1c-\x20\x7f]|(?<!\\)"')
END_OF_LINE: Final = re.compile(rb"[\r\n]")
END_OF_LIST: Final = re.compile(rb"[\r\n\]]")
ENDS_OF_QUOTES: Final = {ord(quote): re.compile(rb"[\r\n]|(?<!\\)" + quote.encode()) for quote in "'\""}
# Of headers, whose values are longer than a word.
NAMES: Final = re.compile(rb"cookie|authorization", re.IGNORECASE)
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

    `counts` says how often which kind was hidden. `explain` is called with a text and what is hidden in it between two
    places of it.
    """

    def __init__(
        self,
        policy: str | LogPolicy = "logs/1",
        explain: Callable[[bytes, list[Span], int, int], None] | None = None,
    ) -> None:
        self.parts: TextParts = TextParts(policy)
        self.explain: Callable[[bytes, list[Span], int, int], None] | None = explain
        self.counts: dict[str, int] = {}
        # What comes again before the next part, and how much of it has been written.
        self.held: bytes = b""
        self.begin: int = 0
        # Where the text that is replaced ends, and whether it is in a list of values.
        self.end: re.Pattern[bytes] | None = None
        self.is_in_list: bool = False
        # How much of it is held: a backslash may escape what comes next, and a name may go on.
        self.known: int = 0

    def redact(self, part: bytes) -> bytes:
        """What is decided by now."""
        return self._redact(part, more=True)

    def finish(self) -> bytes:
        """The rest."""
        return self._redact(b"", more=False)

    def _redact(self, part: bytes, *, more: bool) -> bytes:
        data = self.held + part if self.held else part
        if self.end is not None:
            data = self._after_end(data, self.end)
            if not data:
                return b""
        text, spans = self.parts.redact(data, self.begin, more)
        self._note(data, spans, self.begin, self.parts.cut)
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
            self.end = END_OF_LINE if NAMES.search(data, cut) else END_OF_WORD
            host = HOST.match(data, cut)
            value = host.end() if host else cut
            text = data[cut:value]
        else:
            value = max(parts.value if parts.value >= 0 else len(data), cut)
            self.end = ENDS_OF_QUOTES.get(parts.quote, END_OF_LIST if parts.is_list else END_OF_LINE)
            self.is_in_list = parts.is_list and parts.quote in ENDS_OF_QUOTES
            text, spans = TextParts(parts.policy).redact(data[:value], cut, more=False)
            self._note(data, spans, cut, value)
        self._note(data, [(value, len(data), LONG)], value, len(data))
        self._hold_end(data)
        return text + HIDDEN

    def _hold_end(self, data: bytes) -> None:
        self.held = data[-LONGEST_NAME:]
        self.known = len(self.held)

    def _after_end(self, data: bytes, end: re.Pattern[bytes]) -> bytes:
        """What follows the text that is replaced, or nothing if that goes on."""
        found = end.search(data, self.known)
        place = found.start() if found else len(data)
        if end is END_OF_WORD and NAMES.search(data, 0, place):
            end = self.end = END_OF_LINE
            found = end.search(data, place)
            place = found.start() if found else len(data)
        self._note(data, [], self.known, place)
        if found is None:
            self._hold_end(data)
            return b""
        self.parts.restart(self.is_in_list and data[place] not in b"\r\n")
        self.begin = 0
        self.end = None
        return data[place:]

    def _note(self, data: bytes, spans: list[Span], begin: int, end: int) -> None:
        for _, _, kind in spans:
            self.counts[kind] = self.counts.get(kind, 0) + 1
        if self.explain is not None:
            self.explain(data, spans, begin, end)
