"""The parser of arguments, argparse's: its help, and its messages.

It takes longer to import than a URL to parse, so that `scanned` in _arguments.py comes first.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, Final, NoReturn

from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._arguments import LowArgs
from weburl.cli._exit import EXIT_CODES_HELP, ExitCode
from weburl.cli._messages import complain, hide_credentials

LONGEST_MESSAGE: Final = 1000  # characters
# What a message of argparse has before the argument that it quotes.
PREFIX: Final = re.compile(r"(?:argument [^:]*: )?(?:[a-z ]+: |[a-z ]+(?=['\"]))?['\"]?")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. The base class imports a slow module to find the width."""

    def __init__(self, prog: str, **options: Any) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 100
        super().__init__(prog, width=min(width, 120) - 2, **options)


class ArgumentParser(argparse.ArgumentParser):
    """ArgumentParser(prog, options, description=..., examples=...): the parser of a table of options.

    Its help ends with the examples and the exit codes.
    """

    def __init__(self, prog: str, options: type[LowArgs], *, examples: str, **more: Any) -> None:
        super().__init__(
            prog, epilog=examples + EXIT_CODES_HELP, formatter_class=HelpFormatter, allow_abbrev=False, **more
        )
        # From Python 3.14 on, usage and help would have colors, which a terminal gets escaped.
        self.color = False
        groups: dict[str, argparse._ActionsContainer] = {"": self}
        for name, row in ((name, row) for name, rows in options.rows.items() for row in rows):
            if row.group not in groups:
                groups[row.group] = self.add_argument_group(row.group)
            more = {"dest": name, **row.more} if row.flags else {**row.more}
            if callable(more.get("help")):
                # What it says needs modules that the option itself does not need.
                more["help"] = more["help"]()
            groups[row.group].add_argument(*(row.flags or (name,)), **more)

    def print_help(self, file: Any = None) -> None:
        """Prints the help on standard output. argparse says nothing if it cannot be written."""
        if sys.stdout is None:
            raise OSError("standard output is closed")
        sys.stdout.write(self.format_help())

    def error(self, message: str) -> NoReturn:
        """argparse calls this. Its messages quote arguments, or their ends, in several ways: our own call refuse()."""
        at = message.rfind("@")
        start = PREFIX.match(message).end()  # type: ignore[union-attr]  # it always matches
        self.refuse(f"{message[:start]}{HIDDEN}{message[at:]}" if at > start else message)

    def refuse(self, message: str, *lines: str) -> NoReturn:
        """Ends the command, because its arguments are wrong. The lines are printed below the message."""
        from contextlib import suppress

        if sys.stderr is not None:
            # argparse would take standard output. Early releases of 3.11 raise an OSError, which later ones ignore.
            with suppress(OSError):
                self.print_usage(sys.stderr)
        message = hide_credentials(message)
        complain(message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}...", *lines)
        sys.exit(ExitCode.USAGE)
