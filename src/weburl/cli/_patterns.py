"""The patterns of --match, --not-match and --routes: which rows are left out, and what the groups of patterns take."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from weburl._arrow.job import Job
from weburl._named_tuple import NamedTuple
from weburl.cli._arguments import WHICH, LowArgs, argument_text, option, repeated
from weburl.cli._exit import InputError, UsageError
from weburl.cli._memory import limited_memory
from weburl.cli._messages import quoted_part
from weburl.cli._output_fields import GROUP, ROUTE, OutputField
from weburl.cli._system import openable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Final

    from weburl._patterns.columns import Matching
    from weburl.patterns import PatternList, URLPattern

# What {route} is for a URL that no pattern matches: a row that is not a URL has nothing there.
NO_ROUTE: Final = "(none)"


class PatternArgs(LowArgs):
    match: list[str] = repeated("--match", group=WHICH, metavar="PATTERN",
        help="only URLs that match, such as 'https://*.example.com/books/:id'; "
        "in -g, {group:id} is what :id matched")  # fmt: skip
    not_match: list[str] = repeated("--not-match", group=WHICH, metavar="PATTERN", help="only URLs that do not match")
    routes: str | None = option("--routes", group=WHICH, metavar="FILE",
        help="find the first pattern of FILE that matches the URL. In -g, {route} is its key, and {group:NAME} is what "
        ":NAME matched. A line of FILE is a pattern, or a key, a tab and a pattern")  # fmt: skip


class Patterns(NamedTuple):
    """What the patterns of the options do."""

    filters: Sequence[tuple[Job, bool]]  # a job for each of the options that is given, with the answer that keeps a row
    # What a job needs for `{route}` and `{group:NAME}`: its fields, and the patterns with the groups.
    matched: Sequence[str]
    matching: Matching | None


def patterns_of(
    low: PatternArgs, fields: Sequence[OutputField], format: str, base: str | None, memory: int
) -> Patterns:
    """Reads the patterns for these fields; UsageError if they do not go together. `format` is only for messages.

    A relative pattern is resolved against the base.
    """
    match = read_patterns(low.match, "--match", base)
    not_match = read_patterns(low.not_match, "--not-match", base)
    routes = None if low.routes is None else _read_routes(low.routes, base, memory)
    names = list(dict.fromkeys(field.key for field in fields if field.name == GROUP and field.key is not None))
    wants_route = any(field.name == ROUTE for field in fields)
    if wants_route and routes is None:
        raise UsageError("{route} needs --routes FILE")
    if routes is not None and not names and not wants_route:
        raise UsageError("--routes FILE is for {route} or {group:NAME} in -g")
    if names and routes is None and not match:
        raise UsageError("{group:NAME} needs --match PATTERN or --routes FILE")
    matching = None
    if names or wants_route:
        patterns = match if routes is None else routes
        try:
            matching = _matching(patterns, names)
        except ValueError:
            wrong = next(name for name in names if not _has_group(patterns, name))
            raise UsageError(f"no group is named {quoted_part(wrong, format)}") from None
    filters = [
        _filter(patterns, base, answer=answer) for patterns, answer in ((match, True), (not_match, False)) if patterns
    ]
    return Patterns(filters, [ROUTE] * wants_route, matching)


def _filter(patterns: Sequence[URLPattern], base: str | None, *, answer: bool) -> tuple[Job, bool]:
    from weburl._patterns.columns import matches

    return Job(matches(_matching(patterns, ()), ("pattern_test",)), base=base), answer


def _matching(patterns: Sequence[URLPattern] | PatternList, groups: Iterable[str]) -> Matching:
    from weburl.patterns import PatternList

    if isinstance(patterns, PatternList):
        return patterns._matching(groups, NO_ROUTE)
    return patterns[0]._matching(groups) if len(patterns) == 1 else PatternList(patterns)._matching(groups)


def _has_group(patterns: Sequence[URLPattern] | PatternList, name: str) -> bool:
    try:
        _matching(patterns, [name])
    except ValueError:
        return False
    return True


def read_patterns(texts: Sequence[str], option: str, base: str | None) -> list[URLPattern]:
    if not texts:
        return []
    from weburl.patterns import PatternError, URLPattern

    try:
        return [URLPattern(argument_text(text), base) for text in texts]
    except PatternError as error:
        raise _usage_error(option, error) from None


def _read_routes(path: str, base: str | None, memory: int) -> PatternList:
    from weburl.cli.readers.byte_stream import name_in_errors
    from weburl.cli.readers.open_files import check_file_of_text
    from weburl.patterns import PatternError, PatternList

    check_file_of_text(path)
    try:
        with limited_memory(path, memory, 1), name_in_errors(path):
            routes = PatternList.read(openable(path), base=base)
    except PatternError as error:
        raise _usage_error(f"--routes {quoted_part(path, path)}", error) from None
    except UnicodeDecodeError:
        raise InputError(f"{path}: it is not in UTF-8") from None
    check_names("--routes", path, [name for name, _ in routes._items])
    return routes


def check_names(option: str, path: str, names: Iterable[str]) -> None:
    """UsageError if a route of a file has the name that is printed where there is no route."""
    if NO_ROUTE in names:
        raise UsageError(
            f"{option} {quoted_part(path, path)}: {{route}} prints {NO_ROUTE} for a URL that matches no pattern: no "
            "route can have this name"
        )


def _usage_error(what: str, error: ValueError) -> UsageError:
    from weburl._diagnosis.credentials import HIDDEN
    from weburl._diagnosis.pattern_errors import QUOTED

    text = str(error)
    message, *lines = text.split("\n")
    if "@" in text:
        # It may be cut out of a URL with credentials, by the tab after a key.
        message, lines = QUOTED.sub(f"'{HIDDEN}'", message.partition(" of '")[0].removesuffix(":")), []
    return UsageError(f"{what}: {message}", *lines)
