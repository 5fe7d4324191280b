"""--column: the column that has the URLs."""

from __future__ import annotations

from typing import Final

from weburl.cli._exit import MissingColumnError, WrongOptionError
from weburl.cli._messages import quoted

MOST_DIGITS: Final = 7  # of a number; what has more is a name, as 20261123


def column_index(names: list[str], column: str | None) -> int:
    """The index of the column among the names of all; the only column if none is asked for."""
    if column is None and len(names) == 1:
        return 0
    if column in names:
        return names.index(column)
    listed = "the columns are " + ", ".join(map(quoted, names)) if names else "there are no columns"
    if column is None:
        raise WrongOptionError(f"--column must say which column has the URLs: {listed}")
    raise MissingColumnError(f"there is no column {quoted(column)}: {listed}")


def column_number(column: str | None) -> int | None:
    """The index of a column that is given by its number, from 1."""
    if not column or not column.isdecimal() or len(column) > MOST_DIGITS:
        return None
    if int(column) < 1:
        raise WrongOptionError("--column counts from 1")
    return int(column) - 1
