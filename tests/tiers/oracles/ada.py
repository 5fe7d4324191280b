"""ada-url as an oracle.

Its search params are not part of its URL. They are bytes, and its Python reads only UTF-8. This module keeps them in
step with the URL and decodes them; their parser, methods and serializer are ada's.
"""

from __future__ import annotations

from collections.abc import Iterable
from importlib.metadata import version
from typing import Any

import ada_url
from ada_url import ada_adapter
from ada_url._ada_wrapper import ffi  # type: ignore[import-not-found]
from tiers.oracles.observe import serve


def text(item: Any) -> str:
    raw: bytes = ffi.buffer(item.data, item.length)[:] if item.length else b""
    return raw.decode("utf-8", "replace")


ada_adapter._get_str = text


class URL(ada_url.URL):  # type: ignore[misc]
    def __init__(self, url: str, base: str | None) -> None:
        super().__init__(url, base)
        self.parse_query(self.search)

    def parse_query(self, query: str) -> None:
        self.params = ada_url.URLSearchParams(query)
        pairs = list(self.params.items())
        if any("\ufffd" in name + value for name, value in pairs):
            self.params = ada_url.URLSearchParams("")
            for name, value in pairs:
                self.params.append(name, value)


class Ada:
    def parse(self, url: str, base: str | None) -> Any:
        try:
            return URL(url, base)
        except ValueError:
            return None

    def pairs(self, url: Any) -> Iterable[tuple[str, str]]:
        found: Iterable[tuple[str, str]] = url.params.items()
        return found

    def call(self, url: Any, method: str, *arguments: str) -> None:
        """Does https://url.spec.whatwg.org/#concept-urlsearchparams-update, too."""
        getattr(url.params, method)(*arguments)
        url.search = str(url.params)

    def assign(self, url: Any, name: str, value: str) -> bool:
        try:
            setattr(url, name, value)
        except ValueError:
            return name != "href"
        if name == "href":
            url.parse_query(url.search)
        elif name == "search":
            url.parse_query(value)
        return True


if __name__ == "__main__":
    serve(f"ada-url {version('ada-url')}", Ada())
