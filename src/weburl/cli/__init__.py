"""The command `weburl`."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

from weburl.cli._exit import ExitCode, InputError, UsageError
from weburl.cli._memory import give_back_reserve, out_of_memory, run_alone
from weburl.cli._messages import complain
from weburl.cli._signals import Terminated, raise_on_signals
from weburl.cli._system import SYSTEM
from weburl.cli._terminal import buffered, for_terminal
from weburl.cli.commands import COMMANDS
from weburl.cli.writers import STANDARD_OUTPUT

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# Commands that may need no standard output.
MAY_WRITE_FILES: Final = ("convert", "redact")
# CPython 3.11 can lose an exception for which it has no memory. It then raises a SystemError with one of these texts.
LOST: Final = ("without setting an exception", "error return without exception set")


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command, and returns its exit code."""
    if arguments is None:
        arguments = sys.argv[1:]
        run_alone()
        raise_on_signals()
        _wait_for_streams()
        if isinstance(sys.stdout, io.TextIOWrapper):
            if isinstance(sys.stdout.buffer, io.RawIOBase):
                # With python -u, what does not fit on a disk would be lost.
                sys.stdout = io.TextIOWrapper(buffered(sys.stdout.buffer), sys.stdout.encoding)
            # Characters that its encoding does not have are escaped.
            sys.stdout.reconfigure(errors="backslashreplace")
        sys.stdout, sys.stderr = for_terminal(sys.stdout), for_terminal(sys.stderr)
    command, *rest = arguments if arguments and arguments[0] in COMMANDS else ("convert", *arguments)
    if command == "convert" and rest in (["--version"], ["--version", "--verbose"]):
        # The only options that need no table of options.
        command, rest = "version", rest[1:]
    try:
        return _run(command, rest)
    except BrokenPipeError:
        _discard_output()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        # If a KeyboardInterrupt has left an `exec` of text, as in an import that makes a named tuple, `python -m` ends
        # by the signal, not with the exit code. Another `exec` of text prevents that.
        exec("")
        complain("interrupted")
        return ExitCode.INTERRUPTED
    except Terminated as terminated:
        return 128 + int(terminated.args[0])
    except OSError as error:
        _discard_output()
        if error.errno in SYSTEM.closed_pipe and error.filename in (None, STANDARD_OUTPUT):
            return ExitCode.BROKEN_PIPE
        # What is read, and files that are written, are named by then.
        place = STANDARD_OUTPUT if error.errno and error.filename is None else error.filename
        complain(str(error) if place is None else f"{place}: {error.strerror or error}")
    except InputError as error:
        complain(str(error))
        return error.status
    except ImportError as error:
        complain(str(error))
    except (MemoryError, SystemError) as error:
        if isinstance(error, SystemError) and not (sys.version_info < (3, 12) and str(error).endswith(LOST)):
            raise
        give_back_reserve()
        complain(out_of_memory())
    return ExitCode.FAILED


def _run(command: str, arguments: list[str]) -> int:
    status: int
    if sys.stdout is None and command not in MAY_WRITE_FILES:
        raise OSError("standard output is closed")
    module = import_module(f"weburl.cli.commands.{command}")
    try:
        try:
            status = module.main(arguments)
        except UsageError as error:
            module.make_parser().refuse(str(error), *error.lines)
    except SystemExit as ended:
        # Raised by the parser of arguments.
        status = int(ended.code or 0)
    if sys.stdout is not None:
        sys.stdout.flush()
    return status


def _wait_for_streams() -> None:
    """Makes reads and writes wait, as shells do. Who shares a pipe may have changed that; then Python loses output."""
    for number in range(3) if SYSTEM.shares_waiting else ():
        try:
            if not os.get_blocking(number):
                os.set_blocking(number, True)
        except OSError:
            # It is closed.
            pass


def _discard_output() -> None:
    """Discards what is not yet written, as the interpreter would try to write it when it ends."""
    try:
        number = sys.stdout.fileno()
    except (AttributeError, OSError):
        return
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, number)
    os.close(null)
