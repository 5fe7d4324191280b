"""Reads the URLs of a WARC file: weburl, fastwarc and warcio, on the same file in one run.

The file is like those of Common Crawl. It has 200 MB, in a temporary folder.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import zlib
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from time import process_time
from typing import Any
from unittest.mock import patch

import corpora
import figures
import tables
from bench import describe_machine

from weburl.archives import read_warc
from weburl.bulk import common_crawl_many, parse_many
from weburl.cli import main as run_command

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
        assert run_command(["-f", str(path), "-o", out.name]) == 0
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
    "fastwarc": with_fastwarc,
    "warcio": with_warcio,
}
# What some of them need.
PEERS = {"fastwarc": "fastwarc", "warcio": "warcio", "isal": "`read_warc`, without isal"}


def measured(size: int, rounds: int, missing: list[str]) -> dict[str, Any]:
    """The seconds of each reader, for a file that is packed and for one that is not."""
    readers = {name: read for name, read in READERS.items() if name not in [PEERS[peer] for peer in missing]}
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        pages = write(folder, size)
        paths = {"packed": folder / "a.warc.gz", "plain": folder / "a.warc"}
        best: dict[str, dict[str, float]] = {reader: {} for reader in readers}
        for _ in range(rounds):
            for reader, read in readers.items():
                for kind, path in paths.items():
                    begin = process_time()
                    assert read(path) == pages
                    best[reader][kind] = min(best[reader].get(kind, 1e9), process_time() - begin)
        sizes = {kind: path.stat().st_size for kind, path in paths.items()}
    rows = [{"reader": reader, **seconds} for reader, seconds in best.items()]
    return {"pages": pages, "bytes": sizes, "rows": rows}


def of_columns(rounds: int) -> dict[str, float]:
    """`common_crawl_many` of the links of the web, on one thread."""
    links = corpora.real_links() or corpora.links(20_000)
    best = float("inf")
    for _ in range(rounds):
        begin = process_time()
        common_crawl_many(links, threads=1)
        best = min(best, process_time() - begin)
    return {"urls": len(links), "nanoseconds": best / len(links) * 1e9}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true", help="a smoke run: 2 MB, one round")
    parser.add_argument("--require-peers", action="store_true", help="fail when a peer is missing")
    options = figures.parsed(parser, "archives")
    missing = [name for name in PEERS if find_spec(name) is None]
    for name in missing:
        print(f"MISSING PEER {name}: pip install {name}")
    rounds = 1 if options.short else ROUNDS
    machine = describe_machine()
    found = measured(SIZE // 100 if options.short else SIZE, rounds, missing) | {"columns": of_columns(rounds)}
    versions = {name: version(name) for name in ("weburl", *PEERS) if name not in missing}
    section = {"machine": machine, "rounds": rounds, "versions": versions, "missing": missing, **found}
    print(f"{machine}, best of {rounds} rounds, CPU time", end="\n\n")
    print(*tables.of_archives(section), sep="\n")
    print(f"\ncommon_crawl_many: {found['columns']['nanoseconds']:.0f} ns a URL")
    if options.json:
        figures.add(options.json, "archives", section)
    return 1 if missing and options.require_peers else 0


if __name__ == "__main__":
    sys.exit(main())
