"""The parser of arguments that all commands use, and what a row of a table of options is."""

from __future__ import annotations

import argparse
import os
import re
import sys
from typing import Any, ClassVar, Final, NamedTuple, NoReturn

from weburl._diagnosis.credentials import HIDDEN
from weburl.cli._exit import EXIT_CODES_HELP, ExitCode
from weburl.cli._messages import complain, hide_credentials

# Groups of options in the help.
WHICH: Final = "which URLs are printed"
CHANGES: Final = "changes, made in this order"
OUTPUT: Final = "output"
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


class Option(NamedTuple):
    """A row of a table of options: its spellings, its group in the help, and what argparse takes."""

    flags: tuple[str, ...]
    group: str
    more: dict[str, Any]


class Options(list[Option]):
    """The options of an attribute of `LowArgs`. Most have one."""


def option(*flags: str, group: str = "", **more: Any) -> Any:
    """The value of an attribute of `LowArgs`, which it makes an option; without a flag, an argument."""
    return Options([Option(flags, group, more)])


def flag(*flags: str, help: str, group: str = "") -> Any:
    """An option without a value."""
    return option(*flags, group=group, action="store_true", help=help)


def repeated(*flags: str, metavar: str, help: str, group: str = "", **more: Any) -> Any:
    """An option that may be given several times."""
    return option(*flags, group=group, metavar=metavar, action="append", default=[], help=help, **more)


class LowArgs:
    """What argparse saw. A subclass is a table of options: each attribute is one, with its type.

    It also has the options of its own base classes, before its own. `ArgumentParser` fills in an object of it.
    """

    rows: ClassVar[dict[str, Options]] = {}

    def __init_subclass__(cls) -> None:
        own = {name: rows for name, rows in vars(cls).items() if isinstance(rows, Options)}
        inherited: dict[str, Options] = {}
        for base in reversed(cls.__mro__[1:]):
            inherited |= vars(base).get("rows", {})
        cls.rows = inherited | own
        for name in own:
            # argparse keeps the values that there are.
            delattr(cls, name)


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
            more = {"dest": name, **row.more} if row.flags else row.more
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
        if sys.stderr is not None:
            # argparse would take standard output.
            self.print_usage(sys.stderr)
        message = hide_credentials(message)
        complain(message if len(message) <= LONGEST_MESSAGE else f"{message[:LONGEST_MESSAGE]}...", *lines)
        sys.exit(ExitCode.USAGE)


def argument_text(argument: str) -> str:
    """An argument as text. Python gives bytes that are not UTF-8 as surrogates; they become U+FFFD."""
    return SURROGATES.sub("\ufffd", argument)
