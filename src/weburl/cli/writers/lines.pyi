from typing import Literal

from weburl._arrow.batch import Batch
from weburl._arrow.input import Input

Style = Literal["lines", "json", "csv", "csv-safe"]
LinePart = bytes | tuple[int, int] | int | None

class Layout:
    def __init__(self, parts: tuple[LinePart, ...], style: Style, drop: bool, blank: bool) -> None: ...
    def render(
        self,
        batches: list[Batch],
        rows: Input,
        begin: int,
        end: int,
        kept: list[tuple[Input, bool]],
        replaced: dict[tuple[int, int], Batch],
    ) -> bytes: ...

def set_last_words(message: bytes, paths: bytes) -> None: ...
