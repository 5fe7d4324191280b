"""What all URLs that match a pattern have in common: the end of the host, and the start of the path."""

from __future__ import annotations

from weburl._patterns.expressions import Assertion, Capture, Chars, Choice, Look, Repeat, Sequence
from weburl._patterns.parts import FIXED_TEXT, FULL_WILDCARD, SEGMENT_WILDCARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._patterns.component import Component
    from weburl._patterns.expressions import Node as Expression
    from weburl._patterns.matcher import Key
    from weburl._patterns.parts import Part

# Stands for what a name takes; no component of a URL has it.
NAME = "\0"


def key_of(hostname: Component, pathname: Component) -> Key:
    return (*host_key(hostname), *path_key(pathname))


def host_key(component: Component) -> tuple[str | None, list[str]]:
    """The whole host; or None and the labels that end it, from the last one on."""
    parts = component.parts
    if len(parts) < 2 and all(part.type == FIXED_TEXT and not part.modifier for part in parts):
        return "".join([part.value for part in parts]), []
    last = parts[-1]
    text = "" if last.modifier else last.value if last.type == FIXED_TEXT else last.suffix
    # What comes before the first dot may be the end of a label.
    return None, text.split(".")[:0:-1]


def path_key(component: Component) -> tuple[list[str | None], bool, bool]:
    """The segments that begin the path, None for any; whether these are all, and whether they say all of the path."""
    if component.options.ignore_case or component.options.delimiter != "/":
        return [], False, False
    path, whole, exact = "", True, True
    for part in component.parts:
        if part.modifier:
            whole = False
            break
        if part.type == FIXED_TEXT:
            path += part.value
            continue
        path += part.prefix
        if part.type != SEGMENT_WILDCARD and not is_in_segment(part):
            whole = False
            break
        exact = exact and part.type == SEGMENT_WILDCARD
        path += NAME + part.suffix
    if not path.startswith("/"):
        return [], False, False
    # The last segment may go on where the pattern does.
    segments = path[1:].split("/") if whole else path[1:].split("/")[:-1]
    exact = exact and whole and all(NAME not in segment or segment == NAME for segment in segments)
    return [None if NAME in segment else segment for segment in segments], whole, exact


SLASH = 1 << ord("/")


def is_in_segment(part: Part) -> bool:
    """Whether a regular expression takes something, and no slash, as `\\d+` does."""
    if part.type == FULL_WILDCARD:
        return False
    from weburl._patterns.regexp import parse_with_names

    expression = parse_with_names(part.value, False)[0]
    return not takes_slash(expression) and not takes_nothing(expression)


def takes_slash(item: Expression) -> bool:
    if isinstance(item, Chars):
        return bool(item.mask & SLASH)
    if isinstance(item, (Sequence, Choice)):
        return any(map(takes_slash, item.items))
    # What is looked at is not taken.
    return isinstance(item, (Capture, Repeat)) and takes_slash(item.item)


def takes_nothing(item: Expression) -> bool:
    """Whether an expression can match the empty text."""
    if isinstance(item, Sequence):
        return all(map(takes_nothing, item.items))
    if isinstance(item, Choice):
        return any(map(takes_nothing, item.items))
    if isinstance(item, Repeat):
        return item.minimum == 0 or takes_nothing(item.item)
    return isinstance(item, (Assertion, Look)) or (isinstance(item, Capture) and takes_nothing(item.item))
