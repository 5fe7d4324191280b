"""The host parser for str: https://url.spec.whatwg.org/#concept-host"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES, ip_address_of
from weburl._core.percent import scalar_values
from weburl._core.scalar import parse_host_text
from weburl.errors import InvalidURL

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address


@dataclass(frozen=True, slots=True)
class Host:
    """A parsed host; `str()` gives its serialization.

    `host_type` is 'domain', 'ipv4', 'ipv6', 'opaque' or 'empty'.
    """

    host_type: str
    serialization: str

    @property
    def ip_address(self) -> IPv4Address | IPv6Address | None:
        """The host as an object of the ipaddress module; None if it is not an IP address."""
        return ip_address_of(self.host_type, self.serialization)

    def __str__(self) -> str:
        return self.serialization


Host.__module__ = "weburl.hosts"


def parse_host(host: str, *, opaque: bool = False) -> Host:
    """The host that a string stands for. It raises InvalidURL if the string is not a host.

    With `opaque` it is parsed as in a URL whose scheme is not special.
    https://url.spec.whatwg.org/#concept-host-parser
    """
    text = scalar_value_string(host, "host")
    result = parse_host_text(text, opaque)
    if len(result) == 1:
        raise InvalidURL(str.__str__(host), None, FAILURE_NAMES[result[0]], "host")
    host_type = HOST_TYPE_NAMES[result[0]]
    assert host_type is not None
    return Host(host_type, result[1])


def scalar_value_string(text: str, what: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{what} must be a str, not {type(text).__name__}")
    return scalar_values(text)
