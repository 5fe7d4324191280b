# cython: embedsignature=True, embedsignature.format=clinic
"""URLSearchParams: a list of name-value pairs that can also be used like a mapping."""

from __future__ import annotations

from _operator import itemgetter

import cython

from weburl._core.arguments import wrong_type
from weburl._core.percent import SETS, decode, encode
from weburl.errors import InvalidURL

# For type checkers: the compiled module takes these names from search_params.pxd.
if not cython.compiled:
    from weburl._core.percent import usv_text
    from weburl._core.texts import output_encoding
    from weburl._core.urlencoded import (
        QueryKeys,
        edit_query,
        first_value,
        parse_urlencoded_text,
        serialize_query,
        serialize_urlencoded,
        urlencoded_length,
    )
    from weburl._core.vectorcall import PyVectorcall_NARGS, call_slowly, set_vectorcall

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence
    from typing import Any, Self

    GivenValue = str | int | Sequence[str | int]
    GivenParams = Mapping[str, Any] | Iterable[Iterable[Any]]

__all__ = ["URLSearchParams"]


def __dir__() -> list[str]:
    return __all__


# Methods of mappings with several values a name, as Django, Starlette, werkzeug, multidict and httpx have them.
ALL_VALUES = ("getlist", "getall", "get_list")

# A list with more than FEW pairs gets an index. A query that has been asked FEW times becomes a list.
FEW = 16

FIRST = itemgetter(0)
SECOND = itemgetter(1)


def utf16_name(pair: tuple[str, str]) -> bytes:
    """What sort() compares: the name's UTF-16 code units."""
    return pair[0].encode("utf-16-be")


def scalar_value_string(text: str, what: str) -> str:
    """The text as a scalar value string; TypeError if it is not a str."""
    if not isinstance(text, str):
        raise wrong_type(text, f"{what} must be a str")
    return usv_text(text)


# What the values of mappings and pairs are, and single values.
VALUES = "a value must be a str, an int or a list of them"
VALUE = "a value must be a str or an int"
GIVEN = "params must be a mapping, pairs or keywords"


def too_many_digits(must: str) -> ValueError:
    """For an int that Python does not write in decimal: https://docs.python.org/3/library/stdtypes.html#int-max-str-digits"""
    from sys import get_int_max_str_digits

    limit = get_int_max_str_digits()
    what = must.partition(" must be ")[0]
    return ValueError(f"{what} that is an int has at most {limit} digits: write a str, such as hex(value)")


def value_text(value: Any, must: str) -> str:
    """A value as a scalar value string; TypeError if it is neither a str nor an int."""
    if isinstance(value, str):
        return usv_text(value)
    if isinstance(value, int) and not isinstance(value, bool):
        try:
            # A subclass, such as an IntEnum, has no say.
            return int.__repr__(value)
        except ValueError:
            raise too_many_digits(must) from None
    raise wrong_type(value, must)


def is_mapping(given: Any) -> bool:
    return type(given) is dict or (hasattr(given, "keys") and not isinstance(given, URLSearchParams))


def read_mapping(given: Any) -> dict[str, Any]:
    """The text of each name in a mapping; the list of texts, if the value is a list or a tuple."""
    # Names that are equal as scalar value strings are one entry, as in Web IDL's record.
    values: dict[str, Any] = {}
    if type(given) is dict:
        entries: dict[Any, Any] = given
        for key, value in entries.items():
            read_entry(values, key, value)
        return values
    all_values = next((each for each in ALL_VALUES if hasattr(type(given), each)), None)
    for key in given.keys():  # noqa: SIM118
        read_entry(values, key, given[key] if all_values is None else list(getattr(given, all_values)(key)))
    return values


def read_entry(values: dict[str, Any], key: Any, value: Any) -> None:
    name = scalar_value_string(key, "a name")
    if isinstance(value, (list, tuple)):
        values[name] = [value_text(each, VALUES) for each in value]
    else:
        values[name] = value_text(value, VALUES)


