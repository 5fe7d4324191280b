"""weburl.archives beside fastwarc and warcio, and SURTs beside surt. What they write and read, weburl reads."""

from __future__ import annotations

import gzip
import io
import random
import sys
import zlib
from collections.abc import Callable
from itertools import combinations, islice
from typing import Any

import brotli
import pytest
import surt
from fastwarc.warc import ArchiveIterator, WarcRecord, WarcRecordType
from support.archives import INFO, generated, packed, records_of, response
from warcio.archiveiterator import ArchiveIterator as WarcioIterator
from warcio.exceptions import ArchiveLoadFailed
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from weburl import URL
from weburl.archives import ArchiveError, GzipMember, read_warc
from weburl.bulk import common_crawl_many
from weburl.cli._packings import Rejoined, _Streams

Pages = list[tuple[str, bytes]]


def by_warcio(pages: Pages, is_packed: bool) -> bytes:
    out = io.BytesIO()
    writer = WARCWriter(out, gzip=is_packed)
    for url, body in pages:
        headers = StatusAndHeaders("200 OK", [("Content-Type", "text/html")], protocol="HTTP/1.1")
        writer.write_record(writer.create_warc_record(url, "response", payload=io.BytesIO(body), http_headers=headers))
    return out.getvalue()


def by_fastwarc(pages: Pages, is_packed: bool) -> bytes:
    parts = []
    for url, body in pages:
        record = WarcRecord()
        record.init_headers(WarcRecordType.response)
        record.headers["WARC-Target-URI"] = url
        record.headers["Content-Type"] = "application/http; msgtype=response"
        record.set_bytes_content(b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n" + body)
        out = io.BytesIO()
        record.write(out)
        parts.append(gzip.compress(out.getvalue()) if is_packed else out.getvalue())
    return b"".join(parts)


def by_hand(pages: Pages, is_packed: bool) -> bytes:
    records = [INFO, *(each for page in pages for each in records_of(*page))]
    return packed(records) if is_packed else b"".join(records)


def with_fastwarc(data: bytes) -> Pages:
    iterator = ArchiveIterator(io.BytesIO(data), record_types=WarcRecordType.response)
    return [(str(record.headers["WARC-Target-URI"]), bytes(record.reader.read())) for record in iterator]


def with_warcio(data: bytes) -> Pages:
    records = (record for record in WarcioIterator(io.BytesIO(data)) if record.rec_type == "response")
    return [(record.rec_headers.get_header("WARC-Target-URI"), record.content_stream().read()) for record in records]


def with_weburl(data: bytes) -> list[tuple[str | None, bytes | None]]:
    return [(record.url, record.body) for record in read_warc(io.BytesIO(data), bodies=True)]


# warcio leaves a temporary file open for each record that it writes.
@pytest.mark.filterwarnings("ignore:.*SpooledTemporaryFile:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("write", [by_warcio, by_fastwarc, by_hand])
@pytest.mark.parametrize("is_packed", [True, False])
def test_all_read_the_same(write: Callable[[Pages, bool], bytes], is_packed: bool) -> None:
    for seed in range(3):
        pages = generated(40, seed)
        data = write(pages, is_packed)
        assert with_weburl(data) == with_fastwarc(data) == with_warcio(data) == pages


def test_isal_unpacks_as_zlib_does(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where a file is cut off, and a few bytes at a time."""

    def answers(data: bytes) -> list[object]:
        found: list[object] = []
        try:
            for record in read_warc(io.BytesIO(data), bodies=True):
                found.append((record.url, record.body))
        except ArchiveError as error:
            found.append(str(error))
        streams = _Streams(Rejoined(b"", io.BytesIO(data)), GzipMember, padding=b"\0", padding_size=1)
        size = draw.choice((5, 700, 1 << 20))
        try:
            while piece := streams.read(size):
                found.append(piece)
        except EOFError:
            found.append("cut off")
        return found

    pages = generated(3, 11)
    data = by_hand(pages, is_packed=True)
    for size in [*range(2, len(data), 7), len(data)]:
        draw = random.Random(size)
        own = answers(data[:size])
        with monkeypatch.context() as patch:
            patch.setitem(sys.modules, "isal", None)
            draw = random.Random(size)
            texts = answers(data[:size])
        assert [each for each in own if not isinstance(each, bytes)] == [
            each for each in texts if not isinstance(each, bytes)
        ]
        # How much comes at a time may differ; of data that is cut off, isal may give less.
        joined, expected = (b"".join(each for each in some if isinstance(each, bytes)) for some in (own, texts))
        assert expected.startswith(joined)
        assert size < len(data) or joined == expected


def with_header(flags: int, data: bytes, draw: random.Random) -> bytes:
    """A member of gzip whose header has these fields: https://www.rfc-editor.org/rfc/rfc1952#section-2.3"""
    header = b"\x1f\x8b\x08" + bytes([flags]) + draw.randbytes(6)
    if flags & 4:
        extra = draw.randbytes(draw.randrange(9))
        header += len(extra).to_bytes(2, "little") + extra
    for flag in (8, 16):
        if flags & flag:
            header += bytes(draw.choices(range(1, 256), k=draw.randrange(9))) + b"\0"
    if flags & 2:
        header += (zlib.crc32(header) & 0xFFFF).to_bytes(2, "little")
    return (
        header
        + zlib.compress(data, wbits=-15)
        + zlib.crc32(data).to_bytes(4, "little")
        + len(data).to_bytes(4, "little")
    )


def unpacked(unpacker: Any, pieces: list[bytes]) -> object:
    data = b""
    try:
        for piece in pieces:
            if unpacker.eof:
                break
            data += unpacker.decompress(piece, 1 << 20)
    except zlib.error:
        return "damaged"
    return data, unpacker.eof, unpacker.unused_data


@pytest.mark.parametrize("flags", [*range(32), 32, 64, 128])
@pytest.mark.parametrize("seed", range(3))
def test_headers_of_gzip_in_pieces(flags: int, seed: int) -> None:
    """Cut in two and in three at each place, and byte by byte, also where a byte of the header is wrong."""
    draw = random.Random(f"{flags} {seed}")
    whole = with_header(flags, draw.randbytes(9), draw) + b"after"
    wrong = bytearray(whole)
    wrong[draw.randrange(len(whole) - 5)] ^= 1 << draw.randrange(8)
    for data in (whole, bytes(wrong)):
        places = range(len(data) + 1)
        ways = [*combinations(places, 1), *combinations(places, 2), tuple(places)]
        for way in ways:
            pieces = [data[begin:end] for begin, end in zip((0, *way), (*way, len(data)), strict=True)]
            found = unpacked(GzipMember(), pieces)
            assert found == unpacked(zlib.decompressobj(wbits=31), pieces), (data, way)


def test_where_a_file_is_cut_off_only_weburl_says_so() -> None:
    """The figures of docs/decisions.md: how often a reader ends without a word although records are lost."""
    pages = generated(5, 7)
    data = by_hand(pages, is_packed=True)
    ends = {len(packed([INFO, *(each for page in pages for each in records_of(*page))][:n])) for n in range(17)}
    silent = dict.fromkeys(("weburl", "fastwarc", "warcio"), 0)
    places = [size for size in range(2, len(data)) if size not in ends]
    for size in places:
        for name, read, errors in (
            ("weburl", with_weburl, (ArchiveError,)),
            ("fastwarc", with_fastwarc, (OSError, ValueError, KeyError)),
            ("warcio", with_warcio, (ArchiveLoadFailed, AttributeError, EOFError, OSError, ValueError)),
        ):
            try:
                read(data[:size])
            except errors:
                continue
            silent[name] += 1
    print(f"{len(places)} places; ends without an error: {silent}")
    assert silent["weburl"] == 0
    assert min(silent["fastwarc"], silent["warcio"]) > len(places) // 2


def test_codings_that_need_packages() -> None:
    from backports import zstd

    page = b"<p>tea" * 1000
    for name, data in (("br", brotli.compress(page)), ("zstd", zstd.compress(page))):
        [(_, body)] = with_weburl(response("x:y", data, f"Content-Encoding: {name}"))
        assert body == page
        [record] = read_warc(io.BytesIO(response("x:y", b"<p>", f"Content-Encoding: {name}")), bodies=True)
        assert (record.body, record.problem) == (b"<p>", f"it is not {name}, although its header says so")
    for name, data in (("br", brotli.compress(bytes(1 << 26))), ("zstd", zstd.compress(bytes(1 << 26)))):
        stored = response("x:y", data, f"Content-Encoding: {name}")
        [record] = read_warc(io.BytesIO(stored), bodies=True, most=1 << 20)
        assert (record.body, record.problem) == (None, "it has more than 1,048,576 bytes")


def test_surt_keys() -> None:
    """The keys of the package surt for the serialized URL, as in docs/crawl-rules.md."""
    draw = random.Random(5)
    parts = ["", "a", "A", "www.", "www2.", "?b=1&a", "&A=b", "/", "//", "%7E", "%2f", f";jsessionid={'1' * 32}", ".."]
    urls = []
    for _ in range(3000):
        host = f"{draw.choice(['www.', '', 'WWW3.'])}example.{draw.choice(['com', 'co.uk:8080'])}"
        urls.append(f"{draw.choice(['http', 'https'])}://{host}/{''.join(draw.choices(parts, k=draw.randrange(6)))}")
    found = common_crawl_many(urls)["url_surtkey"].to_pylist()
    wrong = [url for url, key in zip(urls, found, strict=True) if key != surt.surt(URL(url).href)]
    assert list(islice(wrong, 5)) == []
