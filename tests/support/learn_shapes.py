"""Columns of URLs that would make a tree of routes large, and the work that has to stay linear on them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from string import ascii_lowercase
from typing import Any

from weburl.patterns import learn_routes


def _word(random: Random, length: int) -> str:
    return "".join(random.choices(ascii_lowercase, k=length))


def _random_paths(n: int) -> list[str]:
    random = Random(n)
    return [f"https://h.example/{'/'.join(_word(random, 5) for _ in range(1 + index % 5))}" for index in range(n // 36)]


def _many_shapes(n: int) -> list[str]:
    random = Random(n)
    return [f"https://h.example/{_word(random, 4)}/{index}/{_word(random, 4)}" for index in range(n // 34)]


def _many_hosts(n: int) -> list[str]:
    random = Random(n)
    return [f"https://{_word(random, 8)}.{_word(random, 5)}.example/users/{index}" for index in range(n // 44)]


def _one_long_segment(n: int) -> list[str]:
    return [f"https://h.example/a/{letter * (n // 12)}/b" for letter in "abcd" for _ in range(3)]


def _deep_paths(n: int) -> list[str]:
    return ["https://h.example" + f"/a{index}" * (n // 36) for index in range(12)]


def _one_segment(n: int) -> list[str]:
    random = Random(n)
    return [f"https://h.example/{_word(random, 20)}" for _ in range(n // 38)]


def _parameters(n: int) -> list[str]:
    return ["https://h.example" + "/a;b=%31/%37;" * (n // 130) for _ in range(10)]


def _numbers_after_words(n: int) -> list[str]:
    random = Random(n)
    return [
        f"https://h.example/{_word(random, 6)}-{index + 10_000}/{_word(random, 4)}_12345678" for index in range(n // 44)
    ]


def _alike_folders(n: int) -> list[str]:
    """Frequent and rare folders at two levels, with the same pages below, and names with an extension of their own."""
    random = Random(n)
    found = []
    # Fewer lines have no routes.
    for index in range(max(n // 40, 100)):
        folders = (random.choice(("news", _word(random, 3))) for _ in range(2))
        found.append(f"https://h.example/{'/'.join(folders)}/{random.choice('abcde')}.{_word(random, 3)}/{index}")
    return found


SHAPES: dict[str, Callable[[int], list[str]]] = {
    "random paths": _random_paths, "many shapes on one host": _many_shapes, "many hosts": _many_hosts,
    "one long segment": _one_long_segment, "deep paths": _deep_paths, "everything in one segment": _one_segment,
    "parameters and escapes": _parameters, "folders that are alike": _alike_folders,
    "numbers after words": _numbers_after_words,
}  # fmt: skip


def learn(urls: list[str]) -> object:
    learnt = learn_routes(urls, threads=1)
    assert sum(route.lines for route in learnt.routes) > 0
    return learnt.text


def learn_cases() -> Iterator[tuple[str, Callable[[int], Any], Callable[[Any], object]]]:
    for name, make in SHAPES.items():
        yield f"learn: {name}", make, learn
