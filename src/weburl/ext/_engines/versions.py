"""The versions of engines: which are needed, and which is installed."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def needed(name: str, oldest: str, package: str = "") -> Iterator[None]:
    """Around the imports of an engine: an ImportError names what is installed and what is needed.

    `name` is what is imported, and `package` what is installed, if that has another name.
    """
    advice = f"pip install '{package or name}>={oldest}'"
    try:
        yield
    except (ImportError, AttributeError) as error:
        installed = version_of(name)
        if installed is None:
            raise ImportError(f"this needs {name} {oldest} or later: {advice}") from error
        if not is_older(installed, oldest):
            raise
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}") from error
    installed = version_of(name)
    if installed is not None and is_older(installed, oldest):
        raise ImportError(f"this needs {name} {oldest} or later, not {installed}: {advice}")


def is_older(version: str, oldest: str) -> bool:
    """Whether a version comes before another; a release candidate counts as its release."""
    numbers, wanted = (
        [int(number) for number in re.findall(r"[0-9]+", text.partition("+")[0])] for text in (version, oldest)
    )
    return numbers < wanted


def version_of(name: str) -> str | None:
    """The version of a module that is imported; None if it is not, or does not say."""
    version = getattr(sys.modules.get(name), "__version__", None)
    return version if isinstance(version, str) else None
