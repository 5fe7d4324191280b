"""The components of a pattern: https://urlpattern.spec.whatwg.org/#component"""

from __future__ import annotations

from weburl._core.arguments import wrong_type
from weburl._core.percent import scalar_values
from weburl._patterns.canonical import (
    COMPONENTS,
    SPECIAL_SCHEMES,
    canonicalize_hash,
    canonicalize_hostname,
    canonicalize_ipv6_hostname,
    canonicalize_opaque_pathname,
    canonicalize_pathname,
    canonicalize_port,
    canonicalize_protocol,
    canonicalize_search,
    canonicalize_username,
    in_url,
    is_cut,
)
from weburl._patterns.compile import compile_parts
from weburl._patterns.matcher import Matcher
from weburl._patterns.names import shown_name
from weburl._patterns.parts import (
    FIXED_TEXT,
    FULL_WILDCARD,
    REGEXP_PART,
    SEGMENT_WILDCARD,
    Options,
    Part,
    parse_pattern,
    pattern_text,
)
from weburl.errors import PatternError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

# Usernames and passwords are not shown.
HIDDEN = "***"

DEFAULT = Options()
HOSTNAME = Options(".")
PATHNAME = Options("/", "/")


class Component:
    """https://urlpattern.spec.whatwg.org/#component, with what it was made by."""

    __slots__ = ("_text", "compiled", "encode", "options", "parts")

    def __init__(self, parts: tuple[Part, ...], options: Options, encode: Callable[[str], str]) -> None:
        self.parts = parts
        self.options = options
        self.encode = encode
        self.compiled = compile_parts(parts, options)
        self._text: str | None = None

    @property
    def text(self) -> str:
        """https://urlpattern.spec.whatwg.org/#component-pattern-string"""
        if self._text is None:
            self._text = pattern_text(self.parts, self.options)
        return self._text

    @property
    def names(self) -> tuple[str, ...]:
        """https://urlpattern.spec.whatwg.org/#component-group-name-list"""
        return tuple([part.name for part in self.parts if part.type != FIXED_TEXT])

    @property
    def has_regexp_groups(self) -> bool:
        """https://urlpattern.spec.whatwg.org/#component-has-regexp-groups"""
        return any(part.type == REGEXP_PART for part in self.parts)

    def generate(self, groups: Mapping[str, str], scheme: str) -> str:
        """The text of a component with these groups; PatternError where the pattern leaves a choice.

        The scheme of the URL is empty if it is not known.
        """
        text = ""
        for part in self.parts:
            if part.type == FIXED_TEXT and not part.modifier:
                text += part.value
            elif part.type != SEGMENT_WILDCARD or part.modifier:
                raise PatternError("only texts and names without a modifier can be generated", part.position)
            elif part.name not in groups:
                raise PatternError(f"the group {shown_name(part.name)} is not given", part.position)
            else:
                text += part.prefix + self.generate_group(part, groups[part.name]) + part.suffix
        # Pieces that are fine by themselves can make dot segments, or a host that is not one.
        try:
            canonical = self.encode(text)
            if canonical == text:
                canonical = in_url(self.encode, text, scheme)
        except PatternError as error:
            error.position = None
            raise
        if canonical != text:
            raise PatternError(f"no URL has {self.shown(text)} here: it would be {self.shown(canonical)}")
        return text

    @property
    def only_text(self) -> str:
        """The only text that it matches; empty if there are others."""
        if any(part.type != FIXED_TEXT or part.modifier for part in self.parts):
            return ""
        return "".join(part.value for part in self.parts)

    def shown(self, text: str) -> str:
        return HIDDEN if self.encode is canonicalize_username else f"{text!a:.80}"

    def generate_group(self, part: Part, argument: object) -> str:
        if not isinstance(argument, str):
            raise wrong_type(argument, f"the group {shown_name(part.name)} must be a str")
        text = scalar_values(argument)
        value = "" if is_cut(self.encode, text) else self.encode(text)
        if not value or (self.options.delimiter and self.options.delimiter in value):
            raise PatternError(f"the group {shown_name(part.name)} cannot be {self.shown(text)}", part.position)
        return value

    def order(self) -> list[tuple[int, int, str, str, str]]:
        """What two components are compared by, part by part: what matches less is greater."""
        return [
            (RANK[part.type], MODIFIERS.index(part.modifier), part.prefix, part.value, part.suffix)
            for part in self.parts
        ]


