"""The door for blocks of rows against that for one text: at every length, alignment, place and end of a page."""

from __future__ import annotations

import mmap
import random
import struct
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pytest
from support.arrow import AsArray, AsStream
from test_scan import guarded_pages

from weburl import URL
from weburl._arrow.export import through_door
from weburl._core.parser import set_max_length
from weburl._core.percent import choose_kernels, kernel_name, kernel_names
from weburl.bulk import can_parse_many, component_many, normalize_many, parse_lines, parse_many, redact_many

LONGEST = 130
ROWS = 64
# Each is its own serialization, and is let in.
PLAIN = (
    "http://h/",
    "https://example.com/",
    "https://example.com/a.b/c;d=1,2/~e(f)!$&'*+:@/%41/%E3%81%82/a..c%2",
    "http://www.example.com/?",
    "http://www.example.com/?a=b&c=?/../^`{|}\\[]",
    "https://a.example/#",
    "https://a.example/x?y#z?#/..\\{}|^[]'",
    "https://1.2.3.com/",
    "https://a..b-_~$&'()*+,;=!{}`\".xn--com/",
    f"https://{'a' * 50}.com/",
    f"https://example.com/{'a/b.c/' * 20}?{'q=1&' * 30}#{'f' * 99}",
    f"https://example.com/{'/' * 200}",
)
# These are not, for one reason each.
OTHER = (
    "",
    "http://",
    "https://h",
    "http://h:8/",
    "http://u@h/",
    "http://H/",
    "Http://h/",
    "http:/h/",
    "https:///h/",
    "ws://h/x/",
    "httpx://h/",
    "http://1.2.3.4/",
    "http://a.com./",
    "http://a.0x/",
    "http://[::1]/",
    "http://é.example/",
    "http://a%41.example/",
    "https://h\\x",
    "https://h?x/",
    "https://h/\\",
    "https://h/a b",
    "https://h/é",
    "https://h/./",
    "https://h/..",
    "https://h/%2e",
    "https://h/a/%2E/b",
    "https://h/?'",
    "https://h/?a<",
    "https://h/#`",
    "https://h/x\n",
    " https://h/x",
    f"https://{'a' * 99}.com/",
    f"https://h/{'a' * 200}\x7f",
    f"https://h/{'a' * 54}/..",
    f"https://h/{'a' * 53}/..",
    f"https://h/{'a' * 120}/.",
)
ALPHABETS = ("ab/.", "ab/.%2e-_09", "abc/.%?#\\ \x7fZ`{'", "".join(map(chr, range(1, 128))) + "é")
VECTORS = [name for name in kernel_names() if name != "c"]

pytestmark = pytest.mark.skipif(not VECTORS, reason="this processor has no vectors that the door knows")


@pytest.fixture(params=VECTORS, autouse=True)
def kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    before = kernel_name()
    choose_kernels(request.param)
    yield
    choose_kernels(before)


def compare(memory: bytearray | memoryview, places: Sequence[tuple[int, int]]) -> list[bool]:
    """Which rows are let in; all that is found is what the door for one text finds."""
    let_in: list[bool] = []
    for host_only in (True, False):
        for alone in (False, True):
            found, expected, length = through_door(memory, list(places), host_only=host_only, alone=alone)
            for place, one, other in zip(places, found, expected, strict=True):
                assert one is None or one == other, (bytes(memory[slice(*place)]), host_only, alone)
            assert length == sum(row[0] for row in found if row is not None)
            again = through_door(memory, list(places), host_only=True, status_only=True, alone=alone)[0]
            if host_only:
                assert [row is not None for row in found] == [row is True for row in again]
            else:
                let_in = [row is not None for row in found]
    return let_in


def rows_of(texts: Sequence[bytes]) -> tuple[bytearray, list[tuple[int, int]]]:
    ends = [sum(map(len, texts[:k])) for k in range(len(texts) + 1)]
    return bytearray(b"".join(texts)), list(pairwise(ends))


def drawn(draw: random.Random, length: int) -> bytes:
    """A text of this length that mostly begins as the door wants it."""
    alphabet = draw.choice(ALPHABETS)
    start = draw.choice(
        ("http://a.bc/", "https://a.bc/", "https://", "http://", f"https://{'a' * (length // 2)}.b/", "")
    )
    return (start + "".join(draw.choices(alphabet, k=length))).encode()[:length]


