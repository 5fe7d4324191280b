from collections.abc import Collection
from typing import Any, final

from weburl._crawl.policy import PolicyValue
from weburl.url import URL, FrozenURL

@final
class LogPolicy(PolicyValue):
    @property
    def secret_names(self) -> frozenset[str]: ...
    @property
    def token_names(self) -> frozenset[str]: ...
    @property
    def exact_names(self) -> frozenset[str]: ...
    @property
    def whole_addresses(self) -> bool: ...
    def __init__(
        self,
        *,
        name: str = "custom",
        version: int = 1,
        secret_names: Collection[str] = ...,
        token_names: Collection[str] = ...,
        exact_names: Collection[str] = ...,
        whole_addresses: bool = False,
    ) -> None: ...

def restore_log_policy(kind: str, settings: dict[str, Any]) -> LogPolicy: ...
def find_log_policy(policy: str | LogPolicy) -> LogPolicy: ...
def find_path_policy(policy: str | LogPolicy) -> LogPolicy: ...
def redact(url: str | URL | FrozenURL, policy: str | LogPolicy = "logs/1", *, encoding: str = "utf-8") -> str: ...
def redactions(
    url: str | URL | FrozenURL, policy: str | LogPolicy = "logs/1", *, encoding: str = "utf-8"
) -> dict[str, int]: ...
