"""What tools see of every public callable: a signature, and examples that are true."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any, NamedTuple

import pytest
from plain_pages import for_frozen
from support.public import (
    NAMES,
    SENTENCE,
    is_field,
    members,
    without_signature,
    without_words,
    words,
    wrong_examples,
)

from weburl import URL, FrozenURL

# Those of weburl.ext need libraries: tests/engines/test_ext_names.py.
MODULES = [module for module in NAMES if not module.startswith("weburl.ext.")]
HREF = "https://user:secret@www.example.com:8080/a/../b?q=1#f"
# What a function that takes a URL needs beside it, by the name of the parameter.
OTHERS: dict[str, object] = {
    "hosts": "example.com", "b": HREF, "location": "/c", "urls": [HREF], "refs": [HREF], "source": HREF.encode(),
    "key": "q", "keys": ["q"], "pattern": "*://*", "routes": {"a": "*://*"},
    "n": 4}  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_every_callable_has_a_signature(module: str) -> None:
    assert without_signature(module) == []


@pytest.mark.parametrize("module", MODULES)
def test_every_docstring_has_a_sentence_and_an_example(module: str) -> None:
    assert without_words(module) == []


# The package that an example needs, by the name of the function.
NEEDED = {
    **dict.fromkeys(("LinkTable", "PageEncoding", "may_follow", "page_links"), "selectolax"),
    "to_numpy": "numpy", "to_pandas": "pandas", "to_polars": "polars", "to_pyarrow": "pyarrow",
}  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_are_true(module: str) -> None:
    left_out = [name for name, module in NEEDED.items() if find_spec(module) is None]
    assert wrong_examples(module, left_out) == []


def test_the_examples_of_frozen_urls_are_true() -> None:
    """The page of the reference shows the examples of URL with FrozenURL in its place."""
    names = {name: getattr(import_module("weburl"), name) for name in NAMES["weburl"]}
    shown = 0
    for name, _, documented in members("weburl"):
        if name.startswith("FrozenURL.") and not is_field(documented):
            text = "\n".join(for_frozen(words(name, documented).splitlines()))
            shown += "FrozenURL(" in text
            test = doctest.DocTestParser().get_doctest(text, dict(names), name, None, None)
            said: list[str] = []
            assert not doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed, "".join(said)
    assert shown > 35


def test_there_are_callables_and_examples() -> None:
    """The walk finds what it is for: hundreds of callables and properties, among them compiled ones."""
    names = {f"{module}.{name}": documented for module in MODULES for name, _, documented in members(module)}
    assert {
        "weburl.URL.join",
        "weburl.URL.build",
        "weburl.hosts.public_suffix",
        "weburl.FrozenURL.port",
    } <= names.keys()
    examples = [name for name, documented in names.items() if ">>>" in words(name, documented)]
    assert len(examples) > 350
    fields = {name for name, documented in names.items() if is_field(documented)}
    assert {"weburl.InvalidURL.error", "weburl.ValidationError.name", "weburl.display.SpoofingRisk.kind"} <= fields
    assert len(fields) < 80


def wrong(text: str) -> None:
    """Docstrings that the tests refuse are of functions such as this one."""


def test_a_wrong_docstring_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    for text, said in {
        "A sentence.\n\n>>> 1 + 1\n3": "Expected:\n    3\nGot:\n    2",
        "no sentence.\n\n>>> 1": "no sentence",
        "No full stop\n\n>>> 1": "no sentence",
        "wrong(text)\n\nA sentence.": "no example",
        "": "no sentence",
    }.items():
        monkeypatch.setattr(wrong, "__doc__", text)
        monkeypatch.setattr(wrong, "__module__", "weburl")
        monkeypatch.setattr("weburl.wrong", wrong, raising=False)
        monkeypatch.setitem(NAMES, "weburl", ["wrong"])
        assert said in "\n".join([*without_words("weburl"), *wrong_examples("weburl")])


class Pair(NamedTuple):
    """A pair of a `left` and a `right`.

    >>> 1
    1
    """

    left: int
    right: int


@dataclass(frozen=True, slots=True)
class Slots:
    """A `left` and a `right`.

    >>> 1
    1
    """

    left: int
    right: int


@pytest.mark.parametrize("of", [Pair, Slots])
def test_a_field_without_words_is_noticed(of: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(of, "__module__", "weburl")
    monkeypatch.setattr("weburl.Pair", of, raising=False)
    monkeypatch.setitem(NAMES, "weburl", ["Pair"])
    said = ["Pair.left: no sentence of its own", "Pair.right: no sentence of its own"]
    assert without_words("weburl") == said
    if of is Pair:
        Pair.left.__doc__ = "The left one."
    else:
        monkeypatch.setattr(of, "__slots__", {"left": "The left one."})
    assert without_words("weburl") == said[1:]


def public_tuples() -> dict[str, Any]:
    values = {f"{module}.{name}": getattr(import_module(module), name) for module in MODULES for name in NAMES[module]}
    return {name: value for name, value in values.items() if isinstance(value, type) and issubclass(value, tuple)}


@pytest.mark.parametrize("name", public_tuples())
def test_no_field_of_a_tuple_is_an_alias(name: str) -> None:
    """`help` would say "Alias for field number 0"."""
    assert public_tuples()[name]._fields
    for field in public_tuples()[name]._fields:
        text = getattr(public_tuples()[name], field).__doc__
        assert SENTENCE.match(text), field
        assert not text.startswith("Alias for field"), field


def test_there_are_tuples() -> None:
    assert {"weburl.ValidationError", "weburl.hosts.SkippedLine", "weburl.compat.w3lib.ParseDataURIResult"} <= {
        *public_tuples()
    }


def functions_of_urls() -> dict[str, Callable[..., Any]]:
    """Public functions whose first parameter, or `base`, is a URL."""
    return {
        f"{module}.{name}": value
        for module in MODULES
        if not module.startswith("weburl.compat.")
        for name in NAMES[module]
        if inspect.isroutine(value := getattr(import_module(module), name))
        and {"url", "base", "a", "href", "target", "document_url"} & inspect.signature(value).parameters.keys()
    }


@pytest.mark.parametrize("name", functions_of_urls())
def test_a_frozen_url_is_taken_where_a_url_is(name: str) -> None:
    """In the place of each parameter that takes a URL; the result is that of a URL."""
    function = functions_of_urls()[name]
    parameters = inspect.signature(function).parameters
    required = [
        each.name for each in parameters.values() if each.default is each.empty and each.kind < each.VAR_POSITIONAL
    ]
    tried = 0
    for of_url in {"url", "base", "a", "b", "href", "target", "document_url"} & parameters.keys():
        results = []
        for cls in (URL, FrozenURL):
            arguments = {each: OTHERS.get(each, HREF) for each in required if each != of_url}
            positional = [cls(HREF) if each == of_url else arguments[each] for each in required]
            keyword = {} if of_url in required else {of_url: cls(HREF)}
            try:
                result = function(*positional, **keyword)
            except ValueError as error:
                result = str(error)
            results.append(result.to_pylist() if hasattr(result, "to_pylist") else result)
        assert results[0] == results[1]
        tried += 1
    assert tried
