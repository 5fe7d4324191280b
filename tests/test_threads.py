"""Threads that read and write one URL: nothing crashes, and whatever is read is a URL."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial

import pytest
from support.command_calls import CALLS
from support.together import run_together

from weburl import URL, InvalidURL, URLSearchParams, normalize

HREFS = [
    "http://u:p@example.com:8080/a/b?q=1#f",
    "file:///C:/x",
    "x:a b?c",
    "https://é.example/é?é#é",
    "x:/.//p",
    "http://[::1]/",
]
ROUNDS = 1500


@pytest.fixture(autouse=True)
def often() -> Iterator[None]:
    """Threads take turns often, where they do not run at once anyway."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def run(workers: list[Callable[[int], None]], rounds: int = ROUNDS) -> None:
    def loop(work: Callable[[int], None]) -> None:
        for index in range(rounds):
            work(index)

    run_together([partial(loop, work) for work in workers])


def test_reads_beside_writes() -> None:
    url = URL(HREFS[0])

    def read(index: int) -> None:
        href = url.href
        assert normalize(href) == href
        assert URL.can_parse(str(url))
        assert url.hostname.isascii()
        assert url.search[:1] in ("", "?")
        repr(url), url.origin, url.path_segments, url.ip_address, url.host_type

    def write(index: int) -> None:
        url.href = HREFS[index % len(HREFS)]
        url.pathname = f"/{index}" * (index % 5)
        url.hash = "x" * (index % 100)
        url.port = index
        url.hostname = "h" * (index % 7)

    def join(index: int) -> None:
        try:
            joined = url.join("../x?y")
        except InvalidURL:
            return
        assert normalize(joined.href) == joined.href

    run([read, read, write, join])


def test_search_params() -> None:
    url = URL("http://h/?a=1")
    params = url.search_params

    def append(index: int) -> None:
        params.append("k", str(index))
        if index % 50 == 49:
            url.search = "?a=1"

    def change(index: int) -> None:
        params.set("a", str(index))
        params.delete("k")
        params.sort()

    def read(index: int) -> None:
        href = url.href
        assert normalize(href) == href
        for name, value in params:
            assert name in ("a", "k")
            assert value.isdigit()
        assert str(params).isascii()
        assert len(list(params.keys())) >= 0

    run([append, change, read, read])
    params.set("a", "end")
    assert URL(url.href).search_params == params


def test_first_search_params_is_one() -> None:
    for _ in range(30):
        url = URL("http://h/?a=1")
        seen: list[URLSearchParams] = []
        start = threading.Barrier(4)

        def get(url: URL = url, seen: list[URLSearchParams] = seen, start: threading.Barrier = start) -> None:
            start.wait()
            seen.append(url.search_params)

        threads = [threading.Thread(target=get) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert all(params is url.search_params for params in seen)
        assert len(seen) == 4


@pytest.mark.parametrize("host", ["é.example", "☕.example", "a.example"])
def test_parsing_at_once(host: str) -> None:
    expected = URL(f"http://{host}/").href
    cache_misses = [chr(0xE0 + index % 20) + str(index) for index in range(ROUNDS)]

    def parse(index: int) -> None:
        assert URL(f"http://{host}/").href == expected
        assert URL(f"http://{cache_misses[index]}.example/").hostname.startswith("xn--")

    run([parse, parse, parse])


def test_the_compiled_parts_of_the_command() -> None:
    """Each thread gets what one alone gets, of inputs, layouts and indices that all of them share."""
    expected = {name: call() for name, call in CALLS.items()}
    names = [*CALLS]

    def worker(first: int) -> Callable[[int], None]:
        def work(index: int) -> None:
            for name in (*names[first:], *names[:first]):
                assert CALLS[name]() == expected[name], name

        return work

    run([worker(first) for first in range(8)], 3)
