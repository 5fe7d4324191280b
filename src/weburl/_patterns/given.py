"""What a URLPattern is made from and matched with, as it is given: whole texts, mappings, bases."""

from __future__ import annotations

from weburl._core.percent import scalar_values
from weburl._patterns.canonical import SPECIAL_SCHEMES, canonicalize_protocol
from weburl._patterns.component import DEFAULT, compile_one, matches_special_scheme
from weburl._patterns.constructor import COMPONENTS, ConstructorParser, process_init
from weburl.errors import PatternError
from weburl.url import URL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

BASE_NAMES = ("base_url", "baseURL")


class GivenPattern:
    """The patterns of the components, and what they were read from: a mapping, or a whole text."""

    __slots__ = ("init", "parser", "texts")

    def __init__(self, init: Mapping[str, str], base_url: str | None, parser: ConstructorParser | None = None) -> None:
        self.init = init
        self.parser = parser
        self.texts = process_init(init, base_url, True)
        for name in COMPONENTS:
            self.texts.setdefault(name, "*")
        if self.texts["port"] and self.texts["port"] == SPECIAL_SCHEMES.get(self.texts["protocol"]):
            self.texts["port"] = ""

    def place(self, error: PatternError) -> None:
        """Turns the place of an error in a component's pattern into one in what was given."""
        name = error.component or ""
        given = self.init.get(name)
        if given is None or error.pattern is None:
            # The base has it.
            return
        # A ? or # may have been cut off, the path of a base put before.
        shift = 0 if name == "protocol" else len(given) - len(error.pattern)
        position = None if error.position is None else max(error.position + shift, 0)
        error.pattern, error.position = given, position
        if self.parser is not None:
            error.pattern = self.parser.text
            error._secret = self.parser.credentials()
            if position is not None:
                error.position = position + self.parser.starts.get(name, 0)


def read_pattern(given: object, base: str | URL | None, regexp_groups: bool) -> GivenPattern:
    """What the constructor is given, a str or a mapping."""
    if not isinstance(given, str):
        if base is not None:
            raise TypeError("the base of components is their base_url")
        init, base_url, _ = read_mapping(given, "a pattern")
        return GivenPattern(init, base_url)
    text = scalar_values(given)

    def is_special(protocol: str) -> bool:
        texts = {"protocol": protocol}
        return matches_special_scheme(compile_one("protocol", texts, DEFAULT, canonicalize_protocol, regexp_groups))

    parser = ConstructorParser(text, is_special)
    base_url = text_of_base(base)
    try:
        init = parser.parse()
        if base_url is None and "protocol" not in init:
            raise PatternError("a relative pattern needs a base")
    except PatternError as error:
        # What follows is not read: it may have credentials.
        start, end = len(error.pattern or ""), text.rfind("@")
        error.pattern = text
        error._secret = (start, end) if start < end else None
        raise
    return GivenPattern(init, base_url, parser)


def text_of_base(base: str | URL | None) -> str | None:
    if base is None or isinstance(base, str):
        return base
    if isinstance(base, URL):
        return base.href
    raise TypeError(f"base must be a str, a URL or None, not {type(base).__name__}")


def read_mapping(given: object, what: str) -> tuple[dict[str, str], str | None, dict[str, str]]:
    """The components of a mapping, its base, and all of it under the names that were given."""
    if not hasattr(given, "keys"):
        raise TypeError(f"{what} must be a str or a mapping, not {type(given).__name__}")
    init: dict[str, str] = {}
    base_url = None
    copy: dict[str, str] = {}
    for name in given.keys():  # noqa: SIM118
        value = given[name]  # type: ignore[index]
        if value is None:
            continue
        if name in BASE_NAMES:
            if base_url is not None:
                raise TypeError("base_url and baseURL are the same: give one of them")
            base_url = text_of_base(value)
            copy[name] = scalar_values(base_url)  # type: ignore[arg-type]  # not None
        elif name not in COMPONENTS:
            raise TypeError(f"{what} has the components {', '.join(COMPONENTS)} and base_url, not {name!a:.80}")
        elif isinstance(value, str):
            init[name] = copy[name] = scalar_values(value)
        else:
            raise TypeError(f"{name} must be a str, not {type(value).__name__}")
    return init, base_url, copy


def read_components(given: object, base: str | URL | None) -> tuple[tuple[str, ...], dict[str, str]]:
    """The components of a URL as a mapping, none if one of them cannot be; and a copy of the mapping."""
    init, base_url, copy = read_mapping(given, "a URL")
    if base is not None:
        raise TypeError("the base of components is their base_url")
    try:
        found = process_init(init, base_url, False)
    except PatternError:
        return (), copy
    return tuple([found[name] for name in COMPONENTS]), copy