@pytest.mark.parametrize("text", PLAIN)
def test_plain_links_are_let_in(text: str) -> None:
    assert URL(text).href == text
    assert compare(*rows_of([text.encode()])) == [True]
    found, _, _ = through_door(text.encode(), [(0, len(text.encode()))])
    length, record = found[0]
    # Seven offsets, the port, and the types of the scheme and of the host.
    size = "I" if len(record) == 32 else "H"
    fields = struct.unpack(f"=7{size}H2B", record)
    scheme_end, username_end, host_start, host_end, path_start = fields[:5]
    omitted = (1 << 8 * struct.calcsize(size)) - 1
    query_start, fragment_start = (None if offset == omitted else offset for offset in fields[5:7])
    assert fields[7:] == (0, 1 + text.startswith("https"), 2)
    end = length if fragment_start is None else fragment_start
    assert text[: scheme_end + 1] == URL(text).protocol
    assert username_end == host_start == scheme_end + 3
    assert (text[host_start:host_end], path_start) == (URL(text).hostname, host_end)
    assert text[path_start : end if query_start is None else query_start] == URL(text).pathname
    assert URL(text).query == (None if query_start is None else text[query_start + 1 : end])
    assert URL(text).fragment == (None if fragment_start is None else text[fragment_start + 1 :])


@pytest.mark.parametrize("text", OTHER)
def test_others_are_not(text: str) -> None:
    assert compare(*rows_of([text.encode()])) == [False]


def test_a_host_ends_with_its_row() -> None:
    """What is beside a row is not a part of it."""
    for host in ("h", "example.com", "a" * 50 + ".b"):
        for after in (b"a", b"/", b".", b":8/", b"#"):
            for text in (f"https://{host}", f"http://{host}", f"http://{host}."):
                row = text.encode()
                memory = bytearray(row + after * 80)
                assert compare(memory, [(0, len(row))]) == [False]
                found, expected, _ = through_door(memory, [(0, len(row))], host_only=True)
                assert (found[0] is not None) is not text.endswith(".")
                assert expected[0] is not None


@pytest.mark.sample(66)
@pytest.mark.parametrize("length", range(LONGEST + 1))
def test_every_length(length: int) -> None:
    draw = random.Random(length)
    for _ in range(4):
        compare(*rows_of([drawn(draw, length) for _ in range(ROWS)]))
    for start in ("http://a.b/", "https://b.c/"):
        if length >= len(start):
            assert compare(*rows_of([start.encode() + b"x" * (length - len(start))])) == [True]


@pytest.mark.parametrize("place", range(ROWS))
def test_every_place_in_a_block(place: int) -> None:
    draw = random.Random(place)
    for count in range(place + 1, ROWS + 1, 7):
        texts = draw.choices(PLAIN, k=count)
        texts[place] = draw.choice(OTHER)
        let_in = compare(*rows_of([text.encode() for text in texts]))
        assert let_in == [k != place for k in range(count)]


@pytest.mark.parametrize("offset", range(64))
def test_every_alignment(offset: int) -> None:
    draw = random.Random(offset)
    for length in (8, 12, 15, 16, 17, 31, 32, 33, 63, 64, 65, 127, 128, 129):
        for beside in (b"/", b"a", b"#", b"\xff", b"."):
            text = drawn(draw, length)
            memory = bytearray(beside * (offset + LONGEST + 64))
            memory[offset : offset + length] = text
            compare(memory, [(offset, offset + length)])


BYTES_IN = (PLAIN[1], PLAIN[2], PLAIN[6], f"https://{'b' * 30}.example.org/a/b?c=d#e", PLAIN[10][:150])


@pytest.mark.parametrize("text", BYTES_IN)
def test_every_byte_at_every_place(text: str) -> None:
    rows = []
    for place in range(len(text)):
        for byte in range(256):
            row = bytearray(text.encode())
            row[place] = byte
            rows.append(bytes(row))
    for k in range(0, len(rows), ROWS):
        compare(*rows_of(rows[k : k + ROWS]))


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page as Linux does")
def test_nothing_is_read_beyond_the_rows() -> None:
    """The pages before and after the rows cannot be read."""
    page = mmap.PAGESIZE
    memory = guarded_pages()
    draw = random.Random(1)
    for length in range(1, 2 * LONGEST):
        for place in (page, 2 * page - length):
            for _ in range(4):
                text = drawn(draw, length)
                memory[place : place + length] = text
                view = memoryview(memory)[place : place + length]
                compare(view, [(0, length)])
                middle = draw.randint(0, length)
                compare(view, [(0, middle), (middle, length), (length, length)])


