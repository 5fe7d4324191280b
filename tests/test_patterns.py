"""URLPattern as Python sees it: arguments, errors and their places, values, pickles. What matches is in tests/wpt."""

from __future__ import annotations

import ast
import copy
import pickle
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import MappingProxyType
from typing import Any

import pytest

from weburl import URL, InvalidURL, PatternError, URLPattern
from weburl._core.parser import set_max_length
from weburl._patterns.canonical import canonicalize_hostname, canonicalize_pathname
from weburl._patterns.matcher import Match
from weburl.patterns import PatternList

COMPONENTS = ("protocol", "username", "password", "hostname", "port", "pathname", "search", "hash")
BOOKS = URLPattern("https://*.example.com/books/:id")

make: Callable[..., Any] = URLPattern


class Text(str):
    """Has no method that a str has."""

    def hostile(self, *arguments: object) -> Any:
        raise ZeroDivisionError

    __getitem__ = __len__ = __iter__ = __contains__ = __str__ = __add__ = __radd__ = hostile
    startswith = endswith = removeprefix = removesuffix = find = lower = encode = translate = isascii = hostile  # type: ignore[assignment]


class Raising(Mapping[str, str]):
    """A mapping that raises where it is told to."""

    def __init__(self, error: Exception, where: str) -> None:
        self.error = error
        self.where = where

    def __iter__(self) -> Iterator[str]:
        if self.where == "keys":
            raise self.error
        return iter(["pathname"])

    def __getitem__(self, name: str) -> str:
        raise self.error

    def __len__(self) -> int:
        return 1


def error_of(*arguments: Any, **keywords: Any) -> PatternError:
    with pytest.raises(PatternError) as raised:
        make(*arguments, **keywords)
    return raised.value


def place_of(*arguments: Any, **keywords: Any) -> tuple[str | None, str | None, int | None]:
    error = error_of(*arguments, **keywords)
    return error.component, error.pattern, error.position


# What patterns are made from


def test_no_arguments_match_everything() -> None:
    for pattern in (URLPattern(), URLPattern({}), make(**{}), URLPattern(pathname=None)):
        assert [getattr(pattern, name) for name in COMPONENTS] == ["*"] * 8
        assert pattern.test("https://u:p@example.com:8/a?b#c")
        assert pattern.test()
        assert pattern.test({})
        assert not pattern.test("no URL")


def test_keywords_mappings_and_texts_are_the_same() -> None:
    init = {"protocol": "https", "hostname": "*.example.com", "port": "", "pathname": "/books/:id"}
    assert make(**init) == URLPattern(init) == URLPattern(MappingProxyType(init)) == BOOKS


def test_bases() -> None:
    expected = URLPattern("https://example.com/a/:b")
    base = "https://example.com/a/c?d"
    for given in (
        URLPattern(":b", base), URLPattern(":b", URL(base)), make(pathname=":b", base_url=base),
        make(pathname=":b", base_url=URL(base)), make(pathname=":b", baseURL=base),
        URLPattern({"pathname": ":b", "baseURL": base}), URLPattern({"pathname": ":b", "base_url": URL(base)}),
        make(pathname=":b", baseURL=base, base_url=None),
    ):  # fmt: skip
        assert given == expected


