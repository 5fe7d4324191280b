"""What goes through the parser's front door is the URL that the parser alone makes, or fails as it does.

A tab after its first character, which the parser removes, keeps a URL from the door.
"""

from __future__ import annotations

from itertools import islice

import pytest
from support.hostile import inputs
from support.literal_compare import attributes, error_of
from support.wpt_cases import Case, all_cases
from test_own_cases import URLS

from weburl import URL
from weburl._core.texts import ALL_KNOWN, NOTHING_KNOWN, PATH_BEGUN, leaves_off
from weburl.bulk import parse_many

LINKS = (
    "https://www.example.com/a.b/c-d?e=f#g",
    "http://127.0.0.1:8080/%41/.b?c",
    "ws://[1::2]/..c/%2e/d//#",
    "wss://xn--4ca.example.:1",
    "http://user:123@h/",
    "ftp://example.org:21/a",
)
CHANGES = [
    *"%.:/\\?#@[]|^`{}<>\"' \t\0A0x9z~-_&=\x7fé\ud800", "..", "/.", "/..", "%2e", "/%2E", ":443", "xn--", "//", ".0",
]  # fmt: skip
MUTATED = [
    link[:place] + change + link[place + removed :]
    for link in LINKS
    for place in range(len(link) + 1)
    for change in CHANGES
    for removed in (0, 1)
]
STATES = 8
# What the parser strips off both ends.
CONTROLS = "".join(map(chr, range(0x21)))


def pass_by(text: str) -> str:
    """The same URL, on a way that is not through the door."""
    text = text.strip(CONTROLS)
    # Of a surrogate pair, the tab would make two code points.
    return f"{text[:1]}\t{text[1:]}" if text.isascii() or text[0] < "\x80" else text


def check(text: str, base: str | None = None, encoding: str = "utf-8") -> None:
    url = text.encode("utf-8", "surrogatepass")
    state, pointer = leaves_off(url)
    around = pass_by(text)
    assert leaves_off(around.encode("utf-8", "surrogatepass"))[0] == NOTHING_KNOWN
    error = error_of(around, base, encoding)
    assert error_of(text, base, encoding) == error, text
    assert URL.can_parse(text, base) is URL.can_parse(around, base), text
    if error == "base":
        return
    if leaves_off(url, host_only=True)[0] == ALL_KNOWN:
        assert URL.can_parse(around, base), text
    if error is not None:
        assert state != ALL_KNOWN, text
        return
    expected = URL(around, base, encoding=encoding)
    assert attributes(URL(text, base, encoding=encoding)) == attributes(expected), text
    if state == PATH_BEGUN:
        # What follows can remove segments; without that, nothing before it changes.
        assert leaves_off(url[:pointer] + b"x") == (ALL_KNOWN, pointer + 1), text
    elif state != NOTHING_KNOWN:
        assert expected.href.encode().startswith(url[:pointer]), text
    if state == ALL_KNOWN:
        assert (expected.href, pointer) == (text, len(url)), text


@all_cases("urltestdata.json")
def test_urltestdata(case: Case) -> None:
    check(case["input"], case["base"])


def test_own_cases() -> None:
    for case in URLS:
        check(case["input"], case["base"])
        check(case.get("href", ""), case["base"])


def test_links_with_one_change() -> None:
    for text in MUTATED:
        check(text)


@pytest.mark.parametrize("seed", range(4))
def test_hostile(seed: int) -> None:
    for case in islice(inputs(seed), 500):
        check(*case[:3])


def test_every_state_is_met() -> None:
    """None of them is left out above."""
    assert len({leaves_off(text.encode("utf-8", "surrogatepass"))[0] for text in MUTATED}) == STATES


def test_spaces_around() -> None:
    """They are stripped, and then the URL enters."""
    for text in MUTATED[::7]:
        for padded in (f" {text}", f"{text}\n", f"\0\t {text} \x1f"):
            assert error_of(padded, None, "utf-8") == error_of(text, None, "utf-8")
            assert URL.can_parse(padded) is URL.can_parse(text)
            if URL.can_parse(text):
                assert attributes(URL(padded)) == attributes(URL(text))


def test_columns() -> None:
    texts = [*MUTATED, *(case["input"] for case in URLS)]
    texts += [f"\n{text} " for text in MUTATED[::7]]
    for views in (False, True):
        through, around = (parse_many(rows, threads=1, views=views) for rows in (texts, map(pass_by, texts)))
        assert [list(row.values()) for row in through] == [list(row.values()) for row in around]
