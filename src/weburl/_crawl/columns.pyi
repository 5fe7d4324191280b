from typing import Final

from weburl._arrow.columns import Field
from weburl._crawl.policy import Policy
from weburl._hosts.suffixes import PublicSuffixList

FIELDS: Final[dict[str, Field]]

def canonical_forms(policy: str | Policy | None, bits: int = 64) -> tuple[Field, Field]: ...
def host_groups(psl: PublicSuffixList | None = None) -> Field: ...
def shards(n: int, psl: PublicSuffixList | None = None) -> Field: ...
