"""Every engine has the functions of the list, with its arguments and its words. No engine is imported."""

from __future__ import annotations

import ast

import engine_tables
import pytest
from engine_tables import EXT, MODULES, NAMESPACES, functions_of, name_in
from test_names import public_names

from weburl._arrow.job import Job
from weburl.ext._engines.calls import JOBS, calls
from weburl.ext._engines.functions import FUNCTIONS, Function
from weburl.patterns import PatternList

EACH_FUNCTION = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
# In pandas a null is missing, and a struct is a frame.
PANDAS = {
    "null for null": "missing for missing",
    "null for what": "missing for what",
    "null if": "missing if",
    "A struct with a field": "A column",
}


def arguments_of(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


@pytest.mark.parametrize("engine", MODULES)
@EACH_FUNCTION
def test_functions(engine: str, function: Function) -> None:
    found = functions_of(engine)[function.name]
    columns = arguments_of(found)[: len(function.columns)]
    assert tuple(name.removesuffix("s") for name in columns) == function.columns
    assert tuple(arguments_of(found)[len(columns) :]) == function.options
    assert (ast.get_docstring(found) or "").startswith(function.doc)


@pytest.mark.parametrize("engine", NAMESPACES)
@EACH_FUNCTION
def test_methods(engine: str, function: Function) -> None:
    found = functions_of(engine)[name_in(engine, function)]
    assert arguments_of(found) == ["self", *(f"{name}s" for name in function.columns[1:]), *function.options]
    doc = function.doc.replace("`url_param`", "`param`")
    for before, after in PANDAS.items() if engine == "pandas" else ():
        doc = doc.replace(before, after)
    assert (ast.get_docstring(found) or "").startswith(doc)


@pytest.mark.parametrize("engine", [*MODULES, *NAMESPACES])
def test_no_others(engine: str) -> None:
    found = functions_of(engine).keys() - {"parse_column", "register"}
    assert found == {name_in(engine, function) for function in FUNCTIONS.values()}
    if engine in MODULES:
        assert set(public_names(EXT / f"{engine}.py")) == functions_of(engine).keys()


@pytest.mark.parametrize("engine", ["daft", "pyspark"])
@EACH_FUNCTION
def test_register_lists_the_functions(engine: str, function: Function) -> None:
    assert function.name in (ast.get_docstring(functions_of(engine)["register"]) or "")


@pytest.mark.parametrize("engine", engine_tables.ENGINES)
def test_pages_list_the_functions(engine: str) -> None:
    """If this fails, run tools/engine_tables.py."""
    page = (engine_tables.PAGES / f"{engine}.md").read_text("utf-8")
    assert page == engine_tables.page_with_table(engine)
    calls = [function.name if engine == "duckdb" else name_in(engine, function) for function in FUNCTIONS.values()]
    assert [name for name in calls if f"| `{name}(" not in page] == []


VALUES = ("key", "pattern", "groups", "hosts", "policy")


def test_arguments_of_sql() -> None:
    """`base`, `fields`, `routes` and `errors` are the same for all rows; all other arguments are columns."""
    for function in FUNCTIONS.values():
        required = [*function.columns, *(name for name in function.options if name in VALUES)]
        any_number = function.name in ("parse_url", "url_query")
        assert function.sql_columns == (None if any_number else len(required))


def test_native_calls() -> None:
    """Each function has a job, and its columns are the arguments in SQL."""
    assert JOBS.keys() == FUNCTIONS.keys()
    values = {"pattern": "*://*/:id", "groups": "id", "part": "FILE", "hosts": "example.com", "policy": "crawl"}
    made = calls(("hostname", "error"), PatternList({"a": "*://*"}), {})
    assert {call.name for call in made} == FUNCTIONS.keys()
    for call in made:
        if call.name == "url_join":
            assert call.columns == ("base", "url")
        elif call.any_number:
            assert (call.name, call.columns) == ("url_query", ("url",))
            assert isinstance(call.prepare("a", None, "a"), Job)
            with pytest.raises(ValueError, match="takes a URL and keys"):
                call.prepare()
            continue
        elif call.name != "parse_url":
            function = FUNCTIONS[call.name]
            count = (function.sql_columns or 0) - 1
            assert call.columns == ("url", *function.options[:count])
        if call.name != "parse_url" or "key" not in call.columns:
            assert isinstance(call.prepare(*(values[name] for name in call.columns if name in values)), Job)
    assert [call.columns for call in made if call.name == "parse_url"] == [("url", "part"), ("url", "part", "key")]
    assert "url_route" not in [call.name for call in calls(("error",), None, {})]
