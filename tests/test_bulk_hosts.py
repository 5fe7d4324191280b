"""Columns of what hosts are: is_private_url_many and host_in_many give, row by row, what the scalar functions give."""

from __future__ import annotations

import inspect
import ipaddress
import itertools
import threading
import time
from collections.abc import Callable, Iterable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support import arrow, hostile
from support.special_use import GLOBAL_UNICAST, NETWORKS, PRIVATE_NAMES, edges, is_private_address, is_private_name
from test_linear import check
from test_private_hosts import MATCHES, PRIVATE, PUBLIC

from weburl import URL, InvalidURL
from weburl._core.parser import set_max_length
from weburl._hosts.columns import hosts_in
from weburl._hosts.suffixes import HostPatterns
from weburl.bulk import Column, host_in_many, is_private_url_many
from weburl.hosts import is_private_url, parse_host, url_host_matches

OWN = [
    None, "no URL", "", "http://a b/", "http://127.0.0.1./", "x://%31%32%37.0.0.1", "x://%C3%A9.example.com/",
    "x://ex%61mple.com:8/", "x://a%20b/", "x://256.1.1.1/", "x://[::1]/", "x://1.2.3.4.5/", "x://%00/", "x://.../",
    "foo://%C2%AD/", "foo://%EF%BC%A5xample.com./", "x://localhost", "file://example.com/", "file:///", "x:///",
    "http://./", "http://../", "http://.example.com/", "http://a..example.com/", "http://example.com../",
    "ftp://example.com/", "ws://u:p@example.com:1/", "wss://a.example.com.", "git+ssh://example.com/x", "x:example.com",
    "blob:http://127.0.0.1/", "http://xn--a.example.com/", "http://" + "a." * 500 + "example.com/",
    "x://" + "%C3%A9." * 30 + "example.com",
]  # fmt: skip
URLS: list[str | None] = [
    *OWN, *PRIVATE, *PUBLIC, *(url for url, _, _ in MATCHES),
    *(case.url for case in itertools.islice(hostile.inputs(5), 3000)),
]  # fmt: skip
HOSTS = [
    "example.com", "*.example.org", "127.0.0.1", "[::1]", "*.co.uk", "BÜCHER.example.", "com.", "1.2.3.4", "é",
    "*.a.example.com", "localhost", "xn--a", "*.example", "example.org.",
]  # fmt: skip
SCHEMES: list[Any] = [
    None, ("http", "https", "ws", "wss"), "HTTPS", [], ["x", "git+ssh", "file"], "h", ["ftp", "foo", "http"],
]  # fmt: skip


def answers(function: Callable[..., bool], urls: Iterable[str | None], *arguments: Any, **options: Any) -> list[Any]:
    def answer(url: str | None) -> bool | None:
        if url is None:
            return None
        try:
            return function(url, *arguments, **options)
        except InvalidURL:
            return None

    return [answer(url) for url in urls]


def compare(found: Column, right: list[Any], urls: list[str | None]) -> None:
    assert [(url, one, two) for url, one, two in zip(urls, found, right, strict=True) if one is not two] == []


def is_private(url: str) -> bool:
    """is_private_url in plain Python, by IANA's registries."""
    host = URL(url).host_value
    if host is not None and host.host_type == "opaque":
        try:
            host = parse_host(str(host))
        except InvalidURL:
            return True
    if host is None:
        return True
    return is_private_name(str(host)) if host.ip_address is None else is_private_address(host.ip_address)


def test_private() -> None:
    right = answers(is_private, URLS)
    assert answers(is_private_url, URLS) == right
    assert {True, False, None} <= set(right)
    compare(is_private_url_many(URLS), right, URLS)
    base = "https://example.com/"
    compare(is_private_url_many(URLS, base=base), answers(lambda url: is_private_url(URL(url, base)), URLS), URLS)


@pytest.mark.parametrize("schemes", SCHEMES, ids=repr)
@pytest.mark.parametrize("hosts", [HOSTS, [], "example.com", ["*.example.com"], HOSTS[:1] * 3], ids=len)
def test_host_in(hosts: str | list[str], schemes: Any) -> None:
    right = answers(url_host_matches, URLS, hosts, schemes=schemes)
    compare(host_in_many(URLS, hosts, schemes=schemes), right, URLS)
    rows = arrow.AsStream([[text for text in URLS if is_utf8(text)]])
    column = host_in_many(rows, hosts if isinstance(hosts, str) else iter(hosts), schemes=schemes)
    assert column.to_pylist() == [answer for text, answer in zip(URLS, right, strict=True) if is_utf8(text)]


def is_utf8(text: str | None) -> bool:
    return text is None or not any("\ud800" <= character <= "\udfff" for character in text)


def test_the_default_of_schemes_and_a_base() -> None:
    compare(host_in_many(URLS, HOSTS), answers(url_host_matches, URLS, HOSTS), URLS)
    base = URL("ws://a.example.com/")
    right = answers(lambda url: url_host_matches(URL(url, base), HOSTS), URLS)
    compare(host_in_many(URLS, HOSTS, base=base), right, URLS)


