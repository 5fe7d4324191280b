"""RedactingFilter: no secret in what handlers write, and nothing else changes."""

from __future__ import annotations

import json
import logging
import sys
from collections import OrderedDict, UserList, deque
from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from io import StringIO
from logging.handlers import QueueHandler
from pathlib import Path
from queue import SimpleQueue
from random import Random
from threading import Event, Thread
from typing import Any, NamedTuple
from uuid import UUID

import pytest
from rows import check_examples
from support import log_texts

from weburl import URL
from weburl.ext import _values
from weburl.ext import logging as ext
from weburl.ext.logging import HiddenValue, RedactingFilter, explain_values, redact_values
from weburl.text import redact_text

URL_TEXT = "https://ada:hunter2@h.example/a?token=q8ZxSecret&page=2"
SHOWN = "https://REDACTED:REDACTED@h.example/a?token=REDACTED&page=2"
SECRETS = ("hunter2", "q8ZxSecret")
Log = Callable[..., tuple[str, logging.LogRecord]]


class Kept(logging.StreamHandler[StringIO]):
    """A handler that keeps what it writes, and the last record that it got."""

    record: logging.LogRecord

    def __init__(self, *filters: logging.Filter) -> None:
        super().__init__(StringIO())
        for each in filters:
            self.addFilter(each)

    def emit(self, record: logging.LogRecord) -> None:
        self.record = record
        super().emit(record)

    @property
    def text(self) -> str:
        return self.stream.getvalue()


