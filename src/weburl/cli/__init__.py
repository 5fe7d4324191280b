"""The command `weburl`."""

from __future__ import annotations

import io
import os
import signal
import sys
from collections.abc import Sequence
from importlib import import_module
from types import FrameType

from weburl.cli._status import Status
from weburl.cli.writers.output import complain

COMMANDS = ("explain", "check", "diff", "stats", "bench", "view", "completion")


class Terminated(BaseException):
    """By a signal, so that what is begun can be cleared away."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command; the exit status."""
    if arguments is None:
        arguments = sys.argv[1:]
        for name in ("SIGTERM", "SIGHUP"):
            number = getattr(signal, name, None)
            if number is not None and signal.getsignal(number) == signal.SIG_DFL:
                signal.signal(number, _terminate)
        if isinstance(sys.stdout, io.TextIOWrapper):
            # What its encoding has not is escaped.
            sys.stdout.reconfigure(errors="backslashreplace")
    command, *rest = arguments if arguments and arguments[0] in COMMANDS else ("convert", *arguments)
    try:
        return _run(command, rest)
    except BrokenPipeError:
        _forget_output()
        return Status.BROKEN_PIPE
    except KeyboardInterrupt:
        complain("interrupted")
        return Status.INTERRUPTED
    except Terminated as signalled:
        return 128 + int(signalled.args[0])
    except OSError as error:
        _forget_output()
        name = f"{error.filename}: " if error.filename else ""
        complain(f"{name}{error.strerror or error}")
    except (ImportError, MemoryError) as error:
        complain(str(error) or "there is not enough memory")
    return Status.FAILED


def _run(command: str, arguments: list[str]) -> int:
    from weburl.cli.readers.input import InputError

    status: int
    if sys.stdout is None and command != "convert":
        raise OSError("standard output is closed")
    try:
        status = import_module(f"weburl.cli.commands.{command}").main(arguments)
    except SystemExit as ended:
        # By the parser of the arguments.
        status = int(ended.code or 0)
    except InputError as error:
        complain(str(error))
        return Status.FAILED
    if sys.stdout is not None:
        sys.stdout.flush()
    return status


def _terminate(number: int, frame: FrameType | None) -> None:
    raise Terminated(number)


def _forget_output() -> None:
    """So that nothing is written when the interpreter ends."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    os.close(null)
