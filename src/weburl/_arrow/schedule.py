"""Threads that work on pieces, and give the results in the order of the pieces."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from itertools import chain

from weburl._core.arguments import wrong_type

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    P = TypeVar("P")
    R = TypeVar("R")

    from queue import SimpleQueue
    from threading import Thread

    from weburl._arrow.batch import Batch
    from weburl._arrow.cutting import Piece
    from weburl._arrow.job import Job


def has_threads() -> bool:
    """Whether this Python can start threads. As WebAssembly it can only if it was built so."""
    built = getattr(sys, "_emscripten_info", None)
    return sys.platform not in ("emscripten", "wasi") or (built is not None and built.pthreads)


def count_threads(threads: int | None) -> int:
    """How many threads a caller asks for: None is one for each core that this process may use."""
    if threads is None and not has_threads():
        return 1
    if threads is None:
        return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if isinstance(threads, bool) or not isinstance(threads, int):
        raise wrong_type(threads, "threads must be an int or None")
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    if threads > 1 and not has_threads():
        raise ValueError(f"threads must be 1 here, not {threads}: this Python, which is WebAssembly, starts no threads")
    return threads


def run_job(job: Job, pieces: Iterable[Piece], threads: int) -> Generator[tuple[Piece, Batch], None, None]:
    """Each piece and its batch. Close the iterator to end the work early: see `in_order`."""

    def work(piece: Piece) -> Batch:
        batch = job.run(*piece)
        # Only a cancelled job gives None, and then the batch is not read.
        assert batch is not None
        return batch

    def cancel() -> None:
        job.cancelled = True

    with closing(in_order(pieces, work, threads, cancel)) as results:
        yield from results


def in_order(
    pieces: Iterable[P | None], work: Callable[[P], R], threads: int, cancel: Callable[[], object]
) -> Generator[tuple[P, R], None, None]:
    """Each piece and what `work` returns for it, in the order of the pieces, by at most `threads` threads.

    The caller's thread is one of them. Only it takes pieces, and only a few ahead of the results. None among the pieces
    says that the next one may take long: first all results are given.

    An exception in `work` is raised in its turn. To end the work early, close the iterator, best with
    `contextlib.closing`: it calls `cancel`, which must end the calls of `work` in other threads, and waits for them.
    """
    if threads == 1:
        for piece in pieces:
            if piece is not None:
                yield piece, work(piece)
        return
    crew: _Crew | None = None
    try:
        held: P | None = None
        for piece in chain(pieces, (None,)):
            if held is not None:
                if piece is None and (crew is None or not crew.tasks):
                    # Alone, it needs no other thread.
                    yield held, work(held)
                else:
                    crew = crew or _Crew(work, threads)
                    crew.add(held)
                    yield from crew.results(2 * threads)
            if piece is None and crew is not None:
                yield from crew.results(0)
            held = piece
    finally:
        if crew is not None:
            crew.dismiss(cancel)


class _Task:
    """A piece and its result."""

    __slots__ = ("error", "piece", "result", "unfinished")

    def __init__(self, piece: Any) -> None:
        from threading import Lock

        self.piece = piece
        self.result: Any
        self.error: BaseException | None = None
        try:
            self.unfinished = Lock()
        except RuntimeError as error:
            # Python raises it if there is no memory for a lock.
            raise MemoryError(str(error)) from None
        self.unfinished.acquire()

    def wait(self) -> None:
        self.unfinished.acquire()
        self.unfinished.release()

    def do(self, work: Callable[[Any], Any], caught: type[BaseException]) -> None:
        """Works on the piece. Other exceptions than `caught`, such as an interrupt, are raised at once."""
        try:
            self.result = work(self.piece)
        except caught as error:
            self.error = error
        finally:
            self.unfinished.release()


def _help(queue: SimpleQueue[_Task | None], work: Callable[[Any], Any]) -> None:
    """What a helper does. It does not keep the crew alive."""
    while (task := queue.get()) is not None:
        task.do(work, BaseException)


class _Crew:
    """The threads that help the caller's thread, started when there is work, and the tasks that are not done."""

    def __init__(self, work: Callable[[Any], Any], threads: int) -> None:
        from queue import SimpleQueue

        self.work = work
        self.most = threads - 1
        self.helpers: list[Thread] = []
        self.tasks: deque[_Task] = deque()
        # The tasks that are not begun; None ends a helper.
        self.queue: SimpleQueue[_Task | None] = SimpleQueue()

    def add(self, piece: Any) -> None:
        from threading import Thread

        task = _Task(piece)
        self.tasks.append(task)
        self.queue.put(task)
        # The caller's thread takes one of the tasks.
        if len(self.helpers) < min(self.most, len(self.tasks) - 1):
            helper = Thread(target=_help, args=(self.queue, self.work), daemon=True)
            # Before it starts, because an interrupt may come meanwhile.
            self.helpers.append(helper)
            try:
                helper.start()
            except RuntimeError:
                # Python raises it if the system gives no more threads: those that there are do the work.
                self.helpers.pop()
                self.most = len(self.helpers)

    def results(self, most: int) -> Iterator[tuple[Any, Any]]:
        """Gives results until at most `most` tasks are left; the caller's thread works meanwhile."""
        while len(self.tasks) > most:
            task = self.tasks[0]
            while task.unfinished.locked():
                other = self._next()
                if other is None:
                    task.wait()
                else:
                    other.do(self.work, Exception)
            self.tasks.popleft()
            if task.error is not None:
                raise task.error
            yield task.piece, task.result

    def dismiss(self, cancel: Callable[[], object]) -> None:
        """Ends the helpers, and waits for them. After an interrupt it waits again: they end soon."""
        if self.tasks:
            cancel()
        try:
            self._end_helpers()
        except BaseException:
            cancel()
            self._end_helpers()
            raise

    def __del__(self) -> None:
        # An interrupt can come before `dismiss` has begun: then nobody else ends the helpers.
        if getattr(self, "helpers", ()):
            self._release_helpers()

    def _end_helpers(self) -> None:
        self._release_helpers()
        for helper in self.helpers:
            if helper.is_alive():
                helper.join()
        self.helpers.clear()

    def _release_helpers(self) -> None:
        while self._next() is not None:
            pass
        for _ in self.helpers:
            self.queue.put(None)

    def _next(self) -> _Task | None:
        from queue import Empty

        try:
            return self.queue.get_nowait()
        except Empty:
            return None
