"""RedactingFilter: secrets in values of all types, in all places of a record."""

from __future__ import annotations

import json
import logging
import pickle
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from io import StringIO
from logging.handlers import QueueHandler
from queue import SimpleQueue
from random import Random
from threading import Thread
from types import SimpleNamespace
from typing import Any
from urllib.parse import urlparse, urlsplit

import pytest
from support import value_shapes as shapes

from weburl._redact.redact import find_log_policy
from weburl.ext import _values
from weburl.ext import logging as ext
from weburl.ext.logging import RedactingFilter, explain_values, redact_values

SECRET = "q8Zx3f7a" + "K1vB9mTe5LwR2"
# The text of an array of bytes.
NUMBERS = ", ".join(map(str, SECRET.encode()))
SECRETS = (
    f"https://ada:{SECRET}@h.example/a?token={SECRET}&page=2",
    f"Authorization: Bearer {SECRET}",
    json.dumps({"password": SECRET}),
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0." + SECRET * 2,
)
ALL_TEXTS = shapes.TEXTS | shapes.OBJECTS
ALL_HOLDERS = shapes.HOLDERS | shapes.KEYS


def texts_of(value: Any) -> str:
    """All that formatters could write of a value."""
    shown = [str(value), repr(value), ascii(value), f"{value}"]
    for default in (str, repr):
        with suppress(TypeError, ValueError):  # keys that JSON does not know, or a value within itself
            shown.append(json.dumps(value, default=default))
    return "\n".join(shown)


class Everything(logging.Formatter):
    """Writes the message, the exception, the stack, and all values of `extra`."""

    def format(self, record: logging.LogRecord) -> str:
        extra = [value for name, value in vars(record).items() if name not in ext.OF_RECORDS]
        return "\n".join((super().format(record), *map(texts_of, extra)))


class Replacing(logging.StreamHandler[StringIO]):
    """Takes the record that a filter returns, as handlers do since Python 3.12."""

    def handle(self, record: logging.LogRecord) -> bool:
        for each in self.filters:
            result: Any = each.filter(record)  # type: ignore[union-attr]
            record = result if isinstance(result, logging.LogRecord) else record
        self.emit(record)
        return True


def written(log: Callable[[logging.Logger], Any], filters: int = 1) -> str:
    handler = Replacing(StringIO())
    handler.setFormatter(Everything("%(name)s %(threadName)s %(message)s"))
    for _ in range(filters):
        handler.addFilter(RedactingFilter())
    logger = logging.Logger("shop")
    logger.addHandler(handler)
    log(logger)
    return str(handler.stream.getvalue())


def warned(*arguments: Any, filters: int = 1, **options: Any) -> str:
    return written(lambda logger: logger.warning(*arguments, **options), filters)


class Brace:
    """A message with braces, as in the cookbook of Python's logging."""

    def __init__(self, message: str, *arguments: Any) -> None:
        self.message, self.arguments = message, arguments

    def __str__(self) -> str:
        return self.message.format(*self.arguments)


class Failed(Exception):
    def __init__(self, value: Any) -> None:
        super().__init__("failed")
        self.value = value

    def __str__(self) -> str:
        return f"failed with {self.value}"


def raised(error: BaseException) -> BaseException:
    try:
        raise error
    except BaseException as caught:
        return caught


def caused(error: BaseException) -> BaseException:
    other = ValueError("later")
    other.__cause__ = error
    return raised(other)


def during(error: BaseException) -> BaseException:
    try:
        try:
            raise error
        except BaseException:
            raise ValueError("later")  # noqa: B904
    except ValueError as caught:
        return caught


def grouped(error: Exception) -> BaseException:
    return raised(ExceptionGroup("all", [ExceptionGroup("some", [ValueError(5), error]), KeyError(5)]))


def noted(value: Any) -> BaseException:
    error = ValueError("noted")
    error.add_note(f"for {value} {value!r}")
    return raised(error)


