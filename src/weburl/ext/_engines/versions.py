"""The versions of engines that are needed, and what is said where one is missing or older."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

# By the name that is imported: what is installed, and its oldest version.
NEEDED: Final = {
    "daft": ("daft", "0.7.13"),
    "duckdb": ("duckdb", "1.4.4"),
    "pandas": ("pandas", "3.1"),
    "polars": ("polars", "1.36"),
    "pyarrow": ("pyarrow", "18"),
    "pyspark": ("pyspark", "4.3"),
    "ray": ("ray[data]", "2.60"),
}


@contextmanager
def needs(name: str) -> Iterator[None]:
    """Around the imports of an engine: an ImportError names what is installed and what is needed."""
    package, oldest = NEEDED[name]
    advice = f"pip install '{package}>={oldest}'"
    try:
        yield
    except (ImportError, AttributeError) as error:
        installed = _installed(name)
        if installed is None:
            raise ImportError(f"this needs {name} {oldest} or later: {advice}") from error
        if not is_older(installed, oldest):
            raise
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}") from error
    installed = _installed(name)
    if installed is not None and is_older(installed, oldest):
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}")


def is_older(version: str, oldest: str) -> bool:
    """Whether a version comes before another; a release candidate counts as its release."""
    found, wanted = (
        [int(number) for number in re.findall(r"[0-9]+", text.partition("+")[0])] for text in (version, oldest)
    )
    return found < wanted


def _installed(name: str) -> str | None:
    """The version of a module that is imported; None if it is not, or does not say."""
    version = getattr(sys.modules.get(name), "__version__", None)
    return version if isinstance(version, str) else None
