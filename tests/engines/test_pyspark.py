"""PySpark's functions give what the scalar API gives, on two executors."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import test_policies_everywhere
from pyspark.errors import PythonException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F
from rows import (
    ARGUMENTS,
    GROUPS,
    HOSTS,
    MAP,
    PARTS,
    PATTERN,
    ROUTES,
    ROWS,
    SCALAR,
    check_examples,
    extracted,
    in_each,
    joined,
    maps,
    matching,
    routed,
    scalar,
    sql_calls,
    structs,
    valid,
    values,
    with_bases,
)
from rows import KEYS as QUERY_KEYS
from support.fields import FIELDS

import weburl.ext.pyspark as ext
from weburl import URL, InvalidURL, URLPattern
from weburl.bulk import normalize_many, redact_many
from weburl.percent import percent_decode_text
from weburl.robots import Robots

# PySpark says that it does not yet fully support pandas 3, which nothing here uses.
pytestmark = pytest.mark.filterwarnings("ignore:PySpark does not yet fully support pandas:FutureWarning")

BASES = [*ROWS[3:], "https://b.example", None, "a:"]
KEYS = [f"k{i % 3}" if i % 4 else "q" if i % 3 else None for i in range(len(ROWS))]
CHOSEN = [[*PARTS, None][i % (len(PARTS) + 1)] for i in range(len(ROWS))]


@pytest.fixture(scope="module")
def spark() -> Iterator[Any]:
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.executor.memory": "512m",
        "spark.log.level": "ERROR",
        # A partition is several batches, and the last one is short.
        "spark.sql.execution.arrow.maxRecordsPerBatch": "100",
    }
    spark = SparkSession.builder.master("local-cluster[2,1,512]").config(map=settings).getOrCreate()
    yield spark
    spark.stop()


@pytest.fixture(scope="module")
def frame(spark: Any) -> Any:
    columns = zip(range(len(ROWS)), ROWS, BASES, KEYS, CHOSEN, strict=True)
    frame = spark.createDataFrame(list(columns), "n int, u string, base string, key string, part string")
    frame = frame.repartition(3, "n").cache()
    frame.createOrReplaceTempView("t")
    return frame


def ask(frame: Any, **columns: Any) -> dict[str, list[Any]]:
    """The columns, in the order of the rows."""
    rows = frame.select("n", *(column.alias(name) for name, column in columns.items())).orderBy("n").collect()
    return {name: [row[name] for row in rows] for name in columns}


def test_the_functions(frame: Any) -> None:
    found = ask(
        frame,
        **{name: getattr(ext, f"url_{name}")(F.col("u"), *ARGUMENTS.get(name, ())) for name in SCALAR},
        query=ext.url_query("u", QUERY_KEYS),
        valid=ext.url_can_parse("u"),
        join=ext.url_join("base", "u"),
        join_one=ext.url_join(F.lit("https://b.example/x/y"), "u"),
        based=ext.url_normalize("u", "https://b.example/x/y"),
        decoded=ext.url_percent_decode("u"),
    )
    for name, function in SCALAR.items():
        expected = scalar(function)
        got = found[name]
        if name == "fingerprint":
            got = [row if row is None else row % 2**64 for row in got]
            assert min(row or 0 for row in found[name]) < 0
        if name == "params":
            got = [row and [pair.asDict() for pair in row] for row in got]
        assert got == expected, name
    assert [row.asDict() for row in found["query"]] == values()
    assert found["valid"] == valid()
    assert found["join"] == joined(BASES, ROWS)
    assert found["join_one"] == found["based"] == joined(["https://b.example/x/y"] * len(ROWS), ROWS)
    assert found["decoded"] == [None if row is None else percent_decode_text(row) for row in ROWS]


def test_the_parts(frame: Any) -> None:
    found = ask(frame, key=ext.parse_url("u", "query", "q"), **{part: ext.parse_url("u", part) for part in PARTS})
    for part, function in PARTS.items():
        assert found[part] == scalar(function), part
    assert found["key"] == scalar(SCALAR["param"])


def test_the_struct(frame: Any) -> None:
    found = ask(frame, all=ext.url_parse("u"), two=ext.url_parse("u", ["search", "error"]))
    rows = [row.asDict() for row in found["all"]]
    errors = [row.pop("error") for row in rows]
    assert rows == structs()
    assert errors == [error_of(row) for row in ROWS]
    assert [row.asDict() for row in found["two"]] == [
        {"search": row["search"], "error": error} for row, error in zip(structs(), errors, strict=True)
    ]


def error_of(row: str | None) -> str | None:
    if row is None:
        return None
    try:
        URL(row)
    except InvalidURL as error:
        return error.error
    return None


def test_parse_column(frame: Any) -> None:
    parsed = ext.parse_column(frame, "u", [*FIELDS, "error"])
    assert parsed.columns == ["n", "u", "base", "key", "part", *(f"u_{field}" for field in FIELDS), "u_error"]
    rows = [row.asDict() for row in parsed.orderBy("n").collect()]
    assert [[row[name] for row in rows] for name in ("u", "base", "key", "part")] == [ROWS, BASES, KEYS, CHOSEN]
    assert [{field: row[f"u_{field}"] for field in FIELDS} for row in rows] == structs()
    assert [row["u_error"] for row in rows] == [error_of(row) for row in ROWS]
    for keep in (["n"], ["u", "n"], ["n", "u", "n"]):
        some = ext.parse_column(frame, "u", ["hostname"], keep=keep)
        assert some.columns == [*dict.fromkeys(keep), "u_hostname"]
        assert [row["u_hostname"] for row in some.orderBy("n").collect()] == scalar(SCALAR["hostname"])
    alone = ext.parse_column(frame, "u", ["hostname"], keep=())
    assert sorted(map(str, (row["u_hostname"] for row in alone.collect()))) == sorted(
        map(str, scalar(SCALAR["hostname"]))
    )


def test_sql(spark: Any, frame: Any) -> None:
    robots = Robots.parse("User-agent: *\nDisallow: /a", agent="ExampleBot")
    ext.register(spark, ["hostname", "error"], hosts={"named": HOSTS}, robots={"site": robots})
    expressions = {
        **sql_calls(),
        "valid": "url_can_parse(u)",
        "parse": "url_parse(u)",
        "map": MAP,
        "map_of_each": "url_query(u, key, part)",
        "in_set": "url_host_in(u, 'named')",
        "allowed": "url_robots_allowed(u, 'site')",
        "in_each": "url_host_in(u, key)",
        "params_of_each": "url_param(u, key)",
        "join": "url_join(base, u)",
        "file": "session.parse_url(u, 'FILE')",
        "value": "session.parse_url(u, 'QUERY', 'q')",
        "part_of_each": "session.parse_url(u, part)",
        "no_key": "session.parse_url(u, 'QUERY', null)",
        "decoded": "url_percent_decode(u)",
        "of_base": "url_normalize(u, base)",
        "of_one_base": "url_normalize(u, base => 'http://b.example/a/')",
        "redacted": "url_redact(u, base => 'http://b.example/a/')",
    }
    found = ask(spark.table("t"), **{name: F.expr(expression) for name, expression in expressions.items()})
    for name, function in SCALAR.items():
        if name not in ("params", "fingerprint"):
            assert found[name] == scalar(function), name
    assert [row and row % 2**64 for row in found["fingerprint"]] == scalar(SCALAR["fingerprint"])
    assert [row and [tuple(pair) for pair in row] for row in found["params"]] == scalar(
        lambda url: list(url.search_params)
    )
    assert found["valid"] == valid()
    hosts = scalar(SCALAR["hostname"])
    assert [tuple(row) for row in found["parse"]] == list(zip(hosts, map(error_of, ROWS), strict=True))
    assert found["map"] == maps()
    assert found["map_of_each"] == maps([[*keys] for keys in zip(KEYS, CHOSEN, strict=True)])
    assert found["in_set"] == scalar(SCALAR["host_in"])
    assert found["allowed"] == robots.allowed_many(ROWS).to_pylist()
    assert found["in_each"] == in_each(KEYS)
    assert found["join"] == joined(BASES, ROWS)
    assert found["of_base"] == with_bases(BASES)
    assert found["of_one_base"] == normalize_many(ROWS, "http://b.example/a/").to_pylist()
    assert found["redacted"] == redact_many(ROWS, base="http://b.example/a/").to_pylist()
    assert found["file"] == scalar(PARTS["FILE"])
    assert found["value"] == scalar(SCALAR["param"])
    assert found["no_key"] == [None] * len(ROWS)
    urls = [row if row is None else URL.parse(row) for row in ROWS]
    assert found["params_of_each"] == [
        url and key and url.search_params.get(key) for url, key in zip(urls, KEYS, strict=True)
    ]
    assert found["part_of_each"] == [url and part and PARTS[part](url) for url, part in zip(urls, CHOSEN, strict=True)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("session.parse_url(u, 'PORT')", "part must be one of HOST, "),
        ("session.parse_url(u, 'HOST', 'q')", "a key goes with QUERY, not with 'HOST'"),
        ("session.parse_url(u, 'QUERY', 'q', 'q')", r"parse_url\(\) takes 2 to 3 arguments, not 4"),
    ],
)
def test_wrong_calls(spark: Any, frame: Any, call: str, message: str) -> None:
    ext.register(spark)
    with pytest.raises(PythonException, match=message):
        spark.sql(f"select {call} from t").collect()


def test_bytes(frame: Any) -> None:
    binary = frame.withColumn("u", F.col("u").cast("binary"))
    found = ask(binary, host=ext.url_hostname("u"), query=ext.url_query("u", QUERY_KEYS))
    assert found["host"] == scalar(SCALAR["hostname"])
    assert [row.asDict() for row in found["query"]] == values()


def test_no_rows(spark: Any) -> None:
    for partitions in (1, 3):
        empty = spark.createDataFrame([], "n int, u string").repartition(partitions)
        found = ask(empty, host=ext.url_hostname("u"), struct=ext.url_parse("u"), site=ext.url_registrable_domain("u"))
        assert found == {"host": [], "struct": [], "site": []}
        assert ext.parse_column(empty, "u", ["hostname"]).collect() == []


def test_what_is_wrong_is_said_before_the_work() -> None:
    with pytest.raises(ValueError, match="part must be one of HOST"):
        ext.parse_url("u", "host name")
    with pytest.raises(ValueError, match="a field must be one of"):
        ext.url_parse("u", ["hostname", "nothing"])


def test_the_examples(spark: Any) -> None:
    check_examples("pyspark")


def test_patterns(frame: Any) -> None:
    base = "https://b.example/x/y"
    found = ask(
        frame,
        test=ext.url_pattern_test("u", PATTERN),
        based=ext.url_pattern_test("u", PATTERN, base=base),
        extract=ext.url_pattern_extract("u", PATTERN, GROUPS),
        route=ext.url_route("u", ROUTES),
        other=ext.url_route("u", dict(ROUTES), base=URL(base)),
    )
    found["extract"] = [row.asDict() for row in found["extract"]]
    assert found == {
        "test": matching(),
        "based": matching(base=base),
        "extract": extracted(),
        "route": routed(),
        "other": routed(base=base),
    }
    with pytest.raises(ValueError, match="a relative pattern needs a base"):
        ext.url_pattern_test("u", "/x")


def test_patterns_in_sql(spark: Any, frame: Any) -> None:
    ext.register(spark, ["error"], routes=ROUTES)
    text = "http{s}?://*/:first/*"
    pattern = URLPattern(text)
    rows = spark.sql(
        f"select url_pattern_test(u, '{text}') test, url_pattern_extract(u, '{text}', 'first') f, url_route(u) route "
        "from t order by n"
    ).collect()
    results = [None if row is None else pattern.exec(row) for row in ROWS]
    assert [row.test for row in rows] == [None if row is None else pattern.test(row) for row in ROWS]
    assert [row.f for row in rows] == [None if one is None else one["first"] for one in results]
    assert [row.route for row in rows] == routed()


@pytest.mark.parametrize(("verb", "options", "policy", "function"), test_policies_everywhere.CASES)
def test_policies_of_ones_own(
    spark: Any, verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]
) -> None:
    rows = test_policies_everywhere.ROWS
    spark.createDataFrame(list(enumerate(rows)), "n int, u string").createOrReplaceTempView("policies")
    ext.register(spark, bits=options.get("bits", 64))
    column = getattr(ext, f"url_{verb}")("u", policy, **options)
    in_sql = [f"select n, url_{verb}(u{argument}) x from policies order by n" for argument in (", :policy", "")]
    found = [
        spark.table("policies").select("n", column.alias("x")).orderBy("n"),
        spark.sql(in_sql[0], args={"policy": repr(policy)}),
        spark.sql(in_sql[1]),
    ]
    values = [[unsigned(row["x"]) for row in frame.collect()] for frame in found]
    right = test_policies_everywhere.expected(options, policy, function)
    assert values == [right, right, test_policies_everywhere.scalar(function, None, options)]
    # The other tests' functions.
    ext.register(spark)


def unsigned(value: Any) -> Any:
    """Spark's numbers have a sign, and its bytes are a bytearray."""
    return value % 2**64 if isinstance(value, int) else bytes(value) if isinstance(value, bytearray) else value
