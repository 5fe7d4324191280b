"""Columns of patterns: they give, row by row, what URLPattern and PatternList give."""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow, hostile
from test_linear import check

from weburl import URL, InvalidURL, PatternError, URLPattern
from weburl._arrow import batch
from weburl._arrow.job import Job
from weburl._core.parser import LONGEST, set_max_length
from weburl._patterns.canonical import COMPONENTS
from weburl._patterns.columns import Matching, matches
from weburl._verbs.table import columns_of
from weburl.bulk import Column, Table, pattern_extract_many, pattern_test_many, route_many
from weburl.patterns import PatternList

OWN = [
    None, "no URL", "", "https://a.example.com/books/7", "https://b.example.com/books/7?x=1#y", "https://example.com/books/",
    "http://u:p@example.com:8080/a/b/c?q#f", "HTTPS://A.EXAMPLE.COM:443/x/../books/é", "https://bücher.example/books/8",
    "data:text/plain,x", "mailto:me@example.com", "file:///c:/books/9", "x://h/%41/é", "http://[::1]/books/1",
    "http://1.2.3.4:81/?", "http://h/#", "http://h?#", "ws://h/a//b", "https://a.example.com/books/" + "7" * 300,
    "https://é.example.com/books/" + "é" * 300, "x:", "x://", "http://h/\ud800", "https://example.com/\tbooks/5",
]  # fmt: skip
# A view has at most a quarter of LONGEST, and a character of a path becomes at most 12 bytes. Longer ones are in
# tests/test_wrap.py.
SHORT = LONGEST // 48
HOSTILE = (case.url for case in itertools.islice(hostile.inputs(17), 2000))
URLS: list[str | None] = [*OWN, *(url for url in HOSTILE if len(url) <= SHORT)]
PATTERNS = [
    URLPattern(),
    URLPattern("https://*.example.com/books/:id"),
    URLPattern("http{s}?://*/*"),
    URLPattern("*://:host/:path*"),
    URLPattern(hostname=":sub.example.com"),
    URLPattern(protocol="http{s}?", port="8080"),
    URLPattern(username="u", password="*"),
    URLPattern(pathname="/books/:id", ignore_case=True),
    URLPattern(pathname="/:id(\\d+)?/*"),
    URLPattern(pathname="/(books|a)/:rest+"),
    URLPattern(pathname="/BOOKS/*", search=":id", ignore_case=True),
    URLPattern(hostname=":id.com", pathname="/:id"),
    URLPattern(search="*", hash=":hash"),
    URLPattern("data\\:*"),
    URLPattern(pathname="/:é/:name(.*)"),
    URLPattern(pathname="*/:a-:b-:c*"),
]
ROUTES = PatternList([(f"{index} é", pattern) for index, pattern in enumerate([*PATTERNS[1:], PATTERNS[0]])])
NO_GROUPS = "the pattern has no groups with names"


def links() -> list[str | None]:
    """Real links, if there are any here."""
    path = Path(os.environ.get("WEBURL_DATA", "")) / "urls" / "web_links_48k.txt"
    return list(path.read_text("utf-8-sig").splitlines()[::10]) if path.exists() else []


def all_groups(pattern: URLPattern) -> list[str]:
    return [f"{name}.{group}" for name, given in named(pattern).items() for group in given]


def named(pattern: URLPattern) -> dict[str, tuple[str, ...]]:
    """The names of a pattern's groups, by components."""
    return {name: part.names for name, part in zip(COMPONENTS, pattern._components, strict=True)}


def extracted(pattern: URLPattern, url: str | None, groups: Iterable[str], base: str | None = None) -> dict[str, Any]:
    """The row of pattern_extract_many(), by exec()."""
    found = None if url is None else pattern.exec(url, base)
    row: dict[str, Any] = {}
    for name in groups:
        component, dot, own = name.partition(".")
        if found is None:
            row[name] = None
        elif dot:
            row[name] = getattr(found, component).groups[own]
        else:
            row[name] = found[name]
    return row


