"""Functions as SQL calls them: arguments that are single values in Python are columns here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import pyarrow as pa
import pyarrow.compute as pc

from weburl.bulk import query_pairs_many
from weburl.ext import _functions, pyarrow
from weburl.ext._parts import check_part
from weburl.ext.pyarrow import parse_url, url_param


def param(urls: Any, keys: Any, **options: Any) -> Any:
    """`url_param(u, key)`"""
    distinct = pc.unique(keys).to_pylist()
    if len(distinct) == 1 and distinct[0] is not None:
        return url_param(urls, distinct[0], **options)
    rows = zip(query_pairs_many(urls, **options), keys.to_pylist(), strict=True)
    values = [next((value for name, value in pairs or () if name == key), None) for pairs, key in rows]
    return pa.array(values, pa.large_string())


def part(*columns: Any, **options: Any) -> Any:
    """`parse_url(u, part[, key])`"""
    if not 2 <= len(columns) <= 3:
        raise ValueError("parse_url() takes a URL, a part and perhaps a key")
    urls, parts, *keys = columns
    result = pa.nulls(len(urls), pa.large_string())
    for name in pc.unique(parts).drop_null().to_pylist():
        if keys:
            check_part(name, keys)
        found = param(urls, *keys, **options) if keys else parse_url(urls, name, **options)
        result = pc.if_else(pc.equal(parts, name), found, result)
    return result


# Of each name in the list.
SQL_FUNCTIONS: Final[dict[str, Callable[..., Any]]] = {
    **{name: getattr(pyarrow, name) for name in _functions.FUNCTIONS},
    "url_param": param,
    "parse_url": part,
}
