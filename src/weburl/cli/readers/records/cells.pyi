from collections.abc import Sequence
from typing import Final

from weburl.cli.readers.rows.text_column import TextColumn

KINDS: Final[dict[str, int]]
FORMS: Final[dict[str, int]]
PLACE_NAMES: Final[tuple[str, ...]]

class LogLayout:
    def __init__(
        self,
        syntax: str,
        fields: int,
        places: dict[str, int],
        scheme: bytes,
        authority: bytes,
        start: bytes = b"",
        steps: list[tuple[bytes, bool, bool]] = ...,
        needed: int = 0,
        keys: list[tuple[bytes, int, int]] = ...,
        escapes: bool = True,
    ) -> None: ...

def cut_records(data: bytes, delimiter: str, size: int, limit: int, is_last: bool = False) -> list[int]: ...
def read_columns(
    data: bytes, begin: int, end: int, delimiter: str, wanted: tuple[int, ...], limit: int
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str, bytes] | None]]: ...
def split_otlp(data: bytes, end: int) -> tuple[bytes, Sequence[int]]: ...
def read_fields(
    data: bytes,
    begin: int,
    end: int,
    wanted: tuple[tuple[str, bool], ...],
    left_out: frozenset[str] | None,
    is_record: bool = False,
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str, bytes, int]]]: ...
def read_log(
    layout: LogLayout, data: bytes, begin: int, end: int, wanted: tuple[tuple[int, int], ...]
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str | int, bytes, int]]]: ...
def compose(
    layout: LogLayout, columns: list[TextColumn], sources: Sequence[Sequence[int]], wanted: tuple[tuple[int, int], ...]
) -> tuple[list[TextColumn], dict[int, str]]: ...
def field_spans(layout: LogLayout, line: bytes) -> list[tuple[int, int, int, int]] | None: ...