def routed(routes: PatternList, url: str | None, base: str | None = None) -> dict[str, Any]:
    """The row of route_many(), by first()."""
    found = None if url is None else routes.first(url, base=base)
    if found is None:
        return {"route": None, "groups": None}
    key, result = found
    taken = {}
    for component in COMPONENTS:
        for name, text in getattr(result, component).groups.items():
            if text is not None and not name[0].isdigit():
                taken[name if result.get(name, ...) is not ... else f"{component}.{name}"] = text
    return {"route": key, "groups": taken}


def compare(found: Column | Table, right: list[Any], urls: list[str | None]) -> None:
    assert [(url, one, two) for url, one, two in zip(urls, found, right, strict=True) if one != two] == []


def is_utf8(text: str | None) -> bool:
    return text is None or not any("\ud800" <= character <= "\udfff" for character in text)


@pytest.mark.sample(10)
@pytest.mark.parametrize("pattern", PATTERNS, ids=str)
@pytest.mark.parametrize("base", [None, "https://user@a.example.com:8080/books/x?id#hash"])
def test_one_pattern(pattern: URLPattern, base: str | None) -> None:
    urls = [*URLS, *links()]
    right: list[Any] = [None if url is None else pattern.test(url, base) for url in urls]
    assert {None, False} <= {*right} or pattern == URLPattern()
    compare(pattern_test_many(urls, pattern, base=base), right, urls)
    names = all_groups(pattern)
    for views in (False, True):
        table = pattern_extract_many(urls, pattern, names, base=base, views=views)
        assert table.column_names == tuple(names)
        compare(table, [extracted(pattern, url, names, base) for url in urls], urls)
        assert sum(table.errors.values()) == sum(url is not None and not URL.can_parse(url, base) for url in urls)


@pytest.mark.parametrize("base", [None, "https://user@a.example.com:8080/books/x?id#hash"])
def test_routes(base: str | None) -> None:
    urls = [*URLS, *links()]
    table = route_many(urls, ROUTES, base=base)
    right = [routed(ROUTES, url, base) for url in urls]
    assert len({row["route"] for row in right}) >= 10
    assert any(row["groups"] == {} for row in right)
    compare(table, right, urls)
    assert table.column_names == ("route", "groups")
    # The rest of the list, so that others are first.
    for start in range(len(ROUTES)):
        some = PatternList(ROUTES[index] for index in range(start, len(ROUTES) - 1))
        compare(route_many(OWN, some, base=base), [routed(some, url, base) for url in OWN], OWN)


@pytest.mark.parametrize("host", ["*", "*.h", "*.h.example", "h", "a.h.example", ":id.h", "{a.}?h"])
@pytest.mark.parametrize("path", ["/*", "/", "/a", "/a/*", "/:id", "*"])
def test_a_list_of_one_pattern(host: str, path: str) -> None:
    """No other pattern puts labels or segments into its index."""
    pattern = URLPattern(f"https://{host}{path}")
    hosts = ("h", "a.h", "b.h.example", "a.h.example", "b.a.h", "h.example")
    urls = [f"https://{each}{rest}" for each in hosts for rest in ("", "/a", "/a/b", "/ab")]
    right = [pattern.test(url) for url in urls]
    assert any(right)
    routes = PatternList([("one", pattern)])
    assert [each is not None for each in route_many(urls, routes)["route"].to_pylist()] == right
    assert [routes.first(url) is not None for url in urls] == right


SEGMENTS = st.sampled_from(["a", "b", "é", ":id", "*", "{x}?", "(a|b)", ":n(\\d*)", "", "7", "x-:y"])
TEXTS = st.builds(
    lambda scheme, host, path: f"{scheme}://{'.'.join(host)}/{'/'.join(path)}",
    st.sampled_from(["http", "https", "*", "http{s}?"]),
    st.lists(st.sampled_from(["a", "b", ":h", "*", "com"]), min_size=1, max_size=3),
    st.lists(SEGMENTS, max_size=3),
)
SPELLED = st.builds(
    lambda scheme, host, path, rest: f"{scheme}://{'.'.join(host)}/{'/'.join(path)}{rest}",
    st.sampled_from(["http", "https", "x"]),
    st.lists(st.sampled_from(["a", "b", "com", "é"]), min_size=1, max_size=3),
    st.lists(st.sampled_from(["a", "b", "é", "7", "x", "x-1", ""]), max_size=4),
    st.sampled_from(["", "?q", "#f", "?q#f"]),
)


