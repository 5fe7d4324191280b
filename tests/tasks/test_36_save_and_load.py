"""Keep a URL in a cache with pickle, and write it as JSON. Both give the same URL again."""

import json
import pickle

from support.tasks import all_right, gives

from weburl import FrozenURL


def save_and_load(link: str) -> tuple[bool, str]:
    url = FrozenURL(link)
    seen = {url}
    return pickle.loads(pickle.dumps(url)) in seen, json.dumps({"url": url}, default=str)


CHECKS = [
    gives("https://example.com/a?b=1", want=(True, '{"url": "https://example.com/a?b=1"}')),
    gives("HTTPS://EXAMPLE.com/", want=(True, '{"url": "https://example.com/"}')),
    gives(
        "https://bücher.example/é",
        want=(True, '{"url": "https://xn--bcher-kva.example/%C3%A9"}'),
        why="the URL is ASCII",
    ),
    gives(
        "https://example.com/?q=1%2B1+x",
        want=(True, '{"url": "https://example.com/?q=1%2B1+x"}'),
        why="a plus and a space stay what they are",
    ),
    gives("https://me:pw@example.com/", want=(True, '{"url": "https://me:pw@example.com/"}'), why="nothing is lost"),
    gives("https://example.com/?", want=(True, '{"url": "https://example.com/?"}'), why="an empty query is not lost"),
]


def test_save_and_load() -> None:
    assert all_right(save_and_load, CHECKS)
