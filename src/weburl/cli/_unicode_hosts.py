"""--as-idn: parts of URLs with their hosts in Unicode."""

from __future__ import annotations

from functools import lru_cache

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

# The fields that have a host, or an end of one.
FIELDS_WITH_HOST: Final = ("href", "host", "hostname", "origin", "redacted", "registrable_domain", "public_suffix")


def with_unicode_host(field: str, text: str | None, hostname: str | None, host_type: str | None) -> str | None:
    """The text of a field, with the labels of the URL's host in Unicode, except those that may deceive."""
    if not text or not hostname or host_type != "domain" or "xn--" not in hostname:
        return text
    shown = _shown(hostname)
    if field in ("registrable_domain", "public_suffix"):
        return ".".join(shown.split(".")[-text.count(".") - 1 :])
    start = 0
    if field in ("href", "origin", "redacted"):
        # The host comes after the credentials. In a serialized URL the next slash ends the authority.
        start = text.index("//") + 2
        start = max(start, text.rfind("@", start, text.find("/", start)) + 1)
    return f"{text[:start]}{shown}{text[start + len(hostname) :]}" if text.startswith(hostname, start) else text


@lru_cache(1 << 16)
def _shown(hostname: str) -> str:
    from weburl.display import display_host

    return display_host(hostname, isolate=False)
