"""Checks of arguments, for all rooms: `wrong_type` makes the TypeError; `need_iterable` and `need_path` raise it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


def wrong_type(value: object, what: str) -> TypeError:
    """The exception for a value; `what` says what it must be."""
    from weburl import _advice

    return _advice.wrong_type(value, what)


def need_iterable(value: Any, what: str) -> Any:
    """The value, if it has items; `what` says what it must be."""
    if isinstance(value, (bytes, bytearray, memoryview)) or not hasattr(type(value), "__iter__"):
        raise wrong_type(value, what)
    return value


def need_path(path: Any, what: str) -> Any:
    """The path, if open() and os.fspath() take it; `what` says what it must be."""
    if not isinstance(path, (str, bytes)) and not hasattr(type(path), "__fspath__"):
        raise wrong_type(path, what)
    return path
