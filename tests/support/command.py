"""Runs the command in this process."""

from __future__ import annotations

import io
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple
from unittest.mock import patch

from weburl.cli import main


class Ended(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def lines(self) -> list[str]:
        return self.out.split("\n")[:-1]


def run(*arguments: str, stdin: bytes | str = b"") -> Ended:
    data = stdin.encode() if isinstance(stdin, str) else stdin
    out, err = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), patch.object(sys, "stdin", io.TextIOWrapper(io.BytesIO(data))):
        status = main(arguments)
    assert isinstance(out.buffer, io.BytesIO)
    return Ended(status, out.buffer.getvalue().decode(), err.getvalue())
