"""weburl.text: what is found in a text, and what is put in its place. test_text_model.py has many more texts."""

from __future__ import annotations

import copy
import itertools
import pickle
import subprocess
import sys
import threading
from contextlib import suppress
from random import Random
from typing import Any

import pytest
from support.text_shapes import hostile_text, options

from weburl import URL, FrozenURL, InvalidURL
from weburl._core.parser import set_max_length
from weburl.bulk import defang_many, refang_many
from weburl.text import WEB_SCHEMES, URLSpan, defang, find_urls, refang, replace_urls, restore_span


def texts(text: str, **how: Any) -> list[str]:
    return [str(span.text) for span in find_urls(text, **how)]


def hrefs(text: str, **how: Any) -> list[str]:
    return [span.url.href for span in find_urls(text, **how)]


SENTENCES = {
    "see https://example.com/a.": ["https://example.com/a"],
    "(https://example.com/a)": ["https://example.com/a"],
    "(see https://example.com/a_(b))": ["https://example.com/a_(b)"],
    "https://example.com/a),": ["https://example.com/a"],
    "[https://example.com]": ["https://example.com"],
    "'https://example.com/it's'": ["https://example.com/it's"],
    "https://a.com,https://b.com;https://c.com|https://d.com": [
        "https://a.com", "https://b.com", "https://c.com", "https://d.com",
    ],
    "https://a.com/?u=https://b.com/": ["https://a.com/?u=https://b.com/"],
    "HTTPS://A.COM": ["HTTPS://A.COM"],
    "http://[::1]:80/x]": ["http://[::1]:80/x"],
    "http://user:p,w@a.com:8080/": ["http://user:p,w@a.com:8080/"],
    "http://user@/": [],
    "xhttp://a.com": [],
    "9http://a.com": [],
    "_http://a.com": ["http://a.com"],
    "看http://a.com": ["http://a.com"],
    r"\nhttp://a.com \u0020http://b.com": ["http://a.com", "http://b.com"],
    "http://": [],
    "http://.": [],
    "http:///a.com": ["http:///a.com"],
    "http://a.com:99999/": [],
    "http://a.com:": ["http://a.com"],
    "http://a.com?": ["http://a.com"],
    "http://u@.?": [],
    "http://{host}/a": [],
    "http:/a http:a //a": [],
    "www.a.com": ["www.a.com"],
    "www. www.. www.-a www.5 wwww.a.com www.” www.。": [],
    "a@www.a.com /www.a.com x.www.a.com": [],
    "_www.a.com_": ["www.a.com_"],
    "www.a.com@b.com": [],
    "http://a.com/\u3000b": ["http://a.com/"],
    "http://a.com/\u200bb": ["http://a.com/\u200bb"],
    "http://a.com。b": ["http://a.com"],
    "http://a.com/（b）c）": ["http://a.com/（b）c"],
    "http://a.com/«b»": ["http://a.com/«b"],
}  # fmt: skip


@pytest.mark.parametrize("text", SENTENCES)
def test_sentences(text: str) -> None:
    assert texts(text) == SENTENCES[text]
    assert [span.text for span in find_urls(text.encode())] == [found.encode() for found in SENTENCES[text]]


