"""Host: a value that only the host parser makes."""

from __future__ import annotations

import copy
import dataclasses
import gc
import ipaddress
import itertools
import pickle
import sys
import weakref
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from support import hostile

from weburl import URL, InvalidURL
from weburl._core.parser import set_max_length
from weburl._host import restore_host
from weburl.hosts import Host, domain_to_unicode, parse_host

URLS = [case.url for case in itertools.islice(hostile.inputs(15), 4000)]
HOSTS = [
    "example.com", "www.example.com", "example.com.", "a..b", ".", "..", ".a", "localhost", "xn--bcher-kva.example",
    "bücher.example", "xn--a", "a_b", "1.2.3.4", "0x7f.1", "255.255.255.255", "[::1]", "[::ffff:1.2.3.4]", "[1::]",
    "xn--80ak6aa92e.com.", "a" * 300,
]  # fmt: skip
OPAQUE = ["a", "example.com", "1.2.3.4", "%61", "a%20b", "é", "xn--bcher-kva", "[::1]", ".", "A"]
HOST: Any = Host
COPY_REPLACE: Any = getattr(copy, "replace", dataclasses.replace)
EVERY = [*map(parse_host, HOSTS), *(parse_host(text, opaque=True) for text in [*OPAQUE, ""])]


def test_a_url_has_one() -> None:
    for text in ("EXAMPLE.com", "é", "1.2", "[::1]", "a."):
        assert URL(f"http://{text}:81/").host_value == parse_host(text)
    assert URL("foo://a%20b").host_value == parse_host("a%20b", opaque=True)
    for text in ("file:///x", "foo:///"):
        host = URL(text).host_value
        assert host is not None
        assert (str(host), host.host_type) == ("", "empty")
    for text in ("data:,x", "foo:/a", "x:"):
        assert URL(text).host_value is None
    assert URL.__new__(URL).host_value is None
    changed = URL("http://a/")
    before = changed.host_value
    changed.hostname = "b"
    assert (str(before), str(changed.host_value)) == ("a", "b")


def test_it_is_the_host_of_its_url() -> None:
    found = [check_host_of(url) for url in map(URL.parse, URLS) if url is not None]
    assert {None, "domain", "ipv4", "ipv6", "opaque", "empty"} == set(found)


def check_host_of(parsed: URL) -> str | None:
    host = parsed.host_value
    assert (host is None) == (parsed.host_type is None)
    if host is None:
        return None
    assert (str(host), host.host_type, host.ip_address) == (parsed.hostname, parsed.host_type, parsed.ip_address)
    assert host.is_ip is (parsed.ip_address is not None)
    assert host == parse_host(parsed.hostname, opaque=host.host_type in ("opaque", "empty")) == parse_host(parsed)
    assert pickle.loads(pickle.dumps(host)) == host
    if host.host_type == "domain":
        assert ".".join(host.labels) == parsed.hostname
        assert host.unicode == domain_to_unicode(parsed.hostname)
    else:
        assert (host.labels, host.unicode) == ((), parsed.hostname)
    return host.host_type


@pytest.mark.parametrize(
    ("text", "labels", "unicode"),
    [
        ("WWW.Example.com", ("www", "example", "com"), "www.example.com"),
        ("example.com.", ("example", "com", ""), "example.com."),
        ("a..b", ("a", "", "b"), "a..b"),
        (".", ("", ""), "."),
        ("bücher.example", ("xn--bcher-kva", "example"), "bücher.example"),
        ("xn--a", ("xn--a",), "xn--a"),
        ("1.2.3.4", (), "1.2.3.4"),
        ("[::1]", (), "[::1]"),
    ],
)
def test_labels(text: str, labels: tuple[str, ...], unicode: str) -> None:
    host = parse_host(text)
    assert (host.labels, host.unicode) == (labels, unicode)
    assert all(type(label) is str for label in host.labels)


