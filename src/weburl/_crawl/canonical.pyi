from typing import Literal, overload

from weburl._crawl.policy import Policy
from weburl.url import URL, FrozenURL

def canonicalize(url: str | URL | FrozenURL, policy: str | Policy = "crawl/1", *, encoding: str = "utf-8") -> str: ...

# A type checker takes the first that fits.
@overload
def fingerprint(  # type: ignore[overload-overlap]
    url: str | URL | FrozenURL, policy: str | Policy = "crawl/1", *, bits: Literal[96, 128], encoding: str = "utf-8"
) -> bytes: ...
@overload
def fingerprint(
    url: str | URL | FrozenURL, policy: str | Policy = "crawl/1", *, bits: int = 64, encoding: str = "utf-8"
) -> int: ...
def check_bits(bits: int) -> int: ...
def without_parameters(url: str | URL | FrozenURL, policy: str | Policy, encoding: str = "utf-8") -> str: ...
