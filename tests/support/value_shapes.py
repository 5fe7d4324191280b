"""Objects of many types that show a text, and what can hold them: for tests of what logs hide."""

from __future__ import annotations

import sys
import weakref
from array import array
from collections import ChainMap, Counter, OrderedDict, UserDict, UserList, UserString, defaultdict, deque
from collections.abc import Callable, Iterator, KeysView, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum, IntEnum, StrEnum
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import Any, NamedTuple

Shape = Callable[[str], Any]
# The type of characters in an array.
CHARACTERS: Any = "w" if sys.version_info >= (3, 13) else "u"


class Text(str):
    """A str that has nothing of its own."""


class Shows:
    """An object that shows a text in some ways, and a harmless one in the others."""

    def __init__(self, text: str, *ways: str) -> None:
        self._shown = {way: lambda: text for way in ways}

    def __str__(self) -> str:
        return self._shown.get("str", lambda: "shows")()

    def __repr__(self) -> str:
        return self._shown.get("repr", lambda: "<shows>")()

    def __format__(self, spec: str) -> str:
        return self._shown.get("format", lambda: "shown")()


class Lazy:
    """As translated texts are: the text is made when it is asked for."""

    def __init__(self, make: Callable[[], str]) -> None:
        self._make = make

    def __str__(self) -> str:
        return self._make()

    __repr__ = __str__


@dataclass
class Point:
    a: Any
    b: Any = 5


@dataclass(slots=True)
class Slots:
    a: Any
    b: Any = 5


class Pair(NamedTuple):
    a: Any
    b: Any = 5


class Whole(int):
    shown: str

    def __str__(self) -> str:
        return self.shown

    __repr__ = __str__


class Real(float):
    shown: str

    def __str__(self) -> str:
        return self.shown

    __repr__ = __str__


class Titled(str):
    """A str with another text."""

    shown: str

    def __str__(self) -> str:
        return self.shown

    __repr__ = __str__


class Listed(list[Any]):
    """A list that shows more than what is in it."""

    shown: Any

    def __repr__(self) -> str:
        return f"{super().__repr__()} and {self.shown}"


class Mapped(dict[str, Any]):
    shown: Any

    def __repr__(self) -> str:
        return f"{super().__repr__()} and {self.shown}"


class Steps(Sequence[Any]):
    def __init__(self, *items: Any) -> None:
        self.items = items

    def __getitem__(self, place: Any) -> Any:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        return f"Steps{self.items}"


