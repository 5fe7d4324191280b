"""One rule for a base that does not parse, and one for the encoding of a query: docs/decisions.md."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from support.wrong_arguments import callables, prepared, right_arguments

from weburl import URL, FrozenURL, InvalidURL, URLPattern
from weburl.bulk import join_many
from weburl.patterns import PatternList

FUNCTIONS: Final = dict(callables())
SUBJECTS: Final = ("url", "input", "ref", "text", "location")
COLUMNS: Final = ("urls", "refs")
# What the standards fix.
FIXED: Final = {
    "URL.parse": None, "FrozenURL.parse": None, "URL.can_parse": False, "FrozenURL.can_parse": False,
    "URLPattern.test": False, "URLPattern.exec": None, "URLPattern.match": None,
}  # fmt: skip
BASES: Final = ("base", "about_base_url")
WITH_BASE: Final = sorted(
    {
        (name, each)
        for name, function in FUNCTIONS.items()
        for each in BASES
        if each in inspect.signature(function).parameters and name not in ("InvalidURL", "LinkTable")
    }
)


def call(name: str, given: dict[str, Any]) -> Callable[[], Any]:
    function = FUNCTIONS[name]
    parameters = inspect.signature(function).parameters
    right = right_arguments(name, function)
    assert right is not None
    return prepared(
        function, parameters.values(), right | {key: value for key, value in given.items() if key in parameters}
    )


class NeverCalled(URL):
    """A URL whose __init__() has not been called."""


@pytest.mark.sample(104)
@pytest.mark.parametrize("base", ["", "nob", "//a", "https://a b/", "http://h:x/", NeverCalled.__new__(NeverCalled)])
@pytest.mark.parametrize(("name", "parameter"), WITH_BASE)
def test_a_base_that_does_not_parse(name: str, parameter: str, base: Any, tmp_path: Path) -> None:
    path = tmp_path / "patterns.txt"
    path.write_text("https://a.example/*\n", "utf-8")
    for subject in ("https://a.example/", "/x", "", "https://a b/"):
        # A column that is empty, or has only null, is a call, too.
        for column in ([subject], [], [None]):
            given: dict[str, Any] = {**dict.fromkeys(SUBJECTS, subject), "path": path, parameter: base}
            given |= {**dict.fromkeys(COLUMNS, column), "source": subject.encode()}
            function = call(name, given)
            if name in FIXED:
                assert function() is FIXED[name]
            elif name == "explain":
                assert "base" in function()
            else:
                with pytest.raises(InvalidURL) as raised:
                    function()
                assert raised.value.error == "base", subject


def test_all_are_tried() -> None:
    assert len(WITH_BASE) > 35
    assert {name for name, _ in WITH_BASE} >= {*FIXED, "redirect_target", "page_links", "PatternList.read", "join"}


def test_a_column_of_bases_has_errors_of_rows() -> None:
    column = join_many(["https://a.example/", "nob", None], ["x", "x", "x"])
    assert column.to_pylist() == ["https://a.example/x", None, None]
    assert column.errors == {"base": 1}


TEXT: Final = "https://a.example/p?q=é#é"
LATIN: Final = "https://a.example/p?q=%E9#%C3%A9"
# Functions of a URL that take no encoding though their result shows the query: standards fix UTF-8 for them.
IN_UTF_8: Final = {
    *(f"URLPattern.{name}" for name in ("exec", "match", "test", "explain")),
    *(f"PatternList.{name}" for name in ("all", "first", "explain")),
    "redirect_target", "is_valid", "display_url",
}  # fmt: skip


def shown(result: Any) -> Any:
    if isinstance(result, (URL, FrozenURL)):
        return result.href
    if hasattr(result, "to_pylist"):
        return result.to_pylist()
    if result is None or isinstance(result, (str, int, bytes, dict, bool)):
        return result
    return repr(result)


def takes_a_url(function: Callable[..., Any]) -> bool:
    """Not only a text."""
    for name, parameter in inspect.signature(function).parameters.items():
        if name in (*SUBJECTS, "urls", "href", "a", "target"):
            kinds = str(parameter.annotation).replace("|", " ").split()
            # Compiled functions have no annotations.
            return bool({"URL", "Any"} & set(kinds)) or (parameter.annotation is parameter.empty and name != "text")
    return False


OF_URLS: Final = sorted(
    name
    for name, function in FUNCTIONS.items()
    if not name.endswith(".replace")
    and {*SUBJECTS, "urls", "href", "a", "target"} & inspect.signature(function).parameters.keys()
    and right_arguments(name, function) is not None
    and takes_a_url(function)
)


@pytest.mark.parametrize("name", OF_URLS)
def test_encoding(name: str) -> None:
    """A function has `encoding=`, or its result is the same in all encodings, or is in UTF-8 as a standard has it."""
    parameters = inspect.signature(FUNCTIONS[name]).parameters
    subject = next(each for each in (*SUBJECTS, "urls", "href", "a", "target") if each in parameters)
    if name in ("explain", "Robots.explain"):
        # Their texts have the input as it is, and the path with its query.
        return
    wrap: Callable[[Any], Any] = (lambda each: [each]) if subject == "urls" else (lambda each: each)
    results = [
        shown(call(name, {subject: wrap(given)})())
        for given in (TEXT, URL(TEXT), URL(TEXT, encoding="windows-1252"), FrozenURL(LATIN))
    ]
    # A URL has its query encoded already, whatever the encoding.
    assert results[0] == results[1]
    assert results[2] == results[3]
    if "encoding" in parameters:
        in_latin = [
            shown(call(name, {subject: wrap(given), "encoding": "windows-1252"})())
            for given in (TEXT, URL(TEXT), URL(TEXT, encoding="windows-1252"))
        ]
        assert in_latin == [results[2], results[1], results[2]]
    elif name not in IN_UTF_8:
        assert results[0] == results[2]


def test_all_that_set_a_query_take_an_encoding() -> None:
    """Functions of the public classes with a query, or with pairs, as an argument."""
    of_queries = {
        name
        for name, function in FUNCTIONS.items()
        if name.startswith(("URL.", "FrozenURL.", "serialize_form"))
        and {"search", "query", "params", "pairs"} & inspect.signature(function).parameters.keys()
    }
    assert of_queries >= {"URL.build", "URL.replace", "FrozenURL.with_params", "URL.add_params", "serialize_form"}
    for name in of_queries | {"URL.set_search", "URL.join", "URL.without_params", "parse_form"}:
        parameters = inspect.signature(FUNCTIONS[name]).parameters
        # Beside keywords that are names of parameters, it goes with a mapping.
        assert "encoding" in parameters or "names" in parameters, name


def test_a_url_says_the_encoding_to_patterns() -> None:
    pattern = URLPattern(search="q=%E9")
    routes = PatternList([pattern])
    for cls in (URL, FrozenURL):
        link = cls("?q=é", "https://a.example/", encoding="windows-1252")
        assert pattern.test(link)
        assert pattern.exec(link)
        assert pattern.match(link)
        assert routes.first(link)
        assert len(routes.all(link)) == 1
    text = "https://a.example/?q=é"
    assert not pattern.test(text)
    assert routes.first(text) is None