@given(st.lists(TEXTS, max_size=6), st.lists(SPELLED, max_size=8))
def test_generated(texts: list[str], urls: list[str]) -> None:
    patterns = []
    for text in texts:
        try:
            patterns.append(URLPattern(text))
        except PatternError:
            continue
    rows: list[str | None] = [*urls]
    for pattern in patterns:
        assert pattern_test_many(rows, pattern).to_pylist() == [pattern.test(url) for url in urls]
        names = all_groups(pattern)
        compare(pattern_extract_many(rows, pattern, names), [extracted(pattern, url, names) for url in rows], rows)
    routes = PatternList([(f"{index}", pattern) for index, pattern in enumerate(patterns)])
    compare(route_many(rows, routes), [routed(routes, url) for url in rows], rows)


def test_names_of_columns() -> None:
    urls = ["https://a.example.com/7/8?q", "https://b.example.com/7/8"]
    pattern = URLPattern("https://:id.example.com/:id/:other/{:gone}?\\?*")
    table = pattern_extract_many(["https://a.example.com/7/8/?q"], pattern)
    assert table.to_pylist() == [{"hostname.id": "a", "pathname.id": "7", "other": "8", "gone": None}]
    pattern = URLPattern("https://:sub.example.com/:id/*\\?*")
    assert pattern_extract_many(urls, pattern).column_names == ("sub", "id")
    table = pattern_extract_many(iter(urls), pattern, iter(["search.0", "pathname.id", "id", "hostname.sub", "hash.0"]))
    assert table.to_pylist()[0] == {
        "search.0": "q", "pathname.id": "7", "id": "7", "hostname.sub": "a", "hash.0": "",
    }  # fmt: skip
    assert table["id"].to_pylist() == ["7", "7"]
    assert pattern_extract_many(urls, "https://:sub.example.com/*").to_pylist() == [{"sub": "a"}, {"sub": "b"}]


def test_nulls() -> None:
    urls = ["https://h/", None, "no URL", "https://h/a"]
    pattern = URLPattern(pathname="/{:id}?")
    assert pattern_test_many(urls, pattern).to_pylist() == [True, None, False, True]
    table = pattern_extract_many(urls, pattern)
    assert table["id"].to_pylist() == [None, None, None, "a"]
    # A group that took part can be empty.
    assert pattern_extract_many(urls, pattern, ["search.0"])["search.0"].to_pylist() == ["", None, None, ""]
    routes = route_many(urls, [("one", pattern), ("two", "*://*/*")])
    assert routes.to_pylist() == [
        {"route": "one", "groups": {}}, {"route": None, "groups": None}, {"route": None, "groups": None},
        {"route": "one", "groups": {"id": "a"}},
    ]  # fmt: skip
    assert route_many(urls, []).to_pylist() == [{"route": None, "groups": None}] * 4
    for result in (pattern_test_many(urls, pattern), table, routes):
        assert result.errors == {"missing-scheme-non-relative-URL": 1}


def test_errors() -> None:
    pattern = URLPattern(pathname="/:id")
    calls: list[Callable[..., Column | Table]] = [
        lambda urls, **options: pattern_test_many(urls, pattern, **options),
        lambda urls, **options: pattern_extract_many(urls, pattern, **options),
        lambda urls, **options: route_many(urls, [pattern], **options),
    ]
    for call in calls:
        with pytest.raises(InvalidURL, match=r"row 1: missing-scheme") as raised:
            call([None, "no URL"], on_error="raise")
        assert raised.value.row == 1
        with pytest.raises(InvalidURL):
            call([], base="no URL")
        with pytest.raises(ValueError, match="on_error"):
            call([], on_error="ignore")
        assert len(call([])) == 0
        assert len(call([None])) == 1
        with pytest.raises(TypeError):
            call(["http://h/", 1])


