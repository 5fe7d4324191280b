"""URL patterns: https://urlpattern.spec.whatwg.org/

A pattern has a pattern for each component of a URL. Matching takes linear time, whatever the pattern.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from weburl._core.parts import need_iterable, need_path, wrong_type
from weburl._patterns.canonical import COMPONENTS, canonicalize_protocol
from weburl._patterns.component import (
    DEFAULT,
    compare_components,
    compile_component,
    compile_components,
    refuse_regexp_groups,
)
from weburl._patterns.constructor import components_of, read_components, read_pattern, text_of_base
from weburl._patterns.keys import key_of
from weburl._patterns.matcher import Match, Matcher, RouteTable
from weburl._patterns.results import (
    HIDDEN,
    SECRET,
    Groups,
    URLPatternComponentResult,
    URLPatternResult,
    group_names,
)
from weburl._patterns.results import _HiddenResult as _HiddenResult  # for pickles
from weburl.errors import InvalidURL, PatternError
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from ipaddress import IPv4Address, IPv6Address
    from os import PathLike
    from typing import Any, Final, Literal, Self

    from weburl._hosts.host import Host
    from weburl._learn.learning import LearntRoute
    from weburl._patterns.columns import Matching
    from weburl._patterns.compile import Compiled

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

ANYTHING: Final[Compiled] = compile_component("*", DEFAULT, canonicalize_protocol).compiled
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
# For isinstance(): a tuple that is made once.
URLS: Final = (URL, FrozenURL)
TEXTS: Final = (str, *URLS)


def __dir__() -> list[str]:
    return __all__


class URLPattern:
    """URLPattern(input={}, base=None, *, ignore_case=False, regexp_groups=True, **components)

    A pattern that URLs match or do not match.

    >>> pattern = URLPattern("https://*.example.com/books/:id")
    >>> pattern.exec("https://eu.example.com/books/7?page=2")["id"]
    '7'

    A pattern is a text, or has components, as in `URLPattern(hostname="*.example.com", pathname="/books/:id")`. The
    components may also be a mapping. A component that you leave out matches everything. `scheme`, `query` and
    `fragment` are other names of `protocol`, `search` and `hash`, as in `URL.build`. A relative pattern needs a base;
    beside components, the base is `base_url`.

    `ignore_case` is for the path, the query and the fragment. `regexp_groups=False` refuses regular expressions: use it
    for patterns from users. PatternError is raised for a text that is not a pattern. It is also raised for a regular
    expression that cannot be matched in linear time, because it has a backreference.

    A pattern does not change and can be a key. Two are equal if their components and `ignore_case` are.
    https://urlpattern.spec.whatwg.org/#urlpattern-class
    """

    __slots__ = ("__weakref__", "_components", "_groups", "_ignore_case", "_matcher", "_texts")

    def __init__(
        self,
        input: str | Mapping[str, Any] = NOTHING,
        base: str | URL | FrozenURL | None = None,
        *,
        ignore_case: bool = False,
        regexp_groups: bool = True,
        **components: str | int | URL | FrozenURL | Host | IPv4Address | IPv6Address | None,
    ) -> None:
        if components:
            if input is not NOTHING:
                raise TypeError("a pattern is a text or a mapping, or is given by its components")
            input = components
        if hasattr(self, "_matcher"):
            raise TypeError("a URLPattern does not change")
        source = read_pattern(input, base, bool(regexp_groups))
        try:
            self._compile(source.texts, bool(ignore_case), bool(regexp_groups))
        except PatternError as error:
            source.place(error)
            raise

    def _compile(self, texts: dict[str, str], ignore_case: bool, regexp_groups: bool) -> None:
        self._components = compile_components(texts, ignore_case, regexp_groups)
        self._texts = texts
        self._ignore_case = ignore_case
        self._groups: Groups | None = None
        self._matcher = Matcher([component.compiled for component in self._components])

    def test(
        self, input: str | URL | FrozenURL | Mapping[str, Any] = NOTHING, base: str | URL | FrozenURL | None = None
    ) -> bool:
        """Whether a URL matches the pattern; false for a text that is not a URL.

        >>> pattern = URLPattern(pathname="/books/:id")
        >>> pattern.test("https://example.com/a/../books/7"), pattern.test("https://example.com/books/7/")
        (True, False)

        A URL is a str, with a base if it is relative, a URL, or a mapping of components; those that are not given are
        empty. A base that does not parse is not a URL either. https://urlpattern.spec.whatwg.org/#dom-urlpattern-test
        """
        if type(input) is str and base is None:
            return self._matcher.test(input, None)
        if isinstance(input, TEXTS):
            return self._matcher.test(input, text_of_base(base))
        components, _ = read_components(input, base)
        return bool(components) and self._matcher.test_components(components)

    def exec(
        self, input: str | URL | FrozenURL | Mapping[str, Any] = NOTHING, base: str | URL | FrozenURL | None = None
    ) -> URLPatternResult | None:
        """What each group of the pattern matches in a URL; None if the URL does not match.

        >>> pattern = URLPattern("https://:shop.example.com/books/:id")
        >>> pattern.exec("https://eu.example.com/books/7").groups
        {'shop': 'eu', 'id': '7'}
        >>> pattern.exec("http://eu.example.com/books/7") is None
        True

        `match` is another name of this method.

        https://urlpattern.spec.whatwg.org/#dom-urlpattern-exec
        """
        inputs: tuple[Any, ...] = (input,)
        if isinstance(input, TEXTS):
            base = text_of_base(base)
            match = self._matcher.match(input, base)
            if match is not None and type(input) is not str and isinstance(input, URLS):
                inputs = (match.url,)
            elif base is not None:
                inputs = (input, base)
        else:
            components, copy = read_components(input, base)
            match = self._matcher.match_components(components) if components else None
            inputs = (copy,)
        if match is None:
            return None
        return self._result(match, inputs)

    match = exec

    def _refuse_regexp_groups(self) -> None:
        for name, component in zip(COMPONENTS, self._components, strict=True):
            try:
                refuse_regexp_groups(component.parts)
            except PatternError as error:
                error.component, error.pattern = name, self._texts[name]
                raise

    def _result(self, match: Match, inputs: tuple[Any, ...]) -> URLPatternResult:
        return URLPatternResult(match, self._groups or self._named_groups(), inputs)

    def _named_groups(self) -> Groups:
        if self._groups is None:
            self._groups = Groups(tuple([component.names for component in self._components]))
        return self._groups

    def _matching(self, groups: Iterable[str] | None = ()) -> Matching:
        """What columns are matched against, with a column for each of the groups, or for all that have names."""
        from weburl._patterns.columns import Matching

        own = self._named_groups()
        places = own.named()
        if groups is not None:
            places = [place for place in map(own.find, group_names(groups, [own])) if place]
        return Matching(self._matcher, [("", places)], [name for name, _, _ in places])

    def explain(
        self, input: str | URL | FrozenURL | Mapping[str, Any] = NOTHING, base: str | URL | FrozenURL | None = None
    ) -> str:
        """A text for people that shows which components match. For the others, it marks where they stop matching.

        >>> print(URLPattern("https://example.com/books/:id").explain("https://example.com/book/7"))
        href    https://example.com/book/7
        <BLANKLINE>
          protocol  matches  https        https
          username  matches  *
          password  matches  *
          hostname  matches  example.com  example.com
          port      matches
          pathname  fails    /books/:id   /book/7
                                               ^ needs 's'
          search    matches  *
          hash      matches  *
        <BLANKLINE>
        It does not match.

        The text may change in any version. In a program, use exec().
        """
        from weburl._patterns.reach import explain

        texts = components_of(input, base)
        match = self._matcher.match_components(texts) if texts else None
        return explain(input, base, texts, self._components, self._mismatches(texts), match)

    def _mismatches(self, texts: tuple[str, ...]) -> list[str]:
        """The names of the components that do not match; all of them for what is not a URL."""
        names = []
        for index, name in enumerate(COMPONENTS):
            other = [ANYTHING] * len(COMPONENTS)
            other[index] = self._components[index].compiled
            if not texts or not Matcher(other).test_components(texts):
                names.append(name)
        return names

    def generate(self, component: str, groups: Mapping[str, str] = NOTHING) -> str:
        """The text of a component with these values for its groups.

        >>> URLPattern(pathname="/authors/:name/books").generate("pathname", {"name": "Ada Lovelace"})
        '/authors/Ada%20Lovelace/books'

        PatternError is raised if the pattern does not say what to write, as with `*`.
        """
        index = component_index(component)
        if not hasattr(groups, "keys"):
            raise wrong_type(groups, "groups must be a mapping")
        try:
            return self._components[index].generate(groups, self._components[0].only_text)
        except PatternError as error:
            error.component, error.pattern = COMPONENTS[index], self._texts[COMPONENTS[index]]
            raise

    @staticmethod
    def compare(component: str, left: URLPattern, right: URLPattern) -> int:
        """Compares how specific one component is in two patterns: 1, 0 or -1.

        >>> URLPattern.compare("pathname", URLPattern(pathname="/books/new"), URLPattern(pathname="/books/:id"))
        1

        It is 1 if the component of the first pattern is the more specific one, part by part.
        """
        if not (isinstance(left, URLPattern) and isinstance(right, URLPattern)):
            name, wrong = ("right", right) if isinstance(left, URLPattern) else ("left", left)
            raise wrong_type(wrong, f"{name} must be a URLPattern")
        index = component_index(component)
        return compare_components(left._components[index], right._components[index])

    @property
    def protocol(self) -> str:
        """The pattern of the scheme, normalized.

        >>> URLPattern("http{s}?://example.com/").protocol
        'http{s}?'
        """
        return self._components[0].text

    @property
    def username(self) -> str:
        """The pattern of the username, normalized.

        >>> URLPattern(username="ada@example.com").username
        'ada%40example.com'
        """
        return self._components[1].text

    @property
    def password(self) -> str:
        """The pattern of the password, normalized; `*`, which matches everything, if none was given.

        >>> URLPattern(username="ada").password
        '*'
        """
        return self._components[2].text

    @property
    def hostname(self) -> str:
        """The pattern of the host, normalized.

        >>> URLPattern("https://*.Bücher.example/").hostname
        '*.xn--bcher-kva.example'
        """
        return self._components[3].text

    @property
    def port(self) -> str:
        """The pattern of the port, normalized; empty for the default of the scheme.

        >>> URLPattern("https://example.com:443/").port, URLPattern("https://example.com:80*/").port
        ('', '80*')
        """
        return self._components[4].text

    @property
    def pathname(self) -> str:
        """The pattern of the path, normalized.

        >>> URLPattern("./books/:id", "https://example.com/shop/").pathname
        '/shop/books/:id'
        """
        return self._components[5].text

    @property
    def search(self) -> str:
        """The pattern of the query, normalized.

        >>> URLPattern("https://example.com/search\\\\?q=:words").search
        'q=:words'
        """
        return self._components[6].text

    @property
    def hash(self) -> str:
        """The pattern of the fragment, normalized.

        >>> URLPattern("https://example.com/#:section").hash
        ':section'
        """
        return self._components[7].text

    @property
    def ignore_case(self) -> bool:
        """Whether upper and lower case are the same in the path, the query and the fragment.

        >>> pattern = URLPattern(pathname="/books/:id", ignore_case=True)
        >>> pattern.ignore_case, pattern.test("https://example.com/Books/7")
        (True, True)
        """
        return self._ignore_case

    @property
    def has_regexp_groups(self) -> bool:
        """Whether the pattern has regular expressions.

        >>> URLPattern(pathname="/:id").has_regexp_groups, URLPattern(pathname="/:id([0-9]+)").has_regexp_groups
        (False, True)
        """
        return any(component.has_regexp_groups for component in self._components)

    def _key(self) -> tuple[Any, ...]:
        return self._ignore_case, *[component.text for component in self._components]

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, URLPattern) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        from weburl._diagnosis.pattern_errors import without_credentials

        shown = [
            f"{name}={HIDDEN if name in SECRET and component.text else without_credentials(component.text)!r}"
            for name, component in zip(COMPONENTS, self._components, strict=True)
            if component.text != "*"
        ]
        return f"URLPattern({', '.join(shown + ['ignore_case=True'] * self._ignore_case)})"

    def __copy__(self) -> Self:
        return self if type(self) is URLPattern else restore(*self.__reduce__()[1])

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        if type(self) is URLPattern:
            return self
        from copy import deepcopy

        copy: Self = restore(type(self), self._texts, self._ignore_case, None)
        memo[id(self)] = copy
        copy.__dict__.update(deepcopy(getattr(self, "__dict__", {}), memo))
        return copy

    def __reduce__(self) -> tuple[Any, ...]:
        return restore, (type(self), self._texts, self._ignore_case, getattr(self, "__dict__", None))


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


# Patterns that nearly match are shown up to this number.
NEAR: Final = 10


def pattern_of(argument: str | URLPattern) -> URLPattern:
    """A pattern as functions take it."""
    if isinstance(argument, URLPattern):
        return argument
    if isinstance(argument, str):
        return URLPattern(argument)
    if hasattr(argument, "keys"):
        raise TypeError(f"pattern must be a URLPattern or a str, not {type(argument).__name__}: {OF_COMPONENTS}")
    raise wrong_type(argument, "pattern must be a URLPattern or a str")


OF_COMPONENTS: Final = "write URLPattern({...}) for a mapping of components"


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


def restore(cls: type[Any], texts: Mapping[str, str], ignore_case: bool, attributes: dict[str, Any] | None) -> Any:
    """Makes a pattern from its pickle."""
    if not (isinstance(cls, type) and issubclass(cls, URLPattern)):
        raise TypeError("not the pickle of a URLPattern")
    self = cls.__new__(cls)
    # They are what is left of what was given: a ? or # that is still there belongs to the pattern.
    self._compile({name: texts[name] for name in COMPONENTS}, ignore_case, True)
    if attributes:
        self.__dict__.update(attributes)
    return self


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
    return LearntRoutes(*learn(urls, max_routes, text and URL(text).href, old, threads, PatternList)[:4])


def component_index(component: str) -> int:
    if component not in COMPONENTS:
        from weburl._diagnosis.messages import shown_argument

        raise PatternError(f"component must be one of {', '.join(COMPONENTS)}, not {shown_argument(component)}")
    return COMPONENTS.index(component)