PLACES: dict[str, Callable[[Any, logging.Logger], Any]] = {
    "message": lambda value, logger: logger.warning(value),
    "%s": lambda value, logger: logger.warning("got %s", value),
    "%r": lambda value, logger: logger.warning("got %r of %d", value, 5),
    "%a": lambda value, logger: logger.warning("got %a", value),
    "%(a)s": lambda value, logger: logger.warning("got %(a)s", {"a": value, "b": 5}),
    "%(a)r": lambda value, logger: logger.warning("got %(a)r", {"a": [value]}),
    "a list": lambda value, logger: logger.warning("got %s", [value]),
    "braces": lambda value, logger: logger.warning(Brace("got {0} {0!r}", value)),
    "braces with arguments": lambda value, logger: logger.warning(Brace("got {} of %d", value), 5),
    "extra": lambda value, logger: logger.warning("got", extra={"value": value}),
    "extra, below": lambda value, logger: logger.warning("got", extra={"value": {"a": [value, 5]}}),
    "exception": lambda value, logger: logger.warning("got", exc_info=raised(ValueError(value))),
    "exception's attribute": lambda value, logger: logger.warning("got", exc_info=raised(Failed(value))),
    "cause": lambda value, logger: logger.warning("got", exc_info=caused(Failed(value))),
    "context": lambda value, logger: logger.warning("got", exc_info=during(Failed(value))),
    "group": lambda value, logger: logger.warning("got", exc_info=grouped(Failed(value))),
    "note": lambda value, logger: logger.warning("got", exc_info=noted(value)),
    "exception as an argument": lambda value, logger: logger.warning("got %s", Failed(value)),
    "exception as the message": lambda value, logger: logger.warning(Failed(value)),
    "name": lambda value, logger: logger.handle(logger.makeRecord(str(value), 30, "shop.py", 5, "got", (), None)),
    "stack": lambda value, logger: logger.handle(
        logger.makeRecord("shop", 30, "shop.py", 5, "got", (), None, sinfo=str(value))
    ),
}


def values(random: Random, text: str) -> Iterator[tuple[list[str], Any]]:
    """Values that show a text; and how they were made."""
    while True:
        made = [random.choice([*ALL_TEXTS])]
        value = ALL_TEXTS[made[0]](text)
        for _ in range(random.randrange(4)):
            name = random.choice([*ALL_HOLDERS])
            try:
                value = ALL_HOLDERS[name](value)
            except TypeError:  # it has no hash
                continue
            made.append(name)
        yield made, value