def pairs_with(name: str, value: Any) -> list[tuple[str, str]]:
    """The pairs of a name with a text, or with a list of texts."""
    return [(name, value)] if type(value) is str else [(name, each) for each in value]


def read_pairs(given: Any, empty: list[str] | None, must: str) -> list[tuple[str, str]]:
    """The pairs of a mapping, or of pairs. `empty` gets the names whose value is an empty list."""
    if type(given) is URLSearchParams:
        return pairs_of(given)
    pairs: list[tuple[str, str]] = []
    if is_mapping(given):
        for name, value in read_mapping(given).items():
            if type(value) is str:
                pairs.append((name, value))
            else:
                pairs += pairs_with(name, value)
        return pairs
    try:
        items = None if isinstance(given, (str, bytes, bytearray, memoryview)) else iter(given)
    except TypeError:
        items = None
    if items is None:
        raise wrong_type(given, must)
    for pair in items:
        if not isinstance(pair, (tuple, list)) and (isinstance(pair, (str, bytes)) or not hasattr(pair, "__iter__")):
            raise wrong_type(pair, "a pair must be a name and a value")
        two = tuple(pair)
        if len(two) != 2:
            raise TypeError(f"a pair must have 2 items, not {len(two)}")
        name = scalar_value_string(two[0], "a name")
        value = two[1]
        if isinstance(value, (list, tuple)):
            pairs += [(name, value_text(each, VALUES)) for each in value]
            if not value and empty is not None:
                empty.append(name)
        else:
            pairs.append((name, value_text(value, VALUES)))
    return pairs


def read_values(given: Any, must: str) -> dict[str, Any]:
    """The text, or the list of texts, of each name in a mapping or in pairs, in the order of the names."""
    if is_mapping(given):
        return read_mapping(given)
    empty: list[str] = []
    values: dict[str, Any] = {}
    for pair in read_pairs(given, empty, must):
        values.setdefault(pair[0], []).append(pair[1])
    for name in empty:
        values.setdefault(name, [])
    return values


def query_of_params(params: Any, encoding: str) -> str:
    """The query that `params` of build() and replace() stands for."""
    if isinstance(params, str):
        raise TypeError("params must be a mapping or pairs, not str: use query= for a whole query")
    if encoding != "utf-8":
        return query_and("", params, {"encoding": encoding}) or ""
    if type(params) is URLSearchParams:
        return str(params)
    return serialize_urlencoded(read_pairs(params, None, "params must be a mapping or pairs"))


def query_of(text: str) -> str:
    return text[1:] if text and text[0] == "?" else text


def initialize(params: URLSearchParams, init: Any) -> None:
    query = ""
    pairs: list[tuple[str, str]] | None = None
    if isinstance(init, str):
        query = query_of(init if type(init) is str else str.__str__(init))
    else:
        pairs = read_pairs(init, None, "init must be a str, a mapping or pairs")
    with cython.critical_section(lock_of(params)):
        if params._pairs or params._url is not None:
            replace_pairs(params, parse_urlencoded_text(query, 0) if pairs is None else pairs)
        else:
            if pairs is None:
                params._query = query
            else:
                params._pairs = pairs
                params._query = None
            params._asked = 0
            params._index = None


def pairs_of(params: URLSearchParams) -> list[tuple[str, str]]:
    """A copy of the list."""
    with cython.critical_section(lock_of(params)):
        return list(made_list(params))


def list_of(params: URLSearchParams) -> list[tuple[str, str]]:
    """The list itself. It can be iterated without the lock, which is needed to find out which list it is."""
    with cython.critical_section(lock_of(params)):
        return made_list(params)


def made_list(params: URLSearchParams) -> list[tuple[str, str]]:
    """The list itself, which is made of the query when it is first needed. The caller holds the lock."""
    while params._query is not None:
        query = params._query
        pairs = parse_urlencoded_text(query, 0)
        # An allocation may run a finalizer that makes the list, too.
        if params._query is query:
            params._pairs = pairs
            params._query = None
    return params._pairs


