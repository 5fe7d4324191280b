"""What tools see of every public callable: a signature, and examples that are true."""

from __future__ import annotations

import doctest
import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from support.public import NAMES, members, without_signature

from weburl import URL, FrozenURL

# Those of weburl.ext need libraries: tests/engines/test_ext_names.py.
MODULES = [module for module in NAMES if not module.startswith("weburl.ext.")]
HREF = "https://user:secret@www.example.com:8080/a/../b?q=1#f"
# What a function that takes a URL needs beside it, by the name of the parameter.
OTHERS: dict[str, object] = {
    "hosts": "example.com", "b": HREF, "location": "/c", "urls": [HREF], "refs": [HREF], "source": HREF.encode(),
    "key": "q", "keys": ["q"], "pattern": "*://*", "routes": {"a": "*://*"}}  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_every_callable_has_a_signature(module: str) -> None:
    assert without_signature(module) == []


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_are_true(module: str) -> None:
    names = {**vars(import_module("weburl")), **{name: getattr(import_module(module), name) for name in NAMES[module]}}
    failed = []
    for name, _, documented in members(module):
        test = doctest.DocTestParser().get_doctest(inspect.getdoc(documented) or "", dict(names), name, None, None)
        if doctest.DocTestRunner(verbose=False).run(test).failed:
            failed.append(name)
    assert failed == []


def test_there_are_callables_and_examples() -> None:
    """The walk finds what it is for: hundreds of callables, among them compiled ones and members of classes."""
    names = {f"{module}.{name}": documented for module in MODULES for name, _, documented in members(module)}
    assert {"weburl.URL.join", "weburl.hosts.public_suffix", "weburl.hosts.HostSet.match"} <= names.keys()
    assert len(names) > 300
    assert sum(">>>" in (inspect.getdoc(documented) or "") for documented in names.values()) > 40


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
        each.name for each in parameters.values() if each.default is each.empty and each.kind < each.VAR_KEYWORD
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
