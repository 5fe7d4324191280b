"""Lines of sites: URLs, with the true route of each."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate
from random import Random

from learning.site import Site, Value

PART = re.compile(r"<(\w+)>")


def lines(sites: Sequence[Site], count: int, seed: int) -> Iterator[tuple[int, str]]:
    """So many pairs: the number of a true route, and a URL. All sites are as frequent."""
    random = Random(seed)
    made: list[tuple[int, list[str], list[Value]]] = []
    sums: list[float] = []
    for site in sites:
        for _, route in site.routes:
            texts = PART.split(f"https://{site.host}{route}")
            values = [site.values[name] for name in texts[1::2]]
            made.append((len(made), texts[::2], values))
        total = sum(weight for weight, _ in site.routes)
        sums += [weight / total for weight, _ in site.routes]
    cumulative = list(accumulate(sums))
    left = count
    while left:
        for number, texts, values in random.choices(made, cum_weights=cumulative, k=min(left, 100_000)):
            url = texts[0]
            for value, text in zip(values, texts[1:], strict=True):
                url += value(random) + text
            yield number, url
        left -= min(left, 100_000)


def names(sites: Sequence[Site]) -> list[str]:
    """The true routes, by their numbers."""
    return [f"{site.host}{route}" for site in sites for _, route in site.routes]
