"""url/url-searchparams.any.js"""

from __future__ import annotations

import pytest

from weburl import URL, URLSearchParams


def test_getter() -> None:
    url = URL("http://example.org/?a=b")
    params = url.search_params
    assert url.search_params is params


def test_updating_and_clearing() -> None:
    url = URL("http://example.org/?a=b", "about:blank")
    params = url.search_params
    assert str(params) == "a=b"

    params.set("a", "b")
    assert str(url.search_params) == "a=b"
    assert url.search == "?a=b"

    url.search = ""
    assert str(url.search_params) == ""
    assert url.search == ""
    assert str(params) == ""


def test_cannot_be_set() -> None:
    url = URL("http://example.org", "about:blank")
    with pytest.raises(AttributeError):
        url.search_params = URLSearchParams("http://example.org")  # type: ignore[misc]


def test_search_and_search_params_propagate() -> None:
    url = URL("http://example.org/file?a=b&c=d", "about:blank")
    params = url.search_params
    assert url.search == "?a=b&c=d"
    assert str(params) == "a=b&c=d"

    for value in ("e=f&g=h", "?e=f&g=h"):
        url.search = value
        assert url.search == "?e=f&g=h"
        assert str(params) == "e=f&g=h"

    params.append("i", " j ")
    assert url.search == "?e=f&g=h&i=+j+"
    assert str(url.search_params) == "e=f&g=h&i=+j+"
    assert params.get("i") == " j "

    params.set("e", "updated")
    assert url.search == "?e=updated&g=h&i=+j+"
    assert params.get("e") == "updated"


def test_two_question_marks() -> None:
    url = URL("http://example.org/file??a=b&c=d", "about:blank")
    assert url.search == "??a=b&c=d"
    assert str(url.search_params) == "%3Fa=b&c=d"

    url.href = "http://example.org/file??a=b"
    assert url.search == "??a=b"
    assert str(url.search_params) == "%3Fa=b"
