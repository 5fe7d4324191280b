"""RedactingFilter: names of attributes and labels, arguments without a place, and formatters that read arguments."""

from __future__ import annotations

import logging
import sys
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from io import StringIO
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from weburl._redact.redact import find_log_policy
from weburl.ext import _values as values
from weburl.ext.logging import RedactingFilter, explain_values, redact_values
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
    assert written("%s", SimpleNamespace(a=1, cookie="sid=1")) == "namespace(a=1, cookie='REDACTED')"
    # Which characters of the text are a short one, nobody knows.
    assert written("%s", Plain(a="x1", pin=1)) == "REDACTED"
    for value in (Login("ada", ""), Plain(a=1, tokens=100), SimpleNamespace(password=None), Silent("tulip")):
        assert redact_values(value) is value
    assert redact_values({"extra": [Login("ada", "S3cr3tq8Zx")]}) == {
        "extra": ["Login(user='ada', password='REDACTED')"]
    }
    # Not shown, so not looked for.
    assert redact_values(Silent("S3cr3tq8Zx"))._password == "S3cr3tq8Zx"


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


@dataclass(slots=True, kw_only=True)
class Slots:
    user: str
    pin: Any


class Below(Slots):
    pass


@dataclass
class Request:
    body: Any


class Own:
    __slots__ = ("__pin", "empty")

    def __init__(self, pin: Any) -> None:
        self.__pin = pin

    def __repr__(self) -> str:
        return f"<{self.__pin}>"


class Pin(NamedTuple):
    user: str
    pin: Any


class Short:
    """Its str() shows less than its repr()."""

    def __init__(self, pin: Any) -> None:
        self.pin = pin

    def __str__(self) -> str:
        return "ada"

    def __repr__(self) -> str:
        return f"Short({self.pin!r})"


HOLDERS: list[Callable[[Any], Any]] = [
    lambda pin: Slots(user="ada", pin=pin), lambda pin: Below(user="ada", pin=pin), Own, Short,
    lambda pin: Pin("ada", pin), lambda pin: SimpleNamespace(pin=pin), lambda pin: Plain(_pin=pin, a=1),
    lambda pin: Request({"pin": pin}), lambda pin: Request([("pin", pin)]), lambda pin: Request({"pin": [pin]}),
    lambda pin: Request([{"name": "pin", "value": pin}]),
]  # fmt: skip
AROUND: list[Callable[[Any], Any]] = [
    Request, lambda value: SimpleNamespace(a=value, b=1), lambda value: Plain(a=value), lambda value: [1, value],
    lambda value: Request([1, value]), lambda value: Request({"a": (value,)}), lambda value: Request(deque([value])),
    lambda value: Request(OrderedDict(a=value)), lambda value: Pin("ada", value),
    lambda value: Slots(user=value, pin=None),
]  # fmt: skip


@pytest.mark.parametrize("make", HOLDERS)
@pytest.mark.parametrize("pin", ["123456", 123456])
def test_attributes_at_any_depth(make: Callable[[Any], Any], pin: Any) -> None:
    for around in AROUND:
        for depth in (0, 1, 2, 3):
            secret, other = make(pin), make("tulip")
            for _ in range(depth):
                secret, other = around(secret), around(other)
            for message in ("%s", "%r"):
                assert "123456" not in written(message, secret), (message, secret)
                assert written(message, other) == message % (other,)
            assert "123456" not in repr(redact_values({"extra": [secret]}))
            hidden = explain_values(secret)
            assert hidden
            assert {each.rule for each in hidden} == {"pin"}
            assert "123456" not in repr(hidden)
            assert explain_values(other) == []
            assert redact_values(other) is other
            again = redact_values(secret)
            assert redact_values(again) is again


def test_attributes_within_themselves_and_of_any_number() -> None:
    ring = SimpleNamespace(pin="123456")
    ring.ring = [ring]
    assert redact_values(ring) == "namespace(pin='REDACTED', ring=[namespace(...)])"
    # Up to the limit each is found; a longer text with more of them is hidden whole.
    for count in (1, 10, 500, 999, 1000, 2000):
        for last in ("pin", "page"):
            many = Plain(**{f"a{i}": 5 for i in range(count)}, **{last: 123456})
            shown = redact_values(many)
            if count >= 1000:
                assert shown == "REDACTED"
                assert [each.kind for each in explain_values(many)] == ["limit"]
            else:
                assert ("123456" in str(shown)) == (last == "page")
    for depth in (1, 29, 90, 3000):
        deep: Any = SimpleNamespace(pin=123456)
        for _ in range(depth):
            deep = [deep]
        assert "123456" not in str(redact_values(SimpleNamespace(deep=deep)))


def test_values_in_objects_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No clock: the values that are looked at for one record are at most those of the limit."""
    looks = 0
    plain = values.Attributes._value

    def count(self: Any, *arguments: Any) -> None:
        nonlocal looks
        looks += 1
        plain(self, *arguments)

    monkeypatch.setattr(values.Attributes, "_value", count)
    monkeypatch.setattr(values, "MOST_VALUES", 5000)
    shared = {f"a{i}": i for i in range(900)}
    redact_values([Request([shared, i]) for i in range(100)])
    assert 4000 < looks <= 5000


def test_nothing_of_an_object_is_called() -> None:
    called = []

    class Lazy(dict):  # type: ignore[type-arg]
        def items(self) -> Any:
            called.append("items")
            return super().items()

    class Working:
        __match_args__ = ("password",)

        def __init__(self) -> None:
            self.lazy = Lazy(a=1)

        @property
        def password(self) -> str:
            called.append("property")
            return "hunter2"

        def __getattr__(self, name: str) -> Any:
            called.append(name)
            raise AttributeError(name)

        def __repr__(self) -> str:
            return "Working"

    value = Request(Working())
    assert values.Values(find_log_policy("logs")).secrets_of(value) == ([], sys.maxsize)
    assert called == []


def test_keys_that_are_urls() -> None:
    for key in ("https://h/?token=q8Zx", "/login?password=hunter2", "ftp://h/password", b"https://h/?token=q8Zx"):
        for count in (3, 2.5, "tulip", Decimal(5)):
            shown = redact_values(Counter({key: count}))
            assert list(shown.values()) == [count], key
            assert redact_values([(key, count)])[0][1] == count
            assert "hunter2" not in repr(shown)
            assert "q8Zx" not in repr(shown)
            assert [hidden.path for hidden in explain_values({key: count})] == (
                [] if "?" not in str(key) else [(next(iter(shown)),)]
            )
    assert redact_values({"/prod/db/password": "hunter2"}) == {"/prod/db/password": "REDACTED"}
