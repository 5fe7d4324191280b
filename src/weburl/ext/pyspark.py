"""URLs in PySpark: functions of columns, functions of SQL, and the parts of a column next to it.

    >>> from pyspark.sql import SparkSession
    >>> from weburl.ext.pyspark import parse_column, register, url_host, url_param
    >>> spark = SparkSession.builder.getOrCreate()
    >>> frame = spark.createDataFrame([("https://EXAMPLE.com:443/a?q=caf%C3%A9",), ("no URL",)], "url string")
    >>> [tuple(row) for row in frame.select(url_host("url"), url_param("url", "q")).collect()]
    [('example.com', 'café'), (None, None)]
    >>> register(spark)
    >>> spark.sql("select url_site('https://www.example.co.uk/') site").collect()
    [Row(site='example.co.uk')]
    >>> parse_column(frame, "url", ["hostname", "error"]).columns
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. A column is given as a
Column or by its name. The functions are Arrow UDFs of one thread: Spark runs a task on each core. The executors need
weburl, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Union

from weburl.ext._engines.versions import needs

with needs("pyspark"):
    from pyspark.sql.functions import arrow_udf
    from pyspark.sql.types import StringType, StructField, StructType

import pyarrow as pa

from weburl.bulk import canonicalize_many, parse_many, pattern_extract_many, query_values_many
from weburl.ext import pyarrow as arrow_functions
from weburl.ext._engines import sql as _sql
from weburl.ext._engines.functions import FUNCTIONS
from weburl.ext._engines.hosts import host_set, host_sets
from weburl.ext._engines.parts import check_part
from weburl.patterns import PatternList, URLPattern, pattern_of
from weburl.url import URL

if TYPE_CHECKING:
    from collections.abc import Mapping

    from pyspark.sql import Column, DataFrame, SparkSession

    from weburl._crawl.policy import Policy
    from weburl.bulk import Hosts, Routes

__all__ = [
    "parse_column",
    "parse_url",
    "register",
    "url_canonicalize",
    "url_fingerprint",
    "url_host",
    "url_host_in",
    "url_is_private",
    "url_join",
    "url_normalize",
    "url_param",
    "url_params",
    "url_parse",
    "url_path",
    "url_path_template",
    "url_pattern_extract",
    "url_pattern_test",
    "url_percent_decode",
    "url_public_suffix",
    "url_query",
    "url_redact",
    "url_route",
    "url_site",
    "url_valid",
]


def __dir__() -> list[str]:
    return __all__


ColumnOrName = Union["Column", str]
RESULTS = {
    "text": "string",
    "bool": "boolean",
    "number": "bigint",
    "pairs": "array<struct<name: string, value: string>>",
    "map": "map<string, string>",
}


def url_host(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The host, without a port: `URL.hostname`."""
    return _udf("url_host", base=base)(url)


