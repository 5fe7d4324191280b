"""Verbs in plans of Polars: written here, and read from plans that may come from anywhere.

Polars hands a function its arguments pickled. A verb with its options is one text, so its pickle has one shape. That
shape is all that is read of the format: nothing is unpickled. The text is form-urlencoded: it is flat and ASCII.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any, Final

from weburl._patterns.canonical import COMPONENTS
from weburl._unicode.encoding import get_output_encoding
from weburl._verbs import table  # noqa: F401  # fills VERBS
from weburl._verbs.verb import Option, Verb, engine_verbs
from weburl._verbs.work import OF_JOBS, href_of, names_of, split_options
from weburl.forms import parse_form, serialize_form
from weburl.patterns import PatternList, URLPattern

VERSION: Final = "2"
# Protocol 5: a dictionary of a short str "job" and a str of at most 255 or of more bytes. A frame says only how far to
# read ahead; a text above 64 KiB has none.
PICKLE: Final = re.compile(
    rb"\x80\x05(?:\x95.{8})?\}\x94\x8c\x03job\x94(?:\x8c(?P<short>.)|X(?P<long>.{4}))(?P<text>[!-~]*)\x94s\.",
    re.DOTALL,
)
# The options with patterns. They come last: the components that follow a pattern are its own.
OF_PATTERNS: Final = ("pattern", "routes")
PATTERN: Final = "pattern"
IGNORE_CASE: Final = "ignore_case"

Pairs = list[tuple[str, str]]


class Plan:
    """A verb with checked options, as a plan has them."""

    def __init__(
        self, verb: Verb, options: Mapping[str, Any], base: str | None = None, encoding: str = "utf-8"
    ) -> None:
        self.verb = verb
        self.options = options
        self.base = base
        self.encoding = encoding

    def arguments(self) -> dict[str, str]:
        """The arguments that Polars pickles."""
        pairs = [("version", VERSION), ("verb", self.verb.function)]
        pairs += [] if self.base is None else [("base", self.base)]
        pairs += [] if self.encoding == "utf-8" else [("encoding", self.encoding)]
        return {"job": serialize_form(pairs + self.pairs())}

    def pairs(self) -> Pairs:
        """The options, in order."""
        options = [option for option in self.verb.engine_options if self.options.get(option.name) is not None]
        options.sort(key=lambda option: option.name in OF_PATTERNS)
        return [pair for option in options for pair in pairs_of(option, self.options[option.name])]

    def job(self, columns: int) -> dict[str, Any]:
        """The arguments of a `Job` for a column of URLs, or for one of bases and one of references; or ValueError."""
        verb = self.verb
        if columns not in (1, 2) or (columns == 2 and (self.base is not None or verb.columns == ("text",))):
            raise ValueError(f"a job has one column or two, and two without a base, not {columns}")
        try:
            verb.refuse(self.base, None if self.encoding == "utf-8" else self.encoding)
        except TypeError as error:
            raise ValueError(str(error)) from None
        fields = verb.fields(verb.checked(self.options))
        common = {"base": href_of(self.base), "encoding": self.encoding, "any_text": True}
        return {"fields": fields, "is_struct": verb.is_struct, "views": not verb.own_text, **common}


def plan_of(verb: Verb, options: Mapping[str, Any]) -> Plan:
    """The plan of a verb with the options that a caller gives; raises for wrong ones."""
    common, others = split_options(options)
    checked = verb.checked(others)
    names = names_of(verb, checked, **common)
    if verb.names:
        checked[verb.names] = names
    return Plan(verb, checked, href_of(common.get("base")), common.get("encoding", "utf-8"))


def pairs_of(option: Option, value: Any) -> Pairs:
    """The pairs of an option's value."""
    if option.name in OF_PATTERNS:
        return patterns_of([("", value)] if isinstance(value, URLPattern) else value)
    return [(option.text_name, option.to_text(each)) for each in (value if option.several else (value,))]


