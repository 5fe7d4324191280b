"""Compares the parser and the setters with the literal transcription of the standard."""

from __future__ import annotations

import re
from collections.abc import Callable
from ipaddress import IPv4Address, IPv6Address
from typing import Any

from weburl import URL, InvalidURL
from weburl._core.parser import LONGEST
from weburl._literal import LiteralURL, parse, serialize_host, serialize_path, serialize_url, setters
from weburl._literal.states import Outcome

SETTERS: dict[str, Callable[[LiteralURL, str], Outcome]] = {
    "protocol": setters.set_protocol,
    "username": setters.set_username,
    "password": setters.set_password,
    "host": setters.set_host,
    "hostname": setters.set_hostname,
    "port": setters.set_port,
    "pathname": setters.set_pathname,
    "search": setters.set_search,
    "hash": setters.set_hash,
}


def literal_origin(url: LiteralURL) -> str:
    """https://url.spec.whatwg.org/#concept-url-origin, serialized"""
    if url.scheme in ("ftp", "http", "https", "ws", "wss"):
        return f"{url.scheme}://{literal_host(url)}"
    if url.scheme == "blob":
        path_url = parse(serialize_path(url)).url
        if path_url is not None and path_url.scheme in ("http", "https"):
            return literal_origin(path_url)
    return "null"


def literal_host(url: LiteralURL) -> str:
    if url.host is None:
        return ""
    return serialize_host(url.host) + ("" if url.port is None else f":{url.port}")


def literal_ip_address(url: LiteralURL) -> IPv4Address | IPv6Address | None:
    if url.host is None or isinstance(url.host.value, str):
        return None
    if isinstance(url.host.value, int):
        return IPv4Address(url.host.value)
    return IPv6Address(b"".join(piece.to_bytes(2, "big") for piece in url.host.value))


def literal_attributes(url: LiteralURL) -> dict[str, object]:
    return {
        "href": serialize_url(url),
        "serialization without the fragment": serialize_url(url, exclude_fragment=True),
        "origin": literal_origin(url),
        "scheme": url.scheme,
        "protocol": f"{url.scheme}:",
        "username": url.username,
        "password": url.password,
        "host": literal_host(url),
        "hostname": "" if url.host is None else serialize_host(url.host),
        "port": "" if url.port is None else str(url.port),
        "port_number": url.default_port if url.port is None else url.port,
        "pathname": serialize_path(url),
        "path_segments": None if isinstance(url.path, str) else tuple(url.path),
        "search": f"?{url.query}" if url.query else "",
        "query": url.query,
        "hash": f"#{url.fragment}" if url.fragment else "",
        "fragment": url.fragment,
        "host_type": None if url.host is None else url.host.host_type,
        "ip_address": literal_ip_address(url),
        "is_special": url.is_special,
        "has_opaque_path": url.has_opaque_path,
        "includes_credentials": url.includes_credentials,
    }


def attributes(url: URL) -> dict[str, object]:
    result: dict[str, object] = {"serialization without the fragment": url.serialize(exclude_fragment=True)}
    for name in (
        "href", "origin", "scheme", "protocol", "username", "password", "host", "hostname", "port", "port_number",
        "pathname", "path_segments", "search", "query", "hash", "fragment", "host_type", "ip_address", "is_special",
        "has_opaque_path", "includes_credentials",
    ):  # fmt: skip
        result[name] = getattr(url, name)
    return result


def compare(url: URL, literal: LiteralURL, *context: Any) -> None:
    found, expected = attributes(url), literal_attributes(literal)
    different = {name: (found[name], expected[name]) for name in expected if found[name] != expected[name]}
    assert not different, (context, different)


def is_too_long(literal: LiteralURL | None, *written: str | None) -> bool:
    """Whether "too-long" is right, which the literal parser does not know: dot segments count, though they are not in
    the serialization. If the literal parser fails, it is right for an input that can reach the limit first."""
    if literal is not None and len(serialize_url(literal)) > LONGEST:
        return True
    text = re.sub("[\t\n\r]", "", "".join([text for text in written if text is not None]))
    removes = ".." in text or "2e" in text.lower()
    return 3 * len(text.encode("utf-8", "surrogatepass")) > LONGEST and (literal is None or removes)


def same(url: str, base: str | None = None, encoding: str = "utf-8") -> bool:
    """Asserts that both parsers give the same URL, or fail with the same error. False for a URL that is too long."""
    error = error_of(url, base, encoding)
    base_url = None
    if base is not None:
        base_url = parse(base).url
        if base_url is None or (error == "base" and is_too_long(base_url, base)):
            assert error == "base", (url, base, encoding)
            return base_url is None
    outcome = parse(url, base_url, encoding=encoding)
    if error == "too-long":
        assert is_too_long(outcome.url, url, base), (url, base, encoding)
        return False
    if outcome.url is None:
        assert error == outcome.errors[-1].name, (url, base, encoding)
    else:
        assert error is None, (url, base, encoding, error, str(outcome.url))
        compare(URL(url, base, encoding=encoding), outcome.url, url, base, encoding)
    return True


def error_of(url: str, base: str | None, encoding: str) -> str | None:
    try:
        URL(url, base, encoding=encoding)
    except InvalidURL as error:
        return error.error
    return None


def same_setter(href: str, name: str, value: str) -> None:
    """Asserts that a setter does the same to both."""
    outcome = parse(href)
    assert outcome.url is not None, href
    url = URL(href)
    SETTERS[name](outcome.url, value)
    setattr(url, name, value)
    compare(url, outcome.url, href, name, value)