def url_path(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The path: `URL.pathname`."""
    return _udf("url_path", base=base)(url)


def url_param(url: ColumnOrName, key: str, base: str | URL | None = None) -> Column:
    """The first value that the query has for a name, decoded; null if it has none."""
    return _udf("url_param", key=key, base=base)(url)


def url_params(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """All pairs of the query, decoded: a list of structs of `name` and `value`."""
    return _udf("url_params", base=base)(url)


def url_query(url: ColumnOrName, keys: Iterable[str], base: str | URL | None = None) -> Column:
    """A struct with a field for each of the keys: the first value that the query has for it, decoded."""
    names = query_values_many((), keys).column_names
    return _udf("url_query", names=names, keys=names, base=base)(url)


def url_parse(url: ColumnOrName, fields: Iterable[str] | None = None, base: str | URL | None = None) -> Column:
    """A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`."""
    names = _names(fields)
    return _udf("url_parse", names=names, fields=names, base=base)(url)


def url_join(base: ColumnOrName, ref: ColumnOrName) -> Column:
    """The reference, resolved against the base. For one base there is `url_normalize(ref, base)`."""
    return _udf("url_join")(base, ref)


def url_normalize(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The serialization: `URL.href`."""
    return _udf("url_normalize", base=base)(url)


def url_valid(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """Whether it is a URL; null for null."""
    return _udf("url_valid", base=base)(url)


def url_site(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_site", base=base)(url)


def url_public_suffix(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_public_suffix", base=base)(url)


def url_canonicalize(url: ColumnOrName, policy: str | Policy = "crawl", base: str | URL | None = None) -> Column:
    """The canonical form under a policy, as from `weburl.crawl.canonicalize`."""
    canonicalize_many((), policy)
    return _udf("url_canonicalize", policy=policy, base=base)(url)


def url_fingerprint(url: ColumnOrName, policy: str | Policy = "crawl", base: str | URL | None = None) -> Column:
    """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign."""
    canonicalize_many((), policy)
    return _udf("url_fingerprint", policy=policy, base=base)(url)


def url_pattern_test(url: ColumnOrName, pattern: str | URLPattern, base: str | URL | None = None) -> Column:
    """Whether it matches a pattern; false for what is not a URL, null for null."""
    return _udf("url_pattern_test", pattern=pattern_of(pattern), base=base)(url)


def url_pattern_extract(
    url: ColumnOrName, pattern: str | URLPattern, groups: Iterable[str] | None = None, base: str | URL | None = None
) -> Column:
    """A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
    made = pattern_of(pattern)
    names = pattern_extract_many((), made, groups).column_names
    return _udf("url_pattern_extract", names=names, pattern=made, groups=names, base=base)(url)


def url_route(url: ColumnOrName, routes: Routes, base: str | URL | None = None) -> Column:
    """The key of the first of the patterns that it matches; null if it matches none.

    `routes` is a `PatternList`, or what makes one.
    """
    made = routes if isinstance(routes, PatternList) else PatternList(routes)
    return _udf("url_route", routes=made, base=base)(url)


def url_host_in(url: ColumnOrName, hosts: Hosts, base: str | URL | None = None) -> Column:
    """Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL."""
    return _udf("url_host_in", hosts=host_set(hosts), base=base)(url)


def url_is_private(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL."""
    return _udf("url_is_private", base=base)(url)


def url_redact(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The URL without its secrets, as from `weburl.redact.redact`."""
    return _udf("url_redact", base=base)(url)


def url_path_template(url: ColumnOrName, base: str | URL | None = None) -> Column:
    """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
    return _udf("url_path_template", base=base)(url)


def url_percent_decode(text: ColumnOrName, errors: str = "replace") -> Column:
    """The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8."""
    return _udf("url_percent_decode", errors=errors)(text)


def parse_url(url: ColumnOrName, part: str, key: str | None = None) -> Column:
    """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param`."""
    return _udf("parse_url", part=check_part(part, key), key=key)(url)


def parse_column(
    frame: DataFrame,
    name: str,
    fields: Iterable[str] | None = None,
    base: str | URL | None = None,
    *,
    keep: Iterable[str] | None = None,
) -> DataFrame:
    """The frame and the parts of one of its columns: `url_hostname` and so on for a column `url`.

    This is `mapInArrow`, which takes Spark less time than `url_parse`, but all columns go through Python: `keep`
    those that are needed. With `keep=()` there are only the parts.
    """
    names = _names(fields)
    columns = [f"{name}_{field}" for field in names]
    kept = frame.columns if keep is None else list(dict.fromkeys(keep))
    if keep is not None:
        frame = frame.select(*kept, *({name} - {*kept}))
    schema = StructType([*frame.schema.fields[: len(kept)], *_struct(columns).fields])
    index = frame.columns.index(name)

    def run(batches: Iterator[Any]) -> Iterator[Any]:
        for batch in batches:
            parts = arrow_functions.url_parse(batch.column(index), names, base, threads=1).flatten()
            # Not dictionaries, which Spark does not read here.
            parts = [part.cast(pa.large_string()) for part in parts]
            yield pa.RecordBatch.from_arrays([*batch.columns[: len(kept)], *parts], [*kept, *columns])

    return frame.mapInArrow(run, schema)


def register(
    spark: SparkSession,
    fields: Iterable[str] | None = None,
    routes: Routes | None = None,
    hosts: Mapping[str, Hosts] | None = None,
) -> None:
    """Gives a session the functions of SQL. `url_parse` gives the fields, by default all.

    They are url_host, url_path, url_param(u, key), url_params, url_query(u, key, ...), url_parse, url_join(base, ref),
    url_normalize, url_valid, url_site, url_public_suffix, url_canonicalize(u, policy), url_fingerprint(u, policy),
    url_pattern_test(u, pattern), url_pattern_extract(u, pattern, group), url_host_in(u, hosts), url_is_private,
    url_redact, url_path_template, url_percent_decode, url_route if `routes` are given, and
    session.parse_url(u, part[, key]): without `session.` that is Spark's own, unless
    `spark.sql.functionResolution.sessionOrder` is "first".

    url_query gives a map. The second argument of url_host_in is a text: entries of a `HostSet` with white space between
    them, or the name of one of the sets in `hosts`.
    """
    names = _names(fields)
    for name, function in _sql.SQL_FUNCTIONS.items():
        if name == "url_parse":
            spark.udf.register(name, _udf(name, function, names, fields=names))
        elif name == "url_host_in":
            spark.udf.register(name, _udf(name, function, sets=host_sets(hosts)))
        elif name != "url_route":
            spark.udf.register(name, _udf(name, function))
        elif routes is not None:
            spark.udf.register(name, _udf(name, function, routes=_sql.route_list(routes)))


def _udf(
    name: str, function: Callable[..., Any] | None = None, names: Iterable[str] = (), **options: Any
) -> Callable[..., Column]:
    """A function of the list, or that of SQL for it. `names` are those of a struct."""
    listed = FUNCTIONS[name]
    result = (listed.sql_result if function else None) or listed.result
    call = function or getattr(arrow_functions, name)

    def run(*columns: pa.Array) -> pa.Array:
        found = call(*columns, **options, threads=1)
        # Spark's numbers have a sign: these have the same bits.
        return found.view(pa.int64()) if found.type == pa.uint64() else found

    run.__name__ = name
    return arrow_udf(run, _struct(names) if result == "struct" else RESULTS[result])  # type: ignore[no-any-return]


def _names(fields: Iterable[str] | None) -> tuple[str, ...]:
    return parse_many((), fields).column_names


def _struct(names: Iterable[str]) -> Any:
    return StructType([StructField(name, StringType()) for name in names])
