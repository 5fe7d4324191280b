"""Secrets in the records of Python's logging.

>>> import logging, sys
>>> handler = logging.StreamHandler(sys.stdout)
>>> handler.addFilter(RedactingFilter())
>>> logger = logging.getLogger("shop")
>>> logger.addHandler(handler)
>>> logger.warning("GET %s failed", "https://ada:pw@example.com/?token=q8Zx")
GET https://REDACTED:REDACTED@example.com/?token=REDACTED failed
>>> logger.removeHandler(handler)
"""

from __future__ import annotations

import logging
import re
import sys
from collections import deque
from collections.abc import Iterator, Mapping
from copy import copy
from typing import Any, Final, NamedTuple

from weburl._redact.explained import HEADERS, explain_redaction
from weburl._redact.redact import LogPolicy, find_log_policy, redact_text
from weburl._redact.secrets import HIDDEN
from weburl.ext._values import (
    AS_SOURCE,
    AS_TEXTS,
    AS_THEY_ARE,
    DEEPEST,
    ITS_URL,
    MOST_ATTRIBUTES,
    MOST_VALUES,
    PLAIN,
    QUERIES,
    SHORT,
    Values,
    attempt,
    content_of,
    encoded,
    is_container,
    is_pair,
    label_of,
    pairs_of,
    quoted,
    spans_of,
    texts_of,
)

__all__ = ["HiddenValue", "RedactingFilter", "explain_values", "redact_values"]


def __dir__() -> list[str]:
    return __all__


