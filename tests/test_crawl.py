"""weburl.crawl: document bases, canonical forms and fingerprints."""

from __future__ import annotations

import hashlib
import re
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support.key_pairs import disagreements
from support.shapes import fill
from test_linear import check

from weburl import URL, InvalidURL
from weburl._crawl.policy import Policy, digest
from weburl.crawl import (
    INDEX_NAMES,
    TRACKING_PARAMETERS,
    CrawlPolicy,
    DocumentBase,
    SurtPolicy,
    canonicalize,
    fingerprint,
)

DOCS = Path(__file__).resolve().parent.parent / "docs"
POLICIES = ("whatwg", "crawl", "surt")
ALL_KNOBS = CrawlPolicy(
    sort_query=False,
    remove_repeated_pairs=True,
    merge_slashes=True,
    remove_trailing_slash=True,
    remove_amp=True,
    remove_trailing_dot=True,
    remove_www=True,
    remove_mobile=True,
    remove_credentials=True,
    merge_schemes=True,
    fragment="hashbang",
)
OWN_POLICIES: list[Policy] = [
    ALL_KNOBS,
    CrawlPolicy(
        tracking_parameters=(), index_names=(), remove_session_ids=False, remove_repeated_pairs=True, fragment="keep"
    ),
    SurtPolicy(with_scheme=True),
    SurtPolicy(trailing_comma=True),
    SurtPolicy(with_scheme=True, trailing_comma=True, keep_www=True),
]


PAGE = "https://example.com/dir/page?q#f"


# https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url
@pytest.mark.parametrize(
    ("document", "base_href", "about", "base"),
    [
        (PAGE, None, None, PAGE),
        (PAGE, "", None, "https://example.com/dir/page?q"),
        (PAGE, "/", None, "https://example.com/"),
        (PAGE, " sub/ ", None, "https://example.com/dir/sub/"),
        (PAGE, "//other.example", None, "https://other.example/"),
        (PAGE, "http://a b/", None, PAGE),
        (PAGE, "https:", None, "https://example.com/dir/page?q"),
        (PAGE, "http:", None, PAGE),
        (PAGE, "data:/,test", None, PAGE),
        (PAGE, "DATA:,x", None, PAGE),
        (PAGE, "javascript:/,test", None, PAGE),
        (PAGE, "java\nscript:1", None, PAGE),
        (PAGE, "mailto:x", None, "mailto:x"),
        (PAGE, "about:blank", None, "about:blank"),
        (PAGE, "blob:https://a/b", None, "blob:https://a/b"),
        # Of the creator's base only where the document is about:blank or about:srcdoc.
        (PAGE, None, "https://creator.example/x/", PAGE),
        ("about:blank", None, "https://creator.example/x/", "https://creator.example/x/"),
        ("about:blank?a#b", "y", "https://creator.example/x/", "https://creator.example/x/y"),
        ("about:srcdoc#b", "test", "https://creator.example/x/", "https://creator.example/x/test"),
        ("about:srcdoc?a", None, "https://creator.example/x/", "about:srcdoc?a"),
        ("about:srcdoc", "data:,x", "https://creator.example/x/", "https://creator.example/x/"),
        ("about:blank", "test", None, "about:blank"),
        ("about:blank", "https://a.example/", None, "https://a.example/"),
        ("about://blank", None, "https://creator.example/", "about://blank"),
        ("about:/blank", None, "https://creator.example/", "about:/blank"),
        ("about:invalid", None, "https://creator.example/", "about:invalid"),
        ("data:text/html,x", "y", None, "data:text/html,x"),
    ],
)
def test_document_base(document: str, base_href: str | None, about: str | None, base: str) -> None:
    made = DocumentBase(document, base_href, about_base_url=about)
    assert made.href == base
    assert DocumentBase(URL(document), base_href, about_base_url=None if about is None else URL(about)).href == base
    for link in ("x", "/y", "?z", "#f", "", "http://h/", "http://a b/"):
        resolved = made.resolve(link)
        expected = URL.parse(link, base)
        assert resolved == expected


def test_relative_to_nothing() -> None:
    base = DocumentBase("about:blank")
    assert base.resolve("x") is None
    found = base.resolve("#x")
    assert found is not None
    assert found.href == "about:blank#x"


@pytest.mark.parametrize(
    ("encoding", "used", "query"),
    [
        ("utf-8", "utf-8", "%C3%BC"),
        ("UTF8", "utf-8", "%C3%BC"),
        ("utf-16le", "utf-8", "%C3%BC"),
        ("latin1", "windows-1252", "%FC"),
        (" Windows-1252 ", "windows-1252", "%FC"),
        ("latin_1", "windows-1252", "%FC"),
        ("utf8mb4", "windows-1252", "%FC"),
        (None, "windows-1252", "%FC"),
        ("cp936", "gbk", "%A8%B9"),
        ("shift_jis", "shift_jis", "%26%23252%3B"),
    ],
)
def test_encoding(encoding: str | None, used: str, query: str) -> None:
    base = DocumentBase("https://example.com/", "?ü#ü", encoding=encoding)
    assert base.encoding == used
    assert base.href == f"https://example.com/?{query}#%C3%BC"
    found = base.resolve("/ü?ü")
    assert found is not None
    assert found.href == f"https://example.com/%C3%BC?{query}"
    opaque = base.resolve("foo:?ü")
    assert opaque is not None
    assert opaque.href == "foo:?%C3%BC"


