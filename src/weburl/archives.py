"""WARC files: the pages that crawlers have stored, with their URLs."""

from __future__ import annotations

import json
import os
import re
import sys
import zlib
from collections import deque
from collections.abc import Callable, Iterator
from functools import cache
from typing import IO, Any, Final, NamedTuple

__all__ = ["ArchiveError", "ArchiveRecord", "read_warc"]


def __dir__() -> list[str]:
    return __all__


CHUNK: Final = 1 << 20  # bytes that are read at a time
PACKED: Final = 1 << 14  # of these, packed; what follows a member is copied
GZIP: Final = b"\x1f\x8b\x08"
SIMPLE_HEADERS: Final = frozenset((0, 4, 8, 16))  # by their flags: those with at most one of three fields
MOST_HEAD: Final = 1 << 16  # bytes of the header of a record, or of the HTTP response in it
MOST_BODY: Final = 1 << 26
MOST_WAT: Final = 1 << 23  # of JSON, whose objects take up to 30 times as much memory
MOST_MEMBERS: Final = 1 << 12  # whose places are known at a time
BODY_PIECE: Final = 1 << 12  # bytes of a body; what follows a member in them is copied
MOST_CODINGS: Final = 4  # of a response, one around the other
BOM: Final = b"\xef\xbb\xbf"
BLANK_LINE: Final = re.compile(rb"\r?\n\r?\n")
FOLD: Final = re.compile(r"\r?\n[ \t]+")
NEWLINES: Final = re.compile(rb"[\r\n]*")
DIGITS: Final = re.compile(r"[0-9]{1,18}")
STATUS: Final = re.compile(rb"HTTP/\S{1,8}[ \t]+([0-9]{3})(?![0-9])")
CHUNK_SIZE: Final = re.compile(rb"[ \t]*([0-9A-Fa-f]{1,15})[ \t]*(?:;[^\n]{0,4096})?\r?\n")
CHARSET: Final = re.compile(r"""[;,]\s*charset\s*=\s*["']?([^\s"';,]+)""", re.IGNORECASE)
# Those of records that have a page, or stand for one: https://iipc.github.io/warc-specifications/
PAGES: Final = frozenset(("response", "resource", "revisit", "conversion"))
WAT_PAGE: Final = re.compile(rb'"WARC-Type"\s*:\s*"(?:response|resource|revisit|conversion)"')
JSON: Final = "application/json"
SURROGATES: Final = re.compile("[\ud800-\udfff]")
NO_MEMORY: Final = "there is not enough memory for it"


class ArchiveError(ValueError):
    """Raised where a WARC file is cut off or damaged. The message says at which byte.

    >>> from io import BytesIO
    >>> list(read_warc(BytesIO(b"WARC/1.0\\r\\nContent-Length: many\\r\\n\\r\\n")))
    Traceback (most recent call last):
        ...
    weburl.archives.ArchiveError: the record at byte 0 has no Content-Length that is a number
    """

    def __init__(self, message: str = "") -> None:
        if not isinstance(message, str):
            from weburl._advice import wrong_type

            raise wrong_type(message, "message must be a str")
        super().__init__(message)


class ArchiveRecord(NamedTuple):
    """A page of a WARC file.

    >>> from io import BytesIO
    >>> page = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\n\\r\\n<p>tea"
    >>> lines = "WARC/1.0", "WARC-Type: response", "WARC-Target-URI: https://example.com/"
    >>> length = f"Content-Length: {len(page)}"
    >>> [record] = read_warc(BytesIO("\\r\\n".join([*lines, length, "", ""]).encode() + page), bodies=True)
    >>> record.url, record.type, record.status, record.mime, record.body
    ('https://example.com/', 'response', 200, 'text/html', b'<p>tea')

    `url`, `type`, `date` and `length` are from the header of the record; `status`, `mime` and `charset` from that of
    the HTTP response. `offset` is where the record begins, and `file_offset` where to seek for it. `body` is there if
    it is asked for; `problem` may say why not. `envelope` is what WAT has.
    """

    url: str | None
    type: str
    date: str | None
    status: int | None
    mime: str | None
    charset: str | None
    length: int
    offset: int
    file_offset: int | None
    body: bytes | None
    envelope: dict[str, Any] | None
    problem: str | None


