"""Valid URL strings: the grammar, by production, and held against the parser's validation errors.

https://url.spec.whatwg.org/#url-writing
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable
from random import Random

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from support.hostile import inputs
from support.shapes import fill
from support.wpt_cases import Case, all_cases
from test_linear import check

from weburl import URL, InvalidURL
from weburl._diagnosis.grammar import (
    are_url_units,
    is_absolute_url_string,
    is_absolute_url_with_fragment_string,
    is_opaque_host_and_port_string,
    is_opaque_path_url_string,
    is_path_absolute_non_authority_url_string,
    is_path_absolute_url_string,
    is_path_relative_scheme_less_url_string,
    is_path_relative_url_string,
    is_relative_url_string,
    is_relative_url_with_fragment_string,
    is_scheme_relative_file_url_string,
    is_scheme_relative_special_url_string,
    is_scheme_relative_url_string,
    is_url_fragment_string,
    is_url_path_segment_string,
    is_url_port_string,
    is_url_query_string,
    is_url_scheme_string,
    is_valid_opaque_host_string,
)
from weburl._literal import parse
from weburl.validation import is_valid, validate

HTTP, FILE, OTHER, OPAQUE = "http://u@base:8/d/e?q#f", "file:///C:/d/e", "x://base/d/e", "mailto:d"
BASES = (None, HTTP, "wss://base", FILE, "file://h", OTHER, "x:/d", "x:", OPAQUE)

# By production: strings that match it, and strings that do not.
PRODUCTIONS: list[tuple[Callable[[str], bool], list[str], list[str]]] = [
    (
        are_url_units,
        ["", "azAZ09", "!$&'()*+,-./:;=?@_~", "%41", "%00%fF", "%25", "é", "\u00a0", "\ud7ff", "\ue000", "\ufdcf",
         "\ufdf0", "\ufffd", "\U00010000", "\U0001fffd", "\U0010fffd", "😀a%20", "\ufeff", "\u202e", "\u200d"],
        ["%", "%4", "%4g", "%g4", "a%", "%%41", "%4%41", "% 41", "%４1", '"', "#", "<", ">", "[", "\\", "]", "^", "`",
         "{", "|", "}", " ", "\0", "\t", "\n", "\r", "\x1f", "\x7f", "\x80", "\x85", "\x9f", "\ud800", "\udbff",
         "\udc00", "\udfff", "\ufdd0", "\ufdef", "\ufffe", "\uffff", "\U0001fffe", "\U0008ffff", "\U0010fffe",
         "\U0010ffff", "a\n", "\na"],
    ),
    (
        is_url_scheme_string,
        ["a", "Z", "http", "a1+-.", "z39.50r", "coap+tcp"],
        ["", "1a", "+a", "-", ".", "a_", "a:", "é", "aé", "a b", "a\n", "ａ", "\u212a", "a%41", "a/"],
    ),
    (
        is_url_port_string,
        ["", "0", "00", "80", "65535", "0065535", "0" * 5000, "0" * 5000 + "80"],
        ["65536", "99999", "100000", "-1", "+1", "1 ", "8_0", "٣", "８", "0x50", "80:", "1.0", "9" * 5000, "²"],
    ),
    (
        is_url_path_segment_string,
        ["", "a", ".", "..", "...", "%2e", "%2E.", ".%2e", "%2e%2E", "a:b", "@", "C:", "é", "%2F"],
        ["/", "a/b", "?", "a?", "#", "C|", "a b", "%2", "[]", "\\", "^", "\ud800"],
    ),
    (
        is_path_absolute_url_string,
        ["/", "//", "///", "/a", "/a/", "/a//b", "/./..", "//a", "/:", "/a:b@c", "/%41", "/C:/"],
        ["", "a", "a/", "./", "?", "/?", "/a?", "/#", "/a b", "\\", "/\\", "/%", "/a%4/1", "/C|/"],
    ),
    (
        is_path_absolute_non_authority_url_string,
        ["/", "/a", "/a//", "/.//a", "/a/b", "/%2F"],
        ["", "//", "//a", "///", "a", "/ ", "/\\a", "/?"],
    ),
    (
        is_path_relative_url_string,
        ["", "a", "a/", "a//b", ".", "..", "../..", "./a:b", "a:b", ":", "é/", "@", "http://h"],
        ["/", "/a", "//", "?", "a?b", "a#", "a b", "\\", "a\\b", "%", "a|"],
    ),
    (
        is_path_relative_scheme_less_url_string,
        ["", "a", "./a:b", "a/b:c", ":", ":a", "1:a", "+a:b", "é:b", "a_b:c", "aé:c", "%61:b", "@:"],
        ["a:", "a:b", "A:b", "a1+-.:b", "http:a", "http://h", "C:/", "/", "/a", "?", "a b"],
    ),
    (
        is_opaque_path_url_string,
        ["", "a", "a/", "a//b", ":", "::/", "a@b", "%2F", "é", "isbn:9780307476463"],
        ["/", "/a", "//", "?", "a?", "#", "a b", " ", "a ", "\\", "%", "%4", "[", "<"],
    ),
    (is_url_query_string, ["", "a", "?", "a=b&c", "/:@?", "%23", "é", "'"], ["#", "a#", " ", "%", "[]", "\\", '"']),
    (is_url_fragment_string, ["", "a", "?", "/", "%23", "é", "!"], ["#", "a#", " ", "%g0", "^", "`", "{"]),
    (
        is_valid_opaque_host_string,
        ["h", "H", "h.", ".", "..", "%41", "%2F", "é", "😀", "-", "_", "~", "!$&'()*+,;=",
         "1.2.3", "256.1.1.1", "0x", "a..b", "[::1]", "[1:2:3:4:5:6:7:8]", "[::1.2.3.4]", "[::FFFF]", "１.2.3.4"],
        ["", "h:", "h/", "h?", "h@", "@", "h#", "h i", "<", ">", "[", "]", "[]", "[h]", "h]", "[::1", "::1", "[::1]h",
         "h[::1]", "[::1%25e]", "[::01]", "[1.2.3.4]", "^", "|", "\\", "%", "%4", "%zz", "a\0", "\t", "`", "{", '"',
         "\x7f", "\x01", "\ufffe", "\ud800"],
    ),
    (
        is_opaque_host_and_port_string,
        ["", "h", "h:", "h:0", "h:00065535", "[::1]", "[::1]:", "[::1]:80", "é:1", ".:80"],
        [":", ":80", "h:65536", "h:x", "h:80:80", "h::", "[::1]80", "[::1]:x", "[::1]:8]", "[::1", "h]:80", "a:8]",
         "u@h", "h/", "h:80/", "h:-1", "h: "],
    ),
    (
        is_scheme_relative_url_string,
        ["//", "///", "////", "//h", "//h/", "//h/a", "//h:/", "//h:80/", "//[::1]:80/a", "///a", "//%41", "//a..b."],
        ["", "/", "/a", "h", "//:80", "//:80/", "//u@h", "//h?", "//h#", "//h:x", "//h i/", "//h/ ", "//h\\", "\\\\h"],
    ),
    (
        is_scheme_relative_special_url_string,
        ["//h", "//H", "//h/", "//h:", "//h:80", "//h:80/a//b", "//é", "//é.example/é", "//1.2.3.4", "//[::1]:80/",
         "//h:65535", "//localhost", "//xn--9ca", "//a--b", "//" + "a" * 63, "//" + "a." * 126 + "a"],
        ["", "/", "//", "///", "///h", "//:80", "//:", "/h", "h", "//u@h", "//h?", "//h#", "//h:65536", "//h:x",
         "//h:80:", "//%41", "//h%", "//h.", "//1.2.3.4.", "//1.2.3", "//01.2.3.4", "//256.0.0.0", "//0x1.2.3.4",
         "//h.1", "//1", "//1.2.3.4.5", "//h.0x", "//h.0xg.09", "//a_b", "//-h", "//h-", "//ab--c", "//xn--a",
         "//xn--8i7caa", "//a..b", "//.", "//*", "//a b", "//[::1", "//::1", "//[::1]a", "//[::01]", "//[1:2]",
         "//h\\", "//h/\\", "//\u00ad", "//\u200d", "//１.2.3.4", "//1。2.3.4", "//" + "a" * 64,
         "//" + "a." * 127 + "a", "//\ud800", "//\ufffd", "//!"],
    ),
    (
        is_scheme_relative_file_url_string,
        ["//", "///", "////", "///a", "///C:/", "///C:", "//h", "//h/", "//h/C:/", "//localhost/", "//c", "//[::1]/a",
         "//1.2.3.4", "//é/"],
        ["", "/", "/a", "a", "C:/", "//C:", "//C:/", "//c|", "//c|/", "//h:", "//h:80/", "//[::1]:80", "//%41/",
         "//1.2.3/", "//h./", "//u@h/", "///C|/", "//h?", "\\\\h", "//loc%61lhost/", "//１.2.3.4/"],
    ),
    (
        is_absolute_url_string,
        ["http://h", "HTTP://h", "httpS://h/", "ws://h:80", "wss://h", "ftp://h/a?b", "file://", "FILE:///", "file:///a",
         "file://?", "file://?q", "http://h?", "http://h?a?b/", "x:", "x:a", "x:/", "x:/a", "x://", "x://?", "x:?",
         "x:?q", "x:a?q", "x:///", "x:////", "x://h:80", "x:/.//a", "x:/..//a", "x:%2F", "mailto:a@b", "data:,",
         "javascript:alert(1)", "blob:https://h/", "a:b:c", "urn:a", "C:/a", "c:", "a1+-.:", "x:é", "http2://", "httpss://h"],
        ["", "a", "/a", "//h", "?", "1:", ":", "http:", "http:h", "http:/h", "http:///h", "http://", "http://?",
         "https:////h", "file:", "file:a", "file:/a", "file:C:/a", "file:?", "x:#", "x:a#b", "http://h#", "x: ",
         "x:a b", "x:?a b", "http://h?#", "http://h?[", "http://u@h", "x://u@h", "x://@h", "x://:80", "x:\\",
         "http:\\\\h", " x:", "x:\t", "ht\ntp://h", "é:", "x%41:", "http://h:80:80", "http://h\\a", "x:/ ", "\u017f:a"],
    ),
    (
        is_absolute_url_with_fragment_string,
        ["http://h#", "http://h#f", "http://h?#", "http://h?q#f?/", "x:#", "x:#f", "x://#f", "file://#", "x:a#%41"],
        ["#", "#f", "a#f", "http://#", "http:#", "x:##", "x:a#b#c", "x:# ", "x:#%", "http://h# ", "http://h#["],
    ),
]  # fmt: skip

# Relative strings: whether they are valid with a base of each kind.
RELATIVE: list[tuple[str, list[str], list[str]]] = [
    (
        "any that has no opaque path",
        ["", "?", "?q", "#", "#f", "?q#f", "?#", "a", "a?q#f", "/", "/a", "/a//b", "/a?q", "/?", "/#", ".", "..", "./",
         "../a", "./a:b", "a/b:c", "1:a", ":", ":80", "é:é", "?a:b", "#a:b", "/a:b", "@", "u@h", "%41", "/C:/", "//h",
         "//h/", "//h?q", "//h#f", "//é/é?é#é", "//[::1]/", "//1.2.3.4", "a/", "a//", "/.//a", "x:a", "x:", "http://h",
         "HTTP://h", "file:///", "x://h", "C:/a", "c:", "??", "#?", "?/", "a&b=c;d", "\ufeff", "\U0010fffd"],
        ["http:", "http:a", "http:/a", "http:?q", "http:#f", "wss:a", "file:", "file:a", "file:/a", " ", " a", "a ",
         "\\", "\\\\h", "/\\h", "a\\b", "a b", "a\tb", "\n", "C|/a", "/C|/a", "##", "#a#b", "?[]", "[", "{}", "%",
         "a%4", "//u@h", "//h:x", "//h:65536", "//h i", "///%", "//h\\a", "?a#b c", "\ud800", "\ufffe", "\0", "a\x7f",
         "|", "^", "`", "<a>", '"', "//[::1", "//[::01]/", "https:a", "HTTP:a", "1\\", "x: "],
    ),
    (
        "special, not file",
        ["//h:80", "//h:/", "//[::1]:80/a", "//xn--9ca/"],
        ["//", "///", "///a", "//?q", "//#f", "//:80", "//h./", "//%41/", "//1.2.3/", "//a_b", "//h.1/", "//１.2.3.4/",
         "////", "//C:x/", "//a..b"],
    ),
    (
        "file",
        ["//", "///", "///a", "//?q", "//#f", "////", "///C:/a", "//localhost/"],
        ["//h:80", "//h:", "//[::1]:80/a", "//C:", "//C:/a", "//h./", "//%41/", "//1.2.3/", "//a_b", "//１.2.3.4/"],
    ),
    (
        "other",
        ["//", "///", "///a", "//?q", "//#f", "////", "//h:80", "//h:", "//[::1]:80/a", "//h./", "//%41/", "//1.2.3/",
         "//a_b", "//１.2.3.4/", "//*", "//a..b"],
        ["//:80", "//:80/", "//%4/", "//h^", "//a|b/", "//C:x/", "//@h"],
    ),
    (
        "opaque path",
        ["#", "#f", "#?", "#/%41é", "x:a", "http://h", "file://", "a:"],
        ["", "?", "?q", "a", "/", "/a", "//h", "//", ".", "?#", "?q#f", "a#f", "/#", " #", "##", "# ", "#%", "#[",
         "\ufeff", "http:a", "file:a", "1:a"],
    ),
]  # fmt: skip

KINDS = {
    "special, not file": [HTTP, "wss://base", "ftp://base/a/"],
    "file": [FILE, "file://h", "file:///"],
    "other": [OTHER, "x:/d", "x:///", "x://", "x://u:p@h:1/?q#f"],
    "opaque path": [OPAQUE, "x:", "x:a b", "data:,?q#f", "blob:http://h/"],
}
KINDS["any that has no opaque path"] = [*KINDS["special, not file"], *KINDS["file"], *KINDS["other"]]

# https://url.spec.whatwg.org/#example-url-parsing
EXAMPLE_URL_PARSING: list[tuple[str, str | None, bool]] = [
    ("https:example.org", None, False),
    ("https://////example.com///", None, False),
    ("https://example.com/././foo", None, True),
    ("hello:world", "https://example.com/", True),
    ("https:example.org", "https://example.com/", False),
    ("\\example\\..\\demo/.\\", "https://example.com/", False),
    ("example", "https://example.com/demo", True),
    ("file:///C|/demo", None, False),
    ("..", "file:///C:/demo", True),
    ("file://localhost/", None, True),
    ("file://loc%61lhost/", None, False),
    ("https://user:password@example.org/", None, False),
    ("https://example.org/foo bar", None, False),
    ("https://EXAMPLE.com/../x", None, True),
    ("https://ex ample.org/", None, False),
    ("example", None, False),
    ("https://example.com:demo", None, False),
    ("http://[www.example.com]/", None, False),
    ("https://example.org//", None, True),
    ("https://example.com/[]?[]#[]", None, False),
    ("https://example/%?%#%", None, False),
    ("https://example/%25?%25#%25", None, True),
]

# https://url.spec.whatwg.org/#example-url-components and https://url.spec.whatwg.org/#example-opaque-host-url
VALID_EXAMPLES = [
    "https://example.com/",
    "https://localhost:8000/search?q=text#hello",
    "urn:isbn:9780307476463",
    "file:///ada/Analytical%20Engine/README.md",
    "git://github.com/whatwg/url.git",
]

# https://url.spec.whatwg.org/#example-file-invalid-windows-drive-letter: it is valid, and the algorithm has no error
VALID_EXAMPLE_OF_AN_ERROR = ("/c:/path/to/file", "file:///c:/")

# https://url.spec.whatwg.org/#writing: an input for each name in the table, in its order
INVALID_EXAMPLES: list[tuple[str, str | None]] = [
    *((text, None) for text in [
        "https://exa%23mple.org", "https://exam%70le.org", "foo://exa[mple.org", "https://127.0.0.1./", "https://1.2.3/",
        "https://1.2.3.4.5/", "https://test.42", "https://127.0.0x0.1", "https://255.255.4000.1", "https://[::1",
        "https://[:1]", "https://[1:2:3:4:5:6:7:8:9]", "https://[1::1::1]", "https://[1:2:3!:4]", "https://[1:2:3:]",
        "https://[1:2:3]", "https://[::01]", "https://[1:1:1:1:1:1:1:127.0.0.1]", "https://[ffff::.0.0.1]",
        "https://[ffff::127.0.xyz.1]", "https://[ffff::127.0xyz]", "https://[ffff::127.00.0.1]",
        "https://[ffff::127.0.0.1.2]", "https://[ffff::127.0.0.4000]", "https://[ffff::127.0.0]",
        "https://example.org/>", " https://example.org ", "ht\ntps://example.org", "https://example.org/%s",
        "file:c:/my-secret-folder", "https:example.org", "💩", "https://example.org\\path\\to\\file",
        "https://user@example.org", "ssh://user@example.org", "https://#fragment", "https://:443", "https://user:pass@",
        "https://example.org:70000", "https://example.org:7z", "file://c:",
    ]),
    ("https:foo.html", "https://example.org/"),
    ("💩", "mailto:user@example.org"),
    ("c|/path/to/file", "file:///c:/"),
]  # fmt: skip


def whole_cases() -> list[tuple[str, str | None, bool]]:
    """Every URL that was derived by hand, with its base and whether it is valid."""
    cases = [*EXAMPLE_URL_PARSING, *((text, None, True) for text in VALID_EXAMPLES)]
    cases += [(*VALID_EXAMPLE_OF_AN_ERROR, True), *((text, base, False) for text, base in INVALID_EXAMPLES)]
    for kind, valid, invalid in RELATIVE:
        for base in KINDS[kind]:
            cases += [(text, base, True) for text in valid] + [(text, base, False) for text in invalid]
    for production, valid, invalid in PRODUCTIONS:
        if production is is_absolute_url_string:
            cases += [(text, base, True) for text in valid for base in BASES]
            cases += [(text, None, False) for text in invalid if "#" not in text]
        if production is is_absolute_url_with_fragment_string:
            cases += [(text, base, True) for text in valid for base in BASES]
            cases += [(text, None, False) for text in invalid]
    return cases


WHOLE = whole_cases()


@pytest.mark.parametrize(
    ("production", "text", "expected"),
    [
        pytest.param(production, text, expected, id=f"{production.__name__} {text[:40]!a} {expected}")
        for production, valid, invalid in PRODUCTIONS
        for texts, expected in ((valid, True), (invalid, False))
        for text in texts
    ],
)
def test_production(production: Callable[[str], bool], text: str, expected: bool) -> None:
    assert production(text) is expected


@pytest.mark.parametrize(("kind", "valid", "invalid"), RELATIVE, ids=[kind for kind, *_ in RELATIVE])
def test_relative(kind: str, valid: list[str], invalid: list[str]) -> None:
    for base in (parse(text).url for text in KINDS[kind]):
        assert base is not None
        for text in valid + invalid:
            is_one = is_relative_url_with_fragment_string(text, base)
            assert is_one is (text in valid and not is_absolute_url_with_fragment_string(text)), (text, base)
            if "#" not in text and not base.has_opaque_path:
                assert is_relative_url_string(text, base) is is_one, (text, base)


def test_whole() -> None:
    assert len(WHOLE) > 1000
    wrong = [(text, base) for text, base, expected in WHOLE if is_valid(text, base) is not expected]
    assert wrong == []
    assert [(text, base) for text, base, expected in WHOLE if is_valid(text, base) is not expected] == []


@pytest.mark.parametrize(("text", "base", "expected"), EXAMPLE_URL_PARSING)
def test_example_url_parsing(text: str, base: str | None, expected: bool) -> None:
    assert is_valid(text, base) is expected


def test_relative_strings_need_a_base() -> None:
    for _, valid, invalid in RELATIVE:
        for text in valid + invalid:
            expected = text in valid and is_absolute_url_with_fragment_string(text)
            assert is_valid(text, None) is expected, text


def test_base() -> None:
    assert is_valid("a", URL("http://h/"))
    assert not is_valid("a", URL("x:a"))
    for base in ("", "http://["):
        check_base_is_refused("http://h/", base)
    assert is_valid("a", "http:\\\\u@h\\a b"), "the base has to parse, not to be valid"


def test_every_code_point() -> None:
    ascii_code_points = {*map(ord, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!$&'()*+,-./:;=?@_~")}
    noncharacters = {
        *range(0xFDD0, 0xFDF0),
        *(code | last for code in range(0, 0x110000, 0x10000) for last in (0xFFFE, 0xFFFF)),
    }
    surrogates = range(0xD800, 0xE000)
    expected = ascii_code_points.union(range(0xA0, 0x10FFFE)).difference(noncharacters, surrogates)
    assert {code for code in range(0x110000) if are_url_units(chr(code))} == expected


def test_surrogate_pair_in_two_code_points() -> None:
    assert is_valid("x:\ud83d\ude00", None)
    assert is_valid("http://\ud83d\ude00/", None) is is_valid("http://😀/", None)
    for text in ("x:\ude00\ud83d", "x:\ud83d", "x:\ud83d\ud83d\ude00", "x:\ud83f\udfff", "x:\udbff\udfff"):
        assert not is_valid(text, None)
    assert is_valid("x:\udbff\udffd", None)


def check_base_is_refused(text: str, base: str) -> None:
    for function in (is_valid, validate):
        with pytest.raises(InvalidURL) as raised:
            function(text, base)
        assert raised.value.error == "base"


def hold_against_the_parser(text: str, base: str | None) -> None:
    if base is not None and URL.parse(base) is None:
        check_base_is_refused(text, base)
        return
    valid = is_valid(text, base)
    assert (validate(text, base) == []) is valid
    base_url = None if base is None else URL.parse(base)
    if base_url is not None:
        assert (validate(text, base_url) == []) is is_valid(text, base_url) is valid


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("x:\ud800", None), ("http://h/\udfff", None), ("http://h/?\ud800", None), ("x:#\ud800", None),
        ("x://\ud800", None), ("\ud800", "http://h/"), ("#\ud800", "x:"), ("?\udc00\ud800", "file:///"),
    ],
)  # fmt: skip
def test_a_lone_surrogate_is_not_a_url_unit(text: str, base: str | None) -> None:
    assert not is_valid(text, base)
    assert {error.name for error in validate(text, base)} == {"invalid-URL-unit"}
    assert is_valid(re.sub("[\ud800-\udfff]", "\ufffd", text), base)
    hold_against_the_parser(text, base)


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("ws://０.0.0.0", None), ("http://１.２.３.４/", None), ("http://1。2。3。4:80/", None),
        ("file://1.2.3.4\u00ad/a", None), ("http://①.2.3.4/", None), ("http://𝟏.2.3.4?q#f", None),
        ("//１.2.3.4", "https://h/"), ("//１.2.3.4", "file:///"),
    ],
)  # fmt: skip
def test_an_ipv4_address_has_only_ascii(text: str, base: str | None) -> None:
    assert not is_valid(text, base)
    assert [error.name for error in validate(text, base)] == ["IPv4-non-ASCII-input"]
    hold_against_the_parser(text, base)


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("x:\ud83d\ude00", None), ("x:\ufffd", None), ("http://\ud800/", None), ("x:\ud800 ", None), ("\ud800", None),
        ("x://１.2.3.4/", None), ("http://１.2.3", None), ("http://１.2.3.256/", None), ("http://０x1.2.3.4/", None),
        ("http://１.2.3.4./", None), ("http://１.2.3.4/ ", None), ("http://1.2.3.4/", None), ("//１.2.3.4", "x:/"),
        ("//１.2.3.4", "x:"), ("http://é/", None), ("http://１.é/", None), ("http:///１.2.3.4/", None),
    ],
)  # fmt: skip
def test_near_them(text: str, base: str | None) -> None:
    hold_against_the_parser(text, base)


def test_hand_derived_cases_against_the_parser() -> None:
    for text, base, _ in WHOLE:
        hold_against_the_parser(text, base)


SCHEMES = ["http", "https", "ws", "wss", "ftp", "file", "x", "mailto", "HTTP", "File", "a+b-c.1"]
HOSTS = [
    "h", "EXAMPLE.com", "a.b-c.d", "localhost", "é.example", "bücher", "xn--9ca", "xn--a", "1.2.3.4", "0.0.0.0",
    "1.2.3", "1.2.3.4.", "h.1", "１.2.3.4", "1。2.3.4", "[::1]", "[1::8]", "[1:2:3:4:5:6:7:8]", "[::ffff:1.2.3.4]",
    "[::01]", "[1:2:3:4:5:6:7::]", "[::1.2.3]", "a_b", "h.", "%41", "%2F", "!$&'()*+,;=", "אב", "\u200d", "C:", "c|",
    "",
]  # fmt: skip
PORTS = ["", "", "", ":", ":0", ":80", ":65535", ":65536", ":00443", ":x"]
SEGMENTS = ["", "", "a", ".", "..", "%2e", "%2E.", "é", "%41", "a:b", "@", "C:", "c|", "~!$&'()*+,;=", "\U0010fffd"]
TAILS = ["", "", "", "?", "?q", "?a=b&c", "?/?", "?é%20", "#", "#f", "#?/", "?q#f", "?#", "#é"]
PIECES = [
    *"azAZ09:/?#[]@!$&'()*+,;=%\\|^`{}<>\" .-_~\t\n\r\0\x01\x1f\x7f\x80\x9f\xa0é０。", "//", "..", "%2e", "%", "%4",
    "%zz", "%00", "%ff", "::", "0", "00", "0x", "1.2.3.4", "http:", "file:", "x:", "C:", "C|", "u@", "\u00ad", "\u200d",
    "\u0300", "א", "\ud800", "\udc00", "\ud83d\ude00", "😀", "\ufdd0", "\ufffd", "\ufffe", "\ufeff", "\U0001fffe",
    "\U0010ffff", "xn--", "--",
]  # fmt: skip
NEAR_BASES = [*BASES, *itertools.chain.from_iterable(KINDS.values()), "file:", "http:\\\\h", "\ud800", "", "x"]


def near_valid(random: Random) -> tuple[str, str | None]:
    """A URL of mostly valid parts, in any of the forms, with up to three changes; and a base."""
    pick = random.choice
    path = "".join("/" + pick(SEGMENTS) for _ in range(random.randrange(4)))
    authority = "//" + pick(HOSTS) + pick(PORTS)
    rest = pick([authority + path, authority + path, authority + path, path, path[1:], "//" + path, pick(SEGMENTS)])
    text = pick([pick(SCHEMES) + ":", pick(SCHEMES) + ":", pick(SCHEMES) + ":", "", ""]) + rest + pick(TAILS)
    for _ in range(pick([0, 0, 0, 1, 1, 2, 3])):
        at = random.randrange(len(text) + 1)
        text = text[:at] + pick([pick(PIECES), ""]) + text[at + random.randrange(3) :]
    return text, pick(NEAR_BASES)


@pytest.mark.slow
def test_near_valid_urls_against_the_parser() -> None:
    random = Random(20260702)
    counts = [0, 0]
    for _ in range(20_000):
        text, base = near_valid(random)
        hold_against_the_parser(text, base)
        if base is None or URL.can_parse(base):
            counts[is_valid(text, base)] += 1
    assert min(counts) > 4000, "neither is rare"


OFTEN = settings(
    max_examples=300, derandomize=True, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow]
)


@OFTEN
@given(st.randoms(use_true_random=False))
def test_near_valid_urls_of_hypothesis_against_the_parser(random: Random) -> None:
    hold_against_the_parser(*near_valid(random))


@OFTEN
@given(
    st.lists(st.sampled_from(PIECES) | st.text(st.characters(codec=None), max_size=3), max_size=8).map("".join),
    st.sampled_from(NEAR_BASES),
)
@example("x:/..//a", None)
@example("file://", None)
def test_any_text_against_the_parser(text: str, base: str | None) -> None:
    hold_against_the_parser(text, base)


@OFTEN
@given(
    st.text(st.characters(codec=None), max_size=12),
    st.none() | st.text(st.characters(codec=None), max_size=6).map("http://h/".__add__),
)
def test_any_characters_against_the_parser(text: str, base: str | None) -> None:
    for before in ("", "http://h/", "x:", "x://", "//", "?", "#"):
        hold_against_the_parser(before + text, base)


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(1, 4))
def test_hostile_urls_against_the_parser(seed: int) -> None:
    for url, base, _, assignments in itertools.islice(inputs(seed), 1000):
        hold_against_the_parser(url, base)
        for _, value in assignments:
            hold_against_the_parser(value, base)


@OFTEN
@given(st.sampled_from(HOSTS) | st.lists(st.sampled_from([*PIECES, *HOSTS]), max_size=4).map("".join))
def test_hosts_against_the_parser(host: str) -> None:
    for text, base in (
        (f"http://{host}/", None),
        (f"file://{host}", None),
        (f"x://{host}?", None),
        (f"//{host}", HTTP),
    ):
        hold_against_the_parser(text, base)


@all_cases("urltestdata.json")
def test_wpt_urls_against_the_parser(case: Case) -> None:
    hold_against_the_parser(case["input"], case["base"])


@all_cases("toascii.json")
def test_wpt_domains_against_the_parser(case: Case) -> None:
    for before in ("http://", "file://", "x://"):
        hold_against_the_parser(before + case["input"], None)


def test_what_is_valid_parses() -> None:
    for text, base, valid in WHOLE:
        assert not valid or URL.can_parse(text, base)


@pytest.mark.timed
@pytest.mark.slow
@pytest.mark.parametrize(
    "before", ["http://", "http://h:", "http://h/", "file://", "x:", "x://", "x://h:", "x://[", "x:?", "x:#", ""]
)
@pytest.mark.parametrize(
    "unit", ["a", "/", "a/", ".", "0", "%41", "%", ":", "[", "]", "@", "é", "é.", "😀", "xn--", "\ud83d\ude00"]
)
def test_linear(before: str, unit: str) -> None:
    check(fill(unit, before), lambda text: is_valid(text, "http://h/"))