@given(st.text(), st.none() | st.text(), st.sampled_from([PAGE, "file:///c:/x", "foo://h/", "about:blank", "x:y"]))
def test_any_link(link: str, base_href: str | None, document: str) -> None:
    for encoding in ("utf-8", "windows-1252", "gb18030"):
        base = DocumentBase(document, base_href, encoding=encoding)
        assert base.resolve(link) == URL.parse(link, base.href, encoding=encoding)


def test_a_base_does_not_change() -> None:
    url = URL(PAGE)
    base = DocumentBase(url)
    url.href = "https://changed.example/"
    found = base.resolve("x")
    assert found is not None
    found.href = "https://changed.example/"
    assert base.href == PAGE
    assert (
        repr(DocumentBase("http://u:secret@h/", encoding="latin1"))
        == "<DocumentBase URL('http://u:***@h/') windows-1252>"
    )
    with pytest.raises(AttributeError):
        base.href = "x"  # type: ignore[misc]


def test_no_document_base() -> None:
    for arguments in (("x",), ("http://a b/",)):
        with pytest.raises(InvalidURL):
            DocumentBase(*arguments)
    with pytest.raises(InvalidURL):
        DocumentBase(PAGE, about_base_url="x")
    wrongs: list[Any] = [(None,), (b"http://h/",), (PAGE, 1), (PAGE, b"x"), (PAGE, None, 1), (PAGE, None, b"utf-8")]
    for wrong in wrongs:
        with pytest.raises(TypeError):
            DocumentBase(*wrong)
    with pytest.raises(TypeError):
        DocumentBase(PAGE).resolve(None)  # type: ignore[arg-type]


