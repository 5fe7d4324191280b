"""URLs from parts: URL.build(), parts(), the operator /, decoded_segments, and replace() with segments and params."""

from __future__ import annotations

import inspect
import itertools
import pickle
from collections.abc import Callable, Iterator
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from random import Random
from typing import Any, cast

import pytest
from support.hostile import DELIMITERS, HOSTS, ODD, SCHEMES, SEQUENCES, inputs
from support.literal_compare import compare
from support.parts_model import Given, Refused, built, scalar_values
from support.wpt_cases import DATA, read_cases

from weburl import URL, FrozenURL, InvalidURL, URLSearchParams
from weburl._core.parser import set_max_length
from weburl.hosts import parse_host

PARTS = ["scheme", "username", "password", "hostname", "port", "pathname", "query", "fragment"]


class Sub(URL):
    pass


class Text(str):
    """A str whose own methods lie."""

    def __str__(self) -> str:
        return "lie"

    def __len__(self) -> int:
        return 0

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None  # type: ignore[assignment]


def refusal(call: Any, *arguments: Any, **options: Any) -> InvalidURL:
    with pytest.raises(InvalidURL) as raised:
        call(*arguments, **options)
    return raised.value


def given(**parts: Any) -> Any:
    return parts


@pytest.mark.parametrize(
    ("parts", "href"),
    [
        (given(scheme="https", host="example.com"), "https://example.com/"),
        (given(scheme="HTTPS", host="EXAMPLE.com", port=443, pathname="/a"), "https://example.com/a"),
        (given(scheme="https", host="h", port="0080"), "https://h:80/"),
        (given(scheme="https", host="h", port=0), "https://h:0/"),
        (given(scheme="https", host="h", port=""), "https://h/"),
        (given(scheme="https", host="h", port=None, query=None, pathname=None, username=None, password=None), "https://h/"),
        # Each part has its own set, and keeps its percent signs.
        (
            given(scheme="http", host="h", username="a:b@%40", password="/?#\t", pathname="/a b?#`{}^%41|\\c",
                  query="'\"# ?%", fragment="`# \n%"),
            "http://a%3Ab%40%40:%2F%3F%23%09@h/a%20b%3F%23%60%7B%7D%5E%41|/c?%27%22%23%20?%#%60#%20%0A%",
        ),
        (given(scheme="x", host="h", pathname="/a\\b", query="'"), "x://h/a\\b?'"),
        (given(scheme="http", host="h", pathname="/a/../\tb/%2e/c"), "http://h/%09b/c"),
        (given(scheme="http", host="h", pathname="\\a"), "http://h/a"),
        (given(scheme="http", host="h", query="", fragment=""), "http://h/?#"),
        (given(scheme="http", host="h", query="?a", fragment="#a"), "http://h/??a##a"),
        (given(scheme="http", host="h", password="p"), "http://:p@h/"),
        (given(scheme="http", host="h", username="", password=""), "http://h/"),
        # Hosts.
        (given(scheme="http", host="bücher.example"), "http://xn--bcher-kva.example/"),
        (given(scheme="http", host="ex%61mple.com"), "http://example.com/"),
        (given(scheme="http", host="0x7f.1"), "http://127.0.0.1/"),
        (given(scheme="http", host=IPv4Address("1.2.3.4")), "http://1.2.3.4/"),
        (given(scheme="http", host=IPv6Address("::1"), port=8080), "http://[::1]:8080/"),
        (given(scheme="x", host=IPv6Address("::1")), "x://[::1]"),
        (given(scheme="http", host=parse_host("[1:0::]")), "http://[1::]/"),
        (given(scheme="http", host=parse_host("é.example")), "http://xn--9ca.example/"),
        (given(scheme="x", host="a é%"), None),
        (given(scheme="x", host="É%"), "x://%C3%89%"),
        (given(scheme="x", host=""), "x://"),
        (given(scheme="x", host="", pathname="/a"), "x:///a"),
        (given(scheme="x", host="", pathname="//a"), "x:////a"),
        (given(scheme="file", pathname="/a"), "file:///a"),
        (given(scheme="file", host=""), "file:///"),
        (given(scheme="file", host="localhost", pathname="/a"), "file:///a"),
        (given(scheme="file", host="%6cocalhost", pathname="//a", query=""), "file:////a?"),
        (given(scheme="file", host="h", pathname="/C:/a"), "file://h/C:/a"),
        (given(scheme="file", pathname="/C|/../a"), "file:///C:/a"),
        # Paths without a host.
        (given(scheme="x"), "x:"),
        (given(scheme="x", pathname="/"), "x:/"),
        (given(scheme="x", pathname="//a"), "x:/.//a"),
        (given(scheme="x", pathname="/.//a"), "x:/.//a"),
        (given(scheme="x", pathname="/..//a"), "x:/.//a"),
        (given(scheme="x", pathname="//a/.."), "x:/.//"),
        (given(scheme="x", pathname="//.."), "x:/"),
        (given(scheme="mailto", pathname="a@b.example", query="subject=a b"), "mailto:a@b.example?subject=a%20b"),
        (given(scheme="x", pathname=" a  b  "), "x: a  b %20"),
        (given(scheme="x", pathname="a ", query="q"), "x:a%20?q"),
        (given(scheme="x", pathname=" ", fragment=""), "x:%20#"),
        (given(scheme="x", pathname="a?b#c\té\\\"<>"), "x:a%3Fb%23c%09%C3%A9\\\"<>"),
        # Decoded text.
        (given(scheme="http", host="h", path_segments=["a/b", "%2F", "c d?#", "\\", "", "é|"]),
         "http://h/a%2Fb/%252F/c%20d%3F%23/%5C//%C3%A9|"),
        (given(scheme="x", host="h", path_segments=["\\", "..."]), "x://h/\\/..."),
        (given(scheme="http", host="h", path_segments=["%2e", "%2E%2e"]), "http://h/%252e/%252E%252e"),
        (given(scheme="http", host="h", path_segments=["..\t", ".\n"]), "http://h/..%09/.%0A"),
        (given(scheme="http", host="h", path_segments=[]), "http://h/"),
        (given(scheme="x", host="h", path_segments=[]), "x://h"),
        (given(scheme="x", path_segments=[]), "x:/"),
        (given(scheme="x", path_segments=["", "a"]), "x:/.//a"),
        (given(scheme="x", path_segments=["", ""]), "x:/.//"),
        (given(scheme="x", path_segments=[""]), "x:/"),
        (given(scheme="x", host="", path_segments=["", "a"]), "x:////a"),
        (given(scheme="file", path_segments=["C|", "C|"]), "file:///C%7C/C|"),
        (given(scheme="file", path_segments=["", "C|"]), "file:////C|"),
        (given(scheme="file", path_segments=["C:", "a"]), "file:///C:/a"),
        (given(scheme="http", host="h", params={"a b": "&=+%é"}), "http://h/?a+b=%26%3D%2B%25%C3%A9"),
        (given(scheme="x", params=[("a", "1"), ["a", "'"]]), "x:?a=1&a=%27"),
        (given(scheme="http", host="h", params=URLSearchParams("b=2&a")), "http://h/?b=2&a="),
        (given(scheme="http", host="h", params={}), "http://h/"),
    ],
)  # fmt: skip
def test_build(parts: Any, href: str | None) -> None:
    if href is None:
        assert refusal(URL.build, **parts).part == "host"
        return
    url = URL.build(**parts)
    assert url.href == href
    compare(URL(href), built_of(url))
    assert URL.build(**url.parts()) == url


