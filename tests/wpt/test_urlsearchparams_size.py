"""url/urlsearchparams-size.any.js"""

from __future__ import annotations

from weburl import URL, URLSearchParams


def test_deletion() -> None:
    params = URLSearchParams("a=1&b=2&a=3")
    assert params.size == len(params) == 3
    params.delete("a")
    assert params.size == len(params) == 1


def test_addition() -> None:
    params = URLSearchParams("a=1&b=2&a=3")
    assert params.size == 3
    params.append("b", "4")
    assert params.size == len(params) == 4


def test_of_a_url() -> None:
    url = URL("http://localhost/query?a=1&b=2&a=3")
    assert url.search_params.size == 3
    url.search_params.delete("a")
    assert url.search_params.size == 1
    url.search_params.append("b", "4")
    assert url.search_params.size == 2


def test_of_a_url_after_search() -> None:
    url = URL("http://localhost/query?a=1&b=2&a=3")
    assert url.search_params.size == 3
    url.search = "?"
    assert url.search_params.size == 0
