"""Time grows linearly with the input: four times the input costs about four times as much, and never sixteen times.

Quadratic is 256 times the cost for sixteen times the input, and the limit there is 64. `complexity.py` is exact: it
counts instructions.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator

import pytest
from support.shapes import CASES, Case, Make, Work

pytestmark = [pytest.mark.slow, pytest.mark.timed]

SMALLEST, LARGEST = 2**12, 2**16
SHORTEST, ENOUGH = 5e-5, 0.02  # seconds; what takes less is mostly memory that is new to the process
LIMIT = 8.0


def measure(make: Make, work: Work, n: int, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        argument = make(n)
        start = time.process_time()
        work(argument)
        best = min(best, time.process_time() - start)
        if best > ENOUGH:
            break
    return best


def check(make: Make, work: Work) -> None:
    n, cost = SMALLEST, measure(make, work, SMALLEST, 2)
    while True:
        n, before = 4 * n, cost
        cost = measure(make, work, n, 2)
        if cost > ENOUGH or n == LARGEST:
            break
    if cost > LIMIT * before:
        # A busy machine, or a step where larger memory comes from elsewhere: so over two steps, measured in turns.
        small, n = n // 4, 4 * n
        turns = [(measure(make, work, small, 2), measure(make, work, n, 1)) for _ in range(8)]
        before, cost = (min(costs) for costs in zip(*turns, strict=True))
        assert cost <= LIMIT**2 * max(before, SHORTEST), f"{before * 1e3:.2f} ms at {small}, {cost * 1e3:.2f} ms at {n}"


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_the_check_notices() -> None:
    def quadratic(n: int) -> None:
        text = "a" * n
        for _ in range(n // 256):
            text.count("b")

    with pytest.raises(AssertionError, match="ms at"):
        check(int, quadratic)


@pytest.mark.long
@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_linear(case: Case) -> None:
    check(case.make, case.work)
