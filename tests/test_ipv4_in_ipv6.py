"""The IPv4 address at the end of an IPv6 address: each place, spelling and neighbour, against a model that splits."""

from __future__ import annotations

import re
from collections.abc import Iterator
from ipaddress import AddressValueError, IPv6Address

import pytest

from weburl import URL, InvalidURL, validate

INVALID = "IPv4-in-IPv6-invalid-code-point"
SPELLINGS = ("0", "9", "255", "256", "999", "00", "01", "010", "0255", "25500", "", "a", "1a", "0x1", "-1", "+1", "١")
AFTER = ("", ".", ".5", "..5", ".5.6", ":", "::", ":1", "::1", ":1.2.3.4", "%25", "g", "%")


def heads() -> Iterator[tuple[str, int]]:
    """What stands before the IPv4 address, and how many pieces it is: each number, each place of the compression."""
    for count in range(10):
        pieces = [f"{piece:x}" for piece in range(1, count + 1)]
        yield "".join(f"{piece}:" for piece in pieces), count
        for place in range(count + 1):
            before, after = ":".join(pieces[:place]), "".join(f"{piece}:" for piece in pieces[place:])
            yield f"{before}::{after}", count + 1


def tails() -> Iterator[str]:
    for place in range(4):
        for spelling in SPELLINGS:
            parts = ["192", "0", "2", "1"]
            parts[place] = spelling
            yield ".".join(parts)
    yield from ("192.0.2.1" + after for after in AFTER)
    yield from (".".join("123456"[:count]) for count in (2, 3, 5, 6))
    yield from ("1.", ".1", "1..2.3", "192.0.2.1.", "192.0:2.1", "abcd.0.2.1", "abcde.0.2.1", "0000.0.2.1")


def error_of(tail: str, pieces: int, has_compression: bool) -> str | None:
    """https://url.spec.whatwg.org/#concept-ipv6-parser, from the first part of the IPv4 address on."""
    if pieces >= 8:
        return "IPv6-too-many-pieces"
    parts = tail.split(".")
    if not re.fullmatch("[0-9a-f]{0,4}", parts[0]):
        return "IPv6-invalid-code-point"
    if pieces == 7:
        return "IPv4-in-IPv6-too-many-pieces" if parts[0] else INVALID
    for number, part in enumerate(parts):
        digits = re.match("[0-9]*", part, re.ASCII)
        assert digits is not None
        if number == 4 or not digits[0] or (len(digits[0]) > 1 and digits[0][0] == "0"):
            return INVALID
        if int(digits[0]) > 255:
            return "IPv4-in-IPv6-out-of-range-part"
        if digits[0] != part:
            return INVALID
    if len(parts) < 4:
        return "IPv4-in-IPv6-too-few-parts"
    return None if has_compression or pieces == 6 else "IPv6-too-few-pieces"


CASES = [
    (head + tail, error_of(tail, pieces, "::" in head))
    for head, pieces in heads()
    for tail in tails()
    if "." in tail  # else it is not an IPv4 address
]


def test_enough_cases() -> None:
    errors = [error for _, error in CASES]
    assert len(CASES) > 5000
    assert all(errors.count(error) > 30 for error in set(errors)), {one: errors.count(one) for one in set(errors)}
    assert set(errors) >= {None, INVALID, "IPv4-in-IPv6-out-of-range-part", "IPv4-in-IPv6-too-few-parts"}
    named = ("0:1:2:3:4:5:192.0.02.1", "192.0.2.1::")
    assert [error_of(tail, pieces, False) for tail, pieces in (("192.0.02.1", 6), ("192.0.2.1::", 0))] == [INVALID] * 2
    for host in named:
        with pytest.raises(InvalidURL, match=INVALID):
            URL(f"https://[{host}]/")


@pytest.mark.parametrize("scheme", ["https", "x"])
def test_as_the_model(scheme: str) -> None:
    for host, error in CASES:
        text = f"{scheme}://[{host}]/"
        errors = [(one.name, one.failure) for one in validate(text)]
        assert errors == ([] if error is None else [(error, True)]), host
        if error is None:
            assert IPv6Address(URL(text).hostname[1:-1]) == IPv6Address(host)
            continue
        with pytest.raises(InvalidURL) as raised:
            URL(text)
        assert raised.value.error == error, host
        if "%" not in host:  # which is a zone for Python
            with pytest.raises(AddressValueError):
                IPv6Address(host)


@pytest.mark.parametrize("zeros", ["0", "00", "000"])
def test_leading_zeros_of_pieces_are_no_failure(zeros: str) -> None:
    """In the pieces before the IPv4 address a zero is an error that is recorded; in its parts, it is the failure."""
    text = f"https://[::{zeros}1:192.0.2.1]/"
    assert [(error.name, error.failure) for error in validate(text)] == [("IPv6-piece-leading-zero", False)]
    assert URL(text).hostname == "[::1:c000:201]"
    assert validate(f"https://[::1:192.{zeros}1.2.1]/")[-1].name == INVALID
