"""The columns for crawlers give, row by row, what weburl.crawl and weburl.hosts give."""

from __future__ import annotations

import io
import itertools
import threading
from collections.abc import Callable
from typing import Any

import pytest
from support import arrow, hostile
from test_linear import check

from weburl import URL, InvalidURL
from weburl._arrow.schedule import has_threads
from weburl._core.parser import set_max_length
from weburl._crawl.policy import Policy
from weburl.bulk import (
    Column,
    canonicalize_many,
    component_many,
    fingerprint_many,
    normalize_many,
    parse_lines,
    parse_many,
    path_template_many,
    redact_many,
    redactions_many,
)
from weburl.crawl import (
    TRACKING_PARAMETERS,
    CrawlPolicy,
    DocumentBase,
    SurtPolicy,
    canonicalize,
    fingerprint,
    page_links,
)
from weburl.hosts import PublicSuffixList, public_suffix, registrable_domain
from weburl.redact import path_template, redact, redactions

Urls = list[str | None]

INPUTS = list(itertools.islice(hostile.inputs(7), 2500))
HOSTILE = [case.url for case in INPUTS]
OWN: Urls = [
    "HTTP://Example.com:80/a/../index.html?b=2&utm_source=x&a=1#top",
    None,
    "https://user:secret@www2.www.example.co.uk:8443/%7Ea//INDEX.php?&z=1&&a=%2f&fbclid=1&a#b",
    "https://example.com/its/own/serialization/and/its/canonical/form?a=1&b=2",
    "https://www.食狮.公司.cn./ä?ü&ö=1",
    "",
    "no URL",
    "http://h:99999/",
    "http://co.uk/",
    "http://a..b/",
    "http://1.2.3/",
    "http://[1::2]:80/a?b",
    "http://me.github.io",
    "http://x.y.kobe.jp./",
    "ws://Example.com/?b&a#f",
    "x://opaque.example.com/?b&a#f",
    "mailto:somebody@example.com?b&a#f",
    "blob:https://example.com/a#b",
    "file://example.com/index.html?b&a",
    "http://example.com/?" + "&".join(f"p{index * 7919 % 1000}=%41" for index in range(1000)),
    "\ud800",
    "http://h/\ud800?\udc00",
    # SURTs, and what is nearly one.
    "com,example)/b?c",
    "com,example,www)/B?c#d",
    "com,example:81)/x",
    "[1::2])/a",
    "1,0,0,127)/",
    "com,example)/é",
    "com,é)/",
    " com,example)/",
    "com,example)",
    "com,exa mple)/",
    "com,example:99999)/",
    "com,xn--a)/",
    "A:80)/",
    "a:80)/?#b",
    "A:81)/",
    "x:y)/",
    ")/",
    "a:b)/http://c/",
]
URLS: Urls = [*OWN, *HOSTILE]
POLICIES: list[str | Policy] = [
    "whatwg",
    "crawl",
    "surt",
    "surt/1",
    "whatwg-no-fragment",
    CrawlPolicy(
        tracking_parameters=TRACKING_PARAMETERS | {"a*"},
        index_names=["b"],
        remove_www=True,
        merge_schemes=True,
        fragment="keep",
    ),
    SurtPolicy(with_scheme=True, trailing_comma=True, keep_www=True),
]
OUR_LIST = PublicSuffixList(io.StringIO("// VERSION: ours\ncom\ncorp.example.com\n*.jp\n"))


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_ROWS", 100)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 1000)


def rows_of(function: Callable[..., Any], urls: Urls, base: str | None, *args: Any, **options: Any) -> list[Any]:
    """The results of the scalar function; for a row that it refuses, the name of the error."""
    rows = []
    for url in urls:
        try:
            # Without a base the str itself, because a SURT is not a URL.
            rows.append(None if url is None else function(url if base is None else URL(url, base), *args, **options))
        except InvalidURL as error:
            rows.append(error)
    return rows


def check_rows(column: Column, expected: list[Any], make: Callable[[Any], Any] = lambda row: row) -> None:
    """The column's rows, as Python objects and by Arrow, and its errors."""
    rows = [None if row is None or isinstance(row, InvalidURL) else make(row) for row in expected]
    assert column.to_pylist() == rows
    assert arrow.read_stream(column) == rows
    names = [row.error for row in expected if isinstance(row, InvalidURL)]
    assert column.errors == {name: names.count(name) for name in names}


# Canonical forms.