def test_segments_of_an_iterator() -> None:
    assert URL.build(scheme="http", host="h", path_segments=iter(["a", "b"])).href == "http://h/a/b"


def built_of(url: URL) -> Any:
    """The model of a URL's own parts."""
    parts = {name: value for name, value in url.parts().items() if value is not None}
    return built(cast(Given, {**parts, "port": str(parts.get("port", ""))}))


@pytest.mark.parametrize(
    ("parts", "part", "error", "position", "message"),
    [
        (given(scheme=""), "scheme", "scheme-invalid", 0, "A scheme is a letter"),
        (given(scheme="1a", host="h"), "scheme", "scheme-invalid", 0, "A scheme is a letter"),
        (given(scheme="https:", host="h"), "scheme", "scheme-invalid", 5, "A scheme is a letter"),
        (given(scheme="a\tb"), "scheme", "scheme-invalid", 1, "A scheme is a letter"),
        (given(scheme="é"), "scheme", "scheme-invalid", 0, "A scheme is a letter"),
        (given(scheme="http"), "host", "host-missing", 0, "The host is missing"),
        (given(scheme="wss", host="", pathname="/a"), "host", "host-missing", 0, "The host is missing"),
        (given(scheme="http", host="a/b"), "host", "domain-to-ASCII", 1, "A host cannot have '/'"),
        (given(scheme="http", host="a?b"), "host", "domain-to-ASCII", 1, "A host cannot have '?'"),
        (given(scheme="http", host="a#"), "host", "domain-to-ASCII", 1, "A host cannot have '#'"),
        (given(scheme="http", host="a\\b"), "host", "domain-to-ASCII", 1, r"A host cannot have '\\'"),
        (given(scheme="http", host="a\tb"), "host", "domain-to-ASCII", 1, r"A host cannot have '\t'"),
        (given(scheme="http", host="a@b"), "host", "domain-to-ASCII", 0, "The domain is not valid"),
        (given(scheme="http", host=" h"), "host", "domain-to-ASCII", 0, "The label ' h'"),
        (given(scheme="http", hostname="h:80"), "hostname", "domain-to-ASCII", 0, "This is a host and a port"),
        (given(scheme="x", hostname="h:"), "hostname", "host-invalid-code-point", 0, "This is a host and a port"),
        (given(scheme="http", hostname="[::1]:80"), "hostname", "IPv6-unclosed", 0, "This is a host and a port"),
        (given(scheme="http", host="::1"), "host", "domain-to-ASCII", 0, "An IPv6 address as a host is in brackets"),
        (given(scheme="http", host="u@h:80"), "host", "domain-to-ASCII", 0, "The domain is not valid"),
        (given(scheme="http", host="%2F"), "host", "domain-to-ASCII", 0, "The label '/'"),
        (given(scheme="http", host="1.2.3.256"), "host", "IPv4-out-of-range-part", 6, "The IPv4 address"),
        (given(scheme="http", host="[::1"), "host", "IPv6-unclosed", 0, "The IPv6 address"),
        (given(scheme="http", host=IPv6Address("fe80::1%1")), "host", "IPv6-invalid-code-point", 8, "A URL cannot"),
        (given(scheme="file", host="C|"), "host", "domain-to-ASCII", 0, "The label 'c|'"),
        (given(scheme="x", host="a/b"), "host", "host-invalid-code-point", 1, "A host cannot have '/'"),
        (given(scheme="x", host="a@b"), "host", "host-invalid-code-point", 1, "A host cannot have '@'"),
        (given(scheme="x", host="a\\b"), "host", "host-invalid-code-point", 1, "A host cannot have"),
        (given(scheme="x", username="secret"), "username", "ignored", None, "This URL cannot have this username."),
        (given(scheme="x", host="", password="secret"), "password", "ignored", None, "This URL cannot have this"),
        (given(scheme="file", host="h", password="secret"), "password", "ignored", None, "This URL cannot have this"),
        (given(scheme="x", port=1), "port", "ignored", None, "This URL cannot have this port."),
        (given(scheme="file", host="h", port=1), "port", "ignored", None, "This URL cannot have this port."),
        (given(scheme="http", host="h", port=65536), "port", "port-out-of-range", 0, "The port '65536' is too large"),
        (given(scheme="http", host="h", port=10**5000), "port", "port-out-of-range", 0, "The port '10000"),
        (given(scheme="http", host="h", port=-1), "port", "port-invalid", 0, "A port is not negative"),
        (given(scheme="http", host="h", port="8 "), "port", "port-invalid", None, "The port is not a number"),
        (given(scheme="http", host="h", port="٣"), "port", "port-invalid", None, "The port is not a number"),
        (given(scheme="http", host="h", pathname="a"), "pathname", "relative-path", 0, "A path that follows a host"),
        (given(scheme="x", host="", pathname="\\a"), "pathname", "relative-path", 0, "A path that follows a host"),
        (given(scheme="http", host="h", pathname="\t/"), "pathname", "relative-path", 0, "A path that follows a host"),
        (given(scheme="x", path_segments=["a", ".."]), "path_segments", "dot-segment", 0, "A segment cannot"),
        (given(scheme="x", path_segments=["."]), "path_segments", "dot-segment", 0, "A segment cannot be"),
    ],
)  # fmt: skip
def test_refused(parts: Any, part: str, error: str, position: int | None, message: str) -> None:
    found = refusal(URL.build, **parts)
    assert (found.part, found.error, found.position) == (part, error, position)
    assert found.message.startswith(message)
    assert str(found).startswith(f"{error} in the {part} '")
    assert "secret" not in str(found)
    assert (found.base, found.row) == (None, None)
    again = pickle.loads(pickle.dumps(found))
    assert (again.input, str(again)) == (found.input, str(found))