CRAWL = [
    ("HTTP://Example.com:80", "http://example.com/"),
    ("http://u:p@example.com:81/#", "http://u:p@example.com:81/"),
    ("http://example.com/a#b?c", "http://example.com/a"),
    ("http://example.com/index.html", "http://example.com/"),
    ("http://example.com/a/Default.ASPX?x", "http://example.com/a/?x"),
    ("http://example.com/%69ndex.html", "http://example.com/"),
    ("http://example.com/index.html/", "http://example.com/index.html/"),
    ("http://example.com/index.htmlx", "http://example.com/index.htmlx"),
    ("http://example.com/xindex.html", "http://example.com/xindex.html"),
    ("http://example.com/a/index.html/../b", "http://example.com/a/b"),
    ("http://example.com/a//", "http://example.com/a//"),
    ("http://example.com/?", "http://example.com/"),
    ("http://example.com/?&&", "http://example.com/"),
    ("http://example.com/?b&a", "http://example.com/?a&b"),
    ("http://example.com/?a=&a", "http://example.com/?a&a="),
    ("http://example.com/?a=2&a=10&a=1&a=1", "http://example.com/?a=1&a=1&a=10&a=2"),
    # By name first: `-` is before `=`.
    ("http://example.com/?a-=1&a=b=c", "http://example.com/?a=b=c&a-=1"),
    ("http://example.com/?=x&=", "http://example.com/?=&=x"),
    ("http://example.com/?b=+&a=%20", "http://example.com/?a=%20&b=+"),
    ("http://example.com/?utm_source=x", "http://example.com/"),
    ("http://example.com/?utm_=x&UTM_Any&xutm_a=1&utm=2", "http://example.com/?utm=2&xutm_a=1"),
    ("http://example.com/?gclid&gclidx=1&FBCLID=2", "http://example.com/?gclidx=1"),
    ("http://example.com/?%75tm%5fid=1&a=utm_id", "http://example.com/?a=utm_id"),
    ("http://example.com/?utm_source%3Dx", "http://example.com/"),
    ("http://example.com/?gclid%3Dx", "http://example.com/?gclid%3Dx"),
    ("http://example.com/%7euser/%2f%c3%bc", "http://example.com/~user/%2F%C3%BC"),
    ("http://example.com/%41%5a%61%7A%30%39%2d%2e%5F%7E", "http://example.com/AZaz09-._~"),
    ("http://example.com/%%341", "http://example.com/%2541"),
    ("http://example.com/%4%31", "http://example.com/%2541"),
    ("http://example.com/%g%31", "http://example.com/%25g1"),
    ("http://example.com/%/%31%25%341", "http://example.com/%25/1%2541"),
    ("http://example.com/%4", "http://example.com/%254"),
    ("http://example.com/%zz%", "http://example.com/%25zz%25"),
    ("http://example.com/?%&%2e", "http://example.com/?%25&."),
    ("http://example.com/?a[]=1", "http://example.com/?a%5B%5D=1"),
    ("http://example.com/?a%5b%5D=1", "http://example.com/?a%5B%5D=1"),
    ("http://example.com/[]{}|^`'\"<>\\", "http://example.com/%5B%5D%7B%7D%7C%5E%60'%22%3C%3E/"),
    ("http://example.com/%5b%7c%5c%2f%3b%3a%26%3d%2b%21", "http://example.com/%5B%7C%5C%2F%3B:&=%2B!"),
    ("http://example.com/;a=b;c+d", "http://example.com/;a=b;c+d"),
    ("http://example.com/?%21%24%28%29%2A%2C%2F%3A%3B%3F%40", "http://example.com/?!$()*,/:;?@"),
    ("http://example.com/?[\\]^`{|}'", "http://example.com/?%5B%5C%5D%5E%60%7B%7C%7D%27"),
    ("http://example.com/?%26%23%25%2B+%20", "http://example.com/?%26%23%25%2B+%20"),
    ("http://example.com/?a%3db=c%3dd=e", "http://example.com/?a%3Db=c=d=e"),
    ("http://%21%3a%@example.com/", "http://!%3A%25@example.com/"),
    ("http://a:%7e+%2b@example.com/", "http://a:~++@example.com/"),
    ("http://example.com/a;jsessionid=1.x!2;b/c;JSessionId=3", "http://example.com/a;b/c"),
    ("http://example.com/index.jsp;jsessionid=1?jsessionid=2&PHPSESSID=3&b", "http://example.com/?b"),
    ("http://example.com/a%3bjsessionid=1", "http://example.com/a%3Bjsessionid=1"),
    ("http://example.com/ajsessionid=1;xjsessionid=2", "http://example.com/ajsessionid=1;xjsessionid=2"),
    ("http://example.com/;jsessionid=1/x", "http://example.com//x"),
    ("http://example.com/.;jsessionid=1/x", "http://example.com/.;jsessionid=1/x"),
    (
        "http://example.com/a;jsessionid=1/..;jsessionid=1;jsessionid=2/",
        "http://example.com/a/..;jsessionid=1;jsessionid=2/",
    ),
    ("http://example.com/..;jsessionid=1;x", "http://example.com/..;x"),
    ("http://example.com/a/(S(lit3py55t21z5v55vlm25s55))/b.aspx", "http://example.com/a/b.aspx"),
    ("http://example.com/%28A(lit3py55t21z5v55vlm25s55)S(lit3py55t21z5v55vlm25s55)%29/", "http://example.com/"),
    (
        "http://example.com/(S(lit3py55t21z5v55vlm25s55));jsessionid=1/(F(lit3py55t21z5v55vlm25s55))/",
        "http://example.com/",
    ),
    (
        "http://example.com/a/(S(lit3py55t21z5v55vlm25s55));x/b",
        "http://example.com/a/(S(lit3py55t21z5v55vlm25s55));x/b",
    ),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s55)))/", "http://example.com/(S(lit3py55t21z5v55vlm25s55)))/"),
    ("http://example.com/()/", "http://example.com/()/"),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s55))/", "http://example.com/"),
    ("http://example.com/(s(lit3py55t21z5v55vlm25s55))/(F(lit3py55t21z5v55vlm25s55))/?a", "http://example.com/?a"),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s5))/", "http://example.com/(S(lit3py55t21z5v55vlm25s5))/"),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s-5))/", "http://example.com/(S(lit3py55t21z5v55vlm25s-5))/"),
    ("http://example.com/(S(lit3py55t21z5v55vlm25s55))", "http://example.com/(S(lit3py55t21z5v55vlm25s55))"),
    ("http://example.com/((lit3py55t21z5v55vlm25s55))/", "http://example.com/((lit3py55t21z5v55vlm25s55))/"),
    ("https://bücher.example/ü?ü", "https://xn--bcher-kva.example/%C3%BC?%C3%BC"),
    ("http://0x7f.1/", "http://127.0.0.1/"),
    ("ftp://example.com/index.html?b&a#c", "ftp://example.com/index.html?b&a"),
    ("file:///%43|/x#y", "file:///%43|/x"),
    ("data:,x  #y", "data:,x %20"),
    ("mailto:A@example.com?b&a", "mailto:A@example.com?b&a"),
    ("foo:#", "foo:"),
]


@pytest.mark.parametrize(("url", "expected"), CRAWL)
def test_crawl(url: str, expected: str) -> None:
    assert canonicalize(url) == canonicalize(URL(url), "crawl/1") == expected
    assert canonicalize(expected) == expected


