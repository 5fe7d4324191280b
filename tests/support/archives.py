"""WARC files that tests write themselves: byte by byte, so that they can also be wrong."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Iterable


def record(kind: str, uri: str | None, block: bytes, type: str = "application/http", *more: str) -> bytes:
    lines = ["WARC/1.0", f"WARC-Type: {kind}", "WARC-Date: 2026-11-28T10:00:00Z"]
    if uri is not None:
        lines.append(f"WARC-Target-URI: {uri}")
    lines += [f"Content-Type: {type}", f"Content-Length: {len(block)}", *more]
    return "\r\n".join([*lines, "", ""]).encode() + block + b"\r\n\r\n"


def response(uri: str | None, body: bytes = b"<p>tea", *headers: str, status: str = "200 OK") -> bytes:
    lines = [f"HTTP/1.1 {status}", *(headers or ["Content-Type: text/html; charset=utf-8"]), "", ""]
    return record("response", uri, "\r\n".join(lines).encode() + body, "application/http; msgtype=response")


def records_of(uri: str, body: bytes = b"<p>tea") -> list[bytes]:
    """What a crawler writes for a page: the request, the response and what it has measured."""
    request = record("request", uri, b"GET / HTTP/1.1\r\n\r\n", "application/http; msgtype=request")
    return [request, response(uri, body), record("metadata", uri, b"fetchTimeMs: 9\r\n", "application/warc-fields")]


def capture(uri: str, body: bytes = b"<p>tea") -> bytes:
    return b"".join(records_of(uri, body))


def wat(uri: str, links: list[dict[str, str]], head: object = None, kind: str = "response") -> bytes:
    metadata = {"Links": links} if head is None else {"Links": links, "Head": head}
    envelope = {
        "WARC-Header-Metadata": {"WARC-Type": kind},
        "Payload-Metadata": {
            "HTTP-Response-Metadata": {
                "Response-Message": {"Status": "200"},
                "Headers": {"content-type": "text/html; charset=utf-8"},
                "HTML-Metadata": metadata,
            }
        },
    }
    return record("metadata", uri, json.dumps({"Container": {}, "Envelope": envelope}).encode(), "application/json")


INFO = record("warcinfo", None, b"software: a test\r\n", "application/warc-fields")


def packed(records: Iterable[bytes]) -> bytes:
    """Each record is a member of gzip, as in the files of Common Crawl."""
    return b"".join(gzip.compress(each, mtime=0) for each in records)


def generated(pages: int, seed: int) -> list[tuple[str, bytes]]:
    """URLs, and pages with links."""
    draw = random.Random(seed)
    made = []
    for number in range(pages):
        links = [f"/{draw.randrange(1000)}?page={draw.randrange(100)}" for _ in range(draw.randrange(20))]
        html = "".join(f"<p>{draw.random()}<a href='{link}'>{draw.random()}</a>" for link in links)
        made.append((f"https://h{draw.randrange(9)}.example/{number}", html.encode()))
    return made
