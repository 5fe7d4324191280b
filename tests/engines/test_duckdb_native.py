"""DuckDB's native functions: how they are loaded, and what can go wrong on DuckDB's threads."""

from __future__ import annotations

import ctypes
import gc
import os
import random
import stat
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pytest
from rows import OWN, ROWS, scalar_values

from weburl import URL
from weburl._arrow.job import Job
from weburl._unicode import idna
from weburl._verbs.verb import engine_verbs
from weburl.bulk import component_many, parse_many, query_pairs_many
from weburl.ext import _duckdb
from weburl.ext._adapter import Sql
from weburl.ext._engines.duckdb import library, native
from weburl.ext.duckdb import register
from weburl.robots import Robots

UNSIGNED = {"allow_unsigned_extensions": "true"}


@pytest.fixture
def con() -> Iterator[Any]:
    with duckdb.connect(config=UNSIGNED) as con:
        assert register(con) == "native"
        yield con


def ask(con: Any, query: str) -> list[Any]:
    return [row[0] for row in con.execute(query).fetchall()]


def run(program: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-X", "faulthandler", "-c", textwrap.dedent(program), *arguments],
        capture_output=True, text=True, timeout=120, env={**os.environ, **environment},
    )  # fmt: skip


# What is registered.


def test_calls() -> None:
    """Each function has a job, and its columns are the arguments in SQL."""
    values = {"pattern": "*://*/:id", "groups": "id", "part": "FILE", "hosts": "example.com", "n": "16"}
    values["robots"] = "site"
    policies = {"url_redact": "logs", "url_redact_text": "logs", "url_path_template": "paths"}
    robots = Robots.parse("User-agent: *\nDisallow: /a", agent="ExampleBot")
    made = native.calls(Sql(fields=["hostname", "error"], routes={"a": "*://*"}, robots={"site": robots}))
    assert {call.name for call in made} == engine_verbs().keys()
    for call in made:
        if call.any_number:
            assert (call.name, call.columns) == ("url_query", ("url",))
            assert isinstance(call.prepare("a", None, "a"), Job)
            with pytest.raises(ValueError, match="takes a URL and keys"):
                call.prepare()
            continue
        if call.name == "url_join":
            assert call.columns == ("base", "url")
        if "key" not in call.columns or call.name != "parse_url":
            given = {**values, "policy": policies.get(call.name, "crawl")}
            assert isinstance(call.prepare(*(given[name] for name in call.columns if name in given)), Job)
    assert [call.columns for call in made if call.name == "parse_url"] == [("url", "part"), ("url", "part", "key")]
    assert {"url_route", "url_robots_allowed"}.isdisjoint(call.name for call in native.calls(Sql(fields=["error"])))


# What register() chooses.


def test_what_prevents_native_functions() -> None:
    assert register(duckdb.connect()) == "arrow"
    signed = duckdb.connect(config={"allow_extension_repositories": "forbidden"})
    assert register(signed) == "arrow"
    with pytest.raises(duckdb.IOException, match="signature is either missing or invalid"):
        register(signed, native=True)
    enclosed = duckdb.connect(config={**UNSIGNED, "enable_external_access": "false"})
    assert register(enclosed) == "arrow"
    with pytest.raises(duckdb.PermissionException, match="disabled"):
        register(enclosed, native=True)
    assert register(duckdb.connect(config=UNSIGNED), native=False) == "arrow"
    for con in (signed, enclosed):
        assert ask(con, "select url_hostname('http://EXAMPLE.com')") == ["example.com"]


def test_a_directory_that_allows_no_programs(monkeypatch: pytest.MonkeyPatch) -> None:
    """If the library cannot be loaded, the functions run in Python."""

    def refuse(path: str) -> None:
        raise OSError("failed to map segment from shared object")

    monkeypatch.setattr(ctypes, "CDLL", refuse)
    con = duckdb.connect(config=UNSIGNED)
    assert register(con) == "arrow"
    with pytest.raises(OSError, match="failed to map"):
        register(con, native=True)
    assert ask(con, "select url_hostname('http://EXAMPLE.com')") == ["example.com"]


