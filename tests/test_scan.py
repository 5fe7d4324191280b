"""The scans by 16 bytes against loops over the standard's sets, at every length and alignment."""

from __future__ import annotations

import random

import pytest

from weburl._core.parser import scan

PLAIN_DOMAIN = set(range(0x21, 0x7F)) - set(b'"') - set(b"#%/:<>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^|") | set(b'"')
PATH_STOP = set(range(256)) - set(range(0x21, 0x7F)) | set(b'"#<>?^`{}\\')


def scan_domain(data: bytes, i: int) -> int:
    while i < len(data) and data[i] in PLAIN_DOMAIN:
        i += 1
    return i


def scan_path(data: bytes, i: int, before: int) -> int:
    while i < len(data) and data[i] not in PATH_STOP and not (before == ord("/") and data[i] in b".%"):
        before = data[i]
        i += 1
    return i


@pytest.mark.parametrize("length", range(65))
def test_one_byte_among_plain_ones(length: int) -> None:
    for position in range(length):
        for byte in range(256):
            data = b"a" * position + bytes([byte]) + b"a" * (length - position - 1)
            assert scan("domain", data, 0) == scan_domain(data, 0)
            assert scan("path", data, 0, ord("/")) == scan_path(data, 0, ord("/"))


@pytest.mark.parametrize("length", range(65))
def test_every_alignment(length: int) -> None:
    draw = random.Random(length)
    for start in range(length + 1):
        for alphabet in (b"ab/.", b"ab/.%-_09", b"abc/.%?#\\ \x80Z`{", bytes(range(256))):
            data = bytes(draw.choices(alphabet, k=length))
            for before in (ord("/"), ord("a")):
                # What comes before the start is what was taken last, or the record's own solidus.
                if start == 0 or data[start - 1] == before or before == ord("/"):
                    assert scan("path", data, start, before) == scan_path(data, start, before)
            assert scan("domain", data, start) == scan_domain(data, start)
