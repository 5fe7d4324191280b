"""URL patterns and URLs that take engines with backtracking more than linear time, and patterns of any length."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import cache, partial
from typing import Any

from weburl import PatternError, URLPattern
from weburl.bulk import pattern_extract_many, pattern_test_many, route_many
from weburl.patterns import PatternList

Make = Callable[[int], Any]
Work = Callable[[Any], object]
Init = tuple[tuple[str, str], ...]
# A component, its pattern, and what is repeated in a URL: its beginning, the unit and its end.
MATCHED: tuple[tuple[str, str, str, str, str], ...] = (
    ("pathname", "/*a*a*a*b", "http://h/", "a", ""),
    ("pathname", "/*a*a*a*b", "http://h/", "a", "b"),
    ("pathname", "/:a-:b-:c-:d!", "http://h/", "a-", ""),
    ("pathname", "*/:a-:b-:c-:d-x*", "http://h/a-a-a-a-a-x/", "a-", ""),
    ("pathname", "/((?:x+x+)+y|.*)", "http://h/", "x", ""),
    ("pathname", "/((?:x+x+)+y|.*z)", "http://h/", "x", ""),
    ("pathname", "/((?:a|a)*b|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:a*)*b|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:(?:a+)+)+b|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:a|ab|b)*c|.*)", "http://h/", "ab", ""),
    ("pathname", "/(.*.*.*.*c|.*)", "http://h/", "ab", ""),
    ("pathname", "/((?:a?){20}a{20}|.*b)", "http://h/", "a", ""),
    ("pathname", "/((?:.*a.{9})|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:a{0,5}){0,5}b|.*)", "http://h/", "a", ""),
    ("pathname", "/(\\b.*\\b.*\\b!|.*)", "http://h/", "a-", ""),
    ("pathname", "/((?:[[a-z]&&[^b]]|[\\w--\\d])*!|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:a*?)*?b|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:^a|a)*$b|.*)", "http://h/", "a", ""),
    ("pathname", "/((?!api|b).*)", "http://h/", "a", ""),
    ("pathname", "/((?=(?:a|a)*b).*|.*z)", "http://h/", "a", ""),
    ("pathname", "/((?=(?:a|a)*b).*|.*z)", "http://h/", "a", "b"),
    ("pathname", "/((?:(?=.*b)a)*b?)", "http://h/", "a", "b"),
    ("pathname", "/((?:(?=.*(?<=.*c.*))a)*b?|c.*)", "http://h/", "a", "b"),
    ("pathname", "/((?:a(?<=a*)(?<!b.*))*c|.*)", "http://h/", "a", ""),
    ("pathname", "/((?:(?!(?=(?:a?){20}a{20}b)a)(?<=(?:a?){20}a{20}|.*).)*)", "http://h/", "a", ""),
    ("pathname", "/((?!(?:.*b){70}).*)", "http://h/", "ab", ""),
    ("pathname", "/((?!(?:.*b){300}).*|.*)", "http://h/", "ab", ""),
    ("hostname", "(.*(?<!(?:a\\.)+b\\..*)(?=c).*)", "http://", "a.", "c/"),
    ("search", "((?:[^&](?=.*&)|&(?!.*x))*!)", "http://h/?", "a&", "!"),
    ("pathname", "/{:a-}*x", "http://h/", "a-", ""),
    ("pathname", "/:a+/x", "http://h", "/a", ""),
    ("pathname", "/:a*/:b*/:c*/x", "http://h", "/a", ""),
    ("pathname", "{/:a}*{/:b}*{/:c}*x", "http://h", "/a", ""),
    ("pathname", "/:a:b:c:d/", "http://h/", "a", ""),
    ("pathname", "/*-*-*-*-*x", "http://h/", "-", ""),
    ("pathname", "/{*a}*{*b}+{*c}?x", "http://h/", "abc", ""),
    ("hostname", "*.*.*.*.x", "http://", "a.", "y/"),
    ("hostname", "{:a.}*{:b.}*x", "http://", "a.", "y/"),
    ("search", "*=*&*=*&*!", "http://h/?", "a=b&", ""),
    ("hash", "((?:a|ab)(?:c|bcd)(?:d*))*!", "http://h/#", "abcd", ""),
    ("username", "*%*%*!", "http://", "%25", "@h/"),
    ("protocol", "*a*a*a*b", "", "a", "://h/"),
    # With every fixed text of the pattern, so that none of them tells at once that there is no match.
    ("pathname", "/*a*b*c*d", "http://h/dcb", "a", "d"),
    ("pathname", "/:a-:b-:c-:d!", "http://h/", "a-", "/a!"),
    ("pathname", "/:a-:b-:c-:d!", "http://h/", "a-", "!"),
    ("pathname", "*/:a-:b-:c-:d-x", "http://h/a-a-a-a-a-/", "a-", "/-x"),
    ("pathname", "/((?:x+x+)+y|.*z)", "http://h/zy", "x", "w"),
    ("pathname", "/((?:a?){20}a{20}|.*b)", "http://h/b", "a", "c"),
    ("pathname", "/{:a-}*x", "http://h/", "a-", "/x"),
    ("pathname", "/:a+/x", "http://h", "/a", "//x"),
    ("pathname", "/:a*/:b*/:c*/x", "http://h", "/a", "//x"),
    ("pathname", "{/:a}*{/:b}*{/:c}*x", "http://h", "/a", "//x"),
    ("pathname", "/:a:b:c:d/", "http://h/", "a", "//"),
    ("pathname", "/{*a}*{*b}+{*c}?x", "http://h/", "abc", "x"),
    ("pathname", "/*-*+*-*+*x", "http://h/", "-", "x"),
    ("hostname", "*.b.*.c.*.x", "http://c.b.", "a.", "x/"),
    ("hostname", "{:a.}*{:b.}*x", "http://", "a.", ".x/"),
    ("search", "*=*&*=*&*!", "http://h/?", "a=b&", "!"),
    ("search", "*a*b*c*!", "http://h/?cb", "a", "!"),
    ("hash", "((?:a|ab)(?:c|bcd)(?:d*))*!", "http://h/#", "abcd", "e!"),
    ("pathname", "/books/:id", "http://h/books/", "7", ""),
    ("pathname", "/books/:id", "http://h/books", "/7", ""),
    ("pathname", "*", "http://h/", "a/", ""),
    ("pathname", "*.zip", "http://h/", ".zi", ".zip"),
)
# Constructor strings, and patterns of a path, of any length. Most are refused, which takes linear time, too.
MADE = (
    "*", "*a", "a*", ":a", ":a/", "/:a", "?", "+", "{", "}", "{}", "{a}", "{a}?", "{a}*", "(", ")", "(a)", "(.*)",
    "(?:", "(?:a)", "(?:a|", "a|", "[", "[a]", "\\", "\\a", "\\\\", ":", "://", "@", "#", "[^a]", "&&", "--", "é", "😀",
    "%", "a{2}", "a{9}{9}", "\\p{L}", "\\u{61}", ".", "..", "/..", "/", "//", "\\b", "(?<a>", "(?=", "\\1", "\n",
    "(?!a)", "((?=a))", "(?<=a)b", "(a(?<!b))", "(b(?!", "(?=(?!a))",
)  # fmt: skip


@cache
def pattern(component: str, text: str, ignore_case: bool) -> URLPattern:
    return URLPattern({component: text}, ignore_case=ignore_case)


def matched(made: Callable[[], URLPattern], url: str) -> None:
    match = made().exec(url)
    assert made().test(url) is (match is not None)
    if match is not None:
        match.groups, match.pathname, match.hostname, repr(match)


@cache
def routes() -> PatternList:
    """All of these at once, each of any host."""
    return PatternList([(f"{i}", URLPattern({name: text})) for i, (name, text, *_) in enumerate(MATCHED)])


def routed(url: str) -> None:
    found = routes().first(url)
    everything = routes().all(url)
    assert (found is None) is (everything == [])


def made(text: str) -> None:
    for wanted in (text, f"https://h/{text}", f"https://{text}"):
        with suppress(PatternError):
            URLPattern(wanted)
    for component in ("pathname", "hostname", "protocol"):
        with suppress(PatternError):
            URLPattern({component: text})


def numbered(n: int) -> str:
    """A path of many parts, each with a name of its own."""
    return "".join([f"/:p{i}" for i in range(n // 7)])


def nested(n: int) -> str:
    return f"/({'(?:' * (n // 4)}a{')' * (n // 4)})"


def list_of(n: int) -> list[str]:
    return [f"https://host{i}.example.com/a{i % 7}/:id" for i in range(n // 40)]


def in_columns(component: str, text: str, url: str) -> None:
    made = pattern(component, text, False)
    expected = made.test(url)
    rows = [url, "http://h/", url]
    assert pattern_test_many(rows, made, threads=1).to_pylist()[::2] == [expected] * 2
    # Some have no groups with names.
    names = [f"{component}.0"] if "*" in text.replace("}*", "") or "(" in text else None
    with suppress(ValueError):
        assert len(pattern_extract_many(rows, made, names, threads=1)) == 3
    found = routes().first(url)
    assert route_many(rows, routes(), threads=1)["route"].to_pylist()[0] == (found and found[0])


def built(patterns: list[str]) -> None:
    made = PatternList(patterns)
    assert made.first(patterns[-1].replace(":id", "7")) is not None


def pattern_cases() -> list[tuple[str, Make, Work]]:
    found: list[tuple[str, Make, Work]] = []
    for name, text, before, unit, after in MATCHED:
        make = partial(filled, before, unit, after)
        for ignore_case in (False, True)[: 2 if name == "pathname" and "(" in text else 1]:
            shown = f"{name} {text} on {before}{unit}*n{after}{', any case' if ignore_case else ''}"
            work = partial(matched, partial(pattern, name, text, ignore_case))
            found.append((f"pattern: {shown}", make, work))
        found.append((f"columns: {name} {text} on {before}{unit}*n{after}", make, partial(in_columns, name, text)))
        found.append((f"routes: {before}{unit}*n{after}, {text}", make, routed))
    for unit in MADE:
        found.append((f"pattern of {unit!a}*n", partial(filled, "", unit, ""), made))
    found += [
        ("pattern of n names", numbered, made),
        ("columns of n names of a pattern", numbered, as_columns),
        ("pattern of n nested groups", nested, made),
        ("pattern of n nested lookarounds", lambda n: f"/(a{'(?=' * (n // 4)}a{')' * (n // 4)})", made),
        ("pattern of n lookarounds", lambda n: f"/(a{'(?!a)' * (n // 5)})", made),
        ("pattern of n nested classes", lambda n: f"({'[' * (n // 2)}a{']' * (n // 2)})", made),
        ("pattern of nested repetitions", lambda n: f"({'(?:' * (n // 8)}a{'){2}' * (n // 8)})", made),
        ("pattern with a name of n", lambda n: "/:" + "a" * n, made),
        ("pattern with n alternatives", lambda n: f"/({'|'.join(['ab'] * (n // 3))})", made),
        ("pattern of n in a base", lambda n: "https://h/" + "a/" * (n // 2), based),
        ("list of n routes", list_of, built),
    ]
    return found


def as_columns(text: str) -> None:
    pattern = URLPattern(pathname=text)
    names = pattern_extract_many([], pattern).column_names
    groups = [f"pathname.{name}" for name in names]
    assert list(pattern_extract_many([], pattern, groups).column_names) == groups


def based(base: str) -> None:
    assert URLPattern("x", base).test(base + "x")
    assert URLPattern("../*", base).test({"pathname": "/", "base_url": base}) is False


def filled(before: str, unit: str, after: str, n: int) -> str:
    return before + unit * (n // len(unit)) + after
