"""URL patterns as the tests write them: with the arguments and the names of JavaScript."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from weburl import URLPattern

COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")


def make_pattern(arguments: Sequence[Any]) -> URLPattern:
    """The pattern of a constructor's arguments; a mapping that comes last, and not first, has the options.

    JavaScript ignores members that it does not know, where we raise TypeError.
    """
    make: Callable[..., URLPattern] = URLPattern
    *given, last = arguments or [{}]
    if given and isinstance(last, Mapping):
        return make(*given, ignore_case=last.get("ignoreCase", False))
    if isinstance(last, Mapping):
        last = {name: value for name, value in last.items() if name in (*COMPONENTS, "baseURL")}
    return make(*given, last)
