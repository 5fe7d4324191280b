"""What RedactingFilter and the exporters of OpenTelemetry share: secrets in the values of Python.

>>> from weburl._redact.redact import find_log_policy
>>> Values(find_log_policy("logs/1")).without_secrets({"password": "q8Zx", "page": 2})
{'password': 'REDACTED', 'page': 2}
"""

from __future__ import annotations

import sys
from array import array
from collections import Counter, OrderedDict, UserDict, UserList, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, MappingView
from enum import Enum
from functools import lru_cache, partial
from gc import get_referents
from itertools import islice
from json import dumps
from types import (
    CodeType,
    FrameType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    ModuleType,
    TracebackType,
)
from typing import Any, Final
from urllib.parse import ParseResult, ParseResultBytes, SplitResult, SplitResultBytes, quote

from weburl._redact.redact import LogPolicy, hidden, hidden_spans, is_hidden_text, redact_text
from weburl._redact.secrets import HIDDEN

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
# For each byte of a text, how many bytes are compared with secrets.
MOST_COMPARED: Final = 32
# The name of the secrets in the parts of a URL.
ITS_URL: Final = ""
# In place of a value within itself, as repr() shows it.
WITHIN_ITSELF: Final = "..."
# How objects of other types are looked at: not at all, as str() shows them, and as all functions do.
AS_THEY_ARE, AS_TEXTS, AS_SOURCE = range(3)
# Types whose values are what they show.
EXACT: Final = frozenset((str, bytes, *PLAIN))
# Containers that show what they have, and nothing else.
MAPS: Final[tuple[dict[str, Any], ...]] = ({}, OrderedDict())
VIEWS: Final = tuple(type(view) for each in MAPS for view in (each.keys(), each.values(), each.items()))
OWN_TYPES: Final = frozenset((dict, *CONTAINERS, OrderedDict, Counter, UserDict, UserList, *VIEWS))
BUFFERS: Final = (bytearray, memoryview, array)
# What shows other values that it refers to.
HOLDERS: Final = (MappingProxyType, partial)
URL_PARTS: Final = (SplitResult, ParseResult, SplitResultBytes, ParseResultBytes)
# How Python shows texts, numbers, and objects that say nothing else.
SHOWING: Final = ("__str__", "__repr__", "__format__")
PLAIN_SHOWING: Final = frozenset(getattr(kind, show) for kind in (object, type, ModuleType, *EXACT) for show in SHOWING)
# Python's objects that show none of what they refer to.
OPAQUE: Final = frozenset((CodeType, FrameType, FunctionType, ModuleType, TracebackType))
# An object whose values are within themselves more often may show very long texts.
MOST_WITHIN: Final = 16
UNKNOWN: Final = object()


def attempt(function: Callable[[], Any], otherwise: Any) -> Any:
    """What the function returns; what it raises is nothing that a program that logs should end with."""
    try:
        return function()
    except KeyboardInterrupt:
        raise
    except BaseException:
        return otherwise


def is_container(value: Any) -> bool:
    """Whether it is looked at by what is in it. A named tuple is an object, whose attributes have names."""
    return isinstance(value, (Mapping, *SEQUENCES)) and not fields_of(value)


def content_of(value: Any) -> Any:
    """A text, bytes, or the text of a number, whatever the methods of its class say."""
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (bytes, *BUFFERS)):
        return memoryview(value).tobytes()
    kind: Any = next(kind for kind in PLAIN if isinstance(value, kind))
    return kind.__repr__(value)


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


# Names of queries and fragments, whose values have no question mark: those of Sentry, and of OpenTelemetry.
QUERIES: Final = frozenset(("query_string", "http.query", "http.fragment", "url.query", "url.fragment"))


