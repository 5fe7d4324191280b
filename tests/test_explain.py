"""`explain`: its pictures, and that they say the truth."""

from __future__ import annotations

import gc
import re
import unicodedata
from collections.abc import Iterator
from itertools import accumulate, product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shapes import HOSTS, SHAPES, Make, fill
from test_linear import check

from weburl import URL, InvalidURL
from weburl._diagnosis.changes import changes
from weburl._diagnosis.credentials import credentials_in
from weburl._diagnosis.escapes import columns, escape_character, typed
from weburl._diagnosis.trace import Trace, anchor
from weburl._literal import parse
from weburl.display import display_url
from weburl.validation import explain, validate

STANDARD = "https://url.spec.whatwg.org/#"
# The marks come from the validation errors, the spans from the href, the changes from the two.
# ruff: noqa: E501 (the sentences are longer than a line)
PICTURES: list[tuple[str, str | None, str]] = [
    (
        "https://example.com/",
        None,
        """\
input   https://example.com/
href    https://example.com/

  scheme    0:5       https
  host      8:19      example.com (domain)
  path      19:20     /

No changes: the input is its own href.""",
    ),
    (
        "HTTP://user:secret@EXAMPLE.com:80/a/../b c",
        None,
        """\
input   HTTP://***@EXAMPLE.com:80/a/../b c
               ^~~~ 1
                                        ^ 2
  1. invalid-credentials: A valid URL has no username and no password: remove the text before this @, and the @.
  2. invalid-URL-unit: A valid URL cannot have ' ' here: write %20 instead.
href    http://***:***@example.com/b%20c

  scheme    0:4       http
  username  7:10      ***
  password  11:14     ***
  host      15:26     example.com (domain)
  path      26:32     /b%20c

Step by step:
  What comes before the @ is a username and a password, whatever it looks like: it is not the host.
        http://***:***@
  The host is 'EXAMPLE.com'.
        http://***:***@example.com
  ':80' is the default port of the scheme: it is dropped.
  '..' removes the segment before it, 'a'.

Changes:
  scheme lower-cased: 'HTTP' -> 'http'
        https://url.spec.whatwg.org/#scheme-state
  host lower-cased: 'EXAMPLE.com' -> 'example.com'
        https://url.spec.whatwg.org/#concept-domain-to-ascii
  default port removed: ':80'
        https://url.spec.whatwg.org/#port-state
  dot segments removed: 1
        https://url.spec.whatwg.org/#path-state
  path percent-encoded: ' ' -> %20
        https://url.spec.whatwg.org/#path-percent-encode-set""",
    ),
    (
        "http://[1::0:x]/",
        None,
        """\
input   http://[1::0:x]/
                     ^ 1
  1. IPv6-invalid-code-point (failure): The IPv6 address cannot have 'x' here.

It does not parse: failure at 15, in the host state
        https://url.spec.whatwg.org/#host-state""",
    ),
    (
        "//user:secret@h/x",
        None,
        """\
input   //***@h/x
        ^~~~~~~~~ 1
  1. missing-scheme-non-relative-URL (failure): Only the scheme is missing: write https: before the slashes, or give a base.

It does not parse: failure at 0, in the no scheme state
        https://url.spec.whatwg.org/#no-scheme-state""",
    ),
    (
        "../x?y#z",
        "http://user:secret@h:8/a/b/c",
        """\
input   ../x?y#z
base    http://***:***@h:8/a/b/c
href    http://***:***@h:8/a/x?y#z

  scheme    0:4       http
  username  7:10      ***
  password  11:14     ***
  host      15:16     h (domain)
  port      17:18     8
  path      18:22     /a/x
  query     23:24     y
  fragment  25:26     z

Step by step:
  The URL has no scheme: 'http:' is the base's.
        http:
  The host is the base's, 'h'.
        http://***:***@h:8
  The path starts as the base's: '/a/b'.
        http://***:***@h:8/a/b
  '..' removes the segment before it, 'b'.
        http://***:***@h:8/a

Changes:
  taken from the base: scheme, username, password, host, port, path
        https://url.spec.whatwg.org/#relative-state
  dot segments removed: 1
        https://url.spec.whatwg.org/#path-state""",
    ),
    (
        "file:///C|/x\\y",
        None,
        """\
input   file:///C|/x\\y
                 ^ 1
                    ^ 2
  1. invalid-URL-unit: A valid URL cannot have '|' here: write : after a drive letter, and %7C elsewhere.
  2. invalid-reverse-solidus: A backslash is used as a slash here: write /.
href    file:///C:/x/y

  scheme    0:4       file
  host      7:7       (empty)
  path      7:14      /C:/x/y

Step by step:
  'C|' is a drive letter, written 'C:'. A backslash is a slash in a file URL.
        file:///C:/x/y

Changes:
  backslashes to slashes: 1 in the path
        https://url.spec.whatwg.org/#path-state
  drive letter normalized: 'C|' -> 'C:'
        https://url.spec.whatwg.org/#path-state""",
    ),
    (
        "http://1.2.3/\u202e\u65e5\u672c>|",
        None,
        """\
input   http://1.2.3/<U+202E>日本>|
               ^~~~~ 1
                                 ^ 2
                                  ^ 3
  1. IPv4-too-few-parts: The IPv4 address has fewer than four numbers: write all four, as in 1.2.0.3.
  2. invalid-URL-unit: A valid URL cannot have '>' here: write %3E instead.
  3. invalid-URL-unit: A valid URL cannot have '|' here: write %7C instead.
href    http://1.2.0.3/%E2%80%AE%E6%97%A5%E6%9C%AC%3E|

  scheme    0:4       http
  host      7:14      1.2.0.3 (ipv4)
  path      14:46     /%E2%80%AE%E6%97%A5%E6%9C%AC%3E|

Step by step:
  '1.2.3' is the IPv4 address 1.2.0.3. The last number fills what is left of the address.
        http://1.2.0.3

Changes:
  IPv4 address normalized: '1.2.3' -> '1.2.0.3'
        https://url.spec.whatwg.org/#concept-ipv4-parser
  path percent-encoded: '<U+202E>' -> %E2%80%AE, '日' -> %E6%97%A5, '本' -> %E6%9C%AC, '>' -> %3E
        https://url.spec.whatwg.org/#path-percent-encode-set""",
    ),
    (
        "web+demo:/..//x",
        None,
        """\
input   web+demo:/..//x
href    web+demo:/.//x

  scheme    0:8       web+demo
  path      11:14     //x

Step by step:
  '..' removes nothing: the path is at its start.
        web+demo:
  '/.' goes before the path: its two slashes would start a host.
        web+demo:/.//x

Changes:
  /. before the path: '//' -> '/.//'
        https://url.spec.whatwg.org/#concept-url-serializer
  dot segments removed: 1
        https://url.spec.whatwg.org/#path-state""",
    ),
    (
        "http:\\\\h:\\p?'",
        None,
        """\
input   http:\\\\h:\\p?'
             ^~ 1
                 ^ 2
  1. special-scheme-missing-following-solidus: The scheme is followed by '\\\\': write // instead.
  2. invalid-reverse-solidus: A backslash is used as a slash here: write /.
href    http://h/p?%27

  scheme    0:4       http
  host      7:8       h (domain)
  path      8:10      /p
  query     11:14     %27

Step by step:
  '\\\\' is read as '//': in an http URL, a backslash is a slash. A host follows.
        http://
  The host is 'h'.
        http://h

Changes:
  slashes: '\\\\' -> '//'
        https://url.spec.whatwg.org/#special-authority-slashes-state
  backslashes to slashes: 1 in the path
        https://url.spec.whatwg.org/#path-start-state
  empty port removed: ':'
        https://url.spec.whatwg.org/#port-state
  query percent-encoded: "'" -> %27
        https://url.spec.whatwg.org/#special-query-percent-encode-set""",
    ),
    (
        "x:a\t ?b",
        None,
        """\
input   x:a<U+0009> ?b
           ^~~~~~~~ 1
                   ^ 2
  1. invalid-URL-unit: Tabs and newlines in a URL do not count: remove them.
  2. invalid-URL-unit: A valid URL cannot have ' ' here: write %20 instead.
href    x:a%20?b

  scheme    0:1       x
  path      2:6       a%20
  query     7:8       b

Step by step:
  All tabs are removed, also inside of words: what is read is 'x:a ?b'.
  'a ' is the path. It is opaque: a text without host, segments or parameters.
        x:a%20

Changes:
  tabs and newlines removed: 1
        https://url.spec.whatwg.org/#concept-basic-url-parser
  path percent-encoded: ' ' -> %20
        https://url.spec.whatwg.org/#cannot-be-a-base-url-path-state""",
    ),
    (
        "http://b\xfccher.example/\ud800",
        None,
        """\
input   http://bücher.example/<U+D800>
                              ^~~~~~~~ 1
  1. invalid-URL-unit: A valid URL cannot have '\\ud800', half of a surrogate pair: remove it, or write the character.
href    http://xn--bcher-kva.example/%EF%BF%BD

  scheme    0:4       http
  host      7:28      xn--bcher-kva.example (domain)
  path      28:38     /%EF%BF%BD

Step by step:
  Half of a surrogate pair is not a character: U+FFFD takes its place.
  The host is 'bücher.example'. 'bücher' is 'xn--bcher-kva' in ASCII.
        http://xn--bcher-kva.example

Changes:
  surrogates: 1 lone surrogate replaced by U+FFFD
        https://infra.spec.whatwg.org/#javascript-string-convert
  host mapped by ToASCII: 'bücher.example' -> 'xn--bcher-kva.example'
        https://url.spec.whatwg.org/#concept-domain-to-ascii
  path percent-encoded: '<U+FFFD>' -> %EF%BF%BD
        https://url.spec.whatwg.org/#path-percent-encode-set""",
    ),
    (
        "x",
        "http://user:secret@h:x",
        """\
base    'http://***@h:x' does not parse:

input   http://***@h:x
               ^~~~ 1
                     ^ 2
  1. invalid-credentials: A valid URL has no username and no password: remove the text before this @, and the @.
  2. port-invalid (failure): A port cannot have 'x': write digits only.

It does not parse: failure at 21, in the port state
        https://url.spec.whatwg.org/#port-state""",
    ),
    (
        "file://localhost/",
        None,
        """\
input   file://localhost/
href    file:///

  scheme    0:4       file
  host      7:7       (empty)
  path      7:8       /

Step by step:
  'localhost' is left out: the host of a file on this machine is empty.
        file://

Changes:
  localhost removed: 'localhost' -> ''
        https://url.spec.whatwg.org/#file-host-state""",
    ),
    (
        "blob:https://user:secret@h/ x",
        None,
        """\
input   blob:https://***@h/ x
                           ^ 1
  1. invalid-URL-unit: A valid URL cannot have ' ' here: write %20 instead.
href    blob:https://***@h/ x

  scheme    0:4       blob
  path      5:21      https://***@h/ x

Step by step:
  'https://***@h/ x' is the path. It is opaque: a text without host, segments or parameters. A URL in it is only text here. Its origin counts as the origin of the blob.
        blob:https://***@h/ x

No changes: the input is its own href.""",
    ),
]


