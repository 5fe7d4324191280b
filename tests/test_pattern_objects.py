"""URL patterns as objects: values, pickles, threads, and arguments that lie or change meanwhile."""

from __future__ import annotations

import copy
import gc
import pickle
import sys
import threading
import weakref
from collections.abc import Callable, Iterator, Mapping
from ipaddress import ip_address
from typing import Any
from unittest.mock import Mock

import pytest
from support.patterns import COMPONENTS

from weburl import URL, PatternError, URLPattern
from weburl.bulk import pattern_test_many
from weburl.hosts import parse_host
from weburl.patterns import PatternList

PROTOCOLS = range(pickle.HIGHEST_PROTOCOL + 1)
PATTERNS = [
    URLPattern(),
    URLPattern("https://*.example.com/books/:id"),
    URLPattern({"pathname": "/:a([a-z]+)/*", "search": "q=:b&*"}, ignore_case=True),
    URLPattern("../{:a.}?é", "https://bücher.example:8443/a/b/"),
    URLPattern(protocol="data", pathname="text/:type,*"),
    URLPattern(password="secret-of-mine", port="80"),
]
ROUTES: list[tuple[str, str | URLPattern]] = [
    ("a", "https://*.example.com/books/:id"),
    ("b", PATTERNS[2]),
    ("c", "https://h/{x}?"),
]
URLS = [
    "https://www.example.com/books/7", "https://h/Ab/c?q=1&x", "https://bücher.example:8443/é", "data:text/plain,x",
    "https://h/", "https://h/x", "not a URL", "https://www.example.com/books/",
]  # fmt: skip


class Sub(URLPattern):
    pass


def seen(pattern: URLPattern) -> object:
    found = [pattern.exec(url) for url in URLS]
    return [getattr(pattern, name) for name in COMPONENTS], [one and (one.groups, one.pathname) for one in found]


def by_pickle(protocol: int) -> Callable[[Any], Any]:
    return lambda value: pickle.loads(pickle.dumps(value, protocol))


COPIES = [copy.copy, copy.deepcopy, *map(by_pickle, PROTOCOLS)]
IDS = ["copy", "deepcopy", *(f"pickle{protocol}" for protocol in PROTOCOLS)]


@pytest.mark.parametrize("duplicate", COPIES, ids=IDS)
@pytest.mark.parametrize("pattern", PATTERNS, ids=repr)
def test_copies(pattern: URLPattern, duplicate: Callable[[Any], Any]) -> None:
    again = duplicate(pattern)
    assert type(again) is URLPattern
    assert again == pattern
    assert hash(again) == hash(pattern)
    assert again.ignore_case is pattern.ignore_case
    assert again.has_regexp_groups is pattern.has_regexp_groups
    assert seen(again) == seen(pattern)


@pytest.mark.parametrize("duplicate", COPIES, ids=IDS)
def test_copies_of_a_subclass_and_of_a_list(duplicate: Callable[[Any], Any]) -> None:
    assert type(duplicate(Sub("https://h/:a"))) is Sub
    routes = PatternList(ROUTES)
    again = duplicate(routes)
    assert again == routes
    assert [key for key, _ in again] == ["a", "b", "c"]
    assert [again.first(url) and again.first(url)[0] for url in URLS] == [
        found and found[0] for found in map(routes.first, URLS)
    ]


@pytest.mark.parametrize("duplicate", COPIES[1:], ids=IDS[1:])
def test_copies_of_an_error(duplicate: Callable[[Any], Any]) -> None:
    with pytest.raises(PatternError) as raised:
        URLPattern("https://h/:a/(?=x)")
    again = duplicate(raised.value)
    assert str(again) == str(raised.value)
    assert (again.component, again.position) == (raised.value.component, raised.value.position)


def test_a_pickle_that_lies() -> None:
    data = pickle.dumps(PATTERNS[1])
    assert b"/books/:id" in data
    for broken in (b"/books/:(d", b"/books/)(d", b"/books/{{d"):
        with pytest.raises(PatternError):
            pickle.loads(data.replace(b"/books/:id", broken))


