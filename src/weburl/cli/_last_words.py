"""What the command says and removes if pyarrow ends the process, as it does where it has no memory."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from weburl.cli._messages import hide_credentials, printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Final

_messages: Final[list[str]] = []
_paths: Final[list[str]] = []
# Nothing else ends the process so: until pyarrow is there, nothing needs to be told.
_set: Callable[[bytes, bytes], None] | None = None


def listen() -> None:
    """From now on, the words are said."""
    global _set
    from weburl.cli.writers.lines import set_last_words

    _set = set_last_words
    _tell()


def say(message: str) -> None:
    """From now on, this is said if the process ends."""
    _messages.append(message)
    _tell()


def unsay() -> None:
    """From now on, what was said before is."""
    _messages.pop()
    _tell()


@contextmanager
def removed_at_abort(path: str) -> Iterator[None]:
    """Removes a file if the process ends in the body."""
    _paths.append(path)
    _tell()
    try:
        yield
    finally:
        _paths.remove(path)
        _tell()


def _tell() -> None:
    if _set is not None:
        message = f"weburl: {printable(hide_credentials(_messages[-1]))}\n" if _messages else ""
        _set(os.fsencode(message), b"".join([os.fsencode(os.path.abspath(path)) + b"\0" for path in _paths]))
