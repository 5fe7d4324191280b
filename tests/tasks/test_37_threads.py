"""Threads share one URL, and each requests another page of it."""

from concurrent.futures import ThreadPoolExecutor

from support.tasks import all_right, gives

from weburl import FrozenURL


def threads(link: str, pages: int) -> list[str]:
    start = FrozenURL(link)
    with ThreadPoolExecutor(8) as pool:
        return [str(url) for url in pool.map(lambda page: start.with_params(page=page), range(pages))]


CHECKS = [
    gives("https://example.com/list", 2, want=["https://example.com/list?page=0", "https://example.com/list?page=1"]),
    gives("https://example.com/list", 0, want=[]),
    gives(
        "https://example.com/list?page=7#top",
        300,
        want=[f"https://example.com/list?page={page}#top" for page in range(300)],
        why="the page of one thread is not seen by another",
    ),
    gives(
        "https://example.com/?tag=a&tag=b%26c&page=1",
        50,
        want=[f"https://example.com/?tag=a&tag=b%26c&page={page}" for page in range(50)],
        why="other parameters, also repeated ones, stay",
    ),
]


def test_threads() -> None:
    assert all_right(threads, CHECKS)
