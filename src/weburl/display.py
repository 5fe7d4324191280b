"""URLs for people who decide whether to trust them: https://url.spec.whatwg.org/#url-rendering"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from weburl._diagnosis.credentials import without_inner_credentials
from weburl._hosts.spoofing import RIGHT_TO_LEFT, SpoofingRisk, deceptive_characters, is_deceptive, spoofing_risks
from weburl.hosts import Host, domain_to_unicode
from weburl.url import URL

__all__ = ["SpoofingRisk", "display_host", "display_url", "spoofing_risks"]


def __dir__() -> list[str]:
    return __all__


ELLIPSIS: Final = "…"
ISOLATE: Final = "\u2066"  # left-to-right isolate
POP_ISOLATE: Final = "\u2069"


def display_host(
    url: str | URL | Host, max_width: int | None = None, *, omit_www: bool = False, isolate: bool | None = None
) -> str:
    """The host of a URL, or a Host, for people: a domain in Unicode; the empty string where there is no host.

    A blob URL's host is that of the URL inside. The arguments are those of `display_url`.
    """
    host = _Host.of(url, omit_www) if isinstance(url, Host) else _Parts.of(url, omit_www).host
    return _rendered(_Parts("", host, "", ""), max_width, isolate)


def display_url(
    url: str | URL,
    max_width: int | None = None,
    *,
    omit_scheme: bool = False,
    omit_www: bool = False,
    host_only: bool = False,
    isolate: bool | None = None,
) -> str:
    """A URL for people: no credentials, the domain in Unicode, percent-encoded text decoded where that is safe.

    It has at most `max_width` characters, isolates included. Where they are too few, what is after the host goes first,
    from its end, then the host's labels from the lowest down to the registrable domain, then the scheme and the port;
    … stands for what is missing before the host or at the end. To tell the registrable domain takes
    `pip install weburl[psl]`; without it the scheme and the port go before any label does. A scheme that is not special
    stays: foo://example.com is no page of example.com.

    `omit_scheme` leaves out the scheme of a URL that has a host, `omit_www` a first label www above the registrable
    domain, `host_only` all but the host. `isolate` puts the text between U+2066 and U+2069, which lay it out from left
    to right and apart from the text around it; by default where the text has right-to-left characters.
    """
    parts = _Parts.of(url, omit_www)
    if host_only:
        parts = _Parts("", parts.host, "", "")
    elif omit_scheme and parts.host.text:
        parts = parts._replace(prefix="")
    return _rendered(parts, max_width, isolate)


class _Host(NamedTuple):
    text: str
    kept: int  # the length of the end that stays as long as there is room for it

    @classmethod
    def of(cls, host: URL | Host, omit_www: bool) -> _Host:
        ascii_host = str(host) if isinstance(host, Host) else host.hostname
        if host.host_type != "domain":
            return cls(ascii_host, len(ascii_host))
        labels = _shown_labels(ascii_host)
        kept = len(labels)
        try:
            from weburl._hosts.suffixes import registrable_domain

            registrable = registrable_domain(host)
        except ImportError:
            registrable = None
        if registrable is not None:
            kept = registrable.count(".") + 1
        if omit_www and labels[0] == "www" and kept < len(labels):
            del labels[0]
        return cls(".".join(labels), len(".".join(labels[-kept:])))

    # https://url.spec.whatwg.org/#url-rendering-elision
    def elided(self, room: int) -> str | None:
        """The whole, or what is left without the lowest labels; None where there is no room for what is kept."""
        if len(self.text) <= room:
            return self.text
        dot = self._dot(room)
        return ELLIPSIS + self.text[dot + 1 :] if 0 <= dot < len(self.text) - self.kept else None

    def end(self, width: int) -> str:
        """The last labels; where there is no room for one, the end of the last."""
        dot = self._dot(width)
        start = dot + 1 if 0 <= dot < len(self.text) - 1 else len(self.text) - width + 1
        return ELLIPSIS + self.text[start:]

    def _dot(self, room: int) -> int:
        return self.text.find(".", max(len(self.text) - room, 0))


class _Parts(NamedTuple):
    prefix: str  # what is before the host
    host: _Host
    port: str
    rest: str  # what is after the port, percent-encoded
    keeps_scheme: bool = False

    @classmethod
    def of(cls, url: str | URL, omit_www: bool) -> _Parts:
        url = URL(url)
        prefix = after = ""
        if url.has_opaque_path:
            outer, inside = _split_schemes(url.pathname)
            inner = URL.parse(inside)
            after = url.href[len(url.protocol) + len(url.pathname) :]
            if inner is None or not inner.host_type or url.scheme != "blob" or not BLOBS.fullmatch(outer):
                if inner is not None and inner.includes_credentials:
                    inner.username = inner.password = ""
                    inside = inner.href
                path = without_inner_credentials(outer + inside)
                if url.scheme == "blob":
                    # Decoded, %68ttps: would look like the scheme of a URL inside.
                    return cls(url.protocol + path, NO_HOST, "", after)
                return cls(url.protocol, NO_HOST, "", path + after)
            # As https://url.spec.whatwg.org/#concept-url-origin looks into a blob URL.
            prefix = url.protocol + outer
            url = inner
        if url.host_type is None:
            return cls(url.protocol, NO_HOST, "", url.href[len(url.protocol) :])
        query = "" if url.query is None else f"?{url.query}"
        fragment = "" if url.fragment is None else f"#{url.fragment}"
        return cls(
            f"{prefix}{url.protocol}//",
            _Host.of(url, omit_www),
            f":{url.port}" if url.port else "",
            url.pathname + query + fragment + after,
            not url.is_special,
        )


NO_HOST: Final = _Host("", 0)
BLOBS: Final = re.compile("(?: *blob:)*", re.IGNORECASE)
# The schemes before the last one, or before the first special one. Spaces before a URL do not count.
SCHEME: Final = " *[a-z][a-z0-9+.-]*:"
SCHEMES: Final = re.compile(rf"(?:{SCHEME})*?(?= *(?:https?|wss?|ftp|file):)|(?:{SCHEME})*(?={SCHEME})", re.IGNORECASE)


def _split_schemes(path: str) -> tuple[str, str]:
    """An opaque path, and in it the URL of a view-source:, blob: or the like."""
    schemes = SCHEMES.match(path)
    return (schemes[0], path[schemes.end() :]) if schemes else (path, "")


def _rendered(parts: _Parts, max_width: int | None, isolate: bool | None) -> str:
    if max_width is not None:
        if not isinstance(max_width, int) or isinstance(max_width, bool):
            raise TypeError(f"max_width must be an int or None, not {type(max_width).__name__}")
        if max_width < 1:
            raise ValueError(f"max_width must be at least 1, not {max_width}")
    text = _fitted(parts, max_width)
    if isolate is False or not (text and (isolate or RIGHT_TO_LEFT.search(text))):
        return text
    if max_width is not None:
        if max_width <= 2:
            return ELLIPSIS
        text = _fitted(parts, max_width - 2)
        if not (isolate or RIGHT_TO_LEFT.search(text)):
            return text
    return f"{ISOLATE}{text}{POP_ISOLATE}"


def _fitted(parts: _Parts, width: int | None) -> str:
    prefix, host, port, rest, keeps_scheme = parts
    if width is None:
        return prefix + host.text + port + decode_visible(rest)
    # No character that is shown takes more than twelve: four percent-encoded bytes.
    rest = decode_visible(rest[: 12 * (width + 1)])
    if not host.text:
        return _cut(prefix + rest, width)
    room = width - len(prefix) - len(port)
    shown = host.elided(room)
    if shown == host.text:
        room -= len(shown)
        # With … alone after it, the host would look cut off.
        return prefix + shown + port + (_cut(rest, room) if room >= min(2, len(rest)) else "")
    if shown is not None:
        return prefix + shown + port
    if keeps_scheme and prefix:
        room = width - len(prefix)
        return prefix + (host.elided(room) or host.end(room)) if room > 1 else _cut(prefix + host.text, width)
    for shown_port in (port, ""):
        shown = host.elided(width - len(shown_port))
        if shown is not None:
            return shown + shown_port
    return host.end(width)


def _cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    # Not within a percent-encoded byte.
    return STRAY.sub("", text[: width - 1]) + ELLIPSIS


# https://url.spec.whatwg.org/#url-rendering-i18n
def _shown_labels(domain: str) -> list[str]:
    """In Unicode, but for labels that would not be read as labels."""
    labels = domain.split(".")
    if "xn--" not in domain:
        return labels
    in_unicode = domain_to_unicode(domain).split(".")
    deceptive = {text for text in set(in_unicode) if deceptive_characters(text)}
    return [label if text in deceptive else text for label, text in zip(labels, in_unicode, strict=True)]


# Visible ASCII that delimits nothing in a URL, nor a URL in a text.
SHOWN_ASCII: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,")
HEX_DIGITS: Final = frozenset("0123456789ABCDEFabcdef")
PERCENT_ENCODED: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
# https://www.unicode.org/reports/tr39/#Optional_Detection
MARKS_IN_A_ROW: Final = 4

HIDDEN, MARK, BASE, OTHER = range(4)


@lru_cache(maxsize=4096)
def _kind(character: str) -> int:
    if character.isascii():
        return BASE if character.isalnum() else OTHER if character in SHOWN_ASCII else HIDDEN
    # What the interpreter's Unicode does not know is Cn, so it is not shown.
    category = unicodedata.category(character)
    if category[0] not in "LMNPS" or is_deceptive(character):
        return HIDDEN
    return MARK if category[0] == "M" else BASE


def decode_visible(text: str) -> str:
    """Replaces percent-encoded characters by those that can be seen and told from delimiters."""
    return PERCENT_ENCODED.sub(_decode_run, text) if "%" in text else text


def _decode_run(run: re.Match[str]) -> str:
    encoded = run[0]
    before = run.string[max(run.start() - 2, 0) : run.start()]
    output = []
    at = 0
    marks = 0 if before[-1:].isalnum() else MARKS_IN_A_ROW  # a mark goes with what is before it
    for character in bytes.fromhex(encoded.replace("%", "")).decode("utf-8", "surrogateescape"):
        end = at + 3 * len(character.encode("utf-8", "surrogateescape"))
        kind = _kind(character)
        # After a stray % it would make an escape.
        if at == 0 and character in HEX_DIGITS and STRAY.search(before):
            kind = HIDDEN
        if kind == MARK:
            marks += 1
            kind = MARK if marks <= MARKS_IN_A_ROW else HIDDEN
        else:
            marks = 0 if kind == BASE else MARKS_IN_A_ROW
        output.append(character if kind != HIDDEN else encoded[at:end])
        at = end
    return "".join(output)


STRAY: Final = re.compile("%[0-9A-Fa-f]?$")
