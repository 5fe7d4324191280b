from collections.abc import Iterable
from typing import Any

from urlpattern import URLPattern

DISTRIBUTION = "urlpattern"


def pattern(given: Any) -> URLPattern:
    return URLPattern(given)


def make_patterns(patterns: Iterable[Any]) -> None:
    for given in patterns:
        URLPattern(given)


def pattern_test(made: URLPattern, urls: Iterable[str]) -> None:
    for url in urls:
        made.test(url)


def pattern_groups(made: Any, urls: Iterable[str]) -> None:
    for url in urls:
        made.exec(url)["pathname"]["groups"]
