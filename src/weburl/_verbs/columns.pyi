from typing import Final

from weburl._arrow.columns import Field

DECODE_ERRORS: Final[dict[str, int]]
FIELDS: Final[dict[str, Field]]

def query_values(keys: tuple[str, ...]) -> tuple[Field, ...]: ...
def query_map(keys: tuple[str, ...]) -> Field: ...
def decoded(errors: str) -> Field: ...
