"""Where credentials are in a text that is shown."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from weburl.errors import HIDDEN, credentials_end, credentials_in

if TYPE_CHECKING:
    from weburl._literal import LiteralURL
    from weburl._literal.source import Source

# What starts an authority inside an opaque path.
START: Final = re.compile(r"(?:[/\\]{2}|(?:https?|wss?|ftp):)[/\\]*", re.ASCII | re.IGNORECASE)
END: Final = re.compile(r"[/\\?#]|\Z")


def inner_credentials(path: str) -> list[tuple[int, int]]:
    """Where the credentials are of URLs inside an opaque path, as blob: and view-source: have one."""
    places = []
    end = 0
    last = path.rfind("@")
    for match in START.finditer(path, 0, last + 1):
        start = match.end()
        if start >= end:
            end = END.search(path, start).start()  # type: ignore[union-attr]  # it always matches
            behind_scheme = match[0][0] not in "/\\" or path[max(match.start() - 1, 0) : match.start()] in {"", ":"}
            at = credentials_end(path, start, end, last if behind_scheme else -1)
            if at > start:
                places.append((start, at))
                end = max(at, end)
    return places


def without_inner_credentials(path: str) -> str:
    shown = ""
    at = 0
    for start, end in inner_credentials(path):
        shown += path[at:start] + HIDDEN
        at = end
    return shown + path[at:]


def hidden_places(source: Source, url: LiteralURL | None) -> list[tuple[int, int]]:
    """Where the credentials are inside an opaque path, and in what does not parse; in code points of what was passed.

    `source` is what the parser reads.
    """
    text = source.text
    if url is None:
        place = credentials_in(text)
        places = [place] if place else []
    elif url.has_opaque_path:
        places = inner_credentials(re.split("[?#]", text, maxsplit=1)[0])
    else:
        places = []
    return [(source.starts[start], source.starts[end]) for start, end in places]
