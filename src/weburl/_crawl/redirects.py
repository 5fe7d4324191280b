"""Where a redirect leads: https://fetch.spec.whatwg.org/#concept-response-location-url"""

from __future__ import annotations

import re
from typing import Final

from weburl._core.arguments import wrong_type
from weburl._core.percent import SETS, encode_bytes
from weburl.url import URL, FrozenURL

NOT_ASCII: Final = rb"[\x80-\xff]+"


def redirect_target(location: bytes | str, base: str | URL | FrozenURL) -> URL:
    """The URL to which the header `Location` of a response leads, as in a browser.

    >>> redirect_target(b"/caf\\xe9", "https://example.com/menu#drinks").href
    'https://example.com/caf%E9#drinks'

    `base` is the URL of the request; its fragment is kept, unless the location has one. Give the bytes of the header if
    you can: those that are not ASCII are percent-encoded as they are, whatever text they stand for. A str is text that
    is decoded already. The target may have any scheme: the caller decides whether to follow it. InvalidURL is raised if
    the location or the base does not parse; for the base, its error is "base".

    https://fetch.spec.whatwg.org/#concept-response-location-url
    """
    if isinstance(location, bytes):
        # Where the bytes are UTF-8, that is the same as to decode them first. Fetch does not say how bytes become text;
        # Chromium, and Firefox, escape them: https://github.com/whatwg/fetch/issues/883
        location = re.sub(NOT_ASCII, escape, location).decode("ascii")
    elif not isinstance(location, str):
        raise wrong_type(location, "location must be bytes or a str")
    if not isinstance(base, (str, URL, FrozenURL)):
        raise wrong_type(base, "base must be a str or a URL")
    request = URL.parse(base)
    # What raises names the location and the base.
    target = URL(location, base if request is None else request)
    assert request is not None
    fragment = request.fragment
    return target if fragment is None or target.fragment is not None else target.replace(fragment=fragment)


def escape(run: re.Match[bytes]) -> bytes:
    return encode_bytes(run[0], SETS["c0-control"]).encode("ascii")
