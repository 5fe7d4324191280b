"""What a hostile server sends: fetch() ends in time, and the process stays small, whatever it is."""

from __future__ import annotations

import gzip
import json
import math
import os
import subprocess
import sys
import time
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from clients import CLIENTS
from support.raw_server import response, serving

from weburl import URL
from weburl.ext._http.fetching import Body
from weburl.ext.http import NotFetched

SIZE_LIMIT = 10 << 20
TIME_LIMIT = 1.0  # seconds
# Members of gzip below this many bytes are tiny, and a body has at most so many of them.
MEMBER_SIZE, MEMBERS = 64, 1000
# The body, as it is kept and as it is returned, and what a client has of it.
MEMORY = 32 << 20
EMPTY = gzip.compress(b"")
GZIP = b"Content-Encoding: gzip\r\n"


def packed(body: bytes) -> Callable[[], Iterator[bytes]]:
    return lambda: iter((response(headers=GZIP, body=body),))


def endless(head: bytes, piece: bytes) -> Callable[[], Iterator[bytes]]:
    def pieces() -> Iterator[bytes]:
        yield head
        while True:
            yield piece

    return pieces


def drip(head: bytes, piece: bytes) -> Callable[[], Iterator[bytes]]:
    def pieces() -> Iterator[bytes]:
        yield head
        while True:
            yield piece
            time.sleep(0.05)

    return pieces


def gigabyte_of_zeros() -> bytes:
    press = zlib.compressobj(9, zlib.DEFLATED, 31)
    # After a full flush, each mebibyte is the same bytes.
    start, middle = (press.compress(bytes(1 << 20)) + press.flush(zlib.Z_FULL_FLUSH) for _ in range(2))
    return start + middle * ((1 << 10) - 1)


