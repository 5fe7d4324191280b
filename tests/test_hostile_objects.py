"""Objects that lie, change meanwhile or call back: nothing crashes, tears or leaks through."""

from __future__ import annotations

import copy
import gc
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any
from unittest.mock import Mock

import pytest

from weburl import URL, InvalidURL, URLSearchParams, explain, join, normalize, validate
from weburl._core.parser import set_max_length
from weburl.forms import parse_form
from weburl.hosts import default_port, is_special_scheme, parse_host
from weburl.percent import percent_decode, percent_decode_text, percent_encode


def test_a_subclass_whose_new_gives_nothing() -> None:
    class Nothing(URL):
        made = 0

        def __new__(cls, *args: Any) -> Any:
            cls.made += 1
            return super().__new__(cls) if cls.made == 1 else None

    first = Nothing("http://h/")
    for make in (lambda: Nothing.parse("http://h/"), lambda: first.join("x"), lambda: copy.copy(first)):
        with pytest.raises(TypeError, match="must give a URL"):
            make()
    with pytest.raises(TypeError, match="must give a URL"):
        first.replace(hash="x")


@pytest.mark.parametrize("pair", [(), ("a",), (1, 2), "ab", None])
def test_params_of_a_subclass_that_lies(pair: Any) -> None:
    class Liar(URLSearchParams):
        def __iter__(self) -> Iterator[Any]:
            yield pair

    with pytest.raises(TypeError):
        URLSearchParams(Liar())


def test_params_of_a_subclass_are_converted() -> None:
    class Surrogates(URLSearchParams):
        def __iter__(self) -> Iterator[Any]:
            yield ("\ud800", "x")

    assert list(URLSearchParams(Surrogates())) == [("\ufffd", "x")]


@pytest.mark.parametrize(
    "call",
    [
        lambda text: percent_encode(text, "path"),
        URL.from_path,
        default_port,
        is_special_scheme,
        lambda text: normalize("http://h/", encoding=text),
        lambda text: join("http://h/", "x", encoding=text),
        lambda text: validate("http://h/", encoding=text),
        lambda text: explain("http://h/", encoding=text),
        percent_decode_text,
        percent_decode,
        parse_form,
        lambda text: parse_form(text, isindex=True),
        parse_host,
        URL,
        URL.can_parse,
        URLSearchParams,
        InvalidURL,
    ],
)
def test_what_only_claims_to_be_a_str(call: Any) -> None:
    with pytest.raises(TypeError):
        str(call(Mock(spec=str)))


def test_a_str_subclass_with_methods_of_its_own() -> None:
    class Text(str):
        def __getitem__(self, key: Any) -> str:
            return "?"

        def __contains__(self, item: object) -> bool:
            return False

    url = URL("http://h/")
    assert url.search_params is not None
    url.search = Text("éa=1")
    assert list(url.search_params) == [("éa", "1")]
    assert list(URLSearchParams(Text("éa=1"))) == [("éa", "1")]
    assert percent_decode_text(Text("%41")) == "A"


def test_buffers_that_are_not_contiguous() -> None:
    assert percent_decode(memoryview(b"abcd")[::2]) == b"ac"  # type: ignore[arg-type]
    assert parse_form(memoryview(b"a&b&")[::2]) == [("ab", "")]  # type: ignore[arg-type]


def test_bytes_that_lie() -> None:
    class Lie(bytes):
        def __bytes__(self) -> bytes:
            return b"lie"

    assert percent_encode(Lie(b"a b"), "path") == "a%20b"
    assert percent_decode(Lie(b"a%20b")) == b"a b"


def test_a_buffer_that_changes_meanwhile() -> None:
    data = bytearray(b"a=" + b"b" * 2000)
    stop = threading.Event()

    def change() -> None:
        while not stop.is_set():
            data[500:1500] = b"\xff" * 1000
            data[500:1500] = b"b" * 1000

    thread = threading.Thread(target=change)
    thread.start()
    try:
        for _ in range(2000):
            ((_, value),) = parse_form(data)  # type: ignore[arg-type]
            assert value.isascii() == (max(value) < "\x80")
    finally:
        stop.set()
        thread.join()


def each_allocation() -> tuple[int, int, int]:
    """The thresholds of the collector, before a test has it run at each allocation."""
    if sys.platform == "emscripten":
        pytest.skip("a collection at each allocation does not end there")
    return gc.get_threshold()


