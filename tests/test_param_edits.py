"""Edits of parameters: with_params(), add_params() and without_params() leave other parameters as they are written."""

from __future__ import annotations

import subprocess
import sys
from enum import IntEnum
from random import Random
from typing import Any

import pytest

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams
from weburl._core.parser import set_max_length
from weburl.forms import parse_form

NAMES = ["a", "b", "utm", "é", "", "a b", "%", "q[]", "+"]
SPELLINGS = ["a", "%61", "b", "utm", "%C3%A9", "", "a+b", "a%20b", "%", "%25", "q[]", "q%5B%5D", "%2B", "%zz", "A"]
VALUES = ["", "1", "%20", "+", "a=b", "%", "%e2%82", "a;b", "%2f", "x%26y", "~", "'"]


def raw_query(random: Random) -> str:
    pieces = []
    for _ in range(random.randrange(7)):
        kind = random.randrange(8)
        piece = "" if kind == 0 else random.choice(SPELLINGS)
        pieces.append(piece if kind < 2 else f"{piece}={random.choice(VALUES)}")
    return "&".join(pieces)


def name_of(piece: str) -> str:
    return parse_form(piece)[0][0] if piece else ""


def untouched(query: str, names: set[str]) -> list[str]:
    return [piece for piece in query.split("&") if piece and name_of(piece) not in names]


def check(random: Random) -> None:
    cls: type[Any] = random.choice((URL, FrozenURL))
    query = raw_query(random)
    url = cls(f"https://h/p?{query}#f")
    query = url.query
    values = {random.choice(NAMES): random.choice(["1", "é &", 7, ["x", 2], []]) for _ in range(random.randrange(4))}
    expanded = {
        name: [str(each) for each in (value if isinstance(value, list) else [value])] for name, value in values.items()
    }
    # with_params()
    made = url.with_params(values)
    assert made.hash == "#f"
    assert untouched(made.query or "", set(values)) == untouched(query, set(values))
    wanted: list[tuple[str, str]] = []
    left = dict(expanded)
    for name, value in url.search_params:
        if name not in expanded:
            wanted.append((name, value))
        elif name in left:
            wanted += [(name, each) for each in left.pop(name)]
    wanted += [(name, each) for name, each_value in left.items() for each in each_value]
    assert list(made.search_params) == wanted
    params = URLSearchParams(query)
    for name, texts in expanded.items():
        if not texts:
            params.delete(name)
        elif len(texts) == 1:
            params.set(name, texts[0])
    if all(len(texts) < 2 for texts in expanded.values()):
        assert list(made.search_params) == list(params)
    # add_params()
    added = url.add_params(values)
    more = [(name, each) for name, texts in expanded.items() for each in texts]
    assert list(added.search_params) == [*url.search_params, *more]
    assert (added.query or "").startswith(query)
    # without_params()
    names = random.sample(NAMES, random.randrange(4))
    fewer = url.without_params(*names)
    assert list(fewer.search_params) == [pair for pair in url.search_params if pair[0] not in names]
    assert untouched(fewer.query or "", set()) == untouched(query, set(names))
    if not any(pair[0] in names for pair in url.search_params):
        assert fewer.href == url.href
    for each in (made, added, fewer):
        assert type(each) is cls
        assert URL(each.href).parts() == each.parts()


def test_random_edits() -> None:
    random = Random(38)
    for _ in range(20_000):
        check(random)


@pytest.mark.slow
def test_more_random_edits() -> None:
    random = Random(39)
    for _ in range(333_334):
        check(random)


@pytest.mark.parametrize(
    ("query", "edited"),
    [
        ("", "?x=1"),
        ("?", "?x=1"),
        ("?a", "?a&x=1"),
        ("?a=b&&c", "?a=b&&c&x=1"),
        ("?a=%20&b=+&c=%", "?a=%20&b=+&c=%&x=1"),
        ("?x", "?x=1"),
        ("?x=&a&%78=2&x", "?x=1&a"),
        ("?a;x=2", "?a;x=2&x=1"),
        ("?X=2", "?X=2&x=1"),
        ("?&x&", "?&x=1&"),
    ],
)
def test_with_params(query: str, edited: str) -> None:
    for cls in (URL, FrozenURL):
        assert cls(f"http://h/{query}#f").with_params(x=1).href == f"http://h/{edited}#f"
        assert cls(f"mailto:a{query}").with_params({"x": "1"}).href == f"mailto:a{edited}"


@pytest.mark.parametrize(
    ("query", "edited"),
    [
        ("", ""),
        ("?", "?"),
        ("?x", ""),
        ("?x&&x=1", ""),
        ("?a&x", "?a"),
        ("?x&a", "?a"),
        ("?a&x&&b", "?a&&b"),
        ("?&", "?&"),
    ],
)
def test_without_params(query: str, edited: str) -> None:
    assert URL(f"http://h/{query}#f").without_params("x", "y").href == f"http://h/{edited}#f"


