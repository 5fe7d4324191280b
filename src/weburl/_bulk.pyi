from weburl._batch import Batch
from weburl._rows import Input

FIELDS: dict[str, int]
DECODE_ERRORS: dict[str, int]

class Job:
    cancelled: bool
    def __init__(
        self,
        fields: tuple[str, ...],
        *,
        is_struct: bool = False,
        views: bool = False,
        base: str | None = None,
        key: str | None = None,
        decode_errors: str | None = None,
    ) -> None: ...
    def run(
        self, rows: Input, begin: int, end: int, bases: Input | None = None, bases_begin: int = 0
    ) -> Batch | None: ...
    def row_text(self, rows: Input, begin: int, end: int, row: int) -> str | None: ...
