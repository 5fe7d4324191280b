from collections.abc import Sequence

from weburl.cli.readers.text_column import TextColumn

def read_fields(
    data: bytes, begin: int, end: int, wanted: tuple[tuple[str, bool], ...], left_out: frozenset[str] | None
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str, bytes]]]: ...
