"""The exception of the package."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weburl.validation import ValidationError

__all__ = ["InvalidURL"]


def __dir__() -> list[str]:
    return __all__


# In the order of _core/status.pxd.
ERRORS: tuple[str, ...] = (
    "",
    "domain-to-ASCII",
    "host-invalid-code-point",
    "IPv4-too-many-parts",
    "IPv4-non-numeric-part",
    "IPv4-out-of-range-part",
    "IPv6-unclosed",
    "IPv6-invalid-compression",
    "IPv6-too-many-pieces",
    "IPv6-multiple-compression",
    "IPv6-invalid-code-point",
    "IPv6-too-few-pieces",
    "IPv4-in-IPv6-too-many-pieces",
    "IPv4-in-IPv6-invalid-code-point",
    "IPv4-in-IPv6-out-of-range-part",
    "IPv4-in-IPv6-too-few-parts",
    "missing-scheme-non-relative-URL",
    "host-missing",
    "port-out-of-range",
    "port-invalid",
    "too-long",
    "base",
    "ignored",
)
# Of what the literal parser has no error for.
SENTENCES = {
    "port-invalid": "The port is not a number.",
    "too-long": "The {part} would be longer than a URL may be.",
    "ignored": "The {part} is not one that this URL can have.",
}
# The most characters of the input in a text, and of those the most in the message.
SHOWN = 100
SHOWN_IN_MESSAGE = 60
HIDDEN = "***"
SOLIDI = ("//", "/\\", "\\/", "\\\\")


def credentials_in(text: str) -> tuple[int, int] | None:
    """Where credentials are in what does not parse: behind the solidi, up to the last @ of the authority.

    `text` is without the spaces, tabs and newlines that do not count. Where the port is none, the @ may be behind a
    delimiter, which the password then should have had percent-encoded.
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
    """The place of the authority's last @, or -1; `last` is that of the text's."""
    at = text.rfind("@", start, end)
    host_and_port = text[max(at + 1, start) : end]
    if last > end and host_and_port[:1] != "[" and not is_port(host_and_port.partition(":")[2]):
        return last
    return at


def is_port(text: str) -> bool:
    digits = text.lstrip("0")
    return not digits or (digits.isascii() and digits.isdigit() and len(digits) <= 5 and int(digits) <= 65535)


def redact(url: str) -> str:
    """What does not parse as a URL, with `***` for what may be credentials."""
    start = len(url) - len(url.lstrip("".join(map(chr, range(0x21)))))
    text = url[start:].translate({9: None, 10: None, 13: None})
    place = credentials_in(text)
    if place:
        return f"{text[: place[0]]}{HIDDEN}{text[place[1] :]}"
    from weburl._diagnosis.credentials import without_inner_credentials

    hidden = without_inner_credentials(text) if "@" in text else text
    return hidden if hidden != text else url


def shown(text: str, limit: int = SHOWN) -> str:
    """A text, quoted and escaped, of which at most so many characters are shown."""
    quoted = repr(text[: limit + 1])
    if len(text) <= limit and len(quoted) <= limit + 2:
        return quoted
    return f"{quoted[: limit + 1]}...{quoted[0]}"


def shown_part(part: str, value: str, limit: int) -> str:
    if part in ("username", "password"):
        return f"'{HIDDEN}'"
    if part in ("host", "hostname"):
        _, at, after = value.rpartition("@")
        return shown(f"{HIDDEN}@{after}" if at else after, limit)
    return shown(redact(value), limit)


class InvalidURL(ValueError):
    """InvalidURL(input, base=None, error="", part=None)

    What does not parse as a URL.

    `input` and `base` are what was given, `error` is the name that the URL Standard has for what is wrong, or one of
    ours: "too-long", "base" (the base does not parse) and, from `URL.replace`, "ignored" (the standard ignores the part
    for such a URL). `part` says which part of a URL `input` is, where it is not the whole. `position` and `message` say
    where and what; they are found when they are asked for. `row` is its row, where it stands in a column. The text
    hides credentials.
    """

    __slots__ = ("base", "error", "input", "part", "row")

    input: str
    base: str | None
    error: str
    part: str | None
    row: int | None

    def __init__(self, input: str = "", base: str | None = None, error: str = "", part: str | None = None) -> None:
        for text in (input, base, error, part):
            if not (text is None or isinstance(text, str)):
                raise TypeError(f"InvalidURL() takes str, not {type(text).__name__}")
        self.input = input
        self.base = base
        self.error = error
        self.part = part
        self.row = None

    def __new__(cls, *args: object, **kwargs: object) -> InvalidURL:
        # What was given is kept out of BaseException's own args.
        return super().__new__(cls)

    @property
    def position(self) -> int | None:
        """Where in `input` the error is, in code points; None where that is not in it."""
        found = self._found()
        return None if found is None or self.error == "base" else found.position

    @property
    def message(self) -> str:
        """One sentence on what is wrong and what to do about it."""
        return self._message(self._found())

    def _found(self) -> ValidationError | None:
        from weburl.validation import failure_of

        return failure_of(self.input, self.base, self.error, self.part)

    def _message(self, found: ValidationError | None) -> str:
        if found is not None:
            return found.message
        return SENTENCES.get(self.error, "The {part} is not valid.").format(part=self.part or "URL")

    @property
    def args(self) -> tuple[str]:  # type: ignore[override]
        """The text, as the only argument."""
        return (str(self),)

    def __str__(self) -> str:
        row = "" if self.row is None else f"row {self.row}: "
        found = self._found()
        message = self._message(found)
        if self.error == "base":
            return f"{row}{self.error}: {message}"
        limit = SHOWN if found is None else SHOWN - min(found.end - found.position, SHOWN_IN_MESSAGE)
        if self.part is None:
            return f"{row}{self.error} in {shown(redact(self.input), limit)}: {message}"
        return f"{row}{self.error} in the {self.part} {shown_part(self.part, self.input, limit)}: {message}"

    def __repr__(self) -> str:
        return f"InvalidURL({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        state = {} if self.row is None else {"row": self.row}
        return type(self), (self.input, self.base, self.error, self.part), state
