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
from collections import UserList, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, MappingView
from copy import copy
from functools import lru_cache
from itertools import islice
from types import GetSetDescriptorType, MemberDescriptorType, ModuleType
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from weburl._redact.explained import HEADERS, explain_redaction
from weburl._redact.redact import LogPolicy, find_log_policy
from weburl._redact.secrets import HIDDEN
from weburl._redact.templates import hidden, is_hidden_text
from weburl._redact.text import hidden_spans, redact_text

__all__ = ["HiddenValue", "RedactingFilter", "explain_values", "redact_values"]


def __dir__() -> list[str]:
    return __all__


# What every record has, and what formatters add. Everything else is from `extra`.
OF_RECORDS: Final = frozenset((*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"))
# Those that a program chooses, besides the message and its arguments.
TEXTS: Final = ("name", "threadName", "processName", "taskName", "message", "stack_info")
# Values of these types have no secret, unless their name says so.
PLAIN: Final = (int, float, complex, bool, type(None))
SEQUENCES: Final = (list, tuple, set, frozenset, deque, UserList, MappingView)
# Names whose every text is a cookie end with these words.
COOKIES: Final = ("cookie", "cookies")
# Names in a map for the name of its "value".
LABELS: Final = ("name", "key")
# A name that hides nothing like these hides nothing.
LIKE_SECRETS: Final = ("q8Zx3f7aK1vB9mTe5LwR2", "123456")
# A longer name is not kept for later records.
LONGEST_KNOWN: Final = 64
# How deep values are in each other, and how many are looked at for one record. What is deeper, or more, is hidden.
DEEPEST: Final = 50
MOST_VALUES: Final = 100_000
# How many names a value has: its own, and those of the values that it is in.
MOST_NAMES: Final = 3
# An attribute of an object that is shorter is not looked for in what the object shows: all of that is hidden.
SHORT: Final = 4
# How many values in the attributes of an object are looked at, and how deep. For all objects of one record, MOST_VALUES
# are looked at. If there are more, or deeper ones, the text of the object is hidden if it is longer than this: the text
# that shows them is not short.
MOST_ATTRIBUTES: Final = 1000
DEEPEST_ATTRIBUTE: Final = 30
LONGEST_OF_MANY, LONGEST_OF_DEEP = 1000, 2 * DEEPEST_ATTRIBUTE
# Modules of types whose texts are made without code of a program.
STANDARD: Final = frozenset(("datetime", "decimal", "fractions", "ipaddress", "uuid"))
# Python's own containers, besides dictionaries.
CONTAINERS: Final = (list, tuple, set, frozenset, deque)
# In place of a value within itself, as repr() shows it.
WITHIN_ITSELF: Final = "..."
# Of a number in a message, with a name.
CONVERSION: Final = re.compile(r"(?<!%)%(\([^()%]*\))[#0\- +]*+[0-9]*+(?:\.[0-9]++)?[hlL]?[diouxXeEfFgGc]")
# Of any value, also in a message that does not fit its arguments.
PLACE: Final = re.compile(r"%(?:\(([^()%]*)\))?[#0\- +]*+[0-9*]*+(?:\.[0-9*]++)?[hlL]?[a-zA-Z]")
# How objects of other types are looked at: not at all, as str() shows them, and as repr() does.
AS_THEY_ARE, AS_TEXTS, AS_SOURCE = range(3)
# Since Python 3.12, a filter can give a record in place of another one.
REPLACES: Final = sys.version_info >= (3, 12)
FORMATTER: Final = logging.Formatter()
UNKNOWN: Final = object()


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
        if REPLACES:
            record = copy(record)
        vars(record).update(changed)
        return record if REPLACES else True

    def _changes(self, record: logging.LogRecord) -> dict[str, Any]:
        """The attributes that have secrets, without them. What cannot be read is hidden, and nothing else with it."""
        values = Values(self.policy)
        changed: dict[str, Any] = attempt(lambda: self._message(record, values), {"msg": HIDDEN, "args": None})
        changed |= attempt(lambda: self._exception(record), {"exc_info": None, "exc_text": HIDDEN})
        for name, value in vars(record).copy().items():
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
        changed: dict[str, Any] = {}
        message = ""
        for objects in (AS_THEY_ARE, AS_TEXTS):
            changed = self._parts(record, values, objects)
            again = copy(record) if changed else record
            vars(again).update(changed)
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
        return self._whole(record, message)

    def _whole(self, record: logging.LogRecord, message: str) -> dict[str, Any]:
        """The message without its secrets, and as many arguments as before: some formatters read them.

        The message ends with `%.0s` for each argument, which shows nothing of it. An argument stays if no part of it
        was hidden in the message. Otherwise it becomes `REDACTED`.
        """
        shown, given = redact_text(message, self.policy), record.args

        def kept(value: Any) -> Any:
            text = attempt(lambda: str(value), "")
            return value if text and 0 < message.count(text) == shown.count(text) else HIDDEN

        if not given:
            return {"msg": shown, "args": given}
        template = shown.replace("%", "%%")
        if isinstance(given, Mapping):
            return {"msg": template, "args": {name: kept(value) for name, value in pairs_of(given)}}
        return {"msg": template + "%.0s" * len(given), "args": tuple(map(kept, given))}

    def _misfit(self, record: logging.LogRecord, values: Values) -> dict[str, Any]:
        """Those of a message that does not fit its arguments: without all of them if one may be a secret there."""
        changed = self._parts(record, values, AS_SOURCE)
        message = attempt(lambda: with_any_arguments(record), "")
        if redact_text(message, self.policy) != message:
            given: Any = record.args
            is_named = isinstance(given, Mapping)
            changed["args"] = dict.fromkeys(given, HIDDEN) if is_named else (HIDDEN,) * len(given)
        return changed

    def _parts(self, record: logging.LogRecord, values: Values, objects: int) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        # A message can be a dictionary, too.
        if objects == AS_SOURCE or (not record.args and is_container(record.msg)):
            message = values.without_secrets(record.msg, objects=objects)
            if message is not record.msg:
                changed["msg"] = message
        given: Any = record.args
        if isinstance(given, tuple):
            shown: Any = tuple([values.without_secrets(value, objects=objects) for value in given])
            if any(value is not other for value, other in zip(shown, given, strict=True)):
                changed["args"] = shown
        elif given is not None:
            shown = values.without_secrets(given, objects=objects)
            if shown is not given:
                changed["args"] = shown
        return changed

    def _exception(self, record: logging.LogRecord) -> dict[str, Any]:
        """The traceback as a text, if it has secrets: an exception cannot be changed."""
        text = record.exc_text
        if not text and record.exc_info:
            info: Any = record.exc_info
            text = attempt(lambda: FORMATTER.formatException(info), None)
        if not isinstance(text, str):
            return {}
        shown = redact_text(text, self.policy)
        return {} if shown == text else {"exc_info": None, "exc_text": shown}


def attempt(function: Callable[[], Any], otherwise: Any) -> Any:
    """What the function returns; what it raises is nothing that a program that logs should end with."""
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return otherwise


def is_container(value: Any) -> bool:
    return isinstance(value, (Mapping, *SEQUENCES))


def is_pair(value: Any) -> bool:
    # A named tuple is one if its fields are those of a name and a value.
    is_two = isinstance(value, (list, tuple)) and len(value) == 2 and getattr(value, "_fields", LABELS)[0] in LABELS
    return is_two and isinstance(value[0], (str, bytes))


def pairs_of(value: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    """The names and values: all of them, also if a name has several, as in the dictionaries of web frameworks."""
    if type(value) is dict:
        return list(value.copy().items())  # another thread may change it
    for several in ("multi_items", "lists"):
        if callable(getattr(type(value), several, None)):
            pairs = list(getattr(value, several)())
            return pairs if several != "lists" else [(name, entry) for name, entries in pairs for entry in entries]
    return list(value.items())


def mapping_of(pairs: Iterable[tuple[Any, Any]]) -> dict[Any, Any]:
    """A dictionary in which a name that has several values has a list of them."""
    entries: dict[Any, list[Any]] = {}
    for name, entry in pairs:
        entries.setdefault(name, []).append(entry)
    return {name: several if len(several) > 1 else several[0] for name, several in entries.items()}


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


# Names of queries and fragments, whose values have no question mark: those of Sentry, and of OpenTelemetry.
QUERIES: Final = frozenset(("query_string", "http.query", "http.fragment", "url.query", "url.fragment"))


class Values:
    """Values(policy)

    Looks for secrets in the values of one record. Values can be in each other, and within themselves.
    """

    def __init__(self, policy: LogPolicy) -> None:
        self.policy: LogPolicy = policy
        self.left: int = MOST_VALUES
        self.has_pairs: bool = True  # a tuple of two can be a name and its value
        self.visits: int = 0
        self.left_in_objects: int = MOST_VALUES
        self.cuts: bool = False  # a value within itself is replaced
        self.is_within_itself: bool = False  # there was one
        # What was looked at, and what it is without secrets. It is kept, so that its id is of nothing else.
        self.known: dict[tuple[Any, ...], tuple[Any, Any]] = {}
        self.names: dict[str, bool] = {}

    def without_secrets(self, value: Any, name: Any = None, objects: int = AS_TEXTS) -> Any:
        """The value without its secrets: the same object if it has none."""
        shown = self.named(name, value, None, (), 0, objects)
        if self.is_within_itself and shown is not value:
            # It is in its own copy as it was.
            self.cuts = True
            self.known.clear()
            shown = self.named(name, value, None, (), 0, objects)
        self.cuts = self.is_within_itself = False
        return shown

    def _can_read(self, count: int) -> bool:
        """Counts values that are to be read. It is false when they are too many."""
        self.left -= count
        return self.left >= 0

    def named(self, name: Any, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        """A value with a name, as in a dict: it can be secret because of that, and what is in it can be.

        `own` is the name of the list that it is in, and `names` are those of all that it is in.
        """
        if name is not None:
            name, own, names = self.names_with(name, own, names)
        if isinstance(name, str) and name in QUERIES and type(value) is str:
            text = f"?{value}"
            shown = attempt(lambda: self._value(text, own, names, depth, objects), HIDDEN)
            return value if shown == text else shown.removeprefix("?")
        return attempt(lambda: self._value(value, own, names, depth, objects), HIDDEN)

    def names_with(self, name: Any, own: str | None, names: tuple[str, ...]) -> tuple[Any, str | None, tuple[str, ...]]:
        """The name as a text, and what `own` and `names` are for its value."""
        if isinstance(name, bytes):
            name = bytes(memoryview(name)).decode("latin-1")
        if isinstance(name, str):
            own = name if not is_url(name) and attempt(lambda: self.can_hide(name), True) else None
            if own and own not in names:
                names = (*names, own)[-MOST_NAMES:]
        return name, own, names

    def _value(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        if isinstance(value, PLAIN):
            # The names of what it is in are not about a number.
            return hidden(str(value), self.policy) if own and self.is_secret(own, value) else value
        if isinstance(value, (str, bytes)):
            text: Any = str.__str__(value) if isinstance(value, str) else bytes(memoryview(value))
            if any(self.is_secret(name, text) for name in names):
                return hidden(text, self.policy)
            shown = redact_text(text, self.policy)
            return value if shown == text else shown
        self.visits += 1
        key = (id(value), own, names, objects)
        if key in self.known:
            shown = self.known[key][1]
            if shown is not UNKNOWN:
                return shown
            self.is_within_itself = True
            return WITHIN_ITSELF if self.cuts else value
        if not self._can_read(1) or depth > DEEPEST:
            return HIDDEN
        self.known[key] = (value, UNKNOWN)
        shown = HIDDEN
        try:
            shown = self._object(value, own, names, depth, objects)
        finally:
            self.known[key] = (value, shown)
        return shown

    def _object(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        visits = self.visits
        if isinstance(value, Mapping):
            shown = self._mapping(value, names, depth, objects)
        elif isinstance(value, SEQUENCES):
            shown = self._sequence(value, own, names, depth, objects)
        else:
            return self._shown(value, names, objects)
        if shown is value and type(value) not in (dict, *SEQUENCES) and visits == self.visits:
            # What it shows may not be what it has. With values in values, that could take forever.
            return self._shown(value, (), objects)
        return shown

    def _mapping(self, value: Mapping[Any, Any], names: tuple[str, ...], depth: int, objects: int) -> Any:
        pairs = pairs_of(value)
        label = label_of(pairs)
        shown = []
        for name, entry in pairs:
            other = self.named(None, name, None, (), depth + 1, objects)
            own = label if label is not None and name == "value" else name
            shown.append((other, self.named(own, entry, None, names, depth + 1, objects)))
        return value if same(shown, pairs) else mapping_of(shown)

    def _sequence(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        given = list(value)  # another thread may change it
        kind = type(value) if type(value) in SEQUENCES[:5] else tuple if isinstance(value, tuple) else list
        shown: list[Any]
        if kind is tuple and is_pair(value) and not names and self.has_pairs:
            shown = list(self._pair(value, names, depth, objects))
        elif all(map(is_pair, given)):
            shown = []
            for pair in given:
                entry = self._pair(pair, names, depth + 1, objects)
                shown.append(pair if same([entry], [pair]) else list(entry) if type(pair) is list else entry)
        else:
            shown = [self.named(None, entry, own, names, depth + 1, objects) for entry in given]
        return value if all(entry is other for entry, other in zip(shown, given, strict=True)) else kind(shown)

    def _pair(self, pair: Any, names: tuple[str, ...], depth: int, objects: int) -> tuple[Any, Any]:
        name, entry = pair
        shown = self.named(None, name, None, (), depth + 1, objects)
        return shown, self.named(name, entry, None, names, depth + 1, objects)

    def _shown(self, value: Any, names: tuple[str, ...], objects: int) -> Any:
        """An object of any other type, by what it shows."""
        if isinstance(value, (bytearray, memoryview)):
            data = bytes(value)
            if any(self.is_secret(name, data) for name in names) or redact_text(data, self.policy) != data:
                return HIDDEN
            return value
        kind: Any = type(value)
        if names and (kind.__str__ is not object.__str__ or kind.__repr__ is not object.__repr__):
            text = attempt(lambda: str.__str__(str(value)), None)
            if text is None or any(self.is_secret(name, text) for name in names):
                return HIDDEN
        secrets, longest = self.secrets_of(value)
        for show in (str, repr)[: 2 if secrets or longest < sys.maxsize else objects]:
            text = attempt(lambda show=show: str.__str__(show(value)), None)  # type: ignore[misc]
            if text is None:
                return HIDDEN
            shown = self._without(redact_text(text, self.policy), secrets, longest)
            if show is str:
                of_str = shown
            if shown != text:
                # What str() shows without a secret stays, if only repr() shows one.
                return of_str
        return value

    def _without(self, text: str, secrets: list[tuple[str, str]], longest: int) -> str:
        """The text of an object without what its attributes are."""
        if len(text) > longest:
            return HIDDEN
        for _, secret in secrets:
            if len(secret) < SHORT and secret in text:
                return HIDDEN
            text = text.replace(secret, hidden(secret, self.policy))
        return text

    def secrets_of(self, value: Any) -> tuple[list[tuple[str, str]], int]:
        """The attributes of an object that are secret by their names: each name, and a text that the object can show.

        Also how long a text of the object can be: a longer one is hidden. An object that shows no attributes has none.
        """
        if shows_nothing(value):
            return [], sys.maxsize
        attributes = Attributes(self)
        attempt(lambda: attributes.read(value), None)
        self.left_in_objects = max(self.left_in_objects - MOST_ATTRIBUTES + attributes.left, 0)
        return sorted(attributes.found, key=lambda pair: len(pair[1]), reverse=True), attributes.longest

    def can_hide(self, name: str) -> bool:
        """Whether values with this name can be secret."""
        if name not in self.names:
            find = can_hide if len(name) <= LONGEST_KNOWN else can_hide.__wrapped__
            self.names[name] = find(self.policy, str.__str__(name))
        return self.names[name]

    def is_secret(self, name: str, value: str | bytes | complex | None) -> bool:
        text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
        if not text or is_hidden_text(text):
            return False
        plain = "".join(filter(str.isalnum, name.lower()))
        if plain.endswith(COOKIES) and not self.policy.exact_names and isinstance(value, (str, bytes)):
            return True
        return any(kind == "name" for _, _, kind in hidden_spans(f"?{quoted(name)}={quoted(text)}", self.policy)[1])


@lru_cache(4096)
def can_hide(policy: LogPolicy, name: str) -> bool:
    """Whether values with this name can be secret. Most records have names that earlier ones had."""
    values = Values(policy)
    return any(values.is_secret(name, each) for each in LIKE_SECRETS)


class Attributes(Values):
    """Attributes(values)

    Collects the secrets in the attributes of an object, also in the values and objects that these have. It calls
    no property and no method of an object. It reads the dictionary of its attributes, its slots, and the items of
    Python's own containers.
    """

    def __init__(self, values: Values) -> None:
        super().__init__(values.policy)
        self.names: dict[str, bool] = values.names
        self.left: int = min(values.left_in_objects, MOST_ATTRIBUTES)
        self.longest: int = sys.maxsize
        self.found: dict[tuple[str, str], None] = {}

    def read(self, value: Any) -> None:
        self.known[id(value), None, (), AS_THEY_ARE] = (value, value)
        self._mapping(attributes_of(value), (), 0, AS_THEY_ARE)

    def _value(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        # Nothing is changed, so what is returned does not count.
        if self.left <= 0 or depth > DEEPEST_ATTRIBUTE:
            self.longest = min(self.longest, LONGEST_OF_DEEP if depth > DEEPEST_ATTRIBUTE else LONGEST_OF_MANY)
            return value
        self.left -= 1
        # isinstance() could ask the object.
        kind = type(value)
        if issubclass(kind, (str, bytes, *PLAIN)) or kind.__module__ in STANDARD:
            self._text(value, (own,) if own and issubclass(kind, PLAIN) else names)
        elif (id(value), own, names, objects) not in self.known:
            self.known[id(value), own, names, objects] = (value, value)
            try:
                if issubclass(kind, dict):
                    self._mapping(dict(islice(dict.items(value), self.left + 1)), names, depth, objects)
                elif issubclass(kind, CONTAINERS) and not fields_of(value):
                    self._items(value, own, names, depth, objects)
                elif not shows_nothing(value):
                    self._mapping(attributes_of(value), names, depth, objects)
            except BaseException:
                self.longest = LONGEST_OF_DEEP
                raise
        return value

    def _mapping(self, value: Mapping[Any, Any], names: tuple[str, ...], depth: int, objects: int) -> Any:
        pairs = list(value.items())
        label = label_of(pairs)
        for name, entry in pairs:
            if not isinstance(name, str):
                self.named(None, name, None, (), depth + 1, objects)
            own = label if label is not None and name == "value" else name
            self.named(own, entry, None, names, depth + 1, objects)
        return value

    def _items(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> None:
        kind = next(each for each in CONTAINERS if issubclass(type(value), each))
        items: list[Any] = list(islice(kind.__iter__(value), self.left + 1))
        if all(type(item) in (list, tuple) or fields_of(item) for item in items) or type(value) is tuple:
            self._sequence(tuple(items) if kind is tuple else items, own, names, depth, objects)
        else:
            for item in items:
                self.named(None, item, own, names, depth + 1, objects)

    def _text(self, value: Any, names: tuple[str, ...]) -> None:
        text = bytes(memoryview(value)) if isinstance(value, bytes) else attempt(lambda: str.__str__(str(value)), "")
        name = next((each for each in names if self.is_secret(each, text)), None)
        if name is None:
            return
        if isinstance(value, (str, bytes)):
            self.found[name, repr(text)[1 + isinstance(value, bytes) : -1]] = None
        if isinstance(text, str):
            self.found[name, text] = None


def shows_nothing(value: Any) -> bool:
    """Whether the texts of an object are those that Python makes for any, which show no attributes."""
    kind: Any = type(value)
    is_plain = kind.__str__ is object.__str__ and kind.__repr__ is object.__repr__
    return is_plain or issubclass(kind, (type, ModuleType))


def fields_of(value: Any) -> tuple[str, ...]:
    """The names of the items of a named tuple."""
    fields: Any = next((vars(each)["_fields"] for each in type(value).__mro__ if "_fields" in vars(each)), ())
    return fields if issubclass(type(value), tuple) and isinstance(fields, tuple) else ()


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object has in its dictionary and in its slots. No property is called."""
    attributes: dict[str, Any] = {}
    if issubclass(type(value), tuple):
        attributes.update(zip(fields_of(value), tuple.__iter__(value), strict=False))
    for kind in type(value).__mro__[:-1]:  # object has none
        for name, entry in vars(kind).copy().items():
            if type(entry) is MemberDescriptorType:
                # A slot that has no value yet has no attribute.
                held = attempt(lambda entry=entry: entry.__get__(value), UNKNOWN)  # type: ignore[misc]
                if held is not UNKNOWN:
                    attributes.setdefault(name.removeprefix(f"_{kind.__name__.lstrip('_')}__"), held)
            elif name == "__dict__" and type(entry) is GetSetDescriptorType:
                others = attempt(lambda entry=entry: entry.__get__(value), {})  # type: ignore[misc]
                own = f"_{type(value).__name__.lstrip('_')}__"
                for key, held in dict(others).items():
                    attributes.setdefault(str(key).removeprefix(own), held)
    return attributes


def quoted(text: str) -> str:
    # A lone surrogate is three bytes that are no character.
    return quote(text, safe="", errors="surrogatepass")


def is_url(name: str) -> bool:
    """Whether a key is a URL, or a path with a query: it does not name its value."""
    return "://" in name or "=" in name.partition("?")[2]


def label_of(pairs: list[tuple[Any, Any]]) -> Any:
    """The name of the `value` in a map such as `{"name": "cookie", "value": "q8Zx"}`."""
    return next((entry for name, entry in pairs if name in LABELS and isinstance(entry, (str, bytes))), None)


def same(pairs: list[tuple[Any, Any]], others: Iterable[Any]) -> bool:
    return all(name is first and entry is second for (name, entry), (first, second) in zip(pairs, others, strict=True))


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
        shown = self.values.named(name, entry, own, names, len(path) + 1, AS_TEXTS)
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
                place = self.values.named(None, name, None, (), 0, AS_TEXTS)
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
        text: Any = value if isinstance(value, (str, bytes)) else attempt(lambda: str(value), None)
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
        for shown in (
            (text, attempt(lambda: str.__str__(repr(value)), None)) if secrets or longest < sys.maxsize else ()
        ):
            if isinstance(shown, str) and len(shown) > longest:
                return [("limit", f"more than {MOST_ATTRIBUTES:,} values in an object, or too deep", "weburl")]
            rest = redact_text(shown, self.values.policy) if isinstance(shown, str) else ""
            named: dict[str, tuple[str, str, str]] = {}
            for name, secret in secrets:
                if secret in rest:
                    named.setdefault(name, self._of_name(name, secret))
                    rest = rest.replace(secret, HIDDEN)
            if named or rest != shown:
                return list(named.values())
        return []

    def _of_name(self, name: str, text: str | bytes) -> tuple[str, str, str]:
        query = f"?{quoted(name)}={quoted(text if isinstance(text, str) else text.decode('latin-1'))}"
        for redaction in explain_redaction(query, self.values.policy):
            if redaction.kind == "name":
                return redaction[2:]
        return "name", "a name that ends with cookie", HEADERS["cookie"]
