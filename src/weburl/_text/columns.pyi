from collections.abc import Iterable
from typing import Final

from weburl._arrow.columns import Field

FIELDS: Final[dict[str, Field]]

def found_urls(schemes: str | Iterable[str], bare: bool, syntax: str, defanged: bool) -> Field: ...
def defanged(schemes: str | Iterable[str], bare: bool) -> Field: ...
def refanged(schemes: str | Iterable[str], bare: bool) -> Field: ...
