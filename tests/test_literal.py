"""The literal parser: what the standard's examples and its algorithm say, and that the fast parser agrees."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.literal_compare import SETTERS, same, same_setter
from support.wpt_cases import Case, all_cases, case_id

from weburl._literal import parse, percent, serialize_url, setters
from weburl._literal.hosts import parse_host
from weburl._literal.record import find_compressed_piece_index, is_windows_drive_letter
from weburl._literal.source import Source
from weburl._literal.states import Outcome, starts_with_a_windows_drive_letter
from weburl._unicode.encoding import UTF_8, get_encoding
from weburl._unicode.idna import Failure
from weburl._unicode.text_buffer import TextBuffer

DATA = Path(__file__).parent / "data"

Errors = list[tuple[str, int, int]]


def outcome(text: str, base: str | None = None, encoding: str = "utf-8") -> Outcome:
    base_url = None
    if base is not None:
        base_url = parse(base).url
        assert base_url is not None
    return parse(text, base_url, encoding=encoding)


def errors(text: str, base: str | None = None) -> Errors:
    return [(error.name, error.position, error.end) for error in outcome(text, base).errors]


SOLIDUS = "special-scheme-missing-following-solidus"
NO_SCHEME = "missing-scheme-non-relative-URL"

# Every example of https://url.spec.whatwg.org/#validation-error, by its name there: all errors that it has, and whether
# it fails. Where more than the one are listed, or where the table says otherwise, the reason is given.
EXAMPLES: dict[str, list[tuple[str, str | None, Errors, bool]]] = {
    "domain-to-ASCII": [
        ("https://exa%23mple.org", None, [("domain-percent-encoded", 11, 14), ("domain-to-ASCII", 8, 22)], True),
    ],
    "domain-percent-encoded": [("https://exam%70le.org", None, [("domain-percent-encoded", 12, 15)], False)],
    "host-invalid-code-point": [("foo://exa[mple.org", None, [("host-invalid-code-point", 9, 10)], True)],
    # Not in the text of July: what implementations of October do.
    "IPv4-non-ASCII-input": [
        ("https://①.②.③.④", None, [("IPv4-non-ASCII-input", 8, 15)], False),
        ("https://1。2.3.4", None, [("IPv4-non-ASCII-input", 8, 15)], False),
    ],
    # Strict ToASCII takes no domain with an empty last label.
    "IPv4-empty-part": [
        ("https://127.0.0.1./", None, [("domain-to-ASCII", 8, 18), ("IPv4-empty-part", 17, 18)], False),
    ],
    "IPv4-too-few-parts": [("https://1.2.3/", None, [("IPv4-too-few-parts", 8, 13)], False)],
    "IPv4-too-many-parts": [("https://1.2.3.4.5/", None, [("IPv4-too-many-parts", 8, 17)], True)],
    # Parts are counted before they are read.
    "IPv4-non-numeric-part": [
        ("https://test.42", None, [("IPv4-too-few-parts", 8, 15), ("IPv4-non-numeric-part", 8, 12)], True),
    ],
    "IPv4-non-decimal-part": [("https://127.0.0x0.1", None, [("IPv4-non-decimal-part", 14, 17)], False)],
    # The table: a failure only where it is the last part. The algorithm: always where it is another one.
    "IPv4-out-of-range-part": [("https://255.255.4000.1", None, [("IPv4-out-of-range-part", 16, 20)], True)],
    "IPv6-unclosed": [("https://[::1", None, [("IPv6-unclosed", 8, 12)], True)],
    "IPv6-invalid-compression": [("https://[:1]", None, [("IPv6-invalid-compression", 9, 10)], True)],
    "IPv6-too-many-pieces": [("https://[1:2:3:4:5:6:7:8:9]", None, [("IPv6-too-many-pieces", 25, 26)], True)],
    "IPv6-multiple-compression": [("https://[1::1::1]", None, [("IPv6-multiple-compression", 14, 15)], True)],
    "IPv6-invalid-code-point": [
        ("https://[1:2:3!:4]", None, [("IPv6-invalid-code-point", 14, 15)], True),
        ("https://[1:2:3:]", None, [("IPv6-invalid-code-point", 15, 15)], True),
    ],
    "IPv6-too-few-pieces": [("https://[1:2:3]", None, [("IPv6-too-few-pieces", 9, 14)], True)],
    "IPv6-piece-leading-zero": [("https://[::01]", None, [("IPv6-piece-leading-zero", 11, 13)], False)],
    "IPv4-in-IPv6-too-many-pieces": [
        ("https://[1:1:1:1:1:1:1:127.0.0.1]", None, [("IPv4-in-IPv6-too-many-pieces", 23, 24)], True),
    ],
    "IPv4-in-IPv6-invalid-code-point": [
        ("https://[ffff::.0.0.1]", None, [("IPv4-in-IPv6-invalid-code-point", 15, 16)], True),
        ("https://[ffff::127.0.xyz.1]", None, [("IPv4-in-IPv6-invalid-code-point", 21, 22)], True),
        ("https://[ffff::127.0xyz]", None, [("IPv4-in-IPv6-invalid-code-point", 20, 21)], True),
        ("https://[ffff::127.00.0.1]", None, [("IPv4-in-IPv6-invalid-code-point", 20, 21)], True),
        ("https://[ffff::127.0.0.1.2]", None, [("IPv4-in-IPv6-invalid-code-point", 24, 25)], True),
    ],
    "IPv4-in-IPv6-out-of-range-part": [
        ("https://[ffff::127.0.0.4000]", None, [("IPv4-in-IPv6-out-of-range-part", 23, 26)], True),
    ],
    "IPv4-in-IPv6-too-few-parts": [
        ("https://[ffff::127.0.0]", None, [("IPv4-in-IPv6-too-few-parts", 22, 22)], True),
    ],
    "invalid-URL-unit": [
        ("https://example.org/>", None, [("invalid-URL-unit", 20, 21)], False),
        (" https://example.org ", None, [("invalid-URL-unit", 0, 1)], False),
        ("ht\ntps://example.org", None, [("invalid-URL-unit", 2, 3)], False),
        ("https://example.org/%s", None, [("invalid-URL-unit", 20, 21)], False),
    ],
    SOLIDUS: [
        ("file:c:/my-secret-folder", None, [(SOLIDUS, 5, 5)], False),
        ("https:example.org", None, [(SOLIDUS, 6, 6)], False),
        ("https:foo.html", "https://example.org/", [(SOLIDUS, 6, 6)], False),
    ],
    NO_SCHEME: [
        ("💩", None, [(NO_SCHEME, 0, 1)], True),
        ("💩", "mailto:user@example.org", [(NO_SCHEME, 0, 1)], True),
    ],
    "invalid-reverse-solidus": [
        (
            "https://example.org\\path\\to\\file",
            None,
            [
                ("invalid-reverse-solidus", 19, 20),
                ("invalid-reverse-solidus", 24, 25),
                ("invalid-reverse-solidus", 27, 28),
            ],
            False,
        ),
    ],
    "invalid-credentials": [
        ("https://user@example.org", None, [("invalid-credentials", 8, 13)], False),
        ("ssh://user@example.org", None, [("invalid-credentials", 6, 11)], False),
    ],
    "host-missing": [
        ("https://#fragment", None, [("host-missing", 8, 8)], True),
        ("https://:443", None, [("host-missing", 8, 8)], True),
        ("https://user:pass@", None, [("invalid-credentials", 8, 18), ("host-missing", 18, 18)], True),
    ],
    "port-out-of-range": [("https://example.org:70000", None, [("port-out-of-range", 20, 25)], True)],
    "port-invalid": [("https://example.org:7z", None, [("port-invalid", 21, 22)], True)],
    # The table's example is in the file slash state, which records nothing. With a colon the letter would be a scheme.
    "file-invalid-Windows-drive-letter": [
        ("/c:/path/to/file", "file:///c:/", [], False),
        (
            "c|/path/to/file",
            "file:///c:/",
            [("file-invalid-Windows-drive-letter", 0, 2), ("invalid-URL-unit", 1, 2)],
            False,
        ),
        ("file:c:/path", "file:///c:/", [(SOLIDUS, 5, 5), ("file-invalid-Windows-drive-letter", 5, 7)], False),
    ],
    "file-invalid-Windows-drive-letter-host": [
        ("file://c:", None, [("file-invalid-Windows-drive-letter-host", 7, 9)], False),
    ],
}


def test_all_names() -> None:
    assert len(EXAMPLES) == 31
    found = {
        error.name
        for examples in EXAMPLES.values()
        for text, base, *_ in examples
        for error in outcome(text, base).errors
    }
    assert found == set(EXAMPLES)


@pytest.mark.parametrize(
    ("text", "base", "expected", "failure"), [example for examples in EXAMPLES.values() for example in examples]
)
def test_examples_of_errors(text: str, base: str | None, expected: Errors, failure: bool) -> None:
    assert errors(text, base) == expected
    assert outcome(text, base).failure is failure
    same(text, base)


# By hand from the algorithm: all errors with their places, and whether it fails.
DERIVED: list[tuple[str, str | None, Errors, bool]] = [
    # IPv4-non-ASCII-input: after what the domain parser records, before the IPv4 parser; of an ASCII domain never
    (
        "https://%EF%BC%91.2.3.4", None,
        [("domain-percent-encoded", 8, 11), ("IPv4-non-ASCII-input", 8, 23)], False,
    ),
    (
        "http://１.2.3.4./", None,
        [("domain-to-ASCII", 7, 15), ("IPv4-non-ASCII-input", 7, 15), ("IPv4-empty-part", 7, 15)], False,
    ),
    ("http://é.1", None, [("IPv4-non-ASCII-input", 7, 10), ("IPv4-too-few-parts", 7, 10),
                          ("IPv4-non-numeric-part", 7, 10)], True),
    ("file://1.2.3.4\u00ad/", None, [("IPv4-non-ASCII-input", 7, 15)], False),
    ("http://%31.2.3.4", None, [("domain-percent-encoded", 7, 10)], False),
    ("http://１.é/", None, [], False),
    ("x://１.2.3.4/", None, [], False),
    # lone surrogates
    ("x:\ud800", None, [("invalid-URL-unit", 2, 3)], False),
    ("x:/a\udfff/\ufffd", None, [("invalid-URL-unit", 4, 5)], False),
    ("x://\ufffd\ud800\ud800", None, [("invalid-URL-unit", 5, 6)], False),
    ("x://\ud83d\ude00\ude00", None, [("invalid-URL-unit", 6, 7)], False),
    ("http://h/\t\ud83d\ude00\ude00\ud83d\t\ude00", None,
     [("invalid-URL-unit", 9, 10), ("invalid-URL-unit", 12, 13), ("invalid-URL-unit", 13, 14),
      ("invalid-URL-unit", 15, 16)], False),
    ("?\ud800#\udc00", "http://h/\ud800", [("invalid-URL-unit", 1, 2), ("invalid-URL-unit", 3, 4)], False),
    ("#\ud800", "x:\ud800", [("invalid-URL-unit", 1, 2)], False),
    ("http://\ud800@h/", None, [("invalid-credentials", 7, 9)], False),
    ("http://\ud800/", None, [("domain-to-ASCII", 7, 8)], True),
    ("http://h:\ud800", None, [("port-invalid", 9, 10)], True),
    # before the states
    ("", None, [(NO_SCHEME, 0, 0)], True),
    ("   ", None, [("invalid-URL-unit", 0, 3), (NO_SCHEME, 3, 3)], True),
    ("\0http://h/\x1f", None, [("invalid-URL-unit", 0, 1)], False),
    ("http://h/ \t", None, [("invalid-URL-unit", 9, 11)], False),
    ("\thttp://h/", None, [("invalid-URL-unit", 0, 1)], False),
    ("ht\ttp\n://h\r/", None, [("invalid-URL-unit", 2, 3)], False),
    (
        " h\tttp://h/%",
        None,
        [("invalid-URL-unit", 0, 1), ("invalid-URL-unit", 2, 3), ("invalid-URL-unit", 11, 12)],
        False,
    ),
    ("http://u\t:p@h/", None, [("invalid-URL-unit", 8, 9), ("invalid-credentials", 7, 12)], False),
    ("http://1.\t2.3.256/", None, [("invalid-URL-unit", 9, 10), ("IPv4-out-of-range-part", 14, 17)], True),
    ("http://h:\n7\n0000\n0", None, [("invalid-URL-unit", 9, 10), ("port-out-of-range", 10, 18)], True),
    ("http://\t", None, [("invalid-URL-unit", 7, 8), ("host-missing", 7, 7)], True),
    ("http:\t//", None, [("invalid-URL-unit", 5, 6), ("host-missing", 8, 8)], True),
    # surrogates
    ("http://h/\ud83d\ude00>", None, [("invalid-URL-unit", 11, 12)], False),
    ("http://h/\ud83f\udffe>", None, [("invalid-URL-unit", 9, 11), ("invalid-URL-unit", 11, 12)], False),
    ("http://h/\U0001f600>", None, [("invalid-URL-unit", 10, 11)], False),
    ("http://h/\ud800\udfff\udfff\ud800>", None, [("invalid-URL-unit", at, at + 1) for at in (11, 12, 13)], False),
    (
        " \ud83d\ude00\t\ud83d\ude00 ",
        None,
        [("invalid-URL-unit", 0, 1), ("invalid-URL-unit", 3, 4), (NO_SCHEME, 1, 6)],
        True,
    ),
    ("\ud800:x", None, [(NO_SCHEME, 0, 3)], True),
    ("http://h\ud800/", None, [("domain-to-ASCII", 7, 9)], True),
    # scheme, no scheme
    ("1http://h", None, [(NO_SCHEME, 0, 9)], True),
    ("ht~tp://h", None, [(NO_SCHEME, 0, 9)], True),
    ("example", None, [(NO_SCHEME, 0, 7)], True),
    ("#f", "mailto:a", [], False),
    ("#<", "mailto:a", [("invalid-URL-unit", 1, 2)], False),
    ("?q", "mailto:a", [(NO_SCHEME, 0, 2)], True),
    ("hello:world", "https://example.com/", [], False),
    # slashes after the scheme
    ("http:/h", None, [(SOLIDUS, 5, 5), (SOLIDUS, 5, 6)], False),
    ("http:\\\\h", None, [(SOLIDUS, 5, 5), (SOLIDUS, 5, 6), (SOLIDUS, 6, 7)], False),
    ("http:\\/h", None, [(SOLIDUS, 5, 5), (SOLIDUS, 5, 6), (SOLIDUS, 6, 7)], False),
    ("http:///h", None, [(SOLIDUS, 7, 8)], False),
    ("http://\\h", None, [(SOLIDUS, 7, 8)], False),
    ("http:", None, [(SOLIDUS, 5, 5), ("host-missing", 5, 5)], True),
    ("http:h", "http://x/a/b", [(SOLIDUS, 5, 5)], False),
    ("http:/h", "http://x/", [(SOLIDUS, 5, 5)], False),
    ("http:\\h", "http://x/", [(SOLIDUS, 5, 5), ("invalid-reverse-solidus", 5, 6)], False),
    ("http:", "http://x/", [(SOLIDUS, 5, 5)], False),
    ("http://h", "http://x/", [], False),
    ("http:h", "https://x/", [(SOLIDUS, 5, 5)], False),
    # relative, relative slash
    ("\\\\h/x", "http://x/", [("invalid-reverse-solidus", 0, 1), ("invalid-reverse-solidus", 1, 2)], False),
    ("/\\h", "http://x/", [("invalid-reverse-solidus", 1, 2)], False),
    ("//\\h", "http://x/", [(SOLIDUS, 2, 3)], False),
    ("//", "http://x/", [("host-missing", 2, 2)], True),
    ("\\x", "http://x/a", [("invalid-reverse-solidus", 0, 1)], False),
    ("\\x", "web:/a/b", [("invalid-URL-unit", 0, 1)], False),
    ("", "http://u:p@x/a?q", [], False),
    ("../b", "http://x/a/", [], False),
    # authority
    ("http://@@h", None, [("invalid-credentials", 7, 8), ("invalid-credentials", 8, 9)], False),
    ("http://a:b@c@h/", None, [("invalid-credentials", 7, 11), ("invalid-credentials", 11, 13)], False),
    ("http://u@/x", None, [("invalid-credentials", 7, 9), ("host-missing", 9, 9)], True),
    ("http://u:p%zz@h/", None, [("invalid-credentials", 7, 14)], False),
    ("x://u@", None, [("invalid-credentials", 4, 6), ("host-missing", 6, 6)], True),
    ("x://u@?", None, [("invalid-credentials", 4, 6), ("host-missing", 6, 6)], True),
    ("x://", None, [], False),
    ("x:///a", None, [], False),
    # host, port
    ("http://u@:80", None, [("invalid-credentials", 7, 9), ("host-missing", 9, 9)], True),
    ("x://:80", None, [("host-missing", 4, 4)], True),
    ("http://\\", None, [(SOLIDUS, 7, 8), ("host-missing", 8, 8)], True),
    ("http://?", None, [("host-missing", 7, 7)], True),
    ("x://?", None, [], False),
    ("http://h:", None, [], False),
    ("http://h:65535", None, [], False),
    ("http://h:65536", None, [("port-out-of-range", 9, 14)], True),
    ("http://h:0000000000000000000000080/", None, [], False),
    ("http://h:8 0/", None, [("port-invalid", 10, 11)], True),
    ("http://h:-1", None, [("port-invalid", 9, 10)], True),
    ("http://h:80\\x", None, [("invalid-reverse-solidus", 11, 12)], False),
    ("x://h:80\\x", None, [("port-invalid", 8, 9)], True),
    ("x://u@h:80:", None, [("invalid-credentials", 4, 6), ("port-invalid", 10, 11)], True),
    ("http://h\\x", None, [("invalid-reverse-solidus", 8, 9)], False),
    # domains
    ("http://EXAMPLE.com./", None, [("domain-to-ASCII", 7, 19)], False),
    ("http://a..b/", None, [("domain-to-ASCII", 7, 11)], False),
    ("http://a_b/", None, [("domain-to-ASCII", 7, 10)], False),
    ("http://xn--a/", None, [("domain-to-ASCII", 7, 12)], False),
    ("http://xn--a.é/", None, [("domain-to-ASCII", 7, 14)], True),
    ("http://faß.example/", None, [], False),
    ("http://☕.example/", None, [], False),
    (f"http://{'a' * 64}/", None, [("domain-to-ASCII", 7, 71)], False),
    ("http://a%zz/", None, [("domain-to-ASCII", 7, 11)], True),
    ("http://a%zz%41/", None, [("domain-percent-encoded", 11, 14), ("domain-to-ASCII", 7, 14)], True),
    ("http://%/", None, [("domain-to-ASCII", 7, 8)], True),
    ("http://%ff/", None, [("domain-percent-encoded", 7, 10), ("domain-to-ASCII", 7, 10)], True),
    ("http://%C3%A9/", None, [("domain-percent-encoded", 7, 10)], False),
    ("http://\u00ad/", None, [("domain-to-ASCII", 7, 8)], True),
    ("http:// /", None, [("domain-to-ASCII", 7, 8)], True),
    ("http://a^b", None, [("domain-to-ASCII", 7, 10)], True),
    # IPv4
    ("http://1.2.3.4/", None, [], False),
    ("http://１２７.1/", None, [("IPv4-non-ASCII-input", 7, 12), ("IPv4-too-few-parts", 7, 12)], False),
    ("http://%31.2.3.4/", None, [("domain-percent-encoded", 7, 10)], False),
    ("http://%31.2.3.999/", None, [("domain-percent-encoded", 7, 10), ("IPv4-out-of-range-part", 7, 18)], True),
    ("http://1.2.3.4.", None, [("domain-to-ASCII", 7, 15), ("IPv4-empty-part", 14, 15)], False),
    ("http://1.2.3.4..", None, [("domain-to-ASCII", 7, 16)], False),
    ("http://09/", None, [("IPv4-too-few-parts", 7, 9), ("IPv4-non-numeric-part", 7, 9)], True),
    ("http://0x/", None, [("IPv4-too-few-parts", 7, 9), ("IPv4-non-decimal-part", 7, 9)], False),
    ("http://256.1.1.1/", None, [("IPv4-out-of-range-part", 7, 10)], True),
    ("http://1.2.3.256", None, [("IPv4-out-of-range-part", 13, 16)], True),
    ("http://1.256", None, [("IPv4-too-few-parts", 7, 12), ("IPv4-out-of-range-part", 9, 12)], False),
    ("http://4294967295", None, [("IPv4-too-few-parts", 7, 17), ("IPv4-out-of-range-part", 7, 17)], False),
    ("http://4294967296", None, [("IPv4-too-few-parts", 7, 17), ("IPv4-out-of-range-part", 7, 17)], True),
    ("http://0X100.1.1.1", None, [("IPv4-non-decimal-part", 7, 12), ("IPv4-out-of-range-part", 7, 12)], True),
    ("http://01.02.3.4", None, [("IPv4-non-decimal-part", 7, 9), ("IPv4-non-decimal-part", 10, 12)], False),
    (
        "http://..1",
        None,
        [("domain-to-ASCII", 7, 10), ("IPv4-too-few-parts", 7, 10), ("IPv4-non-numeric-part", 7, 7)],
        True,
    ),
    ("http://a.0x1g", None, [], False),
    # IPv6
    ("http://[]", None, [("IPv6-too-few-pieces", 8, 8)], True),
    ("http://[1:2:3:4:5:6:7:8:]", None, [("IPv6-invalid-code-point", 24, 24)], True),
    ("http://[00::0001]", None, [("IPv6-piece-leading-zero", 8, 10), ("IPv6-piece-leading-zero", 12, 16)], False),
    ("http://[::12345]", None, [("IPv6-invalid-code-point", 14, 15)], True),
    ("http://[::1]x", None, [("IPv6-unclosed", 7, 13)], True),
    ("http://[:", None, [("IPv6-unclosed", 7, 9)], True),
    ("http://[:::]", None, [("IPv6-multiple-compression", 10, 11)], True),
    ("http://[1::2:3:4:5:6:7:8]", None, [("IPv6-too-many-pieces", 23, 24)], True),
    ("http://[::%31]", None, [("IPv6-invalid-code-point", 10, 11)], True),
    ("http://[::0x1.2]", None, [("IPv6-invalid-code-point", 11, 12)], True),
    ("http://[::1.]", None, [("IPv4-in-IPv6-invalid-code-point", 12, 12)], True),
    ("http://[::01.2.3.4]", None, [("IPv4-in-IPv6-invalid-code-point", 11, 12)], True),
    ("x://[::1.2.3.4]", None, [], False),
    ("x://[0::1", None, [("IPv6-unclosed", 4, 9)], True),
    # opaque hosts
    ("x://a b", None, [("host-invalid-code-point", 5, 6)], True),
    ("x://a%zb", None, [("invalid-URL-unit", 5, 6)], False),
    ('x://a"b%z\u00ad`%', None, [("invalid-URL-unit", 5, 6), ("invalid-URL-unit", 7, 8)], False),
    ("x://é%41", None, [], False),
    ("x://1.2.3.4.5", None, [], False),
    # file
    ("file:", None, [(SOLIDUS, 5, 5)], False),
    ("file:/x", None, [(SOLIDUS, 5, 5)], False),
    ("file:///x", None, [], False),
    ("file://localhost/", None, [], False),
    (
        "file:\\\\h\\x",
        None,
        [
            (SOLIDUS, 5, 5),
            ("invalid-reverse-solidus", 5, 6),
            ("invalid-reverse-solidus", 6, 7),
            ("invalid-reverse-solidus", 8, 9),
        ],
        False,
    ),
    ("file://C|/x", None, [("file-invalid-Windows-drive-letter-host", 7, 9)], False),
    ("file:///C|/x", None, [("invalid-URL-unit", 9, 10)], False),
    (
        "file:c|",
        "file:///d:",
        [(SOLIDUS, 5, 5), ("file-invalid-Windows-drive-letter", 5, 7), ("invalid-URL-unit", 6, 7)],
        False,
    ),
    ("c|?q", "file:///a/b", [("file-invalid-Windows-drive-letter", 0, 2), ("invalid-URL-unit", 1, 2)], False),
    ("c|a", "file:///a/b", [("invalid-URL-unit", 1, 2)], False),
    ("//C:/x", "file:///a", [("file-invalid-Windows-drive-letter-host", 2, 4)], False),
    ("file://%41/", None, [("domain-percent-encoded", 7, 10)], False),
    ("file://a_b/x", None, [("domain-to-ASCII", 7, 10)], False),
    ("file://h:80/x", None, [("domain-to-ASCII", 7, 11)], True),
    ("..", "file:///C:/demo", [], False),
    # path, opaque path, query, fragment
    (
        "http://h/a\\b?\\#\\",
        None,
        [("invalid-reverse-solidus", 10, 11), ("invalid-URL-unit", 13, 14), ("invalid-URL-unit", 15, 16)],
        False,
    ),
    ("http://h/%2", None, [("invalid-URL-unit", 9, 10)], False),
    ("http://h/%2e%2g", None, [("invalid-URL-unit", 12, 13)], False),
    ("http://h?%#%4", None, [("invalid-URL-unit", 9, 10), ("invalid-URL-unit", 11, 12)], False),
    ("http://h/?é'\"#`", None, [("invalid-URL-unit", 12, 13), ("invalid-URL-unit", 14, 15)], False),
    ("http://h/#a#b", None, [("invalid-URL-unit", 11, 12)], False),
    (
        "http://h/\ufdd0\ufffe\U0001ffff\ufffd\u0080\u00a0",
        None,
        [("invalid-URL-unit", position, position + 1) for position in (9, 10, 11, 13)],
        False,
    ),
    ("web+x:/..//a", None, [], False),
    ("x:/a\\b", None, [("invalid-URL-unit", 4, 5)], False),
    ("x:a b", None, [("invalid-URL-unit", 3, 4)], False),
    ("x:a  ?q", None, [("invalid-URL-unit", 3, 4), ("invalid-URL-unit", 4, 5)], False),
    ("x:%4", None, [("invalid-URL-unit", 2, 3)], False),
    ("x:[", None, [("invalid-URL-unit", 2, 3)], False),
]  # fmt: skip


@pytest.mark.parametrize(("text", "base", "expected", "failure"), DERIVED)
def test_derived(text: str, base: str | None, expected: Errors, failure: bool) -> None:
    assert errors(text, base) == expected
    assert outcome(text, base).failure is failure
    same(text, base)


def test_details_of_a_domain() -> None:
    """What makes it fail or, where it does not fail, why it is not valid."""
    for host, details in {
        "a_b.c.-d": [Failure("U1", "a_b"), Failure("V3", "-d")],
        "a_b.c#d": [Failure("U1", "c#d")],
        "a_b.\u200d": [Failure("C2", "\u200d")],
        "-é": [Failure("V3", "-é")],
    }.items():
        [error] = outcome(f"http://{host.replace('#', '%23')}/").errors[-1:]
        assert error.name == "domain-to-ASCII"
        assert list(error.detail) == details
    assert outcome("http://h/>").errors[0].detail == ()


# https://url.spec.whatwg.org/#host-parsing: the table's rows, for special schemes and for others.
HOST_TABLE = [
    ("EXAMPLE.COM", "example.com domain", "EXAMPLE.COM opaque"),
    ("example%2Ecom", "example.com domain", "example%2Ecom opaque"),
    ("faß.example", "xn--fa-hia.example domain", "fa%C3%9F.example opaque"),
    ("0", "0.0.0.0 ipv4", "0 opaque"),
    ("%30", "0.0.0.0 ipv4", "%30 opaque"),
    ("0x", "0.0.0.0 ipv4", "0x opaque"),
    ("0xffffffff", "255.255.255.255 ipv4", "0xffffffff opaque"),
    ("[0:0::1]", "[::1] ipv6", "[::1] ipv6"),
    ("[0:0::1%5D", None, None),
    ("[0:0::%31]", None, None),
    ("09", None, "09 opaque"),
    ("example.255", None, "example.255 opaque"),
    ("example^example", None, None),
]


@pytest.mark.parametrize(("text", "domain", "opaque"), HOST_TABLE)
def test_host_table(text: str, domain: str | None, opaque: str | None) -> None:
    for is_opaque, expected in ((False, domain), (True, opaque)):
        host = parse_host(text, is_opaque, lambda name, start, end, detail=(): None)
        assert (host and f"{host} {host.host_type}") == expected
    same(f"https://{text}/")
    same(f"x://{text}/")


# https://url.spec.whatwg.org/#urls: the table's rows, with its column Valid.
URL_TABLE = [
    ("https:example.org", None, False, "https://example.org/"),
    ("https://////example.com///", None, False, "https://example.com///"),
    ("https://example.com/././foo", None, True, "https://example.com/foo"),
    ("hello:world", "https://example.com/", True, "hello:world"),
    ("https:example.org", "https://example.com/", False, "https://example.com/example.org"),
    ("\\example\\..\\demo/.\\", "https://example.com/", False, "https://example.com/demo/"),
    ("example", "https://example.com/demo", True, "https://example.com/example"),
    ("file:///C|/demo", None, False, "file:///C:/demo"),
    ("..", "file:///C:/demo", True, "file:///C:/"),
    ("file://localhost/", None, True, "file:///"),
    ("file://loc%61lhost/", None, False, "file:///"),
    ("https://user:password@example.org/", None, False, "https://user:password@example.org/"),
    ("https://example.org/foo bar", None, False, "https://example.org/foo%20bar"),
    ("https://EXAMPLE.com/../x", None, True, "https://example.com/x"),
    ("https://ex ample.org/", None, False, None),
    ("example", None, False, None),
    ("https://example.com:demo", None, False, None),
    ("http://[www.example.com]/", None, False, None),
    ("https://example.org//", None, True, "https://example.org//"),
    ("https://example.com/[]?[]#[]", None, False, "https://example.com/[]?[]#[]"),
    ("https://example/%?%#%", None, False, "https://example/%?%#%"),
    ("https://example/%25?%25#%25", None, True, "https://example/%25?%25#%25"),
]


@pytest.mark.parametrize(("text", "base", "valid", "output"), URL_TABLE)
def test_url_table(text: str, base: str | None, valid: bool, output: str | None) -> None:
    url, found, _ = outcome(text, base)
    assert (found == []) is valid
    assert (None if url is None else serialize_url(url)) == output
    same(text, base)


# https://url.spec.whatwg.org/#url-representation: scheme, host, port, path, query, fragment.
COMPONENTS = [
    ("https://example.com/", "https", "example.com", None, [""], None, None),
    ("https://localhost:8000/search?q=text#hello", "https", "localhost", 8000, ["search"], "q=text", "hello"),
    ("urn:isbn:9780307476463", "urn", None, None, "isbn:9780307476463", None, None),
    (
        "file:///ada/Analytical%20Engine/README.md",
        "file",
        "",
        None,
        ["ada", "Analytical%20Engine", "README.md"],
        None,
        None,
    ),
]


@pytest.mark.parametrize(("text", "scheme", "host", "port", "path", "query", "fragment"), COMPONENTS)
def test_components(
    text: str,
    scheme: str,
    host: str | None,
    port: int | None,
    path: list[str] | str,
    query: str | None,
    fragment: str | None,
) -> None:
    url, found, _ = outcome(text)
    assert url is not None
    assert found == []
    assert (url.scheme, url.port, url.path, url.query, url.fragment) == (scheme, port, path, query, fragment)
    assert (None if url.host is None else str(url.host)) == host
    assert (url.username, url.password) == ("", "")


def test_percent_encode_operations() -> None:
    """https://url.spec.whatwg.org/#percent-encoded-bytes: the table's rows that the parser has a part in."""
    special_query = percent.SPECIAL_QUERY_PERCENT_ENCODE_SET
    userinfo = percent.USERINFO_PERCENT_ENCODE_SET
    shift_jis = get_encoding("shift_jis")
    assert percent.percent_encode(0x23) == "%23"
    assert percent.percent_encode(0x7F) == "%7F"
    assert percent.percent_decode(b"%25%s%1G") == b"%%s%1G"
    assert percent.percent_decode_string("‽%25%2E") == b"\xe2\x80\xbd\x25\x2e"
    assert percent.percent_encode_after_encoding(shift_jis, " ", special_query) == "%20"
    assert percent.percent_encode_after_encoding(shift_jis, "≡", special_query) == "%81%DF"
    assert percent.percent_encode_after_encoding(shift_jis, "‽", special_query) == "%26%238253%3B"
    iso_2022_jp = get_encoding("iso-2022-jp")
    assert percent.percent_encode_after_encoding(iso_2022_jp, "¥", special_query) == "%1B(J\\%1B(B"
    assert percent.utf_8_percent_encode("≡", userinfo) == "%E2%89%A1"
    assert percent.utf_8_percent_encode("‽", userinfo) == "%E2%80%BD"
    assert percent.utf_8_percent_encode_string("Say what‽", userinfo) == "Say%20what%E2%80%BD"
    for c in map(chr, range(0x80)):
        for encode_set in (special_query, userinfo, percent.PATH_PERCENT_ENCODE_SET):
            encoded = percent.percent_encode_after_encoding(UTF_8, c, encode_set)
            assert (
                percent.utf_8_percent_encode(c, encode_set) == encoded == (f"%{ord(c):02X}" if c in encode_set else c)
            )


