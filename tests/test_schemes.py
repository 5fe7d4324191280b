"""default_port and is_special_scheme."""

from __future__ import annotations

import pickle
import re
from typing import Any

import pytest

from weburl import URL, InvalidURL
from weburl.hosts import default_port, is_special_scheme

# https://url.spec.whatwg.org/#special-scheme
DEFAULT_PORTS = {"ftp": 21, "file": None, "http": 80, "https": 443, "ws": 80, "wss": 443}


@pytest.mark.parametrize("scheme", [*DEFAULT_PORTS, "x", "mailto", "httpss", "blob", "javascript", "a+b-c.1"])
def test_schemes(scheme: str) -> None:
    for spelling in (scheme, scheme.upper(), scheme.title(), f"{scheme}:", f"{scheme.upper()}:"):
        assert default_port(spelling) == DEFAULT_PORTS.get(scheme)
        assert is_special_scheme(spelling) is (scheme in DEFAULT_PORTS)


def test_parts_of_a_url() -> None:
    url = URL("https://h:8080/")
    assert default_port(url.scheme) == default_port(url.protocol) == 443
    assert is_special_scheme(url.scheme) is is_special_scheme(url.protocol) is url.is_special


@pytest.mark.parametrize(
    "text",
    ["", ":", "http::", "http://", "https://example.com/", " http", "http ", "http\n", "1http", "+a", "ht tp",
     "http\t:", "ſ", "\ud800", "http:80", "é", "http\0"],
)  # fmt: skip
@pytest.mark.parametrize("function", [default_port, is_special_scheme])
def test_what_is_not_a_scheme(function: Any, text: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        function(text)
    error = raised.value
    assert (error.input, error.error, error.part) == (text, "scheme-invalid", "scheme")
    allowed = re.match("[A-Za-z][A-Za-z0-9+.-]*|", text)
    assert allowed is not None
    assert error.position == allowed.end()
    assert "A scheme is a letter" in error.message
    assert str(pickle.loads(pickle.dumps(error))) == str(error)


@pytest.mark.parametrize("value", [None, 80, b"http", URL("http://h/"), ["http"]])
@pytest.mark.parametrize("function", [default_port, is_special_scheme])
def test_other_types(function: Any, value: Any) -> None:
    with pytest.raises(TypeError, match="scheme must be a str"):
        function(value)


def test_no_credentials_in_the_message() -> None:
    with pytest.raises(InvalidURL) as raised:
        default_port("https://user:hunter2@h/")
    assert "hunter2" not in str(raised.value)


@pytest.mark.long
def test_linear() -> None:
    assert default_port("x" * 2**20) is None
