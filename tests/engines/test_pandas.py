"""The accessor of pandas gives what the scalar API gives."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
from rows import (
    GROUPS,
    PARTS,
    PATTERN,
    ROUTES,
    ROWS,
    SCALAR,
    check_examples,
    extracted,
    joined,
    matching,
    routed,
    scalar,
    structs,
    valid,
)
from support.fields import FIELDS

import weburl.ext.pandas  # noqa: F401
from weburl import URL, InvalidURL
from weburl.percent import percent_decode_text

INDEX = pd.MultiIndex.from_arrays([[i % 3 for i in range(len(ROWS))], range(len(ROWS))], names=["a", "b"])
SERIES = {
    dtype: pd.Series(ROWS, dtype=dtype, index=INDEX, name=("url", 1))
    for dtype in ("str", "string", "object", "category", "string[python]", "large_string[pyarrow]")
}


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
        function = getattr(series.weburl, name)
        result = function("q") if name == "param" else function()
        assert rows_of(result, series) == scalar(SCALAR[name], ROWS[begin:end:step])
        assert result.dtype == ("object" if name == "params" else "str")


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


def test_valid() -> None:
    series = SERIES["str"]
    result = series.weburl.valid()
    assert rows_of(result, series) == valid()
    assert result.dtype == series[:0].weburl.valid().dtype == "boolean"


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
        series.weburl.host(on_error="raise")


def test_percent_decode() -> None:
    series = SERIES["str"]
    expected = [None if row is None else percent_decode_text(row) for row in ROWS]
    assert rows_of(series.weburl.percent_decode(), series) == expected
    strict = pd.Series(["%ff", "%41"]).weburl.percent_decode("strict")
    assert strict.isna().to_list() == [True, False]


def test_missing_values_only() -> None:
    series = pd.Series([None, None], index=["a", "a"])
    assert rows_of(series.weburl.host(), series) == [None, None]


@pytest.mark.parametrize("values", [[1, 2], [1.5], ["http://a", 1], [b"http://a"]])
def test_other_types_are_refused(values: list[object]) -> None:
    with pytest.raises(TypeError):
        pd.Series(values).weburl.host()


def test_examples() -> None:
    check_examples("pandas")


@pytest.mark.parametrize("dtype", SERIES)
def test_patterns(dtype: str) -> None:
    series = SERIES[dtype]
    base = "https://www.example.com/books/"
    found = series.weburl.pattern_test(PATTERN, base)
    assert rows_of(found, series) == matching(base=base)
    assert found.dtype == "boolean"
    frame = series.weburl.pattern_extract(PATTERN, GROUPS)
    assert frame.index.identical(series.index)
    assert frame.columns.to_list() == GROUPS
    for group in GROUPS:
        assert rows_of(frame[group].rename(series.name), series) == [row[group] for row in extracted()]
    assert rows_of(series.weburl.route(ROUTES), series) == routed()