def test_windows_drive_letters() -> None:
    """https://url.spec.whatwg.org/#start-with-a-windows-drive-letter: the table's rows."""
    assert [starts_with_a_windows_drive_letter(text, 0) for text in ("c:", "c:/", "c:a", "c", "")] == [
        True, True, False, False, False,
    ]  # fmt: skip
    assert starts_with_a_windows_drive_letter("abc|#", 2)
    assert not is_windows_drive_letter("1:")


def test_compressed_piece_index() -> None:
    """https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index: its example."""
    assert find_compressed_piece_index((0, 0xF, 0, 0, 0xF, 0xF, 0, 0)) == 2
    assert find_compressed_piece_index((1, 0, 1, 0, 1, 0, 1, 0)) is None


# The fast parser


def own_cases(name: str) -> list[Case]:
    document = json.loads((DATA / name).read_bytes())
    if isinstance(document, list):
        return [case for case in document if isinstance(case, dict)]
    return [
        {"attribute": attribute, **case}
        for attribute, cases in document.items()
        if attribute not in ("comment", "href")
        for case in cases
    ]


def test_same_on_our_cases() -> None:
    for case in own_cases("urls.json"):
        same(case["input"], case["base"])


def test_same_setters_on_our_cases() -> None:
    for case in own_cases("setters.json"):
        same_setter(case["href"], case["attribute"], case["new_value"])