def test_ends() -> None:
    """What ends a URL everywhere, and what only at its end."""
    others = (0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
    for code in (*range(0x21), 0x7F, *range(0x80, 0xA1), *b'<>"`', *others):
        assert texts(f"http://a.b/c{chr(code)}d") == ["http://a.b/c"], code
        assert texts(f"http://a.b{chr(code)}d") == ["http://a.b"], code
    for char in ".,;:!?'*。！，、：；？…«»‘’“”„‚‹›)]}〉》」』】）":
        assert texts(f"http://a.b/c{char}d{char}{char}") == [f"http://a.b/c{char}d"], char
    for char in "-_~/=&+@$%^|\\({[<"[:-1]:
        assert texts(f"http://a.b/c{char}") == [f"http://a.b/c{char}"], char


def test_brackets_of_two_kinds() -> None:
    """One that is open is not the other's."""
    pairs = ["「」", "『』", "〈〉", "《》", "【】", "（）", "()", "[]", "{}"]
    for a, b in itertools.permutations(pairs, 2):
        assert texts(f"http://h/a{a[1]}{b[1]}") == ["http://h/a"], (a, b)
        assert texts(f"http://h/{a[0]}c{a[1]}{b[1]}") == [f"http://h/{a[0]}c{a[1]}"], (a, b)


def test_schemes() -> None:
    text = "ssh://a git+https://b https://c file:///d mailto:e data://f"
    assert texts(text) == ["https://b", "https://c"]
    assert texts(text, schemes="ssh") == texts(text, schemes=["SSH:"]) == ["ssh://a"]
    assert texts(text, schemes=["file", "git+https", "https"]) == ["git+https://b", "https://c", "file:///d"]
    assert texts(text, schemes=[]) == []
    assert texts("www.a.com", schemes=[]) == ["www.a.com"]
    # A backslash is not a slash of these.
    assert texts(r"ssh://a\b http://a\b", schemes=["ssh", "http"]) == ["ssh://a", r"http://a\b"]
    assert WEB_SCHEMES == ("http", "https", "ws", "wss", "ftp")


SYNTAXES = [
    ("json", r'"https:\/\/a.com\/\u0026\u00e9\ud83d\ude00\"b"', "https://a.com/&%C3%A9%F0%9F%98%80"),
    ("json", r'"https://a.com/b\nc"', "https://a.com/b"),
    ("json", r'"https://a.com/\ud800\q"', "https://a.com/%EF%BF%BD/q"),
    ("html", "<https://a.com/&amp;b&#38;c&#x26;d&copy=1&quot;>", "https://a.com/&b&c&d&copy=1"),
    ("html", "https:&#x2f;&#47;a.com&#32;b", "https://a.com/"),
    ("html", "'https://a.com'b", "https://a.com/"),
    ("markdown", r"[a](https://a.com/b\_c_(d))e)", "https://a.com/b_c_(d)"),
    ("markdown", "_https://a.com_|https", "https://a.com/"),
    ("shell", r"'https://a.com/b'c", "https://a.com/b"),
    ("shell", r"https://a.com/\?b\&c|d", "https://a.com/?b&c"),
]


@pytest.mark.parametrize(("syntax", "text", "href"), SYNTAXES)
def test_syntaxes(syntax: str, text: str, href: str) -> None:
    assert hrefs(text, syntax=syntax) == [href]
    assert [span.url.href for span in find_urls(text.encode(), syntax=syntax)] == [href]  # type: ignore[arg-type]


BARE = {
    "example.com": ["example.com"],
    "a.example.co.uk:8080/x?y#z.": ["a.example.co.uk:8080/x?y#z"],
    "co.uk com example": [],
    "me@example.com first.last@example.com": [],
    "a/example.com $example.com #example.com %example.com": [],
    "host=example.com, (example.com)": ["example.com", "example.com"],
    "1.2.3.4 e.g. i.e. 3.14 a.b.c": [],
    "example.com- _example.com_ .example.com": ["example.com"] * 3,
    "bücher.example bücher.com": ["bücher.com"],
    "http://example.com example.com http://a": ["http://example.com", "example.com", "http://a"],
    "example.com://x": [],
    "example.com:99999": [],
    "foo.exe": [],
}


@pytest.mark.parametrize("text", BARE)
def test_bare(text: str) -> None:
    assert texts(text, bare=True) == BARE[text]


DEFANGED = {
    "hxxp://a.b": "http://a.b/", "hXXpS[:]//a[.]b": "https://a.b/", "fxp[://]a(.)b": "ftp://a.b/",
    "http[:]//a[dot]b(DOT)c{dot}d{.}e": "http://a.b.c.d.e/", "hxxps://u[@]a.b[:]81[/]c": "https://u@a.b:81/c",
    "www[.]a[.]b": "http://www.a.b/", "https://a.b/[.]": "https://a.b/", "hxxps[:]//[::1]/": "https://[::1]/",
}  # fmt: skip


@pytest.mark.parametrize("text", DEFANGED)
def test_defanged(text: str) -> None:
    assert hrefs(f"({text})", defanged=True) == [DEFANGED[text]]


def test_defang_and_refang() -> None:
    """What is defanged is found only as such, and comes back as it was."""
    random = Random(1)
    changed = others = 0
    for _ in range(4000):
        text = hostile_text(random)
        if isinstance(text, bytes):
            continue
        text = "".join(char for char in text if char not in "[({\\")
        how: dict[str, Any] = random.choice(({}, {"bare": True}, {"schemes": ["http", "ws", "ftp"]}))
        if find_urls(text, **how) != find_urls(text, defanged=True, **how):
            continue
        shown = defang(text, **how)
        changed += shown != text
        assert find_urls(shown, **how) == [], (text, shown, how)
        assert defang(shown, **how) == shown
        back = refang(shown, **how)
        others += back != text
        assert ascii(back) == ascii(text) or "bare" in how, ascii(shown)
    assert changed > 400
    assert others < 5
    assert refang(defang(b"\xffhttp://a.b/\xff \xff")) == b"\xffhttp://a.b/\xff \xff"
    assert defang("https:////a.b.c/d.e", schemes=["https"]) == "hxxps[:]////a[.]b[.]c/d.e"
    assert refang("example[.]com", bare=True) == "example.com"


INNER = (
    "https://", "http://", "ftp://", "ws://", "www.", "HTTP://", "hxxp://", "evil.com", "a.b", "/", "/", "?u=", "&v=",
    "#", ":", "@", ".", ",", "-", "x", " ", "é", "https:", "//", "b.example.co.uk", ":80", "!",
)  # fmt: skip


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(3))
def test_defang_urls_in_urls(seed: int) -> None:
    """No URL is left, nothing else has changed, and refang gives the text back."""
    random = Random(seed)
    inner = others = 0
    for _ in range(3000):
        text = "".join(random.choices(INNER, k=random.randint(1, 14)))
        how: dict[str, Any] = random.choice(({}, {}, {"bare": True}, {"schemes": ["https", "ftp"]}))
        shown = defang(text, **how)
        assert find_urls(shown, **how) == [], (text, shown)
        assert defang(shown, **how) == shown
        assert defang(text.encode(), **how) == shown.encode()
        assert defang_many([text], **how).to_pylist() == [shown]
        plain = shown.replace("[.]", ".").replace("[:]", ":")
        assert len(plain) == len(text)
        assert all(a == b or (a + b).lower() == "xt" for a, b in zip(plain, text, strict=True)), (text, shown)
        if find_urls(text, **how) == find_urls(text, defanged=True, **how):
            back = refang(shown, **how)
            assert refang_many([shown], **how).to_pylist() == [back]
            # In http://.b.example:80x, only the domain is a URL; and http://.b is one before [.].
            others += back != text
            assert back == text or "bare" in how, shown
        inner += shown.count("[:]") > len(find_urls(text, **how))
    assert inner > 150
    assert others < 10