ArchiveRecord.url.__doc__ = "The `WARC-Target-URI`, as it is written, or None if the record has none."
ArchiveRecord.type.__doc__ = (
    'The `WARC-Type`: "response", "resource", "revisit" or "conversion" (a text, in WET). Of WAT, the type of '
    "the record that is described."
)
ArchiveRecord.date.__doc__ = "The `WARC-Date`, such as 2026-11-28T10:00:00Z, or None."
ArchiveRecord.status.__doc__ = "The status of the HTTP response, or None."
ArchiveRecord.mime.__doc__ = (
    "The type in the `Content-Type` of the response or else of the record, in lower case, or None."
)
ArchiveRecord.charset.__doc__ = "The charset in the same `Content-Type`, as it is written, or None."
ArchiveRecord.length.__doc__ = "The `Content-Length` of the record."
ArchiveRecord.offset.__doc__ = "Where the record begins in the unpacked file, in bytes."
ArchiveRecord.file_offset.__doc__ = (
    "Where `read_warc` can begin to read, to find this record first: the place of its gzip member in the file, or "
    "`offset` if the file is not packed. None if the record begins within a member."
)
ArchiveRecord.body.__doc__ = (
    "With `bodies`, the body without the codings of HTTP, such as chunks and gzip. Otherwise None."
)
ArchiveRecord.envelope.__doc__ = (
    "In WAT, the `Envelope` of the record, with the headers and the links of the page. Otherwise None."
)
ArchiveRecord.problem.__doc__ = "Why `body` is None although there is one, or why it is not decoded; or None."


def read_warc(
    source: str | os.PathLike[str] | IO[bytes], *, bodies: bool = False, most: int = MOST_BODY
) -> Iterator[ArchiveRecord]:
    """The pages of a WARC file, in order: its responses, or what WET and WAT have of them.

    >>> from io import BytesIO
    >>> from weburl.bulk import parse_many
    >>> lines = "WARC/1.0", "WARC-Type: conversion", "WARC-Target-URI: https://example.com/a", "Content-Length: 3"
    >>> records = read_warc(BytesIO("\\r\\n".join([*lines, "", "tea"]).encode()))
    >>> parse_many([record.url for record in records])["hostname"].to_pylist()
    ['example.com']

    Pass the path of a file, or a file that is open in binary mode. It may be packed with gzip. Requests, and other
    records that do not have a page, are left out. With `bodies`, records have their bodies, decoded. A body with more
    than `most` bytes is None; without `bodies`, memory does not depend on the length of records. Of WAT, a record with
    more than 8 MiB has no envelope.

    Where the file is cut off or damaged, ArchiveError is raised, after all records before that.
    """
    if not isinstance(source, (str, os.PathLike)) and not hasattr(source, "read"):
        from weburl._advice import wrong_type

        raise wrong_type(source, "source must be a path or a file that is open in binary mode")
    if not isinstance(most, int):
        from weburl._advice import wrong_type

        raise wrong_type(most, "most must be an int")
    return _records(source, min(most, sys.maxsize - 1) if bodies else None)


def _records(source: str | os.PathLike[str] | IO[bytes], most: int | None) -> Iterator[ArchiveRecord]:
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            yield from _records(file, most)
    else:
        yield from _read(_unpacked(source), most)


def _unpacked(file: IO[bytes]) -> _Rejoined | _Gzip:
    """The bytes of a file that may be packed with gzip."""
    head = b""
    while len(head) < 2 and (more := file.read(2 - len(head))):
        if isinstance(more, str):
            raise TypeError("source must be a file that is open in binary mode; this one is open in text mode")
        head += more
    if head != b"\x1f\x8b":
        return _Rejoined(head, file)
    return _Gzip(_Rejoined(head, file))


class _Rejoined:
    """A file whose first bytes have been read: it gives them again."""

    def __init__(self, head: bytes, file: IO[bytes]) -> None:
        self.head = head
        # A pipe gives what is there.
        self.more: Callable[[int], bytes | None] = getattr(file, "read1", file.read)

    def read(self, size: int) -> bytes:
        if self.head:
            data, self.head = self.head[:size], self.head[size:]
            return data
        return self.more(size) or b""

    def file_offset(self, offset: int) -> int | None:
        return offset


@cache
def find_isal() -> Any:
    """isal, or zlib if it is not installed. It is looked for once: that takes longer than to unpack a page."""
    try:
        from isal import isal_zlib
    except ImportError:
        return zlib
    return isal_zlib


