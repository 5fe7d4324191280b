"""The kernels against the standard's sets: at every length and alignment, and at the end of a page."""

from __future__ import annotations

import ctypes
import mmap
import platform
import random
import sys
from collections.abc import Iterator
from functools import lru_cache

import pytest

from weburl._core.percent import choose_kernels, kernel_name, kernel_names, scan

# https://url.spec.whatwg.org/#percent-encoded-bytes, #forbidden-domain-code-point
BYTES = set(range(256))
C0_CONTROL = BYTES - set(range(0x20, 0x7F))
FRAGMENT = C0_CONTROL | set(b' "<>`')
QUERY = C0_CONTROL | set(b' "#<>')
SPECIAL_QUERY = QUERY | set(b"'")
PATH = QUERY | set(b"?^`{}")
USERINFO = PATH | set(b"/:;=@[\\]|")
COMPONENT = USERINFO | set(b"$%&+,")
FORM = COMPONENT | set(b"!'()~")
OPAQUE_STOP = C0_CONTROL | set(b" ?#")
NOT_DOMAIN = C0_CONTROL | set(b" #%/:<>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^|")
PATH_STOP = PATH | set(b"\\")
# In the order of their bits.
CLASSES = (
    C0_CONTROL,
    FRAGMENT,
    QUERY,
    SPECIAL_QUERY,
    PATH,
    USERINFO,
    COMPONENT,
    FORM,
    OPAQUE_STOP,
    NOT_DOMAIN,
    PATH_STOP,
)
# For each, what makes its bytes 1 and others 0.
MARKS = [bytes(byte in stops for byte in range(256)) for stops in CLASSES]
# Of 0 and 1, for int().
DIGITS = bytes.maketrans(b"\0\1", b"01")
LONGEST = 130
ALPHABETS = (b"ab/.", b"ab/.%-_09", b"abc/.%?#\\ \x80Z`{", bytes(range(256)))


@pytest.fixture(params=kernel_names(), autouse=True)
def kernels(request: pytest.FixtureRequest) -> Iterator[None]:
    before = kernel_name()
    choose_kernels(request.param)
    yield
    choose_kernels(before)


@lru_cache(16)
def marked(data: bytes) -> tuple[list[bytes], list[int]]:
    """For each class 1 for its bytes and 0 for others, as bytes with a 1 at their end and as bits."""
    found = [data.translate(marks) for marks in MARKS]
    return [each + b"\1" for each in found], [int(each[::-1].translate(DIGITS) or b"0", 2) for each in found]


def find_run(data: bytes, i: int, bit: int) -> int:
    return marked(data)[0][bit].index(1, i)


def find_marks(data: bytes, i: int, bit: int) -> int:
    return marked(data)[1][bit] >> i & (1 << 64) - 1


def find_domain(data: bytes, i: int) -> tuple[int, int]:
    end = find_run(data, i, CLASSES.index(NOT_DOMAIN))
    return end, max(i, data.rfind(b".", i, end) + 1)


def find_path(data: bytes, i: int) -> int:
    found = [data.find(segment, i - 1) + 1 for segment in (b"/.", b"/%")]
    return min(find_run(data, i, CLASSES.index(PATH_STOP)), *(k or len(data) for k in found))


def compare(data: bytes, i: int, where: memoryview | None = None) -> None:
    """`where` has the same bytes, in a place of its own."""
    given = data if where is None else where
    for bit in range(len(MARKS)):
        assert scan("run", given, i, 1 << bit) == find_run(data, i, bit), (bit, data, i)
        assert scan("marks", given, i, 1 << bit) == find_marks(data, i, bit), (bit, data, i)
    assert scan("domain", given, i) == find_domain(data, i), (data, i)
    if i:
        assert scan("path", given, i) == find_path(data, i), (data, i)


def test_names() -> None:
    """A build that has fallen back to the table loops is slow, which nothing else would show."""
    expected = {"x86_64": "ssse3", "amd64": "ssse3", "aarch64": "neon", "arm64": "neon"}
    # A program of 32 bits may run on a processor of 64.
    wanted = expected.get(platform.machine().lower(), "c") if sys.maxsize > 1 << 32 else "c"
    assert wanted in kernel_names()
    assert kernel_names()[-1] == "c"
    assert kernel_name() in kernel_names()
    with pytest.raises(ValueError, match=r"WEBURL_SIMD is 'mmx'; for this processor, it can be .*c$"):
        choose_kernels("mmx")


@pytest.mark.sample(256)
@pytest.mark.parametrize("byte", range(256))
def test_one_byte_among_plain_ones(byte: int) -> None:
    for length in (1, 2, 15, 16, 17, 31, 33, 48, 65):
        for position in range(length):
            data = b"a" * position + bytes([byte]) + b"a" * (length - position - 1)
            compare(data, 0)
            compare(data, length // 3)


@pytest.mark.sample(131)
@pytest.mark.parametrize("length", range(LONGEST + 1))
def test_every_length_and_start(length: int) -> None:
    draw = random.Random(length)
    for alphabet in ALPHABETS:
        data = bytes(draw.choices(alphabet, k=length))
        for start in range(length + 1):
            compare(data, start)


@pytest.mark.parametrize("offset", range(64))
def test_every_alignment(offset: int) -> None:
    draw = random.Random(offset)
    memory = bytearray(offset + LONGEST)
    for length in (0, 1, 15, 16, 17, 31, 32, 33, 63, 64, 65, LONGEST):
        for alphabet in ALPHABETS:
            data = bytes(draw.choices(alphabet, k=length))
            memory[offset : offset + length] = data
            # What is beside it must not matter.
            memory[:offset] = b"#" * offset
            memory[offset + length :] = b"/" * (LONGEST - length)
            compare(data, draw.randint(0, length), memoryview(memory)[offset : offset + length])


def guarded_pages() -> mmap.mmap:
    """Three pages, of which the first and the last cannot be read."""
    page = mmap.PAGESIZE
    memory = mmap.mmap(-1, 3 * page)
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    protect = ctypes.CDLL(None, use_errno=True).mprotect
    protect.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    assert protect(address, page, 0) == protect(address + 2 * page, page, 0) == 0
    return memory


@pytest.mark.skipif(sys.platform != "linux", reason="protects a page as Linux does")
def test_nothing_is_read_beyond_the_input() -> None:
    """The pages before and after the input cannot be read."""
    page = mmap.PAGESIZE
    memory = guarded_pages()
    draw = random.Random(1)
    for length in range(LONGEST + 1):
        for place in (page, 2 * page - length):
            for alphabet in ALPHABETS:
                data = bytes(draw.choices(alphabet, k=length))
                memory[place : place + length] = data
                compare(data, draw.randint(0, length), memoryview(memory)[place : place + length])
