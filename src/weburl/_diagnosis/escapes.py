"""Text for a terminal: escaped, quoted, cut."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from weburl._unicode.deceptive import BLANK, is_deceptive

ELLIPSIS: Final = "…"
WHOLE: Final = 120  # code points of an input that is shown without gaps
TAIL: Final = 20  # code points at the end of a longer one
VALUE: Final = 60  # characters of a component that are shown
SEEN_AS_NOTHING: Final = re.compile(f"[{BLANK}]")


@lru_cache(maxsize=4096)
def escape_character(c: str) -> str:
    if c.isascii():
        return c if c.isprintable() and c != "\\" else c.encode("unicode_escape").decode()
    # A character that is newer than the interpreter's Unicode is not printable. A mark has no column of its own, and
    # right-to-left text would move the columns.
    if (
        not c.isprintable()
        or unicodedata.category(c)[0] == "M"
        or unicodedata.bidirectional(c) in {"R", "AL", "AN"}
        or is_deceptive(c)
    ):
        return c.encode("unicode_escape").decode()
    return c


def escape(text: str) -> str:
    """Text with escapes in it, where other characters that cannot be seen become escapes, too."""
    return "".join([c if c == "\\" else escape_character(c) for c in text])


def in_quotes(text: str) -> str:
    """Text, escaped, between quotes; of a long text its start and its end."""
    shown = "".join(map(escape_character, text if len(text) <= VALUE else text[: VALUE // 2]))
    if len(text) > VALUE:
        shown += ELLIPSIS + "".join(map(escape_character, text[-VALUE // 4 :]))
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return f"{mark}{shown}{mark}"


def typed(c: str) -> str:
    """A character as it is typed or, if it cannot be seen, its code point."""
    return c if c.isprintable() and not SEEN_AS_NOTHING.match(c) else f"<U+{ord(c):04X}>"


def quoted(text: str) -> str:
    """Text between quotes, as it is typed; of a long text its start and its end.

    What a terminal would not show in its place is shown by its code point.
    """
    shown = "".join([in_place(c) for c in (text if len(text) <= VALUE else text[: VALUE // 2])])
    if len(text) > VALUE:
        shown += ELLIPSIS + "".join([in_place(c) for c in text[-VALUE // 4 :]])
    mark = '"' if "'" in shown and '"' not in shown else "'"
    return f"{mark}{shown}{mark}"


def in_place(c: str) -> str:
    return c if c == "\\" or escape_character(c) == c else f"<U+{ord(c):04X}>"


def cut(text: str, width: int = WHOLE) -> str:
    """ASCII text; of a long text its start and its end."""
    return text if len(text) <= width else f"{text[: width - TAIL - 1]}{ELLIPSIS}{text[-TAIL:]}"


def columns(shown: str) -> int:
    """How many columns a text takes in a terminal."""
    return sum(map(width, shown))


def width(c: str) -> int:
    if unicodedata.category(c) in ("Mn", "Me"):
        return 0
    return 2 if unicodedata.east_asian_width(c) in "WF" else 1