SURTS = [
    ("http://example.com", "com,example)/"),
    ("HTTPS://WWW.Example.com:443/", "com,example)/"),
    ("http://user:pw@www2.example.com:8080/", "com,example:8080)/"),
    ("https://example.com:80/", "com,example:80)/"),
    ("http://example.com:443/", "com,example:443)/"),
    ("http://www.com/", "com)/"),
    ("http://www/", "www)/"),
    ("http://www./", "www)/"),
    ("http://www.www1.x.com./", "com,x)/"),
    ("http://www-3.example.com/", "com,example,www-3)/"),
    ("http://wwwa.example.com/", "com,example,wwwa)/"),
    ("http://a.www.example.com/", "com,example,www,a)/"),
    ("http://./", ",)/"),
    ("http://../", ",,)/"),
    ("http://a../", ",,a)/"),
    ("http://a,b.(c)/", "%28c%29,a%2cb)/"),
    ("http://localhost:8080/", "localhost:8080)/"),
    ("http://http:8080/A", "http:8080)/a"),
    ("http://0x7f.1/x", "1,0,0,127)/x"),
    ("http://[::1]:80/x", "[::1])/x"),
    ("http://[::1]:81/x", "[::1]:81)/x"),
    ("http://bücher.example/Ü", "example,xn--bcher-kva)/%c3%9c"),
    ("http://example.com/A/b/", "com,example)/a/b"),
    ("http://example.com//a///b//", "com,example)/a/b"),
    ("http://example.com/a/%252e%252E/./b", "com,example)/b"),
    ("http://example.com/%2e%2e/..%2f..", "com,example)/"),
    ("http://example.com/a%2Fb", "com,example)/a/b"),
    ("http://example.com/%25252541", "com,example)/a"),
    ("http://example.com/%%341", "com,example)/a"),
    ("http://example.com/%%%33%34%31", "com,example)/a"),
    ("http://example.com/%25%34g", "com,example)/%254g"),
    ("http://example.com/%", "com,example)/%25"),
    ("http://example.com/a%3Fb%23c%5Cd%00%20%7f\"<>^`{|}'", "com,example)/a%3fb%23c%5cd%00%20%7f\"<>^`{|}'"),
    ("http://example.com/index.html?utm_source=X", "com,example)/index.html?utm_source=x"),
    ("http://example.com/?", "com,example)/"),
    ("http://example.com/?B=2&a=1&a=0&a", "com,example)/?a&a=0&a=1&b=2"),
    ("http://example.com/?b&&a", "com,example)/?&a&b"),
    ("http://example.com/?a=/x/&b=?%26c", "com,example)/?a=/x/&b=?&c"),
    ("http://example.com/?a\\b%5c", "com,example)/?a\\b\\"),
    ("http://example.com/?a%23", "com,example)/?a%23"),
    (f"http://example.com/?x&JSESSIONID={'0aB' * 10}00", "com,example)/?x"),
    (f"http://example.com/?phpsessid={'0' * 32}&sid={'0' * 32}", "com,example)/"),
    (f"http://example.com/?abcdefghij={'0' * 32}", f"com,example)/?abcdefghij={'0' * 32}"),
    (f"http://example.com/?sidebar={'0' * 32}", f"com,example)/?sidebar={'0' * 32}"),
    ("http://example.com/?cfidx=1&name=2", "com,example)/?cfidx=1&name=2"),
    (f"http://example.com/?sid={'0' * 31}", f"com,example)/?sid={'0' * 31}"),
    (f"http://example.com/?sid={'0' * 31}-", f"com,example)/?sid={'0' * 31}-"),
    (f"http://example.com/?aspsessionidABCDEFGH={'x' * 24}&a", "com,example)/?a"),
    (f"http://example.com/?aspsessionidABCDEFGH={'x' * 23}", f"com,example)/?aspsessionidabcdefgh={'x' * 23}"),
    (f"http://example.com/?aspsessionXXABCDEFGH={'x' * 24}", f"com,example)/?aspsessionxxabcdefgh={'x' * 24}"),
    (f"http://example.com/?aspsessionidABCDEFG1={'x' * 24}", f"com,example)/?aspsessionidabcdefg1={'x' * 24}"),
    (f"http://example.com/?aspsessionid-_.!~*'1={'x' * 24}", f"com,example)/?aspsessionid-_.!~*'1={'x' * 24}"),
    (f"http://example.com/?aspsessionidABCDEFGH={'x' * 23}1", f"com,example)/?aspsessionidabcdefgh={'x' * 23}1"),
    (f"http://example.com/?id={'x' * 24}", f"com,example)/?id={'x' * 24}"),
    ("http://example.com/?cfid=1&cftoken=2&cfid", "com,example)/?cfid"),
    ("ftp://www.example.com/A#b", "ftp://www.example.com/A"),
    ("data:,X#y", "data:,X"),
    ("javascript:foo()/2", "javascript:foo()/2"),
    # What has the form of a SURT stands for a URL.
    ("com,example)/", "com,example)/"),
    ("com,example,www)/B/?b&a#c", "com,example)/b?a&b"),
    ("com,example:80)/", "com,example:80)/"),
    ("1,2,3)/", "1,0,2,3)/"),  # that of http://3.2.1/
    ("A:81)/", "a:81)/"),
    (" a:81)\t/%7e#x", "a:81)/~"),
    ("a.1:80)/", "a.1:80)/"),  # no host, so no SURT: the scheme a.1
]


@pytest.mark.parametrize(("url", "expected"), SURTS)
def test_surt(url: str, expected: str) -> None:
    assert canonicalize(url, "surt") == expected
    assert canonicalize(expected, "surt/1") == expected
    if URL.can_parse(url):
        assert canonicalize(URL(url), "surt") == expected


