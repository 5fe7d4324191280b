from typing import final

from weburl._patterns.matcher import Match, Matcher
from weburl.url import URL

# The labels of the host from the last one on, and whether these are all; the segments of the path, and the same.
Key = tuple[list[str], bool, list[str | None], bool]

@final
class RouteTable:
    def __init__(self, matchers: list[Matcher], keys: list[Key]) -> None: ...
    def find(self, url: str | URL, base: str | None, all: bool) -> list[tuple[int, Match]]: ...
    def find_components(self, texts: tuple[str, ...], all: bool) -> list[tuple[int, Match]]: ...
