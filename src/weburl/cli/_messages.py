"""Messages on standard error, and how text from outside is quoted in them."""

from __future__ import annotations

import re
import sys
from typing import Final

from weburl._diagnosis.credentials import HIDDEN, inner_credentials, redact, without_inner_credentials
from weburl._diagnosis.messages import shown

# The URL parser removes these anywhere in a URL.
TABS_AND_NEWLINES: Final = re.compile(r"[\t\n\r]+")


def complain(message: str, *lines: str) -> None:
    """Prints a line on standard error, if it is open, and lines below it.

    All messages go through here, so that none shows credentials.
    """
    if sys.stderr is None:
        return
    try:
        print("\n".join(printable(hide_credentials(line)) for line in (f"weburl: {message}", *lines)), file=sys.stderr)
    except OSError:
        # Nobody can be told. Python would try again when it ends, and end with another status.
        sys.stderr = None


def hide_credentials(message: str) -> str:
    """A message, with `***` in place of what may be the credentials of URLs in it."""
    if "@" not in message:
        return message
    message = without_inner_credentials(message)
    # Where each character that counts in a URL is in the message.
    places: list[int] = []
    end = 0
    for match in TABS_AND_NEWLINES.finditer(message):
        places += range(end, match.start())
        end = match.end()
    places += range(end, len(message))
    kept: list[str] = []
    end = 0
    for start, at in inner_credentials("".join(message[place] for place in places)):
        kept += message[end : places[start]], HIDDEN
        end = places[at]
    return "".join((*kept, message[end:]))


def quoted(text: str) -> str:
    """A text from outside, for a message: in quotes, escaped, shortened, without credentials."""
    return shown(redact(text))


def quoted_part(part: str, whole: str) -> str:
    """Like `quoted`, for a part of a text: all of it is hidden if the whole has credentials, as it may be from them."""
    return quoted(part) if hide_credentials(whole) == whole else f"'{HIDDEN}'"


def printable(text: str) -> str:
    """A text for a terminal: characters that are not printable are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
