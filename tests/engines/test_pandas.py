"""The accessor of pandas gives what the scalar API gives."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from rows import (
    ARGUMENTS,
    GROUPS,
    KEYS,
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

import weburl.ext.pandas  # noqa: F401
from weburl import URL, FrozenURL, InvalidURL
from weburl._arrow.input import from_objects
from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms
from weburl._verbs.table import columns_of
from weburl.bulk import Table, can_parse_many, fingerprint_many, normalize_many, parse_many, query_pairs_many
from weburl.percent import percent_decode_text

INDEX = pd.MultiIndex.from_arrays([[i % 3 for i in range(len(ROWS))], range(len(ROWS))], names=["a", "b"])
SERIES = {
    dtype: pd.Series(ROWS, dtype=dtype, index=INDEX, name=("url", 1))
    for dtype in ("str", "string", "object", "category", "string[python]", "large_string[pyarrow]")
}


DTYPES = {
    "params": "object", "fingerprint": "UInt64", "shard": "UInt64", "host_in": "boolean", "is_private": "boolean",
}  # fmt: skip


def rows_of(result: Any, like: Any) -> list[Any]:
    """The rows of a series with the index and the name of the input."""
    assert result.index.identical(like.index)
    assert result.name == like.name
    return [None if value is None or value is pd.NA or value != value else value for value in result]


@pytest.mark.parametrize("dtype", SERIES)
@pytest.mark.parametrize("name", SCALAR)
def test_functions(name: str, dtype: str) -> None:
    for begin, end, step in ((0, None, 1), (3, -5, 7), (0, 0, 1)):
        series = SERIES[dtype].iloc[begin:end:step]
        result = getattr(series.weburl, name)(*ARGUMENTS.get(name, ()))
        assert rows_of(result, series) == scalar(SCALAR[name], ROWS[begin:end:step])
        assert result.dtype == DTYPES.get(name, "str")


def test_objects_of_urls() -> None:
    """Objects give what their texts give, as one series or as two, beside texts and missing values."""
    objects: list[Any] = [
        FrozenURL("https://a.example/x?q=1"), None, URL("https://b.example/"), "no URL", float("nan"),
    ]  # fmt: skip
    for rows in (objects, objects[:1], objects[1:], [*objects, b"https://c.example/"]):
        given = pd.Series(rows, dtype="object")
        plain = pd.Series(
            [value.href if isinstance(value, (URL, FrozenURL)) else value for value in rows], dtype=object
        )
        for name in ("hostname", "can_parse", "redact", "fingerprint"):
            pd.testing.assert_series_equal(getattr(given.weburl, name)(), getattr(plain.weburl, name)())
        pd.testing.assert_series_equal(given.weburl.join(given), plain.weburl.join(plain))
        pd.testing.assert_frame_equal(given.weburl.parse(["host", "error"]), plain.weburl.parse(["host", "error"]))


def test_bytes() -> None:
    series = pd.Series([*map(encoded, ROWS)], dtype="object")
    assert rows_of(series.weburl.hostname(), series) == scalar(SCALAR["hostname"])


@pytest.mark.parametrize("dtype", ["object", "string[python]"])
def test_lone_surrogates(dtype: str) -> None:
    """They become U+FFFD, as in a list; pyarrow, by which pandas hands columns over, does not take them."""
    texts = ["http://a/\ud800", None, "http://b/"]
    series = pd.Series(texts, dtype=dtype)
    assert rows_of(series.weburl.normalize(), series) == ["http://a/%EF%BF%BD", None, "http://b/"]
    assert rows_of(series.weburl.join(series), series) == ["http://a/%EF%BF%BD", None, "http://b/"]
    assert parse_many(series, ["href"]).to_pylist() == parse_many(texts, ["href"]).to_pylist()
    with pytest.raises(TypeError, match="row 1"):
        normalize_many(pd.Series(["\ud800", 1], dtype="object"))
    for column in ("http://a/", "\ud800"):
        with pytest.raises((TypeError, UnicodeEncodeError)):
            normalize_many(pd.DataFrame({"u": [column]}, dtype="object"))


@pytest.mark.parametrize("part", PARTS)
def test_parse_url(part: str) -> None:
    series = SERIES["str"]
    assert rows_of(series.weburl.parse_url(part), series) == scalar(PARTS[part])
    assert rows_of(series.weburl.parse_url("QUERY", "q"), series) == scalar(SCALAR["param"])


@pytest.mark.parametrize("dtype", SERIES)
def test_parse(dtype: str) -> None:
    series = SERIES[dtype]
    frame = series.weburl.parse()
    assert frame.columns.to_list() == [*FIELDS, "error"]
    assert frame.index.identical(series.index)
    expected = structs()
    for field in FIELDS:
        assert rows_of(frame[field].rename(series.name), series) == [row[field] for row in expected]
    assert frame["error"].notna().to_list() == [ok is False for ok in valid()]
    assert series.weburl.parse("hostname").columns.to_list() == ["hostname"]


@pytest.mark.parametrize("dtype", SERIES)
def test_query(dtype: str) -> None:
    series = SERIES[dtype]
    frame = series.weburl.query(KEYS)
    assert frame.columns.to_list() == KEYS
    assert frame.index.identical(series.index)
    for key in KEYS:
        assert rows_of(frame[key].rename(series.name), series) == [row[key] for row in values()]


def test_valid() -> None:
    series = SERIES["str"]
    result = series.weburl.can_parse()
    assert rows_of(result, series) == valid()
    assert result.dtype == series[:0].weburl.can_parse().dtype == "boolean"


URLS = ["http://a/", None, "no URL", "http://b/?x"]


def test_integers_and_booleans_of_columns() -> None:
    """They never become floats or objects, with nulls or without."""
    for urls in (URLS, URLS[:1], [], URLS * 10_000):
        keys, can = fingerprint_many(urls), can_parse_many(urls)
        assert keys.to_pandas().dtype == "UInt64"
        assert [None if key is pd.NA else int(key) for key in keys.to_pandas()] == keys.to_pylist()
        assert can.to_pandas().dtype == "boolean"
        assert [None if each is pd.NA else bool(each) for each in can.to_pandas()] == can.to_pylist()
    assert normalize_many(URLS).to_pandas().dtype == "str"
    batch = Job([*columns_of(["href"]), canonical_forms("whatwg")[1], *columns_of(["can_parse"])], is_struct=True).run(
        from_objects(URLS), 0, 4
    )
    assert batch is not None
    frame = Table([batch]).to_pandas()
    assert list(map(str, frame.dtypes)) == ["str", "UInt64", "boolean"]
    assert frame["fingerprint"].to_list() == fingerprint_many(URLS, "whatwg").to_pandas().to_list()


def test_numpy() -> None:
    for urls in (URLS, [], URLS * 10_000):
        keys = fingerprint_many(urls)
        values, valid = keys.to_numpy()
        assert (values.dtype, valid.dtype) == ("uint64", "bool")
        assert valid.tolist() == [key is not None for key in keys]
        assert values.tolist() == [key or 0 for key in keys]
        values, valid = can_parse_many(urls).to_numpy()
        assert (values.dtype, valid.dtype) == ("bool", "bool")
        assert values.tolist() == [bool(each) for each in can_parse_many(urls)]
        assert valid.tolist() == [each is not None for each in can_parse_many(urls)]
        digests = fingerprint_many(urls, bits=128)
        values, valid = digests.to_numpy()
        assert values.tobytes() == b"".join(each or bytes(16) for each in digests)
        for column in (normalize_many(urls), query_pairs_many(urls), parse_many(urls)["error"], keys, digests):
            values, valid = column.to_numpy()
            assert valid.tolist() == [each is not None for each in column]
            if column not in (keys, digests):
                assert values.dtype == "object"
                assert values.tolist() == column.to_pylist()
            if urls:
                assert np.asarray(column).dtype == "object"
                assert np.asarray(column).tolist() == column.to_pylist()
    assert np.asarray(fingerprint_many(["http://a/"] * 3)).dtype == "uint64"
    assert np.asarray(fingerprint_many(["http://a/"] * 3), "float64").dtype == "float64"
    assert np.array(can_parse_many(["", "http://a/"])).tolist() == [False, True]
    assert np.ma.array(values, mask=~valid).count() == valid.sum()
    with pytest.raises(TypeError):
        np.asarray(fingerprint_many(URLS), "uint64")
    with pytest.raises(ValueError, match="without a copy"):
        np.asarray(fingerprint_many(URLS), copy=False)


def test_join() -> None:
    series = SERIES["str"]
    refs = [*ROWS[1:], "../x"]
    others = pd.Series(refs, index=INDEX)
    assert rows_of(series.weburl.join(others), series) == joined(ROWS, refs)
    assert rows_of(series.weburl.join("../x"), series) == joined(ROWS, ["../x"] * len(ROWS))
    # As elsewhere in pandas, rows belong together by the index.
    assert rows_of(series.weburl.join(others[::-1]), series) == joined(ROWS, refs)
    assert rows_of(series.weburl.join(others[:5]), series) == joined(ROWS, [*refs[:5], *[None] * (len(ROWS) - 5)])


def test_base_and_options() -> None:
    series = SERIES["str"]
    base = "https://base.example/a/b"
    assert rows_of(series.weburl.normalize(URL(base), threads=1), series) == scalar(SCALAR["normalize"], base=base)
    with pytest.raises(InvalidURL, match="no URL"):
        series.weburl.hostname(on_error="raise")


def test_percent_decode() -> None:
    series = SERIES["str"]
    expected = [None if row is None else percent_decode_text(row) for row in ROWS]
    assert rows_of(series.weburl.percent_decode(), series) == expected
    strict = pd.Series(["%ff", "%41"]).weburl.percent_decode(errors="strict")
    assert strict.isna().to_list() == [True, False]


def test_missing_values_only() -> None:
    series = pd.Series([None, None], index=["a", "a"])
    assert rows_of(series.weburl.hostname(), series) == [None, None]


@pytest.mark.parametrize("values", [[1, 2], [1.5], ["http://a", 1]])
def test_other_types_are_refused(values: list[object]) -> None:
    with pytest.raises(TypeError):
        pd.Series(values).weburl.hostname()


def test_examples() -> None:
    check_examples("pandas")


@pytest.mark.parametrize("dtype", SERIES)
def test_patterns(dtype: str) -> None:
    series = SERIES[dtype]
    base = "https://www.example.com/books/"
    found = series.weburl.pattern_test(PATTERN, base=base)
    assert rows_of(found, series) == matching(base=base)
    assert found.dtype == "boolean"
    frame = series.weburl.pattern_extract(PATTERN, GROUPS)
    assert frame.index.identical(series.index)
    assert frame.columns.to_list() == GROUPS
    for group in GROUPS:
        assert rows_of(frame[group].rename(series.name), series) == [row[group] for row in extracted()]
    assert rows_of(series.weburl.route(ROUTES), series) == routed()
