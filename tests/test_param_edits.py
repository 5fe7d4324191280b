"""Edits of parameters: with_params(), add_params() and without_params() leave other parameters as they are written."""

from __future__ import annotations

import subprocess
import sys
import tracemalloc
from enum import IntEnum
from random import Random
from typing import Any

import pytest

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams
from weburl._core.parser import set_max_length
from weburl.crawl import without_tracking
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


class Pairs(dict[str, Any]):
    """A mapping that is not exactly a dict."""


def made(params: Any) -> list[list[tuple[str, str]]]:
    """The pairs of each function that takes parameters."""
    url = URL("http://h/")
    updated = URLSearchParams()
    updated.update(params)
    queries = [
        url.with_params(params).query, url.add_params(params).query, url.replace(params=params).query,
        URL.build(scheme="http", host="h", params=params).query, str(URLSearchParams(params)), str(updated),
    ]  # fmt: skip
    return [parse_form(query or "") for query in queries]


VALUES_TAKEN: list[tuple[Any, list[str]]] = [
    ("x", ["x"]),
    ("", [""]),
    (7, ["7"]),
    (-(10**20), ["-100000000000000000000"]),
    (["x", 2], ["x", "2"]),
    ((), []),
    ([], []),
    ("\ud800", ["\ufffd"]),
]


@pytest.mark.parametrize(("value", "texts"), VALUES_TAKEN)
def test_every_function_takes_the_same_values(value: Any, texts: list[str]) -> None:
    for params in ({"q": value}, Pairs(q=value), [("q", value)], iter([["q", value]])):
        given = params if isinstance(params, (dict, list)) else [("q", value)]
        expected = [("q", text) for text in texts]
        assert made(given) == [expected] * 6
        if not isinstance(params, (dict, list)):
            assert list(URLSearchParams(params)) == expected
    assert made([("a", 1), ("q", value), ("a", "2")])[4] == [("a", "1"), *(("q", text) for text in texts), ("a", "2")]


MUST = "a value must be a str, an int or a list of them, not "


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "NoneType: write '' for an empty one; without_params() or delete() removes a parameter"),
        (True, "bool: write 'true' or 'false'"),
        (1.5, "float: use str(value)"),
        (b"x", "bytes: decode it first, with value.decode()"),
        ([None], "NoneType: write '' for an empty one; without_params() or delete() removes a parameter"),
        ([["x"]], "list"),
        ({"x"}, "set: use list(value)"),
        ((each for each in "xy"), "generator: use list(value)"),
        ({"a": 1}, "dict"),
    ],
)
def test_every_function_refuses_the_same_values(value: Any, message: str) -> None:
    url = URL("http://h/?q=1")
    params = URLSearchParams("q=1")
    calls: list[Any] = [
        url.with_params, url.add_params, lambda given: url.replace(params=given), URLSearchParams, params.update,
        lambda given: URL.build(scheme="http", host="h", params=given),
    ]  # fmt: skip
    given: Any
    for call in calls:
        for given in ({"q": value}, Pairs(q=value), [("q", value)]):
            with pytest.raises(TypeError) as raised:
                call(given)
            assert str(raised.value) == MUST + message
    keywords: list[Any] = [url.with_params, url.add_params, params.update]
    for call in keywords:
        with pytest.raises(TypeError) as raised:
            call(q=value)
        assert str(raised.value) == MUST + message
    assert (url.href, str(params)) == ("http://h/?q=1", "q=1")


