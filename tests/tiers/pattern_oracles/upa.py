"""upa-url's URLPattern as an oracle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from typing import Any

from tiers.pattern_oracles.observe import serve
from upa_url import URLPattern


class Upa:
    refusals = (RuntimeError, TypeError, ValueError)

    def make(self, arguments: Sequence[Any]) -> Any:
        return URLPattern(*arguments)

    def has_regexp_groups(self, pattern: Any) -> bool:
        return bool(pattern.hasRegExpGroups)

    def test(self, pattern: Any, arguments: Sequence[Any]) -> bool:
        return bool(pattern.test(*arguments))

    def exec(self, pattern: Any, arguments: Sequence[Any]) -> Mapping[str, Any] | None:
        found: Mapping[str, Any] | None = pattern.exec(*arguments)
        return found


if __name__ == "__main__":
    serve(f"upa-url {version('upa-url')}", Upa())
