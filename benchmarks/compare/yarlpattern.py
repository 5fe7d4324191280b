from collections.abc import Iterable
from typing import Any

from yarlpattern import URLPattern

DISTRIBUTION = "yarlpattern"


def pattern(given: Any) -> Any:
    return URLPattern(given)


def make_patterns(patterns: Iterable[Any]) -> None:
    for given in patterns:
        URLPattern(given)


def pattern_test(made: Any, urls: Iterable[str]) -> None:
    for url in urls:
        made.test(url)


def pattern_groups(made: Any, urls: Iterable[str]) -> None:
    for url in urls:
        made.exec(url).pathname["groups"]