def test_the_limit_on_lengths() -> None:
    texts = [text.encode() for text in PLAIN]
    before = set_max_length(100)
    try:
        assert compare(*rows_of(texts)) == [len(text) <= 100 for text in texts]
        set_max_length(7)
        with pytest.raises(ValueError, match="no such door"):
            through_door(b"https://h/", [(0, 10)])
    finally:
        set_max_length(before)


def test_long_rows_are_read_one_by_one() -> None:
    """A signal is looked for between them."""
    texts = [b"https://h/" + b"a" * count for count in (8182, 8183)]
    assert compare(*rows_of(texts)) == [True, False]


def lines_of(make: Callable[[], Any]) -> list[list[Any]]:
    return [
        parse_lines(make()).to_pylist(),
        parse_lines(make(), views=True).to_pylist(),
        parse_lines(make(), ["hostname", "registrable_domain"]).to_pylist(),
        parse_lines(make(), ["error"]).to_pylist(),
    ]


def columns_of(make: Callable[[], Any]) -> list[list[Any]]:
    return [
        parse_many(make()).to_pylist(),
        parse_many(make(), views=True).to_pylist(),
        parse_many(make(), ["hostname", "origin", "registrable_domain", "host_type"]).to_pylist(),
        component_many(make(), "hostname", views=True).to_pylist(),
        can_parse_many(make()).to_pylist(),
        parse_many(make(), ["error"]).to_pylist(),
        normalize_many(make(), "https://base.example/x/y").to_pylist(),
        redact_many(make()).to_pylist(),
    ]


class Text(str):
    """Its characters are not where those of a str are."""


@pytest.mark.sample(48)
@pytest.mark.parametrize("format", ["u", "U", "vu", "u by c", "U by I", "vu by S", "u by L", "list", "lines"])
@pytest.mark.parametrize("nulls", [0, 3, 40])
@pytest.mark.parametrize("others", [0, 1, 30, 64])
def test_columns_are_the_same_without_it(format: str, nulls: int, others: int) -> None:
    draw = random.Random(f"{nulls} {others}")
    rows: list[Any] = []
    for _ in range(20):
        block: list[Any] = [*draw.choices(OTHER, k=others), *draw.choices(PLAIN, k=ROWS - others)]
        block[draw.randrange(ROWS)] = draw.choice((b"https://h/\xff", b"https://example.com/\xc3", b"https://\x80/"))
        draw.shuffle(block)
        for place in draw.sample(range(ROWS), nulls):
            block[place] = None
        rows += block
    rows += draw.choices(PLAIN, k=draw.randint(1, ROWS))
    makers: list[Callable[[], Any]]
    if format == "list":
        texts = [row.decode("utf-8", "surrogateescape") if isinstance(row, bytes) else row for row in rows]
        objects = [URL(text) if text in PLAIN and place % 3 == 0 else text for place, text in enumerate(texts)]
        makers = [lambda: texts, lambda: objects, lambda: [text if text is None else Text(text) for text in texts]]
    elif format == "lines":
        lines = [row if isinstance(row, bytes) else (row or "").replace("\n", "").encode() for row in rows]
        makers = [lambda: b"\n".join(lines), lambda: b"\r\n".join(lines) + b"\n"]
    else:
        format, _, index = format.partition(" by ")
        makers = [partial(AsStream, [rows, rows[:70]], format, offset, index) for offset in (0, 5)]
    for make in makers:
        compared = lines_of if format == "lines" else columns_of
        found = compared(make)
        choice = kernel_name()
        choose_kernels("c")
        expected = compared(make)
        choose_kernels(choice)
        assert found == expected


def test_many_threads_find_the_same() -> None:
    rows = list(PLAIN + OTHER) * 1000
    one, many = (parse_many(AsArray([rows], "U"), threads=threads).to_pylist() for threads in (1, 4))
    assert one == many
    assert [row["href"] is not None for row in one] == list(map(URL.can_parse, rows))
