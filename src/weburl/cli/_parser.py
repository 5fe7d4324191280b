"""The command line, as each of the commands reads it."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, Final, NoReturn

from weburl import URL, InvalidURL
from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._status import EPILOG, Status
from weburl.cli.writers.output import complain, without_credentials

LONGEST: Final = 1000  # characters of a message
# What stands before an argument in a message of argparse.
PREFIX: Final = re.compile(r"(?:argument [^:]*: )?(?:[a-z ]+: |[a-z ]+(?=['\"]))?['\"]?")


class Formatter(argparse.RawDescriptionHelpFormatter):
    """As wide as the terminal; found without a module that takes long to import."""

    def __init__(self, prog: str, **options: Any) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 100
        super().__init__(prog, width=min(width, 120) - 2, **options)


class Parser(argparse.ArgumentParser):
    """Parser(prog, description=..., examples=...): with the examples and the statuses at the end of its help."""

    def __init__(self, prog: str, *, examples: str, **options: Any) -> None:
        super().__init__(prog, epilog=examples + EPILOG, formatter_class=Formatter, allow_abbrev=False, **options)

    def check_base(self, base: str | None) -> None:
        if base is not None and not URL.can_parse(base):
            self.refuse(str(InvalidURL("", base, "base")))

    def error(self, message: str) -> NoReturn:
        """For argparse, whose messages quote arguments, or the ends of them, in several ways; ours go to refuse()."""
        at = message.rfind("@")
        start = PREFIX.match(message).end()  # type: ignore[union-attr]  # it always matches
        self.refuse(f"{message[:start]}{HIDDEN}{message[at:]}" if at > start else message)

    def refuse(self, message: str) -> NoReturn:
        """Ends the command: its arguments are wrong."""
        self.print_usage(sys.stderr)
        message = without_credentials(message)
        complain(message if len(message) <= LONGEST else f"{message[:LONGEST]}...")
        sys.exit(Status.USAGE)
