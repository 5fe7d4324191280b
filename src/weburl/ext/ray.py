"""URLs in Ray Data: functions of expressions, and the parts of a column next to it.

    >>> import ray
    >>> from ray.data.expressions import col
    >>> from weburl.ext.ray import parse_column, url_host, url_param
    >>> data = ray.data.from_items([{"url": "https://EXAMPLE.com:443/a?q=caf%C3%A9"}, {"url": "no URL"}])
    >>> data.with_column("host", url_host(col("url"))).with_column("q", url_param(col("url"), "q")).take_all()[0]
    {'url': 'https://EXAMPLE.com:443/a?q=caf%C3%A9', 'host': 'example.com', 'q': 'café'}
    >>> [row["url_error"] for row in parse_column(data, "url", ["hostname", "error"]).take_all()]
    [None, 'missing-scheme-non-relative-URL']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. One thread works on a block:
Ray runs a task on each core. The workers need weburl, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from weburl.ext._engines.versions import needs

with needs("ray"):
    from ray.data.datatype import DataType
    from ray.data.expressions import pyarrow_udf

import pyarrow as pa

from weburl.bulk import canonicalize_many, parse_many, pattern_extract_many, query_values_many
from weburl.ext import pyarrow as arrow_functions
from weburl.ext._engines.functions import FUNCTIONS
from weburl.ext._engines.hosts import host_set
from weburl.ext._engines.parts import check_part
from weburl.patterns import PatternList, URLPattern, pattern_of
from weburl.url import URL

if TYPE_CHECKING:
    from ray.data import Dataset
    from ray.data.expressions import Expr

    from weburl._crawl.policy import Policy
    from weburl.bulk import Hosts, Routes

__all__ = [
    "parse_column",
    "parse_url",
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


TEXT = pa.large_string()
RESULTS = {
    "text": TEXT,
    "bool": pa.bool_(),
    "number": pa.uint64(),
    "pairs": pa.large_list(pa.struct([("name", TEXT), ("value", TEXT)])),
}


def url_host(url: Expr, base: str | URL | None = None) -> Expr:
    """The host, without a port: `URL.hostname`."""
    return _udf("url_host", base=base)(url)


def url_path(url: Expr, base: str | URL | None = None) -> Expr:
    """The path: `URL.pathname`."""
    return _udf("url_path", base=base)(url)


def url_param(url: Expr, key: str, base: str | URL | None = None) -> Expr:
    """The first value that the query has for a name, decoded; null if it has none."""
    return _udf("url_param", key=key, base=base)(url)


def url_params(url: Expr, base: str | URL | None = None) -> Expr:
    """All pairs of the query, decoded: a list of structs of `name` and `value`."""
    return _udf("url_params", base=base)(url)


def url_query(url: Expr, keys: Iterable[str], base: str | URL | None = None) -> Expr:
    """A struct with a field for each of the keys: the first value that the query has for it, decoded."""
    names = query_values_many((), keys).column_names
    return _udf("url_query", names=names, keys=names, base=base)(url)


def url_parse(url: Expr, fields: Iterable[str] | None = None, base: str | URL | None = None) -> Expr:
    """A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`."""
    names = parse_many((), fields).column_names
    return _udf("url_parse", names=names, fields=names, base=base)(url)


def url_join(base: Expr | str, ref: Expr) -> Expr:
    """The reference, resolved against the base. The base may be one for all rows."""
    return _udf("url_join")(base, ref)


def url_normalize(url: Expr, base: str | URL | None = None) -> Expr:
    """The serialization: `URL.href`."""
    return _udf("url_normalize", base=base)(url)


def url_valid(url: Expr, base: str | URL | None = None) -> Expr:
    """Whether it is a URL; null for null."""
    return _udf("url_valid", base=base)(url)


def url_site(url: Expr, base: str | URL | None = None) -> Expr:
    """The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_site", base=base)(url)


def url_public_suffix(url: Expr, base: str | URL | None = None) -> Expr:
    """The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`."""
    return _udf("url_public_suffix", base=base)(url)


def url_canonicalize(url: Expr, policy: str | Policy = "crawl", base: str | URL | None = None) -> Expr:
    """The canonical form under a policy, as from `weburl.crawl.canonicalize`."""
    canonicalize_many((), policy)
    return _udf("url_canonicalize", policy=policy, base=base)(url)


def url_fingerprint(url: Expr, policy: str | Policy = "crawl", base: str | URL | None = None) -> Expr:
    """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign."""
    canonicalize_many((), policy)
    return _udf("url_fingerprint", policy=policy, base=base)(url)


def url_pattern_test(url: Expr, pattern: str | URLPattern, base: str | URL | None = None) -> Expr:
    """Whether it matches a pattern; false for what is not a URL, null for null."""
    return _udf("url_pattern_test", pattern=pattern_of(pattern), base=base)(url)


def url_pattern_extract(
    url: Expr, pattern: str | URLPattern, groups: Iterable[str] | None = None, base: str | URL | None = None
) -> Expr:
    """A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
    made = pattern_of(pattern)
    names = pattern_extract_many((), made, groups).column_names
    return _udf("url_pattern_extract", names=names, pattern=made, groups=names, base=base)(url)


