"""URLs in Polars: the namespace `weburl` on expressions and series.

    >>> import polars as pl
    >>> import weburl.ext.polars
    >>> frame = pl.DataFrame({"url": ["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None]})
    >>> frame.select(host=pl.col("url").weburl.host(), q=pl.col("url").weburl.param("q")).rows()
    [('example.com', 'café'), (None, None), (None, None)]

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. Expressions are a native
plugin, which runs in Polars' threads without the GIL. They are elementwise, so that the streaming engine gives them all
cores.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar

from weburl.ext._engines.versions import needs

with needs("polars"):
    import polars as pl
    from polars.plugins import register_plugin_function

from weburl._arrow.pieces import open_column
from weburl.bulk import (
    Column,
    canonicalize_many,
    parse_many,
    pattern_extract_many,
    percent_decode_many,
    query_get_many,
    query_values_many,
)
from weburl.ext import _polars
from weburl.ext._engines.hosts import hosts_text
from weburl.ext._engines.jobs import arguments, checked, patterns_of
from weburl.ext._engines.parts import PART_FIELDS, check_part
from weburl.ext._engines.polars_struct import narrowing
from weburl.patterns import PatternList, URLPattern, pattern_of
from weburl.url import URL

if TYPE_CHECKING:
    from weburl.bulk import Hosts, Routes

__all__ = ["WebURL"]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T", pl.Expr, pl.Series)


# A wrong argument raises when the expression is made: a bulk function is called with no rows.
@pl.api.register_series_namespace("weburl")
@pl.api.register_expr_namespace("weburl")
class WebURL(Generic[T]):
    """A column of URLs. They may be relative where a base is given."""

    def __init__(self, urls: T) -> None:
        self._is_series = isinstance(urls, pl.Series)
        self._urls: pl.Expr = pl.lit(urls) if self._is_series else urls

    def host(self, base: str | URL | None = None) -> T:
        """The host, without a port: `URL.hostname`."""
        return self._run("hostname", base=base)

    def path(self, base: str | URL | None = None) -> T:
        """The path: `URL.pathname`."""
        return self._run("pathname", base=base)

    def param(self, key: str, base: str | URL | None = None) -> T:
        """The first value that the query has for a name, decoded; null if it has none."""
        query_get_many((), key)
        return self._run(keys=(str.__str__(key),), base=base)

    def params(self, base: str | URL | None = None) -> T:
        """All pairs of the query, decoded: a list of structs of `name` and `value`."""
        return self._run("query_pairs", base=base)

    def query(self, keys: Iterable[str], base: str | URL | None = None) -> T:
        """A struct with a field for each of the keys: the first value that the query has for it, decoded.

        Of an expression, `query(keys).struct.field(key)` looks only for that key.
        """
        names = query_values_many((), keys).column_names
        return self._struct(names, lambda some: self._run(is_struct=True, keys=some, base=base))

    def parse(self, fields: str | Iterable[str] | None = None, base: str | URL | None = None) -> T:
        """A struct with a field for each name; the names, and the default, are those of `weburl.bulk.parse_many`.

        Of an expression, `parse().struct.field(name)` makes only that field.
        """
        names = parse_many((), fields).column_names
        return self._struct(names, lambda some: self._run(*some, is_struct=True, base=base))

    def parse_url(self, part: str, key: str | None = None) -> T:
        """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `param`."""
        name = check_part(part, key)
        if key is not None:
            return self.param(key)
        return self._run(PART_FIELDS[name])

    def join(self, refs: pl.Expr | pl.Series | str) -> T:
        """The reference, resolved against the base.

        The base is this URL; references are an expression, a series or a column's name.
        """
        return self._run("href", refs=refs)

    def normalize(self, base: str | URL | None = None) -> T:
        """The serialization: `URL.href`."""
        return self._run("href", base=base)

    def valid(self, base: str | URL | None = None) -> T:
        """Whether it is a URL; null for null."""
        return self._run("valid", base=base)

    def site(self, base: str | URL | None = None) -> T:
        """The registrable domain, such as example.co.uk; null if there is none. It needs `weburl[psl]`."""
        return self._run("site", base=base)

    def public_suffix(self, base: str | URL | None = None) -> T:
        """The public suffix, such as co.uk; null if there is none. It needs `weburl[psl]`."""
        return self._run("public_suffix", base=base)

    def canonicalize(self, policy: str = "crawl", base: str | URL | None = None) -> T:
        """The canonical form under a policy, as from `weburl.crawl.canonicalize`.

        The policy is given by its name: a plan has no rules.
        """
        return self._run("canonical", policy=_policy_name(policy), base=base)

    def fingerprint(self, policy: str = "crawl", base: str | URL | None = None) -> T:
        """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign.

        The policy is given by its name: a plan has no rules.
        """
        return self._run("fingerprint", policy=_policy_name(policy), base=base)

    def pattern_test(self, pattern: str | URLPattern, base: str | URL | None = None) -> T:
        """Whether it matches a pattern; false for what is not a URL, null for null."""
        return self._run("pattern_test", patterns=patterns_of([("", pattern_of(pattern))]), base=base)

    def pattern_extract(
        self, pattern: str | URLPattern, groups: Iterable[str] | None = None, base: str | URL | None = None
    ) -> T:
        """A struct with a field for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
        made = pattern_of(pattern)
        names = pattern_extract_many((), made, groups).column_names
        return self._run(is_struct=True, patterns=patterns_of([("", made)]), groups=names, base=base)

    def route(self, routes: Routes, base: str | URL | None = None) -> T:
        """The key of the first of the patterns that it matches; null if it matches none.

        `routes` is a `PatternList`, or what makes one.
        """
        made = routes if isinstance(routes, PatternList) else PatternList(routes)
        return self._run("route", patterns=patterns_of(made), base=base)

    def host_in(self, hosts: Hosts, base: str | URL | None = None) -> T:
        """Whether its host is one of `hosts`, a `HostSet` or what makes one; null for what is not a URL."""
        return self._run("host_in", hosts=hosts_text(hosts), base=base)

    def is_private(self, base: str | URL | None = None) -> T:
        """Whether its host is private, as from `weburl.hosts.is_private_url`; null for what is not a URL."""
        return self._run("is_private", base=base)

    def redact(self, base: str | URL | None = None) -> T:
        """The URL without its secrets, as from `weburl.redact.redact`."""
        return self._run("redacted", base=base)

    def path_template(self, base: str | URL | None = None) -> T:
        """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
        return self._run("template", base=base)

    def percent_decode(self, errors: Literal["replace", "strict", "ignore"] = "replace") -> T:
        """The text, percent-decoded and decoded as UTF-8; with "strict", null if it is not UTF-8."""
        percent_decode_many((), errors)
        return self._run("decoded", decode_errors=errors)

    def _run(self, *fields: str, refs: pl.Expr | pl.Series | str | None = None, **options: Any) -> T:
        return self._give(_expression([self._urls] if refs is None else [self._urls, refs], fields, **options))

    def _struct(self, names: tuple[str, ...], make: Callable[[tuple[str, ...]], T]) -> T:
        """A struct of the fields with these names. `make` gives one for some of them."""
        struct = make(names)
        return struct if isinstance(struct, pl.Series) else narrowing(struct, names, make)

    def _give(self, expression: pl.Expr) -> Any:
        return pl.select(expression).to_series() if self._is_series else expression


def _expression(
    columns: list[pl.Expr | pl.Series | str], fields: tuple[str, ...], base: str | URL | None = None, **options: Any
) -> pl.Expr:
    """A job of bulk work. With two columns, the first is the bases of the second."""
    job = {"fields": fields, "base": None if base is None else URL(base).href, **options}
    if _is_native():
        return _plugin(columns, job)

    ready = checked(job, len(columns))

    def run(series: Sequence[pl.Series]) -> pl.Series:
        return pl.Series(series[0].name, Column(_polars.evaluate(ready, [open_column(column) for column in series])))

    dtype = run([pl.Series(dtype=pl.String) for _ in columns]).dtype
    expressions = [pl.lit(column) if isinstance(column, pl.Series) else column for column in columns]
    return pl.map_batches(expressions, run, dtype, is_elementwise=True)


def _plugin(columns: Sequence[pl.Expr | pl.Series | str], job: dict[str, Any]) -> pl.Expr:
    return register_plugin_function(
        plugin_path=_polars.__file__, function_name="run", args=columns, kwargs=arguments(job), is_elementwise=True
    )


@cache
def _is_native() -> bool:
    """Whether this Polars takes plugins of our version."""
    try:
        pl.select(_plugin([pl.lit("a:")], {"fields": ("href",)}))
    except pl.exceptions.PolarsError:
        return False
    return True


def _policy_name(policy: str) -> str:
    if not isinstance(policy, str):
        raise TypeError(f"policy must be the name of a policy, not {type(policy).__name__}")
    canonicalize_many((), policy)
    return str.__str__(policy)
