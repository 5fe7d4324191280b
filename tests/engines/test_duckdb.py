"""DuckDB's functions give what the scalar API gives."""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from rows import (
    HOSTS,
    MAP,
    PARTS,
    ROUTES,
    ROWS,
    SCALAR,
    check_examples,
    in_each,
    joined,
    maps,
    routed,
    scalar,
    sql_calls,
    structs,
    valid,
)
from support.fields import FIELDS

import weburl.ext.duckdb
from weburl import URL, URLPattern
from weburl._verbs.verb import SQL_BASE, engine_verbs
from weburl.bulk import canonicalize_many
from weburl.ext._adapter import Sql
from weburl.ext._engines.arrays import give
from weburl.ext._engines.duckdb.native import OLDEST_NATIVE
from weburl.ext._engines.versions import is_older
from weburl.percent import percent_decode_text
from weburl.redact import LogPolicy
from weburl.robots import Robots

BASES = [*ROWS[3:], "https://b.example", None, "a:"]
KEYS = [f"k{i % 3}" if i % 4 else "q" if i % 3 else None for i in range(len(ROWS))]
CHOSEN = [[*PARTS, None][i % (len(PARTS) + 1)] for i in range(len(ROWS))]


# Older ones have no native functions, which `make oldest` shows.
KINDS = ["arrow"] if is_older(duckdb.__version__, OLDEST_NATIVE) else ["native", "arrow"]


def connect(kind: str) -> Any:
    return duckdb.connect(config={"allow_unsigned_extensions": "true"} if kind == "native" else {})


