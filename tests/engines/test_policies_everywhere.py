"""Under a policy of one's own, every engine gives for each row what the scalar functions give."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import duckdb
import pyarrow as pa
import pytest
import rows

import weburl.ext.duckdb
from weburl import InvalidURL
from weburl.crawl import CrawlPolicy, SurtPolicy, canonicalize, fingerprint
from weburl.ext._engines.duckdb.native import OLDEST_NATIVE
from weburl.ext._engines.versions import is_older
from weburl.redact import SECRET_NAMES, LogPolicy, path_template, redact
from weburl.text import redact_text

CRAWL = CrawlPolicy(tracking_parameters={"q", "it's"}, index_names=(), remove_www=True, fragment="keep", name="shop")
SURT = SurtPolicy(with_scheme=True, keep_www=True)
LOGS = LogPolicy(secret_names=SECRET_NAMES - {"*token"} | {"q", "customer"}, token_names=(), version=2)
# One of a file, whose key is in the environment.
os.environ["WEBURL_TEST_KEY"] = "0123456789abcdef"
FILE = LogPolicy.from_toml("""
name = "shop"
keep = ["code"]
hide = ["otp"]
paths = ["/customer/{secret}", "/*/x/{secret}"]
replacement = {key_env = "WEBURL_TEST_KEY"}
[[rules]]
hosts = ["example.com", "h"]
hide = ["q"]
paths = ["/{secret}"]
""")
LINE = (
    '- "GET /customer/q8Zx?customer=a&q=b&token=c HTTP/1.1" otp=7 200 http://h/?q=d {"u":"https:\\/\\/x\\/?customer=e"}'
)
ROWS: list[str | None] = [*rows.ROWS, "http://h/customer/kbhzqpxwmqrtnA17", "https://(com,example)/a", LINE, None]
# The verb, its options beside the policy, and the policy; with the scalar function.
CASES: list[tuple[str, dict[str, Any], Any, Callable[..., Any]]] = [
    ("canonicalize", {}, CRAWL, canonicalize),
    ("canonicalize", {}, SURT, canonicalize),
    ("fingerprint", {}, CRAWL, fingerprint),
    ("fingerprint", {"bits": 16}, CRAWL, fingerprint),
    ("fingerprint", {"bits": 96}, SURT, fingerprint),
    ("fingerprint", {"bits": 128}, CRAWL, fingerprint),
    ("redact", {}, LOGS, redact),
    ("path_template", {}, LOGS, path_template),
    ("redact", {}, FILE, redact),
    ("path_template", {}, FILE, path_template),
    ("redact_text", {}, LOGS, redact_text),
    ("redact_text", {}, FILE, redact_text),
]
IDS = [f"{verb}-{policy.name}-{type(policy).__name__}-{options.get('bits', 64)}" for verb, options, policy, _ in CASES]
EACH = pytest.mark.parametrize(("verb", "options", "policy", "function"), CASES, ids=IDS)


def expected(options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> list[Any]:
    found = scalar(function, policy, options)
    assert found != scalar(function, None, options), "the policy makes no difference"
    return found


def scalar(function: Callable[..., Any], policy: Any, options: dict[str, Any]) -> list[Any]:
    """What the function gives for each row under a policy, or under the default."""
    more = options if policy is None else {**options, "policy": policy}
    found = []
    for row in ROWS:
        try:
            found.append(None if row is None else function(row, **more))
        except InvalidURL:
            found.append(None)
    return found


@EACH
def test_pyarrow(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> None:
    import weburl.ext.pyarrow as ext

    for given in (policy, repr(policy)):
        found = getattr(ext, f"url_{verb}")(pa.array(ROWS), given, **options)
        assert found.to_pylist() == expected(options, policy, function)


@EACH
def test_pandas(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> None:
    import pandas as pd

    import weburl.ext.pandas

    assert weburl.ext.pandas
    series = pd.Series(ROWS, dtype="object")
    found = getattr(series.weburl, verb)(policy, **options)
    plain = [None if value is None or value is pd.NA or value != value else value for value in found]
    assert plain == expected(options, policy, function)


@pytest.mark.parametrize("streaming", [False, True])
@EACH
def test_polars(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any], streaming: bool) -> None:
    import polars as pl

    import weburl.ext.polars

    assert weburl.ext.polars
    column = getattr(pl.col("u").weburl, verb)(policy, **options)
    lazy = pl.DataFrame({"u": ROWS}).lazy().select(column.alias("x"))
    found = lazy.collect(engine="streaming" if streaming else "in-memory")["x"].to_list()
    assert found == expected(options, policy, function)


@EACH
def test_daft(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any]) -> None:
    import daft

    import weburl.ext.daft as ext

    frame = daft.from_pydict({"u": ROWS})
    found = frame.select(getattr(ext, f"url_{verb}")(frame["u"], policy, **options).alias("x")).to_pydict()["x"]
    assert found == expected(options, policy, function)
    ext.register(bits=options.get("bits", 64))
    text = repr(policy).replace("'", "''")
    assert daft.sql(f"select url_{verb}(u, '{text}') x from frame").to_pydict()["x"] == found
    default = daft.sql(f"select url_{verb}(u) x from frame").to_pydict()["x"]
    assert default == scalar(function, None, options)


KINDS = ["arrow"] if is_older(duckdb.__version__, OLDEST_NATIVE) else ["native", "arrow"]


@pytest.mark.parametrize("kind", KINDS)
@EACH
def test_duckdb(verb: str, options: dict[str, Any], policy: Any, function: Callable[..., Any], kind: str) -> None:
    with duckdb.connect(config={"allow_unsigned_extensions": "true"} if kind == "native" else {}) as con:
        assert weburl.ext.duckdb.register(con, bits=options.get("bits", 64)) == kind
        con.register("columns", pa.table({"n": range(len(ROWS)), "u": ROWS}))
        con.execute("create table t as select * from columns")
        query = f"select url_{verb}(u, $1) from t order by n"
        found = [row[0] for row in con.execute(query, [repr(policy)]).fetchall()]
        assert found == expected(options, policy, function)
        default = [row[0] for row in con.execute(f"select url_{verb}(u) from t order by n").fetchall()]
        assert default == scalar(function, None, options)
        with pytest.raises(duckdb.Error, match="policy must be"):
            con.execute(f"select url_{verb}(u, 'nonsense') from t").fetchall()
