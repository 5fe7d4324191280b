"""The story of `explain`: what a reader of a deceptive URL needs to know, and that its steps spell the URL."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from support.hostile import inputs
from test_explain import BASES, TEXTS

from weburl import URL, explain
from weburl._diagnosis.story import Story, spell, story
from weburl._diagnosis.trace import Trace
from weburl._literal import parse
from weburl.cli.viewer.page_data import page_of_url

NOT_THE_HOST = "whatever it looks like: it is not the host."
# ruff: noqa: E501 (the sentences are longer than a line)
# A URL, its base, and what the story has to say.
DECEPTIVE: list[tuple[str, str | None, list[str]]] = [
    (
        r"http:\\0x7f.1\@evil.example/%2e%2e/a",
        None,
        [
            r"'\\' is read as '//': in an http URL, a backslash is a slash.",
            "The host is '0x7f.1': it ends at the backslash",
            "'0x7f.1' is the IPv4 address 127.0.0.1. 0x starts a hexadecimal number",
            "'@evil.example' is a segment of the path, not a host.",
            "'%2e%2e' is '..': it removes the segment before it, '@evil.example'.",
        ],
    ),
    # Before an @.
    ("http://google.com@evil.example/", None, [f"What comes before the @ is a username, {NOT_THE_HOST}", "The host is 'evil.example'."]),
    ("http://google.com:443@evil.example/", None, [f"a username and a password, {NOT_THE_HOST}"]),
    ("http://a@b@evil.example/", None, ["The last @ before the host counts.", "The host is 'evil.example'."]),
    ("http://google.com%2Flogin@evil.example/", None, [NOT_THE_HOST, "The host is 'evil.example'."]),
    ("http://@evil.example/", None, ["The username before the @ is empty: it is dropped", "The host is 'evil.example'."]),
    # After the host.
    (r"https://google.com\@evil.example/", None, ["The host is 'google.com': it ends at the backslash", "'@evil.example' is a segment of the path, not a host."]),
    ("https://evil.example/@google.com/", None, ["'@google.com' is a segment of the path, not a host."]),
    ("https://evil.example/https://google.com/", None, ["'https:' is a segment of the path, not a scheme.", "'//google.com' is in the path, and does not start a host."]),
    ("https://evil.example//google.com/", None, ["'//google.com' is in the path, and does not start a host."]),
    ("https://evil.example?@google.com/", None, ["The host is 'evil.example': it ends at the ?.", "'@google.com/' after the ? is the query. A host in it is only text."]),
    ("https://evil.example#@google.com/", None, ["The host is 'evil.example': it ends at the #.", "'@google.com/' after the # is the fragment, which is not sent to the server."]),
    ("https://h/#/login?next=https://google.com", None, ["is the fragment, which is not sent to the server."]),
    ("https://h/?next=https://google.com", None, ["is the query. A host in it is only text."]),
    # Names.
    ("https://google.com;x=.evil.example/", None, ["Only / ? # and the backslash end the name"]),
    ("https://google.com.evil.example/", None, ["'google.com' is only the start of the host: a name belongs to whoever has its end, 'evil.example'."]),
    (f"https://{'a' * 60}.{'b' * 40}.evil.example/", None, ["The host has 114 characters. A name belongs to whoever has its end, 'evil.example'."]),
    ("http://google.com./", None, ["The dot at the end stays: to a browser, the host without it is another one."]),
    ("http://http://google.com/", None, ["'http' is the host here: the URL has a scheme before it.", "'//google.com' is in the path"]),
    ("http://ex%61mple.com/", None, ["A host is percent-decoded: 'example.com'."]),
    ("http://ｇｏｏｇｌｅ.com/", None, ["In a domain, 'ｇ' is 'g', 'ｏ' is 'o', 'ｌ' is 'l', 'ｅ' is 'e'."]),
    ("http://google。com/", None, ["'<U+3002>' in a domain is a dot."]),
    ("http://goo\u00adgle.com/", None, ["'<U+00AD>' in a domain does not count, and is removed."]),
    ("http://goo\u200b\u2060gle.com/", None, ["'<U+200B>' and '<U+2060>' in a domain do not count, and are removed."]),
    ("http://faß.example/", None, ["'ß' is not 'ss' in a domain", "'faß' is 'xn--fa-hia' in ASCII."]),
    ("http://acceſs.example/", None, ["In a domain, 'ſ' is 's'."]),
    ("http://\u212aelvin.example/", None, ["In a domain, '\u212a' is 'k'."]),
    ("http://аррӏе.com/", None, ["'аррӏе' is 'xn--80ak6aa92e' in ASCII. It only looks like 'apple': its letters are others."]),
    ("http://pаypal-ж.com/", None, ["It mixes letters of Cyrillic and Latin"]),
    ("http://xn--80ak6aa92e.com/", None, ["'xn--80ak6aa92e' is 'аррӏе' in Unicode. It only looks like 'apple'"]),
    # Addresses.
    ("http://0177.0.0.1/", None, ["'0177.0.0.1' is the IPv4 address 127.0.0.1. 0 before other digits starts an octal number. 127.0.0.1 is this machine."]),
    ("http://0x7f000001/", None, ["'0x7f000001' is the IPv4 address 127.0.0.1. 0x starts a hexadecimal number"]),
    ("http://2130706433/", None, ["'2130706433' is the IPv4 address 127.0.0.1. The last number fills what is left of the address."]),
    ("http://127.1/", None, ["'127.1' is the IPv4 address 127.0.0.1."]),
    ("http://0x7f.010.1/", None, ["0x starts a hexadecimal number, and 0 before other digits an octal one"]),
    ("http://１２７。１/", None, ["'<U+3002>' in a domain is a dot.", "127.0.0.1 is this machine."]),
    ("http://%31%32%37.1/", None, ["A host is percent-decoded: '127.1'. '127.1' is the IPv4 address 127.0.0.1."]),
    ("http://10.0.0.1/", None, ["10.0.0.1 is a private address."]),
    ("http://169.254.169.254/latest/", None, ["169.254.169.254 is a link-local address, where machines in a cloud get their credentials."]),
    ("http://[::ffff:7f00:1]/", None, ["The IPv6 address has the IPv4 address 127.0.0.1 in it", "127.0.0.1 is this machine."]),
    ("http://[::1]/", None, ["::1 is this machine."]),
    ("http://localhost/", None, ["'localhost' is this machine."]),
    # Ports.
    ("http://google.com:80/", None, ["':80' is the default port of the scheme: it is dropped."]),
    ("http://google.com:0/", None, ["The port is 0, which is kept, though no server can be reached at it."]),
    ("http://google.com:0000443/", None, ["The port is 443: zeros before it are dropped."]),
    # Slashes.
    ("https:google.com", None, ["Slashes are missing after the scheme: in an https URL, a host follows all the same.", "The host is 'google.com'."]),
    ("https:/google.com", None, ["'/' is read as '//': in an https URL, a host follows any number of slashes."]),
    ("https:////google.com", None, ["'////' is read as '//'"]),
    ("https:google.com", "https://h/a/b", ["'https:' is the base's scheme, and no '//' follows: the rest is a relative URL.", "The host is the base's, 'h'.", "The path starts as the base's: '/a'."]),
    ("//evil.example/a", "https://h/", ["After two slashes at the start, a host follows.", "The host is 'evil.example'."]),
    (r"/\evil.example/a", "https://h/", [r"'/\' is read as '//': in an https URL, a backslash is a slash.", "The host is 'evil.example'."]),
    ("/.//evil.example/a", "https://h/", ["'//evil.example' is in the path, and does not start a host."]),
    ("x:/..//evil.example/a", None, ["'/.' goes before the path: its two slashes would start a host."]),
    (r"foo://google.com\@evil.example/", None, ["A backslash is a plain character in a URL of the scheme 'foo'.", "The host is 'evil.example'."]),
    ("foo://Google.COM%2e/", None, ["The scheme is not special, so the host is a text: it is neither lower-cased nor decoded."]),
    # Files.
    ("file://C|/Windows", None, ["'C|' is a drive letter: it goes to the path, and the host is empty.", "written 'C:'."]),
    ("file:///C:/../../etc", None, ["'..' removes nothing: a drive letter stays."]),
    ("file://localhost/etc", None, ["'localhost' is left out: the host of a file on this machine is empty."]),
    (r"file:\\server\share", None, ["The host is 'server': it ends at the backslash"]),
    # Segments.
    ("https://h/a/.%2E/./b", None, ["'.%2E' is '..': it removes the segment before it, 'a'.", "'.' stands for the same place, and is left out."]),
    ("https://h/a/../../b", None, ["'..' removes nothing: the path is at its start."]),
    (r"https://h/a\..\b", None, ["A backslash is a slash in an https URL. '..' removes the segment before it, 'a'."]),
    ("https://h/static/..;/admin", None, ["'..;' removes nothing, because of the semicolon; some servers think otherwise."]),
    ("https://h/static/%252e%252e/admin", None, ["'%252e%252e' stays as it is: %25 is an encoded percent sign, and nothing is decoded."]),
    ("https://h/static/..%2fadmin", None, ["'..%2fadmin' stays one segment: an encoded slash does not divide it; some servers think otherwise."]),
    # What is not seen.
    ("http://goo\tgle.com/", None, ["All tabs are removed, also inside of words: what is read is 'http://google.com/'."]),
    ("java\n\rscript:alert(1)", None, ["All newlines and carriage returns are removed", "What follows 'javascript:' is a program, which a browser runs"]),
    ("\x01\x1fjavascript:alert(1)  ", None, ["'<U+0001><U+001F>  ' around the URL is dropped"]),
    ("http://h/\ud800", None, ["Half of a surrogate pair is not a character: U+FFFD takes its place."]),
    # What is taken for a scheme.
    ("localhost:8000/a", None, ["'localhost:' is the scheme. If it is meant as a host with a port, write http:// before it."]),
    (r"C:\Users\x", None, ["'C:' is the scheme. For a file of Windows on this drive, write file:///, or use URL.from_path()."]),
    # Opaque paths.
    ("javascript://google.com/%0aalert(1)", None, ["What looks like a host is a comment in it."]),
    ("data:text/html,<script>", None, ["'data:' means that the content is the URL itself: it is on no server."]),
    ("blob:https://google.com/9b1d", None, ["It is opaque: a text without host, segments or parameters. A URL in it is only text here. Its origin counts as the origin of the blob."]),
    ("filesystem:https://google.com/temporary/x", None, ["A URL in it is only text here."]),
    ("mailto:a@google.com", None, ["'a@google.com' is the path. It is opaque"]),
]  # fmt: skip


def told(text: str, base: str | None = None) -> Story:
    trace = Trace(text, None if base is None else parse(base).url)
    url = trace.run().url
    assert url is not None
    return Story(trace, text, url)


@pytest.mark.parametrize(("text", "base", "sentences"), DECEPTIVE, ids=lambda value: ascii(value)[:60])
def test_deceptive(text: str, base: str | None, sentences: list[str]) -> None:
    picture = explain(text, base)
    _, _, after = picture.partition("\nStep by step:\n")
    for sentence in sentences:
        assert sentence in after
        # In the order in which the parser meets them.
        after = after[after.index(sentence) :]
    assert spell(told(text, base).steps) == URL(text, base).href
    # The viewer tells the same.
    for step in page_of_url(text, base or "", "")["story"]:
        assert step["sentence"] in picture
        assert step["url"] in picture


@pytest.mark.parametrize(
    ("text", "base"),
    [
        ("https://example.com/", None),
        ("HTTPS://Example.com/a/b%20c?q=1&r=2#top", None),
        ("https://www.example.co.uk:8443/a;b=c/d", None),
        ("https://example.com", None),
        ("file:///C:/Users/x", None),
        ("ftp://example.com/a/b.c", None),
        ("foo://host/path?q#f", None),
        ("foo:/a/b", None),
    ],
)
def test_what_deceives_nobody_has_no_story(text: str, base: str | None) -> None:
    assert "Step by step" not in explain(text, base)


@given(TEXTS, BASES)
def test_steps_spell_the_url(text: str, base: str | None) -> None:
    url = URL.parse(text, base)
    if url is not None:
        assert spell(told(text, base).steps) == url.href


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(4))
def test_steps_spell_hostile_urls(seed: int) -> None:
    parsed = 0
    for hostile in islice(inputs(seed), 10_000):
        picture = explain(hostile.url, hostile.base)
        url = URL.parse(hostile.url, hostile.base)
        assert ("does not parse" in picture) == (url is None)
        if url is not None:
            parsed += 1
            assert spell(told(hostile.url, hostile.base).steps) == url.href
    assert parsed > 2000


def test_an_encoded_query() -> None:
    for encoding in ("shift_jis", "iso-2022-jp", "gb18030"):
        picture = explain("http://h/?日@", encoding=encoding)
        assert f"is the query, encoded in {encoding}" in picture.lower()
    assert "encoded in" not in explain("ws://h/?日@", encoding="shift_jis")


def test_secrets() -> None:
    for text in (
        "http://user:hunter2@h/a/../@b", "x://hunter2:hunter2@h\\@h/..", "blob:https://u:hunter2@h/@", "ht\ttp://hunter2@h",
        "http:hunter2@h",
    ):  # fmt: skip
        assert "hunter2" not in explain(text)
        assert "hunter2" not in explain("../a", text)
    assert all("hunter2" not in str(step) for step in page_of_url("http://u:hunter2@h/@", "", "")["story"])


def test_a_long_path_has_few_steps() -> None:
    for unit in ("/a/..", "/%2e", "/@a.b", "\\x", "/..;"):
        text = f"https://h{unit * 10_000}"
        assert len(told(text).steps) < 16
        assert spell(told(text).steps) == URL(text).href
        trace = Trace(text, None)
        url = trace.run().url
        assert url is not None
        assert all(len(step.url) <= 120 and len(step.sentence) < 600 for step in story(trace, text, url))
