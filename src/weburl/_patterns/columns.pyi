from collections.abc import Iterable, Sequence
from typing import Final

from weburl._arrow.columns import Field
from weburl._patterns.matcher import Matcher, RouteTable

# A name, the number of a component, and the number of a group of it.
Place = tuple[str, int, int]

class Matching:
    @property
    def columns(self) -> tuple[str, ...]: ...
    @property
    def host_only(self) -> bool: ...
    def __init__(
        self,
        source: Matcher | RouteTable,
        targets: Sequence[tuple[str, Sequence[Place]]],
        columns: Iterable[str] = (),
        nothing: str | None = None,
    ) -> None: ...

FIELDS: Final[dict[str, Field]]

def matches(matching: Matching, names: Iterable[str] = ()) -> tuple[Field, ...]: ...
