"""The grammar of valid URL strings: https://url.spec.whatwg.org/#url-writing

There is a function for each production. A production before a query never contains `?`, and one before a fragment
never contains `#`, so the first `?` and the first `#` are where the next production starts.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

from weburl._literal.hosts import ends_in_a_number
from weburl._literal.percent import ASCII_DIGITS, ASCII_HEX_DIGITS
from weburl._literal.record import DEFAULT_PORTS, LiteralURL
from weburl._unicode.idna import FORBIDDEN_HOST_CODE_POINTS, domain_parser

# https://url.spec.whatwg.org/#url-code-points, as a character class
_SUPPLEMENTARY: Final = "".join(f"{chr(plane)}-{chr(plane + 0xFFFD)}" for plane in range(0x10000, 0x110000, 0x10000))
_URL_CODE_POINTS: Final = rf"a-zA-Z0-9!$&'()*+,\-./:;=?@_~\u00a0-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd{_SUPPLEMENTARY}"

_NEITHER_URL_CODE_POINT_NOR_PERCENT: Final = re.compile(f"[^{_URL_CODE_POINTS}%]")
_NOT_A_PERCENT_ENCODED_BYTE: Final = re.compile("%(?![0-9A-Fa-f]{2})")
_URL_SCHEME: Final = re.compile(r"[a-zA-Z][a-zA-Z0-9+\-.]*")
_URL_SCHEME_AND_COLON: Final = re.compile(_URL_SCHEME.pattern + ":")
_SURROGATES: Final = re.compile("[\ud800-\udbff][\udc00-\udfff]")


# The productions that the standard exports: the anchor of each is its name here and "-string".
Kind = Literal[
    "valid-url",
    "absolute-url-with-fragment",
    "absolute-url",
    "url-scheme",
    "relative-url-with-fragment",
    "relative-url",
    "scheme-relative-special-url",
    "url-port",
    "scheme-relative-url",
    "opaque-host-and-port",
    "scheme-relative-file-url",
    "path-absolute-url",
    "path-relative-url",
    "path-relative-scheme-less-url",
    "opaque-path-url",
    "url-path-segment",
    "url-query",
    "url-fragment",
    "valid-host",
    "valid-domain",
    "valid-ipv4-address",
    "valid-ipv6-address",
    "valid-opaque-host",
]


def is_valid_string(text: str, kind: Kind, base: LiteralURL | None) -> bool:
    """Whether a text matches a production.

    A surrogate pair in two code points of a str is the one code point that it stands for; a URL may not have a
    surrogate alone.
    """
    if not text.isascii() and _SURROGATES.search(text):
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "surrogatepass")
    if kind == "valid-url":
        return is_valid_url_string(text, base)
    if kind in RELATIVE:
        assert base is not None
        return RELATIVE[kind](text, base)
    return ALONE[kind](text)


def is_valid_url_string(text: str, base: LiteralURL | None) -> bool:
    """https://url.spec.whatwg.org/#valid-url-string"""
    return is_absolute_url_with_fragment_string(text) or (
        base is not None and is_relative_url_with_fragment_string(text, base)
    )


def is_absolute_url_with_fragment_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#absolute-url-with-fragment-string"""
    url, _, fragment = text.partition("#")
    return is_absolute_url_string(url) and is_url_fragment_string(fragment)


def is_absolute_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#absolute-url-string"""
    before, _, query = text.partition("?")
    scheme, colon, rest = before.partition(":")
    if not colon or not is_url_scheme_string(scheme) or not is_url_query_string(query):
        return False
    scheme = scheme.lower()
    return is_scheme_relative_string(scheme, rest) or (
        scheme not in DEFAULT_PORTS
        and (is_path_absolute_non_authority_url_string(rest) or is_opaque_path_url_string(rest))
    )


def is_scheme_relative_string(scheme: str, text: str) -> bool:
    """One of three productions, by the scheme: https://url.spec.whatwg.org/#relative-url-string"""
    if scheme == "file":
        return is_scheme_relative_file_url_string(text)
    if scheme in DEFAULT_PORTS:
        return is_scheme_relative_special_url_string(text)
    return is_scheme_relative_url_string(text)


def is_url_scheme_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-scheme-string"""
    return _URL_SCHEME.fullmatch(text) is not None


def is_relative_url_with_fragment_string(text: str, base: LiteralURL) -> bool:
    """https://url.spec.whatwg.org/#relative-url-with-fragment-string"""
    url, hash_sign, fragment = text.partition("#")
    if base.has_opaque_path:
        return url == "" and hash_sign != "" and is_url_fragment_string(fragment)
    return is_relative_url_string(url, base) and is_url_fragment_string(fragment)


def is_relative_url_string(text: str, base: LiteralURL) -> bool:
    """https://url.spec.whatwg.org/#relative-url-string"""
    before, _, query = text.partition("?")
    return (
        is_path_absolute_non_authority_url_string(before)
        or is_path_relative_scheme_less_url_string(before)
        or is_scheme_relative_string(base.scheme, before)
    ) and is_url_query_string(query)


def is_scheme_relative_special_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#scheme-relative-special-url-string"""
    if not text.startswith("//"):
        return False
    authority, path = split_path(text[2:])
    host, port = split_port(authority)
    return is_valid_host_string(host) and is_url_port_string(port) and (path == "" or is_path_absolute_url_string(path))


def is_url_port_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-port-string"""
    digits = text.lstrip("0")
    return len(digits) <= 5 and ASCII_DIGITS.issuperset(digits) and int(digits or "0") <= 0xFFFF


def is_scheme_relative_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#scheme-relative-url-string"""
    if not text.startswith("//"):
        return False
    authority, path = split_path(text[2:])
    return is_opaque_host_and_port_string(authority) and (path == "" or is_path_absolute_url_string(path))