def url_route(url: Expr, routes: Routes, base: str | URL | None = None) -> Expr:
    """The key of the first of the patterns that it matches; null if it matches none.

    `routes` is a `PatternList`, or what makes one.
    """
    made = routes if isinstance(routes, PatternList) else PatternList(routes)
    return _udf("url_route", routes=made, base=base)(url)


def url_host_in(url: Expr, hosts: Hosts, base: str | URL | None = None) -> Expr:
    """Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL."""
    return _udf("url_host_in", hosts=host_set(hosts), base=base)(url)


def url_is_private(url: Expr, base: str | URL | None = None) -> Expr:
    """Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL."""
    return _udf("url_is_private", base=base)(url)


def url_redact(url: Expr, base: str | URL | None = None) -> Expr:
    """The URL without its secrets, as from `weburl.redact.redact`."""
    return _udf("url_redact", base=base)(url)


def url_path_template(url: Expr, base: str | URL | None = None) -> Expr:
    """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
    return _udf("url_path_template", base=base)(url)


def url_percent_decode(text: Expr, errors: str = "replace") -> Expr:
    """The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8."""
    return _udf("url_percent_decode", errors=errors)(text)


def parse_url(url: Expr, part: str, key: str | None = None) -> Expr:
    """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param`."""
    return _udf("parse_url", part=check_part(part, key), key=key)(url)


def parse_column(
    data: Dataset, name: str, fields: Iterable[str] | None = None, base: str | URL | None = None
) -> Dataset:
    """The data and the parts of one of its columns: `url_hostname` and so on for a column `url`."""
    names = parse_many((), fields).column_names

    def run(table: pa.Table) -> pa.Table:
        parts = parse_many(table.column(name), names, base, threads=1).to_pyarrow()
        for field, part in zip(names, parts.columns, strict=True):
            # Not dictionaries, as in `url_parse`.
            table = table.append_column(f"{name}_{field}", part.cast(TEXT))
        return table

    return data.map_batches(run, batch_format="pyarrow", batch_size=None)


def _udf(name: str, names: Iterable[str] = (), **options: Any) -> Callable[..., Expr]:
    """A function of the list. `names` are those of a struct."""
    function, result = getattr(arrow_functions, name), FUNCTIONS[name].result
    returns = pa.struct([(field, TEXT) for field in names]) if result == "struct" else RESULTS[result]

    def run(*columns: Any) -> Any:
        return function(*columns, **options, threads=1).cast(returns)

    run.__name__ = name
    return pyarrow_udf(DataType.from_arrow(returns))(run)  # type: ignore[no-any-return]
