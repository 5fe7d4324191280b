from collections.abc import Iterable
from ipaddress import IPv4Address, IPv6Address
from os import PathLike
from typing import TextIO

from weburl._host import Host
from weburl._hosts.host_set import HostSet
from weburl.url import URL, FrozenURL

class HostPatterns:
    def __init__(self, hosts: str | Iterable[str] | HostSet, schemes: str | Iterable[str] | None) -> None: ...
    @staticmethod
    def private() -> HostPatterns: ...

def has_private_host(host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address, for_urls: str) -> bool: ...

class PublicSuffixList:
    @property
    def version(self) -> str: ...
    def __init__(self, file: str | PathLike[str] | TextIO) -> None: ...
    @staticmethod
    def default() -> PublicSuffixList: ...
    def __copy__(self) -> PublicSuffixList: ...
    def __deepcopy__(self, memo: object) -> PublicSuffixList: ...

def public_suffix(
    host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address,
    *,
    private: bool = True,
    unicode: bool = False,
    psl: PublicSuffixList | None = None,
) -> str | None: ...
def registrable_domain(
    host: str | Host | URL | FrozenURL | IPv4Address | IPv6Address,
    *,
    private: bool = True,
    unicode: bool = False,
    psl: PublicSuffixList | None = None,
) -> str | None: ...
