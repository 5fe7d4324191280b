"""URLs in Daft: functions of expressions, functions of SQL, and the parts of a column next to it.

    >>> import daft
    >>> from weburl.ext.daft import parse_column, register, url_host, url_param
    >>> frame = daft.from_pydict({"url": ["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL"]})
    >>> frame.select(url_host(frame["url"]).alias("host"), url_param(frame["url"], "q").alias("q")).to_pydict()
    {'host': ['example.com', None], 'q': ['café', None]}
    >>> register()
    >>> daft.sql("select url_site(url) site from frame").to_pydict()
    {'site': ['example.com', None]}
    >>> parse_column(frame, "url", ["hostname", "error"]).column_names
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. One thread works on a batch:
Daft gives batches to all cores. The functions do not hold the GIL, so they run in Daft's own process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from weburl.ext._engines.versions import needs

with needs("daft"):
    import daft
    from daft import DataType

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

    from daft import DataFrame, Expression

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


TEXT = DataType.string()
RESULTS = {
    "text": TEXT,
    "bool": DataType.bool(),
    "number": DataType.uint64(),
    "pairs": DataType.list(DataType.struct({"name": TEXT, "value": TEXT})),
    "map": DataType.map(TEXT, TEXT),
}


def url_host(url: Expression, base: str | URL | None = None) -> Expression:
    """The host, without a port: `URL.hostname`."""
    return _udf("url_host", base=base)(url)


def url_path(url: Expression, base: str | URL | None = None) -> Expression:
    """The path: `URL.pathname`."""
    return _udf("url_path", base=base)(url)


def url_param(url: Expression, key: str, base: str | URL | None = None) -> Expression:
    """The first value that the query has for a name, decoded; null if it has none."""
    return _udf("url_param", key=key, base=base)(url)


def url_params(url: Expression, base: str | URL | None = None) -> Expression:
    """All pairs of the query, decoded: a list of structs of `name` and `value`."""
    return _udf("url_params", base=base)(url)


def url_query(url: Expression, keys: Iterable[str], base: str | URL | None = None) -> Expression:
    """A struct with a field for each of the keys: the first value that the query has for it, decoded."""
    names = query_values_many((), keys).column_names
    return _udf("url_query", names=names, keys=names, base=base)(url)


def url_parse(url: Expression, fields: Iterable[str] | None = None, base: str | URL | None = None) -> Expression:
    """A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`."""
    names = _names(fields)
    return _udf("url_parse", names=names, fields=names, base=base)(url)


def url_join(base: Expression | str, ref: Expression) -> Expression:
    """The reference, resolved against the base. The base may be one for all rows."""
    return _udf("url_join")(base, ref)


def url_normalize(url: Expression, base: str | URL | None = None) -> Expression:
    """The serialization: `URL.href`."""
    return _udf("url_normalize", base=base)(url)


def url_valid(url: Expression, base: str | URL | None = None) -> Expression:
    """Whether it is a URL; null for null."""
    return _udf("url_valid", base=base)(url)


def url_site(url: Expression, base: str | URL | None = None) -> Expression:
    """The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_site", base=base)(url)


def url_public_suffix(url: Expression, base: str | URL | None = None) -> Expression:
    """The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_public_suffix", base=base)(url)


def url_canonicalize(url: Expression, policy: str | Policy = "crawl", base: str | URL | None = None) -> Expression:
    """The canonical form under a policy, as from `weburl.crawl.canonicalize`."""
    canonicalize_many((), policy)
    return _udf("url_canonicalize", policy=policy, base=base)(url)


def url_fingerprint(url: Expression, policy: str | Policy = "crawl", base: str | URL | None = None) -> Expression:
    """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign."""
    canonicalize_many((), policy)
    return _udf("url_fingerprint", policy=policy, base=base)(url)


def url_pattern_test(url: Expression, pattern: str | URLPattern, base: str | URL | None = None) -> Expression:
    """Whether it matches a pattern; false for what is not a URL, null for null."""
    return _udf("url_pattern_test", pattern=pattern_of(pattern), base=base)(url)


def url_pattern_extract(
    url: Expression, pattern: str | URLPattern, groups: Iterable[str] | None = None, base: str | URL | None = None
) -> Expression:
    """A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
    made = pattern_of(pattern)
    names = pattern_extract_many((), made, groups).column_names
    return _udf("url_pattern_extract", names=names, pattern=made, groups=names, base=base)(url)


def url_route(url: Expression, routes: Routes, base: str | URL | None = None) -> Expression:
    """The key of the first of the patterns that it matches; null if it matches none.

    `routes` is a `PatternList`, or what makes one.
    """
    made = routes if isinstance(routes, PatternList) else PatternList(routes)
    return _udf("url_route", routes=made, base=base)(url)


def url_host_in(url: Expression, hosts: Hosts, base: str | URL | None = None) -> Expression:
    """Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL."""
    return _udf("url_host_in", hosts=host_set(hosts), base=base)(url)


def url_is_private(url: Expression, base: str | URL | None = None) -> Expression:
    """Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL."""
    return _udf("url_is_private", base=base)(url)


def url_redact(url: Expression, base: str | URL | None = None) -> Expression:
    """The URL without its secrets, as from `weburl.redact.redact`."""
    return _udf("url_redact", base=base)(url)


def url_path_template(url: Expression, base: str | URL | None = None) -> Expression:
    """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
    return _udf("url_path_template", base=base)(url)


def url_percent_decode(text: Expression, errors: str = "replace") -> Expression:
    """The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8."""
    return _udf("url_percent_decode", errors=errors)(text)


def parse_url(url: Expression, part: str, key: str | None = None) -> Expression:
    """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param`."""
    return _udf("parse_url", part=check_part(part, key), key=key)(url)


def parse_column(
    frame: DataFrame, name: str, fields: Iterable[str] | None = None, base: str | URL | None = None
) -> DataFrame:
    """The frame and the parts of one of its columns: `url_hostname` and so on for a column `url`."""
    names = _names(fields)
    columns = [f"{name}_{field}" for field in names]

    def parse(urls: pa.Array, **options: Any) -> pa.Array:
        return pa.StructArray.from_arrays(arrow_functions.url_parse(urls, names, base, **options).flatten(), columns)

    return frame.select(daft.col("*"), _batch(parse, _struct(columns), unnest=True)(frame[name]))


def register(
    fields: Iterable[str] | None = None, routes: Routes | None = None, hosts: Mapping[str, Hosts] | None = None
) -> None:
    """Gives the session the functions of SQL. `url_parse` gives the fields, by default all.

    They are url_host, url_path, url_param(u, key), url_params, url_query(u, key, ...), url_parse, url_join(base, ref),
    url_normalize, url_valid, url_site, url_public_suffix, url_canonicalize(u, policy), url_fingerprint(u, policy),
    url_pattern_test(u, pattern), url_pattern_extract(u, pattern, group), url_host_in(u, hosts), url_is_private,
    url_redact, url_path_template, url_percent_decode, url_route if `routes` are given, and parse_url(u, part[, key]).

    url_query gives a map. The second argument of url_host_in is a text: entries of a `HostSet` with white space between
    them, or the name of one of the sets in `hosts`.
    """
    names = _names(fields)
    for name, function in _sql.SQL_FUNCTIONS.items():
        if name == "url_parse":
            daft.attach_function(_udf(name, function, names, fields=names), name)
        elif name == "url_host_in":
            daft.attach_function(_udf(name, function, sets=host_sets(hosts)), name)
        elif name != "url_route":
            daft.attach_function(_udf(name, function), name)
        elif routes is not None:
            daft.attach_function(_udf(name, function, routes=_sql.route_list(routes)), name)


def _udf(
    name: str, function: Callable[..., Any] | None = None, names: Iterable[str] = (), **options: Any
) -> Callable[..., Expression]:
    """A function of the list, or that of SQL for it. `names` are those of a struct."""
    listed = FUNCTIONS[name]
    result = (listed.sql_result if function else None) or listed.result
    returns = _struct(names) if result == "struct" else RESULTS[result]
    return _batch(function or getattr(arrow_functions, name), returns, **options)


def _batch(
    function: Callable[..., Any], returns: Any, unnest: bool = False, **options: Any
) -> Callable[..., Expression]:
    def run(*columns: daft.Series | str) -> Any:
        arrays = [column if isinstance(column, str) else column.to_arrow() for column in columns]
        return function(*arrays, **options, threads=1)

    run.__name__ = function.__name__
    return daft.func.batch(return_dtype=returns, unnest=unnest, use_process=False)(run)  # type: ignore[no-any-return]


def _names(fields: Iterable[str] | None) -> tuple[str, ...]:
    return parse_many((), fields).column_names


def _struct(names: Iterable[str]) -> Any:
    return DataType.struct(dict.fromkeys(names, TEXT))