def test_the_input_is_what_was_given() -> None:
    for part, value in given(scheme="é ", host="a/b", port="8x", pathname="a").items():
        assert refusal(URL.build, **{"scheme": "http", "host": "h", part: value}).input == value
    assert refusal(URL.build, scheme="http", host="h", path_segments=["a", "..", "."]).input == ".."
    assert refusal(URL("http://h/").__truediv__, ".").input == "."


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (given(host="h"), "scheme"),
        (given(scheme=None), "needs a scheme"),
        (given(scheme=b"http"), "scheme must be a str, not bytes: decode it first"),
        (given(scheme="http", host=1), "host must be a str, a Host, an address of ipaddress or None, not int"),
        (given(scheme="http", host=b"h"), "not bytes: decode it first"),
        (given(scheme="http", host="h", port=1.0), "port must be a str or an int, not float"),
        (given(scheme="http", host="h", port=True), "port must be a str or an int, not bool"),
        (given(scheme="http", host="h", username=1), "username must be a str or None, not int"),
        (given(scheme="http", host="h", password=b""), "password must be a str or None, not bytes"),
        (given(scheme="http", host="h", pathname=b"/"), "pathname must be a str or None, not bytes"),
        (given(scheme="http", host="h", query=1), "query must be a str or None, not int"),
        (given(scheme="http", host="h", fragment=1), "fragment must be a str or None, not int"),
        (given(scheme="http", host="h", pathname="/", path_segments=[]), "pathname or path_segments, not both"),
        (given(scheme="http", host="h", query="", params={}), "query or params, not both"),
        (given(scheme="http", host="h", path_segments="abc"), "path_segments must be an iterable of str, not str"),
        (given(scheme="http", host="h", path_segments=b"abc"), "path_segments must be an iterable of str, not bytes"),
        (given(scheme="http", host="h", path_segments=1), "path_segments must be an iterable of str, not int"),
        (given(scheme="http", host="h", path_segments=["a", 1]), "a segment must be a str, not int"),
        (given(scheme="http", host="h", path_segments=[None, "a"]), "a segment must be a str, not NoneType"),
        (given(scheme="http", host="h", params="a=b"), "params must be a mapping or pairs, not str: use query="),
        (
            given(scheme="http", host="h", params={"a": 1.5}),
            "a value must be a str, an int or a list of them, not float",
        ),
        (given(scheme="http", host="h", params=[("a",)]), "a pair must have 2 items"),
        (given(scheme="http", host="h", params=None, parms=()), "argument 'parms': did you mean params"),
        (given(scheme="http", host="h", zzz=1), "argument 'zzz'$"),
        (
            given(scheme="http", host="h:81", port=81),
            r"build\(\) takes the port in host or as port, not both: use hostname",
        ),
        (given(scheme="http", host="[::1]:81", port=""), "not both"),
    ],
)
def test_wrong_types(parts: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        URL.build(**parts)


def test_no_positional_arguments() -> None:
    with pytest.raises(TypeError):
        URL.build("http", "h")  # type: ignore[call-arg]


def test_str_subclasses() -> None:
    url = URL.build(scheme=Text("http"), host=Text("h"), username=Text("u"), pathname=Text("/p"), query=Text("q"))
    assert url.href == "http://u@h/p?q"
    assert type(url.href) is str
    assert URL.build(scheme="http", host="h", path_segments=[Text("a"), Text("b")]).href == "http://h/a/b"
    assert (URL("http://h/") / Text("a")).href == "http://h/a"
    error = refusal(URL.build, scheme="http", host="h", pathname=Text("a"))
    assert error.input == "a"
    assert type(error.input) is str


def test_surrogates() -> None:
    for text, meaning in (("\ud83d\ude00", "😀"), ("\ude00\ud83d", "\ufffd\ufffd"), ("\ud800", "\ufffd")):
        for part in ("username", "password", "query", "fragment"):
            made = URL.build(**given(scheme="x", host="h", **{part: text}))
            assert made == URL.build(**given(scheme="x", host="h", **{part: meaning}))
        assert URL.build(scheme="x", host="h", pathname="/" + text).href == URL("x://h/" + meaning).href
        assert URL.build(scheme="x", pathname=text).href == URL("x:" + meaning).href
        assert URL.build(scheme="x", host=text).href == URL(f"x://{meaning}").href
        assert URL.build(scheme="x", path_segments=[text]).decoded_segments == (meaning,)
        assert list(URL.build(scheme="x", params={text: text}).search_params) == [(meaning, meaning)]
        assert (URL("x:/a") / text).decoded_segments == ("a", meaning)


# parts()


@pytest.mark.parametrize(
    ("href", "values"),
    [
        ("https://u:p@h:81/a?b#c", ["https", "u", "p", "h", 81, "/a", "b", "c"]),
        ("https://h/", ["https", "", "", "h", None, "/", None, None]),
        ("https://h/?#", ["https", "", "", "h", None, "/", "", ""]),
        ("https://:p@h:0/", ["https", "", "p", "h", 0, "/", None, None]),
        ("x://", ["x", "", "", "", None, "", None, None]),
        ("x:", ["x", "", "", None, None, "", None, None]),
        ("x:/.//a", ["x", "", "", None, None, "//a", None, None]),
        ("x:a %20", ["x", "", "", None, None, "a %20", None, None]),
        ("file:///C:/", ["file", "", "", "", None, "/C:/", None, None]),
        ("http://[::1]/%41", ["http", "", "", "[::1]", None, "/%41", None, None]),
    ],
)
def test_parts(href: str, values: list[object]) -> None:
    parts = URL(href).parts()
    assert list(parts) == PARTS
    assert list(parts.values()) == values
    assert URL.build(**parts).href == href


def test_parts_with_what_params_changed() -> None:
    url = URL("http://h/?a=1")
    url.search_params["a"] = "2"
    assert url.parts()["query"] == "a=2"
    url.search_params["a"] = "3"
    assert (url / "x").href == "http://h/x"
    assert url.replace(path_segments=["y"]).href == "http://h/y?a=3"


def changed(limit: int) -> Iterator[URL]:
    """URLs that parsing, joining and the setters make of hostile inputs."""
    for text, base, encoding, assignments in itertools.islice(inputs(15), limit):
        url = URL.parse(text, base, encoding=encoding)
        if url is not None:
            yield url
            for name, value in assignments:
                try:
                    setattr(url, name, value)
                except InvalidURL:
                    continue
                if name == "protocol":
                    # Into file, the standard's setter makes URLs that do not parse to themselves.
                    url = URL(url.href)
                yield url
            url.search_params.append("é", text[:5])
            yield url


def from_the_platform_tests() -> Iterator[URL]:
    """Without their data there is nothing; test_data.py tells."""
    for name in ("urltestdata.json", "urltestdata-javascript-only.json"):
        for case in [] if DATA is None else read_cases(DATA[name]):
            url = URL.parse(case["input"], case["base"])
            if url is not None:
                yield url


def test_round_trip() -> None:
    count = 0
    for url in itertools.chain(from_the_platform_tests(), changed(2000)):
        count += 1
        parts = url.parts()
        again = URL.build(**parts)
        assert again == url
        assert again.parts() == parts
        assert again.host_type == url.host_type
        if again.host_type is not None:
            assert again.replace(**parts) == again
        segments = url.decoded_segments
        assert (segments is None) is url.has_opaque_path
        if segments is not None:
            replaced: Any = {**parts, "pathname": None}
            by_segments = URL.build(**replaced, path_segments=segments)
            assert by_segments.decoded_segments == segments
    assert count > 2000


def test_the_exceptions_are_those_of_the_setter() -> None:
    for start, name, read_back in (
        ("http://localhost/a", "hostname", "file:///a"),
        ("http://h/C|/a", "pathname", "file://h/C:/a"),
    ):
        url = URL(start)
        url.protocol = "file"
        assert url.href == start.replace("http", "file")
        assert url.parts()[name] in url.href  # type: ignore[literal-required]
        assert URL.build(**url.parts()).href == URL(url.href).href == read_back


# Against the model.

PIECES = [*DELIMITERS, *SEQUENCES, *ODD, "a", "b", "0", "C|", "c:", ".", "..", "%2e"]


def random_text(random: Random) -> str:
    if random.random() < 0.1:
        return ""
    return "".join(random.choice(PIECES) for _ in range(random.choice((1, 1, 2, 3, 20))))


def random_parts(random: Random) -> Given:
    parts: Given = {"scheme": random.choice(SCHEMES) if random.random() < 0.97 else random_text(random)}
    if random.random() < 0.8:
        parts["host"] = random.choice(HOSTS) if random.random() < 0.9 else random_text(random)
    if random.random() < 0.2:
        parts["port"] = random.choice(["", "0", "80", "443", "65535", "65536", "00021", "x", "8 ", "-1", "９", "\t8"])
    if ":" in parts.get("host", "").rpartition("]")[2]:
        # That may be a port, and two are refused.
        parts.pop("port", None)
    for name in ("username", "password"):
        if random.random() < 0.2:
            parts[name] = random_text(random)
    if random.random() < 0.5:
        slash = random.choice(("/", "/", "/", "//", "", "\\"))
        parts["pathname"] = slash + random_text(random) + random.choice(("", " ", "/..", "/a"))
    elif random.random() < 0.7:
        parts["path_segments"] = [random_text(random) for _ in range(random.randrange(4))]
    if random.random() < 0.4:
        parts["query"] = random_text(random)
    elif random.random() < 0.4:
        parts["params"] = [(random_text(random), random_text(random)) for _ in range(random.randrange(3))]
    if random.random() < 0.4:
        parts["fragment"] = random_text(random)
    return parts


def compare_errors(error: InvalidURL, reason: Refused, parts: Given) -> None:
    assert (error.error, error.part) == reason.args, parts


@pytest.mark.sample(2)
@pytest.mark.parametrize("seed", range(8))
def test_model(seed: int) -> None:
    random = Random(seed)
    refused = made = 0
    for _ in range(1500):
        parts = random_parts(random)
        try:
            expected = built(parts)
        except Refused as reason:
            error = refusal(URL.build, **parts)
            compare_errors(error, reason, parts)
            assert error.message
            assert error.position is None or 0 <= error.position <= len(error.input)
            refused += 1
            continue
        url = URL.build(**parts)
        compare(url, expected, parts)
        compare(URL(url.href), expected, parts)
        if "path_segments" in parts:
            meant = tuple(map(scalar_values, parts["path_segments"]))
            assert url.decoded_segments == (meant or (() if url.pathname == "" else ("",)))
        made += 1
    assert made > 300
    assert refused > 300


@pytest.mark.parametrize("seed", range(2))
def test_segments_and_params_of_replace_and_the_operator(seed: int) -> None:
    random = Random(seed)
    for url in changed(600):
        segments = [random_text(random) for _ in range(random.randrange(4))]
        pairs = [(random_text(random), random_text(random))]
        queried = url.replace(params=pairs)
        assert list(queried.search_params) == [(scalar_values(name), scalar_values(value)) for name, value in pairs]
        assert queried.replace(query=url.query) == url
        if url.has_opaque_path:
            assert refusal(url.replace, path_segments=segments).error in ("ignored", "dot-segment")
            assert refusal(url.__truediv__, "a").part == "segment"
            continue
        if {".", ".."} & set(segments):
            error = refusal(url.replace, path_segments=segments)
            assert (error.error, error.part) == ("dot-segment", "path_segments")
            continue
        meant = tuple(map(scalar_values, segments))
        replaced = url.replace(path_segments=segments)
        assert replaced.decoded_segments == (meant or (() if replaced.pathname == "" else ("",)))
        assert replaced.replace(pathname=url.pathname) == url
        parts: Any = {**url.parts(), "pathname": None}
        assert replaced == URL.build(**parts, path_segments=segments)
        for segment in segments:
            before = url.path_segments
            assert before is not None
            longer = url / segment
            after = longer.path_segments
            assert after is not None
            assert after[:-1] == (before[:-1] if before and before[-1] == "" else before)
            assert longer.decoded_segments is not None
            assert longer.decoded_segments[-1] == scalar_values(segment)
            kept = given(**longer.parts()) | {"pathname": url.pathname, "query": url.query, "fragment": url.fragment}
            assert URL.build(**kept) == url
            assert URL(longer.href) == longer


# The operator /, and replace()


@pytest.mark.parametrize(
    ("url", "segment", "href"),
    [
        ("http://h", "a", "http://h/a"),
        ("http://h/a", "b c/d", "http://h/a/b%20c%2Fd"),
        ("http://h/a/", "b", "http://h/a/b"),
        ("http://h/a//", "b", "http://h/a//b"),
        ("http://u:p@h:81/a?q#f", "%41?#\\", "http://u:p@h:81/a/%2541%3F%23%5C"),
        ("http://h/a", "", "http://h/a/"),
        ("http://h/a/", "", "http://h/a/"),
        ("http://h/a", "/b", "http://h/a/%2Fb"),
        ("http://h/a", "...", "http://h/a/..."),
        ("http://h/a", "%2e%2e", "http://h/a/%252e%252e"),
        ("http://h/a", "\t..", "http://h/a/%09.."),
        ("x://h", "a\\b", "x://h/a\\b"),
        ("x://h", "", "x://h/"),
        ("x:/", "a", "x:/a"),
        ("x:/", "", "x:/"),
        ("x:/.//", "a", "x:/.//a"),
        ("x:///", "a", "x:///a"),
        ("file:///", "C|", "file:///C%7C"),
        ("file:///", "C:", "file:///C:"),
        ("file:///a", "C|", "file:///a/C|"),
        ("file://h", "C|", "file://h/C%7C"),
    ],
)
def test_operator(url: str, segment: str, href: str) -> None:
    before = URL(url)
    after = before / segment
    assert (before.href, after.href) == (URL(url).href, href)
    assert URL(href) == after


def test_operator_refuses() -> None:
    for segment in (".", ".."):
        error = refusal(URL("http://h/").__truediv__, segment)
        assert (error.part, error.error, error.position) == ("segment", "dot-segment", 0)
    error = refusal(URL("mailto:a").__truediv__, "b")
    assert (error.part, error.error, error.message) == ("segment", "ignored", "This URL cannot have this segment.")
    for value in (1, b"a", None, URL("http://h/")):
        with pytest.raises(TypeError):
            URL("http://h/") / value  # type: ignore[operator]
    with pytest.raises(TypeError):
        "a" / URL("http://h/")  # type: ignore[operator]


def test_operator_in_place_makes_another_url() -> None:
    url = before = URL("http://h/a")
    url /= "b"
    assert (url.href, before.href) == ("http://h/a/b", "http://h/a")


@pytest.mark.parametrize(
    ("url", "parts", "href"),
    [
        ("http://h/a?q#f", given(path_segments=["b/c", ""]), "http://h/b%2Fc/?q#f"),
        ("http://h/a?q#f", given(path_segments=[]), "http://h/?q#f"),
        ("x://h/a", given(path_segments=()), "x://h"),
        ("x:/a", given(path_segments=()), "x:/"),
        ("x:/a", given(path_segments=["", "b"]), "x:/.//b"),
        ("http://h/C|", given(scheme="file", path_segments=["C|"]), None),
        ("https://h/a", given(scheme="file", path_segments=["C|"]), "file://h/C%7C"),
        ("http://h/a?q#f", given(params={"a": "b c"}), "http://h/a?a=b+c#f"),
        ("http://h/a?q#f", given(params=[]), "http://h/a#f"),
        ("http://h/?q", given(params=[("", "")]), "http://h/?="),
        ("mailto:a", given(params=[("a", "b")]), "mailto:a?a=b"),
    ],
)
def test_replace(url: str, parts: Any, href: str | None) -> None:
    made = URL(url).replace(**parts)
    assert made.href == (href or "file://h/C%7C")
    assert URL(made.href) == made


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        (given(pathname="/", path_segments=[]), "pathname or path_segments, not both"),
        (given(search="", params={}), "search or params, not both"),
        (given(query=None, params={}), "query or params, not both"),
        (given(params="a=b"), "params must be a mapping"),
        (given(scheme=None), "scheme must be a str, not NoneType"),
        (given(path_segments="ab"), "path_segments must be an iterable of str, not str"),
        (given(host="a", hostname="b"), "host or hostname, not both"),
        (given(path_segments=[1]), "a segment must be a str"),
        (given(host="a:81", port=82), r"replace\(\) takes the port in host or as port, not both: use hostname"),
        (given(host="a:81", port=None), "not both"),
        (given(hots="a"), "argument 'hots': did you mean host"),
    ],
)
def test_replace_with_wrong_types(parts: Any, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        URL("http://h/").replace(**parts)


@pytest.mark.parametrize(
    ("url", "segments"),
    [
        ("http://h", ("",)),
        ("http://h/a%2Fb/%25/c%20d//", ("a/b", "%", "c d", "", "")),
        ("http://h/%C3%A9/%ff%c3/%F0%9F%98%80/+", ("é", "\ufffd\ufffd", "😀", "+")),
        ("http://h/%ED%A0%80%zz%4", ("\ufffd\ufffd\ufffd%zz%4",)),
        ("x://h", ()),
        ("x:/", ("",)),
        ("x:/.//a", ("", "a")),
        ("x:a/b", None),
        ("x:", None),
        ("http://h/" + "%41" * 1000, ("A" * 1000,)),
    ],
)
def test_decoded_segments(url: str, segments: tuple[str, ...] | None) -> None:
    assert URL(url).decoded_segments == segments


# As objects, and their limits.


def test_edits_keep_the_attributes_of_a_subclass() -> None:
    class Frozen(FrozenURL):
        pass

    for cls in (Sub, Frozen):
        url: Any = cls("http://h/a/b?c")
        url.note = ["n"]
        for edited in (
            url.join("../d"), url.join(URL("http://i/")), url / "e", url.parent, url.replace(port=81),
            url.with_params(c=1), url.add_params(c=1), url.without_params("c"),
        ):  # fmt: skip
            assert (type(edited), edited.note) == (cls, ["n"])
        assert not hasattr(cls.parse(url), "note")


def test_what_is_left_out() -> None:
    """The default that signatures show stands for a part that stays as it is."""
    url = URL("http://u:p@h:81/a?b#c")
    names = [name for name, each in inspect.signature(URL.replace).parameters.items() if each.default is ...]
    assert len(names) == 15
    unchanged: dict[str, Any] = dict.fromkeys(names, ...)
    assert url.replace(**unchanged) == url.replace() == url
    for edit in (url.with_params, url.add_params):
        without: Any = edit
        assert without(...) == without() == url
    with pytest.raises(KeyError):
        URLSearchParams("a").pop("b", ...)


def test_subclasses() -> None:
    assert type(Sub.build(scheme="http", host="h")) is Sub
    assert type(Sub("http://h/") / "a") is Sub
    assert type(URL.build(scheme="http", host="h")) is URL
    assert type(URL("http://h/").build(scheme="http", host="h")) is URL
    assert type(Sub("http://h/").build(scheme="http", host="h")) is Sub
    assert type(super(Sub, Sub).build(scheme="http", host="h")) is Sub
    assert "build" in dir(URL)
    assert URL.build.__doc__ == Sub.build.__doc__
    assert "A new URL, made of its parts" in str(URL.build.__doc__)


def test_a_subclass_whose_init_was_skipped() -> None:
    url = URL.__new__(Sub)
    assert list(url.parts().values()) == ["", "", "", None, None, "", None, None]
    assert url.decoded_segments is None
    assert refusal(url.__truediv__, "a").error == "ignored"
    assert refusal(URL.build, **url.parts()).error == "scheme-invalid"


def test_a_subclass_whose_new_gives_nothing() -> None:
    class Nothing(URL):
        def __new__(cls, *args: Any) -> Any:
            return None

    with pytest.raises(TypeError, match="must give a URL"):
        Nothing.build(scheme="http", host="h")


def test_iterables_that_fail() -> None:
    def segments() -> Iterator[str]:
        yield "a"
        raise RuntimeError("mine")

    for call in (partial(URL.build, scheme="x"), URL("x:/").replace):
        with pytest.raises(RuntimeError, match="mine"):
            call(path_segments=segments())


LIMITED: list[Any] = [
    given(scheme="http", host="a.example", port=80, username="é", password="ü", pathname="/ö", query="ä", fragment="ß"),
    given(scheme="http", host="bücher.example"),
    given(scheme="x", host="é"),
    given(scheme="x", pathname="a é "),
    given(scheme="x", pathname="//a"),
    given(scheme="x", path_segments=["", "é", "%"]),
    given(scheme="http", host="h", params={"é": "é"}),
    given(scheme="http", host="h", pathname="/" + "é" * 400, query="é" * 400),
    given(scheme="file", path_segments=["C|"]),
]


@pytest.mark.parametrize("parts", LIMITED, ids=str)
def test_limit(parts: Any) -> None:
    href = URL.build(**parts).href
    for limit in range(1, len(href) + 1):
        before = set_max_length(limit)
        try:
            if limit == len(href):
                assert URL.build(**parts).href == href
            else:
                error = refusal(URL.build, **parts)
                assert error.error == "too-long"
                assert error.part in {*parts, "pathname"}
                assert error.message == f"The {error.part} would be longer than a URL may be."
        finally:
            assert set_max_length(before) == limit


def test_limit_of_the_operator_and_of_replace() -> None:
    long = URL("http://h/" + "a" * 5000)
    before = set_max_length(100)
    try:
        assert refusal(long.__truediv__, "b").error == "too-long"
    finally:
        set_max_length(before)
    calls: list[Callable[[URL], URL]] = [
        lambda url: url / "é%",
        lambda url: url.replace(path_segments=["a", "é%"]),
        lambda url: url.replace(params={"é": "%"}),
    ]
    for call in calls:
        url = URL("http://h/a")
        href = call(url).href
        before = set_max_length(len(href) - 1)
        try:
            assert refusal(call, url).error == "too-long"
            set_max_length(len(href))
            assert call(url).href == href
        finally:
            set_max_length(before)


@pytest.mark.long
def test_long_parts() -> None:
    long = "é/%" * (1 << 18)
    url = URL.build(
        scheme="x", host="h", username=long, password=long, path_segments=[long] * 2, params={long: long}, fragment=long
    )
    assert url.decoded_segments == (long, long)
    assert URL.build(**url.parts()) == url
    many = URL.build(scheme="http", host="h", path_segments=[""] * (1 << 20))
    assert many.decoded_segments == ("",) * (1 << 20)
    assert (many / long).decoded_segments == ("",) * ((1 << 20) - 1) + (long,)
    assert refusal(URL.build, scheme="http", host="a" * (1 << 20) + "/").error == "domain-to-ASCII"
