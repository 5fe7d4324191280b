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
from collections.abc import Mapping
from copy import copy
from typing import Any, Final
from urllib.parse import quote

from weburl._redact.redact import LogPolicy, find_log_policy
from weburl._redact.text import hidden_spans, redact_text

__all__ = ["RedactingFilter"]


def __dir__() -> list[str]:
    return __all__


HIDDEN: Final = "REDACTED"
# What every record has, and what formatters add. Everything else is from `extra`.
OF_RECORDS: Final = frozenset((*vars(logging.makeLogRecord({})), "message", "asctime", "taskName"))
# Values of these types have no secret, unless their name says so.
PLAIN: Final = (int, float, complex, bool, type(None))
COOKIES: Final = frozenset(("cookie", "setcookie"))
# How deep values are in each other that are looked at one by one. A value that is deeper is looked at as a text.
DEEPEST: Final = 8
# Of a number in a message, with a name.
CONVERSION: Final = re.compile(r"(?<!%)%(\([^)]*\))[#0\- +]*[0-9]*(?:\.[0-9]+)?[hlL]?[diouxXeEfFgGc]")
# How objects of other types are looked at: not at all, as str() shows them, and as repr() does.
AS_THEY_ARE, AS_TEXTS, AS_SOURCE = range(3)
# Since Python 3.12, a filter can give a record in place of another one.
REPLACES: Final = sys.version_info >= (3, 12)
FORMATTER: Final = logging.Formatter()


def with_texts(record: logging.LogRecord) -> str:
    """The message, with arguments formatted as texts."""
    try:
        return str(CONVERSION.sub(r"%\1s", str(record.msg)) % record.args)
    except Exception:
        return HIDDEN


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
    for `weburl.text.redact_text`. The filter never raises, and keeps every record.

    Since Python 3.12, the handler gets a changed copy of a record that has secrets; other handlers get the record as it
    was. Before that, the record itself is changed, so the handlers after this one get it without secrets, too.
    """

    def __init__(self, policy: str | LogPolicy = "logs/1") -> None:
        super().__init__()
        self.policy: LogPolicy = find_log_policy(policy)

    def filter(self, record: logging.LogRecord) -> Any:
        """Whether the record is kept, which it always is; since Python 3.12, the record without its secrets."""
        try:
            changed = self._changes(record)
        except Exception:  # a record that no handler can format, either
            changed = {"msg": HIDDEN, "args": None, "exc_info": None, "exc_text": None, "stack_info": None}
        if not changed:
            return True
        if REPLACES:
            record = copy(record)
        vars(record).update(changed)
        return record if REPLACES else True

    def _changes(self, record: logging.LogRecord) -> dict[str, Any]:
        """The attributes that have secrets, without them."""
        changed = self._message(record)
        changed |= self._exception(record)
        for name, value in list(vars(record).items()):
            if name in ("message", "stack_info"):
                shown = self._value(value, 0)
            elif name in OF_RECORDS:
                continue
            else:
                shown = self._named(name, value, 0)
            if shown is not value:
                changed[name] = shown
        return changed

    def _message(self, record: logging.LogRecord) -> dict[str, Any]:
        """The arguments without secrets; or, if the secret is in no argument alone, the whole message."""
        changed: dict[str, Any] = {}
        message = ""
        for objects in (AS_THEY_ARE, AS_TEXTS):
            changed = self._parts(record, objects)
            again = copy(record) if changed else record
            vars(again).update(changed)
            try:
                message = again.getMessage()
            except Exception:
                try:
                    record.getMessage()
                except Exception:
                    # The handler reports it, with the message and its arguments.
                    return self._parts(record, AS_SOURCE)
                # A number is hidden because of its name: `%(pin)d`.
                message = with_texts(again)
                break
            if redact_text(message, self.policy) == message:
                return changed
        return {"msg": redact_text(message, self.policy), "args": ()}

    def _parts(self, record: logging.LogRecord, objects: int) -> dict[str, Any]:
        changed: dict[str, Any] = {}
        if objects == AS_SOURCE:
            message = self._value(record.msg, 0, objects)
            if message is not record.msg:
                changed["msg"] = message
        given: Any = record.args
        if isinstance(given, tuple):
            shown: Any = tuple([self._value(value, 1, objects) for value in given])
            if any(value is not other for value, other in zip(shown, given, strict=True)):
                changed["args"] = shown
        elif given is not None:
            shown = self._value(given, 0, objects)
            if shown is not given:
                changed["args"] = shown
        return changed

    def _exception(self, record: logging.LogRecord) -> dict[str, Any]:
        """The traceback as a text, if it has secrets: an exception cannot be changed."""
        text = record.exc_text
        if not text and record.exc_info:
            try:
                text = FORMATTER.formatException(record.exc_info)
            except Exception:
                return {}
        if not isinstance(text, str):
            return {}
        shown = redact_text(text, self.policy)
        return {} if shown == text else {"exc_info": None, "exc_text": shown}

    def _value(self, value: Any, depth: int, objects: int = AS_TEXTS) -> Any:
        """The value without its secrets: the same object if it has none."""
        if isinstance(value, PLAIN):
            return value
        shown: Any
        if isinstance(value, str):
            shown = redact_text(value, self.policy)
            return value if shown == value else shown
        if isinstance(value, bytes):
            shown = redact_text(value, self.policy)
            return value if shown == value else shown
        if depth < DEEPEST:
            if isinstance(value, Mapping):
                return self._mapping(value, depth, objects)
            if type(value) is tuple and len(value) == 2 and isinstance(value[0], (str, bytes)):
                name, entry = value
                pair = (self._value(name, depth + 1, objects), self._named(name, entry, depth + 1, objects))
                return value if pair[0] is name and pair[1] is entry else pair
            if type(value) in (list, tuple, set, frozenset):
                entries = [self._value(entry, depth + 1, objects) for entry in value]
                same = all(entry is given for entry, given in zip(entries, value, strict=True))
                return value if same else type(value)(entries)
        for show in (str, repr)[:objects]:
            try:
                text = show(value)
            except Exception:  # then no handler can show it
                continue
            shown = redact_text(text, self.policy)
            if shown != text:
                return shown
        return value

    def _mapping(self, value: Mapping[Any, Any], depth: int, objects: int) -> Mapping[Any, Any]:
        shown = {name: self._named(name, entry, depth + 1, objects) for name, entry in value.items()}
        return value if all(entry is value[name] for name, entry in shown.items()) else shown

    def _named(self, name: Any, value: Any, depth: int, objects: int = AS_TEXTS) -> Any:
        """A value with a name, as in a dict: it can be secret because of the name."""
        if isinstance(name, bytes):
            name = name.decode("latin-1")
        if isinstance(name, str) and isinstance(value, (str, bytes, *PLAIN)) and self._is_secret(name, value):
            return HIDDEN
        return self._value(value, depth, objects)

    def _is_secret(self, name: str, value: str | bytes | complex | None) -> bool:
        text = value.decode("latin-1") if isinstance(value, bytes) else str(value)
        if text in ("", HIDDEN):
            return False
        plain = "".join(filter(str.isalnum, name.lower()))
        if plain in COOKIES and not self.policy.exact_names:
            return True
        try:
            parameter = f"?{quote(name, safe='')}={quote(text, safe='')}"
        except UnicodeEncodeError:  # lone surrogates
            return False
        return any(kind == "name" for _, _, kind in hidden_spans(parameter, self.policy)[1])
