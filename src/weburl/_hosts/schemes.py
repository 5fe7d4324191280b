"""Special schemes, https://url.spec.whatwg.org/#special-scheme, and those whose hosts are looked at."""

from __future__ import annotations

import re
from collections.abc import Iterable

from weburl._core.arguments import need_iterable, wrong_type
from weburl.errors import InvalidURL
from weburl.url import URL

# The schemes with which browsers and fetchers look the host up in DNS.
WEB_SCHEMES = ("http", "https", "ws", "wss")
# https://url.spec.whatwg.org/#url-scheme-string
SCHEME = r"[A-Za-z][A-Za-z0-9+.-]*"


def default_port(scheme: str) -> int | None:
    """The default port of a scheme; None for file, and for a scheme that is not special.

    >>> default_port("https"), default_port("WS:"), default_port("ssh")
    (443, 80, None)

    A scheme is in upper or lower case, with or without its colon. InvalidURL is raised for other text.
    https://url.spec.whatwg.org/#default-port
    """
    return _url_of(scheme).port_number


def is_special_scheme(scheme: str) -> bool:
    """Whether a scheme is one of http, https, ws, wss, ftp and file, which the standard calls special.

    >>> is_special_scheme("FTP:"), is_special_scheme("ssh")
    (True, False)

    A scheme is in upper or lower case, with or without its colon. InvalidURL is raised for other text.
    https://url.spec.whatwg.org/#special-scheme
    """
    return _url_of(scheme).is_special


def parse_schemes(schemes: str | Iterable[str]) -> set[str]:
    names = set()
    if isinstance(schemes, str):
        schemes = [schemes]
    for scheme in need_iterable(schemes, "schemes must be a str or a list of them"):
        if not isinstance(scheme, str):
            raise wrong_type(scheme, "a scheme must be a str")
        scheme = str.__str__(scheme).removesuffix(":")
        if not re.fullmatch(SCHEME, scheme):
            raise ValueError("a scheme is a name such as 'https', with its colon or without")
        names.add(scheme.lower())
    return names


def _url_of(scheme: str) -> URL:
    """A URL with this scheme."""
    if not isinstance(scheme, str):
        raise wrong_type(scheme, "scheme must be a str")
    text = str.__str__(scheme)
    name = text.removesuffix(":")
    if not re.fullmatch(SCHEME, name):
        raise InvalidURL(text, None, "scheme-invalid", "scheme")
    return URL(f"{name}://h")
