"""The URLs in sitemaps and feeds: https://www.sitemaps.org/protocol.html, RSS 2.0, and Atom (RFC 4287).

Their XML is read by tags alone: no entity is declared and no other file is read, whatever the text says, and what is
not well-formed does not hide what follows.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable
from io import BytesIO
from typing import Final, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._core.percent import utf8
from weburl._crawl.relations import kinds_of
from weburl._crawl.sniffing import BYTE_ORDER_MARKS, decode, is_utf16, known, xml_encoding
from weburl._unicode.encoding import get_encoding
from weburl._unicode.labels import label_of
from weburl.url import URL

# Bytes: of a file that is unpacked, as the protocol has it; and of what is made of its links.
LARGEST: Final = 50 << 20
MOST_OF_LINKS: Final = 1 << 28
# What a link takes besides its texts.
OF_A_LINK: Final = 512
GZIP: Final = b"\x1f\x8b"
MOST_MEMBERS: Final = 1000
PIECE: Final = 1 << 16
ESCAPE: Final = b"\x1b"
LONGEST_RUN: Final = 1 << 20

# Elements with URLs, by the name of the element around them and their own: the kind, and the attribute with the URL.
# Prefixes do not count.
PLACES: Final[dict[tuple[str, str], tuple[str, str | None]]] = {
    ("url", "loc"): ("link", None),
    ("url", "link"): ("link", "href"),
    ("sitemap", "loc"): ("sitemap", None),
    ("image", "loc"): ("image", None),
    ("video", "content_loc"): ("media", None),
    ("video", "player_loc"): ("frame", None),
    ("video", "thumbnail_loc"): ("image", None),
    ("channel", "link"): ("link", None),
    ("item", "link"): ("link", None),
    ("item", "guid"): ("link", None),
    ("item", "comments"): ("link", None),
    ("item", "enclosure"): ("media", "url"),
    ("item", "content"): ("media", "url"),
    ("group", "content"): ("media", "url"),
    ("item", "thumbnail"): ("image", "url"),
    ("image", "url"): ("image", None),
    ("feed", "link"): ("link", "href"),
    ("feed", "icon"): ("image", None),
    ("feed", "logo"): ("image", None),
    ("entry", "link"): ("link", "href"),
    ("entry", "content"): ("link", "src"),
}
# The elements that have a date of their own, and where it is.
DATED: Final = frozenset(("url", "sitemap", "item", "entry"))
DATES: Final = frozenset(("lastmod", "pubDate", "updated", "date"))
# The outermost elements, and whether relative URLs are allowed in them.
ROOTS: Final = {"urlset": False, "sitemapindex": False, "rss": True, "RDF": True, "feed": True}

TAG: Final = re.compile(rb"<(/?)([^\s<>/\"'=]++)((?:[^<>\"']|\"[^\"<]*+\"|'[^'<]*+')*+)>")
ATTRIBUTE: Final = re.compile(rb"(?<=[\s\"'])([^\s=/<>\"']++)\s*+=\s*+(?:\"([^\"]*+)\"|'([^']*+)')")
REFERENCE: Final = re.compile(r"&(?:#([0-9]{1,7})|#x([0-9A-Fa-f]{1,6})|(amp|lt|gt|quot|apos));")
NAMED: Final = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
WHITE_SPACE: Final = " \t\r\n"
NOT_BLANK: Final = re.compile(rb"[^ \t\r\n]")
# Other attributes are not kept.
ATTRIBUTES: Final = frozenset(("href", "hreflang", "isPermaLink", "rel", "src", "title", "type", "url", "xml:base"))
# Elements that are open at once, and pieces of the text of one: no sitemap has as many.
MOST_OPEN: Final = 1000
MOST_PIECES: Final = 1000
NO_SITEMAP: Final = "neither a sitemap nor a feed"
TOO_MANY: Final = "too many links: the rest is not read"


class SiteLink(NamedTuple):
    """A link as the file has it."""

    kind: str | None
    tag: str | None
    attribute: str | None
    value: str
    text: str | None
    rel: str | None
    hreflang: str | None
    type: str | None
    lastmod: str | None
    base: str


class Sitemap(NamedTuple):
    links: list[SiteLink]
    label: str  # of the encoding
    source: str
    is_feed: bool  # whether relative URLs are allowed
    warnings: list[str]


def read_sitemap(data: bytes | str, charset: str | None, url: URL) -> Sitemap:
    """The links of a file, and what is wrong with it."""
    is_text = isinstance(data, str)
    if isinstance(data, str):
        data = utf8(data.removeprefix("\ufeff"))
    elif not isinstance(data, bytes):
        raise wrong_type(data, "data must be bytes or a str")
    reader = Reader(url.href)
    for _ in range(2):
        # Some servers pack again what is packed.
        if data.startswith(GZIP):
            data = unpack(data, reader.warn)
    if len(data) > LARGEST:
        reader.warn(f"the file is longer than {LARGEST} bytes: the rest is not read")
        data = data[:LARGEST]
    label, source = ("utf-8", "text") if is_text else encoding_of(data, charset)
    data = in_utf8(data, label)
    start = NOT_BLANK.search(data)
    if start is not None:
        (reader.read if start[0] == b"<" else reader.read_lines)(data)
    return Sitemap(reader.links, label, source, reader.is_feed, reader.warnings)


def unpack(data: bytes, warn: Callable[[str], None]) -> bytes:
    """What is in a file of gzip; the beginning of it, if it is damaged or too long."""
    output = bytearray()
    unpacker = zlib.decompressobj(31)
    members = 1
    position = 0
    rest = b""
    while len(output) <= LARGEST:
        if len(rest) < len(GZIP):
            # In pieces: what follows a member is copied.
            rest += data[position : position + PIECE]
            position += PIECE
        if unpacker.eof:
            if not rest.startswith(GZIP):
                # Nothing, or padding.
                break
            members += 1
            if members > MOST_MEMBERS:
                warn(f"gzip: more than {MOST_MEMBERS} members, so the rest is not read")
                break
            unpacker = zlib.decompressobj(31)
        if not rest:
            warn("gzip: the file ends early")
            break
        try:
            output += unpacker.decompress(rest, min(1 << 20, LARGEST + 1 - len(output)))
        except zlib.error:
            warn("gzip: the file is damaged, so the rest is not read")
            break
        rest = unpacker.unused_data if unpacker.eof else unpacker.unconsumed_tail
    return bytes(output)


def in_utf8(data: bytes, label: str) -> bytes:
    """The text, without a byte order mark, in UTF-8; bytes that are not UTF-8 stay."""
    if get_encoding(label).is_utf8 or is_utf16(label):
        text = decode(data, label)
        return text.encode("utf-8", "replace") if isinstance(text, str) else text
    has_states = label_of(label) == "iso-2022-jp"
    output = bytearray()
    position = 0
    while position < len(data):
        # In pieces, as decoders that have tables take much memory.
        if has_states:
            # An escape sequence says what follows it. Where there is none for long, the text is in ASCII.
            end = data.find(ESCAPE, position + PIECE, position + LONGEST_RUN)
            end = end if end >= 0 else position + LONGEST_RUN
        else:
            # No character of more bytes has one that is >.
            end = data.find(b">", position + PIECE) + 1 or len(data)
        output += decode(data[position:end], label).encode("utf-8", "replace")  # type: ignore[union-attr]
        position = end
    return bytes(output)


# https://www.rfc-editor.org/rfc/rfc7303#section-3
def encoding_of(data: bytes, charset: str | None) -> tuple[str, str]:
    for mark, label in BYTE_ORDER_MARKS:
        if data.startswith(mark):
            return label, "bom"
    transport = known(charset)
    if transport is not None:
        return transport, "charset"
    for start, label in ((b"<\0", "utf-16le"), (b"\0<", "utf-16be")):
        if data.startswith(start):
            return label, "xml"
    return xml_encoding(data[:1024]) or ("utf-8", "default")


class Reader:
    """Reads tags, one after the other. An end tag closes what is open in its element, if that is open."""

    def __init__(self, url: str) -> None:
        self.links: list[SiteLink] = []
        self.is_feed = False
        self.warnings: list[str] = []
        self.open: list[str] = []
        self.n_open: dict[str, int] = {}
        # The bases, and how many elements are open in that of each.
        self.bases = [(url, 0)]
        self.links_left = MOST_OF_LINKS
        self.has_root = False
        # Of the innermost element that can have a date: where its links begin, and the date.
        self.first_of_item = 0
        self.date: str | None = None
        self.guid: str | None = None
        # The text of the element that is being read, and its attributes.
        self.text: list[bytes] | None = None
        self.attributes: dict[str, str] = {}

    def warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)

    def read_lines(self, data: bytes) -> None:
        """A file with a URL on each line."""
        for line in BytesIO(data):
            value = line.decode("utf-8", "replace").strip(WHITE_SPACE)
            if value:
                self.add("link", None, None, value)
            if self.links_left <= 0:
                self.warn(TOO_MANY)
                return

    def read(self, data: bytes) -> None:
        position = 0
        while self.links_left > 0:
            place = data.find(b"<", position)
            if place < 0:
                break
            self.add_text(data[position:place])
            if data[place + 1 : place + 2] in (b"!", b"?"):
                position = self.skip(data, place)
                continue
            tag = TAG.match(data, place)
            if tag is None:
                self.add_text(b"<")
                position = place + 1
                continue
            position = tag.end()
            wrong = self.read_tag(tag)
            if wrong is not None:
                self.warn(wrong)
                return
        if self.links_left <= 0:
            self.warn(TOO_MANY)
        elif self.open:
            self.warn("the file ends early")
        elif not self.has_root:
            self.warn(NO_SITEMAP)

    def add_text(self, text: bytes) -> None:
        if self.text is not None and len(self.text) < MOST_PIECES:
            self.text.append(text)

    def skip(self, data: bytes, place: int) -> int:
        """Where a comment, a declaration or a section ends; the text of a section counts."""
        for start, end in ((b"<!--", b"-->"), (b"<![CDATA[", b"]]>"), (b"<?", b"?>")):
            if data.startswith(start, place):
                after = data.find(end, place + len(start))
                stop = len(data) if after < 0 else after
                if start == b"<![CDATA[":
                    self.add_text(data[place + len(start) : stop].replace(b"&", b"&amp;"))
                return min(stop + len(end), len(data))
        after = data.find(b">", place)
        subset = data.find(b"[", place, after)
        if subset >= 0:
            after = data.find(b"]", subset)
            if data.find(b"<!ENTITY", subset, len(data) if after < 0 else after) >= 0:
                self.warn("entities are declared: they are not read")
            after = data.find(b">", after) if after >= 0 else -1
        return len(data) if after < 0 else after + 1

    def read_tag(self, tag: re.Match[bytes]) -> str | None:
        """Reads a tag. What it returns is why the rest is not read."""
        slash, qualified, rest = tag.groups()
        name = qualified.rpartition(b":")[2].decode("utf-8", "replace")
        if slash:
            self.close(name)
            return None
        parent = self.open[-1] if self.open else ""
        if not self.open:
            if name not in ROOTS:
                return f"{NO_SITEMAP}: its first element is {name[:40]!a}"
            self.has_root = True
            self.is_feed = ROOTS[name]
        elif len(self.open) == MOST_OPEN:
            return f"more than {MOST_OPEN} elements are in each other: the rest is not read"
        if self.text and parent:
            # What has another element in it may only lack its end.
            self.end_text(parent)
        is_empty = rest.endswith(b"/")
        self.open.append(name)
        self.n_open[name] = self.n_open.get(name, 0) + 1
        place = PLACES.get((parent, name))
        has_base = self.is_feed and b"xml:base" in rest
        if place is not None or has_base:
            self.attributes = attributes_of(rest)
        if has_base and "xml:base" in self.attributes:
            base = URL.parse(self.attributes["xml:base"], self.bases[-1][0])
            if base is not None:
                self.bases.append((base.href, len(self.open)))
                self.links_left -= len(base.href)
        if name in DATED and place is None:
            self.first_of_item, self.date, self.guid = len(self.links), None, None
        if place is not None and ((attribute := place[1]) is not None or "href" in self.attributes):
            self.add_element(name, place[0], attribute or "href")
            self.text = None
        elif place is not None or (name in DATES and parent in DATED):
            self.text = []
        else:
            self.text = None
        if is_empty:
            self.close(name)
        return None

    def close(self, name: str) -> None:
        if not self.n_open.get(name):
            return
        while self.open:
            last = self.open[-1]
            if self.text is not None:
                self.end_text(last)
            if last in DATED and (self.open[-2] if len(self.open) > 1 else "", last) not in PLACES:
                # Not the url of an image.
                self.end_item()
            if self.bases[-1][1] == len(self.open):
                self.bases.pop()
            self.open.pop()
            self.n_open[last] -= 1
            if not self.n_open[last]:
                del self.n_open[last]
            if last == name:
                return

    def end_item(self) -> None:
        """After an element that may have a date, which may come after the links that it is of."""
        own = range(self.first_of_item, len(self.links))
        if self.guid is not None and all(self.links[number].tag != "link" for number in own):
            self.add("link", "guid", None, self.guid)
        if self.date is not None:
            for number in range(self.first_of_item, len(self.links)):
                self.links[number] = self.links[number]._replace(lastmod=self.date)
        self.first_of_item, self.date, self.guid = len(self.links), None, None

    def end_text(self, name: str) -> None:
        """After the text of an element: a date, or a URL."""
        assert self.text is not None
        value = unescape(b"".join(self.text).decode("utf-8", "replace")).strip(WHITE_SPACE)
        self.text = None
        place = PLACES.get((self.open[-2] if len(self.open) > 1 else "", name))
        if place is None:
            self.date = self.date or value or None
        elif name != "guid":
            self.add(place[0], name, None, value)
        elif self.attributes.get("isPermaLink", "true").strip(WHITE_SPACE).lower() == "true":
            # It is the link of an item that has no other.
            self.guid = value

    def add_element(self, name: str, kind: str | None, attribute: str) -> None:
        value = self.attributes.get(attribute)
        if value is None:
            return
        rel = self.attributes.get("rel")
        if attribute == "href" and rel is not None:
            words = rel.lower().split()
            kinds = kinds_of(words, "")
            kind = kinds[0] if kinds else "media" if "enclosure" in words else None
        self.add(kind, name, attribute, value.strip(WHITE_SPACE))

    def add(self, kind: str | None, tag: str | None, attribute: str | None, value: str) -> None:
        """Adds a link, if there is room for it."""
        base = self.bases[-1][0]
        self.links_left -= len(value) + OF_A_LINK + (len(base) if self.is_feed else 0)
        if self.links_left <= 0:
            return
        get: Callable[[str], str | None] = self.attributes.get if attribute is not None else no_attribute
        self.links.append(
            SiteLink(kind, tag, attribute, value, get("title"), get("rel"), get("hreflang"), get("type"), None, base)
        )


def no_attribute(name: str) -> None:
    return None


def attributes_of(text: bytes) -> dict[str, str]:
    """The attributes in a tag; their names without a prefix, but for xml:base."""
    found: dict[str, str] = {}
    for match in ATTRIBUTE.finditer(text):
        qualified = match[1].decode("utf-8", "replace")
        name = qualified if qualified == "xml:base" else qualified.rpartition(":")[2]
        if name not in ATTRIBUTES:
            continue
        value = match[2] if match[2] is not None else match[3]
        found.setdefault(name, unescape(value.decode("utf-8", "replace")))
    return found


def unescape(text: str) -> str:
    return REFERENCE.sub(character, text) if "&" in text else text


def character(reference: re.Match[str]) -> str:
    decimal, hexadecimal, name = reference.groups()
    if name is not None:
        return NAMED[name]
    number = int(decimal) if decimal is not None else int(hexadecimal, 16)
    return chr(number) if 0 < number < 0x110000 and not 0xD800 <= number < 0xE000 else "\ufffd"
