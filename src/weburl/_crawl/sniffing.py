"""The encoding of a page, and its text."""

from __future__ import annotations

import re
from codecs import charmap_decode
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._unicode.encoding import get_encoding
from weburl._unicode.labels import DEFAULT, label_of

PRESCANNED: Final = 1024  # bytes
BYTE_ORDER_MARKS: Final = ((b"\xef\xbb\xbf", "utf-8"), (b"\xfe\xff", "utf-16be"), (b"\xff\xfe", "utf-16le"))
ASCII: Final = "".join(map(chr, range(0x80)))
ALL_BYTES: Final = bytes(range(256))

# The label of a page that declares none, or what finds it.
Fallback = str | Callable[[bytes], str | None] | None


class Sniffed(NamedTuple):
    """The label of a page's encoding, and where it comes from."""

    label: str
    source: str

    @property
    def is_tentative(self) -> bool:
        """Whether a meta element of the page can still change it."""
        return self.source not in ("bom", "charset")


def known(label: str | None) -> str | None:
    """The label in lower case without white space, or None if it is not a label."""
    if label is None:
        return None
    try:
        get_encoding(label)
    except LookupError:
        return None
    return label.strip("\t\n\f\r ").lower()


# https://html.spec.whatwg.org/multipage/parsing.html#determining-the-character-encoding
def sniff(html: bytes, charset: str | None, fallback: Fallback = None) -> Sniffed:
    for mark, label in BYTE_ORDER_MARKS:
        if html.startswith(mark):
            return Sniffed(label, "bom")
    transport = known(charset)
    if transport is not None:
        return Sniffed(transport, "charset")
    found = prescan(html[:PRESCANNED])
    if found is None and fallback is not None:
        name = fallback if isinstance(fallback, str) else fallback(html)
        if name is not None:
            if not isinstance(name, str):
                raise wrong_type(name, "the function fallback_charset must return a str or None")
            return Sniffed(label_of(name), "fallback")
    return found or Sniffed(DEFAULT, "default")


# The bytes of UTF-16 without a byte order mark that begin an XML declaration.
XML_IN_UTF16: Final = ((b"<\0?\0x\0", "utf-16le"), (b"\0<\0?\0x", "utf-16be"))
SKIPPED: Final = re.compile(
    rb"<!(?=--)(?:.*?-->|.*)"
    rb"|(?P<meta><meta(?=[\t\n\f\r /]))"
    rb"|(?P<tag></?[a-z][^\t\n\f\r >]*)"
    rb"|<[!/?][^>]*>?",
    re.IGNORECASE | re.DOTALL,
)
ATTRIBUTE: Final = re.compile(
    rb"[\t\n\f\r /]*(?P<name>[^\t\n\f\r />][^\t\n\f\r /=>]*)"
    rb"(?:[\t\n\f\r ]*=[\t\n\f\r ]*(?:\"(?P<double>[^\"]*)(?P<end>\"|\Z)|'(?P<single>[^']*)(?P<end2>'|\Z)"
    rb"|(?P<plain>[^\t\n\f\r >]*)))?",
    re.DOTALL,
)


END_OF_TAG: Final = re.compile(rb"[\t\n\f\r /]*>")


# https://html.spec.whatwg.org/multipage/parsing.html#prescan-a-byte-stream-to-determine-its-encoding
def prescan(html: bytes) -> Sniffed | None:
    """What the page declares where it begins, or None."""
    for start, label in XML_IN_UTF16:
        if html.startswith(start):
            return Sniffed(label, "xml")
    position = 0
    while (match := SKIPPED.search(html, position)) is not None:
        position = match.end()
        if match["meta"] is None and match["tag"] is None:
            continue
        attributes: dict[bytes, bytes] = {}
        # https://html.spec.whatwg.org/multipage/parsing.html#concept-get-attributes-when-sniffing
        while (attribute := ATTRIBUTE.match(html, position)) is not None:
            position = attribute.end()
            value = attribute["double"] or attribute["single"] or attribute["plain"] or b""
            if attribute["end"] == b"" or attribute["end2"] == b"":
                return xml_encoding(html)
            attributes.setdefault(attribute["name"].lower(), value)
        if match["meta"] is not None and END_OF_TAG.match(html, position):
            texts = {name.decode("latin-1"): value.decode("latin-1") for name, value in attributes.items()}
            found_label = declared(texts)
            if found_label is not None:
                return Sniffed(found_label, "meta")
    return xml_encoding(html)


XML_DECLARATION: Final = re.compile(
    rb"<\?xml(?:(?!encoding)[^>])*encoding[\0-\x20]*=[\0-\x20]*([\"'])([^\0-\x20]*?)\1(?=[^>]*>)", re.DOTALL
)


# https://html.spec.whatwg.org/multipage/parsing.html#concept-get-xml-encoding-when-sniffing
def xml_encoding(html: bytes) -> Sniffed | None:
    declaration = XML_DECLARATION.match(html)
    label = None if declaration is None else known(declaration[2].decode("latin-1"))
    return None if label is None else Sniffed("utf-8" if is_utf16(label) else label, "xml")


def is_utf16(label: str) -> bool:
    return get_encoding(label).name.startswith("UTF-16")


def declared(attributes: Mapping[str, str | None]) -> str | None:
    """The label that a meta element declares, as the encoding of the bytes that it is in; None if it declares none."""
    label = attributes.get("charset")
    if label is None:
        if (attributes.get("http-equiv") or "").lower() != "content-type":
            return None
        label = charset_of_content(attributes.get("content") or "")
    label = known(label)
    if label is None:
        return None
    if is_utf16(label):
        return "utf-8"
    return DEFAULT if get_encoding(label).name == "x-user-defined" else label


def label_of_meta(attributes: dict[str, str | None]) -> str | None:
    """The label that a meta element declares where the parser meets it: an unknown `charset` does not count."""
    texts = {name: value or "" for name, value in attributes.items()}
    return declared(texts) or declared({**texts, "charset": None})


CHARSET: Final = re.compile(
    r"charset[\t\n\f\r ]*+=[\t\n\f\r ]*+(?:\"([^\"]*)\"|'([^']*)'|(?![\"'])([^\t\n\f\r ;]*))?",
    re.IGNORECASE | re.ASCII,
)


# https://html.spec.whatwg.org/multipage/urls-and-fetching.html#algorithm-for-extracting-a-character-encoding-from-a-meta-element
def charset_of_content(content: str) -> str | None:
    parameter = CHARSET.search(content)
    return None if parameter is None else parameter[1] or parameter[2] or parameter[3]


@lru_cache
def decoder_of(label: str) -> Callable[[bytes], str]:
    encoding = get_encoding(label)
    table = encoding.decode(ALL_BYTES)
    if encoding.name in ("UTF-16LE", "UTF-16BE") or len(table) != len(ALL_BYTES) or not table.startswith(ASCII):
        return encoding.decode
    return lambda data: charmap_decode(data, "strict", table)[0]


def decode(html: bytes, label: str) -> str | bytes:
    """The text of a page, without a byte order mark. UTF-8 stays as it is: the parser decodes it in the same way."""
    for mark, marked in BYTE_ORDER_MARKS:
        if html.startswith(mark):
            html, label = html[len(mark) :], marked
            break
    return html if get_encoding(label).is_utf8 else decoder_of(label)(html)
