"""Which addresses the clients of HTTP may connect to. A name is looked up once: what was checked is connected to."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from ipaddress import IPv4Address, IPv6Address, ip_address
from threading import Thread
from typing import Any, Final

from weburl.errors import InvalidURL
from weburl.ext.http import NotFetched

# Says whether a name, or an address, must not be connected to.
IsRefused = Callable[[str | IPv4Address | IPv6Address], bool]

# https://fetch.spec.whatwg.org/#port-blocking
BAD_PORTS: Final = frozenset(
    map(
        int,
        """
        0 1 7 9 11 13 15 17 19 20 21 22 23 25 37 42 43 53 69 77 79 87 95 101 102 103 104 109 110 111 113 115 117 119 123
        135 137 139 143 161 179 389 427 465 512 513 514 515 526 530 531 532 540 548 554 556 563 587 601 636 989 990 993
        995 1719 1720 1723 2049 3659 4045 4190 5060 5061 6000 6566 6665 6666 6667 6668 6669 6679 6697 10080
        """.split(),
    )
)


def check_port(port: int) -> None:
    if port in BAD_PORTS:
        raise NotFetched(f"not fetched: port {port} is one that browsers block")


def check_host(host: str, port: int, is_refused: IsRefused) -> None:
    """Checks a host before it is looked up: a name, or the text of an address."""
    check_port(port)
    address = address_of(host)
    try:
        refused = is_refused(host if address is None else address)
    except InvalidURL:
        raise NotFetched(f"not fetched: {host[:100]!a} is not a host") from None
    if refused:
        raise NotFetched(f"not fetched: {host[:100]!a} is private")


def check_addresses(host: str, addresses: Iterable[str], is_refused: IsRefused) -> list[str]:
    """The addresses of a host. None may be refused, as the network decides which one a client reaches."""
    unique = list(dict.fromkeys(addresses))
    for text in unique:
        address = address_of(text)
        if address is None or is_refused(address):
            raise NotFetched(f"not fetched: {host[:100]!a} has the private address {text}")
    return unique


def address_of(text: str) -> IPv4Address | IPv6Address | None:
    try:
        # The scope, as in fe80::1%eth0, says through which interface.
        return ip_address(text.partition("%")[0])
    except ValueError:
        return None


def encode_name(host: str) -> bytes:
    """A name for getaddrinfo(), which encodes a str by rules of its own. The names of URLs are ASCII already."""
    return host.encode("ascii")


def addresses_in(infos: Iterable[tuple[Any, ...]]) -> list[str]:
    """The addresses in what getaddrinfo() gives."""
    return [str(address[0]) for *_, address in infos]


def find_addresses(host: str, port: int, is_refused: IsRefused, timeout: float | None) -> list[str]:
    """The addresses of a host, checked; TimeoutError if they are not known after so many seconds."""
    check_host(host, port, is_refused)
    return check_addresses(host, addresses_in(look_up(encode_name(host), port, timeout)), is_refused)


def look_up(name: bytes, port: int, timeout: float | None) -> list[tuple[Any, ...]]:
    if timeout is None:
        return socket.getaddrinfo(name, port, type=socket.SOCK_STREAM)
    answer: Future[list[tuple[Any, ...]]] = Future()

    def run() -> None:
        try:
            answer.set_result(socket.getaddrinfo(name, port, type=socket.SOCK_STREAM))
        except BaseException as error:
            answer.set_exception(error)

    # Nothing ends the call but the system's resolver. A thread that nobody waits for any more keeps no program running.
    Thread(target=run, name="weburl-getaddrinfo", daemon=True).start()
    try:
        return answer.result(timeout)
    except TimeoutError as error:
        raise TimeoutError("looking up the name takes too long") from error
