"""Every public name with a secret in every argument: it is in no repr and in no exception. The names are generated."""

from __future__ import annotations

import ast
import inspect
import itertools
import warnings
from collections.abc import Callable, Iterator
from contextlib import suppress
from copy import copy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from test_hygiene import SECRET, failure, shown

import weburl
from weburl import URL, InvalidURL, PatternError, URLSearchParams
from weburl._verbs import table  # noqa: F401  # fills the verbs
from weburl._verbs.verb import engine_verbs
from weburl._verbs.work import prepare
from weburl.bulk import Column, Table
from weburl.crawl import LinkTable
from weburl.display import SpoofingRisk
from weburl.hosts import HostSet, Origin
from weburl.patterns import PatternList, URLPattern, URLPatternResult

MODULES = ["weburl", "weburl.bulk", "weburl.crawl", "weburl.display", "weburl.forms", "weburl.hosts", "weburl.patterns"]
MODULES += ["weburl.percent", "weburl.redact"]
# Credentials of a URL, of a pattern, of what is neither, and inside of others.
TEXTS = [
    f"https://u:{SECRET}@h/", f"https://u:{SECRET}@a b/", f"//u:{SECRET}@h:x",
    f"https://u:{SECRET}@", f"blob:https://u:{SECRET}@h/", f"view-source:http://u:{SECRET}@a b",
    f"https://u:{SECRET}:{SECRET}@h/(", f"https://u:({SECRET}@h/",
    f"HTTPS://u:{SECRET}@h/&=", f"https://\xfc:{SECRET}@h/", f"https://u:{SECRET}@h/\0",
    f"https://u:{SECRET}@h/{'x' * 99}", f"http://[u:{SECRET}#z@h", f"http://[u:{SECRET}/w@h",
]  # fmt: skip
# Of components, for functions that take any.
NAMES = ["protocol", "username", "password", "hostname", "port", "pathname", "search", "hash", "base_url"]
OTHERS: list[Any] = [
    "http://h/",
    "h",
    "x",
    1,
    {},
    ["http://h/"],
    URL("http://h/"),
    URLPattern("http://h/*"),
    b"http://h/",
]
FORMS: list[Callable[[str], Any]] = [
    lambda text: text,
    lambda text: [text],
    lambda text: {text: text},
    lambda text: [("key", text)],
    lambda text: text.encode(),
    lambda text: URL.parse(text),
]


def secrets() -> Iterator[Any]:
    for text in TEXTS:
        for form in FORMS:
            value = form(text)
            if value is not None:
                yield value


# These take only what other functions give them.
MADE = [URLPatternResult, Column, Table, LinkTable, Origin, SpoofingRisk]


def public() -> dict[str, Any]:
    found = {}
    for name in MODULES:
        module = import_module(name)
        for own in module.__all__:
            value = getattr(module, own)
            # A named tuple has what it is given, whatever that is; those that functions give are looked at.
            is_tuple = isinstance(value, type) and issubclass(value, tuple)
            if callable(value) and value not in MADE and not is_tuple and value.__module__.startswith("weburl"):
                found[f"{value.__module__}.{own}"] = value
    return found


PUBLIC = public()
# What they give is a URL with the query that they are given, in which a value may have any text.
EDITS = ("build", "replace", "with_params", "add_params")


def parameters_of(function: Any) -> list[inspect.Parameter]:
    """Those of compiled functions and classes are in the stub, or in the source, of their module."""
    with suppress(TypeError, ValueError):
        return list(inspect.signature(function).parameters.values())
    module, _, name = f"{function.__module__}.{function.__name__}".rpartition(".")
    path = Path(weburl.__file__).parent.joinpath(*module.split(".")[1:])
    source = next((path.with_suffix(end) for end in (".pyi", ".py") if path.with_suffix(end).exists()), None)
    if source is None:
        return []
    for node in ast.parse(source.read_text()).body:
        if getattr(node, "name", None) != name:
            continue
        functions = [node] if isinstance(node, ast.FunctionDef) else getattr(node, "body", [])
        for each in functions:
            if isinstance(each, ast.FunctionDef) and (each is node or each.name in ("__init__", "__new__")):
                return parameters_in(each.args)[0 if each is node else 1 :]
    return []


