"""URLs in Polars: the namespace `weburl` on expressions and series.

    >>> import polars as pl
    >>> import weburl.ext.polars
    >>> frame = pl.DataFrame({"url": ["https://EXAMPLE.com:443/a?q=caf%C3%A9", "no URL", None]})
    >>> frame.select(host=pl.col("url").weburl.hostname(), q=pl.col("url").weburl.param("q")).rows()
    [('example.com', 'café'), (None, None), (None, None)]

Each row gives what `weburl.bulk` gives for it: a row that is null or not a URL gives null. Expressions are a native
plugin, which runs in Polars' threads without the GIL. They are elementwise, so that the streaming engine gives them all
cores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any, Generic, TypeVar

from weburl.ext._adapter import Engine
from weburl.ext._engines.versions import needed

with needed("polars", "1.36"):
    import polars as pl
    from polars.plugins import register_plugin_function

from weburl._arrow.cutting import open_column
from weburl._verbs.rows import Column
from weburl._verbs.verb import Verb, engine_verbs
from weburl.ext import _polars
from weburl.ext._engines.polars_plans import Plan, plan_of
from weburl.ext._engines.polars_struct import narrowing
from weburl.patterns import URLPattern  # noqa: F401  # for typing.get_type_hints

ENGINE = Engine(
    "polars", bases="pl.Expr | pl.Series | str", result_type="T", namespace="WebURL",
    types={"fields": "str | Iterable[str] | None"},
    notes={
        "query": "Of an expression, `query(keys).struct.field(key)` looks only for that key.",
        "parse": "Of an expression, `parse().struct.field(name)` makes only that field.",
        "join": "The base is this URL; references are an expression, a series or a column's name.",
    },
    words={"`url_param`": "`param`"},
    example={"imports": "import polars as pl", "column": "pl.Series({})", "result": "{}.to_list()"},
)  # fmt: skip

__all__ = ["WebURL"]


def __dir__() -> list[str]:
    return __all__


T = TypeVar("T", pl.Expr, pl.Series)


@pl.api.register_series_namespace("weburl")
@pl.api.register_expr_namespace("weburl")
class WebURL(Generic[T]):
    """The functions for a column of URLs, as `series.weburl` and `pl.col(...).weburl`.

    >>> import polars as pl
    >>> frame = pl.DataFrame({"url": ["https://Example.com:8080/a?q=1", "example.com"]})
    >>> frame.select(pl.col("url").weburl.hostname().alias("host")).rows()
    [('example.com',), (None,)]

    The URLs may be relative where a base is given.
    """

    def __init__(self, urls: T) -> None:
        self._is_series = isinstance(urls, pl.Series)
        self._urls: pl.Expr = pl.lit(urls) if self._is_series else urls


def _give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
    namespace, *others = columns
    inputs = [namespace._urls, *others]
    # A wrong argument raises when the expression is made.
    plan = plan_of(verb, options)
    expression = _expression(inputs, plan)
    if namespace._is_series:
        return pl.select(expression).to_series()
    if verb.names not in ("fields", "keys"):
        return expression
    return narrowing(
        expression,
        plan.options[verb.names],
        lambda some: _expression(inputs, plan_of(verb, {**options, verb.names: some})),
    )


def _expression(columns: list[pl.Expr | pl.Series | str], plan: Plan) -> pl.Expr:
    """The verb of a plan. With two columns, the first is the bases of the second."""
    if _is_native():
        return _plugin(columns, plan)
    job = plan.job(len(columns))

    def run(series: Sequence[pl.Series]) -> pl.Series:
        return pl.Series(series[0].name, Column(_polars.evaluate(job, [open_column(column) for column in series])))

    dtype = run([pl.Series(dtype=pl.String) for _ in columns]).dtype
    expressions = [pl.lit(column) if isinstance(column, pl.Series) else column for column in columns]
    return pl.map_batches(expressions, run, dtype, is_elementwise=True)


def _plugin(columns: Sequence[pl.Expr | pl.Series | str], plan: Plan) -> pl.Expr:
    return register_plugin_function(
        plugin_path=_polars.__file__, function_name="run", args=columns, kwargs=plan.arguments(), is_elementwise=True
    )


@cache
def _is_native() -> bool:
    """Whether this Polars takes plugins of our version."""
    try:
        pl.select(_plugin([pl.lit("a:")], plan_of(engine_verbs()["url_normalize"], {})))
    except pl.exceptions.PolarsError:
        return False
    return True


ENGINE.add_methods(WebURL, globals(), _give)
