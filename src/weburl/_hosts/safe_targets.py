"""Redirects and links to URLs that other people choose: whether a browser stays, and what it opens."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final, NoReturn

from weburl._core.arguments import need_iterable, wrong_type
from weburl._hosts.host_set import HostSet
from weburl._hosts.origin import Origin
from weburl.errors import InvalidURL
from weburl.url import URL, FrozenURL

# A URL takes the host of its page, or it does not. So it stays on every page if it stays on both of these, which have
# different schemes and hosts. Where their path is a single slash, the most targets have a path that begins with two.
PAGES: Final = (URL("http://a.invalid/"), URL("https://b.invalid/"))
# What str.strip() removes, and U+FEFF, which String.prototype.trim() of JavaScript removes too.
WHITE_SPACE: Final = (
    "\t\n\x0b\x0c\r\x1c\x1d\x1e\x1f \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
CONTROL: Final = re.compile("[\x00-\x1f\x7f]")
BEFORE_QUERY: Final = re.compile("[^?#]*")
# What is between hosts in one text.
LIST: Final = re.compile(r"[\s,;]+")
PLAIN: Final = re.compile(r"[\w.*=\s,;-]+")
LINK_SCHEMES: Final = frozenset(("http", "https", "mailto", "tel"))
HTTP: Final = frozenset(("http", "https"))


def is_safe_redirect(
    target: str | URL | FrozenURL, *misplaced: NoReturn, allow: str | Origin | Iterable[str | Origin] | HostSet = ()
) -> bool:
    """Whether a browser stays on your origin, or goes to an allowed host, from every http and https page.

    >>> from weburl.hosts import is_safe_redirect
    >>> is_safe_redirect("/account?tab=1"), is_safe_redirect("//evil.example/account"), is_safe_redirect("https:evil")
    (True, False, False)
    >>> is_safe_redirect("https://www.example.com/", allow=["example.com"])
    True

    Relative targets are safe if they stay. `allow` has entries for hosts, as in `host_matches`, which are for http and
    https without a port, and `Origin` objects, which are for their scheme, host and port alone.

    False, though a browser would stay: a target that is empty, has white space at an end, a control character, a
    backslash before its query, or credentials, or whose path begins with two slashes, as that of `/.//evil.example`
    does. Other programs read these in other ways: `"\\u3000//evil.example".strip()` is another target.
    """
    if misplaced:
        raise TypeError("is_safe_redirect() takes the allowed hosts by name: write is_safe_redirect(target, allow=...)")
    text = _text(target, "target", 'if there may be none, write target or ""')
    origins, hosts = _allowed(allow)
    if not text or _trimmed(text) != text or CONTROL.search(text) or "\\" in BEFORE_QUERY.match(text)[0]:  # type: ignore[index]
        return False
    return all(_stays(URL.parse(text, page), page, origins, hosts) for page in PAGES)


def _stays(url: URL | None, page: URL, origins: set[str], hosts: HostSet) -> bool:
    if url is None or url.scheme not in HTTP or url.includes_credentials:
        return False
    if url.origin == page.origin:
        return not url.pathname.startswith("//")
    return url.origin in origins or (not url.port and url in hosts)


def _allowed(allow: str | Origin | Iterable[str | Origin] | HostSet) -> tuple[set[str], HostSet]:
    if type(allow) is HostSet:
        return set(), allow
    if isinstance(allow, (str, Origin)):
        if isinstance(allow, str) and LIST.search(allow):
            # What is not a host may have a password.
            is_plain = PLAIN.fullmatch(allow) is not None
            hosts = str(LIST.split(allow.strip())) if is_plain else "[...]"
            raise ValueError(f"allow is one host, or a list of hosts: write allow={hosts}")
        allow = [allow]
    entries = list(need_iterable(allow, "allow must be hosts and origins"))
    origins = {str(entry) for entry in entries if isinstance(entry, Origin)}
    try:
        return origins, HostSet([entry for entry in entries if not isinstance(entry, Origin)])
    except InvalidURL as error:
        error._advice = "An entry is a host; for a host with its scheme and port, write Origin.of(url)."
        raise


def is_safe_link(href: str | URL | FrozenURL) -> bool:
    """Whether a link to `href` opens a page, a mail or a call: no scheme but http, https, mailto and tel runs or reads.

    >>> from weburl.hosts import is_safe_link
    >>> is_safe_link("/about"), is_safe_link("https://example.com/"), is_safe_link("java\\nscript:alert(1)")
    (True, True, False)
    >>> is_safe_link("javascript&colon;alert(1)")
    False

    `href` is the value of the attribute. As some templates write it without escaping, it must also be safe when its
    character references, such as `&colon;`, are decoded, and without white space around it, which some programs remove.
    A text that does not parse is not safe. Where a link leads is
    not judged: see `is_safe_redirect` and `is_private_url`.
    """
    text = _text(href, "href", "if there may be none, leave out the link")
    return all(_opens(form, page) for form in _forms(text) for page in PAGES)


def _opens(text: str, page: URL) -> bool:
    url = URL.parse(text, page)
    return url is not None and url.scheme in LINK_SCHEMES


def _trimmed(text: str) -> str:
    """Without the white space around it, as Python's strip() and JavaScript's trim() leave it."""
    return text.strip(WHITE_SPACE)


def _forms(text: str) -> Iterator[str]:
    for form in _as_html(text):
        yield form
        trimmed = _trimmed(form)
        if trimmed != form:
            yield trimmed


def _as_html(text: str) -> Iterator[str]:
    yield text
    if "&" in text:
        from html import unescape

        try:
            yield unescape(text)
        except ValueError:  # a number of thousands of digits, which Python does not read
            yield "unreadable:"


def _text(value: str | URL | FrozenURL, what: str, if_missing: str) -> str:
    if isinstance(value, str):
        return str.__str__(value)
    if isinstance(value, (URL, FrozenURL)):
        return URL(value).href
    if value is None:
        raise TypeError(f"{what} must be a str or a URL, not NoneType: {if_missing}")
    raise wrong_type(value, f"{what} must be a str or a URL")


is_safe_redirect.__module__ = "weburl.hosts"
is_safe_link.__module__ = "weburl.hosts"