DEFANGED_TEXTS = {
    "https://web.archive.org/web/https://evil.com/x": "hxxps[:]//web[.]archive[.]org/web/hxxps[:]//evil[.]com/x",
    "https://h/?u=https://evil.com/x.": "hxxps[:]//h/?u=hxxps[:]//evil[.]com/x.",
    "https://h/?u=www.evil.com": "hxxps[:]//h/?u=www[.]evil[.]com",
    "https://https://evil.com": "hxxps[:]//hxxps[:]//evil[.]com",
    "https://a.https://b.c/d.e": "hxxps[:]//a[.]hxxps[:]//b[.]c/d.e",
    "ws://a/?u=ftp://b.c": "ws[:]//a/?u=fxp[:]//b[.]c",
    "https://a/?u=xhttps://b.c": "hxxps[:]//a/?u=xhttps://b.c",
    "https://a.b/?u=hxxps://b.c": "hxxps[:]//a[.]b/?u=hxxps://b.c",
}


@pytest.mark.parametrize("text", DEFANGED_TEXTS)
def test_defanged_urls_in_urls(text: str) -> None:
    shown = DEFANGED_TEXTS[text]
    assert (defang(text), refang(shown)) == (shown, text)
    assert [span.url for span in find_urls(shown, defanged=True)] == [span.url for span in find_urls(text)]


