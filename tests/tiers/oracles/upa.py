"""upa-url as an oracle. Assigning something that is not a URL to its href does nothing; here it raises."""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

from tiers.oracles.observe import serve
from upa_url import URL


class Upa:
    def parse(self, url: str, base: str | None) -> Any:
        return URL.parse(url, base)

    def pairs(self, url: Any) -> Iterable[tuple[str, str]]:
        found: Iterable[tuple[str, str]] = url.searchParams
        return found

    def call(self, url: Any, method: str, *arguments: str) -> None:
        getattr(url.searchParams, method)(*arguments)

    def assign(self, url: Any, name: str, value: str) -> bool:
        setattr(url, name, value)
        return name != "href" or bool(URL.canParse(value))


if __name__ == "__main__":
    serve(f"upa-url {version('upa-url')}", Upa())
