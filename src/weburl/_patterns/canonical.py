"""The components of patterns and of mappings, as a URL has them: https://urlpattern.spec.whatwg.org/#canon"""

from __future__ import annotations

from weburl._core.parts import SETTERS
from weburl._core.percent import SETS, encode
from weburl._parsed import assign_part
from weburl.errors import InvalidURL, PatternError
from weburl.url import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")

DUMMY = "https://dummy.invalid/"
TAB_OR_NEWLINE = str.maketrans("", "", "\t\n\r")
IPV6_CHARACTERS = frozenset("0123456789abcdefABCDEF[]:")
DIGITS = frozenset("0123456789")
# The default ports, as texts; that of file is empty.
SPECIAL_SCHEMES = {
    scheme: str(URL(f"{scheme}://h").port_number or "") for scheme in ("http", "https", "ws", "wss", "ftp", "file")
}


def too_long() -> PatternError:
    return PatternError("this is longer than a URL may be")


def without_newlines(text: str) -> str:
    """The basic URL parser begins with this."""
    return text.translate(TAB_OR_NEWLINE) if "\t" in text or "\n" in text or "\r" in text else text


def canonicalize_protocol(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-protocol"""
    if text in SPECIAL_SCHEMES or not text:
        return text
    url = URL.parse(f"{text}://dummy.invalid/")
    if url is None:
        raise PatternError("this is not a scheme")
    return url.scheme


def canonicalize_username(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-username: the same for a password."""
    return encode(text, SETS["userinfo"])


def canonicalize_hostname(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-hostname"""
    if not text:
        return text
    url = URL(DUMMY)
    try:
        failure = assign_part(url, SETTERS["hostname"], text, "hostname")
    except InvalidURL:
        raise too_long() from None
    if failure:
        raise PatternError("this is not a host")
    return url.hostname


def canonicalize_ipv6_hostname(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-an-ipv6-hostname"""
    if not IPV6_CHARACTERS.issuperset(text):
        raise PatternError("an IPv6 address has hexadecimal digits, colons and brackets only")
    return text.lower()


def canonicalize_port(text: str, protocol: str = "") -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-port"""
    if not text:
        return text
    text = without_newlines(text)
    end = 0
    while end < len(text) and text[end] in DIGITS:
        end += 1
    digits = text[:end].lstrip("0") or "0"
    if not end or len(digits) > 5 or int(digits) > 65535:
        raise PatternError("a port is a number up to 65535")
    return "" if SPECIAL_SCHEMES.get(protocol) == digits else digits


def canonicalize_pathname(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-pathname"""
    if not text:
        return text
    url = URL(DUMMY)
    # A piece that does not begin with a slash is made a segment of its own, and must not become one of dots.
    try:
        url.pathname = text if text[0] == "/" else f"/-{text}"
    except InvalidURL:
        raise too_long() from None
    return url.pathname if text[0] == "/" else url.pathname[2:]


def canonicalize_opaque_pathname(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-an-opaque-pathname: the path state of opaque paths."""
    text = without_newlines(text)
    end = min([at for at in (text.find("?"), text.find("#")) if at >= 0], default=len(text))
    path = encode(text[:end], SETS["c0-control"])
    return f"{path[:-1]}%20" if end < len(text) and path.endswith(" ") else path


def canonicalize_search(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-search"""
    return encode(without_newlines(text), SETS["special-query"])


def canonicalize_hash(text: str) -> str:
    """https://urlpattern.spec.whatwg.org/#canonicalize-a-hash"""
    return encode(without_newlines(text), SETS["fragment"])


def in_url(canonicalize: Callable[[str], str], text: str, scheme: str) -> str:
    """What a URL has where it is given what one of the above returned."""
    if canonicalize is canonicalize_port:
        return canonicalize_port(text, scheme)
    if canonicalize is canonicalize_ipv6_hostname:
        url = URL.parse(f"https://{text}/")
        if url is None:
            raise PatternError("this is not an IPv6 address")
        return url.hostname
    is_special = canonicalize is canonicalize_pathname
    if text and (text[0] == "/" if is_special else canonicalize is canonicalize_opaque_pathname):
        scheme = scheme or ("https" if is_special else "x")
        # The standard leaves spaces, as in opaque paths.
        path = text.replace(" ", "%20")
        url = URL.parse(f"{scheme}://h{path}" if path[0] == "/" else f"{scheme}:{path}")
        if url is None:
            raise too_long()
        return text if url.pathname == path else url.pathname
    return text


def is_cut(canonicalize: Callable[[str], str], text: str) -> bool:
    """Whether one of the above takes only the start of a text."""
    if canonicalize is canonicalize_port:
        return not DIGITS.issuperset(text)
    return not ENDS.get(canonicalize, frozenset()).isdisjoint(text)


ENDS: dict[Callable[[str], str], frozenset[str]] = {
    canonicalize_hostname: frozenset("/\\?#"),
    canonicalize_opaque_pathname: frozenset("?#"),
}
