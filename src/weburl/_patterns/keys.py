"""What all URLs that match a pattern have in common: the end of the host, and the start of the path."""

from __future__ import annotations

from weburl._patterns.parts import FIXED_TEXT, SEGMENT_WILDCARD

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._patterns.component import Component
    from weburl._patterns.routes import Key

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


def path_key(component: Component) -> tuple[list[str | None], bool]:
    """The segments that begin the path, None for any; and whether they are the whole path."""
    if component.options.ignore_case or component.options.delimiter != "/":
        return [], False
    path, whole = "", True
    for part in component.parts:
        if part.modifier:
            whole = False
            break
        if part.type == FIXED_TEXT:
            path += part.value
            continue
        path += part.prefix
        if part.type != SEGMENT_WILDCARD:
            whole = False
            break
        path += NAME + part.suffix
    if not path.startswith("/"):
        return [], False
    # The last segment may go on where the pattern does.
    segments = path[1:].split("/") if whole else path[1:].split("/")[:-1]
    return [None if NAME in segment else segment for segment in segments], whole