@given(st.lists(st.ip_addresses(v=4) | st.ip_addresses(v=6), min_size=1, max_size=40))
def test_addresses(addresses: list[ipaddress.IPv4Address | ipaddress.IPv6Address]) -> None:
    hosts = [str(address) if address.version == 4 else f"[{address}]" for address in addresses]
    urls = [f"http://{host}/" for host in hosts] + [f"x://{host}:8" for host in hosts]
    right = answers(is_private, urls)
    assert answers(is_private_url, urls) == right
    compare(is_private_url_many(urls), right, [*urls])
    some = hosts[::2]
    compare(host_in_many(urls, some), answers(url_host_matches, urls, some), [*urls])


def test_the_edges_of_all_networks() -> None:
    """test_special_use.py has them one by one."""
    addresses = [address for network in (*NETWORKS, GLOBAL_UNICAST) for address in edges(network)]
    urls = [f"http://{address}/" if address.version == 4 else f"http://[{address}]/" for address in addresses]
    # Every place and length of the zeros that are left out.
    for start, end in itertools.combinations(range(9), 2):
        pieces = ["0" if start <= index < end else "2" + "01"[index % 2] for index in range(8)]
        urls.append(f"http://[{':'.join(pieces)}]/")
    right = answers(is_private, urls)
    assert answers(is_private_url, urls) == right
    assert [url for url, answer in zip(urls, right, strict=True) if answer is None] == []
    assert len(set(right)) == 2
    compare(is_private_url_many(urls), right, [*urls])


def test_names_that_are_private() -> None:
    names = PRIVATE_NAMES
    forms = ("{}", "a.{}", "x{}", "a.x{}", "{}.com.")
    urls = [f"http://{form.format(name)}/" for name in names for form in forms]
    urls += [f"x://A.{name.upper()}./" for name in names]
    right = answers(is_private, urls)
    assert answers(is_private_url, urls) == right
    compare(is_private_url_many(urls), right, [*urls])


LABELS = ["a", "b", "com", "example", "xn--a", "", "1", "é", "*"]


@given(
    st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=4).map(".".join), max_size=8),
    st.lists(st.lists(st.sampled_from(LABELS), min_size=1, max_size=5).map(".".join), max_size=8),
    st.sampled_from(["http://", "x://", "file://"]),
)
def test_patterns(patterns: list[str], hosts: list[str], start: str) -> None:
    def is_pattern(text: str) -> bool:
        try:
            url_host_matches("data:,x", text)
        except ValueError:
            return False
        return True

    urls = [start + host + "/" for host in hosts]
    wrong = [pattern for pattern in patterns if not is_pattern(pattern)]
    right = [pattern for pattern in patterns if is_pattern(pattern)]
    compare(host_in_many(urls, right, schemes=None), answers(url_host_matches, urls, right, schemes=None), [*urls])
    if wrong:
        with pytest.raises(ValueError):  # noqa: PT011
            host_in_many(urls, patterns)


def test_many_patterns() -> None:
    hosts = [f"host{index}.example" for index in range(50_000)]
    urls = ["http://a.host49999.example./", "http://a.host50000.example/", "http://host7.example", "http://7.example"]
    assert host_in_many(urls, hosts).to_pylist() == [True, False, True, False]
    assert host_in_many(urls, [f"*.{host}" for host in hosts]).to_pylist() == [True, False, False, False]


def test_errors() -> None:
    rows = ["http://h/", None, "no URL", "http://h:x"]
    for column in (is_private_url_many(rows), host_in_many(rows, ["h"])):
        assert column.to_pylist() == [True, None, None, None]
        assert column.errors == {"missing-scheme-non-relative-URL": 1, "port-invalid": 1}
    calls: list[Callable[..., Column]] = [
        is_private_url_many,
        lambda urls, **options: host_in_many(urls, ["h"], **options),
    ]
    for call in calls:
        with pytest.raises(InvalidURL, match=r"row 2: missing-scheme") as raised:
            call(rows, on_error="raise")
        assert raised.value.row == 2
        with pytest.raises(ValueError, match="on_error"):
            call(rows, on_error="ignore")
        with pytest.raises(InvalidURL):
            call(rows, base="no URL")
        assert call([]).to_pylist() == []
        assert call([None]).to_pylist() == [None]
        with pytest.raises(TypeError):
            call(["http://h/", 1])


def test_wrong_arguments() -> None:
    for hosts in (None, 1, [b"h"], [None], b"h"):
        with pytest.raises(TypeError):
            host_in_many([], hosts)  # type: ignore[arg-type]
    for pattern in ("https://example.com", "a b", "", "h:80"):
        with pytest.raises(InvalidURL):
            host_in_many([], ["example.com", pattern])
    for pattern in ("*", "a.*", "*.1.2.3.4", ".a"):
        with pytest.raises(ValueError, match=r"entry is a host|no host is below"):
            host_in_many([], pattern)
    for schemes in (1, [b"http"]):
        with pytest.raises(TypeError):
            host_in_many([], "h", schemes=schemes)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="a scheme is a name"):
        host_in_many([], "h", schemes="https://")


