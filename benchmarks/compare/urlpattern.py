from collections.abc import Iterable

from urlpattern import URLPattern

DISTRIBUTION = "urlpattern"


def pattern(given: str | dict[str, str]) -> URLPattern:
    return URLPattern(given)


def make_patterns(patterns: Iterable[str | dict[str, str]]) -> None:
    for given in patterns:
        URLPattern(given)


def pattern_test(made: URLPattern, urls: Iterable[str]) -> None:
    for url in urls:
        made.test(url)


def pattern_groups(made: URLPattern, urls: Iterable[str]) -> None:
    for url in urls:
        made.exec(url)["pathname"]["groups"]