def is_opaque_host_and_port_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#opaque-host-and-port-string"""
    host, port = split_port(text)
    return text == "" or (is_valid_opaque_host_string(host) and is_url_port_string(port))


def is_scheme_relative_file_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#scheme-relative-file-url-string"""
    if not text.startswith("//"):
        return False
    host, path = split_path(text[2:])
    return (host == "" or is_valid_host_string(host)) and (path == "" or is_path_absolute_url_string(path))


def is_path_absolute_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#path-absolute-url-string"""
    return text.startswith("/") and all(map(is_url_path_segment_string, text[1:].split("/")))


def is_path_absolute_non_authority_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#path-absolute-non-authority-url-string"""
    return not text.startswith("//") and is_path_absolute_url_string(text)


def is_path_relative_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#path-relative-url-string"""
    return not text.startswith("/") and all(map(is_url_path_segment_string, text.split("/")))


def is_path_relative_scheme_less_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#path-relative-scheme-less-url-string"""
    return _URL_SCHEME_AND_COLON.match(text) is None and is_path_relative_url_string(text)


def is_opaque_path_url_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#opaque-path-url-string"""
    return not text.startswith("/") and "?" not in text and are_url_units(text)


def is_url_path_segment_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-path-segment-string"""
    # Single-dot and double-dot segments, two cases of the production, consist of URL units as well.
    return "/" not in text and "?" not in text and are_url_units(text)


def is_url_query_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-query-string"""
    return are_url_units(text)


def is_url_fragment_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-fragment-string"""
    return are_url_units(text)


def is_valid_host_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-host-string"""
    if text[:1] == "[":
        return text[-1:] == "]" and is_valid_ipv6_address(text[1:-1])
    return is_valid_ipv4_address(text) or is_valid_domain(text)


def is_valid_domain(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-domain"""
    ascii_domain = domain_parser(text, True)
    return ascii_domain is not None and not ends_in_a_number(ascii_domain)


def is_valid_ipv4_address(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-ipv4-address-string"""
    parts = text.split(".", 4)
    return len(parts) == 4 and all(
        0 < len(part) <= 3 and ASCII_DIGITS.issuperset(part) and int(part) <= 255 and str(int(part)) == part
        for part in parts
    )


def is_valid_ipv6_address(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-ipv6-address-string"""
    before, compressed, after = text.partition("::")
    if not compressed:
        return ipv6_piece_length(text, True) == 8
    lengths = (
        ipv6_piece_length(before, False) if before else 0,
        ipv6_piece_length(after, True) if after else 0,
    )
    return None not in lengths and sum(filter(None, lengths)) <= 7


def ipv6_piece_length(text: str, with_ipv4: bool) -> int | None:
    """https://url.spec.whatwg.org/#effective-piece-length; None for a text that has none."""
    pieces = text.split(":", 8)
    length = len(pieces)
    if with_ipv4 and is_valid_ipv4_address(pieces[-1]):
        pieces.pop()
        length += 1
    for piece in pieces:
        if not 0 < len(piece) <= 4 or not ASCII_HEX_DIGITS.issuperset(piece) or (piece[0] == "0" and piece != "0"):
            return None
    return length


def is_valid_opaque_host_string(text: str) -> bool:
    """https://url.spec.whatwg.org/#valid-opaque-host-string"""
    if text.startswith("["):
        return text.endswith("]") and is_valid_ipv6_address(text[1:-1])
    return text != "" and FORBIDDEN_HOST_CODE_POINTS.isdisjoint(text) and are_url_units(text)


def are_url_units(text: str) -> bool:
    """https://url.spec.whatwg.org/#url-units"""
    return _NEITHER_URL_CODE_POINT_NOR_PERCENT.search(text) is None and (
        "%" not in text or _NOT_A_PERCENT_ENCODED_BYTE.search(text) is None
    )


def split_path(text: str) -> tuple[str, str]:
    """The text before the first slash, and the rest."""
    before, slash, after = text.partition("/")
    return before, slash + after


def split_port(text: str) -> tuple[str, str]:
    """The text before the first colon outside brackets, and the text after it."""
    colon = text.find(":", text.rfind("]") + 1)
    return (text, "") if colon < 0 else (text[:colon], text[colon + 1 :])


# The kinds that say nothing without a base URL, and those for which a base makes no difference.
RELATIVE: Final[dict[Kind, Callable[[str, LiteralURL], bool]]] = {
    "relative-url-with-fragment": is_relative_url_with_fragment_string,
    "relative-url": is_relative_url_string,
}
ALONE: Final[dict[Kind, Callable[[str], bool]]] = {
    "absolute-url-with-fragment": is_absolute_url_with_fragment_string,
    "absolute-url": is_absolute_url_string,
    "url-scheme": is_url_scheme_string,
    "scheme-relative-special-url": is_scheme_relative_special_url_string,
    "url-port": is_url_port_string,
    "scheme-relative-url": is_scheme_relative_url_string,
    "opaque-host-and-port": is_opaque_host_and_port_string,
    "scheme-relative-file-url": is_scheme_relative_file_url_string,
    "path-absolute-url": is_path_absolute_url_string,
    "path-relative-url": is_path_relative_url_string,
    "path-relative-scheme-less-url": is_path_relative_scheme_less_url_string,
    "opaque-path-url": is_opaque_path_url_string,
    "url-path-segment": is_url_path_segment_string,
    "url-query": is_url_query_string,
    "url-fragment": is_url_fragment_string,
    "valid-host": is_valid_host_string,
    "valid-domain": is_valid_domain,
    "valid-ipv4-address": is_valid_ipv4_address,
    "valid-ipv6-address": is_valid_ipv6_address,
    "valid-opaque-host": is_valid_opaque_host_string,
}