@pytest.mark.parametrize(
    ("arguments", "keywords", "message"),
    [
        ((None,), {}, "input must be a str or a mapping, not NoneType"),
        ((b"/a",), {}, "input must be a str or a mapping, not bytes"),
        ((["pathname"],), {}, "input must be a str or a mapping, not list"),
        (([5],), {}, "input must be a str or a mapping, not list"),
        ((URL("https://a/"),), {}, "input must be a str or a mapping, not weburl.URL: use input.href"),
        ((BOOKS,), {}, "input must be a str or a mapping, not weburl.URLPattern: it is a pattern"),
        (({"port": 8080.5},), {}, "port must be a str or an int, not float"),
        (({"path": "/"},), {}, "a pattern has no path: use pathname"),
        (({"paths": "/"},), {}, "a pattern has the components protocol, .* and base_url, not 'paths'"),
        (({5: "/"},), {}, "not int$"),
        (({"x" * 1000: "/"},), {}, "not 'x+\\.\\.\\.'$"),
        (({"baseURL": "https://a/", "base_url": "https://b/"},), {}, "base_url and baseURL are the same: give one"),
        (({"base_url": 5},), {}, "base must be a str, a URL or None, not int"),
        (("/a", 5), {}, "base must be a str, a URL or None, not int"),
        (("/a", b"https://a/"), {}, "base must be a str, a URL or None, not bytes"),
        (({}, "https://a/"), {}, "the base of components is their base_url"),
        ((), {"base": "https://a/"}, "the base of components is their base_url"),
        (({},), {"pathname": "/"}, "a pattern is a text or a mapping, or is given by its components"),
        (("https://a/",), {"pathname": "/"}, "a pattern is a text or a mapping, or is given by its components"),
        ((), {"path": "/"}, "a pattern has no path: use pathname"),
        ((), {"pathname": b"/"}, "pathname must be a str or None, not bytes"),
    ],
)  # fmt: skip
def test_type_errors(arguments: tuple[Any, ...], keywords: dict[str, Any], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        make(*arguments, **keywords)


@pytest.mark.parametrize("method", ["test", "exec", "match"])
def test_type_errors_of_urls(method: str) -> None:
    call = getattr(BOOKS, method)
    for given in (None, 5, b"https://a/", ["pathname"], BOOKS):
        with pytest.raises(TypeError, match=r"^input must be a str, a URL or a mapping, not"):
            call(given)
    with pytest.raises(TypeError, match="hostname must be a str, a Host, an address of ipaddress or None, not int"):
        call({"hostname": 5})
    with pytest.raises(TypeError, match=r"a URL has no href: use URL\(href\)"):
        call({"href": "https://a/"})
    with pytest.raises(TypeError, match="base must be a str, a URL or None, not int"):
        call("/a", 5)
    with pytest.raises(TypeError, match="base must be a str, a URL or None, not int"):
        call(URL("https://a/"), 5)
    with pytest.raises(TypeError, match="the base of components is their base_url"):
        call({}, "https://a/")


@pytest.mark.parametrize("error", [KeyError("mine"), TypeError("mine"), IndexError("mine"), ZeroDivisionError("mine")])
@pytest.mark.parametrize("where", ["keys", "items"])
def test_errors_of_mappings_come_out(error: Exception, where: str) -> None:
    given = Raising(error, where)
    for call in (URLPattern, BOOKS.test, BOOKS.exec):
        with pytest.raises(type(error), match="mine"):
            call(given)


def test_strings_of_subclasses() -> None:
    """Only what they hold matters."""
    pattern = URLPattern(Text("https://example.com/a/:b"))
    assert pattern == URLPattern(Text(":b"), Text("https://example.com/a/"))
    assert pattern == make(pathname=Text(":b"), base_url=Text("https://example.com/a/"))
    assert pattern.test(Text("https://example.com/a/c"))
    assert pattern.test(Text("c"), Text("https://example.com/a/"))
    found = pattern.exec(Text("c"), Text("https://example.com/a/"))
    assert found is not None
    assert found["b"] == "c"
    assert [type(each) for each in found.inputs] == [str, str]
    assert pattern.test({"protocol": Text("https"), "hostname": Text("example.com"), "pathname": Text("/a/c")})
    assert pattern.generate("pathname", {"b": Text("c")}) == "/a/c"


def test_lone_surrogates() -> None:
    pattern = URLPattern("https://example.com/\ud800")
    assert pattern == URLPattern("https://example.com/\ufffd") == URLPattern({"pathname": "/\ud800"} | {
        "protocol": "https", "hostname": "example.com", "port": "", "base_url": "https://example.com/\udc00/"
    })  # fmt: skip
    assert pattern.pathname == "/%EF%BF%BD"
    for given in (
        "https://example.com/\udfff",
        {"protocol": "https", "hostname": "example.com", "pathname": "/\ud800"},
    ):
        found = pattern.exec(given)
        assert found is not None
        assert "\ufffd" in str(found.inputs)
    assert URLPattern(pathname="/:a").generate("pathname", {"a": "\ud800"}) == "/%EF%BF%BD"
    # A pair is one code point, as everywhere.
    assert URLPattern(pathname="/\ud83d\udca9").pathname == "/%F0%9F%92%A9"


# Errors and their places


@pytest.mark.parametrize(
    ("arguments", "keywords", "component", "pattern", "position"),
    [
        # In a whole text.
        (("https://example.com/a(",), {}, "pathname", None, 21),
        (("https://example.com/:a/:a",), {}, "pathname", None, 22),
        (("https://example.com/(a)}",), {}, "pathname", None, 23),
        (("https://example.com/([z-a])",), {}, "pathname", None, 22),
        (("https://example.com/a/(b(?=\\1))",), {}, "pathname", None, 27),
        (("https://example.com/?a{",), {}, "search", None, 23),
        (("https://example.com/??a{",), {}, "search", None, 24),
        (("https://example.com/#a{",), {}, "hash", None, 23),
        (("https://example.com/##a{",), {}, "hash", None, 24),
        (("https://example.com:99999/",), {}, "port", None, 20),
        (("https://exa mple.com/",), {}, "hostname", None, 8),
        (("(https://a/",), {}, "protocol", None, 0),
        (("ht({})://a/",), {}, "protocol", None, 3),
        (("a b://c/",), {}, "protocol", None, 0),
        (("https://a/{b}+(c)((?:d{0,99}){0,99})",), {}, "pathname", None, 17),
        (("/a",), {}, None, "/a", None),
        # In one to which the path of a base comes.
        (("b(", "https://example.com/a/"), {}, "pathname", "b(", 1),
        (("b/([z-a])", "https://example.com/a:{}()*+?/"), {}, "pathname", "b/([z-a])", 4),
        (("?b{", "https://example.com/a/"), {}, "search", "?b{", 3),
        (("#{", "https://example.com/a/"), {}, "hash", "#{", 2),
        # In components.
        (({"pathname": "/a("},), {}, "pathname", "/a(", 2),
        ((), {"search": "?{"}, "search", "?{", 2),
        ((), {"search": "??{"}, "search", "??{", 1),
        ((), {"search": "{"}, "search", "{", 1),
        ((), {"hash": "#{"}, "hash", "#{", 2),
        ((), {"protocol": "(:"}, "protocol", "(:", 0),
        ((), {"protocol": "a b:"}, "protocol", "a b:", 0),
        ((), {"hostname": "a b"}, "hostname", "a b", 0),
        ((), {"hostname": "{a.}?[b"}, "hostname", "{a.}?[b", 5),
        ((), {"hostname": "[g]"}, "hostname", "[g]", 0),
        ((), {"port": "{80}?x"}, "port", "{80}?x", 5),
        ((), {"username": "("}, "username", "(", 0),
        ((), {"password": ":a:a"}, "password", ":a:a", 2),
        ((), {"pathname": "b(", "base_url": "https://example.com/a/"}, "pathname", "b(", 1),
        ((), {"pathname": "\\"}, "pathname", "\\", 0),
        ((), {"pathname": "a\U0001f600("}, "pathname", "a\U0001f600(", 2),
        # The host of the base is not one for patterns.
        ((), {"pathname": "/a", "base_url": "foo://h%20i/"}, "hostname", "h%20i", 0),
    ],
)  # fmt: skip
def test_places(
    arguments: tuple[Any, ...],
    keywords: dict[str, Any],
    component: str | None,
    pattern: str | None,
    position: int | None,
) -> None:
    whole = arguments[0] if position is not None and len(arguments) == 1 and isinstance(arguments[0], str) else pattern
    assert place_of(*arguments, **keywords) == (component, whole, position)


@pytest.mark.parametrize("base", ["no URL", "http://a b/", "", "//u:secret@h/"])
def test_a_base_that_does_not_parse(base: str) -> None:
    for pattern in (lambda: URLPattern("/a", base), lambda: URLPattern("*", base), lambda: make(base_url=base)):
        with pytest.raises(InvalidURL) as raised:
            pattern()
        assert (raised.value.error, raised.value.base) == ("base", base)
        assert "secret" not in str(raised.value)
    # As the standard says.
    assert not URLPattern().test("/a", base)
    assert URLPattern().exec("/a", base) is None
    assert not URLPattern().test({"pathname": "/a", "base_url": base})
    routes = PatternList(["http://h/*"])
    for function in (routes.first, routes.all, routes.explain, URLPattern().explain):
        with pytest.raises(InvalidURL) as raised:
            function("/a", base=base)
        assert (raised.value.error, raised.value.base, raised.value.input) == ("base", base, "/a")


def test_the_place_is_shown() -> None:
    assert str(error_of("https://example.com/books/:id/:id")) == (
        "two groups have the name 'id' in the pathname:\n  https://example.com/books/:id/:id\n" + " " * 31 + "^"
    )
    # Characters that are not shown as such, or take two columns, move the mark.
    assert str(error_of({"pathname": "/\t\u4e2d("})).splitlines()[1:] == ["  /\\t\u4e2d(", " " * 7 + "^"]
    assert len(str(error_of({"pathname": "a" * 10_000 + "(" + "b" * 10_000}))) < 250


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("/a",), "a relative pattern needs a base"),
        (({"pathname": "/a\\"},), "nothing follows the backslash"),
        (({"pathname": "/a:"},), "a colon begins a name, but no name follows: write \\: for a colon"),
        (({"pathname": "{a"},), "a group that begins with { needs a }"),
        (({"pathname": "a}"},), "this has no meaning here: escape it with a backslash"),
        (({"pathname": "(a"},), "a regular expression lacks its closing parenthesis"),
        (({"pathname": "()"},), "a regular expression cannot be empty"),
        (({"pathname": "(?a)"},), "a regular expression cannot begin with '?'"),
        (({"pathname": "(\u00e9)"},), "a regular expression has ASCII characters only"),
        (({"pathname": "((a))"},), "a group in a regular expression cannot capture: begin it with (?:"),
        (({"pathname": "((?<a>b)\\1)"},), "a backreference is not supported"),
        (({"pathname": ":a:a"},), "two groups have the name 'a'"),
        (({"pathname": "((?<a>b))((?<a>b))"},), "two regular expressions have the group 'a': leave out one name"),
        (({"pathname": "/((?<a>b))*"},), "the part with the group 'a' is repeated: leave out the name of the group"),
        (({"pathname": "(a{9999})"},), "this needs an automaton of more than 4,096 states"),
        (({"protocol": "a b"},), "this is not a scheme"), (({"hostname": "a b"},), "this is not a host"),
        (({"hostname": "[x"},), "an IPv6 address has hexadecimal digits, colons and brackets only"),
        (({"port": "x"},), "a port is a number up to 65535"),
    ],
)  # fmt: skip
def test_messages(arguments: tuple[Any, ...], message: str) -> None:
    error = error_of(*arguments)
    assert error.message == message
    assert str(error).startswith(message)


