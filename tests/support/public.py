"""The public names of the package, and what belongs to them: found by `__all__`, so that no list of them can be old."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from check_source import Tree

# The public names of each module.
NAMES = Tree(Path(__file__).resolve().parents[2]).public_names


def members(module: str) -> Iterator[tuple[str, Any, Any]]:
    """Public functions, classes, methods and properties of a module: name, value, and the object with the docstring."""
    for name in NAMES[module]:
        value = getattr(import_module(module), name)
        if not getattr(value, "__module__", "").startswith("weburl") or not callable(value):
            continue
        yield name, value, value
        if not inspect.isclass(value):
            continue
        for each in dir(value):
            owner = next((cls for cls in value.__mro__ if each in vars(cls)), object)
            if each.startswith("_") or not owner.__module__.startswith("weburl"):
                continue
            # Absent names, such as `URL.add`, raise an AttributeError that says what to write.
            if (member := getattr(value, each, None)) is not None:
                yield f"{name}.{each}", member, inspect.getattr_static(value, each)


def without_signature(module: str) -> list[str]:
    """The public callables of a module for which `inspect.signature` fails."""
    names = []
    for name, value, _ in members(module):
        if callable(value):
            try:
                inspect.signature(value)
            except ValueError:
                names.append(name)
    return names