class Values:
    """Values(policy)

    Looks for secrets in the values of one record. Values can be in each other, and within themselves.
    """

    def __init__(self, policy: LogPolicy) -> None:
        self.policy: LogPolicy = policy
        self.policy_of_names: LogPolicy = with_field_names(policy)
        self.left: int = MOST_VALUES
        self.has_pairs: bool = True  # a tuple of two can be a name and its value
        self.visits: int = 0
        self.left_in_objects: int = MOST_VALUES
        self.cuts: bool = False  # a value within itself is replaced
        self.is_within_itself: bool = False  # there was one
        # What was looked at, what it is without secrets, and how many values it shows, those in it several times, too.
        # The value is kept, so that its id is of nothing else.
        self.known: dict[tuple[Any, ...], tuple[Any, Any, int]] = {}
        self.names: dict[str, bool] = {}

    def without_secrets(self, value: Any, name: Any = None, objects: int = AS_SOURCE) -> Any:
        """The value without its secrets: the same object if it has none."""
        shown = self.named(name, value, None, (), 0, objects)
        if self.is_within_itself and shown is not value:
            # It is in its own copy as it was.
            self.cuts = True
            self.known.clear()
            shown = self.named(name, value, None, (), 0, objects)
        self.cuts = self.is_within_itself = False
        return shown

    def template(self, value: Any) -> Any:
        """An object that is a message with arguments: as a text, if it shows secrets that are its attributes."""
        secrets, longest = attempt(lambda: self.secrets_of(value), ([], 0))
        if not secrets and longest == sys.maxsize:
            return value
        text = attempt(lambda: str.__str__(str(value)), None)
        if text is None or len(text) > longest:
            return HIDDEN
        return self.without_these(text, [secret for _, secret in secrets])

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
        if isinstance(name, str) and name in QUERIES and isinstance(value, (str, bytes, *BUFFERS)):
            mark: Any = "?" if isinstance(value, str) else b"?"
            text = mark + content_of(value)
            shown = attempt(lambda: self._value(text, own, names, depth, objects), HIDDEN)
            if shown is not text:
                return shown.removeprefix(mark) if type(shown) is type(mark) else shown
        return attempt(lambda: self._value(value, own, names, depth, objects), HIDDEN)

    def names_with(self, name: Any, own: str | None, names: tuple[str, ...]) -> tuple[Any, str | None, tuple[str, ...]]:
        """The name as a text, and what `own` and `names` are for its value."""
        if type(name) is not str:
            name = text_of_name(name)
        if isinstance(name, str):
            own = name if not is_url(name) and attempt(lambda: self.can_hide(name), True) else None
            if own and own not in names:
                names = (*names, own)[-MOST_NAMES:]
        return name, own, names

    def _value(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        if isinstance(value, (str, bytes, *PLAIN)):
            shown = self._content(value, own, names)
            if shown is not value or type(value) in EXACT or shows_nothing(value):
                return shown
        self.visits += 1
        key = (id(value), own, names, objects)
        if key in self.known:
            _, shown, visits = self.known[key]
            self.visits += visits
            if shown is not UNKNOWN:
                return shown
            self.is_within_itself = True
            return WITHIN_ITSELF if self.cuts else value
        if not self._can_read(1) or depth > DEEPEST:
            return HIDDEN
        self.known[key] = (value, UNKNOWN, MOST_VALUES // MOST_WITHIN)
        shown, visits = HIDDEN, self.visits
        try:
            shown = self._object(value, own, names, depth, objects)
        finally:
            self.known[key] = (value, shown, self.visits - visits)
        return shown

    def _content(self, value: Any, own: str | None, names: tuple[str, ...]) -> Any:
        if isinstance(value, PLAIN):
            # The names of what it is in are not about a number.
            return hidden(content_of(value), self.policy) if own and self.is_secret(own, value) else value
        content: Any = content_of(value)
        if any(self.is_secret(name, content) for name in names):
            return hidden(content, self.policy)
        shown = redact_text(content, self.policy)
        return value if shown == content else shown

    def _object(self, value: Any, own: str | None, names: tuple[str, ...], depth: int, objects: int) -> Any:
        if not is_container(value):
            shown = self._shown(value, names, objects)
            # JSON has the items of a named tuple.
            return self._sequence(value, own, names, depth, objects) if shown is value and fields_of(value) else shown
        visits = self.visits
        if isinstance(value, Mapping):
            shown = self._mapping(value, names, depth, objects)
        else:
            shown = self._sequence(value, own, names, depth, objects)
        if shown is value and type(value) not in OWN_TYPES:
            # What it shows may not be what it has. With values in values, that could take forever.
            is_short = self.visits - visits < MOST_VALUES or not objects
            return self._shown(value, names, objects, is_container=True) if is_short else HIDDEN
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
        kind = type(value) if type(value) in CONTAINERS else tuple if isinstance(value, tuple) else list
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

    def _shown(self, value: Any, names: tuple[str, ...], objects: int, *, is_container: bool = False) -> Any:
        """An object of any other type, by what it shows."""
        if isinstance(value, BUFFERS):
            data = content_of(value)
            if any(self.is_secret(name, data) for name in names) or redact_text(data, self.policy) != data:
                return HIDDEN
        secrets, longest = self.secrets_of(value, names)
        has_secrets = bool(secrets) or longest < sys.maxsize
        has_name = bool(names) and not is_container and not shows_nothing(value)
        if not (objects or has_secrets or has_name):
            return value
        texts = texts_of(value)
        if not texts or (has_name and any(self.is_secret(name, text) for name in names for text in texts)):
            return HIDDEN
        texts = texts if has_secrets or objects == AS_SOURCE else texts[:objects]
        shown = [self.without(text, secrets, longest) for text in texts]
        # What str() shows without a secret stays, if only repr() shows one.
        return value if shown == texts else shown[0]

    def without(self, text: str, secrets: list[tuple[str, str]], longest: int) -> str:
        """The text of an object without what its attributes are, and without other secrets."""
        if len(text) > longest:
            return HIDDEN
        return redact_text(self.without_these(text, [secret for _, secret in secrets]), self.policy)

    def without_these(self, text: str, secrets: list[str]) -> str:
        """The text without these secrets; and if it has one of them, without all others."""
        data = encoded(text)
        found = spans_of({*map(encoded, secrets)}, data)
        if not found:
            return text if found is not None else HIDDEN
        if any(stop - start < SHORT for start, stop in found):
            return HIDDEN
        kept, end = [], 0
        # If the name of a password were hidden before it, the password would not be found.
        others = [(start, stop) for start, stop, _ in hidden_spans(data, self.policy)[1]]
        for start, stop in merged(found + others):
            kept += [data[end:start], encoded(hidden(data[start:stop], self.policy))]
            end = stop
        return b"".join((*kept, data[end:])).decode("utf-8", "surrogatepass")

    def secrets_of(self, value: Any, names: tuple[str, ...] = ()) -> tuple[list[tuple[str, str]], int]:
        """The attributes of an object that are secret by their names: each name, and a text that the object can show.

        Also how long a text of the object can be: a longer one is hidden. An object that shows no attributes has none.
        """
        if shows_nothing(value):
            return [], sys.maxsize
        attributes = Attributes(self)
        attributes.read(value, names)
        self.left_in_objects -= min(self.left_in_objects, MOST_ATTRIBUTES) - max(attributes.left, 0)
        return [*attributes.found], attributes.longest

    def can_hide(self, name: str) -> bool:
        """Whether values with this name can be secret."""
        if name not in self.names:
            find = can_hide if len(name) <= LONGEST_KNOWN else can_hide.__wrapped__
            self.names[name] = find(self.policy, str.__str__(name))
        return self.names[name]

    def is_secret(self, name: str, value: str | bytes | complex | None) -> bool:
        content = content_of(value)
        text = content.decode("latin-1") if isinstance(content, bytes) else content
        if not text or is_hidden_text(text):
            return False
        plain = "".join(filter(str.isalnum, name.lower()))
        if plain.endswith(COOKIES) and not self.policy.exact_names and not isinstance(value, PLAIN):
            return True
        spans = hidden_spans(f"?{quoted(name)}={quoted(text)}", self.policy_of_names)[1]
        return any(kind == "name" for _, _, kind in spans)


@lru_cache(64)
def with_field_names(policy: LogPolicy) -> LogPolicy:
    """A policy for which names of fields are those of parameters, too. It says what is hidden, and writes no hashes."""
    if not policy.field_names:
        return policy
    settings: dict[str, Any] = policy.__reduce__()[1][1]  # type: ignore[assignment]
    return LogPolicy(**{**settings, "secret_names": policy.secret_names | policy.field_names, "key_env": ""})


def text_of_name(name: Any) -> Any:
    """A name of another type, as a text. Numbers and tuples are no names."""
    if isinstance(name, Enum):
        name = name.value
    if isinstance(name, (tuple, *PLAIN)):
        return name
    if isinstance(name, bytes):
        return content_of(name).decode("latin-1")
    return attempt(lambda: str.__str__(name if isinstance(name, str) else str(name)), HIDDEN)


@lru_cache(4096)
def can_hide(policy: LogPolicy, name: str) -> bool:
    """Whether values with this name can be secret. Most records have names that earlier ones had."""
    values = Values(policy)
    return any(values.is_secret(name, each) for each in LIKE_SECRETS)


class Attributes:
    """Attributes(values)

    Collects the secrets in the attributes of an object, also in the values and objects that these have, the nearest
    first. It reads the dictionary of the attributes, the slots, and the items of Python's own containers. It calls no
    property, and no method but those that show a value whose name can be that of a secret.
    """

    def __init__(self, values: Values) -> None:
        self.values: Values = values
        self.left: int = min(values.left_in_objects, MOST_ATTRIBUTES)
        self.longest: int = sys.maxsize
        # Each name, and a text that the object can show.
        self.found: dict[tuple[str, str], None] = {}
        self.known: dict[tuple[Any, ...], Any] = {}
        self.waiting: deque[tuple[Any, str | None, tuple[str, ...], int]] = deque()

    def read(self, value: Any, names: tuple[str, ...]) -> None:
        self.known[id(value), None, names] = value
        read: Callable[[Any, str | None, tuple[str, ...], int], None] = self._parts
        self.waiting.append((value, None, names, 0))
        while self.waiting:
            waiting = self.waiting.popleft()
            if self.left <= 0 or waiting[-1] > DEEPEST_ATTRIBUTE:
                is_deep = waiting[-1] > DEEPEST_ATTRIBUTE
                self.longest = min(self.longest, LONGEST_OF_DEEP if is_deep else LONGEST_OF_MANY)
                continue
            try:
                read(*waiting)
            except KeyboardInterrupt:
                raise
            except BaseException:
                self.longest = LONGEST_OF_DEEP
            read = self._value

    def _value(self, value: Any, own: str | None, names: tuple[str, ...], depth: int) -> None:
        self.left -= 1
        # isinstance() could ask the object.
        kind = type(value)
        if issubclass(kind, (str, bytes, *BUFFERS)):
            self._secret(value, names)
        elif issubclass(kind, PLAIN):
            self._secret(value, (own,) if own else ())
        if kind in EXACT or (id(value), own, names) in self.known:
            return
        self.known[id(value), own, names] = value
        if names and not is_own_container(value) and not shows_nothing(value):
            texts = texts_of(value)
            name = next((each for text in texts if text for each in names if self.values.is_secret(each, text)), None)
            self.found.update(((name, text), None) for text in texts if name and text)
        self._parts(value, own, names, depth)

    def _parts(self, value: Any, own: str | None, names: tuple[str, ...], depth: int) -> None:
        """Lets what is in a value wait: an item of a container, or an attribute of an object."""
        kind = type(value)
        if issubclass(kind, URL_PARTS):
            data, spans = hidden_spans(value.geturl(), self.values.policy)
            self.found.update(((ITS_URL, data[start:stop].decode()), None) for start, stop, _ in spans)
        if depth and issubclass(kind, dict):
            self._pairs(islice(dict.items(value), self.left + 1), names, depth)
        elif depth and is_own_container(value):
            each = next((each for each in (*CONTAINERS, *VIEWS) if issubclass(kind, each)), None)
            items = [*islice(each.__iter__(value), self.left + 1)] if each else get_referents(value)
            if kind is tuple and not names and is_pair(value) and self.values.has_pairs:
                self._pairs([value], names, depth)
            elif all((type(item) in (list, tuple) or fields_of(item)) and is_pair(item) for item in items):
                self._pairs(items, names, depth)
            else:
                self.waiting.extend((item, own, names, depth + 1) for item in items)
        # A class shows no attributes, and has many.
        if not issubclass(kind, type) and not (depth and shows_nothing(value)):
            self._pairs(islice(attributes_of(value).items(), self.left + 1), names, depth)

    def _pairs(self, given: Iterable[Any], names: tuple[str, ...], depth: int) -> None:
        pairs = list(given)
        label = label_of(pairs)
        for name, entry in pairs:
            if not isinstance(name, str):
                self.waiting.append((name, None, (), depth + 1))
            label_or_name = label if label is not None and name == "value" else name
            _, own, others = self.values.names_with(label_or_name, None, names)
            self.waiting.append((entry, own, others, depth + 1))

    def _secret(self, value: Any, names: tuple[str, ...]) -> None:
        name = next((each for each in names if self.values.is_secret(each, value)), None)
        if name is not None:
            self.found.update(((name, form), None) for form in forms_of(content_of(value)))


def is_own_container(value: Any) -> bool:
    """Whether it is a container of Python's, also one of a subclass. A named tuple is an object."""
    return issubclass(type(value), (dict, *CONTAINERS, *VIEWS, *HOLDERS)) and not fields_of(value)


def forms_of(content: str | bytes) -> list[str]:
    """How texts show a secret: as it is, as Python and JSON write it, and in a URL."""
    if isinstance(content, bytes):
        return [repr(content)[2:-1], *forms_of(content.decode("utf-8", "replace"))]
    return [content, repr(content)[1:-1], ascii(content)[1:-1], dumps(content)[1:-1], quoted(content)]


def encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def spans_of(secrets: Collection[bytes], data: bytes) -> list[tuple[int, int]] | None:
    """Where secrets are: of those that begin at a place, the longest. It is None if that takes too long to find out."""
    short = sorted({len(secret) for secret in secrets if 0 < len(secret) < SHORT}, reverse=True)
    starts: dict[bytes, set[int]] = {}
    for secret in secrets:
        if len(secret) >= SHORT:
            starts.setdefault(secret[:SHORT], set()).add(len(secret))
    lengths = {start: [*sorted(sizes, reverse=True), *short] for start, sizes in starts.items()}
    found = []
    left = MOST_COMPARED * len(data)
    for start in range(len(data) if secrets else 0):
        for length in lengths.get(data[start : start + SHORT], short):
            left -= length
            if left < 0:
                return None
            if data[start : start + length] in secrets:
                found.append((start, start + length))
                break
    return found


def merged(spans: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """The spans in order; those that overlap are one."""
    start = stop = 0
    for first, last in sorted(spans):
        if first < stop:
            stop = max(stop, last)
            continue
        if start < stop:
            yield start, stop
        start, stop = first, last
    if start < stop:
        yield start, stop


def texts_of(value: Any) -> list[str]:
    """What str(), repr() and format() show; nothing if one of them cannot be read."""
    kind: Any = type(value)
    shows: list[Callable[[Any], str]] = [str, repr]
    if kind.__module__ in STANDARD:
        shows = [str]
    elif kind.__format__ not in PLAIN_SHOWING:
        shows.append(format)
    texts = [attempt(lambda show=show: str.__str__(show(value)), None) for show in shows]  # type: ignore[misc]
    return [] if None in texts else texts


def shows_nothing(value: Any) -> bool:
    """Whether the texts of an object are those that Python makes for any, which show no attributes."""
    kind: Any = type(value)
    return kind in OPAQUE or all(getattr(kind, show) in PLAIN_SHOWING for show in SHOWING)


def fields_of(value: Any) -> tuple[str, ...]:
    """The names of the items of a named tuple."""
    if type(value) in OWN_TYPES or not issubclass(type(value), tuple):
        return ()
    fields: Any = next((vars(each)["_fields"] for each in type(value).__mro__ if "_fields" in vars(each)), ())
    return fields if isinstance(fields, tuple) else ()


def attributes_of(value: Any) -> dict[str, Any]:
    """The attributes that an object has in its dictionary and in its slots. No property is called."""
    attributes: dict[str, Any] = {}
    if issubclass(type(value), BaseException):
        attributes["args"] = BaseException.args.__get__(value)  # type: ignore[attr-defined]
    elif issubclass(type(value), tuple):
        attributes.update(zip(fields_of(value), tuple.__iter__(value), strict=False))
    for kind in type(value).__mro__[:-1]:  # object has none
        for name, entry in vars(kind).copy().items():
            if type(entry) not in (MemberDescriptorType, GetSetDescriptorType):
                continue
            if name == "__dict__":
                others = attempt(lambda entry=entry: entry.__get__(value), {})  # type: ignore[misc]
                for key, held in dict(others).items():
                    attributes.setdefault(without_class(str(key), value), held)
            elif type(entry) is MemberDescriptorType:
                # A slot that has no value yet has no attribute.
                held = attempt(lambda entry=entry: entry.__get__(value), UNKNOWN)  # type: ignore[misc]
                if held is not UNKNOWN:
                    attributes.setdefault(without_class(name, value), held)
    return attributes


def without_class(name: str, value: Any) -> str:
    """The name of an attribute as it was written: that of `__pin` also has the class that wrote it, or a base of it."""
    owners = (f"_{kind.__name__.lstrip('_')}__" for kind in type(value).__mro__)
    return next((name.removeprefix(owner) for owner in owners if name.startswith(owner)), name)


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
