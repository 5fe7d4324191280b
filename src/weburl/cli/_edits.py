"""The edits of -s, --iterate, --qtrim, --replace, -a and --sort-query, made to each URL before it is written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from weburl import URL, InvalidURL
from weburl._arrow.input import TooLong
from weburl._named_tuple import NamedTuple
from weburl._parts import split_host
from weburl.cli._arguments import CHANGES, OUTPUT, LowArgs, argument_text, flag, option, repeated
from weburl.cli._exit import UsageError
from weburl.cli._messages import quoted
from weburl.cli._output_fields import ALIASES, OTHER_PARTS, PARTS, OutputField
from weburl.cli.readers.row_blocks import TOO_LONG_NAME, Fault, Row

TYPE_CHECKING = False
if TYPE_CHECKING:
    from re import Pattern
    from typing import Any, Final

# `URL.replace` takes only one of each pair.
SAME: Final = {"scheme": "protocol", "query": "search", "fragment": "hash", "host": "hostname"}


MISSING: Final = "missing-part"
# What stands in a query as it is, but is percent-encoded in a value that is added to it.
SEPARATORS: Final = frozenset("!$&(),/:;?@[\\]^`{|}~")


class MissingPart(Exception):
    """Raised for a URL without a part that {must:} asks for."""


class EditArgs(LowArgs):
    assignments: list[str] = repeated("-s", "--set", group=CHANGES, metavar="PART=VALUE", type=argument_text,
        help="set a part, such as -s host=example.com; without VALUE, remove it")  # fmt: skip
    iterations: list[str] = repeated("--iterate", group=CHANGES, metavar="PART=ITEMS", type=argument_text,
        help="print each URL once for each item, with the item as its PART: --iterate 'port=80 8080'")  # fmt: skip
    globs: list[str] = repeated("--qtrim", group=CHANGES, metavar="GLOB", type=argument_text,
        help="remove the parameters whose names match, such as --qtrim 'utm_*'")  # fmt: skip
    replacements: list[str] = repeated("--replace", group=CHANGES, metavar="NAME=VALUE", type=argument_text,
        help="give the parameter NAME another value; a URL without it is unchanged")  # fmt: skip
    additions: list[str] = repeated("-a", "--append", group=CHANGES, metavar="query=NAME=VALUE", type=argument_text,
        help="add a parameter at the end of the query; path=SEGMENT adds a segment at the end of the path")  # fmt: skip
    sort_query: bool = flag("--sort-query", group=CHANGES, help="sort the parameters by name")
    query_separator: str = option("--query-separator", group=OUTPUT, metavar="CHARACTER", default="&",
        help="what separates the parameters of a query, such as ; (default: &). {query:NAME} and all options that "
        "change parameters use it")  # fmt: skip


class Edits(NamedTuple):
    """The changes that -s, -a, --qtrim, --replace, --sort-query and --iterate ask for; by default, none.

    `variants` has the parts that are set in each copy of a row; without --iterate there is one. A URL must have all of
    `required`.
    """

    parts: Mapping[str, Any] = {}
    segments: Sequence[str] = ()
    pairs: Sequence[tuple[str, str]] = ()
    sort: bool = False
    separator: str = "&"
    required: Sequence[OutputField] = ()
    trimmed: Pattern[str] | None = None
    replaced: Mapping[str, str] = {}
    variants: Sequence[Mapping[str, Any]] = ({},)

    @property
    def iterates(self) -> bool:
        """Whether there is an --iterate."""
        return len(self.variants) > 1 or bool(self.variants[0])

    def __bool__(self) -> bool:
        some = self.parts or self.segments or self.pairs or self.trimmed or self.sort or self.replaced or self.required
        return bool(some) or self.iterates

    def hrefs(self, rows: Sequence[Row], base: str | None) -> tuple[list[str | None], list[str | None]]:
        """The edited URL of each row, or None; and for each the name of its error, or None.

        With --iterate, rows stand beside their copies: one for each variant.
        """
        hrefs: list[str | None] = []
        errors: list[str | None] = []
        for number, row in enumerate(rows):
            href = error = None
            if isinstance(row, TooLong):
                error = TOO_LONG_NAME
            elif isinstance(row, Fault):
                error = row.name
            elif row is not None:
                try:
                    href = self.edited(URL(row, base), number).href
                except InvalidURL as invalid:
                    error = invalid.error
                except MissingPart:
                    error = MISSING
            hrefs.append(href)
            errors.append(error)
        return hrefs, errors

    def edited(self, url: URL, number: int = 0) -> URL:
        """The URL with the edits; by its number it is the copy of a row."""
        parts = _both(self.parts, self.variants[number % len(self.variants)])
        if parts:
            url = url.replace(**parts)
        if self.segments:
            if url.has_opaque_path:
                raise InvalidURL(url.pathname, None, "ignored", "pathname")
            url.pathname = "/".join([url.pathname.removesuffix("/"), *self.segments])
        if self.trimmed or self.pairs or self.sort or self.replaced:
            query = self._query(url.query or "")
            if query != (url.query or ""):
                url.search = f"?{query}" if query else ""
        for field in self.required:
            if not self._has(url, field):
                raise MissingPart(f"{field.label} is missing")
        return url

    def _has(self, url: URL, field: OutputField) -> bool:
        if field.key is None:
            return getattr(url, field.name) not in (None, "")
        return any(name == field.key for name, _ in pairs_of(url.query or "", self.separator))

    def _query(self, query: str) -> str:
        """The edited query. Pairs that stay keep their spelling. As for `URL.with_params`, what is empty between two
        separators is not a pair, and goes with the last pair."""
        from weburl.forms import serialize_form

        pairs = query.split(self.separator) if query else []
        if self.trimmed:
            kept = [pair for pair in pairs if not (pair and self.trimmed.match(_name(pair)))]
            if len(kept) < len(pairs):
                pairs = kept if any(kept) else []
        if self.replaced:
            # The first of each name gets the value, and the others are removed.
            left = {name: serialize_form([(name, value)]) for name, value in self.replaced.items()}
            named = ((_name(pair) if pair else None, pair) for pair in pairs)
            replaced = [
                left.pop(name, None) if name is not None and name in self.replaced else pair for name, pair in named
            ]
            pairs = [pair for pair in replaced if pair is not None]
        # https://url.spec.whatwg.org/#concept-urlencoded-serializer
        pairs += [serialize_form([pair]) for pair in self.pairs]
        if self.sort:
            # https://url.spec.whatwg.org/#dom-urlsearchparams-sort
            pairs = sorted(filter(None, pairs), key=lambda pair: _name(pair).encode("utf-16-be", "surrogatepass"))
        return self.separator.join(pairs)


NO_EDITS: Final = Edits()


def edits_of(low: EditArgs, required: Sequence[OutputField]) -> Edits:
    """The edits that the options ask for; raises UsageError if one of them is wrong."""
    separator = low.query_separator
    if separator not in SEPARATORS:
        raise UsageError(f"--query-separator takes one character, as ; or :, not {quoted(separator)}")
    trimmed = _globs(low.globs) if low.globs else None
    parts: dict[str, Any] = {}
    for text in low.assignments:
        _set(parts, text, "-s", "PART=VALUE")
    segments: list[str] = []
    pairs: list[tuple[str, str]] = []
    for text in low.additions:
        part, equals, value = text.partition("=")
        if equals and ALIASES.get(part, part) == "pathname":
            if value in (".", ".."):
                raise UsageError(f"-a {text}: a segment cannot be . or .., which a parser removes")
            from weburl.percent import percent_encode

            segments.append(percent_encode(value, "component"))
        elif equals and part in ("query", "search"):
            name, _, value = value.partition("=")
            pairs.append((name, value))
        else:
            raise UsageError(f"-a takes query=NAME=VALUE or path=SEGMENT, not {quoted(text)}")
    replaced: dict[str, str] = {}
    for text in low.replacements:
        name, equals, value = text.partition("=")
        if not equals:
            raise UsageError(f"--replace takes NAME=VALUE, not {quoted(text)}")
        replaced[name] = value
    variants = _variants(low.iterations)
    return Edits(parts, segments, pairs, low.sort_query, separator, required, trimmed, replaced, variants)


def _variants(iterations: Sequence[str]) -> list[dict[str, Any]]:
    variants: list[dict[str, Any]] = [{}]
    for text in iterations:
        part, equals, items = text.partition("=")
        chosen: list[dict[str, Any]] = []
        for item in items.split() or [""]:
            parts: dict[str, Any] = {}
            _set(parts, f"{part}{equals}{item}", "--iterate", "PART=ITEMS")
            chosen.append(parts)
        variants = [_both(one, other) for one in variants for other in chosen]
    return variants


def _globs(globs: Sequence[str]) -> Pattern[str]:
    import re
    from fnmatch import translate

    return re.compile("|".join(map(translate, globs)))


def _name(pair: str) -> str:
    return _decoded(pair)[0]


def _decoded(pair: str) -> tuple[str, str]:
    from weburl.forms import parse_form

    pairs = parse_form(pair.replace("&", "%26"))
    return pairs[0] if pairs else ("", "")


def pairs_of(query: str, separator: str) -> list[tuple[str, str]]:
    """The decoded pairs of a query, which the separator is between."""
    return [_decoded(pair) for pair in query.split(separator) if pair]


def _set(parts: dict[str, Any], text: str, option: str, form: str) -> None:
    """Adds what an option sets to the arguments of `URL.replace`."""
    name, equals, value = text.partition("=")
    part = ALIASES.get(name, name)
    if equals and name in OTHER_PARTS:
        raise UsageError(f"{option} has no {name}: use {OTHER_PARTS[name]}")
    if not equals or part not in PARTS:
        raise UsageError(f"{option} takes {form}, where PART is one of {' '.join(PARTS)}, not {quoted(text)}")
    _pop_twins(parts, part)
    if part == "host":
        host, port = split_host(value)
        if port is not None:
            # The one that is set last counts, and replace() takes it once.
            part, value, parts["port"] = "hostname", host, port
    parts[part] = None if part in ("query", "fragment") and not value else value


def _both(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """All parts; of those that are set in both, and of two names of one part, the second."""
    parts = dict(one)
    for part, value in other.items():
        _pop_twins(parts, part)
        parts[part] = value
    return parts


def _pop_twins(parts: dict[str, Any], part: str) -> None:
    for twin in (other for pair in SAME.items() if part in pair for other in pair):
        parts.pop(twin, None)
