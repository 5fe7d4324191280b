"""weburl.compat.urllib: the results of urllib.parse's functions, with the standard's parts."""

from __future__ import annotations

import inspect
import urllib.parse
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shapes import fill
from test_compat_w3lib import URLS, check_rows
from test_linear import check

import weburl.compat.urllib
from weburl import URL, InvalidURL, URLSearchParams, join
from weburl.compat.urllib import parse_qsl, quote, unquote, urljoin, urlsplit

BASE = "http://base.example/a/b?c#d"


@pytest.mark.parametrize("name", weburl.compat.urllib.__all__)
def test_signatures(name: str) -> None:
    ours = inspect.signature(getattr(weburl.compat.urllib, name)).parameters
    theirs = inspect.signature(getattr(urllib.parse, name)).parameters
    positional = inspect.Parameter.POSITIONAL_OR_KEYWORD
    assert [each for each in ours if ours[each].kind == positional] == [
        each for each in theirs if theirs[each].kind == positional
    ]


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("HTTP://u:p@EX%41MPLE.com:80\\a/../b c?d e#f", ("http", "u:p@example.com", "/b%20c", "d%20e", "f")),
        ("http://:p@a.example:8080", ("http", ":p@a.example:8080", "/", "", "")),
        ("http://u@[::0:1]", ("http", "u@[::1]", "/", "", "")),
        ("file:///C|/x", ("file", "", "/C:/x", "", "")),
        ("mailto:a@b?c", ("mailto", "", "a@b", "c", "")),
        ("foo://A/b", ("foo", "A", "/b", "", "")),
        (" a b?c#d ", ("", "", "a b", "c", "d")),
        ("//A:80\\b", ("", "A:80", "/b", "", "")),
        ("", ("", "", "", "", "")),
    ],
)
def test_urlsplit(url: str, expected: tuple[str, ...]) -> None:
    parts = urlsplit(url)
    assert type(parts) is urllib.parse.SplitResult
    assert tuple(parts) == expected
    in_bytes = urlsplit(url.encode())
    assert type(in_bytes) is urllib.parse.SplitResultBytes
    assert tuple(in_bytes) == tuple(part.encode() for part in expected)


def test_options_of_urlsplit() -> None:
    assert tuple(urlsplit("//a/b", "https")) == ("https", "a", "/b", "", "")
    assert tuple(urlsplit(b"a", b"foo")) == (b"foo", b"", b"a", b"", b"")
    assert tuple(urlsplit("http://a/b#c?d", allow_fragments=False)) == ("http", "a", "/b%23c", "d", "")
    assert urlsplit("http://u:p@a.example:81/").port == 81


@pytest.mark.parametrize("url", ["http://", "http://a b", "http://[", "http://a:x", "https://a:65536", "foo://a b"])
def test_no_url(url: str) -> None:
    for call in (lambda: urlsplit(url), lambda: urljoin(BASE, url), lambda: urlsplit(url.encode())):
        with pytest.raises(InvalidURL):
            call()


@pytest.mark.parametrize(
    ("base", "url", "expected"),
    [
        (BASE, "../x y", "http://base.example/x%20y"),
        (BASE, "", "http://base.example/a/b?c"),
        (BASE, "HTTP:x", "http://base.example/a/x"),
        (BASE, "\\\\x\\y", "http://x/y"),
        ("", "a b", "a b"),
        ("/a/b", "../c?d#e", "/c?d#e"),
        ("a/b", "c", "a/c"),
        ("a/b", "/c", "/c"),
        ("a/b", "../../c", "c"),
        ("a", "HTTP://EXAMPLE.com", "http://example.com/"),
        ("a", "//x/y", "//x/y"),
        ("//x/y", "z", "//x/z"),
        ("a", "mailto:b", "mailto:b"),
        ("/", ".//x", "/.//x"),
    ],
)
def test_urljoin(base: str, url: str, expected: str) -> None:
    assert urljoin(base, url) == expected
    assert urljoin(base.encode(), url.encode()) == expected.encode()


def test_options_of_urljoin() -> None:
    assert urljoin(BASE, "x#y", allow_fragments=False) == "http://base.example/a/x%23y"
    assert urljoin(BASE, "é?é€", encoding="iso-8859-2") == "http://base.example/a/%C3%A9?%E9%26%238364%3B"
    assert urljoin("/a", "?é", encoding="latin1") == "/a?%E9"


@pytest.mark.parametrize("base", ["mailto:a", "http://", "//a b"])
def test_no_base(base: str) -> None:
    with pytest.raises(InvalidURL):
        urljoin(base, "x")


def test_types() -> None:
    function: Any
    for function in (urljoin, urlsplit):
        with pytest.raises(TypeError, match="Cannot mix"):
            function("http://a", b"b")
        with pytest.raises(TypeError, match="must be a str or bytes"):
            function("http://a", 1)
    text = type("Text", (str,), {})
    assert urljoin(text(BASE), text("x")) == "http://base.example/a/x"
    assert urlsplit(text(BASE)).path == "/a/b"


@given(URLS, URLS)
def test_joined_as_the_standard_joins(base: str, url: str) -> None:
    try:
        expected = join(base, url)
    except InvalidURL:
        if URL.can_parse(base):
            with pytest.raises(InvalidURL):
                urljoin(base, url)
    else:
        assert urljoin(base, url) == expected


