"""The class of validation errors, in a module of its own: `import weburl` needs it, but not what finds the errors."""

from __future__ import annotations

from typing import NamedTuple


class ValidationError(NamedTuple):
    """One thing that is wrong with a URL by the standard, even if browsers accept it.

    >>> [(error.name, error.position, error.failure) for error in validate("https://ada@example.com\\\\docs")]
    [('invalid-credentials', 8, False), ('invalid-reverse-solidus', 23, False)]

    `name` is the standard's name for the error, or one of weburl's own: "base" if the base does not parse, and
    "more-errors", which stands for the rest if there are more than 10,000 errors. `position` and `end` say where the
    error is, in code points of the string that you passed. `end` is the position after the last character; it equals
    `position` if something is missing. `failure` says whether the URL does not parse because of this error. `message`
    says in one sentence what to do.
    """

    name: str
    position: int
    end: int
    failure: bool
    message: str


ValidationError.__module__ = "weburl.validation"
