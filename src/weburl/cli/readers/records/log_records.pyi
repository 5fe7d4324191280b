from collections.abc import Sequence
from typing import Final

from weburl.cli.readers.text_column import TextColumn

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

def read_log(
    layout: LogLayout, data: bytes, begin: int, end: int, wanted: tuple[tuple[int, int], ...]
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str | int, bytes, int]]]: ...
def compose(
    layout: LogLayout, columns: list[TextColumn], sources: Sequence[Sequence[int]], wanted: tuple[tuple[int, int], ...]
) -> tuple[list[TextColumn], dict[int, str]]: ...
def field_spans(layout: LogLayout, line: bytes) -> list[tuple[int, int, int, int]] | None: ...
