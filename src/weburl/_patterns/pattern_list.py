"""`PatternList`: which of many patterns matches."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from weburl._core.arguments import need_iterable, need_path, wrong_type
from weburl._patterns.constructor import components_of, read_components, text_of_base
from weburl._patterns.keys import key_of
from weburl._patterns.matcher import RouteTable
from weburl._patterns.pattern import TEXTS, URLS, URLPattern
from weburl._patterns.results import URLPatternResult, group_names
from weburl.errors import InvalidURL, PatternError
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from os import PathLike
    from typing import Any, Final, Self

    from weburl._patterns.columns import Matching

# Patterns that nearly match are shown up to this number.
NEAR: Final = 10
OF_COMPONENTS: Final = "write URLPattern({...}) for a mapping of components"


class PatternList:
    """PatternList(patterns, *, base=None, ignore_case=False, regexp_groups=True)

    Patterns with keys, such as the routes of a server: the first that a URL matches counts.

    >>> routes = PatternList({"book": "*://*/books/:id", "page": "*://*/*"})
    >>> key, result = routes.first("https://example.com/books/7")
    >>> key, result.groups
    ('book', {'id': '7'})

    `patterns` is a mapping from keys to patterns, a list of such pairs, or a list of patterns alone. In the last case,
    the text of a pattern is its key. A pattern is a URLPattern or a text, with the options of URLPattern. A long list
    is fast, too: the end of the host and the start of the path say which patterns to try.
    """

    __slots__ = ("__weakref__", "_items", "_matches", "_table")

    def __init__(
        self,
        patterns: Iterable[str | URLPattern | tuple[str, str | URLPattern]] | Mapping[str, str | URLPattern] = (),
        *,
        base: str | URL | FrozenURL | None = None,
        ignore_case: bool = False,
        regexp_groups: bool = True,
    ) -> None:
        if isinstance(patterns, (str, URLPattern)):
            raise wrong_type(patterns, "patterns must be a list or a mapping of patterns")
        need_iterable(patterns, "patterns must be a list or a mapping of patterns")
        text = text_of_base(base)
        if text is not None and not URL.can_parse(text):
            raise InvalidURL("", text, "base")
        items: list[tuple[str, URLPattern]] = []
        for item in patterns.items() if isinstance(patterns, Mapping) else patterns:
            key, pattern = pair_of(item)
            if isinstance(pattern, URLPattern):
                if not regexp_groups:
                    pattern._refuse_regexp_groups()
            else:
                try:
                    pattern = URLPattern(pattern, base, ignore_case=ignore_case, regexp_groups=regexp_groups)
                except PatternError as error:
                    error.row = len(items)
                    raise
            items.append((key, pattern))
        self._items = tuple(items)
        self._matches: Matching | None = None
        self._table = RouteTable(
            [pattern._matcher for _, pattern in items],
            [key_of(pattern._components[3], pattern._components[5]) for _, pattern in items],
        )

    @classmethod
    def read(
        cls,
        path: str | PathLike[str],
        *,
        base: str | URL | FrozenURL | None = None,
        ignore_case: bool = False,
        regexp_groups: bool = True,
    ) -> Self:
        """Reads a file of patterns: one in each line, or a key, a tab and a pattern.

        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder, "routes.txt")
        ...     _ = file.write_text("// routes\\nbook\\t*://*/books/:id\\n")
        ...     PatternList.read(file).first("https://example.com/books/7")[0]
        'book'

        The file is UTF-8. A line that begins with `//` is a comment.
        """
        with open(need_path(path, "path must be a str or a path"), encoding="utf-8-sig") as file:
            numbered = [(number, line) for number, line in enumerate(map(str.strip, file)) if line and line[:2] != "//"]
        split = [line.split("\t", 1) for _, line in numbered]
        pairs = [(pair[0].strip(), pair[-1].strip()) for pair in split]
        try:
            return cls(pairs, base=base, ignore_case=ignore_case, regexp_groups=regexp_groups)
        except PatternError as error:
            row, error.row = error.row, None
            error.line = None if row is None else numbered[row][0] + 1
            raise

    def first(
        self, url: str | URL | FrozenURL | Mapping[str, Any], *, base: str | URL | FrozenURL | None = None
    ) -> tuple[str, URLPatternResult] | None:
        """The key of the first pattern that a URL matches, and what its groups took; None if it matches none.

        >>> routes = PatternList({"new": "*://*/books/new", "book": "*://*/books/:id"})
        >>> routes.first("https://example.com/books/new")
        ('new', URLPatternResult({}))
        >>> routes.first("https://example.com/about") is None
        True

        InvalidURL is raised if the base does not parse.
        """
        if type(url) is not str or base is not None:
            first_match = self._find(url, base, False)
            return first_match[0] if first_match else None
        # Most calls.
        matches = self._table.find(url, None, False)
        if not matches:
            return None
        index, match = matches[0]
        key, pattern = self._items[index]
        return key, pattern._result(match, (url,))

    def all(
        self, url: str | URL | FrozenURL | Mapping[str, Any], *, base: str | URL | FrozenURL | None = None
    ) -> list[tuple[str, URLPatternResult]]:
        """The keys of all patterns that a URL matches, in the order of the list, each with what its groups took.

        >>> routes = PatternList({"new": "*://*/books/new", "book": "*://*/books/:id"})
        >>> [key for key, result in routes.all("https://example.com/books/new")]
        ['new', 'book']
        """
        return self._find(url, base, True)

    def _find(
        self, url: str | URL | FrozenURL | Mapping[str, Any], base: str | URL | FrozenURL | None, all: bool
    ) -> list[tuple[str, URLPatternResult]]:
        inputs: tuple[Any, ...] = (url,)
        if isinstance(url, TEXTS):
            base = text_of_base(base)
            matches = self._table.find(url, base, all)
            if not matches and base is not None and not URL.can_parse(base):
                raise InvalidURL(str.__str__(url if isinstance(url, str) else url.href), base, "base")
            if type(url) is not str and isinstance(url, URLS):
                inputs = (url.href,)
            elif base is not None:
                inputs = (url, base)
        else:
            components, copy = read_components(url, base, "url")
            matches = self._table.find_components(components, all) if components else []
            inputs = (copy,)
        items = self._items
        return [(items[index][0], items[index][1]._result(match, inputs)) for index, match in matches]

    def explain(
        self, url: str | URL | FrozenURL | Mapping[str, Any], *, base: str | URL | FrozenURL | None = None
    ) -> str:
        """A text for people: the patterns that a URL matches, and those that it fails in only one component.

        >>> routes = PatternList({"book": "https://*/books/:id", "author": "https://*/authors/:id"})
        >>> print(routes.explain("http://example.com/books/7"))
        It matches no pattern.
        It nearly matches:
        book: URLPattern(protocol='https', port='', pathname='/books/:id'), but the protocol
        """
        from weburl._diagnosis.credentials import without_secrets

        texts = components_of(url, base, "url")
        tests = [(key, pattern, pattern._mismatches(texts)) for key, pattern in self._items]
        tests = [(without_secrets(key), pattern, wrong) for key, pattern, wrong in tests]
        lines = [f"{key}: {pattern!r}" for key, pattern, wrong in tests if not wrong]
        lines[:0] = ["It matches:" if lines else "It matches no pattern."]
        near = [f"{key}: {pattern!r}, but the {wrong[0]}" for key, pattern, wrong in tests if len(wrong) == 1]
        if near:
            lines += ["It nearly matches:", *near[:NEAR]]
            if len(near) > NEAR:
                lines.append(f"and {len(near) - NEAR} more")
        return "\n".join(lines)

    def _matching(self, groups: Iterable[str] | None = None, nothing: str | None = None) -> Matching:
        """What columns are matched against, with the groups that have names or, each as a column, some groups.

        `nothing` is the key of URLs that match no pattern.
        """
        if groups is None and self._matches is not None:
            return self._matches
        from weburl._patterns.columns import Matching

        all_groups = [pattern._named_groups() for _, pattern in self._items]
        if groups is None:
            names, places = [], [own.named() for own in all_groups]
        else:
            names = group_names(groups, all_groups)
            places = [[place for place in map(own.find, names) if place] for own in all_groups]
        targets = list(zip([key for key, _ in self._items], places, strict=True))
        matching = Matching(self._table, targets, names, nothing)
        if groups is None:
            # Engines ask for each batch.
            self._matches = matching
        return matching

    def __len__(self) -> int:
        return len(self._items)

    def __iter__(self) -> Iterator[tuple[str, URLPattern]]:
        return iter(self._items)

    def __getitem__(self, index: int) -> tuple[str, URLPattern]:
        return self._items[index]

    def __contains__(self, url: object) -> bool:
        raise TypeError("a list of patterns has no members: use first(url)")

    def __eq__(self, other: object) -> bool:
        return self._items == other._items if isinstance(other, PatternList) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._items)

    def __repr__(self) -> str:
        return f"<PatternList of {len(self)}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._items,)


def pattern_of(argument: str | URLPattern) -> URLPattern:
    """A pattern as functions take it."""
    if isinstance(argument, URLPattern):
        return argument
    if isinstance(argument, str):
        return URLPattern(argument)
    if hasattr(argument, "keys"):
        raise TypeError(f"pattern must be a URLPattern or a str, not {type(argument).__name__}: {OF_COMPONENTS}")
    raise wrong_type(argument, "pattern must be a URLPattern or a str")


def pair_of(item: object) -> tuple[str, str | URLPattern]:
    """A key and a pattern."""
    if isinstance(item, str):
        return item, item
    if isinstance(item, URLPattern):
        return repr(item), item
    pattern = item
    if isinstance(item, tuple) and len(item) == 2:
        key, pattern = item
        if isinstance(key, str) and isinstance(pattern, (str, URLPattern)):
            return key, pattern
    if hasattr(pattern, "keys"):
        raise TypeError(f"a pattern must be a URLPattern or a str, not {type(pattern).__name__}: {OF_COMPONENTS}")
    if pattern is not item and not isinstance(key, str):
        raise wrong_type(key, "a key must be a str")
    raise wrong_type(pattern, "a pattern must be a URLPattern, a str, or a pair of a key and one of these")


PatternList.__module__ = "weburl.patterns"
