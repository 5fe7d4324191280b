"""Runs the command in this process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from support.missing import noticing

from weburl import URL
from weburl.cli import main
from weburl.cli._options import InputArgs, reading_of
from weburl.cli._parser import ArgumentParser
from weburl.cli.readers.reading import Reading


class Ended(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.split("\n")[:-1]


def url_of_line(text: str, base: str | None = None) -> URL | None:
    """The URL that a line is. With a base, a line that is empty for the parser is not a URL."""
    is_empty = all(ord(character) <= 32 for character in text)
    return None if base is not None and is_empty else URL.parse(text, base)


def reading_by(*arguments: str) -> Reading:
    """How a command with these options reads its inputs."""
    return reading_of(ArgumentParser("weburl", InputArgs, examples="").parse_args(arguments, InputArgs()))


def run(*arguments: str, stdin: bytes | str = b"") -> Ended:
    status, out, err = run_for_bytes(*arguments, stdin=stdin.encode() if isinstance(stdin, str) else stdin)
    return Ended(status, out.decode(), err)


def run_for_bytes(*arguments: str, stdin: bytes = b"") -> tuple[int, bytes, str]:
    """The status, and what is written to standard output and to standard error."""
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    given = patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
    with redirect_stdout(out), redirect_stderr(err), given, noticing():
        status = main(arguments)
    assert isinstance(out.buffer, io.BytesIO)
    return status, out.buffer.getvalue(), err.getvalue()
