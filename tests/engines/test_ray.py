"""Ray Data's expressions give what the scalar API gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest
import ray
import ray.data
import test_policies_everywhere
from ray.data.expressions import Expr, col
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

import weburl.ext.ray as ext
from weburl import URL
from weburl.percent import percent_decode_text

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning:ray", "ignore::FutureWarning:ray")

BASES = [*ROWS[3:], "https://b.example", None, "a:"]
ONE = "https://b.example/x/y"


@pytest.fixture(scope="module", autouse=True)
def cluster() -> Iterator[None]:
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    ray.shutdown()


@pytest.fixture(scope="module")
def data() -> Any:
    """Blocks, one of slices and one of chunks."""
    table = pa.table({"n": range(len(ROWS)), "u": pa.array(ROWS, pa.large_string()), "base": BASES})
    middle = table.slice(1000, 500)
    chunks = pa.concat_tables([middle.slice(0, 7), middle.slice(7, 300), middle.slice(307)])
    return ray.data.from_arrow([table.slice(0, 1000), chunks, table.slice(1500)])


def ask(data: Any, **columns: Expr) -> dict[str, list[Any]]:
    """The columns, in the order of the rows."""
    for name, expression in columns.items():
        data = data.with_column(name, expression)
    rows = sorted(data.take_all(), key=lambda row: row["n"])
    return {name: [row[name] for row in rows] for name in columns}


def test_the_functions(data: Any) -> None:
    found = ask(
        data,
        **{name: getattr(ext, f"url_{name}")(col("u"), *ARGUMENTS.get(name, ())) for name in SCALAR},
        query=ext.url_query(col("u"), KEYS),
        valid=ext.url_can_parse(col("u")),
        join=ext.url_join(col("base"), col("u")),
        join_one=ext.url_join(ONE, col("u")),
        based=ext.url_normalize(col("u"), URL(ONE)),
        decoded=ext.url_percent_decode(col("u")),
    )
    for name, function in SCALAR.items():
        assert found[name] == scalar(function), name
    assert found["query"] == values()
    assert found["valid"] == valid()
    assert found["join"] == joined(BASES, ROWS)
    assert found["join_one"] == found["based"] == joined([ONE] * len(ROWS), ROWS)
    assert found["decoded"] == [None if row is None else percent_decode_text(row) for row in ROWS]


def test_the_parts(data: Any) -> None:
    parts = {part: ext.parse_url(col("u"), part) for part in PARTS}
    found = ask(data, key=ext.parse_url(col("u"), "query", "q"), **parts)
    for part, function in PARTS.items():
        assert found[part] == scalar(function), part
    assert found["key"] == scalar(SCALAR["param"])


def test_the_struct(data: Any) -> None:
    found = ask(data, all=ext.url_parse(col("u")), two=ext.url_parse(col("u"), ["search", "error"]))
    errors = [row.pop("error") for row in found["all"]]
    assert found["all"] == structs()
    assert [error is not None for error in errors] == [ok is False for ok in valid()]
    assert found["two"] == [
        {"search": row["search"], "error": error} for row, error in zip(structs(), errors, strict=True)
    ]


def test_parse_column(data: Any) -> None:
    parsed = ext.parse_column(data, "u", [*FIELDS, "error"])
    assert parsed.columns() == ["n", "u", "base", *(f"u_{field}" for field in FIELDS), "u_error"]
    rows = sorted(parsed.take_all(), key=lambda row: row["n"])
    assert [[row[name] for row in rows] for name in ("u", "base")] == [ROWS, BASES]
    assert [{field: row[f"u_{field}"] for field in FIELDS} for row in rows] == structs()
    assert [row["u_error"] is not None for row in rows] == [ok is False for ok in valid()]


def test_what_comes_from_pandas() -> None:
    frame = pa.table({"n": range(len(ROWS)), "u": ROWS}).to_pandas()
    assert ask(ray.data.from_pandas(frame), host=ext.url_hostname(col("u")))["host"] == scalar(SCALAR["hostname"])


def test_bytes() -> None:
    texts = pa.array(ROWS, pa.large_string()).cast(pa.large_binary())
    data = ray.data.from_arrow(pa.table({"n": range(len(ROWS)), "u": texts}))
    assert ask(data, host=ext.url_hostname(col("u")))["host"] == scalar(SCALAR["hostname"])


def test_no_rows() -> None:
    empty = ray.data.from_arrow(pa.table({"n": pa.array([], pa.int64()), "u": pa.array([], pa.string())}))
    found = ask(
        empty,
        host=ext.url_hostname(col("u")),
        struct=ext.url_parse(col("u")),
        site=ext.url_registrable_domain(col("u")),
    )
    assert found == {"host": [], "struct": [], "site": []}
    assert ext.parse_column(empty, "u", ["hostname"]).take_all() == []


def test_what_is_wrong_is_said_before_the_work(data: Any) -> None:
    with pytest.raises(ValueError, match="part must be one of HOST"):
        ext.parse_url(col("u"), "PORT")
    with pytest.raises(ValueError, match="a field must be one of"):
        ext.url_parse(col("u"), ["hostname", "nothing"])
    with pytest.raises(ValueError, match="a field must be one of"):
        ext.parse_column(data, "u", ["nothing"])


def test_the_examples() -> None:
    check_examples("ray")


def test_patterns(data: Any) -> None:
    found = ask(
        data,
        test=ext.url_pattern_test(col("u"), PATTERN),
        based=ext.url_pattern_test(col("u"), PATTERN, base=ONE),
        extract=ext.url_pattern_extract(col("u"), PATTERN, GROUPS),
        route=ext.url_route(col("u"), ROUTES),
        other=ext.url_route(col("u"), dict(ROUTES), base=URL(ONE)),
    )
    assert found == {
        "test": matching(),
        "based": matching(base=ONE),
        "extract": extracted(),
        "route": routed(),
        "other": routed(base=ONE),
    }
    with pytest.raises(ValueError, match="a relative pattern needs a base"):
        ext.url_pattern_test(col("u"), "/x")


@pytest.mark.parametrize(("verb", "options", "policy", "function"), test_policies_everywhere.CASES)
def test_policies_of_ones_own(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> None:
    rows = test_policies_everywhere.ROWS
    data = ray.data.from_arrow(pa.table({"n": range(len(rows)), "u": pa.array(rows, pa.large_string())}))
    found = ask(data, x=getattr(ext, f"url_{verb}")(col("u"), policy, **options))["x"]
    assert found == test_policies_everywhere.expected(options, policy, function)