@pytest.mark.parametrize(
    "pattern",
    [
        "https://user:secret@example.com/(", "https://user:sec\\/ret@example.com/(", "https://:secret@example.com/(",
        "http{s}?://user:secret@example.com/(", "*://user:secret@example.com/(", "https\\://user:secret@example.com/(",
        # Where a delimiter is inside a group, only the parser of patterns knows.
        "https://user(/):secret@example.com/(", "https://{u/}:secret@example.com/(",
        "a b://{u/}:secret@example.com/", "{https:}//{u/}:secret@example.com/",
    ],
)  # fmt: skip
def test_passwords_are_not_shown(pattern: str) -> None:
    error = error_of(pattern)
    assert "secret" not in str(error)
    assert "***" in str(error)
    assert error.pattern == pattern
    assert "secret" not in repr(error)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.pattern, again.position) == (str(error), error.pattern, error.position)


@pytest.mark.parametrize("component", ["username", "password"])
def test_credentials_are_not_shown(component: str) -> None:
    assert str(error_of({component: "secret("})).endswith(f"in the {component} at 6 of '***'")
    pattern = URLPattern({component: "a:b"})
    for value in ("", "secret"):
        with pytest.raises(PatternError) as raised:
            URLPattern({component: ":b(c)"}).generate(component, {"b": value})
        assert "secret" not in str(raised.value)
    assert repr(pattern) == f"URLPattern({component}='***')"