@pytest.mark.parametrize("text", [")/", "x)", "x:)/", "a,b c)/", "é)/", "[x])/", "[::1)/", "x:1:2)/", "a@b)/"])
def test_no_surt(text: str) -> None:
    if URL.can_parse(text):
        assert canonicalize(text, "surt") == URL(text).href
    else:
        with pytest.raises(InvalidURL):
            canonicalize(text, "surt")


@given(st.text(max_size=40), st.sampled_from(["", "http://h/", "foo:", "data:", "file:///"]))
def test_whatwg(text: str, start: str) -> None:
    url = URL.parse(start + text)
    if url is None:
        with pytest.raises(InvalidURL):
            canonicalize(start + text, "whatwg")
    else:
        assert canonicalize(start + text, "whatwg") == canonicalize(url, "whatwg/1") == url.href


TOKENS = [" ", "\t"]
TOKENS += """
% %2 %25 %41 %2e %2E . .. / \\ ? # & = a A utm_source sid= 0123456789abcdef0123456789abcdef index.html www. www2. , ) (
[ ] ::1 :80 :443 :8080 @ é | ' " < 1 x.com ; + %2f %3f %23 %5c %26 %3d %00 %20 http:// https:// localhost file:
data: blob: ` { ^ ~ %7e $ * ;jsessionid= (S(lit3py55t21z5v55vlm25s55)) #! &a=1
""".split()
STARTS = ["", " ", "localhost:80)/", "com,x)/"]
STARTS += ["http://", "https://", "http://a.b/", "https://www.x.com/", "http://x.com/?"]
URLS = st.builds(lambda start, rest: start + "".join(rest), st.sampled_from(STARTS), st.lists(st.sampled_from(TOKENS)))


@given(URLS | st.text() | st.text(st.characters(exclude_categories=[])))
@example("http://h/\ud800?\udc00#\ud83d\ude00")
@example("http://x.com/?a%&%2e&%")
@example(" index.html:8080)/")
@example("A:80)/%26%7e%5c")
@example(" http://(a)/")
@example("http://www.www.x.com.//index.html//#!")
def test_idempotent(url: str) -> None:
    policies: list[str | Policy] = [*POLICIES, "whatwg-no-fragment", *OWN_POLICIES]
    for policy in policies:
        try:
            canonical = canonicalize(url, policy)
        except InvalidURL:
            continue
        assert canonical.isascii()
        assert canonicalize(canonical, policy) == canonical
        assert fingerprint(canonical, policy) == fingerprint(url, policy)
        if "surt" not in repr(policy).lower():
            assert URL(canonical).href == canonical


@pytest.mark.sample(1)
@pytest.mark.parametrize("seed", range(4))
def test_one_key_for_what_a_server_cannot_tell_apart(seed: int) -> None:
    """And none for what it can: make key-agreement takes a million pairs."""
    wrong, counts = disagreements(seed, 5000)
    assert wrong == []
    assert min(counts[True], counts[False]) > 1000


@pytest.mark.slow
def test_sessions_on_many() -> None:
    """Removing one identifier does not uncover another."""
    random = Random(1)
    parts = [
        "/",
        "/",
        "a",
        "..",
        ".",
        ";",
        ";jsessionid=1",
        ";jsessionid=",
        "(S(lit3py55t21z5v55vlm25s55))",
        "index.jsp",
    ]
    removed = 0
    for _ in range(20_000):
        url = URL("http://h/" + "".join(random.choices(parts, k=random.randint(1, 9)))).href
        for policy in (CrawlPolicy(), ALL_KNOBS):
            key = canonicalize(url, policy)
            assert canonicalize(key, policy) == URL(key).href == key
            removed += len(key) < len(url) - 6
    assert removed > 5000


def test_idempotent_on_many() -> None:
    random = Random(1)
    for _ in range(20_000):
        test_idempotent.hypothesis.inner_test(  # type: ignore[attr-defined]
            random.choice(STARTS) + "".join(random.choices(TOKENS, k=random.randint(1, 9)))
        )


@given(st.lists(st.tuples(st.text("abAB=-&%", max_size=3), st.text("ab=-", max_size=3)), max_size=80), st.randoms())
def test_the_order_of_pairs_makes_no_difference(pairs: list[tuple[str, str]], random: Random) -> None:
    pieces = [name.replace("&", "").replace("=", "") + "=" + value for name, value in pairs]
    shuffled = random.sample(pieces, len(pieces))
    for policy in ("crawl", "surt"):
        forms = {canonicalize("http://h/?" + "&".join(order), policy) for order in (pieces, shuffled, sorted(pieces))}
        assert len(forms) == 1
    query = URL(canonicalize("http://h/?" + "&".join(pieces))).query
    keys = [tuple(piece.split("=", 1)) for piece in (query or "").split("&")]
    assert keys == sorted(keys)


def test_many_pairs() -> None:
    pieces = [f"{index % 97}={index}" for index in range(1000)]
    url = "http://h/?" + "&".join(sorted(pieces, key=lambda piece: piece.split("=")))
    for seed in range(5):
        Random(seed).shuffle(pieces)
        assert canonicalize("http://h/?" + "&".join(pieces)) == url