@pytest.mark.parametrize(
    "make",
    [
        Host,
        lambda: HOST("example.com"),
        lambda: HOST("domain", "EXAMPLE.com"),
        lambda: HOST(host_type="domain", serialization="a b"),
        lambda: Host.__new__(Host),
        lambda: HOST.__new__(Host, "domain", "a b"),
        lambda: dataclasses.replace(EVERY[0], serialization="a b"),  # type: ignore[type-var, unused-ignore]
        lambda: COPY_REPLACE(EVERY[0], serialization="a b"),
        lambda: type("Sub", (Host,), {}),
        lambda: restore_host("domain", "EXAMPLE.com"),
        lambda: restore_host("opaque", "[::1]"),
        lambda: restore_host("domain", "1.2.3.4"),
        lambda: restore_host("ipv4", "1.2.3"),
        lambda: restore_host("empty", "a"),
        lambda: restore_host("opaque", ""),
        lambda: restore_host("no type", "a"),
        lambda: restore_host("domain", 5),  # type: ignore[arg-type]
    ],
)
def test_nothing_else_makes_one(make: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        make()


def test_the_way_to_make_one_is_said() -> None:
    with pytest.raises(TypeError, match=r"^use parse_host\(\) to make a Host$"):
        HOST("example.com")


@pytest.mark.parametrize(
    ("host_type", "text"), [("domain", "a b"), ("domain", ""), ("ipv6", "[x]"), ("opaque", "a b"), ("ipv4", "")]
)
def test_a_pickle_is_checked(host_type: str, text: str) -> None:
    good = pickle.dumps(parse_host("1.2.3.4"), 0)
    assert b"weburl.hosts\nrestore_host" in good
    bad = good.replace(b"Vipv4", b"V" + host_type.encode()).replace(b"V1.2.3.4", b"V" + text.encode())
    assert bad != good
    with pytest.raises((InvalidURL, TypeError)):
        pickle.loads(bad)


def test_a_pickle_cannot_change_one() -> None:
    # BUILD with a state for slots, after a good one.
    state = pickle.dumps((None, {"_serialization": "a b"}), 2)[2:-1]
    program = pickle.dumps(parse_host("example.com"), 2)[:-1] + state + b"b."
    with pytest.raises(AttributeError):
        pickle.loads(program)


def test_it_does_not_change() -> None:
    host: Any = parse_host("example.com")
    for name in ("host_type", "labels", "_serialization", "_host_type", "x", "__class__"):
        with pytest.raises(AttributeError):
            setattr(host, name, "a b")
        with pytest.raises(AttributeError):
            delattr(host, name)
    with pytest.raises(AttributeError):
        host.__dict__  # noqa: B018
    with pytest.raises(TypeError):
        weakref.ref(host)
    assert (str(host), host.host_type) == ("example.com", "domain")
    assert sys.getsizeof(host) <= 32 + 2 * gc.is_tracked(host) * 16


@pytest.mark.parametrize("host", EVERY, ids=repr)
def test_copies(host: Host) -> None:
    assert copy.copy(host) is copy.deepcopy(host) is copy.deepcopy([host])[0] is host
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(host, protocol))
        assert type(again) is Host
        assert (again, hash(again), again.host_type, str(again)) == (host, hash(host), host.host_type, str(host))


def test_equality() -> None:
    for one, other in itertools.product(EVERY, EVERY):
        same = (one.host_type, str(one)) == (other.host_type, str(other))
        assert (one == other) is same
        assert (one != other) is not same
        assert not same or hash(one) == hash(other)
    assert parse_host("a") != parse_host("a", opaque=True)
    assert len({parse_host("a"), parse_host("A"), parse_host("a", opaque=True), parse_host("a.")}) == 3
    text: object = "example.com"
    assert parse_host("example.com") != text
    assert parse_host("127.1") == parse_host("0x7f000001") == URL("file://127.0.0.1").host_value
    assert parse_host("127.0.0.1") != URL("x://127.0.0.1").host_value


