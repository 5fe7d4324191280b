"""The lines of --explain: where something is hidden, and by which rule. They never have the secret."""

from __future__ import annotations

import sys
from threading import Lock

from weburl._redact.explained import rules_of
from weburl._redact.redact import LogPolicy
from weburl._redact.stream import LONG, Span
from weburl.cli._messages import printable
from weburl.cli.readers.byte_stream import BOM
from weburl.cli.readers.positions import moved

OF_LONG = ("the rest of a text of more than 64 KiB", "--max-line")


class Explanations:
    """Explanations(file, policy, lock): prints a line for each part of a file that is hidden.

    TextStream calls it.
    """

    def __init__(self, file: str, policy: LogPolicy, lock: Lock) -> None:
        self.file: str = printable(file)
        self.policy: LogPolicy = policy
        self.lock: Lock = lock
        self.line: int = 1
        # 0 is that of a byte order mark, which is no character of the line.
        self.column: int = 0

    def __call__(self, data: bytes, spans: list[Span], begin: int, end: int) -> None:
        if not self.column and end > begin:
            self.column = 0 if data.startswith(BOM, begin) else 1
        lines = []
        for (start, _, kind), known in zip(spans, rules_of(data, spans, self.policy), strict=True):
            self.line, self.column = moved(data, begin, start, self.line, self.column)
            begin = start
            rule, source = OF_LONG if kind == LONG else known
            lines.append(f"{self.file}:{self.line}:{self.column}\t{kind}\t{printable(rule)}\t{source}\n")
        self.line, self.column = moved(data, begin, end, self.line, self.column)
        with self.lock:
            sys.stdout.write("".join(lines))
