"""The public names of the package, and what belongs to them: found by `__all__`, so that no list of them can be old."""

from __future__ import annotations

import doctest
import inspect
import re
from collections.abc import Iterable, Iterator
from importlib import import_module
from pathlib import Path
from typing import Any

from source_tree import Tree

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
            # A class of another public module has the examples of what it passes on.
            bases = [cls for cls in value.__mro__[1:] if cls.__name__ in NAMES.get(cls.__module__, ())]
            if any(getattr(cls, each, None) is getattr(value, each) for cls in bases if cls.__module__ != module):
                continue
            # A framework that calls its own method describes it.
            if any(each in vars(cls) for cls in owner.__mro__ if not cls.__module__.startswith("weburl")):
                continue
            # Absent names, such as `URL.add`, raise an AttributeError that says what to write.
            if (member := getattr(value, each, None)) is not None:
                static = inspect.getattr_static(value, each)
                if not callable(member) and not inspect.isdatadescriptor(static):
                    continue
                yield f"{name}.{each}", member, static if inspect.isdatadescriptor(static) else member


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


def words(name: str, documented: Any) -> str:
    """A docstring, without the signature that it may begin with."""
    text = inspect.getdoc(documented) or ""
    first, _, rest = text.partition("\n")
    return rest.strip() if first.startswith(f"{name.rpartition('.')[2]}(") else text


def is_field(documented: Any) -> bool:
    """Whether it only holds a value, and so has no example: an item of a tuple, a slot, and what Cython calls
    readonly."""
    is_own = inspect.isgetsetdescriptor(documented) and documented.__doc__
    return inspect.isdatadescriptor(documented) and not is_own and not isinstance(documented, property)


# An upper-case letter or a quotation; a full stop that ends the paragraph or is before another sentence.
SENTENCE = re.compile(r"[A-Z'\"`][^\n]*?[^.]\.(?= [A-Z`]|\Z)")


def words_of_field(owner: Any, field: str) -> str:
    """The docstring of a field, as help() and Sphinx find it: `__slots__` can be a dict of them."""
    slots = next(
        (vars(cls)["__slots__"] for cls in owner.__mro__ if field in vars(cls) and "__slots__" in vars(cls)), ()
    )
    text = slots.get(field) if isinstance(slots, dict) else None
    return text or inspect.getattr_static(owner, field).__doc__ or ""


def without_words(module: str) -> list[str]:
    """The public callables and properties whose docstring does not begin with a sentence, or has no example; and the
    fields that neither their class nor a docstring of their own describes."""
    missing = []
    owners = {name: documented for name, _, documented in members(module)}
    for name, _, documented in members(module):
        if is_field(documented):
            owner, _, field = name.rpartition(".")
            if f"`{field}`" not in words(owner, owners[owner]):
                missing.append(f"{name}: its class does not speak of it")
            text = words_of_field(owners[owner], field)
            if not SENTENCE.match(" ".join(text.split("\n"))) or text.startswith("Alias for field number"):
                missing.append(f"{name}: no sentence of its own")
            continue
        text = words(name, documented)
        if not SENTENCE.match(" ".join(text.partition("\n\n")[0].split("\n"))):
            missing.append(f"{name}: no sentence")
        if ">>>" not in text:
            missing.append(f"{name}: no example")
    return missing


def wrong_examples(module: str, left_out: Iterable[str] = ()) -> list[str]:
    """The public names whose examples fail, and what doctest says of them. Modules that are compiled have docstrings,
    too, but doctest does not find these."""
    names = {name: getattr(import_module(of), name) for of in ("weburl", module) for name in NAMES[of]}
    failed = []
    for name, _, documented in members(module):
        test = doctest.DocTestParser().get_doctest(words(name, documented), dict(names), name, None, None)
        if name.rpartition(".")[2] not in left_out and not is_field(documented):
            said: list[str] = []
            if doctest.DocTestRunner(verbose=False).run(test, out=said.append).failed:
                failed.append("".join(said))
    return failed
