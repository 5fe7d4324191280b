"""What a URL pattern found in a URL: the groups, by component and by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._core.percent import scalar_values
from weburl._patterns.canonical import COMPONENTS
from weburl._patterns.matcher import Match

if TYPE_CHECKING:
    from collections.abc import Iterable
    from typing import Any, ClassVar, Final

    from weburl._patterns.columns import Place

SECRET: Final = ("username", "password")
HIDDEN: Final = "***"


class URLPatternComponentResult(NamedTuple):
    """One component of a URL that matched: its text as `input`, and what its groups took as `groups`.

    >>> URLPattern(pathname="/books/:id{/:page}?").exec("https://example.com/books/7").pathname
    URLPatternComponentResult(input='/books/7', groups={'id': '7', 'page': None})

    A group that takes no part in the match is None.
    """

    input: str
    groups: dict[str, str | None]


URLPatternComponentResult.input.__doc__ = "The component of the URL, such as its pathname."
URLPatternComponentResult.groups.__doc__ = "The text of each group, by the group's name or number."


class _HiddenResult(URLPatternComponentResult):
    """That of a username or a password. Also the names of its groups may be what somebody wrote as a password."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"URLPatternComponentResult(input={HIDDEN!r}, groups={HIDDEN!r})"


class Groups:
    """The names of a pattern's groups, by components; the index of each within its component; and the places of those
    that are not numbers.
    """

    __slots__ = ("indexes", "names", "places")

    def __init__(self, names: tuple[tuple[str, ...], ...]) -> None:
        self.names: tuple[tuple[str, ...], ...] = names
        self.indexes: dict[tuple[int, str], int] = {
            (component, name): i for component, own in enumerate(names) for i, name in enumerate(own)
        }
        self.places: dict[str, list[tuple[int, int]]] = {}
        for component, pattern in enumerate(names):
            for index, name in enumerate(pattern):
                if not "0" <= name[0] <= "9":
                    self.places.setdefault(name, []).append((component, index))

    def named(self) -> list[Place]:
        """The groups with names. A name that two components have is with its component, as `pathname.id`."""
        return [
            (name if len(places) == 1 else f"{COMPONENTS[place[0]]}.{name}", *place)
            for name, places in self.places.items()
            for place in places
        ]

    def find(self, name: str) -> Place | None:
        """The group of a name such as `id`, `pathname.id`, or `pathname.0`, the first of the path."""
        component, dot, own = name.partition(".")
        if dot and component in COMPONENTS:
            index = COMPONENTS.index(component)
            found = self.indexes.get((index, own))
            return None if found is None else (name, index, found)
        places = self.places.get(name, ())
        return (name, *places[0]) if len(places) == 1 else None


def group_names(groups: Iterable[str], patterns: list[Groups]) -> list[str]:
    """The names of groups as a caller gives them. At least one pattern has each."""
    if isinstance(groups, str):
        raise TypeError("groups must be names, not one")
    names = list(groups)
    for name in names:
        if not isinstance(name, str):
            raise wrong_type(name, "a group must be a str")
        if not any(each.find(name) for each in patterns):
            from weburl._diagnosis.messages import shown_argument

            raise ValueError(
                f"no group is named {shown_argument(name)}: names are such as id, pathname.id, or pathname.0"
            )
    if len(set(names)) < len(names):
        raise ValueError("groups must be names, each once")
    return names