def test_a_finalizer_that_asks_for_search_params() -> None:
    url = URL("http://h/?a=1&b=2")
    seen: list[URLSearchParams] = []

    def callback(phase: str, info: dict[str, int]) -> None:
        seen.append(url.search_params)

    threshold = each_allocation()
    gc.callbacks.append(callback)
    gc.set_threshold(1)
    try:
        for number in range(200):
            url = URL(f"http://h/?a={number}&b=2")
            seen.clear()
            params = url.search_params
            assert all(other is params for other in seen if other == params)
            params.append("c", "3")
            assert url.search == f"?a={number}&b=2&c=3"
    finally:
        gc.callbacks.remove(callback)
        gc.set_threshold(*threshold)


MANY = "&".join(f"k{number}={number}" for number in range(20))


def emptied(params: URLSearchParams) -> URLSearchParams:
    for name in list(params.keys()):
        params.delete(name)
    return params


def interrupted(work: Callable[[], object], change: Callable[[], object], number: int) -> tuple[object, bool]:
    """What the work gives when garbage collection number `number` runs `change`, and whether there was one."""
    # Up to CPython 3.11 a collection starts at what is allocated anew, so what is kept of such objects is used up. From
    # 3.12 on it waits for byte code, and there is none in what is compiled.
    held: list[object] = [([], {}, slice(size), (size, size)) for size in range(3000)]
    done = False

    def callback(phase: str, info: dict[str, int]) -> None:
        nonlocal number, done
        held.append(info)
        if phase == "start" and not done:
            number -= 1
            if number == 0:
                done = True
                change()

    threshold = each_allocation()
    gc.freeze()
    gc.callbacks.append(callback)
    gc.set_threshold(1)
    try:
        return work(), done
    finally:
        gc.set_threshold(*threshold)
        gc.callbacks.remove(callback)


def check_params(params: URLSearchParams) -> None:
    pairs = list(params)
    assert str(params) == str(URLSearchParams(pairs))
    assert {name: params.get(name) for name in params.keys()} == dict(reversed(pairs))  # noqa: SIM118


@pytest.mark.sample(20)
@pytest.mark.parametrize(
    "change",
    [
        list,
        emptied,
        lambda params: params.append("n", "v"),
        lambda params: params.__init__("x=1"),
        lambda params: emptied(params).__init__("x=1"),  # type: ignore[misc]
        lambda params: emptied(params).__init__([("x", "1")]),  # type: ignore[misc]
        lambda params: [params.get("k19") for _ in range(17)],
    ],
)
@pytest.mark.parametrize(
    "work",
    [
        list,
        str,
        copy.copy,
        lambda params: [params.get("k19") for _ in range(17)],
        lambda params: (len(params), [], params.get("k19")),
        lambda params: params.append("m", "w"),
        lambda params: params.set("k1", "w"),
        lambda params: params.delete("k2"),
        lambda params: params.sort(),
        lambda params: params.__init__("y=1"),
    ],
)
def test_a_finalizer_that_changes_params(work: Callable[[Any], object], change: Callable[[Any], object]) -> None:
    for number in range(1, 100):
        params = URLSearchParams(MANY)
        result, done = interrupted(partial(work, params), partial(change, params), number)
        check_params(params)
        if isinstance(result, URLSearchParams):
            check_params(result)
        if not done:
            return
    raise AssertionError("there are too many collections")


@pytest.mark.sample(20)
@pytest.mark.parametrize(
    "change",
    [
        lambda url: list(url.search_params),
        lambda url: url.search_params.append("n", "v"),
        lambda url: url.search_params.__init__("z=2"),
        lambda url: emptied(url.search_params),
        lambda url: setattr(url, "href", "http://other/?z=1"),
        lambda url: setattr(url, "search", "?z=1"),
    ],
)
@pytest.mark.parametrize(
    "work",
    [
        copy.copy,
        lambda url: url.replace(hash="f"),
        lambda url: url.search_params.append("m", "w"),
        lambda url: setattr(url, "href", "http://i/?q=1&r=2"),
        lambda url: url.__setattr__(*["href", "http://i/?q=1&r=2"]),
        lambda url: setattr(url, "search", "?q=1&r=2"),
        lambda url: url.__setattr__(*["search", "?q=1&r=2"]),
    ],
)
@pytest.mark.parametrize("asked", [False, True])
def test_a_finalizer_that_changes_a_url(
    work: Callable[[URL], object], change: Callable[[URL], object], asked: bool
) -> None:
    for number in range(1, 100):
        url = URL(f"http://h/?{MANY}")
        params = url.search_params if asked else None
        result, done = interrupted(partial(work, url), partial(change, url), number)
        assert params in (None, url.search_params)
        for each in (url, result):
            if isinstance(each, URL):
                check_params(each.search_params)
                assert URL(each.href).search_params == each.search_params
        if not done:
            return
    raise AssertionError("there are too many collections")


