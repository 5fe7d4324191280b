"""URLs in pandas: the accessor `weburl` of series, which keeps the index and the name.

    >>> import pandas as pd
    >>> import weburl.ext.pandas
    >>> urls = pd.Series(["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None], index=[7, 8, 9], name="url")
    >>> urls.weburl.hostname()
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

from typing import Any

from weburl.ext._adapter import Engine
from weburl.ext._engines.versions import needed

with needed("pandas", "3.1"):
    import pandas as pd

from weburl._verbs.rows import Column, Table
from weburl._verbs.verb import Verb
from weburl._verbs.work import evaluate
from weburl.ext._engines.arrays import give
from weburl.url import URL, FrozenURL

ENGINE = Engine(
    "pandas", bases="pd.Series[Any] | str", result_type="pd.Series[Any]", struct="pd.DataFrame",
    takes_bulk_options=True, namespace="WebURL", types={"fields": "str | Iterable[str] | None"},
    notes={
        "join": "The base is this URL; references may be one for all rows, or a series, which is aligned by its index."
    },
    words={
        "null for null": "missing for missing", "null if": "missing if",
        "A struct with a field": "A column", "`url_param`": "`param`",
    },
    example={
        "imports": "import pandas as pd", "column": "pd.Series({})", "result": "{}.to_list()",
        "struct": '{}.to_dict("records")',
    },
)  # fmt: skip

__all__ = ["WebURL"]


def __dir__() -> list[str]:
    return __all__


@pd.api.extensions.register_series_accessor("weburl")
class WebURL:
    """The functions for a column of URLs, as `series.weburl`.

    >>> import pandas as pd
    >>> pd.Series(["https://Example.com:8080/a?q=1", "?q=2"]).weburl.param("q", base="https://example.com").to_list()
    ['1', '2']

    The URLs may be relative where a base is given.
    """

    def __init__(self, urls: pd.Series[Any]) -> None:
        self._urls = urls


def _texts(values: Any) -> Any:
    """A series without objects of URLs, which Arrow does not know."""
    if not isinstance(values, pd.Series) or values.dtype != object or pd.api.types.infer_dtype(values) != "mixed":
        return values
    # What a subclass says of itself does not count.
    return values.map(lambda value: URL(value).href if isinstance(value, (URL, FrozenURL)) else value)


def _give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
    urls = columns[0]._urls
    if len(columns) == 2:
        refs = columns[1]
        if isinstance(refs, (URL, FrozenURL)):
            refs = URL(refs).href
        if isinstance(refs, str):
            refs = pd.Series(refs, index=urls.index, dtype="str")
        columns = urls, refs if refs.index.equals(urls.index) else refs.reindex(urls.index)
    else:
        columns = (urls,)
    columns = tuple(map(_texts, columns))
    if verb.result in ("pairs", "texts"):
        return pd.Series(give(verb, columns, options).to_pylist(), index=urls.index, name=urls.name, dtype="object")
    if verb.is_struct:
        frame = Table(evaluate(verb, columns, options)).to_pandas()
        frame.index = urls.index
        return frame
    if verb.result == "number":
        # pandas would make floats of an Arrow column with nulls.
        series = Column(evaluate(verb, columns, options)).to_pandas()
    else:
        series = pd.Series.from_arrow(give(verb, columns, options))
    series.index = urls.index
    series = series.rename(urls.name)
    return series.astype("boolean") if verb.result == "bool" else series


ENGINE.add_methods(WebURL, globals(), _give)
