"""URLs in pandas: the accessor `weburl` of series, which keeps the index and the name.

    >>> import pandas as pd
    >>> import weburl.ext.pandas
    >>> urls = pd.Series(["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None], index=[7, 8, 9], name="url")
    >>> urls.weburl.host()
    7    example.com
    8            NaN
    9            NaN
    Name: url, dtype: str
    >>> urls.weburl.parse(["pathname", "error"]).columns.to_list()
    ['pathname', 'error']

Each row gives what `weburl.bulk` gives for it: a row that is missing or not a URL gives a missing value. `options` are
those of the functions of `weburl.bulk`, such as `threads`. pandas hands columns over by pyarrow, which must be
installed, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from weburl.ext._engines.versions import needs

with needs("pandas"):
    import pandas as pd

from weburl.bulk import fingerprint_many, parse_many, pattern_extract_many, query_values_many
from weburl.ext import pyarrow as ext
from weburl.url import URL

if TYPE_CHECKING:
    from weburl._crawl.policy import Policy
    from weburl.bulk import Hosts, Routes
    from weburl.patterns import URLPattern

__all__ = ["WebURL"]


def __dir__() -> list[str]:
    return __all__


@pd.api.extensions.register_series_accessor("weburl")
class WebURL:
    """A column of URLs. They may be relative where a base is given."""

    def __init__(self, urls: pd.Series[Any]) -> None:
        self._urls = urls

    def host(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The host, without a port: `URL.hostname`."""
        return self._series(ext.url_host(self._urls, base, **options))

    def path(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The path: `URL.pathname`."""
        return self._series(ext.url_path(self._urls, base, **options))

    def param(self, key: str, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The first value that the query has for a name, decoded; missing if it has none."""
        return self._series(ext.url_param(self._urls, key, base, **options))

    def params(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """All pairs of the query, decoded: a list of structs of `name` and `value`."""
        pairs = ext.url_params(self._urls, base, **options).to_pylist()
        return pd.Series(pairs, index=self._urls.index, name=self._urls.name, dtype="object")

    def query(self, keys: Iterable[str], base: str | URL | None = None, **options: Any) -> pd.DataFrame:
        """A column for each of the keys: the first value that the query has for it, decoded."""
        frame = query_values_many(self._urls, keys, base, **options).to_pandas()
        frame.index = self._urls.index
        return frame

    def parse(
        self, fields: str | Iterable[str] | None = None, base: str | URL | None = None, **options: Any
    ) -> pd.DataFrame:
        """A column for each name; the names, and the default, are those of `weburl.bulk.parse_many`."""
        frame = parse_many(self._urls, fields, base, **options).to_pandas()
        frame.index = self._urls.index
        return frame

    def parse_url(self, part: str, key: str | None = None, **options: Any) -> pd.Series[Any]:
        """A part by its name in SQL: HOST PATH QUERY REF PROTOCOL FILE AUTHORITY USERINFO; with a key, `param`."""
        return self._series(ext.parse_url(self._urls, part, key, **options))

    def join(self, refs: pd.Series[Any] | str, **options: Any) -> pd.Series[Any]:
        """The reference, resolved against the base.

        The base is this URL; references may be one for all rows, or a series, which is aligned by its index.
        """
        if isinstance(refs, str):
            refs = pd.Series(refs, index=self._urls.index, dtype="str")
        elif not refs.index.equals(self._urls.index):
            refs = refs.reindex(self._urls.index)
        return self._series(ext.url_join(self._urls, refs, **options))

    def normalize(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The serialization: `URL.href`."""
        return self._series(ext.url_normalize(self._urls, base, **options))

    def valid(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """Whether it is a URL; missing for missing."""
        return self._series(ext.url_valid(self._urls, base, **options)).astype("boolean")

    def site(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The registrable domain, such as example.co.uk; missing if there is none. It needs `weburl[psl]`."""
        return self._series(ext.url_site(self._urls, base, **options))

    def public_suffix(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The public suffix, such as co.uk; missing if there is none. It needs `weburl[psl]`."""
        return self._series(ext.url_public_suffix(self._urls, base, **options))

    def canonicalize(
        self, policy: str | Policy = "crawl", base: str | URL | None = None, **options: Any
    ) -> pd.Series[Any]:
        """The canonical form under a policy, as from `weburl.crawl.canonicalize`."""
        return self._series(ext.url_canonicalize(self._urls, policy, base, **options))

    def fingerprint(
        self, policy: str | Policy = "crawl", base: str | URL | None = None, **options: Any
    ) -> pd.Series[Any]:
        """The fingerprint under a policy, as from `weburl.crawl.fingerprint`: a number of 64 bits, without a sign."""
        # pandas would make floats of an Arrow column with nulls.
        series = fingerprint_many(self._urls, policy, base=base, **options).to_pandas()
        series.index = self._urls.index
        return series.rename(self._urls.name)

    def pattern_test(self, pattern: str | URLPattern, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """Whether it matches a pattern; false for what is not a URL, missing for missing."""
        return self._series(ext.url_pattern_test(self._urls, pattern, base, **options)).astype("boolean")

    def pattern_extract(
        self,
        pattern: str | URLPattern,
        groups: Iterable[str] | None = None,
        base: str | URL | None = None,
        **options: Any,
    ) -> pd.DataFrame:
        """A column for each of the pattern's groups, as `weburl.bulk.pattern_extract_many` gives them."""
        frame = pattern_extract_many(self._urls, pattern, groups, base, **options).to_pandas()
        frame.index = self._urls.index
        return frame

    def route(self, routes: Routes, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The key of the first of the patterns that it matches; missing if it matches none.

        `routes` is a `PatternList`, or what makes one.
        """
        return self._series(ext.url_route(self._urls, routes, base, **options))

    def host_in(self, hosts: Hosts, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """Whether its host is one of `hosts`, a `HostSet` or what makes one; missing for what is not a URL."""
        return self._series(ext.url_host_in(self._urls, hosts, base, **options)).astype("boolean")

    def is_private(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """Whether its host is private, as from `weburl.hosts.is_private_url`; missing for what is not a URL."""
        return self._series(ext.url_is_private(self._urls, base, **options)).astype("boolean")

    def redact(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The URL without its secrets, as from `weburl.redact.redact`."""
        return self._series(ext.url_redact(self._urls, base, **options))

    def path_template(self, base: str | URL | None = None, **options: Any) -> pd.Series[Any]:
        """The template of the path, as from `weburl.redact.path_template`: /users/{int}."""
        return self._series(ext.url_path_template(self._urls, base, **options))

    def percent_decode(
        self, errors: Literal["replace", "strict", "ignore"] = "replace", **options: Any
    ) -> pd.Series[Any]:
        """The text, percent-decoded and decoded as UTF-8; with "strict", missing if it is not UTF-8."""
        return self._series(ext.url_percent_decode(self._urls, errors, **options))

    def _series(self, array: Any) -> pd.Series[Any]:
        series = pd.Series.from_arrow(array)
        series.index = self._urls.index
        return series.rename(self._urls.name)
