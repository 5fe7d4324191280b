from collections.abc import Collection

from weburl.url import URL

class Policy:
    name: str
    version: int
    tracking_parameters: frozenset[str] | None
    index_names: frozenset[str] | None

class CrawlPolicy(Policy):
    tracking_parameters: frozenset[str]
    index_names: frozenset[str]
    def __init__(self, tracking_parameters: Collection[str] = ..., index_names: Collection[str] = ...) -> None: ...

def canonicalize(url: str | URL, policy: str | Policy = "crawl") -> str: ...
def fingerprint(url: str | URL, policy: str | Policy = "crawl", bits: int = 64) -> int: ...
