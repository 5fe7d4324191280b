from os import PathLike
from typing import TextIO

from weburl._hosts.arguments import HostArgument

class PublicSuffixList:
    @property
    def version(self) -> str: ...
    def __init__(self, file: str | PathLike[str] | TextIO) -> None: ...
    @staticmethod
    def default() -> PublicSuffixList: ...

def public_suffix(
    host: HostArgument, *, private: bool = True, unicode: bool = False, psl: PublicSuffixList | None = None
) -> str | None: ...
def registrable_domain(
    host: HostArgument, *, private: bool = True, unicode: bool = False, psl: PublicSuffixList | None = None
) -> str | None: ...