@pytest.mark.parametrize(("text", "base", "picture"), PICTURES)
def test_pictures(text: str, base: str | None, picture: str) -> None:
    assert explain(text, base) == picture


# For each kind of change, inputs with that change and no others but those named.
KINDS: dict[str, list[tuple[str, str | None, list[str]]]] = {
    "spaces and controls removed": [(" http://h/\x00", None, [])],
    "tabs and newlines removed": [("ht\ntp://h/\ta", None, [])],
    "surrogates": [("http://h/#\ud83d\ude00", None, ["fragment percent-encoded"])],
    "scheme lower-cased": [("hTTp://h/", None, []), ("X:y", None, [])],
    "slashes": [
        ("http:h/", None, []), ("http:/h/", None, []), ("http:///h/", None, []), ("http:\\\\h/", None, []),
        ("file:x", None, []), ("file:/x", None, []), ("file:\\\\h/x", None, []),
        ("////h/", "http://b/", ["taken from the base"]),
    ],
    "scheme without //": [("http:x", "http://h/", ["taken from the base"]), ("file:C:", "file:///D:/", [])],
    "backslashes to slashes": [("http://h\\a\\b", None, []), ("\\a", "http://h/", ["taken from the base"])],
    "username percent-encoded": [("http://ü@h/", None, [])],
    "password percent-encoded": [("http://u:p@p@h/", None, []), ("http://u:p:q@h/", None, [])],
    "empty credentials removed": [("http://@h/", None, []), ("x://:@h", None, [])],
    "empty password removed": [("http://u:@h/", None, [])],
    "host lower-cased": [("http://EXAMPLE/", None, [])],
    "host percent-decoded": [("http://ex%61mple/", None, [])],
    "host mapped by ToASCII": [
        ("http://faß.example/", None, []), ("http://１.2.3.4/", None, []),
        ("http://１.2.3/", None, ["IPv4 address normalized"]), ("file://ＬＯＣＡＬＨＯＳＴ/", None, ["localhost removed"]),
    ],
    "host percent-encoded": [("x://é/", None, [])],
    "IPv4 address normalized": [("http://0x7f.1/", None, []), ("http://1.2.3.4./", None, [])],
    "IPv6 address normalized": [("http://[0:0::1]/", None, []), ("x://[::FF]/", None, [])],
    "localhost removed": [("file://localhost/", None, [])],
    "drive letter moved from the host to the path": [("file://C:/", None, [])],
    "drive letter normalized": [("file:///C|/", None, [])],
    "empty port removed": [("http://h:/", None, [])],
    "default port removed": [("https://h:443/", None, []), ("ws://h:080/", None, [])],
    "port normalized": [("http://h:0081/", None, [])],
    "empty path to /": [("http://h", None, []), ("http://h?q", None, []), ("file://", None, [])],
    "dot segments removed": [("http://h/a/./../b", None, []), ("http://h/%2e", None, [])],
    "/. before the path": [("x:/..//a", None, ["dot segments removed"])],
    "path percent-encoded": [("http://h/{", None, []), ("x:é", None, []), ("x:a ?", None, [])],
    "query percent-encoded": [("http://h/?'", None, []), ("x:?<", None, [])],
    "fragment percent-encoded": [("http://h/#`", None, [])],
    "taken from the base": [
        ("//h/", "http://b/", []), ("?q", "http://h/p?r", []), ("#f", "x:y", []), ("", "file:///a", []),
        ("/b", "file:///C:/a", []),
    ],
}  # fmt: skip
CHANGE = re.compile(r"^  (\S[^:\n]*): .*\n {8}(https://\S+)$", re.MULTILINE)


