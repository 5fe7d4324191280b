"""weburl.compat.w3lib: the results of w3lib's functions, with the host of a browser."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import hostile
from support.shapes import fill
from support.wpt_cases import ROOT
from test_linear import check

from weburl import URL
from weburl.compat import w3lib
from weburl.compat._split import split
from weburl.compat.w3lib import (
    ParseDataURIResult,
    add_http_if_no_scheme,
    add_or_replace_parameter,
    add_or_replace_parameters,
    any_to_uri,
    canonicalize_url,
    file_uri_to_path,
    is_url,
    parse_data_uri,
    parse_qsl_to_bytes,
    parse_url,
    path_to_file_uri,
    safe_download_url,
    safe_url_string,
    url_query_cleaner,
    url_query_parameter,
)
from weburl.percent import percent_decode

NO_AUTHORITY = r"Invalid IPv6 URL|port|NFKC"
ENCODINGS = ["utf8", "latin1", "shift_jis", "iso-2022-jp", "gb18030", "cp437", "utf-16", "utf-7"]
NORMALIZERS: list[Any] = [safe_url_string, safe_download_url, canonicalize_url]


def texts() -> st.SearchStrategy[str]:
    pieces = [
        *"/\\?#@:[]%.;&=+'| \t\n",
        "//",
        "http:",
        "https://",
        "file:",
        "foo:",
        "ws:",
        "%2e",
        "%C3",
        "..",
        "C|",
        "é",
    ]
    return st.lists(st.sampled_from(pieces) | st.text(max_size=3), max_size=12).map("".join)


URLS = texts() | texts().map("http://".__add__) | st.text().map("//".__add__)
ANY_URLS = URLS | URLS.map(lambda url: url.encode("utf-8", "surrogatepass")) | st.binary()


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", ""),
        ("http://example.com", "http://example.com"),
        ("http://example.com:80/a/../b", "http://example.com:80/a/../b"),
        ("http://example.com:80//é", "http://example.com:80//%C3%A9"),
        ("https://example.com:443?é", "https://example.com:443/?%C3%A9"),
        (" http://example.com/\n\ta ", "http://example.com/a"),
        ("HTTP://EXAMPLE.com?a", "http://example.com/?a"),
        ("http://example.com:", "http://example.com"),
        ("http://example.com:0080/", "http://example.com:80/"),
        ("http://bücher.example/ä?ö#ü", "http://xn--bcher-kva.example/%C3%A4?%C3%B6#%C3%BC"),
        ('http://a.example/|[]{}^`"<>\\x', "http://a.example/%7C%5B%5D%7B%7D%5E%60%22%3C%3E/x"),
        ("http://a.example/?|[]{}^`\"<>\\x'", "http://a.example/?%7C%5B%5D%7B%7D%5E%60%22%3C%3E%5Cx%27"),
        ("http://a.example/#|[]{}^`\"<>\\x'#", "http://a.example/#%7C%5B%5D%7B%7D%5E%60%22%3C%3E%5Cx'%23"),
        ("foo://a.example/?'", "foo://a.example/?'"),
        ("http://a.example/%zz%41%e9", "http://a.example/%zz%41%e9"),
        ("http://us%65r:p|w:d@h.example/", "http://user:p%7Cw%3Ad@h.example/"),
        ("http://u@v@h.example/", "http://u%40v@h.example/"),
        ("http://good.example\\@evil.example/", "http://good.example/@evil.example/"),
        ("http://[::0:1]:8080/", "http://[::1]:8080/"),
        ("http://[fe80::1%eth0]/", "http://[fe80::1%eth0]/"),
        ("http://a b/", "http://a%20b/"),
        ("http://192.168.0.256/", "http://192.168.0.256/"),
        ("a b?c d#e f", "a%20b?c%20d#e%20f"),
        ("//example.com\\a", "//example.com/a"),
        ("mailto:a b@example.com?x y", "mailto:a%20b@example.com?x%20y"),
        ("javascript:a('b c')", "javascript:a('b%20c')"),
        ("file:c|\\x", "file:///c:/x"),
        ("file://user@host/", "file://user%40host/"),
        ("\ud83d\ude00\ud83d", "%F0%9F%98%80%EF%BF%BD"),
    ],
)
def test_safe_url_string(url: str, expected: str) -> None:
    assert safe_url_string(url) == expected
    assert safe_url_string(expected) == expected


@pytest.mark.parametrize(
    ("encoding", "expected"),
    [
        ("utf-8", "http://a.example/%E2%82%AC?%E2%82%AC%C3%A9#%E2%82%AC"),
        ("latin1", "http://a.example/%E2%82%AC?%80%E9#%E2%82%AC"),
        ("latin-1", "http://a.example/%E2%82%AC?%80%E9#%E2%82%AC"),
        ("iso8859_2", "http://a.example/%E2%82%AC?%26%238364%3B%E9#%E2%82%AC"),
        ("cp932", "http://a.example/%E2%82%AC?%26%238364%3B%26%23233%3B#%E2%82%AC"),
        ("cp437", "http://a.example/%E2%82%AC?%26%238364%3B%82#%E2%82%AC"),
        ("utf-16", "http://a.example/%E2%82%AC?%E2%82%AC%C3%A9#%E2%82%AC"),
        ("utf-32", "http://a.example/%E2%82%AC?%E2%82%AC%C3%A9#%E2%82%AC"),
        ("utf-7", "http://a.example/%E2%82%AC?%E2%82%AC%C3%A9#%E2%82%AC"),
    ],
)
def test_the_encoding_is_for_the_query(encoding: str, expected: str) -> None:
    assert safe_url_string("http://a.example/€?€é#€", encoding) == expected
    assert safe_url_string("http://a.example/€?€é#€", encoding=encoding, quote_path=False).startswith(
        "http://a.example/€?"
    )


def test_the_encoding_of_a_path() -> None:
    assert safe_url_string("/é?é", "latin1", "latin1") == "/%E9?%E9"
    assert safe_url_string("/é?é", path_encoding="latin1") == "/%E9?%C3%A9"


def test_other_schemes_have_utf8_queries() -> None:
    for scheme in ("ws", "wss", "foo"):
        assert safe_url_string(f"{scheme}://a.example/?é", "latin1") == f"{scheme}://a.example/?%C3%A9"


def test_bytes() -> None:
    assert safe_url_string(b"/\xc3\xa9?\xc3\xa9") == "/%C3%A9?%C3%A9"
    assert safe_url_string(b"/\xe9?\xe9") == "/%E9?%E9"
    assert safe_url_string(b"/\xe9?\xe9", "latin1") == "/%C3%A9?%E9"
    assert safe_url_string(b"/\x82\xa0?\x82\xa0", "shift_jis") == "/%E3%81%82?%82%A0"
    assert safe_url_string(b"/\x82?\x82", "cp437") == "/%C3%A9?%82"


@pytest.mark.parametrize(
    "url",
    ["http://[::1", "http://[::1/p]", "http://::1]", "http://a[b]c/", "http://[::1].a", "http://[1.2.3.4]/", "foo://[x]/",
     "http://a:b/", "http://a:65536/", "http://a:-1/", "http://a:٨/", "http://a：80/", "http://a＃/", "//[", "//a:b"],
)  # fmt: skip
def test_no_host_or_port(url: str) -> None:
    for function in NORMALIZERS:
        with pytest.raises(ValueError, match=NO_AUTHORITY):
            function(url)


@pytest.mark.parametrize("function", [*NORMALIZERS, parse_url, parse_data_uri])
def test_other_types(function: Any) -> None:
    for value in (None, 1, ["http://example.com"]):
        with pytest.raises(TypeError, match="must be a str or bytes"):
            function(value)
    assert function(type("Text", (str,), {})("data:,a")) == function("data:,a")


def test_unknown_encoding() -> None:
    for encoding in ("nonesuch", "base64"):
        with pytest.raises(LookupError):
            safe_url_string("?é", encoding)


BASES = [None, "http://base.example/a/b?c#d", "https://user@base.example:8080/"]
ESCAPED = {ord(character): f"%{ord(character):02X}" for character in "|[]{}^`\\\"'<> #"}


def leads_to(url: str, base: str | None, encoding: str = "utf-8") -> object:
    """The parts of the URL, which a browser requests, with the escapes that w3lib adds."""
    parsed = URL.parse(url, base, encoding=encoding)
    if parsed is None:
        return None
    parts = [parsed.pathname, parsed.query, parsed.fragment]
    if parsed.has_opaque_path:
        parts[0] = percent_decode(parsed.pathname).decode("latin-1")
    escaped = [part and part.translate(ESCAPED) for part in parts]
    return parsed.protocol, percent_decode(parsed.username), percent_decode(parsed.password), parsed.host, escaped


def assert_same_page(url: str, encoding: str) -> None:
    try:
        safe = safe_url_string(url, encoding)
    except ValueError:
        assert URL.parse(url, BASES[1]) is None
        return
    parts = split(url)
    # What depends on the base may be a host or a path; only the standard folds drives that come after dot segments.
    if (parts.authority is None and "[" in parts.path) or (parts.scheme == "file" and "|" in parts.path):
        return
    for base in BASES:
        expected, found = leads_to(url, base, encoding), leads_to(safe, base)
        if expected is None and found is not None:
            # A host that is not a valid opaque host is made one; the host of a page never is.
            assert parts.scheme not in ("http", "https", "ws", "wss", "ftp", "file")
        else:
            assert found == expected


@given(URLS, st.sampled_from(ENCODINGS[:5]))
def test_a_browser_goes_to_the_same_page(url: str, encoding: str) -> None:
    assert_same_page(url, encoding)


def test_a_browser_goes_to_the_same_page_from_hostile_links() -> None:
    for item in itertools.islice(hostile.inputs(5), 5000):
        assert_same_page(item.url, "latin1")


def normalized(function: Any, url: str | bytes, encoding: str) -> str | None:
    """What a function gives, None where it raises what it may."""
    try:
        result: str = function(url, encoding=encoding)
    except ValueError as error:
        if not re.search(NO_AUTHORITY, str(error)):
            raise
        return None
    return result


def check_normalizers(url: str | bytes, encoding: str) -> None:
    for function in NORMALIZERS:
        once = normalized(function, url, encoding)
        if once is None:
            continue
        assert once.isascii()
        assert function(once, encoding=encoding) == function(once) == once


@given(ANY_URLS, st.sampled_from(ENCODINGS))
def test_ascii_and_idempotent(url: str | bytes, encoding: str) -> None:
    check_normalizers(url, encoding)


def test_ascii_and_idempotent_on_hostile_links() -> None:
    for item in itertools.islice(hostile.inputs(6), 5000):
        check_normalizers(item.url, "utf8")


@given(ANY_URLS, ANY_URLS)
def test_nothing_else_raises(url: str | bytes, other: str | bytes) -> None:
    text = url.decode("latin-1") if isinstance(url, bytes) else url
    parse_url(url)
    parse_qsl_to_bytes(text, keep_blank_values=True)
    url_query_parameter(url, "a", keep_blank_values=True)
    url_query_cleaner(url, ["a"])
    add_or_replace_parameter(text, "a", text)
    is_url(text)
    add_http_if_no_scheme(text)
    file_uri_to_path(text)
    with contextlib.suppress(ValueError):
        parse_data_uri(b"data:" + other if isinstance(other, bytes) else "data:" + other)


@given(URLS)
def test_plain_urls_are_what_all_steps_make_of_them(url: str) -> None:
    href = getattr(URL.parse(url), "href", "http://example.com/")
    assert safe_url_string(type("Text", (str,), {})(href)) == safe_url_string(href)
    assert canonicalize_url(type("Text", (str,), {})(href)) == canonicalize_url(href)
    assert safe_download_url(type("Text", (str,), {})(href)) == safe_download_url(href)


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com", "http://example.com/"),
        ("http://example.com?", "http://example.com/"),
        ("http://example.com:80/#a", "http://example.com:80/"),
        ("http://example.com/?b=2&a=2&a=1&a-=1", "http://example.com/?a=1&a=2&a-=1&b=2"),
        ("http://example.com/?a=%e9+%20/&&=&b", "http://example.com/?=&a=%E9++%2F&b="),
        ("http://example.com/?100%=%zz", "http://example.com/?100%25=%25zz"),
        ("http://example.com/%7e%2f%3F%3b%25%e9%5B|", "http://example.com/~%2F%3F%3B%25%E9[|"),
        ("http://example.com/%%34%31%4", "http://example.com/%2541%4"),
        ("http://example.com/a/%2E%2e/./b//../c/.", "http://example.com/b/c/"),
        ("http://example.com/a/..;x", "http://example.com/a/..;x"),
        ("a%3Ab", "./a:b"),
        ("a/../b", "a/../b"),
        ("?b=1", "/?b=1"),
        ("foo:/.//x", "foo:/.//x"),
        ("foo://Host", "foo://Host/"),
        ("mailto:a/../b", "mailto:a/../b"),
        ("file:/C:/../x", "file:///C:/x"),
    ],
)
def test_canonicalize_url(url: str, expected: str) -> None:
    assert canonicalize_url(url) == expected
    assert canonicalize_url(url.encode()) == expected
    assert canonicalize_url(expected) == expected


def test_options_of_canonicalize_url() -> None:
    assert canonicalize_url("http://a.example/?b=&a=1&c", keep_blank_values=False) == "http://a.example/?a=1"
    assert canonicalize_url("http://a.example/#b", keep_fragments=True) == "http://a.example/#b"
    assert (
        canonicalize_url("http://a.example/?b;a=é", encoding="latin1", query_separator=";")
        == "http://a.example/?a=%E9;b="
    )
    assert canonicalize_url(urlparse("http://a.example/é;p?b&a#f")) == "http://a.example/%C3%A9;p?a=&b="
    with pytest.raises(ValueError, match="empty separator"):
        canonicalize_url("http://a.example/?a", query_separator="")


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("http://example.com#a", "http://example.com/"),
        ("http://example.com/../../a/%2e%2E/b/.%2e/", "http://example.com/"),
        ("http://example.com/a//b/./c%2e/", "http://example.com/a//b/c%2e/"),
        ("../a", "a"),
        ("a/..//b", ".//b"),
        ("foo:/a/..//b", "foo:/.//b"),
        ("data:,a/../b", "data:,a/../b"),
    ],
)
def test_safe_download_url(url: str, expected: str) -> None:
    assert safe_download_url(url) == expected
    assert safe_download_url(expected) == expected


def test_parse_url() -> None:
    parsed = parse_url("HTTP:\\\\user@EX\tAMPLE.com:80\\a;b/c;d?e#f")
    assert tuple(parsed) == ("http", "user@EXAMPLE.com:80", "/a;b/c", "d", "e", "f")
    assert parse_url(parsed) is parsed
    assert parse_url(b"/\xe9", "latin1").path == "/é"
    assert tuple(parse_url("mailto:a;b?c")) == ("mailto", "", "a;b", "", "c", "")
    assert parse_url("http://[").netloc == "["


def test_parameters() -> None:
    assert url_query_parameter("a?b=1&b=2", "b") == "1"
    assert url_query_parameter("a?b=", "b") is None
    assert url_query_parameter("a?b=", "b", keep_blank_values=True) == ""
    assert url_query_parameter("a?b", "c", "default") == "default"
    assert url_query_parameter(b"a?%C3%A9=%ff;x", "é", separator=";") == "\ufffd"
    assert url_query_cleaner("a?b=1&c=2&b=3&&d#e", ["b", "d"]) == "a?b=1&d"
    assert url_query_cleaner("a?b=1&c=2&b=3#e", "b", unique=False, keep_fragments=True) == "a?b=1&b=3#e"
    assert url_query_cleaner("a?b:1;c:2", ["b"], sep=";", kvsep=":", remove=True) == "a?c:2"
    assert url_query_cleaner(b"a?\xe9=1", remove=True) == "a?%E9=1"
    assert url_query_cleaner("a?b=1", None) == "a"  # type: ignore[arg-type]
    assert add_or_replace_parameter("/a?b=1&c=2&b=3&c=4#d", "b", "é") == "/a?b=%C3%A9&c=2&c=4#d"
    assert add_or_replace_parameter("a", "b", "c d") == "a?b=c+d"
    assert add_or_replace_parameters("a?b=1;c=2", {"c": "3", "d": ""}, separator=";") == "a?b=1;c=3;d="
    assert add_or_replace_parameters("a?#", {}) == "a#"
    assert parse_qsl_to_bytes("a=%ff&b&=&+=+", keep_blank_values=True) == [
        (b"a", b"\xff"), (b"b", b""), (b"", b""), (b" ", b" "),
    ]  # fmt: skip


def test_paths(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("a b", "ä%41?#;", "a\\b" if os.name != "nt" else "ab"):
        path = str(tmp_path / name)
        uri = path_to_file_uri(name)
        assert uri == any_to_uri(name) == any_to_uri(path) == path_to_file_uri(Path(name))
        assert file_uri_to_path(uri) == path
        assert URL(uri).href == uri
        assert any_to_uri(uri) == uri
    assert file_uri_to_path("///a/b?c") == file_uri_to_path("file://LOCALHOST/a/b") == os.path.normpath("/a/b")
    if os.name != "nt":
        assert path_to_file_uri("//a/b") == any_to_uri("//a/b") == "file:////a/b"
        assert file_uri_to_path("file:////a/b") == "//a/b"
        assert file_uri_to_path("/a;b") == "/a;b"
    assert any_to_uri("http://a.example/b") == "http://a.example/b"


@pytest.mark.skipif(sys.getfilesystemencodeerrors() != "surrogateescape", reason="file names may have surrogates")
def test_paths_with_surrogates() -> None:
    """A lone surrogate becomes U+FFFD, but one that stands for a byte of a file name stays that byte."""
    for text, octets in (
        ("\ud800", "%EF%BF%BD"),
        ("a\udbff/\udfff", "a%EF%BF%BD/%EF%BF%BD"),
        ("\ud83d\ude00", "%F0%9F%98%80"),
        ("\ud83d\udc80", "%F0%9F%92%80"),
        ("\udc80\udcff", "%80%FF"),
        ("\udc7f\udd00é", "%EF%BF%BD%EF%BF%BD%C3%A9"),
        ("\ud800\ud800\udc80\udcff", "%EF%BF%BD%F0%90%82%80%FF"),
    ):
        for function in (any_to_uri, path_to_file_uri):
            assert function(f"/x/{text}") == f"file:///x/{octets}"
            assert function(text) == path_to_file_uri(os.getcwd()) + "/" + octets
        assert path_to_file_uri(Path("/x", text)) == f"file:///x/{octets}"
    for octet in range(0x80, 0x100):
        name = os.fsdecode(b"/x/" + bytes([octet]))
        assert file_uri_to_path(any_to_uri(name)) == name
    assert any_to_uri("http://a\ud800/\udcff") == "http://a\ufffd/\ufffd"


def test_schemes() -> None:
    assert [is_url(url) for url in ("http://a", "https://a", "file://a", "ftp://a", "http:a", "")] == [True] * 3 + [
        False
    ] * 3
    for url, expected in {
        "a.example": "http://a.example",
        "//a": "http://a",
        "\\\\a": "http:\\\\a",
        "X://a": "X://a",
    }.items():
        assert add_http_if_no_scheme(url) == expected


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("data:,a%20b", ("text/plain", {"charset": "US-ASCII"}, b"a b")),
        (" DATA:text/html,é#x ", ("text/html", {}, "é".encode())),
        (b"data:;charset=latin1,\xe9", ("text/plain", {"charset": "latin1"}, b"\xe9")),
        ('data:a/b;c="d;\\"e";f=g,h', ("a/b", {"c": 'd;"e', "f": "g"}, b"h")),
        ("data:;base64,Y Q%3d=", ("text/plain", {"charset": "US-ASCII"}, b"a")),
        ("data:; Base64,YWI", ("text/plain", {"charset": "US-ASCII"}, b"ab")),
        ("data:text/plain", ("text/plain", {}, b"")),
        ("data:a/b#c", ("a/b", {}, b"")),
        ('data:a/b;c=",#",d', ("a/b", {"c": ",#"}, b"d")),
    ],
)
def test_parse_data_uri(uri: str | bytes, expected: tuple[str, dict[str, str], bytes]) -> None:
    result = parse_data_uri(uri)
    assert result == ParseDataURIResult(*expected)
    assert (result.media_type, result.media_type_parameters, result.data) == expected


@pytest.mark.parametrize(
    "uri", ["", "data:", "a", "data", "http://a.example/", "data:a", "data:;base32,A", "data:;base64,A"]
)
def test_no_data_uri(uri: str) -> None:
    with pytest.raises(ValueError, match=r"URI|character"):
        parse_data_uri(uri)


def rows_of(page: str) -> list[list[str]]:
    """The cells of the tables of a page whose first cell is a call."""
    text = (ROOT / "docs" / page).read_text("utf-8")
    tables = text.partition("<!-- tables -->")[2].partition("<!-- end of tables -->")[0]
    rows = [re.split(r"(?<!\\)\|", row)[1:-1] for row in tables.splitlines() if row.startswith("| `")]
    return [[cell.strip().strip("`").replace("\\|", "|") for cell in row] for row in rows]


def value_of(call: str, module: Any) -> object:
    """What a call, with literals only, gives."""
    match = re.fullmatch(r"(\w+)\((.*)\)", call)
    assert match is not None
    arguments, options = eval(f"(lambda *args, **kwargs: (args, kwargs))({match[2]})", {"__builtins__": {}})
    try:
        return getattr(module, match[1])(*arguments, **options)
    except ValueError as error:
        return type(error).__name__


def check_rows(page: str, module: Any, least: int) -> None:
    rows = rows_of(page)
    assert len(rows) >= least
    for call, theirs, ours, *_ in rows:
        assert theirs != ours
        value = value_of(call, module)
        assert ours in (repr(value), value), call


def test_the_divergences_are_as_documented() -> None:
    check_rows("compat-w3lib.md", w3lib, 50)


LONG = {
    "dots": fill("../", "http://h/"), "encoded dots": fill("%2e%2e/", "http://h/"), "segments": fill("a/..;", "http://h/"),
    "solidi": fill("/", "http:"), "percent signs": fill("%", "http://h/"), "stray escapes": fill("%%34", "http://h/"),
    "pairs": lambda n: "http://h/?" + "&".join(f"{i * 7919 % 9973}={i}" for i in range(n // 8)),
    "ampersands": fill("&", "?"),
    "equal pairs": fill("a=b&", "http://h/?"), "hashes": fill("#", "http://h/"), "ats": fill("@", "http://"),
    "colons": fill(":", "http://"), "brackets": fill("[", "http:///"), "closed brackets": fill("[]", "//"),
    "tabs": fill("\t", "http://h/"), "spaces": fill(" ", "a", "b"), "accents": fill("é", "http://h/?"),
    "surrogates": fill("\ud800", "?"), "backslashes": fill("\\", "a"), "semicolons": fill(";", "http://h/a"),
    "port": fill("0", "http://h:", "80/"), "userinfo": fill(":%", "http://", "@h/"),
}  # fmt: skip


# A URL above the limit is read by other code, which takes longer.
@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize("shape", LONG)
def test_linear(shape: str) -> None:
    def work(url: str) -> None:
        for function in NORMALIZERS:
            normalized(function, url, "latin1")
        parse_url(url)
        url_query_cleaner(url, ["a"], unique=False)
        add_or_replace_parameter(url, "a", "b")
        file_uri_to_path(url)

    check(LONG[shape], work)


@pytest.mark.timed
@pytest.mark.parametrize("unit", [";a=b", ';a="b', "=", "\\", ',"', "a/b"])
def test_linear_data(unit: str) -> None:
    def work(uri: str) -> None:
        with contextlib.suppress(ValueError):
            parse_data_uri(uri)

    check(fill(unit, "data:a/b"), work)
    check(fill(unit, 'data:a/b;c="'), work)