def test_the_same_str() -> None:
    url = "https://example.com/a?b=1"
    assert canonicalize(url) is url
    assert canonicalize(url, "whatwg") is url


def test_lists_of_a_policy() -> None:
    url = "http://h/index.html?a=1&utm_id=2&s1=3&S=4"
    assert canonicalize(url, CrawlPolicy()) == canonicalize(url) == "http://h/?S=4&a=1&s1=3"
    assert (
        canonicalize(url, CrawlPolicy(tracking_parameters=(), index_names=()))
        == "http://h/index.html?S=4&a=1&s1=3&utm_id=2"
    )
    assert (
        canonicalize(url, CrawlPolicy(tracking_parameters=["s*"], index_names=["index.*"])) == "http://h/?a=1&utm_id=2"
    )
    assert canonicalize(url, CrawlPolicy(tracking_parameters=["s"])) == "http://h/?a=1&s1=3&utm_id=2"
    assert canonicalize(url, CrawlPolicy(index_names=["xndex.html"])) == "http://h/index.html?S=4&a=1&s1=3"
    # A name stands for each of its spellings.
    for name in ("a[]", "a%5b%5d", "a[%5d"):
        assert canonicalize("http://h/?a[]=1&A%5b]=2&b", CrawlPolicy(tracking_parameters=[name])) == "http://h/?b"
    assert canonicalize("http://h/x%7C", CrawlPolicy(tracking_parameters=(), index_names=["x|"])) == "http://h/"


KNOBS = [
    ({"remove_session_ids": False}, "http://h/a;jsessionid=1?phpsessid=2", "http://h/a;jsessionid=1?phpsessid=2"),
    ({"sort_query": False}, "http://h/?b&&a&utm_id&b", "http://h/?b&a&b"),
    ({"sort_query": False, "remove_repeated_pairs": True}, "http://h/?b&a=&a&b&%62&a=", "http://h/?b&a=&a"),
    ({"remove_repeated_pairs": True}, "http://h/?b&a=1&%62&a=1&a=2&b", "http://h/?a=1&a=2&b"),
    ({"remove_repeated_pairs": True}, "http://h/?", "http://h/"),
    ({"remove_trailing_slash": True}, "http://h/", "http://h/"),
    ({"remove_trailing_slash": True}, "http://h/a//?b", "http://h/a?b"),
    ({"remove_trailing_slash": True}, "http://h/a/index.html/index.php//", "http://h/a"),
    ({"remove_trailing_slash": True}, "http://h//", "http://h/"),
    ({"remove_trailing_dot": True}, "http://a.example./", "http://a.example/"),
    ({"remove_trailing_dot": True}, "http://a..:81/", "http://a..:81/"),
    ({"remove_trailing_dot": True}, "http://./", "http://./"),
    ({"remove_trailing_dot": True}, "http://1../", "http://1../"),
    ({"remove_www": True}, "http://u:p@www.www.a.example:81/", "http://u:p@a.example:81/"),
    ({"remove_www": True}, "http://www.com/", "http://www.com/"),
    ({"remove_www": True}, "http://www.com./", "http://www.com./"),
    ({"remove_www": True}, "http://www2.a.example/", "http://www2.a.example/"),
    ({"remove_www": True}, "http://www./a.b", "http://www./a.b"),
    ({"remove_www": True, "remove_trailing_dot": True}, "http://www.a.com./", "http://a.com/"),
    ({"remove_credentials": True}, "http://u:p@h/", "http://h/"),
    ({"merge_schemes": True}, "http://h/", "https://h/"),
    ({"merge_schemes": True}, "http://h:8080/", "https://h:8080/"),
    ({"merge_schemes": True}, "http://h:443/", "http://h:443/"),
    ({"merge_schemes": True}, "https://h:80/", "https://h:80/"),
    ({"merge_schemes": True}, "ws://h/", "ws://h/"),
    ({"fragment": "hashbang"}, "http://h/?#!/a", "http://h/#!/a"),
    ({"fragment": "hashbang"}, "http://h/?#a!", "http://h/"),
    ({"fragment": "hashbang"}, "http://h/#", "http://h/"),
    ({"fragment": "keep"}, "http://h/index.html#%7e a", "http://h/#%7e%20a"),
    ({"fragment": "keep"}, "data:,x#", "data:,x#"),
]


@pytest.mark.parametrize(("knobs", "url", "expected"), KNOBS)
def test_knobs(knobs: dict[str, Any], url: str, expected: str) -> None:
    policy = CrawlPolicy(**knobs)
    assert canonicalize(url, policy) == expected
    assert canonicalize(expected, policy) == expected
    assert {name: getattr(policy, name) for name in knobs} == knobs
    assert policy != CrawlPolicy()


