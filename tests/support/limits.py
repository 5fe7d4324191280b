"""What is above the limit on a URL's length."""

from __future__ import annotations

from collections.abc import Callable

from weburl import InvalidURL


def is_too_long(call: Callable[[], object]) -> bool:
    """Whether a call fails with too-long. The exception holds the whole input, so it is not kept."""
    try:
        call()
    except InvalidURL as error:
        return error.error == "too-long"
    return False
