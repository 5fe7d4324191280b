"""What patterns are made from, and matched with: https://urlpattern.spec.whatwg.org/#constructor-string-parsing"""

from __future__ import annotations

from weburl._core.arguments import wrong_type
from weburl._core.percent import scalar_values
from weburl._patterns.canonical import (
    COMPONENTS,
    SPECIAL_SCHEMES,
    canonicalize_hash,
    canonicalize_hostname,
    canonicalize_opaque_pathname,
    canonicalize_pathname,
    canonicalize_port,
    canonicalize_protocol,
    canonicalize_search,
    canonicalize_username,
)
from weburl._patterns.component import DEFAULT, compile_one, matches_special_scheme
from weburl._patterns.parts import escape_pattern
from weburl._patterns.tokens import ASTERISK, CHAR, CLOSE, END, ESCAPED_CHAR, INVALID_CHAR, NAME, OPEN, REGEXP, tokenize
from weburl.errors import InvalidURL, PatternError
from weburl.url import URL, FrozenURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from weburl._patterns.tokens import Token

BASE_NAMES = ("base_url", "baseURL")
# The other keywords of URL.build() for a component, with what stands before their values; and what to use for the rest.
SAME_COMPONENTS = {"scheme": ("protocol", ""), "query": ("search", "?"), "fragment": ("hash", "#")}
OTHER_COMPONENTS = {"host": "hostname and port", "params": "search", "path_segments": "pathname"}
TEXT_TOKENS = (CHAR, ESCAPED_CHAR, INVALID_CHAR)
# After these a question mark is a modifier.
GROUP_TOKENS = (NAME, REGEXP, CLOSE, ASTERISK)

DELIMITERS = frozenset(":/?#@[]")

# The states that are not components.
INIT, AUTHORITY, DONE = "init", "authority", "done"
RANKS = {state: rank for rank, state in enumerate((INIT, AUTHORITY, *COMPONENTS))}
# What is empty if it has been left out before a component.
LEFT_OUT = {
    "port": ("hostname",),
    "pathname": ("hostname",),
    "search": ("hostname", "pathname"),
    "hash": ("hostname", "pathname", "search"),
}


