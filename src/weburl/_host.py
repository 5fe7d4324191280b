"""A host as a value, and the host parser for str: https://url.spec.whatwg.org/#concept-host"""

from __future__ import annotations

from functools import total_ordering
from typing import TYPE_CHECKING, Any, Final, NoReturn, final

from weburl._core.failures import FAILURE_NAMES
from weburl._core.host import HOST_TYPE_NAMES, ip_address_of
from weburl._core.percent import scalar_values
from weburl._core.texts import parse_host_text
from weburl.errors import InvalidURL

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv6Address

# The order of hosts of different types.
RANKS: Final = {"empty": 0, "ipv4": 1, "ipv6": 2, "domain": 3, "opaque": 4}


@final
@total_ordering
class Host:
    """A parsed host, as `parse_host` and `URL.host_value` return it; `str(host)` is its serialization.

    >>> hosts = [parse_host(text) for text in ("b.example.com", "example.com", "a.example.com", "0x7f.1")]
    >>> [str(host) for host in sorted(hosts)]
    ['127.0.0.1', 'example.com', 'a.example.com', 'b.example.com']

    A Host does not change. Only the host parser makes one, so it is always a host that a URL can have. Two Hosts are
    equal if their type and serialization are equal, so an opaque host `a` is not the domain `a`.

    Hosts are sorted by type: empty, IPv4, IPv6, domain, opaque. Addresses are sorted by number. Domains are sorted
    label by label, from the last label: example.com, a.example.com, example.org.
    """

    __slots__ = ("_host_type", "_serialization")

    _host_type: str
    _serialization: str

    def __new__(cls, *args: NoReturn, **kwargs: NoReturn) -> Host:
        raise TypeError("use parse_host() to make a Host")

    def __init_subclass__(cls) -> None:
        raise TypeError("Host cannot be subclassed")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Host cannot be changed")

    def __delattr__(self, name: str) -> None:
        raise AttributeError("a Host cannot be changed")

    @property
    def host_type(self) -> str:
        """The kind of the host: 'domain', 'ipv4', 'ipv6', 'opaque' or 'empty'.

        >>> parse_host("example.com").host_type, parse_host("2130706433").host_type
        ('domain', 'ipv4')
        """
        return self._host_type

    @property
    def labels(self) -> tuple[str, ...]:
        """The labels of a domain, in ASCII; other hosts have none.

        >>> parse_host("www.Bücher.example").labels, parse_host("[::1]").labels
        (('www', 'xn--bcher-kva', 'example'), ())

        A label is the text between two dots: the last one is empty if the domain ends with a dot. Joined by dots, they
        are the serialization.

        The text between the dots: the last one is empty if the domain ends with a dot. Joined by dots, they are the
        serialization.
        """
        return tuple(self._serialization.split(".")) if self._host_type == "domain" else ()

    @property
    def unicode(self) -> str:
        """The domain in Unicode, as `domain_to_unicode` gives it; the serialization of other hosts.

        >>> parse_host("xn--bcher-kva.example").unicode, parse_host("127.1").unicode
        ('bücher.example', '127.0.0.1')

        It may deceive: to show a host to people, use `weburl.display.display_host`.
        """
        if self._host_type != "domain" or "xn--" not in self._serialization:
            return self._serialization
        from weburl._unicode.idna import domain_to_unicode

        return domain_to_unicode(self._serialization)

    @property
    def is_ip(self) -> bool:
        """Whether the host is an IP address.

        >>> parse_host("0x7f.1").is_ip, parse_host("localhost").is_ip
        (True, False)
        """
        return self._host_type in ("ipv4", "ipv6")

    @property
    def ip_address(self) -> IPv4Address | IPv6Address | None:
        """The host as an object of the ipaddress module; None if it is not an IP address.

        >>> parse_host("[2001:DB8:0:0::1]").ip_address
        IPv6Address('2001:db8::1')
        """
        return ip_address_of(self._host_type, self._serialization)

    def __str__(self) -> str:
        return self._serialization

    def __repr__(self) -> str:
        return f"<Host {self._host_type}{self._serialization and ' '}{self._serialization}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Host):
            return NotImplemented
        return (self._host_type, self._serialization) == (other._host_type, other._serialization)

    def __hash__(self) -> int:
        return hash((self._host_type, self._serialization))

    def __lt__(self, other: Host) -> bool:
        if not isinstance(other, Host):
            return NotImplemented
        if self._host_type != other._host_type:
            return RANKS[self._host_type] < RANKS[other._host_type]
        return self._place() < other._place()

    def _place(self) -> tuple[Any, ...]:
        """The place among the hosts of its type."""
        address = self.ip_address
        if address is not None:
            return (int(address),)
        if self._host_type != "domain":
            return (self._serialization,)
        # A trailing dot comes last, so that a name stays beside its subdomains with or without it.
        name = self._serialization.removesuffix(".")
        return name.split(".")[::-1], len(self._serialization) - len(name)

    def __copy__(self) -> Host:
        return self

    def __deepcopy__(self, memo: object) -> Host:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        return restore_host, (self._host_type, self._serialization)


Host.__module__ = "weburl.hosts"

# Past __setattr__(), at the cost of a plain assignment.
_set_host_type: Final = Host.__dict__["_host_type"].__set__
_set_serialization: Final = Host.__dict__["_serialization"].__set__


def make_host(host_type: str, serialization: str) -> Host:
    """The host for what the host parser has given."""
    host = object.__new__(Host)
    _set_host_type(host, host_type)
    _set_serialization(host, serialization)
    return host


def restore_host(host_type: str, serialization: str) -> Host:
    """Makes a Host from its pickle; it has to be what the host parser gives for the serialization."""
    host = parse_text(serialization, host_type in ("opaque", "empty"))
    if (host._host_type, host._serialization) != (host_type, serialization):
        raise TypeError("not the pickle of a Host")
    return host


restore_host.__module__ = "weburl.hosts"


def parse_text(text: str, opaque: bool = False) -> Host:
    """https://url.spec.whatwg.org/#concept-host-parser"""
    result = parse_host_text(scalar_value_string(text, "host"), opaque)
    if len(result) == 1:
        raise InvalidURL(str.__str__(text), None, FAILURE_NAMES[result[0]], "host")
    host_type = HOST_TYPE_NAMES[result[0]]
    assert host_type is not None
    return make_host(host_type, result[1])


def scalar_value_string(text: str, what: str) -> str:
    if not isinstance(text, str):
        from weburl._advice import wrong_type

        raise wrong_type(text, f"{what} must be a str")
    return scalar_values(text)
