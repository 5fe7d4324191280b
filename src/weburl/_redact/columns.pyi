from collections.abc import Iterable
from typing import Final

from weburl._arrow.columns import Field
from weburl._redact.redact import LogPolicy

FIELDS: Final[dict[str, Field]]

def redactions(policy: str | LogPolicy, names: Iterable[str] = ("redacted",)) -> tuple[Field, ...]: ...
def templates(policy: str | LogPolicy) -> Field: ...
def redacted_texts(policy: str | LogPolicy) -> Field: ...
