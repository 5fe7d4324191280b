"""SQLite's functions give what the scalar API gives."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
import test_policies_everywhere
from rows import ROUTES, ROWS, check_examples

from weburl import URL
from weburl.bulk import normalize_many, redact_many
from weburl.crawl import fingerprint
from weburl.ext.sqlite import register
from weburl.robots import Robots

U64 = 1 << 64


def parsed(row: str | None) -> URL | None:
    return None if row is None else URL.parse(row)


URLS = [*map(parsed, ROWS)]


def connection(**options: Any) -> sqlite3.Connection:
    con = sqlite3.connect(":memory:")
    register(con, **options)
    con.execute("create table t(n integer primary key, u text)")
    con.executemany("insert into t(u) values (?)", [[row] for row in ROWS])
    return con


def column(con: sqlite3.Connection, call: str, *values: Any) -> list[Any]:
    return [row[0] for row in con.execute(f"select {call} from t order by n", values)]


CALLS: dict[str, Callable[[URL], Any]] = {
    "url_hostname(u)": lambda url: url.hostname,
    "url_path(u)": lambda url: url.pathname,
    "url_normalize(u)": str,
    "url_param(u, 'q')": lambda url: url.search_params.get("q"),
    "url_join(u, '../x?y')": lambda url: getattr(URL.parse("../x?y", url), "href", None),
    "parse_url(u, 'REF')": lambda url: url.fragment,
    "parse_url(u, 'QUERY', 'q')": lambda url: url.search_params.get("q"),
}


@pytest.mark.parametrize("call", CALLS)
def test_functions(call: str) -> None:
    expected = [None if url is None else CALLS[call](url) for url in URLS]
    assert column(connection(), call) == expected


def test_structs_are_json() -> None:
    con = connection(fields=["hostname", "query", "error"])
    for row, text in zip(ROWS, column(con, "url_parse(u)"), strict=True):
        if row is None:
            assert text is None
            continue
        url, value = parsed(row), json.loads(text)
        assert [*value] == ["hostname", "query", "error"]
        assert (value["error"] is None) == (url is not None)
        assert url is None or (value["hostname"], value["query"]) == (url.hostname, url.query)
    params = [None if text is None else json.loads(text) for text in column(con, "url_params(u)")]
    pairs = [None if url is None else [*url.search_params] for url in URLS]
    assert params == [row and [{"name": name, "value": value} for name, value in row] for row in pairs]


def test_numbers_have_a_sign() -> None:
    urls = [f"https://example.com/{number}" for number in range(100)]
    con = connection()
    numbers = [con.execute("select url_fingerprint(?)", [url]).fetchone()[0] for url in urls]
    assert [number % U64 for number in numbers] == [*map(fingerprint, urls)]
    assert min(numbers) < 0 < max(numbers)
    for bits in (96, 128):
        con = connection(bits=bits)
        found = [con.execute("select url_fingerprint(?)", [url]).fetchone()[0] for url in urls]
        assert found == [fingerprint(url, bits=bits) for url in urls]


def test_what_is_registered() -> None:
    robots = Robots.parse(b"User-agent: *\nDisallow: /private", agent="ExampleBot")
    con = connection(routes=ROUTES, hosts={"mine": ["example.com"]}, robots={"example": robots})
    assert column(con, "url_host_in(u, 'mine')") == column(con, "url_host_in(u, ' example.com ')")
    assert con.execute("select url_robots_allowed('https://h/private/x', 'example')").fetchone() == (0,)
    expected = [None if url is None else ROUTES.first(url) for url in URLS]
    assert column(con, "url_route(u)") == [None if found is None else found[0] for found in expected]
    con = connection()
    for name in ("url_route(u)", "url_robots_allowed(u, 'example')"):
        with pytest.raises(sqlite3.OperationalError, match=r"no such function: url_\w+"):
            column(con, name)


def test_bases() -> None:
    con = connection()
    base = "https://base.example/dir/file"
    for call, many in (("url_normalize(u, {})", normalize_many), ("url_redact(u, 'logs/1', {})", redact_many)):
        without, right = many(ROWS).to_pylist(), many(ROWS, base=base).to_pylist()
        assert without != right
        assert column(con, call.format("null")) == without
        assert column(con, call.format(f"'{base}'")) == right
        assert column(con, call.format(f"cast('{base}' as blob)")) == right
    assert con.execute("select url_normalize('x', 'nonsense'), url_can_parse(null, 'http://h/')").fetchone() == (
        None, None,
    )  # fmt: skip
    assert con.execute("select url_parse('x', 'nonsense') ->> 'error'").fetchone() == ("base",)


@pytest.mark.parametrize(("verb", "options", "policy", "function"), test_policies_everywhere.CASES)
def test_policies_of_ones_own(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> None:
    con = sqlite3.connect(":memory:")
    register(con, bits=options.get("bits", 64))
    con.execute("create table t(n integer primary key, u text)")
    con.executemany("insert into t(u) values (?)", [[row] for row in test_policies_everywhere.ROWS])
    # SQLite's numbers have a sign.
    found, default = (
        [value % U64 if isinstance(value, int) else value for value in column(con, f"url_{verb}({call})", *values)]
        for call, values in (("u, ?", [repr(policy)]), ("u", []))
    )
    assert found == test_policies_everywhere.expected(options, policy, function)
    assert default == test_policies_everywhere.scalar(function, None, options)


@pytest.mark.parametrize(
    "call",
    [
        "url_hostname()", "url_hostname(u, u, u)", "url_param(u)", "url_redact(u, 'logs/1', u, u)",
        "parse_url(u, 'HOST', 'q', 'x')",
    ],
)  # fmt: skip
def test_a_wrong_number_of_arguments_is_an_error_of_sql(call: str) -> None:
    with pytest.raises(sqlite3.OperationalError, match="wrong number of arguments"):
        column(connection(), call)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("url_redact(u, 'logs/9')", "logs/9"),
        ("url_pattern_test(u, '(')", "pattern"),
        ("url_query(u)", "keys"),
        ("url_shard(u, 'x')", "n must"),
    ],
)
def test_a_wrong_argument_ends_the_statement(
    call: str, message: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    con = connection()
    seen: list[str] = []
    monkeypatch.setattr("sys.unraisablehook", lambda each: seen.append(str(each.exc_value)))
    sqlite3.enable_callback_tracebacks(True)
    try:
        with pytest.raises(sqlite3.OperationalError, match="user-defined function raised exception"):
            column(con, call)
    finally:
        sqlite3.enable_callback_tracebacks(False)
    assert any(message in each for each in seen), seen
    # The connection works on.
    assert con.execute("select url_hostname('http://h/')").fetchone() == ("h",)


def test_other_types_are_texts() -> None:
    con = connection()
    ask = "select url_hostname(?), url_can_parse(?)"
    assert con.execute(ask, [b"http://h/", b"\xff"]).fetchone() == ("h", 0)
    assert con.execute(ask, [7, 1.5]).fetchone() == (None, 0)
    assert con.execute("select url_shard('http://h/', 4) = url_shard('http://h/', '4')").fetchone() == (1,)


def test_an_index_has_the_functions(tmp_path: Path) -> None:
    path = tmp_path / "log.db"
    with sqlite3.connect(path) as con:
        register(con)
        con.execute("create table log(u)")
        con.execute("create index host on log(url_hostname(u))")
        con.executemany("insert into log values (?)", [[f"https://{n % 50}.example/{n}"] for n in range(5000)])
        plan = con.execute("explain query plan select u from log where url_hostname(u) = '7.example'").fetchone()[3]
        assert "INDEX host" in plan
        assert con.execute("select count(*) from log where url_hostname(u) = '7.example'").fetchone() == (100,)
    con.close()
    # Another connection has to register them.
    with (
        sqlite3.connect(path) as other,
        pytest.raises(sqlite3.OperationalError, match="unknown function: url_host"),
    ):
        other.execute("insert into log values ('http://h/')")
    other.close()


def test_many_different_arguments() -> None:
    """More than are kept ready, each in its row."""
    con = connection()
    count = 1000
    con.execute("create table k(n, u, key)")
    rows = [(n, f"http://h/?k{n}=v{n}&k{n + 1}=x", f"k{n}") for n in range(count)]
    con.executemany("insert into k values (?, ?, ?)", rows)
    for _ in range(2):
        assert [*con.execute("select url_param(u, key) from k order by n")] == [(f"v{n}",) for n in range(count)]


def test_threads() -> None:
    def work(number: int) -> list[Any]:
        con = connection()
        try:
            return [column(con, "url_redact(u)"), column(con, "url_hostname(u)"), number]
        finally:
            con.close()

    with ThreadPoolExecutor(8) as pool:
        found = [*pool.map(work, range(16))]
    assert [each[:2] for each in found] == [found[0][:2]] * 16


def test_examples() -> None:
    check_examples("sqlite")
