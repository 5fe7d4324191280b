"""Lengths at which an offset would wrap: in a build with offsets of 16 bits (make narrow) that is 64 KiB.

With offsets of 32 bits it is 4 GiB: WEBURL_LARGE=1, and 16 GiB of memory.
"""

from __future__ import annotations

import gc
import gzip
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from ctypes import c_int64
from pathlib import Path
from typing import Any

import pytest
from support.arrow import KEPT, Array, AsArray, AsStream, capsule_pointer, read_one
from support.limits import is_too_long

from weburl import URL, join, normalize
from weburl._core.parser import LONGEST
from weburl.bulk import (
    can_parse_many,
    component_many,
    join_many,
    normalize_many,
    parse_lines,
    parse_many,
    query_get_many,
)
from weburl.hosts import parse_host

IS_NARROW = LONGEST < 2**20
pytestmark = pytest.mark.skipif(
    not IS_NARROW and os.environ.get("WEBURL_LARGE") != "1",
    reason="for a build with offsets of 16 bits, or machines with 16 GiB: WEBURL_LARGE=1",
)

WRAP = LONGEST + 2
VIEW_WRAP = WRAP // 2
REST = "/../evil.com/x"
# Each wraps, if it does, to what looks like a URL with another host.
URLS: dict[str, Callable[[], str]] = {
    "host kept": lambda: "http://".ljust(WRAP + 5, "z") + REST,
    "host copied": lambda: "HTTP://".ljust(WRAP + 5, "z") + REST,
    "host that ends in a number": lambda: "http://".ljust(WRAP + 5, "z") + ".a1" + REST,
    "opaque host": lambda: "x://".ljust(WRAP + 2, "z") + REST,
    "opaque host grown": lambda: "x://" + "\x01" * (WRAP // 3 + 1) + REST,
    "username": lambda: "http://".ljust(WRAP + 5, "u") + "@h" + REST,
    "username grown": lambda: "http://" + " " * (WRAP // 3 + 1) + "@h" + REST,
    "password grown": lambda: "http://u:" + "|" * (WRAP // 3 + 1) + "@h" + REST,
    "scheme": lambda: "z" * (WRAP + 2) + "://h" + REST,
    "path": lambda: "http://h/".ljust(WRAP + 5, "z") + REST + "?query#fragment",
    "path grown": lambda: "http://h/" + " " * (WRAP // 3 + 1) + REST + "?query#fragment",
    "query": lambda: "http://h/?".ljust(WRAP + 5, "z") + "#fragment",
    "fragment": lambda: "http://h/#".ljust(WRAP + 5, "z"),
    "opaque path": lambda: "x:".ljust(WRAP + 5, "z") + "?query#fragment",
}
if not IS_NARROW:
    # A minute each.
    URLS = {name: URLS[name] for name in ("host kept", "host copied", "opaque host grown", "username grown", "path")}
each_url = pytest.mark.parametrize("make", URLS.values(), ids=URLS)


@pytest.fixture(autouse=True)
def _collected() -> None:
    """What a test before has left is a cycle of gigabytes."""
    KEPT.clear()
    gc.collect()


@each_url
def test_parse(make: Callable[[], str]) -> None:
    url = make()
    assert is_too_long(lambda: URL(url))
    assert is_too_long(lambda: normalize(url))
    assert is_too_long(lambda: join("http://example.com/", url))
    assert URL.parse(url) is None
    assert not URL.can_parse(url)
    assert not URL.can_parse(url, "http://example.com/")


@each_url
def test_columns(make: Callable[[], str]) -> None:
    urls = [make(), "https://example.com/"]
    table = parse_many(urls, threads=1)
    assert table.errors == {"too-long": 1}
    assert table["hostname"].to_pylist() == [None, "example.com"]
    del table
    for column in (
        normalize_many(urls), can_parse_many(urls), component_many(urls, "origin"), query_get_many(urls, "query"),
        component_many(urls, "host", views=True), join_many(["http://h/"] * 2, urls),
    ):  # fmt: skip
        assert column.errors == {"too-long": 1}


@pytest.mark.parametrize("views", [False, True])
@each_url
def test_lines(make: Callable[[], str], views: bool) -> None:
    data = (make() + "\r\nhttps://example.com/\n").encode()
    table = parse_lines(data, views=views, threads=1)
    assert table.errors == {"too-long": 1}
    assert table["hostname"].to_pylist() == [None, "example.com"]


def test_setters() -> None:
    long = "z" * (WRAP + 5)
    for name in ("username", "password", "hostname", "host", "pathname", "search", "hash", "protocol"):
        url = URL("x://h/")
        assert is_too_long(lambda: setattr(url, name, long)), name  # noqa: B023
        assert is_too_long(lambda: url.replace(**{name: long})), name  # noqa: B023
        assert url.href == "x://h/"
    assert is_too_long(lambda: parse_host(long))
    long = " " * (WRAP // 3 + 5)
    for name in ("username", "password"):
        url = URL("http://h/")
        assert is_too_long(lambda: setattr(url, name, long)), name  # noqa: B023
        assert url.href == "http://h/"
    url = URL("http://h/")
    for name, make in URLS.items():
        text = make()
        assert is_too_long(lambda: setattr(url, "href", text)), name  # noqa: B023
        assert is_too_long(lambda: url.replace(href=text)), name  # noqa: B023
        assert url.href == "http://h/"


def test_parts_that_are_too_long_together() -> None:
    url = URL("http://h/")
    url.username = "u" * (LONGEST // 2)
    assert is_too_long(lambda: setattr(url, "password", "p" * (LONGEST // 2)))
    assert is_too_long(lambda: setattr(url, "pathname", "p" * (LONGEST // 2)))
    assert is_too_long(lambda: url.search_params.append("p" * (LONGEST // 2), ""))
    assert is_too_long(lambda: url.join("p" * (LONGEST // 2)))
    assert len(url.href) == len("http://@h/") + LONGEST // 2
    assert (url.hostname, url.pathname) == ("h", "/")


def test_a_longest_url() -> None:
    url = URL("http://".ljust(LONGEST - 1, "z") + "/")
    assert (len(url.href), len(url.hostname), url.pathname) == (LONGEST, LONGEST - 8, "/")
    assert is_too_long(lambda: url.join("x"))
    assert is_too_long(lambda: setattr(url, "search", "x"))
    assert is_too_long(lambda: url.search_params.append("", ""))
    assert URL(".", url) == url


def test_command(tmp_path: Path) -> None:
    file = tmp_path / "urls.gz"
    with gzip.open(file, "wb", compresslevel=1) as out:
        for make in (URLS["host kept"], URLS["username grown"]):
            out.write(make().encode() + b"\n")
        out.write(b"https://example.com/\n")
    done = subprocess.run(
        [sys.executable, "-m", "weburl", "-f", str(file), "-g", "{hostname} {error}", "--max-line", str(2 * WRAP)],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert done.stdout == " too-long\n too-long\nexample.com \n"


URL_BYTES = b" http://user:password@example.com/a/path/?with=query#fragment"


def view_column(begin: int, as_stream: bool) -> Any:
    """A string_view column whose one row is the last bytes of a buffer, at `begin`."""
    data = bytearray(begin) + URL_BYTES
    view = struct.pack("=i4sii", len(URL_BYTES), URL_BYTES[:4], 0, begin)
    source = (AsStream if as_stream else AsArray)([[]], "vu")
    source.arrays = [source.array([None, view, bytes(data), struct.pack("=q", len(data))], 1, 0)]
    return source


@pytest.mark.parametrize("as_stream", [False, True])
@pytest.mark.parametrize("begin", [VIEW_WRAP - length for length in (2, 1, len(URL_BYTES) + 1, len(URL_BYTES), 21)])
def test_views_of_a_long_buffer(begin: int, as_stream: bool) -> None:
    if not IS_NARROW and as_stream:
        pytest.skip("takes 7 GB, and goes the same way as the array")
    begin = min(begin, 2**31 - 1)
    url = URL(URL_BYTES.decode())
    table = parse_many(view_column(begin, as_stream), views=True)
    row = table.to_pylist()[0]
    assert row["href"] == url.href
    assert [row[name] for name in ("hostname", "pathname", "search", "hash", "origin")] == [
        url.hostname, url.pathname, url.search, url.hash, url.origin,
    ]  # fmt: skip
    assert query_get_many(view_column(begin, as_stream), "with").to_pylist() == ["query"]


def test_views_of_many_rows() -> None:
    """More than a window of them: in the input's buffer, in one that is made of it, in pieces of several threads."""
    path = "/" + "path/" * (40 if IS_NARROW else 2**15)
    some = [f"http://example{index}.com{path}?query={index}" for index in range(100)]
    # The texts are few, so that beside the column itself they take no memory.
    texts = some * (WRAP // (100 * len(path)) + 1)
    for rows in (texts, [some[0].replace("http", "HTTP")] * len(texts)):
        column = component_many(AsArray([rows], "U"), "pathname", views=True, threads=1)
        assert all(part == path for part in column)
        if IS_NARROW:
            column = component_many(rows * 20, "search", views=True, threads=2)
            assert column.to_pylist() == [text.partition("?")[1] + text.partition("?")[2] for text in rows] * 20


@pytest.mark.skipif(not IS_NARROW, reason="with offsets of 32 bits it would take 4 GiB for each column")
@pytest.mark.parametrize("scheme", ["http", "HTTP"])
def test_buffers_of_views_are_no_longer_than_a_view_reaches(scheme: str) -> None:
    """A reader that copies all buffers copies a byte at most twice."""
    texts = [f"{scheme}://example{index}.com/{'path/' * 40}" for index in range(WRAP // 60)]
    column = component_many(AsArray([texts], "U"), "pathname", views=True, threads=1)
    assert read_one(column) == [f"/{'path/' * 40}"] * len(texts)
    _, capsule = column.__arrow_c_array__()
    array = Array.from_address(capsule_pointer(capsule, b"arrow_array"))
    sizes = list((c_int64 * (array.n_buffers - 3)).from_address(array.buffers[array.n_buffers - 1]))
    assert len(sizes) > 10
    assert max(sizes) <= VIEW_WRAP
