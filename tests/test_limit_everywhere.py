"""Every function that makes a URL obeys the limit: one byte less than its URL needs, and it fails."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import pytest
from test_limit import LONGEST

from weburl import URL, InvalidURL, is_valid, join, normalize, validate
from weburl._core.parser import set_max_length
from weburl.bulk import (
    can_parse_many,
    component_many,
    fingerprint_many,
    host_in_many,
    is_private_url_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    query_get_many,
    query_pairs_many,
)
from weburl.compat.urllib import urljoin, urlsplit
from weburl.compat.w3lib import safe_url_string
from weburl.crawl import DocumentBase, canonicalize, fingerprint
from weburl.display import display_url
from weburl.forms import parse_form, serialize_form
from weburl.hosts import Origin, domain_to_ascii, parse_host, same_origin
from weburl.percent import percent_decode, percent_encode
from weburl.redact import path_template


def limited(limit: int, call: Callable[..., Any], *arguments: Any) -> Any:
    """What a call gives, or the name of its error, where URLs can be so long."""
    before = set_max_length(limit)
    assert before in LONGEST
    try:
        return call(*arguments)
    except InvalidURL as error:
        return error.error
    finally:
        set_max_length(before)


# What is longer, serialized: by 1 and by the 3, 6, 9 and 12 of percent-encoding, in every part; and what is shorter.
URLS = [
    "http://example.com/path?query#fragment", "HTTP://example.com:8080/", "x:opaque path", "x://host/p?q#f", "x:#",
    "file:///C|/x", "http://h", "https://user:pass@h:444/", "ws://1.2.3.4", "http://0x7f.1", "http://[1:0:0:0:2::]/",
    "http://h/" + " " * 50, "http://h/" + "é" * 50, "http://h/" + "\ud800" * 50, "http://h/" + "😀" * 50,
    "http://h/" + "a" * 500 + "é", "http://h/a\tb", "http://h/" + "é" * 400 + "/\n", "http://h/?" + "'" * 50,
    "http://h/?" + "é" * 300, "http://h/#" + "`" * 50, "http://h/#" + "\x01" * 400, "x:a" + "é" * 50, "x:?" + '"' * 50,
    "http://" + "|" * 50 + "@h/", "http://:" + "é" * 300 + "@h/",
    "x://" + "é" * 50, "x://" + "\x01" * 400 + "/",
    "http://é.example/", "http://" + "é" * 300 + ".example/", "http://ｅｘａｍｐｌｅ.com/", "http://faß.example/p",
    "http://ﬃ.example/", "http://%66%66.example/", "http://h/a/../d/e", "x:/..//p", "x:/.//p",
    "http:////h//" + "é" * 10,
]  # fmt: skip
WAYS: dict[str, Callable[[str], Any]] = {
    "URL": lambda url: URL(url).href,
    "with a base": lambda url: URL(url, "y:").href,
    "normalize": normalize,
    "join": lambda url: join("y:", url),
    "URL.join": lambda url: URL("y:").join(url).href,
    "href": lambda url: set_part("y:", "href", url),
    "replace": lambda url: URL("y:").replace(href=url).href,
    "normalize with an encoding": lambda url: normalize(url, encoding="utf8"),
    "join with an encoding": lambda url: join("y:", url, encoding="utf8"),
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
@pytest.mark.parametrize("url", URLS, ids=lambda url: ascii(url[:20]))
def test_parse(url: str, way: Callable[[str], Any]) -> None:
    href = URL(url).href
    assert limited(len(href), way, url) == href
    assert limited(len(href) - 1, way, url) == "too-long"


PICKLED = {url: pickle.dumps(URL(url)) for url in URLS}
USES: dict[str, Callable[[str], Any]] = {
    "pickle": lambda url: pickle.loads(PICKLED[url]),
    "copy.replace": lambda url: URL("y:").replace(href=url).origin,
    "urlsplit": urlsplit,
    "urljoin": lambda url: urljoin("y:", url),
    "display_url": display_url,
    "canonicalize": canonicalize,
    "fingerprint": fingerprint,
    "path_template": path_template,
    "same_origin": lambda url: same_origin(url, url),
    "Origin.of": lambda url: str(Origin.of(url)),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
@pytest.mark.parametrize("url", URLS, ids=lambda url: ascii(url[:20]))
def test_what_parses_first(url: str, use: Callable[[str], Any]) -> None:
    href = URL(url).href
    assert limited(len(href), use, url) == use(url)
    assert limited(len(href) - 1, use, url) == "too-long"


@pytest.mark.parametrize("url", URLS, ids=lambda url: ascii(url[:20]))
def test_no_exception(url: str) -> None:
    href = URL(url).href
    for parse in (URL.parse, DocumentBase("y:").resolve):
        assert limited(len(href), parse, url) == URL(href)
        assert limited(len(href) - 1, parse, url) is None
    assert limited(len(href), URL.can_parse, url) is True
    assert limited(len(href) - 1, URL.can_parse, url) is False


COLUMNS: dict[str, Callable[[list[str]], Any]] = {
    "normalize_many": normalize_many,
    "views": lambda urls: component_many(urls, "href", views=True),
    "component_many": lambda urls: component_many(urls, "href"),
    "parse_many": lambda urls: parse_many(urls, ["href"])["href"],
    "with a base": lambda urls: normalize_many(urls, "y:"),
    "join_many": lambda urls: join_many(["y:"] * len(urls), urls),
    "threads": lambda urls: normalize_many(urls, threads=2),
}


@pytest.mark.parametrize("column", COLUMNS.values(), ids=COLUMNS)
def test_columns(column: Callable[[list[str]], Any]) -> None:
    hrefs = [URL(url).href for url in URLS]
    for limit in {len(href) + more for href in hrefs for more in (-1, 0)}:
        entries = limited(limit, lambda: column(URLS).to_pylist())
        assert entries == [href if len(href) <= limit else None for href in hrefs]
    limit = min(map(len, hrefs)) - 1
    assert limited(limit, lambda: column(URLS).errors) == {"too-long": len(URLS)}
    assert limited(limit, lambda: can_parse_many(URLS).to_pylist()) == [False] * len(URLS)
    # A URL that does not parse has no parts, although a part alone would not be too long.
    for index, href in enumerate(hrefs):
        url = [URLS[index]]
        assert limited(len(href) - 1, lambda: component_many(url, "protocol").to_pylist()) == [None]  # noqa: B023
        assert limited(len(href) - 1, lambda: query_get_many(url, "q").to_pylist()) == [None]  # noqa: B023
        assert limited(len(href) - 1, lambda: query_pairs_many(url).to_pylist()) == [None]  # noqa: B023
        assert limited(len(href) - 1, lambda: is_private_url_many(url).to_pylist()) == [None]  # noqa: B023
        assert limited(len(href) - 1, lambda: host_in_many(url, ["h"]).to_pylist()) == [None]  # noqa: B023
        assert limited(len(href) - 1, lambda: fingerprint_many(url).to_pylist()) == [None]  # noqa: B023
        assert limited(len(href), lambda: query_pairs_many(url).to_pylist()) == query_pairs_many(url).to_pylist()  # noqa: B023
        assert limited(len(href), lambda: can_parse_many(url).to_pylist()) == [True]  # noqa: B023
        assert limited(len(href) - 1, lambda: can_parse_many(url).to_pylist()) == [False]  # noqa: B023


def test_lines() -> None:
    lines = [url for url in URLS if not {"\n", "\ud800"} & set(url)]
    data = "\n".join(lines).encode()
    for url in lines:
        href = URL(url).href
        for limit in (len(href), len(href) - 1):
            table = limited(limit, parse_lines, data, ["href"])
            assert table["href"].to_pylist()[lines.index(url)] == (href if limit == len(href) else None)


JOINED = [
    ("http://h/a/b", "c"), ("http://h/a/b", "é"), ("http://h/a/b", "?q"), ("http://h/a/b?q", "#é"), ("http://h/a", ""),
    ("http://u:p@h:8/a", "//é.example"), ("file:///C:/a", "/é"), ("x:a", "#é"), ("x:/a", "..//p"), ("http://h/a", "/"),
]  # fmt: skip


@pytest.mark.parametrize(("base", "ref"), JOINED)
def test_join(base: str, ref: str) -> None:
    href = join(base, ref)
    # The base itself may not be longer either.
    limit = max(len(href), len(base))
    assert limited(limit, join, base, ref) == href
    assert limited(limit - 1, join, base, ref) == ("too-long" if len(href) > len(base) else "base")
    assert limited(len(href), join, URL(base), ref) == href
    assert limited(len(href) - 1, join, URL(base), ref) == "too-long"
    assert limited(limit, lambda: join_many([base], [ref]).to_pylist()) == [href]
    assert limited(limit - 1, lambda: join_many([base], [ref]).to_pylist()) == [None]


@pytest.mark.parametrize("encoding", ["windows-1252", "shift_jis", "iso-2022-jp", "gb18030"])
@pytest.mark.parametrize("query", ["é", "\U0001f600" * 40, "日本" * 200, "a" * 500 + "'"])
def test_queries_in_another_encoding(query: str, encoding: str) -> None:
    url = f"http://h/?{query}#f"
    href = URL(url, encoding=encoding).href
    ways: list[Callable[[], Any]] = [
        lambda: URL(url, encoding=encoding).href,
        lambda: normalize(url, encoding=encoding),
        lambda: join("http://h/", url, encoding=encoding),
        lambda: URL("http://h/").join(url, encoding=encoding).href,
        lambda: DocumentBase("http://h/", encoding=encoding).resolve_many([url], on_error="raise").to_pylist()[0],
    ]
    for way in ways:
        assert limited(len(href), way) == href
        assert limited(len(href) - 1, way) == "too-long"


def set_part(url: str | URL, name: str, value: Any) -> str:
    """Sets a part; asserts that one that is refused changes nothing."""
    changed = URL(url)
    before, pairs = changed.href, list(changed.search_params)
    try:
        setattr(changed, name, value)
    except InvalidURL:
        assert (changed.href, list(changed.search_params)) == (before, pairs)
        raise
    return changed.href


VALUES: dict[str, list[Any]] = {
    "protocol": ["https", "wss"], "username": ["u", "é" * 50, " " * 300], "password": ["p", "é" * 50, "/" * 300],
    "host": ["longer.example", "é.example:8", "1.2.3.4:80"], "hostname": ["longer.example", "é" * 100, "[::1]"],
    "port": ["8080", 9], "pathname": ["/p", "é" * 50, " " * 300, "a\t" * 9],
    "search": ["?q", "é" * 50, "'" * 300, "a\nb"], "hash": ["f", "é" * 50, "`" * 300, "\t#"],
}  # fmt: skip


@pytest.mark.parametrize("start", ["http://h/", "http://u:p@host/path?a=1#f"])
@pytest.mark.parametrize(
    ("name", "value"), [(name, value) for name, values in VALUES.items() for value in values], ids=ascii
)
def test_setters(start: str, name: str, value: Any) -> None:
    url = URL(start)
    href = set_part(url, name, value)
    if len(href) <= len(start):
        return
    assert limited(len(href), set_part, url, name, value) == href
    assert limited(len(href) - 1, set_part, url, name, value) == "too-long"
    assert limited(len(href), lambda: url.replace(**{name: value}).href) == url.replace(**{name: value}).href
    assert limited(len(href) - 1, lambda: url.replace(**{name: value})) == "too-long"
    assert url.href == start


PAIRS = [("k", ""), ("", "v"), ("é", "😀"), (" ", "+"), ("a" * 30, "%" * 30), ("\ud800", "é" * 400)]


@pytest.mark.parametrize("start", ["http://h/", "http://h/?a=1&b=2&a=3#f", "x:y?a"])
@pytest.mark.parametrize("pair", PAIRS, ids=ascii)
@pytest.mark.parametrize("method", ["append", "set", "__setitem__", "__init__"])
def test_search_params(method: str, pair: tuple[str, str], start: str) -> None:
    def change(url: URL) -> str:
        pairs = list(url.search_params)
        try:
            getattr(url.search_params, method)(*(([*pairs, pair],) if method == "__init__" else pair))
        except InvalidURL:
            assert list(url.search_params) == pairs
            assert url.href == start
            raise
        return url.href

    href = change(URL(start))
    assert limited(len(href), change, URL(start)) == href
    assert limited(len(href) - 1, change, URL(start)) == "too-long"


@pytest.mark.parametrize("pair", [*PAIRS[:-1], pytest.param(PAIRS[-1], marks=pytest.mark.long)], ids=ascii)
def test_appended_one_by_one(pair: tuple[str, str]) -> None:
    """The length that is counted during appends is the length of the query."""
    href = URL("http://h/?" + "&".join([serialize_form([pair])] * 30)).href
    for limit in (len(href), len(href) - 1):
        url = URL("http://h/")

        def append(url: URL = url) -> None:
            for _ in range(30):
                url.search_params.append(*pair)

        assert limited(limit, append) == (None if limit == len(href) else "too-long")
        assert len(url.search_params) == (30 if limit == len(href) else 29)
        assert (url.href == href) is (limit == len(href))


@pytest.mark.parametrize(
    "host", ["example.com", "é.example", "faß" * 50, "1.2.3.4", "[::1:2]", "ﬃ", "a" * 300, "%61" * 300]
)
def test_host_without_a_url(host: str) -> None:
    length = len(str(parse_host(host)))
    assert len(str(limited(length, parse_host, host))) == length
    assert limited(length - 1, parse_host, host) == "too-long"
    assert limited(17, lambda: parse_host("é" * 3, opaque=True)) == "too-long"
    assert str(limited(18, lambda: parse_host("é" * 3, opaque=True))) == "%C3%A9" * 3


@pytest.mark.parametrize(
    ("path", "windows"),
    [("/" + "a" * 50, False), ("/" + "é%" * 300, False), (b"/\xff" * 400, False), ("C:\\" + " a" * 300, True),
     ("\\\\server\\s\\x", True), ("\\\\bücher\\s", True)],
    ids=ascii,
)  # fmt: skip
def test_files(path: str | bytes, windows: bool) -> None:
    href = URL.from_path(path, windows=windows).href
    assert limited(len(href), lambda: URL.from_path(path, windows=windows).href) == href
    assert limited(len(href) - 1, lambda: URL.from_path(path, windows=windows).href) == "too-long"
    # What is made of a URL has no limit.
    url = URL(href)
    assert limited(9, lambda: url.to_path(windows=windows)) == url.to_path(windows=windows)


def test_a_path_counts_with_the_segments_that_are_removed() -> None:
    """Where it is copied; all ways to parse agree on it."""
    for url in ("HTTP://h/" + "a" * 30 + "/../b", "http://h/é/" + "a" * 30 + "/../../b"):
        for limit in (len(URL(url).href), 30, 40, 60):
            made = limited(limit, normalize, url)
            assert made in (URL(url).href, "too-long")
            assert (made == "too-long") is not limited(limit, URL.can_parse, url)
            assert limited(limit, lambda: can_parse_many([url]).to_pylist()) == [made != "too-long"]  # noqa: B023
        assert made != "too-long"


def test_what_is_no_url_has_no_limit() -> None:
    assert limited(9, percent_encode, " " * 100, "path") == "%20" * 100
    assert limited(9, percent_decode, "%41" * 100) == b"A" * 100
    assert limited(9, serialize_form, [("é" * 100, "")]) == "%C3%A9" * 100 + "="
    assert limited(9, parse_form, "a" * 100) == [("a" * 100, "")]
    assert limited(9, domain_to_ascii, "é" * 20) == domain_to_ascii("é" * 20)
    assert limited(9, validate, "http://example.com/") == []
    assert limited(9, is_valid, "http://example.com/") is True
    assert limited(9, safe_url_string, "http://example.com/a b") == "http://example.com/a%20b"
