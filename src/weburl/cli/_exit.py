"""How the command ends: its exit codes, and the errors that lead to them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final


class ExitCode:
    """Numbers, and no enum: that module would take as long to import as the exit takes."""

    OK: Final = 0
    FOUND: Final = 1  # what is not a URL, a field that no record has, or a difference
    USAGE: Final = 2
    FAILED: Final = 3  # something cannot be read or written
    INTERRUPTED: Final = 130
    BROKEN_PIPE: Final = 141


class UsageError(ValueError):
    """UsageError(message, *lines)

    Raised when options are wrong, or cannot be combined. The lines are printed below the message.
    """

    def __init__(self, message: str, *lines: str) -> None:
        super().__init__(message)
        self.lines = lines


class InputError(Exception):
    """Raised when an input cannot be read; the message says why."""

    status: int = ExitCode.FAILED


class WrongOptionError(InputError):
    """Raised when the options do not fit the format of an input. With others, it may be readable."""

    status: int = ExitCode.USAGE


class MissingColumnError(InputError):
    """Raised when an input has no column of the name that is asked for: it can be read, but no row has a value."""

    status: int = ExitCode.FOUND


EXIT_CODES_HELP: Final = """\
exit status:
  0    done, also if lines of a file are not URLs (--verify and --invalid fail change that)
  1    an argument is not a URL; --verify or --invalid fail met a line that is not a URL;
       check found errors; diff found a difference; robots found something wrong in the
       file; or no record has a field or a column that you asked for
  2    the command line is wrong, or does not fit the format of a file; or a file of
       --routes, --log-policy or --update has a line that is not understood
  3    a file cannot be read or written, or a package is not installed
  130  Ctrl-C ended the command
  141  the program that reads the output ended
  129, 143  a hang-up or SIGTERM ended the command
"""
