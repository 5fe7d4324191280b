from collections.abc import Sequence

from weburl.cli.readers.text_column import TextColumn

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