@pytest.mark.parametrize("base", [None, "https://user@www.example.com/a/b?c#d", "x:/y/z", "a:80)/b"])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_canonical_forms(policy: str | Policy, base: str | None) -> None:
    expected = rows_of(canonicalize, URLS, base, policy)
    column = canonicalize_many(URLS, policy, base=base)
    check_rows(column, expected)
    # The forms are rows, too: with SURTs of all kinds among them.
    forms = column.to_pylist()
    check_rows(canonicalize_many(forms, policy), forms)
    assert canonicalize_many(column, policy).to_pylist() == forms
    if base is not None:
        assert canonicalize_many(URLS, policy, base=URL(base)).to_pylist() == forms


@pytest.mark.sample(5)
@pytest.mark.parametrize("base", [None, "https://www.example.com/a/b?c#d"])
@pytest.mark.parametrize("policy", POLICIES, ids=repr)
def test_fingerprints(policy: str | Policy, base: str | None) -> None:
    check_rows(fingerprint_many(URLS, policy, base=base), rows_of(fingerprint, URLS, base, policy))
    for bits in (1, 8, 63, 64, 96, 128):
        check_rows(
            fingerprint_many(URLS, policy, bits=bits, base=base), rows_of(fingerprint, URLS, base, policy, bits=bits)
        )


def test_the_default_policy_is_crawl() -> None:
    assert canonicalize_many(URLS).to_pylist() == canonicalize_many(URLS, "crawl/1").to_pylist()
    assert fingerprint_many(URLS).to_pylist() == fingerprint_many(URLS, "crawl/1", bits=64).to_pylist()


def test_wrong_arguments() -> None:
    for function in (canonicalize_many, fingerprint_many):
        with pytest.raises(ValueError, match="policy must be whatwg, crawl or surt"):
            function([], "crawl/2")
        with pytest.raises(TypeError, match="policy must be a str, a CrawlPolicy or a SurtPolicy, not int"):
            function([], 5)  # type: ignore[arg-type]
        with pytest.raises(InvalidURL):
            function([], base="x")
        with pytest.raises(TypeError, match="urls must be a column of str, not str: put it into a list"):
            function("http://h/")
        with pytest.raises(ValueError, match="on_error must be"):
            function([], on_error="drop")  # type: ignore[arg-type]
    for bits in (0, -1, 65, 127, 129, 512, "64", 64.0, None):
        with pytest.raises(ValueError, match="bits must be an int from 1 to 64, or 96 or 128"):
            fingerprint_many([], bits=bits)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="psl must be a PublicSuffixList or None, not str"):
        component_many([], "registrable_domain", psl="list")  # type: ignore[arg-type]
    with pytest.raises(LookupError, match="unknown encoding label"):
        normalize_many([], encoding="x")
    with pytest.raises(TypeError, match="encoding must be a str, not NoneType"):
        normalize_many([], encoding=None)  # type: ignore[arg-type]


def test_the_limit() -> None:
    url = "http://h/" + "é" * 10
    before = set_max_length(len(URL(url).href))
    try:
        assert canonicalize_many([url]).to_pylist() == [URL(url).href]
        # A canonical form may be longer.
        assert canonicalize_many(["http://h/" + "%255c" * 10], "surt").to_pylist() == ["h)/" + "%5c" * 10]
        set_max_length(len(URL(url).href) - 1)
        for policy in ("whatwg", "crawl", "surt"):
            column = canonicalize_many([url, "h)/" + "é" * 10], policy)
            assert column.to_pylist() == [None, None]
            assert column.errors == {"too-long": 1, "missing-scheme-non-relative-URL": 1}
    finally:
        set_max_length(before)


# Sites.


@pytest.mark.parametrize("views", [False, pytest.param(True, marks=pytest.mark.long)])
@pytest.mark.parametrize("psl", [None, OUR_LIST])
@pytest.mark.parametrize("base", [None, "https://www.example.co.uk/a/b"])
def test_sites(base: str | None, psl: PublicSuffixList | None, views: bool) -> None:
    functions: dict[str, Callable[..., str | None]] = {
        "registrable_domain": registrable_domain,
        "public_suffix": public_suffix,
    }
    expected: dict[str, list[str | None]] = {}
    urls = [*URLS, *(f"http://{host}/" for host in hostile.HOSTS)]
    parsed = [None if url is None else URL.parse(url, base) for url in urls]
    for field, function in functions.items():
        expected[field] = [None if url is None else function(url, psl=psl) for url in parsed]
        column = component_many(urls, field, base=base, views=views, psl=psl)
        assert column.to_pylist() == arrow.read_stream(column) == arrow.read_one(column) == expected[field]
        assert sum(column.errors.values()) == parsed.count(None) - urls.count(None)
    # Beside what needs all of the URL.
    table = parse_many(
        urls, ["href", "registrable_domain", "error", "public_suffix", "origin"], base=base, views=views, psl=psl
    )
    assert table["href"].to_pylist() == [None if url is None else url.href for url in parsed]
    assert (
        table["registrable_domain"].to_pylist()
        == arrow.read_stream(table["registrable_domain"])
        == expected["registrable_domain"]
    )
    assert [row["public_suffix"] for row in arrow.read_stream(table)] == expected["public_suffix"]


