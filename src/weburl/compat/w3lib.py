"""The functions of w3lib.url, with the URLs of browsers.

They take and return the same as those of w3lib 2.5, unless the URL would be another one than a browser requests, or
would change when it is made safe again. They do not raise if those do not.
"""

from __future__ import annotations

import os
import re
import sys
from base64 import b64decode
from binascii import Error as Base64Error
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, overload
from unicodedata import normalize
from urllib.parse import ParseResult, uses_params

from weburl._core.arguments import wrong_type
from weburl._core.percent import decode, scalar_values, utf8
from weburl._core.texts import parse_host_text
from weburl.compat._encodings import page_encoding
from weburl.compat._quoting import SAFE, UNRESERVED, Quoter, canonical_path, canonical_query, safe_page
from weburl.compat._split import (
    DRIVE,
    SCHEME,
    SPECIAL,
    Parts,
    remove_dot_segments,
    split,
    split_authority,
    stripped,
    unsplit,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = [
    "ParseDataURIResult",
    "add_http_if_no_scheme",
    "add_or_replace_parameter",
    "add_or_replace_parameters",
    "any_to_uri",
    "canonicalize_url",
    "file_uri_to_path",
    "is_url",
    "parse_data_uri",
    "parse_qsl_to_bytes",
    "parse_url",
    "path_to_file_uri",
    "safe_download_url",
    "safe_url_string",
    "url_query_cleaner",
    "url_query_parameter",
]


def __dir__() -> list[str]:
    return __all__


Pairs = list[tuple[bytes, bytes]]


quote: Quoter = Quoter(SAFE)
quote_special_query: Quoter = Quoter(SAFE.replace(b"'", b""))
quote_userinfo: Quoter = Quoter(UNRESERVED + b"!$&'()*+,")
quote_host: Quoter = Quoter(UNRESERVED)
quote_field: Quoter = Quoter(UNRESERVED, plus=True)

UTF_8 = frozenset(("utf8", "utf-8"))
# Schemes whose queries are in the encoding of the page. A URL without a scheme is taken for one of http.
PAGE_ENCODED = SPECIAL - {"ws", "wss"}

PAGE_SCHEMES = ("http://", "https://")
DELIMITER = re.compile(r"[/?#@:\\]")
DOT_SEGMENT = re.compile(r"(?<![^/])(?:\.|%2e){1,2}(?![^/])", re.IGNORECASE)
IPV_FUTURE = re.compile(r"\[v[0-9A-Fa-f]+\.[^\]]+\]")


def text_of(url: str | bytes, encoding: str | None) -> str:
    """The URL as a str. Bytes are decoded, as UTF-8 by default; those that are not UTF-8 are percent-encoded."""
    if isinstance(url, str):
        return scalar_values(url)
    if isinstance(url, bytes):
        return page_encoding(encoding or "utf-8").decode(url)
    raise wrong_type(url, "a URL must be a str or bytes")


def shortcut(text: str, encoding: str) -> str | None:
    return safe_page(text, None if encoding in UTF_8 or text.isascii() else page_encoding(encoding))


def safe_host(host: str, parts: Parts) -> str:
    """The host as the standard serializes it. If it is not a host, it is percent-encoded, or ValueError as in w3lib.

    The messages, here and of the port, do not show the text: it can be the start of a password that has a /.
    """
    special = parts.scheme in SPECIAL
    result = parse_host_text(host, not special)
    if len(result) == 2:
        return "" if parts.scheme == "file" and result[1] == "localhost" else result[1]
    if parts.plain and ("[" in host or "]" in host):
        if is_scoped_address(host):
            return host
        if not IPV_FUTURE.fullmatch(host):
            raise ValueError("Invalid IPv6 URL")
        return f"[{quote(utf8(host[1:-1]))}]"
    if not special:
        return quote(utf8(host))
    # Character by character, as none of the delimiters comes from two; normalize() is slow for a text that grows.
    if parts.plain and any(DELIMITER.search(normalize("NFKC", character)) for character in set(host) - {":", "@"}):
        raise ValueError("the host has other delimiters under NFKC normalization")
    return quote_host(decode(host).decode("utf-8", "replace").lower().encode())


def is_scoped_address(host: str) -> bool:
    """Whether a host is an IPv6 address with a zone, which the standard does not have."""
    try:
        return host.isascii() and host[0] + host[-1] == "[]" and ip_address(host[1:-1]).version == 6
    except ValueError:
        return False


def safe_authority(parts: Parts) -> str | None:
    if parts.authority is None:
        return None
    if parts.scheme == "file":
        return safe_host(parts.authority, parts)
    username, password, host, port = split_authority(parts.authority)
    digits = port.lstrip("0")
    if port and not (port.isascii() and port.isdigit() and len(digits) <= 5 and int(digits or 0) <= 65535):
        if parts.plain:
            raise ValueError("the port is not a number from 0 to 65535")
        host, port = f"{host}:{port}", ""
    authority = safe_host(host, parts)
    if port:
        authority += f":{digits or 0}"
    if username is None:
        # A colon alone stays. Without it, the path would begin with the host.
        return authority or parts.authority
    userinfo = quote_userinfo(decode(username))
    return (
        f"{userinfo}@{authority}" if password is None else f"{userinfo}:{quote_userinfo(decode(password))}@{authority}"
    )


def safe_parts(text: str, encoding: str, path_encoding: str, quote_path: bool = True) -> Parts:
    """The parts of a URL, each one safe."""
    parts = split(text)
    scheme, authority, path, query, fragment, known, plain = parts
    authority = safe_authority(parts)
    if quote_path:
        path = quote_text(path, path_encoding, quote)
    if query is not None:
        quote_query = quote_special_query if scheme in SPECIAL else quote
        # https://url.spec.whatwg.org/#query-state
        query = quote_text(query, encoding if scheme in PAGE_ENCODED else "utf-8", quote_query)
    if fragment is not None:
        fragment = quote(utf8(fragment))
    # Clients that make a request target of the path and the query would send one without a solidus.
    if query and not path and known and authority is not None and scheme in SPECIAL:
        path = "/"
    return Parts(scheme, authority, path, query, fragment, known, plain)


def quote_text(text: str, encoding: str, quoter: Quoter) -> str:
    """https://url.spec.whatwg.org/#string-percent-encode-after-encoding"""
    if encoding in UTF_8:
        return quoter(utf8(text))
    pieces = page_encoding(encoding).encode(text)
    return "".join([f"%26%23{piece}%3B" if isinstance(piece, int) else quoter(piece) for piece in pieces])


def joined(parts: Parts) -> str:
    if parts.scheme == "file" and parts.known and parts.authority is None and parts.path[:1] == "/":
        parts = parts._replace(authority="")
    return unsplit(parts.scheme if parts.known else "", *parts[1:5])


def safe_url_string(
    url: str | bytes, encoding: str = "utf8", path_encoding: str = "utf8", quote_path: bool = True
) -> str:
    """The URL as a browser would request it, with everything escaped that older servers need escaped.

    >>> safe_url_string("http://example.com/café [1]?q=€|", encoding="windows-1252")
    'http://example.com/caf%C3%A9%20%5B1%5D?q=%80%7C'

    `encoding` is that of the page that contains the URL. It encodes the query, and decodes a URL that is bytes. A
    character that it does not have becomes `&#...;`, percent-encoded. `path_encoding` is for servers that want another
    encoding than UTF-8 in the path; `quote_path=False` leaves the path as it is. ValueError is raised where w3lib does.
    """
    text = text_of(url, encoding)
    page = shortcut(text, encoding) if quote_path and path_encoding in UTF_8 else None
    return joined(safe_parts(text, encoding, path_encoding, quote_path)) if page is None else page


def safe_download_url(url: str | bytes, encoding: str = "utf8", path_encoding: str = "utf8") -> str:
    """The safe URL, as from `safe_url_string`, without its fragment and without dot segments.

    >>> safe_download_url("http://example.com/a/../b c#top"), safe_download_url("http://example.com")
    ('http://example.com/b%20c', 'http://example.com/')

    Its path is not empty.
    """
    text = text_of(url, encoding)
    page = shortcut(text, encoding) if path_encoding in UTF_8 else None
    if page is not None and page.startswith(PAGE_SCHEMES):
        return page.partition("#")[0]
    parts = safe_parts(text, encoding, path_encoding)
    path = parts.path
    if not is_opaque(parts):
        path = DOT_SEGMENT.sub(lambda match: re.sub("%2e", ".", match[0], flags=re.IGNORECASE), path)
        path = unambiguous(parts, remove_dot_segments(path, parts.scheme)) or "/"
    return joined(parts._replace(path=path, fragment=None))


def is_opaque(parts: Parts) -> bool:
    """Whether the path is an opaque path: https://url.spec.whatwg.org/#url-opaque-path"""
    return parts.scheme not in SPECIAL and parts.authority is None and parts.path[:1] != "/"


def unambiguous(parts: Parts, path: str) -> str:
    """The path, changed if it would not be the path after the parts are joined."""
    if parts.authority is not None:
        return path
    if path.startswith("//"):
        return f"/.{path}"
    if (not parts.known and SCHEME.match(path)) or (parts.scheme == "file" and DRIVE.match(path)):
        return f"./{path}"
    return path


def canonicalize_url(
    url: str | bytes | ParseResult,
    keep_blank_values: bool = True,
    keep_fragments: bool = False,
    encoding: str | None = None,
    *,
    query_separator: str = "&",
) -> str:
    """A key for pages: the safe URL with its parameters sorted, and without its fragment.

    >>> canonicalize_url("http://www.example.com/do?c=3&b=5&b=2&a=50%20g#top")
    'http://www.example.com/do?a=50+g&b=2&b=5&c=3'

    Escapes are decoded if that does not change the meaning, otherwise in upper case. A space in the query is `+`. Dot
    segments are resolved. An empty path is `/`. Parameters are sorted as bytes, by name and then by value.
    """
    if isinstance(url, ParseResult):
        url = url.geturl()
    encoding = encoding or "utf8"
    text = text_of(url, encoding)
    page = shortcut(text, encoding)
    if page is not None and page.startswith(PAGE_SCHEMES):
        rest, _, fragment = page.partition("#")
        base, _, query = rest.partition("?")
        query = canonical_query(query, bool(keep_blank_values), query_separator)
        fragment = fragment if keep_fragments else ""
        return unsplit("", None, canonical_path(base), query or None, fragment or None)
    parts = safe_parts(text, encoding, "utf8")
    path = parts.path
    if not is_opaque(parts):
        path = canonical_path(path)
        if parts.scheme == "file":
            path = path.replace("|", "%7C")
        if path[:1] == "/":
            path = remove_dot_segments(path, parts.scheme)
        path = unambiguous(parts, path) or "/"
    query = canonical_query(parts.query or "", bool(keep_blank_values), query_separator)
    fragment = parts.fragment or "" if keep_fragments else ""
    return joined(parts._replace(path=path, query=query or None, fragment=fragment or None))


def parse_pairs(query: bytes, keep_blank_values: bool | int, separator: bytes = b"&") -> Pairs:
    """https://url.spec.whatwg.org/#concept-urlencoded-parser, not decoded to text"""
    pairs = []
    escapes = b"%" in query
    for field in query.replace(b"+", b" ").split(separator):
        name, _, value = field.partition(b"=")
        if value or (keep_blank_values and field):
            pairs.append((decode(name), decode(value)) if escapes else (name, value))
    return pairs


def serialize_pairs(pairs: Pairs, separator: str) -> str:
    return separator.join([f"{quote_field(name)}={quote_field(value)}" for name, value in pairs])


def parse_qsl_to_bytes(qs: str, keep_blank_values: bool = False, *, separator: str = "&") -> Pairs:
    """The names and values of a query, percent-decoded but not decoded to text.

    >>> parse_qsl_to_bytes("q=caf%E9+bar&page=2")
    [(b'q', b'caf\\xe9 bar'), (b'page', b'2')]
    """
    return parse_pairs(utf8(qs) if isinstance(qs, str) else qs, keep_blank_values, separator.encode())


def parse_url(url: str | bytes | ParseResult, encoding: str | None = None) -> ParseResult:
    """The parts of a URL, not decoded, split where a browser splits them; a ParseResult is returned as it is.

    >>> parse_url("http://safe.example\\\\@evil.example/a;b?q").netloc
    'safe.example'
    """
    if isinstance(url, ParseResult):
        return url
    scheme, authority, path, query, fragment, known, _ = split(text_of(url, encoding))
    params = ""
    if scheme in uses_params and ";" in (last := path[path.rfind("/") + 1 :]):
        params = last.partition(";")[2]
        path = path[: len(path) - len(params) - 1]
    return ParseResult(scheme if known else "", authority or "", path, params, query or "", fragment or "")


@overload
def url_query_parameter(
    url: str | bytes,
    parameter: str,
    default: None = None,
    keep_blank_values: bool | int = 0,
    *,
    separator: str = "&",
) -> str | None: ...
@overload
def url_query_parameter(
    url: str | bytes, parameter: str, default: str, keep_blank_values: bool | int = 0, *, separator: str = "&"
) -> str: ...
def url_query_parameter(
    url: str | bytes,
    parameter: str,
    default: str | None = None,
    keep_blank_values: bool | int = 0,
    *,
    separator: str = "&",
) -> str | None:
    """The first value of a parameter; the default if the URL does not have it.

    >>> url_query_parameter("https://example.com/?id=200&q=a+b&id=7", "id")
    '200'
    >>> url_query_parameter("https://example.com/?id=200", "page", "1")
    '1'
    """
    query = utf8(split(text_of(url, None)).query or "")
    name = utf8(parameter)
    for key, value in parse_pairs(query, keep_blank_values, separator.encode()):
        if key == name:
            return value.decode("utf-8", "replace")
    return default


def url_query_cleaner(
    url: str | bytes,
    parameterlist: str | Iterable[str] = (),
    sep: str = "&",
    kvsep: str = "=",
    remove: bool = False,
    unique: bool = True,
    keep_fragments: bool = False,
) -> str:
    """The URL with only the parameters of the list or, with `remove`, without them.

    >>> url_query_cleaner("https://example.com/product?id=200&utm_source=x&name=tea", ["id", "name"])
    'https://example.com/product?id=200&name=tea'
    >>> url_query_cleaner("https://example.com/product?id=200&utm_source=x", ["utm_source"], remove=True)
    'https://example.com/product?id=200'

    With `unique`, a name is kept only once.
    """
    names = {parameterlist} if isinstance(parameterlist, (str, bytes)) else set(parameterlist or ())
    rest, hash_, fragment = text_of(url, None).partition("#")
    base, _, query = rest.partition("?")
    fields = []
    if query and (names or remove):
        seen: set[str] = set()
        for field in query.split(sep):
            name = field.partition(kvsep)[0]
            if field and (name in names) != remove and not (unique and name in seen):
                seen.add(name)
                fields.append(field)
    query = f"?{sep.join(fields)}" if fields else ""
    return base + query + (hash_ + fragment if keep_fragments and fragment else "")


def add_or_replace_parameter(url: str, name: str, new_value: str, *, separator: str = "&") -> str:
    """The URL with one parameter set: at its first occurrence or, if it is new, at the end.

    >>> add_or_replace_parameter("https://example.com/list?page=1&q=tea", "page", "2")
    'https://example.com/list?page=2&q=tea'
    """
    return add_or_replace_parameters(url, {name: new_value}, separator=separator)


def add_or_replace_parameters(url: str, new_parameters: Mapping[str, str], *, separator: str = "&") -> str:
    """The URL with parameters set, each at its first occurrence or, if it is new, at the end.

    >>> add_or_replace_parameters("https://example.com/list?page=1&q=tea", {"page": "2", "sort": "a&b"})
    'https://example.com/list?page=2&q=tea&sort=a%26b'
    """
    parts = split(text_of(url, None))
    new = {utf8(name): utf8(value) for name, value in new_parameters.items()}
    missing = dict(new)
    pairs = []
    for name, value in parse_pairs(utf8(parts.query or ""), True, separator.encode()):
        if name not in new:
            pairs.append((name, value))
        elif name in missing:
            pairs.append((name, missing.pop(name)))
    query = serialize_pairs([*pairs, *missing.items()], separator)
    return joined(parts._replace(query=query or None))


def is_url(text: str) -> bool:
    """Whether a text begins like the URL of a page or a file.

    >>> is_url("https://example.com"), is_url("file:///srv/a"), is_url("example.com"), is_url("mailto:ada@example.com")
    (True, True, False, False)
    """
    return text.partition("://")[0] in {"file", "http", "https"}


def add_http_if_no_scheme(url: str) -> str:
    """The URL, with the scheme http if it does not have a scheme.

    >>> add_http_if_no_scheme("example.com/a"), add_http_if_no_scheme("//example.com/a")
    ('http://example.com/a', 'http://example.com/a')
    """
    if re.match(r"\w+://", url):
        return url
    return ("http:" if split(url).authority is not None else "http://") + url


def path_to_file_uri(path: str | os.PathLike[str]) -> str:
    """The file URL of a path.

    >>> path_to_file_uri("/srv/100% off.txt").endswith("/srv/100%25%20off.txt")
    True

    Lone surrogates that do not stand for a byte of a file name become U+FFFD.
    """
    return Path(file_name(os.fspath(path))).absolute().as_uri()


# https://peps.python.org/pep-0383/: what os.fsdecode() makes of bytes that are not text.
ESCAPES = re.compile("((?<![\ud800-\udbff])[\udc80-\udcff]+)")


def file_name(path: str) -> str:
    """The path, with only those surrogates that the file system's encoding can encode."""
    if path.isascii() or sys.getfilesystemencodeerrors() != "surrogateescape":
        return path
    parts = ESCAPES.split(path)
    return "".join([part if index % 2 else scalar_values(part) for index, part in enumerate(parts)])


def file_uri_to_path(uri: str) -> str:
    """The path of a file URL, which may be without its scheme.

    >>> file_uri_to_path("file:///srv/a%20b.txt").replace("\\\\", "/")
    '/srv/a b.txt'
    """
    parts = split(uri, "file")
    path = decode(parts.path)
    if os.name != "nt":
        return os.fsdecode(path)
    if parts.authority and parts.authority.lower() != "localhost":
        path = b"//" + utf8(parts.authority) + path
    elif DRIVE.match(parts.path):
        path = path.lstrip(b"/")
    return os.fsdecode(path).replace("/", "\\")


def any_to_uri(uri_or_path: str) -> str:
    """The URL itself if the text is a URL, otherwise the file URL of the text as a path.

    >>> any_to_uri("https://example.com/a"), any_to_uri("/srv/a b.txt").endswith("/srv/a%20b.txt")
    ('https://example.com/a', True)
    """
    if os.path.splitdrive(uri_or_path)[0] or not split(uri_or_path).known:
        return path_to_file_uri(uri_or_path)
    return scalar_values(uri_or_path)


class ParseDataURIResult(NamedTuple):
    """The contents of a data: URL: its `media_type`, its `media_type_parameters` and its `data`.

    >>> parse_data_uri("data:text/plain;charset=utf-8,caf%C3%A9").data.decode("utf-8")
    'café'
    """

    media_type: str
    media_type_parameters: dict[str, str]
    data: bytes


ParseDataURIResult.media_type.__doc__ = "The media type, such as text/plain."
ParseDataURIResult.media_type_parameters.__doc__ = "The parameters of the media type, such as charset, by name."
ParseDataURIResult.data.__doc__ = "The contents, decoded."


# RFC 2045's token, RFC 822's quoted string.
TOKEN = rb"[!#$%&'*+\-.^_`{|}~0-9A-Za-z]+"
MEDIA_TYPE = re.compile(TOKEN + rb"/" + TOKEN)
PARAMETER = re.compile(rb";(%s)=(?:(%s)|\")" % (TOKEN, TOKEN))
IN_QUOTES = re.compile(rb"\\[\x00-\x7e]|[\"\\\r\x7f-\xff]")


def parse_data_uri(uri: str | bytes) -> ParseDataURIResult:
    """The contents of a data: URL, without its fragment.

    >>> parse_data_uri("data:text/html;base64,PGI+aGk8L2I+")
    ParseDataURIResult(media_type='text/html', media_type_parameters={}, data=b'<b>hi</b>')

    ValueError is raised if the text is not a data: URL.
    """
    text = stripped(uri.decode("latin-1") if isinstance(uri, bytes) else text_of(uri, None))
    scheme, _, rest = text.partition(":")
    if not scheme or not rest:
        raise ValueError("invalid URI")
    if scheme.lower() != "data":
        raise ValueError("not a data URI")
    body, hash_, _ = rest.partition("#")
    try:
        return parse_data(decode(body.encode("latin-1") if isinstance(uri, bytes) else body))
    except ValueError:
        if not hash_:
            raise
        # There may be a hash in the media type.
        return parse_data(decode(rest.encode("latin-1") if isinstance(uri, bytes) else rest))


def parse_data(octets: bytes) -> ParseDataURIResult:
    position = 0
    parameters = {}
    match = MEDIA_TYPE.match(octets)
    if match:
        position = match.end()
    else:
        parameters["charset"] = "US-ASCII"
    media_type = match[0].decode() if match else "text/plain"
    while match := PARAMETER.match(octets, position):
        name, value = match.groups()
        position = match.end()
        if value is None:
            start, position = position, end_of_quotes(octets, position)
            if not position:
                raise ValueError("invalid data URI")
            value = re.sub(rb"\\(.)", rb"\1", octets[start : position - 1], flags=re.DOTALL)
        parameters[name.decode()] = value.decode()
    extension, _, data = octets[position:].partition(b",")
    if extension:
        if not re.fullmatch(rb"; *base64", extension, re.IGNORECASE):
            raise ValueError("invalid data URI")
        data = decode_base64(data)
    return ParseDataURIResult(media_type, parameters, data)


def end_of_quotes(octets: bytes, start: int) -> int:
    """The end of the quoted string at `start`; 0 if it has no end."""
    for match in IN_QUOTES.finditer(octets, start):
        if len(match[0]) == 1:
            return match.end() if match[0] == b'"' else 0
    return 0


def decode_base64(data: bytes) -> bytes:
    """Decodes Base64. Padding may be missing, as in https://infra.spec.whatwg.org/#forgiving-base64-decode"""
    try:
        return b64decode(data)
    except Base64Error:
        data = re.sub(rb"[^A-Za-z0-9+/]", b"", data.partition(b"=")[0])
        return b64decode(data + b"=" * (-len(data) % 4))