@pytest.fixture(params=[False, True], ids=["in place", "replaces"])
def log(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Log:
    """Logs with a filter, in both ways that versions of Python allow; gives the text and the record."""
    monkeypatch.setattr(ext, "REPLACES", request.param)

    def run(*arguments: Any, filters: int = 1, policy: str = "logs", **options: Any) -> tuple[str, logging.LogRecord]:
        handler = Kept()
        logger = logging.Logger("shop")
        record = logger.makeRecord("shop", 30, "shop.py", 5, "", (), None)
        logger.addHandler(handler)

        def handle(given: logging.LogRecord) -> None:
            nonlocal record
            for _ in range(filters):
                kept = RedactingFilter(policy).filter(given)
                assert kept
                given = kept if isinstance(kept, logging.LogRecord) else given
            record = given
            handler.emit(given)

        logger.handle = handle  # type: ignore[assignment]
        logger.warning(*arguments, **options)
        return handler.text, record

    return run


class Holder:
    def __str__(self) -> str:
        return f"<{URL_TEXT}>"


class Quiet:
    """Only its repr has a secret."""

    def __str__(self) -> str:
        return "quiet"

    def __repr__(self) -> str:
        return URL_TEXT


class Broken:
    def __str__(self) -> str:
        raise ValueError(URL_TEXT)

    __repr__ = __str__


def test_messages_and_arguments(log: Log) -> None:
    for arguments, text, args in (
        ((f"at {URL_TEXT}",), f"at {SHOWN}\n", ()),
        (("%(password)s %(n)d", {"password": "b", "n": 5}), "REDACTED 5\n", {"password": "REDACTED", "n": 5}),
        (("x %(n)d", {"token": "b", "n": 5}), "x 5\n", {"token": "REDACTED", "n": 5}),
        (("%(pin)05d %(n)3d%%", {"pin": 1234, "n": 5}), "REDACTED 5%\n", {"pin": "REDACTED", "n": 5}),
        (("%(pin)*d", {"pin": 1234}), "", None),
        (("at %s, %d", URL_TEXT, 5), f"at {SHOWN}, 5\n", (SHOWN, 5)),
        (("at %(u)s, %(n)d", {"u": URL_TEXT, "n": 5}), f"at {SHOWN}, 5\n", {"u": SHOWN, "n": 5}),
        (("at /?token=%s&a=%s", "q8ZxSecret", 1), "at /?token=REDACTED&a=1\n", None),
        (("at %s", Holder()), f"at <{SHOWN}>\n", (f"<{SHOWN}>",)),
        (("at %r %s", Quiet(), 1), f"at {SHOWN!r} 1\n", None),
        (("at %s", URL(URL_TEXT)), f"at {SHOWN}\n", (SHOWN,)),
        (("at %s", [URL_TEXT, 1]), f"at ['{SHOWN}', 1]\n", ([SHOWN, 1],)),
        (("pin %s", 5, ), "pin 5\n", (5,)),
        ((URL(URL_TEXT),), f"{SHOWN}\n", ()),
        ((ValueError(URL_TEXT),), f"{SHOWN}\n", ()),
        (("%s", b"/?token=q8ZxSecret"), "b'/?token=REDACTED'\n", (b"/?token=REDACTED",)),
    ):  # fmt: skip
        shown, record = log(*arguments)
        if text.startswith("at 'https"):
            text = f"at {SHOWN} 1\n"
        assert shown == text
        assert record.args == args or args is None


def test_records_without_secrets_are_not_changed(log: Log) -> None:
    class Thing:
        pass

    thing = Thing()
    record = logging.makeLogRecord(
        {"msg": "%s %s", "args": (thing, {"a": [1, "b"]}), "stack_info": "x", "user": {"id": 5, "list": (thing, "a")}}
    )
    before = dict(vars(record))
    assert RedactingFilter().filter(record) is True
    assert {name: value for name, value in vars(record).items() if before[name] is not value} == {}


def test_exceptions(log: Log) -> None:
    try:
        try:
            raise KeyError(URL_TEXT)
        except KeyError as error:
            raise ValueError("later") from error
    except ValueError:
        shown, record = log("failed", exc_info=True)
        assert "ValueError: later" in shown
        assert f"KeyError: '{SHOWN}'" in shown
        assert "q8ZxSecret" not in shown
        assert record.exc_info is None
    other = ValueError("no secret")
    shown, record = log("failed", exc_info=other)
    assert "ValueError: no secret" in shown
    assert record.exc_info is not None
    assert record.exc_info[1] is other
    assert log("failed", exc_info=True)[0] == "failed\nNoneType: None\n"


def test_exceptions_that_were_formatted_before(log: Log) -> None:
    record = logging.makeLogRecord({"msg": "a", "exc_text": f"Traceback {URL_TEXT}", "message": URL_TEXT})
    kept = RedactingFilter().filter(record)
    shown = kept if isinstance(kept, logging.LogRecord) else record
    assert (shown.exc_text, shown.message) == (f"Traceback {SHOWN}", SHOWN)


def test_stacks_and_extra(log: Log) -> None:
    extra = {
        "url": URL(URL_TEXT),
        "request": {"url": URL_TEXT, "headers": {"Authorization": "Bearer q8ZxSecret", "cookie": "a=b", "n": 5}},
        "list": [("cookie", "a=q8ZxSecret"), (b"authorization", b"Bearer q8ZxSecret"), ("a", "b"), URL_TEXT],
        "password": "hunter2",
        "max_tokens": 100,
        "user": "ada",
        "token": 1234,
        "none": None,
    }
    given = json.dumps(extra, default=repr)
    _, record = log("x", extra=extra, stack_info=True)
    assert vars(record)["url"] == SHOWN
    headers = {"Authorization": "REDACTED", "cookie": "REDACTED", "n": 5}
    assert vars(record)["request"] == {"url": SHOWN, "headers": headers}
    assert vars(record)["list"] == [("cookie", "REDACTED"), (b"authorization", "REDACTED"), ("a", "b"), SHOWN]
    assert [vars(record)[name] for name in ("password", "max_tokens", "user", "token", "none")] == [
        "REDACTED", 100, "ada", "REDACTED", None,
    ]  # fmt: skip
    # What the caller passed stays.
    assert json.dumps(extra, default=repr) == given
    stacked = logging.makeLogRecord({"msg": "a", "stack_info": URL_TEXT})
    kept = RedactingFilter().filter(stacked)
    assert (kept if isinstance(kept, logging.LogRecord) else stacked).stack_info == SHOWN


def test_nested_and_recursive_values(log: Log) -> None:
    deep: Any = URL_TEXT
    for _ in range(40):
        deep = [deep]
    loop: list[Any] = [URL_TEXT]
    loop.append(loop)
    _, record = log("x", extra={"deep": deep, "loop": loop, "broken": Broken(), "all": [Broken(), URL_TEXT]})
    assert not any(secret in str(vars(record)[name]) for name in ("deep", "loop") for secret in SECRETS)
    assert vars(record)["all"][1] == SHOWN


@pytest.mark.parametrize(
    "arguments",
    [
        ("%d", URL_TEXT),
        ("%s %s", URL_TEXT),
        ("%(a)s", {"b": URL_TEXT}),
        (URL_TEXT, 5, Quiet()),
        # There is no place for it.
        ("/?token=", SECRETS[1]),
        ("/?page=%s&token=", 5, SECRETS[1]),
        # The name of the secret is in the message, or in another argument.
        ("/?token=%s %d", SECRETS[1], "x"),
        ("/?%s=%s %d", "token", SECRETS[1], "x"),
        ("/?token=%(a)s %(b)d", {"a": SECRETS[1], "b": "x"}),
        ("/?token=%-9.20s %*d", SECRETS[1]),
        ("/?token=%d", SECRETS[1]),
    ],
)
def test_messages_that_cannot_be_formatted(
    log: Log, arguments: tuple[Any, ...], capsys: pytest.CaptureFixture[str]
) -> None:
    """The handler says so, without secrets."""
    shown, record = log(*arguments)
    assert shown == ""
    said = capsys.readouterr().err
    assert "--- Logging error ---" in said
    report = said[said.index("Message:") :] if "Message:" in said else ""
    assert not any(secret in report for secret in SECRETS)
    assert not any(secret in str(record.msg) for secret in SECRETS)


def test_an_argument_that_cannot_be_read_is_hidden(log: Log, capsys: pytest.CaptureFixture[str]) -> None:
    """A report of the handler would have the text of what `__str__` raised."""
    for message, arguments in (("%s", (Broken(),)), ("%r", (Broken(),)), ("%(a)s", ({"a": Broken()},))):
        shown, _ = log(message, *arguments)
        assert shown.strip("'\n") == "REDACTED"
    shown, _ = log("page %s of %s", 5, Broken())
    assert shown == "page 5 of REDACTED\n"
    assert capsys.readouterr().err == ""


def test_names_in_maps_name_their_values() -> None:
    """As in archives of requests, and in events of AWS."""
    for label in ("name", "key"):
        given = [{label: name, "value": "a=S3cr3tq8ZxV"} for name in ("Cookie", "password", "page")]
        shown = redact_values({"headers": given})["headers"]
        assert [entry["value"] for entry in shown] == ["REDACTED", "REDACTED", "a=S3cr3tq8ZxV"]
        assert [entry[label] for entry in shown] == ["Cookie", "password", "page"]


def test_twice(log: Log) -> None:
    for arguments in ((URL_TEXT,), ("%s", URL_TEXT), ("/?token=%s", "a"), ("%(password)s", {"password": "b"})):
        once, record = log(*arguments, extra={"token": "c", "u": URL_TEXT})
        twice, again = log(*arguments, extra={"token": "c", "u": URL_TEXT}, filters=3)
        assert once == twice
        assert [vars(record)[name] for name in ("msg", "args", "token", "u")] == [
            vars(again)[name] for name in ("msg", "args", "token", "u")
        ]


def test_policies(log: Log) -> None:
    assert log(f"{URL_TEXT} sig=1", policy="otel")[0] == (
        "https://REDACTED:REDACTED@h.example/a?token=q8ZxSecret&page=2 sig=1\n"
    )
    _, record = log("x", extra={"token": "a", "cookie": "b", "first_name": "c"}, policy="otel")
    assert (vars(record)["token"], vars(record)["cookie"]) == ("a", "b")
    _, record = log("x", extra={"first_name": "c"}, policy="logs-strict")
    assert vars(record)["first_name"] == "REDACTED"
    with pytest.raises(ValueError, match="logs"):
        RedactingFilter("no policy")


def test_never_raises() -> None:
    """Records that others make, with attributes of any kind."""
    random = Random(1)
    values: list[Any] = [
        None,
        5,
        "a",
        b"\xff",
        Broken(),
        (),
        ("a",),
        {},
        {"a": Broken()},
        [1],
        object(),
        URL_TEXT,
        "\ud800",
        1j,
    ]
    names = ["msg", "args", "exc_info", "exc_text", "stack_info", "message", "name", "extra_name", "token", "\ud800"]
    for _ in range(3000):
        record = logging.makeLogRecord({name: random.choice(values) for name in random.sample(names, 5)})
        kept = RedactingFilter().filter(record)
        assert kept
        shown = kept if isinstance(kept, logging.LogRecord) else record
        for name in ("msg", "exc_text", "stack_info", "message", "extra_name"):
            value = vars(shown).get(name)
            assert not isinstance(value, str) or not any(secret in value for secret in SECRETS)
    del record.msg
    record.args = (1,)
    assert RedactingFilter().filter(record)


def test_handlers() -> None:
    """Which handlers see it: see docs/engines/logging.md."""
    before, filtered, after = Kept(), Kept(RedactingFilter()), Kept()
    logger = logging.Logger("shop")
    for handler in (before, filtered, after):
        logger.addHandler(handler)
    logger.warning("%s", URL_TEXT)
    assert before.text == f"{URL_TEXT}\n"
    assert filtered.text == f"{SHOWN}\n"
    replaces = sys.version_info >= (3, 12)
    assert after.text == (f"{URL_TEXT}\n" if replaces else f"{SHOWN}\n")
    assert (filtered.record is before.record) is not replaces


def test_queues_and_loggers(tmp_path: Path) -> None:
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    logger = logging.Logger("shop")
    handler = QueueHandler(queue)
    handler.addFilter(RedactingFilter())
    logger.addHandler(handler)
    logger.warning("%s", URL_TEXT)
    assert queue.get().getMessage() == SHOWN
    other = Kept()
    logger = logging.Logger("shop")
    logger.addFilter(RedactingFilter())
    logger.addHandler(other)
    logger.warning("%s", URL_TEXT)
    assert other.text == f"{SHOWN}\n"
    # A file, by its configuration.
    file = logging.FileHandler(tmp_path / "a.log", encoding="utf-8")
    file.addFilter(RedactingFilter())
    logger = logging.Logger("shop")
    logger.addHandler(file)
    logger.warning("%s é", URL_TEXT)
    file.close()
    assert (tmp_path / "a.log").read_text("utf-8") == f"{SHOWN} é\n"


def test_logs() -> None:
    """Lines of logs of all formats, as messages and as arguments."""
    for line in log_texts.lines(400, seed=3):
        for arguments in ((line.text.replace("%", "%%"), 1)[:1], ("got %s", line.text)):
            handler = Kept(RedactingFilter())
            logger = logging.Logger("shop")
            logger.addHandler(handler)
            logger.warning(*arguments)
            assert not [secret for secret in line.secrets if secret in handler.text]
        assert handler.text == f"got {redact_text(line.text)}\n"


def test_threads() -> None:
    handler = Kept(RedactingFilter(), RedactingFilter())
    logger = logging.Logger("shop")
    logger.addHandler(handler)

    def work(number: int) -> None:
        for index in range(300):
            logger.warning("%d %d %s", number, index, URL_TEXT, extra={"token": "q8ZxSecret"})

    threads = [Thread(target=work, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    expected = sorted(f"{number} {index} {SHOWN}" for number in range(8) for index in range(300))
    assert sorted(handler.text.splitlines()) == expected


def test_examples() -> None:
    root = logging.getLogger()
    before = root.handlers[:]
    try:
        check_examples("logging")
    finally:
        root.handlers[:] = before


SECRET = "q8Zx" + "3f7aK1vB9m"


def extra_of(value: Any, name: str = "value", policy: str = "logs") -> Any:
    """What a value of `extra` is after the filter; the message stays."""
    record = logging.makeLogRecord({"msg": "hello %s", "args": ("ada",), name: value})
    kept = RedactingFilter(policy).filter(record)
    shown = kept if isinstance(kept, logging.LogRecord) else record
    assert shown.getMessage() == "hello ada"
    return vars(shown)[name]


class Octets(bytes):
    """As hexbytes.HexBytes is."""

    def __bytes__(self) -> bytes:
        raise ValueError


class Jar(Mapping[str, str]):
    """As requests' RequestsCookieJar is: a name can be there for two domains, and then it has no value."""

    def __init__(self, *pairs: tuple[str, str]) -> None:
        self.pairs = pairs

    def __iter__(self) -> Iterator[str]:
        return iter([name for name, _ in self.pairs])

    def __len__(self) -> int:
        return len(self.pairs)

    def __getitem__(self, name: str) -> str:
        values = [value for other, value in self.pairs if name == other]
        if len(values) > 1:
            raise KeyError(name)
        return values[0]

    def items(self) -> Any:
        return list(self.pairs)


class Several(dict[str, list[str]]):
    """As the dictionaries of Werkzeug and Django are: a name has several values, and items() has one of them."""

    def lists(self) -> Any:
        return super().items()

    def items(self) -> Any:
        return [(name, values[-1]) for name, values in super().items()]


class Failing(Mapping[str, str]):
    def __init__(self, error: BaseException) -> None:
        self.error = error

    def _fail(self, *arguments: Any) -> Any:
        raise self.error

    __iter__ = __len__ = __getitem__ = __str__ = __repr__ = _fail


def test_what_cannot_be_read_is_hidden_alone() -> None:
    """One value that fails hides neither the message nor other values, and shows none."""
    errors = (ValueError(), SystemExit(), GeneratorExit(), MemoryError(), RecursionError(), RuntimeError("changed"))
    for error in errors:
        for value in (Failing(error), [1, Failing(error)], {"a": Failing(error)}):
            extra = {"a": value, "url": URL_TEXT, "n": 5, "password": SECRET}
            record = logging.makeLogRecord({"msg": f"at {URL_TEXT}", **extra})
            kept = RedactingFilter().filter(record)
            shown = kept if isinstance(kept, logging.LogRecord) else record
            assert shown.getMessage() == f"at {SHOWN}"
            assert [vars(shown)[name] for name in ("url", "n", "password")] == [SHOWN, 5, "REDACTED"]
            expected = "REDACTED" if isinstance(value, Failing) else type(value)
            assert vars(shown)["a"] == expected or type(vars(shown)["a"]) is expected
            assert "REDACTED" in str(vars(shown)["a"])
        record = logging.makeLogRecord({"msg": Failing(error), "args": (), "url": URL_TEXT})
        kept = RedactingFilter().filter(record)
        assert vars(kept if isinstance(kept, logging.LogRecord) else record)["url"] == SHOWN
    with pytest.raises(KeyboardInterrupt):
        RedactingFilter().filter(logging.makeLogRecord({"a": Failing(KeyboardInterrupt())}))


def test_subclasses_of_bytes() -> None:
    assert extra_of(Octets(URL_TEXT.encode())) == SHOWN.encode()
    assert extra_of([Octets(URL_TEXT.encode())]) == [SHOWN.encode()]
    assert extra_of({"token": Octets(b"\xff")}) == {"token": "REDACTED"}
    plain = [Octets(b"\xff"), {"a": Octets(b"b")}]
    assert extra_of(plain) is plain


def test_names_with_several_values() -> None:
    for one in (Jar(("tag", "1"), ("tag", "2")), Several(tag=["1", "2"]), Several(tag=[])):
        assert extra_of(one) is one
        assert extra_of([one, 5])[0] is one
        assert extra_of([one, URL_TEXT])[0] is one
    expected = {"tag": ["1", "2"], "u": SHOWN, "token": ["REDACTED", "REDACTED"]}
    pairs = (("tag", "1"), ("u", URL_TEXT), ("token", "a"), ("tag", "2"), ("token", "b"))
    assert extra_of(Jar(*pairs)) == expected
    assert extra_of(Several(tag=["1", "2"], u=[URL_TEXT], token=["a", "b"])) == expected
    assert extra_of({URL_TEXT: 1, SHOWN: 2}) == {SHOWN: [1, 2]}


@pytest.mark.parametrize("count", [1, 2, 8, 30])
def test_values_within_themselves(count: int) -> None:
    """Each is looked at once, and a cycle without a secret stays."""
    for kind in (dict, OrderedDict, list, deque):
        for secret in (None, URL_TEXT):
            values: list[Any] = [kind() for _ in range(count)]
            for value in values:
                others = values if isinstance(value, dict) else values * 6
                for index, other in enumerate(others):
                    if isinstance(value, dict):
                        value[f"to{index}"] = other
                    else:
                        value.append(other)
            if secret and isinstance(values[-1], dict):
                values[-1]["u"] = secret
            elif secret:
                values[-1].append(secret)
            # If each were looked at wherever it is, this would not end.
            shown = extra_of(values[0])
            assert (shown is values[0]) is (secret is None)
            assert not secret or not reaches(shown, secret)
            assert not secret or reaches(shown, SHOWN)


def reaches(value: Any, text: str) -> bool:
    seen = {}
    waiting = [value]
    while waiting:
        each = waiting.pop()
        if each == text if isinstance(each, str) else False:
            return True
        if not isinstance(each, str) and isinstance(each, (Mapping, list, tuple, deque)) and id(each) not in seen:
            seen[id(each)] = each
            waiting += [*each, *each.values()] if isinstance(each, Mapping) else each
    return False


def test_values_without_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    class Endless(Jar):
        def items(self) -> Any:
            return [("a", Endless()), ("b", Endless()), ("u", URL_TEXT)]

    monkeypatch.setattr(_values, "MOST_VALUES", 1000)
    shown = extra_of(Endless())
    assert reaches(shown, SHOWN)
    assert not reaches(shown, URL_TEXT)
    big = [{"a": [n]} for n in range(400)]
    assert extra_of(big) is big


class Named:
    def __str__(self) -> str:
        return SECRET


class Header(NamedTuple):
    name: str
    value: str


NAMED_VALUES: list[tuple[Any, Any]] = [
    ({"Authorization": [f"Bearer {SECRET}"], "Cookie": [f"sid={SECRET}"]}, {"Authorization": ["*"], "Cookie": ["*"]}),
    ([["Authorization", f"Bearer {SECRET}"], ["a", "b"]], [["Authorization", "*"], ["a", "b"]]),
    ([[b"authorization", SECRET.encode()]], [[b"authorization", "*"]]),
    ((("Cookie", SECRET),), (("Cookie", "*"),)),
    ({"password": [SECRET], "a": ["b"]}, {"password": ["*"], "a": ["b"]}),
    ({"token": (SECRET, "b")}, {"token": ("*", "*")}),
    ({"token": [[SECRET], {"x": SECRET, "n": 5}]}, {"token": [["*"], {"x": "*", "n": 5}]}),
    ({"environ": {"HTTP_COOKIE": f"sid={SECRET}", "HTTP_AUTHORIZATION": SECRET}},
     {"environ": {"HTTP_COOKIE": "*", "HTTP_AUTHORIZATION": "*"}}),
    ({"request_cookie": SECRET, "x-cookie": SECRET}, {"request_cookie": "*", "x-cookie": "*"}),
    ({"cookies": {"sid": SECRET, "n": 5}}, {"cookies": {"sid": "*", "n": 5}}),
    ({"Set-Cookie": {"a": [SECRET]}}, {"Set-Cookie": {"a": ["*"]}}),
    ({"session_token": UUID(int=5 << 90)}, {"session_token": "*"}),
    ({"otp": Decimal("123456")}, {"otp": "*"}),
    ({"otp": [123456]}, {"otp": ["*"]}),
    ({"password": bytearray(SECRET.encode())}, {"password": "*"}),
    ({"password": memoryview(SECRET.encode())}, {"password": "*"}),
    ({"password": Named()}, {"password": "*"}),
    ({"calls": {URL_TEXT: 200, URL_TEXT.encode(): 1, (URL_TEXT, 1): 2}},
     {"calls": {SHOWN: 200, SHOWN.encode(): 1, (SHOWN, 1): 2}}),
    ({"password": "S\udc80"}, {"password": "*"}),
    ({"\udc80token": SECRET}, {"\udc80token": "*"}),
    (deque([URL_TEXT]), deque([SHOWN])),
    (UserList([{"password": SECRET}]), [{"password": "*"}]),
    ({"password": SECRET, "a": "b"}.items(), [("password", "*"), ("a", "b")]),
    ({"a": URL_TEXT}.values(), [SHOWN]),
    ([Header("Cookie", SECRET)], [("Cookie", "*")]),
]  # fmt: skip


@pytest.mark.parametrize(("value", "expected"), NAMED_VALUES)
def test_secrets_by_name(value: Any, expected: Any) -> None:
    def with_stars(shown: Any) -> Any:
        if isinstance(shown, dict):
            return {name: with_stars(entry) for name, entry in shown.items()}
        if isinstance(shown, (list, tuple)):
            return type(shown)(map(with_stars, shown))
        return "*" if shown == "REDACTED" else shown

    shown = extra_of(value)
    assert with_stars(shown) == expected
    assert extra_of(shown) is shown
    outers: list[Callable[[Any], Any]] = [
        lambda x: [x, 5], lambda x: {"a": x}, lambda x: (5, x), lambda x: [[x], 5], lambda x: {"a": {"b": [x, 5]}},
    ]  # fmt: skip
    for outer_of in outers:
        again = extra_of(outer_of(value))
        assert SECRET not in repr(again)
        wanted: Any = with_stars(outer_of(expected))
        assert with_stars(again) == wanted
    if isinstance(value, dict):
        for name, entry in value.items():
            if name.isidentifier():
                assert with_stars(extra_of(entry, name)) == expected[name]
        # A dictionary as the message.
        record = logging.makeLogRecord({"msg": {"event": "login", **value}, "args": ()})
        kept = RedactingFilter().filter(record)
        made: Any = kept.msg if isinstance(kept, logging.LogRecord) else record.msg
        assert with_stars(made) == {"event": "login", **expected}


HARMLESS: list[Any] = [
    {"fields": ["password", "username"]}, ["password", "b"], {"session": {"theme": "dark", "user": 5}},
    {"state": {"step": "done"}}, {"max_tokens": 5, "tokens": [1, 2]}, {"token": None, "password": ""}, {"cookies": {}},
    {"session": object()}, {"a": Decimal(5), "b": UUID(int=5), "c": bytearray(b"d")}, {"cookie": True, "cookies": 5},
    deque([1]), UserList([1]), {"a": 5}.items(), [Header("a", "b")], {1: {2: {3: (4, frozenset((5,)))}}},
]  # fmt: skip


@pytest.mark.parametrize("value", HARMLESS)
def test_values_that_stay(value: Any) -> None:
    assert extra_of(value) is value
    assert extra_of([value, 5])[0] is value


def test_names_of_threads_and_loggers() -> None:
    names = ("name", "threadName", "processName", "taskName")
    record = logging.makeLogRecord(dict.fromkeys(names, URL_TEXT))
    kept = RedactingFilter().filter(record)
    shown = kept if isinstance(kept, logging.LogRecord) else record
    assert [vars(shown)[name] for name in names] == [SHOWN] * 4


def test_values_that_other_threads_change() -> None:
    """No message is lost, and no secret is shown."""
    shared: dict[str, Any] = {"password": SECRET, "list": [URL_TEXT]}
    stop = Event()

    def change() -> None:
        n = 0
        while not stop.is_set():
            n += 1
            shared[f"key{n % 50}"] = URL_TEXT
            shared.pop(f"key{(n + 25) % 50}", None)
            shared["list"].append(URL_TEXT)
            if n % 50 == 0:
                del shared["list"][1:]  # it always has a secret, so the record always has a copy

    threads = [Thread(target=change) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(300):
            shown = extra_of(shared)
            assert SECRET not in str(shown)
            assert "hunter2" not in str(shown)
    finally:
        stop.set()
        for thread in threads:
            thread.join()


@pytest.mark.parametrize("name", ["query_string", "http.query", "url.query", "http.fragment", "url.fragment"])
def test_queries_without_a_question_mark(name: str) -> None:
    """As in events of Sentry: the name says that the value is a query."""
    event = {
        "request": {"url": "https://h/", name: "token=q8Zx&page=2"},
        "breadcrumbs": [{"data": {name: "token=q8Zx"}}],
    }
    shown = redact_values(event)
    assert shown["request"] == {"url": "https://h/", name: "token=REDACTED&page=2"}
    assert "q8Zx" not in repr(shown)
    assert redact_values(shown) is shown
    clean = {name: "page=2"}
    assert redact_values(clean) is clean
    assert redact_values({"password": {name: "page=2"}}) == {"password": {name: "REDACTED"}}


def nested(random: Random, depth: int) -> Any:
    """A value of dictionaries and lists, with secrets by name, in texts and in names."""
    choice = random.randrange(8 if depth else 4)
    if choice < 4:
        texts = (f"https://u:{SECRET}@h/?token={SECRET}&page=2", "page 2", SECRET, f"Authorization: Bearer {SECRET}", 7)
        return random.choice((*texts, b"sig", None, 1234567))
    names = ("password", "cookie", "page", "X-Api-Key", "url", "pin", f"https://h/?sig={SECRET}", "query_string", "a")
    if choice < 6:
        return {name: nested(random, depth - 1) for name in random.sample(names, random.randint(0, 4))}
    if choice == 6:
        return [[random.choice(names), nested(random, depth - 1)] for _ in range(random.randint(1, 3))]
    return [nested(random, depth - 1) for _ in range(random.randint(0, 4))]


def changed_paths(value: Any, shown: Any, path: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    """Where two values of the same form differ. A name is where its value is."""
    if isinstance(value, dict) and isinstance(shown, dict):
        for (name, entry), (other, after) in zip(value.items(), shown.items(), strict=True):
            if name != other:
                yield (*path, other)
            yield from changed_paths(entry, after, (*path, other))
    elif isinstance(value, list) and isinstance(shown, list):
        for place, (entry, after) in enumerate(zip(value, shown, strict=True)):
            yield from changed_paths(entry, after, (*path, place))
    elif value != shown:
        yield path


@pytest.mark.parametrize("policy", ["logs", "logs-strict", "otel"])
def test_why_values_are_hidden(policy: str) -> None:
    """Each value that is hidden is explained, at its place, and no other."""
    random = Random(policy)
    explained = 0
    for _ in range(2000):
        value = nested(random, 4)
        found = explain_values(value, policy)
        assert {hidden.path for hidden in found} == {*changed_paths(value, redact_values(value, policy), ())}, value
        assert SECRET not in repr(found)
        assert all(hidden.kind and hidden.rule and hidden.source for hidden in found)
        explained += len(found)
    assert explained > 500


def test_rules_of_values() -> None:
    def rules(value: Any) -> list[tuple[str, str, str]]:
        return [hidden[1:] for hidden in explain_values(value)]

    assert rules({"password": b"q8Zx"}) == [("name", "*password*", "detect-secrets keyword")]
    assert rules({"cookies": {"sid": "q8Zx"}}) == [("name", "a name that ends with cookie", "RFC 6265, section 4")]
    assert rules(("token", "q8Zx")) == [("name", "*token", "RFC 6749")]
    assert rules([{"name": "X-Auth-Token", "value": "q8Zx"}]) == [("name", "*token", "RFC 6749")]
    assert rules("X-Vault-Token: q8Zx") == [("name", "a header that ends with vault-token", "Vault API")]
    assert rules({"url.query": "page=2&sig=q8Zx"}) == [("name", "sig", "Azure SAS")]
    assert rules(bytearray(b"/?token=q8Zx")) == [("name", "*token", "RFC 6749")]
    assert rules({"page": 2, "url": "https://h/"}) == []

    class Unreadable:
        def __str__(self) -> str:
            raise ValueError

    assert explain_values([Unreadable()]) == [
        HiddenValue((0,), "object", "its text has a secret, or cannot be read", "weburl")
    ]
    deep: Any = {"page": 2}
    for _ in range(60):
        deep = [deep]
    assert [hidden.kind for hidden in explain_values(deep)] == ["limit"]


def test_explanations_of_values_within_themselves_end() -> None:
    """Also if there are more ways through the values than one could follow."""
    values: list[Any] = [[] for _ in range(30)]
    for each in values:
        each.extend(values)
    values[0].append({"token": "q8Zx"})
    assert [hidden[1:] for hidden in explain_values(values[0])] == [("name", "*token", "RFC 6749")]
    both: Any = [{"token": "q8Zx"}]
    for _ in range(40):
        both = [both, both]
    assert [hidden.path for hidden in explain_values(both)] == [(0,) * 41 + ("token",)]
