"""Time grows linearly with the input: four times the input costs about four times as much, and never sixteen times.

Quadratic is 256 times the cost for sixteen times the input, and the limit there is 64.
"""

from __future__ import annotations

import gc
import io
import itertools
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from weburl import URL, InvalidURL, URLSearchParams, join, normalize
from weburl.bulk import (
    can_parse_many,
    component_many,
    join_many,
    parse_lines,
    parse_many,
    percent_decode_many,
    query_get_many,
    query_pairs_many,
)
from weburl.forms import parse_form, serialize_form
from weburl.hosts import domain_to_ascii, domain_to_unicode, is_valid_domain, is_valid_host, parse_host
from weburl.percent import percent_decode, percent_decode_text, percent_encode

pytestmark = pytest.mark.slow

SMALLEST, LARGEST = 2**12, 2**18
ENOUGH = 0.05  # seconds
LIMIT = 8.0

Make = Callable[[int], Any]
Work = Callable[[Any], object]


def measure(make: Make, work: Work, n: int, rounds: int) -> float:
    best = float("inf")
    for _ in range(rounds):
        argument = make(n)
        start = time.process_time()
        work(argument)
        best = min(best, time.process_time() - start)
        if best > ENOUGH:
            break
    return best


def check(make: Make, work: Work) -> None:
    n, cost = SMALLEST, measure(make, work, SMALLEST, 2)
    while True:
        n, before = 4 * n, cost
        cost = measure(make, work, n, 2)
        if cost > ENOUGH or n == LARGEST:
            break
    if cost > LIMIT * before:
        # A busy machine, or a step where larger memory comes from elsewhere: so over two steps, measured anew.
        small, n = n // 4, 4 * n
        before, cost = measure(make, work, small, 5), measure(make, work, n, 5)
        assert cost <= LIMIT**2 * max(before, 1e-5), f"{before * 1e3:.2f} ms at {small}, {cost * 1e3:.2f} ms at {n}"


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def test_the_check_notices() -> None:
    def quadratic(n: int) -> None:
        for _ in range(n // 256):
            bytes(n)

    with pytest.raises(AssertionError, match="ms at"):
        check(int, quadratic)


STARTS = itertools.count(0, 20011)


def distinct(n: int) -> str:
    """Ideographs, all distinct up to 60,000 of them, and not those of the call before: no cache helps."""
    start = next(STARTS)
    offsets = (index % 60000 for index in range(start, start + n))
    return "".join(chr(0x4E00 + offset if offset < 20000 else 0x20000 + offset - 20000) for offset in offsets)


def fill(unit: str, before: str = "", after: str = "") -> Make:
    """About n characters, made of one unit."""
    return lambda n: before + unit * (n // len(unit)) + after


def parse(text: str) -> None:
    """Parses or says why not, then reads what was parsed."""
    try:
        url = URL(text)
    except InvalidURL as error:
        str(error), repr(error)
    else:
        url.href, url.origin, url.hostname, url.pathname, url.path_segments, repr(url)
    URL.can_parse(text)


HOSTS = {
    "numbers": fill("1."), "hexadecimal zeros": fill("0", "0x"), "nines": fill("9"), "colons": fill(":", "["),
    "closed colons": fill(":", "[", "]"), "zeros in brackets": fill("0", "[", "]"),
    "labels": fill("a."), "one label": fill("a"), "percent-encoded": fill("%61"),
    "percent-encoded letters": fill("%C3%A9"), "dots": fill("."), "hyphens": fill("-", "é"),
    "accented": fill("é"), "accented labels": fill("é."), "Arabic digits": fill("\u0660"),
    "Arabic letters": fill("\u0627"), "middle dots": fill("\u30fb"), "katakana middle dots": fill("\u30fb", "ア"),
    "combining marks": fill("\u0301\u0323", "a"), "marks in order": fill("\u0323\u0301", "a"),
    "joiners": fill("क्\u200d"), "bare joiners": fill("\u200d"), "non-joiners": fill("ب\u200c", "", "ب"),
    "Hangul": fill("\u1100\u1161\u11a8"), "emoji": fill("😀"),
    "many": lambda n: "".join(chr(0x4E00 + index % 3000) for index in range(n)), "soft hyphens": fill("\u00ad", "é"),
    "punycode": lambda n: f"xn--{'a' * (n // 2)}-{'a' * (n // 2)}.é", "punycode kva": fill("kva", "xn--", ".é"),
    "punycode nines": fill("9", "xn--", ".é"), "punycode labels": fill("xn--9ca.", "", "é"),
    "alternating": fill("aé"), "ligatures": fill("\ufdfa"), "fullwidth": fill("Ａ"),
    "ASCII then one": fill("a", "", "é"), "bidi labels": fill("א."), "mixed bidi": fill("א1"),
    "lone surrogates": fill("\ud800"),
}  # fmt: skip

SHAPES = {
    "@": fill("@", "http://"), "@ then host": fill("@", "http://", "h"), ":@": fill(":@", "http://"),
    ":@ then host": fill(":@", "http://", "h"), "colons": fill(":", "http://", "@h"),
    "opaque @": fill("@", "x://"), "user": fill("é", "http://", "@h"), "up": fill("../", "http://h/"),
    "percent up": fill("%2e%2E/", "http://h/"), "dots": fill(".", "http://h/"),
    "down and up": lambda n: "http://h/" + "a/" * (n // 5) + "../" * (n // 5), "zigzag": fill("a/../", "http://h/"),
    "slashes": fill("/", "http://h"), "backslashes": fill("\\", "http://h"),
    "no host, slashes": fill("/", "x:/.."), "here": fill("./", "http://h/"),
    "port zeros": fill("0", "http://h:", "80/"), "port nines": fill("9", "http://h:"),
    "letters and tabs": fill("a\t", "http://h/"),
    "tabs in the scheme": fill("\t", "ht", "tp://h"), "NULs before": fill("\0", "", "http://h"),
    "spaces behind": fill(" ", "http://h/"), "spaces all": fill(" "), "controls": fill("\x01", "http://h/"),
    "controls in the query": fill("\x01", "http://h/?"), "percents": fill("%", "http://h/"),
    "opaque spaces": fill(" ", "x:a", "#f"), "opaque spaces and query": fill(" ?", "x:a"),
    "file slashes": fill("/", "file:"), "file backslashes": fill("\\", "file:"), "drives": fill("C|/", "file:///"),
    "drives and up": fill("../", "file:///C:/"), "scheme": fill("a"), "scheme:": fill("a", "", ":"),
    "upper-case scheme": fill("A", "", ":"), "blob": fill("blob:"), "blob http": fill("blob:", "", "http://h"),
    "non-ASCII path": fill("é", "http://h/"), "non-ASCII query": fill("😀", "http://h/?"),
    "fragment": fill("`", "http://h/#"), "hashes": fill("#", "http://h/"), "questions": fill("?", "http://h/"),
    "surrogates": fill("\ud800", "http://h/"), "opaque host": fill("é", "x://"),
    "opaque host of spaces": fill(" ", "x://a", "/"), "slashes after http:": fill("/", "http:"),
    "no scheme": fill("/"), "bad host after credentials": fill("u:p@", "http://", " "),
    "tabs and slashes": fill("/\t", "http:"),
}  # fmt: skip


@pytest.mark.parametrize("make", SHAPES.values(), ids=SHAPES)
def test_parse(make: Make) -> None:
    check(make, parse)


@pytest.mark.parametrize("make", HOSTS.values(), ids=HOSTS)
def test_host(make: Make) -> None:
    check(lambda n: f"http://{make(n)}/", parse)


DEEP = fill("a/", "http://h/", "b")


@pytest.mark.parametrize(
    ("make", "work"),
    [
        (lambda n: (DEEP(n), "../" * (n // 2)), lambda pair: join(*pair)),
        (lambda n: (URL(DEEP(n)), "../" * (n // 2)), lambda pair: pair[0].join(pair[1])),
        (lambda n: (DEEP(n), "c"), lambda pair: join(*pair)),
        (lambda n: (DEEP(n) + "?" + "q" * n, ""), lambda pair: normalize(pair[1], pair[0])),
        (lambda n: "http://u:" + "p@" * (n // 2) + "h/", lambda text: URL("c", text)),
        (lambda n: "é" * n, lambda text: URL("http://h/?" + text, encoding="latin1")),
        (lambda n: "¥a" * (n // 2), lambda text: URL("http://h/?" + text, encoding="iso-2022-jp")),
        (lambda n: "😀a" * (n // 2), lambda text: URL("http://h/?" + text, encoding="shift_jis")),
        (lambda n: (URL(DEEP(n)), URL(DEEP(n))), lambda pair: pair[0] == pair[1]),
        (lambda n: URL(DEEP(n)), lambda url: url.replace(scheme="https", hash="x", search="y", hostname="é", port=1)),
        (lambda n: URL("http://u:" + "p" * n + "@h/"), repr),
    ],
)
def test_url(make: Make, work: Work) -> None:
    check(make, work)


@pytest.mark.parametrize(
    "name", ["href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash"]
)
@pytest.mark.parametrize("unit", ["a", "@", ":", "/", "../", "a/", "0", "%", "é", " ", "\t", "\x01", "?", "#"])
def test_setters(name: str, unit: str) -> None:
    def work(text: str) -> None:
        url = URL("http://h/a?b#c")
        try:
            setattr(url, name, text)
        except InvalidURL as error:
            str(error)
        assert url.href
        list(url.search_params)

    check(fill(unit), work)


def test_setters_of_a_long_url() -> None:
    def work(url: URL) -> None:
        for name in ("protocol", "username", "password", "host", "hostname", "port", "search", "hash"):
            setattr(url, name, "5")

    check(lambda n: URL(DEEP(n)), work)


def appended(n: int) -> URLSearchParams:
    url = URL("http://h/?a=1#f")
    for _ in range(n):
        url.search_params.append("k", "é")
    assert len(url.href) > n
    return url.search_params


def walked_while_appending(n: int) -> None:
    params = URLSearchParams("a=1")
    for index, _ in enumerate(params):
        if index < n:
            params.append("k", "v")


@pytest.mark.parametrize(
    ("make", "work"),
    [
        (fill("a=1&"), lambda text: list(URLSearchParams(text))),
        (fill("&"), lambda text: list(URLSearchParams(text))),
        (fill("="), lambda text: list(URLSearchParams(text))),
        (fill("+"), lambda text: list(URLSearchParams(text))),
        (fill("%"), lambda text: str(URLSearchParams(text))),
        (fill("%C3"), lambda text: str(URLSearchParams(text))),
        (fill("a=1&"), lambda text: URLSearchParams(text).delete("a")),
        (fill("a=1&"), lambda text: URLSearchParams(text).set("a", "2")),
        (fill("a=1&b=1&"), lambda text: URLSearchParams(text).delete("a", "1")),
        (fill("a=1&"), lambda text: URLSearchParams(text).get_all("a")),
        (fill("a=1&"), lambda text: URLSearchParams(text).sort()),
        (
            lambda n: "&".join(f"{index:06}" for index in range(n // 7, 0, -1)),
            lambda text: URLSearchParams(text).sort(),
        ),
        (
            lambda n: "&".join(chr(0xE000 + index % 4000) + "😀" for index in range(n // 7)),
            lambda text: URLSearchParams(text).sort(),
        ),
        (fill("a=1&"), lambda text: str(URL("http://h/?" + text).search_params)),
        (lambda n: n // 8, appended),
        (lambda n: n // 8, walked_while_appending),
        (lambda n: [("é", "~")] * (n // 4), lambda pairs: str(URLSearchParams(pairs))),
        (lambda n: [("é", "~")] * (n // 4), lambda pairs: URLSearchParams(pairs) == URLSearchParams(pairs)),
        (fill("a=1&"), lambda text: parse_form(text)),
        (fill("&"), lambda text: parse_form(text, isindex=True, use_charset=True)),
        (fill("_charset_=x&"), lambda text: parse_form(text, use_charset=True)),
        (fill("a=%E9&"), lambda text: parse_form(text, encoding="latin1")),
        (lambda n: [("é", "~")] * (n // 4), serialize_form),
        (lambda n: [("é", "😀")] * (n // 4), lambda pairs: serialize_form(pairs, encoding="shift_jis")),
    ],
)
def test_params_and_forms(make: Make, work: Work) -> None:
    check(make, work)


@pytest.mark.parametrize(
    ("make", "work"),
    [
        *((lambda n, make=make: [make(n), "http://h/", make(n)], parse_many) for make in SHAPES.values()),
        *((lambda n, make=make: ["http://" + make(n) + "/"] * 2, can_parse_many) for make in list(HOSTS.values())[::3]),
        (lambda n: ["http://h/a?b#c"] * (n // 16), lambda urls: parse_many(urls, views=True)),
        (lambda n: [f"http://é{index % 3000}.example/" for index in range(n // 32)], parse_many),
        (lambda n: ["http://u:p@é.example/"] * (n // 16), lambda urls: component_many(urls, "origin", views=True)),
        (lambda n: b"http://h/\n" * (n // 10), parse_lines),
        (lambda n: b"\n" * n, parse_lines),
        (lambda n: b"\xff" * n, parse_lines),
        (lambda n: b"a" * n, lambda data: parse_lines(io.BytesIO(data))),
        (lambda n: ["http://h/?" + "a=1&" * (n // 4)] * 2, query_pairs_many),
        (lambda n: ["http://h/?" + "%61=1&" * (n // 6)] * 2, lambda urls: query_get_many(urls, "b")),
        (lambda n: ["http://h/?" + "a" * n] * 2, lambda urls: query_get_many(urls, "a" * 1000)),
        (lambda n: [DEEP(n), DEEP(n)], lambda bases: join_many(bases, ["../" * (len(bases[0]) // 3)] * 2)),
        (lambda n: ["%C3"] * (n // 8) + ["%ff" * n], percent_decode_many),
    ],
)
def test_bulk(make: Make, work: Work) -> None:
    check(make, work)


@pytest.mark.parametrize("unit", ["a", "%", "%4", "%41", "%C3", "é", "😀", " ", "\ud800", "\x00"])
def test_percent(unit: str) -> None:
    def work(text: str) -> None:
        for name in ("c0-control", "path", "userinfo", "form"):
            percent_encode(text, name)  # type: ignore[arg-type, unused-ignore]
        percent_decode(text)
        percent_decode_text(text)
        percent_encode(text, "form", encoding="windows-1252")

    check(fill(unit), work)


@pytest.mark.parametrize("make", HOSTS.values(), ids=HOSTS)
def test_hosts(make: Make) -> None:
    def work(text: str) -> None:
        for call in (parse_host, domain_to_ascii, domain_to_unicode, is_valid_domain, is_valid_host):
            try:
                call(text)
            except InvalidURL as error:
                str(error)

    check(make, work)


@pytest.mark.parametrize(
    "make",
    [fill("kva", "xn--"), fill("9", "xn--"), lambda n: f"xn--{'a' * (n // 2)}-{'a' * (n // 2)}", fill("xn--9ca.")],
)
def test_domain_to_unicode(make: Make) -> None:
    check(make, domain_to_unicode)


def test_distinct_code_points() -> None:
    def mapped(n: int) -> str:
        domain = domain_to_ascii(distinct(n))
        domain_to_ascii(distinct(20000))  # what is cached of the code points is now that of others
        return domain

    check(distinct, domain_to_ascii)
    check(mapped, domain_to_unicode)