# What every record has, and what formatters add. Everything else is from `extra`.
OF_RECORDS: Final = frozenset((*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"))
# Those that a program chooses, besides the message and its arguments.
TEXTS: Final = ("name", "threadName", "processName", "taskName", "message", "stack_info", "exc_text")
# Of a number in a message, with a name.
CONVERSION: Final = re.compile(r"(?<!%)%(\([^()%]*\))[#0\- +]*+[0-9]*+(?:\.[0-9]++)?[hlL]?[diouxXeEfFgGc]")
# Of any value, also in a message that does not fit its arguments.
PLACE: Final = re.compile(r"%(?:\(([^()%]*)\))?[#0\- +]*+[0-9*]*+(?:\.[0-9*]++)?[hlL]?[a-zA-Z]")
# Since Python 3.12, a filter can give a record in place of another one.
REPLACES: Final = sys.version_info >= (3, 12)
# If a message has more arguments, and a secret that is in none of them alone, no argument stays.
MOST_KEPT: Final = 100
FORMATTER: Final = logging.Formatter()


def with_texts(record: logging.LogRecord) -> str:
    """The message, with arguments formatted as texts."""
    try:
        return str(CONVERSION.sub(r"%\1s", str(record.msg)) % record.args)
    except Exception:
        return HIDDEN


def with_any_arguments(record: logging.LogRecord) -> str:
    """A message that does not fit its arguments, with those that it has a place for, and all of them at its end."""
    given: Any = record.args
    named = dict(given) if isinstance(given, Mapping) else {}
    others = deque(given if isinstance(given, tuple) else ())

    def shown(value: Any) -> str:
        return str(attempt(lambda: str(value), ""))

    def placed(place: re.Match[str]) -> str:
        return shown(named.get(place[1], "") if place[1] is not None else others.popleft() if others else "")

    every = (*others, *named.values())
    return PLACE.sub(placed, str(record.msg)) + "".join(map(shown, every))


class RedactingFilter(logging.Filter):
    """A filter of logging that hides secrets: in messages, their arguments, exceptions, stacks and `extra`.

    >>> import logging, sys
    >>> handler = logging.StreamHandler(sys.stdout)
    >>> handler.addFilter(RedactingFilter())
    >>> logging.getLogger("shop.web").addHandler(handler)
    >>> logging.getLogger("shop.web").warning("GET /?token=%s", "q8Zx")
    GET /?token=REDACTED
    >>> logging.getLogger("shop.web").removeHandler(handler)

    Add it to handlers: a filter of a logger does not see the records of the loggers below it. The policy is the same as
    for `weburl.text.redact_text`. The filter raises only `KeyboardInterrupt`, and keeps every record.

    Since Python 3.12, the handler gets a changed copy of a record that has secrets; other handlers get the record as it
    was. Before that, the record itself is changed, so the handlers after this one get it without secrets, too.
    """

    def __init__(self, policy: str | LogPolicy = "logs/1") -> None:
        super().__init__()
        self.policy: LogPolicy = find_log_policy(policy)

    def filter(self, record: logging.LogRecord) -> Any:
        """Whether the record is kept, which it always is; since Python 3.12, the record without its secrets."""
        changed = self._changes(record)
        if not changed:
            return True
        shown = changed_copy(record, changed) if REPLACES else record
        vars(shown).update(changed)
        return shown if REPLACES else True

    def _changes(self, record: logging.LogRecord) -> dict[str, Any]:
        """The attributes that have secrets, without them. What cannot be read is hidden, and nothing else with it."""
        values = Values(self.policy)
        changed: dict[str, Any] = attempt(lambda: self._message(record, values), {"msg": HIDDEN, "args": None})
        changed |= attempt(lambda: self._exception(record, values), {"exc_info": None, "exc_text": HIDDEN})
        for name, value in vars(record).copy().items():
            if name in changed:
                continue
            if name in TEXTS:
                shown = values.without_secrets(value)
            elif name in OF_RECORDS:
                continue
            else:
                shown = values.without_secrets(value, name)
            if shown is not value:
                changed[name] = shown
        return changed

    def _message(self, record: logging.LogRecord, values: Values) -> dict[str, Any]:
        """The arguments without secrets; or, if the secret is in no argument alone, the whole message."""
        for objects in (AS_THEY_ARE, AS_TEXTS):
            changed = self._parts(record, values, objects)
            again = changed_copy(record, changed) if changed else record
            message = attempt(again.getMessage, None)
            if message is None:
                if attempt(record.getMessage, None) is None:
                    # The handler reports it, with the message and its arguments.
                    return self._misfit(record, values)
                # A number is hidden because of its name: `%(pin)d`.
                message = with_texts(again)
                break
            if redact_text(message, self.policy) == message:
                return changed
        return self._whole(again.args, message)

    def _whole(self, given: Any, message: str) -> dict[str, Any]:
        """The message without its secrets, and as many arguments as before: some formatters read them.

        The message ends with `%.0s` for each argument, which shows nothing of it. An argument stays if no part of it
        was hidden in the message. Otherwise it becomes `REDACTED`.
        """
        shown = redact_text(message, self.policy)

        def kept(value: Any) -> Any:
            text = attempt(lambda: str(value), "") if len(given) <= MOST_KEPT else ""
            return value if text and 0 < message.count(text) == shown.count(text) else HIDDEN

        if not given:
            return {"msg": shown, "args": given}
        template = shown.replace("%", "%%")
        if isinstance(given, Mapping):
            return {"msg": template, "args": {name: kept(value) for name, value in pairs_of(given)}}
        return {"msg": template + "%.0s" * len(given), "args": tuple(map(kept, given))}

    def _misfit(self, record: logging.LogRecord, values: Values) -> dict[str, Any]:
        """Those of a message that does not fit its arguments: without all of them if one may be a secret there."""
        changed = {**self._parts(record, values, AS_SOURCE), "msg": values.without_secrets(record.msg)}
        message = attempt(lambda: with_any_arguments(record), "")
        if redact_text(message, self.policy) != message:
            given: Any = record.args
            is_named = isinstance(given, Mapping)
            changed["args"] = dict.fromkeys(given, HIDDEN) if is_named else (HIDDEN,) * len(given)
        return changed

    def _parts(self, record: logging.LogRecord, values: Values, objects: int) -> dict[str, Any]:
        shown: Any = record.msg
        given: Any = record.args
        if type(shown) is not str:
            shown = values.template(shown) if given else values.without_secrets(shown, objects=objects)
        changed = {} if shown is record.msg else {"msg": shown}
        if isinstance(given, tuple):
            shown = tuple([values.without_secrets(value, objects=objects) for value in given])
            is_same = all(value is other for value, other in zip(shown, given, strict=True))
        else:
            shown = given if given is None else values.without_secrets(given, objects=objects)
            is_same = shown is given
        return changed if is_same else {**changed, "args": shown}

    def _exception(self, record: logging.LogRecord, values: Values) -> dict[str, Any]:
        """The traceback as a text, if it has secrets: an exception cannot be changed."""
        text: Any = record.exc_text
        info: Any = record.exc_info
        if not info:
            return {}
        formatted = FORMATTER.formatException(info)
        secrets = secrets_of_exceptions(info[1], values)
        texts = [text, formatted] if isinstance(text, str) and text else [formatted]
        shown = [redact_text(values.without_these(each, secrets), self.policy) for each in texts]
        return {} if shown == texts else {"exc_info": None, "exc_text": shown[0]}


def changed_copy(record: logging.LogRecord, changed: dict[str, Any]) -> logging.LogRecord:
    # A class of records can have a way to copy that fails.
    other: logging.LogRecord = attempt(lambda: copy(record), None) or logging.makeLogRecord(vars(record))
    vars(other).update(changed)
    return other


def secrets_of_exceptions(first: Any, values: Values) -> list[str]:
    """What a traceback can show of the attributes of exceptions, their causes and their groups."""
    seen: dict[int, Any] = {}
    waiting = [first]
    secrets: list[str] = []
    while waiting:
        each = waiting.pop()
        if not isinstance(each, BaseException) or id(each) in seen:
            continue
        seen[id(each)] = each
        waiting += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            waiting += each.exceptions
        named, longest = values.secrets_of(each)
        text = attempt(lambda each=each: str.__str__(str(each)), "")  # type: ignore[misc]
        secrets += [secret for _, secret in named if len(secret) >= SHORT]
        if len(text) > longest or any(len(secret) < SHORT and secret in text for _, secret in named):
            secrets.append(text)
    return secrets


def redact_values(value: Any, policy: str | LogPolicy = "logs/1") -> Any:
    """The value without its secrets, as `RedactingFilter` hides them: the same object if it has none.

    >>> redact_values({"headers": {"Cookie": ["sid=q8Zx"], "Accept": "*/*"}, "url": "https://example.com/?token=q8Zx"})
    {'headers': {'Cookie': ['REDACTED'], 'Accept': '*/*'}, 'url': 'https://example.com/?token=REDACTED'}

    It looks at texts, bytes, and other objects, in dictionaries, lists, tuples and sets. Names count: in
    `{"password": "q8Zx"}` the value is hidden. What it cannot read becomes `REDACTED`. `explain_values` says why.
    """
    return Values(find_log_policy(policy)).without_secrets(value)


class HiddenValue(NamedTuple):
    """A value that redact_values() hides, or a part of one. It does not hold the secret.

    >>> explain_values({"user": {"password": "q8Zx"}})[0].path
    ('user', 'password')

    `path` is where it is: names of dictionaries, and places in lists. `kind`, `rule` and `source` are those of a
    `weburl.text.Redaction`; `kind` can also be 'object' or 'limit'.
    """

    path: tuple[Any, ...]
    kind: str
    rule: str
    source: str


HiddenValue.path.__doc__ = "Where it is: names of dictionaries, and places in lists, from the outside to the inside."
HiddenValue.kind.__doc__ = "One of the kinds of `weburl.redact.redactions`, or 'object' or 'limit'."
HiddenValue.rule.__doc__ = "The name or the form that was found."
HiddenValue.source.__doc__ = "Where the rule is from, such as an RFC."


def explain_values(value: Any, policy: str | LogPolicy = "logs/1") -> list[HiddenValue]:
    """What redact_values() hides in a value, and why: a `HiddenValue` for each secret, in order.

    >>> for hidden in explain_values({"login": {"password": "q8Zx"}, "urls": ["https://example.com/?token=q8Zx"]}):
    ...     print(hidden)
    HiddenValue(path=('login', 'password'), kind='name', rule='*password*', source='detect-secrets keyword')
    HiddenValue(path=('urls', 0), kind='name', rule='*token', source='RFC 6749')

    A name in a dictionary can have a secret, too. In the path, such a name is without it. The kind is 'object' where an
    object was replaced by its text, and 'limit' where values were too many, or too deep in each other. A dictionary or
    a list that is in the value several times is explained at the first place.
    """
    values = Values(find_log_policy(policy))
    shown = values.without_secrets(value)
    return [*Explanation(values).reasons(value, shown, (), None, ())]


class Explanation:
    """Explanation(values)

    Says why values are hidden, after `values` has looked at all of them: what it knows of them is not looked for again.
    """

    def __init__(self, values: Values) -> None:
        self.values: Values = values
        # The ways through values that are in each other can be more than there is time for.
        self.seen: set[tuple[Any, ...]] = set()

    def reasons(
        self, value: Any, shown: Any, path: tuple[Any, ...], own: str | None, names: tuple[str, ...], name: Any = None
    ) -> Iterator[HiddenValue]:
        if shown is value:
            return
        if is_container(value) and not isinstance(shown, str):
            if (id(value), own, names) not in self.seen:
                self.seen.add((id(value), own, names))
                for place, label, entry, others in self._entries(value, own, names):
                    yield from self._entry(place, label, entry, path, *others)
        else:
            yield from (HiddenValue(path, *reason) for reason in self._reasons(value, own, names, name, len(path)))

    def _entry(
        self,
        place: tuple[Any, ...],
        name: Any,
        entry: Any,
        path: tuple[Any, ...],
        own: str | None,
        names: tuple[str, ...],
    ) -> Iterator[HiddenValue]:
        shown = self.values.named(name, entry, own, names, len(path) + 1, AS_SOURCE)
        if shown is not entry:
            if name is not None:
                name, own, names = self.values.names_with(name, own, names)
            yield from self.reasons(entry, shown, (*path, *place), own, names, name)

    def _entries(
        self, value: Any, own: str | None, names: tuple[str, ...]
    ) -> Iterator[tuple[tuple[Any, ...], Any, Any, tuple[str | None, tuple[str, ...]]]]:
        """Of each entry: the end of its path, its name or None, and what it is; then the names that it is in."""
        if isinstance(value, Mapping):
            pairs = pairs_of(value)
            label = label_of(pairs)
            for name, entry in pairs:
                place = self.values.named(None, name, None, (), 0, AS_SOURCE)
                if place is not name:
                    yield (place,), None, name, (None, ())
                yield (place,), (label if label is not None and name == "value" else name), entry, (None, names)
            return
        given = list(value)
        has_pair = isinstance(value, tuple) and is_pair(value) and not names and self.values.has_pairs
        if has_pair:
            yield (0,), None, given[0], (None, ())
            yield (1,), given[0], given[1], (None, names)
        elif all(map(is_pair, given)):
            for place, (name, entry) in enumerate(given):
                yield (place, 0), None, name, (None, ())
                yield (place, 1), name, entry, (None, names)
        else:
            for place, entry in enumerate(given):
                yield (place,), None, entry, (own, names)

    def _reasons(
        self, value: Any, own: str | None, names: tuple[str, ...], name: Any, depth: int
    ) -> Iterator[tuple[str, str, str]]:
        policy = self.values.policy
        if is_container(value) and (depth > DEEPEST or self.values.left < 0):
            yield "limit", f"more than {DEEPEST} values in each other, or more than {MOST_VALUES:,}", "weburl"
            return
        text: Any = content_of(value) if isinstance(value, (str, bytes, *PLAIN)) else attempt(lambda: str(value), None)
        asked = names if not isinstance(value, PLAIN) else (own,) if own else ()
        hiding = text and next((each for each in reversed(asked) if self.values.is_secret(each, text)), None)
        if hiding:
            yield self._of_name(hiding, text)
            return
        if isinstance(name, str) and name in QUERIES and isinstance(text, str):
            text = f"?{text}"
        found = explain_redaction(text, policy) if text else []
        yield from (redaction[2:] for redaction in found)
        named = [] if isinstance(value, (str, bytes, *PLAIN)) else self._attributes(value, text)
        yield from named
        if not found and not named:
            yield "object", "its text has a secret, or cannot be read", "weburl"

    def _attributes(self, value: Any, text: str | None) -> list[tuple[str, str, str]]:
        """Why attributes of an object are hidden, each once: those that its text shows, or else what repr() shows."""
        self.values.left_in_objects = MOST_VALUES
        secrets, longest = self.values.secrets_of(value)
        names = {encoded(secret): name for name, secret in secrets}
        for text in texts_of(value) if secrets or longest < sys.maxsize else ():
            data = encoded(text)
            found = spans_of(names, data) if len(text) <= longest else None
            if found is None:
                return [("limit", f"more than {MOST_ATTRIBUTES:,} values in an object, or too deep", "weburl")]
            named = {names[data[start:stop]]: data[start:stop] for start, stop in found}
            if named:
                return [self._of_name(name, secret) for name, secret in named.items()]
        return []

    def _of_name(self, name: str, text: str | bytes) -> tuple[str, str, str]:
        if name == ITS_URL:
            return "name", "a part of a URL", "weburl"
        query = f"?{quoted(name)}={quoted(text if isinstance(text, str) else text.decode('latin-1'))}"
        for redaction in explain_redaction(query, self.values.policy_of_names):
            if redaction.kind == "name":
                return redaction[2:]
        return "name", "a name that ends with cookie", HEADERS["cookie"]
