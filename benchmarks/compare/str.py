"""A str, beside a FrozenURL as a key."""

from collections.abc import Iterable

DISTRIBUTION = ""
Pairs = list[tuple[str, str]]


def make_compare(urls: Iterable[str]) -> Pairs:
    """Each beside a copy of it, as two that are one object are equal without a look."""
    return [(url, f"{url[:-1]}{url[-1]}") for url in urls]


make_take_hash = make_compare


def take_hash(pairs: Pairs) -> None:
    for url, _ in pairs:
        hash(url)


def compare(pairs: Pairs) -> None:
    for url, other in pairs:
        url == other  # noqa: B015
