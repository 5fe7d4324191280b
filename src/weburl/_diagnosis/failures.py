"""The failures: a row for each. From it, `tools/failure_pages.py` writes the enum `Status`, the names, and a page."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple


class Failure(NamedTuple):
    """One way in which a URL, or a part of one, fails.

    `of` says who names it and where it occurs. "standard": the URL Standard names it. "row": weburl names it, and a row
    of a column can have it. "part": weburl names it, and only a part that is given alone can have it.

    `message` is the sentence for an error that the literal parser finds. {place} is the text between its position and
    its end. `message_of` writes the sentences that depend on more. `sentence` is for a failure that the literal parser
    does not find. `meaning` goes into docs/names.md.
    """

    name: str
    of: Literal["standard", "row", "part"]
    message: str = ""
    sentence: str = ""
    meaning: str = ""

    @property
    def status(self) -> str:
        """The name in the enum `Status`."""
        return self.name.upper().replace("-", "_").replace("UTF_8", "UTF8")


# In the order of their codes. Columns have those before the first "part" in the dictionary of `error`.
FAILURES: Final = (
    Failure("domain-to-ASCII", "standard"),
    Failure("host-invalid-code-point", "standard", "A host cannot have {place}: remove it, or percent-encode it."),
    Failure(
        "IPv4-too-many-parts",
        "standard",
        "A host that ends in a number is an IPv4 address, and {place} has more than four parts.",
    ),
    Failure(
        "IPv4-non-numeric-part",
        "standard",
        "A host that ends in a number is an IPv4 address, and {place} in it is not a number.",
    ),
    Failure(
        "IPv4-out-of-range-part",
        "standard",
        "The IPv4 address has {place}, above 255: write four numbers up to 255{ipv4}.",
    ),
    Failure(
        "IPv6-unclosed",
        "standard",
        "The IPv6 address {place} does not end with a bracket: write ] after the address.",
    ),
    Failure(
        "IPv6-invalid-compression",
        "standard",
        "The IPv6 address starts with a single colon: write :: or a piece before it.",
    ),
    Failure(
        "IPv6-too-many-pieces",
        "standard",
        "The IPv6 address has more than eight pieces: remove those from here on.",
    ),
    Failure(
        "IPv6-multiple-compression",
        "standard",
        "The IPv6 address has '::' a second time: write zeros for one of the two.",
    ),
    Failure("IPv6-invalid-code-point", "standard"),
    Failure(
        "IPv6-too-few-pieces",
        "standard",
        "The IPv6 address has fewer than eight pieces: write :: where zeros are left out.",
    ),
    Failure(
        "IPv4-in-IPv6-too-many-pieces",
        "standard",
        "The IPv6 address has more than six pieces before its IPv4 address: remove some.",
    ),
    Failure("IPv4-in-IPv6-invalid-code-point", "standard"),
    Failure(
        "IPv4-in-IPv6-out-of-range-part",
        "standard",
        "The IPv4 address in the IPv6 address starts a number with {place}, above 255.",
    ),
    Failure(
        "IPv4-in-IPv6-too-few-parts",
        "standard",
        "The IPv4 address in the IPv6 address has fewer than four numbers: write all four.",
    ),
    Failure("missing-scheme-non-relative-URL", "standard"),
    Failure("host-missing", "standard", "The host is missing: write it here."),
    Failure("port-out-of-range", "standard", "The port {place} is too large: the largest is 65535."),
    Failure(
        "port-invalid",
        "standard",
        "A port cannot have {place}: write digits only.",
        "The port is not a number: write its digits alone, such as 8080.",
    ),
    Failure(
        "too-long",
        "row",
        sentence="The {part} would be longer than a URL may be.",
        meaning="the serialization would be longer than the limit",
    ),
    Failure("base", "row", meaning="the base does not parse"),
    Failure("invalid-UTF-8", "row", meaning="the text, percent-decoded, is not UTF-8"),
    Failure(
        "ignored",
        "part",
        sentence="This URL cannot have this {part}.",
        meaning="the standard ignores this part for such a URL: a port without a host, a segment of an opaque path",
    ),
    Failure(
        "scheme-invalid",
        "part",
        sentence="A scheme is a letter, then letters, digits, +, - and dots, without its colon.",
        meaning="the scheme is empty, does not start with a letter, or has a character that no scheme has",
    ),
    Failure(
        "relative-path",
        "part",
        sentence="A path that follows a host starts with a slash: write / before it.",
        meaning="the path follows a host and does not start with a slash",
    ),
    Failure(
        "dot-segment",
        "part",
        sentence="A segment cannot be . or .., which a parser removes: leave it out.",
        meaning="a segment is `.` or `..`",
    ),
)

MESSAGES: Final = {failure.name: failure.message for failure in FAILURES if failure.message}
SENTENCES: Final = {failure.name: failure.sentence for failure in FAILURES if failure.sentence}
# Those of parts for which a position follows from the text alone: "ignored" has none.
FOUND_IN_PARTS: Final = frozenset(failure.name for failure in FAILURES if failure.of == "part") - {"ignored"}
