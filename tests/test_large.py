"""The limit on a URL's length as it is, and columns of more than 2**32 bytes: WEBURL_LARGE=1, and 16 GiB of memory."""

from __future__ import annotations

import os
from collections.abc import Callable

import pytest

from weburl import URL, InvalidURL, URLSearchParams, normalize
from weburl.bulk import component_many, normalize_many, parse_lines
from weburl.percent import percent_decode, percent_encode

pytestmark = pytest.mark.skipif(
    os.environ.get("WEBURL_LARGE") != "1", reason="for machines with 16 GiB: WEBURL_LARGE=1"
)

LIMIT = 2**32 - 2
HEAD = "http://h/"


def fails(call: Callable[[], object]) -> bool:
    with pytest.raises(InvalidURL) as raised:
        call()
    return raised.value.error == "too-long"


def test_parse() -> None:
    text = HEAD + "a" * (LIMIT - len(HEAD))
    assert URL.can_parse(text)
    assert normalize(text) == text
    text += "a"
    assert not URL.can_parse(text)
    assert fails(lambda: normalize(text))


def test_what_percent_encoding_makes_too_long() -> None:
    count, rest = divmod(LIMIT - len(HEAD), 3)
    text = HEAD + "a" * rest + " " * count + "#"
    assert not URL.can_parse(text)
    url = URL(text[:-1] + "\t")
    assert len(url.href) == LIMIT
    assert url.href.count("%20") == count
    assert fails(lambda: setattr(url, "hash", "x"))
    assert fails(lambda: url.search_params.append("", ""))
    assert len(url.href) == LIMIT
    assert list(url.search_params) == []


def test_setters() -> None:
    url = URL(HEAD)
    url.hash = "a" * (LIMIT - len(HEAD) - 1)
    assert len(url.href) == LIMIT
    for name, value in (("port", "1"), ("username", "u"), ("pathname", "/b"), ("search", "q"), ("hostname", "hh")):
        assert fails(lambda name=name, value=value: setattr(url, name, value))  # type: ignore[misc]
        assert len(url.href) == LIMIT


def test_search_params() -> None:
    url = URL(HEAD)
    url.search_params.append("a" * (LIMIT // 2), "")
    assert fails(lambda: url.search_params.append("", " " * (LIMIT // 2 - len(HEAD) - 2)))
    assert len(url.search_params) == 1
    url.search_params.append("", " " * (LIMIT // 2 - len(HEAD) - 4))
    assert len(url.href) == LIMIT
    assert fails(lambda: url.search_params.append("", ""))


def test_no_limit_where_no_url_is_made() -> None:
    assert len(str(URLSearchParams([("", " " * 2**31), ("", "+" * 2**30)]))) == 2**31 + 3 * 2**30 + 3
    assert len(percent_encode(" " * (2**31), "path")) == 3 * 2**31
    assert len(percent_decode(b"%20" * 2**31)) == 2**31


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
