"""What follows from the table of verbs: functions of engines, their pages and stubs. No engine is imported."""

from __future__ import annotations

import ast
import inspect
import re
import sqlite3
import traceback
import typing

import pytest
import verb_pages
from source_tree import listed_in
from support.verb_calls import VALUES
from verb_pages import ENGINES, EXT, PAGES

from weburl import bulk
from weburl._verbs.make_functions import Signature, make_function, source_of
from weburl._verbs.verb import VERBS, Option, Verb, engine_verbs
from weburl._verbs.work import evaluate
from weburl.ext._adapter import Sql
from weburl.ext._engines.polars_plans import Plan, plan_of
from weburl.ext.sqlite import register
from weburl.robots import Robots

EACH_VERB = pytest.mark.parametrize("verb", engine_verbs().values(), ids=lambda verb: verb.name)
NOTHING = Verb("nothing", "text", "Nothing.")
GENERATED = verb_pages.files()
IN_PYTHON = [name for name, engine in ENGINES.items() if engine.functions]


def use(verb: Verb, columns: tuple[object, ...], options: dict[str, object]) -> tuple[object, ...]:
    return verb, columns, options


# Their arguments are sets of hosts, patterns, lists and policies, whose modules are imported when they are used.
LATER = {"Hosts", "LogPolicy", "Policy", "PublicSuffixList", "Robots", "Routes", "URLPattern"}


@pytest.mark.parametrize("name", sorted({*bulk.__all__} - {"Column", "Table"}))
def test_types_are_found(name: str) -> None:
    function = getattr(bulk, name)
    words = re.findall(r"\w+", " ".join(function.__annotations__.values()))
    if LATER.isdisjoint(words) and name != "parse_lines":
        assert typing.get_type_hints(function).keys() == function.__annotations__.keys()


@EACH_VERB
def test_a_base_or_an_encoding_that_would_be_left_out_is_refused(verb: Verb) -> None:
    """The functions of pandas and pyarrow take any option, and plans of Polars may come from anywhere."""
    columns: tuple[list[str], ...] = ([],) * len(verb.columns)
    options = {option.name: VALUES[option.name][0] for option in verb.engine_options if option.is_required}
    assert len(evaluate(verb, columns, {**options, "base": None})) == 1
    plan = plan_of(verb, options)
    for name, value, is_taken in (
        ("base", "https://example.com/", verb.takes_base), ("encoding", "latin1", verb.takes_encoding),
    ):  # fmt: skip
        other = Plan(verb, plan.options, **{name: value})
        if is_taken:
            assert len(evaluate(verb, columns, {**options, name: value})) == 1
            assert other.job(1)
            continue
        with pytest.raises(TypeError, match=f"^{verb.name} has no option '{name}'"):
            evaluate(verb, columns, {**options, name: value})
        with pytest.raises(ValueError, match=f"^{verb.name} has no option '{name}'"):
            other.job(1)


@pytest.mark.parametrize(
    ("value", "source"),
    [
        ("a", '"a"'),
        (("a", None), '("a", None)'),
        (("a",), '("a",)'),
        ('a"b', "'a\"b'"),
        ("a'b", '"a\'b"'),
        ("\\", r"'\\'"),
    ],
)
def test_sources_of_defaults(value: object, source: str) -> None:
    assert source_of(value) == source
    assert ast.literal_eval(source) == value


def test_an_option_may_have_any_name() -> None:
    names = ("use", "verb", "dict", "make", "self")
    options = tuple([Option(name, "str", name) for name in names])
    signature = Signature("f", (("urls", "Any"),), options, "Any", "")
    function = make_function(signature, NOTHING, use, {"__name__": "m"})
    assert function([], make="x") == (NOTHING, ([],), {**{name: name for name in names}, "make": "x"})


def test_rows_are_refused_that_say_something_twice_or_too_much() -> None:
    everything = [getattr(NOTHING, name) for name in Verb.__annotations__]
    assert vars(Verb(*everything)) == vars(NOTHING)
    for given, named in ((("a", "text", "b"), {"name": "c"}), ((*everything, None), {})):
        with pytest.raises(TypeError, match=r"^Verb has the attributes name, result, doc, "):
            Verb(*given, **named)  # type: ignore[arg-type]