class ConstructorParser:
    """https://urlpattern.spec.whatwg.org/#constructor-string-parser

    `matches_special_scheme` says whether a protocol's pattern matches a special scheme. `starts` has where in the text
    the components of the result start.
    """

    __slots__ = (
        "bracket_depth", "group_depth", "increment", "index", "matches_special_scheme", "result", "special", "start",
        "starts", "state", "text", "tokens",
    )  # fmt: skip

    def __init__(self, text: str, matches_special_scheme: Callable[[str], bool]) -> None:
        self.text = text
        self.tokens = tokenize(text, lenient=True)
        self.matches_special_scheme = matches_special_scheme
        self.result: dict[str, str] = {}
        self.starts: dict[str, int] = {}
        self.start = 0
        self.index = 0
        self.increment = 1
        self.group_depth = 0
        self.bracket_depth = 0
        self.special = False
        self.state = INIT

    def parse(self) -> dict[str, str]:
        """https://urlpattern.spec.whatwg.org/#parse-a-constructor-string"""
        tokens = self.tokens
        while self.index < len(tokens):
            kind, _, value = tokens[self.index]
            self.increment = 1
            if kind == END:
                if self.state == INIT:
                    self.rewind(INIT)
                    if self.is_text("#"):
                        self.change_state("hash", 1)
                    elif self.is_search_prefix():
                        self.change_state("search", 1)
                    else:
                        self.change_state("pathname", 0)
                elif self.state == AUTHORITY:
                    self.rewind("hostname")
                else:
                    self.change_state(DONE, 0)
                    break
            elif kind == OPEN:
                self.group_depth += 1
            else:
                if kind == CLOSE and self.group_depth:
                    self.group_depth -= 1
                if not self.group_depth and value in DELIMITERS:
                    self.step(value if kind in TEXT_TOKENS else "")
            self.index += self.increment
        if "hostname" in self.result:
            self.result.setdefault("port", "")
        return self.result

    def credentials(self) -> tuple[int, int] | None:
        """Where the username and the password are in the text."""
        return (self.starts["username"], self.starts["hostname"] - 1) if "username" in self.starts else None

    def step(self, text: str) -> None:
        """At a delimiter, which is empty where it is a modifier or in a group."""
        state = self.state
        if state == INIT:
            if text == ":":
                self.rewind("protocol")
        elif state == "protocol":
            if text == ":":
                self.end_protocol()
        elif state == AUTHORITY:
            if text == "@":
                self.rewind("username")
            elif text in ("/", "#") or self.is_search_prefix():
                self.rewind("hostname")
        elif state in ("username", "password"):
            if text == "@":
                self.change_state("hostname", 1)
            elif text == ":" and state == "username":
                self.change_state("password", 1)
        elif state == "hostname" and text in ("[", "]"):
            self.bracket_depth += 1 if text == "[" else -1
        elif state == "hostname" and text == ":" and self.bracket_depth == 0:
            self.change_state("port", 1)
        elif state in ("hostname", "port") and text == "/":
            self.change_state("pathname", 0)
        elif state in ("hostname", "port", "pathname") and self.is_search_prefix():
            self.change_state("search", 1)
        elif state != "hash" and text == "#":
            self.change_state("hash", 1)

    def end_protocol(self) -> None:
        # https://urlpattern.spec.whatwg.org/#compute-protocol-matches-a-special-scheme-flag
        self.special = self.matches_special_scheme(self.component())
        if self.is_text("/", 1) and self.is_text("/", 2):
            self.change_state(AUTHORITY, 3)
        else:
            self.change_state(AUTHORITY if self.special else "pathname", 1)

    def change_state(self, state: str, skip: int) -> None:
        """https://urlpattern.spec.whatwg.org/#change-state"""
        result, old = self.result, self.state
        if old in COMPONENTS:
            result[old] = self.component()
            self.starts[old] = self.tokens[self.start][1]
        if state in LEFT_OUT and old != INIT:
            # What is left out before what is written is empty.
            for name in LEFT_OUT[state]:
                if RANKS[old] < RANKS[name] and name not in result:
                    result[name] = "/" if name == "pathname" and self.special else ""
        self.state = state
        self.index += skip
        self.start = self.index
        self.increment = 0

    def rewind(self, state: str) -> None:
        """https://urlpattern.spec.whatwg.org/#rewind-and-set-state"""
        self.index = self.start
        self.increment = 0
        self.state = state

    def token(self, index: int) -> Token:
        """https://urlpattern.spec.whatwg.org/#get-a-safe-token"""
        return self.tokens[min(index, len(self.tokens) - 1)]

    def component(self) -> str:
        """https://urlpattern.spec.whatwg.org/#make-a-component-string"""
        return self.text[self.tokens[self.start][1] : self.tokens[self.index][1]]

    def is_text(self, value: str, ahead: int = 0) -> bool:
        """https://urlpattern.spec.whatwg.org/#is-a-non-special-pattern-char"""
        kind, _, text = self.token(self.index + ahead)
        return text == value and kind in TEXT_TOKENS

    def is_search_prefix(self) -> bool:
        """https://urlpattern.spec.whatwg.org/#is-a-search-prefix"""
        if self.tokens[self.index][2] != "?":
            return False
        if self.is_text("?"):
            return True
        return self.index == 0 or self.tokens[self.index - 1][0] not in GROUP_TOKENS


def process_init(init: Mapping[str, str], base_url: str | None, for_pattern: bool) -> dict[str, str]:
    """https://urlpattern.spec.whatwg.org/#process-a-urlpatterninit

    For a pattern, components that are not given are left out; else they are empty. PatternError is raised where a
    component is not what it must be, and InvalidURL only for the base.
    """
    result = {} if for_pattern else dict.fromkeys(COMPONENTS, "")
    url = None
    if base_url is not None:
        url = URL.parse(base_url)
        if url is None:
            raise InvalidURL("", base_url, "base")
        result.update(inherited(init, url, for_pattern))
    for name in ("protocol", "username", "password", "hostname"):
        if name in init:
            result[name] = process_component(name, init[name], for_pattern)
    protocol = result.get("protocol", "")
    if "port" in init:
        port = init["port"]
        result["port"] = port if for_pattern else at_component("port", port, canonicalize_port, port, protocol)
    if "pathname" in init:
        path = init["pathname"]
        if url is not None and not url.has_opaque_path and not is_absolute(path, for_pattern):
            above = process_base(url.pathname, for_pattern)
            path = above[: above.rindex("/") + 1] + path if "/" in above else path
        if not for_pattern:
            special = protocol == "" or protocol in SPECIAL_SCHEMES
            canonicalize = canonicalize_pathname if special else canonicalize_opaque_pathname
            path = at_component("pathname", init["pathname"], canonicalize, path)
        result["pathname"] = path
    for name in ("search", "hash"):
        if name in init:
            result[name] = process_component(name, init[name], for_pattern)
    return result


