"""The struct of URLs' fields in Polars: `struct.field` makes only the fields that it names.

Polars does not look into a plugin, and would make all fields to keep one of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import polars as pl

Make = Callable[[tuple[str, ...]], pl.Expr]


class FieldsExpr(pl.Expr):  # type: ignore[misc]
    """An expression for a struct. Any other operation than `struct` gives an expression of Polars' own."""

    @property
    def struct(self) -> Any:
        return FieldsNamespace(super().struct, self._make, self._names)

    def __reduce_ex__(self, protocol: Any) -> Any:
        """A copy, or what was pickled, is no more than an expression."""
        return object.__new__, (pl.Expr,), self.__getstate__()

    _names: tuple[str, ...]
    _make: Make


class FieldsNamespace:
    """As Polars' own namespace `struct`."""

    def __init__(self, struct: Any, make: Make, names: tuple[str, ...]) -> None:
        self._struct = struct
        self._make = make
        self._names = names

    def field(self, name: str | list[str], *more_names: str) -> pl.Expr:
        names = [*([name] if isinstance(name, str) else name), *more_names]
        # Polars gives fields in the struct's order. Another name is a regular expression, a star, or an error.
        asked = tuple([own for own in self._names if own in names])
        struct = self._make(asked).struct if asked and {*names} == {*asked} else self._struct
        return struct.field(name, *more_names)

    def __getitem__(self, item: str | int) -> pl.Expr:
        return self._struct[item] if isinstance(item, int) else self.field(item)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._struct, name)


def narrowing(expression: pl.Expr, names: tuple[str, ...], make: Make) -> pl.Expr:
    """The expression for a struct of the fields with these names. `make` gives one for some of them."""
    expression.__class__ = FieldsExpr
    assert isinstance(expression, FieldsExpr)
    expression._names = names
    expression._make = make
    return expression