RANK = {FULL_WILDCARD: 0, SEGMENT_WILDCARD: 1, REGEXP_PART: 2, FIXED_TEXT: 3}
MODIFIERS = ("*", "?", "+", "")
NOTHING = (RANK[FIXED_TEXT], MODIFIERS.index(""), "", "", "")


def compare_components(left: Component, right: Component) -> int:
    """-1, 0 or 1."""
    first, second = left.order(), right.order()
    length = max(len(first), len(second))
    first += [NOTHING] * (length - len(first))
    second += [NOTHING] * (length - len(second))
    return (first > second) - (first < second)


# Most components are one of these, or empty: they are compiled once.
COMMON = frozenset(("", "*", "/*", *SPECIAL_SCHEMES))
CONSTANTS: dict[tuple[str, Options, Callable[[str], str]], Component] = {}


def compile_component(
    text: str, options: Options, encode: Callable[[str], str], regexp_groups: bool = True
) -> Component:
    """https://urlpattern.spec.whatwg.org/#compile-a-component"""
    component = CONSTANTS.get((text, options, encode)) if text in COMMON else None
    if component is None:
        parts = tuple(parse_pattern(text, options, encode))
        if not regexp_groups:
            refuse_regexp_groups(parts)
        component = Component(parts, options, encode)
        if text in COMMON:
            CONSTANTS[text, options, encode] = component
    return component


def refuse_regexp_groups(parts: tuple[Part, ...]) -> None:
    for part in parts:
        if part.type == REGEXP_PART:
            raise PatternError("regular expressions are not allowed here", part.position)


def matches_special_scheme(component: Component) -> bool:
    """https://urlpattern.spec.whatwg.org/#protocol-component-matches-a-special-scheme"""
    if len(component.parts) == 1 and not component.parts[0].modifier:
        # Most protocols, which need no match.
        part = component.parts[0]
        if part.type == FIXED_TEXT:
            return part.value in SPECIAL_SCHEMES
        if part.type == FULL_WILDCARD and not part.prefix and not part.suffix:
            return True
    other = compile_component("", DEFAULT, canonicalize_hash).compiled
    matcher = Matcher((component.compiled, *[other] * (len(COMPONENTS) - 1)))
    return any(matcher.test_components((scheme, *[""] * (len(COMPONENTS) - 1))) for scheme in SPECIAL_SCHEMES)


def is_ipv6_pattern(hostname: str) -> bool:
    """https://urlpattern.spec.whatwg.org/#hostname-pattern-is-an-ipv6-address"""
    return len(hostname) > 1 and hostname.startswith(("[", "{[", "\\["))


def compile_components(texts: Mapping[str, str], ignore_case: bool, regexp_groups: bool) -> tuple[Component, ...]:
    """The rest of https://urlpattern.spec.whatwg.org/#url-pattern-create"""
    hostname = canonicalize_ipv6_hostname if is_ipv6_pattern(texts["hostname"]) else canonicalize_hostname
    made = compile_one("protocol", texts, DEFAULT, canonicalize_protocol, regexp_groups)
    special = matches_special_scheme(made)
    options = Options(ignore_case=True) if ignore_case else DEFAULT
    path_options = (Options("/", "/", True) if ignore_case else PATHNAME) if special else options
    path = canonicalize_pathname if special else canonicalize_opaque_pathname
    return (
        made,
        compile_one("username", texts, DEFAULT, canonicalize_username, regexp_groups),
        compile_one("password", texts, DEFAULT, canonicalize_username, regexp_groups),
        compile_one("hostname", texts, HOSTNAME, hostname, regexp_groups),
        compile_one("port", texts, DEFAULT, canonicalize_port, regexp_groups),
        compile_one("pathname", texts, path_options, path, regexp_groups),
        compile_one("search", texts, options, canonicalize_search, regexp_groups),
        compile_one("hash", texts, options, canonicalize_hash, regexp_groups),
    )


def compile_one(
    name: str, texts: Mapping[str, str], options: Options, encode: Callable[[str], str], regexp_groups: bool
) -> Component:
    try:
        return compile_component(texts[name], options, encode, regexp_groups)
    except PatternError as error:
        error.component, error.pattern = name, texts[name]
        raise