class GzipMember:
    """What unpacks a member of gzip, like the unpackers of bz2 and lzma. It raises zlib.error.

    The package isal takes half as long as zlib. But where a header comes in pieces, it is wrong about those with a
    checksum, or with two of a name, a comment and extra data. zlib unpacks these.
    """

    def __init__(self) -> None:
        self.head: bytes = b""  # until it says what unpacks the member
        self.unpacker: Any = None
        self.error: type[Exception] = zlib.error
        self.has_more: bool = False  # isal may hold the end of the packed data, and still have something to give

    @property
    def needs_input(self) -> bool:
        return not (self.has_more or (self.unpacker is not None and self.unpacker.unconsumed_tail))

    @property
    def eof(self) -> bool:
        return self.unpacker is not None and bool(self.unpacker.eof)

    @property
    def unused_data(self) -> bytes:
        data: bytes = self.unpacker.unused_data if self.eof else b""
        return data

    def decompress(self, packed: bytes, size: int) -> bytes:
        if self.unpacker is None:
            packed = self.head + packed
            if len(packed) <= len(GZIP) and GZIP.startswith(packed):
                self.head = packed
                return b""
            self._choose(packed)
        try:
            data: bytes = self.unpacker.decompress(self.unpacker.unconsumed_tail or packed, size)
        except self.error as error:
            raise zlib.error(str(error)) from None
        self.has_more = len(data) == size
        return data

    def _choose(self, head: bytes) -> None:
        is_simple = head.startswith(GZIP) and head[len(GZIP)] in SIMPLE_HEADERS
        inflate = find_isal() if is_simple else zlib
        self.unpacker, self.error = inflate.decompressobj(wbits=31), inflate.error


class _Gzip:
    """The unpacked bytes of members of gzip.

    What is before the place where a file is cut off is given first; Python's own files lose some of it.
    """

    def __init__(self, file: _Rejoined) -> None:
        self.file = file
        self.packed = b""
        self.member: GzipMember | None = None
        # Bytes that members got, and that they gave; and where these begin, as unpacked and as packed bytes.
        self.taken = self.given = 0
        self.starts: deque[tuple[int, int]] = deque(maxlen=MOST_MEMBERS)

    def file_offset(self, offset: int) -> int | None:
        """Where the member of an unpacked byte is, if it is the first one there. The next call is for a later byte."""
        while self.starts and self.starts[0][0] < offset:
            self.starts.popleft()
        return self.starts[0][1] if self.starts and self.starts[0][0] == offset else None

    def read(self, size: int) -> bytes:
        while True:
            packed = b""
            if self.member is None or self.member.needs_input:
                packed = self.packed or self.file.read(PACKED)
                self.packed = b""
                self.taken += len(packed)
                if not packed:
                    if self.member is None:
                        return b""
                    raise ArchiveError("it is cut off: its gzip data has no end")
            if self.member is None:
                # There may be padding after a member.
                packed = packed.lstrip(b"\0")
                if not packed:
                    continue
                self.member = GzipMember()
                if self.starts and self.starts[-1][0] == self.given:
                    # Of an empty member.
                    self.starts.pop()
                self.starts.append((self.given, self.taken - len(packed)))
            try:
                data = self.member.decompress(packed, size)
            except zlib.error:
                raise ArchiveError("its gzip data is damaged") from None
            self.given += len(data)
            if self.member.eof:
                self.packed, self.member = self.member.unused_data, None
                self.taken -= len(self.packed)
            if data:
                return data


