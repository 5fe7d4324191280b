from os import PathLike

from weburl.hosts import Host
from weburl.url import URL

class PublicSuffixList:
    version: str
    def __init__(self, path: str | PathLike[str]) -> None: ...
    @staticmethod
    def default() -> PublicSuffixList: ...

def public_suffix(
    host: str | Host | URL, *, private: bool = True, unicode: bool = False, psl: PublicSuffixList | None = None
) -> str | None: ...
def registrable_domain(
    host: str | Host | URL, *, private: bool = True, unicode: bool = False, psl: PublicSuffixList | None = None
) -> str | None: ...
