"""What a link is for, by its relations: for `link` elements, the header Link, and feeds."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

# https://html.spec.whatwg.org/multipage/links.html#linkTypes: those with which a link element is a hyperlink.
HYPERLINKS: Final = frozenset(
    "alternate author canonical copyright help license next prev previous privacy-policy search "
    "terms-of-service".split()
)
# https://html.spec.whatwg.org/multipage/links.html#link-type-preload
PRELOADED: Final = {
    "audio": "media", "image": "image", "script": "script", "style": "style", "track": "media", "video": "media",
}  # fmt: skip


def kinds_of(relations: Collection[str], destination: str) -> list[str]:
    """The kinds of a link, by its relations in lower case and by the attribute `as`."""
    words = set(relations)
    kinds = set()
    if "stylesheet" in words:
        kinds.add("style")
        # That of a style sheet is another one.
        words.discard("alternate")
    if not words.isdisjoint(HYPERLINKS):
        kinds.add("link")
    if "icon" in words:
        kinds.add("image")
    if "preload" in words and destination in PRELOADED:
        kinds.add(PRELOADED[destination])
    if "modulepreload" in words:
        kinds.add("style" if destination == "style" else "script")
    return sorted(kinds)
