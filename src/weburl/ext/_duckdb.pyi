from collections.abc import Callable, Iterable

from weburl._arrow.job import Job

NAMES: tuple[str, ...]
RESULTS: dict[str, tuple[int, ...]]

class Function:
    @property
    def name(self) -> str: ...
    @property
    def columns(self) -> tuple[str, ...]: ...
    def __init__(
        self,
        name: str,
        columns: tuple[str, ...],
        result: str | tuple[str, ...],
        prepare: Callable[..., Job],
        any_number: bool = False,
    ) -> None: ...
    def replace(self, prepare: Callable[..., Job]) -> None: ...

def address() -> int: ...
def expect(functions: Iterable[Function] | None) -> bool: ...
