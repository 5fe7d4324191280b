from ipaddress import IPv4Address, IPv6Address
from os import PathLike
from typing import TextIO

from weburl._hosts.host import Host
from weburl.url import URL

class PublicSuffixList:
    @property
    def version(self) -> str: ...
    def __init__(self, file: str | PathLike[str] | TextIO) -> None: ...
    @staticmethod
    def default() -> PublicSuffixList: ...

def public_suffix(
    host: str | Host | URL | IPv4Address | IPv6Address,
    *,
    private: bool = True,
    unicode: bool = False,
    psl: PublicSuffixList | None = None,
) -> str | None: ...
def registrable_domain(
    host: str | Host | URL | IPv4Address | IPv6Address,
    *,
    private: bool = True,
    unicode: bool = False,
    psl: PublicSuffixList | None = None,
) -> str | None: ...
