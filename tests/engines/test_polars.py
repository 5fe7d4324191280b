"""Expressions and series of Polars give what the scalar API gives."""

from __future__ import annotations

import threading
from typing import Any

import polars as pl
import pytest
from rows import (
    ARGUMENTS,
    GROUPS,
    KEYS,
    OWN,
    PARTS,
    PATTERN,
    ROUTES,
    ROWS,
    SCALAR,
    check_examples,
    encoded,
    extracted,
    joined,
    matching,
    routed,
    scalar,
    structs,
    valid,
    values,
)
from support.fields import FIELDS

import weburl.ext.polars
from weburl import URL
from weburl.bulk import canonicalize_many, fingerprint_many
from weburl.crawl import CrawlPolicy
from weburl.percent import percent_decode_text

FRAME = pl.DataFrame({"n": range(len(ROWS)), "url": ROWS})
COLUMN = pl.col("url")


def call(urls: Any, name: str) -> Any:
    return getattr(urls.weburl, name)(*ARGUMENTS.get(name, ()))


@pytest.fixture(params=["native", "map_batches"], autouse=True)
def both(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The two implementations of the functions."""
    assert weburl.ext.polars._is_native()  # type: ignore[attr-defined]
    if request.param != "native":
        monkeypatch.setattr(weburl.ext.polars, "_is_native", lambda: False)


def collect(expression: Any, frame: Any = FRAME) -> list[Any]:
    """The rows of an expression, which are the same in all engines and have the announced type."""
    lazy = frame.lazy().select(expression)
    eager = frame.select(expression)
    assert eager.schema == lazy.collect_schema()
    assert eager.equals(lazy.collect(engine="streaming"))
    rows: list[Any] = eager.to_series().to_list()
    return rows


@pytest.mark.parametrize("name", SCALAR)
def test_functions(name: str) -> None:
    expected = scalar(SCALAR[name])
    assert collect(call(COLUMN, name)) == expected
    series = call(FRAME["url"], name)
    assert series.to_list() == expected
    assert series.name == "url"


@pytest.mark.parametrize("part", PARTS)
def test_parse_url(part: str) -> None:
    assert collect(COLUMN.weburl.parse_url(part)) == scalar(PARTS[part])
    assert FRAME["url"].weburl.parse_url(part.lower()).to_list() == scalar(PARTS[part])


def test_parse_url_with_a_key() -> None:
    assert collect(COLUMN.weburl.parse_url("QUERY", "q")) == scalar(SCALAR["param"])
    with pytest.raises(ValueError, match="a key goes with QUERY, not with 'HOST'"):
        COLUMN.weburl.parse_url("HOST", "q")
    with pytest.raises(ValueError, match=r"part must be one of HOST, .*, not 'PORT'"):
        COLUMN.weburl.parse_url("PORT")


def test_parse() -> None:
    assert collect(COLUMN.weburl.parse(FIELDS)) == structs()
    full = FRAME.select(COLUMN.weburl.parse()).unnest("url")
    assert full.columns == [*FIELDS, "error"]
    failed = full["error"].is_not_null()
    assert failed.to_list() == [ok is False for ok in valid()]
    assert full["host_type"].is_null().to_list() == [kind is None for kind in scalar(lambda url: url.host_type)]
    assert collect(COLUMN.weburl.parse("error"))[3] == {"error": "missing-scheme-non-relative-URL"}
    with pytest.raises(ValueError, match="a field must be one of"):
        COLUMN.weburl.parse(["hostname", "nonsense"])


def test_query() -> None:
    assert collect(COLUMN.weburl.query(KEYS)) == values()
    assert collect(COLUMN.weburl.query(iter(["q"]), base=URL("http://h/?q"))) == [
        {"q": value} for value in scalar(SCALAR["param"], base="http://h/?q")
    ]
    assert FRAME["url"].weburl.query("z").struct.fields == ["z"]
    with pytest.raises(ValueError, match="keys must be one or more names, each once"):
        COLUMN.weburl.query(["q", "q"])
    with pytest.raises(ValueError, match="keys must be one or more names, each once"):
        COLUMN.weburl.query([])


def test_policies() -> None:
    for policy in ("whatwg", "surt", "crawl/1"):
        found = collect(COLUMN.weburl.canonicalize(policy))
        assert found == canonicalize_many(ROWS, policy).to_pylist()
        keys = FRAME.select(COLUMN.weburl.fingerprint(policy))
        assert keys.schema == {"url": pl.UInt64}
        assert keys["url"].to_list() == fingerprint_many(ROWS, policy).to_pylist()
    with pytest.raises(ValueError, match="policy must be whatwg, crawl or surt"):
        COLUMN.weburl.canonicalize("nonsense")
    own = CrawlPolicy(remove_www=True)
    assert collect(COLUMN.weburl.fingerprint(own)) == fingerprint_many(ROWS, own).to_pylist()


def test_valid() -> None:
    assert collect(COLUMN.weburl.can_parse()) == valid()


def test_base() -> None:
    base = "https://base.example/a/b"
    assert collect(COLUMN.weburl.normalize(base)) == scalar(SCALAR["normalize"], base=base)
    assert collect(COLUMN.weburl.hostname(base=URL(base))) == scalar(SCALAR["hostname"], base=base)
    assert collect(COLUMN.weburl.registrable_domain(base=base)) == scalar(SCALAR["registrable_domain"], base=base)
    with pytest.raises(weburl.InvalidURL):
        COLUMN.weburl.normalize("no base")


def test_join() -> None:
    refs = [*ROWS[1:], "../x"]
    frame = FRAME.with_columns(ref=pl.Series(refs))
    assert collect(COLUMN.weburl.join("ref"), frame) == joined(ROWS, refs)
    assert collect(COLUMN.weburl.join(pl.lit("x")), frame) == joined(ROWS, ["x"] * len(ROWS))
    base = "https://base.example/a/b"
    assert collect(pl.lit(base).weburl.join("ref"), frame) == joined([base] * len(ROWS), refs)
    assert collect(pl.lit(None, pl.String).weburl.join("ref"), frame) == [None] * len(ROWS)
    assert FRAME["url"].weburl.join(pl.Series(refs)).to_list() == joined(ROWS, refs)


def test_join_of_columns_in_different_chunks() -> None:
    bases = pl.concat([pl.Series(ROWS[:700]), pl.Series([], dtype=pl.String), pl.Series(ROWS[700:])], rechunk=False)
    refs = pl.concat([pl.Series(OWN), pl.Series(ROWS[len(OWN) :])], rechunk=False)
    assert bases.n_chunks() > 1 < refs.n_chunks()
    assert bases.weburl.join(refs).to_list() == joined(ROWS, ROWS)


def test_join_of_columns_that_do_not_go_together() -> None:
    with pytest.raises((pl.exceptions.ComputeError, ValueError), match="columns of 3 and 2 rows do not go together"):
        FRAME.select(pl.lit(pl.Series(["a:", "b:"])).weburl.join(pl.lit(pl.Series(["", "", ""]))))


def test_percent_decode() -> None:
    texts = [text for text in ROWS if text is not None]
    frame = pl.DataFrame({"url": texts})
    assert collect(COLUMN.weburl.percent_decode(), frame) == [percent_decode_text(text) for text in texts]
    assert pl.Series(["%ff", "%41"]).weburl.percent_decode(errors="strict").to_list() == [None, "A"]


def test_chunks_and_slices() -> None:
    chunked = pl.concat([FRAME[:5], FRAME[5:5], FRAME[5:900], FRAME[900:]], rechunk=False)
    assert chunked["url"].n_chunks() >= 3
    assert collect(COLUMN.weburl.hostname(), chunked) == scalar(SCALAR["hostname"])
    assert collect(COLUMN.weburl.hostname(), FRAME[7:901]) == scalar(SCALAR["hostname"], ROWS[7:901])
    assert collect(COLUMN.weburl.parse(FIELDS), chunked[3:1500]) == structs(ROWS[3:1500])
    assert collect(COLUMN.weburl.normalize(), FRAME.select(COLUMN.gather_every(3))) == scalar(
        SCALAR["normalize"], ROWS[::3]
    )


@pytest.mark.parametrize("dtype", [pl.String, pl.Categorical, pl.Null])
def test_empty_and_null_columns(dtype: Any) -> None:
    assert collect(COLUMN.weburl.hostname(), pl.DataFrame({"url": pl.Series([], dtype=dtype)})) == []
    assert (
        collect(COLUMN.weburl.parse("hostname"), pl.DataFrame({"url": pl.Series([None, None], dtype=dtype)}))
        == [{"hostname": None}] * 2
    )


def test_bytes() -> None:
    frame = pl.DataFrame({"url": [*map(encoded, ROWS), b"http://h/\xff"]}, {"url": pl.Binary})
    for name in SCALAR:
        assert collect(call(COLUMN, name), frame)[:-1] == scalar(SCALAR[name])
    assert collect(COLUMN.weburl.path(), frame)[-1] == "/%EF%BF%BD"
    assert collect(COLUMN.weburl.query(KEYS), frame)[:-1] == values()


def test_categories() -> None:
    frame = pl.DataFrame({"url": pl.Series(ROWS * 2, dtype=pl.Categorical)})
    assert collect(COLUMN.weburl.path(), frame) == scalar(SCALAR["path"]) * 2


def test_groups_and_filters() -> None:
    frame = FRAME.with_columns(group=pl.col("n") % 7)
    grouped = frame.group_by("group", maintain_order=True).agg(COLUMN.weburl.hostname()).explode("url")
    assert grouped["url"].to_list() == [host for i in range(7) for host in scalar(SCALAR["hostname"], ROWS[i::7])]
    over = frame.select(COLUMN.weburl.hostname().count().over("group")).to_series()
    assert over[0] == sum(host is not None for host in scalar(SCALAR["hostname"], ROWS[::7]))
    kept = frame.lazy().filter(COLUMN.weburl.can_parse()).collect(engine="streaming")
    assert kept["url"].to_list() == [row for row, ok in zip(ROWS, valid(), strict=True) if ok]


def test_several_columns() -> None:
    frame = pl.DataFrame({"a": ["http://a:80/"], "b": ["http://b/#"], "n": [1]})
    lazy = frame.lazy().with_columns(
        pl.col("a", "b").weburl.normalize(), pl.col("a", "b").weburl.hostname().name.suffix("_host")
    )
    assert lazy.collect().to_dicts() == [
        {"a": "http://a/", "b": "http://b/#", "n": 1, "a_host": "a", "b_host": "b"},
    ]


def test_other_types_are_refused() -> None:
    with pytest.raises((pl.exceptions.ComputeError, TypeError), match="must be a column of strings"):
        pl.DataFrame({"url": [1]}).select(COLUMN.weburl.hostname())
    with pytest.raises(TypeError, match="key must be a str"):
        COLUMN.weburl.param(1)
    with pytest.raises(ValueError, match="errors must be one of"):
        COLUMN.weburl.percent_decode(errors="nonsense")


def test_text_of_a_subclass_of_str() -> None:
    class Text(str):
        pass

    one = pl.Series(["/?a=1"]).weburl
    assert one.param(Text("a"), base=Text("http://h/")).to_list() == ["1"]
    assert one.parse([Text("href")], base=Text("http://h/")).to_list() == [{"href": "http://h/?a=1"}]


def test_results_outlive_their_input() -> None:
    texts = [f"https://host-{i}.example.com/a/long/path/{i}?q=a%20long%20value%20{i}" for i in range(20_000)]
    results = pl.Series(texts).weburl.parse(["href", "hostname", "pathname"]).struct.unnest()
    spoil = [pl.Series(["x" * 80] * 20_000) for _ in range(5)]
    assert results["href"].to_list() == texts
    assert results["hostname"].to_list() == [f"host-{i}.example.com" for i in range(20_000)]
    assert len(spoil) == 5


def test_threads() -> None:
    """The threads of the streaming engine, and several threads that call it."""
    rows = ROWS * 60
    frame = pl.DataFrame({"url": rows})
    expected = [scalar(SCALAR["hostname"]) * 60, scalar(SCALAR["normalize"]) * 60]
    failures: list[object] = []

    def work() -> None:
        lazy = frame.lazy().select(a=COLUMN.weburl.hostname(), b=COLUMN.weburl.normalize())
        for engine in ("streaming", "in-memory", "streaming"):
            found = lazy.collect(engine=engine)
            if [found["a"].to_list(), found["b"].to_list()] != expected:
                failures.append(engine)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_examples() -> None:
    check_examples("polars")


def test_patterns() -> None:
    base = "https://www.example.com/books/"
    assert collect(COLUMN.weburl.pattern_test(PATTERN)) == matching()
    assert collect(COLUMN.weburl.pattern_test(PATTERN, base=URL(base))) == matching(base=base)
    assert {True, False, None} == {*matching(base=base)}
    assert collect(COLUMN.weburl.pattern_extract(PATTERN, GROUPS)) == extracted()
    assert collect(COLUMN.weburl.pattern_extract(PATTERN, iter(GROUPS), base=base)) == extracted(base=base)
    assert FRAME["url"].weburl.pattern_extract("*://:host/*").struct.fields == ["host"]
    assert collect(COLUMN.weburl.route(ROUTES)) == routed()
    assert collect(COLUMN.weburl.route(iter(ROUTES), base=base)) == routed(base=base)
    assert len({*routed(base=base)}) == 5
    assert FRAME["url"].weburl.route([]).to_list() == [None] * len(ROWS)
    assert FRAME["url"].weburl.pattern_test("https://h/:é").to_list() == [
        row if row is None else weburl.URLPattern("https://h/:é").test(row) for row in ROWS
    ]
    with pytest.raises(weburl.PatternError):
        COLUMN.weburl.pattern_test("https://h/(a")
    with pytest.raises(weburl.PatternError):
        COLUMN.weburl.route(["relative"])
    with pytest.raises(ValueError, match="no group is named 'x'"):
        COLUMN.weburl.pattern_extract(PATTERN, ["x"])
    with pytest.raises(ValueError, match="no groups with names"):
        COLUMN.weburl.pattern_extract("https://h/*")
