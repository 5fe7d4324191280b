"""Where the credentials are in a text that is shown, and the text without them."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from weburl._unicode.text_buffer import TextBuffer

if TYPE_CHECKING:
    from weburl._literal.record import LiteralURL
    from weburl._literal.source import Source

HIDDEN: Final = "***"
SOLIDI: Final = ("//", "/\\", "\\/", "\\\\")
C0_CONTROL_OR_SPACE: Final = "".join(map(chr, range(0x21)))
# What starts an authority inside an opaque path.
START: Final = re.compile(r"(?:[/\\]{2}|(?:https?|wss?|ftp):)[/\\]*", re.ASCII | re.IGNORECASE)
END: Final = re.compile(r"[/\\?#]|\Z")
OPEN_ADDRESS: Final = re.compile(r"\[(?:::[^:]*|[0-9A-Fa-f]*:[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)")
# A name and a password with a delimiter, without a scheme: `me:pa/ss@host`.
OPEN_PASSWORD: Final = re.compile(r"[^:/\\?#@]*:(?![/\\])([^/\\?#@]*)[/\\?#](?=.*@)", re.DOTALL)
# A parameter, and names of secrets. weburl.redact knows many more, and their forms; this is for messages.
PARAMETER: Final = re.compile("([?&;#][^?=&;#]*)=([^&;#]+)")
# The same in a sentence, where a value ends before a space, a quote or punctuation.
PARAMETER_IN_TEXT: Final = re.compile(r"""([?&;#][^?=&;#\s"'`]*)=([^&;#\s"'`]*[^&;#\s"'`:.,)\]])""")
SECRET_NAME: Final = re.compile(
    "token|secret|passw|passphrase|pwd|api[_-]?key|access[_-]?key|auth(?!or)|credential|signature|[?&;#]sig$|session|jwt"
    "|[?&;#](?:pin|otp)$",
    re.IGNORECASE,
)


class Places:
    """Where parts of a text start and end, in order. A list of pairs would take eight times the memory."""

    __slots__ = ("ends", "starts")

    def __init__(self, places: Iterable[tuple[int, int]] = ()) -> None:
        self.starts = array("Q")
        self.ends = array("Q")
        for start, end in places:
            self.starts.append(start)
            self.ends.append(end)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __bool__(self) -> bool:
        return bool(self.starts)

    def overlap(self, start: int, end: int) -> bool:
        """Whether one of them shares a character with the text from start to end."""
        before = bisect_left(self.starts, end)
        return before > 0 and self.ends[before - 1] > start


def redact(url: str) -> str:
    """A text that does not parse as a URL, with `***` in place of what may be credentials."""
    start = len(url) - len(url.lstrip(C0_CONTROL_OR_SPACE))
    text = url[start:].translate({9: None, 10: None, 13: None})
    place = credentials_in(text)
    if place:
        return f"{text[: place[0]]}{HIDDEN}{text[place[1] :]}"
    redacted = without_inner_credentials(text) if "@" in text else text
    return redacted if redacted != text else url


def without_secrets(url: str) -> str:
    """The same, also with `***` in place of values of parameters whose names say that they are secret."""
    redacted = redact(url)
    if redacted == url and (match := OPEN_PASSWORD.match(url)) and not is_port(match[1]):
        redacted = f"{HIDDEN}{url[url.rindex('@') :]}"
    return without_secret_values(redacted)


def without_secret_values(text: str) -> str:
    """The part of a URL with `***` in place of these values; a query has its question mark."""
    return PARAMETER.sub(_without_value, text)


def without_secret_words(text: str) -> str:
    """The same for a text that has URLs in it."""
    return PARAMETER_IN_TEXT.sub(_without_value, text)


def _without_value(parameter: re.Match[str]) -> str:
    # What weburl.redact has hidden stays.
    is_shown = parameter[2] == "REDACTED" or not SECRET_NAME.search(parameter[1])
    return parameter[0] if is_shown else f"{parameter[1]}={HIDDEN}"


def credentials_in(text: str) -> tuple[int, int] | None:
    """Where the credentials are in a text that does not parse: after the solidi, up to the authority's last @.

    `text` has no leading spaces and no tabs or newlines. Where the port is not valid, the @ may come after a delimiter:
    the password should have had that percent-encoded.
    """
    i = 0
    head, colon, _ = text.partition(":")
    if colon and head[:1].isascii() and head[:1].isalpha() and all(c.isalnum() or c in "+-." for c in head):
        i = len(head) + 1
    else:
        i = min((place for pair in SOLIDI if (place := text.find(pair)) >= 0), default=0)
    while text[i : i + 1] in ("/", "\\"):
        i += 1
    ends = [end for c in "/?#" if (end := text.find(c, i)) >= 0]
    at = credentials_end(text, i, min(ends, default=len(text)), text.rfind("@"))
    return (i, at) if at >= 0 else None


def credentials_end(text: str, start: int, end: int, last: int) -> int:
    """The place of the authority's last @, or -1; `last` is the place of the last one in the text."""
    at = text.rfind("@", start, end)
    host_and_port = text[max(at + 1, start) : end]
    # A bracket that is not closed begins an address only if what follows looks like one.
    is_address = host_and_port[:1] == "[" and ("]" in host_and_port or OPEN_ADDRESS.fullmatch(host_and_port))
    if last > end and not is_address and not is_port(host_and_port.partition(":")[2]):
        return last
    return at


def is_port(text: str) -> bool:
    digits = text.lstrip("0")
    return not digits or (digits.isascii() and digits.isdigit() and len(digits) <= 5 and int(digits) <= 65535)


def inner_credentials(path: str) -> Iterator[tuple[int, int]]:
    """Where the credentials are of URLs inside an opaque path, such as that of a blob: or view-source: URL."""
    end = 0
    last = path.rfind("@")
    for match in START.finditer(path, 0, last + 1):
        start = match.end()
        if start >= end:
            end = END.search(path, start).start()  # type: ignore[union-attr]  # it always matches
            follows_scheme = match[0][0] not in "/\\" or path[max(match.start() - 1, 0) : match.start()] in {"", ":"}
            at = credentials_end(path, start, end, last if follows_scheme else -1)
            if at > start:
                yield start, at
                end = max(at, end)


def without_inner_credentials(path: str) -> str:
    """An opaque path, with `***` in place of the credentials of URLs inside it."""
    output = TextBuffer()
    at = 0
    for start, end in inner_credentials(path):
        output.append(path[at:start] + HIDDEN)
        at = end
    output.append(path[at:])
    return str(output)


def hidden_places(source: Source, url: LiteralURL | None) -> Iterator[tuple[int, int]]:
    """Where the credentials are in an opaque path, or in a text that does not parse.

    `source` is the text as the parser reads it; the places are in code points of the string that the caller passed.
    """
    text = source.text
    if url is None:
        place = credentials_in(text)
        places = iter([place] if place else [])
    elif url.has_opaque_path:
        places = inner_credentials(re.split("[?#]", text, maxsplit=1)[0])
    else:
        return
    for start, end in places:
        yield source.position(start), source.position(end)