def test_values() -> None:
    keys = {pattern: index for index, pattern in enumerate(PATTERNS)}
    assert len(keys) == len(PATTERNS)
    assert keys[URLPattern(PATTERNS[1].protocol + "://*.example.com/books/:id")] == 1
    assert URLPattern(pathname="/a") != URLPattern(pathname="/a", ignore_case=True)
    assert URLPattern(pathname="/a") != "/a"
    for name in (*COMPONENTS, "ignore_case", "has_regexp_groups", "other"):
        with pytest.raises(AttributeError):
            setattr(PATTERNS[1], name, "x")
    assert "secret-of-mine" not in repr(PATTERNS[5])
    reference = weakref.ref(made := URLPattern("https://h/"))
    del made
    gc.collect()
    assert reference() is None


def test_a_result_outlives_its_pattern() -> None:
    made = URLPattern("https://*.example.com/:a/*")
    match = made.exec("https://www.example.com/" + "b" * 1000 + "/c")
    del made
    gc.collect()
    others = [URLPattern(f"https://h{i}/:a") for i in range(100)]
    assert match is not None
    assert match["a"] == "b" * 1000
    assert match.hostname.groups == {"0": "www"}
    assert match.pathname.groups == {"a": "b" * 1000, "0": "c"}
    del others


