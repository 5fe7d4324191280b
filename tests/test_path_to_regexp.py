"""from_path_to_regexp(): the paths of Next.js.

The verdicts in the data are those of the package path-to-regexp 6.3.0 and of the URLPattern of Node 26.10.0. The
matchers are facts about configurations of public projects: the project, its file, and the text of the matcher.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from weburl import PatternError, URLPattern
from weburl.patterns import PatternList, from_path_to_regexp

DATA = Path(__file__).parent / "data"
MATCHERS = json.loads((DATA / "matchers.json").read_text("utf-8"))
# Each with whether it is strict; then, unless it is refused, paths with what the groups take, or null for no match.
GENERATED = json.loads((DATA / "path_to_regexp.json").read_text("utf-8"))
HOST = "https://example.com"


def verdicts(pattern: URLPattern) -> str:
    return "".join("01"[pattern.test(HOST + path)] for path in MATCHERS["paths"])


def test_there_are_enough_matchers() -> None:
    matchers = [row[2] for row in MATCHERS["matchers"]]
    assert len(matchers) == len(set(matchers)) >= 60
    assert len(MATCHERS["paths"]) == len(set(MATCHERS["paths"])) >= 50
    assert sum("(?!" in matcher for matcher in matchers) >= 25


@pytest.mark.parametrize(("project", "file", "matcher", "node", "path_to_regexp"), MATCHERS["matchers"])
def test_matchers_of_projects(project: str, file: str, matcher: str, node: str | None, path_to_regexp: str) -> None:
    if node is None:
        with pytest.raises(PatternError):
            URLPattern(pathname=matcher)
    else:
        assert verdicts(URLPattern(pathname=matcher)) == node, (project, file)
    translated = URLPattern(pathname=from_path_to_regexp(matcher), ignore_case=True)
    assert verdicts(translated) == path_to_regexp, (project, file)
    # A pattern's own text is that of a pattern.
    assert verdicts(URLPattern(pathname=translated.pathname, ignore_case=True)) == path_to_regexp


def test_matchers_as_one_list() -> None:
    rows = MATCHERS["matchers"]
    routes = PatternList([(row[2], URLPattern(pathname=from_path_to_regexp(row[2]), ignore_case=True)) for row in rows])
    for index, path in enumerate(MATCHERS["paths"]):
        expected = [row[2] for row in rows if row[4][index] == "1"]
        assert [key for key, _ in routes.all(HOST + path)] == expected


@pytest.mark.parametrize(("text", "strict", "results"), GENERATED)
def test_generated_paths(text: str, strict: bool, results: list[list[Any]] | None) -> None:
    if results is None:
        with pytest.raises(PatternError):
            URLPattern(pathname=from_path_to_regexp(text, strict=strict))
        return
    pattern = URLPattern(pathname=from_path_to_regexp(text, strict=strict))
    for path, groups in results:
        match = pattern.exec(HOST + path)
        assert (match and list(match.pathname.groups.values())) == groups, path


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ""), ("/", "/"), ("/a.b", "/a.b"), ("/:id", "/:id"), ("/:id?", "/:id?"), ("/:path*", "/:path*"),
        ("/:a.:b", "/:a{.:b((?:(?!\\.)[^\\/])+?)}"), ("/x\\/:id?", "/x/{:id}?"), ("/\\*\\?", "/\\*\\?"),
        ("/(.*)", "/(.*)"), ("/(a|b)(.*)", "/(a|b)(.*)"), ("/{:a}b", "/{:a}b"), ("/:a{b}", "{/:a}b"),
        ("/:a{}b", "{/:a}b"),
        ("/:a{-b}", "/:a-b"), ("/{:a\\b}", "/{:a\\b}"), ("/{:a\u00e9}?", "/{:a\\\u00e9}?"),
        ("/{a}?", "/{a}?"), ("/:1", "/:_1"), ("/:a/:a", "/:a/:a_2"),
        ("/:a/:a_2/:a", "/:a/:a_2/:a_3"),
        ("/([\\w-]+)", "/([\\w\\-]+)"), ("/([^/]*)", "/([^\\/]*)"), ("/([a-z-])", "/([a-z\\-])"),
        ("/([-a])", "/([\\-a])"),
        ("/([a\\-z])", "/([a\\-z])"), ("/([\\d-z])", "/([\\d\\-z])"), ("/([..])", "/([.\\.])"), ("/([[])", "/([\\[])"),
        ("/(\\-\\_\\a)", "/(-_a)"), ("/(a{)", "/(a\\{)"), ("/(a{2})", "/(a{2})"), ("/(}])", "/(\\}\\])"),
        ("/(a\u00e9)", "/(a\\u{e9})"), ("/([\u00e9])", "/([\\u{e9}])"), ("/(a\\/b)", "/(a\\/b)"),
    ],
)  # fmt: skip
def test_texts(text: str, expected: str) -> None:
    assert from_path_to_regexp(text) == expected
    URLPattern(pathname=expected)


def test_a_slash_at_the_end() -> None:
    for text in ("/books", "/books/:id", "/((?!api).*)"):
        assert from_path_to_regexp(text, strict=False) == f"{from_path_to_regexp(text)}{{/}}?"


@pytest.mark.parametrize(
    ("text", "message", "position"),
    [
        ("/*", "nothing to repeat: write \\* for the character, or (.*) for any text", 1),
        ("/a?", "nothing to repeat: write \\? for the character, or (.*) for any text", 2),
        ("/:", "a colon begins a name, but no name follows: write \\: for a colon", 1),
        ("/a}", "no group is open: write \\} for a brace", 2),
        ("/{:a:b}", "a group has one name or regular expression, and ends with }", 1),
        ("/{a", "a group has one name or regular expression, and ends with }", 1),
        ("/(", "a regular expression lacks its closing parenthesis", 1),
        ("/()", "a regular expression cannot be empty", 1),
        ("/(?:a)", "a regular expression cannot begin with '?'", 1), ("/\\", "nothing stands after \\", 1),
        ("/((a))", "a group in a regular expression cannot capture: begin it with (?:", 2),
    ],
)  # fmt: skip
def test_what_is_no_path(text: str, message: str, position: int) -> None:
    with pytest.raises(PatternError) as raised:
        from_path_to_regexp(text)
    error = raised.value
    assert (error.message, error.position, error.component, error.pattern) == (message, position, "pathname", text)


UNRESERVED = "-0123456789ABCXYZ_abcjkxyz~"


@pytest.mark.sample(1)
@pytest.mark.parametrize("kind", ["octal", "octal in a class", "control in a class", "c"])
def test_escapes_without_a_flag(kind: str) -> None:
    """https://tc39.es/ecma262/#sec-regular-expressions-patterns: Annex B."""
    expected: dict[str, set[str]] = {}
    if kind.startswith("octal"):
        for value in range(0o400):
            for digits in {f"{value:o}", f"{value:03o}"}:
                if kind == "octal" and digits[0] != "0":
                    continue
                for after in ("", "7", "8", "a"):
                    # At most three digits, and a number up to 377.
                    most = 3 if digits[0] in "0123" else 2
                    text = (digits + after)[:most] if after == "7" else digits
                    rest = (digits + after)[len(text) :]
                    first = chr(int(text, 8))
                    if kind == "octal":
                        expected[f"\\{digits}{after}"] = {first + rest}
                    else:
                        expected[f"[\\{digits}{after}]"] = {first, *rest}
    elif kind == "c":
        expected = {"[\\c]": {"\\", "c"}, "[\\c-]": {"\\", "c", "-"}, "x|\\c": {"x", "\\c"}}
    else:
        expected = {f"[\\c{c}x]": {chr(ord(c) % 32), "x"} for c in "0123456789_"}
    tried = [*UNRESERVED, *(a + b for a in "-0aA" for b in UNRESERVED)]
    for source, matched in expected.items():
        pattern = URLPattern(pathname=from_path_to_regexp(f"/({source})"))
        for text in tried:
            assert pattern.test({"pathname": f"/{text}"}) is (text in matched), (source, text)


