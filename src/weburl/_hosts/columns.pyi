from typing import Final

from weburl._arrow.columns import Field
from weburl._hosts.matching import HostPatterns
from weburl._hosts.suffixes import PublicSuffixList

FIELDS: Final[dict[str, Field]]

def sites(psl: PublicSuffixList | None = None) -> tuple[Field, Field]: ...
def private_hosts() -> Field: ...
def hosts_in(hosts: HostPatterns) -> Field: ...