class _Bytes:
    """The bytes of a file, of which a chunk is in memory: `data` from `at` on."""

    def __init__(self, read: Callable[[int], bytes]) -> None:
        self.read = read
        self.data = b""
        self.at = self.before = 0  # `before` is how many bytes were before `data`
        self.error: Exception | None = None  # what reading has ended with

    def tell(self) -> int:
        return self.before + self.at

    def has(self, size: int) -> bool:
        """Whether so many bytes follow; then they are in memory. No more is read than that, and what comes with it."""
        if len(self.data) - self.at >= size:
            return True
        parts = [self.data[self.at :]]
        count = len(parts[0])
        while count < size and self.error is None and (more := self._more()):
            parts.append(more)
            count += len(more)
        self.before += self.at
        self.at = 0
        self.data = b"".join(parts)
        return count >= size

    def _more(self) -> bytes:
        """An error of the file is raised only where its bytes end."""
        try:
            return self.read(CHUNK)
        except Exception as error:
            self.error = error
            return b""

    def cut(self, offset: int) -> Exception:
        """Why a record that begins there has no end."""
        return self.error or ArchiveError(f"it is cut off: the record at byte {offset} has no end")

    def skip_newlines(self) -> bool:
        """Whether anything follows them."""
        while self.has(1):
            self.at = NEWLINES.match(self.data, self.at).end()  # type: ignore[union-attr]  # there may be none
            if self.at < len(self.data):
                return True
        if self.error is not None:
            raise self.error
        return False

    def pieces(self, size: int) -> Iterator[bytes]:
        """The next bytes in pieces; fewer, where the file ends."""
        while size and self.has(1):
            piece = self.data[self.at : self.at + size] if self.at or size < len(self.data) else self.data
            self.at += len(piece)
            size -= len(piece)
            yield piece

    def skip(self, size: int) -> bool:
        rest = size - (len(self.data) - self.at)
        if rest <= 0:
            self.at += size
            return True
        return sum(map(len, self.pieces(size))) == size

    def head(self, offset: int) -> dict[str, str]:
        """The header of the record here, by names in lower case; of a name that is there twice, the first value."""
        ends_early = not self.has(len(b"WARC/"))
        if not self.data.startswith(b"WARC/", self.at):
            if ends_early and b"WARC/".startswith(self.data[self.at :]):
                raise self.cut(offset)
            raise ArchiveError(f"no record begins at byte {offset}: perhaps the Content-Length before it is wrong")
        size = 0  # of what has no blank line
        while (found := BLANK_LINE.search(self.data, self.at + max(size - 3, 0), self.at + MOST_HEAD)) is None:
            size = len(self.data) - self.at
            ends_early = size < MOST_HEAD and not self.has(size + 1)
            if ends_early or size >= MOST_HEAD:
                break
        if found is None:
            if ends_early:
                raise self.cut(offset)
            raise ArchiveError(f"the header of the record at byte {offset} has more than {MOST_HEAD:,} bytes")
        head = self.data[self.at : found.start()]
        self.at = found.end()
        return _fields(head)


def _fields(head: bytes) -> dict[str, str]:
    """The fields after the first line. A line that begins with white space continues the one before.

    Of a name that is there twice, the first value counts; those of codings are one list.
    """
    fields: dict[str, str] = {}
    lists: dict[str, list[str]] = {"content-encoding": [], "transfer-encoding": []}
    for line in FOLD.sub(" ", head.decode("utf-8", "replace")).split("\n")[1:]:
        name, colon, value = line.partition(":")
        if colon:
            name, value = name.strip().lower(), value.strip()
            fields.setdefault(name, value)
            if name in lists:
                lists[name].append(value)
    fields.update((name, ",".join(values)) for name, values in lists.items() if values)
    return fields


def _read(file: _Rejoined | _Gzip, most: int | None) -> Iterator[ArchiveRecord]:
    """The pages; `most` is that of bodies, or None if they are not read."""
    source = _Bytes(file.read)
    if source.has(len(BOM)) and source.data.startswith(BOM):
        source.at = len(BOM)
    while source.skip_newlines():
        offset = source.tell()
        places = offset, file.file_offset(offset)
        fields = source.head(offset)
        size = fields.get("content-length", "")
        if not DIGITS.fullmatch(size):
            raise ArchiveError(f"the record at byte {offset} has no Content-Length that is a number")
        length = int(size)
        end = source.tell() + length
        kind = fields.get("warc-type", "").lower()
        mime, charset = _type(fields.get("content-type"))
        record = None
        if kind in PAGES:
            record = _page(source, fields, kind, mime, charset, length, places, most)
        elif kind == "metadata" and mime == JSON:
            record = _wat_page(source, fields, length, places, most)
        if record is not None:
            yield record
        if not source.skip(end - source.tell()):
            raise source.cut(offset)


def _url(fields: dict[str, str]) -> str | None:
    """Older writers put it in angle brackets."""
    url = fields.get("warc-target-uri")
    return url[1:-1] if url is not None and url[:1] == "<" and url[-1:] == ">" else url


def _type(value: str | None) -> tuple[str | None, str | None]:
    """The type and the charset of a Content-Type."""
    if not value:
        return None, None
    found = CHARSET.search(value)
    return re.split("[;,]", value, maxsplit=1)[0].strip().lower() or None, found and found[1]


