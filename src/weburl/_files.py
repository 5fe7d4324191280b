"""File paths as file URLs, and back."""

from __future__ import annotations

import os
import re

from weburl._core.arguments import need_path, wrong_type
from weburl._core.failures import FAILURE_NAMES
from weburl._core.percent import SETS, decode, encode_bytes
from weburl._core.texts import parse_host_text
from weburl._diagnosis.file_paths import (
    FILE_URL,
    POSIX_CODEC,
    POSIX_PATH,
    WINDOWS_CODEC,
    WINDOWS_PATH,
    WINDOWS_ROOT,
    Fault,
    is_server,
    posix_fault,
    url_fault,
    windows_fault,
)
from weburl.errors import InvalidURL

NOT_OF_A_HOST = frozenset("%?#")
DRIVE_LETTER = re.compile(r"/[A-Za-z]:(?=/|\Z)")


def url_of_path(path: str | bytes | os.PathLike[str] | os.PathLike[bytes], windows: bool | None, longest: int) -> str:
    """The serialization of the file URL of an absolute path."""
    windows = windows_rules(windows)
    name = os.fspath(need_path(path, "path must be a str, bytes or a path"))
    text = text_of_bytes(name, windows) if isinstance(name, bytes) else str.__str__(name)
    part = WINDOWS_PATH if windows else POSIX_PATH
    refuse(windows_fault(text) if windows else posix_fault(text), text, part)
    href = f"file://{after_slashes_of_windows(text) if windows else after_slashes_of_posix(text)}"
    if len(href) > longest:
        raise InvalidURL(text, None, "too-long", part)
    return href


def path_of_url(href: str, windows: bool | None) -> str:
    """The path that the serialization of a file URL stands for."""
    windows = windows_rules(windows)
    refuse(url_fault(href, windows), href, None)
    url = FILE_URL.match(href)
    assert url is not None
    host, path = url.groups()
    if not windows:
        return decode(path).decode(*POSIX_CODEC)
    names = decode(path.replace("/", "\\")).decode(*WINDOWS_CODEC)
    return f"\\\\{host}{names}" if host not in {"", "localhost"} else names[1:]


def windows_rules(windows: bool | None) -> bool:
    if windows is None:
        return os.name == "nt"
    if not isinstance(windows, bool):
        raise wrong_type(windows, "windows must be a bool or None")
    return windows


def refuse(fault: Fault | None, text: str, part: str | None) -> None:
    if fault is not None:
        raise InvalidURL(text, None, fault.name, part)


def text_of_bytes(path: bytes, windows: bool) -> str:
    # The bytes themselves, whatever the methods of a subclass do.
    path = b"".join((path,))
    try:
        return path.decode(*(WINDOWS_CODEC if windows else POSIX_CODEC))
    except UnicodeDecodeError:
        text = path.decode("utf-8", "surrogateescape")
        raise InvalidURL(text, None, "path-encoding", WINDOWS_PATH if windows else POSIX_PATH) from None


def after_slashes_of_posix(path: str) -> str:
    # The URL parser would take a first segment like C: for a drive, which the segment .. does not leave.
    drive = DRIVE_LETTER.match(path)
    try:
        encoded = percent_encoded(path.encode(*POSIX_CODEC))
        return encoded.replace(":", "%3A", 1) if drive else encoded
    except UnicodeEncodeError:
        raise InvalidURL(path, None, "path-encoding", POSIX_PATH) from None


def after_slashes_of_windows(path: str) -> str:
    root = WINDOWS_ROOT.match(path)
    assert root is not None
    if root["drive"]:
        before, names = f"/{root['drive']}", path[root.end() :]
    else:
        before, names = f"{server_host(root['server'], path)}/", path[root.start("share") :]
    # Two surrogates of a pair are one character of a name.
    names = names.replace("\\", "/").encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    return before + percent_encoded(names.encode(*WINDOWS_CODEC))


def server_host(server: str, path: str) -> str:
    """The host that stands for a server."""
    result = parse_host_text(server, False)
    if len(result) == 1 and NOT_OF_A_HOST.isdisjoint(server):
        raise InvalidURL(server, None, FAILURE_NAMES[result[0]], "host")
    # The host parser decodes, maps and normalizes, and the URL parser leaves out localhost: it would be another server.
    if len(result) == 1 or not is_server(result[1]) or result[1] == "localhost" or not is_spelling(server, result[1]):
        raise InvalidURL(path, None, "unc-server", WINDOWS_PATH)
    return result[1]


def is_spelling(server: str, host: str) -> bool:
    """Whether a server is a host but for the case of letters."""
    if server.isascii():
        return server.lower() == host
    from weburl._unicode.idna import domain_to_unicode

    return server.lower() == domain_to_unicode(host)


def percent_encoded(path: bytes) -> str:
    """A path, encoded so that it is a valid URL's and that the parser leaves it as it is."""
    encoded = encode_bytes(path.replace(b"%", b"%25"), SETS["path"])
    for character in "[\\]|":
        encoded = encoded.replace(character, f"%{ord(character):02X}")
    return encoded
