"""The line of each key in a TOML file: tomllib does not tell it. For `policy_file`, whose errors name the line."""

from __future__ import annotations

import re
from typing import Final

# Keys and indices from the top.
Place = tuple[str | int, ...]

BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
SPACE: Final = re.compile(r"[ \t]*")
STRING: Final = re.compile(
    r'''"""(?:\\.|[^\\])*?"""(?:"{0,2})|'{3}.*?'{3}(?:'{0,2})|"(?:\\.|[^"\\\n])*"|'[^'\n]*\'''', re.DOTALL
)
BARE_KEY: Final = re.compile("[A-Za-z0-9_-]+")
OTHER: Final = re.compile(r"[^,\]}\n#]+")
# What is in an array or a table that is deeper than any that a policy has.
SKIPPED: Final = re.compile(r"[^\[\]{}\"'#]+|#[^\n]*")
DEEPEST: Final = 6


def lines_of(text: str) -> dict[Place, int]:
    """The line of each key and of each item of an array, from 1. tomllib has read the text, so it is TOML."""
    return Scanner(text.replace("\r\n", "\n")).places


class Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.counted = 0
        self.places: dict[Place, int] = {}
        self.counts: dict[Place, int] = {}
        table: Place = ()
        self.skip(BLANK)
        while self.at < len(text):
            if text[self.at] == "[":
                table = self.header()
            else:
                self.pair(table, 0)
            self.skip(BLANK)

    def skip(self, pattern: re.Pattern[str]) -> str:
        match = pattern.match(self.text, self.at)
        if match is None:
            raise SystemError("toml_lines.py does not read what tomllib reads")
        self.at = match.end()
        return match[0]

    def takes(self, mark: str) -> bool:
        taken = self.text.startswith(mark, self.at)
        self.at += len(mark) * taken
        return taken

    def put(self, place: Place) -> None:
        self.line += self.text.count("\n", self.counted, self.at)
        self.counted = self.at
        self.places.setdefault(place, self.line)

    def header(self) -> Place:
        """`[table]` or `[[array]]`."""
        start = self.at
        is_array = self.text.startswith("[[", self.at)
        self.at += 1 + is_array
        keys = self.key()
        self.at += 1 + is_array
        table: Place = ()
        for index, key in enumerate(keys):
            table = (*table, key)
            is_last = index == len(keys) - 1
            if is_last and is_array:
                self.counts[table] = self.counts.get(table, 0) + 1
            end, self.at = self.at, start
            self.put(table)
            if table in self.counts:
                table = (*table, self.counts[table] - 1)
                self.put(table)
            self.at = end
        return table

    def key(self) -> list[str]:
        keys: list[str] = []
        while True:
            self.skip(SPACE)
            if self.text[self.at] in "\"'":
                import tomllib

                keys.append(tomllib.loads(f"x = {self.skip(STRING)}")["x"])
            else:
                keys.append(self.skip(BARE_KEY))
            self.skip(SPACE)
            if not self.takes("."):
                return keys

    def pair(self, table: Place, depth: int) -> None:
        start = self.at
        keys = self.key()
        end, self.at = self.at, start
        for key in keys:
            table = (*table, key)
            self.put(table)
        self.at = end
        self.takes("=")
        self.skip(SPACE)
        self.value(table, depth)

    def value(self, place: Place, depth: int) -> None:
        mark = self.text[self.at]
        if mark in "\"'":
            self.skip(STRING)
        elif mark not in "[{":
            self.skip(OTHER)
        elif depth == DEEPEST:
            self.skip_nested()
        else:
            self.at += 1
            index = 0
            self.skip(BLANK)
            while not self.takes("]" if mark == "[" else "}"):
                if mark == "[":
                    self.put((*place, index))
                    self.value((*place, index), depth + 1)
                    index += 1
                else:
                    self.pair(place, depth + 1)
                self.skip(BLANK)
                self.takes(",")
                self.skip(BLANK)

    def skip_nested(self) -> None:
        depth = 0
        while True:
            mark = self.text[self.at]
            if mark in "\"'":
                self.skip(STRING)
            elif mark in "[]{}":
                depth += 1 if mark in "[{" else -1
                self.at += 1
                if depth == 0:
                    return
            else:
                self.skip(SKIPPED)