def test_no_pyarrow() -> None:
    done = run(
        """
        import sys
        sys.modules["pyarrow"] = None
        import duckdb, weburl.ext.duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        assert weburl.ext.duckdb.register(con) == "native"
        found = con.execute("select url_registrable_domain('http://www.example.co.uk')").fetchall()
        assert found == [("example.co.uk",)]
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


def test_all_connections_of_a_database(tmp_path: Path, con: Any) -> None:
    assert ask(con.cursor(), "select url_hostname('http://a')") == ["a"]
    path = str(tmp_path / "x.db")
    with duckdb.connect(path, config=UNSIGNED) as first:
        assert register(first) == "native"
        with duckdb.connect(path, config=UNSIGNED) as second:
            assert ask(second, "select url_hostname('http://a')") == ["a"]
    with duckdb.connect(path, config=UNSIGNED) as third:
        with pytest.raises(duckdb.CatalogException):
            ask(third, "select url_hostname('http://a')")
        assert register(third) == "native"
        assert ask(third, "select url_hostname('http://b')") == ["b"]


def test_results_of_the_connection_are_left_alone(con: Any) -> None:
    result = con.execute("select url_hostname('http://a' || i) from range(10) r(i)")
    assert register(con, ["error"], routes={"a": "*://*"}) == "native"
    assert result.fetchall() == [(f"a{i}",) for i in range(10)]


def test_in_a_transaction() -> None:
    con = duckdb.connect(config=UNSIGNED)
    con.execute("begin")
    con.execute("create table t as select 'http://a' as u")
    assert register(con) == "native"
    con.execute("rollback")
    assert ask(con, "select url_hostname('http://a')") == ["a"]


def test_registered_again(con: Any) -> None:
    made = dict(native._registrations)
    for _ in range(100):
        register(con)
    assert dict(native._registrations) == made
    with pytest.raises(duckdb.CatalogException, match="url_route"):
        ask(con, "select url_route('http://a')")
    for key in ("first", "second", "third"):
        register(con.cursor(), routes={key: "*://*"})
        assert ask(con, "select url_route('http://a') from range(5000)") == [key] * 5000
    register(con)
    assert ask(con, "select url_route('http://a')") == ["third"]


def test_other_fields(con: Any) -> None:
    fields = ["host", "port", "error", "href"]
    before = con.cursor().execute("select url_parse('http://a:1/') from range(4000)")
    for count in range(1, 5):
        register(con, fields[:count])
        (found,) = ask(con, "select url_parse('http://a:1/')")
        right = {"host": "a:1", "port": "1", "error": None, "href": "http://a:1/"}
        assert found == {name: right[name] for name in fields[:count]}
    assert {*before.fetchall()[0][0]} == {*parse_many(()).column_names}
    # These were four of nine times.
    for count in range(5):
        register(con, fields[: 1 + count % 2])
    with pytest.raises(
        ValueError, match="a database takes other fields, more bits, first routes or first robots 9 times"
    ):
        register(con, fields[:2])
    assert ask(con, "select url_hostname('http://a')") == ["a"]


def test_registered_in_python_first() -> None:
    con = duckdb.connect(config=UNSIGNED)
    register(con, native=False)
    assert register(con) == "native"
    assert ask(con, "select url_hostname('http://a')") == ["a"]


def test_native_functions_stay(con: Any) -> None:
    """Until the database is closed they are native, whatever is permitted meanwhile."""
    with pytest.raises(ValueError, match="native until it is closed"):
        register(con, native=False)
    con.execute("set enable_external_access = false")
    assert register(con) == register(con, native=True) == "native"
    with pytest.raises(duckdb.PermissionException, match="disabled"):
        register(con, ["error"])
    assert ask(con, "select url_hostname('http://a')") == ["a"]


def test_many_values_on_one_thread(con: Any) -> None:
    """A thread keeps the jobs of some values; those of others are made again."""
    con.execute("set threads = 1")
    for keys in (["k"], [f"k{number}" for number in range(100)]):
        changing = ", ".join(f"'{key}' || n % 3" for key in keys)
        query = "&".join(f"{key}{number}={number}" for key in keys for number in range(3))
        found = ask(con, f"select url_query('x:?{query}', {changing}) from range(300) r(n)")
        assert found == [{f"{key}{n % 3}": str(n % 3) for key in keys} for n in range(300)]


def test_a_database_frees_its_functions() -> None:
    gc.collect()
    before = {*native._registrations}
    con = duckdb.connect(config=UNSIGNED)
    register(con)
    ask(con, "select url_hostname('http://a')")
    (made,) = {*native._registrations} - before
    con.close()
    gc.collect()
    assert made not in native._registrations


# The file.


def test_the_file_is_private(con: Any) -> None:
    path = Path(library.path_of("weburl", ask(con, "pragma platform")[0]))
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.read_bytes()[:-512] == Path(_duckdb.__file__).read_bytes()


def test_metadata() -> None:
    data = library.metadata("linux_amd64")
    assert len(data) == 256
    fields = [data[start : start + 32].rstrip(b"\0").decode() for start in range(0, 256, 32)]
    assert fields[::-1][:5] == ["4", "linux_amd64", "v1.2.0", version("weburl"), "C_STRUCT"]
    assert library.content_of("linux_amd64") == Path(_duckdb.__file__).read_bytes() + data


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_one_library_for_all_databases(con: Any) -> None:
    """The process does not grow with each database."""

    def mapped() -> set[str]:
        lines = [line for line in Path("/proc/self/maps").read_text("utf-8").splitlines() if "duckdb_extension" in line]
        return {line.split()[4] for line in lines}

    before = mapped()
    assert before
    for count in range(8):
        with duckdb.connect(config=UNSIGNED) as other:
            assert register(other) == "native"
            assert register(other, ["host"] if count % 2 else ["error"]) == "native"
            assert ask(other, "select url_hostname('http://a')") == ["a"]
    assert mapped() == before


def test_a_directory_that_others_have_cleaned_up(con: Any) -> None:
    platform = ask(con, "pragma platform")[0]
    directory = Path(library.path_of("weburl", platform)).parent
    os.rename(directory, f"{directory}-gone")
    try:
        with duckdb.connect(config=UNSIGNED) as other:
            assert register(other) == "native"
            assert ask(other, "select url_hostname('http://a')") == ["a"]
        made = Path(library.path_of("weburl", platform)).parent
        assert made != directory
        # A directory that others may write to is not used.
        made.chmod(0o777)
        assert Path(library.path_of("weburl", platform)).parent not in (made, directory)
        made.chmod(0o700)
    finally:
        os.rename(f"{directory}-gone", directory)


@pytest.mark.skipif(os.name != "posix", reason="forks, and removes files that are in use")
def test_the_directory_is_removed(tmp_path: Path) -> None:
    """At the end of the process that made it, not of one that was forked from it."""
    done = run(
        """
        import atexit, os, duckdb, weburl.ext.duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        assert weburl.ext.duckdb.register(con) == "native"
        (before,) = os.listdir(os.environ["TMPDIR"])
        child = os.fork()
        if not child:
            # DuckDB itself does not work in the child.
            atexit._run_exitfuncs()
            os._exit(7)
        assert os.waitpid(child, 0)[1] == 7 << 8
        assert os.listdir(os.environ["TMPDIR"]) == [before]
        """,
        TMPDIR=str(tmp_path),
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert list(tmp_path.iterdir()) == []


def test_loaded_by_others(con: Any) -> None:
    platform = ask(con, "pragma platform")[0]
    other = duckdb.connect(config=UNSIGNED)
    with pytest.raises(duckdb.Error, match=r"only weburl\.ext\.duckdb\.register"):
        other.load_extension(library.path_of("weburl", platform))
    assert register(other) == "native"
    path = Path(library.path_of("weburl", platform))
    done = run(
        """
        import sys, duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        try:
            con.load_extension(sys.argv[1])
        except duckdb.Error as error:
            print(error)
        """,
        str(path),
    )
    assert "only weburl.ext.duckdb.register() loads this" in done.stdout
    assert done.returncode == 0


@pytest.mark.skipif(not hasattr(sys, "setdlopenflags"), reason="there are no flags")
def test_symbols_for_all_libraries() -> None:
    """The copy of the file may find the module's symbols instead of its own."""
    done = run(
        """
        import os, sys
        sys.setdlopenflags(os.RTLD_GLOBAL | os.RTLD_NOW)
        import duckdb, weburl.ext.duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        assert weburl.ext.duckdb.register(con) == "native"
        assert con.execute("select url_hostname('http://A')").fetchall() == [("a",)]
        """
    )
    assert (done.returncode, done.stderr) == (0, "")


# Vectors.


def test_lengths_of_strings(con: Any) -> None:
    """Strings of up to 12 bytes are in the vector, others have an address."""
    hosts = ["h" * length for length in range(1, 64)]
    con.execute("create table t as select unnest(?) as h", [hosts])
    assert ask(con, "select url_hostname('http://' || h || '/') from t") == hosts
    texts = ["", *hosts, "é" * 6, "é" * 7, "\0", "a\0b" * 9]
    con.execute("create table d as select unnest(?) as h", [texts])
    assert ask(con, "select url_percent_decode(h) from d") == texts
    assert ask(con, "select url_param('x:?a=' || h, 'a') from d where not contains(h, chr(0))") == [
        text for text in texts if "\0" not in text
    ]
    for key in hosts:
        assert ask(con, f"select url_param('x:?{key}=1', '{key}')") == ["1"]


def test_compressed_columns(con: Any, tmp_path: Path) -> None:
    """Vectors of all kinds: dictionaries, selections, constants, and those that another function has made."""
    con.execute(f"attach '{tmp_path / 'x.db'}' as x (storage_version 'latest')")
    chosen = [row for row in OWN if row is None or len(row) < 1000]
    rows = [random.Random(5).choice(chosen) for _ in range(30_000)]
    con.register("given", pa.table({"n": range(len(rows)), "u": rows, "d": pa.array(rows).dictionary_encode()}))
    con.execute("create table x.t as select * from given")
    con.execute("checkpoint x")
    right = component_many(rows, "hostname").to_pylist()
    for column, source in (("u", "x.t"), ("d", "x.t"), ("d", "given"), ("u", "given")):
        assert ask(con, f"select url_hostname({column}) from {source} order by n") == right
        assert ask(con, f"select url_hostname({column}) from {source} where n % 7 = 3 order by n") == right[3::7]
    assert ask(con, "select url_hostname(url_normalize(u)) from x.t order by n") == right
    assert ask(con, "select url_hostname(case when n % 2 = 0 then u end) from x.t order by n") == [
        None if n % 2 else host for n, host in enumerate(right)
    ]
    joined = "x.t a join given b on b.n = a.n + 1 where b.u is not null order by a.n"
    assert ask(con, f"select url_hostname(a.u) from {joined}") == [
        host for host, after in zip(right, rows[1:], strict=False) if after is not None
    ]
    assert ask(con, "select url_parse(u).hostname from x.t order by n") == right
    assert ask(con, "select list_transform([u, u], lambda x: url_hostname(x)) from x.t order by n") == [
        [host, host] for host in right
    ]
    counted = con.execute("select url_hostname(u) h, count(*) from x.t group by h").fetchall()
    assert dict(counted) == {host: right.count(host) for host in {*right}}


def test_results_that_are_kept(con: Any) -> None:
    """What a vector holds stays there when the function runs again."""
    con.execute("create table t as select 'http://a-host-that-is-long-' || i || '/' as u from range(50000) r(i)")
    result = con.execute("select url_hostname(u), url_parse(u) from t")
    first = result.fetchmany(10)
    for _ in range(3):
        ask(con.cursor(), "select count(url_hostname(u)) + count(url_normalize('x:' || u)) from t")
    rest = result.fetchall()
    assert [row[0] for row in first + rest] == [f"a-host-that-is-long-{i}" for i in range(50_000)]
    assert all(row[1]["hostname"] == row[0] for row in first + rest)


def test_large_texts(con: Any) -> None:
    """Above what is given to DuckDB at once, and above what is kept for the next vector."""
    url = "'http://h/' || repeat('p', i * 1000) || '?' || repeat('k=v&', i)"
    con.execute(f"create table t as select {url} as u from range(300) r(i)")
    assert ask(con, "select length(url_path(u)) from t") == [1 + 1000 * i for i in range(300)]
    assert ask(con, "select length(url_params(u)) from t") == list(range(300))
    con.execute("insert into t select 'http://h/' || repeat('p', 20000000) from range(3)")
    assert ask(con, "select length(url_path(u)) from t where length(u) > 1000000") == [20_000_001] * 3
    assert ask(con, "select url_hostname(u) from t") == ["h"] * 303
    pairs = ask(con, "select url_params('x:?' || repeat('a=b&c=%C3%A9&', 30000))")[0]
    assert len(pairs) == 60_000
    assert pairs[:2] == [{"name": "a", "value": "b"}, {"name": "c", "value": "é"}]


def test_blobs(con: Any) -> None:
    """URLs and bases as bytes: what is not UTF-8 is replaced, as in other columns of bytes."""
    rows = [None if row is None else row.encode() for row in ROWS]
    wrong = [b"http://h/\xff\xfe?\xc3", b"\xff", b"x:" + b"\xed\xa0\x80" * 9, b"http://h/%ff?q=\xe9&q=2"]
    con.register("given", pa.table({"n": range(len(rows) + len(wrong)), "u": pa.array([*rows, *wrong], pa.binary())}))
    con.execute("create table t as select * from given")
    assert ask(con, "select typeof(u) from t limit 1") == ["BLOB"]
    texts = [*ROWS, *(row.decode("utf-8", "replace") for row in wrong)]
    for call in (
        "url_normalize(u)",
        "url_hostname(u)",
        "url_param(u, 'q')",
        "url_query(u, 'q', 'a')",
        "url_percent_decode(u)",
    ):
        found = ask(con, f"select {call} from t order by n")
        con.register("texts", pa.table({"n": range(len(texts)), "u": texts}))
        assert found == ask(con, f"select {call} from texts order by n")
    assert ask(con, "select url_normalize(u) from t order by n")[-4:] == [
        "http://h/%EF%BF%BD%EF%BF%BD?%EF%BF%BD", None, "x:" + "%EF%BF%BD" * 27, "http://h/%ff?q=%EF%BF%BD&q=2"
    ]  # fmt: skip
    base = r"http://h/\xff/b"
    for one, other in (("", "::blob"), ("::blob", ""), ("::blob", "::blob")):
        assert ask(con, f"select url_join('{base}'{one}, 'c'{other})") == [
            URL("c", base.replace(r"\xff", "\ufffd") if one else base).href
        ]
    assert ask(con, "select url_hostname(null)") == [None]
    for given in ("http://é", "http://é".encode()):
        assert con.execute("select url_hostname(?)", [given]).fetchall() == [("xn--9ca",)]


def test_keys_of_rows(con: Any) -> None:
    """Keys that change, are null, are as long as a string that has an address, and are many."""
    keys = ["a", "", None, "k" * 12, "k" * 13, "é", "é" * 7, "none"]
    con.register("given", pa.table({"n": range(8000), "k": keys * 1000, "r": sorted(keys * 1000, key=str)}))
    names = [key for key in keys[:-1] if key is not None]
    url = "https://h/?" + "&".join(f"{name}={number}&{name}=x" for number, name in enumerate(names))
    values = {name: str(number) for number, name in enumerate(names)}
    for column in ("k", "r"):
        rows = ask(con, f"select {column} from given order by n")
        assert ask(con, f"select url_param('{url}', {column}) from given order by n") == [
            values.get(key) for key in rows
        ]
        assert ask(con, f"select url_query('{url}', {column}, 'a', {column}) from given order by n") == [
            {key: values[key] for key in (row, "a") if key in values} for row in rows
        ]
    many = [f"k{number}" for number in range(300)]
    query = "&".join(f"{name}={name}" for name in many[::3])
    call = f"url_query('x:?{query}', {', '.join(map(repr, many))})"
    assert ask(con, f"select {call} from given limit 3000") == [{name: name for name in many[::3]}] * 3000
    with pytest.raises(duckdb.Error, match=r"url_query\(\) takes a URL and keys"):
        ask(con, "select url_query('x:?a=1')")


def test_lists(con: Any) -> None:
    con.register("given", pa.table({"n": range(len(ROWS)), "u": ROWS}))
    right = [
        None if pairs is None else [{"name": name, "value": value} for name, value in pairs]
        for pairs in query_pairs_many(ROWS).to_pylist()
    ]
    assert ask(con, "select url_params(u) from given order by n") == right
    flat = con.execute(
        "select p.name, p.value from (select n, unnest(url_params(u)) as p from given) order by n"
    ).fetchall()
    assert len(flat) == sum(map(len, filter(None, right)))


# Threads, errors and the end.


def test_errors_on_threads_of_duckdb(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Python has no exception there. What failed says why, and the next query is right."""
    con.execute("set threads = 4")
    con.execute("create table t as select 'http://é' || i || '.example/' as u from range(250000) r(i)")
    answer = idna.cached_domain_to_ascii
    calls: list[int] = []
    threads = set()

    def fail(domain: str) -> str | None:
        calls.append(1)
        threads.add(threading.get_ident())
        if len(calls) > 1000:
            raise error
        return answer(domain)

    monkeypatch.setattr(idna, "cached_domain_to_ascii", fail)
    for query in (
        "url_hostname(u)",
        "url_join(u, 'x')",
        "url_join('http://b', u)",
        "url_param(u, 'q')",
        "url_parse(u).origin",
    ):
        for error in (MemoryError("no more"), RuntimeError("of another kind")):
            calls.clear()
            with pytest.raises(duckdb.Error, match=f"{type(error).__name__}: {error}"):
                ask(con, f"select count({query}) from t")
    assert len(threads) > 1
    monkeypatch.undo()
    assert ask(con, "select count(distinct url_hostname(u)) from t where rowid % 50 = 0") == [5000]


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_no_memory() -> None:
    """The query fails, the process and the functions live on. What DuckDB throws passes through weburl's functions."""
    done = run(
        """
        import resource, duckdb, weburl.ext.duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true", "threads": 2})
        assert weburl.ext.duckdb.register(con) == "native"
        text = "'http://' || x || '/' || repeat('p', {})"
        calls = ("url_path(u)", "url_normalize(u)", "url_parse(u)", "url_params('x:?' || replace(u, 'p', 'p&'))")
        con.execute("create table t as select 'H' as x")
        for call in calls:
            con.execute(f"select {call} from (select 'http://h' as u from t)").fetchall()
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (1 << 29), resource.RLIM_INFINITY))
        failed = 0
        for size in (10, 50, 150):
            for call in calls:
                try:
                    rows = f"(select {text.format(size * 1000000)} as u from t)"
                    con.execute(f"select length({call}::varchar) from {rows}").fetchall()
                except duckdb.Error:
                    failed += 1
                assert con.execute("select url_hostname('http://A')").fetchall() == [("a",)]
        print(failed)
        """
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert 0 < int(done.stdout) < 12


def test_interrupted_in_python(con: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C while Python answers for DuckDB's thread."""

    def fail(domain: str) -> str | None:
        raise KeyboardInterrupt

    monkeypatch.setattr(idna, "cached_domain_to_ascii", fail)
    with pytest.raises(KeyboardInterrupt):  # noqa: PT012
        with suppress(duckdb.Error):
            ask(con, "select url_hostname('http://é.example')")
        time.sleep(10)


def test_wrong_patterns_leave_the_function_usable(con: Any) -> None:
    con.execute(
        "create table t as select case i when 4000 then '(' else '*://*/' || i % 200 end as p from range(5000) r(i)"
    )
    with pytest.raises(duckdb.Error, match="PatternError"):
        ask(con, "select url_pattern_test('http://a/1', p) from t")
    right = [i % 200 == 1 for i in range(5000) if i != 4000]
    assert ask(con, "select url_pattern_test('http://a/1', p) from t where p <> '('") == right


def test_python_is_busy(con: Any) -> None:
    """Vectors do not wait for Python, whose other threads keep the GIL for half a second each time."""
    con.execute("set threads = 2")
    con.execute("create table t as select 'http://h' || i || '/' as u from range(1000000) r(i)")
    ask(con, "select count(url_hostname(u)) from t")
    found: list[Any] = []
    interval = sys.getswitchinterval()
    thread = threading.Thread(target=lambda: found.append(ask(con, "select count(url_hostname(u)) from t")))
    sys.setswitchinterval(0.5)
    try:
        thread.start()
        begun = time.monotonic()  # clock: deadline
        while thread.is_alive():
            sum(range(1000))
        passed = time.monotonic() - begun
    finally:
        sys.setswitchinterval(interval)
    assert found == [[1_000_000]]
    # There are 489 vectors.
    assert passed < 60


def test_many_databases_on_threads() -> None:
    failures: list[object] = []

    def work(number: int) -> None:
        try:
            for turn in range(5):
                with duckdb.connect(config=UNSIGNED) as con:
                    assert register(con, ["hostname"], routes={str(number): "*://*"}) == "native"
                    con.execute("create table t as select 'http://H' || i as u from range(5000) r(i)")
                    rows = con.execute("select url_route(u), url_parse(u).hostname from t").fetchall()
                    assert rows == [(str(number), f"h{i}") for i in range(5000)], turn
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failures == []


def test_registered_while_queries_run(con: Any) -> None:
    con.execute("set threads = 4")
    con.execute("create table t as select 'http://h' || i || '/' as u from range(200000) r(i)")
    register(con, routes={"0": "*://*"})
    stop = threading.Event()
    failures: list[object] = []

    def work() -> None:
        cursor = con.cursor()
        while not stop.is_set():
            found = cursor.execute("select count(url_route(u)), count(url_parse(u).error) from t").fetchall()
            if found != [(200_000, 0)]:
                failures.append(found)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for number in range(200):
            register(con, routes={str(number): "*://*"})
        register(con, ["error", "host"])
    finally:
        stop.set()
        for thread in threads:
            thread.join()
    assert failures == []
    assert {*ask(con, "select url_route(u) from t")} == {"199"}


def test_queries_while_python_shuts_down() -> None:
    """On threads of DuckDB's they fail, as no thread but the main one can have the GIL then."""
    done = run(
        """
        import duckdb, weburl.ext.duckdb
        con = duckdb.connect(config={"allow_unsigned_extensions": "true"})
        weburl.ext.duckdb.register(con)
        result = con.execute("select url_hostname('http://a' || i) from range(100000) r(i)")
        result.fetchone()
        class Late:
            def __del__(self):
                try:
                    print(con.execute("select url_hostname('http://é.example')").fetchall())
                except duckdb.Error as error:
                    print(error)
        late = Late()
        """
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "Python is shutting down" in done.stdout or "xn--9ca.example" in done.stdout


def test_hostile_rows(con: Any) -> None:
    """The other tests compare with the scalar API; here is one with many vectors."""
    rows = [scalar_values(row) if row else row for row in ROWS * 10]
    con.register("given", pa.table({"n": range(len(rows)), "u": rows}))
    con.execute("set threads = 3")
    found = con.execute("select url_parse(u) from given order by n").fetchall()
    table = parse_many(rows)
    columns = [table[name].to_pylist() for name in table.column_names]
    assert [tuple(row[0].values()) for row in found] == list(zip(*columns, strict=True))
    assert URL(rows[0] or "").hostname == found[0][0]["hostname"]