def parameters_in(found: ast.arguments) -> list[inspect.Parameter]:
    both = [*found.posonlyargs, *found.args]
    needed = len(both) - len(found.defaults)
    parameters = []
    for number, argument in enumerate(both):
        kind = inspect.Parameter.POSITIONAL_ONLY if number < len(found.posonlyargs) else None
        default = inspect.Parameter.empty if number < needed else None
        parameters.append(
            inspect.Parameter(argument.arg, kind or inspect.Parameter.POSITIONAL_OR_KEYWORD, default=default)
        )
    return parameters + [
        inspect.Parameter(
            argument.arg, inspect.Parameter.KEYWORD_ONLY, default=inspect.Parameter.empty if default is None else None
        )
        for argument, default in zip(found.kwonlyargs, found.kw_defaults, strict=True)
    ]


def arguments(function: Any) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """A secret in each place, and plain values in those that are needed."""
    parameters = parameters_of(function)
    names = [each for each in parameters if each.kind not in (each.VAR_POSITIONAL, each.VAR_KEYWORD)]
    needed = [each for each in names if each.default is each.empty]
    for place in names:
        others = [each for each in needed if each is not place]
        for fill in itertools.islice(itertools.product(OTHERS, repeat=len(others)), 20):
            given = dict(zip((each.name for each in others), fill, strict=True))
            for secret in secrets():
                values = {**given, place.name: secret}
                positional = tuple(
                    values.pop(e.name) for e in names if e.kind == e.POSITIONAL_ONLY and e.name in values
                )
                yield positional, values
    if any(each.kind == each.VAR_POSITIONAL for each in parameters) or not parameters:
        for secret in secrets():
            yield (secret,), {}
    if any(each.kind == each.VAR_KEYWORD for each in parameters):
        for secret in secrets():
            for name in NAMES:
                yield (), {name: secret}


def own_objects(value: Any) -> Iterator[Any]:
    """Objects of ours in a value. A text is what the caller asked for, and so is a list of texts."""
    if type(value).__module__.startswith("weburl"):
        yield value
    elif isinstance(value, (list, tuple)):
        for each in value[:5]:
            yield from own_objects(each)


def leaks(value: Any) -> list[str]:
    return [repr(own) for own in own_objects(value) if SECRET in repr(own) and not is_data(own)]


def is_data(value: Any) -> bool:
    """What was decoded of a query, as a list of pairs, is what it says."""
    return isinstance(value, URLSearchParams)


def texts_of(error: BaseException) -> tuple[str, ...]:
    """Its kind, and all that it and what it came from have to say."""
    chain = [other for other in (error.__cause__, error.__context__) if other is not None]
    own = (type(error).__name__, str(error), repr(error), repr(error.args), repr(getattr(error, "__notes__", None)))
    return (*own, *(text for other in chain for text in texts_of(other)))


def tried(function: Any) -> tuple[list[Any], list[str]]:
    """What a function gives, and what it tells."""
    results: list[Any] = []
    told: list[str] = []
    known: set[tuple[str, ...]] = set()
    kinds: set[type] = set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for positional, named in arguments(function):
            try:
                value = function(*positional, **named)
            except OSError:
                # It names the file that was asked for.
                continue
            except Exception as error:
                # Logs and tracebacks are made of these: once for each is enough, as they take long.
                if (texts := texts_of(error)) not in known:
                    known.add(texts)
                    told += [said for said in shown(error) if SECRET in said]
                if isinstance(error, (InvalidURL, PatternError)):
                    told += [said for said in [error.message] if SECRET in said]
            else:
                told += leaks(value)
                if len(results) < 40 or type(value) not in kinds:
                    kinds.add(type(value))
                    results.append(value)
    return results, told


@pytest.mark.sample(30)
@pytest.mark.parametrize("name", PUBLIC)
def test_no_public_name_tells_a_secret(name: str) -> None:
    results, told = tried(PUBLIC[name])
    assert not told, sorted(set(told))[:5]
    # What it gives: its attributes and its methods.
    seen: set[type] = set()
    for value in itertools.chain.from_iterable(map(own_objects, results)):
        kind = type(value)
        if isinstance(value, type) or kind in seen:
            continue
        seen.add(kind)
        for own in dir(value):
            # The path of a file may have any text; a KeyError has the key, as that of a dict.
            if own.startswith("_") or own in ("from_path", "pop"):
                continue
            # set_search() changes its URL, whose repr() has what is no password.
            attribute = getattr(copy(value) if own == "set_search" else value, own)
            assert not leaks(attribute), own
            if callable(attribute):
                told = [
                    said for said in tried(attribute)[1] if own not in EDITS or not said.startswith(("URL(", "Froz"))
                ]
                assert not told, (own, sorted(set(told))[:5])


