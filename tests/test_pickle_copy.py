"""Value semantics: pickle, copy and deepcopy of URL."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

from weburl import URL, FrozenURL, InvalidURL
from weburl._crawl.policy import restore_policy
from weburl._parsed import ParsedURL
from weburl._redact.redact import restore_log_policy
from weburl.url import restore

TEXTS = [
    "http://u:p@h:8080/a/b?q=1#f",
    "x:a b?#",
    "file:///C:/",
    "x:/.//p",
    "http://[::1]/",
    "http://xn--9ca/?%C3%A9",
    "data:,x",
    "x:",
]
PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)


class Sub(URL):
    pass


class Slotted(URL):
    __slots__ = ("__note", "tags")
    tags: list[str]

    def __init__(self, *arguments: Any, **keywords: Any) -> None:
        super().__init__(*arguments, **keywords)
        self.__note = "private"

    def note(self) -> str:
        return self.__note


class FrozenSlotted(FrozenURL):
    __slots__ = ("note", "tags")
    note: str
    tags: list[str]


class SlotsAndAttributes(FrozenSlotted):
    more: list[int]


def test_protocols() -> None:
    assert {0, 1, 2, 3, 4, 5} <= set(PROTOCOLS)


def by_pickle(protocol: int) -> Callable[[URL], URL]:
    def call(url: URL) -> URL:
        again: URL = pickle.loads(pickle.dumps(url, protocol))
        assert isinstance(again, (URL, FrozenURL))
        return again

    return call


COPIES = [copy.copy, copy.deepcopy, *map(by_pickle, PROTOCOLS)]
IDS = ["copy", "deepcopy", *(f"pickle{protocol}" for protocol in PROTOCOLS)]


@pytest.mark.parametrize("duplicate", COPIES, ids=IDS)
@pytest.mark.parametrize("kind", [URL, Sub])
@pytest.mark.parametrize("text", TEXTS)
def test_copies(text: str, kind: type[URL], duplicate: Callable[[URL], URL]) -> None:
    url = kind(text)
    again = duplicate(url)
    assert type(again) is kind
    assert again is not url
    assert again == url
    assert again.href == url.href
    assert (again.hostname, again.query, again.fragment, again.host_type) == (
        url.hostname,
        url.query,
        url.fragment,
        url.host_type,
    )


@pytest.mark.parametrize("duplicate", COPIES, ids=IDS)
def test_is_independent(duplicate: Callable[[URL], URL]) -> None:
    url = URL("http://h/?a=1")
    url.search_params.append("b", "2")
    again = duplicate(url)
    assert again.search_params is not url.search_params
    assert list(again.search_params) == [("a", "1"), ("b", "2")]
    again.search_params.append("c", "3")
    again.hash = "x"
    assert url.href == "http://h/?a=1&b=2"
    assert again.href == "http://h/?a=1&b=2&c=3#x"


def both(url: Any) -> list[Any]:
    """Copies, and results of methods that keep the class."""
    duplicates: list[Any] = COPIES
    return [
        *(duplicate(url) for duplicate in duplicates),
        url / "x",
        url.join("x"),
        url.with_params(a=2),
        url.replace(port=8),
    ]


def test_slots_of_subclasses() -> None:
    url = Slotted("http://h/")
    url.tags = ["a"]
    for again in both(url):
        assert (type(again), again.note(), again.tags) == (Slotted, "private", ["a"])
    assert copy.copy(url).tags is url.tags
    assert copy.deepcopy(url).tags is not url.tags
    frozen = FrozenSlotted("http://h/")
    frozen.tags = ["a"]
    for again in both(frozen):
        assert (type(again), again.tags, hasattr(again, "note")) == (FrozenSlotted, ["a"], False)
    last = SlotsAndAttributes("http://h/")
    last.note, last.tags, last.__dict__["more"] = "n", ["a"], [1]
    for again in both(last):
        assert (again.note, again.tags, again.more) == ("n", ["a"], [1])
    assert copy.deepcopy(last).more is not last.more


@pytest.mark.parametrize(
    "arguments",
    [
        (int, "http://h/", None), (ParsedURL, "http://h/", None), ("URL", "http://h/", None), (URL, b"http://h/", None),
        (URL, "http://h/", {"a": 1}), (FrozenURL, "http://h/", {"a": 1}), (Sub, "http://h/", [1]),
        (Sub, "http://h/", 5), (Slotted, "http://h/", None, {"other": 1}), (Slotted, "http://h/", None, [1]),
        (FrozenSlotted, "http://h/", None, {"href": "http://other/"}), (URL, "http://h/", None, {"_href": 1}),
    ],
)  # fmt: skip
def test_forged_pickles(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"^not the pickle of a URL$"):
        restore(*arguments)


def test_forged_pickles_of_what_does_not_parse() -> None:
    with pytest.raises(InvalidURL):
        restore(URL, "h", None)
    assert restore(Sub, "http://h/", {"a": 1}).__dict__ == {"a": 1}


@pytest.mark.parametrize("function", [restore_policy, restore_log_policy])
@pytest.mark.parametrize("arguments", [("int", {}), ([], {}), ("Policy", 5), ("LogPolicy", None), (None, {})])
def test_forged_pickles_of_policies(function: Callable[..., object], arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError, match=r"^not the pickle of a policy$"):
        function(*arguments)


def test_holds_the_href() -> None:
    assert b"http://h/a" in pickle.dumps(URL("HTTP://H:80/./a"))


def test_deepcopy_of_a_container() -> None:
    url = URL("http://h/")
    first, second = copy.deepcopy([url, url])
    assert first is second
    assert first == url
