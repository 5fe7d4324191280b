"""What a site is: its routes, with how often each is requested, and the texts that take the places of values."""

from __future__ import annotations

import string
from collections.abc import Callable, Sequence
from random import Random
from typing import NamedTuple

Value = Callable[[Random], str]
BASE62 = string.ascii_letters + string.digits
CONSONANTS, VOWELS = "bcdfghjklmnprstvwz", "aeiou"


class Site(NamedTuple):
    """A host, and pairs of a weight and a route. In a route, `<name>` is a value; the rest stays."""

    host: str
    routes: list[tuple[float, str]]
    values: dict[str, Value]


def word(random: Random) -> str:
    """A made word, one of about 10 million."""
    return "".join([random.choice(CONSONANTS) + random.choice(VOWELS) for _ in range(random.randint(2, 4))])


def words(random: Random, least: int = 2, most: int = 5) -> str:
    return "-".join([word(random) for _ in range(random.randint(least, most))])


def pool(make: Value, count: int, exponent: float = 1.0, seed: int = 1) -> Value:
    """A value of so many, with frequencies as Zipf has them; the exponent 0 makes all equal."""
    random = Random(seed)
    texts: dict[str, None] = {}
    while len(texts) < count:
        texts[make(random)] = None
    return ranked(list(texts), exponent)


def ranked(texts: Sequence[str], exponent: float = 1.0) -> Value:
    """One of these, the most frequent first, as in a pool."""
    if exponent == 0:
        return lambda random: random.choice(texts)
    total, sums = 0.0, []
    for rank in range(1, len(texts) + 1):
        total += rank**-exponent
        sums.append(total)
    return lambda random: random.choices(texts, cum_weights=sums)[0]


def integer(most: int) -> Value:
    return lambda random: str(random.randrange(1, most))


def hexadecimal(length: int) -> Value:
    return lambda random: f"{random.getrandbits(4 * length):0{length}x}"


def characters(alphabet: str, length: int, prefix: str = "") -> Value:
    return lambda random: prefix + "".join(random.choices(alphabet, k=length))


def uuid(random: Random) -> str:
    text = f"{random.getrandbits(128):032x}"
    return f"{text[:8]}-{text[8:12]}-4{text[13:16]}-a{text[17:20]}-{text[20:]}"


def one_of(*texts: str) -> Value:
    return lambda random: random.choice(texts)