@pytest.mark.parametrize("limit", [1020, 1024, 1030, 1100])
def test_close_to_a_limit_beyond_the_scratch_memory(limit: int) -> None:
    before = set_max_length(limit)
    try:
        url = URL("http://h/?a=" + "a" * (limit - 20))
        url.search_params.append("b", "c")
        assert len(url.href) == limit - 20 + 12 + 4
        for extra in range(4):
            url.search_params.set("b", "c" * (1 + extra))
            assert len(url.href) == limit - 4 + extra
    finally:
        set_max_length(before)


def test_tabs_close_to_the_limit() -> None:
    before = set_max_length(9)
    try:
        assert URL("a80\t.blob:").href == "a80.blob:"
    finally:
        set_max_length(before)


def test_a_port_too_long_for_str() -> None:
    url = URL("http://h:81/")
    for port in (10**5000, -(10**5000), 65536, -1):
        url.port = port
        assert url.port == "81"
    with pytest.raises(InvalidURL, match="port-out-of-range"):
        url.replace(port=10**5000)


@pytest.mark.parametrize(
    "parts",
    [
        {"port": "80x"},
        {"port": " 80"},
        {"hostname": "a/b"},
        {"hostname": "a?b"},
        {"host": "a:80/"},
        {"host": "a\\b"},
        {"host": "a:80@b"},
        {"host": "a:80:90"},
        {"host": "a:80 "},
        {"host": "a:8\t0"},
        {"host": "[::1]:8]"},
        {"host": "a:8x]"},
        {"host": "a:\u0668"},
        {"scheme": "https:"},
        {"scheme": "https:foo"},
        {"protocol": "https:foo"},
    ],
)
def test_replace_takes_all_of_a_value_or_nothing(parts: Any) -> None:
    url = URL("http://h:1/p")
    with pytest.raises(InvalidURL) as raised:
        url.replace(**parts)
    assert next(iter(parts)) in str(raised.value)
    assert url.href == "http://h:1/p"
    assert URL("file:///x").replace(port=None).href == "file:///x"
    assert url.replace(protocol="https:", port="443").href == "https://h/p"


class Liar(str):
    """A str of which every method that is asked whether it is harmless says yes."""

    def __contains__(self, item: object) -> bool:
        return False

    def __iter__(self) -> Iterator[str]:
        return iter(())

    def __radd__(self, other: str) -> str:
        return f"{other}lie"

    def isascii(self) -> bool:
        return True

    isdigit = isascii

    def removesuffix(self, suffix: str, /) -> str:
        return ""


@pytest.mark.parametrize(
    "parts", [{"host": "a/b"}, {"host": "a:8x"}, {"hostname": "a?b"}, {"port": "80x"}, {"scheme": "https:x"}]
)
def test_replace_with_a_str_that_lies(parts: Any) -> None:
    with pytest.raises(InvalidURL):
        URL("http://h:1/p").replace(**{name: Liar(value) for name, value in parts.items()})


def test_replace_takes_the_text_of_a_str_that_lies() -> None:
    assert URL("http://h/").replace(query=Liar("q"), fragment=Liar("f")).href == "http://h/?q#f"


def test_a_port_that_lies() -> None:
    class Port(int):
        def __int__(self) -> int:
            return 22

    assert URL("http://h/").replace(port=Port(8080)).href == "http://h:8080/"
    assert URL.build(scheme="http", host="h", port=Port(8080)).href == "http://h:8080/"


@pytest.mark.parametrize(
    "text",
    ["<https://user:hunter2@host/>", '"http://user:hunter2@h/"', "ht_tp://user:hunter2@host/", "https//user:hunter2@h"],
)
def test_secrets_of_what_is_hardly_a_url(text: str) -> None:
    with pytest.raises(InvalidURL) as raised:
        URL(text)
    assert "hunter2" not in f"{raised.value}{raised.value!r}{raised.value.args}{raised.value.message}"
    assert raised.value.input == text


def test_a_label_is_looked_at_before_the_base() -> None:
    with pytest.raises(LookupError):
        URL("http://a/", "bad", encoding="bogus")
    with pytest.raises(TypeError, match="encoding"):
        URL("http://a/", encoding=None)  # type: ignore[arg-type]


def test_params_of_a_url_that_was_never_made() -> None:
    url = URL.__new__(URL)
    url.search_params.append("a", "b")
    url.protocol = "x"
    assert url.href == ""


def test_a_dict_of_many_names() -> None:
    params = URLSearchParams([(f"n{number}", str(number)) for number in range(20_000)])
    assert dict(params)["n19999"] == "19999"
    params.append("n5", "later")
    params.append("new", "x")
    assert (params["n5"], params["new"]) == ("5", "x")
    params.delete("n5")
    assert "n5" not in params
    params.set("n6", "y")
    assert params["n6"] == "y"
    params.sort()
    assert params["n6"] == "y"
    del params["n6"]
    assert params.get("n6") is None
