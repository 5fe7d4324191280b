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
from weburl._verbs.options import PART_FIELDS
from weburl._verbs.table import COMPONENT
from weburl._verbs.verb import VERBS, Option, Verb, column_names, engine_verbs
from weburl._verbs.work import href_of, names_of, split_options
from weburl.forms import parse_form, serialize_form
from weburl.patterns import PatternList, URLPattern

# Version 1 is that of 0.2.0, whose fields had other names.
VERSION: Final = "2"
# Protocol 5: a dictionary of a short str "job" and a str of at most 255 or of more bytes. A frame says only how far to
# read ahead; a text above 64 KiB has none.
PICKLE: Final = re.compile(
    rb"\x80\x05(?:\x95.{8})?\}\x94\x8c\x03job\x94(?:\x8c(?P<short>.)|X(?P<long>.{4}))(?P<text>[!-~]*)\x94s\.",
    re.DOTALL,
)
# What has several texts comes after what has one. A pattern is the last: what follows it belongs to it.
PATTERN: Final = "pattern"
ORDER: Final = ("field", "key", "group", PATTERN)

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
        pairs = self.pairs()
        fields = [value for name, value in pairs if name == "field"]
        text = [("version", VERSION), *[("field", name) for name in fields]]
        text += [("is_struct", "1")] if self.verb.is_struct else []
        text += [] if self.base is None else [("base", self.base)]
        # `parse_url(u, 'HOST')` becomes the verb `hostname` when it is read back. That verb takes no encoding, so there
        # is none in the text.
        if self.encoding != "utf-8" and verb_of(grouped(pairs), self.verb.is_struct).takes_encoding:
            text.append(("encoding", self.encoding))
        return {"job": serialize_form([*text, *[pair for pair in pairs if pair[0] != "field"]])}

    def pairs(self) -> Pairs:
        """The field and the options, in order."""
        options = [option for option in self.verb.engine_options if self.options.get(option.name) is not None]
        if self.options.get("key") is not None:
            # A value of the query, whatever the part is called.
            options = [option for option in options if option.name != "part"]
        options.sort(key=lambda option: ORDER.index(option.plan_name) if option.plan_name in ORDER else -1)
        own = [("field", self.verb.field)] if self.verb.field else []
        return own + [pair for option in options for pair in pairs_of(option, self.options[option.name])]

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


def grouped(pairs: Pairs) -> dict[str, list[str]]:
    """The values of each name."""
    texts: dict[str, list[str]] = {}
    for name, value in pairs:
        texts.setdefault(name, []).append(value)
    return texts


def pairs_of(option: Option, value: Any) -> Pairs:
    """The pairs of an option's value."""
    if option.plan_name == PATTERN:
        return patterns_of([("", value)] if isinstance(value, URLPattern) else value)
    return [(option.plan_name, option.to_text(each)) for each in (value if option.several else (value,))]


def patterns_of(patterns: Iterable[tuple[str, URLPattern]]) -> Pairs:
    """Patterns with their keys."""
    pairs = []
    for key, pattern in patterns:
        # What follows belongs to this pattern.
        pairs += [(PATTERN, key), *[(name, pattern._texts[name]) for name in COMPONENTS]]
        pairs += [("ignore_case", "1")] * pattern.ignore_case
    return pairs


def read(pickled: bytes) -> Plan:
    """The plan in a pickle of arguments; ValueError for what `Plan.arguments` never writes."""
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
    several = {option.plan_name for verb in engine_verbs().values() for option in verb.options if option.several}
    texts: dict[str, list[str]] = {}
    patterns: list[tuple[str, dict[str, str]]] = []
    for name, value in pairs:
        if name == PATTERN:
            patterns.append((value, {}))
        elif patterns and name in (*COMPONENTS, "ignore_case") and name not in patterns[-1][1]:
            patterns[-1][1][name] = value
        elif name in texts and name not in several:
            raise ValueError("a job has another argument, or one twice")
        else:
            texts.setdefault(name, []).append(value)
    is_struct = texts.pop("is_struct", None)
    if is_struct not in (None, ["1"]):
        raise ValueError("is_struct is 1 or not given")
    del texts["version"]
    bases = texts.pop("base", [None])
    encodings = texts.pop("encoding", ["utf-8"])
    verb = verb_of(texts, is_struct is not None)
    if verb.field:
        del texts["field"]
    options = {
        option.name: option_from(option, texts.pop(option.plan_name, []), patterns)
        for option in verb.engine_options
        if option.plan_name in (*texts, PATTERN)
    }
    if texts or (patterns and all(option.plan_name != PATTERN for option in verb.engine_options)):
        raise ValueError(
            f"a job has another argument, or one twice: {verb.name} takes no {', '.join(texts) or PATTERN}"
        )
    lacking = [option.name for option in verb.engine_options if option.name not in options and option.name != "key"]
    if lacking:
        raise ValueError(f"{verb.name} needs {', '.join(lacking)}")
    return Plan(verb, verb.checked(options), bases[0], encodings[0])


def verb_of(texts: Mapping[str, list[str]], is_struct: bool) -> Verb:
    """The verb of a plan: by the names of the columns of a struct, or by its field."""
    several = [name for name in ("field", "key", "group") if name in texts]
    if len(several) != 1:
        raise ValueError("a job has fields, each once, or groups, or keys")
    (name,) = several
    if is_struct:
        named = {option.plan_name: verb for verb in VERBS for option in verb.options if verb.names == option.name}
        return named[name]
    values = texts[name]
    if len(values) != 1 or name == "group":
        raise ValueError(f"{'' if name == 'group' else 'several '}{name}s are those of a struct")
    if name == "key":
        return engine_verbs()["url_param"]
    own = {verb.field: verb for verb in engine_verbs().values() if verb.field and len(verb.columns) == 1}
    if values[0] in own:
        return own[values[0]]
    if values[0] in column_names():
        return COMPONENT
    if values[0] in PART_FIELDS.values():
        return engine_verbs()["parse_url"]
    raise ValueError(f"a field is one of {', '.join([*column_names(), *own, *PART_FIELDS.values()])}")


def option_from(option: Option, texts: list[str], patterns: list[tuple[str, dict[str, str]]]) -> Any:
    """The value of an option, from its texts in a plan."""
    if option.plan_name == PATTERN:
        made = [(key, pattern_from(components)) for key, components in patterns]
        if option.name == "routes":
            return PatternList(made)
        if len(made) != 1:
            raise ValueError("pattern_test and groups have one pattern")
        return made[0][1]
    values = tuple(map(option.from_text, texts))
    return values if option.several else values[0]


def pattern_from(texts: dict[str, str]) -> URLPattern:
    ignore_case = texts.pop("ignore_case", None)
    if ignore_case not in (None, "1") or texts.keys() != {*COMPONENTS}:
        raise ValueError("a pattern has all components, and ignore_case is 1 or not given")
    return URLPattern(texts, ignore_case=ignore_case is not None)


# A plan calls for the same job with each batch of rows.
@lru_cache(16)
def job_from(pickled: bytes, columns: int) -> dict[str, Any]:
    """The arguments of `Job` for so many columns, from a pickle of arguments."""
    return read(pickled).job(columns)