def test_an_older_duckdb_calls_python(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(duckdb, "__version__", "1.5.6")
    with connect("native") as con:
        with pytest.raises(duckdb.NotSupportedError, match=r"native functions need DuckDB 2.0, not 1.5.6"):
            weburl.ext.duckdb.register(con, native=True)
        assert weburl.ext.duckdb.register(con) == "arrow"


@pytest.fixture(scope="module", params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def con(kind: str) -> Iterator[Any]:
    con = connect(kind)
    assert weburl.ext.duckdb.register(con) == kind
    columns = {"n": range(len(ROWS)), "u": ROWS, "base": BASES, "key": KEYS, "part": CHOSEN}
    con.register("columns", pa.table(columns))
    con.execute("create table t as select * from columns")
    yield con
    con.close()


def ask(con: Any, expression: str, rest: str = "from t order by n") -> list[Any]:
    return [row[0] for row in con.execute(f"select {expression} {rest}").fetchall()]


CALLS = sql_calls()


@pytest.mark.parametrize("name", CALLS)
def test_functions(con: Any, name: str) -> None:
    assert ask(con, CALLS[name]) == scalar(SCALAR[name])


def test_query(con: Any) -> None:
    assert ask(con, MAP) == maps()
    assert ask(con, "url_query(u, 'q')['q']") == scalar(SCALAR["param"])
    assert ask(con, "url_query(u, key, part)") == maps([[*keys] for keys in zip(KEYS, CHOSEN, strict=True)])
    assert ask(con, "url_query(u, null)") == maps([[]] * len(ROWS))


def test_policies(con: Any) -> None:
    names = ["crawl", "whatwg", None, "surt/1"]
    policies = [names[index % 4] for index in range(len(ROWS))]
    con.register("policies", pa.table({"n": range(len(ROWS)), "u": ROWS, "p": policies}))
    forms = {name: canonicalize_many(ROWS, name or "crawl").to_pylist() for name in names}
    expected = [name and forms[name][index] for index, name in enumerate(policies)]
    assert ask(con, "url_canonicalize(u, p)", "from policies order by n") == expected
    with pytest.raises(duckdb.Error, match="policy must be whatwg, crawl or surt"):
        ask(con, "url_fingerprint(u, 'nonsense')")


def test_percent_decode(con: Any) -> None:
    assert ask(con, "url_percent_decode(u)") == [None if row is None else percent_decode_text(row) for row in ROWS]


def test_sets_of_hosts(con: Any, kind: str) -> None:
    assert ask(con, "url_host_in(u, key)") == in_each(KEYS)
    named = connect(kind)
    weburl.ext.duckdb.register(named, hosts={"named": HOSTS, "a b": "example.com"})
    named.register("rows", pa.table({"n": range(len(ROWS)), "u": ROWS}))
    assert ask(named, "url_host_in(u, 'named')", "from rows order by n") == scalar(SCALAR["host_in"])
    assert ask(named, "url_host_in('http://www.example.com', 'a b')", "") == [True]
    with pytest.raises(duckdb.Error, match="an entry is a host"):
        ask(named, "url_host_in(u, 'a.*.b')", "from rows")
    weburl.ext.duckdb.register(named, hosts={"other": "localhost"})
    assert ask(named, "url_host_in('http://localhost', 'other')", "") == [True]
    assert ask(named, "url_host_in('http://www.example.com', 'named')", "") == [False]


def test_robots(con: Any, kind: str) -> None:
    with pytest.raises(duckdb.CatalogException, match="url_robots_allowed"):
        ask(con, "url_robots_allowed(u, 'site')")
    first, second = (Robots.parse(f"User-agent: *\nDisallow: /{name}", agent="ExampleBot") for name in "au")
    named = connect(kind)
    weburl.ext.duckdb.register(named, robots={"site": first, "a b": second})
    named.register("rows", pa.table({"n": range(len(ROWS)), "u": ROWS}))
    for name, robots in (("site", first), ("a b", second)):
        expected = robots.allowed_many(ROWS).to_pylist()
        assert {*expected} == {True, False, None}
        assert ask(named, f"url_robots_allowed(u, '{name}')", "from rows order by n") == expected
    assert ask(named, "url_robots_allowed('http://h/a', name)", "from (values ('site'), ('a b'), (null)) t(name)") == [
        False, True, None,
    ]  # fmt: skip
    with pytest.raises(duckdb.Error, match="robots must be one of the names that you pass"):
        ask(named, "url_robots_allowed(u, 'other')", "from rows")
    weburl.ext.duckdb.register(named, robots={"site": second})
    assert ask(named, "url_robots_allowed('http://h/a', 'site')", "") == [True]


def test_valid(con: Any) -> None:
    assert ask(con, "url_can_parse(u)") == valid()


def test_param(con: Any) -> None:
    urls = [row if row is None else URL.parse(row) for row in ROWS]
    expected = [url and key and url.search_params.get(key) for url, key in zip(urls, KEYS, strict=True)]
    assert ask(con, "url_param(u, key)") == expected
    assert ask(con, "parse_url(u, 'QUERY', key)") == expected
    assert ask(con, "url_param(u, null)") == [None] * len(ROWS)


def test_parse(con: Any, kind: str) -> None:
    found = ask(con, "url_parse(u)")
    assert [{field: row[field] for field in FIELDS} for row in found] == structs()
    assert [row["error"] is not None for row in found] == [ok is False for ok in valid()]
    assert ask(con, "url_parse(u).hostname") == scalar(SCALAR["hostname"])
    few = connect(kind)
    weburl.ext.duckdb.register(few, ["hostname", "error"])
    assert ask(few, "url_parse('no URL')", "") == [{"hostname": None, "error": "missing-scheme-non-relative-URL"}]
    assert ask(few, "url_parse(NULL)", "") == [{"hostname": None, "error": None}]


def test_join(con: Any) -> None:
    assert ask(con, "url_join(base, u)") == joined(BASES, ROWS)
    assert ask(con, "url_join('https://b.example/a/', u)") == joined(["https://b.example/a/"] * len(ROWS), ROWS)
    assert ask(con, "url_join(u, '../x')") == joined(ROWS, ["../x"] * len(ROWS))


@pytest.mark.parametrize("part", PARTS)
def test_parse_url(con: Any, part: str) -> None:
    assert ask(con, f"parse_url(u, '{part}')") == scalar(PARTS[part])


def test_parse_url_with_columns(con: Any) -> None:
    urls = [row if row is None else URL.parse(row) for row in ROWS]
    expected = [url and part and PARTS[part](url) for url, part in zip(urls, CHOSEN, strict=True)]
    assert ask(con, "parse_url(u, part)") == expected
    assert ask(con, "parse_url(u, lower('QUERY'), 'q')") == scalar(SCALAR["param"])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        ("parse_url(u, 'PORT')", "part must be one of HOST, "),
        ("parse_url(u, 'HOST', 'q')", "a key goes with QUERY, not with 'HOST'"),
        ("parse_url(u, 'QUERY', 'q', 'q')", "does not support the supplied arguments"),
        ("parse_url(1, 'HOST')", "must be a column of strings|No function matches"),
        ("url_hostname(1)", "must be a column of strings|No function matches"),
        ("url_hostname(u, 'http://h', u)", "url_hostname"),
        ("url_redact(u, policies := 'logs/1')", "policies"),
    ],
)
def test_wrong_calls(con: Any, call: str, message: str) -> None:
    with pytest.raises(duckdb.Error, match=message):
        ask(con, call)


