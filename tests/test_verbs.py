"""A verb that is added to the table is seen everywhere: a row is all that bulk, engines, the command and pages need."""

from __future__ import annotations

import subprocess
import sys
import textwrap
from importlib.util import find_spec

import pytest

# A room of its own, for one process. What it works on is a field that no verb has as its only column.
ROOM = """
from weburl._verbs import table
from weburl._verbs.columns import FIELDS
from weburl._verbs.options import Option
from weburl._verbs.verb import VERBS, Verb

def check(default):
    if not isinstance(default, str):
        raise TypeError("default must be a str")
    return default

VERBS.append(Verb(
    "userinfo", "text", "The credentials, as in `user:password`; null if there are none.", "userinfo",
    options=(Option("default", "str", "", check),), work=lambda default: [FIELDS["userinfo"]], is_column=True,
))
"""
URLS = "['https://user:secret@h/?q', 'https://h/', 'no URL', None]"
EXPECTED = "['user:secret', None, None, None]"


def run(code: str, *arguments: str) -> str:
    program = f"{ROOM}\n{textwrap.dedent(code)}"
    done = subprocess.run([sys.executable, "-c", program, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_in_bulk() -> None:
    said = run(
        f"""
        import inspect, pickle
        from weburl import bulk
        assert "userinfo_many" in dir(bulk)
        assert bulk.userinfo_many({URLS}).to_pylist() == {EXPECTED}
        assert bulk.parse_many({URLS}, ["hostname", "userinfo"])["userinfo"].to_pylist() == {EXPECTED}
        assert pickle.loads(pickle.dumps(bulk.userinfo_many)) is bulk.userinfo_many
        print(inspect.signature(bulk.userinfo_many))
        help(bulk.userinfo_many)
        try:
            bulk.userinfo_many([], 5)
        except TypeError as error:
            print(error)
        """
    )
    assert said.startswith(
        "(urls: 'Any', default: 'str' = '', *, base: 'str | URL | FrozenURL | None' = None, threads: "
    )
    assert "Help on function userinfo_many in module weburl.bulk:" in said
    assert "The credentials, as in `user:password`" in said
    assert said.endswith("default must be a str\n")


def test_threads_that_ask_at_once_get_one_function() -> None:
    """A pickle names the function: `pickle.dumps` compares the one that it was given with the one of that name."""
    run(
        """
        import pickle, threading
        from weburl import bulk
        from weburl._verbs import make_functions
        make, both_make = make_functions.make_function, threading.Barrier(2)
        def slowly(*arguments):
            both_make.wait(30)
            return make(*arguments)
        make_functions.make_function = slowly
        made = []
        threads = [threading.Thread(target=lambda: made.append(bulk.userinfo_many)) for _ in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert [pickle.loads(pickle.dumps(function)) for function in made] == [bulk.userinfo_many] * 2
        """
    )


def test_in_the_command() -> None:
    code = "from weburl.cli import main\nsys.exit(main(sys.argv[1:]))"
    assert run(f"import sys\n{code}", "-g", "{userinfo} {host}", "http://a:b@h/") == "a:b h\n"


def test_in_plans() -> None:
    """Of Polars, which is not needed."""
    assert (
        run(
            f"""
        import pickle
        from weburl._arrow.input import from_objects
        from weburl._verbs.verb import engine_verbs
        from weburl.bulk import Column
        from weburl.ext import _polars
        from weburl.ext._engines.polars_plans import job_from, plan_of
        plan = plan_of(engine_verbs()["url_userinfo"], {{"default": "x"}}).arguments()
        print(plan["job"])
        job = job_from(pickle.dumps(plan, protocol=5), 1)
        assert Column(_polars.evaluate(job, [[from_objects({URLS})]])).to_pylist() == {EXPECTED}
        """
        )
        == "version=2&verb=url_userinfo&default=x\n"
    )


def test_in_plans_are_verbs_of_each_kind() -> None:
    """Without a field, and structs whose columns another verb has, too: a plan says the name of its verb."""
    run(
        """
        import pickle
        from weburl._arrow.input import from_objects
        from weburl._verbs.columns import query_values
        from weburl._verbs.options import KEY, KEYS
        from weburl._verbs.verb import engine_verbs
        from weburl.bulk import Column, Table
        from weburl.ext import _polars
        from weburl.ext._engines import polars_plans
        verb = Option("verb", "str", "", check)
        VERBS[:0] = [
            Verb("first", "text", "", options=(verb, KEY), work=lambda verb, key: query_values((verb + key,))),
            Verb(
                "picked", "struct", "", options=(KEYS, verb), names="keys",
                work=lambda keys, verb: query_values(keys),
            ),
        ]
        def read(name, result=Column, **options):
            data = pickle.dumps(polars_plans.plan_of(engine_verbs()[name], options).arguments(), protocol=5)
            assert polars_plans.read(data).verb is engine_verbs()[name]
            job = polars_plans.job_from(data, 1)
            return result(_polars.evaluate(job, [[from_objects(["http://h/?a=1&xa=2&b=3"])]])).to_pylist()
        assert read("url_param", key="a") == ["1"]
        assert read("url_first", key="a", verb="x") == ["2"]
        assert read("url_query", Table, keys=["a", "b"]) == [{"a": "1", "b": "3"}]
        assert read("url_picked", Table, keys=["a", "b"], verb="x") == [{"a": "1", "b": "3"}]
        """
    )


def test_in_sql() -> None:
    run(
        f"""
        import sqlite3
        import weburl.ext.sqlite
        con = sqlite3.connect(":memory:")
        weburl.ext.sqlite.register(con)
        rows = [con.execute("select url_userinfo(?)", [url]).fetchone()[0] for url in {URLS}]
        assert rows == {EXPECTED}
        assert con.execute("select url_userinfo('/', 'http://a:b@h/')").fetchone() == ("a:b",)
        """
    )


def test_in_stubs_and_pages() -> None:
    run(
        """
        import sys
        sys.path.append("tools")
        import verb_pages
        texts = {path.name: text for path, text in verb_pages.files().items()}
        for name in ("daft", "pandas", "polars", "pyarrow", "pyspark", "ray"):
            assert "userinfo(" in texts[f"{name}.md"], name
            assert "userinfo(" in texts[f"{name}.pyi"]
        assert "| `url_userinfo(url[, base])` | The credentials, as in `user:password`; null" in texts["duckdb.md"]
        page = texts["pandas.md"]
        assert "| `userinfo(default='', *, base=None)` | The credentials, as in `user:password`; missing" in page
        assert "def userinfo_many(" in texts["bulk.pyi"]
        assert "| `userinfo_many(urls, default='', *, base=None)` | The credentials, as in" in texts["bulk.md"]
        for name in ("daft", "duckdb", "pyspark", "sqlite"):
            assert "- `url_userinfo(url[, base])`: The credentials, as in `user:password`" in texts[f"{name}.pyi"], name
        for name, null in (("bulk", "null"), ("command", "nothing")):
            assert f"| `userinfo` | the credentials; {null} if there are none |" in texts[f"{name}.md"], name
        """
    )


@pytest.mark.skipif(find_spec("polars") is None or find_spec("duckdb") is None, reason="Polars or DuckDB is missing")
def test_in_polars_and_duckdb() -> None:
    run(
        f"""
        import duckdb
        import polars as pl
        import weburl.ext.duckdb
        import weburl.ext.polars
        frame = pl.DataFrame({{"u": {URLS}}})
        assert frame.select(pl.col("u").weburl.userinfo())["u"].to_list() == {EXPECTED}
        assert frame["u"].weburl.userinfo("x").to_list() == {EXPECTED}
        for unsigned in (False, True):
            con = duckdb.connect(config={{"allow_unsigned_extensions": unsigned}})
            assert weburl.ext.duckdb.register(con) == ("native" if unsigned else "arrow")
            rows = con.execute("select url_userinfo(u) from (select unnest(?) as u)", [{URLS}]).fetchall()
            assert [row[0] for row in rows] == {EXPECTED}
        """
    )


@pytest.mark.skipif(find_spec("duckdb") is None, reason="duckdb is missing")
def test_a_key_that_is_no_parameter_in_duckdb() -> None:
    """Only of some verbs does `key` name a parameter, which SQL finds for each row. Here it is another one."""
    run(
        """
        import duckdb
        import weburl.ext.duckdb
        from weburl._verbs.columns import query_values
        from weburl._verbs.options import KEY
        VERBS.append(Verb(
            "other", "text", "The value of another parameter.", options=(KEY,),
            work=lambda key: query_values(("x" + key,)),
        ))
        from weburl import bulk
        url = "http://h/?a=1&xa=2&b=5&xb=3"
        assert bulk.other_many([url], "a").to_pylist() == ["2"]
        for unsigned in (False, True):
            con = duckdb.connect(config={"allow_unsigned_extensions": unsigned})
            assert weburl.ext.duckdb.register(con) == ("native" if unsigned else "arrow")
            for keys, values in ((["a"], ["2"]), (["a", "b", None], ["2", "3", None])):
                query = "select url_other(?, key), url_param(?, 'x' || key) from (select unnest(?) as key)"
                assert con.execute(query, [url, url, keys]).fetchall() == [(value, value) for value in values]
        """
    )
