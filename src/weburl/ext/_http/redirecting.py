"""What a request loses at a redirect: one rule for all clients of HTTP.

https://fetch.spec.whatwg.org/#concept-http-redirect-fetch drops `Authorization` where the origin changes, and the
headers of a body where the method becomes GET. This rule drops more: also what requests, httpx, aiohttp, curl, Go and
Node drop, what a browser writes by itself, and headers whose names say that they carry a secret.
"""

from __future__ import annotations

import re
from fnmatch import translate
from functools import lru_cache
from typing import Final, NamedTuple

from weburl._redact.secrets import NUMBER_NAMES, SECRET_NAMES, TOKEN_NAMES
from weburl.hosts import same_origin
from weburl.url import URL

# Headers that were written for one origin: its credentials, its name, the page that links to it.
ORIGIN_NAMES: Final = frozenset(
    (
        "authorization proxy-authorization www-authenticate proxy-authenticate authentication authentication-info dpop "
        "cookie cookie2 host origin referer"
    ).split()
)
# Headers about a body, besides all that begin with `content-`.
BODY_NAMES: Final = frozenset("transfer-encoding trailer expect digest repr-digest".split())
# Names that `redact` hides in a query, with or without a look at the value: `X-Api-Key`, `Private-Token`.
SECRET: Final = re.compile("|".join(map(translate, sorted(SECRET_NAMES | TOKEN_NAMES | NUMBER_NAMES))))
# `X-OTP` is `otp`, and `X-Hub-Signature-256` is `hubsignature`.
NOT_IN_NAMES: Final = re.compile("^x-|-?[0-9]+$|[^a-z0-9]+")


class Redirected(NamedTuple):
    """A request that may be redirected; and whether a redirect before it has led away from the first origin."""

    url: URL
    method: str
    left_origin: bool = False

    def leads_away(self, url: URL) -> bool:
        """Whether the request for this URL, which follows, loses what was for the first origin.

        A way back to the first origin does not bring it back.
        """
        return self.left_origin or not same_origin(self.url, url)


def is_dropped(name: str, *, left_origin: bool, left_body: bool = False) -> bool:
    """Whether a header is not sent after a redirect that has led to another origin, or to a method without a body."""
    name = name.lower()
    return (left_origin and is_for_one_origin(name)) or (left_body and is_about_a_body(name))


# Programs have few names of headers.
@lru_cache(maxsize=1024)
def is_for_one_origin(name: str) -> bool:
    # A validator, such as If-None-Match, is for one resource, and may identify who asks.
    return (
        name in ORIGIN_NAMES or name.startswith("if-") or SECRET.match(NOT_IN_NAMES.sub("", name)) is not None
    ) and name not in BODY_NAMES


def is_about_a_body(name: str) -> bool:
    return name in BODY_NAMES or name.startswith("content-")
