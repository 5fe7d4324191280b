"""URLs in pyarrow: functions of arrays, chunked arrays and tables, and of Arrow's compute engine.

    >>> import pyarrow as pa
    >>> from weburl.ext.pyarrow import parse_column, url_host, url_param
    >>> urls = pa.array(["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None])
    >>> url_host(urls).to_pylist(), url_param(urls, "q").to_pylist()
    (['example.com', None, None], ['café', None, None])
    >>> parse_column(pa.table({"url": urls}), "url", ["hostname", "error"]).column_names
    ['url', 'url_hostname', 'url_error']

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. An array gives an array, and
a chunked array a chunked one. `options` are those of the functions of `weburl.bulk`, such as `threads`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from weburl.ext._engines.versions import needs

with needs("pyarrow"):
    import pyarrow as pa
    import pyarrow.compute as pc

from weburl import bulk
from weburl._verbs.job import job_of
from weburl.ext._engines.functions import FUNCTIONS
from weburl.ext._engines.parts import PART_FIELDS, check_part
from weburl.url import URL

if TYPE_CHECKING:
    from weburl._crawl.policy import Policy
    from weburl.bulk import Hosts, OnError, Routes
    from weburl.patterns import URLPattern

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


T = TypeVar("T", pa.Array, pa.ChunkedArray)


def url_host(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The host, without a port: `URL.hostname`."""
    return _like(urls, bulk.component_many(urls, "hostname", base, **options))


