"""from_path_to_regexp(version=8): the paths of Express 5.

The verdicts in the data are those of the package path-to-regexp 8.4.2: `make express-agreement N="1 --write"` writes
them, for the paths of Express' guide, for one path for each rule, and for generated ones.
"""

from __future__ import annotations

import json
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from tiers.express_agreement import KNOWN, Paths, as_list, observed, same

from weburl import PatternError, URLPattern
from weburl.patterns import PatternList, from_path_to_regexp

# Each with whether it is strict and whether case counts; then, unless it is refused, URLs with what the groups take.
CASES = json.loads((Path(__file__).parent / "data" / "express_paths.json").read_text("utf-8"))


def test_there_are_enough_paths() -> None:
    assert {case[0] for case in CASES} >= set(KNOWN)
    assert len(CASES) >= 500
    assert sum(case[3] is not None for case in CASES) >= 400


@pytest.mark.parametrize(("path", "strict", "sensitive", "results"), CASES)
def test_paths(path: str, strict: bool, sensitive: bool, results: list[Any] | None) -> None:
    why, ours = observed([path, strict, sensitive, [url for url, _ in results or []]])
    if results is None:
        assert (why != "", ours) == (True, None)
        return
    assert why != "refused"
    # What needs several patterns is a list of paths, which have the same results.
    if ours is not None:
        wrong = [url for (url, theirs), one in zip(results, ours, strict=True) if not same(one, theirs)]
        assert wrong == []


def test_how_many_are_refused() -> None:
    """The paths that path-to-regexp takes and that one URL pattern cannot say, by reason."""
    counts = Counter(
        observed([path, strict, sensitive, []])[0] for path, strict, sensitive, results in CASES if results is not None
    )
    assert counts == {
        "": 322,
        "a group in a group": 21,
        "a group with two names": 20,
        "a name ends elsewhere without a group": 19,
        "a name takes something else without a group": 49,
        "a name that is not an identifier": 3,
        "a segment of dots": 10,
    }


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("", ""), ("/", "/"), ("/a.b", "/a.b"), ("/:id", "/:id"), ("/*splat", "/:splat(.+)"),
        ("/{*splat}", "/{:splat(.+)}?"), ("/ab{c}d", "/ab{c}?d"), ("/:a{/:b}", "/:a/:b?"),
        ("/:a{/:b{/:c}}", "/:a/:b?/:c?"), ("/{:lang/}x", "/{:lang/}?x"),
        ("/:file{.:ext}", "/:file{.:ext([^\\/.]+|\\.)}?"), ("/:from-:to", "/:from-:to([^\\/\\-]+|-)"),
        ("/:a--:b", "/:a([^\\/]+)--:b((?:(?!--)[^\\/])+|--)"), ("/*a-:b", "/:a(.+)-:b([^\\/\\-]+)"),
        ("/:a-*b", "/:a([^\\/\\-]+)-:b(.+)"), ("/a/*x/b/*y", "/a/:x(.+)/b/:y((?:(?!/b/).)+|[^\\/]+)"),
        ("*a/*b", ":a(.+)/:b"), ("*a-*b", ":a(.+)-:b([^\\-]+)"),
        ('/:"a"b', "/{:a}b"), ('/{:"a"b}', "/{:a\\b}?"), ('/{-:"a"1}c', "/{-:a\\1}?c"), ("/\\:a\\*\\{", "/\\:a\\*%7B"),
        ("/\u00e9/:\u00e9", "/%C3%A9/:\u00e9"),
        ("/\u00e9:a\\\u00fc:b", "/%C3%A9:a([^\\/]+)%C3%BC:b((?:(?!%C3%BC)[^\\/])+|%C3%BC)"),
        ("/a b\\\\\n", "/a%20b%5C%0A"), ("/:a/:a/:a_2", "/:a/:a_2/:a_2_2"), ("/.:a", "/{.:a}"), ("/..:a", "/{..:a}"),
        ("/{}a{{}}", "/a"), ("{{/:a}}", "/:a?"), ("/{a}{b}:c", "/{a}?{b}?:c"),
        ("/*a{.:b}", "/:a(.+?){.:b([^\\/.]+)}?"),
        ("/:a-:b{.:c}", "/:a-:b([^\\/\\-]+?|-){.:c([^\\/.]+|\\.)}?"),
        ("/:a{-:b}{-:c}", "/:a{-:b([^\\/\\-]+|-)}?{-:c([^\\/\\-]+|-)}?"),
    ],
)  # fmt: skip
def test_texts(path: str, expected: str) -> None:
    assert from_path_to_regexp(path, version=8) == expected
    URLPattern(pathname=expected)


def test_a_slash_at_the_end() -> None:
    """Express removes those of a path, and allows one."""
    for path, expected in (("/a", "/a{/}?"), ("/a/", "/a{/}?"), ("/a//", "/a{/}?"), ("/", "/{/}?"), ("//", "{/}?")):
        assert from_path_to_regexp(path, strict=False, version=8) == expected
    assert from_path_to_regexp("/a/", version=8) == "/a/"


