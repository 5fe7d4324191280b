"""Private hosts are those of IANA's registries: each network to its edges, and each name."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv6Address

import pytest
from support.special_use import (
    GLOBAL_UNICAST,
    NETWORKS,
    PRIVATE_NAMES,
    PUBLIC_NAMES,
    Address,
    Network,
    edges,
    is_private_address,
)

from weburl._hosts.psl import shipped_list
from weburl.bulk import is_private_url_many
from weburl.hosts import is_private_host, is_private_url


def check(addresses: list[Address]) -> None:
    hosts = [str(address) if address.version == 4 else f"[{address}]" for address in addresses]
    urls = [f"http://{host}/" for host in hosts]
    expected = {host: is_private_address(address) for host, address in zip(hosts, addresses, strict=True)}
    assert {host: is_private_host(address) for host, address in zip(hosts, addresses, strict=True)} == expected
    assert {host: is_private_url(url) for host, url in zip(hosts, urls, strict=True)} == expected
    assert dict(zip(hosts, is_private_url_many(urls).to_pylist(), strict=True)) == expected


def test_the_registries_are_there() -> None:
    assert [sum(network.version == version for network in NETWORKS) for version in (4, 6)] == [26, 26]
    assert (len(PRIVATE_NAMES), len(PUBLIC_NAMES)) == (48, 3)
    assert {is_private_address(address) for network in NETWORKS for address in edges(network)} == {True, False}


@pytest.mark.parametrize("network", [*NETWORKS, GLOBAL_UNICAST], ids=str)
def test_networks(network: Network) -> None:
    check([*edges(network)])


@pytest.mark.parametrize("network", [each for each, kind in NETWORKS.items() if kind == "holds"], ids=str)
def test_addresses_that_hold_others(network: Network) -> None:
    held = [address for other in NETWORKS if other.version == 4 for address in edges(other)]
    check([IPv6Address(int(network[0]) + int(address)) for address in held])
    # A bit beside them, and nothing is held: outside of what is assigned, nothing is public.
    check([IPv6Address(int(network[0]) + (1 << 32) + int(IPv4Address("8.8.8.8")))])


@pytest.mark.parametrize("name", PRIVATE_NAMES)
def test_private_names(name: str) -> None:
    # Not the names beside it, nor those above it.
    private = [name, f"{name}.", f"a.{name}", f"a.b.{name.upper()}."]
    public = [f"a.x{name}", f"{name}.com", f"a.{name}.example.org"]
    above = name.partition(".")[2]
    public += [f"xx.{above}"] if above and "." in above else []
    for host in (*private, *public):
        assert is_private_host(host) is (host in private), host
        assert is_private_url(f"http://{host}/") is (host in private), host
    urls = [f"http://{host}/" for host in (*private, *public)]
    assert is_private_url_many(urls).to_pylist() == [True] * len(private) + [False] * len(public)


def test_no_other_suffix_is_private() -> None:
    """Of the public suffix list."""
    pytest.importorskip("publicsuffixlist", reason="publicsuffixlist is not installed")
    suffixes = [line for line in shipped_list().read().splitlines() if line and line[0] not in "/*! " and "." in line]
    assert len(suffixes) > 5000
    assert {suffix for suffix in suffixes if is_private_host(suffix)} - {*PRIVATE_NAMES} == set()


@pytest.mark.parametrize("name", PUBLIC_NAMES)
def test_public_names(name: str) -> None:
    assert not is_private_host(name)
    assert not is_private_host(f"www.{name}.")
    assert is_private_url_many([f"http://{name}/", f"https://a.{name}/"]).to_pylist() == [False, False]