@all_cases("urltestdata.json")
def test_same_on_wpt(case: Case) -> None:
    same(case["input"], case["base"])


@all_cases("urltestdata-javascript-only.json")
def test_same_on_wpt_with_surrogates(case: Case) -> None:
    same(case["input"], case["base"])


@all_cases("setters_tests.json", lambda case: case["attribute"] != "href")
def test_same_setters_on_wpt(case: Case) -> None:
    same_setter(case["href"], case["attribute"], case["new_value"])


@all_cases("toascii.json")
def test_same_on_wpt_hosts(case: Case) -> None:
    same(f"https://{case['input']}/x")
    same(f"x://{case['input']}/x")


@pytest.mark.parametrize(
    "case",
    [case for case in own_cases("urls.json") if "?" in case["input"]],
    ids=case_id,
)
def test_same_with_an_encoding(case: Case) -> None:
    for encoding in ("latin1", "shift_jis", "iso-2022-jp", "gb18030", "utf-16"):
        same(case["input"] + "é≡‽¥", case["base"], encoding)


def test_encodings() -> None:
    for scheme, query in {"http": "%E9", "ws": "%C3%A9", "x": "%C3%A9", "file": "%E9"}.items():
        url = outcome(f"{scheme}://h/?é", encoding="latin1").url
        assert url is not None
        assert url.query == query
    with pytest.raises(LookupError):
        parse("http://h/", encoding="no such")


