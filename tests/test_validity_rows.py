"""Three rows of docs/validity.md, with generated inputs that nothing else on that page explains."""

from __future__ import annotations

from random import Random

from weburl import URL, validate

RANDOM = Random("rows")


def errors(host: str) -> list[str]:
    found = validate(f"https://{host}/")
    assert not any(error.failure for error in found[:-1])
    assert URL.can_parse(f"https://{host}/") is not (found != [] and found[-1].failure)
    return [error.name for error in found]


def parts(count: int) -> list[str]:
    return [str(RANDOM.randrange(1, 256)) for _ in range(count)]


def test_ipv6_pieces_are_counted_before_what_follows_is_read() -> None:
    for _ in range(300):
        pieces = [f"{RANDOM.randrange(1, 0x10000):x}" for _ in range(8)]
        eight = ":".join(pieces)
        rest = "".join(RANDOM.choices("0123456789abcdefxg!:.", k=RANDOM.randrange(1, 6)))
        assert errors(f"[{eight}:{rest}]") == ["IPv6-too-many-pieces"], rest
        assert errors(f"[{eight}]") == []
        # There is nothing after the colon.
        assert errors(f"[{eight}:]") == ["IPv6-invalid-code-point"]
        # Eight, and the :: of them.
        at = RANDOM.randrange(1, 8)
        assert errors(f"[{':'.join(pieces[:at])}::{':'.join(pieces[at:])}]") == ["IPv6-too-many-pieces"]


def test_only_the_last_part_of_an_ipv4_address_is_an_empty_part() -> None:
    for _ in range(300):
        four = parts(4)
        assert errors(f"{'.'.join(four)}.") == ["domain-to-ASCII", "IPv4-empty-part"]
        # A domain.
        assert errors(f"{'.'.join(four)}{'.' * RANDOM.randrange(2, 5)}") == ["domain-to-ASCII"]
        four[RANDOM.randrange(3)] = ""
        assert errors(".".join(four)) == ["domain-to-ASCII", "IPv4-non-numeric-part"]
        assert errors(f"{'.'.join(four)}.") == ["domain-to-ASCII", "IPv4-empty-part", "IPv4-non-numeric-part"]


def test_ipv4_parts_are_counted_before_they_are_read() -> None:
    for _ in range(300):
        count = RANDOM.randrange(2, 8)
        host = parts(count)
        host[RANDOM.randrange(count - 1)] = RANDOM.choice(("test", "a1", "1a", "0xg", "x0"))
        expected = ["IPv4-too-many-parts"] if count > 4 else ["IPv4-non-numeric-part"]
        if count < 4:
            expected.insert(0, "IPv4-too-few-parts")
        assert errors(".".join(host)) == expected, host