def test_paths_with_an_at_sign_are_shown() -> None:
    assert "/@:user/:user" in str(error_of("https://example.com/@:user/:user"))
    assert "/@:user/:user" in str(error_of("/@:user/:user", "https://example.com"))


def test_credentials_of_a_url_in_a_path_are_not_shown() -> None:
    for path in ("/proxy/https\\://user\\:secret@h(", "/proxy//user\\:secret@h/:a/:a"):
        assert "secret" not in str(error_of({"pathname": path}))
        assert "secret" not in str(error_of(path, "https://example.com"))


@pytest.mark.parametrize(
    "pattern",
    [
        {"pathname": ":NAME/:NAME"},
        {"pathname": "/((?<NAME>a))/((?<NAME>b))"},
        {"pathname": "{/((?<NAME>a))/}*"},
        {"password": ":NAME/:NAME"},
        "https://user:NAME@example.com{",
        "https://NAME:secret@example.com/(",
        "https://example.com/NAME(",
    ],
)
def test_what_is_said_of_a_long_pattern_is_short(pattern: Any) -> None:
    long = "\u05d0" * 50_000
    given = repr(pattern).replace("NAME", long)
    error = error_of(ast.literal_eval(given))
    assert len(str(error)) < 1500
    assert len(str(error).splitlines()[0]) < 700


def test_the_names_of_groups_are_shown_in_part() -> None:
    pattern = URLPattern(pathname="/:" + "a" * 50_000)
    with pytest.raises(PatternError, match=r"the group 'a{40}…' is not given") as raised:
        pattern.generate("pathname", {})
    assert len(str(raised.value)) < 200