OK = b"HTTP/1.1 200 OK\r\n"
CHUNKED = b"%sTransfer-Encoding: chunked\r\n" % OK
BOMBS: dict[str, Callable[[], Iterator[bytes]]] = {
    "100,000 empty members": packed(EMPTY * 100_000),
    "10 MB of empty members": packed(EMPTY * (SIZE_LIMIT // len(EMPTY))),
    "empty members without an end": endless(OK + GZIP + b"\r\n", EMPTY * 1000),
    "members of a byte": packed(gzip.compress(b"x") * 500_000),
    "members of 64 bytes": packed(gzip.compress(b"x" * MEMBER_SIZE) * 300_000),
    "zeros after a member": packed(gzip.compress(b"x") + bytes(20 << 20)),
    "a gibibyte of zeros": packed(gigabyte_of_zeros()),
    "gzip in gzip": packed(gzip.compress(gzip.compress(gigabyte_of_zeros()))),
    "blocks of nothing": packed(EMPTY[:10] + b"\0\0\0\xff\xff" * (4 << 20)),
    "a name of 20 MiB": packed(b"\x1f\x8b\x08\x08" + bytes(6) + b"a" * (20 << 20)),
    "a name without an end": endless(OK + GZIP + b"\r\n\x1f\x8b\x08\x08" + bytes(6), b"a" * 65536),
    "chunks of a byte": endless(CHUNKED + b"\r\n", b"1\r\nx\r\n" * 1000),
    "chunks of a byte of gzip": endless(
        CHUNKED + GZIP + b"\r\n", b"".join(b"1\r\n%c\r\n" % byte for byte in EMPTY * 100)
    ),
    "an extension without an end": endless(CHUNKED + b"\r\n1;", b"x" * 65536),
    "trailers without an end": endless(CHUNKED + b"\r\n1\r\nx\r\n0\r\n", b"X: y\r\n" * 1000),
    "a chunk of 2**63": endless(CHUNKED + b"\r\n8000000000000000\r\n", b"x" * 65536),
    "headers without an end": endless(OK, b"X-Header: y\r\n" * 1000),
    "a header without an end": endless(OK + b"X: ", b"y" * 65536),
    "a status line without an end": endless(b"HTTP/1.1 200 ", b"y" * 65536),
    "100 without an end": endless(b"", b"HTTP/1.1 100 Continue\r\n\r\n" * 1000),
    "103 without an end": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n" * 1000),
    "a body without an end": endless(OK + b"\r\n", b"x" * 65536),
    "a body that drips": drip(OK + b"\r\n", b"x"),
    "a body of gzip that drips": drip(OK + GZIP + b"\r\n", EMPTY),
    "headers that drip": drip(OK, b"X-Header: y\r\n"),
    "chunks that drip": drip(CHUNKED + b"\r\n", b"1\r\nx\r\n"),
    "100 that drips": drip(b"", b"HTTP/1.1 100 Continue\r\n\r\n"),
    "a redirect with a body without an end": endless(
        b"HTTP/1.1 302 Found\r\nLocation: http://[\r\n\r\n", b"x" * 65536
    ),
}  # fmt: skip
# A program that fetches each URL, and prints the outcome, the seconds, and by how many bytes its memory was above that
# before, at most: Linux counts that again after a 5 is written. Only the timed case looks at the seconds.
PROGRAM = """
import json, sys, time
from pathlib import Path
from clients import CLIENTS

def memory(name):
    status = Path("/proc/self/status").read_text()
    return int(status.partition(name)[2].split()[0]) << 10

client, size, seconds, *urls = sys.argv[1:]
for url in urls:
    Path("/proc/self/clear_refs").write_text("5")
    before, begin = memory("VmRSS:"), time.monotonic()
    try:
        (page,) = CLIENTS[client]([url], size_limit=int(size), time_limit=float(seconds))
        outcome = [page.status, len(page.body), page.truncated]
    except Exception as error:
        outcome = type(error).__name__
    print(json.dumps([outcome, time.monotonic() - begin, memory("VmHWM:") - before]), flush=True)
"""
# What clients raise for what is not HTTP, and fetch() for what takes too long.
# aiohttp has two for the same fault: which of them depends on whether the body came with the headers, in one read.
EXCEPTIONS = {
    "TimedOut", "NotFetched", "RemoteProtocolError", "ClientResponseError", "ClientPayloadError", "ConnectionError",
}  # fmt: skip


def fetched(client: str, urls: list[str]) -> list[Any]:
    folder = Path(__file__).parent
    paths = [str(folder), str(folder.parent), *filter(None, [os.environ.get("PYTHONPATH")])]
    run = subprocess.run(
        [sys.executable, "-c", PROGRAM, client, str(SIZE_LIMIT), str(TIME_LIMIT), *urls],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
        timeout=600,
        check=True,
    )
    return [json.loads(line) for line in run.stdout.splitlines()]


@pytest.mark.parametrize("most", [math.inf, pytest.param(TIME_LIMIT + 2, marks=pytest.mark.timed)])
@pytest.mark.parametrize("client", CLIENTS)
def test_bombs(client: str, most: float) -> None:
    # clock: timed
    bombs = list(BOMBS.values())

    def answer(head: bytes) -> Any:
        number = int(head.split(b" ")[1][1:])
        return bombs[number]() if number else response()

    bombs.insert(0, packed(EMPTY))
    with serving(answer) as server:
        (warm, *_), *found = fetched(client, [f"{server.origin}/{number}" for number in range(len(bombs))])
    assert warm == [200, 2, False]
    assert len(found) == len(BOMBS)
    for name, (outcome, seconds, memory) in zip(BOMBS, found, strict=True):
        print(f"{name}: {outcome}, {seconds:.2f} s, {memory >> 20} MiB")
        assert outcome in EXCEPTIONS if isinstance(outcome, str) else outcome[1] <= SIZE_LIMIT, (name, outcome)
        assert seconds < most, (name, outcome)
        assert memory < MEMORY, (name, outcome)


@pytest.mark.parametrize("client", CLIENTS)
@pytest.mark.parametrize("coding", [b"br", b"zstd", b"deflate", b"compress", b"dcb", b"gzip, br", b"identity, gzip"])
def test_codings_that_are_not_decoded(client: str, coding: bytes) -> None:
    """With whatever window or dictionary: nothing of such a body is read."""
    head = OK + b"Content-Encoding: %s\r\n\r\n" % coding
    with (
        serving(lambda _: endless(head, bytes(65536))()) as server,
        pytest.raises(NotFetched, match="was not asked for"),
    ):
        CLIENTS[client]([server.origin], time_limit=20)


def seconds_for(data: bytes, piece: int) -> float:
    def run() -> float:
        body = Body(((b"Content-Encoding", b"gzip"),), len(data) * MEMBER_SIZE, URL("http://a/"))
        begin = time.process_time()  # clock: timed
        for start in range(0, len(data), piece):
            body.add(data[start : start + piece])
        assert not body.truncated
        return time.process_time() - begin

    return min(run() for _ in range(3))


@pytest.mark.timed
@pytest.mark.parametrize("piece", [100, 1 << 16, 1 << 30])
def test_members_take_linear_time(piece: int) -> None:
    data = gzip.compress(b"x" * MEMBER_SIZE) * 10_000
    growth = seconds_for(data * 4, piece) / seconds_for(data, piece)
    assert growth < 6


@pytest.mark.parametrize("size", [0, 1, MEMBER_SIZE - 1, MEMBER_SIZE])
def test_how_many_members(size: int) -> None:
    """Any number of those that are not tiny."""
    body = Body(((b"Content-Encoding", b"gzip"),), SIZE_LIMIT, URL("http://a/"))
    member = gzip.compress(bytes(size))
    count = 0
    while count < 100_000 and not body.add(member):
        count += 1
    most = math.inf if size == MEMBER_SIZE else MEMBERS // (1 - size / MEMBER_SIZE)
    assert count == min(most, 100_000) or abs(count - most) <= 1


@pytest.mark.parametrize("piece", [1, 2, 7, 1023, 1024, 1025, 1 << 20])
def test_members_in_pieces(piece: int) -> None:
    """Wherever a piece ends: in a header, between members, in the zeros after one."""
    members = [os.urandom(size) for size in (0, 1, 1000, 1024, 3000)]
    data = b"".join(gzip.compress(member) + bytes(number) for number, member in enumerate(members))
    for end in (len(data), len(data) - 5):
        body = Body(((b"Content-Encoding", b"gzip"),), SIZE_LIMIT, URL("http://a/"))
        for start in range(0, end, piece):
            assert not body.add(data[start : min(start + piece, end)])
        assert b"".join(members).startswith(body.data())
        assert body.in_member == (end < len(data) - len(members) + 1)
    assert body.data() == b"".join(members) or body.in_member
