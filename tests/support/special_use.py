"""Which hosts are private, by IANA's registries: tests/data/special_use.txt."""

from __future__ import annotations

from collections.abc import Iterator
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_network
from pathlib import Path

Network = IPv4Network | IPv6Network
Address = IPv4Address | IPv6Address

DATA = Path(__file__).resolve().parents[1] / "data" / "special_use.txt"


def rows() -> Iterator[tuple[str, str]]:
    """Each network or name, with "no", "yes", "none" or "holds"."""
    for line in DATA.read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            what, _, reachable, *_ = line.split()
            yield what, reachable


ROWS = [*rows()]
NETWORKS: dict[Network, str] = {ip_network(what): reachable for what, reachable in ROWS if "/" in what}
PRIVATE_NAMES = [what for what, reachable in ROWS if "/" not in what and reachable == "no"]
PUBLIC_NAMES = [what for what, reachable in ROWS if "/" not in what and reachable == "yes"]
# https://www.iana.org/assignments/ipv6-address-space/: nothing else is assigned to anybody.
GLOBAL_UNICAST = IPv6Network("2000::/3")


def is_private_address(address: Address) -> bool:
    """By the widest network: a part of it may be reachable, which the addresses around it are not."""
    networks = sorted((network for network in NETWORKS if address in network), key=lambda each: each.prefixlen)
    if networks and NETWORKS[networks[0]] == "holds":
        return is_private_address(IPv4Address(int(address) & 0xFFFFFFFF))
    if address.version == 6 and address not in GLOBAL_UNICAST:
        return True
    return bool(networks) and NETWORKS[networks[0]] != "yes"


def is_private_name(name: str) -> bool:
    """Of a domain in lowercase. The DNS of the public has no names of one label."""
    name = name.removesuffix(".")
    return "." not in name or "" in name.split(".") or any(f".{name}".endswith(f".{each}") for each in PRIVATE_NAMES)


def edges(network: Network) -> Iterator[Address]:
    """Addresses at both sides of where the network begins and ends, and of where half of it, a quarter and so on do."""
    kind, size = type(network.network_address), network.num_addresses
    first, last = int(network[0]), int(network[-1])
    numbers = {first - size, last + size, first - 1, last + 1}
    for bits in range(network.max_prefixlen - network.prefixlen + 1):
        part = 1 << bits
        numbers |= {first + part - 1, first + part, last - part + 1, last - part}
    for number in sorted(numbers):
        if 0 <= number < 1 << network.max_prefixlen:
            yield kind(number)