@pytest.mark.parametrize(
    "call",
    [
        "url_hostname(u)", "url_path(u)", "url_normalize(u)", "url_can_parse(u)", "url_registrable_domain(u)",
        "url_param(u, u)",
        "url_host_in(u, u)", "url_is_private(u)", "url_query(u, u)", "url_public_suffix(u)",
        "url_canonicalize(u, 'crawl')", "url_fingerprint(u, 'crawl')", "url_params(u)", "url_percent_decode(u)",
        "url_join(u, u)", "parse_url(u, u)", "parse_url(u, 'HOST')", "parse_url(u, 'QUERY', u)",
    ],
)  # fmt: skip
def test_no_rows_and_nulls(con: Any, call: str) -> None:
    assert ask(con, call, "from t where n < 0") == []
    assert ask(con, re.sub(r"\bu\b", "null", call), "") == [None]


def test_constants(con: Any) -> None:
    assert ask(con, "url_hostname('HTTP://EXAMPLE.com:80/')", "") == ["example.com"]
    assert ask(con, "parse_url('http://a/?x=1', 'QUERY', 'x')", "") == ["1"]


def test_many_rows_and_threads(con: Any) -> None:
    """More than one of DuckDB's vectors, on several threads, and several connections to them."""
    failures: list[object] = []

    def work() -> None:
        cursor = con.cursor()
        cursor.execute("set threads = 4")
        count = cursor.execute(
            "select count(*) from ("
            "select 'http://H' || i || '/?k' || i % 5000 || '=' || i as u, i from range(200000) r(i)"
            ") where url_hostname(u) = 'h' || i and url_param(u, 'k' || i % 5000) = i::varchar and url_can_parse(u)"
        ).fetchone()
        if count != (200_000,):
            failures.append(count)

    threads = [threading.Thread(target=work) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_registered_twice(kind: str) -> None:
    con = connect(kind)
    assert weburl.ext.duckdb.register(con) == weburl.ext.duckdb.register(con) == kind
    assert ask(con, "url_hostname('http://a')", "") == ["a"]
    assert weburl.ext.duckdb.register() == "arrow"
    assert duckdb.sql("select url_hostname('http://a')").fetchall() == [("a",)]


def test_examples() -> None:
    check_examples("duckdb")


def test_patterns(con: Any) -> None:
    text = "http{s}?://:sub.example.com/:first/*"
    pattern = URLPattern(text)
    right = [None if row is None else pattern.test(row) for row in ROWS]
    assert ask(con, f"url_pattern_test(u, '{text}')") == right
    found = [None if row is None else pattern.exec(row) for row in ROWS]
    for group in ("sub", "first"):
        taken = [None if one is None else one[group] for one in found]
        assert ask(con, f"url_pattern_extract(u, '{text}', '{group}')") == taken
    assert ask(con, f"url_pattern_extract(u, '{text}', 'pathname.0')") == [
        None if one is None else one.pathname.groups["0"] for one in found
    ]
    # Patterns and groups by rows.
    texts = ["*://*/:id/*", None, "https://:id/*", text]
    groups = ["id", "pathname.0", None, "first"]
    patterns = [texts[index % 4] for index in range(len(ROWS))]
    chosen = [groups[index % 4 if index % 3 else 3 * (index % 4 == 3)] for index in range(len(ROWS))]
    con.register("patterns", pa.table({"n": range(len(ROWS)), "u": ROWS, "p": patterns, "g": chosen}))
    right = [None if u is None or p is None else URLPattern(p).test(u) for u, p in zip(ROWS, patterns, strict=True)]
    assert ask(con, "url_pattern_test(u, p)", "from patterns order by n") == right
    taken = []
    for u, p, g in zip(ROWS, patterns, chosen, strict=True):
        one = None if u is None or p is None or g is None else URLPattern(p).exec(u)
        taken.append(None if one is None or g is None else one.pathname.groups["0"] if "." in g else one[g])
    assert ask(con, "url_pattern_extract(u, p, g)", "from patterns order by n") == taken
    assert ask(con, "url_pattern_test(u, null)") == [None] * len(ROWS)
    for wrong in ("url_pattern_test(u, 'relative')", f"url_pattern_extract(u, '{text}', 'x')"):
        with pytest.raises(duckdb.Error, match=r"a relative pattern needs a base|no group is named"):
            ask(con, wrong)


def test_routes(kind: str) -> None:
    con = connect(kind)
    weburl.ext.duckdb.register(con, ["error"], routes=iter(ROUTES))
    con.register("rows", pa.table({"n": range(len(ROWS)), "u": ROWS}))
    assert ask(con, "url_route(u)", "from rows order by n") == routed()
    assert len({*routed()}) > 3
    other = connect(kind)
    weburl.ext.duckdb.register(other)
    with pytest.raises(duckdb.CatalogException, match="url_route"):
        ask(other, "url_route('a:')", "")


@pytest.mark.parametrize("hosts", [3, ["a.example"], {1: ["a.example"]}, "a.example"])
def test_hosts_without_names(hosts: Any) -> None:
    with pytest.raises(TypeError, match="hosts must be Hosts by their names, each a str, not "):
        weburl.ext.duckdb.register(duckdb.connect(), hosts=hosts)


def test_keys_that_are_numbers() -> None:
    connection = duckdb.connect()
    weburl.ext.duckdb.register(connection, native=False)
    with pytest.raises(duckdb.Error, match="a key must be a str, not int"):
        connection.execute("select url_query('http://h/?1=2', 1)").fetchall()


def test_functions_are_registered_by_many_threads() -> None:
    connection = duckdb.connect()
    weburl.ext.duckdb.register(connection, native=False)

    def register(number: int) -> str:
        return weburl.ext.duckdb.register(connection, native=False, hosts={"s": [f"h{number}.example"]})

    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(register, range(64))) == {"arrow"}
    assert connection.execute("select url_hostname('http://h/')").fetchone() == ("h",)


