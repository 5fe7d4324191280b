"""PercentEncodeSet: the percent-encode sets of other standards, against the literal percent-encoding."""

from __future__ import annotations

import copy
import pickle
from random import Random
from typing import Any

import pytest

from weburl._literal.percent import percent_encode_after_encoding
from weburl._unicode.encoding import UTF_8
from weburl.percent import PercentEncodeSet, percent_encode

ASCII = "".join(map(chr, range(0x80)))
EVERYTHING = ASCII + "\x80\xe9\u20ac\ufffd\U0001f600\U0010ffff"
NAMES = ("c0-control", "fragment", "query", "special-query", "path", "userinfo", "component", "form")
BYTES = frozenset(map(chr, range(0x80, 0x100)))
BEYOND = frozenset(EVERYTHING) - frozenset(ASCII)


def model(base: str, more: str) -> frozenset[str]:
    return frozenset(c for c in ASCII if percent_encode(c, base) != c) | frozenset(more) | BEYOND


@pytest.mark.sample(3)
@pytest.mark.parametrize("base", NAMES)
def test_as_the_literal_percent_encoding(base: str) -> None:
    random = Random(base)
    for round_ in range(200):
        more = "".join(random.sample(EVERYTHING, random.choice((0, 1, 2, 5, 40, 128))))
        made = PercentEncodeSet.of(base, more)
        expected = model(base, more)
        assert {c for c in EVERYTHING if c in made} == expected
        text = "".join(
            random.choices(EVERYTHING if round_ % 2 else ASCII, k=random.choice((0, 1, 7, 63, 64, 600, 5000)))
        )
        encoded = percent_encode(text, made)
        assert encoded == percent_encode_after_encoding(UTF_8, text, expected | BYTES)
        data: Any
        for data in (text.encode(), bytearray(text.encode()), memoryview(text.encode())):
            assert percent_encode(data, made, encoding="utf8") == encoded
        kept = "".join(c for c in text if c not in expected)
        assert percent_encode(kept, made) is kept or not kept
        # A lone surrogate is U+FFFD, as everywhere.
        assert percent_encode(f"\ud800{text}", made) == f"%EF%BF%BD{encoded}"
        # In steps, as standards define them, and as pickles, copies and representations.
        half = len(more) // 2
        for same in (
            PercentEncodeSet.of(PercentEncodeSet.of(base, more[:half]), more[half:]), PercentEncodeSet.of(made),
            pickle.loads(pickle.dumps(made)), copy.deepcopy(made), eval(repr(made)),
        ):  # fmt: skip
            assert same == made
            assert hash(same) == hash(made)
            assert percent_encode(text, same) == encoded
        other = random.choice(ASCII)
        assert (PercentEncodeSet.of(base, more + other) == made) is (other in expected)


@pytest.mark.parametrize("name", NAMES[:-1])
def test_a_set_of_the_standard_is_itself(name: str) -> None:
    assert percent_encode(EVERYTHING, PercentEncodeSet.of(name)) == percent_encode(EVERYTHING, name)
    assert PercentEncodeSet.of(name) != name


def test_a_space_is_no_plus() -> None:
    assert percent_encode("a b+", PercentEncodeSet.of("form")) == "a%20b%2B"


def test_bytes_beyond_ascii_are_percent_encoded() -> None:
    data = bytes(range(256))
    expected = "".join(f"%{byte:02X}" if chr(byte) in model("path", "A") or byte > 127 else chr(byte) for byte in data)
    assert percent_encode(data, PercentEncodeSet.of("path", "A")) == expected


@pytest.mark.parametrize("wrong", [None, 1, b"path", "Path", "", ["path"], {}])
def test_what_is_refused(wrong: Any) -> None:
    with pytest.raises(ValueError, match="the set must be one of c0-control, "):
        PercentEncodeSet.of(wrong)
    if not isinstance(wrong, str):
        with pytest.raises(TypeError, match="characters must be a str"):
            PercentEncodeSet.of("path", wrong)
    with pytest.raises(TypeError, match=r"PercentEncodeSet\.of"):
        PercentEncodeSet(*([wrong] if wrong else []))
    if not isinstance(wrong, (str, bytes)):
        with pytest.raises(TypeError, match="text must be a str or bytes"):
            percent_encode(wrong, PercentEncodeSet.of("path"))


@pytest.mark.parametrize("label", ["latin1", "iso-2022-jp"])
def test_other_encodings_go_with_sets_of_queries(label: str) -> None:
    with pytest.raises(ValueError, match="goes with the sets special-query and form only"):
        percent_encode("a", PercentEncodeSet.of("special-query"), encoding=label)
    with pytest.raises(LookupError):
        percent_encode("a", PercentEncodeSet.of("special-query"), encoding="none")
