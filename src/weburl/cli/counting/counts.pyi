import builtins
from collections.abc import Iterable
from typing import Final

from weburl._arrow.batch import Batch
from weburl._arrow.input import Input

FIELDS: Final[tuple[str, ...]]
MOST_LEVELS: Final[int]
NAMES: Final[tuple[str, ...]]
STANDARD_ERROR: Final[float]

class Counts:
    texts: int
    bytes: int
    urls: int
    blank: int
    characters: int
    shortest: int
    longest: int
    coarse: int
    def __init__(self, texts: int = 1 << 20, bytes: int = 1 << 26) -> None: ...
    @staticmethod
    def within(memory: int) -> Counts: ...
    def share(self) -> Counts: ...
    def clear(self) -> None: ...
    def merge(self, piece: Counts) -> None: ...
    def add(
        self,
        batch: Batch,
        rows: Input,
        begin: int,
        end: int,
        has_base: bool,
        marks: builtins.bytes | None = None,
        times: builtins.bytes | None = None,
        whole: Counts | None = None,
    ) -> bool: ...
    def add_groups(
        self,
        batch: Batch,
        rows: Input,
        begin: int,
        end: int,
        has_base: bool,
        marks: builtins.bytes | None,
        href: int,
        levels: list[tuple[Input, int, int, int]],
        numbers: list[tuple[Input, int, int]],
        whole: Counts | None = None,
    ) -> bool: ...
    def groups(
        self, level: int, parents: Iterable[int], number: int
    ) -> dict[int, tuple[int, list[tuple[str | None, int, int, int]]]]: ...
    def group_bounds(self, level: int) -> tuple[int, int]: ...
    def buckets(self, groups: Iterable[int]) -> dict[int, dict[int, list[tuple[float, int]]]]: ...
    def total(self, name: str) -> int: ...
    def different(self, name: str) -> int: ...
    def is_exact(self, name: str) -> bool: ...
    def missed(self, name: str) -> int: ...
    def top(self, name: str, number: int) -> list[tuple[str, int, int]]: ...
    def length_counts(self) -> list[tuple[int, int]]: ...
