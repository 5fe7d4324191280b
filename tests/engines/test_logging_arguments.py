"""RedactingFilter: names of attributes and labels, arguments without a place, and formatters that read arguments."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from io import StringIO
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from weburl.ext.logging import RedactingFilter, redact_values
from weburl.text import redact_text


def written(message: str, *arguments: Any) -> str:
    """What a handler with the filter writes; what it cannot write it reports on stderr."""
    handler = logging.StreamHandler(StringIO())
    handler.addFilter(RedactingFilter())
    given: Any = arguments[0] if len(arguments) == 1 and isinstance(arguments[0], dict) else arguments
    handler.handle(logging.makeLogRecord({"msg": message, "args": given}))
    return str(handler.stream.getvalue()).removesuffix("\n")


class Unreadable:
    def __str__(self) -> str:
        raise RuntimeError("https://u:S3cr3tq8Zx@h/")

    __repr__ = __str__


def test_what_cannot_be_shown_is_hidden(capsys: pytest.CaptureFixture[str]) -> None:
    assert written("%s of %s", Unreadable(), 5) == "REDACTED of 5"
    assert written("%d %r", 5, Unreadable()) == "5 'REDACTED'"
    assert written("%(a)d %(b)s", {"a": 5, "b": Unreadable()}) == "5 REDACTED"
    assert capsys.readouterr().err == ""


def test_arguments_without_a_place(capsys: pytest.CaptureFixture[str]) -> None:
    for message, given in (
        ("/?token=", ("S3cr3tq8Zx",)), ("a %s /?token=", (1, "S3cr3tq8Zx")), ("%d /?token=", ("S3cr3tq8Zx",)),
        ("%(a)d /?token=", ({"a": "x", "b": "S3cr3tq8Zx"},)), ("%y /?token=", ("S3cr3tq8Zx", 2)),
    ):  # fmt: skip
        written(message, *given)
        reported = capsys.readouterr().err
        assert "Logging error" in reported
        assert "S3cr3tq8Zx" not in reported, message
    # Without the name of a secret the report has all.
    written("/?page=", "x")
    assert "('x',)" in capsys.readouterr().err


class Login(NamedTuple):
    user: str
    password: str


@dataclass(slots=True)
class Form:
    user: str
    password: str | bytes
    pin: int = 123456


class Plain:
    def __init__(self, **values: Any) -> None:
        vars(self).update(values)

    def __repr__(self) -> str:
        return f"Plain{vars(self)}"


def test_attributes_have_names() -> None:
    secret = "S3cr3t'\\q8Zx\n"
    assert written("%s", Login("ada", secret)) == "Login(user='ada', password=\"REDACTED\")"
    assert written("%s", Form("ada", secret)) == "Form(user='ada', password=\"REDACTED\", pin=REDACTED)"
    assert (
        written("%s", {"a": Form("ada", b"S3cr3tq8Zx")})
        == "{'a': \"Form(user='ada', password=b'REDACTED', pin=REDACTED)\"}"
    )
    assert written("%s", SimpleNamespace(a=1, cookie="sid=1")) == "namespace(a=1, cookie='sid=REDACTED')"
    # Which characters of the text are a short one, nobody knows.
    assert written("%s", Plain(a="x1", pin=1)) == "REDACTED"
    for value in (Login("ada", ""), Plain(a=1, tokens=100), SimpleNamespace(password=None), Plain(password=Plain())):
        assert redact_values(value) is value
    assert redact_values({"extra": [Login("ada", "S3cr3tq8Zx")]}) == {
        "extra": ["Login(user='ada', password='REDACTED')"]
    }
    # Not shown, so not looked for.
    assert redact_values(Silent("S3cr3tq8Zx"))._password == "S3cr3tq8Zx"
    many = Plain(**{f"a{i}": i for i in range(200)}, password="S3cr3tq8Zx")
    assert "S3cr3tq8Zx" in str(redact_values(many))


class Silent:
    def __init__(self, password: str) -> None:
        self._password = password

    def __str__(self) -> str:
        return "Silent"


class AccessFormatter(logging.Formatter):
    """As a server's formatter of its access log, which reads the arguments."""

    def format(self, record: logging.LogRecord) -> str:
        arguments: Any = record.args
        client, method, target, version, status = arguments
        return f"{client} {method} {target} {version} {status} | {record.getMessage()}"


def test_formatters_that_read_the_arguments(capsys: pytest.CaptureFixture[str]) -> None:
    """A client does not keep his request out of the log."""
    for target in ("/cookie:", "/authorization:", '/x?a"cookie:', "/?token=a%sb%", "/100%", "/cookie: %d", "/x"):
        stream = StringIO()
        handler = logging.StreamHandler(stream)
        handler.addFilter(RedactingFilter())
        handler.setFormatter(AccessFormatter())
        given = ("1.2.3.4:5", "GET", target, "1.1", 200)
        message = '%s - "%s %s HTTP/%s" %d'
        handler.handle(logging.makeLogRecord({"msg": message, "args": given}))
        shown = stream.getvalue()
        assert capsys.readouterr().err == ""
        assert shown.startswith("1.2.3.4:5 GET ")
        assert shown.endswith(f"| {redact_text(message % given)}\n")
    # What is hidden in the message is hidden among the arguments, however short, or like other text, it is.
    for secret, other in (("1", "2"), ("12", "12"), ("S3cr3tq8Zx", 5), (1234, 1234), ("", "")):
        record = logging.makeLogRecord({"msg": "at 12 /?token=%s&page=%s", "args": (secret, other)})
        result = RedactingFilter().filter(record)
        record = record if result is True else result
        shown_args: Any = record.args
        assert len(shown_args) == 2
        assert record.getMessage() == redact_text(f"at 12 /?token={secret}&page={other}")
        assert secret == "" or shown_args[0] == "REDACTED"
    record = logging.makeLogRecord({"msg": "/?token=%(a)s 100%% %(n)d", "args": {"a": "S3cr3tq8Zx", "n": 7}})
    result = RedactingFilter().filter(record)
    record = record if result is True else result
    assert (record.args, record.getMessage()) == ({"a": "REDACTED", "n": 7}, "/?token=REDACTED 100% 7")


@pytest.mark.parametrize("key", ["name", "key"])
def test_labels(key: str) -> None:
    given: list[dict[str, Any]] = [
        {key: "Cookie", "value": "sid=S3"},
        {key: "accept", "value": "*/*"},
        {key: "token", "value": ["S3cr3tq8Zx", 5]},
    ]
    assert redact_values({"headers": given}) == {
        "headers": [{key: "Cookie", "value": "REDACTED"}, given[1], {key: "token", "value": ["REDACTED", "REDACTED"]}]
    }
    stays: list[dict[str, Any]] = [
        {key: "Cookie"},
        {key: 5, "value": "x"},
        {"title": "Cookie", "value": "x"},
        {key: None, "value": 1},
    ]
    for value in stays:
        assert redact_values(value) is value
