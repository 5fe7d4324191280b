"""How the command ends."""

from enum import IntEnum


class Status(IntEnum):
    OK = 0
    FOUND = 1  # what was looked for: a line that is no URL, a difference
    USAGE = 2
    FAILED = 3  # an input could not be read, or an output not be written
    INTERRUPTED = 130
    BROKEN_PIPE = 141


class UsageError(ValueError):
    """Options that are wrong, or do not go together."""


EPILOG = """\
exit status:
  0    done
  1    some input is no URL, with --verify or --invalid fail; check and diff: something was found
  2    the command line is wrong
  3    something could not be read or written
  130  interrupted
  141  whoever read the output has gone
"""
