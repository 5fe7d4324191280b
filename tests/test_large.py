"""The limit on a URL's length as it is, and columns of more than 2**32 bytes: WEBURL_LARGE=1, and 16 GiB of memory."""

from __future__ import annotations

import gc
import os

import pytest
from support.arrow import KEPT
from support.limits import is_too_long

from weburl import URL, URLSearchParams, normalize
from weburl.bulk import component_many, normalize_many, parse_lines
from weburl.percent import percent_decode, percent_encode

pytestmark = pytest.mark.skipif(
    os.environ.get("WEBURL_LARGE") != "1", reason="for machines with 16 GiB: WEBURL_LARGE=1"
)

LIMIT = 2**32 - 2
HEAD = "http://h/"


@pytest.fixture(autouse=True)
def _collected() -> None:
    """A URL and its search_params are a cycle; and a test of another file has left columns."""
    KEPT.clear()
    gc.collect()


def test_parse() -> None:
    text = HEAD + "a" * (LIMIT - len(HEAD))
    assert URL.can_parse(text)
    assert normalize(text) == text
    text += "a"
    assert not URL.can_parse(text)
    assert is_too_long(lambda: normalize(text))


def test_what_percent_encoding_makes_too_long() -> None:
    count, rest = divmod(LIMIT - len(HEAD), 3)
    text = HEAD + "a" * rest + " " * (count - 1)
    assert not URL.can_parse(text + '"#')
    url = URL(text + '"')
    assert len(url.href) == LIMIT
    assert url.href.count("%20") == count - 1
    assert is_too_long(lambda: setattr(url, "hash", "x"))
    assert is_too_long(lambda: url.search_params.append("", ""))
    assert len(url.href) == LIMIT
    assert list(url.search_params) == []


def test_setters() -> None:
    url = URL(HEAD)
    url.hash = "a" * (LIMIT - len(HEAD) - 1)
    assert len(url.href) == LIMIT
    for name, value in (("port", "1"), ("username", "u"), ("pathname", "/b"), ("search", "q"), ("hostname", "hh")):
        assert is_too_long(lambda name=name, value=value: setattr(url, name, value))  # type: ignore[misc]
        assert len(url.href) == LIMIT


def test_search_params() -> None:
    url = URL(HEAD)
    room, rest = divmod(LIMIT - len(HEAD) - len("?=&="), 6)
    url.search_params.append("%" * room, "")
    assert is_too_long(lambda: url.search_params.append("a" * (rest + 1), "%" * room))
    assert len(url.search_params) == 1
    url.search_params.append("a" * rest, "%" * room)
    assert len(url.href) == LIMIT
    assert is_too_long(lambda: url.search_params.append("", ""))


def test_no_limit_where_no_url_is_made() -> None:
    count = 2**32 // 3 + 1
    assert len(str(URLSearchParams([("", "%" * count)]))) == 1 + 3 * count
    assert len(percent_encode(" " * count, "path")) == 3 * count
    assert len(percent_decode(b"%20" * count)) == count


def test_columns() -> None:
    text = HEAD + "a" * 2**30
    column = normalize_many([text] * 5)
    assert sum(href == text for href in column) == 5
    assert column.errors == {}


def test_lines() -> None:
    data = HEAD.encode() + b" " * ((LIMIT - len(HEAD)) // 3 + 1) + b"!\nhttp://h/b\n"
    column = parse_lines(data, ["href"])["href"]
    assert column.to_pylist() == [None, "http://h/b"]
    assert column.errors == {"too-long": 1}


def test_views_of_what_a_batch_keeps() -> None:
    """In windows of 2**30 bytes."""
    texts = [f"HTTP://{name}{'a' * 2**20}/" for name in "xyz"]
    origins = component_many(texts * 500, "origin", views=True)
    expected = [text.lower()[:-1] for text in texts]
    assert all(origin == expected[index % 3] for index, origin in enumerate(origins))