# A secret in a parameter is in the href, and in no message.
PARAMETERS = [
    f"https://h/?token={SECRET}",
    f"https://h h/?password={SECRET}",
    f"h/?access_token={SECRET}",
    f"x?api_key={SECRET}",
]


@pytest.mark.sample(30)
@pytest.mark.parametrize("name", PUBLIC)
def test_no_message_tells_the_value_of_a_parameter(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(globals(), "TEXTS", PARAMETERS)
    monkeypatch.setitem(globals(), "leaks", lambda value: [])
    told = tried(PUBLIC[name])[1]
    assert not told, sorted(set(told))[:5]


def test_the_names_are_found() -> None:
    assert len(PUBLIC) > 60
    assert {"weburl.url.URL", "weburl.patterns.PatternList", "weburl.errors.PatternError"} <= set(PUBLIC)
    assert weburl.URL in PUBLIC.values()


def test_the_parameters_are_found() -> None:
    assert [each.name for each in parameters_of(PUBLIC["weburl._crawl.policy.CrawlPolicy"])][:3] == [
        "name",
        "version",
        "tracking_parameters",
    ]
    without = {name for name, value in PUBLIC.items() if not parameters_of(value)}
    assert without <= {"weburl.hosts.special_schemes", "weburl.crawl.RobotsDirectives"}


@pytest.mark.parametrize("text", TEXTS)
def test_parts_of_sql(text: str) -> None:
    """The engines' parse_url(), which are not in the modules above."""
    for options in ({"part": text}, {"part": text, "key": "key"}, {"part": "PORT", "key": text}):
        error = failure(lambda: prepare(engine_verbs()["parse_url"], options))  # noqa: B023
        assert error is not None
        assert not any(SECRET in said for said in shown(error))


PATTERNS = [
    f"https://user:{SECRET}@h/*", f"https://{SECRET}@h/*", f"https://:user::{SECRET}@h/*", f"http{{s}}?://u:{SECRET}@h/*",
    f"blob:https://user:{SECRET}@h/*", f"https://:{SECRET}@h/*",
]  # fmt: skip
INPUTS = [f"https://{SECRET}:{SECRET}@h/x", f"https://user{SECRET}:{SECRET}@h/x", "https://u:x@h/x", "https://h/", "x"]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_what_patterns_tell(pattern: str) -> None:
    own = URLPattern(pattern)
    by_name = URLPattern(
        {name: getattr(own, name) for name in ("protocol", "username", "password", "hostname", "pathname")}
    )
    listed = PatternList([pattern, ("key", pattern)])
    by_object = PatternList([own])
    for value in (own, by_name, listed, by_object, by_object[0]):
        assert SECRET not in repr(value)
    for text in INPUTS:
        for each in (own.explain(text), by_name.explain(text), listed.explain(text), by_object.explain(text)):
            assert SECRET not in each.replace(f"is not a URL: {SECRET}", "")
        found = [own.exec(text), by_name.exec(text), *(result for _, result in listed.all(text))]
        for result in found:
            if result is not None:
                for component in ("username", "password", "hostname", "pathname"):
                    assert SECRET not in repr(getattr(result, component))
                assert SECRET not in repr(result)
    matched = URLPattern("https://:name::secret@h/:page").exec(f"https://{SECRET}:{SECRET}@h/x")
    assert matched is not None
    assert repr(matched) == "URLPatternResult({'page': 'x', '***': '***'})"
    assert repr(matched.password) == "URLPatternComponentResult(input='***', groups='***')"
    assert matched.password == (SECRET, {"secret": SECRET})


@pytest.mark.parametrize("text", TEXTS)
def test_entries_of_sets(text: str) -> None:
    for entry in (text, text.partition("//")[2], f"*.{text}", f"{text}:443", f"!{text}"):
        for call in (lambda: HostSet([entry]), lambda: HostSet(["h", entry]), lambda: entry in HostSet(["h"])):  # noqa: B023
            error = failure(call)
            told = shown(error) if error is not None else [repr(call())]
            assert not any(SECRET in said for said in told)
