"""What the parser does with a URL: the literal parser, watched."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterator
from typing import Final

from weburl._literal import LiteralURL, Outcome
from weburl._literal.percent import EOF
from weburl._literal.record import EMPTY_HOST
from weburl._literal.states import Parser, Result, State, is_double_dot, is_single_dot

STANDARD: Final = "https://url.spec.whatwg.org/#"
MOST_ERRORS: Final = 12
FROM_BASE: Final = frozenset(
    {"no_scheme_state", "relative_state", "relative_slash_state", "file_state", "file_slash_state"}
)


class Trace(Parser):
    """A parser that keeps where each state starts and ends, by the names of the states."""

    __slots__ = (
        "base_path",
        "credentials_end",
        "dots",
        "drive_letter",
        "first",
        "last",
        "scheme_end",
        "segment_start",
        "segments",
        "solidi",
        "stopped_at",
        "stopped_in",
        "stripped",
        "taken",
    )

    def __init__(self, input: str, base: LiteralURL | None, encoding: str = "utf-8") -> None:
        self.stripped = (0, 0)
        super().__init__(input, base, encoding, None, None, MOST_ERRORS)
        self.first: dict[str, int] = {}
        self.last: dict[str, int] = {}
        self.scheme_end = 0
        self.credentials_end: int | None = None
        # The errors about solidi, by name and state: where the first one is, and how many there are.
        self.solidi: dict[tuple[str, str], tuple[int, int]] = {}
        self.dots = 0
        self.drive_letter: str | None = None
        self.segment_start = 0
        # For each segment of the URL's path, where it starts in the input; -1 if it is the base's.
        self.segments = array("q")
        # Those of the base that the path starts with.
        self.base_path: list[str] = []
        # The names of the parts that are the base's.
        self.taken: list[str] = []
        self.stopped_in = ""
        self.stopped_at = 0

    def remove_c0_control_or_space(self) -> None:
        before = self.source.text
        super().remove_c0_control_or_space()
        after = self.source.text
        if after:
            start = len(before) - len(before.lstrip("".join(map(chr, range(0x21)))))
            self.stripped = (start, len(before) - len(after) - start)
        else:
            self.stripped = (len(before), 0)

    def run(self) -> Outcome:
        while True:
            state, pointer = self.state, self.pointer
            name = state.__name__
            c = self.input[pointer] if pointer < self.length else EOF
            self.first.setdefault(name, pointer)
            self.last[name] = pointer
            error_count = self.error_count
            result = self.watch_path_state(state, c) if name == "path_state" else state(self, c)
            if name == "scheme_state" and c == ":":
                self.scheme_end = pointer + 1
            elif name == "authority_state" and c == "@":
                self.credentials_end = pointer
            elif name in FROM_BASE and self.base is not None:
                self.note_taken(name)
            if self.error_count > error_count and self.errors[-1].name.endswith("-solidus"):
                first, number = self.solidi.get((self.errors[-1].name, name), (pointer, 0))
                self.solidi[self.errors[-1].name, name] = first, number + 1
            if result is not None or self.pointer >= self.length:
                self.stopped_in, self.stopped_at = name, min(pointer, self.length)
                return self.outcome(result)
            self.pointer += 1

    def watch_path_state(self, state: State, c: str) -> Result | None:
        path = self.url.segments
        if self.first["path_state"] == self.pointer:
            self.segments = array("q", [-1]) * len(path)
            self.base_path = path.copy()
            self.segment_start = self.pointer
        if not (c in {EOF, "/", "?", "#"} or (c == "\\" and self.url.is_special)):
            return state(self, c)
        segment = str(self.buffer)
        pointer = self.pointer
        result = state(self, c)
        dots = is_single_dot(segment) or is_double_dot(segment)
        appended = not dots or c not in {"/", "\\"}
        del self.segments[len(path) - appended :]
        if appended:
            # Dots at the end leave an empty segment.
            self.segments.append(pointer if dots else self.segment_start)
        self.dots += dots
        if not dots and path[-1] != segment:
            self.drive_letter = segment
        self.segment_start = pointer + 1
        return result

    def note_taken(self, state: str) -> None:
        url = self.url
        if state == "no_scheme_state":
            self.taken.append("scheme")
        if url.username:
            self.taken.append("username")
        if url.password:
            self.taken.append("password")
        if url.host not in {None, EMPTY_HOST}:
            self.taken.append("host")
        if url.port is not None:
            self.taken.append("port")
        if url.path:
            self.taken.append("path")
        if url.query is not None and self.state is not Parser.query_state:
            self.taken.append("query")

    @property
    def base_parts(self) -> list[str]:
        taken = dict.fromkeys(self.taken)
        if "path" in taken and "path_state" in self.first and -1 not in self.segments:
            del taken["path"]
        return list(taken)

    def kept_segments(self) -> Iterator[str]:
        """The segments of the path that are in the input, as they are there."""
        end = re.compile(r"[/\\?#]" if self.url.is_special else "[/?#]")
        for start in self.segments:
            if start >= 0:
                match = end.search(self.input, start)
                yield self.input[start : match.start() if match else self.length]

    def part(self, state: str) -> str | None:
        """The input from where a state starts up to where it ends."""
        return self.input[self.first[state] : self.last[state]] if state in self.first else None


def anchor(state: str) -> str:
    """The id of a state in the standard."""
    return "cannot-be-a-base-url-path-state" if state == "opaque_path_state" else state.replace("_", "-")