@pytest.mark.parametrize(
    ("path", "message", "position"),
    [
        ("/*", "* begins a name, but no name follows: write \\* for the character", 1),
        ("/a:1", ": begins a name, but no name follows: write \\: for the character", 2),
        ('/:""', ": begins a name, but no name follows: write \\: for the character", 1),
        ("/a?", "? has no meaning in a path of Express 5: write \\?", 2),
        ("/(a)", "( has no meaning in a path of Express 5: write \\(", 1),
        ("/{a", "a group that begins with { needs a }", 1), ("/a}", "no group is open: write \\} for a brace", 2),
        ("/a\\", "nothing stands after \\", 2), ('/:"a', 'a name that begins with " needs another "', 2),
        ('/:"a\\', 'a name that begins with " needs another "', 2),
        ('/:"a b"', "a URL pattern cannot have the name 'a b'", 2),
        ("/:a:b", "a text is needed between 'b' and the name before it", 3),
        ("/:a{x}*b", "a text is needed between 'b' and the name before it", 6),
        ("/a/../b", "no URL has such a segment of dots", 7), ("/a{/%2E}", "no URL has such a segment of dots", 2),
        ("/{a}{b}{c}{d}{e}{f}{g}{h}{i}", "this has more than 256 alternatives", 25),
        ("/{a{b}}{c{d}}{e}{f}{g}{h}{i}", "this has more than 256 alternatives", 25),
        (
            "/*a/x/*b{.c}",
            "write this as 2 paths, '/*a/x/*b.c' and '/*a/x/*b': one URL pattern cannot say where 'a' ends", 1,
        ),
        (
            "/x{/:a/:b}",
            "write this as 2 paths, '/x/:a/:b' and '/x': one URL pattern cannot have a group with two names", 2,
        ),
        (
            "/x{/:id{.:kind}}",
            "write this as 3 paths, '/x/:id.:kind', '/x/:id' and '/x': one URL pattern cannot have this group in a "
            "group",
            7,
        ),
        (
            "/{:a-}:b",
            "write this as 2 paths, '/:a-:b' and '/:b': one URL pattern cannot say what 'b' takes with a group and "
            "without it", 6,
        ),
        (
            "/:a{--:b}",
            "write this as 2 paths, '/:a--:b' and '/:a': one URL pattern cannot say where 'a' ends", 1,
        ),
        (
            '/{a{b}}{c}:"d"{e}',
            "write this as 12 paths, '/abc:\"d\"e', '/abc:d', '/ab:\"d\"e', '/ab:d' and 8 more: one URL pattern cannot "
            "have this group in a group", 3,
        ),
    ],
)  # fmt: skip
def test_what_is_refused(path: str, message: str, position: int) -> None:
    with pytest.raises(PatternError) as raised:
        from_path_to_regexp(path, version=8)
    error = raised.value
    assert (error.message, error.position, error.component, error.pattern) == (message, position, "pathname", path)


def test_the_paths_of_a_message() -> None:
    """They are a list whose first match has what Express has."""
    paths = ("/x/:id.:kind", "/x/:id", "/x")
    routes = PatternList([(path, URLPattern(pathname=from_path_to_regexp(path, version=8))) for path in paths])
    found: dict[str, Any] = {}
    for url in ("/x", "/x/a", "/x/a.b.c", "/x.b", "/x/a."):
        first = routes.first(f"https://example.com{url}")
        found[url] = first and (first[0], first[1].groups)
    assert found == {
        "/x": ("/x", {}), "/x/a": ("/x/:id", {"id": "a"}), "/x/a.b.c": ("/x/:id.:kind", {"id": "a.b", "kind": "c"}),
        "/x.b": None, "/x/a.": ("/x/:id", {"id": "a."}),
    }  # fmt: skip
    urls = list(found)
    assert as_list("/x{/:id{.:kind}}", True, True, urls) == [
        found[url] and [["id", found[url][1].get("id")], ["kind", found[url][1].get("kind")]] for url in urls
    ]


@pytest.mark.slow
def test_generated_paths_are_of_all_kinds() -> None:
    """What express-agreement compares."""
    from random import Random

    paths = Paths(Random("kinds"))
    seen = Counter(observed([*paths.case()[:3], []])[0] for _ in range(3000))
    assert seen[""] > 1000, seen
    assert len(seen) >= 7, seen


def test_wrong_arguments() -> None:
    for wrong in (None, b"/", 1, ["/"]):
        with pytest.raises(TypeError, match="text must be a str"):
            from_path_to_regexp(wrong, version=8)  # type: ignore[arg-type]
    for version in (0, 7, "8", None):
        with pytest.raises(ValueError, match=r"^version must be 6 or 8, not "):
            from_path_to_regexp("/", version=version)  # type: ignore[arg-type]


UNITS = (
    ":a", ":a-", ":a/", "/:a-", "*a-", "*a/", "{", "}", "{}", "{a}", "{:a}", "{/:a}", "a", "\\", '"', ':"', ':"a"',
    "{{", "/.", "\u00e9", ":\u00e9", "{a{b}", "*a-:b", "(", "{-:a}b", "{/:a", "\ud800",
)  # fmt: skip


@pytest.mark.sample(9)
@pytest.mark.parametrize("unit", UNITS)
@pytest.mark.parametrize("many", [300, *(pytest.param(many, marks=pytest.mark.slow) for many in (1000, 10_000))])
def test_any_length(many: int, unit: str) -> None:
    """No text is too long, and none takes quadratic time: of 10,000 that would be minutes."""
    for path in (
        unit * many, unit * many + "}" * many, "{a}" * 8 + unit * many, unit * 7 + "x" * 10 * many,
        "/:a{b}/" + unit * many, unit * 1_000 + ":x{a-}" + unit * 1_000, "{" * 200 + unit + "}" * 200,
    ):  # fmt: skip
        for strict in (True, False):
            with suppress(PatternError):
                from_path_to_regexp(f"/{path}", strict=strict, version=8)