def test_errors_are_values() -> None:
    error = error_of("https://example.com/(")
    for again in (pickle.loads(pickle.dumps(error)), copy.copy(error), copy.deepcopy(error)):
        assert type(again) is PatternError
        assert isinstance(again, ValueError)
        assert vars(again) == vars(error)


@pytest.mark.parametrize(
    ("pathname", "position"),
    [
        ("/((?<a>b))/((?<a>c))", 12), ("/((?<a>b)|(?<c>d))/((?<e>f)|(?<c>g))", 28), ("/((?<a>b))*", 2),
        ("/((?<a>b))+", 2), ("/{x((?<a>b))}+", 4), ("/{((?<a>b))x}*", 3),
    ],
)  # fmt: skip
def test_named_groups_of_regular_expressions(pathname: str, position: int) -> None:
    """A component is one regular expression in JavaScript, where these are a SyntaxError."""
    assert place_of({"pathname": pathname})[2] == position


@pytest.mark.parametrize(
    "pathname", ["/((?<a>b))/((?<c>d))", "/((?<a>b))?", "/x{((?<a>b))}*", "/((?<a>b)|(?<a>c))", "/:a/((?<a>b))"]
)
def test_named_groups_that_may_be(pathname: str) -> None:
    assert URLPattern(pathname=pathname, hash="((?<a>b))").has_regexp_groups


def test_regexp_groups_can_be_refused() -> None:
    for given, place in (
        ("https://example.com/:a/(b)", ("pathname", 23)), ("htt(p|ps)://example.com/", ("protocol", 3)),
        ({"search": "?a=(b)"}, ("search", 3)),
        # They are not even read, however large or wrong they are.
        ({"hash": "((?:a{0,99}){0,99})"}, ("hash", 0)), ({"hash": "([z-a])"}, ("hash", 0)),
    ):  # fmt: skip
        with pytest.raises(PatternError, match="regular expressions are not allowed") as raised:
            make(given, regexp_groups=False)
        assert (raised.value.component, raised.value.position) == place
    # These are no more than a wildcard and a name.
    assert URLPattern(pathname="/(.*)/([^\\/]+?)", regexp_groups=False).pathname == "/*/([^\\/]+?)"


def test_texts_that_are_too_long() -> None:
    before = set_max_length(60)
    try:
        for pattern in ({"pathname": "/" + "a" * 60}, {"hostname": "a" * 61}, {"pathname": "a" * 61}):
            with pytest.raises(PatternError, match="this is longer than a URL may be"):
                URLPattern(pattern)
            assert not URLPattern().test(pattern)
        with pytest.raises(PatternError):
            URLPattern({"protocol": "a" * 60})
        for canonicalize in (canonicalize_pathname, canonicalize_hostname):
            with pytest.raises(PatternError):
                canonicalize("a" * 61)
        with pytest.raises(InvalidURL, match=r"^base: "):
            URLPattern("a", "https://example.com/" + "a" * 60)
    finally:
        set_max_length(before)


@pytest.mark.parametrize("pattern", [
    "(" * 5000, "(?:" * 5000, "((?:" * 5000, "{" * 5000, "https://" + "(" * 5000, "[" * 5000, "{a}?" * 5000, "*" * 5000,
    "\\" * 5001, ":a" * 5000, "(" + "[" * 5000 + "a" + "]" * 5000 + ")", "(" + "(?:" * 51 + "a" + ")" * 51 + ")",
    "(a{4294967295})", "((?:a{4294967295}){4294967295})", "((?:){0,4294967295})", "((?:^|$){4294967295})", "([]{9999})",
    "\x00", "(\x00)", ":\u2118\u1885", "://", "@:@", "https://[", "https://]:8/", "https://a:b(c)d/", "://@//:?#",
    "((?:(?:(?:a|b)*|c)*|d)*)", "(\\p{L}\\p{gc=Lu}[\\p{L}--[a-z]])",
])  # fmt: skip
def test_only_pattern_errors_come_out(pattern: str) -> None:
    for given in ((pattern,), (pattern, "https://example.com/a/"), *[({name: pattern},) for name in COMPONENTS]):
        for options in ({}, {"ignore_case": True}, {"regexp_groups": False}):
            error = None
            try:
                make(*given, **options)
            except PatternError as raised:
                error = raised
            if error is not None and error.position is not None:
                assert error.pattern is not None
                assert 0 <= error.position <= len(error.pattern)
                assert str(error)


# Results


