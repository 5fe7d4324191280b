"""Of the struct that `parse` gives, Polars makes only the fields that are asked for."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Callable
from typing import Any

import polars as pl
import pytest
from rows import ROWS

import weburl.ext.polars
from weburl.forms import parse_form

assert weburl.ext.polars  # imported for its namespace
FRAME = pl.DataFrame({"u": ROWS}, schema={"u": pl.String})
BASED: Any = {"base": "https://b.example/x"}


def parsed(*names: str, **options: Any) -> Any:
    return pl.col("u").weburl.parse(names or None, **options)


def made(expression: Any, argument: str = "field") -> list[str]:
    """The fields of the jobs in the plan, or their keys."""
    text = expression.meta.serialize(format="json")
    found: list[str] = []

    def walk(value: Any) -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                if key == "kwargs":
                    job = bytes(inner)
                    pairs = parse_form(job[job.index(b"version=") :].rpartition(b"\x94")[0])
                    found.extend(value for name, value in pairs if name == argument)
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(json.loads(text))
    return found


@pytest.mark.parametrize(
    ("ask", "fields"),
    [
        (lambda struct: struct.field("hostname"), ["hostname"]),
        (lambda struct: struct["hostname"], ["hostname"]),
        (lambda struct: struct.field("port", "error"), ["port", "error"]),
        (lambda struct: struct.field(["error", "port"]), ["port", "error"]),
        (lambda struct: struct.field("hostname").str.len_bytes().alias("n") + 1, ["hostname"]),
    ],
)
@pytest.mark.parametrize("options", [{}, BASED])
def test_only_these_fields_are_made(ask: Callable[[Any], Any], fields: list[str], options: Any) -> None:
    """The same columns as when all are made, whichever engine runs it."""
    expression = ask(parsed(**options).struct)
    assert made(expression) == fields
    whole = FRAME.select(u=parsed(**options)).select(ask(pl.col("u").struct))
    assert whole.height == len(ROWS)
    assert FRAME.select(expression).equals(whole)
    for engine in ("in-memory", "streaming"):
        assert FRAME.lazy().select(expression).collect(engine=engine).equals(whole)


def test_other_ways_to_name_fields_make_all_of_them() -> None:
    struct = parsed("hostname", "hash", "host").struct
    for expression, names in (
        (struct.field("^ho.*$"), ["hostname", "host"]),
        (struct.field("*"), ["hostname", "hash", "host"]),
        (struct[1], ["hash"]),
        (struct.unnest(), ["hostname", "hash", "host"]),
        (struct.rename_fields(["a", "b", "c"]).struct.field("c"), ["c"]),
    ):
        assert made(expression) == ["hostname", "hash", "host"]
        assert FRAME.select(expression).columns == names


@pytest.mark.parametrize("name", ["nothing", "pathname"])
def test_no_such_field(name: str) -> None:
    with pytest.raises(pl.exceptions.StructFieldNotFoundError, match=name):
        FRAME.select(parsed("hostname").struct.field(name))


def test_copies_are_expressions() -> None:
    """What is pickled names nothing of weburl."""
    expression = parsed("hostname", "port")
    whole = FRAME.select(expression)
    text = pickle.dumps(expression)
    assert b"polars_struct" not in text
    written = expression.meta.serialize()
    for again in (
        pickle.loads(text),
        copy.copy(expression),
        copy.deepcopy(expression),
        pl.Expr.deserialize(io.BytesIO(written)),
    ):
        assert type(again) is pl.Expr
        assert FRAME.select(again).equals(whole)
        assert FRAME.select(again.struct.field("port")).equals(whole.unnest("u").select("port"))


def test_series_give_series() -> None:
    assert FRAME["u"].weburl.parse(["hostname"]).struct.field("hostname").equals(FRAME["u"].weburl.hostname())


@pytest.mark.parametrize("options", [{}, BASED])
def test_only_these_keys_are_looked_for(options: Any) -> None:
    keys = ["q", "é", "field", "z"]
    expression = pl.col("u").weburl.query(keys, **options)
    whole = FRAME.select(expression).unnest("u")
    for some in (["é"], ["field", "q"], [*keys]):
        found = expression.struct.field(*some)
        assert made(found, "key") == [key for key in keys if key in some]
        assert FRAME.select(found).equals(whole.select([key for key in keys if key in some]))
    assert made(expression.struct.unnest(), "key") == keys
