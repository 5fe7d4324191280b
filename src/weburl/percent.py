"""Percent-encoding and percent-decoding: https://url.spec.whatwg.org/#percent-encoded-bytes"""

from __future__ import annotations

from weburl._core.parts import wrong_type
from weburl._core.percent import SETS, decode, encode, encode_bytes, scalar_values

__all__ = ["percent_decode", "percent_decode_text", "percent_encode"]


def __dir__() -> list[str]:
    return __all__


def percent_encode(text: str | bytes, set: str, *, encoding: str = "utf-8") -> str:
    """Percent-encodes the characters of a text that are in one of the standard's sets.

    >>> percent_encode("50% café/bar?", "component"), percent_encode("50% café/bar?", "path")
    ('50%25%20caf%C3%A9%2Fbar%3F', '50%%20caf%C3%A9/bar%3F')
    >>> percent_encode("a b & c", "form")
    'a+b+%26+c'

    The text is encoded first; bytes are percent-encoded as they are. `set` is the name of one of the standard's sets:
    "c0-control", "fragment", "query", "special-query", "path", "userinfo", "component"; or "form", where a space
    becomes `+`. `encoding` is a label of the Encoding Standard. Encodings other than UTF-8 are for text, and for
    "special-query" and "form" only; a character that they do not have becomes `&#...;`, percent-encoded.
    """
    try:
        mask = SETS.get(set)
    except TypeError:  # a list, for example
        mask = None
    if mask is None:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"the set must be one of {', '.join(SETS)}, not {shown_argument(set)}")
    if type(text) is str and encoding == "utf-8":
        return encode(text, mask)
    if not isinstance(text, (str, bytes, bytearray, memoryview)):
        raise wrong_type(text, "text must be a str or bytes")
    output_encoding = None
    if encoding != "utf-8":
        from weburl._unicode.encoding import get_output_encoding

        output_encoding = get_output_encoding(encoding)
        if output_encoding.is_utf8:
            output_encoding = None
    if not isinstance(text, str):
        if output_encoding is not None:
            raise ValueError(f"the encoding {encoding[:100]!a} is for a str: bytes are percent-encoded as they are")
        # The bytes themselves, whatever the methods of a subclass do.
        return encode_bytes(text if type(text) is bytes else bytes(memoryview(text)), mask)
    if output_encoding is None:
        return encode(text, mask)
    if set not in ("special-query", "form"):
        raise ValueError(f"the encoding {encoding[:100]!a} goes with the sets special-query and form, not with {set}")
    return encode(text, mask, output_encoding)


def percent_decode(data: str | bytes) -> bytes:
    """Percent-decodes a str or bytes; the result is bytes.

    >>> percent_decode("caf%C3%A9 100%"), percent_decode(b"%FF")
    (b'caf\\xc3\\xa9 100%', b'\\xff')

    A str is encoded as UTF-8 first. A `%` without two hex digits stays as it is.
    """
    if not isinstance(data, (str, bytes, bytearray, memoryview)):
        raise wrong_type(data, "data must be a str or bytes")
    return decode(data)


def percent_decode_text(data: str | bytes, *, errors: str = "replace") -> str:
    """Percent-decodes a str or bytes to text: the bytes are decoded as UTF-8.

    >>> percent_decode_text("caf%C3%A9"), percent_decode_text("caf%E9"), percent_decode_text("caf%E9", errors="ignore")
    ('café', 'caf�', 'caf')

    `errors` is the name of an error handler, such as "strict": see `bytes.decode`.
    """
    if type(data) is str and "%" not in data:
        return scalar_values(data)
    decoded = percent_decode(data)
    try:
        return decoded.decode("utf-8", errors)
    except LookupError:
        raise ValueError(f"errors must name an error handler, not {errors[:100]!a}") from None