def test_many_repeated_pairs() -> None:
    pieces = [f"{index % 7}={index * index % 11}" for index in range(500)]
    for sort in (True, False):
        kept = dict.fromkeys(sorted(pieces) if sort else pieces)
        url = canonicalize("http://h/?" + "&".join(pieces), CrawlPolicy(sort_query=sort, remove_repeated_pairs=True))
        assert url == "http://h/?" + "&".join(kept)


SURT_FORMS = [
    ({"with_scheme": True}, "https://(org,archive:8080)/goo?b=1"),
    ({"trailing_comma": True}, "org,archive:8080,)/goo?b=1"),
    ({"keep_www": True}, "org,archive,www:8080)/goo?b=1"),
    ({"with_scheme": True, "trailing_comma": True, "keep_www": True}, "https://(org,archive,www:8080,)/goo?b=1"),
]


def test_a_surt_with_a_comma_at_its_end_has_a_host_before_it() -> None:
    assert canonicalize("http://./", SurtPolicy(trailing_comma=True)) == ",,)/"
    with pytest.raises(InvalidURL):
        canonicalize(",)/", SurtPolicy(trailing_comma=True))


@pytest.mark.parametrize(("knobs", "expected"), SURT_FORMS)
def test_forms_of_surts(knobs: dict[str, Any], expected: str) -> None:
    policy = SurtPolicy(**knobs)
    assert canonicalize("https://u@www.archive.org:8080/goo/?b=1#x", policy) == expected
    assert canonicalize(expected, policy) == expected
    assert policy != SurtPolicy()
    for scheme, port in (("http", ":443"), ("https", ":80"), ("http", "")):
        url = f"{scheme}://archive.org{port}/a"
        form = canonicalize(url, policy)
        assert canonicalize(form, policy) == form
        if policy.with_scheme:
            assert form.startswith(scheme + "://(org,archive" + port)


def test_no_fragment() -> None:
    assert canonicalize("HTTP://h?b&a#c", "whatwg-no-fragment") == "http://h/?b&a"
    assert canonicalize("data:,a #c", "whatwg-no-fragment/1") == "data:,a%20"
    assert fingerprint("http://h/#", "whatwg-no-fragment") == fingerprint("http://h/", "whatwg")


def test_what_a_policy_has() -> None:
    """tests/test_policies.py has the rest."""
    mine = CrawlPolicy(tracking_parameters=TRACKING_PARAMETERS | {"a"}, name="mine", version=3)
    assert (mine.name, mine.version, str(mine)) == ("mine", 3, "mine/3")
    assert mine.tracking_parameters == TRACKING_PARAMETERS | {"a"}
    assert mine.index_names == INDEX_NAMES
    with pytest.raises(AttributeError):
        mine.name = "x"  # type: ignore[misc]
    with pytest.raises(AttributeError, match="'CrawlPolicy' object has no attribute 'x'"):
        mine.x  # type: ignore[attr-defined]  # noqa: B018
    assert {"name", "fragment", "merge_schemes"} < set(dir(mine))


def test_wrong_policies() -> None:
    for name in ("", "crawl/2", "CRAWL", "surt/"):
        with pytest.raises(ValueError, match="policy must be"):
            canonicalize("http://h/", name)
    for policy in (None, 1, CrawlPolicy):
        with pytest.raises(TypeError, match="policy must be"):
            fingerprint("http://h/", policy)  # type: ignore[call-overload]
    for wrong in ("ref", [1], None, 1):
        with pytest.raises(TypeError):
            CrawlPolicy(tracking_parameters=wrong)  # type: ignore[arg-type]
    for name in ("", "*", "é"):
        with pytest.raises(ValueError, match="not a name"):
            CrawlPolicy(index_names=[name])
    for name, message in (
        ("*id", "a star"),
        ("a**", "a star"),
        ("%2a*", "a star"),
        ("Ab", "lower case"),
        ("%5B", "lower"),
    ):
        with pytest.raises(ValueError, match=message):
            CrawlPolicy(tracking_parameters=[name])
    with pytest.raises(ValueError, match="matches no name"):
        CrawlPolicy(tracking_parameters=["a&b"])
    for name in ("a=b", "a=", "a=HEX32", "a=hex32=", "a=hex3@h"):
        with pytest.raises(ValueError, match="has a shape that is not one of hex32, digits, time, dotted"):
            CrawlPolicy(tracking_parameters=[name])
    for name in ("=", "@h", "=hex32", "*=hex32"):
        with pytest.raises(ValueError, match="not a name"):
            CrawlPolicy(tracking_parameters=[name])
    for name in ("a@", "a@H", "a@a b", "a@h.", "a@h/x", "a@h@i", "a=hex32@é.example", "a@1"):
        with pytest.raises(ValueError, match="has a host that is not as it stands in a URL"):
            CrawlPolicy(tracking_parameters=[name])
    with pytest.raises(ValueError, match="matches no name"):
        CrawlPolicy(index_names=["a/b"])
    for name in ("crawl", "surt", "whatwg", "whatwg-no-fragment"):
        with pytest.raises(ValueError, match="weburl's own"):
            CrawlPolicy(name=name, remove_www=True)
    for name in ("", "a/b", "a b", "é"):
        with pytest.raises(ValueError, match="must consist of ASCII letters"):
            SurtPolicy(name=name)
    for version in (0, -1, 1.0, "1", None):
        with pytest.raises(ValueError, match="version must be"):
            CrawlPolicy(name="x", version=version)  # type: ignore[arg-type]
    for own in ({"version": 2}, {"sort_query": False}):
        with pytest.raises(ValueError, match="is for a policy of weburl's own; these rules need another name"):
            CrawlPolicy(name="crawl", **own)
    with pytest.raises(ValueError, match="surt/1 is for a policy of weburl's own"):
        CrawlPolicy(name="surt")
    with pytest.raises(ValueError, match="is like a URL with credentials, and not a name"):
        CrawlPolicy(tracking_parameters=["https://user:password@h"])
    with pytest.raises(TypeError, match="name must be a str"):
        CrawlPolicy(name=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="remove_www must be a bool, not int"):
        CrawlPolicy(remove_www=1)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="with_scheme must be a bool"):
        SurtPolicy(with_scheme=None)  # type: ignore[arg-type]
    for fragment in ("", None, "all"):
        with pytest.raises(ValueError, match="fragment must be one of remove, hashbang, keep"):
            CrawlPolicy(fragment=fragment)  # type: ignore[arg-type]