def test_wrong_arguments() -> None:
    for wrong in (None, 1, b"https://h/", {"pathname": "/"}, ["https://h/"]):
        with pytest.raises(TypeError, match="pattern must be a URLPattern or a str"):
            pattern_test_many([], wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="pattern must be a URLPattern or a str"):
            pattern_extract_many([], wrong)  # type: ignore[arg-type]
    with pytest.raises(PatternError):
        pattern_test_many([], "/books/:id")
    with pytest.raises(PatternError):
        route_many([], ["https://h/(a"])
    for routes in ("https://h/", None, [1], [("a",)]):
        with pytest.raises(TypeError):
            route_many([], routes)  # type: ignore[arg-type]
    pattern = URLPattern(hostname=":id.com", pathname="/:id/:n")
    for groups in (
        ["x"],
        ["id"],
        ["pathname.1"],
        ["pathname."],
        [""],
        ["n", "n"],
        ["x.n"],
        ["pathname.n", "hostname.n"],
    ):
        with pytest.raises(ValueError, match=r"no group is named|each once"):
            pattern_extract_many([], pattern, groups)
    for untyped in ("n", [1], [None], [b"n"]):
        with pytest.raises(TypeError):
            pattern_extract_many([], pattern, untyped)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=NO_GROUPS):
        pattern_extract_many([], "https://h/*", [])
    with pytest.raises(ValueError, match=NO_GROUPS):
        pattern_extract_many([], "https://h/*")


def test_fields_that_nothing_makes() -> None:
    with pytest.raises(TypeError):
        matches(None)  # type: ignore[arg-type]
    pattern = URLPattern(pathname="/:id")
    for place in (("id", 8, 0), ("id", -1, 0), ("id", 5, 1), ("id", 5, -1), ("id", 4, 2)):
        with pytest.raises(ValueError, match="no such group"):
            Matching(pattern._matcher, [("", [place])], ["id"])
    for count in (0, 2):
        with pytest.raises(ValueError, match="each pattern is a target"):
            Matching(pattern._matcher, [("", [])] * count)
    with pytest.raises(TypeError):
        Matching(None, [])  # type: ignore[arg-type]


def test_fields_beside_the_groups() -> None:
    """As the command makes them: everything in one pass."""
    matching = URLPattern("https://:sub.example.com/:id")._matching(["id", "sub"])
    job = Job([*columns_of(("hostname", "query", "error")), *matches(matching, ["pattern_test"])], is_struct=True)
    from weburl._arrow.input import from_objects

    found = job.run(from_objects(["https://a.example.com/7?x", "http://b/", "no URL"]), 0, 3)
    assert found is not None
    assert Table([found]).to_pylist() == [
        {"hostname": "a.example.com", "query": "x", "error": None, "pattern_test": True, "id": "7", "sub": "a"},
        {"hostname": "b", "query": None, "error": None, "pattern_test": False, "id": None, "sub": None},
        {"hostname": None, "query": None, "error": "missing-scheme-non-relative-URL", "pattern_test": False,
         "id": None, "sub": None},
    ]  # fmt: skip
    matching = ROUTES._matching(["id", "host"])
    table = Table([Job(matches(matching, ["route"]), is_struct=True).run(from_objects(OWN), 0, len(OWN))])  # type: ignore[list-item]
    for url, row in zip(OWN, table, strict=True):
        right = routed(ROUTES, url)
        taken = right["groups"] or {}
        assert row == {"route": right["route"], "id": taken.get("id"), "host": taken.get("host")}


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_ROWS", 100)