class Table(Mapping[str, Any]):
    def __init__(self, **entries: Any) -> None:
        self.entries = entries

    def __getitem__(self, name: str) -> Any:
        return self.entries[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def __repr__(self) -> str:
        return f"Table({self.entries})"


class Named(type):
    shown: str

    def __repr__(cls) -> str:
        return cls.shown


def with_shown(value: Any, text: Any) -> Any:
    value.shown = text
    return value


def raises(error: BaseException) -> Any:
    def method(self: Any, *arguments: Any) -> Any:
        raise error

    return method


def grouped(text: str) -> ExceptionGroup:
    return ExceptionGroup("several", [ValueError(text), KeyError(5)])


KEPT: list[Any] = []


def proxy_of(text: str) -> Any:
    KEPT[:] = [*KEPT[-100:], Lazy(lambda: text)]
    return weakref.proxy(KEPT[-1])


# Texts of other types.
TEXTS: dict[str, Shape] = {
    "str": str,
    "str subclass": Text,
    "StrEnum": lambda text: StrEnum("S", {"A": text}).A,  # type: ignore[attr-defined]
    "str and Enum": lambda text: Enum("S", {"A": text}, type=str).A,  # type: ignore[attr-defined]
    "UserString": UserString,
    "bytes": str.encode,
    "bytes subclass": lambda text: type("Octets", (bytes,), {})(text.encode()),
    "bytearray": lambda text: bytearray(text.encode()),
    "memoryview": lambda text: memoryview(text.encode()),
    "array of characters": lambda text: array(CHARACTERS, text),
    "array of bytes": lambda text: array("B", text.encode()),
}
# What shows a text.
OBJECTS: dict[str, Shape] = {
    "str with another text": lambda text: with_shown(Titled("title"), text),
    "int": lambda text: with_shown(Whole(5), text),
    "float": lambda text: with_shown(Real(5), text),
    "IntEnum": lambda text: IntEnum("N", {"A": 5}, type=type("M", (), {"__str__": lambda self: text})).A,  # type: ignore[attr-defined]
    "Enum": lambda text: Enum("E", {"A": text}).A,  # type: ignore[attr-defined]
    "str()": lambda text: Shows(text, "str"),
    "repr()": lambda text: Shows(text, "repr"),
    "format()": lambda text: Shows(text, "format"),
    "lazy": lambda text: Lazy(lambda: text),
    "class": lambda text: Named("C", (), {"shown": text}),
    "weak reference": proxy_of,
    "list with more": lambda text: with_shown(Listed([5]), text),
    "dict with more": lambda text: with_shown(Mapped(a=5), text),
    "list in a list with more": lambda text: with_shown(Listed([[5], {"a": [5]}]), text),
    "exception": ValueError,
    "OSError": lambda text: OSError(2, "No such file", text),
    "group": grouped,
}
# What holds any values.
HOLDERS: dict[str, Callable[[Any], Any]] = {
    "dict": lambda value: {"a": value},
    "list": lambda value: [value, 5],
    "tuple": lambda value: (5, value),
    "deque": lambda value: deque([value]),
    "OrderedDict": lambda value: OrderedDict(a=value),
    "defaultdict": lambda value: defaultdict(list, a=value),
    "UserDict": lambda value: UserDict(a=value),
    "UserList": lambda value: UserList([value]),
    "ChainMap": lambda value: ChainMap({"b": 5}, {"a": value}),
    "ChainMap, below": lambda value: ChainMap({"a": 5}, {"a": value}),
    "mappingproxy": lambda value: MappingProxyType({"a": value}),
    "values": lambda value: {"a": value}.values(),
    "items": lambda value: {"a": value}.items(),
    "KeysView": lambda value: KeysView(UserDict(a=value)),
    "ValuesView": lambda value: UserDict(a=value).values(),
    "Mapping": lambda value: Table(a=value),
    "Sequence": lambda value: Steps(5, value),
    "dataclass": Point,
    "dataclass with slots": lambda value: Slots(5, value),
    "named tuple": lambda value: Pair(5, value),
    "named tuple with a list": lambda value: Pair([value], {"a": 5}),
    "SimpleNamespace": lambda value: SimpleNamespace(a=value),
    "partial": lambda value: partial(print, 5, a=value),
    "exception": lambda value: ValueError(5, value),
    "list with more": lambda value: with_shown(Listed([5]), value),
}
# What holds only values that have a hash.
KEYS: dict[str, Callable[[Any], Any]] = {
    "key": lambda value: {value: 5},
    "set": lambda value: {value, 5},
    "frozenset": lambda value: frozenset((value,)),
    "Counter": lambda value: Counter({value: 5}),
    "keys": lambda value: {value: 5}.keys(),
}


class Word(StrEnum):
    PASSWORD = "password"


class Kind(Enum):
    PASSWORD = "password"


class Login(NamedTuple):
    user: Any
    password: Any


@dataclass
class Form:
    user: Any
    password: Any = field(repr=True)


@dataclass(slots=True)
class SlotForm:
    user: Any
    password: Any


class Bare:
    """It shows a password without its name."""

    def __init__(self, password: Any) -> None:
        self.password = password

    def __str__(self) -> str:
        return f"<ada {self.password!r}>"


class Hidden:
    __slots__ = ("__password",)

    def __init__(self, password: Any) -> None:
        self.__password = password

    def __repr__(self) -> str:
        return f"<ada {self.__password!r} {self.__password}>"


class Refused(Exception):
    def __init__(self, password: Any) -> None:
        super().__init__("refused")
        self.password = password

    def __str__(self) -> str:
        return f"refused {self.password}"


# What gives a value the name `password`.
NAMES: dict[str, Callable[[Any], Any]] = {
    "dict": lambda value: {"password": value, "page": 2},
    "dict with bytes": lambda value: {b"password": value},
    "dict with StrEnum": lambda value: {Word.PASSWORD: value},
    "dict with Enum": lambda value: {Kind.PASSWORD: value},
    "dict with UserString": lambda value: {UserString("password"): value},
    "dict with str subclass": lambda value: {Text("password"): value},
    "pairs": lambda value: [("password", value), ("page", 2)],
    "lists of two": lambda value: [["password", value]],
    "tuple": lambda value: ("password", value),
    "label": lambda value: {"name": "password", "value": value},
    "UserDict": lambda value: UserDict(password=value),
    "OrderedDict": lambda value: OrderedDict(password=value),
    "ChainMap": lambda value: ChainMap({}, {"password": value}),
    "mappingproxy": lambda value: MappingProxyType({"password": value}),
    "Mapping": lambda value: Table(password=value),
    "items": lambda value: {"password": value}.items(),
    "named tuple": lambda value: Login("ada", value),
    "named tuple with more": lambda value: Login(["ada", {"a": 5}], value),
    "dataclass": lambda value: Form("ada", value),
    "dataclass with slots": lambda value: SlotForm("ada", value),
    "SimpleNamespace": lambda value: SimpleNamespace(password=value),
    "object": Bare,
    "object with a slot": Hidden,
    "exception": Refused,
}
ERRORS = (ValueError, SystemExit, GeneratorExit, MemoryError, RecursionError, StopIteration)


def unreadable(error: BaseException) -> dict[str, Any]:
    """Objects that cannot be read: what one of their methods raises."""
    fails = raises(error)
    return {
        "str": type("NoStr", (), {"__str__": fails})(),
        "repr": type("NoRepr", (), {"__repr__": fails})(),
        "format": type("NoFormat", (), {"__format__": fails})(),
        "str of a str": type("Text", (str,), {"__str__": fails, "__repr__": fails})("a"),
        "str of an int": type("Whole", (int,), {"__str__": fails, "__repr__": fails})(5),
        "list": type("List", (list,), {"__iter__": fails, "__repr__": fails})([5]),
        "list that only iter() cannot read": type("List", (list,), {"__iter__": fails})([5]),
        "dict": type("Dict", (dict,), {"items": fails, "__repr__": fails})(a=5),
        "dict that only items() cannot read": type("Dict", (dict,), {"items": fails})(a=5),
        "named tuple": type("Tuple", (Pair,), {"__repr__": fails})(5),
        "class": type("Kind", (), {"__class__": property(fails)})(),
        "attributes": type("Attributes", (), {"__getattribute__": fails, "__repr__": fails})(),
        "no text": type("NoText", (), {"__str__": lambda self: 5})(),
    }