def url_path(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The path: `URL.pathname`."""
    return _like(urls, bulk.component_many(urls, "pathname", base, **options))


def url_param(urls: T, key: str, base: str | URL | None = None, **options: Any) -> T:
    """The first value that the query has for a name, decoded; null if it has none."""
    return _like(urls, bulk.query_get_many(urls, key, base, **options))


def url_params(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """All pairs of the query, decoded: a list of structs of `name` and `value`."""
    return _like(urls, bulk.query_pairs_many(urls, base, **options))


def url_query(urls: T, keys: Iterable[str], base: str | URL | None = None, **options: Any) -> T:
    """A struct with a field for each of the keys: the first value that the query has for it, decoded."""
    return _like(urls, bulk.query_values_many(urls, keys, base, **options))


def url_parse(urls: T, fields: Iterable[str] | None = None, base: str | URL | None = None, **options: Any) -> T:
    """A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`."""
    return _like(urls, bulk.parse_many(urls, fields, base, **options))


def url_join(bases: T | str | URL, refs: T, **options: Any) -> T:
    """The reference, resolved against the base. Bases may be one for all rows."""
    return _like(refs, bulk.join_many(bases, refs, **options))


def url_normalize(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The serialization: `URL.href`."""
    return _like(urls, bulk.component_many(urls, "href", base, **options))


def url_valid(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """Whether it is a URL; null for null."""
    return _like(urls, bulk.can_parse_many(urls, base, **options))


def url_site(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`."""
    return _like(urls, bulk.component_many(urls, "site", base, **options))


def url_public_suffix(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`."""
    return _like(urls, bulk.component_many(urls, "public_suffix", base, **options))


def url_canonicalize(urls: T, policy: str | Policy = "crawl", base: str | URL | None = None, **options: Any) -> T:
    """The canonical form under a policy, as from `weburl.crawl.canonicalize`."""
    return _like(urls, bulk.canonicalize_many(urls, policy, base, **options))


def url_fingerprint(urls: T, policy: str | Policy = "crawl", base: str | URL | None = None, **options: Any) -> T:
    """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign."""
    return _like(urls, bulk.fingerprint_many(urls, policy, base=base, **options))


def url_pattern_test(urls: T, pattern: str | URLPattern, base: str | URL | None = None, **options: Any) -> T:
    """Whether it matches a pattern; false for what is not a URL, null for null."""
    return _like(urls, bulk.pattern_test_many(urls, pattern, base, **options))


def url_pattern_extract(
    urls: T,
    pattern: str | URLPattern,
    groups: Iterable[str] | None = None,
    base: str | URL | None = None,
    **options: Any,
) -> T:
    """A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
    return _like(urls, bulk.pattern_extract_many(urls, pattern, groups, base, **options))


def url_route(urls: T, routes: Routes, base: str | URL | None = None, **options: Any) -> T:
    """The key of the first of the patterns that it matches; null if it matches none.

    `routes` is a `PatternList`, or what makes one.
    """
    return _like(urls, bulk.route_many(urls, routes, base, **options)["route"])


def url_host_in(urls: T, hosts: Hosts, base: str | URL | None = None, **options: Any) -> T:
    """Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL."""
    return _like(urls, bulk.host_in_many(urls, hosts, base, **options))


def url_is_private(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL."""
    return _like(urls, bulk.is_private_url_many(urls, base, **options))


def url_redact(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The URL without its secrets, as from `weburl.redact.redact`."""
    return _like(urls, bulk.redact_many(urls, base=base, **options))


def url_path_template(urls: T, base: str | URL | None = None, **options: Any) -> T:
    """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
    return _like(urls, bulk.path_template_many(urls, base=base, **options))


def url_percent_decode(texts: T, errors: Literal["replace", "strict", "ignore"] = "replace", **options: Any) -> T:
    """The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8."""
    return _like(texts, bulk.percent_decode_many(texts, errors, **options))


def parse_url(urls: T, part: str, key: str | None = None, **options: Any) -> T:
    """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `url_param`."""
    name = check_part(part, key)
    if key is not None:
        return url_param(urls, key, **options)
    return _like(urls, _part(urls, PART_FIELDS[name], **options))


def parse_column(
    table: Any, name: str, fields: Iterable[str] | None = None, base: str | URL | None = None, **options: Any
) -> Any:
    """The table and the parts of one of its columns: `url_hostname` and so on for a column `url`.

    A record batch gives a record batch. A reader, or any other object with a stream of record batches, such as a frame
    of Polars or a relation of DuckDB, gives a reader, which parses the batches as they are read.
    """
    if isinstance(table, (pa.Table, pa.RecordBatch)):
        return _with_parts(table, name, bulk.parse_many(table.column(name), fields, base, **options))
    reader = table if isinstance(table, pa.RecordBatchReader) else pa.RecordBatchReader.from_stream(table)
    # What is wrong is said before the work.
    names = bulk.parse_many((), fields, base).column_names
    schema = parse_column(reader.schema.empty_table(), name, names).schema
    batches = (parse_column(batch, name, names, base, **options) for batch in reader)
    return pa.RecordBatchReader.from_batches(schema, batches)


def register(input_type: pa.DataType | None = None) -> None:
    """Makes functions known to Arrow's compute engine, for columns of one type: string unless another is given.

        >>> import pyarrow.compute as pc
        >>> register()
        >>> pc.call_function("url_host", [pa.array(["https://EXAMPLE.com:443/"])]).to_pylist()
        ['example.com']

    They are `url_host`, `url_path`, `url_normalize`, `url_valid`, `url_site` and, of two columns, `url_join`.
    """
    for name in ("url_host", "url_path", "url_normalize", "url_valid", "url_site", "url_join"):
        function = FUNCTIONS[name]
        pc.register_scalar_function(
            _kernel(globals()[name]),
            name,
            {"summary": function.doc, "description": "https://url.spec.whatwg.org/"},
            dict.fromkeys(function.columns, input_type or pa.string()),
            pa.bool_() if function.result == "bool" else pa.large_string(),
        )


def _kernel(function: Callable[..., Any]) -> Callable[..., Any]:
    def run(context: Any, *columns: Any) -> Any:
        # Beside columns, a scalar stands for a column.
        arrays = [
            pa.repeat(column, context.batch_length) if isinstance(column, pa.Scalar) else column for column in columns
        ]
        return function(*arrays, threads=1)

    return run


def _like(column: Any, result: Any) -> Any:
    if isinstance(column, pa.ChunkedArray):
        return pa.chunked_array([result] if isinstance(result, pa.Array) else result)
    return pa.array(result)


def _with_parts(table: Any, name: str, parts: bulk.Table) -> Any:
    columns = parts.to_pyarrow().columns if isinstance(table, pa.Table) else pa.array(parts).flatten()
    added = [
        pa.field(f"{name}_{field}", column.type) for field, column in zip(parts.column_names, columns, strict=True)
    ]
    schema = pa.schema([*table.schema, *added], table.schema.metadata)
    return type(table).from_arrays([*table.columns, *columns], schema=schema)


def _part(
    urls: Any,
    field: str,
    base: str | URL | None = None,
    *,
    threads: int | None = None,
    on_error: OnError = "null",
    views: bool = False,
) -> bulk.Column:
    job = job_of((field,), views=bool(views), base=bulk._href(base))
    return bulk.Column(bulk._run(job, urls, threads, on_error, base))