def test_threads_and_chunks_change_nothing(small_pieces: None) -> None:
    urls = [url for url in URLS if is_utf8(url)]
    pattern = URLPattern("*://:host/:path/*")
    for function in (
        lambda urls, **options: pattern_test_many(urls, pattern, **options),
        lambda urls, **options: pattern_extract_many(urls, pattern, ["host", "path", "hash.0"], **options),
        lambda urls, **options: pattern_extract_many(urls, pattern, views=True, **options),
        lambda urls, **options: route_many(urls, ROUTES, **options),
    ):
        whole = function(urls, threads=1)
        rows = whole.to_pylist()
        for threads in (1, 2, 5):
            for format in ("u", "U", "vu"):
                column = function(arrow.AsStream([urls[:77], [], urls[77:700], urls[700:]], format), threads=threads)
                assert column.to_pylist() == arrow.read_stream(column) == rows
                assert arrow.read_one(column) == rows
                assert column.errors == whole.errors
        assert function(arrow.AsArray([urls], "u", offset=3)).to_pylist() == rows
        assert function(arrow.AsArray([urls], "U", index="i")).to_pylist() == rows


def test_many_columns_and_long_keys() -> None:
    text = "/".join(f":g{index}" for index in range(300))
    pattern = URLPattern(f"https://h/{text}")
    url = "https://h/" + "/".join(f"{index}é" for index in range(300))
    (row,) = pattern_extract_many([url], pattern)
    assert row == {f"g{index}": f"{index}%C3%A9" for index in range(300)}
    key = "k" * 1000
    (row,) = route_many([url], {key: pattern})
    assert row == {"route": key, "groups": {f"g{index}": f"{index}%C3%A9" for index in range(300)}}
    rows = [url] * 200
    assert route_many(rows, {key: pattern}).to_pylist() == [row] * 200
    assert arrow.read_one(route_many(rows, {key: pattern})) == [row] * 200
    # A surrogate is U+FFFD, as everywhere.
    assert route_many([url], [("\ud800é", pattern)])["route"].to_pylist() == ["\ufffdé"]


def test_an_array_has_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    """The offsets of a map have 32 bits: with more groups there is no single array, but still a stream."""
    table = route_many(["https://h/a"], {"a": "https://h/:id"})
    several = Table(table._batches * 3)
    assert arrow.read_one(several) == table.to_pylist() * 3
    before = batch.set_most_pairs(2)
    try:
        several = Table(table._batches * 3)
        with pytest.raises(ValueError, match="too many groups for one array"):
            several.__arrow_c_array__()
        assert arrow.read_stream(several) == table.to_pylist() * 3
    finally:
        batch.set_most_pairs(before)


def test_the_limit() -> None:
    urls: list[str | None] = ["http://h/" + "é" * count for count in (1, 5, 20)]
    before = set_max_length(50)
    try:
        for pattern in PATTERNS:
            compare(pattern_test_many(urls, pattern), [pattern.test(url) for url in urls if url], urls)
        assert pattern_test_many(urls, "http://h/*").to_pylist() == [True, True, False]
        assert pattern_test_many(urls, "http://h/*").errors == {"too-long": 1}
    finally:
        set_max_length(before)


def test_a_pattern_of_the_host_reads_no_more() -> None:
    assert URLPattern(hostname="*.com", protocol="http", port="8")._matching(["hostname.0"]).host_only
    assert URLPattern()._matching().host_only
    assert not URLPattern()._matching(["hash.0"]).host_only
    assert not URLPattern(hash="x")._matching().host_only
    assert not PatternList([URLPattern()])._matching().host_only


@pytest.mark.timed
@pytest.mark.parametrize("path", ["a/", "a-", "/", "é"])
def test_long_paths(path: str) -> None:
    def work(urls: list[str]) -> Any:
        return (
            pattern_test_many(urls, URLPattern(pathname="/*a*a*a*b")),
            pattern_extract_many(urls, URLPattern(pathname="/:a-:b-:c*")),
            route_many(urls, ROUTES),
        )

    check(lambda n: [f"http://h/{path * (n // len(path))}"], work)


def test_views_keep_the_input() -> None:
    urls = arrow.AsStream([["https://a.example.com/a-long-segment-of-a-path", "https://h/é" + "a" * 40]], "U")
    table = pattern_extract_many(urls, URLPattern(pathname="/:id"), views=True)
    assert arrow.read_stream(table) == [{"id": "a-long-segment-of-a-path"}, {"id": "%C3%A9" + "a" * 40}]
    assert URL("https://h/é").pathname == "/%C3%A9"
