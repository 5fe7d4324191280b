"""Maps and lists in what OpenTelemetry exports."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from types import MappingProxyType
from typing import Any

import pytest

pytest.importorskip("opentelemetry.sdk")

from weburl.ext import opentelemetry as ext

SECRET = "q8Zx" + "3f7aK1vB9m"
URL_TEXT = f"https://ada:{SECRET}@example.com/?token={SECRET}"


def places_of_maps(random: Random, name: str, value: str) -> Any:
    """A map with an entry, in maps and lists."""
    placed: Any = {"page": 2, name: value, "é": None}
    for _ in range(random.randrange(4)):
        placed = random.choice([{"in": placed, "x": "y"}, [placed, "z"], {"in": [placed]}, (placed,)])
    return placed


@pytest.mark.parametrize("seed", range(30))
@pytest.mark.parametrize(
    ("name", "value", "shown"),
    [
        ("url.query", f"token={SECRET}&page=2", "token=REDACTED&page=2"),
        ("url.full", f"https://h/?token={SECRET} Zx", "https://h/?token=REDACTED"),
        ("http.target", f"/a?token={SECRET}#b", "/a?token=REDACTED#b"),
        ("url.query", [f"token={SECRET}", "page=2"], ["token=REDACTED", "page=2"]),
        ("url.full", (f"https://h/?token={SECRET} Zx",), ("https://h/?token=REDACTED",)),
        ("url.original", URL_TEXT, URL_TEXT),
        ("session.id", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d", "9b1deb4d-3b7d-4bad-9bdd-2b0d7b3dcb6d"),
    ],
)
def test_urls_in_maps(seed: int, name: str, value: Any, shown: Any) -> None:
    """Names of URLs count in maps, too: in the body of a record, and in attributes that are maps."""
    redactor = ext.Redactor("logs/1")
    placed = places_of_maps(Random(seed), name, value)
    found = redactor.value(placed)
    assert found == places_of_maps(Random(seed), name, shown)
    assert redactor.value(found) is found
    attribute, _ = redactor.changes({"body": placed} if isinstance(placed, dict) else {"body": {"in": placed}})
    assert name == "url.original" or SECRET not in repr(attribute)
    if name != "url.original":
        assert SECRET not in repr(redactor.value({"in": MappingProxyType({name: value})}))
    assert redactor.value(clean := places_of_maps(Random(seed), name, "page=2")) is clean


def shared(depth: int, make: Callable[[Any], Any]) -> Any:
    value: Any = {"url.query": f"token={SECRET}"}
    for _ in range(depth):
        value = make(value)
    return value


@pytest.mark.parametrize("depth", [3, 30, 200])
@pytest.mark.parametrize(
    "make", [lambda value: [value, value], lambda value: {"a": value, "b": value}, lambda value: (value, [value])]
)
def test_values_that_are_in_several_places_are_read_once(depth: int, make: Callable[[Any], Any]) -> None:
    redactor = ext.Redactor("logs/1")
    value = shared(depth, make)
    # From 30 on, a walk over all ways to a value would not end.
    shown = redactor.value(value)
    changed, _ = redactor.changes({"a": value})
    for found in (shown, changed["a"]):
        for _ in range(depth):
            if found == "REDACTED":
                break  # too deep
            found = next(iter(found.values())) if isinstance(found, dict) else found[0]
        assert found in ({"url.query": "token=REDACTED"}, "REDACTED")


def test_values_within_themselves() -> None:
    redactor = ext.Redactor("logs/1")
    value: dict[str, Any] = {"url.query": f"token={SECRET}"}
    value["a"] = value
    value["b"] = [value, value]
    shown = redactor.value(value)
    assert shown["url.query"] == "token=REDACTED"
    assert SECRET not in repr(shown)
    assert SECRET not in repr(redactor.changes({"a": value})[0])