def test_there_are_engines() -> None:
    assert {*ENGINES} >= {"daft", "duckdb", "pandas", "polars", "pyarrow", "pyspark", "ray", "sqlite"}
    assert {*ENGINES} - {*IN_PYTHON} == {"duckdb", "sqlite"}


@pytest.mark.parametrize("name", IN_PYTHON)
@EACH_VERB
def test_a_function_is_as_if_it_were_written(name: str, verb: Verb) -> None:
    engine = ENGINES[name]
    function = make_function(engine.signature(verb), verb, use, {"__name__": f"weburl.ext.{name}"})
    assert function.__name__ == function.__qualname__ == engine.name_of(verb)
    assert function.__module__ == f"weburl.ext.{name}"
    assert (inspect.getdoc(function) or "").startswith(engine.in_own_words(verb.doc))
    given = inspect.signature(function).parameters
    columns = len(verb.columns)
    required = [option.name for option in verb.engine_options if not option.keyword]
    positional = ["base"] * verb.base_is_second + required
    keywords = [option.name for option in verb.engine_options if option.keyword]
    keywords += ["base"] * (verb.takes_base and not verb.base_is_second) + ["encoding"] * verb.takes_encoding
    assert [*given][columns:] == positional + keywords + ["options"] * engine.takes_bulk_options
    assert [name for name, each in given.items() if each.kind is each.KEYWORD_ONLY] == keywords
    if not engine.namespace:
        assert tuple(column.removesuffix("s") for column in [*given][:columns]) == verb.columns
    assert all(parameter.annotation is not inspect.Parameter.empty for parameter in [*given.values()][columns:])
    values = [option.name for option in verb.engine_options if option.is_required]
    made, rows, options = function(*verb.columns, *values)
    assert (made, rows) == (verb, verb.columns)
    defaults = {option.name: option.default for option in verb.engine_options if not option.is_required}
    assert options == {
        **dict(zip(values, values, strict=True)),
        **defaults,
        **({"base": None} if verb.takes_base else {}),
        **({"encoding": "utf-8"} if verb.takes_encoding else {}),
    }
    with pytest.raises(TypeError, match=rf"{function.__name__}\(\) takes .* positional arguments? but"):
        function(*range(20))


@pytest.mark.parametrize("path", GENERATED, ids=lambda path: path.name)
def test_what_is_generated_is_current(path: typing.Any) -> None:
    """If this fails, run tools/verb_pages.py."""
    text = path.read_text("utf-8")
    assert text == GENERATED[path]
    assert path.suffix != ".pyi" or text.startswith("# generated by tools/verb_pages.py")


@pytest.mark.parametrize("name", ENGINES)
def test_pages_list_the_functions(name: str) -> None:
    page = (PAGES / f"{name}.md").read_text("utf-8")
    name_of = ENGINES[name].name_of if name in IN_PYTHON else lambda verb: verb.function
    names = [name_of(verb) for verb in engine_verbs().values()]
    assert [each for each in names if f"| `{each}(" not in page] == []


@pytest.mark.parametrize("name", [name for name in IN_PYTHON if not ENGINES[name].namespace])
def test_modules_have_the_functions(name: str) -> None:
    assert {*(listed_in(EXT / f"{name}.py") or [])} - {"parse_column", "register"} == engine_verbs().keys()


@pytest.mark.parametrize("name", [name for name, engine in ENGINES.items() if engine.sql])
def test_register_lists_the_functions(name: str) -> None:
    stub = (EXT / f"{name}.pyi").read_text("utf-8")
    assert [
        verb.name for verb in engine_verbs().values() if f"    - `{ENGINES[name].sql_signature(verb)}`: " not in stub
    ] == []
    assert "{functions}" not in stub


def test_arguments_of_sql() -> None:
    """`fields`, `routes`, `errors`, `bits` and how URLs are found are the same for all rows. The base is the last."""
    same = ("fields", "routes", "errors", "bits", "schemes", "bare", "syntax", "defanged")
    for verb in engine_verbs().values():
        required = [option for option in verb.engine_options if option.name not in same]
        assert verb.sql_options == tuple(required)
        has_base = verb.takes_base and not verb.any_number
        assert [option.name for option in verb.sql_arguments] == [each.name for each in required] + ["base"] * has_base
        optional = [option.sql_optional for option in verb.sql_arguments]
        assert optional == sorted(optional)


