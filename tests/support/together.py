"""Threads that begin at one moment."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable


def run_together(works: Iterable[Callable[[], object]]) -> None:
    """Runs each in a thread of its own; raises the first exception."""
    works = list(works)
    start = threading.Barrier(len(works))
    failures: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            start.wait()
            work()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