class URLPatternResult:
    """What the groups of a pattern took of a URL.

    >>> result = URLPattern("https://:shop.example.com/books/:id").exec("https://eu.example.com/books/7")
    >>> result["shop"], result["id"], result.pathname.groups
    ('eu', '7', {'id': '7'})

    `result["id"]` is what a group took, whatever its component, and `result.pathname.groups` are the groups of one
    component. A name that two components have is in the groups of these components only.
    """

    __slots__ = ("_groups", "_inputs", "_match")

    def __init__(self, match: Match, groups: Groups, inputs: tuple[Any, ...]) -> None:
        self._match = match
        self._groups = groups
        self._inputs = inputs

    @property
    def inputs(self) -> tuple[str | dict[str, str], ...]:
        """What was matched, and its base if there was one.

        >>> URLPattern(pathname="/books/:id").exec("7", "https://example.com/books/").inputs
        ('7', 'https://example.com/books/')

        A URL is a text, and a mapping of components is a dict.
        """
        return tuple([scalar_values(each) if isinstance(each, str) else dict(each) for each in self._inputs])

    def _component(self, index: int) -> URLPatternComponentResult:
        match = self._match
        kind = _HiddenResult if COMPONENTS[index] in SECRET else URLPatternComponentResult
        return kind(match.component(index), match.named(index, self._groups.names[index]))

    @property
    def protocol(self) -> URLPatternComponentResult:
        """The scheme without its colon, and what its groups took.

        >>> URLPattern(protocol="http{s}?").exec("https://example.com/").protocol.input
        'https'
        """
        return self._component(0)

    @property
    def username(self) -> URLPatternComponentResult:
        """The username, and what its groups took; its `repr` hides them.

        >>> URLPattern(username=":user").exec("https://ada@example.com/").username.groups["user"]
        'ada'
        """
        return self._component(1)

    @property
    def password(self) -> URLPatternComponentResult:
        """The password, and what its groups took; its `repr` hides them.

        >>> URLPattern(username="ada").exec("https://ada:secret@example.com/").password
        URLPatternComponentResult(input='***', groups='***')
        """
        return self._component(2)

    @property
    def hostname(self) -> URLPatternComponentResult:
        """The host without the port, and what its groups took.

        >>> URLPattern(hostname=":shop.example.com").exec("https://eu.example.com:8080/").hostname.groups
        {'shop': 'eu'}
        """
        return self._component(3)

    @property
    def port(self) -> URLPatternComponentResult:
        """The port, and what its groups took; empty for the default of the scheme.

        >>> URLPattern(hostname="example.com").exec("https://example.com:443/").port.input
        ''
        """
        return self._component(4)

    @property
    def pathname(self) -> URLPatternComponentResult:
        """The path, and what its groups took.

        >>> URLPattern(pathname="/books/:id/*").exec("https://example.com/books/7/pages/1").pathname.groups
        {'id': '7', '0': 'pages/1'}
        """
        return self._component(5)

    @property
    def search(self) -> URLPatternComponentResult:
        """The query without its question mark, and what its groups took.

        >>> URLPattern(search="q=:words").exec("https://example.com/?q=two%20words").search.groups
        {'words': 'two%20words'}
        """
        return self._component(6)

    @property
    def hash(self) -> URLPatternComponentResult:
        """The fragment without its number sign, and what its groups took.

        >>> URLPattern(hash="chapter-:number").exec("https://example.com/#chapter-3").hash.groups
        {'number': '3'}
        """
        return self._component(7)

    @property
    def groups(self) -> dict[str, str | None]:
        """The groups that have names, of all components.

        >>> URLPattern("https://:shop.example.com/books/:id").exec("https://eu.example.com/books/7").groups
        {'shop': 'eu', 'id': '7'}
        """
        return {name: self._match.group(*places[0]) for name, places in self._groups.places.items() if len(places) == 1}

    def __getitem__(self, name: str) -> str | None:
        places = self._groups.places[name]
        if len(places) > 1:
            components = " and ".join(COMPONENTS[component] for component, _ in places)
            raise KeyError(f"{name}: {components} have groups of this name")
        return self._match.group(*places[0])

    def get(self, name: str, default: Any = None) -> Any:
        """What the group with a name took; the default if no component has it, or several have.

        >>> result = URLPattern(pathname="/books/:id").exec("https://example.com/books/7")
        >>> result.get("id"), result.get("page", "1")
        ('7', '1')
        """
        try:
            return self[name]
        except KeyError:
            return default

    def __repr__(self) -> str:
        secret = [COMPONENTS.index(name) for name in SECRET]
        places = self._groups.places.items()
        hidden = {name for name, own in places if any(component in secret for component, _ in own)}
        shown = {name: text for name, text in self.groups.items() if name not in hidden}
        return f"URLPatternResult({shown | dict.fromkeys([HIDDEN] if hidden else [], HIDDEN)!r})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, URLPatternResult):
            return NotImplemented
        return self._components() == other._components() and self.inputs == other.inputs

    __hash__: ClassVar[None] = None  # type: ignore[assignment]

    def __copy__(self) -> URLPatternResult:
        return self

    def __deepcopy__(self, memo: object) -> URLPatternResult:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        raise TypeError("a URLPatternResult cannot be pickled: take its groups")

    def _components(self) -> list[URLPatternComponentResult]:
        return [self._component(index) for index in range(len(COMPONENTS))]


URLPatternComponentResult.__module__ = "weburl.patterns"
_HiddenResult.__module__ = "weburl.patterns"
URLPatternResult.__module__ = "weburl.patterns"
