"""The encodings that w3lib's users name: those of the Encoding Standard, by their labels or as Python calls them."""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import Protocol

from weburl._unicode.encoding import get_encoding, get_output_encoding

# Codecs whose names are no labels, and the encoding that browsers have for each.
LABELS = {
    "big5hkscs": "big5",
    "cp874": "windows-874",
    "cp932": "shift_jis",
    "cp949": "euc-kr",
    "iso2022_jp": "iso-2022-jp",
    "mac-cyrillic": "x-mac-cyrillic",
    "mac-roman": "macintosh",
}
ASCII = "".join(map(chr, range(0x80)))


class PageEncoding(Protocol):
    """What text and bytes are to each other in an encoding; the code points that it lacks are ints."""

    def encode(self, text: str) -> list[bytes | int]: ...
    def decode(self, data: bytes) -> str: ...


def percent_encode_error(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return "".join(f"%{byte:02X}" for byte in error.object[error.start : error.end]), error.end


codecs.register_error("weburl.percent-encode", percent_encode_error)


class PythonEncoding:
    """A codec that browsers do not have. Bytes that it cannot decode are percent-encoded."""

    def __init__(self, name: str) -> None:
        self.name = name

    def encode(self, text: str) -> list[bytes | int]:
        try:
            return [text.encode(self.name)]
        except UnicodeEncodeError:
            return [piece for character in text for piece in self.encode_character(character)]

    def encode_character(self, character: str) -> list[bytes | int]:
        try:
            return [character.encode(self.name)]
        except UnicodeEncodeError:
            return [ord(character)]

    def decode(self, data: bytes) -> str:
        return data.decode(self.name, "weburl.percent-encode")


class StandardEncoding:
    """An encoding of the Encoding Standard."""

    def __init__(self, label: str) -> None:
        self.encode = get_output_encoding(label).encode
        self.decode = get_encoding(label).decode


UTF_8 = PythonEncoding("utf-8")


def is_label(name: str) -> bool:
    try:
        get_encoding(name)
    except LookupError:
        return False
    return True


def label_of(name: str) -> str | None:
    """The label of an encoding that is named by one, or as a codec: LookupError if it is neither, None for a codec that
    browsers do not have."""
    if is_label(name):
        return name
    codec = codecs.lookup(name).name
    label = LABELS.get(codec, codec.replace("_", "-"))
    return label if is_label(label) else None


@lru_cache
def page_encoding(name: str) -> PageEncoding:
    """The encoding of a label or a codec: LookupError if there is neither, UTF-8 if ASCII is not ASCII in it."""
    label = label_of(name)
    if label is not None:
        return UTF_8 if get_encoding(label).is_utf8 else StandardEncoding(label)
    codec = codecs.lookup(name).name
    return PythonEncoding(codec) if keeps_ascii(codec) else UTF_8


def keeps_ascii(codec: str) -> bool:
    try:
        return ASCII.encode(codec) == ASCII.encode()
    except UnicodeError:
        return False
