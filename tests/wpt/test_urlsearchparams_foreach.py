"""url/urlsearchparams-foreach.any.js: iterators walk the list as it is when the next pair is asked for."""

from __future__ import annotations

from weburl import URL, URLSearchParams


def test_items_keys_values() -> None:
    params = URLSearchParams("a=1&b=2&c=3")
    assert [name for name, _ in params.items()] == ["a", "b", "c"]
    assert [value for _, value in params.items()] == ["1", "2", "3"]
    assert list(params.keys()) == ["a", "b", "c"]
    assert list(params.values()) == ["1", "2", "3"]


def test_search_set_during_iteration() -> None:
    url = URL("http://a.b/c?a=1&b=2&c=3&d=4")
    seen = []
    for pair in url.search_params:
        url.search = "x=1&y=2&z=3"
        seen.append(pair)
    assert seen == [("a", "1"), ("y", "2"), ("z", "3")]


def test_empty() -> None:
    assert list(URL("http://a.b/c").search_params) == []


def test_delete_next() -> None:
    params = URL("http://localhost/query?param0=0&param1=1&param2=2").search_params
    seen = []
    for pair in params:
        if pair[0] == "param0":
            params.delete("param1")
        seen.append(pair)
    assert seen == [("param0", "0"), ("param2", "2")]


def test_delete_current() -> None:
    params = URL("http://localhost/query?param0=0&param1=1&param2=2").search_params
    seen = []
    for pair in params:
        if pair[0] == "param0":
            params.delete("param0")
        else:
            seen.append(pair)
    assert seen == [("param2", "2")]


def test_delete_every_seen() -> None:
    params = URL("http://localhost/query?param0=0&param1=1&param2=2").search_params
    seen = []
    for name, _ in params:
        seen.append(name)
        params.delete(name)
    assert seen == ["param0", "param2"]
    assert str(params) == "param1=1"
