"""The rules for paths that become file URLs, and the other way round: what breaks one, where, and in words."""

from __future__ import annotations

import os
import re
import sys
from typing import Final, NamedTuple

from weburl._core.percent import decode
from weburl._diagnosis.messages import SHOWN_IN_MESSAGE, shown
from weburl._diagnosis.validation_error import ValidationError

# InvalidURL.part for a path, by the rules that it has to keep. A URL that becomes a path is not a part.
POSIX_PATH: Final = "POSIX path"
WINDOWS_PATH: Final = "Windows path"


class Fault(NamedTuple):
    """A rule that is broken, and where."""

    name: str
    start: int
    end: int


class Codec(NamedTuple):
    """From file names to bytes and back."""

    encoding: str
    errors: str


# As os.fsencode() and os.fsdecode(); on Windows these have no names in bytes that are not UTF-8.
POSIX_CODEC: Final = Codec(sys.getfilesystemencoding() if os.name == "posix" else "utf-8", "surrogateescape")
WINDOWS_CODEC: Final = Codec("utf-8", "surrogatepass")

# A drive with the separator after it, or a server with a share; either can be after \\?\.
WINDOWS_ROOT: Final = re.compile(
    r"(?P<verbatim>\\\\\?\\)?"
    r"(?:(?P<drive>[A-Za-z]:)(?=[\\/])"
    r"|(?(verbatim)[Uu][Nn][Cc]\\|[\\/]{2})(?P<server>[^\\/]+)[\\/](?P<share>[^\\/]+))"
)
DEVICE_PREFIX: Final = re.compile(r"[\\/]{2}(?:\.+|\?)(?:[\\/]|\Z)")
POSIX_DOTS: Final = re.compile(r"(?<=/)\.\.?(?=/|\Z)")
# Windows ignores dots and spaces at the end of a name, so that others than . and .. may mean a folder, too.
WINDOWS_DOTS: Final = re.compile(r"(?<=[\\/])[. ]+(?=[\\/]|\Z)")
# In every folder and with every suffix: https://learn.microsoft.com/windows/win32/fileio/naming-a-file
DEVICE: Final = re.compile(
    r"(?<=[\\/])(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[1-9\xb9\xb2\xb3]) *(?:\.[^\\/]*)?(?=[\\/]|\Z)",
    re.ASCII | re.IGNORECASE,
)
NOT_VERBATIM: Final = re.compile(r"/|[. ](?=\\|\Z)|(?<=\\)\\")
FILE_URL: Final = re.compile("file://([^/?#]*)([^?#]*)")
# Up to where names start.
DRIVE_PATH: Final = re.compile("/[A-Za-z]:(?=/)")
SHARE_PATH: Final = re.compile("(?=/[^/])")
ENCODED: Final = re.compile("%(?:2f|5c|00)", re.IGNORECASE)
ENCODED_NAMES: Final = {"%2F": "encoded-solidus", "%5C": "encoded-reverse-solidus", "%00": "null-character"}


def posix_fault(path: str) -> Fault | None:
    if not path.startswith("/"):
        return Fault("relative-path", 0, len(path))
    return fault_at("null-character", path.find("\0")) or at("dot-segment", POSIX_DOTS.search(path))


def windows_fault(path: str) -> Fault | None:
    root = WINDOWS_ROOT.match(path)
    if root is None or not root["verbatim"]:
        prefix = DEVICE_PREFIX.match(path)
        if prefix:
            return Fault("device-path", 0, prefix.end())
    if root is None:
        return Fault("relative-path", 0, len(path))
    names = root.end("drive") if root["drive"] else root.start("share")
    return (
        fault_at("null-character", path.find("\0"))
        or names_fault(path, names)
        or (at("verbatim-path", NOT_VERBATIM.search(path, root.end("verbatim"))) if root["verbatim"] else None)
    )


def names_fault(path: str, start: int = 0) -> Fault | None:
    """What Windows would take for something else than files and folders of these names."""
    return (
        fault_at("stream-path", path.find(":", start))
        or at("dot-segment", WINDOWS_DOTS.search(path, start))
        or at("device-path", DEVICE.search(path, start))
    )


def url_fault(href: str, windows: bool) -> Fault | None:
    url = FILE_URL.match(href)
    if url is None:
        return Fault("not-file", 0, max(href.find(":"), 0))
    # The parser leaves localhost out, but the setter of the protocol does not.
    host = "" if url[1] == "localhost" else url[1]
    if host and not windows:
        return Fault("file-host", *url.span(1))
    for encoded in ENCODED.finditer(href, *url.span(2)):
        name = ENCODED_NAMES[encoded[0].upper()]
        if windows or name != "encoded-reverse-solidus":
            return at(name, encoded)
    return path_fault(href, host, *url.span(2), windows)


