"""`URLPattern`, the class of `weburl.patterns`: https://urlpattern.spec.whatwg.org/#urlpattern-class"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING

from weburl._core.arguments import wrong_type
from weburl._patterns.canonical import COMPONENTS, canonicalize_protocol
from weburl._patterns.component import (
    DEFAULT,
    compare_components,
    compile_component,
    compile_components,
    refuse_regexp_groups,
)
from weburl._patterns.constructor import components_of, read_components, read_pattern, text_of_base
from weburl._patterns.matcher import Match, Matcher
from weburl._patterns.results import HIDDEN, SECRET, Groups, URLPatternResult, group_names
from weburl.errors import PatternError
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Iterable
    from ipaddress import IPv4Address, IPv6Address
    from typing import Any, Final, Self

    from weburl._host import Host
    from weburl._patterns.columns import Matching
    from weburl._patterns.compile import Compiled

ANYTHING: Final[Compiled] = compile_component("*", DEFAULT, canonicalize_protocol).compiled
NOTHING: Final[Mapping[str, str]] = MappingProxyType({})
# For isinstance(): a tuple that is made once.
URLS: Final = (URL, FrozenURL)
TEXTS: Final = (str, *URLS)


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


def component_index(component: str) -> int:
    if component not in COMPONENTS:
        from weburl._diagnosis.messages import shown_argument

        raise PatternError(f"component must be one of {', '.join(COMPONENTS)}, not {shown_argument(component)}")
    return COMPONENTS.index(component)


URLPattern.__module__ = "weburl.patterns"
restore.__module__ = "weburl.patterns"
