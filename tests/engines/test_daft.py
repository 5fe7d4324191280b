"""Daft's expressions and SQL functions give what the scalar API gives."""

from __future__ import annotations

from typing import Any

import daft
import pyarrow as pa
import pytest
from daft import Expression, col
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

import weburl.ext.daft as ext
from weburl import URL, URLPattern
from weburl.bulk import normalize_many, redact_many
from weburl.percent import percent_decode_text
from weburl.robots import Robots

BASES = [*ROWS[3:], "https://b.example", None, "a:"]
KEYS = [f"k{i % 3}" if i % 4 else "q" if i % 3 else None for i in range(len(ROWS))]
CHOSEN = [[*PARTS, None][i % (len(PARTS) + 1)] for i in range(len(ROWS))]
ONE = "https://b.example/x/y"


@pytest.fixture(scope="module")
def frame() -> Any:
    """Partitions, of slices and of chunks."""
    urls = pa.array(ROWS, pa.large_string())
    table = pa.table({"n": range(len(ROWS)), "u": urls, "base": BASES, "key": KEYS, "part": CHOSEN})
    middle = table.slice(1000, 500)
    chunks = pa.concat_tables([middle.slice(0, 7), middle.slice(7, 300), middle.slice(307)])
    return daft.from_arrow([table.slice(0, 1000), chunks, table.slice(1500)])


def ask(frame: Any, **columns: Expression) -> dict[str, list[Any]]:
    """The columns, in the order of the rows."""
    return by_row(frame.select("n", *(column.alias(name) for name, column in columns.items())))


def by_row(frame: Any) -> dict[str, list[Any]]:
    found: dict[str, list[Any]] = frame.sort("n").to_pydict()
    assert found.pop("n") == list(range(len(found[next(iter(found))])))
    return found