@pytest.mark.parametrize("replaces", [False, True])
@pytest.mark.parametrize("place", PLACES)
def test_texts(place: str, replaces: bool, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(ext, "REPLACES", replaces)
    random = Random(f"{place} {replaces}")
    for secret in SECRETS:
        made_values = values(random, secret)
        for _ in range(60):
            made, value = next(made_values)
            before = texts_of(value)
            text = written(partial(PLACES[place], value), random.randint(1, 2))
            assert SECRET not in text, made
            assert text.strip()
            assert texts_of(value) == before
            assert SECRET not in repr(explain_values(value))
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("place", [place for place in PLACES if place not in ("name", "stack", "note")])
def test_names(place: str, capsys: pytest.CaptureFixture[str]) -> None:
    """The value shows a secret alone: what says so is a name."""
    random = Random(place)
    for kind, value_of in ALL_TEXTS.items():
        for _ in range(12):
            name, inner, outer = (random.choice([*each]) for each in (shapes.NAMES, shapes.HOLDERS, shapes.HOLDERS))
            value = value_of(SECRET)
            if random.random() < 0.5:
                value = shapes.HOLDERS[inner](value)
            value = shapes.NAMES[name](value)
            if random.random() < 0.5:
                value = shapes.HOLDERS[outer](value)
            before = texts_of(value)
            text = written(partial(PLACES[place], value))
            assert not any(secret in text for secret in (SECRET, NUMBERS)), (kind, inner, name, outer)
            assert texts_of(value) == before
            assert SECRET not in repr(explain_values(value))
    assert capsys.readouterr().err == ""


HARMLESS = "https://h.example/a?page=2"


@pytest.mark.parametrize("policy", ["logs", "otel"])
def test_values_without_secrets_stay(policy: str) -> None:
    for value_of in ALL_TEXTS.values():
        for holder in (None, *ALL_HOLDERS.values()):
            value = value_of(HARMLESS)
            with suppress(TypeError):
                value = value if holder is None else holder(value)
            assert redact_values(value, policy) is value


def test_values_that_cannot_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    """They are hidden, and nothing that they raise leaves the filter."""
    for error in shapes.ERRORS:
        for name, value in shapes.unreadable(error(SECRETS[0])).items():
            for holder in (None, *shapes.HOLDERS.values()):
                given = value if holder is None else holder(value)
                try:
                    texts_of(given)
                    can_read = True
                except BaseException:
                    can_read = False
                shown = redact_values(given)
                assert SECRET not in texts_of(shown)
                assert can_read or "REDACTED" in texts_of(shown), (name, holder)
                text = warned("got", extra={"a": given, "b": SECRETS[0]})
                assert SECRET not in text
                assert "REDACTED" in text
                for message in ("%s", "%r", "%a"):
                    text = warned(f"{message} %d", given, 5)
                    assert text.strip()
                    assert SECRET not in text
    assert capsys.readouterr().err == ""


def test_parts_of_urls() -> None:
    """A named tuple of urllib shows a URL in parts."""
    for parse in (urlsplit, urlparse):
        for url in (SECRETS[0], f"https://h/a#token={SECRET}", SECRETS[0].encode()):
            for value in (parse(url), [parse(url)], SimpleNamespace(url=parse(url))):
                assert SECRET in str(value)
                assert SECRET not in texts_of(redact_values(value))
                assert SECRET not in warned("%s", value)
                assert SECRET not in repr(explain_values(value))
                assert explain_values(value)
        stays = parse(HARMLESS)
        assert redact_values(stays) is stays


def test_queries_of_other_types() -> None:
    """As in the scope of ASGI."""
    for kind in (str, shapes.Text, str.encode, bytearray, memoryview):
        query: Any = "token=" + SECRET
        query = kind(query.encode()) if kind in (bytearray, memoryview) else kind(query)
        assert SECRET not in texts_of(redact_values({"scope": {"query_string": query}}))
    plain = {"query_string": b"page=2"}
    assert redact_values(plain) is plain
    assert redact_values({"query_string": b"page=2&token=a"}) == {"query_string": b"page=2&token=REDACTED"}


def test_secrets_that_overlap() -> None:
    """No part of a secret stays because another one, or a rule for texts, hides a part of it."""
    hide = _values.Values(find_log_policy("logs")).without
    random = Random(7)
    for secrets, text, expected in (
        (["abcdef", "defghi"], "<abcdefghi>", "<REDACTED>"),
        (["abcd", "abcdef"], "abcdef abcd", "REDACTED REDACTED"),
        (["bcde", "abcdef"], "abcdef", "REDACTED"),
        (["aaaa"], "aaaaaa b", "REDACTED b"),
        (["password"], '{"password": "q8Zx3f7a"}', '{"REDACTED": "REDACTED"}'),
        ([f"x?token={SECRET}"], f"at x?token={SECRET} y", "at REDACTED y"),
        (["pässword"], "ä pässword ä", "ä REDACTED ä"),
        (["abc"], "xabcx", "REDACTED"),
        (["abc", "wxyz"], "x-wxyz", "x-REDACTED"),
    ):
        assert hide(text, [("pin", secret) for secret in secrets], 10**6) == expected
    for _ in range(500):
        secrets = ["".join(random.choices("ab", k=random.randint(4, 8))) for _ in range(random.randint(1, 6))]
        text = "".join(random.choices("ab-", weights=(5, 5, 1), k=80))
        # Without a model: a character stays only if it is in no secret.
        hidden = {
            place
            for secret in secrets
            for start in range(len(text))
            if text.startswith(secret, start)
            for place in range(start, start + len(secret))
        }
        shown = hide(text, [("pin", secret) for secret in secrets], 10**6)
        kept = "".join(character for place, character in enumerate(text) if place not in hidden)
        assert shown.replace("REDACTED", "") == kept


class Counted(bytes):
    """Bytes that count what is cut out of them, since clocks of machines that others use say little."""

    cut = 0

    def __getitem__(self, place: Any) -> Any:
        found = super().__getitem__(place)
        Counted.cut += len(found) if isinstance(found, bytes) else 1
        return found


@pytest.mark.parametrize("count", [100, 1000, 10_000])
def test_many_secrets_take_no_longer(count: int) -> None:
    random = Random(count)
    size = 200_000
    for secrets in (
        ["sk_live_" + random.randbytes(10).hex() for _ in range(count)],
        ["a" * length + "b" for length in range(3, count + 3)],
        ["a" * length for length in range(4, count + 4)],
    ):
        data = " ".join(random.choices([*secrets, "aaaa", "sk_live_no", "word"], k=count)).encode()
        data = (data * (size // len(data) + 1))[:size] if len(data) < size else data[:size]
        Counted.cut = 0
        _values.spans_of({*map(str.encode, secrets)}, Counted(data))
        assert 0 < Counted.cut <= 40 * size


def test_an_object_with_many_secrets() -> None:
    """Each of them is hidden, and the rest of the text stays."""
    users = [shapes.Bare(f"S3cr3t{number:05}") for number in range(300)]
    shown = redact_values(SimpleNamespace(users=[shapes.Hidden(user.password) for user in users], page="tulip"))
    assert shown.count("REDACTED") == 600
    assert "S3cr3t" not in shown
    assert "tulip" in shown


def test_exceptions_of_many_kinds() -> None:
    """Attributes of exceptions, in their causes and groups, however they are in each other."""
    random = Random(11)
    for _ in range(200):
        error: Any = (
            Failed(random.choice([*shapes.NAMES.values()])(SECRET))
            if random.random() < 0.5
            else (shapes.Refused(SECRET))
        )
        for _ in range(random.randrange(5)):
            error = random.choice([caused, during, grouped])(error)
        if random.random() < 0.3:
            error.add_note("a note")
        if random.random() < 0.3:
            shapes.KEPT.append(error)
            error.__cause__ = ValueError("outer")
            error.__cause__.__context__ = error  # within itself
            if not isinstance(error, (Failed, shapes.Refused)):
                error = shapes.Refused(SECRET)
        text = warned("got", exc_info=error)
        assert SECRET not in text
        assert "Traceback" in text or "Error" in text or "REDACTED" in text
    # The rest of a traceback stays, and an exception with many attributes does not hide it.
    error = shapes.Refused(SECRET)
    error.response = [SimpleNamespace(number=number) for number in range(5000)]
    text = warned("got", exc_info=raised(error))
    assert "in raised" in text
    # Ray adds an attribute to all records, which is shown after it.
    assert "Refused: refused REDACTED\n" in text
    # The pin is too short to look for, so the text of its exception is hidden.
    error = shapes.Refused("ab")
    assert "Refused: REDACTED\n" in warned("got", exc_info=raised(error))
    # A text that was made before says nothing of the exception.
    record = logging.makeLogRecord({"msg": "got", "exc_info": (ValueError, ValueError(SECRETS[0]), None)})
    record.exc_text = "short"
    result = RedactingFilter().filter(record)
    record = result if isinstance(result, logging.LogRecord) else record
    assert (record.exc_info, record.exc_text) == (None, "short")
    # What is no exception.
    for wrong in (5, "a", ("a",), (1, 2, 3)):
        record = logging.makeLogRecord({"msg": "got", "exc_info": wrong})
        result = RedactingFilter().filter(record)
        record = result if isinstance(result, logging.LogRecord) else record
        assert record.exc_text in ("REDACTED", "None", "NoneType: None", None)


class Strict(logging.LogRecord):
    """A record that cannot be copied, and that formats its message with braces."""

    def __copy__(self) -> Any:
        raise ValueError(SECRETS[0])

    __deepcopy__ = __reduce_ex__ = __copy__  # type: ignore[assignment]

    def getMessage(self) -> str:
        return str(self.msg).format(*self.args) if isinstance(self.args, tuple) else str(self.msg)


@pytest.mark.parametrize("replaces", [False, True])
def test_records_of_other_classes(replaces: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ext, "REPLACES", replaces)
    for message, arguments in (("at {}", (SECRETS[0],)), ("/?token={}", (SECRET,)), (SECRETS[1], ())):
        record = Strict("shop", 30, "shop.py", 5, message, arguments, None)
        result: Any = RedactingFilter().filter(record)
        shown = result if isinstance(result, logging.LogRecord) else record
        assert SECRET not in shown.getMessage()
        assert "REDACTED" in shown.getMessage()


def test_queues_with_pickles() -> None:
    queue: SimpleQueue[logging.LogRecord] = SimpleQueue()
    random = Random(5)
    for secret in SECRETS:
        for make in (str, shapes.Text, str.encode, shapes.Point, ValueError, lambda text: {"a": text}):
            value = make(secret)
            handler = QueueHandler(queue)
            handler.addFilter(RedactingFilter())
            logger = logging.Logger("shop")
            logger.addHandler(handler)
            logger.warning(random.choice(("%s", "%r", "%a")), value, extra={"value": value, "password": SECRET})
            got = pickle.loads(pickle.dumps(queue.get()))
            assert SECRET not in texts_of(vars(got))


def test_threads_share_values() -> None:
    """Eight threads log the same values, which stay as they are."""
    random = Random(3)
    made = [next(values(random, secret))[1] for secret in SECRETS for _ in range(20)]
    made = [value for value in made if not isinstance(value, type({}.items()))]
    before = [texts_of(value) for value in made]
    texts: list[str] = []

    def work() -> None:
        for value in made:
            texts.append(warned("%s", value, extra={"value": value}, filters=2))

    threads = [Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(texts) == 8 * len(made)
    assert SECRET not in "".join(texts)
    assert [texts_of(value) for value in made] == before


def test_messages_with_many_arguments() -> None:
    """Each argument is not looked for in a long message."""
    for count in (99, 101):
        given = ("tulip",) * count
        record = logging.makeLogRecord({"msg": "%s " * count + "/?token=%s", "args": (*given, SECRET)})
        result = RedactingFilter().filter(record)
        record = result if isinstance(result, logging.LogRecord) else record
        assert record.getMessage() == "tulip " * count + "/?token=REDACTED"
        assert record.args == (*(given if count == 99 else ("REDACTED",) * count), "REDACTED")