def kinds(text: str, base: str | None = None) -> list[str]:
    _, _, made = explain(text, base).partition("\nChanges:\n")
    found = CHANGE.findall(made)
    assert 2 * len(found) == len(made.splitlines())
    return [kind for kind, _ in found]


@pytest.mark.parametrize("kind", KINDS)
def test_kinds(kind: str) -> None:
    for text, base, others in KINDS[kind]:
        assert sorted(set(kinds(text, base))) == sorted([kind, *others]), text
        assert kinds(URL(text, base).href) == []


def test_what_the_base_gave() -> None:
    def given_by_base(text: str, base: str) -> str:
        [line] = [line for line in explain(text, base).splitlines() if line.startswith("  taken from the base")]
        return line.partition(": ")[2]

    base = "http://u:p@h:8/a/b?q"
    assert given_by_base("//x", base) == "scheme"
    assert given_by_base("/x", base) == "scheme, username, password, host, port"
    assert given_by_base("x", base) == "scheme, username, password, host, port, path"
    assert given_by_base("../x", base) == "scheme, username, password, host, port"
    assert given_by_base("?x", base) == "scheme, username, password, host, port, path"
    assert given_by_base("#x", base) == "scheme, username, password, host, port, path, query"
    assert given_by_base("http:x", base) == "username, password, host, port, path"
    assert given_by_base("#x", "x:y?z") == "scheme, path, query"
    assert given_by_base("/x", "file:///C:/y") == "scheme, path"
    assert given_by_base("/D:/x", "file://h/C:/y") == "scheme, host"


