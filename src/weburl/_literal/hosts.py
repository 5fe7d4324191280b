"""The host parser. It reports validation errors with their places in its input."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from weburl._literal.percent import (
    ASCII_DIGITS,
    ASCII_HEX_DIGITS,
    C0_CONTROL_PERCENT_ENCODE_SET,
    EOF,
    is_url_code_point,
    percent_decode_string,
    starts_with_two_hex_digits,
    utf_8_percent_encode_string,
)
from weburl._literal.record import EMPTY_HOST, Host
from weburl._unicode.idna import (
    FORBIDDEN_DOMAIN_CODE_POINTS,
    FORBIDDEN_HOST_CODE_POINTS,
    Failure,
    domain_parser,
    to_ascii,
)

# Errors of a longer domain that has to be mapped only say that it is not valid.
LONGEST_DOMAIN = 10_000


class Report(Protocol):
    def __call__(self, name: str, start: int, end: int, detail: Sequence[Failure] = ()) -> None: ...


# https://url.spec.whatwg.org/#concept-host-parser
#
# `failure` is the error with which the URL fails, if that is known already: then a long domain is not mapped again.
# `is_lone_surrogate` says whether the U+FFFD at an index of an opaque host stands for a lone surrogate.
def parse_host(
    input: str,
    is_opaque: bool,
    report: Report,
    failure: str | None = None,
    is_lone_surrogate: Callable[[int], bool] = lambda index: False,
) -> Host | None:
    if input.startswith("["):
        if not input.endswith("]"):
            report("IPv6-unclosed", 0, len(input))
            return None
        return parse_ipv6(input[1:-1], report)
    if is_opaque:
        return parse_opaque_host(input, report, is_lone_surrogate)
    percent = find_percent_encoded_byte(input)
    if percent is not None:
        report("domain-percent-encoded", percent, percent + 3)
    domain = input if percent is None else percent_decode_string(input).decode(errors="replace")
    if failure is not None and len(domain) > LONGEST_DOMAIN:
        ascii_domain = known_domain(domain, len(input), report, failure)
    else:
        ascii_domain = parse_domain(domain, len(input), report)
    if ascii_domain is None:
        return None
    if ends_in_a_number(ascii_domain):
        if not domain.isascii():
            report("IPv4-non-ASCII-input", 0, len(input))

        def report_whole(name: str, start: int, end: int, detail: Sequence[Failure] = ()) -> None:
            report(name, 0, len(input), detail)

        return parse_ipv4(ascii_domain, report if ascii_domain == input.lower() else report_whole)
    return Host("domain", ascii_domain)


# https://url.spec.whatwg.org/#percent-encoded-byte
def find_percent_encoded_byte(input: str) -> int | None:
    percent = input.find("%")
    while percent >= 0:
        if starts_with_two_hex_digits(input, percent + 1):
            return percent
        percent = input.find("%", percent + 1)
    return None


# https://url.spec.whatwg.org/#concept-domain-to-ascii, not strict. `length` is that of the host parser's input. The
# detail says why the domain fails or, if it does not, why it is not valid.
def parse_domain(domain: str, length: int, report: Report) -> str | None:
    failures = to_ascii(domain, strict=True).failures
    result = domain_parser(domain)
    if failures:
        report("domain-to-ASCII", 0, length, why_not_valid(domain, failures))
    return result


def why_not_valid(domain: str, failures: Sequence[Failure]) -> Sequence[Failure]:
    if not domain.isascii() or "xn--" in domain.lower():
        if len(domain) > LONGEST_DOMAIN:
            return (Failure("", ""),)
        relaxed_failures = () if domain.isascii() else to_ascii(domain, strict=False).failures
        if relaxed_failures:
            return relaxed_failures
    forbidden = [
        failure
        for failure in failures
        if failure.rule == "U1" and not FORBIDDEN_DOMAIN_CODE_POINTS.isdisjoint(failure.label)
    ]
    return forbidden or failures


def known_domain(domain: str, length: int, report: Report, failure: str) -> str | None:
    """The result of the domain parser, as exact as `failure`, with which the URL is known to fail, needs it."""
    is_mapped = not domain.isascii() or "xn--" in domain.lower()
    if failure == "domain-to-ASCII":
        report(failure, 0, length, (Failure("", "") if is_mapped else first_forbidden(domain.lower()),))
        return None
    if domain.isascii():
        return domain.lower()
    if failure.startswith("IPv4-"):
        report(failure, 0, length)
        return None
    return "a"


def first_forbidden(domain: str) -> Failure:
    """The first label with a forbidden domain code point, for a domain that has no ASCII form for this reason."""
    at = min(filter(lambda place: place >= 0, map(domain.find, FORBIDDEN_DOMAIN_CODE_POINTS)), default=0)
    start, end = domain.rfind(".", 0, at) + 1, domain.find(".", at)
    return Failure("U1", domain[start : end if end >= 0 else len(domain)])


# https://url.spec.whatwg.org/#ends-in-a-number-checker
def ends_in_a_number(input: str) -> bool:
    last = input.removesuffix(".").rpartition(".")[2]
    return (last != "" and ASCII_DIGITS.issuperset(last)) or parse_ipv4_number(last) is not None


# https://url.spec.whatwg.org/#concept-ipv4-parser
def parse_ipv4(input: str, report: Report) -> Host | None:
    if input.endswith("."):
        report("IPv4-empty-part", len(input) - 1, len(input))
    # If there are more than four parts, it does not matter how many.
    parts = input.removesuffix(".").split(".", 4)
    if len(parts) < 4:
        report("IPv4-too-few-parts", 0, len(input))
    if len(parts) > 4:
        report("IPv4-too-many-parts", 0, len(input))
        return None
    numbers = []
    places = []
    start = 0
    for part in parts:
        end = start + len(part)
        result = parse_ipv4_number(part)
        if result is None:
            report("IPv4-non-numeric-part", start, end)
            return None
        number, validation_error = result
        if validation_error:
            report("IPv4-non-decimal-part", start, end)
        numbers.append(number)
        places.append((start, end))
        start = end + 1
    for number, place in zip(numbers, places, strict=True):
        if number > 255:
            report("IPv4-out-of-range-part", *place)
            break
    if any(number > 255 for number in numbers[:-1]):
        return None
    if numbers[-1] >= 256 ** (5 - len(numbers)):
        return None
    ipv4 = numbers.pop()
    for counter, n in enumerate(numbers):
        ipv4 += n * 256 ** (3 - counter)
    return Host("ipv4", ipv4)


# https://url.spec.whatwg.org/#ipv4-number-parser
def parse_ipv4_number(input: str) -> tuple[int, bool] | None:
    if input == "":
        return None
    validation_error = False
    r = 10
    if input.startswith(("0x", "0X")):
        validation_error = True
        input = input[2:]
        r = 16
    elif len(input) >= 2 and input.startswith("0"):
        validation_error = True
        input = input[1:]
        r = 8
    if input == "":
        return 0, True
    digits = {8: frozenset("01234567"), 10: ASCII_DIGITS, 16: ASCII_HEX_DIGITS}[r]
    if not digits.issuperset(input):
        return None
    return parse_number(input, r), validation_error


def parse_number(digits: str, radix: int) -> int:
    """The value of digits; if there are more than 20, a number that is too large for everything here."""
    return int(digits.lstrip("0")[:20] or "0", radix)


# https://url.spec.whatwg.org/#concept-ipv6-parser. Its input is that of the host parser from 1 on.
def parse_ipv6(input: str, report: Report) -> Host | None:
    address = [0] * 8
    piece_index = 0
    compress = None
    pointer = 0

    def c(ahead: int = 0) -> str:
        return input[pointer + ahead : pointer + ahead + 1] or EOF

    def validation_error(name: str) -> None:
        report(name, 1 + pointer, 1 + min(pointer + 1, len(input)))

    if c() == ":":
        if c(1) != ":":
            validation_error("IPv6-invalid-compression")
            return None
        pointer += 2
        piece_index += 1
        compress = piece_index
    while c() != EOF:
        if piece_index == 8:
            validation_error("IPv6-too-many-pieces")
            return None
        if c() == ":":
            if compress is not None:
                validation_error("IPv6-multiple-compression")
                return None
            pointer += 1
            piece_index += 1
            compress = piece_index
            continue
        start = pointer
        value = length = 0
        while length < 4 and c() in ASCII_HEX_DIGITS:
            value = value * 0x10 + int(c(), 16)
            pointer += 1
            length += 1
        if c() == ".":
            if length == 0:
                validation_error("IPv4-in-IPv6-invalid-code-point")
                return None
            pointer -= length
            if piece_index > 6:
                validation_error("IPv4-in-IPv6-too-many-pieces")
                return None
            numbers_seen = 0
            while c() != EOF:
                ipv4_piece = None
                if numbers_seen > 0:
                    if c() == "." and numbers_seen < 4:
                        pointer += 1
                    else:
                        validation_error("IPv4-in-IPv6-invalid-code-point")
                        return None
                if c() not in ASCII_DIGITS:
                    validation_error("IPv4-in-IPv6-invalid-code-point")
                    return None
                start = pointer
                while c() in ASCII_DIGITS:
                    number = int(c())
                    if ipv4_piece is None:
                        ipv4_piece = number
                    elif ipv4_piece == 0:
                        validation_error("IPv4-in-IPv6-invalid-code-point")
                        return None
                    else:
                        ipv4_piece = ipv4_piece * 10 + number
                    if ipv4_piece > 255:
                        report("IPv4-in-IPv6-out-of-range-part", 1 + start, 1 + pointer + 1)
                        return None
                    pointer += 1
                assert ipv4_piece is not None
                address[piece_index] = address[piece_index] * 0x100 + ipv4_piece
                numbers_seen += 1
                if numbers_seen in (2, 4):
                    piece_index += 1
            if numbers_seen != 4:
                validation_error("IPv4-in-IPv6-too-few-parts")
                return None
            break
        if c() == ":":
            pointer += 1
            if c() == EOF:
                validation_error("IPv6-invalid-code-point")
                return None
        elif c() != EOF:
            validation_error("IPv6-invalid-code-point")
            return None
        if length > 1 and value < 0x10 ** (length - 1):
            report("IPv6-piece-leading-zero", 1 + start, 1 + start + length)
        address[piece_index] = value
        piece_index += 1
    if compress is not None:
        swaps = piece_index - compress
        piece_index = 7
        while piece_index != 0 and swaps > 0:
            other = compress + swaps - 1
            address[piece_index], address[other] = address[other], address[piece_index]
            piece_index -= 1
            swaps -= 1
    elif piece_index != 8:
        report("IPv6-too-few-pieces", 1, 1 + len(input))
        return None
    return Host("ipv6", tuple(address))


# https://url.spec.whatwg.org/#concept-opaque-host-parser
def parse_opaque_host(input: str, report: Report, is_lone_surrogate: Callable[[int], bool]) -> Host | None:
    if input == "":
        return EMPTY_HOST
    for index, c in enumerate(input):
        if c in FORBIDDEN_HOST_CODE_POINTS:
            report("host-invalid-code-point", index, index + 1)
            return None
    for index, c in enumerate(input):
        if (not is_url_code_point(c) and c != "%") or is_lone_surrogate(index):
            report("invalid-URL-unit", index, index + 1)
            break
    for index, c in enumerate(input):
        if c == "%" and not starts_with_two_hex_digits(input, index + 1):
            report("invalid-URL-unit", index, index + 1)
            break
    return Host("opaque", utf_8_percent_encode_string(input, C0_CONTROL_PERCENT_ENCODE_SET))
