from collections.abc import Iterable
from typing import Final

SYNTAXES: Final[tuple[str, ...]]

class FindRules:
    @property
    def arguments(self) -> tuple[tuple[str, ...], bool, str, bool]: ...
    def __init__(self, schemes: str | Iterable[str], bare: bool, syntax: str, defanged: bool) -> None: ...
