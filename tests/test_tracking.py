"""weburl.crawl.without_tracking: a URL without the parameters that are for counting."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from weburl import URL, FrozenURL, InvalidURL
from weburl.crawl import TRACKING_PARAMETERS, CrawlPolicy, canonicalize, without_tracking

# The rules of the policy `crawl` for parameters, and no others.
ONLY_TRACKING: dict[str, Any] = {
    "index_names": (),
    "remove_session_ids": False,
    "sort_query": False,
    "fragment": "keep",
}


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://h/?utm_source=a&b=c", "https://h/?b=c"),
        ("https://h/?b=c&utm_source=a&fbclid=d#e", "https://h/?b=c#e"),
        ("https://h/?utm_source", "https://h/"),
        ("https://h/?utm_source&", "https://h/"),
        ("https://h/?UTM_Source=a&GCLID=b&c", "https://h/?c"),
        ("https://h/?%75tm_source=a&%46bclid=b&c", "https://h/?c"),
        # The lower case of the Kelvin sign is a k.
        ("https://h/?_%e2%84%aax=1&_KX=2", "https://h/?_%e2%84%aax=1"),
        ("https://h/?a=utm_source&my_utm_x=1&gclid2=1", "https://h/?a=utm_source&my_utm_x=1&gclid2=1"),
        ("https://h/?a=%2f%7e|+%20&&utm_id=1&b;gclid=1&=", "https://h/?a=%2f%7e|+%20&&b;gclid=1&="),
        ("https://h/?", "https://h/?"),
        ("https://h/", "https://h/"),
        ("HTTP://H:80/../utm_source=1", "http://h/utm_source=1"),
        ("mailto:a@h?subject=b&utm_source=c", "mailto:a@h?subject=b"),
    ],
)
def test_urls(url: str, expected: str) -> None:
    assert without_tracking(url) == expected
    assert without_tracking(URL(url)) == without_tracking(FrozenURL(url)) == expected
    assert without_tracking(expected) == expected


def test_names_of_ones_own() -> None:
    url = "https://h/?ref=1&utm_id=2&Id_7=3&a[]=4&b"
    assert without_tracking(url, {"ref"}) == "https://h/?utm_id=2&Id_7=3&a[]=4&b"
    assert without_tracking(url, ["id_*", "a[]"]) == "https://h/?ref=1&utm_id=2&b"
    assert without_tracking(url, TRACKING_PARAMETERS | {"ref"}) == "https://h/?Id_7=3&a[]=4&b"
    assert without_tracking(url, ()) == url


def test_encoding() -> None:
    assert without_tracking("https://h/?utm_id=1&a=é", encoding="iso-8859-1") == "https://h/?a=%E9"


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("http://a b/",), InvalidURL),
        ((1,), TypeError),
        (("https://h/", "ref"), TypeError),
        (("https://h/", [1]), TypeError),
        (("https://h/", ["*id"]), ValueError),
        (("https://h/", ["ID"]), ValueError),
    ],
)
def test_wrong_arguments(arguments: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        without_tracking(*arguments)


NAMES = st.sampled_from(
    [*sorted(TRACKING_PARAMETERS), "utm_", "utm_é", "utm", "id", "%75tm_x", "%5fgl", "_GL", "_\u212ax", "q+q", ""]
)
PIECES = st.tuples(NAMES, st.sampled_from(["", "=", "=1", "=%2f", "=a=b", "=é"])).map("".join)


@given(st.lists(PIECES, max_size=6).map("&".join), st.sampled_from(["", "#", "#gclid=1"]))
def test_the_policy_of_crawlers_removes_the_same(query: str, fragment: str) -> None:
    url = f"https://h/?{query}{fragment}"
    policy = CrawlPolicy(**ONLY_TRACKING)
    without = CrawlPolicy(**ONLY_TRACKING, tracking_parameters=())
    made = without_tracking(url)
    assert canonicalize(made, without) == canonicalize(url, policy)
    # What is left is a part of what was there.
    kept = iter(URL(url).href.partition("#")[0].partition("?")[2].split("&"))
    assert all(piece in kept for piece in made.partition("#")[0].partition("?")[2].split("&") if piece)