def test_host_step_by_step() -> None:
    picture = explain("http://%EF%BC%90X7f.1/")
    for step in ("percent-decoded: '%EF%BC%90X7f.1' -> '０X7f.1'", "mapped by ToASCII: '０X7f.1' -> '0x7f.1'"):
        assert f"  host {step}\n" in picture
    assert "  IPv4 address normalized: '0x7f.1' -> '127.0.0.1'\n" in picture


def test_what_is_popped_is_not_claimed() -> None:
    assert kinds("http://h/é/../a") == ["dot segments removed"]
    assert kinds("http://h/é/./a") == ["dot segments removed", "path percent-encoded"]


UNITS = st.sampled_from(
    "http: HTTP:// https:// file: file:// x: x:// blob: / // \\ \\\\ @ : u p: C| C: ? # .. . %2e a É 日 \t \u202e".split(
        " "
    )
    + "\ud83d \ude00 \ud800 \u3164 \u200b \u0301 א \x00 \x7f \x85 \u2028 [::1] [1::0:0] 1.2 0x7f.1 80".split(" ")
    + "443 localhost %41 | ' \" xn-- a.b".split(" ")
    + [" "]
)
TEXTS = st.lists(UNITS, max_size=10).map("".join) | st.text(max_size=30)
BASES = st.sampled_from(
    [None, "http://u:p@h:8/a/b?q", "file:///C:/x/y", "file://h/x", "x:op?q", "x://h", "https://h/", "x:/a/b"]
)