def run(work: Callable[[int], None], threads: int = 4, rounds: int = 400) -> None:
    failures: list[BaseException] = []
    start = threading.Barrier(threads)

    def loop(first: int) -> None:
        try:
            start.wait()
            for index in range(rounds):
                work(first + index)
        except BaseException as error:
            failures.append(error)

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    try:
        workers = [threading.Thread(target=loop, args=(number,)) for number in range(threads)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
    finally:
        sys.setswitchinterval(interval)
    if failures:
        raise failures[0]


def test_threads_share_a_pattern() -> None:
    pattern = URLPattern("https://*.example.com/:a/{((?:xy|x)+)}?*")
    routes = PatternList([(str(index), f"https://h{index}.example/:id/*") for index in range(50)])

    def work(index: int) -> None:
        match = pattern.exec(f"https://h{index}.example.com/{index}/xyx{index}" + "-" * (index % 90))
        assert match is not None
        assert match.hostname.groups == {"0": f"h{index}"}
        assert match["a"] == str(index)
        assert match.pathname.groups["0"] == "xyx"
        found = routes.first(f"https://h{index % 50}.example/{index}/x")
        assert found is not None
        assert (found[0], found[1]["id"]) == (str(index % 50), str(index))
        assert not pattern.test(f"https://h{index}.example.org/")

    run(work)


def test_threads_make_patterns() -> None:
    def work(index: int) -> None:
        made = URLPattern(f"https://h{index % 7}.example/:a/(x{{{index % 5}}})*", ignore_case=bool(index % 2))
        assert made.test(f"https://h{index % 7}.example/b/{'x' * (index % 5)}")
        with pytest.raises(PatternError, match="backreference"):
            URLPattern("https://h/((?<a>a)\\1)")

    run(work, rounds=150)


WRONG = [1, b"https://h/", None, ["https://h/"], Mock(spec=str), object(), 1.5]


@pytest.mark.parametrize("wrong", WRONG, ids=[type(wrong).__name__ for wrong in WRONG])
def test_what_is_not_a_pattern(wrong: Any) -> None:
    calls: list[Callable[[], object]] = [lambda: URLPattern(wrong), lambda: PATTERNS[0].test(wrong)]
    if wrong is not None:
        calls += [
            lambda: URLPattern({"pathname": wrong}),
            lambda: URLPattern(pathname=wrong),
            lambda: URLPattern("/a", wrong),
            lambda: PATTERNS[0].exec({"pathname": wrong}),
            lambda: PATTERNS[0].exec("/a", wrong),
            lambda: PatternList([wrong]),
            lambda: PatternList(ROUTES).first(wrong),
        ]
    for call in calls:
        with pytest.raises(TypeError):
            call()


def test_a_mapping_in_the_place_of_a_pattern() -> None:
    components = {"pathname": "/a"}
    wrong: list[Any] = [{"x": components}, [components], [("x", components)]]
    for patterns in wrong:
        with pytest.raises(TypeError, match=r"^a pattern must be .*, not dict: write URLPattern\(\{"):
            PatternList(patterns)
    with pytest.raises(TypeError, match=r", not dict: write URLPattern\(\{\.\.\.\}\) for a mapping of components$"):
        pattern_test_many(["http://h/a"], components)  # type: ignore[arg-type]
    assert PatternList({"x": URLPattern(components)}).first("http://h/a")


def test_a_query_with_its_question_mark() -> None:
    """It was said of ??a that nothing is before its modifier."""
    for init in ({"query": "?a"}, {"query": "?"}):
        with pytest.raises(PatternError, match=r"^a query begins after its question mark: write search="):
            URLPattern(init)
    assert URLPattern(search="?a") == URLPattern(query="a")
    assert URLPattern(search="?a").test("http://h/?a")
    # A query of a URL may begin so.
    assert URLPattern(search="\\?a").test({"query": "?a"})


class Lying(Mapping[str, Any]):
    """Has other keys each time, and values that call back."""

    def __init__(self, call: Callable[[], object], text: Any = "/a") -> None:
        self.call, self.text, self.asked = call, text, 0

    def __getitem__(self, key: str) -> Any:
        self.call()
        return self.text

    def __iter__(self) -> Iterator[str]:
        self.asked += 1
        return iter(["pathname", "search"][: self.asked])

    def __len__(self) -> int:
        return 1 << 60

    def __contains__(self, key: object) -> bool:
        return True


def test_a_mapping_that_calls_back() -> None:
    pattern = URLPattern(pathname="/:a")

    def call() -> None:
        pattern.exec({"pathname": "/b"})
        gc.collect()

    for given in (Lying(call), Lying(call, "x" * 5000)):
        made = URLPattern(given)
        assert made.pathname.startswith(("/a", "x"))
        assert pattern.test(given) in (True, False)


def test_a_mapping_that_fails() -> None:
    class Failed(Exception):
        pass

    def fail() -> None:
        raise Failed

    for call in (URLPattern, PATTERNS[0].test, PATTERNS[0].exec):
        with pytest.raises(Failed):
            call(Lying(fail))


def test_a_str_subclass_with_methods_of_its_own() -> None:
    class Text(str):
        __slots__ = ()

        def __getitem__(self, key: Any) -> str:
            return "?"

        def __len__(self) -> int:
            return 1 << 40

        def __iter__(self) -> Iterator[str]:
            raise AssertionError

        def __eq__(self, other: object) -> bool:
            return True

        def __hash__(self) -> int:
            return 1

    made = URLPattern(Text("https://*.example.com/:a"))
    assert made == URLPattern("https://*.example.com/:a")
    match = made.exec(Text("https://www.example.com/b"))
    assert match is not None
    assert match["a"] == "b"
    assert URLPattern({"pathname": Text("/:a")}).test({"pathname": Text("/b")})
    assert type(made.pathname) is str


@pytest.mark.parametrize("surrogate", [chr(0xD800), chr(0xDFFF)], ids=["first", "last"])
def test_surrogates(surrogate: str) -> None:
    made = URLPattern({"pathname": f"/{surrogate}/:a"})
    assert made.pathname == "/%EF%BF%BD/:a"
    match = made.exec({"pathname": f"/{surrogate}/{surrogate}"})
    assert match is not None
    assert match["a"] == "%EF%BF%BD"
    assert URLPattern(f"https://h/{surrogate}").test(f"https://h/{surrogate}")


def test_an_iterable_that_changes_the_list_meanwhile() -> None:
    given: list[Any] = []

    def each() -> Iterator[Any]:
        for index in range(50):
            gc.collect(0)
            given.append(f"https://h{index}/:a")
            yield given[-1]

    routes = PatternList(each())
    given.clear()
    assert len(routes) == 50
    found = routes.first("https://h49/x")
    assert found is not None
    assert found[1]["a"] == "x"
    with pytest.raises(PatternError):
        PatternList(text for text in ("https://h/", "("))


def test_a_url_that_is_changed_after_a_match() -> None:
    url = URL("https://h/abc?d")
    match = URLPattern(r"https://h/:a\?:b").exec(url)
    assert match is not None
    url.href = "https://other/" + "x" * 5000
    gc.collect()
    assert (match["a"], match["b"], match.inputs[0]) == ("abc", "d", "https://h/abc?d")


def test_components_have_the_names_of_build() -> None:
    """protocol or scheme, search or query, hash or fragment; parts() is a URL that patterns match."""
    one = URLPattern({"scheme": "https", "hostname": "*.example.com", "query": "q=:q", "fragment": "top"})
    other = URLPattern({"protocol": "https", "hostname": "*.example.com", "search": "?q=:q", "hash": "#top"})
    assert one == other == URLPattern(scheme="https", hostname="*.example.com", query="q=:q", fragment="top")
    assert URLPattern(query="\\?a").test("http://h/??a")
    assert not URLPattern(query="\\?a").test("http://h/?a")
    assert URLPattern(hostname=ip_address("127.0.0.1"), port=8080).test("http://127.1:8080/")
    address: Any
    for address in (ip_address("::1"), parse_host("[::1]")):
        pattern = URLPattern(hostname=address)
        assert pattern.test("http://[0::1]/")
        assert not pattern.test("http://[::2]/")
        assert pattern.test({"hostname": address})
    address = parse_host("*.h")
    assert not URLPattern(hostname=address).test("http://a.h/")
    assert URLPattern(scheme=None, port=None).test("http://h:1/")
    url = URL("https://u:p@www.example.com:81/a?q=1#x")
    pattern = URLPattern(scheme="https", hostname="*.example.com", port="81", pathname="/:path", query="q=:q")
    assert pattern.test(url)
    result = pattern.exec(url.parts())
    assert result is not None
    assert (result["path"], result["q"]) == ("a", "1")
    assert result.inputs == ({**url.parts(), "port": "81"},)
    assert not pattern.test(URL("https://www.example.com/a?q=1").parts())
    assert pattern.test(
        {"scheme": "https", "hostname": "www.example.com", "port": 81, "pathname": "/a", "query": "q=1"}
    )


@pytest.mark.parametrize(
    ("components", "message"),
    [
        ({"host": "h"}, "has no host: use hostname and port"),
        ({"params": {"a": 1}}, "has no params: use search"),
        ({"path_segments": ["a"]}, "has no path_segments: use pathname"),
        ({"path": "/a"}, "has no path: use pathname"),
        ({"search_params": "a"}, "has no search_params: use search"),
        ({"decoded_segments": ()}, "has no decoded_segments: use pathname"),
        ({"origin": "http://h"}, "has no origin: use scheme and host"),
        ({"user": "u"}, "has no user: use username"),
        ({"scheme": "a", "protocol": "a"}, "takes protocol or scheme, not both"),
        ({"search": "a", "query": "a"}, "takes search or query, not both"),
        ({"fragment": "a", "hash": "a"}, "takes hash or fragment, not both"),
        ({"zzz": "a"}, "has the components protocol, username, .* and base_url, not 'zzz'"),
        ({1: "a"}, "has the components .* not int"),
    ],
)
def test_components_that_there_are_not(components: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^a pattern {message}$"):
        URLPattern(components)
    with pytest.raises(TypeError, match=f"^a URL {message}$"):
        URLPattern().test(components)


@pytest.mark.parametrize(
    ("components", "message"),
    [
        ({"port": 1.5}, "port must be a str or an int, not float: use int"),
        ({"port": True}, "port must be a str or an int, not bool"),
        ({"hostname": 5}, "hostname must be a str, a Host, an address of ipaddress or None, not int"),
        ({"pathname": b"/"}, "pathname must be a str or None, not bytes: decode it first"),
        ({"query": {"a": "b"}}, "query must be a str or None, not dict"),
    ],
)
def test_values_of_components(components: Any, message: str) -> None:
    for call in (URLPattern, URLPattern().test, URLPattern().exec):
        with pytest.raises(TypeError, match=f"^{message}"):
            call(components)
