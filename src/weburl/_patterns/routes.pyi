from typing import final

from weburl._patterns.matcher import Match, Matcher
from weburl.url import URL, FrozenURL

# The whole host, or None; the labels that it ends with, from the last one on; the segments of the path; whether these
# are all; and whether they say all of the path.
Key = tuple[str | None, list[str], list[str | None], bool, bool]

@final
class RouteTable:
    def __init__(self, matchers: list[Matcher], keys: list[Key]) -> None: ...
    def find(self, url: str | URL | FrozenURL, base: str | None, all: bool) -> list[tuple[int, Match]]: ...
    def find_components(self, texts: tuple[str, ...], all: bool) -> list[tuple[int, Match]]: ...