def test_groups() -> None:
    pattern = URLPattern("https://:sub.example.com/:a/(b)?/*\\?x=:a#{:c}?")
    found = pattern.exec("https://www.example.com/1/2?x=3")
    assert found is not None
    assert found["sub"] == "www"
    assert found["c"] is None
    assert found.get("c", "default") is None
    assert found.groups == {"sub": "www", "c": None}
    assert found.pathname.groups == {"a": "1", "0": None, "1": "2"}
    assert found.search == ("x=3", {"a": "3"})
    assert found.get("a") is None
    assert found.get("a", 5) == 5
    assert found.get("none", 5) == 5
    with pytest.raises(KeyError, match="a: pathname and search have groups of this name"):
        found["a"]
    for name in ("none", "0", 5):
        with pytest.raises(KeyError):
            found[name]  # type: ignore[index]
    assert found == pattern.exec("https://www.example.com/1/2?x=3")
    assert found != pattern.exec("https://ww.example.com/1/2?x=3")
    assert found != 5
    assert repr(found) == "URLPatternResult({'sub': 'www', 'c': None})"
    with pytest.raises(TypeError, match="unhashable"):
        hash(found)
    with pytest.raises(TypeError, match="a URLPatternResult cannot be pickled"):
        pickle.dumps(found)
    assert copy.copy(found) is copy.deepcopy([found])[0] is found


def test_inputs() -> None:
    pattern = URLPattern(pathname="/:a")
    url = URL("https://example.com/b")
    given = {"pathname": "/b", "base_url": None}
    for call in (pattern.exec, pattern.match):
        assert call("https://example.com/b").inputs == ("https://example.com/b",)  # type: ignore[union-attr]
        assert call("b", "https://a/").inputs == ("b", "https://a/")  # type: ignore[union-attr]
        assert call("b", URL("https://a")).inputs == ("b", "https://a/")  # type: ignore[union-attr]
        found = call(url)
        assert found is not None
        url.pathname = "/c"
        assert found.inputs == ("https://example.com/b",)
        assert found["a"] == "b"
        url.pathname = "/b"
        found = call(given)
        assert found is not None
        assert found.inputs == ({"pathname": "/b"},)
    # What is given is not kept, and what is returned is not used again.
    everything = URLPattern().exec()
    assert everything is not None
    everything.inputs[0]["pathname"] = "/x"  # type: ignore[index]
    assert everything.inputs == ({},)
    assert URLPattern().exec().inputs == ({},)  # type: ignore[union-attr]
    assert URLPattern(pathname="").test()


def test_a_url_may_change_while_it_is_matched() -> None:
    url = URL("https://example.com/a")
    pattern = URLPattern("https://example.com/:a")

    def change() -> None:
        for _ in range(2000):
            url.pathname = "/aaaa/bbbb"
            url.pathname = "/b"

    with ThreadPoolExecutor(2) as pool:
        changing = pool.submit(change)
        while not changing.done():
            found = pattern.exec(url)
            if found is not None:
                assert found["a"] in ("a", "b")
        changing.result()


def test_many_groups() -> None:
    for count in (31, 32, 33, 100):
        pattern = URLPattern(pathname="".join(f"/:a{number}" for number in range(count)))
        found = pattern.exec({"pathname": "".join(f"/{number}" for number in range(count))})
        assert found is not None
        assert found.groups == {f"a{number}": str(number) for number in range(count)}
        assert list(found.groups) == [f"a{number}" for number in range(count)]


def test_matches_are_not_made_by_hand() -> None:
    made: Any = Match.__new__(Match)
    for call in (lambda: made.component(0), lambda: made.group(0, 0), lambda: made.named(0, ("x",))):
        with pytest.raises(IndexError):
            call()  # type: ignore[no-untyped-call]


# Values


def test_patterns_do_not_change() -> None:
    pattern: Any = URLPattern("https://example.com/:a")
    for name in (*COMPONENTS, "ignore_case", "has_regexp_groups", "other"):
        with pytest.raises(AttributeError):
            setattr(pattern, name, "x")
    with pytest.raises(TypeError, match="a URLPattern does not change"):
        pattern.__init__("https://example.org/")
    assert pattern.hostname == "example.com"
    init = {"pathname": "/a"}
    pattern = URLPattern(init)
    init["pathname"] = "/b"
    assert pickle.loads(pickle.dumps(pattern)).pathname == pattern.pathname == "/a"


def test_equality() -> None:
    assert URLPattern(BOOKS_INIT) == BOOKS
    assert hash(BOOKS) == hash(URLPattern(BOOKS_INIT))
    assert {BOOKS: 1}[URLPattern(BOOKS_INIT)] == 1
    for name in COMPONENTS:
        assert URLPattern(BOOKS_INIT | {name: "9" if name != "protocol" else "a"}) != BOOKS
    assert URLPattern(BOOKS_INIT, ignore_case=True) != BOOKS
    assert URLPattern(pathname="/{a}") == URLPattern(pathname="/a")
    assert URLPattern(port="80", protocol="http") == URLPattern(port="", protocol="http")
    assert BOOKS != "https://*.example.com/books/:id"


