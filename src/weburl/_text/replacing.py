"""Finds URLs in a text, and puts other texts in their places."""

from __future__ import annotations

from weburl._core.arguments import wrong_type
from weburl._core.percent import utf8
from weburl._text.spans import PASSES, defanged, find, meaning
from weburl.url import URL, FrozenURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from typing import Any, AnyStr, Literal

    from weburl._text.spans import URLSpan

    Syntax = Literal["text", "json", "html", "markdown", "shell"]

WEB_SCHEMES = ("http", "https", "ws", "wss", "ftp")


def find_urls(
    text: str | bytes,
    *,
    schemes: str | Iterable[str] = WEB_SCHEMES,
    bare: bool = False,
    syntax: Syntax = "text",
    defanged: bool = False,
) -> list[URLSpan]:
    """The URLs in a text, in order.

    >>> [span.text for span in find_urls("Docs (https://example.com/a_(b)), or www.example.com.")]
    ['https://example.com/a_(b)', 'www.example.com']

    What is found is a URL. Each has a `start` and an `end`, its `text`, and its `url`, a `FrozenURL` that is made when
    you ask for it. In a str, places count characters; in bytes, they count bytes.

    `schemes` are those that begin a URL. With `bare`, a domain such as example.com is found too, if its last label is
    in the public suffix list; that needs `weburl[psl]`. `syntax` says what the text is: "text", "json", "html",
    "markdown" or "shell". With `defanged`, `hxxps[:]//example[.]com` is found, too.
    """
    return find(text, schemes, bare, syntax, defanged)


def replace_urls(
    text: AnyStr,
    function: Callable[[URLSpan], str | bytes | URL | FrozenURL | None],
    *,
    schemes: str | Iterable[str] = WEB_SCHEMES,
    bare: bool = False,
    syntax: Syntax = "text",
    defanged: bool = False,
) -> AnyStr:
    """The text with other texts in place of its URLs.

    >>> replace_urls("see https://example.com/a?b#c.", lambda span: span.url.replace(query=None, fragment=None))
    'see https://example.com/a.'

    The function takes a `URLSpan`, and returns a text of the same type, a URL, or None to leave this one as it is. The
    other arguments are those of `find_urls`.
    """
    return _replaced(text, find(text, schemes, bare, syntax, defanged), function)


def defang(text: AnyStr, *, schemes: str | Iterable[str] = WEB_SCHEMES, bare: bool = False) -> AnyStr:
    """The text with its URLs written so that they are not links.

    >>> defang("Do not open https://evil.example/login.")
    'Do not open hxxps[:]//evil[.]example/login.'

    A URL in a URL is defanged, too. If you defang the result again, it does not change.
    """
    spans = find(text, schemes, bare, "text", False)
    for _ in range(PASSES):
        if not spans:
            break
        text = _replaced(text, spans, defanged)
        spans = find(text, schemes, bare, "text", False)
    return text


def refang(text: AnyStr, *, schemes: str | Iterable[str] = WEB_SCHEMES, bare: bool = False) -> AnyStr:
    """The text with its defanged URLs as links again.

    >>> refang("hxxps[:]//evil[.]example/login and hxxp://evil(dot)example")
    'https://evil.example/login and http://evil.example'
    """
    return _replaced(text, find(text, schemes, bare, "text", True), meaning)


def _replaced(
    text: AnyStr, spans: list[URLSpan], function: Callable[[URLSpan], str | bytes | URL | FrozenURL | None]
) -> AnyStr:
    if not callable(function):
        raise wrong_type(function, "function must be callable")
    parts: list[Any] = []
    # A subclass may slice in its own way.
    plain: Any = bytes(memoryview(text)) if isinstance(text, bytes) else str.__str__(text)
    end = 0
    for span in spans:
        value = function(span)
        if value is None:
            continue
        if isinstance(value, (URL, FrozenURL)):
            value = value.href
        if isinstance(text, bytes) and isinstance(value, str):
            value = utf8(value)
        if not isinstance(value, type(plain)):
            kinds = "a str" if isinstance(text, str) else "a str, bytes"
            raise wrong_type(value, f"the function's text for the URL at {span.start} must be {kinds}, a URL or None")
        parts += (plain[end : span.start], value)
        end = span.end
    if not parts:
        return text
    parts.append(plain[end:])
    whole: AnyStr = plain[:0].join(parts)
    return whole