def test_ints_that_python_does_not_write() -> None:
    """Python's message is of sys.set_int_max_str_digits(), which is no good answer to what somebody sent."""
    url, params, number = URL("http://h/?q=1"), URLSearchParams("q=1"), 10 ** sys.get_int_max_str_digits()
    calls: list[Any] = [
        lambda: url.with_params(q=number), lambda: url.add_params({"q": [1, number]}), lambda: params.update(q=number),
        lambda: url.replace(params={"q": -number}), lambda: URLSearchParams({"q": number}),
        lambda: params.append("q", number), lambda: params.set("q", number), lambda: params.setdefault("r", number),
        lambda: URL.build(scheme="http", host="h", params={"q": number}), lambda: params.delete("q", number),
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(ValueError, match=r"^a value that is an int has at most \d+ digits: write a str, such as "):
            call()
    assert (url.href, str(params)) == ("http://h/?q=1", "q=1")
    assert url.with_params(q=number // 10 - 1).query == f"q={number // 10 - 1}"


def test_single_values() -> None:
    params = URLSearchParams("a=1")
    params.append("a", 2)
    params.set("b", 3)
    params["c"] = 4
    assert params.setdefault("d", 5) == "5"
    assert params.has("a", 2)
    params.delete("a", 2)
    assert str(params) == "a=1&b=3&c=4&d=5"
    calls: list[Any] = [params.append, params.set, params.setdefault, params.delete, params.has]
    for call in calls:
        for value, message in ((1.5, "float: use str(value)"), (["x"], "list: add a pair for each of its items")):
            with pytest.raises(TypeError) as raised:
                call("a", value)
            assert str(raised.value) == f"a value must be a str or an int, not {message}"
    with pytest.raises(TypeError, match="takes exactly 2 positional arguments"):
        params.setdefault("z")  # type: ignore[call-arg]
    assert str(params) == "a=1&b=3&c=4&d=5"


ENCODED = "%D6%D0=1&a=%D6%D0&%d6%d0=2&q=3&%E4%B8%AD=4"


def test_names_are_read_in_the_encoding() -> None:
    """In gbk, %D6%D0 is a character of which %E4%B8%AD is the UTF-8."""
    url = URL(f"http://h/?{ENCODED}#f")
    for edited, query in (
        (url.with_params({"中": "x"}, encoding="gbk"), "%D6%D0=x&a=%D6%D0&q=3&%E4%B8%AD=4"),
        (url.with_params({"中": ["中", 2]}, encoding="gbk"), "%D6%D0=%D6%D0&%D6%D0=2&a=%D6%D0&q=3&%E4%B8%AD=4"),
        (url.with_params({"中": [], "q": [], "a": []}, encoding="gbk"), "%E4%B8%AD=4"),
        (url.with_params({"文": "x"}, encoding="gbk"), f"{ENCODED}&%CE%C4=x"),
        (url.with_params({"中": "x"}), "%D6%D0=1&a=%D6%D0&%d6%d0=2&q=3&%E4%B8%AD=x"),
        (url.with_params({"中": "x"}, encoding="utf8"), "%D6%D0=1&a=%D6%D0&%d6%d0=2&q=3&%E4%B8%AD=x"),
        (url.with_params({}, encoding="gbk"), ENCODED),
        (url.add_params({"中": "x"}, encoding="gbk"), f"{ENCODED}&%D6%D0=x"),
        (url.without_params("中", encoding="gbk"), "a=%D6%D0&q=3&%E4%B8%AD=4"),
        (url.without_params("x", "文", encoding="gbk"), ENCODED),
        (url.without_params("中"), "%D6%D0=1&a=%D6%D0&%d6%d0=2&q=3"),
        (URL("http://h/?x#f").without_params("x", encoding="gbk"), None),
        (URL("http://h/?&x&#f").without_params("x", encoding="gbk"), None),
        (URL("http://h/?a+b=1&&c#f").without_params("a b", encoding="gbk"), "&c"),
        (URL("http://h/#f").with_params({"中": 1}, encoding="gbk"), "%D6%D0=1"),
    ):
        assert (edited.query, edited.hash) == (query, "#f")
    with pytest.raises(LookupError):
        url.without_params("a", encoding="klingon")
    wrong: Any = 1
    with pytest.raises(TypeError, match="encoding must be a str"):
        url.without_params("a", encoding=wrong)


def test_another_encoding_edits_as_utf_8_does() -> None:
    """Where all is ASCII, both give the same."""
    random = Random(40)
    for _ in range(2000):
        pieces = ["a", "b=1", "", "c=%20", "a=2", "%61=3", "d+e=1"]
        url = URL("http://h/?" + "&".join(random.choices(pieces, k=random.randrange(6))))
        values = {random.choice("abcd"): random.choice(["1", 2, [], ["x", "y z"]]) for _ in range(random.randrange(4))}
        assert url.with_params(values, encoding="latin1").href == url.with_params(values).href
        assert url.without_params(*values, encoding="latin1").href == url.without_params(*values).href


@pytest.mark.parametrize(
    ("arguments", "names", "message"),
    [
        (("a=b",), {}, r"not str: use replace\(query=\.\.\.\)"),
        ((5,), {}, "params must be a mapping, pairs or keywords, not int"),
        (([5],), {}, "a pair must be a name and a value, not int"),
        ((b"a",), {}, "not bytes"),
        ((None,), {}, "not NoneType"),
        (({},), {"a": "b"}, "write the other names into the mapping"),
        (({1: "b"},), {}, "a name must be a str, not int"),
        ((["ab"],), {}, "a pair must be a name and a value, not str"),
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
    wrong: Any = ["a"]
    with pytest.raises(TypeError, match=r"a name must be a str, not list: write without_params\(\*names\)"):
        URL("http://h/").without_params(wrong)


# Spellings that other libraries write anew, so that a signature, or a server, does not take them.
SURVIVORS = {
    "an escaped space (yarl 378)": "a=foo%20bar&b=foo+bar",
    "an escaped apostrophe (yarl 1077)": "param=param%27%27value",
    "the query itself (httpx 3433)": "param=default",
    "an escaped solidus (aiohttp 7222)": "response-content-type=application%2Fgzip&e=%20",
    "an escaped plus and equals sign (aiohttp 9721)": "Expires=1731123498&Signature=qZ0ARjdg1IS%2BPP2g%3D",
    "a signed URL": "X-Amz-Credential=AK%2F2020%2Fus-east-1&sig=a+b%2Bc%3D&e=%20",
    "lower-case escapes": "sig=%2fabc%3d%3D&name=%e4%bd%a0",
    "a semicolon and a brace": "filter=a;b&json={%22a%22:1}&x=a|b",
    "%25 and %2B twice": "url=http%253A%252F%252Fh&plus=%252B",
    "commas, colons and no value": "fields=a,b:c&flag&empty=&t=10:30",
}


@pytest.mark.parametrize("query", SURVIVORS.values(), ids=SURVIVORS.keys())
def test_signed_urls_survive(query: str) -> None:
    # aiohttp 4307 is about the path of a signed URL.
    url = FrozenURL(f"https://bucket.example/foo%27bar%2etxt?{query}&page=1")
    for edited in (url.with_params(page=2), url.without_params("page"), url.add_params(page=2)):
        assert edited.href.partition("?")[0] == "https://bucket.example/foo%27bar%2etxt"
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


@pytest.mark.slow
def test_more_than_a_million_names() -> None:
    """Whoever writes a URL chooses how many: it is no error of the caller's."""
    names = [f"utm_{number}" for number in range((1 << 20) + 1)]
    url = URL(f"http://h/?{'&'.join(names)}&a")
    assert url.without_params(*names).href == without_tracking(url) == "http://h/?a"


def test_pending_changes_of_search_params_count() -> None:
    url = URL("http://h/?a=%20")
    url.search_params.append("b", "~")
    assert url.with_params(c=1).href == "http://h/?a=+&b=%7E&c=1"


@pytest.mark.parametrize("live", [False, True])
def test_pop_needs_no_more_than_delete(live: bool) -> None:
    """It reads the list once, and makes no index, which one call would not use again."""
    query = "&".join(f"name{index}={index}" for index in range(20_000))
    peaks = []
    for method in ("delete", "pop"):
        params = URL(f"http://h/?{query}").search_params if live else URLSearchParams(query)
        assert len(params) == 20_000
        tracemalloc.start()
        getattr(params, method)("name7")
        peaks.append(tracemalloc.get_traced_memory()[1])
        tracemalloc.stop()
        assert len(params) == 19_999
        assert not params.has("name7")
    assert peaks[1] < 1.05 * peaks[0] + 1000
