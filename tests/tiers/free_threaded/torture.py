"""Tortures objects that threads share: what is read must be the result of some order of the operations, one by one.

Two ways to know. In `snapshots` each thread writes a part of one URL that no other writes, counting up, or appends to
its search_params: then all that is read has to be in one order, in which a thread's own writes are where it made them.
In `races` three threads do a few operations of any kind on each of many URLs: for each, all orders are tried.
"""

from __future__ import annotations

import argparse
import copy
import gc
import itertools
import random
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple
from weakref import ref

from weburl import URL, InvalidURL, URLSearchParams

# Snapshots.

PARTS: dict[str, Callable[[int], str]] = {
    "username": lambda k: f"u{k}",
    "hostname": lambda k: f"h{k}.é.example" if k % 50 == 0 else f"h{k}",
    "port": lambda k: str(10000 + k % 50000),
    "pathname": lambda k: "/x" * (k % 7) + f"/{k}",
    "hash": lambda k: f"{k}" + "f" * (k % 40),
}
APPENDERS = 2


class State(NamedTuple):
    """How far each writer has come, read from an href."""

    parts: tuple[int, ...]
    appended: tuple[str, ...]


def state_of(href: str) -> State:
    """Also asserts that the href is not torn."""
    url = URL(href)
    assert url.href == href, href
    parts = (
        int(url.username.removeprefix("u") or 0),
        int(url.hostname.removeprefix("h").partition(".")[0] or 0),
        int(url.port or 10000) - 10000,
        int(url.path_segments[-1] or 0),  # type: ignore[index]
        int(url.hash.removeprefix("#").rstrip("f") or 0),
    )
    assert url.href == rebuilt(parts, url.search), href
    return State(parts, tuple(f"{name}{value}" for name, value in url.search_params))


def rebuilt(parts: Sequence[int], search: str) -> str:
    url = URL("http://h/")
    for (name, value), k in zip(PARTS.items(), parts, strict=True):
        if k:
            setattr(url, name, value(k))
    url.search = search
    return url.href