def test_values() -> None:
    class Number(IntEnum):
        ONE = 1

        def __str__(self) -> str:
            return "lie"

    url = URL("http://h/")
    assert url.with_params(a=[1, "b", Number.ONE], c=()).query == "a=1&a=b&a=1"
    assert url.with_params([("a", 1), ("b", 2), ("a", 3)]).query == "a=1&a=3&b=2"
    assert url.with_params(URLSearchParams("a=1&b=%20")).query == "a=1&b=+"
    assert url.with_params({"é": "\ud800"}).query == "%C3%A9=%EF%BF%BD"
    assert url.with_params({"\ud800": 1, "b\udfff": 2}).query == "%EF%BF%BD=1&b%EF%BF%BD=2"
    assert url.with_params({"\ud800": 1, **{"\ufffd": 2}}).query == "%EF%BF%BD=2"
    assert url.with_params(encoding="gbk").query == "encoding=gbk"
    assert url.with_params({"q": "中€"}, encoding="gbk").query == "q=%D6%D0%80"
    assert url.add_params({"q": "é"}, encoding="latin1").query == "q=%E9"
    assert url.with_params(self=1, params=2).query == "self=1&params=2"
    assert url.with_params({}).href == url.with_params().href == url.href


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, r"without_params\(\) removes"),
        (True, r"not bool: give the text .* str\(value\)"),
        (1.5, r"not float: give the text .* str\(value\)"),
        (b"x", "not bytes: decode it first"),
        ([None], r"without_params"),
        ({"a": 1}, "not dict"),
    ],
)
def test_other_values_are_refused(value: Any, message: str) -> None:
    url = URL("http://h/?q=1")
    edits: Any = (url.with_params, url.add_params)
    for edit in edits:
        for given, names in (((), {"q": value}), (({"q": value},), {}), (([("q", value)],), {})):
            with pytest.raises(TypeError, match=message):
                edit(*given, **names)
    assert url.href == "http://h/?q=1"


@pytest.mark.parametrize(
    ("arguments", "names", "message"),
    [
        (("a=b",), {}, r"not a str: use replace\(query=\.\.\.\)"),
        ((b"a",), {}, "not bytes"),
        ((None,), {}, "not NoneType"),
        (({},), {"a": "b"}, "write the other names into the mapping"),
        (({1: "b"},), {}, "a name must be a str, not int"),
        ((["ab"],), {}, "a pair must be a name and a value, not a str"),
        (([("a",)],), {}, "a pair must have 2 items"),
        (({"a": "b"},), {"encoding": 1}, "encoding must be a str"),
    ],
)
def test_wrong_calls(arguments: Any, names: Any, message: str) -> None:
    for edit in (URL("http://h/").with_params, URL("http://h/").add_params):
        with pytest.raises(TypeError, match=message):
            edit(*arguments, **names)
    with pytest.raises(LookupError):
        URL("http://h/").with_params({"a": "b"}, encoding="klingon")
    with pytest.raises(TypeError, match="a name must be a str"):
        URL("http://h/").without_params(["a"])  # type: ignore[arg-type]


# URLs whose signatures, or whose servers, did not survive an edit in other libraries.
SURVIVORS = {
    "a signed URL with %2F and + (aiohttp 4307, 7222)": "X-Amz-Credential=AK%2F2020%2Fus-east-1&sig=a+b%2Bc%3D&e=%20",
    "lower-case escapes (aiohttp 9721, yarl 378)": "sig=%2fabc%3d%3D&name=%e4%bd%a0",
    "a semicolon and a brace (aiohttp 11201)": "filter=a;b&json={%22a%22:1}&x=a|b",
    "%25 and %2B twice (yarl 1077)": "url=http%253A%252F%252Fh&plus=%252B",
    "commas, colons and no value (httpx 3433)": "fields=a,b:c&flag&empty=&t=10:30",
}


@pytest.mark.parametrize("query", SURVIVORS.values(), ids=SURVIVORS.keys())
def test_signed_urls_survive(query: str) -> None:
    url = FrozenURL(f"https://bucket.example/key?{query}&page=1")
    written = url.query or ""
    kept = written.removesuffix("&page=1")
    assert url.with_params(page=2).query == f"{kept}&page=2"
    assert url.without_params("page").query == kept
    assert url.add_params(page=2).query == f"{written}&page=2"
    changed = URL(url)
    changed.search_params.set("page", "2")
    assert list(changed.search_params) == list(url.with_params(page=2).search_params)


def test_the_command_agrees() -> None:
    for query in SURVIVORS.values():
        url = f"https://bucket.example/key?{query}"
        done = subprocess.run(
            [sys.executable, "-m", "weburl", "-a", "query=p=a b&é", url], capture_output=True, text=True, check=True
        )
        assert done.stdout.strip() == URL(url).add_params(p="a b&é").href
        done = subprocess.run(
            [sys.executable, "-m", "weburl", "--replace", "sig=é", "--qtrim", "e", url],
            capture_output=True, text=True, check=True,
        )  # fmt: skip
        edited = URL(url).without_params("e")
        assert done.stdout.strip() == (edited.with_params(sig="é") if edited.search_params.has("sig") else edited).href


def test_the_limit() -> None:
    before = set_max_length(100)
    try:
        url = URL("http://h/?a=1")
        for edit in (url.with_params, url.add_params):
            with pytest.raises(InvalidURL) as raised:
                edit(a="x" * 200)
            assert (raised.value.error, raised.value.part) == ("too-long", "query")
        assert url.href == "http://h/?a=1"
    finally:
        set_max_length(before)


def test_pending_changes_of_search_params_count() -> None:
    url = URL("http://h/?a=%20")
    url.search_params.append("b", "~")
    assert url.with_params(c=1).href == "http://h/?a=+&b=%7E&c=1"