def test_the_comparison_notices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a component nor an error goes unseen."""
    monkeypatch.setattr("support.literal_compare.parse", lambda text, *_, **__: parse(text.replace("h", "i", 1)))
    for text in ("xh:a", "x://h", "x:/h", "x:/?h", "x:#h", "x://h@y", "x://y:h@y"):
        with pytest.raises(AssertionError):
            same(text)
    same("x://y")
    with pytest.raises(AssertionError):
        same_setter("x://h/", "hash", "a")
    for other in ("http://h:x", "http://h"):
        monkeypatch.setattr("support.literal_compare.parse", lambda *_, other=other, **__: parse(other))
        for text in ("http://[", "http://i/"):
            with pytest.raises(AssertionError):
                same(text)
    with pytest.raises(AssertionError):
        same("http://h", "not a URL")


# State overrides


@pytest.mark.parametrize(
    ("href", "state", "value", "result", "names", "failure"),
    [
        ("http://h:443/", "scheme_start_state", "https:", "https://h/", [], False),
        ("http://h/", "scheme_start_state", "x:", "http://h/", [], False),
        ("x://h/", "scheme_start_state", "http:", "x://h/", [], False),
        ("http://u@h/", "scheme_start_state", "file:", "http://u@h/", [], False),
        ("file:///a", "scheme_start_state", "http:", "file:///a", [], False),
        ("http://h/", "scheme_start_state", "1:", "http://h/", [], True),
        ("http://h/", "scheme_start_state", "https", "http://h/", [], True),
        ("http://h/", "host_state", "i:81", "http://i:81/", [], False),
        ("http://h/", "host_state", "i:x", "http://i/", [], True),
        ("http://h/", "host_state", "i:99999", "http://i/", ["port-out-of-range"], True),
        ("http://h/", "host_state", "", "http://h/", ["host-missing"], True),
        ("http://h/", "host_state", ":80", "http://h/", ["host-missing"], True),
        ("http://h/", "host_state", "a b", "http://h/", ["domain-to-ASCII"], True),
        ("x://u@h/", "host_state", "", "x://u@h/", [], True),
        ("x://h/", "host_state", "", "x:///", [], False),
        ("http://h/", "hostname_state", "i:81", "http://h/", [], True),
        ("file://h/", "hostname_state", "C|", "file://h/", ["domain-to-ASCII"], True),
        ("file://h/", "host_state", "localhost/x", "file:///", [], False),
        ("file://h/", "host_state", "", "file:///", [], False),
        ("http://h/", "port_state", "81x", "http://h:81/", [], False),
        ("http://h:1/", "port_state", "80", "http://h/", [], False),
        ("http://h:1/", "port_state", "x", "http://h:1/", [], True),
        ("http://h/", "port_state", "\t8\n1", "http://h:81/", ["invalid-URL-unit"], False),
        ("http://h/?q", "path_start_state", "x?y#z", "http://h//x%3Fy%23z?q", ["invalid-URL-unit"], False),
        ("http://h/#f", "query_state", "a#b", "http://h/?a%23b#f", ["invalid-URL-unit"], False),
        ("http://h/", "fragment_state", "a b", "http://h/#a%20b", ["invalid-URL-unit"], False),
    ],
)
def test_state_overrides(href: str, state: str, value: str, result: str, names: list[str], failure: bool) -> None:
    url = parse(href).url
    assert url is not None
    if state == "query_state":
        url.query = ""
    if state == "fragment_state":
        url.fragment = ""
    ended = parse(value, url=url, state_override=state)
    assert serialize_url(url) == result
    assert [error.name for error in ended.errors] == names
    assert ended.failure is failure
    assert ended.url is (None if failure else url)


def test_setters_ignore() -> None:
    for href, names in {
        "mailto:a": ["username", "password", "host", "hostname", "port", "pathname"],
        "file:///a": ["username", "password", "port"],
        "x:/a": ["username", "password", "port"],
    }.items():
        for name in names:
            url = parse(href).url
            assert url is not None
            assert SETTERS[name](url, "1") == Outcome(url, [])
            assert serialize_url(url) == href
    assert set(SETTERS) == {name.removeprefix("set_") for name in vars(setters) if name.startswith("set_")}


@given(st.text(st.sampled_from("ab\t\n\ud83d\ude00\U0001f600é"), max_size=300), st.integers(0, 3), st.integers(0, 3))
def test_places(string: str, before: int, after: int) -> None:
    """Where each code point of the text is in the string: against lists of all of them."""
    source = Source(string)
    starts: list[int] = []
    at = 0
    for code_point in source.text:
        starts.append(at)
        at += 2 if code_point > "\uffff" and string[at] != code_point else 1
    assert at == len(string)
    start, end = min(before, len(starts)), max(len(starts) - after, min(before, len(starts)))
    places = [*starts, at]
    source.cut(start, end)
    kept = [index for index in range(start, end) if source.text[index - start] not in "\t\n"]
    source.remove(frozenset("\t\n"))
    assert len(source.text) == len(kept)
    for index, place in enumerate(kept):
        assert source.position(index) == places[place]
        assert source.place(index, index + 1) == (places[place], places[place + 1])
    assert source.position(len(kept)) == places[end]


@given(st.lists(st.text(max_size=3), max_size=20), st.integers(0, 3000))
def test_text_buffer(texts: list[str], more: int) -> None:
    buffer = TextBuffer()
    for text in (*texts, *"é" * more):
        buffer.append(text)
    expected = "".join(texts) + "é" * more
    assert (len(buffer), str(buffer), bool(buffer)) == (len(expected), expected, expected != "")
    buffer.append("x")
    assert str(buffer) == str(buffer) == expected + "x"
    buffer.clear()
    assert (len(buffer), str(buffer)) == (0, "")
