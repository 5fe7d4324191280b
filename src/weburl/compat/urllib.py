"""The functions of urllib.parse that read and make URLs, with the behaviour of the URL Standard.

They take the same arguments. A string that is not a URL by the standard raises InvalidURL, which is a ValueError.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import AnyStr, overload
from urllib.parse import SplitResult, SplitResultBytes

from weburl._core.arguments import wrong_type
from weburl._core.percent import decode, utf8
from weburl._core.urlencoded import parse
from weburl.compat._quoting import UNRESERVED, Quoter
from weburl.compat._split import split
from weburl.errors import InvalidURL
from weburl.percent import percent_decode_text
from weburl.url import URL, join

__all__ = ["parse_qsl", "quote", "unquote", "urljoin", "urlsplit"]


def __dir__() -> list[str]:
    return __all__


ASCII_RUNS = re.compile("[\0-\x7f]+")
# Stands for the scheme and the host that a relative URL does not have.
PLACEHOLDER = "http://placeholder.invalid/"


def text_arguments(*arguments: str | bytes) -> tuple[list[str], bool]:
    """The arguments as str, and whether they are bytes. An empty str may be mixed with bytes."""
    are_bytes = any(isinstance(argument, bytes) for argument in arguments)
    if are_bytes and any(isinstance(argument, str) and argument for argument in arguments):
        raise TypeError("Cannot mix str and non-str arguments")
    texts = []
    for argument in arguments:
        if not isinstance(argument, (str, bytes)):
            raise wrong_type(argument, "a URL must be a str or bytes")
        texts.append(str.__str__(argument) if isinstance(argument, str) else argument.decode("utf-8", "replace"))
    return texts, are_bytes


def octets_of(data: bytes, what: str) -> bytes:
    """The argument as bytes. It has to be bytes or a bytearray: bytes() would make zeros of an int."""
    if not isinstance(data, (bytes, bytearray)):
        raise wrong_type(data, f"{what} must be a str or bytes")
    return bytes(data)


@overload
def urlsplit(url: str, scheme: str = "", allow_fragments: bool = True) -> SplitResult: ...
@overload
def urlsplit(url: bytes, scheme: bytes | str = "", allow_fragments: bool = True) -> SplitResultBytes: ...
def urlsplit(
    url: str | bytes, scheme: str | bytes = "", allow_fragments: bool = True
) -> SplitResult | SplitResultBytes:
    """The parts of a URL as a browser sees it, or of a relative URL as they are written.

    >>> urlsplit("HTTPS://Example.com:443/a/../b?q#f")
    SplitResult(scheme='https', netloc='example.com', path='/b', query='q', fragment='f')
    >>> urlsplit("http://safe.example\\\\@evil.example/").hostname  # urllib.parse says evil.example
    'safe.example'

    With `allow_fragments=False`, `#` is percent-encoded. InvalidURL is raised if the URL does not parse.
    """
    if type(url) is not str or type(scheme) is not str:
        (text, default), are_bytes = text_arguments(url, scheme)
        result = urlsplit(text, default, allow_fragments)
        return SplitResultBytes(*(part.encode() for part in result)) if are_bytes else result
    if not allow_fragments:
        url = url.replace("#", "%23")
    try:
        parsed = URL(url)
    except InvalidURL:
        parts = split(url, scheme or "http")
        if parts.known:
            raise
        return SplitResult(scheme, parts.authority or "", parts.path, parts.query or "", parts.fragment or "")
    netloc = parsed.host
    if parsed.includes_credentials:
        password = parsed.password
        netloc = f"{parsed.username}:{password}@{netloc}" if password else f"{parsed.username}@{netloc}"
    return SplitResult(parsed.scheme, netloc, parsed.pathname, parsed.query or "", parsed.fragment or "")


def urljoin(base: AnyStr, url: AnyStr, allow_fragments: bool = True, *, encoding: str = "utf-8") -> AnyStr:
    """Resolves a URL, which may be relative, against a base.

    >>> urljoin("https://example.com/docs/tour", "\\\\\\\\cdn.example/logo.svg")  # a backslash is a slash for browsers
    'https://cdn.example/logo.svg'
    >>> urljoin("guide/tour", "../api")
    'api'

    With a relative base, the result is relative, too. `encoding` is that of the page at the base. InvalidURL is raised
    if the result does not parse.
    """
    if not (type(base) is str and type(url) is str):
        (base_text, text), are_bytes = text_arguments(base, url)
        joined = urljoin(base_text, text, allow_fragments, encoding=encoding)
        return joined.encode() if are_bytes else joined  # type: ignore[return-value]
    if not base:
        return url
    if not allow_fragments:
        url = url.replace("#", "%23")
    try:
        return join(base, url) if encoding == "utf-8" else URL(url, base, encoding=encoding).href
    except InvalidURL as error:
        if error.error != "base" or split(base).known:
            raise
    return join_relative(base, url, encoding)


def join_relative(base: str, url: str, encoding: str) -> str:
    resolved = URL(url, URL(base, PLACEHOLDER), encoding=encoding)
    ref, base_parts = split(url), split(base)
    if ref.known and (ref.authority is not None or resolved.protocol != "http:"):
        return resolved.href
    if ref.authority is not None or base_parts.authority is not None:
        return resolved.href.removeprefix("http:")
    relative = resolved.href.removeprefix(PLACEHOLDER)
    if "/" not in (ref.path[:1], base_parts.path[:1]):
        return relative
    return f"/./{relative}" if relative[:1] == "/" else f"/{relative}"


@overload
def parse_qsl(
    qs: str,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str = "&",
) -> list[tuple[str, str]]: ...
@overload
def parse_qsl(
    qs: bytes,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> list[tuple[bytes, bytes]]: ...
def parse_qsl(
    qs: str | bytes,
    keep_blank_values: bool = False,
    strict_parsing: bool = False,
    encoding: str = "utf-8",
    errors: str = "replace",
    max_num_fields: int | None = None,
    separator: str | bytes = "&",
) -> list[tuple[str, str]] | list[tuple[bytes, bytes]]:
    """The names and values of a query, as a list of pairs.

    >>> parse_qsl("q=caf%C3%A9+bar&page=2&debug"), parse_qsl("debug", keep_blank_values=True)
    ([('q', 'café bar'), ('page', '2')], [('debug', '')])

    If the query is bytes, names and values are bytes too, and are not decoded to text.
    """
    if not separator or not isinstance(separator, (str, bytes)):
        raise ValueError("Separator must be of type string or bytes.")
    if not qs:
        return []
    octets = utf8(qs) if isinstance(qs, str) else octets_of(qs, "qs")
    delimiter = separator if isinstance(separator, bytes) else separator.encode()
    if max_num_fields is not None and max_num_fields < 1 + octets.count(delimiter):
        raise ValueError("Max number of fields exceeded")
    if isinstance(qs, str) and (delimiter, encoding, errors, bool(strict_parsing)) == (b"&", "utf-8", "replace", False):
        pairs = parse(qs)
        return pairs if keep_blank_values else [pair for pair in pairs if pair[1]]
    fields = []
    for field in octets.split(delimiter):
        name, equals, value = field.replace(b"+", b" ").partition(b"=")
        if strict_parsing and not equals:
            raise ValueError(f"bad query field: {field!r}")
        if value or (keep_blank_values and field):
            fields.append((decode(name), decode(value)))
    if isinstance(qs, str):
        return [(name.decode(encoding, errors), value.decode(encoding, errors)) for name, value in fields]
    return fields


@lru_cache
def component_quoter(safe: bytes) -> Quoter:
    # https://url.spec.whatwg.org/#component-percent-encode-set
    return Quoter(UNRESERVED + b"!'()*" + safe)


def quote(string: str | bytes, safe: str | bytes = "/", encoding: str | None = None, errors: str | None = None) -> str:
    """Percent-encodes a string like JavaScript's encodeURIComponent(), except for the ASCII characters in `safe`.

    >>> quote("/café (1)!"), quote("/café (1)!", safe="")
    ('/caf%C3%A9%20(1)!', '%2Fcaf%C3%A9%20(1)!')

    Without `errors`, a surrogate that is not part of a pair becomes U+FFFD.
    """
    if isinstance(string, str):
        if encoding is None and errors is None:
            data = utf8(string)
        else:
            data = string.encode(encoding or "utf-8", errors or "strict")
    elif encoding is not None or errors is not None:
        raise TypeError("quote() doesn't support 'encoding' or 'errors' for bytes")
    else:
        data = octets_of(string, "string")
    return component_quoter(safe.encode("ascii", "ignore") if isinstance(safe, str) else safe)(data)


def unquote(string: str | bytes, encoding: str | None = "utf-8", errors: str | None = "replace") -> str:
    """Percent-decodes a string.

    >>> unquote("caf%C3%A9%20100%"), unquote("caf%E9", encoding="latin-1")
    ('café 100%', 'café')

    Bytes that do not decode to text become U+FFFD, unless `errors` says otherwise.
    """
    encoding, errors = encoding or "utf-8", errors or "replace"
    if encoding == "utf-8":
        return percent_decode_text(string, errors=errors)
    if isinstance(string, bytes):
        return decode(string).decode(encoding, errors)
    if "%" not in string:
        return str.__str__(string)
    # The last byte of a character can be an ASCII letter.
    return ASCII_RUNS.sub(lambda match: decode(match[0]).decode(encoding, errors), string)
