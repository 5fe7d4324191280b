from collections.abc import Iterable

from furl import furl

DISTRIBUTION = "furl"


def build(all_parts: Iterable[tuple[str, str, str, str | None, str | None]]) -> None:
    for scheme, host, path, query, fragment in all_parts:
        furl().set(scheme=scheme, host=host, path=path, query=query or "", fragment=fragment or "").url