def _page(
    source: _Bytes,
    fields: dict[str, str],
    kind: str,
    mime: str | None,
    charset: str | None,
    length: int,
    places: tuple[int, int | None],
    most: int | None,
) -> ArchiveRecord:
    source.has(min(length, MOST_HEAD))
    head = source.data[source.at : source.at + min(length, MOST_HEAD)]
    status = None
    headers: dict[str, str] = {}
    size = 0
    is_cut = False
    if mime == "application/http" or (kind in ("response", "revisit") and head.startswith(b"HTTP/")):
        found = STATUS.match(head)
        status = int(found[1]) if found else None
        blank = BLANK_LINE.search(head)
        is_cut = blank is None and length > MOST_HEAD
        size = blank.end() if blank else len(head)
        # Where the file ends in the header, it can end in a value.
        has_end = len(head) == min(length, MOST_HEAD)
        headers = _fields(head[: blank.start()] if blank else head if has_end else b"")
        mime, charset = _type(headers.get("content-type"))
    body = problem = None
    if most is not None and kind != "revisit":
        if is_cut:
            problem = f"its HTTP header has more than {MOST_HEAD:,} bytes"
        elif length > most:
            problem = f"it has more than {most:,} bytes"
        else:
            block = b"".join(source.pieces(length))
            if len(block) < length:
                raise source.cut(places[0])
            body, problem = _decoded_if_memory(block[size:], headers, most)
    return ArchiveRecord(
        _url(fields), kind, fields.get("warc-date"), status, mime, charset, length, *places, body, None, problem
    )


def _wat_page(
    source: _Bytes, fields: dict[str, str], length: int, places: tuple[int, int | None], most: int | None
) -> ArchiveRecord | None:
    """The page that a record of WAT describes, or None: requests, and WARC files themselves, are described, too."""
    limit = MOST_WAT if most is None else min(most, MOST_WAT)

    def page(kind: str, problem: str | None, *values: Any) -> ArchiveRecord:
        status, mime, charset, envelope = values or (None,) * 4
        return ArchiveRecord(
            _url(fields), kind, fields.get("warc-date"), status, mime, charset, length, *places, None, envelope, problem
        )

    if length > limit:
        return page("metadata", f"it has more than {limit:,} bytes")
    data = b"".join(source.pieces(length))
    if len(data) < length:
        raise source.cut(places[0])
    if not WAT_PAGE.search(data):
        return None
    try:
        envelope = dig(json.loads(data), "Envelope")
    except (ValueError, RecursionError):
        return page("metadata", "it is not JSON")
    except MemoryError:
        return page("metadata", NO_MEMORY)
    kind = dig(envelope, "WARC-Header-Metadata", "WARC-Type")
    if not isinstance(kind, str) or kind not in PAGES:
        return None
    response = dig(envelope, "Payload-Metadata", "HTTP-Response-Metadata")
    number = dig(response, "Response-Message", "Status")
    status = int(number) if isinstance(number, str) and re.fullmatch("[0-9]{3}", number) else None
    headers = dig(response, "Headers")
    named = headers.items() if isinstance(headers, dict) else ()
    types = (value for name, value in named if name.lower() == "content-type")
    mime, charset = _type(next(filter(None, map(text_of, types)), None))
    return page(kind, None, status, mime, charset, envelope)


def text_of(value: Any) -> str | None:
    """A text in JSON, or None. What is no text in Unicode becomes U+FFFD."""
    return SURROGATES.sub("\ufffd", value) if isinstance(value, str) else None


def dig(value: Any, *names: str) -> Any:
    """What is below these names in objects of JSON, or None."""
    for name in names:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def _decoded_if_memory(body: bytes, headers: dict[str, str], most: int) -> tuple[bytes | None, str | None]:
    try:
        return _decoded(body, headers, most)
    except MemoryError:
        return None, NO_MEMORY


