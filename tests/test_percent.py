"""weburl.percent: the sets, the encodings, and decoding; the encodings of a URL's query."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import Any

import pytest

from weburl import URL, percent
from weburl.percent import percent_decode, percent_decode_text, percent_encode

C0_CONTROL = "".join(map(chr, range(0x20))) + "\x7f"
QUERY = C0_CONTROL + ' "#<>'
PATH = QUERY + "?^`{}"
USERINFO = PATH + "/:;=@[\\]|"
COMPONENT = USERINFO + "$%&+,"
SETS = {
    "c0-control": C0_CONTROL,
    "fragment": C0_CONTROL + ' "<>`',
    "query": QUERY,
    "special-query": QUERY + "'",
    "path": PATH,
    "userinfo": USERINFO,
    "component": COMPONENT,
    "form": COMPONENT + "!'()~",
}


@pytest.mark.parametrize("name", SETS)
def test_every_ascii_character(name: str) -> None:
    for character in map(chr, range(128)):
        expected = f"%{ord(character):02X}" if character in SETS[name] else character
        if name == "form" and character == " ":
            expected = "+"
        assert percent_encode(character, name) == expected
        assert percent_encode(f"a{character}{character}z", name) == f"a{expected}{expected}z"


@pytest.mark.parametrize("name", SETS)
def test_beyond_ascii(name: str) -> None:
    assert percent_encode("é€😀\x80", name) == "%C3%A9%E2%82%AC%F0%9F%98%80%C2%80"
    assert percent_encode("", name) == ""


@pytest.mark.parametrize("name", SETS)
def test_bytes(name: str) -> None:
    everything = bytes(range(256))
    encoded = percent_encode(everything, name)
    assert encoded == percent_encode(everything[:128].decode(), name) + "".join(
        f"%{byte:02X}" for byte in range(128, 256)
    )
    assert percent_encode(b"\xff \xc3\xa9%", name)[:3] == "%FF"
    assert percent_encode(b"", name) == ""
    data: Any
    for data in (b"a \xff", bytearray(b"a \xff"), memoryview(b"a \xff"), memoryview(b"a. .\xff.")[::2]):
        assert percent_encode(data, name) == percent_encode(b"a \xff", name)
    if name == "component":
        assert percent_decode(encoded) == everything
    long = bytes(range(256)) * 4096
    assert percent_encode(long, name) == encoded * 4096


def test_bytes_have_no_encoding() -> None:
    for label in ("utf-8", "UTF8", "unicode-1-1-utf-8"):
        assert percent_encode(b"\xe9", "form", encoding=label) == "%E9"
    for label in ("windows-1252", "shift_jis"):
        with pytest.raises(ValueError, match="as they are"):
            percent_encode(b"\xe9", "form", encoding=label)
        with pytest.raises(ValueError, match="as they are"):
            percent_encode(b"", "path", encoding=label)
    with pytest.raises(LookupError):
        percent_encode(b"", "form", encoding="bogus")
    with pytest.raises(ValueError, match="set"):
        percent_encode(b"", "bogus")


def test_the_parser_uses_them() -> None:
    text = "".join(map(chr, range(0x21, 0x7F)))
    kept = text.replace("#", "").replace("?", "").replace("/", "").replace("\\", "")
    assert URL("x:/" + kept).pathname == "/" + percent_encode(kept, "path")
    assert URL("http://h/?" + text.replace("#", "")).search == "?" + percent_encode(
        text.replace("#", ""), "special-query"
    )
    assert URL("x:?" + text.replace("#", "")).search == "?" + percent_encode(text.replace("#", ""), "query")
    assert URL("x:#" + text).hash == "#" + percent_encode(text, "fragment")
    url = URL("http://h")
    url.username = text
    assert url.username == percent_encode(text, "userinfo")


def test_the_sets_have_the_standards_names() -> None:
    assert percent.percent_encode.__doc__ is not None
    listed = percent.percent_encode.__doc__.partition("one of the standard's sets:")[2]
    assert re.findall(r'"([a-z0-9-]+)"', listed)[: len(SETS)] == list(SETS)


@pytest.mark.parametrize(
    ("text", "name", "encoding", "expected"),
    [
        (" ", "special-query", "shift_jis", "%20"),
        ("≡", "special-query", "shift_jis", "%81%DF"),
        ("‽", "special-query", "shift_jis", "%26%238253%3B"),
        ("¥", "special-query", "iso-2022-jp", "%1B(J\\%1B(B"),
        ("1+1 ≡ 2%20‽", "form", "shift_jis", "1%2B1+%81%DF+2%2520%26%238253%3B"),
        ("≡", "userinfo", "utf-8", "%E2%89%A1"),
        ("Say what‽", "userinfo", "utf-8", "Say%20what%E2%80%BD"),
        ("é€'", "special-query", "latin1", "%E9%80%27"),
        ("é", "special-query", " ISO-8859-1\n", "%E9"),
        ("é", "special-query", "ascii", "%E9"),
        ("é", "special-query", "utf-16", "%C3%A9"),
        ("é", "special-query", "utf-16be", "%C3%A9"),
        ("é", "special-query", "replacement", "%C3%A9"),
        ("é", "path", "UTF8", "%C3%A9"),
        ("é", "path", "unicode-1-1-utf-8", "%C3%A9"),
        ("я", "special-query", "koi8-r", "%D1"),
        ("я", "form", "windows-1251", "%FF"),
        ("日本", "form", "euc-jp", "%C6%FC%CB%DC"),
        ("中", "special-query", "gbk", "%D6%D0"),
        ("中", "special-query", "big5", "%A4%A4"),
        ("한", "special-query", "euc-kr", "%C7%D1"),
        ("😀", "special-query", "gb18030", "%949%FC6"),
        ("😀", "special-query", "latin1", "%26%23128512%3B"),
    ],
)
def test_encodings(text: str, name: str, encoding: str, expected: str) -> None:
    assert percent_encode(text, name, encoding=encoding) == expected


@pytest.mark.parametrize("name", [name for name in SETS if name not in ("special-query", "form")])
def test_another_encoding_needs_a_set_that_allows_it(name: str) -> None:
    with pytest.raises(ValueError, match=r"encoding|special-query"):
        percent_encode("a", name, encoding="latin1")


@pytest.mark.parametrize("name", ["", "Path", "special_query", "x"])
def test_unknown_set(name: str) -> None:
    with pytest.raises(ValueError, match="set"):
        percent_encode("a", name)  # type: ignore[arg-type, unused-ignore]


@pytest.mark.parametrize("label", ["", "x", "latin_1", "utf_8", "UTF-9", "utf-32", "cp037", "idna"])
def test_unknown_encoding(label: str) -> None:
    with pytest.raises(LookupError):
        percent_encode("a", "form", encoding=label)
    with pytest.raises(LookupError):
        URL("http://h/?é", encoding=label)
    with pytest.raises(LookupError):
        URL("http://h/", encoding=label)
    with pytest.raises(LookupError):
        URL.parse("http://h/?é", encoding=label)


@pytest.mark.parametrize("value", [None, b"a", 5], ids=repr)
def test_type_errors(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        percent_encode("a", value)
    if not isinstance(value, bytes):
        with pytest.raises(TypeError):
            percent_encode(value, "path")
        with pytest.raises(TypeError):
            percent_decode(value)
        with pytest.raises(TypeError):
            percent_decode_text(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", b""), ("a", b"a"), ("%41", b"A"), ("%4a%4A", b"JJ"), ("%", b"%"), ("%4", b"%4"), ("%zz", b"%zz"),
        ("%%41", b"%A"), ("%25%s%1G", b"%%s%1G"),
        ("‽%25%2E", b"\xe2\x80\xbd%."), ("%00%ff", b"\0\xff"), ("a+b", b"a+b"), ("%2%41", b"%2A"),
        ("%25%34%31", b"%41"), ("é", b"\xc3\xa9"),
        ("%:0%0:%g0%@0", b"%:0%0:%g0%@0"), ("%٣3", b"%\xd9\xa33"),
    ],
)  # fmt: skip
def test_decode(text: str, expected: bytes) -> None:
    assert percent_decode(text) == expected
    assert percent_decode(text.encode()) == expected
    assert type(percent_decode(text)) is bytes


def test_decode_every_byte() -> None:
    for byte in range(256):
        assert percent_decode(f"%{byte:02X}") == percent_decode(f"%{byte:02x}") == bytes([byte])
        assert percent_decode(bytes([byte])) == bytes([byte])


def test_decode_text() -> None:
    assert percent_decode_text("%C3%A9+é") == "é+é"
    assert percent_decode_text(b"%C3%A9") == "é"
    assert percent_decode_text("%FF%EF%BB%BFa") == "\ufffd\ufeffa"
    assert percent_decode_text("%F0%9F%98a%ED%A0%80") == "\ufffda\ufffd\ufffd\ufffd"
    assert percent_decode_text("a%FFb", errors="ignore") == "ab"
    assert percent_decode_text("%EF%BB%BFa") == "\ufeffa"


@pytest.mark.parametrize("name", ["component", "form"])
def test_round_trip(name: str) -> None:
    text = "".join(map(chr, [*range(0x300), 0x20AC, 0x1F600]))
    encoded = percent_encode(text, name)
    assert encoded.isascii()
    assert percent_decode_text(encoded.replace("+", " ")) == text


class TestQueryEncoding:
    @pytest.mark.parametrize("scheme", ["http", "https", "ftp", "file"])
    def test_special(self, scheme: str) -> None:
        url = URL(f"{scheme}://h/é?é‽'#é", encoding="latin1")
        assert (url.pathname, url.search, url.hash) == ("/%C3%A9", "?%E9%26%238253%3B%27", "#%C3%A9")

    @pytest.mark.parametrize("scheme", ["ws", "wss", "x"])
    def test_utf_8_all_the_same(self, scheme: str) -> None:
        assert URL(f"{scheme}://h/?é", encoding="latin1").search == "?%C3%A9"

    @pytest.mark.parametrize(
        ("encoding", "query", "search"),
        [
            ("shift_jis", "≡", "?%81%DF"), ("iso-2022-jp", "¥", "?%1B(J\\%1B(B"), ("windows-1252", "€", "?%80"),
            ("utf-16le", "é", "?%C3%A9"),
            ("utf-8", "é", "?%C3%A9"), ("koi8-u", "a b", "?a%20b"), ("gbk", "中\t中", "?%D6%D0%D6%D0"),
            ("euc-jp", "日#本", "?%C6%FC"),
        ],
    )  # fmt: skip
    def test_labels(self, encoding: str, query: str, search: str) -> None:
        text = "http://h/?" + query
        assert URL(text, encoding=encoding).search == search
        parsed = URL.parse(text, encoding=encoding)
        assert parsed is not None
        assert parsed.search == search

    def test_with_base(self) -> None:
        assert URL("?é", "http://h/p?ü", encoding="latin1").href == "http://h/p?%E9"
        assert URL("#é", "http://h/p?ü", encoding="latin1").href == "http://h/p?%C3%BC#%C3%A9"
        assert URL("?é", "ws://h/p", encoding="latin1").href == "ws://h/p?%C3%A9"
        assert URL("?é", "x:/p", encoding="latin1").href == "x:/p?%C3%A9"

    def test_setters_use_utf_8(self) -> None:
        url = URL("http://h/?é", encoding="latin1")
        assert list(url.search_params) == [("\ufffd", "")]
        url.search = "é"
        assert url.search == "?%C3%A9"

    def test_host_and_encoding_both(self) -> None:
        assert URL("http://é/?é", encoding="latin1").href == "http://xn--9ca/?%E9"

    def test_failure_all_the_same(self) -> None:
        assert URL.parse("http://a b/?é", encoding="latin1") is None


def test_without_the_extra() -> None:
    program = """
import sys
sys.modules["webencodings"] = None
from weburl import URL, forms, percent
for label in ("utf-8", "UTF8", " utf-8 "):
    assert URL("http://h/?\\xe9", encoding=label).search == "?%C3%A9"
    assert percent.percent_encode("\\xe9", "form", encoding=label) == "%C3%A9"
calls = [
    lambda: URL("http://h/?\\xe9", encoding="latin1"),
    lambda: percent.percent_encode("\\xe9", "form", encoding="latin1"),
    lambda: forms.parse_form("a=%E9", encoding="latin1"),
    lambda: forms.serialize_form([("a", "\\xe9")], encoding="latin1"),
]
for call in calls:
    try:
        call()
    except ImportError as error:
        assert "pip install" in str(error) and "weburl[encodings]" in str(error), error
    else:
        raise AssertionError
"""
    subprocess.run([sys.executable, "-W", "error", "-c", program], check=True)
