"""Reads the URLs of a WARC file: weburl, fastwarc and warcio, on the same file in one run.

`python benchmarks/bench_archives.py` writes a file of 200 MB like those of Common Crawl, in a temporary folder.
"""

from __future__ import annotations

import random
import sys
import tempfile
import zlib
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from time import process_time
from unittest.mock import patch

from weburl.archives import read_warc
from weburl.bulk import parse_many
from weburl.cli import main

SIZE = 200_000_000
ROUNDS = 3


def record(kind: str, uri: str, block: bytes, type: str) -> bytes:
    head = f"WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Date: 2026-11-28T10:00:00Z\r\nWARC-Target-URI: {uri}\r\n"
    return f"{head}Content-Type: {type}\r\nContent-Length: {len(block)}\r\n\r\n".encode() + block + b"\r\n\r\n"


def write(folder: Path, size: int) -> int:
    """A file as it is, and one where each record is a member of gzip. Returns how many pages they have."""
    draw = random.Random(1)
    words = ["".join(draw.choices("abcdefghijklmnopqrstuvwxyz", k=draw.randint(2, 9))) for _ in range(3000)]
    http = "application/http; msgtype="
    pages = total = 0
    with open(folder / "a.warc", "wb") as plain, open(folder / "a.warc.gz", "wb") as packed:
        while total < size:
            pages += 1
            uri = f"https://www.{draw.choice(words)}.co.uk/{draw.choice(words)}/{pages}?q={draw.choice(words)}"
            items = []
            for _ in range(draw.randint(50, 500)):
                text = " ".join(draw.choices(words, k=4))
                items.append(f'<li class="item"><a href="/{draw.choice(words)}/{draw.choice(words)}">{text}</a></li>\n')
            html = f"<!doctype html><ul>{''.join(items)}</ul>".encode()
            answer = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n\r\n" + html
            for data in (
                record("request", uri, b"GET / HTTP/1.1\r\n\r\n", f"{http}request"),
                record("response", uri, answer, f"{http}response"),
                record("metadata", uri, b"fetchTimeMs: 12\r\n", "application/warc-fields"),
            ):
                total += len(data)
                plain.write(data)
                packer = zlib.compressobj(wbits=31)
                packed.write(packer.compress(data) + packer.flush())
    return pages


def with_weburl(path: Path) -> int:
    return len([record.url for record in read_warc(path)])


def with_parts(path: Path) -> int:
    return len(parse_many([record.url for record in read_warc(path)]))


def without_isal(path: Path) -> int:
    with patch("weburl.archives.find_isal", lambda: zlib):
        return with_weburl(path)


def with_command(path: Path) -> int:
    with tempfile.NamedTemporaryFile() as out:
        assert main(["-f", str(path), "-o", out.name]) == 0
        return Path(out.name).read_bytes().count(b"\n")


def with_fastwarc(path: Path) -> int:
    from fastwarc.warc import ArchiveIterator, WarcRecordType

    with open(path, "rb") as file:
        records = ArchiveIterator(file, record_types=WarcRecordType.response, parse_http=False)
        return len([record.headers["WARC-Target-URI"] for record in records])


def with_warcio(path: Path) -> int:
    from warcio.archiveiterator import ArchiveIterator

    with open(path, "rb") as file:
        records = (each for each in ArchiveIterator(file, no_record_parse=True) if each.rec_type == "response")
        return len([record.rec_headers.get_header("WARC-Target-URI") for record in records])


READERS: dict[str, Callable[[Path], int]] = {
    "`read_warc`": with_weburl,
    "`read_warc`, without isal": without_isal,
    "`read_warc`, and `parse_many` of the URLs": with_parts,
    "`weburl -f`": with_command,
    f"fastwarc {version('fastwarc')}": with_fastwarc,
    f"warcio {version('warcio')}": with_warcio,
}


def bench(size: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = write(folder, size)
        paths = [folder / "a.warc.gz", folder / "a.warc"]
        sizes = [path.stat().st_size / 1e6 for path in paths]
        print(f"{pages:,} pages, {sizes[1]:.0f} MB, {sizes[0]:.0f} MB in gzip; the best of {ROUNDS} rounds, CPU time\n")
        best: dict[tuple[str, Path], float] = {}
        for _ in range(ROUNDS):
            for reader, read in READERS.items():
                for path in paths:
                    begin = process_time()
                    assert read(path) == pages
                    best[reader, path] = min(best.get((reader, path), 1e9), process_time() - begin)
        print("| reader | gzip: MB/s | URLs/s | not packed: MB/s | URLs/s |\n|---|---:|---:|---:|---:|")
        for reader in READERS:
            speeds = (f"{sizes[1] / best[reader, path]:,.0f} | {pages / best[reader, path]:,.0f}" for path in paths)
            print(f"| {reader} | {' | '.join(speeds)} |")


if __name__ == "__main__":
    bench(int(sys.argv[1]) if len(sys.argv) > 1 else SIZE)