def test_a_field_takes_the_patterns_alone() -> None:
    for wrong in ("h", None):
        with pytest.raises(TypeError):
            hosts_in(wrong)  # type: ignore[arg-type]


@pytest.fixture
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_ROWS", 100)
    monkeypatch.setattr("weburl._arrow.cutting.PIECE_BYTES", 1000)


def test_threads_and_chunks_change_nothing(small_pieces: None) -> None:
    urls = [url for url in URLS if is_utf8(url)]
    for function in (is_private_url_many, lambda urls, **options: host_in_many(urls, HOSTS, schemes=None, **options)):
        whole = function(urls, threads=1)
        rows = whole.to_pylist()
        for threads in (1, 2, 5):
            for format in ("u", "vu"):
                column = function(arrow.AsStream([urls[:77], [], urls[77:700], urls[700:]], format), threads=threads)
                assert column.to_pylist() == arrow.read_stream(column) == rows
                assert arrow.read_one(column) == rows
                assert column.errors == whole.errors


def test_the_table_of_private_hosts_is_made_by_threads_at_once() -> None:
    found: list[HostPatterns] = []
    start = threading.Barrier(4)

    def make() -> None:
        start.wait()
        found.append(HostPatterns.private())

    threads = [threading.Thread(target=make) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4
    assert HostPatterns.private() is HostPatterns.private()


def test_the_limit() -> None:
    """An opaque host can be longer as that of an http URL, and too long."""
    urls = ["x://" + "%C3%A9." * count + "example.com" for count in (1, 10, 60, 80)]
    lengths = [len(URL(url).href) for url in urls]
    before = set_max_length(max(lengths))
    try:
        for limit in sorted({length + more for length in lengths for more in (-1, 0, 1, 40, 50, 60)}):
            set_max_length(limit)
            right = answers(is_private, urls)
            assert answers(is_private_url, urls) == right
            compare(is_private_url_many(urls), right, [*urls])
            right = answers(url_host_matches, urls, "example.com", schemes=None)
            compare(host_in_many(urls, "example.com", schemes=None), right, [*urls])
    finally:
        set_max_length(before)


@pytest.mark.timed
@pytest.mark.parametrize("make", ["a.", "a", "%C3%A9.", "."])
def test_long_hosts(make: str) -> None:
    for work in (is_private_url_many, lambda urls: host_in_many(urls, ["a.a.a", "*.a", "b"], schemes=None)):
        check(lambda n: [f"{scheme}://{make * (n // len(make))}x/" for scheme in ("http", "x")], work)


def test_schemes_by_default() -> None:
    for function in (host_in_many, url_host_matches):
        assert inspect.signature(function).parameters["schemes"].default == ("http", "https", "ws", "wss")


def colliding(count: int) -> list[str]:
    """Domains whose hashes by FNV-1a, without a seed, end in the same 16 bits."""
    prime, mask = 0x01000193, 2**16 - 1
    inverse = pow(prime, -1, mask + 1)
    letters = b"abcdefghijklmnopqrstuvwxyz"
    start = 0x811C9DC5
    for byte in b"moc.":
        start = (start ^ byte) * prime
    ends: dict[int, list[str]] = {}
    for end in itertools.product(letters, repeat=3):
        state = start
        for byte in reversed(end):
            state = (state ^ byte) * prime & mask
        ends.setdefault(state, []).append(bytes(end).decode())
    found = []
    for head in itertools.product(letters, repeat=4):
        state = 0
        for byte in head:
            state = state * inverse & mask ^ byte
        found += [f"{bytes(head).decode()}{end}.com" for end in ends.get(state, ())]
        if len(found) >= count:
            break
    return found[:count]


@pytest.mark.timed
def test_patterns_that_collide_on_purpose() -> None:
    names = colliding(40_000)
    assert len(set(names)) == 40_000
    assert len({url_hash(name) & (2**16 - 1) for name in names}) == 1
    urls = [f"http://{names[-1]}"] * 100_000

    def seconds() -> float:
        start = time.process_time()
        assert all(host_in_many(urls, names).to_pylist())
        return time.process_time() - start

    # 0.3 s on a machine that does nothing else; with a hash that starts with a known number, 10 s and more.
    assert any(seconds() < 3 for _ in range(3))


def url_hash(name: str) -> int:
    value = 0x811C9DC5
    for byte in reversed(name.encode()):
        value = (value ^ byte) * 0x01000193
    return value


def test_patterns_that_lie() -> None:
    class Text(str):
        def removeprefix(self, prefix: str, /) -> str:
            return "lie"

        def lower(self) -> str:
            return "lie"

    assert not url_host_matches("http://lie/", Text("h"))
    assert url_host_matches("http://h/", Text("h"))
    assert not url_host_matches("lie://h/", "h", schemes=[Text("x")])