BOOKS_INIT = {"protocol": "https", "hostname": "*.example.com", "port": "", "pathname": "/books/:id"}


class Named(URLPattern):
    """Is not made as a URLPattern is."""

    def __init__(self, name: list[str], pattern: str) -> None:
        super().__init__(pattern)
        self.name = name


def test_pickles_and_copies() -> None:
    pattern = URLPattern("https://{:a.}?example.com/([z]+)", ignore_case=True)
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        again = pickle.loads(pickle.dumps(pattern, protocol))
        assert again == pattern
        assert again.ignore_case
        assert again.test("https://x.example.com/ZZ")
    # What is cut off once is not cut off again.
    for again in (URLPattern(hash="##a"), URLPattern("https://example.com/#:a##b"), URLPattern(hash="##:a", search="")):
        assert "#" in again.hash
        assert pickle.loads(pickle.dumps(again)) == copy.copy(again) == again
    assert copy.copy(pattern) is pattern
    assert copy.deepcopy(pattern) is pattern
    named = Named(["books"], "https://example.com/:a")
    for again in (pickle.loads(pickle.dumps(named)), copy.copy(named), copy.deepcopy(named)):
        assert type(again) is Named
        assert again is not named
        assert again == named
        assert again.name == ["books"]
        assert again.test("https://example.com/x")
    assert copy.copy(named).name is named.name
    assert copy.deepcopy(named).name is not named.name
    loop: Any = Named(["books"], "https://example.com/:a")
    loop.itself = loop
    again = copy.deepcopy(loop)
    assert again.itself is again


def test_pickles_of_something_else() -> None:
    from weburl.patterns import restore

    for cls in (str, "URLPattern", None):
        with pytest.raises(TypeError, match="not the pickle of a URLPattern"):
            restore(cls, {}, False, None)  # type: ignore[arg-type]


def test_normalized_components_make_the_same_pattern() -> None:
    for pattern in (BOOKS, URLPattern("https://u:p@*:*/a{/b}?/:c+(d)?e=:f#g"), URLPattern(hostname="[:a\\:1]")):
        assert URLPattern({name: getattr(pattern, name) for name in COMPONENTS}) == pattern


def test_one_pattern_in_threads() -> None:
    """What is set when it is first asked for."""
    for _ in range(50):
        pattern = URLPattern("https://example.com/:a/([b]+)")
        with ThreadPoolExecutor(4) as pool:
            work = [pool.submit(lambda p=pattern: (p.exec("https://example.com/x/b")["a"], hash(p))) for _ in range(8)]  # type: ignore[misc]
            assert len({each.result() for each in work}) == 1


# Generating and comparing


@pytest.mark.parametrize(
    ("init", "component", "groups", "expected"),
    [
        ({"pathname": "/books/:id"}, "pathname", {"id": "7"}, "/books/7"),
        ({"pathname": "/books/:id"}, "pathname", {"id": "a b", "other": "c"}, "/books/a%20b"),
        ({"pathname": "/{a-:id-b}"}, "pathname", {"id": "7"}, "/a-7-b"),
        ({"pathname": ""}, "pathname", {}, ""),
        ({"hostname": ":sub.example.com"}, "hostname", {"sub": "Bücher"}, "xn--bcher-kva.example.com"),
        ({"port": ":port"}, "port", {"port": "8080"}, "8080"),
        ({"protocol": "data", "pathname": ":x"}, "pathname", {"x": "a/b c"}, "a/b c"),
        ({"search": "q=:q"}, "search", {"q": "a'b#"}, "q=a%27b%23"),
        ({"username": ":u"}, "username", {"u": "a@b/c"}, "a%40b%2Fc"),
        ({"protocol": "foo", "pathname": "/a/:id"}, "pathname", {"id": "..b"}, "/a/..b"),
        ({"protocol": "foo", "pathname": "a/:id"}, "pathname", {"id": ".."}, "a/.."),
        ({"protocol": "foo", "pathname": "a/:id"}, "pathname", {"id": "b c"}, "a/b c"),
        ({"protocol": "file", "pathname": "/:id"}, "pathname", {"id": "C:"}, "/C:"),
        ({"hostname": "[:a]"}, "hostname", {"a": "1::2"}, "[1::2]"),
        ({"protocol": "https", "port": ":port"}, "port", {"port": "80"}, "80"),
        ({"port": ":port"}, "port", {"port": "443"}, "443"),
    ],
)
def test_generate(init: dict[str, str], component: str, groups: dict[str, str], expected: str) -> None:
    pattern = URLPattern(init)
    assert pattern.generate(component, groups) == expected
    found = pattern.exec({"protocol": init.get("protocol", ""), component: expected})
    assert found is not None
    assert set(getattr(found, component).groups) <= set(groups)