@given(TEXTS, BASES)
def test_claims(text: str, base: str | None) -> None:
    picture = explain(text, base)
    assert explain(text, base) == picture
    url = URL.parse(text, base)
    assert ("It does not parse: " in picture) == (url is None)
    if url is not None:
        made = kinds(text, base)
        assert bool(made) == (url.href != text)
        trace = Trace(text, None if base is None else parse(base).url)
        parsed = trace.run().url
        assert parsed is not None
        found = [(change.kind, change.anchor) for change in changes(trace, text, parsed)]
        assert [kind for kind, _ in found] == made
        assert len(set(found)) == len(found)
        states = {where.removeprefix(STANDARD) for _, where in found if where.endswith("-state")}
        assert states <= set(map(anchor, trace.first))


# Which state records the error: derived by hand.
@pytest.mark.parametrize(
    ("text", "base", "expected"),
    [
        ("http:\\h", None, ["slashes special-authority-slashes"]),
        ("http:///h", None, ["slashes special-authority-ignore-slashes"]),
        ("http:///h", "http://b/", ["slashes special-authority-ignore-slashes"]),
        ("\\\\h", "http://b/", ["slashes relative"]),
        ("/\\h", "http://b/", ["slashes relative-slash"]),
        ("////h", "http://b/", ["slashes special-authority-ignore-slashes"]),
        ("\\a", "http://b/", ["backslashes to slashes relative"]),
        (
            "http:\\a",
            "http://b/",
            ["backslashes to slashes relative", "scheme without // special-relative-or-authority"],
        ),
        ("http://h\\a\\b\\", None, ["backslashes to slashes path", "backslashes to slashes path-start"]),
        ("file:\\h/x", None, ["slashes file"]),
        ("file:/\\h/x", None, ["slashes file-slash"]),
        ("file:x\\y", None, ["backslashes to slashes path", "slashes file"]),
        ("file:/x", None, ["slashes file"]),
        ("\\a", "file:///b", ["backslashes to slashes file"]),
        ("file:a", "file:///b", ["scheme without // file"]),
    ],
)
def test_states(text: str, base: str | None, expected: list[str]) -> None:
    _, _, made = explain(text, base).partition("\nChanges:\n")
    found = [f"{kind} {where.removeprefix(STANDARD).removesuffix('-state')}" for kind, where in CHANGE.findall(made)]
    assert sorted(line for line in found if line.split()[0] in ("slashes", "backslashes", "scheme")) == expected


@given(TEXTS, BASES)
def test_nothing_raw(text: str, base: str | None) -> None:
    # In the input, marks and right-to-left letters are as they are typed.
    for number, line in enumerate(explain(text, base).splitlines()):
        for c in line:
            assert c.isprintable()
            assert c not in "\u115f\u1160\u3164\uffa0\u2800\u180e"
            if number > 0 or not line.startswith("input"):
                assert unicodedata.category(c)[0] != "M"
                assert unicodedata.bidirectional(c) not in {"R", "AL", "AN"}


@given(TEXTS)
def test_the_input_is_as_it_is_typed(text: str) -> None:
    """Only what cannot be seen, and credentials, are not."""
    line = explain(text).splitlines()[0].removeprefix("input   ")
    if "***" not in line and "…" not in line:
        assert re.sub(r"<U\+([0-9A-F]{4,6})>", lambda code: chr(int(code[1], 16)), line) == text