def first(params: URLSearchParams, name: str) -> str | None:
    """The first value of a name, or None. The caller holds the lock."""
    if params._query is not None and params._asked < FEW:
        params._asked += 1
        return first_value(params._query, name)
    if params._index is None and len(made_list(params)) > FEW:
        # The first value of each name, until the list changes; so dict(params) takes linear time. The list is asked for
        # again, as allocating the dict may run a finalizer that replaces it.
        params._index = {pair[0]: pair[1] for pair in reversed(made_list(params))}
    if params._index is not None:
        return params._index.get(name)
    for pair in made_list(params):
        if pair[0] == name:
            return pair[1]
    return None


def attached(url: object, query: str, longest: int, is_frozen: bool) -> URLSearchParams:
    """The search_params of a URL, with the query that the list is to be made of."""
    params = URLSearchParams.__new__(URLSearchParams)
    params._query = query
    if is_frozen:
        params._is_frozen = True
    else:
        params._url = url
        params._longest_query = longest
    return params


def check_mutable(params: URLSearchParams) -> None:
    if params._is_frozen:
        raise TypeError(
            "search_params of a FrozenURL do not change: use its with_params(), add_params() or without_params(),"
            " or the copy URLSearchParams(url.search_params)"
        )


def follow_url(params: URLSearchParams, pairs: list[tuple[str, str]] | None, longest: int) -> None:
    """Follows a change of its URL: `pairs`, unless None, replace the list. The caller holds the lock."""
    if pairs is not None:
        if params._query is None:
            params._pairs[:] = pairs
        else:
            # Nobody has the list yet. Assigning a slice would allocate, and a finalizer could make the list meanwhile.
            params._pairs = pairs
            params._query = None
        params._length = -1
        params._index = None
        params._dirty = False
    params._longest_query = longest


def lock_of(params: URLSearchParams) -> object:
    """The object whose lock guards the list, which changes together with its URL."""
    return params if params._url is None else params._url


def field_length(pair: tuple[str, str]) -> int:
    """The length of a pair in the serialization, with an equals sign and an ampersand."""
    return urlencoded_length(pair[0]) + urlencoded_length(pair[1]) + 2


def count(params: URLSearchParams) -> int:
    """The length of the serialization, with one ampersand too many."""
    if params._length < 0:
        length = 0
        for pair in made_list(params):
            length += field_length(pair)
        # Only now, as memory can run out while pairs are counted.
        params._length = length
    return params._length


def append_pair(params: URLSearchParams, pair: tuple[str, str]) -> None:
    """Adds a pair at the end. The caller holds the lock."""
    pairs = made_list(params)
    if params._url is not None:
        length = count(params) + field_length(pair)
        check_room(params, length, pair[1])
        pairs.append(pair)
        params._length = length
        params._dirty = True
    else:
        pairs.append(pair)
    if params._index is not None:
        params._index.setdefault(pair[0], pair[1])


def pairs_of_lists(values: Any) -> list[tuple[str, str]]:
    if not hasattr(values, "keys") or isinstance(values, URLSearchParams):
        raise wrong_type(values, "values must be a mapping from names to lists")
    pairs = []
    for name in values.keys():  # noqa: SIM118
        text = scalar_value_string(name, "a name")
        each = values[name]
        if isinstance(each, (str, bytes, bytearray)):
            raise wrong_type(each, "the values of a name must be a list")
        pairs += [(text, value_text(value, VALUE)) for value in each]
    return pairs


def updates(params: Any, names: dict[str, Any]) -> dict[str, Any]:
    """The text, or the list of texts, of each name that update() is given, in the order of the names."""
    if isinstance(params, str):
        params = parse_urlencoded_text(query_of(str.__str__(params)), 0)
    values = read_values(params, "params must be a str, a mapping or pairs")
    if names:
        values.update(read_mapping(names))
    return values


