from collections.abc import Iterable

from weburl._hosts.host_set import HostSet

class HostPatterns:
    def __init__(self, hosts: str | Iterable[str] | HostSet, schemes: str | Iterable[str] | None) -> None: ...
    @staticmethod
    def private() -> HostPatterns: ...

def is_private_text(host_type: str, host: str) -> bool: ...