def path_fault(href: str, host: str, start: int, end: int, windows: bool) -> Fault | None:
    """The same for the path, from `start` to `end`; it has no encoded separators."""
    if windows:
        if host and not is_server(host):
            return Fault("unc-server", start - len(host), start)
        root = (SHARE_PATH if host else DRIVE_PATH).match(href, start, end)
        if root is None:
            return Fault("relative-path", start, end)
        start = root.end()
    encoded = decode(href[start:end])
    try:
        names = encoded.decode(*(WINDOWS_CODEC if windows else POSIX_CODEC))
    except UnicodeDecodeError as error:
        return segment_fault("path-encoding", href, start, end, encoded.count(b"/", 0, error.start))
    fault = names_fault(names) if windows else None
    return fault and segment_fault(fault.name, href, start, end, names.count("/", 0, fault.start))


def is_server(host: str) -> bool:
    """Whether a host can be between two backslashes and one: Windows takes a dot for its devices."""
    return not host.startswith("[") and host.strip(".") != ""


def segment_fault(name: str, href: str, start: int, end: int, solidi: int) -> Fault:
    """The fault of the segment that follows so many solidi."""
    segments = href[start:end].split("/")
    start += sum(map(len, segments[:solidi])) + solidi
    return Fault(name, start, start + len(segments[solidi]))


def at(name: str, place: re.Match[str] | None) -> Fault | None:
    return place and Fault(name, *place.span())


def fault_at(name: str, place: int) -> Fault | None:
    return Fault(name, place, place + 1) if place >= 0 else None


def encoding_fault(path: str, windows: bool) -> Fault | None:
    """What the encoding of file names does not have; for Windows, bytes that are not UTF-8, as surrogates."""
    if windows:
        return at("path-encoding", re.search("[\udc80-\udcff]", path))
    try:
        path.encode(*POSIX_CODEC)
    except UnicodeEncodeError as error:
        return Fault("path-encoding", error.start, error.end)
    return None


def server_fault(path: str) -> Fault | None:
    """Where the name of a server is that cannot be the host of a URL."""
    root = WINDOWS_ROOT.match(path)
    return Fault("unc-server", *root.span("server")) if root and root["server"] else None


RESOLVE: Final = "resolve it first, with os.path.abspath()"
# {place} is what is wrong.
SENTENCES: Final = {
    "relative-path": f"The path is not absolute: {RESOLVE}.",
    "dot-segment": f"A URL cannot have the segment {{place}}: {RESOLVE}.",
    "null-character": "A path cannot have a null character: remove it.",
    "device-path": "Windows takes {place} for a device, not for a file: use another name.",
    "stream-path": "Windows takes what follows a colon in a name for a stream of the file: remove the colon.",
    "verbatim-path": (
        r"Without \\?\, which a URL cannot have, Windows takes {place} for another name: use a path without \\?\."
    ),
    "path-encoding": "The encoding of file names does not have {place}: use another name.",
    "unc-server": "The URL parser makes another host of the server {place}: use its domain, in ASCII.",
    "not-file": "Only a file URL has a path in the file system, and this is not one.",
    "file-host": "The file is on the host {place}, and a POSIX path has no place for a host.",
    "encoded-solidus": "No file name has a slash, so this %2F cannot become one.",
    "encoded-reverse-solidus": "No file name on Windows has a backslash, so this %5C cannot become one.",
}
# The same, of a URL that is to be a path.
URL_SENTENCES: Final = {
    "relative-path": "Windows needs a drive letter, as in file:///C:/, or a server and a share.",
    "dot-segment": "Windows ignores dots and spaces at the end of a name, and {place} has nothing else.",
}
OTHER_RULES: Final = {
    POSIX_PATH: (WINDOWS_ROOT, "An absolute path starts with /; this is a Windows path, which needs windows=True."),
    WINDOWS_PATH: (
        re.compile("/(?!/)"),
        "An absolute path starts with a drive letter; this is a POSIX path, which needs windows=False.",
    ),
}


def file_failure(text: str, name: str, part: str | None) -> ValidationError | None:
    """The error of this name in a path or in a file URL; None if there is none."""
    if part is None:
        faults = [url_fault(text, False), url_fault(text, True)]
    elif part == WINDOWS_PATH:
        faults = [windows_fault(text), encoding_fault(text, True), server_fault(text)]
    else:
        faults = [posix_fault(text), encoding_fault(text, False)]
    for fault in faults:
        if fault is not None and fault.name == name:
            return ValidationError(*fault, True, message(text, fault, part))
    return None


def message(text: str, fault: Fault, part: str | None) -> str:
    sentence = SENTENCES[fault.name]
    if part is None:
        sentence = URL_SENTENCES.get(fault.name, sentence)
    elif fault.name == "relative-path":
        root, other = OTHER_RULES[part]
        sentence = other if root.match(text) else sentence
    return sentence.format(place=shown(text[fault.start : fault.end], SHOWN_IN_MESSAGE))