def snapshots(rounds: int) -> int:
    """Runs a writer for each part, the appenders and a reader; returns the number of operations."""
    url = URL("http://h/")
    writers = [*PARTS.items()]
    reads: list[list[tuple[int, str]]] = [[] for _ in range(len(writers) + APPENDERS + 1)]

    def write(index: int) -> None:
        name, value = writers[index]
        for k in range(1, rounds + 1):
            setattr(url, name, value(k))
            if k % 4 == 0:
                reads[index].append((k, url.href))

    def append(index: int) -> None:
        for k in range(1, rounds // 40 + 1):
            url.search_params.append(f"t{index}", str(k))
            reads[index].append((k, url.href))

    def read(index: int) -> None:
        for _ in range(rounds // 4):
            reads[index].append((0, url.href))
            other = copy.copy(url)
            reads[index].append((0, other.href))

    count = len(writers)
    run([write] * count + [append] * APPENDERS + [read])
    states = {href: state_of(href) for each in reads for _, href in each}
    for index, each in enumerate(reads):
        for k, href in each:
            state = states[href]
            if index < count:
                assert state.parts[index] == k, (writers[index][0], k, href)
            elif index < count + APPENDERS:
                assert f"t{index}{k}" in state.appended, href
        own = [states[href] for _, href in each]
        assert all(before_or_equal(first, second) for first, second in itertools.pairwise(own)), "went back"
    ordered = sorted(set(states.values()), key=lambda state: sum(state.parts) + len(state.appended))
    for first, second in itertools.pairwise(ordered):
        assert before_or_equal(first, second), (first, second)
    assert list(url.search_params) == list(URL(url.href).search_params)
    return count * (rounds + rounds // 4) + APPENDERS * 2 * (rounds // 40) + 3 * (rounds // 4)


def before_or_equal(first: State, second: State) -> bool:
    return (
        all(a <= b for a, b in zip(first.parts, second.parts, strict=True))
        and second.appended[: len(first.appended)] == first.appended
    )


# Races.


class Operation(NamedTuple):
    """An operation on a URL: returns what it reads, None if it writes."""

    name: str
    call: Callable[[URL], object]


def fails(call: Callable[[], object]) -> object:
    try:
        return call()
    except (InvalidURL, KeyError) as error:
        return type(error).__name__


READERS = (
    Operation("href", lambda url: url.href),
    Operation("str", str),
    Operation("search_params", lambda url: str(url.search_params)),
    Operation("search", lambda url: url.search),
    Operation("copy", lambda url: describe(copy.copy(url))),
    Operation("get", lambda url: url.search_params.get("a")),
    Operation("size", lambda url: len(url.search_params)),
)


def writer(random: random.Random) -> Operation:
    k = random.randrange(100)
    text = str(k)
    return random.choice((
        Operation("hash=", lambda url: setattr(url, "hash", text)),
        Operation("pathname=", lambda url: setattr(url, "pathname", "/p" * (k % 5) + text)),
        Operation("port=", lambda url: setattr(url, "port", k)),
        Operation("host=", lambda url: setattr(url, "host", f"é{text}.example:{k}")),
        Operation("protocol=", lambda url: setattr(url, "protocol", ("https", "ws", "ftp")[k % 3])),
        Operation("search=", lambda url: setattr(url, "search", f"a={text}\t&b")),
        Operation("search=", lambda url: setattr(url, "search", "")),
        Operation("href=", lambda url: setattr(url, "href", f"http://u:p@h{text}/?a=1&c={text}#{text}")),
        Operation("href=", lambda url: fails(lambda: setattr(url, "href", "http://h:x"))),
        Operation("init", lambda url: url.__init__("c:d?e=f")),  # type: ignore[misc]
        Operation("append", lambda url: url.search_params.append("a", text)),
        Operation("set", lambda url: url.search_params.set("a", text)),
        Operation("delete", lambda url: url.search_params.delete("a")),
        Operation("del", lambda url: fails(lambda: url.search_params.__delitem__("a"))),
        Operation("sort", lambda url: url.search_params.sort()),
        Operation("params init", lambda url: url.search_params.__init__(f"z={text}&y")),  # type: ignore[misc]
    ))  # fmt: skip


def describe(url: URL) -> tuple[str, str]:
    return url.href, str(url.search_params)


def explained(before: str, done: Sequence[Sequence[tuple[Operation, object]]], after: tuple[str, str]) -> bool:
    """Whether some order of the operations gives everything that was read, and the URL at the end."""
    seen: set[tuple[object, ...]] = set()

    def go_on(url: URL, at: tuple[int, ...]) -> bool:
        here = describe(copy.copy(url))
        if (here, at) in seen:
            return False
        seen.add((here, at))
        if all(i == len(each) for i, each in zip(at, done, strict=True)):
            return here == after
        for thread, i in enumerate(at):
            if i < len(done[thread]):
                operation, result = done[thread][i]
                other = copy.copy(url)
                if operation.call(other) == result and go_on(other, (*at[:thread], i + 1, *at[thread + 1 :])):
                    return True
        return False

    return go_on(URL(before), (0,) * len(done))


def one_after_the_other(before: str, done: Sequence[Sequence[tuple[Operation, object]]]) -> bool:
    """Whether the threads may have run one after the other."""
    for order in itertools.permutations(done):
        url = URL(before)
        if all(operation.call(url) == result for one in order for operation, result in one):
            return True
    return False


def plan(random: random.Random) -> list[Operation]:
    return [writer(random), random.choice(READERS), writer(random), random.choice(READERS)]


def races(count: int, seed: int, threads: int = 3, batch: int = 500) -> tuple[int, int]:
    """Some operations of each thread on each of many URLs: the number of operations, and of the URLs that show that
    threads ran at the same time."""
    mixed = 0
    source = random.Random(seed)
    before = "http://u@h/p?a=1&b=2#f"
    for _ in range(0, count, batch):
        urls = [URL(before) for _ in range(batch)]
        for url in urls[::2]:
            assert url.search_params
        plans = [[plan(source) for _ in urls] for _ in range(threads)]
        results: list[list[list[object]]] = [[[] for _ in urls] for _ in range(threads)]
        reached = [0] * threads

        def work(
            thread: int, urls: Any = urls, plans: Any = plans, results: Any = results, reached: Any = reached
        ) -> None:
            for number, (url, operations, result) in enumerate(zip(urls, plans[thread], results[thread], strict=True)):
                # For a while it waits for the others, to be at the same URL at the same time.
                reached[thread] = number
                for _ in range(5000):
                    if min(reached) >= number:
                        break
                for operation in operations:
                    result.append(operation.call(url))

        run([work] * threads)
        for index, url in enumerate(urls):
            done = [list(zip(plans[t][index], results[t][index], strict=True)) for t in range(threads)]
            assert explained(before, done, describe(url)), [
                [(operation.name, result) for operation, result in one] for one in done
            ]
            mixed += not one_after_the_other(before, done)
    return -(-count // batch) * batch * threads * 4, mixed


# What is not read as an href: nothing crashes, and what is made is whole.


def crashes(rounds: int) -> int:
    """Iterators, first calls, initialization and release of objects that all threads share."""
    made = []
    shared: list[Any] = [URLSearchParams(), URL("http://h/?a=1"), URL("http://é/")]
    iterators: list[Iterator[Any]] = [iter(())] * 4

    def work(thread: int) -> None:
        source = random.Random(thread)
        for k in range(rounds):
            params, url, other = shared
            params.__init__("a=1&b=2" if k % 3 else "")
            for pair in params:
                assert type(pair) is tuple and len(pair) == 2
            iterators[k % 4] = iter((params, url.search_params)[k % 2].items())
            for _ in zip(range(3), iterators[source.randrange(4)], strict=False):
                params.append("k", str(k))
            assert url == URL(url.href) or url != other
            url.search_params.append("k", "v")
            if k % 20 == 0:
                url.search = ""
                params.__init__(())
            if k % 50 == 0:
                made.append(ref(url))
                shared[:] = [URLSearchParams(), URL("http://h/?a=1"), URL("http://é/")]

    run([work] * 4)
    shared.clear()
    iterators.clear()
    gc.collect()
    assert made and not any(url() for url in made)
    return 4 * 8 * rounds


def run(workers: Sequence[Callable[[int], None]]) -> None:
    """Runs functions in threads, all at once; raises what one of them raises."""
    failures: list[BaseException] = []
    start = threading.Barrier(len(workers))

    def loop(work: Callable[[int], None], index: int) -> None:
        try:
            start.wait()
            work(index)
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=loop, args=(work, index)) for index, work in enumerate(workers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("operations", type=int, nargs="?", default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args(arguments)
    with_gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    if with_gil:
        sys.setswitchinterval(1e-5)
    wanted: int = options.operations
    # Snapshots of up to 3,000 rounds: what is appended is read with every href.
    counts = {"snapshots": 0, "races": 0, "crashes": 0}
    while counts["snapshots"] < wanted // 2:
        counts["snapshots"] += snapshots(min(3000, max(40, wanted // 16)))
    counts["races"], mixed = races(wanted // 48, options.seed)
    counts["crashes"] = crashes(wanted // 128)
    listed = ", ".join(f"{number:,} in {name}" for name, number in counts.items())
    print(f"{sum(counts.values()):,} operations {'with' if with_gil else 'without'} the GIL: {listed}")
    print(f"every href read is one that some serial order gives; in {mixed:,} races it is one that mixes the threads")
    if not mixed:
        sys.exit("the threads have not run at the same time, so nothing has been shown")


if __name__ == "__main__":
    main()
