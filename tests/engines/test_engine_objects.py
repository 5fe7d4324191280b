"""URL and FrozenURL objects in engines: as rows where the engine holds objects, and as bases everywhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from support.url_objects import CALLS, bases, columns, options
from support.verb_calls import Call

import weburl.ext.duckdb
import weburl.ext.pandas
import weburl.ext.polars
import weburl.ext.pyarrow as ext
from weburl import URL, FrozenURL

LENGTHS = ((1, 0), (2, 1), (3, 7), (4, 70))
# Of plans, which have weburl's own policies only.
BASE = "https://base.example/a/b?q"


def pyarrow_function(call: Call) -> Any:
    return getattr(ext, call.verb.name if call.verb.name == "parse_url" else f"url_{call.verb.name}")


@pytest.mark.parametrize("label", CALLS)
def test_pyarrow_takes_lists(label: str) -> None:
    call = CALLS[label]
    function = pyarrow_function(call)
    for seed, length in LENGTHS:
        objects, texts = columns(seed, length)
        array = pa.array(texts, pa.string())
        if len(call.verb.columns) == 2:
            base_objects, base_texts = bases(seed, length)
            right = function(pa.array(base_texts, pa.string()), array, **call.options)
            assert function(base_objects, objects, **call.options).to_pylist() == right.to_pylist()
            continue
        right = function(array, **call.options).to_pylist()
        for cls in (URL, FrozenURL):
            assert function(objects, **options(call, cls)).to_pylist() == right
            assert function(array, **options(call, cls)).to_pylist() == right


@pytest.mark.parametrize("label", CALLS)
def test_pandas_takes_objects(label: str) -> None:
    call = CALLS[label]
    for seed, length in LENGTHS:
        objects, texts = columns(seed, length)
        given, plain = pd.Series(objects, dtype=object), pd.Series(texts, dtype=object)
        others: list[tuple[Any, ...]] = [()]
        right: list[tuple[Any, ...]] = [()]
        if len(call.verb.columns) == 2:
            others, right = [(given,), (URL(BASE),), (FrozenURL(BASE),)], [(plain,), (BASE,), (BASE,)]
        for other, texts_of_other in zip(others, right, strict=True):
            expected = getattr(plain.weburl, call.verb.name)(*texts_of_other, **call.options)
            for cls in (URL, FrozenURL):
                found = getattr(given.weburl, call.verb.name)(*other, **options(call, cls))
                assert found.equals(expected)


@pytest.mark.parametrize("cls", [URL, FrozenURL])
def test_pyarrow_makes_no_arrays_of_objects(cls: Any) -> None:
    """So docs/engines/pyarrow.md says to pass a list."""
    for make in (pa.scalar, lambda url: pa.array([url]), lambda url: pa.array([url], pa.string())):
        with pytest.raises((pa.ArrowInvalid, pa.ArrowTypeError)):
            make(cls(BASE))
    assert ext.url_hostname(pa.array([cls(BASE).href])).to_pylist() == ["base.example"]
    with pytest.raises(TypeError, match=r"urls must be a column of str, not weburl\.\w+: put it into a list"):
        ext.url_hostname(cls(BASE))


@pytest.mark.parametrize("cls", [URL, FrozenURL])
def test_polars(cls: Any) -> None:
    urls = [cls(BASE), cls("http://h/")]
    series = pl.Series(urls)
    # Polars cannot hand objects over; the message says what to write.
    calls: list[Callable[[], Any]] = [
        lambda: series.weburl.hostname(),
        lambda: series.to_frame("u").select(pl.col("u").weburl.hostname()),
        lambda: series.to_frame("u").lazy().select(pl.col("u").weburl.normalize(base=cls(BASE))).collect(),
    ]
    for call in calls:
        with pytest.raises(Exception, match=r"url\.href for url in urls"):
            call()
    texts = pl.Series([url.href for url in urls])
    assert texts.weburl.hostname().to_list() == ["base.example", "h"]
    links = pl.DataFrame({"u": ["/x"]})
    with pytest.raises(TypeError, match="cannot create expression literal"):
        links.select(pl.lit(cls(BASE)))
    joined = links.select(pl.lit(cls(BASE).href).weburl.join("u").alias("u"))
    assert joined.to_series().to_list() == ["https://base.example/x"]
    refs = pl.Series("u", ["/x", None, "y"])
    expected = ["https://base.example/x", None, "https://base.example/a/y"]
    assert refs.weburl.normalize(base=cls(BASE)).to_list() == expected
    assert refs.to_frame().select(pl.col("u").weburl.normalize(base=cls(BASE))).to_series().to_list() == expected
    plan = refs.to_frame().lazy().select(pl.col("u").weburl.normalize(base=cls(BASE)))
    assert plan.collect().to_series().to_list() == expected
    assert pl.LazyFrame.deserialize(plan.serialize()).collect().to_series().to_list() == expected


@pytest.mark.parametrize("cls", [URL, FrozenURL])
def test_duckdb(cls: Any) -> None:
    con = duckdb.connect()
    weburl.ext.duckdb.register(con)
    # Columns of objects in a frame of pandas are read as their texts.
    frame = pd.DataFrame({"u": [cls(BASE), None, cls("http://user:pw@h/?q=é", encoding="windows-1252")]}, dtype=object)
    assert len(frame) == 3
    rows = con.execute("select url_hostname(u), url_normalize(u) from frame").fetchall()
    assert rows == [("base.example", BASE), (None, None), ("h", "http://user:pw@h/?q=%E9")]
    # A parameter must be a text: docs/engines/duckdb.md.
    with pytest.raises(duckdb.Error, match="Unable to transform python value"):
        con.execute("select url_hostname(?)", [cls(BASE)])
    assert con.execute("select url_hostname(?)", [cls(BASE).href]).fetchall() == [("base.example",)]
    assert con.execute("select url_join(?, ?)", [str(cls(BASE)), "/x"]).fetchall() == [("https://base.example/x",)]
