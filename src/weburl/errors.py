"""The exception of the package."""

from __future__ import annotations

from weburl._run import failing_piece

# In the order of _status.pxd.
ERRORS: tuple[tuple[str, str], ...] = (
    ("", ""),
    ("domain-to-ASCII", "is not a valid domain"),
    ("host-invalid-code-point", "has a character that no host may have"),
    ("IPv4-too-many-parts", "is an IPv4 address with more than four parts"),
    ("IPv4-non-numeric-part", "ends in a number but has a part that is none, so it is no IPv4 address"),
    ("IPv4-out-of-range-part", "is an IPv4 address with a number that is too large"),
    ("IPv6-unclosed", "is an IPv6 address without its closing bracket"),
    ("IPv6-invalid-compression", "is an IPv6 address that starts with a single colon"),
    ("IPv6-too-many-pieces", "is an IPv6 address with more than eight pieces"),
    ("IPv6-multiple-compression", "is an IPv6 address with more than one '::'"),
    ("IPv6-invalid-code-point", "is an IPv6 address with a character that does not belong there"),
    ("IPv6-too-few-pieces", "is an IPv6 address with fewer than eight pieces and no '::'"),
    ("IPv4-in-IPv6-too-many-pieces", "is an IPv6 address with too many pieces before its IPv4 part"),
    ("IPv4-in-IPv6-invalid-code-point", "is an IPv6 address with a character that does not belong into its IPv4 part"),
    ("IPv4-in-IPv6-out-of-range-part", "is an IPv6 address whose IPv4 part has a number above 255"),
    ("IPv4-in-IPv6-too-few-parts", "is an IPv6 address whose IPv4 part has fewer than four numbers"),
    ("missing-scheme-non-relative-URL", "has no scheme, and no base that it could be relative to"),
    ("host-missing", "has no host"),
    ("port-out-of-range", "is above 65535"),
    ("port-invalid", "is not a number"),
    ("too-long", "would be longer than a URL may be"),
    ("base", "is not a URL, so nothing can be relative to it"),
    ("ignored", "is not one that this URL can have"),
)
SENTENCES: dict[str, str] = dict(ERRORS)
SHOWN = 100
HIDDEN = "***"


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
        i = max(text.find("//"), 0)
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
    return f"{text[: place[0]]}{HIDDEN}{text[place[1] :]}" if place else url


def shown(text: str, limit: int = SHOWN) -> str:
    """A text, quoted and escaped, of which at most so many characters are shown."""
    quoted = repr(text[: limit + 1])
    if len(text) <= limit and len(quoted) <= limit + 2:
        return quoted
    return f"{quoted[: limit + 1]}...{quoted[0]}"


def shown_part(part: str, value: str) -> str:
    if part in ("username", "password"):
        return f"'{HIDDEN}'"
    if part in ("host", "hostname"):
        _, at, after = value.rpartition("@")
        return shown(f"{HIDDEN}@{after}" if at else after)
    return shown(redact(value))


class InvalidURL(ValueError):
    """InvalidURL(input, base=None, error="", part=None)

    What does not parse as a URL.

    `input` and `base` are what was given, `error` is the name that the URL Standard has for what is wrong, or one of
    ours: "too-long", "base" (the base does not parse) and, from `URL.replace`, "ignored" (the standard ignores the part
    for such a URL). `part` says which part of a URL `input` is, where it is not the whole. `position` and `message` say
    where and what; they are found when they are asked for. `row` is its row, where it stands in a column. The text
    hides credentials.
    """

    __slots__ = ("base", "encoding", "error", "input", "part", "row")

    input: str
    base: str | None
    error: str
    part: str | None
    encoding: str | None
    row: int | None

    def __init__(self, input: str = "", base: str | None = None, error: str = "", part: str | None = None) -> None:
        for text in (input, base, error, part):
            if not (text is None or isinstance(text, str)):
                raise TypeError(f"InvalidURL() takes str, not {type(text).__name__}")
        self.input = input
        self.base = base
        self.error = error
        self.part = part
        self.encoding = None
        self.row = None

    def __new__(cls, *args: object, **kwargs: object) -> InvalidURL:
        # What was given is kept out of BaseException's own args.
        return super().__new__(cls)

    @property
    def position(self) -> int | None:
        """Where in `input` the error is, in code points; None where that is not in it."""
        return self._details()[0]

    @property
    def message(self) -> str:
        """One sentence on what is wrong and what to do about it."""
        return self._details()[1]

    def _details(self) -> tuple[int | None, str]:
        from weburl.validation import validate

        errors = validate(self.input, self.base) if self.part is None else []
        if errors and errors[-1].failure and errors[-1].name == self.error:
            return None if self.error == "base" else errors[-1].position, errors[-1].message
        return None, f"The {self.part or 'URL'} {SENTENCES.get(self.error, 'is not valid')}."

    @property
    def args(self) -> tuple[str]:  # type: ignore[override]
        """The text, as the only argument."""
        return (str(self),)

    def __str__(self) -> str:
        return self._text() if self.row is None else f"row {self.row}: {self._text()}"

    def _text(self) -> str:
        sentence = SENTENCES.get(self.error, "is not valid")
        if self.part is not None:
            return f"{self.error}: the {self.part} {shown_part(self.part, self.input)} {sentence}"
        if self.error == "base":
            return f"{self.error}: the base {shown(redact(self.base or ''))} {sentence}"
        url = redact(self.input)
        piece = failing_piece(self.input, self.base, self.encoding)
        if piece is None or not piece[1]:
            return f"{self.error}: {shown(url)} {sentence}"
        what, text = piece
        host_or_port = shown(text, 60) if url == self.input or text in url else HIDDEN
        return f"{self.error}: the {what} {host_or_port} {sentence}, in {shown(url, SHOWN - len(host_or_port))}"

    def __repr__(self) -> str:
        return f"InvalidURL({str(self)!r})"

    def __reduce__(self) -> tuple[type[InvalidURL], tuple[str, str | None, str, str | None]]:
        return type(self), (self.input, self.base, self.error, self.part)
