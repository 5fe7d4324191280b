"""The table of fields, and what follows from it."""

from __future__ import annotations

import pytest
from support.rooms import FIELDS

from weburl import URL
from weburl._arrow.columns import Field
from weburl._verbs.verb import URL_FIELDS, column_names
from weburl.bulk import component_many, parse_many

URLS = (
    "https://user:secret@www.example.co.uk:8080/a/b?q=%C3%A9&x#f", "http://1.2.3.4", "x:y", "blob:https://h/x",
    "file:///c", "http://h/?", "http://h/#", "http://[::1]", "not a URL",
)  # fmt: skip


def test_uses() -> None:
    assert all(hasattr(URL, name) for name in URL_FIELDS if name != "error")
    assert column_names()[: len(URL_FIELDS)] == URL_FIELDS
    assert {*column_names()} - {*URL_FIELDS} >= {"registrable_domain", "public_suffix"}
    own = {*FIELDS} - {*column_names()}
    assert own > {name for name, field in FIELDS.items() if field.is_any_text}
    assert parse_many([]).column_names == URL_FIELDS


@pytest.mark.parametrize("field", [FIELDS[name] for name in column_names()], ids=lambda field: field.name)
def test_what_the_table_says_is_true(field: Field) -> None:
    """Alone, a field reads no more of a URL than the table says; a URL is null only where the field has nulls."""
    alone = component_many(URLS, field.name).to_pylist()
    assert alone == parse_many(URLS, column_names())[field.name].to_pylist()
    values = [value for value, text in zip(alone, URLS, strict=True) if URL.can_parse(text)]
    assert (None in values) == field.has_nulls
    if field.is_default and field.name != "error":
        assert values == [getattr(URL(text), field.name) for text in URLS if URL.can_parse(text)]


@pytest.mark.parametrize("name", column_names())
def test_kinds_that_can_be_written(name: str) -> None:
    """The command and the engines' url_parse take every field of parse_many()."""
    assert FIELDS[name].kind in ("text", "name"), (
        "first add a step to open_steps() in cli/writers/lines.pyx, and the type to url_parse in "
        "ext/_engines/duckdb/in_python.py, ext/pyspark.py, ext/ray.py and ext/daft.py"
    )