def test_sites_are_not_among_the_default_fields() -> None:
    names = parse_many([]).column_names
    assert "hostname" in names
    assert not {"registrable_domain", "public_suffix"} & set(names)
    assert parse_many([], ["registrable_domain", "public_suffix"]).to_pylist() == []


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("views", [False, True])
def test_sites_of_lines(views: bool) -> None:
    lines = [
        "https://www.example.co.uk/",
        "http://127.0.0.1/",
        "",
        "http://b.ü.example/",
        "http://a.corp.example.com/x",
    ]
    data = "\n".join(lines * 300).encode()
    hosts = [None, None, None, "xn--tda.example", None]
    expected = [
        hosts[3] if index == 3 else site for index, site in enumerate(["example.co.uk", None, None, "", "example.com"])
    ]
    table = parse_lines(data, ["registrable_domain"], threads=2, views=views)
    assert table["registrable_domain"].to_pylist() == arrow.read_one(table["registrable_domain"]) == expected * 300
    ours = parse_lines(data, ["registrable_domain"], threads=2, views=views, psl=OUR_LIST)[
        "registrable_domain"
    ].to_pylist()
    assert ours[4] == "a.corp.example.com"
    assert ours[0] == "co.uk"


def test_views_of_sites_point_into_the_input() -> None:
    url = "https://www.a-name-that-is-no-short-string.example.com/path"
    column = component_many(arrow.AsArray([[url] * 3], "U"), "registrable_domain", views=True)
    assert arrow.read_stream(column) == ["example.com"] * 3
    names = PublicSuffixList(io.StringIO("example.com\n"))
    long = component_many(arrow.AsArray([[url] * 3], "U"), "registrable_domain", views=True, psl=names)
    assert arrow.read_stream(long) == ["a-name-that-is-no-short-string.example.com"] * 3
    schema, array = long.__arrow_c_array__()
    buffers = arrow.Array.from_address(arrow.capsule_pointer(array, b"arrow_array"))
    # Validity, views, the input, and the sizes: no memory but that.
    assert buffers.n_buffers == 4
    del schema


# The links of a page.

ENCODINGS = ["utf-8", "UTF-16BE", "latin1", "shift_jis", "iso-2022-jp", "gb18030", "big5", "euc-kr", "x-user-defined"]


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("base", ["https://user@example.com/a/b?c#d", "file:///C:/a", "x:/y/z", "ws://h/", "mailto:x"])
def test_links(base: str, encoding: str) -> None:
    document = DocumentBase(base, encoding=encoding)
    links: Urls = [
        *URLS,
        "?ü",
        "?\x1b\x0e\x0f",
        "?a\tü\n#ß",
        "?" + "日本語" * 300,
        "?😀",
        "?&#20013;中<>'",
        "http:?é",
        None,
    ]
    resolved = [None if link is None else document.resolve(link) for link in links]
    expected = [None if url is None else url.href for url in resolved]
    for threads in (1, 3) if has_threads() else (1,):
        column = document.resolve_many(links, threads=threads)
        assert column.to_pylist() == arrow.read_stream(column) == arrow.read_one(column) == expected
        assert sum(column.errors.values()) == expected.count(None) - links.count(None)
    assert document.resolve_many(arrow.AsStream([["a"], [], ["?b", None]], "vu")).to_pylist() == [
        None if url is None else url.href for url in (document.resolve("a"), document.resolve("?b"), None)
    ]


def test_other_pages_have_other_links() -> None:
    links = ["?ü", "ü"]
    assert DocumentBase("http://h/", encoding="latin1").resolve_many(links).to_pylist() == [
        "http://h/?%FC",
        "http://h/%C3%BC",
    ]
    assert DocumentBase("http://h/").resolve_many(links).to_pylist() == ["http://h/?%C3%BC", "http://h/%C3%BC"]
    assert DocumentBase("http://h/a/b", "c/").resolve_many(["d"]).to_pylist() == ["http://h/a/c/d"]


