"""Messages on standard error, and how text from outside is quoted in them."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def listed(names: Sequence[str], word: str) -> str:
    """The names with commas between them, and a word before the last one."""
    *some, last = names
    return f"{', '.join(some)} {word} {last}" if some else last


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
    """A message, with `***` in place of what may be the credentials of URLs in it, or secrets in their queries."""
    import re

    if "=" in message:
        from weburl._diagnosis.credentials import without_secret_words

        message = without_secret_words(message)
    if "@" not in message:
        return message

    from weburl._diagnosis.credentials import HIDDEN, inner_credentials, without_inner_credentials

    message = without_inner_credentials(message)
    # Where each character that counts in a URL is in the message.
    places: list[int] = []
    end = 0
    # The URL parser removes these anywhere in a URL.
    for match in re.finditer(r"[\t\n\r]+", message):
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
    from weburl._diagnosis.credentials import without_secrets
    from weburl._diagnosis.messages import shown

    return shown(without_secrets(text))


def quoted_part(part: str, whole: str) -> str:
    """Like `quoted`, for a part of a text: all of it is hidden if the whole has credentials, as it may be from them."""
    if hide_credentials(whole) == whole:
        return quoted(part)
    from weburl._diagnosis.credentials import HIDDEN

    return f"'{HIDDEN}'"


def printable(text: str) -> str:
    """A text for a terminal: characters that are not printable are escaped."""
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)