def test_more_values_than_are_kept(con: Any) -> None:
    """Functions keep what they make for the last keys; all give the same as before."""
    for number in (*range(300), *range(5)):
        key = f"k{number}"
        assert ask(con, f"url_param('http://h/?{key}=v{number}&k=', '{key}')", "") == [f"v{number}"]
        assert ask(con, f"url_query('http://h/?{key}', '{key}')", "") == [{key: ""}]


# Names, defaults and comments of arguments, and bases.

BASE = "https://user@base.example/dir/file?q=b#f"
# What each function needs beside a URL and a base.
NEEDED = {"param": ["'q'"], "shard": ["'16'"], "pattern_test": ["'*://*/*'"], "pattern_extract": ["'*://*/*'", "'0'"]}
NEEDED["host_in"] = [f"'{' '.join(HOSTS)}'"]
NEEDED["pattern_extract"][1] = "'pathname.0'"
WITH_BASES = {name: verb for name, verb in Sql().verbs().items() if SQL_BASE in verb.sql_arguments}


def given_in_python(name: str, base: str | None) -> list[Any]:
    """What the functions for columns give with this base."""
    verb = engine_verbs()[name]
    own = {"key": "q", "n": 16, "pattern": "*://*/*", "groups": ["pathname.0"], "hosts": HOSTS}
    options = {option.name: own[option.name] for option in verb.options if option.name in own}
    found = give(verb, (pa.array(ROWS),), {**options, "base": base}).to_pylist()
    return [row["pathname.0"] for row in found] if name == "url_pattern_extract" else found