def test_a_total_order() -> None:
    for one, other in itertools.product(EVERY, EVERY):
        assert [one < other, one == other, one > other].count(True) == 1
        assert (one <= other) is (not one > other)
        assert (one >= other) is (not one < other)
    hosts = list(dict.fromkeys(EVERY))
    right = sorted(hosts)
    for seed in range(5):
        Random(seed).shuffle(hosts)
        assert sorted(hosts) == right
    for value in ("a", None, 1):
        with pytest.raises(TypeError):
            EVERY[0] < value  # type: ignore[operator]  # noqa: B015


def test_the_order() -> None:
    texts = (
        "0.0.0.9 9.0.0.1 10.0.0.1 [::2] [::10] [1::] com example.com example.com. a.example.com a.example.com. "
        "b.example.com b.a.example.com xn--bcher-kva.example.com example.com.com z.org example.org"
    ).split()
    hosts = [parse_host("", opaque=True), *map(parse_host, texts)]
    hosts += [parse_host(text, opaque=True) for text in ("A", "a", "b.a")]
    Random(1).shuffle(hosts)
    in_order = sorted(hosts)
    assert [str(host) for host in in_order] == [
        "", "0.0.0.9", "9.0.0.1", "10.0.0.1", "[::2]", "[::10]", "[1::]", "com", "example.com.com",
        "example.com", "example.com.", "a.example.com", "a.example.com.", "b.a.example.com", "b.example.com",
        "xn--bcher-kva.example.com", "example.org", "z.org", "A", "a", "b.a",
    ]  # fmt: skip


def test_repr() -> None:
    assert repr(parse_host("EXAMPLE.com")) == "<Host domain example.com>"
    assert repr(parse_host("a%20b", opaque=True)) == "<Host opaque a%20b>"
    assert repr(parse_host("", opaque=True)) == "<Host empty>"
    assert f"{parse_host('0x7f.1')}" == "127.0.0.1"
    assert (Host.__module__, Host.__qualname__) == ("weburl.hosts", "Host")


@given(st.ip_addresses())
@example(ipaddress.ip_address("::ffff:1.2.3.4"))
@example(ipaddress.ip_address("::"))
def test_from_an_address(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    host = parse_host(address)
    assert (host.ip_address, host.is_ip, host.host_type) == (address, True, f"ipv{address.version}")
    assert str(host) == URL(f"http://{address}/" if address.version == 4 else f"http://[{address}]/").hostname
    assert parse_host(str(host), opaque=address.version == 6) == host


def test_what_is_not_an_address() -> None:
    for scoped in ("fe80::1%eth0", "fe80::1%1", "::1%a]:80"):
        with pytest.raises(InvalidURL) as raised:
            parse_host(ipaddress.IPv6Address(scoped))
        assert raised.value.part == "host"
    with pytest.raises(InvalidURL):
        parse_host(ipaddress.ip_interface("1.2.3.4/24"))

    class Liar(ipaddress.IPv4Address):
        def __str__(self) -> str:
            return "example.com"

    with pytest.raises(TypeError):
        parse_host(Liar("1.2.3.4"))
    for value in (None, b"a", 1, 2**32, ["a"], ipaddress.ip_network("1.2.3.0/24"), object()):
        with pytest.raises(TypeError, match="host must be a str, a Host, a URL or an address of ipaddress"):
            parse_host(value)  # type: ignore[arg-type]


def test_from_a_host_or_a_url() -> None:
    for host in EVERY:
        assert parse_host(host) is host
    assert repr(parse_host(URL("ssh://git@GitHub.com/"))) == "<Host opaque GitHub.com>"
    assert repr(parse_host(URL("file:///x"))) == "<Host empty>"
    with pytest.raises(InvalidURL) as raised:
        parse_host(URL("data:,secret"))
    assert (raised.value.error, raised.value.part, raised.value.input) == ("host-missing", "host", "")


def test_text_that_is_too_long() -> None:
    before = set_max_length(20)
    try:
        assert str(parse_host("a" * 20)) == "a" * 20
        for opaque in (False, True):
            with pytest.raises(InvalidURL, match="too-long"):
                parse_host("a" * 21, opaque=opaque)
    finally:
        set_max_length(before)
