from collections.abc import Sequence
from typing import Final

from weburl.cli.readers.text_column import TextColumn

KINDS: Final[dict[str, int]]

class LogLayout:
    def __init__(
        self,
        start: bytes,
        steps: list[tuple[bytes, bool, bool]],
        places: dict[str, int],
        scheme: bytes,
        authority: bytes,
    ) -> None: ...

def read_log(
    layout: LogLayout, data: bytes, begin: int, end: int, wanted: tuple[tuple[int, int], ...]
) -> tuple[list[TextColumn], Sequence[int], dict[int, tuple[str | int, bytes]]]: ...