def test_replace() -> None:
    text = "a http://a.b/c, \ud800 www.x.y."
    assert replace_urls(text, lambda span: None) is text
    assert replace_urls(text, lambda span: "") == "a , \ud800 ."
    assert replace_urls(text, lambda span: span.url) == "a http://a.b/c, \ud800 http://www.x.y/."
    assert replace_urls(text, lambda span: span.text if span.start < 5 else None) == text
    assert replace_urls(b"\xff http://a.b", lambda span: span.url) == b"\xff http://a.b/"
    assert replace_urls(b"\xff http://a.b", lambda span: "\xe9") == b"\xff \xc3\xa9"
    assert replace_urls(b"\xff http://a.b", lambda span: "\ud800\U0001f600") == b"\xff \xef\xbf\xbd\xf0\x9f\x98\x80"
    for given, value in ((text, 5), (text, b""), (text, True), (b"a http://b", bytearray(b"q")), (b"a http://b", 5)):
        kinds = "a str, bytes" if isinstance(given, bytes) else "a str"
        message = f"the function's text for the URL at 2 must be {kinds}, a URL or None, not {type(value).__name__}"
        with pytest.raises(TypeError, match=message):
            replace_urls(given, lambda span, value=value: value)  # type: ignore[misc,type-var]
    with pytest.raises(TypeError, match=r"URL at 2 must be a str, a URL or None, not weburl.URLSpan: use str"):
        replace_urls(text, lambda span: span)  # type: ignore[arg-type,return-value]
    with pytest.raises(ZeroDivisionError):
        replace_urls(text, lambda span: 1 // 0)  # type: ignore[arg-type,return-value]


def test_a_span_is_a_value() -> None:
    span, other = find_urls("http://a.b http://a.b")
    (again,) = find_urls("http://a.b")
    assert (span, hash(span)) == (again, hash(again))
    assert span != other
    assert span != "http://a.b"
    assert repr(span) == "<URLSpan 0:10 'http://a.b'>"
    hows: list[dict[str, Any]] = [{}, {"syntax": "json"}, {"defanged": True}, {"bare": True}]
    for how in hows:
        for text in ("hxxps[:]//a[.]b", "www.a.com", "https://a\\u0062"):
            for each in (*find_urls(text, **how), *find_urls(text.encode(), **how)):
                for same in (pickle.loads(pickle.dumps(each)), copy.copy(each), copy.deepcopy(each)):
                    assert (same, same.url) == (each, each.url)
    assert type(span.url) is FrozenURL
    with pytest.raises(AttributeError):
        span.start = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        URLSpan()
    match span:
        case URLSpan(start=0, text="http://a.b"):
            pass
        case _:
            raise AssertionError


def test_forged_pickles() -> None:
    """What is not a span is refused, or has a URL that does not parse; nothing outside of its text is read."""
    how = (("https", "ftp"), False, "text", True)
    for arguments in (
        (how, 0, 3, "ftp", 0, 1), (how, 0, 1, "a", 1, 0), (how, 0, 1, b"a", 0, 2), (how, 0, 9, "a", 0, -1),
        (how, -1, 0, "a", 0, -1), (how, 0, 1, "a", 2, -1), (how, 0, 1, "a", -1, -1), (how, 0, 1, "a", 0, -2),
        (how, 0, 1, 5, 0, -1), ((("a b",), False, "text", True), 0, 1, "a", 0, -1), ((), 0, 1, "a", 0, -1),
        ((("https",), False, "xml", True), 0, 1, "a", 0, -1), (how, 0, 1, None, 0, -1),
    ):  # fmt: skip
        with pytest.raises((ValueError, TypeError)):
            restore_span(*arguments)
    for text in ("https", "hxxps\ud800", b"https\xff", "httpsé://"):
        span = restore_span(how, 0, len(text), text, 5, 0)
        with suppress(InvalidURL):
            assert span.url.scheme == "https"


def test_arguments() -> None:
    for wrong in (None, 1, ["http://a"], bytearray(b"a"), URL("http://a/")):
        with pytest.raises(TypeError, match="text must be a str or bytes"):
            find_urls(wrong)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="syntax must be one of text, json, html, markdown, shell, not 'xml'"):
        find_urls("", syntax="xml")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a scheme is a name"):
        find_urls("", schemes=["a b"])
    with pytest.raises(TypeError, match="a scheme must be a str"):
        find_urls("", schemes=[1])  # type: ignore[list-item]

    class Text(str):
        """A str."""

    (span,) = find_urls(Text("http://a.b"))
    assert type(span.text) is str
    assert span.text == "http://a.b"


