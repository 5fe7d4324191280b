"""Percent-encoding and percent-decoding: https://url.spec.whatwg.org/#percent-encoded-bytes"""

from __future__ import annotations

from typing import Any

from weburl._core.arguments import wrong_type
from weburl._core.percent import SETS, decode, encode, encode_by_table, encode_bytes, scalar_values

__all__ = ["PercentEncodeSet", "percent_decode", "percent_decode_text", "percent_encode"]


def __dir__() -> list[str]:
    return __all__


ASCII = "".join(map(chr, range(0x80)))


class PercentEncodeSet:
    """A percent-encode set of another standard: one of the URL Standard's, with more characters.

        >>> text_directive = PercentEncodeSet.of("fragment", "&-,")
        >>> percent_encode("R&D - 50%", text_directive)
        'R%26D%20%2D%2050%'

    It is made by `of`, once, and used often. Two sets are equal if they have the same characters.
    """

    __slots__ = ("_table",)
    _table: bytes

    def __init__(self, *arguments: object) -> None:
        raise TypeError("write PercentEncodeSet.of(set, characters)")

    @classmethod
    def of(cls, set: str | PercentEncodeSet, characters: str = "") -> PercentEncodeSet:
        """The set of all characters of another set, and of these.

        >>> PercentEncodeSet.of("query", "'") == PercentEncodeSet.of("special-query")
        True
        >>> PercentEncodeSet.of("path", "/")
        PercentEncodeSet.of('c0-control', ' "#/<>?^`{}')

        `set` is a name that `percent_encode` takes, or a PercentEncodeSet. Each set has the C0 controls and all
        characters beyond ASCII. With the set of "form", a space becomes `%20`.
        """
        if not isinstance(characters, str):
            raise wrong_type(characters, "characters must be a str")
        table = set._table if isinstance(set, PercentEncodeSet) else table_of(members(mask_of(set)))
        more = int.from_bytes(table_of(scalar_values(characters)), "little")
        self = object.__new__(cls)
        self._table = (int.from_bytes(table, "little") | more).to_bytes(16, "little")
        return self

    def __contains__(self, character: str) -> bool:
        return len(character) == 1 and len(encode_by_table(character, self._table)) > 1

    def __eq__(self, other: object) -> bool:
        return self._table == other._table if isinstance(other, PercentEncodeSet) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._table)

    def __reduce__(self) -> tuple[Any, ...]:
        more = "".join(c for c in ASCII if c in self and " " <= c < "\x7f")
        return type(self).of, ("c0-control", more)

    def __repr__(self) -> str:
        return f"{type(self).__name__}.of('c0-control', {self.__reduce__()[1][1]!r})"


def mask_of(set: object) -> int:
    """The mask of a set of the standard."""
    mask = SETS.get(set) if isinstance(set, str) else None
    if mask is None:
        from weburl._diagnosis.messages import shown_argument

        raise ValueError(f"the set must be one of {', '.join(SETS)}, not {shown_argument(set)}")
    return mask


def members(mask: int) -> str:
    """The characters of ASCII that are in a set of the standard."""
    return "".join(character for character in ASCII if encode(character, mask) != character)


def table_of(characters: str) -> bytes:
    """A bit for each character of ASCII."""
    return sum({1 << ord(character) for character in characters if character.isascii()}).to_bytes(16, "little")


def encode_by_set(text: str | bytes, set: PercentEncodeSet, encoding: str) -> str:
    if encoding != "utf-8":
        from weburl._unicode.encoding import get_output_encoding

        if not get_output_encoding(encoding).is_utf8:
            raise ValueError(f"the encoding {encoding[:100]!a} goes with the sets special-query and form only")
    if isinstance(text, (bytes, bytearray, memoryview)):
        return encode_by_table(bytes(memoryview(text)), set._table)
    if not isinstance(text, str):
        raise wrong_type(text, "text must be a str or bytes")
    return encode_by_table(text, set._table)


def percent_encode(text: str | bytes, set: str | PercentEncodeSet, *, encoding: str = "utf-8") -> str:
    """Percent-encodes the characters of a text that are in one of the standard's sets.

    >>> percent_encode("50% café/bar?", "component"), percent_encode("50% café/bar?", "path")
    ('50%25%20caf%C3%A9%2Fbar%3F', '50%%20caf%C3%A9/bar%3F')
    >>> percent_encode("a b & c", "form")
    'a+b+%26+c'

    The text is encoded first; bytes are percent-encoded as they are. `set` is the name of one of the standard's sets:
    "c0-control", "fragment", "query", "special-query", "path", "userinfo", "component"; or "form", where a space
    becomes `+`. `encoding` is a label of the Encoding Standard. Encodings other than UTF-8 are for text, and for
    "special-query" and "form" only; a character that they do not have becomes `&#...;`, percent-encoded. For a set of
    another standard, pass a PercentEncodeSet.
    """
    try:
        mask = SETS.get(set)  # type: ignore[arg-type]
    except TypeError:  # a list, for example
        mask = None
    if mask is None:
        if isinstance(set, PercentEncodeSet):
            return encode_by_set(text, set, encoding)
        mask = mask_of(set)
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
