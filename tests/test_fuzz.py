"""The fuzzers' targets hold for their seeds, and for what they have found."""

from __future__ import annotations

from random import Random

import pytest
from tiers import fuzz
from tiers.fuzz_inputs import SHORT, generated, line_of, mutated, read
from tiers.fuzz_targets import TARGETS

KEPT = [(target, data) for name in ("seeds.txt", "found.txt") for target, data in read(name)]


@pytest.mark.parametrize(
    ("target", "data"),
    [case for case in KEPT if case[0] in TARGETS],
    ids=[line_of(*case)[:60] for case in KEPT if case[0] in TARGETS],
)
def test_kept(target: str, data: bytes) -> None:
    TARGETS[target](data)


@pytest.mark.parametrize("target", TARGETS)
def test_generated(target: str) -> None:
    random = Random(target)
    seeds = [data for owner, data in KEPT if owner == target] + list(generated(target, 30))

    def change(data: bytes, size: int) -> bytes:
        place = random.randrange(len(data) + 1)
        return (data[:place] + random.randbytes(random.randrange(4)) + data[place + random.randrange(3) :])[:size]

    for data in seeds:
        TARGETS[target](mutated(data, SHORT, random.randrange(2**32), change))


def test_every_target_has_seeds() -> None:
    assert [*TARGETS] == [*fuzz.PYTHON_TARGETS]
    assert {target for target, _ in KEPT} == {*fuzz.NATIVE_TARGETS, *TARGETS}


def test_lines_read_back() -> None:
    for target, data in KEPT:
        assert line_of(target, data).split(" ", 1)[0] == target
    data = bytes(range(256)) + b"'\\'\""
    assert eval("b'" + line_of("x", data)[2:].replace("'", "\\'") + "'") == data


def test_sizes() -> None:
    """Nine of ten inputs are short; the others grow to up to 1 MiB."""
    sizes = []
    data = b"\x00http://h/"
    for seed in range(4000):
        data = mutated(data, 1 << 20, seed, lambda data, size: (data + b"x")[:size])
        sizes.append(len(data))
    assert 0.07 < sum(size > SHORT for size in sizes) / len(sizes) < 0.13
    assert max(sizes) > 1 << 15
