"""Functions as SQL calls them: what Python has one value for is a column here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from weburl.ext.pyarrow import parse_url, url_param


def param(urls: Any, keys: Any, **options: Any) -> Any:
    """`url_param(u, key)`"""

    def one(urls: Any, key: str | None) -> Any:
        return _nulls(urls) if key is None else url_param(urls, key, **options)

    return _by_value(one, urls, keys)


def part(urls: Any, parts: Any, *keys: Any, **options: Any) -> Any:
    """`parse_url(u, part[, key])`"""
    if len(keys) > 1:
        raise ValueError("parse_url() takes a URL, a part and perhaps a key")

    def one(urls: Any, name: str | None, *keys: str | None) -> Any:
        return _nulls(urls) if name is None or None in keys else parse_url(urls, name, *keys, **options)

    return _by_value(one, urls, parts, *keys)


def _by_value(function: Callable[..., Any], urls: Any, *arguments: Any) -> Any:
    """The function, called once for the rows with the same arguments."""
    distinct = [argument.unique() for argument in arguments]
    if all(len(values) == 1 for values in distinct):
        return function(urls, *(values[0].as_py() for values in distinct))
    rows: dict[tuple[str | None, ...], list[int]] = {}
    for index, values in enumerate(zip(*(argument.to_pylist() for argument in arguments), strict=True)):
        rows.setdefault(values, []).append(index)
    pieces = [function(urls.take(pa.array(indices)), *values) for values, indices in rows.items()]
    order = pa.array([index for indices in rows.values() for index in indices], pa.int64())
    return pa.chunked_array(pieces, pa.large_string()).take(pc.sort_indices(order)).combine_chunks()


def _nulls(urls: Any) -> Any:
    return pa.nulls(len(urls), pa.large_string())
