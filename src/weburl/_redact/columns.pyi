from typing import Final

from weburl._arrow.columns import Field
from weburl._redact.redact import LogPolicy

FIELDS: Final[dict[str, Field]]

def redactions(policy: str | LogPolicy) -> tuple[Field, ...]: ...
def templates(rules: str) -> Field: ...
