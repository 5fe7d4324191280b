"""The class of validation errors, in a module of its own: `import weburl` needs it, but not what finds the errors."""

from __future__ import annotations

from typing import NamedTuple


class ValidationError(NamedTuple):
    """One thing that is wrong with a URL by the standard, even if browsers accept it.

    >>> [(error.name, error.position, error.failure) for error in validate("https://ada@example.com\\\\docs")]
    [('invalid-credentials', 8, False), ('invalid-reverse-solidus', 23, False)]

    `name` is the standard's name for the error, or one of our own: "base" for a base that does not parse, and
    "more-errors" for all the errors that a list of 10,000 has no room for. `position` and `end` say where the error is,
    in code points of the string that was passed; `end` is one past the last of them, and equals `position` where
    something is missing. `failure` says whether the URL fails to parse because of it. `message` says in one sentence
    what to do about it.
    """

    name: str
    position: int
    end: int
    failure: bool
    message: str


ValidationError.__module__ = "weburl.validation"
