from typing import Final

from weburl._arrow.columns import Field
from weburl._crawl.policy import Policy

FIELDS: Final[dict[str, Field]]

def canonical_forms(policy: str | Policy | None, bits: int = 64) -> tuple[Field, Field]: ...