def test_what_is_no_text() -> None:
    for wrong in (None, b"/", 1, ["/"]):
        with pytest.raises(TypeError, match="text must be a str"):
            from_path_to_regexp(wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "unit",
    [
        "\\k<",
        "[\\k<",
        "[\\c",
        "\\0",
        "/:a",
        "(",
        "[",
        "\\",
        "{",
        "/(a)",
        "/([a])",
        ":",
        "(?:",
        "[^",
        "/{a}?",
        "a-",
        "é",
    ],
)
def test_any_length(unit: str) -> None:
    """No text is too long, and none takes quadratic time: that would be minutes here."""
    try:
        from_path_to_regexp("/" + unit * 10_000)
        from_path_to_regexp("/(" + unit * 10_000 + ")")
    except PatternError:
        pass


@pytest.mark.parametrize(
    ("text", "written", "matched", "others"),
    [
        ("/((?!api)?.*)", "/((?:(?!api))?.*)", ["/abc", "/api"], ["x"]),
        ("/((?=a)*b.*)", "/((?:(?=a))*b.*)", ["/bcd"], ["/abc"]),
        ("/((?=a){2}a.*)", "/((?:(?=a)){2}a.*)", ["/abc"], ["/bcd"]),
        ("/((?=(?!x)+a)*?[ab])", "/((?:(?=(?:(?!x))+a))*?[ab])", ["/a", "/b"], ["/c"]),
    ],
)
def test_lookaheads_that_are_repeated(text: str, written: str, matched: list[str], others: list[str]) -> None:
    """Only without the flag, they can be. The texts matched are those of Node."""
    pattern = URLPattern(pathname=from_path_to_regexp(text))
    assert from_path_to_regexp(text) == written
    assert [path for path in matched + others if pattern.test({"pathname": path})] == matched


def test_lookbehinds_are_not_repeated() -> None:
    with pytest.raises(PatternError, match="nothing to repeat"):
        URLPattern(pathname=from_path_to_regexp("/((?<=a)*b)"))