class Text(str):
    """Has an own way for everything."""

    def __str__(self) -> str:
        return "other"

    def __getitem__(self, key: object) -> str:
        return "item"

    def encode(self, *arguments: object) -> bytes:
        return b"encoded"


class Octets(bytes):
    """As hexbytes.HexBytes and numpy.bytes_ are."""

    def __bytes__(self) -> bytes:
        return b"other"

    def __getitem__(self, key: object) -> Any:
        return Octets(b"item")

    def __len__(self) -> int:
        return 2


def test_subclasses() -> None:
    """Places are those of what the text is, not of what it says."""
    random = Random(3)
    for _ in range(500):
        text = hostile_text(random)
        other: Any = Text(text) if isinstance(text, str) else Octets(text)
        spans = find_urls(other)
        assert spans == find_urls(text)
        assert {type(span.text) for span in spans} <= {bytes if isinstance(text, bytes) else str}
        for function in (defang, refang):
            shown: Any = function(other)
            expected: Any = function(text)  # type: ignore[type-var]
            assert b"".join([shown]) == expected if isinstance(text, bytes) else str.__eq__(shown, expected)
        made = replace_urls(other, lambda span: "<>")
        assert type(made) in ((type(text), type(other)) if not spans else (type(text),))


def test_a_url_that_would_be_too_long_is_not_found() -> None:
    before = set_max_length(200)
    try:
        for n in range(180):
            for char in "aé%\u3042":
                text = f"http://a/{char * n} http://b"
                hrefs = [span.url.href for span in find_urls(text)]
                assert hrefs[-1] == "http://b/"
                assert len(hrefs) == 1 + (URL.can_parse(text.split()[0]))
    finally:
        set_max_length(before)


def test_large_texts_and_threads() -> None:
    """A text above 16 KiB is searched without the GIL; several threads find the same."""
    unit = "x é https://bücher.example/a, www.b.c; https://u:p@[::1]/. "
    text = unit * 1000
    expected = [(s.start + k * len(unit), s.end + k * len(unit)) for k in range(1000) for s in find_urls(unit)]
    results: list[list[tuple[int, int]]] = []

    def work() -> None:
        results.append([(span.start, span.end) for span in find_urls(text)])

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [expected] * 4


def test_the_package_imports_none_of_it() -> None:
    program = "import sys, weburl; print('weburl.text' in sys.modules, 'weburl._text.spans' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


PAIRS = (
    "\ud83d\ude00",
    "\U0001f600",
    "\ud83d",
    "\ude00",
    "\xe9",
    "\u20ac",
    "a",
    " ",
    "http://h/",
    "www.b.example",
    "?token=x",
)


@pytest.mark.parametrize("seed", range(2))
def test_places_beside_surrogates(seed: int) -> None:
    """A high surrogate and a low one are one character of a URL, and two of the str."""
    random = Random(seed)
    urls = 0
    for _ in range(5000):
        text = "".join(random.choices(PAIRS, k=random.randint(2, 30)))
        spans = find_urls(text)
        urls += len(spans)
        merged = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
        assert [span.url for span in spans] == [span.url for span in find_urls(merged)]
        for span in spans:
            assert text[span.start : span.end] == span.text
            assert span.text.startswith(("http://", "www."))
        parts = [
            text[begin:end]
            for begin, end in zip([0, *(s.end for s in spans)], [*(s.start for s in spans), None], strict=True)
        ]
        assert replace_urls(text, lambda span: "-") == "-".join(parts)
    assert urls > 5000


@pytest.mark.parametrize("seed", range(2))
def test_what_is_found_parses(seed: int) -> None:
    random = Random(seed + 100)
    for _ in range(3000):
        text, how = hostile_text(random), options(random)
        end = 0
        for span in find_urls(text, **how):
            assert end <= span.start < span.end <= len(text)
            assert text[span.start : span.end] == span.text
            end = span.end
            assert URL(span.url.href).href == span.url.href
