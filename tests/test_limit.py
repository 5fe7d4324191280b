"""The limit on a URL's length, lowered so that it can be reached."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator

import pytest

from weburl import URL, InvalidURL, URLSearchParams, join, normalize
from weburl._core.parser import set_max_length
from weburl.bulk import can_parse_many, normalize_many

LIMIT = 40
# The largest URL: offsets have 32 bits, or 16 in a build that only tests have. Sizes of 32 bits leave less.
LONGEST = (1 << 32) - 2 if sys.maxsize > 1 << 32 else 1 << 28, (1 << 16) - 2


@pytest.fixture(autouse=True)
def longest() -> Iterator[int]:
    before = set_max_length(LIMIT)
    assert before in LONGEST
    yield before
    set_max_length(before)


def padded(head: str, unit: str = "a", extra: int = 0, size: int = 1) -> str:
    """The head and as many units, each of `size` in the serialization, as fit; and `extra` more."""
    return head + unit * ((LIMIT - len(head)) // size + extra)


@pytest.mark.parametrize(
    "head", ["http://h/", "http://", "x:", "x:/", "x://h?", "x:#", "file:///", "http://h/?", "http://u@h/"]
)
def test_parse(head: str) -> None:
    url = padded(head)
    assert len(URL(url if head != "http://" else url[:-1] + "/").href) == LIMIT
    for parse in (URL, normalize, lambda text: join("x://y", text)):
        with pytest.raises(InvalidURL) as raised:
            parse(padded(head, extra=1))
        assert raised.value.error == "too-long"
    assert URL.parse(padded(head, extra=1)) is None
    assert not URL.can_parse(padded(head, extra=1))


@pytest.mark.parametrize(("head", "unit", "size"), [("http://h/", " ", 3), ("http://h/a?", "é", 6), ("x:/#", '"', 3)])
def test_growth(head: str, unit: str, size: int) -> None:
    fits = padded(head, unit, size=size) + "!" * ((LIMIT - len(head)) % size)
    assert len(URL(fits).href) == LIMIT
    assert URL.can_parse(fits)
    assert not URL.can_parse(fits + "!")
    assert not URL.can_parse(fits.replace(unit, unit * 2, 1))


def test_shrinks() -> None:
    assert URL(" \t\n" * 100 + "http://h/" + "a/../" * 100).href == "http://h/"
    assert URL("http:" + "/" * 100 + "h").href == "http://h/"


@pytest.mark.parametrize(
    ("name", "delimiter"),
    [
        ("pathname", "/"),
        ("search", "?"),
        ("hash", "#"),
        ("username", ""),
        ("password", ""),
        ("hostname", ""),
        ("host", ""),
    ],
)
def test_setters(name: str, delimiter: str) -> None:
    url = URL("http://hh:81/p")
    value = ""
    # The longest value that fits, found by trying: what it adds differs between the parts.
    while len(url.replace(**{name: delimiter + value + "a"}).href) < LIMIT:
        value += "a"
    value += "a"
    setattr(url, name, delimiter + value)
    href = url.href
    assert len(href) == LIMIT
    with pytest.raises(InvalidURL) as raised:
        setattr(url, name, delimiter + value + "a")
    assert (raised.value.error, url.href) == ("too-long", href)
    with pytest.raises(InvalidURL) as raised:
        url.replace(**{name: delimiter + value + "a"})
    assert (raised.value.error, url.href) == ("too-long", href)


def test_href_setter() -> None:
    url = URL("http://h/")
    with pytest.raises(InvalidURL):
        url.href = padded("http://h/", extra=1)
    assert url.href == "http://h/"


@pytest.mark.parametrize(
    "change",
    [
        lambda params: params.append("b", "cd"),
        lambda params: params.append("é", ""),
        lambda params: params.set("a", "a" * 29),
        lambda params: params.set("b", "cd"),
        lambda params: params.__setitem__("a", "é" * 10),
        lambda params: params.__init__("a=" + "a" * 29),
    ],
)
def test_search_params(change: Callable[[URLSearchParams], None]) -> None:
    url = URL("http://h/?a=" + "a" * 24)
    pairs = list(url.search_params)
    with pytest.raises(InvalidURL) as raised:
        change(url.search_params)
    assert raised.value.error == "too-long"
    assert list(url.search_params) == pairs
    assert len(url.href) == LIMIT - 4
    url.search_params.append("b", " ")
    assert len(url.href) == LIMIT


@pytest.mark.parametrize(
    "change",
    [
        lambda params: params.sort(),
        lambda params: params.delete("x"),
        lambda params: params.delete("b", "x"),
        lambda params: params.__delitem__("c"),
    ],
)
def test_search_params_that_are_written_otherwise(change: Callable[[URLSearchParams], None]) -> None:
    """Writing the pairs back turns `!` into `%21`, so even removing a pair can make the URL too long."""
    href = "http://h/?b=" + "!" * 20 + "&c=1"
    url = URL(href)
    pairs = list(url.search_params)
    with pytest.raises(InvalidURL) as raised:
        change(url.search_params)
    assert raised.value.error == "too-long"
    assert (url.href, list(url.search_params)) == (href, pairs)
    url.search_params.delete("b")
    assert url.href == "http://h/?c=1"


def test_search_params_know_the_other_parts() -> None:
    url = URL("http://h/?a=" + "a" * 27)
    params = url.search_params
    url.hash = "#"
    assert len(url.href) == LIMIT
    with pytest.raises(InvalidURL):
        url.hash = "x"
    with pytest.raises(InvalidURL):
        params.append("", "")
    with pytest.raises(InvalidURL):
        params.set("a", "a" * 28)
    url.hash = ""
    params.set("a", "a" * 28)
    assert len(url.href) == LIMIT
    with pytest.raises(InvalidURL):
        url.hash = "#"
    params.delete("a")
    assert url.href == "http://h/"
    params.set("a", "a" * 28)
    assert len(url.href) == LIMIT


def test_many_appends_up_to_the_limit() -> None:
    url = URL("http://h/")
    params = url.search_params
    for _ in range((LIMIT - len("http://h/?") + 1) // 3):
        params.append("k", "")
    assert len(url.href) == LIMIT - 1
    with pytest.raises(InvalidURL):
        params.append("k", "")
    assert len(url.href) == LIMIT - 1


def test_host_without_a_url_has_it_too() -> None:
    from weburl.hosts import parse_host

    assert str(parse_host("a" * LIMIT)) == "a" * LIMIT
    with pytest.raises(InvalidURL) as raised:
        parse_host("a" * (LIMIT + 1))
    assert raised.value.error == "too-long"


@pytest.mark.parametrize("kept", [True, False])
@pytest.mark.parametrize("rest", ["", "/../x", "/../evil.com/x", "/..", "/%2e%2e/x", "?q", "#f", "/../?q#f"])
@pytest.mark.parametrize("head", ["http://", "x://", "http://user:pass@", "file://", "http://h/", "x:/"])
def test_what_dot_segments_remove_counts(head: str, rest: str, kept: bool) -> None:
    """The limit is for the output as it grows, with segments that a later `..` removes."""
    url = padded(head, extra=1) + rest
    if not kept:
        url = url[0].upper() + url[1:]
    for parse in (URL, normalize):
        with pytest.raises(InvalidURL) as raised:
            parse(url)
        assert raised.value.error == "too-long"
    assert not URL.can_parse(url)
    assert normalize_many([url]).errors == can_parse_many([url]).errors == {"too-long": 1}


def test_what_dot_segments_remove_counts_in_setters() -> None:
    url = URL("http://h/")
    for name, value in (("pathname", "a" * LIMIT + "/../x"), ("href", padded("http://h/", extra=1) + "/../x")):
        with pytest.raises(InvalidURL):
            setattr(url, name, value)
        with pytest.raises(InvalidURL):
            url.replace(**{name: value})
    assert url.href == "http://h/"


def test_the_limit_itself(longest: int) -> None:
    for length in (0, -1, longest + 1):
        with pytest.raises(ValueError, match="a limit"):
            set_max_length(length)