@pytest.mark.parametrize("encoding", ENCODINGS)
def test_rows_in_an_encoding(encoding: str) -> None:
    bases = "http://user@h/a?b", None
    for base in bases:
        expected = [
            None if (url := URL.parse(case.url, base, encoding=encoding)) is None else url.href for case in INPUTS
        ]
        assert normalize_many(HOSTILE, base, encoding=encoding).to_pylist() == expected


def test_the_encoder_is_asked_where_it_must_be(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def encode(self: object, text: str) -> list[bytes | int]:
        asked.append(text)
        return [b"\xfc"]

    for encoding in ("SingleByteEncoding", "UTF8"):
        monkeypatch.setattr(f"weburl._unicode.encoding.{encoding}.encode", encode)
    links = ["?plain", "?ü#ß", "ü", "ws://h/?ü", "x:?ü", "http://h:99999/?é", "#ü"] * 2
    assert DocumentBase("http://h/").resolve_many(links, threads=1).to_pylist()[1] == "http://h/?%C3%BC#%C3%9F"
    assert asked == []
    assert (
        DocumentBase("http://h/", encoding="latin1").resolve_many(links, threads=1).to_pylist()[1]
        == "http://h/?%FC#%C3%9F"
    )
    assert asked == ["ü"] * 2


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("threads", [1, 3])
def test_an_error_in_the_encoder_ends_all(threads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(self: object, text: str) -> list[bytes | int]:
        raise MemoryError

    monkeypatch.setattr("weburl._unicode.encoding.SingleByteEncoding.encode", broken)
    running = threading.active_count()
    with pytest.raises(MemoryError):
        DocumentBase("http://h/", encoding="latin1").resolve_many(["a"] * 500 + ["?ü"] * 5, threads=threads)
    assert threading.active_count() == running


# What all have in common.

ALL: dict[str, Callable[..., Column]] = {
    "canonicalize": canonicalize_many,
    "surt": lambda urls, **options: canonicalize_many(urls, "surt", **options),
    "64 bits": fingerprint_many,
    "128 bits": lambda urls, **options: fingerprint_many(urls, "surt", bits=128, **options),
    "registrable_domain": lambda urls, **options: component_many(urls, "registrable_domain", **options),
    "site views": lambda urls, **options: component_many(urls, "public_suffix", views=True, **options),
    "links": DocumentBase("http://www.example.co.uk/a", encoding="latin1").resolve_many,
}


@pytest.mark.parametrize("function", ALL.values(), ids=ALL)
def test_threads_and_chunks_change_nothing(function: Callable[..., Column], small_pieces: None) -> None:
    urls = [url for url in URLS if url is None or not any("\ud800" <= c <= "\udfff" for c in url)]
    whole = function(urls, threads=1)
    rows = whole.to_pylist()
    for threads in (1, 2, 5, None):
        for format in ("u", "vu"):
            column = function(arrow.AsStream([urls[:77], [], urls[77:700], urls[700:]], format), threads=threads)
            assert column.to_pylist() == arrow.read_stream(column) == rows
            # As one array, of batches whose bits do not end with a byte.
            assert arrow.read_one(column) == column.to_pylist() == rows
            assert column.errors == whole.errors
    assert len(whole) == len(urls)


@pytest.mark.parametrize("function", ALL.values(), ids=ALL)
def test_no_rows(function: Callable[..., Column]) -> None:
    source: Any
    for source in ([], arrow.AsStream([], "vu"), arrow.AsArray([[]], "n")):
        column = function(source)
        assert (column.to_pylist(), arrow.read_stream(column), arrow.read_one(column), column.errors) == (
            [],
            [],
            [],
            {},
        )
    assert function([None] * 70).to_pylist() == function(arrow.AsArray([[None] * 70], "n")).to_pylist() == [None] * 70


@pytest.mark.usefixtures("small_pieces")
@pytest.mark.parametrize("threads", [1, 3])
@pytest.mark.parametrize("function", ALL.values(), ids=ALL)
def test_the_first_failure_is_raised(function: Callable[..., Column], threads: int) -> None:
    urls: Urls = ["http://example.com/", None] * 200
    for at in (399, 250, 77):
        urls[at] = f"http://user:secret@h:99999/{at}"
        with pytest.raises(InvalidURL) as raised:
            function(urls, threads=threads, on_error="raise")
        assert (raised.value.row, raised.value.input, raised.value.error) == (at, urls[at], "port-out-of-range")
        assert "secret" not in str(raised.value)
    assert len(function(["http://h/", None], on_error="raise")) == 2


def test_the_failure_names_the_base() -> None:
    with pytest.raises(InvalidURL) as raised:
        DocumentBase("http://h/a", "b/").resolve_many(["x", "http://a b/"], on_error="raise")
    assert (raised.value.row, raised.value.base) == (1, "http://h/b/")


def test_one_policy_and_one_list_in_many_threads() -> None:
    failures: list[BaseException] = []
    policy = CrawlPolicy(tracking_parameters=["b"], index_names=["index.html"])
    prints = fingerprint_many(URLS, policy).to_pylist()
    sites = component_many(URLS, "registrable_domain").to_pylist()

    def work() -> None:
        try:
            for _ in range(3):
                assert fingerprint_many(URLS, policy).to_pylist() == prints
                assert component_many(URLS, "registrable_domain").to_pylist() == sites
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_a_job_keeps_its_policy_and_its_list() -> None:
    urls = (f"http://a.corp.example.com/{index}?z&a=1" for index in range(100))
    column = canonicalize_many(urls, CrawlPolicy(tracking_parameters=["z"], index_names=[]))
    assert column.to_pylist() == [f"http://a.corp.example.com/{index}?a=1" for index in range(100)]
    own = PublicSuffixList(io.StringIO("corp.example.com"))
    assert component_many(["http://b.a.corp.example.com/"], "registrable_domain", psl=own).to_pylist() == [
        "a.corp.example.com"
    ]


SHAPES: list[Callable[[int], str]] = [
    lambda n: "http://h/?" + "b&a=1&" * (n // 6),
    lambda n: "http://h/?" + "&" * n,
    lambda n: "http://h/" + "%25" * (n // 3) + "41",
    lambda n: "http://h/?" + "%41%zz" * (n // 6),
    lambda n: "http://h" + "/a/%2e%2e" * (n // 9),
    lambda n: "http://" + "www." * (n // 4) + "h/",
    lambda n: "a," * (n // 2) + "b)/" + "c/" * (n // 2),
    lambda n: "a:80)/" + "b/" * (n // 2),
    lambda n: "x:" + ")" * n,
]


@pytest.mark.timed
@pytest.mark.parametrize("make", SHAPES)
@pytest.mark.parametrize("policy", ["whatwg", "crawl", "surt"])
def test_canonical_forms_are_linear(policy: str, make: Callable[[int], str]) -> None:
    check(lambda n: [make(n), "http://h/?b&a", make(n)], lambda urls: canonicalize_many(urls, policy))
    check(lambda n: [make(64)] * (n // 64), lambda urls: fingerprint_many(urls, policy, bits=128))


@pytest.mark.timed
@pytest.mark.parametrize("make", [lambda n: "a." * (n // 2), lambda n: "." * n, lambda n: "a" * n, lambda n: "co." * n])
def test_sites_are_linear(make: Callable[[int], str]) -> None:
    check(lambda n: [f"http://{make(n)}uk/", "http://h/"] * 2, lambda urls: component_many(urls, "registrable_domain"))


@pytest.mark.timed
def test_links_are_linear() -> None:
    for encoding in ("utf-8", "latin1"):
        document = DocumentBase("http://h/a", encoding=encoding)
        check(lambda n: ["?" + "ü" * n, "?b"] * 2, document.resolve_many)
        check(lambda n: ["?ü"] * (n // 16), document.resolve_many)


@pytest.mark.parametrize(
    ("many", "one", "name"),
    [
        (canonicalize_many, canonicalize, "policy"),
        (fingerprint_many, fingerprint, "policy"),
        (redact_many, redact, "policy"),
        (redactions_many, redactions, "policy"),
        (path_template_many, path_template, "policy"),
    ],
)
def test_none_is_no_policy(many: Callable[..., object], one: Callable[..., object], name: str) -> None:
    url = "http://a/index.html?utm_source=1&b#f"
    with pytest.raises(TypeError) as of_column:
        many([url], **{name: None})
    with pytest.raises(TypeError) as of_url:
        one(url, **{name: None})
    assert str(of_column.value) == str(of_url.value)


def test_links_without_a_policy() -> None:
    pytest.importorskip("selectolax", reason="selectolax is not installed")
    with pytest.raises(TypeError, match=r"^policy must be .*, not NoneType: leave it out for the default$"):
        page_links("<a href=x>", "http://a/", policy=None)  # type: ignore[arg-type]