class URLSearchParams:
    """URLSearchParams(init='')\n--\n\nThe name-value pairs of a query, in order and with duplicates.

        >>> params = URLSearchParams("?q=caf%C3%A9&lang=en&lang=fr")
        >>> params["q"], params.get_all("lang"), str(params)
        ('café', ['en', 'fr'], 'q=caf%C3%A9&lang=en&lang=fr')

    `init` is a query (a leading `?` is dropped), a mapping, or an iterable of pairs. A name is a str; a value is a
    str, an int or, in a mapping or in pairs, a list of them, which stands for several pairs.
    `params[name]` is the first value of a name. Iteration gives the pairs. The pairs of a `URL` are its
    `search_params`: changing them changes the URL, and vice versa.
    """

    # For type checkers: the compiled class has its fields from search_params.pxd.
    if not cython.compiled:
        _pairs: list[tuple[str, str]]
        _query: str | None
        _asked: int
        _url: object
        _index: dict[str, str] | None
        _length: int
        _longest_query: int
        _dirty: bool
        _is_frozen: bool

    def __cinit__(self) -> None:
        self._pairs = []
        self._length = -1

    def __init__(self, init: str | GivenParams = "") -> None:
        if self._is_frozen:
            check_mutable(self)
        initialize(self, init)

    def append(self, name: str, value: str | int) -> None:
        """Adds a pair at the end, also if the name is there already.

        >>> params = URLSearchParams("tag=a")
        >>> params.append("tag", "b & c")
        >>> str(params)
        'tag=a&tag=b+%26+c'
        """
        check_mutable(self)
        pair = (scalar_value_string(name, "a name"), value_text(value, VALUE))
        with cython.critical_section(lock_of(self)):
            append_pair(self, pair)

    def delete(self, name: str, value: str | int | None = None) -> None:
        """Removes all pairs with a name or, with a value, only those that have this value too.

        >>> params = URLSearchParams("tag=a&page=2&tag=b")
        >>> params.delete("tag", "a")
        >>> str(params)
        'page=2&tag=b'
        """
        check_mutable(self)
        name, value = wanted(name, value)
        with cython.critical_section(lock_of(self)):
            replace_pairs(self, [pair for pair in made_list(self) if not matches(pair, name, value)])

    def get(self, name: str, default: str | None = None) -> str | None:
        """The first value of a name; the default if there is none.

        >>> params = URLSearchParams("lang=fr&lang=en")
        >>> params.get("lang"), params.get("page", "1")
        ('fr', '1')
        """
        name = scalar_value_string(name, "a name")
        with cython.critical_section(lock_of(self)):
            value = first(self, name)
        return default if value is None else value

    def get_all(self, name: str) -> list[str]:
        """All values of a name, in order.

        >>> URLSearchParams("tag=caf%C3%A9&page=2&tag=a+b").get_all("tag")
        ['café', 'a b']
        """
        name = scalar_value_string(name, "a name")
        with cython.critical_section(lock_of(self)):
            return [pair[1] for pair in made_list(self) if pair[0] == name]

    def has(self, name: str, value: str | int | None = None) -> bool:
        """Whether there is a pair with a name or, with a value, one that has this value too.

        >>> params = URLSearchParams("debug&lang=en")
        >>> params.has("debug"), params.has("lang", "fr")
        (True, False)
        """
        name, value = wanted(name, value)
        with cython.critical_section(lock_of(self)):
            if value is None:
                return first(self, name) is not None
            for pair in made_list(self):
                if matches(pair, name, value):
                    return True
        return False

    def set(self, name: str, value: str | int) -> None:
        """Sets a name to one value: the first pair gets it, and the others are removed.

        >>> params = URLSearchParams("page=2&q=tea&page=3")
        >>> params.set("page", "1")
        >>> str(params)
        'page=1&q=tea'

        If there is no such pair, one is added at the end.
        """
        check_mutable(self)
        new = (scalar_value_string(name, "a name"), value_text(value, VALUE))
        with cython.critical_section(lock_of(self)):
            pairs = []
            is_set = False
            for pair in made_list(self):
                if pair[0] != new[0]:
                    pairs.append(pair)
                elif not is_set:
                    pairs.append(new)
                    is_set = True
            if not is_set:
                pairs.append(new)
            replace_pairs(self, pairs)

    def update(self, params: Any = (), /, **names: GivenValue) -> None:
        """Sets many names, each as `set` does.

        >>> params = URLSearchParams("page=2&q=tea")
        >>> params.update({"page": "1"}, sort="price")
        >>> str(params)
        'page=1&q=tea&sort=price'

        A name with several pairs gets all of them. If a value is wrong, nothing changes.
        """
        check_mutable(self)
        given = updates(params, names)
        with cython.critical_section(lock_of(self)):
            left = dict(given)
            pairs = []
            for pair in made_list(self):
                if pair[0] not in given:
                    pairs.append(pair)
                elif pair[0] in left:
                    pairs += pairs_with(pair[0], left.pop(pair[0]))
            for each, value in left.items():
                pairs += pairs_with(each, value)
            replace_pairs(self, pairs)

    def pop(self, name: str, default: Any = ..., /) -> Any:
        """Removes the pairs with a name, and returns the first value.

        >>> params = URLSearchParams("token=abc&q=tea")
        >>> params.pop("token"), str(params)
        ('abc', 'q=tea')
        >>> params.pop("token", None)

        If there is none, it returns the default, or raises a KeyError without one.
        """
        check_mutable(self)
        name = scalar_value_string(name, "a name")
        with cython.critical_section(lock_of(self)):
            # One pass: an index would be made for this call alone.
            value = None
            pairs = []
            for pair in made_list(self):
                if pair[0] != name:
                    pairs.append(pair)
                elif value is None:
                    value = pair[1]
            if value is not None:
                replace_pairs(self, pairs)
                return value
        if default is ...:
            raise KeyError(name)
        return default

    def setdefault(self, name: str, value: str | int) -> str:
        """The first value of a name; if there is none, the value is added with it.

        >>> params = URLSearchParams("page=2")
        >>> params.setdefault("page", "1"), params.setdefault("size", "20"), str(params)
        ('2', '20', 'page=2&size=20')
        """
        check_mutable(self)
        pair = (scalar_value_string(name, "a name"), value_text(value, VALUE))
        with cython.critical_section(lock_of(self)):
            present = first(self, pair[0])
            if present is None:
                append_pair(self, pair)
                present = pair[1]
        return present

    def clear(self) -> None:
        """Removes all pairs.

        >>> url = URL("https://example.com/list?page=2&size=20#top")
        >>> url.search_params.clear()
        >>> url.href
        'https://example.com/list#top'
        """
        check_mutable(self)
        with cython.critical_section(lock_of(self)):
            replace_pairs(self, [])

    def to_dict_of_lists(self) -> dict[str, list[str]]:
        """A dict with the list of values of each name.

        >>> URLSearchParams("tag=a&page=2&tag=b").to_dict_of_lists()
        {'tag': ['a', 'b'], 'page': ['2']}
        """
        values: dict[str, list[str]] = {}
        for name, value in list_of(self):
            values.setdefault(name, []).append(value)
        return values

    @classmethod
    def from_dict_of_lists(cls, values: Mapping[str, Iterable[str | int]]) -> Self:
        """Parameters from a mapping of names to lists of values, such as `urllib.parse.parse_qs` gives.

        >>> str(URLSearchParams.from_dict_of_lists({"tag": ["a", "b c"], "page": ["2"]}))
        'tag=a&tag=b+c&page=2'
        """
        return cls(pairs_of_lists(values))

    def sort(self) -> None:
        """Sorts the pairs by name; pairs with the same name keep their order.

        >>> params = URLSearchParams("z=1&a=2&Z=3&a=1")
        >>> params.sort()
        >>> str(params)
        'Z=3&a=2&a=1&z=1'

        Names are compared by their UTF-16 code units, as in browsers.
        """
        check_mutable(self)
        with cython.critical_section(lock_of(self)):
            # Code points have the order of their code units unless some lie beyond the Basic Multilingual Plane.
            pairs = made_list(self)
            beyond = any(max(pair[0], default="") > "\uffff" for pair in pairs)
            replace_pairs(self, sorted(pairs, key=utf16_name if beyond else FIRST))

    @property
    def size(self) -> int:
        """The number of pairs, the same as `len()`.

        >>> URLSearchParams("tag=a&tag=b&&debug").size
        3
        """
        return len(list_of(self))

    def keys(self) -> Iterator[str]:
        """The names, in order and with duplicates.

        >>> list(URLSearchParams("tag=a&page=2&tag=b").keys())
        ['tag', 'page', 'tag']
        """
        return map(FIRST, list_of(self))

    def values(self) -> Iterator[str]:
        """The values, in order.

        >>> list(URLSearchParams("q=a+b&lang=%E2%82%AC&debug").values())
        ['a b', '€', '']
        """
        return map(SECOND, list_of(self))

    def items(self) -> Iterator[tuple[str, str]]:
        """The pairs, in order; the same as iteration.

        >>> list(URLSearchParams("q=a+b&debug").items())
        [('q', 'a b'), ('debug', '')]
        """
        return iter(list_of(self))

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(list_of(self))

    def __len__(self) -> int:
        return len(list_of(self))

    def __contains__(self, name: str) -> bool:
        return self.has(name)

    def __getitem__(self, name: str) -> str:
        value = self.get(name)
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str | int) -> None:
        self.set(name, value)

    def __delitem__(self, name: str) -> None:
        check_mutable(self)
        name = scalar_value_string(name, "a name")
        with cython.critical_section(lock_of(self)):
            before = made_list(self)
            pairs = [pair for pair in before if pair[0] != name]
            if len(pairs) == len(before):
                raise KeyError(name)
            replace_pairs(self, pairs)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, URLSearchParams):
            return NotImplemented
        return pairs_of(self) == pairs_of(other)

    __hash__ = None  # type: ignore[assignment]

    def __str__(self) -> str:
        with cython.critical_section(lock_of(self)):
            if self._query is not None:
                return serialize_query(self._query)
            return serialize_urlencoded(self._pairs)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __copy__(self) -> URLSearchParams:
        return type(self)(self)

    def __deepcopy__(self, memo: dict[int, object]) -> URLSearchParams:
        return type(self)(self)

    def __reduce__(self) -> tuple[type[URLSearchParams], tuple[list[tuple[str, str]]]]:
        return type(self), (pairs_of(self),)