def test_wrong_urls() -> None:
    for function in (canonicalize, fingerprint):
        for url in ("", "x", "http://a b/", "//h/"):
            for policy in POLICIES:
                with pytest.raises(InvalidURL) as caught:
                    function(url, policy)
                assert caught.value.input == url
        for wrong in (None, b"http://h/", 1):
            with pytest.raises(TypeError):
                function(wrong)  # type: ignore[arg-type, call-overload]


@pytest.mark.parametrize("n", [*range(0, 140), 255, 256, 257, 384, 1000, 100_000])
def test_blake2b(n: int) -> None:
    data = Random(n).randbytes(n)
    assert digest(data) == hashlib.blake2b(data).digest()


VECTOR = re.compile(r"^\| `(.+)` \| `([\w-]+)` \| (\d+) \| `([0-9a-f]+)` \|$", re.MULTILINE)


def test_vectors() -> None:
    vectors = VECTOR.findall((DOCS / "crawl-rules.md").read_text("utf-8"))
    assert len(vectors) >= 19
    for url, policy, bits, value in vectors:
        found = fingerprint(url, policy, bits=int(bits))
        assert (found.hex() if isinstance(found, bytes) else f"{found:0{int(bits) // 4}x}") == value
        assert len(value) == int(bits) // 4


@given(URLS, st.sampled_from(POLICIES), st.sampled_from([*range(1, 65), 96, 128]))
def test_fingerprint(url: str, policy: str, bits: int) -> None:
    if canonical := URL.can_parse(url) and canonicalize(url, policy):
        octets = hashlib.blake2b(canonical.encode("ascii")).digest()
        expected = octets[: bits // 8] if bits > 64 else int.from_bytes(octets, "big") >> (512 - bits)
        assert fingerprint(url, policy, bits=bits) == expected


def test_bits() -> None:
    for bits in (0, 65, 95, 127, 129, 512, -1):
        with pytest.raises(ValueError, match="from 1 to 64, or 96 or 128"):
            fingerprint("http://h/", bits=bits)
    for wrong in (None, "64", 64.0):
        with pytest.raises(ValueError, match="from 1 to 64, or 96 or 128"):
            fingerprint("http://h/", bits=wrong)  # type: ignore[call-overload]


@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize("policy", ["crawl", "surt"])
@pytest.mark.parametrize("unit", "& = a=1& b&a& utm_id& % %25 %2541 %%341 %2e ../ / %2e%2e/ a/../ + é \\".split())
def test_linear(policy: str, unit: str) -> None:
    for start in ("http://h/", "http://h/?"):
        check(fill(unit, start), lambda url: (canonicalize(url, policy), fingerprint(url, policy)))


@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize("policy", POLICIES)
def test_linear_nested(policy: str) -> None:
    """Escapes of escapes; hosts of many labels; equal and reversed pairs; texts that are nearly SURTs."""
    check(lambda n: "http://h/%" + "25" * n + "41", lambda url: canonicalize(url, policy))
    check(lambda n: "http://h/?%" + "25" * n + "41", lambda url: canonicalize(url, policy))
    check(fill("www.", "http://", "com/"), lambda url: canonicalize(url, policy))
    check(fill(",", "http://", "/"), lambda url: canonicalize(url, policy))
    check(fill("a,", "", "b)/"), lambda text: policy != "surt" or canonicalize(text, policy))
    check(
        lambda n: "http://h/?" + "&".join(f"{index:06}" for index in range(n // 7, 0, -1)),
        lambda url: canonicalize(url, policy),
    )


def test_imported_late() -> None:
    code = (
        "import sys, weburl\n"
        "assert not [name for name in sys.modules if name in ('weburl.crawl', 'weburl._crawl.canonical')]\n"
        "import weburl.crawl\n"
        "assert 'weburl._hosts.psl' not in sys.modules and 'webencodings' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