@pytest.mark.parametrize("name", WITH_BASES)
def test_bases(con: Any, name: str) -> None:
    needed = ", ".join(["u", *NEEDED.get(name.removeprefix("url_"), [])])
    without, right = given_in_python(name, None), given_in_python(name, BASE)
    assert without != right
    assert ask(con, f"{name}({needed})") == without
    assert ask(con, f"{name}({needed}, base := '{BASE}')") == right
    assert ask(con, f"{name}({needed}, base := null)") == without
    # A base in each row; NULL is none.
    mixed = [right[n] if n % 3 else without[n] for n in range(len(ROWS))]
    assert ask(con, f"{name}({needed}, base := case when n % 3 > 0 then '{BASE}' end)") == mixed
    other = given_in_python(name, "http://other.example/")
    bases = [right[n] if n % 2 else other[n] for n in range(len(ROWS))]
    chosen = f"case when n % 2 > 0 then '{BASE}' else 'http://other.example/' end"
    assert ask(con, f"{name}({needed}, base := {chosen})") == bases
    # Other connections have no names of arguments.
    policy = [f"'{option.default}'" for option in WITH_BASES[name].sql_options if option.sql_optional]
    call = ", ".join([needed, *policy, f"'{BASE}'"])
    assert ask(con.cursor(), f"{name}({call})") == ask(con, f"{name}({call})") == right


def test_each_connection_of_a_database_can_be_registered(kind: str) -> None:
    """Each gets names of arguments. The functions, their routes and their sets of hosts are those of all of them."""
    con = connect(kind)
    assert weburl.ext.duckdb.register(con, ["hostname"], hosts={"named": "a.example"}) == kind
    other = con.cursor()
    assert weburl.ext.duckdb.register(other, ["hostname"], hosts={"named": "b.example"}) == kind
    named = "url_normalize('x', base := 'http://b.example/'), url_host_in('http://b.example/', 'named')"
    for each in (con, other):
        assert each.execute(f"select {named}").fetchall() == [("http://b.example/x", True)]
    # The first routes.
    assert weburl.ext.duckdb.register(other, ["hostname"], routes={"all": "*://*"}) == kind
    assert ask(con, "url_route('http://c.example/')", "") == ["all"]
    if kind == "arrow":
        with pytest.raises(ValueError, match=r"^url_parse has another result on the connection that registered it fir"):
            weburl.ext.duckdb.register(con.cursor(), ["port"])
    weburl.ext.duckdb.register(con, ["port"], hosts={"named": "c.example"})
    assert ask(other, "url_parse('http://c.example:1/')", "") == [{"port": "1"}]
    assert ask(other, "url_host_in('http://c.example/', 'named')", "") == [True]
    # Those of another database are its own.
    separate = connect(kind)
    weburl.ext.duckdb.register(separate, ["hostname"])
    assert ask(other, "url_parse('http://c.example:1/')", "") == [{"port": "1"}]
    assert ask(separate, "url_parse('http://c.example:1/')", "") == [{"hostname": "c.example"}]


def test_wrong_bases(con: Any) -> None:
    """A base that does not parse is not an error of the query: another row may have another."""
    assert ask(con, "url_normalize('x', base := 'nonsense')", "") == [None]
    assert ask(con, "url_parse('x', base := 'nonsense').error", "") == ["base"]
    assert ask(con, "url_can_parse(null, base := 'http://h/')", "") == [None]


