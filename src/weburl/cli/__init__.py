"""The command `weburl`."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib import import_module

from weburl.cli._status import Status

COMMANDS = ("explain", "check", "diff", "stats", "bench", "view", "completion")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    from weburl.cli._input import InputError

    given = list(sys.argv[1:] if arguments is None else arguments)
    command = given.pop(0) if given and given[0] in COMMANDS else "convert"
    try:
        status: int = import_module(f"weburl.cli.{command}").main(given)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        _forget_output()
        return Status.BROKEN_PIPE
    except KeyboardInterrupt:
        return _failed("interrupted", Status.INTERRUPTED)
    except (InputError, ImportError) as error:
        return _failed(str(error), Status.FAILED)
    except OSError as error:
        _forget_output()
        name = f"{error.filename}: " if error.filename else ""
        return _failed(f"{name}{error.strerror or error}", Status.FAILED)


def _failed(message: str, status: Status) -> Status:
    from weburl.cli._output import complain

    complain(message)
    return status


def _forget_output() -> None:
    """So that nothing is written when the interpreter ends."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    os.close(null)