def new_params(cls: Any, args: Any, nargsf: int, names: Any) -> Any:
    """URLSearchParams(init), without a tuple for its argument."""
    if names == cython.NULL and PyVectorcall_NARGS(nargsf) == 1:
        self = URLSearchParams.__new__(URLSearchParams)
        initialize(self, cython.cast(object, args[0]))
        return self
    return call_slowly(cls, args, nargsf, names)


set_vectorcall(URLSearchParams, new_params)


def wanted(name: str, value: str | int | None) -> tuple[str, str | None]:
    return scalar_value_string(name, "a name"), None if value is None else value_text(value, VALUE)


def matches(pair: tuple[str, str], name: str, value: str | None) -> bool:
    return pair[0] == name and (value is None or pair[1] == value)


def check_room(params: URLSearchParams, length: int, value: str) -> None:
    """Raises InvalidURL if the URL would be longer than a URL may be."""
    if length - 1 > params._longest_query:
        raise InvalidURL(value, None, "too-long", "search_params")


def replace_pairs(params: URLSearchParams, pairs: list[tuple[str, str]]) -> None:
    """Replaces the list. Even fewer pairs can be too long, as serializing can make a parsed query longer."""
    length = -1
    if params._url is not None:
        length = 0
        for pair in pairs:
            length += field_length(pair)
        check_room(params, length, "")
    made_list(params)[:] = pairs
    params._length = length
    params._index = None
    params._dirty = params._url is not None


