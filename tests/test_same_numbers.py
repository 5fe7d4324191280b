"""What is kept or compared between machines is the same on each: fingerprints, keys, and their order."""

from __future__ import annotations

import pytest
from support.command import run

from weburl.bulk import canonicalize_many, fingerprint_many
from weburl.crawl import fingerprint

URLS = [
    "http://h/", "http://example.com/a?b=1&a=2#f", "https://bücher.example/é?€", "http://h:8080/a/../b%7e",
    "ftp://u:p@h/", "x:y", "http://1.2.3.4/", "http://[::1]/?q", "http://h/" + "a/" * 200,
]  # fmt: skip
# Of 128 bits, made on x86-64, which is little-endian.
FINGERPRINTS = {
    "crawl": """
        5ce2e3b4f1a2a942b13f1247f19855ee 8dbba7fef988851d08449684b303e6a2 c882a397bb87f9713d5da66d9b1bbc03
        49247b25e9882840363cbb039b665dc6 f537e932f404bf64daccf6a42812529b 4b5f7de7fd2569b8d94e83741f42b51e
        570defb67d156236b24e1ed509e2d980 2bf05c74203f80c4338917ef2c8fe514 3c5621f950e72084e33ad9bc46796602
    """.split(),
    "whatwg": """
        5ce2e3b4f1a2a942b13f1247f19855ee 348473ef4c6159d4c8a81b574f8666fc c882a397bb87f9713d5da66d9b1bbc03
        4c81709b47e9e90231e284b1b153305a f537e932f404bf64daccf6a42812529b 4b5f7de7fd2569b8d94e83741f42b51e
        570defb67d156236b24e1ed509e2d980 2bf05c74203f80c4338917ef2c8fe514 3c5621f950e72084e33ad9bc46796602
    """.split(),
    "surt": """
        47f36b010485a619ef8a97d2e8e09523 d0426fcf03e121ad3ae9eec684c52b25 68147539a598ec200ce48fd2f6aa1354
        00482836ac85b805c0668d27ce39a136 f537e932f404bf64daccf6a42812529b 4b5f7de7fd2569b8d94e83741f42b51e
        acef5382f28a16c25c0d6de3f4522eca f1bd18a4272cc927c5cb53283f7d7751 4ed87889a20158aa32fe5a0f01afe533
    """.split(),
}


@pytest.mark.parametrize("policy", FINGERPRINTS)
def test_fingerprints(policy: str) -> None:
    expected = FINGERPRINTS[policy]
    assert [fingerprint(url, policy, bits=128).hex() for url in URLS] == expected
    column = fingerprint_many(URLS, policy=policy, bits=128)
    assert [key.hex() for key in column] == expected
    for bits in (8, 32, 63, 64):
        numbers = fingerprint_many(URLS, policy=policy, bits=bits)
        assert list(numbers) == [int(text, 16) >> (128 - bits) for text in expected]


def test_rows_that_are_left_out() -> None:
    """dedup compares keys of 128 bits, and keeps the first row of each."""
    given = [f"http://{n % 7}.example/{n % 11}?{n % 3}" for n in range(2000)]
    ended = run("dedup", stdin="\n".join(given))
    assert ended.lines == list(dict.fromkeys(given))
    assert len(ended.lines) == 231
    ended = run("dedup", "--key", "hostname", stdin="\n".join(given))
    assert ended.lines == given[:7]


def test_the_order_of_what_is_sorted() -> None:
    surts = ["com,example)/a?a=2&b=1", "h)/", "h)/" + "a/" * 199 + "a"]
    found = canonicalize_many([URLS[1], URLS[0], URLS[-1]], policy="surt")
    assert sorted(found) == list(found) == surts


def test_counts_of_hosts() -> None:
    """Exact up to a limit; beyond it, the hash has another seed in each process."""
    given = "\n".join(f"http://{n % 997}.example/" for n in range(5000))
    assert "997 different" in run("stats", stdin=given).out
