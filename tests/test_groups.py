"""weburl.crawl.host_group, shard and trap_key, as single URLs and as columns."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from io import StringIO
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.shapes import fill
from test_linear import check

from weburl import URL, FrozenURL, InvalidURL
from weburl._crawl.canonical import jump_hash
from weburl._verbs.options import SHARDS
from weburl.bulk import host_group_many, shard_many, trap_key_many
from weburl.crawl import TRACKING_PARAMETERS, host_group, shard, trap_key
from weburl.hosts import PublicSuffixList, registrable_domain
from weburl.redact import path_template

GROUPS = [
    ("https://news.example.co.uk/a", "example.co.uk"),
    ("https://example.co.uk./a", "example.co.uk"),
    ("https://a.ada.github.io:81/", "ada.github.io"),
    ("https://github.io/", "github.io"),
    ("https://co.uk/", "co.uk"),
    ("http://localhost:8000/", "localhost"),
    ("http://localhost./", "localhost"),
    ("http://./", "."),
    ("http://a../", "a."),
    ("http://0x7f.1/", "127.0.0.1"),
    ("http://[::FFFF]/", "[::ffff]"),
    ("https://bücher.example/", "xn--bcher-kva.example"),
    ("x://A.Example/", "A.Example"),
    ("mailto:ada@example.com", None),
    ("file:///a", None),
    ("x:/a", None),
    ("file://host/a", "host"),
]


@pytest.mark.parametrize(("url", "group"), GROUPS)
def test_groups(url: str, group: str | None) -> None:
    assert host_group(url) == host_group(URL(url)) == host_group(FrozenURL(url)) == group
    assert host_group_many([url, None, "no URL"]).to_pylist() == [group, None, None]
    for n in (1, 2, 7, 1000, (1 << 31) - 1):
        # From its definition, which others can follow.
        octets = hashlib.blake2b((group or "").encode()).digest()[:8]
        expected = jump_in_python(int.from_bytes(octets, "big"), n)
        assert shard(url, n) == shard(URL(url), n) == expected
        assert shard_many([url, None, "no URL"], n).to_pylist() == [expected, None, None]


# Lamping and Veach: https://arxiv.org/abs/1406.2294
def jump_in_python(key: int, count: int) -> int:
    bucket, following = -1, 0
    while following < count:
        bucket = following
        key = (key * 2862933555777941757 + 1) % (1 << 64)
        following = int((bucket + 1) * ((1 << 31) / ((key >> 33) + 1)))
    return bucket


@given(st.integers(0, (1 << 64) - 1), st.integers(1, (1 << 31) - 1))
def test_jump_hash(key: int, count: int) -> None:
    assert jump_hash(key, count) == jump_in_python(key, count) < count


def test_published_jump_hashes() -> None:
    for key, count, bucket in ((1, 1, 0), (42, 57, 43), (0xDEAD10CC, 1, 0), (0xDEAD10CC, 666, 361), (256, 1024, 520)):
        assert jump_hash(key, count) == bucket


def test_one_more_shard() -> None:
    """Groups move to the new shard only, and shards are of about one size."""
    urls = [f"https://www.site{i}.example/" for i in range(20_000)]
    few, more = shard_many(urls, 15).to_pylist(), shard_many(urls, 16).to_pylist()
    moved = [(one, other) for one, other in zip(few, more, strict=True) if one != other]
    assert {other for _, other in moved} == {15}
    assert 1000 < len(moved) < 1500
    assert all(1000 < count < 1500 for count in Counter(more).values())


def test_the_list_counts() -> None:
    psl = PublicSuffixList(StringIO("example\nb.example\n"))
    url = "http://c.a.b.example/"
    assert (host_group(url, psl=psl), host_group(url)) == ("a.b.example", "b.example")
    assert host_group_many([url], psl=psl).to_pylist() == ["a.b.example"]
    assert (
        shard(url, 1000, psl=psl) == shard_many([url], 1000, psl=psl)[0] == shard("http://a.b.example/", 1000, psl=psl)
    )


@given(
    st.sampled_from(["a.", "b.co.uk", "", "1.2.3.4", "x", "github.io.", "é."]), st.sampled_from(["", ":81", ".", "/a"])
)
def test_is_the_registrable_domain_or_the_host(host: str, rest: str) -> None:
    url = URL.parse(f"http://{host}{rest}")
    if url is not None:
        expected = registrable_domain(url) or url.hostname
        dotted = url.host_type == "domain" and len(expected) > 1 and expected.endswith(".")
        assert host_group(url) == (expected[:-1] if dotted else expected)


@pytest.mark.parametrize("n", [0, -1, 1 << 31, 1.0, "4", None, True])
def test_wrong_numbers_of_shards(n: Any) -> None:
    error = ValueError if type(n) is int else TypeError
    for call in (lambda: shard("http://h/", n), lambda: shard_many(["http://h/"], n)):
        with pytest.raises(error, match="n must be an int"):
            call()


def test_wrong_urls() -> None:
    calls: list[Any] = [host_group, trap_key, lambda url: shard(url, 4)]
    for call in calls:
        with pytest.raises(InvalidURL):
            call("no URL")
        with pytest.raises(TypeError):
            call(b"http://h/")
    with pytest.raises(LookupError):
        trap_key("http://h/", encoding="no encoding")


TRAPS = [
    ("https://example.com/cal/2026/11/28?view=day", "example.com/cal/{int}?view"),
    ("http://u:p@Example.com:80/cal/1999/1#x", "example.com/cal/{int}"),
    ("http://h:81/", "h:81/"),
    ("http://h", "h/"),
    ("http://h//", "h/"),
    ("http://h/a//", "h/a/"),
    ("http://h/a/a/", "h/a/"),
    ("http://h/a/b/a/b/a", "h/a/b/a"),
    ("http://h/a/b/c/a/b/c/d", "h/a/b/c/d"),
    ("http://h/1/a/2/a/3/a/", "h/{int}/a/"),
    ("http://h/a/ba/ba/b", "h/a/ba/b"),
    ("http://h/?b=1&a=2&b=3", "h/?a&b"),
    ("http://h/?b&&=1&%62=2", "h/?b"),
    ("http://h/?f[0]=a&f%5b12%5d=b&f[x1y22]", "h/?f%5Bx{int}y{int}%5D&f%5B{int}%5D"),
    ("http://h/?2026=1&1=2", "h/?{int}"),
    ("http://h/?utm_source=x&sid=0123456789abcdef0123456789abcdef", "h/"),
    ("http://h/?sid=251", "h/?sid"),
    ("mailto:a@b?subject=1", "/{opaque}?subject"),
    ("x:/a/1/1", "/a/{int}"),
    ("http://h/?é=1", "h/?%C3%A9"),
]


@pytest.mark.parametrize(("url", "key"), TRAPS)
def test_traps(url: str, key: str) -> None:
    assert trap_key(url) == trap_key(URL(url)) == key
    assert trap_key_many([url, "no URL", None]).to_pylist() == [key, None, None]


def test_encoding() -> None:
    assert trap_key("http://h/?é=1", encoding="windows-1252") == "h/?%E9"
    assert trap_key_many(["http://h/?é=1"], encoding="windows-1252").to_pylist() == ["h/?%E9"]


def folded(path: str) -> str:
    """Without repeats of runs of at most eight segments, from the left."""
    kept: list[str] = []
    for segment in path.split("/")[1:]:
        kept.append(segment)
        for count in range(1, 9):
            if len(kept) >= 2 * count and kept[-count:] == kept[-2 * count : -count]:
                del kept[-count:]
                break
    return "".join(f"/{segment}" for segment in kept)


@given(st.lists(st.sampled_from(["a", "b", "ab", "1", "22", "", "é", "c"]), max_size=60))
def test_folding(segments: list[str]) -> None:
    url = "http://h/" + "/".join(segments)
    assert trap_key(url) == "h" + folded(path_template(url))


NAMES = st.sampled_from([*sorted(TRACKING_PARAMETERS)[:40], "a", "b1", "b22", "f[3]", "%61", "é", "", "x%", "%2525"])


@given(st.lists(st.tuples(NAMES, st.sampled_from(["", "=", "=1", "=a=b"])), max_size=100), st.randoms())
def test_names(pairs: list[tuple[str, str]], random: Any) -> None:
    """The order, the values and repeats of names make no difference."""
    query = "&".join(f"{name}{value}" for name, value in pairs)
    key = trap_key(f"http://h/?{query}")
    random.shuffle(pairs)
    plain = [name for name, _ in pairs if parts_are_plain(name)]
    assert set(key.partition("?")[2].split("&")) >= {name for name in plain if name}
    if all(parts_are_plain(name) for name, _ in pairs):
        assert trap_key("http://h/?" + "&".join(f"{name}=7" for name, _ in [*pairs, *pairs])) == key


def parts_are_plain(name: str) -> bool:
    return name in ("a", "")


@pytest.mark.timed
@pytest.mark.long
@pytest.mark.parametrize("unit", "a/ / a/b/ 1/ a/a/b/ %25 a& a1& & 1& = %41&".split())
def test_linear(unit: str) -> None:
    for start in ("http://h/", "http://h/?"):
        check(fill(unit, start), trap_key)


def long_segment_before_repeats(n: int) -> str:
    return "http://h/" + "x" * (n // 2) + "/a/b" * (n // 8)


def test_many_repeats_after_a_long_segment() -> None:
    for n in (100, 1000, 5000):
        url = long_segment_before_repeats(n)
        once = f"http://h/{'x' * (n // 2)}/a/b"
        assert trap_key(url) == "h" + folded(path_template(url)) == "h" + path_template(once)


@pytest.mark.timed
@pytest.mark.long
def test_a_long_segment_is_not_read_for_each_repeat() -> None:
    check(long_segment_before_repeats, trap_key)


@pytest.mark.parametrize("n", ["abc", "", "1.5", "-1", "99999999999", "٣"])
def test_shards_as_text(n: str) -> None:
    """As SQL has the number."""
    assert SHARDS.sql_check is not None
    assert SHARDS.sql_check("16") == 16
    with pytest.raises(ValueError, match=re.escape(f"n must be an int from 1 to 2147483647, not {n!r}")):
        SHARDS.sql_check(n)