def patterns_of(patterns: Iterable[tuple[str, URLPattern]]) -> Pairs:
    """Patterns with their keys."""
    pairs = []
    for key, pattern in patterns:
        # What follows belongs to this pattern.
        pairs += [(PATTERN, key), *[(name, pattern._texts[name]) for name in COMPONENTS]]
        pairs += [(IGNORE_CASE, "1")] * pattern.ignore_case
    return pairs


def read(pickled: bytes) -> Plan:
    """The plan in a pickle of arguments. Other bytes raise ValueError."""
    match = PICKLE.fullmatch(pickled)
    if match is None or int.from_bytes(match["short"] or match["long"], "little") != len(match["text"]):
        raise ValueError("these are not the arguments of a job")
    pairs = parse_form(match["text"])
    # Before what another version may have, too.
    version = next((value for name, value in pairs if name == "version"), "")
    if version != VERSION:
        raise ValueError(f"the job is from another version of weburl: of its form {version!r:.40}, not {VERSION!r}")
    return plan_from(pairs)


def plan_from(pairs: Pairs) -> Plan:
    if [name for name, _ in pairs[:2]] != ["version", "verb"]:
        raise ValueError("a job begins with its version and its verb")
    function, rest = pairs[1][1], pairs[2:]
    verb = engine_verbs().get(function)
    if verb is None:
        raise ValueError(f"there is no function {function!r:.60}")
    common = {}
    for name in OF_JOBS:
        if rest and rest[0][0] == name:
            common[name] = rest.pop(0)[1]
    if "encoding" in common:
        try:
            get_output_encoding(common["encoding"])
        except LookupError as error:
            raise ValueError(str(error)) from None
    return Plan(verb, verb.checked(options_from(verb, rest)), **common)


def options_from(verb: Verb, pairs: Pairs) -> dict[str, Any]:
    """The options of a verb, from their texts in a plan."""
    of_patterns = next((option for option in verb.engine_options if option.name in OF_PATTERNS), None)
    known = {option.text_name: option for option in verb.engine_options if option is not of_patterns}
    texts: dict[str, list[str]] = {}
    patterns: list[tuple[str, dict[str, str]]] = []
    for name, value in pairs:
        if name == PATTERN and of_patterns is not None:
            patterns.append((value, {}))
        elif patterns and name in (*COMPONENTS, IGNORE_CASE) and name not in patterns[-1][1]:
            patterns[-1][1][name] = value
        elif name not in known:
            raise ValueError(f"{verb.name} has no option {name!r:.60}")
        elif name in texts and not known[name].several:
            raise ValueError(f"{verb.name} has one {name}, not more")
        else:
            texts.setdefault(name, []).append(value)
    options = {known[name].name: option_from(known[name], values) for name, values in texts.items()}
    if of_patterns is not None:
        options[of_patterns.name] = value_of_patterns(of_patterns, patterns)
    lacking = [
        option.name for option in verb.engine_options if option.name not in options and option.default is not None
    ]
    if lacking:
        raise ValueError(f"{verb.name} needs {', '.join(lacking)}")
    return options


def option_from(option: Option, texts: list[str]) -> Any:
    values = tuple(map(option.from_text, texts))
    return values if option.several else values[0]


def value_of_patterns(option: Option, patterns: list[tuple[str, dict[str, str]]]) -> PatternList | URLPattern:
    made = [(key, pattern_from(components)) for key, components in patterns]
    if option.name == "routes":
        return PatternList(made)
    if len(made) != 1:
        raise ValueError("pattern_test and groups have one pattern")
    return made[0][1]


def pattern_from(texts: dict[str, str]) -> URLPattern:
    ignore_case = texts.pop(IGNORE_CASE, None)
    if ignore_case not in (None, "1") or texts.keys() != {*COMPONENTS}:
        raise ValueError("a pattern has all components, and ignore_case is 1 or not given")
    return URLPattern(texts, ignore_case=ignore_case is not None)


# A plan calls for the same job with each batch of rows.
@lru_cache(16)
def job_from(pickled: bytes, columns: int) -> dict[str, Any]:
    """The arguments of `Job` for so many columns, from a pickle of arguments."""
    return read(pickled).job(columns)
