"""Splits any string into the parts of a URL, at the boundaries of the standard. Nothing is decoded."""

from __future__ import annotations

import re
from typing import NamedTuple

C0_CONTROL_OR_SPACE = "".join(map(chr, range(0x21)))
TAB_OR_NEWLINE = {9: None, 10: None, 13: None}
SPECIAL = frozenset(("ftp", "file", "http", "https", "ws", "wss"))
SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
# https://url.spec.whatwg.org/#start-with-a-windows-drive-letter
DRIVE = re.compile(r"/{,3}([A-Za-z])[:|](?=/|\Z)")
BRACKETED_OR_COLON = re.compile(r"\[[^\]]*|:")


class Parts(NamedTuple):
    """The parts of a string; None for those that it does not have."""

    scheme: str  # that of the base if the string has none
    authority: str | None
    path: str
    query: str | None
    fragment: str | None
    known: bool  # the string has a scheme
    plain: bool  # every parser finds the same authority


def stripped(text: str) -> str:
    """The string without the characters that the parser removes first."""
    text = text.strip(C0_CONTROL_OR_SPACE)
    return text.translate(TAB_OR_NEWLINE) if "\t" in text or "\n" in text or "\r" in text else text


def split(text: str, scheme: str = "http") -> Parts:
    """The parts of a string. `scheme` is the scheme of its base.

    A scheme that is special but not "file", followed by less than two solidi, is taken for a relative one: what it
    means depends on the base.
    """
    rest = stripped(text)
    match = SCHEME.match(rest)
    if match:
        scheme = match[1].lower()
        rest = rest[match.end() :]
    rest, hash_, fragment = rest.partition("#")
    path, question, query = rest.partition("?")
    authority = None
    plain = True
    if scheme in SPECIAL:
        plain = scheme != "file" and path[2:3] not in ("/", "\\") and (bool(match) or "\\" not in path)
        path = path.replace("\\", "/")
        if scheme == "file" and match:
            drive = DRIVE.match(path)
            if drive:
                path = f"/{drive[1]}:{path[drive.end() :]}"
            if path.startswith("//"):
                authority, path = until_solidus(path, 2)
            elif path.startswith("/"):
                authority = ""
        elif path.startswith("//"):
            start = len(path) - len(path.lstrip("/")) if scheme != "file" else 2
            authority, path = until_solidus(path, start)
    elif path.startswith("//"):
        authority, path = until_solidus(path, 2)
    return Parts(scheme, authority, path, query if question else None, fragment if hash_ else None, bool(match), plain)


def until_solidus(path: str, start: int) -> tuple[str, str]:
    end = path.find("/", start)
    return (path[start:], "") if end < 0 else (path[start:end], path[end:])


def unsplit(scheme: str, authority: str | None, path: str, query: str | None, fragment: str | None) -> str:
    return "".join(
        (
            scheme and scheme + ":",
            "" if authority is None else "//" + authority,
            path,
            "" if query is None else "?" + query,
            "" if fragment is None else "#" + fragment,
        )
    )


def split_authority(authority: str) -> tuple[str | None, str | None, str, str]:
    """Username, password, host and port. The first two are None if missing."""
    userinfo, at, rest = authority.rpartition("@")
    username, colon, password = userinfo.partition(":")
    colons = (match.start() for match in BRACKETED_OR_COLON.finditer(rest) if match[0] == ":")
    end = next(colons, len(rest))
    return username if at else None, password if colon else None, rest[:end], rest[end + 1 :]


def remove_dot_segments(path: str, scheme: str) -> str:
    """https://url.spec.whatwg.org/#shorten-a-urls-path, for each .. of a path without percent-encoded dots"""
    solidus = path[:1] == "/"
    segments = path[solidus:].split("/")
    output: list[str] = []
    for segment in segments:
        if segment == "..":
            if output and not (scheme == "file" and len(output) == 1 and DRIVE.match(output[0])):
                output.pop()
        elif segment != ".":
            output.append(segment)
    if segments[-1] in (".", ".."):
        output.append("")
    if not solidus and output[0] == "" and len(output) > 1:
        return "./" + "/".join(output)
    return "/" * solidus + "/".join(output)