@pytest.mark.sample(6)
@pytest.mark.parametrize("number", range(0x20, 0x110000, 0x10000))
def test_every_character(number: int) -> None:
    for c in map(chr, range(number, min(number + 0x10000, 0x110000))):
        shown = escape_character(c)
        if shown != c:
            assert shown.startswith("\\")
            assert shown == c.encode("unicode_escape").decode()
    for c in "\x00\x1b\x7f\x85\u00ad\u061c\u200b\u200e\u202e\u2066\u2028\ufeff\ud800\U000e0001\u3164\u2800\ufe0f":
        assert escape_character(c) != c


@given(TEXTS, BASES)
def test_marks(text: str, base: str | None) -> None:
    lines = explain(text, base).splitlines()
    marks = [line for line in lines if re.fullmatch(r" {8,}\^~* \d+", line)]
    errors = validate(text, base)
    told = [re.match(r"  \d+\. ([\w-]+)(?: \(failure\))?(?:, (\d+) times)?: ", line) for line in lines]
    groups: list[tuple[str, int]] = []
    for match in filter(None, told):
        begin = sum(times for _, times in groups)
        times = int(match[2] or 1)
        if match[1] == "special-scheme-missing-following-solidus":
            # They are not counted.
            times = next((n for n, error in enumerate(errors[begin:]) if error.name != match[1]), len(errors) - begin)
            times = min(times, 12 - begin)
        groups.append((match[1], times))
    assert len(groups) == len(marks)
    # All errors are there, each in its place: those beside each other under one mark.
    names = [name for name, times in groups for _ in range(times)]
    assert len(names) == min(len(errors), 12)
    assert len(errors) > 12 or names == [error.name for error in errors]
    if "***" in lines[0] or "…" in lines[0]:
        return
    shown = ["".join(map(typed, text[:end])) for end in range(len(text) + 1)]
    last = iter(accumulate(times for _, times in groups))
    for line, (_, times), stop in zip(marks, groups, last, strict=True):
        if len(errors) <= 12:
            start, end = 8 + columns(shown[errors[stop - times].position]), 8 + columns(shown[errors[stop - 1].end])
            assert line.rpartition(" ")[0] == " " * start + "^" + "~" * (end - start - 1)


@given(TEXTS)
def test_spans(text: str) -> None:
    url = URL.parse(text)
    if url is None or "***" in explain(text) or "…" in explain(text):
        return
    rows = re.findall(r"^  (\w+) +(\d+):(\d+)", explain(text).partition("\nhref    ")[2], re.MULTILINE)
    parts = {name: url.href[int(start) : int(end)] for name, start, end in rows}
    expected = {"scheme": url.scheme, "path": url.pathname}
    expected |= {"host": url.hostname} if url.host_type is not None else {}
    expected |= {"port": str(url.port)} if url.port else {}
    expected |= {"query": url.query} if url.query is not None else {}
    expected |= {"fragment": url.fragment} if url.fragment is not None else {}
    assert parts == expected


SECRET = "zQ7x"


def displayed(text: str, base: str | None = None) -> str:
    try:
        return display_url(URL(text, base))
    except InvalidURL as error:
        return f"{error} {error.message}"


@pytest.mark.sample(120)
@pytest.mark.parametrize(
    "text",
    [
        f"{scheme}{credentials}@{after}"
        for scheme, credentials, after in product(
            ["http://", "http:", "HTTP:\\\\", " https:///", "x://", "//", "file://", "blob:https://", "view-source:ftp://"],
            [f"u:{SECRET}", SECRET, f"u:{SECRET}@{SECRET}", f"u:%41{SECRET}", f"é.{SECRET}.b\t"],
            ["h/p", "h/***@", "h:x", "[::1", "", "h ", "%zz", "h/" + ">" * 200],
        )
    ],
)  # fmt: skip
def test_secrets(text: str) -> None:
    for picture in (explain(text), explain("x", text), explain(text, "https://b/"), explain("a@b", text)):
        assert SECRET.lower() not in picture.lower()
    for base in (None, "https://b/"):
        assert SECRET not in str(validate(text, base))
        assert SECRET.lower() not in displayed(text, base).lower()