def test_the_functions(frame: Any) -> None:
    found = ask(
        frame,
        **{name: getattr(ext, f"url_{name}")(col("u"), *ARGUMENTS.get(name, ())) for name in SCALAR},
        query=ext.url_query(col("u"), QUERY_KEYS),
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


def test_the_parts(frame: Any) -> None:
    parts = {part: ext.parse_url(col("u"), part) for part in PARTS}
    found = ask(frame, key=ext.parse_url(col("u"), "query", "q"), **parts)
    for part, function in PARTS.items():
        assert found[part] == scalar(function), part
    assert found["key"] == scalar(SCALAR["param"])


def test_the_struct(frame: Any) -> None:
    found = ask(frame, all=ext.url_parse(col("u")), two=ext.url_parse(col("u"), ["search", "error"]))
    errors = [row.pop("error") for row in found["all"]]
    assert found["all"] == structs()
    assert [error is not None for error in errors] == [ok is False for ok in valid()]
    assert found["two"] == [
        {"search": row["search"], "error": error} for row, error in zip(structs(), errors, strict=True)
    ]


def test_parse_column(frame: Any) -> None:
    parsed = ext.parse_column(frame, "u", [*FIELDS, "error"])
    assert parsed.column_names == ["n", "u", "base", "key", "part", *(f"u_{field}" for field in FIELDS), "u_error"]
    found = by_row(parsed)
    assert [found[name] for name in ("u", "base", "key", "part")] == [ROWS, BASES, KEYS, CHOSEN]
    for field in FIELDS:
        assert found[f"u_{field}"] == [row[field] for row in structs()], field
    assert [error is not None for error in found["u_error"]] == [ok is False for ok in valid()]


def test_sql(frame: Any) -> None:
    robots = Robots.parse("User-agent: *\nDisallow: /a", agent="ExampleBot")
    ext.register(["hostname", "error"], hosts={"named": HOSTS}, robots={"site": robots})
    found = by_row(
        daft.sql(
            f"""
            select n, {", ".join(f"{call} {name}" for name, call in sql_calls().items())},
                url_can_parse(u) valid, url_parse(u) struct, {MAP} map, url_query(u, key, part) map_of_each,
                url_param(u, key) param_of_each, url_join(base, u) joined, parse_url(u, 'FILE') file,
                parse_url(u, 'QUERY', 'q') value, parse_url(u, part) part_of_each, url_percent_decode(u) decoded,
                url_robots_allowed(u, 'site') allowed, url_host_in(u, 'named') in_set, url_host_in(u, key) in_each,
                url_normalize(u, base) of_base, url_normalize(u, 'http://b.example/a/') of_one_base,
                url_redact(u, 'logs/1', 'http://b.example/a/') redacted
            from t
            """,
            t=frame,
        )
    )
    for name, function in SCALAR.items():
        assert found[name] == scalar(function), name
    assert found["valid"] == valid()
    assert found["of_base"] == with_bases(BASES)
    assert found["of_one_base"] == normalize_many(ROWS, "http://b.example/a/").to_pylist()
    assert found["redacted"] == redact_many(ROWS, base="http://b.example/a/").to_pylist()
    assert [row["hostname"] for row in found["struct"]] == scalar(SCALAR["hostname"])
    assert [row["error"] is not None for row in found["struct"]] == [ok is False for ok in valid()]
    assert [dict(row) if row is not None else None for row in found["map"]] == maps()
    assert [dict(row) if row is not None else None for row in found["map_of_each"]] == maps(
        [[*keys] for keys in zip(KEYS, CHOSEN, strict=True)]
    )
    assert found["in_set"] == scalar(SCALAR["host_in"])
    assert found["allowed"] == robots.allowed_many(ROWS).to_pylist()
    assert found["in_each"] == in_each(KEYS)
    assert found["joined"] == joined(BASES, ROWS)
    assert found["file"] == scalar(PARTS["FILE"])
    assert found["value"] == scalar(SCALAR["param"])
    assert found["decoded"] == [None if row is None else percent_decode_text(row) for row in ROWS]
    urls = [row if row is None else URL.parse(row) for row in ROWS]
    assert found["param_of_each"] == [
        url and key and url.search_params.get(key) for url, key in zip(urls, KEYS, strict=True)
    ]
    assert found["part_of_each"] == [url and part and PARTS[part](url) for url, part in zip(urls, CHOSEN, strict=True)]


def test_bytes(frame: Any) -> None:
    texts = pa.array(ROWS, pa.large_string()).cast(pa.large_binary())
    binary = daft.from_arrow(pa.table({"n": range(len(ROWS)), "u": texts}))
    assert ask(binary, host=ext.url_hostname(col("u")))["host"] == scalar(SCALAR["hostname"])


def test_no_rows(frame: Any) -> None:
    empty = frame.where(col("n") < 0)
    found = ask(
        empty,
        host=ext.url_hostname(col("u")),
        struct=ext.url_parse(col("u")),
        site=ext.url_registrable_domain(col("u")),
    )
    assert found == {"host": [], "struct": [], "site": []}
    assert ext.parse_column(empty, "u", ["hostname"]).to_pydict()["u_hostname"] == []


def test_what_is_wrong_is_said_before_the_work(frame: Any) -> None:
    with pytest.raises(ValueError, match="part must be one of HOST"):
        ext.parse_url(col("u"), "PORT")
    with pytest.raises(ValueError, match="a field must be one of"):
        ext.url_parse(col("u"), ["hostname", "nothing"])


def test_the_examples() -> None:
    check_examples("daft")


def test_patterns(frame: Any) -> None:
    found = ask(
        frame,
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


def test_patterns_in_sql(frame: Any) -> None:
    ext.register(["error"], routes=ROUTES)
    text = "http{s}?://*/:first/*"
    pattern = URLPattern(text)
    found = by_row(
        daft.sql(f"select n, url_pattern_test(u, '{text}') test, url_pattern_extract(u, '{text}', 'first') f, "
                 "url_route(u) route from frame")
    )  # fmt: skip
    results = [None if row is None else pattern.exec(row) for row in ROWS]
    assert found == {
        "test": [None if row is None else pattern.test(row) for row in ROWS],
        "f": [None if one is None else one["first"] for one in results],
        "route": routed(),
    }


def test_functions_are_told_apart(frame: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Daft tells functions of one plan apart by their names and a random number: here that is the same for all."""
    monkeypatch.setattr("random.randint", lambda low, high: low)
    found = frame.select(ext.url_hostname(col("u")).alias("a"), ext.url_path(col("u")).alias("b")).to_pydict()
    assert (found["a"], found["b"]) == (scalar(SCALAR["hostname"]), scalar(SCALAR["path"]))