def test_arguments_of_register() -> None:
    """They follow from the options of verbs."""
    signature = inspect.signature(register)
    assert [*signature.parameters] == ["con", "fields", "bits", "routes", "hosts", "robots"]
    parameters = signature.parameters.values()
    assert [each.name for each in parameters if each.kind is each.KEYWORD_ONLY] == ["bits", "routes", "hosts", "robots"]
    assert signature.parameters["routes"].annotation == "Routes | None"
    assert signature.parameters["hosts"].annotation == "Mapping[str, Hosts] | None"
    assert register.__qualname__ == "register"
    assert register.__module__ == "weburl.ext.sqlite"
    with pytest.raises(TypeError, match=r"register\(\) got an unexpected keyword argument 'nonsense'"):
        register(sqlite3.connect(":memory:"), nonsense=1)  # type: ignore[call-arg]
    assert {"url_route", "url_robots_allowed"} == engine_verbs().keys() - Sql(fields=["error"]).verbs().keys()
    robots = Robots.parse("User-agent: *\nDisallow: /a", agent="ExampleBot")
    sql = Sql(routes={"a": "*://*"}, robots={"site": robots})
    assert sql.verbs().keys() == engine_verbs().keys()
    allowed = sql.verbs()["url_robots_allowed"]
    assert sql.options(allowed, {"robots": "site"}) == {"robots": robots}
    with pytest.raises(ValueError, match=r"names that you pass to register\(robots=...\), not 'other'"):
        sql.options(allowed, {"robots": "other"})
    for wrong in ([robots], {1: robots}, robots):
        with pytest.raises(TypeError, match="robots must be Robots by their names, each a str, not "):
            Sql(robots=wrong)
    with pytest.raises(TypeError, match="robots must be a Robots, not str"):
        Sql(robots={"site": "User-agent: *"})


def test_bits_are_those_of_fingerprints() -> None:
    """With 128 bits, all other results stay as they are."""
    few, many = (
        {name: sql.result(verb) for name, verb in sql.verbs().items()} for sql in (Sql(bits=64), Sql(bits=128))
    )
    assert many.pop("url_fingerprint") == "digest"
    assert few.pop("url_fingerprint") == "number"
    assert many == few


def test_functions_have_a_source() -> None:
    """`inspect.getsource` and tracebacks find it."""
    source = inspect.getsource(bulk.host_in_many)
    assert source.startswith("    def host_in_many(urls: Any, hosts: Hosts, *, base: ")
    assert inspect.getsource(register).startswith("    def register(con: sqlite3.Connection, fields: ")
    with pytest.raises(TypeError) as raised:
        bulk.host_in_many([], 5)  # type: ignore[arg-type]
    lines = "".join(traceback.format_exception(raised.value))
    assert 'File "<weburl.bulk.host_in_many>", line 3, in host_in_many\n    return _use(_verb, (urls, ), {' in lines


def test_rows_of_the_table() -> None:
    assert len({verb.bulk for verb in VERBS if verb.bulk}) == len([verb for verb in VERBS if verb.bulk])
    with pytest.raises(TypeError, match="Verb has the attributes name, result, doc, "):
        Verb("a", "text", "A.", nonsense=1)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="Option has the attributes name, type, "):
        Option("a")  # type: ignore[call-arg]
    verb = engine_verbs()["url_param"]
    with pytest.raises(TypeError, match="param needs key"):
        verb.checked({})
    with pytest.raises(TypeError, match="param has no option 'policy'"):
        verb.checked({"key": "a", "policy": "crawl"})


def test_bulk_has_no_other_names() -> None:
    assert bulk.parse_many is bulk.parse_many
    with pytest.raises(AttributeError, match=r"module 'weburl.bulk' has no attribute 'nothing_many'"):
        _ = bulk.nothing_many  # type: ignore[attr-defined]
