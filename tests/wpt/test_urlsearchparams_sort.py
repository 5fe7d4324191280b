"""url/urlsearchparams-sort.any.js: stable, by UTF-16 code units."""

from __future__ import annotations

import pytest

from weburl import URL, URLSearchParams

Pairs = list[tuple[str, str]]

each_query = pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("z=b&a=b&z=a&a=a", [("a", "b"), ("a", "a"), ("z", "b"), ("z", "a")]),
        ("\ufffd=x&\ufffc&\ufffd=a", [("\ufffc", ""), ("\ufffd", "x"), ("\ufffd", "a")]),
        # U+1F308 is above U+FB03, its first code unit below.
        ("ﬃ&🌈", [("🌈", ""), ("ﬃ", "")]),
        ("é&e\ufffd&e\u0301", [("e\u0301", ""), ("e\ufffd", ""), ("é", "")]),
        (
            "z=z&a=a&z=y&a=b&z=x&a=c&z=w&a=d&z=v&a=e&z=u&a=f&z=t&a=g",
            [*(("a", value) for value in "abcdefg"), *(("z", value) for value in "zyxwvut")],
        ),
        ("bbb&bb&aaa&aa=x&aa=y", [("aa", "x"), ("aa", "y"), ("aaa", ""), ("bb", ""), ("bbb", "")]),
        ("z=z&=f&=t&=x", [("", "f"), ("", "t"), ("", "x"), ("z", "z")]),
        ("a🌈&a💩", [("a🌈", ""), ("a💩", "")]),
    ],
)


@each_query
def test_sort(text: str, pairs: Pairs) -> None:
    params = URLSearchParams(text)
    params.sort()
    assert list(params) == pairs


@each_query
def test_sort_of_a_url(text: str, pairs: Pairs) -> None:
    url = URL(f"?{text}", "https://example/")
    url.search_params.sort()
    assert list(URLSearchParams(url.search)) == pairs


def test_empty_query_goes() -> None:
    url = URL("http://example.com/?")
    url.search_params.sort()
    assert url.href == "http://example.com/"
    assert url.search == ""
