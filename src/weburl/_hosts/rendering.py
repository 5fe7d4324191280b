"""A URL as a person sees it: its parts, elided to a width, decoded where that is safe."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final, NamedTuple

from weburl._core.arguments import wrong_type
from weburl._diagnosis.credentials import without_inner_credentials
from weburl._host import Host
from weburl._hosts.arguments import url_of
from weburl._hosts.spoofing import RIGHT_TO_LEFT, label_risks, top_level
from weburl._hosts.suffixes import registrable_domain
from weburl._unicode.deceptive import is_deceptive
from weburl.url import URL, FrozenURL

# The labels before a domain of the same site for browsers on a desktop and on a phone.
TRIVIAL: Final = frozenset({"www", "m"})
ELLIPSIS: Final = "…"
ISOLATE: Final = "\u2066"  # left-to-right isolate
POP_ISOLATE: Final = "\u2069"


class ShownHost(NamedTuple):
    text: str
    kept: int  # the length of the end that stays if there is room for it

    @classmethod
    def of(cls, host: URL | FrozenURL | Host, omit_trivial: bool) -> ShownHost:
        ascii_host = str(host) if isinstance(host, Host) else host.hostname
        if host.host_type != "domain":
            return cls(ascii_host, len(ascii_host))
        labels = shown_labels(ascii_host)
        kept = len(labels)
        try:
            registrable = registrable_domain(host)
        except ImportError as error:
            if error.name != "publicsuffixlist":
                raise
            registrable = None
        if registrable is not None:
            kept = registrable.count(".") + 1
        if omit_trivial and labels[0] in TRIVIAL and kept < len(labels):
            del labels[0]
        return cls(".".join(labels), len(".".join(labels[-kept:])))

    @property
    def registrable(self) -> ShownHost:
        """The end that stays."""
        return self._replace(text=self.text[len(self.text) - self.kept :])

    # https://url.spec.whatwg.org/#url-rendering-elision
    def elided(self, width: int) -> str | None:
        """The whole, or the rest without the lowest labels; None if there is no room for the end that is kept."""
        if len(self.text) <= width:
            return self.text
        dot = self._dot(width)
        return ELLIPSIS + self.text[dot + 1 :] if 0 <= dot < len(self.text) - self.kept else None

    def end(self, width: int) -> str:
        """The last labels or, if there is no room for one, the end of the last."""
        dot = self._dot(width)
        start = dot + 1 if 0 <= dot < len(self.text) - 1 else len(self.text) - width + 1
        return ELLIPSIS + self.text[start:]

    def _dot(self, width: int) -> int:
        return self.text.find(".", max(len(self.text) - width, 0))


class ShownParts(NamedTuple):
    prefix: str  # what is before the host
    host: ShownHost
    port: str
    rest: str  # what is after the port, percent-encoded
    keeps_scheme: bool = False

    @classmethod
    def of(cls, url: str | URL | FrozenURL, omit_trivial: bool) -> ShownParts:
        url = url_of(url, "use display_host()")
        prefix = after = ""
        if url.has_opaque_path:
            outer, inside = split_schemes(url.pathname)
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
            # A path can have what looks like credentials, as after the solidi of file:///.
            inner.username = inner.password = ""
            path = without_inner_credentials(outer + inner.href)
            if path != outer + inner.href:
                return cls(url.protocol + path, NO_HOST, "", after)
            # The URL inside a blob URL, as for its origin: https://url.spec.whatwg.org/#concept-url-origin
            prefix = url.protocol + outer
            url = inner
        if url.host_type is None:
            return cls(url.protocol, NO_HOST, "", url.href[len(url.protocol) :])
        query = "" if url.query is None else f"?{url.query}"
        fragment = "" if url.fragment is None else f"#{url.fragment}"
        return cls(
            f"{prefix}{url.protocol}//",
            ShownHost.of(url, omit_trivial),
            f":{url.port}" if url.port else "",
            url.pathname + query + fragment + after,
            not url.is_special,
        )


NO_HOST: Final = ShownHost("", 0)
BLOBS: Final = re.compile("(?: *blob:)*", re.IGNORECASE)
# The schemes before the last one, or before the first special one. Spaces before a URL do not count.
SCHEME: Final = " *[a-z][a-z0-9+.-]*:"
SCHEMES: Final = re.compile(rf"(?:{SCHEME})*?(?= *(?:https?|wss?|ftp|file):)|(?:{SCHEME})*(?={SCHEME})", re.IGNORECASE)


def split_schemes(path: str) -> tuple[str, str]:
    """The schemes that an opaque path starts with, and the URL after them, as in view-source: and blob:."""
    schemes = SCHEMES.match(path)
    return (schemes[0], path[schemes.end() :]) if schemes else (path, "")


def rendered(parts: ShownParts, max_width: int | None, isolate: bool | None) -> str:
    if max_width is not None:
        if not isinstance(max_width, int) or isinstance(max_width, bool):
            raise wrong_type(max_width, "max_width must be an int or None")
        if max_width < 1:
            raise ValueError(f"max_width must be at least 1, not {max_width}")
    text = fitted(parts, max_width)
    if isolate is False or not (text and (isolate or RIGHT_TO_LEFT.search(text))):
        return text
    if max_width is not None:
        if max_width <= 2:
            return ELLIPSIS
        text = fitted(parts, max_width - 2)
        if not (isolate or RIGHT_TO_LEFT.search(text)):
            return text
    return f"{ISOLATE}{text}{POP_ISOLATE}"


def fitted(parts: ShownParts, width: int | None) -> str:
    prefix, host, port, rest, keeps_scheme = parts
    if width is None:
        return prefix + host.text + port + decode_visible(rest)
    # No character that is shown takes more than twelve: four percent-encoded bytes.
    rest = decode_visible(rest[: 12 * (width + 1)])
    if not host.text:
        return cut(prefix + rest, width)
    left = width - len(prefix) - len(port)
    shown = host.elided(left)
    if shown == host.text:
        left -= len(shown)
        # With … alone after it, the host would look cut off.
        return prefix + shown + port + (cut(rest, left) if left >= min(2, len(rest)) else "")
    if shown is not None:
        return prefix + shown + port
    if keeps_scheme and prefix:
        left = width - len(prefix)
        return prefix + (host.elided(left) or host.end(left)) if left > 1 else cut(prefix + host.text, width)
    for shown_port in (port, ""):
        shown = host.elided(width - len(shown_port))
        if shown is not None:
            return shown + shown_port
    return host.end(width)


def cut(text: str, width: int) -> str:
    if len(text) <= width:
        return text
    # Not within a percent-encoded byte.
    return STRAY.sub("", text[: width - 1]) + ELLIPSIS


# https://url.spec.whatwg.org/#url-rendering-i18n
def shown_labels(domain: str) -> list[str]:
    """The labels in Unicode, except those that have a risk."""
    labels = domain.split(".")
    if "xn--" not in domain:
        return labels
    from weburl._unicode.idna import domain_to_unicode

    in_unicode = domain_to_unicode(domain).split(".")
    last = top_level(in_unicode)
    risky = {text for text in set(in_unicode) if next(label_risks(text, last), None) is not None}
    return [label if text in risky else text for label, text in zip(labels, in_unicode, strict=True)]


# Visible ASCII that delimits nothing in a URL, nor a URL in a text.
SHOWN_ASCII: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~!$'()*,")
HEX_DIGITS: Final = frozenset("0123456789ABCDEFabcdef")
PERCENT_ENCODED: Final = re.compile("(?:%[0-9A-Fa-f]{2})+")
# https://www.unicode.org/reports/tr39/#Optional_Detection
MARKS_IN_A_ROW: Final = 4

HIDDEN, MARK, BASE, OTHER = range(4)


@lru_cache(maxsize=4096)
def kind_of(character: str) -> int:
    if character.isascii():
        return BASE if character.isalnum() else OTHER if character in SHOWN_ASCII else HIDDEN
    # A character that is newer than the interpreter's Unicode is Cn, so it is not shown.
    category = unicodedata.category(character)
    if category[0] not in "LMNPS" or is_deceptive(character):
        return HIDDEN
    return MARK if category[0] == "M" else BASE


def decode_visible(text: str) -> str:
    """Decodes the percent-encoded characters that can be seen and told from delimiters."""
    return PERCENT_ENCODED.sub(decode_run, text) if "%" in text else text


def decode_run(run: re.Match[str]) -> str:
    encoded = run[0]
    before = run.string[max(run.start() - 2, 0) : run.start()]
    output = []
    at = 0
    marks = 0 if before[-1:].isalnum() else MARKS_IN_A_ROW  # a mark goes with the character before it
    for character in bytes.fromhex(encoded.replace("%", "")).decode("utf-8", "surrogateescape"):
        end = at + 3 * len(character.encode("utf-8", "surrogateescape"))
        kind = kind_of(character)
        # After a stray % a hex digit would make an escape.
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
