"""The encodings that users of w3lib name: by labels of the Encoding Standard, or by names of Python's codecs."""

from __future__ import annotations

import codecs
from functools import lru_cache
from typing import Protocol

from weburl._unicode.encoding import get_encoding, get_output_encoding
from weburl._unicode.labels import is_label, label_of_codec

ASCII = "".join(map(chr, range(0x80)))


class PageEncoding(Protocol):
    """Encodes and decodes. Code points that the encoding does not have stay as ints."""

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


def label_of(name: str) -> str | None:
    """The label for a name, which is a label or the name of a codec; None for a codec that browsers do not have.
    LookupError if the name is neither."""
    return name if is_label(name) else label_of_codec(codecs.lookup(name).name)


@lru_cache
def page_encoding(name: str) -> PageEncoding:
    """The encoding with this label or codec name; UTF-8 if it does not keep ASCII. LookupError if there is none."""
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
