"""What weburl says of calls that are wrong: what was passed, what is wrong, and what to write."""

from __future__ import annotations

import argparse
import importlib
import io
import pydoc
import re
import subprocess
import sys
from typing import Any

import pytest
from support.wrong_calls import GROUPS, MODULES, NAMES

import weburl
import weburl.bulk
import weburl.crawl
import weburl.forms
import weburl.hosts
import weburl.patterns
import weburl.percent
import weburl.text
from weburl import _advice
from weburl._core.parts import ABSENT

CALLS = [call for group in GROUPS for call in group.calls]


def names_of(call: str) -> dict[str, Any]:
    """The names that a call uses."""
    names: dict[str, Any] = {"weburl": weburl, "io": io, "re": re}
    names |= {name: getattr(weburl, name) for name in weburl.__all__}
    for module in MODULES:
        if f"{module}." in call:
            pytest.importorskip(module)
            names[module.partition(".")[0]] = importlib.import_module(module.partition(".")[0])
    return names | {name: eval(text, names) for name, text in NAMES.items()}


@pytest.mark.parametrize(("call", "message"), CALLS, ids=[call for call, _ in CALLS])
def test_messages(call: str, message: str) -> None:
    names = names_of(call)
    with pytest.raises((TypeError, AttributeError, ValueError)) as raised:
        eval(call, names)
    assert str(raised.value) == message
    assert "secret" not in str(raised.value)
    assert raised.value.__context__ is None or raised.value.__suppress_context__


def test_there_are_many() -> None:
    assert len(CALLS) >= 180
    assert len({call for call, _ in CALLS}) == len(CALLS)


@pytest.mark.parametrize("name", ["URL", "URLSearchParams"])
def test_absent_names(name: str) -> None:
    cls = getattr(weburl, name)
    value = cls("https://example.com/")
    assert sorted(_advice.NAMES[name]) == sorted(ABSENT[name].split())
    for absent, instead in _advice.NAMES[name].items():
        assert not hasattr(value, absent)
        assert not hasattr(cls, absent)
        assert absent not in dir(value)
        with pytest.raises(AttributeError, match="has no attribute") as raised:
            getattr(value, absent)
        assert raised.value.name == absent
        # What it says to write is there.
        first = instead.partition("(")[0].split()[0].partition(".")[0].partition("[")[0].strip(",")
        assert first in (*dir(value), "weburl", "nothing:", "/", "str", "dict", "URLSearchParams"), instead
    assert {"href", "search_params"} <= set(dir(weburl.URL("a:b")))


def test_a_subclass_may_have_an_absent_name() -> None:
    class Own(weburl.URL):
        path = "own"

    url = Own("https://example.com/")
    url.params = {"a": "b"}  # type: ignore[attr-defined]
    assert (url.path, url.params) == ("own", {"a": "b"})  # type: ignore[attr-defined]
    assert {"path", "params"} <= set(dir(url))
    del url.params  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="use search_params"):
        del url.params  # type: ignore[attr-defined]
    assert "netloc" not in dir(url)
    with pytest.raises(AttributeError, match=r"^Own has no attribute 'netloc'"):
        _ = url.netloc  # type: ignore[attr-defined]


def test_help_says_what_an_absent_name_is() -> None:
    shown = pydoc.plain(pydoc.render_doc(weburl.URL))
    for name in ABSENT["URL"].split():
        described = re.search(rf"^ \|  {name}\n \|      (.*)$", shown, re.MULTILINE)
        assert described, name
        assert described[1].startswith("Not an attribute: "), name


@pytest.mark.parametrize("name", ["scheme", "query", "fragment", "path_segments", "port_number", "search_params"])
def test_what_cannot_be_assigned_names_what_can(name: str) -> None:
    url = weburl.URL("https://example.com/")
    with pytest.raises(AttributeError) as raised:
        setattr(url, name, "a")
    said = re.fullmatch(rf"{name} is read-only: assign to (\w+), or use replace\((\w+)=\.\.\.\)", str(raised.value))
    assert said
    setattr(url, said[1], "1")
    values: dict[str, Any] = {"scheme": "ws", "path_segments": ["2"], "params": {"a": "1"}}
    assert url.replace(**{said[2]: values.get(said[2], "2")}) != url


def test_nothing_is_imported_before_an_error() -> None:
    code = (
        "import sys, weburl\n"
        "weburl.URL('https://example.com/').hostname\n"
        "print([name for name in sys.modules if name.endswith(('._advice', '.advice'))])"
    )
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_class_that_claims_to_be_another() -> None:
    class Odd:
        __module__ = None  # type: ignore[assignment]

    class Fake:
        __fspath__ = None

    for value in (Odd(), Fake(), object(), type("URL", (), {"__module__": "yarl"})()):
        with pytest.raises(TypeError, match="url must be a str or a URL, not "):
            weburl.URL(value)  # type: ignore[arg-type]


def test_pydantic_keeps_the_name_of_the_error() -> None:
    pydantic = pytest.importorskip("pydantic")
    with pytest.raises(pydantic.ValidationError) as raised:
        pydantic.TypeAdapter(weburl.URL).validate_python("http://h:x/")
    assert "port-invalid" in str(raised.value)


def test_argparse_keeps_the_name_of_the_error(capsys: pytest.CaptureFixture[str]) -> None:
    """With the recipe of docs/errors.md; argparse itself replaces the text of a ValueError."""

    def url(text: str) -> weburl.URL:
        try:
            return weburl.URL(text)
        except weburl.InvalidURL as error:
            raise argparse.ArgumentTypeError(str(error)) from None

    parser = argparse.ArgumentParser(prog="fetch")
    parser.add_argument("url", type=url)
    with pytest.raises(SystemExit):
        parser.parse_args(["http://me:secret@h:x/"])
    said = capsys.readouterr().err
    assert "argument url: port-invalid in 'http://***@h:x/': A port cannot have 'x': write digits only." in said
