"""Pieces of columns, and the threads that work on them."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import islice

import pytest

from weburl._arrow import schedule
from weburl._arrow.cutting import cut_rows
from weburl._arrow.input import from_objects
from weburl._arrow.schedule import count_threads, in_order


def nothing() -> None:
    pass


def test_pieces_are_small_enough_for_two_threads() -> None:
    pieces = cut_rows([from_objects(["x"] * 40_000)])
    assert [piece.end - piece.begin for piece in pieces] == [16_384, 16_384, 7_232]


def test_count_threads() -> None:
    assert count_threads(8) == 8
    assert count_threads(None) >= 1
    with pytest.raises(ValueError, match="at least 1, not 0"):
        count_threads(0)
    for wrong in (True, 2.0, "2"):
        with pytest.raises(TypeError, match="threads must be an int or None"):
            count_threads(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize("threads", [1, 2, 3, 8])
def test_results_have_the_order_of_the_pieces(threads: int) -> None:
    def work(piece: int) -> int:
        time.sleep(0.001 * (piece * 7 % 5))
        return piece * piece

    for count in (0, 1, 2, 3, 50):
        pieces: list[int | None] = list(range(count))
        assert list(in_order(pieces, work, threads, nothing)) == [(piece, piece * piece) for piece in range(count)]
        pieces[count // 2 : count // 2] = [None, None]
        assert list(in_order(pieces, work, threads, nothing)) == [(piece, piece * piece) for piece in range(count)]


@pytest.mark.parametrize(("threads", "pieces", "expected"), [(8, 1, 1), (8, 3, 3), (2, 20, 2), (3, 20, 3), (1, 20, 1)])
def test_no_more_threads_than_there_is_work_for(threads: int, pieces: int, expected: int) -> None:
    """The caller's thread is one of them, and works."""
    running = threading.active_count()
    all_at_work = threading.Barrier(expected)
    first: set[int] = set()

    def work(piece: int) -> int:
        if threading.get_ident() not in first:
            first.add(threading.get_ident())
            all_at_work.wait(30)
        return threading.active_count()

    results = list(in_order(range(pieces), work, threads, nothing))
    assert max(count for _, count in results) == running + expected - 1
    assert len(first) == expected
    assert threading.get_ident() in first
    assert threading.active_count() == running


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_pieces_are_drawn_as_they_are_needed(threads: int) -> None:
    drawn = 0

    def pieces() -> Iterator[int]:
        nonlocal drawn
        for index in range(1000):
            drawn = index
            yield index

    with closing(in_order(pieces(), str, threads, nothing)) as results:
        for piece, _ in results:
            assert drawn - piece <= 2 * threads + 1


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_all_is_given_before_a_piece_that_may_be_long_in_coming(threads: int) -> None:
    given: list[int] = []

    def pieces() -> Iterator[int | None]:
        for index in range(12):
            yield index
            if index % 5 == 0:
                yield None
                assert given == list(range(index + 1))

    for piece, _ in in_order(pieces(), str, threads, nothing):
        given.append(piece)
    assert given == list(range(12))


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_an_exception_is_raised_in_its_turn(threads: int) -> None:
    cancelled = threading.Event()
    running = threading.active_count()

    def work(piece: int) -> int:
        if piece == 7:
            raise ValueError("seven")
        return piece

    results = in_order(range(50), work, threads, cancelled.set)
    assert [next(results) for _ in range(7)] == [(piece, piece) for piece in range(7)]
    with pytest.raises(ValueError, match="seven"):
        next(results)
    assert cancelled.is_set() == (threads > 1)
    assert threading.active_count() == running


@pytest.mark.parametrize("threads", [2, 5])
def test_work_ends_early(threads: int) -> None:
    cancelled = threading.Event()
    begun = []

    def work(piece: int) -> int:
        begun.append(piece)
        if piece and threading.current_thread() is not threading.main_thread():
            assert cancelled.wait(30)
        return piece

    running = threading.active_count()
    with closing(in_order(range(1000), work, threads, cancelled.set)) as results:
        assert next(results) == (0, 0)
    assert cancelled.is_set()
    assert len(begun) <= 2 * threads + 1
    assert threading.active_count() == running


def test_an_interrupt_does_not_wait_for_its_turn() -> None:
    """An interrupt in the caller's thread, while another thread works on the piece before."""
    cancelled = threading.Event()

    def work(piece: int) -> int:
        if threading.current_thread() is threading.main_thread():
            raise KeyboardInterrupt
        assert cancelled.wait(30)
        return piece

    with pytest.raises(KeyboardInterrupt):
        list(in_order(range(100), work, 2, cancelled.set))
    assert cancelled.is_set()


def test_an_interrupt_while_threads_end(monkeypatch: pytest.MonkeyPatch) -> None:
    """All threads have ended when it is raised."""
    join = threading.Thread.join
    interrupts = [KeyboardInterrupt]

    def interrupted(self: threading.Thread, timeout: float | None = None) -> None:
        if interrupts:
            raise interrupts.pop()
        join(self, timeout)

    monkeypatch.setattr(threading.Thread, "join", interrupted)
    running = threading.active_count()
    at_work = threading.Barrier(2)
    cancelled = threading.Event()

    def work(piece: int) -> int:
        if piece < 2:
            at_work.wait(30)
        elif threading.current_thread() is not threading.main_thread():
            cancelled.wait(30)
            time.sleep(0.2)
        return piece

    results = in_order(range(100), work, 2, cancelled.set)
    assert next(results) == (0, 0)
    with pytest.raises(KeyboardInterrupt):
        results.close()
    assert interrupts == []
    assert threading.active_count() == running


def test_an_interrupt_while_a_thread_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    """The thread is known already, and ends with the others."""
    start = threading.Thread.start

    def interrupted(self: threading.Thread) -> None:
        start(self)
        raise KeyboardInterrupt

    monkeypatch.setattr(threading.Thread, "start", interrupted)
    running = threading.active_count()
    with pytest.raises(KeyboardInterrupt):
        list(in_order(range(100), str, 2, nothing))
    assert threading.active_count() == running


@pytest.mark.parametrize("name", ["dismiss", "_end_helpers"])
def test_an_interrupt_before_threads_end(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """The signal comes when the method is called: nothing of it has run. No thread waits for work for ever."""

    def interrupted(self: object, *arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(schedule._Crew, name, interrupted)
    running = threading.active_count()

    def take(count: int) -> None:
        with closing(in_order(range(100), str, 3, nothing)) as results:
            assert len(list(islice(results, count))) == count

    for taken in (1, 100, 101):
        with pytest.raises(KeyboardInterrupt):
            take(taken)
        end = time.monotonic() + 300  # clock: deadline
        while threading.active_count() > running and time.monotonic() < end:
            time.sleep(0.001)
        assert threading.active_count() == running


@pytest.mark.parametrize("most", [0, 1, 2])
def test_the_system_gives_no_more_threads(monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    start = threading.Thread.start
    started = 0

    def limited(self: threading.Thread) -> None:
        nonlocal started
        if started == most:
            raise RuntimeError("can't start new thread")
        started += 1
        start(self)

    monkeypatch.setattr(threading.Thread, "start", limited)
    with closing(in_order(range(50), lambda piece: piece * piece, 8, nothing)) as results:
        assert list(results) == [(piece, piece * piece) for piece in range(50)]
    assert started == most
