"""application/x-www-form-urlencoded: https://url.spec.whatwg.org/#application/x-www-form-urlencoded"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from weburl._core.arguments import wrong_type
from weburl._core.percent import SETS, encode, utf8
from weburl._core.urlencoded import parse
from weburl.percent import percent_decode
from weburl.search_params import URLSearchParams

__all__ = ["parse_form", "serialize_form"]


def __dir__() -> list[str]:
    return __all__


def parse_form(
    data: str | bytes, *, encoding: str = "utf-8", use_charset: bool = False, isindex: bool = False
) -> list[tuple[str, str]]:
    """The name-value pairs of form data, such as the body of a request or the query of a URL.

    >>> parse_form("q=caf%C3%A9+au+lait&&debug&lang=en")
    [('q', 'café au lait'), ('debug', ''), ('lang', 'en')]
    >>> parse_form(b"q=caf%E9", encoding="windows-1252")
    [('q', 'café')]

    `encoding` is the label of the encoding of names and values. With `use_charset`, a field named `_charset_` replaces
    it if the value is a label. With `isindex`, a first field without `=` is a value with an empty name. Both are no
    longer in the standard, but servers need them for old forms. With another encoding than UTF-8, data that is not
    ASCII raises ValueError.
    """
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise wrong_type(data, "data must be a str or bytes")
    if encoding == "utf-8" and not use_charset and not isindex:
        return parse(data)
    from weburl._unicode.encoding import get_encoding

    decoder = get_encoding(encoding)
    octets = utf8(data) if isinstance(data, str) else bytes(data)
    if not decoder.is_utf8 and not octets.isascii():
        raise ValueError(f"form data in the encoding {encoding!r} must be ASCII")
    sequences = octets.split(b"&")
    if isindex and b"=" not in sequences[0]:
        sequences[0] = b"=" + sequences[0]
    pairs = []
    for sequence in sequences:
        if not sequence:
            continue
        name, _, value = sequence.replace(b"+", b" ").partition(b"=")
        if use_charset and name == b"_charset_":
            try:
                decoder = get_encoding(value.decode("utf-8", "replace"))
            except LookupError:
                pass
            else:
                use_charset = False
        pairs.append((name, value))
    return [(decoder.decode(percent_decode(name)), decoder.decode(percent_decode(value))) for name, value in pairs]


def serialize_form(pairs: Mapping[str, Any] | Iterable[Iterable[Any]], *, encoding: str = "utf-8") -> str:
    """Name-value pairs as form data.

    >>> serialize_form({"q": "café & bar", "page": "1"})
    'q=caf%C3%A9+%26+bar&page=1'
    >>> serialize_form([("q", "€")], encoding="iso-8859-2")
    'q=%26%238364%3B'

    A character that the encoding does not have becomes `&#...;`, percent-encoded.
    """
    if isinstance(pairs, str):
        raise wrong_type(pairs, "pairs must be a mapping or pairs")
    params = URLSearchParams(pairs)
    if encoding == "utf-8":
        return str(params)
    from weburl._unicode.encoding import get_output_encoding

    encoder = get_output_encoding(encoding)
    if encoder.is_utf8:
        return str(params)
    mask = SETS["form"]
    return "&".join(f"{encode(name, mask, encoder)}={encode(value, mask, encoder)}" for name, value in params)