@pytest.mark.parametrize(
    ("init", "component", "groups", "position"),
    [
        ({"pathname": "/books/:id"}, "pathname", {}, 6), ({"pathname": "/books/:id"}, "pathname", {"id": ""}, 6),
        ({"pathname": "/books/:id"}, "pathname", {"id": "a/b"}, 6),
        ({"pathname": "/books/:id"}, "pathname", {"id": "a\\b"}, 6),
        ({"pathname": "/books/*"}, "pathname", {"0": "a"}, 7), ({"pathname": "/:id?"}, "pathname", {"id": "a"}, 0),
        ({"pathname": "/{a}?"}, "pathname", {}, 1), ({"pathname": "/(a)"}, "pathname", {"0": "a"}, 1),
        # Dot segments, in all spellings, would lead elsewhere.
        ({"pathname": "/books/:id"}, "pathname", {"id": ".."}, None),
        ({"pathname": "/books/:id"}, "pathname", {"id": "%2E."}, None),
        ({"pathname": "/books/:id/x"}, "pathname", {"id": "."}, None),
        ({"pathname": "/books/{.:id}"}, "pathname", {"id": "."}, None),
        # The setters would take the start only.
        ({"hostname": ":sub.example.com"}, "hostname", {"sub": "evil.test/"}, 0),
        ({"hostname": ":host"}, "hostname", {"host": "evil?"}, 0),
        ({"hostname": ":host"}, "hostname", {"host": "a\\"}, 0),
        ({"hostname": ":host"}, "hostname", {"host": "a.b"}, 0),
        ({"hostname": ":host"}, "hostname", {"host": "a b"}, None),
        ({"hostname": "{1.2.3.}:host"}, "hostname", {"host": "999"}, 8),
        ({"port": ":port"}, "port", {"port": "80x"}, 0), ({"port": ":port"}, "port", {"port": "99999"}, None),
        ({"protocol": "data", "pathname": ":x"}, "pathname", {"x": "a?b"}, 0),
        ({"protocol": ":x"}, "protocol", {"x": "a b"}, None),
        # Schemes that are not special have dot segments, too, and file URLs drives.
        ({"protocol": "foo", "pathname": "/a/:id"}, "pathname", {"id": ".."}, None),
        ({"protocol": "foo", "pathname": "/a/:id"}, "pathname", {"id": "%2E%2e"}, None),
        ({"protocol": "file", "pathname": "/:id"}, "pathname", {"id": "C|"}, None),
        ({"hostname": "[:a]"}, "hostname", {"a": "1::2::3"}, None),
        ({"hostname": "[:a]"}, "hostname", {"a": "]["}, None),
        ({"hostname": "[:a]"}, "hostname", {"a": "0:0::1"}, None),
        ({"protocol": "https", "port": ":port"}, "port", {"port": "443"}, None),
    ],
)  # fmt: skip
def test_what_cannot_be_generated(
    init: dict[str, str], component: str, groups: dict[str, str], position: int | None
) -> None:
    with pytest.raises(PatternError) as raised:
        URLPattern(init).generate(component, groups)
    error = raised.value
    assert (error.component, error.pattern, error.position) == (component, init[component], position)
    assert len(str(error)) < 400


def test_types_of_generate_and_compare() -> None:
    for component in ("path", "", 5, None, ["pathname"]):
        with pytest.raises(PatternError, match="component must be one of protocol, "):
            BOOKS.generate(component)  # type: ignore[arg-type]
        with pytest.raises(PatternError, match="component must be one of protocol, "):
            URLPattern.compare(component, BOOKS, BOOKS)  # type: ignore[arg-type]
    for groups in (5, "id", None, ["id"]):
        with pytest.raises(TypeError, match="groups must be a mapping, not"):
            BOOKS.generate("pathname", groups)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the group 'id' must be a str, not int"):
        BOOKS.generate("pathname", {"id": 5})  # type: ignore[dict-item]
    for left, right in ((BOOKS, "/"), ("/", BOOKS)):
        with pytest.raises(TypeError, match=r"^(left|right) must be a URLPattern, not"):
            URLPattern.compare("pathname", left, right)  # type: ignore[arg-type]
