from collections.abc import Collection
from typing import Any, Literal

def digest(data: bytes) -> bytes: ...

class Policy:
    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...

class CrawlPolicy(Policy):
    @property
    def tracking_parameters(self) -> frozenset[str]: ...
    @property
    def index_names(self) -> frozenset[str]: ...
    @property
    def remove_session_ids(self) -> bool: ...
    @property
    def sort_query(self) -> bool: ...
    @property
    def remove_repeated_pairs(self) -> bool: ...
    @property
    def remove_trailing_slash(self) -> bool: ...
    @property
    def remove_trailing_dot(self) -> bool: ...
    @property
    def remove_www(self) -> bool: ...
    @property
    def remove_credentials(self) -> bool: ...
    @property
    def merge_schemes(self) -> bool: ...
    @property
    def fragment(self) -> Literal["remove", "hashbang", "keep"]: ...
    def __init__(
        self,
        tracking_parameters: Collection[str] = ...,
        index_names: Collection[str] = ...,
        *,
        remove_session_ids: bool = True,
        sort_query: bool = True,
        remove_repeated_pairs: bool = False,
        remove_trailing_slash: bool = False,
        remove_trailing_dot: bool = False,
        remove_www: bool = False,
        remove_credentials: bool = False,
        merge_schemes: bool = False,
        fragment: Literal["remove", "hashbang", "keep"] = "remove",
        name: str | None = None,
        version: int = 1,
    ) -> None: ...

class SurtPolicy(Policy):
    @property
    def with_scheme(self) -> bool: ...
    @property
    def trailing_comma(self) -> bool: ...
    @property
    def keep_www(self) -> bool: ...
    def __init__(
        self,
        *,
        with_scheme: bool = False,
        trailing_comma: bool = False,
        keep_www: bool = False,
        name: str | None = None,
        version: int = 1,
    ) -> None: ...

def restore_policy(kind: str, knobs: dict[str, Any]) -> Policy: ...