def test_bases_with_other_values(con: Any) -> None:
    """Keys, patterns and bases that change from row to row, some of them NULL."""
    bases = [[BASE, None, "http://other.example/"][n % 3] for n in range(len(ROWS))]
    keys = [["q", "a", None, "z"][n // 2 % 4] for n in range(len(ROWS))]
    con.register("given_bases", pa.table({"n": range(len(ROWS)), "u": ROWS, "b": bases, "k": keys}))
    rows = list(zip(ROWS, bases, keys, strict=True))
    urls = [None if row is None else URL.parse(row, base) for row, base, _ in rows]
    expected = [url and key and url.search_params.get(key) for url, key in zip(urls, keys, strict=True)]
    assert ask(con, "url_param(u, k, b)", "from given_bases order by n") == expected
    right = [
        None if row is None or key is None else URLPattern(f"*://*/*{key}*").test(row, base) for row, base, key in rows
    ]
    assert ask(con, "url_pattern_test(u, '*://*/*' || k || '*', b)", "from given_bases order by n") == right


def test_names_of_arguments(con: Any) -> None:
    """All functions have names and a comment, but that with any number of keys."""
    found = con.execute(
        "select function_name, parameters, comment from duckdb_functions() where database_name = 'temp' order by all"
    ).fetchall()
    named: dict[str, list[list[str]]] = {}
    for name, parameters, comment in found:
        named.setdefault(name, []).append(parameters)
        verb = Sql().verbs()[name]
        assert comment.startswith(verb.doc.replace("`", ""))
        for option in verb.sql_options:
            assert not option.sql_optional or option.default is None or f"'{option.default}'" in comment
    assert named.keys() == Sql().verbs().keys() - {"url_query"}
    assert named["url_hostname"] == [["url"], ["url", "base"]]
    assert named["url_redact"] == [["url", "policy", "base"]]
    assert named["url_join"] == [["base", "ref"]]
    assert named["url_pattern_extract"][-1] == ["url", "pattern", "group", "base"]


def test_named_arguments(con: Any) -> None:
    secret = "'http://h/?token=abcdefgh'"
    kept = repr(LogPolicy(secret_names=[], token_names=[])).replace("'", "''")
    assert ask(con, f"url_redact({secret})", "") == ["http://h/?token=REDACTED"]
    assert ask(con, f"url_redact({secret}, policy := '{kept}')", "") == ["http://h/?token=abcdefgh"]
    assert ask(con, f"url_redact(url := {secret}, policy := 'logs/1')", "") == ["http://h/?token=REDACTED"]
    assert ask(con, f"url_redact({secret}, policy := null)", "") == [None]
    assert ask(con, "url_join(ref := 'x', base := 'http://h/')", "") == ["http://h/x"]
    assert ask(con, "parse_url('http://h/?a=1', 'QUERY', key := 'a')", "") == ["1"]


def test_views_over_the_functions(con: Any) -> None:
    con.execute("create or replace view hosts as select url_hostname(u) h, url_redact(u) r from t")
    right = con.execute("select * from hosts").fetchall()
    assert con.cursor().execute("select * from hosts").fetchall() == right
    assert sorted(row[0] or "" for row in right) == sorted(each or "" for each in scalar(SCALAR["hostname"]))


def test_an_argument_is_computed_once(con: Any) -> None:
    con.execute("create or replace temp sequence calls")
    assert ask(con, "url_redact('http://h' || nextval('calls') || '/?token=abcdefgh')", "from range(3)") == [
        f"http://h{n}/?token=REDACTED" for n in (1, 2, 3)
    ]


def test_names_stay_when_functions_are_registered_again(kind: str) -> None:
    con = connect(kind)
    for _ in range(3):
        assert weburl.ext.duckdb.register(con) == kind
        assert ask(con, "url_hostname('x', base := 'http://h/')", "") == ["h"]
    # The database itself keeps nothing.
    assert con.execute("select count(*) from duckdb_functions() where database_name = 'memory'").fetchone() == (0,)
