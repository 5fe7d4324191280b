from typing import Literal

from weburl._columns.batch import Batch
from weburl._columns.input import Input

Part = bytes | tuple[int, int] | None

class Layout:
    def __init__(
        self, parts: tuple[Part, ...], style: Literal["lines", "json", "csv", "csv-safe"], drop: bool, blank: bool
    ) -> None: ...
    def write(self, batches: list[Batch], rows: Input, begin: int, end: int) -> bytes: ...
