"""Where credentials are in a text that is shown."""

from __future__ import annotations

import re
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Final

from weburl._unicode.text_buffer import TextBuffer
from weburl.errors import HIDDEN, credentials_end, credentials_in

if TYPE_CHECKING:
    from weburl._literal import LiteralURL
    from weburl._literal.source import Source

# What starts an authority inside an opaque path.
START: Final = re.compile(r"(?:[/\\]{2}|(?:https?|wss?|ftp):)[/\\]*", re.ASCII | re.IGNORECASE)
END: Final = re.compile(r"[/\\?#]|\Z")


class Places:
    """Parts of a text, in order: where they start and end. A list of pairs would take eight times the memory."""

    __slots__ = ("ends", "starts")

    def __init__(self, places: Iterable[tuple[int, int]] = ()) -> None:
        self.starts = array("Q")
        self.ends = array("Q")
        for start, end in places:
            self.starts.append(start)
            self.ends.append(end)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        return zip(self.starts, self.ends, strict=True)

    def __bool__(self) -> bool:
        return bool(self.starts)

    def overlap(self, start: int, end: int) -> bool:
        """Whether one of them has something in common with what is between two places."""
        before = bisect_left(self.starts, end)
        return before > 0 and self.ends[before - 1] > start


def inner_credentials(path: str) -> Iterator[tuple[int, int]]:
    """Where the credentials are of URLs inside an opaque path, as blob: and view-source: have one."""
    end = 0
    last = path.rfind("@")
    for match in START.finditer(path, 0, last + 1):
        start = match.end()
        if start >= end:
            end = END.search(path, start).start()  # type: ignore[union-attr]  # it always matches
            behind_scheme = match[0][0] not in "/\\" or path[max(match.start() - 1, 0) : match.start()] in {"", ":"}
            at = credentials_end(path, start, end, last if behind_scheme else -1)
            if at > start:
                yield start, at
                end = max(at, end)


def without_inner_credentials(path: str) -> str:
    shown = TextBuffer()
    at = 0
    for start, end in inner_credentials(path):
        shown.append(path[at:start] + HIDDEN)
        at = end
    shown.append(path[at:])
    return str(shown)


def hidden_places(source: Source, url: LiteralURL | None) -> Iterator[tuple[int, int]]:
    """Where the credentials are inside an opaque path, and in what does not parse; in code points of what was passed.

    `source` is what the parser reads.
    """
    text = source.text
    if url is None:
        place = credentials_in(text)
        places = iter([place] if place else [])
    elif url.has_opaque_path:
        places = inner_credentials(re.split("[?#]", text, maxsplit=1)[0])
    else:
        return
    for start, end in places:
        yield source.position(start), source.position(end)
