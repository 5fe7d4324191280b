"""The method: one process, one thread, a plain for loop over the inputs, contenders alternating in rounds."""

import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import Random
from statistics import median
from time import thread_time_ns
from typing import Any


@dataclass(frozen=True)
class Timing:
    """What an item costs in the best round and in the median one."""

    best: float
    median: float


@dataclass(frozen=True)
class Loop:
    """A function that loops over its inputs, and the inputs of each round: after the last come the first again."""

    function: Callable[[Any], None]
    inputs: Sequence[Sequence[object]]


def measure(contenders: Mapping[str, Loop | Callable[[], float]], rounds: int) -> dict[str, Timing]:
    """Nanoseconds an item, loop included; a contender that measures itself says them.

    The time is the thread's: on a busy machine a long loop never has a round to itself but a short one has, so the best
    round by the clock would favour whoever is faster."""

    def spent(loop: Loop | Callable[[], float], turn: int) -> float:
        if not isinstance(loop, Loop):
            return loop()
        inputs = loop.inputs[turn % len(loop.inputs)]
        start = thread_time_ns()
        loop.function(inputs)
        return (thread_time_ns() - start) / len(inputs)

    return alternate({name: partial(spent, loop) for name, loop in contenders.items()}, rounds)


def alternate(contenders: Mapping[str, Callable[[int], float]], rounds: int) -> dict[str, Timing]:
    """The times that the contenders report; each gets the number of the round.

    Each round has an order of its own, since a contender finds the caches as the one before has left them; a warming
    round goes first."""
    names = list(contenders)
    spent: dict[str, list[float]] = {name: [] for name in names}
    for turn in range(rounds + 1):
        for name in Random(turn).sample(names, len(names)):
            taken = contenders[name](turn)
            if turn:
                spent[name].append(taken)
    return {name: Timing(min(each), median(each)) for name, each in spent.items()}


def import_time(module: str, watched: str, rounds: int) -> tuple[Timing, int]:
    """Milliseconds of `import module` in a fresh interpreter, and how many modules of `watched` it loads."""
    program = (
        f"import sys, time; start = time.perf_counter_ns(); import {module}; print(time.perf_counter_ns() - start, "
        f"sum(name.partition('.')[0] == {watched!r} for name in sys.modules))"
    )
    spent, count = [], 0
    for _ in range(rounds):
        output = subprocess.run([sys.executable, "-c", program], check=True, capture_output=True, text=True).stdout
        nanoseconds, count = map(int, output.split())
        spent.append(nanoseconds / 1e6)
    return Timing(min(spent), median(spent)), count