# The @ comes too late: a delimiter in the password ends the authority before it.
@pytest.mark.parametrize("delimiter", ["/", "?", "#", "\\"])
@pytest.mark.parametrize("start", ["http://u:", "//u:", "http://u@corp:", "x://u:", "http:\\\\u:6553"])
def test_secrets_behind_a_delimiter(start: str, delimiter: str) -> None:
    text = f"{start}6{SECRET}{delimiter}{SECRET}@h/p"
    assert SECRET not in explain(text) + explain(text, "https://b/") + str(validate(text)) + explain("x", text)
    assert SECRET not in displayed(text)


@pytest.mark.parametrize("delimiter", ["/", "\\"])
def test_secrets_inside_behind_a_delimiter(delimiter: str) -> None:
    text = f"blob:https://u:{SECRET}{delimiter}{SECRET}@h/p"
    assert SECRET not in explain(text) + displayed(text)


def test_what_is_no_secret() -> None:
    for text in ("mailto:someone@h", "https://h/a//b@c?d//e@f#//g@h", "x://h//a@b", "data:,a@b", "http://h:1/a@b"):
        assert "***" not in explain(text)
    assert "***" not in explain("http://a b/c@d") + explain("http://[::g/c@d")


@given(TEXTS.map(lambda text: text + "@"))
def test_hides_what_an_error_hides(text: str) -> None:
    try:
        URL(text)
    except InvalidURL:
        hidden = credentials_in(Trace(text, None).input)
        if hidden is not None and hidden[0] < hidden[1]:
            assert "***" in explain(text).splitlines()[0]


def test_anchors() -> None:
    anchors = set()
    for cases in KINDS.values():
        for text, base, _ in cases:
            anchors |= {where for _, where in CHANGE.findall(explain(text, base).partition("\nChanges:\n")[2])}
    anchors.discard("https://infra.spec.whatwg.org/#javascript-string-convert")
    assert all(where.startswith(STANDARD) for where in anchors)
    assert {where.removeprefix(STANDARD) for where in anchors} == {
        "concept-basic-url-parser", "scheme-state", "no-scheme-state", "relative-state", "relative-slash-state",
        "special-relative-or-authority-state", "special-authority-slashes-state",
        "special-authority-ignore-slashes-state", "file-state", "file-slash-state",
        "file-host-state", "port-state", "path-start-state", "path-state", "cannot-be-a-base-url-path-state", "userinfo-percent-encode-set",
        "path-percent-encode-set", "query-percent-encode-set", "special-query-percent-encode-set",
        "fragment-percent-encode-set", "concept-domain-to-ascii", "concept-host-parser", "concept-opaque-host-parser",
        "concept-ipv4-parser", "concept-ipv6-serializer", "concept-url-serializer",
    }  # fmt: skip


def test_long() -> None:
    picture = explain("http://h/" + "a" * 10**5 + ">" * 10**3 + "b" * 10**5 + "?" + "é" * 10**4)
    assert max(map(len, picture.splitlines())) < 400
    assert "  and 988 more before the last\n" in picture
    line, mark = picture.splitlines()[:2]
    assert line[mark.index("^")] == ">"
    assert line.endswith("…" + "é" * 20)
    assert max(map(len, explain("\ud800" * 10**5).splitlines())) < 2000


@pytest.fixture
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def in_url(make: Make) -> Make:
    return lambda n: f"http://{make(n)}/"


LINEAR = {
    **dict(list(SHAPES.items())[::2]),
    **{f"host of {name}": in_url(make) for name, make in list(HOSTS.items())[::4]},
    "errors": fill(">", "http://h/"), "opaque": fill("//@", "x:"), "tabs": fill("\t", "http://", "h"),
    "marks": fill("\u0301", "http://h/"), "no scheme": fill("@", "//"), "file host": fill("@", "file://"),
    "inner": fill("//a:b", "x:@"), "inner schemes": fill("http:", "x:", "@"), "late @": fill("/a:b", "http://u:x", "@"),
}  # fmt: skip


@pytest.mark.timed
@pytest.mark.slow
@pytest.mark.parametrize("make", LINEAR.values(), ids=LINEAR)
@pytest.mark.usefixtures("no_collector")
def test_linear(make: Make) -> None:
    check(make, explain)


def test_arguments() -> None:
    assert explain(URL("http://h/"), URL("x:y")) == explain("http://h/", "x:y")
    with pytest.raises(TypeError, match="decode it first"):
        explain(b"http://h/")  # type: ignore[arg-type]