def inherited(init: Mapping[str, str], url: URL, for_pattern: bool) -> dict[str, str]:
    """What a base gives: the components before the first that is given, in either order of them."""
    components = {}

    def inherit(name: str, value: str, *unless: str) -> None:
        if not any(other in init for other in unless):
            components[name] = process_base(value, for_pattern)

    # Each is inherited unless it or one before it is given.
    inherit("protocol", url.scheme, "protocol")
    if not for_pattern:
        inherit("username", url.username, "protocol", "hostname", "port", "username")
        inherit("password", url.password, "protocol", "hostname", "port", "username", "password")
    inherit("hostname", url.hostname, "protocol", "hostname")
    inherit("port", url.port, "protocol", "hostname", "port")
    inherit("pathname", url.pathname, "protocol", "hostname", "port", "pathname")
    inherit("search", url.query or "", "protocol", "hostname", "port", "pathname", "search")
    inherit("hash", url.fragment or "", "protocol", "hostname", "port", "pathname", "search", "hash")
    return components


def process_base(text: str, for_pattern: bool) -> str:
    """https://urlpattern.spec.whatwg.org/#process-a-base-url-string"""
    return escape_pattern(text) if for_pattern else text


def is_absolute(path: str, for_pattern: bool) -> bool:
    """https://urlpattern.spec.whatwg.org/#is-an-absolute-pathname"""
    return path.startswith("/") or (for_pattern and path.startswith(("\\/", "{/")))


PREFIXES = {"search": "?", "hash": "#"}
CANONICALIZE = {
    "protocol": canonicalize_protocol,
    "username": canonicalize_username,
    "password": canonicalize_username,
    "hostname": canonicalize_hostname,
    "search": canonicalize_search,
    "hash": canonicalize_hash,
}


def process_component(name: str, value: str, for_pattern: bool) -> str:
    """https://urlpattern.spec.whatwg.org/#process-protocol-for-init, and so on."""
    text = value.removesuffix(":") if name == "protocol" else value.removeprefix(PREFIXES.get(name, ""))
    return text if for_pattern else at_component(name, value, CANONICALIZE[name], text)


def at_component(name: str, text: str, canonicalize: Callable[..., str], *arguments: str) -> str:
    try:
        return canonicalize(*arguments)
    except PatternError as error:
        error.component, error.pattern = name, text
        raise


# What is given: whole texts, mappings, bases.


NOT_GIVEN = dict.fromkeys(COMPONENTS, "*")


class GivenPattern:
    """The patterns of the components, and what they were read from: a mapping, or a whole text."""

    __slots__ = ("init", "parser", "texts")

    def __init__(self, init: Mapping[str, str], base_url: str | None, parser: ConstructorParser | None = None) -> None:
        self.init = init
        self.parser = parser
        self.texts = NOT_GIVEN | process_init(init, base_url, True)
        # Not by the text, but as Chromium: 0443 is 443, the default port.
        port = self.texts["port"].lstrip("0")
        if port and port == SPECIAL_SCHEMES.get(self.texts["protocol"]):
            self.texts["port"] = ""

    def place(self, error: PatternError) -> None:
        """Turns the place of an error in a component's pattern into one in what was given."""
        name = error.component or ""
        whole = self.init.get(name)
        if whole is None or error.pattern is None:
            # The base has it.
            return
        # A ? or # may have been cut off, the path of a base put before.
        shift = 0 if name == "protocol" else len(whole) - len(error.pattern)
        position = None if error.position is None else max(error.position + shift, 0)
        error.pattern, error.position = whole, position
        if self.parser is not None:
            error.pattern = self.parser.text
            error._secret = self.parser.credentials()
            if position is not None:
                error.position = position + self.parser.starts.get(name, 0)


def read_pattern(argument: object, base: str | URL | FrozenURL | None, regexp_groups: bool) -> GivenPattern:
    """What the constructor is given, a str or a mapping."""
    if not isinstance(argument, str):
        if text_of_base(base) is not None:
            raise TypeError("the base of components is their base_url")
        init, base_url, _ = read_mapping(argument, "a pattern", "input")
        return GivenPattern(init, base_url)
    text = scalar_values(argument)

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


