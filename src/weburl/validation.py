"""What is wrong with a URL: https://url.spec.whatwg.org/#writing"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weburl.errors import HIDDEN, SHOWN_IN_MESSAGE, redact, shown
from weburl.percent import percent_encode
from weburl.url import URL

if TYPE_CHECKING:
    from weburl._diagnosis.credentials import Places
    from weburl._literal import LiteralURL, RecordedError
    from weburl._unicode.idna import Failure

__all__ = ["ValidationError", "explain", "is_valid", "validate"]


def __dir__() -> list[str]:
    return __all__


# The longest list of errors.
MOST_ERRORS = 10_000


class ValidationError(NamedTuple):
    """A validation error: https://url.spec.whatwg.org/#validation-error

    `name` is the standard's name for it, or one of ours: "base", for a base that does not parse, and "more-errors", for
    all those that a list of 10,000 has no room for. `position` and `end` say where it is: in code points of the string
    as it was passed, `end` being behind the last one; the two are the same where something is missing. `failure` says
    whether the URL does not parse because of it, `message` in one sentence what to do about it.
    """

    name: str
    position: int
    end: int
    failure: bool
    message: str


def validate(url: str | URL, base: str | URL | None = None) -> list[ValidationError]:
    """The validation errors of a URL, in the order in which the standard's parser finds them.

    One that does not parse has its failure as the last of them. A URL without any is valid, but for the two cases in
    docs/validity.md. There are never more than 10,000: then the last but one is "more-errors", and its message says how
    many are left out.
    """
    text = text_of(url, "url must be a str or a URL")
    return found(text, None if base is None else text_of(base, "base must be a str, a URL or None"))


def found(
    text: str, base: str | None, most: int = MOST_ERRORS, known_failure: str | None = None
) -> list[ValidationError]:
    """The validation errors: of more than so many the first ones, how many more there are, and the last.

    Of one at most, that is the last, whose name may be known.
    """
    from weburl import _literal
    from weburl._diagnosis.credentials import Places

    base_url = None
    if base is not None:
        base_url, base_errors, _ = _literal.parse(base, most_errors=1)
        if base_url is None:
            where = shown(redact(base), SHOWN_IN_MESSAGE)
            message = f"The base {where} does not parse ({base_errors[-1].name}): give another one."
            return [ValidationError("base", 0, 0, True, message)]
    url, errors, count = _literal.parse(text, base_url, most_errors=most, failure=known_failure)
    failure = errors[-1] if url is None else None
    hidden = hidden_in(text, url) if errors and "@" in text else Places()
    described = [
        ValidationError(*error[:3], error is failure, message_of(error, text, base_url, url, hidden))
        for error in errors
    ]
    if count > most > 1:
        more = described[-2]
        described[-2] = more._replace(name="more-errors", message=MORE_ERRORS.format(count=count - most + 1))
    return described


def hidden_in(text: str, url: LiteralURL | None) -> Places:
    from weburl._diagnosis.credentials import Places, hidden_places
    from weburl._literal.states import Parser

    return Places(hidden_places(Parser(text, None, "utf-8", None, None).source, url))


# By which state a part of a URL, or a host alone, is parsed.
PART_STATES = {"host": "host_state", "hostname": "hostname_state", "domain": "host_state", "port": "port_state"}


def failure_of(text: str, base: str | None, name: str, part: str | None) -> ValidationError | None:
    """The error of this name by which a URL or a part of one fails; None where the literal parser has none."""
    if name in ("too-long", "ignored"):
        return None
    if part is None or part == "href":
        errors = found(text, None if base is None else without_path(base), 1, name)
        return errors[0] if errors and errors[0].name == name else None
    return failure_of_part(text, name, PART_STATES[part]) if part in PART_STATES else None


def without_path(base: str) -> str:
    """A base with which the same URLs fail, without what needs memory for each segment."""
    url = URL.parse(base)
    if url is None or url.has_opaque_path:
        return base
    url.pathname = url.search = url.hash = ""
    return url.href


def failure_of_part(text: str, name: str, state: str) -> ValidationError | None:
    from weburl import _literal
    from weburl._diagnosis.credentials import Places

    hidden = Places([(0, text.rfind("@"))] if "@" in text else [])
    # One scheme of each kind: that of the URL is not known here.
    for scheme in ("http", "file", "x"):
        url = _literal.LiteralURL(scheme)
        errors = _literal.parse(text, url=url, state_override=state, most_errors=1, failure=name).errors
        if errors and errors[-1].name == name:
            return ValidationError(*errors[-1][:3], True, message_of(errors[-1], text, None, None, hidden))
    return None


def is_valid(url: str | URL, base: str | URL | None = None) -> bool:
    """Whether it is a valid URL string: https://url.spec.whatwg.org/#valid-url-string

    That is a question of grammar, stricter than whether it parses.
    """
    from weburl._diagnosis import grammar

    text = text_of(url, "url must be a str or a URL")
    return grammar.is_valid_url_string(
        text, None if base is None else text_of(base, "base must be a str, a URL or None")
    )


def explain(url: str | URL, base: str | URL | None = None) -> str:
    """A picture in text of how a URL parses: its errors, its components, and what becomes of them.

    For people: it may change between versions. Credentials are hidden, and what cannot be seen is escaped.
    """
    from weburl._diagnosis import picture

    text = text_of(url, "url must be a str or a URL")
    return picture.explain(text, None if base is None else text_of(base, "base must be a str, a URL or None"))


def text_of(url: object, what: str) -> str:
    if isinstance(url, URL):
        return url.href
    if isinstance(url, str):
        return str.__str__(url)
    hint = ": decode it first" if isinstance(url, (bytes, bytearray, memoryview)) else ""
    raise TypeError(f"{what}, not {type(url).__name__}{hint}")


MORE_ERRORS = "There are {count:,} more errors before the last one: they are not listed."
# {place} is what stands at the error's place.
MESSAGES = {
    "host-invalid-code-point": "A host cannot have {place}: remove it, or percent-encode it.",
    "IPv4-empty-part": "The IPv4 address ends with a dot: remove it.",
    "IPv4-too-few-parts": "The IPv4 address has fewer than four numbers: write all four{ipv4}.",
    "IPv4-too-many-parts": "A host that ends in a number is an IPv4 address, and {place} has more than four parts.",
    "IPv4-non-numeric-part": "A host that ends in a number is an IPv4 address, and {place} in it is not a number.",
    "IPv4-non-decimal-part": "The IPv4 address has {place} in hexadecimal or octal: write it in decimal{ipv4}.",
    "IPv4-out-of-range-part": "The IPv4 address has {place}, above 255: write four numbers up to 255{ipv4}.",
    "IPv6-unclosed": "The IPv6 address {place} does not end with a bracket: write ] behind the address.",
    "IPv6-invalid-compression": "The IPv6 address starts with a single colon: write :: or a piece before it.",
    "IPv6-too-many-pieces": "The IPv6 address has more than eight pieces: remove those from here on.",
    "IPv6-multiple-compression": "The IPv6 address has '::' a second time: write zeros for one of the two.",
    "IPv6-too-few-pieces": "The IPv6 address has fewer than eight pieces: write :: where zeros are left out.",
    "IPv6-piece-leading-zero": "The IPv6 address has leading zeros in {place}: leave them out.",
    "IPv4-in-IPv6-too-many-pieces": "The IPv6 address has more than six pieces before its IPv4 address: remove some.",
    "IPv4-in-IPv6-out-of-range-part": "The IPv4 address in the IPv6 address starts a number with {place}, above 255.",
    "IPv4-in-IPv6-too-few-parts": "The IPv4 address in the IPv6 address has fewer than four numbers: write all four.",
    "invalid-reverse-solidus": "A backslash is used as a slash here: write /.",
    "invalid-credentials": "A valid URL has no username and no password: remove what is before this @, and it, too.",
    "host-missing": "The host is missing: write it here.",
    "port-out-of-range": "The port {place} is too large: the largest is 65535.",
    "port-invalid": "A port cannot have {place}: write digits only.",
    "file-invalid-Windows-drive-letter": (
        "A relative URL cannot start with the drive letter {place}: write three slashes before it, as in ///C:/."
    ),
    "file-invalid-Windows-drive-letter-host": (
        "The drive letter {place} is where the host should be: write one more slash before it, as in file:///C:/."
    ),
}

# Of a label, by the names that UTS 46 and its tests have for its rules.
RULES = {
    "P4": "starts with xn-- but is not Punycode for a label that needs it",
    "V1": "is not in Normalization Form C",
    "V2": "has hyphens as its third and fourth characters",
    "V3": "starts or ends with a hyphen",
    "V4": "starts with xn-- once more when decoded",
    "V6": "starts with a combining mark",
    "V7": "has {characters}, which no domain can have",
    "U1": "has {characters}, where only a to z, 0 to 9 and the hyphen can be",
    "C1": "has a zero width non-joiner where no letters around it would join",
    "C2": "has a zero width joiner that does not follow a virama",
    "B1": "has to start with a letter, in a domain with right-to-left characters",
    "B2": "is right-to-left and has a character that cannot be in such a label",
    "B3": "is right-to-left and does not end with a right-to-left letter or a digit",
    "B4": "is right-to-left and has both European and Arabic-Indic digits",
    "B5": "is left-to-right, in a domain with right-to-left characters, and has one that cannot be in such a label",
    "B6": "is left-to-right, in a domain with right-to-left characters, and does not end with a letter or a digit",
    "A4_2": "has more than 63 characters in its ASCII form",
}


def message_of(
    error: RecordedError,
    text: str,
    base: LiteralURL | None,
    url: LiteralURL | None,
    hidden: Places,
) -> str:
    """A sentence on an error in a text.

    `url` is what the text parses to, if it does, and `hidden` is where it has credentials.
    """
    place = text[error.position : error.end]
    is_hidden = hidden.overlap(error.position, error.end)
    shown_place = HIDDEN if is_hidden else shown(place, SHOWN_IN_MESSAGE)
    if is_hidden and error.name in {"port-invalid", "port-out-of-range"}:
        return "The port is not valid: if a password starts here, percent-encode / ? # and \\ in it."
    if is_hidden and error.name == "domain-to-ASCII":
        return "The domain is not valid: remove what is before the @, and it, too."
    if error.name == "domain-to-ASCII":
        return domain_message(error.detail[0])
    if error.name == "domain-percent-encoded":
        return f"The domain has {shown_place}: write the character itself, not percent-encoded."
    if error.name == "invalid-URL-unit":
        if place == "|" and url is not None and url.scheme == "file":
            return "A valid URL cannot have '|' here: write : behind a drive letter, elsewhere %7C."
        at_an_end = max(place) <= " " and (error.position == 0 or error.end == len(text))
        return url_unit_message(place, at_an_end, is_hidden)
    if error.name.endswith("IPv6-invalid-code-point"):
        where = "The IPv4 address in the IPv6 address" if error.name.startswith("IPv4") else "The IPv6 address"
        return f"{where} cannot have {shown_place} here." if place else f"{where} ends too early: write the rest here."
    if error.name == "special-scheme-missing-following-solidus":
        if place:
            return f"No more than two slashes come before the host: remove this {shown(place)}."
        if url is not None and base is not None and url.scheme == base.scheme:
            return "The scheme is not followed by two slashes: write // here or, for a relative URL, no scheme."
        return "The scheme is not followed by two slashes: write // here."
    if error.name == "missing-scheme-non-relative-URL":
        if base is None:
            return "The URL has no scheme: start it with one, such as https://, or give a base."
        scheme = shown(base.scheme, SHOWN_IN_MESSAGE)
        return f"The base is a {scheme} URL with an opaque path: only a fragment can be relative to it."
    ipv4 = f", as in {url.host}" if url and url.host and url.host.host_type == "ipv4" else ""
    return MESSAGES[error.name].format(place=shown_place, ipv4=ipv4)


def url_unit_message(place: str, at_an_end: bool, is_hidden: bool) -> str:
    if at_an_end:
        return "Spaces and control characters around a URL do not count: remove them."
    if place in "\t\n\r":
        return "Tabs and newlines in a URL do not count: remove them."
    if is_hidden:
        return f"A valid URL cannot have {HIDDEN} here: percent-encode it."
    if place == "%":
        return "Two hexadecimal digits have to follow %: write %25 for a percent sign."
    encoded = percent_encode(place, "component")
    return f"A valid URL cannot have {shown(place)} here: write {encoded} instead."


def domain_message(failure: Failure) -> str:
    rule, label = failure
    if not rule:
        return "The domain is not valid, and too long to say why: write a shorter one."
    if rule == "A4_1":
        if len(label) > 1:
            return "The domain is longer than 253 characters in its ASCII form: write a shorter one (UTS 46, A4_1)."
        return "The domain is empty but for dots and characters that do not count: write one (UTS 46, A4_1)."
    if label == "":
        return (
            "The domain has an empty label: remove the dot that starts or ends it, or one of two in a row"
            f" (UTS 46, {rule})."
        )
    words = RULES[rule]
    if "{" in words:
        words = words.format(
            characters=", ".join(map(shown, culprits(rule, label)[:5])) or "characters in the wrong form"
        )
    return f"The label {shown(label, SHOWN_IN_MESSAGE)} of the domain {words} (UTS 46, {rule})."


def culprits(rule: str, label: str) -> list[str]:
    """Those of the label's first characters that break a rule about characters."""
    from weburl._unicode.idna import to_ascii

    return [
        character
        for character in dict.fromkeys(label[:SHOWN_IN_MESSAGE])
        if any(failure.rule == rule for failure in to_ascii(character, strict=rule == "U1").failures)
    ]
