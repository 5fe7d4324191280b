"""Messages: sentences that say what is wrong with a URL and what to do about it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from weburl._core.percent import SETS, encode
from weburl._diagnosis.advice import placeholder_in, without_brackets, without_scheme
from weburl._diagnosis.credentials import HIDDEN, redact, without_secrets
from weburl._diagnosis.escapes import quoted
from weburl._diagnosis.failures import MESSAGES, SENTENCES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from weburl._diagnosis.credentials import Places
    from weburl._diagnosis.validation_error import ValidationError
    from weburl._literal.record import LiteralURL
    from weburl._literal.states import RecordedError
    from weburl._unicode.idna import Failure

# How many characters of the input the text of an InvalidURL shows, and how many of them a message.
SHOWN = 100
SHOWN_IN_MESSAGE = 60
VERBATIM_UNC = "\\\\?\\UNC\\"


def shown(text: str, limit: int = SHOWN) -> str:
    """A text, quoted and escaped; at most `limit` characters of it."""
    text_repr = repr(text[: limit + 1])
    if len(text) <= limit and len(text_repr) <= limit + 2:
        return text_repr
    return f"{text_repr[: limit + 1]}...{text_repr[0]}"


def shown_argument(value: object) -> str:
    """An argument that is not one of those that are taken: a text without credentials, of others the type."""
    if isinstance(value, str):
        return shown(without_secrets(str.__str__(value)), SHOWN_IN_MESSAGE)
    from weburl._advice import type_name

    return type_name(value)


def shown_part(part: str, value: str, limit: int) -> str:
    if part in ("username", "password"):
        return f"'{HIDDEN}'"
    if part.endswith(" path") and value[: len(VERBATIM_UNC)].upper() == VERBATIM_UNC:
        # What follows stands for two solidi and a server.
        value = value[: len(VERBATIM_UNC) - 1] + redact(f"//{value[len(VERBATIM_UNC) :]}")[1:].replace("/", "\\", 1)
        return shown(value, limit)
    if part in ("host", "hostname"):
        _, at, after = value.rpartition("@")
        return shown(without_secrets(f"{HIDDEN}@{after}" if at else after), limit)
    if part in ("search", "query", "params", "hash", "fragment"):
        return shown(without_secrets(f"?{value}")[1:], limit)
    return shown(without_secrets(value), limit)


def failure_message(name: str, part: str | None, error: ValidationError | None) -> str:
    """A sentence on why a URL or a part of one fails; `found` is the error, if the literal parser has it."""
    if error is not None:
        return error.message
    return SENTENCES.get(name, "The {part} is not valid.").format(part=part or "URL")


def failure_text(
    text: str, name: str, part: str | None, error: ValidationError | None, advice: str | None = None
) -> str:
    """The text of an InvalidURL: the name of the error, the input without credentials, and the message or advice."""
    message = failure_message(name, part, error) if advice is None else advice
    if name == "base":
        return f"{name}: {message}"
    limit = SHOWN if error is None else SHOWN - min(error.end - error.position, SHOWN_IN_MESSAGE)
    if part is None:
        return f"{name} in {shown(without_secrets(text), limit)}: {message}"
    return f"{name} in the {part} {shown_part(part, text, limit)}: {message}"


MORE_ERRORS = "There are {count:,} more errors before the last one: they are not listed."
# Of errors after which parsing goes on. {place} is the text between the error's position and its end.
WARNINGS = {
    "IPv4-non-ASCII-input": "The IPv4 address has characters that are not ASCII: write it with digits and dots{ipv4}.",
    "IPv4-empty-part": "The IPv4 address ends with a dot: remove it.",
    "IPv4-too-few-parts": "The IPv4 address has fewer than four numbers: write all four{ipv4}.",
    "IPv4-non-decimal-part": "The IPv4 address has {place} in hexadecimal or octal: write it in decimal{ipv4}.",
    "IPv6-piece-leading-zero": "The IPv6 address has leading zeros in {place}: leave them out.",
    "invalid-reverse-solidus": "A backslash is used as a slash here: write /.",
    "invalid-credentials": "A valid URL has no username and no password: remove the text before this @, and the @.",
    "file-invalid-Windows-drive-letter": (
        "A relative URL cannot start with the drive letter {place}: write three slashes before it, as in ///C:/."
    ),
    "file-invalid-Windows-drive-letter-host": (
        "The drive letter {place} is where the host should be: write one more slash before it, as in file:///C:/."
    ),
}

# What a label does that breaks a rule, by the rule's name in UTS 46 and its tests.
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
    if not is_hidden and error.name in {"port-invalid", "domain-to-ASCII", "host-invalid-code-point", "host-missing"}:
        special = advice_on_host(error, text, url)
        if special is not None:
            return special
    if is_hidden and error.name == "domain-to-ASCII":
        return "The domain is not valid: remove the text before the @, and the @."
    if error.name == "domain-to-ASCII":
        return domain_message(worst(error.detail) if url is None else error.detail[0])
    if error.name == "domain-percent-encoded":
        return f"The domain has {shown_place}: write the character itself, not percent-encoded."
    if error.name == "invalid-URL-unit":
        if place == "|" and url is not None and url.scheme == "file":
            return "A valid URL cannot have '|' here: write : after a drive letter, and %7C elsewhere."
        at_an_end = max(place) <= " " and (error.position == 0 or error.end == len(text))
        return url_unit_message(place, at_an_end, is_hidden)
    if error.name.endswith("IPv6-invalid-code-point"):
        if place == "%":
            return "A URL cannot have the zone of an IPv6 address: remove the % and what follows it."
        where = "The IPv4 address in the IPv6 address" if error.name.startswith("IPv4") else "The IPv6 address"
        return f"{where} cannot have {shown_place} here." if place else f"{where} ends too early: write the rest here."
    if error.name == "special-scheme-missing-following-solidus":
        is_of_base = url is not None and base is not None and url.scheme == base.scheme
        return solidus_message(text, error.position, place, is_of_base)
    if error.name == "missing-scheme-non-relative-URL":
        if base is None:
            special = without_scheme(text)
            if special is not None:
                return special
            return "The URL has no scheme: start it with one, such as https://, or give a base."
        scheme = shown(base.scheme, SHOWN_IN_MESSAGE)
        return f"The base is a {scheme} URL with an opaque path: only a fragment can be relative to it."
    ipv4 = f", as in {url.host}" if url and url.host and url.host.host_type == "ipv4" else ""
    return (MESSAGES.get(error.name) or WARNINGS[error.name]).format(place=shown_place, ipv4=ipv4)


def advice_on_host(error: RecordedError, text: str, url: LiteralURL | None) -> str | None:
    if error.name != "host-missing" and url is None:
        placeholder = placeholder_in(text, error.position, error.end)
        if placeholder is not None:
            return placeholder
    return without_brackets(text, error.position) if error.name in ("port-invalid", "host-missing") else None


def worst(failures: Sequence[Failure]) -> Failure:
    """The first that makes a domain fail, before those that a strict reader alone minds."""
    from weburl._unicode.idna import domain_parser

    for failure in failures:
        if failure.rule and failure.label and domain_parser(failure.label) is None:
            return failure
    return failures[0]


def solidus_message(text: str, position: int, place: str, is_of_base: bool) -> str:
    """On the slashes after a scheme: the standard has an error for each that is wrong, and one before them."""
    before, after = solidi(text, position, -1), solidi(text, position, 1)
    if len(before) >= 2:
        return f"No more than two slashes come before the host: remove this {quoted(place)}."
    if place == "\\":
        return WARNINGS["invalid-reverse-solidus"]
    if place and len(before + after) == 1:
        return "There is only one slash before the host: write //."
    if place:
        return "Two slashes come before the host, and this is one of them."
    if is_of_base:
        return "The scheme is not followed by two slashes: write // here or, for a relative URL, no scheme."
    if after:
        return f"The scheme is followed by {quoted(after)}: write // instead."
    return "The scheme is not followed by two slashes: write // here."


def solidi(text: str, position: int, step: Literal[-1, 1]) -> str:
    """Up to three slashes and backslashes that are next to a place, or at it, without tabs and newlines."""
    found = ""
    index = position if step > 0 else position - 1
    while 0 <= index < len(text) and len(found) < 3 and text[index] in "/\\\t\n\r":
        if text[index] in "/\\":
            found += text[index]
        index += step
    return found


def url_unit_message(place: str, at_an_end: bool, is_hidden: bool) -> str:
    if at_an_end:
        return "Spaces and control characters around a URL do not count: remove them."
    if place in "\t\n\r":
        return "Tabs and newlines in a URL do not count: remove them."
    if is_hidden:
        return f"A valid URL cannot have {HIDDEN} here: percent-encode it."
    if "\ud800" <= place <= "\udfff":
        return f"A valid URL cannot have {shown(place)}, half of a surrogate pair: remove it, or write the character."
    if place == "%":
        return "Two hexadecimal digits have to follow %: write %25 for a percent sign."
    encoded = encode(place, SETS["component"])
    return f"A valid URL cannot have {shown(place)} here: write {encoded} instead."


def domain_message(failure: Failure) -> str:
    from weburl._unicode.idna import FORBIDDEN_DOMAIN_CODE_POINTS

    rule, label = failure
    if not rule:
        return "The domain is not valid, and it is too long to say why: write a shorter one."
    if rule == "A4_1":
        if len(label) > 1:
            return "The domain is longer than 253 characters in its ASCII form: write a shorter one (UTS 46, A4_1)."
        return "The domain has only dots and characters that do not count: write a domain (UTS 46, A4_1)."
    if label == "":
        return (
            "The domain has an empty label: remove the dot that starts or ends it, or one of two in a row"
            f" (UTS 46, {rule})."
        )
    words = RULES[rule]
    if rule == "U1":
        # Of the characters that U1 is about, these are forbidden in every domain.
        forbidden = [c for c in dict.fromkeys(label[:SHOWN_IN_MESSAGE]) if c in FORBIDDEN_DOMAIN_CODE_POINTS]
        if forbidden:
            listed = ", ".join(map(shown, forbidden[:5]))
            return f"The label {shown(label, SHOWN_IN_MESSAGE)} of the domain has {listed}, which no domain can have."
    if "{" in words:
        words = words.format(
            characters=", ".join(map(shown, culprits(rule, label)[:5])) or "characters in the wrong form"
        )
    return f"The label {shown(label, SHOWN_IN_MESSAGE)} of the domain {words} (UTS 46, {rule})."


def culprits(rule: str, label: str) -> list[str]:
    """The characters at the start of a label that break a rule about characters."""
    from weburl._unicode.idna import to_ascii

    return [
        character
        for character in dict.fromkeys(label[:SHOWN_IN_MESSAGE])
        if any(failure.rule == rule for failure in to_ascii(character, strict=rule == "U1").failures)
    ]