def _decoded(body: bytes, headers: dict[str, str], most: int) -> tuple[bytes | None, str | None]:
    """A body without its codings, and why there is none, or why it ends early."""
    problem = None
    transfer = _codings(headers, "transfer-encoding")
    codings = [*_codings(headers, "content-encoding"), *(each for each in transfer if each != "chunked")]
    if "chunked" in transfer:
        # Many archives store the body without its chunks, and the header as it was.
        body, is_whole = _without_chunks(body)
        problem = None if is_whole else "its chunks are damaged"
    if len(codings) > MOST_CODINGS:
        return None, f"it has more than {MOST_CODINGS} codings"
    for coding in reversed(codings):
        decode = CODINGS.get(coding)
        if decode is None:
            return body, f"its coding {coding[:20]!r} is not known"
        try:
            decoded = decode(body, most)
        except ImportError as error:
            needs = "backports.zstd" if coding == "zstd" else error.name
            return None, f"its coding {coding} needs {needs}: pip install weburl[warc]"
        except ValueError:
            # Many archives store the body without its coding, too.
            return body, f"it is not {coding}, although its header says so"
        if len(decoded) > most:
            return None, f"it has more than {most:,} bytes"
        body = decoded
    return body, problem


def _codings(headers: dict[str, str], name: str) -> list[str]:
    codings = [each.strip().lower() for each in headers.get(name, "").split(",")]
    return [each for each in codings if each not in ("", "identity")]


def _without_chunks(body: bytes) -> tuple[bytes, bool]:
    """A body without its chunks, and whether all of it was in chunks, but for its end.

    https://www.rfc-editor.org/rfc/rfc9112#section-7.1; what is not in chunks stays as it is.
    """
    whole = bytearray()
    at = 0
    while (found := CHUNK_SIZE.match(body, at)) is not None:
        size = int(found[1], 16)
        if not size:
            return bytes(whole), True
        # A size may be more than a place can be where these have 32 bits.
        begin, at = found.end(), min(found.end() + size, len(body))
        whole += body[begin:at]
        if body.startswith(b"\r\n", at):
            at += 2
        elif body.startswith(b"\n", at):
            at += 1
    if not at:
        return body, True
    return bytes(whole) + body[at:], at >= len(body)


# Each gives what is there where the data is cut off, and stops after `most` bytes and a few more. If the data is
# damaged, it raises ValueError.


def _inflate(body: bytes, most: int, wbits: int) -> bytes:
    try:
        return zlib.decompressobj(wbits).decompress(body, most + 1)
    except zlib.error:
        raise ValueError from None


def _gzip(body: bytes, most: int) -> bytes:
    """All members. What follows them, and is no member, is left out."""
    whole = bytearray()
    member = zlib.decompressobj(31)
    for at in range(0, len(body), BODY_PIECE):
        piece = body[at : at + BODY_PIECE]
        while piece and len(whole) <= most:
            try:
                whole += member.decompress(piece, most + 1 - len(whole))
            except zlib.error:
                raise ValueError from None
            piece = member.unused_data
            if member.eof:
                if not GZIP.startswith(piece[: len(GZIP)]):
                    return bytes(whole)
                member = zlib.decompressobj(31)
    return bytes(whole)


def _deflate(body: bytes, most: int) -> bytes:
    """With the header of zlib, or without it, as some servers send it."""
    try:
        return _inflate(body, most, 15)
    except ValueError:
        return _inflate(body, most, -15)


def _brotli(body: bytes, most: int) -> bytes:
    import brotli

    unpacker = brotli.Decompressor()
    if not hasattr(unpacker, "can_accept_more_data"):
        # Older ones cannot stop after some bytes.
        raise ImportError(name="brotli 1.2 or newer")
    try:
        parts = [unpacker.process(body, output_buffer_limit=CHUNK)]
        size = len(parts[0])
        while size <= most and not unpacker.can_accept_more_data():
            parts.append(unpacker.process(b"", output_buffer_limit=CHUNK))
            size += len(parts[-1])
    except brotli.error:
        raise ValueError from None
    return b"".join(parts)


def _zstd(body: bytes, most: int) -> bytes:
    if sys.version_info >= (3, 14):
        from compression import zstd
    else:
        from backports import zstd
    try:
        data: bytes = zstd.ZstdDecompressor().decompress(body, most + 1)
    except zstd.ZstdError:
        raise ValueError from None
    return data


# Codings of HTTP: each body is there whole, and has a limit. Compressed files are streams, which the command unpacks.
CODINGS: Final[dict[str, Callable[[bytes, int], bytes]]] = {
    "gzip": _gzip,
    "x-gzip": _gzip,
    "deflate": _deflate,
    "br": _brotli,
    "zstd": _zstd,
}