def text_of_base(base: str | URL | FrozenURL | None) -> str | None:
    if base is None or isinstance(base, str):
        return base
    if isinstance(base, (URL, FrozenURL)):
        return base.href
    raise wrong_type(base, "base must be a str, a URL or None")


def read_mapping(argument: object, what: str, name: str) -> tuple[dict[str, str], str | None, dict[str, str]]:
    """The components of a mapping, its base, and all of it under the names that were given."""
    if not hasattr(argument, "keys"):
        types = "a str or a mapping" if what == "a pattern" else "a str, a URL or a mapping"
        raise wrong_type(argument, f"{name} must be {types}")
    init: dict[str, str] = {}
    base_url = None
    copy: dict[str, str] = {}
    for name in argument.keys():  # noqa: SIM118
        value = argument[name]  # type: ignore[index]
        if value is None:
            continue
        if name in BASE_NAMES:
            if base_url is not None:
                raise TypeError("base_url and baseURL are the same: give one of them")
            base_url = text_of_base(value)
            copy[name] = scalar_values(base_url)  # type: ignore[arg-type]  # not None
            continue
        component, prefix = SAME_COMPONENTS.get(name, (name, "")) if isinstance(name, str) else (name, "")
        if component not in COMPONENTS:
            raise unknown_component(what, name)
        if component in init:
            raise TypeError(f"{what} takes {component} or {other_name(component)}, not both")
        text = copy[name] = component_text(name, value, what)
        if name == "query" and text[:1] == "?" and what == "a pattern":
            # No pattern begins so: after the ? of the search this is a modifier of nothing.
            raise PatternError("a query begins after its question mark: write search=, or leave out the question mark")
        init[component] = prefix + text if text.startswith(prefix) else text
    return init, base_url, copy


def component_text(name: str, value: object, what: str) -> str:
    """The value of a component: a str or, as in URL.build(), an int for a port, and an object for a host."""
    if isinstance(value, str):
        return scalar_values(value)
    from weburl._core.arguments import wrong_type
    from weburl._core.parts import port_value
    from weburl._parts import host_text

    if name == "port":
        return port_value(value)  # type: ignore[arg-type]  # it checks
    if name == "hostname":
        text = host_text(value, name)
        # The colons of an IPv6 address begin no names.
        return escape_pattern(text) if what == "a pattern" else text
    raise wrong_type(value, f"{name} must be a str or None")


def other_name(component: str) -> str:
    return next(name for name, (own, _) in SAME_COMPONENTS.items() if own == component)


def unknown_component(what: str, name: object) -> TypeError:
    from weburl._diagnosis.messages import shown_argument
    from weburl._parts import OTHER_NAMES

    if isinstance(name, str) and (instead := OTHER_COMPONENTS.get(name) or OTHER_NAMES.get(name)):
        instead = OTHER_COMPONENTS.get(instead, instead)
        return TypeError(f"{what} has no {name}: use {instead}")
    own = ", ".join(COMPONENTS)
    return TypeError(f"{what} has the components {own} and base_url, not {shown_argument(name)}")


def read_components(
    mapping: object, base: str | URL | FrozenURL | None, name: str = "input"
) -> tuple[tuple[str, ...], dict[str, str]]:
    """The components of a URL as a mapping, none if one of them cannot be; and a copy of the mapping."""
    init, base_url, copy = read_mapping(mapping, "a URL", name)
    if text_of_base(base) is not None:
        raise TypeError("the base of components is their base_url")
    try:
        by_name = process_init(init, base_url, False)
    except (PatternError, InvalidURL):
        return (), copy
    return tuple([by_name[name] for name in COMPONENTS]), copy


def components_of(input: object, base: str | URL | FrozenURL | None, name: str = "input") -> tuple[str, ...]:
    """The components of a URL in any form; none of what is not a URL."""
    if not isinstance(input, (str, URL, FrozenURL)):
        return read_components(input, base, name)[0]
    text = text_of_base(base)
    url = URL.parse(input, text)
    if url is None:
        if text is not None and not URL.can_parse(text):
            raise InvalidURL(input if isinstance(input, str) else input.href, text, "base")
        return ()
    before = (url.scheme, url.username, url.password, url.hostname, url.port, url.pathname)
    return (*before, url.query or "", url.fragment or "")
