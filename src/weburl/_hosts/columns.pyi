from typing import Final

from weburl._arrow.columns import Field
from weburl._hosts.suffixes import HostPatterns, PublicSuffixList

FIELDS: Final[dict[str, Field]]

def sites(psl: PublicSuffixList | None = None) -> tuple[Field, Field]: ...
def private_hosts() -> Field: ...
def hosts_in(hosts: HostPatterns) -> Field: ...
