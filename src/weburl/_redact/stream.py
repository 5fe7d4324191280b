"""Texts that come in parts, such as a log that is read from a pipe, without their secrets and in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from string import ascii_letters, digits
from typing import Final, TypeAlias

from weburl._redact.redact import LogPolicy, TextParts
from weburl._redact.secrets import FIELD_TAILS, HIDDEN, KEY_HEADERS, PLAIN_VALUES, SECRET_FIELDS

# What is read of a word, or of the value of a header, whose end is not there yet. Of longer ones, the rest is replaced.
LONGEST: Final = 1 << 16
# What is kept of the text before a part: its begin may depend on it. Rules of explain_redaction() look at 256 bytes.
CONTEXT: Final = 1 << 12
LONG: Final = "long"
# What ends each URL, and is not in the middle of a colour.
END_OF_WORD: Final = re.compile(rb'[\x00-\x1a\x1c-\x20\x7f"](?<!\\")')
UP_TO_BREAK: Final = re.compile(rb".*[\x00-\x1a\x1c-\x20\x7f]", re.DOTALL)
END_OF_LINE: Final = re.compile(rb"[\r\n]")
END_OF_LIST: Final = re.compile(rb"[\r\n\]]")
# With the backslashes before the quote.
ENDS_OF_QUOTES: Final = {
    ord('"'): re.compile(rb'(?<!\\)(\\*)"|[\r\n]'),
    ord("'"): re.compile(rb"(?<!\\)(\\*)'|[\r\n]"),
}
# What follows a text, after a quote that can be one of the text: that has more backslashes than the first quote.
AFTER_TEXT: Final = re.compile(rb"[}\]):\r\n]|, {0,8}[\"'{\[\\\r\n]")
CUT_AFTER_TEXT: Final = re.compile(rb"(?:, {0,8})?\Z")
BACKSLASHES: Final = re.compile(rb"\\*")
# Of headers.
NAMES: Final = tuple(name.encode() for name in ("cookie", "authorization", *SECRET_FIELDS))
KEY_NAMES: Final = tuple(name.replace("-", sign).encode() for name in KEY_HEADERS for sign in ("-", ""))
LONGER_NAMES: Final = tuple(
    f"{name}{sign}{tail}".encode() for name in SECRET_FIELDS for sign in ("-", "") for tail in FIELD_TAILS
)
# The value of another name that ends with `token` is one word.
ENDS_WITH_TOKEN: Final = re.compile(rb"token(?:%5[BbDd]|[0-9\"'\\\[\]:= \t])*\Z")
HOST: Final = re.compile(rb"[A-Za-z][A-Za-z0-9+.-]{0,31}://[A-Za-z0-9.-]{1,255}/")
# Spaces and colours.
BLANK: Final = rb"(?:[ \t]|(?:\x1b|#033|\^\[|\\{1,4}(?:e|033|x1[bB]|u001[bB]))\[[0-9:;]{0,16}[mK])*"
# What is known of a text that is replaced: the end of a name, and what the value of a header in the next line needs.
TAIL: Final = 64
LONGEST_COLOUR: Final = 32
BEFORE_LINE: Final = re.compile(rb"[:=>]" + BLANK + rb"\Z")
BEFORE_ITEM: Final = re.compile(rb"(?:\A|[,[])" + BLANK + rb"\Z")
QUOTES: Final = b"\"'"
BEGINS_ITEM: Final = f"{ascii_letters}{digits}.+[{{(@$-".encode()
CUT_BLANK: Final = re.compile(rb"\A.{0,32}" + BLANK + rb"\Z", re.DOTALL)
NEXT_LINE: Final = re.compile(rb"\r?\n" + BLANK)
# The end of a text in a list, and the begin of the next one.
END_OF_TEXT: Final = re.compile(rb"\\*[\"']|" + BLANK + b",")
NEXT_LINE_OF_LIST: Final = (
    rb"(?:\r?\n" + BLANK + rb"(?=[\"'A-Za-z0-9.+[{(@$-])"
    rb"|(?:\\+r)?\\+n" + BLANK + rb"(?=\\*[\"']|[A-Za-z0-9.+[{(@$-]))?"
)  # fmt: skip
# Of a field that only the policy names, no number is one.
LITERALS: Final = tuple(
    rb"(?:(?:\[\]|\{\}|\(\)|(?:" + number + rb"(?i:" + "|".join(PLAIN_VALUES).encode() + rb"))(?![A-Za-z0-9.+-]))"
    + BLANK + b"," + BLANK + NEXT_LINE_OF_LIST + b")*"
    for number in (rb"(?![A-Za-z0-9.+-]{6})(?:-|-?[0-9.][0-9.eE+-]*)|", b"")
)  # fmt: skip
CUT_ITEM: Final = re.compile(rb"[A-Za-z0-9.+@$-]{0,64}" + BLANK + rb"\\*\Z")
NEXT_TEXT: Final = tuple(
    re.compile(
        rb"(?:\\*[\"'])?" + BLANK + b"," + BLANK + NEXT_LINE_OF_LIST + literals + rb"[burfneBURFNE@$]{0,2}\\*([\"'])"
    )
    for literals in LITERALS
)

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
        # How much of what is held was replaced.
        self.known: int = 0
        # The quote that ends it, or 0; how many backslashes are before its first quote, and at the end of what is read.
        self.quote: int = 0
        self.opening: int = 0
        self.backslashes: int = 0
        # Whether it may have the name of a header whose value is in the next line.
        self.has_name: bool = False

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
            data = self._after_end(data, self.known, more=more)
            if not data:
                return b""
        text = self.parts.redact(data, self.begin, more)
        if self.explain is not None:
            self.explain(data, self.parts.found, self.begin, self.parts.cut)
        if not data.endswith(b"\n") and len(data) - self.parts.needed() > LONGEST:
            text += self._cut(data)
            if self.end is None:
                # The end was there, but not what decides about it.
                text += self._redact(b"", more=more)
            return text
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
        cut = self.parts.cut
        self.is_in_list = self.has_name = False
        self.quote = 0
        if not self.parts.is_header:
            self.end = END_OF_WORD
            host = HOST.match(data, cut)
            value = host.end() if host else cut
            text = data[cut:value]
            if self.explain is not None:
                self.explain(data, [], cut, value)
        else:
            value = self._begin_value(data, cut)
            # The name stays; a key can be before it.
            text = self.names.redact(data[:value], cut, more=False)
            if self.explain is not None:
                self.explain(data, self.names.found, cut, value)
        self.cuts += 1
        self.backslashes = 0
        rest = self._after_end(data[value:], 0, more=True, kind=LONG)
        if rest:
            self.held = rest
        return text + HIDDEN.encode()

    def _begin_value(self, data: bytes, cut: int) -> int:
        """Where the value of the header at `cut` begins, or the next text of its list; and what ends it."""
        value, quote, is_list, is_own = self.parts.header
        if value <= cut and END_OF_TEXT.match(data, cut):
            following = NEXT_TEXT[is_own].match(data, cut)
            value, quote = (following.end(), following[1][0]) if following else (-1, 0)
        if value < 0 or (is_list and not quote and CUT_ITEM.match(data, value)):
            # Only the name is there, and what may be the begin of the value or of the next line.
            self.end = END_OF_LINE
            self.has_name = True
            blank = UP_TO_BREAK.match(data, cut)
            return blank.end() if blank else cut
        if quote in ENDS_OF_QUOTES:
            self.end = ENDS_OF_QUOTES[quote]
            self.quote = quote
            self.is_in_list = is_list
            self.opening = backslashes_before(data, value - 1)
        else:
            self.end = END_OF_LIST if is_list and not quote else END_OF_LINE
        return value

    def _after_end(self, data: bytes, known: int, *, more: bool, kind: str | None = None) -> bytes:
        """What follows the text that is replaced, or nothing if that goes on; it is held then.

        `kind` is given at its begin.
        """
        place, is_end = self._find_end(data, known, more=more)
        if self.explain is not None:
            self.explain(data, [(known, place, kind)] if kind else [], known, place)
        if not is_end:
            begin = max(place - TAIL, 0)
            self.held = data[begin:]
            self.known = place - begin
            return b""
        self.parts.restart(self.is_in_list and data[place] not in b"\r\n")
        self.held = b""
        self.begin = 0
        self.end = None
        return data[place:]

    def _find_end(self, data: bytes, known: int, *, more: bool) -> tuple[int, bool]:
        """Up to where the text is replaced, and whether it ends there."""
        place = known
        assert self.end is not None
        if self.quote:
            place, is_end = self._find_quote(data, known, more=more)
            # It may be the name of another header.
            if not is_end or not self._has_name(data[max(place - TAIL, 0) : place], at_end=True):
                return place, is_end
            self._end_with_line()
        elif self.end is not END_OF_LINE:
            place, is_end = find(self.end, data, known)
            if self.end is END_OF_LIST or not self._has_name(data[max(known - TAIL, 0) : place]):
                return place, is_end
            self._end_with_line()
        begin = known
        while True:
            place, is_end = find(END_OF_LINE, data, place)
            self.has_name = self.has_name or self._has_name(data[max(begin - TAIL, 0) : place])
            beginnings = may_follow(data[max(place - TAIL, 0) : place])
            if not is_end or not self.has_name or not beginnings:
                return place, is_end
            following = NEXT_LINE.match(data, place)
            begin = following.end() if following else place + 1
            rest = data[begin : begin + LONGEST_COLOUR]
            if more and (not rest or (len(rest) < LONGEST_COLOUR and rest[0] in b"\x1b\\#^")):
                # The next line is not there yet. If it has too many spaces, it is replaced, too.
                return (len(data) if len(data) - place > LONGEST else place), False
            if following is None or not rest or rest[0] not in beginnings:
                return place, True
            place = begin

    def _has_name(self, text: bytes, *, at_end: bool = False) -> bool:
        """Whether the name of a header is in a text, or at its end."""
        return (ends_with_name if at_end else has_name)(text) or self.parts.has_own_name(text, at_end)

    def _end_with_line(self) -> None:
        self.end = END_OF_LINE
        self.has_name = True
        self.is_in_list = False
        self.quote = 0

    def _find_quote(self, data: bytes, known: int, *, more: bool) -> tuple[int, bool]:
        """Where the text in quotes ends, before the backslashes of its quote. Those at the end come again, and a quote
        if what follows it is not there yet."""
        place = BACKSLASHES.match(data, known).end()  # type: ignore[union-attr]
        before = self.backslashes
        count = before + place - known
        self.backslashes = 0
        if place < len(data):
            if data[place] in b"\r\n":
                return place, True
            if data[place] == self.quote:
                if closes_at(data, place, count, self.opening):
                    if more and count > self.opening and CUT_AFTER_TEXT.match(data, place + 1):
                        self.backslashes = before
                        return known, False
                    return known, True
                place += 1
            for match in ENDS_OF_QUOTES[self.quote].finditer(data, place):
                run = 0 if match[1] is None else len(match[1])
                if match[1] is None or closes_at(data, match.end() - 1, run, self.opening):
                    is_cut = run > self.opening and CUT_AFTER_TEXT.match(data, match.end())
                    return match.start(), not (more and is_cut)
            known = place
            count = len(data) - len(data.rstrip(b"\\"))
        if count <= TAIL:
            return max(len(data) - count, known), False
        self.backslashes = count
        return len(data), False


def has_name(text: bytes) -> bool:
    """Whether the name of a header is in a text."""
    text = text.lower().replace(b"_", b"-")
    # The many names are looked for only where their ends are.
    has_key = b"key" in text or b"token" in text
    return any(name in text for name in (*NAMES, *KEY_NAMES * has_key)) or ENDS_WITH_TOKEN.search(text) is not None


def ends_with_name(text: bytes) -> bool:
    return text.lower().replace(b"_", b"-").endswith((*NAMES, *KEY_NAMES, *LONGER_NAMES, b"token"))


def find(end: re.Pattern[bytes], data: bytes, begin: int) -> tuple[int, bool]:
    """Where a text ends, and whether its end is there."""
    match = end.search(data, begin)
    return (match.start(), True) if match else (len(data), False)


def may_follow(tail: bytes) -> bytes:
    """What the next line begins with if the value of a header goes on there, by the last bytes before the line end."""
    if BEFORE_ITEM.search(tail) or (len(tail) == TAIL and CUT_BLANK.match(tail)):
        return QUOTES + BEGINS_ITEM
    return QUOTES if BEFORE_LINE.search(tail) else b""


def backslashes_before(data: bytes, place: int) -> int:
    return place - len(data[:place].rstrip(b"\\"))


def closes_at(data: bytes, place: int, backslashes: int, opening: int) -> bool:
    """The same of the quote at a place, by what follows it, too."""
    return closes(backslashes, opening) and (
        backslashes <= opening
        or AFTER_TEXT.match(data, place + 1) is not None
        or CUT_AFTER_TEXT.match(data, place + 1) is not None
    )


def closes(backslashes: int, opening: int) -> bool:
    """Whether a quote with backslashes before it ends a text whose first quote has `opening`, as in tokens.pxi."""
    return backslashes < opening or backslashes % (2 * (opening + 1)) == opening
