"""Every engine has the functions of the list, with its arguments and its words. No engine is imported."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from weburl._columns.job import Job
from weburl.ext._engines.calls import JOBS, calls
from weburl.ext._engines.functions import FUNCTIONS, Function
from weburl.patterns import PatternList

EXT = Path(__file__).resolve().parents[1] / "src" / "weburl" / "ext"
DOCS = EXT.parents[2] / "docs" / "engines"
# As functions, and as methods of a namespace.
MODULES = ("daft", "pyarrow", "pyspark", "ray")
NAMESPACES = ("pandas", "polars")
EACH_FUNCTION = pytest.mark.parametrize("function", FUNCTIONS.values(), ids=lambda function: function.name)
# In pandas a null is missing, and a struct is a frame.
PANDAS = {"null for null": "missing for missing", "null if": "missing if", "A struct with a field": "A column"}


def body_of(engine: str) -> list[ast.stmt]:
    """The statements of a module, or those of its namespace."""
    body = ast.parse((EXT / f"{engine}.py").read_text("utf-8")).body
    if engine in NAMESPACES:
        (namespace,) = (one for one in body if isinstance(one, ast.ClassDef))
        return namespace.body
    return body


def functions_of(engine: str) -> dict[str, ast.FunctionDef]:
    found = (one for one in body_of(engine) if isinstance(one, ast.FunctionDef))
    return {one.name: one for one in found if not one.name.startswith("_")}


def arguments_of(function: ast.FunctionDef) -> list[str]:
    return [argument.arg for argument in function.args.args]


def name_in(engine: str, function: Function) -> str:
    if engine in NAMESPACES and function.name != "parse_url":
        return function.name.removeprefix("url_")
    return function.name


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
        (public,) = (
            ast.literal_eval(one.value)
            for one in body_of(engine)
            if isinstance(one, ast.Assign) and ast.unparse(one.targets[0]) == "__all__"
        )
        assert set(public) == functions_of(engine).keys()


@pytest.mark.parametrize("engine", ["daft", "pyspark"])
@EACH_FUNCTION
def test_register_lists_the_functions(engine: str, function: Function) -> None:
    assert function.name in (ast.get_docstring(functions_of(engine)["register"]) or "")


@pytest.mark.parametrize("engine", [*MODULES, "polars", "duckdb"])
@EACH_FUNCTION
def test_pages_list_the_functions(engine: str, function: Function) -> None:
    """The page of pandas refers to that of Polars, so it is not checked."""
    page = (DOCS / f"{engine}.md").read_text("utf-8")
    assert f"`{name_in(engine, function)}(" in page


def test_arguments_of_sql() -> None:
    """`base`, `fields`, `routes` and `errors` are the same for all rows; all other arguments are columns."""
    for function in FUNCTIONS.values():
        required = [*function.columns, *(name for name in function.options if name in ("key", "pattern", "groups"))]
        assert function.sql_columns == (None if function.name == "parse_url" else len(required))


def test_native_calls() -> None:
    """Each function has a job, and its columns are the arguments in SQL."""
    assert JOBS.keys() == FUNCTIONS.keys()
    values = {"pattern": "*://*/:id", "groups": "id", "part": "FILE"}
    made = calls(("hostname", "error"), PatternList({"a": "*://*"}))
    assert {call.name for call in made} == FUNCTIONS.keys()
    for call in made:
        if call.name == "url_join":
            assert call.columns == ("base", "url")
        elif call.name != "parse_url":
            function = FUNCTIONS[call.name]
            count = (function.sql_columns or 0) - 1
            assert call.columns == ("url", *function.options[:count])
        if call.name != "parse_url" or "key" not in call.columns:
            assert isinstance(call.prepare(*(values[name] for name in call.columns if name in values)), Job)
    assert [call.columns for call in made if call.name == "parse_url"] == [("url", "part"), ("url", "part", "key")]
    assert "url_route" not in [call.name for call in calls(("error",), None)]
