from collections.abc import Iterable

from weburl._arrow.batch import Batch
from weburl._arrow.columns import Field
from weburl._arrow.input import Input

class Job:
    cancelled: bool
    longest: int
    def __init__(
        self,
        fields: Iterable[Field],
        *,
        is_struct: bool = False,
        views: bool = False,
        base: str | None = None,
        encoding: str = "utf-8",
        any_text: bool = False,
    ) -> None: ...
    def run(
        self, rows: Input, begin: int, end: int, bases: Input | None = None, bases_begin: int = 0
    ) -> Batch | None: ...
    def row_text(self, rows: Input, begin: int, end: int, row: int) -> str | None: ...

class Runner:
    def __init__(self, job: Job, most_rows: int) -> None: ...