@given(URLS, URLS)
def test_only_invalid_urls_are_refused(base: str, url: str) -> None:
    try:
        urlsplit(base.encode("utf-8", "surrogatepass"))
        joined = urljoin(base, url)
    except InvalidURL:
        return
    if base and URL.can_parse(joined):
        assert urljoin(base, joined) == joined


@given(URLS)
def test_the_parts_make_the_url(url: str) -> None:
    parsed = URL.parse(url)
    if parsed is not None:
        parts = urlsplit(url)
        assert (parts.scheme, parts.path) == (parsed.scheme, parsed.pathname)
        assert parts.netloc.rpartition("@")[2] == parsed.host
        assert (parts.query, parts.fragment) == (parsed.query or "", parsed.fragment or "")


def test_parse_qsl() -> None:
    assert parse_qsl("a=1&b&&=c&d=%E9+%C3%A9") == [("a", "1"), ("", "c"), ("d", "\ufffd é")]
    assert parse_qsl("a=1&b&=", keep_blank_values=True) == [("a", "1"), ("b", ""), ("", "")]
    assert parse_qsl("a=%E9;b=2", encoding="latin-1", separator=";") == [("a", "é"), ("b", "2")]
    assert parse_qsl(b"a=%E9\xe9&b=", True) == [(b"a", b"\xe9\xe9"), (b"b", b"")]
    assert parse_qsl("") == []
    assert parse_qsl(b"") == parse_qsl(None) == []  # type: ignore[call-overload]
    with pytest.raises(ValueError, match="bad query field"):
        parse_qsl("a=1&b", strict_parsing=True)
    with pytest.raises(ValueError, match="Max number"):
        parse_qsl("a&b&c", max_num_fields=2)
    with pytest.raises(ValueError, match="Separator"):
        parse_qsl("a", separator="")
    with pytest.raises(UnicodeDecodeError):
        parse_qsl("a=%ff", errors="strict")


@given(st.text() | st.text("a=&+%4e1é"))
def test_pairs_are_those_of_search_params(query: str) -> None:
    expected = [pair for pair in URLSearchParams("?" + query) if pair[1]]
    assert parse_qsl(query) == expected


def test_quote() -> None:
    assert quote("a/b c!'()*~-._é\ud800") == "a/b%20c!'()*~-._%C3%A9%EF%BF%BD"
    assert quote(b"/\xff", safe="") == "%2F%FF"
    assert quote("é€:", ":", "latin-1", "replace") == "%E9%3F:"
    with pytest.raises(UnicodeEncodeError):
        quote("\ud800", errors="strict")
    with pytest.raises(TypeError):
        quote(b"a", encoding="utf-8")
    assert quote(bytearray(b"a b")) == "a%20b"  # type: ignore[arg-type]


def test_an_int_is_no_bytes() -> None:
    wrongs: list[Any] = [5, [65], ("a",)]
    for wrong in wrongs:
        with pytest.raises(TypeError, match="must be a str or bytes"):
            quote(wrong)
        with pytest.raises(TypeError, match="must be a str or bytes"):
            parse_qsl(wrong, True)


@pytest.mark.parametrize(
    "encoding", ["shift_jis", "iso-2022-jp", "utf-16-le", "gb18030", "big5", "gbk", "latin-1", "euc-jp", "UTF8"]
)
def test_unquote_in_other_encodings(encoding: str) -> None:
    """The last byte of a character can be an ASCII letter, as of \u30a2 in Shift_JIS: %83A."""
    texts = ["%83A\u65e5%41x", "\xe9%41", "abc", "\u65e5", "%zz%4", "a%", "%83", "%1B$B%22A", "A%00%E5e", "%"]
    texts += [quote(text, encoding=encoding, errors="ignore") for text in ("\u30a2\u65e5a", "\U0001f600", "a%b", "+ ")]
    for text in texts:
        assert unquote(text, encoding) == urllib.parse.unquote(text, encoding)


def test_unquote() -> None:
    assert unquote("%41%c3%a9%zz%ff+") == unquote(b"%41%c3%a9%zz%ff+") == "Aé%zz\ufffd+"
    assert unquote("%e9é%E9", "latin-1") == "ééé"
    assert unquote(b"%e9\xe9", "latin-1") == "éé"
    assert unquote("%ff", errors="ignore") == unquote("", None, None) == ""
    with pytest.raises(UnicodeDecodeError):
        unquote("%ff", errors="strict")


@given(st.text(), st.text("/!~%&", max_size=3))
def test_unquoted_again(text: str, safe: str) -> None:
    expected = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    assert quote(text, safe).isascii()
    if "%" not in safe and text.isprintable():
        assert unquote(quote(text, safe)) == expected


def test_the_divergences_are_as_documented() -> None:
    check_rows("compat-urllib.md", weburl.compat.urllib, 25)


@pytest.mark.timed
@pytest.mark.parametrize("unit", ["../", "%2e/", "a=b&", "%", "\t", "é", "@", ":", "[", "\\", "#", "\ud800"])
def test_linear(unit: str) -> None:
    def work(text: str) -> None:
        for base in (BASE, "/a/b", text):
            try:
                urljoin(base, text)
                urlsplit(text)
            except InvalidURL:
                continue
        parse_qsl(text)
        parse_qsl(text, separator=";")
        unquote(quote(text))
        unquote(text, "latin-1")

    check(fill(unit), work)
    check(fill(unit, "//"), work)
