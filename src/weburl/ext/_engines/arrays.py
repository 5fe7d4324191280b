"""What verbs give as Arrow's arrays."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pyarrow as pa

from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.rows import Column, Table
from weburl._verbs.verb import Verb, engine_verbs
from weburl._verbs.work import evaluate


def give(verb: Verb, columns: tuple[Any, ...], options: dict[str, Any]) -> Any:
    """What a verb gives for columns, in the last one's kind: an array or a chunked array."""
    batches = evaluate(verb, columns, options)
    result = Table(batches) if verb.is_struct else Column(batches)
    return pa.chunked_array(result) if isinstance(columns[-1], pa.ChunkedArray) else pa.array(result)


def function_of(name: str) -> Callable[..., Any]:
    """The function of a verb by its name, for arrays; workers of engines get the name, and no verb."""

    def function(*columns: Any, **options: Any) -> Any:
        return give(engine_verbs()[name], columns, options)

    function.__name__ = name
    return function
