"""The limit on a URL's length, lowered from 2**32 - 2 so that it can be reached."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from weburl import URL, InvalidURL, join, normalize
from weburl._parser import set_max_length

LIMIT = 40


@pytest.fixture(autouse=True)
def _limit() -> Iterator[None]:
    before = set_max_length(LIMIT)
    assert before == 2**32 - 2
    yield
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


def test_search_params() -> None:
    url = URL(padded("http://h/?a=")[:-4])
    params = url.search_params
    before = list(params)
    for change in (
        lambda: params.append("b", "cd"),
        lambda: params.append("b", " "),  # fits: as a plus
        lambda: params.set("a", "a" * (LIMIT - 11)),
        lambda: params.__setitem__("a", "é" * 10),
        lambda: params.__init__("a=" + "a" * (LIMIT - 11)),  # type: ignore[misc]
    ):
        try:
            change()
        except InvalidURL as error:
            assert error.error == "too-long"
            assert list(params) == before
        else:
            assert list(params) == [*before, ("b", " ")]
            assert len(url.href) == LIMIT
            params.delete("b")
        assert len(url.href) == LIMIT - 4
    params.append("b", "c")
    assert len(url.href) == LIMIT
    url.hash = ""
    with pytest.raises(InvalidURL):
        url.hash = "x"
    url.pathname = ""
    params.delete("b")
    url.hash = "x"
    params.set("a", "a" * (LIMIT - len("http://h/?a=#x")))
    assert len(url.href) == LIMIT
    with pytest.raises(InvalidURL):
        params.set("a", "a" * (LIMIT - len("http://h/?a=#x") + 1))
    assert len(url.href) == LIMIT


def test_many_appends_up_to_the_limit() -> None:
    url = URL("http://h/")
    params = url.search_params
    count = 0
    with pytest.raises(InvalidURL):
        while True:
            params.append("k", "")
            count += 1
    assert len(params) == count == (LIMIT - len("http://h/?") + 1) // 3
    assert len(url.href) <= LIMIT < len(url.href) + 3


def test_host_without_a_url_has_it_too() -> None:
    from weburl.hosts import parse_host

    assert str(parse_host("a" * LIMIT)) == "a" * LIMIT
    with pytest.raises(InvalidURL) as raised:
        parse_host("a" * (LIMIT + 1))
    assert raised.value.error == "too-long"
