"""Pieces of an input, worked on by several threads, in their order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, TypeVar

from weburl._columns.schedule import Piece, count_threads
from weburl.cli.readers.input import Block

if TYPE_CHECKING:
    from concurrent.futures import Future, ThreadPoolExecutor

Result = TypeVar("Result")


def in_order(
    blocks: Iterable[Block],
    work: Callable[[Block, Piece], Result],
    threads: int | None,
    cancel: Callable[[], object],
) -> Iterator[tuple[Block, Piece, Result]]:
    """What `work` makes of each piece; `cancel` ends work that is going on.

    No more pieces than the threads need are on their way, and none while a block's pause is waited for.
    """
    count = count_threads(threads, 1 << 30)
    pool: ThreadPoolExecutor | None = None
    waiting: deque[tuple[Block, Piece, Future[Result]]] = deque()

    def finished(most: int) -> Iterator[tuple[Block, Piece, Result]]:
        while len(waiting) > most:
            block, piece, future = waiting[0]
            result = future.result()
            waiting.popleft()
            yield block, piece, result

    try:
        for block in blocks:
            pieces = list(block.pieces())
            if count == 1 or (block.pause and not waiting and len(pieces) == 1):
                for piece in pieces:
                    yield block, piece, work(block, piece)
                continue
            if pool is None:
                from concurrent.futures import ThreadPoolExecutor

                pool = ThreadPoolExecutor(count)
            for piece in pieces:
                waiting.append((block, piece, pool.submit(work, block, piece)))
                yield from finished(2 * count)
            if block.pause:
                yield from finished(0)
        yield from finished(0)
    finally:
        if pool is not None:
            if waiting:
                cancel()
            pool.shutdown(cancel_futures=True)
