"""What verbs give as Arrow's arrays, and their functions for the batches of an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pyarrow as pa

from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.rows import Column, Table
from weburl._verbs.verb import ENGINE_TYPES, Verb, engine_verbs
from weburl._verbs.work import evaluate
from weburl.ext._adapter import ParsedColumns, Task, type_of

if TYPE_CHECKING:
    from weburl.ext._adapter import Result

TEXT: Final = pa.large_string()
RESULTS: Final = {
    **{kind: pa.type_for_alias(each.arrow) for kind, each in ENGINE_TYPES.items()},
    "pairs": pa.large_list(pa.struct([("name", TEXT), ("value", TEXT)])),
    "texts": pa.large_list(TEXT),
}


def arrow_type(result: Result) -> pa.DataType:
    """The type of a kind of result. Arrays of a verb may have one that has the same values, such as a dictionary."""
    return type_of(result, RESULTS, lambda names: pa.struct([(name, TEXT) for name in names]))


def give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What a verb gives for columns, in the last one's kind: an array or a chunked array."""
    batches = evaluate(verb, columns, options)
    result = Table(batches) if verb.is_struct else Column(batches)
    return pa.chunked_array(result) if isinstance(columns[-1], pa.ChunkedArray) else pa.array(result)


def of_batches(name: str, options: dict[str, Any]) -> Callable[..., Any]:
    """The function of a verb for one batch at a time, in one thread: an engine has its own threads.

    Workers of engines get the name, and no verb.
    """

    def function(*columns: Any) -> Any:
        return give(engine_verbs()[name], columns, {**options, "threads": 1})

    function.__name__ = name
    return function


def give_with(make: Callable[[Callable[..., Any], Result], Callable[..., Any]]) -> Callable[..., Any]:
    """Gives a verb's result for columns of an engine; `make` makes its functions, from those of batches."""

    def use(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
        task = Task(verb, options)
        return make(of_batches(verb.function, task.arguments), task.result)(*columns)

    return use


def parsed_columns(parts: ParsedColumns, urls: Any) -> list[Any]:
    """The columns of `parse_column` for one batch."""
    struct = of_batches("url_parse", {**parts.options, "fields": parts.fields})(urls)
    # Not dictionaries, which Spark does not read here.
    return [column.cast(TEXT) for column in struct.flatten()]