def encoder_of(params: Any, names: dict[str, Any]) -> Any:
    """The encoding that is given beside a mapping or pairs; None for UTF-8. Without those, keywords are names."""
    if params is ... or not names:
        return None
    options = dict(names)
    encoding = options.pop("encoding", "utf-8")
    if options:
        raise TypeError("beside a mapping, the only keyword is encoding=: write the other names into the mapping")
    return output_encoding(encoding)


def form_text(pairs: list[tuple[str, str]], encoder: Any) -> str:
    """Pairs as they stand in a query."""
    if encoder is None:
        return serialize_urlencoded(pairs)
    mask = SETS["form"]
    return "&".join([f"{encode(pair[0], mask, encoder)}={encode(pair[1], mask, encoder)}" for pair in pairs])


def given_params(params: Any, names: dict[str, Any]) -> Any:
    """What with_params() and add_params() are given: a mapping or pairs, or keywords."""
    if params is ...:
        return names
    if isinstance(params, str):
        raise TypeError(
            "params must be a mapping, pairs or keywords, not str: use replace(query=...) for a whole query"
        )
    return params


def edited_query(query: str, replacements: dict[str, str], encoder: Any) -> str | None:
    """What edit_query() does, with names in another encoding than UTF-8."""
    left = dict(replacements)
    is_changed = False
    pieces = []
    for piece in query.split("&") if query else ():
        if piece and (name := name_in(piece, encoder)) in replacements:
            is_changed = True
            text = left.pop(name, "")
            if text:
                pieces.append(text)
        else:
            pieces.append(piece)
    added = [text for text in left.values() if text]
    if not (is_changed or added):
        return query
    pieces += added
    return "&".join(pieces) if any(pieces) else None


