"""URL patterns: https://urlpattern.spec.whatwg.org/

A pattern has a pattern for each component of a URL. Matching takes linear time, whatever the pattern.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._patterns.constructor import text_of_base
from weburl._patterns.pattern import URLPattern
from weburl._patterns.pattern import restore as restore  # for pickles
from weburl._patterns.pattern_list import PatternList
from weburl._patterns.results import URLPatternComponentResult, URLPatternResult
from weburl._patterns.results import _HiddenResult as _HiddenResult  # for pickles
from weburl.errors import InvalidURL, PatternError
from weburl.url import URL

if TYPE_CHECKING:
    from os import PathLike
    from typing import Any, Literal

    from weburl._learn.learning import LearntRoute
    from weburl.url import FrozenURL

__all__ = [
    "LearntRoutes",
    "PatternError",
    "PatternList",
    "URLPattern",
    "URLPatternComponentResult",
    "URLPatternResult",
    "from_path_to_regexp",
    "learn_routes",
]


def __dir__() -> list[str]:
    return __all__


def from_path_to_regexp(text: str, *, strict: bool = True, version: Literal[6, 8] = 6) -> str:
    r"""The pattern of a pathname that matches what a path of Next.js or Express 5 matches.

    >>> from_path_to_regexp(r"/((?!api|[\w-]+\.ico).*)")
    '/((?!api|[\\w\\-]+\\.ico).*)'
    >>> from_path_to_regexp("/files/:name.:kind(zip|tar)?")
    '/files/:name{.:kind(zip|tar)}?'
    >>> from_path_to_regexp("/files{/*rest}", version=8, strict=False)
    '/files/:rest(.+)?{/}?'

    `version` is that of the package path-to-regexp: 6 for Next.js, whose regular expressions are without the flag `v`,
    so they need other backslashes; 8 for Express 5. `strict=False` allows a slash at the end, as Express does, and the
    matcher of a middleware of Next.js. Express, and rewrites of Next.js, ignore upper and lower case: for that, pass
    `ignore_case=True` to URLPattern. Groups keep their names, but `:1` becomes `:_1`, and a second `:name` becomes
    `:name_2`.

    PatternError is raised for a text that is not such a path. It is also raised for a path of version 8 that needs more
    than one pattern: then its message has the paths to write instead.
    """
    if not isinstance(text, str):
        raise wrong_type(text, "text must be a str")
    if version == 6:
        from weburl._patterns.path_to_regexp import translated

        return translated(text, bool(strict))
    if version == 8:
        from weburl._patterns.express import translated_express

        return translated_express(text, bool(strict))
    from weburl._diagnosis.messages import shown_argument

    raise ValueError(f"version must be 6 or 8, not {shown_argument(version)}")


class LearntRoutes(NamedTuple):
    """The routes that `learn_routes` has learnt, and in how many lines they are.

    >>> learnt = learn_routes([f"https://example.com/books/{n}" for n in range(100)])
    >>> for route in learnt.routes:
    ...     print(route.lines, route.key, route.pattern)
    100 /books/{int} *://example.com/books/:int(\\d+)
    0 {other} *://*:*/*

    `routes` are in the order in which they are tried; each has a key, the text of a pattern, and its lines. `lines` is
    how many rows were URLs, `invalid` how many were not. If `is_exact` is false, there were more different paths than
    are kept: then counts are estimates.
    """

    routes: list[LearntRoute]
    lines: int
    invalid: int
    is_exact: bool

    @property
    def text(self) -> str:
        """A file of routes, with the counts in comments: `PatternList.read` and `weburl --routes` read it.

        >>> learn_routes(["https://example.com/about"] * 20).text.splitlines()[1:3]
        ['// 20 lines', '/about\\t*://example.com/about']
        """
        from weburl._learn.learning import Learnt, text_of

        return "".join([f"{line}\n" for line in text_of(Learnt(*self))])

    @property
    def patterns(self) -> PatternList:
        """The routes as a PatternList.

        >>> learn_routes(["https://example.com/about"] * 20).patterns
        <PatternList of 2>
        """
        return PatternList([(route.key, route.pattern) for route in self.routes])

    @property
    def new(self) -> list[LearntRoute]:
        """The routes that were not in the file of `update`; without it, all but `{other}`.

        >>> [route.key for route in learn_routes(["https://example.com/about"] * 20).new]
        ['/about']
        """
        return [route for route in self.routes if route.is_new and route.pattern != "*://*:*/*"]

    @property
    def died(self) -> list[LearntRoute]:
        """The routes of the file of `update` that no line has.

        >>> learn_routes(["https://example.com/about"] * 20).died
        []
        """
        return [route for route in self.routes if not route.is_new and not route.lines]

    def __repr__(self) -> str:
        return f"<LearntRoutes: {len(self.routes)} routes of {self.lines} lines>"


LearntRoutes.routes.__doc__ = "The routes, in the order in which they are tried."
LearntRoutes.lines.__doc__ = "How many rows were URLs."
LearntRoutes.invalid.__doc__ = "How many rows were not URLs."
LearntRoutes.is_exact.__doc__ = "Whether all counts are exact."


def learn_routes(
    urls: Any,
    *,
    max_routes: int = 2000,
    base: str | URL | FrozenURL | None = None,
    update: str | PathLike[str] | None = None,
    threads: int | None = None,
) -> LearntRoutes:
    """Learns the routes of a site from its URLs: templates of paths whose number is bounded.

    >>> urls = [f"https://example.com/{kind}/{n}" for n in range(50) for kind in ("books", "authors")]
    >>> learnt = learn_routes(urls)
    >>> [(route.key, route.lines) for route in learnt.routes]
    [('/authors/{int}', 50), ('/books/{int}', 50), ('{other}', 0)]
    >>> learnt.patterns.first("https://example.com/books/7")[0]
    '/books/{int}'

    `urls` is a column, as in `weburl.bulk`; `base` and `threads` are as there. There are at most `max_routes` routes,
    and `{other}` is one of them. Memory is bounded, too. The order of the rows does not matter. `update` is a file of
    routes that was learnt before: these keep their names and patterns, and only other URLs make new routes.
    """
    if not isinstance(max_routes, int) or isinstance(max_routes, bool):
        raise wrong_type(max_routes, "max_routes must be an int")
    if max_routes < 1:
        raise ValueError("max_routes must be at least 1")
    from weburl._learn.learning import NONE, learn, read_old

    text = text_of_base(base)
    if text is not None and not URL.can_parse(text):
        raise InvalidURL("", text, "base")
    old = NONE if update is None else read_old(update)
    return LearntRoutes(*learn(urls, max_routes, text and URL(text).href, old, threads)[:4])
