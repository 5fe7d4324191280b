"""The parser of arguments that all commands use."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, Final, NoReturn

from weburl import URL, InvalidURL
from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._exit import EXIT_CODES_HELP, ExitCode
from weburl.cli._messages import complain, hide_credentials

LONGEST_MESSAGE: Final = 1000  # characters
# What a message of argparse has before the argument that it quotes.
PREFIX: Final = re.compile(r"(?:argument [^:]*: )?(?:[a-z ]+: |[a-z ]+(?=['\"]))?['\"]?")
SURROGATES: Final = re.compile("[\ud800-\udfff]")


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """Help as wide as the terminal. The base class imports a slow module to find the width."""

    def __init__(self, prog: str, **options: Any) -> None:
        try:
            width = os.get_terminal_size().columns
        except OSError:
            width = 100
        super().__init__(prog, width=min(width, 120) - 2, **options)


class ArgumentParser(argparse.ArgumentParser):
    """ArgumentParser(prog, description=..., examples=...): its help ends with the examples and the exit codes."""

    def __init__(self, prog: str, *, examples: str, **options: Any) -> None:
        super().__init__(
            prog, epilog=examples + EXIT_CODES_HELP, formatter_class=HelpFormatter, allow_abbrev=False, **options
        )
        # From Python 3.14 on, usage and help would have colors, which a terminal gets escaped.
        self.color = False

    def check_base(self, base: str | None) -> None:
        if base is not None and not URL.can_parse(base):
            self.refuse(str(InvalidURL("", base, "base")))

    def error(self, message: str) -> NoReturn:
        """argparse calls this. Its messages quote arguments, or their ends, in several ways: our own call refuse()."""
        at = message.rfind("@")
        start = PREFIX.match(message).end()  # type: ignore[union-attr]  # it always matches
        self.refuse(f"{message[:start]}{HIDDEN}{message[at:]}" if at > start else message)

    def refuse(self, message: str, *lines: str) -> NoReturn:
        """Ends the command, because its arguments are wrong. The lines are printed below the message."""
        self.print_usage(sys.stderr)
        message = hide_credentials(message)
        complain(message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}...", *lines)
        sys.exit(ExitCode.USAGE)


def argument_text(argument: str) -> str:
    """An argument as text. Python gives bytes that are not UTF-8 as surrogates; they become U+FFFD."""
    return SURROGATES.sub("\ufffd", argument)