def name_in(pair: str, encoder: Any) -> str:
    """The name of a pair in a query, in an encoding."""
    name: str = encoder.decode(decode(pair.partition("=")[0].replace("+", " ").encode()))
    return name


def query_with(query: str, params: Any, names: dict[str, Any]) -> str | None:
    """The query after with_params(): edit_query() says what becomes of it."""
    encoder = encoder_of(params, names)
    values = read_values(given_params(params, names), GIVEN)
    if encoder is not None:
        replacements = {name: form_text(pairs_with(name, value), encoder) for name, value in values.items()}
        return edited_query(query, replacements, encoder)
    texts = [serialize_urlencoded(pairs_with(name, value)) for name, value in values.items()]
    return edit_query(query, QueryKeys(tuple(values)), texts, "")


def query_and(query: str, params: Any, names: dict[str, Any]) -> str | None:
    """The query after add_params()."""
    encoder = encoder_of(params, names)
    pairs = read_pairs(given_params(params, names), None, GIVEN)
    return edit_query(query, NO_KEYS, [], form_text(pairs, encoder))


def query_without(query: str, names: tuple[str, ...], encoding: str) -> str | None:
    """The query after without_params()."""
    wanted_names = tuple(dict.fromkeys([parameter_name(name) for name in names]))
    encoder = None if encoding == "utf-8" else output_encoding(encoding)
    if encoder is not None:
        return edited_query(query, dict.fromkeys(wanted_names, ""), encoder)
    return edit_query(query, QueryKeys(wanted_names), [""] * len(wanted_names), "")


def parameter_name(name: str) -> str:
    if not isinstance(name, (str, bytes, bytearray, memoryview)) and hasattr(name, "__iter__"):
        raise TypeError(f"a name must be a str, not {type(name).__name__}: write without_params(*names)")
    return scalar_value_string(name, "a name")


NO_KEYS = QueryKeys(())
