from typing import Any

class Batch:
    length: int
    null_count: int
    names: tuple[str, ...]
    is_struct: bool
    errors: dict[str, int]
    first_failed: int
    first_error: str
    def entries(self, index: int) -> list[Any]: ...
    def select(self, index: int) -> Batch: ...

def set_most_pairs(count: int) -> int: ...
def combine(batches: list[Batch]) -> Batch: ...
