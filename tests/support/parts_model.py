"""What URL.build() makes of its parts, in another way than the package: with the literal parser and its setters."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, TypedDict

from support.literal_compare import SETTERS

from weburl._literal import LiteralURL
from weburl._literal.hosts import parse_host
from weburl._literal.percent import (
    C0_CONTROL_PERCENT_ENCODE_SET,
    FRAGMENT_PERCENT_ENCODE_SET,
    PATH_PERCENT_ENCODE_SET,
    QUERY_PERCENT_ENCODE_SET,
    SPECIAL_QUERY_PERCENT_ENCODE_SET,
    USERINFO_PERCENT_ENCODE_SET,
    utf_8_percent_encode_string,
)
from weburl._literal.record import EMPTY_HOST, Host
from weburl.forms import serialize_form


class Given(TypedDict, total=False):
    scheme: str
    host: str
    hostname: str
    port: str
    username: str
    password: str
    pathname: str
    path_segments: Sequence[str]
    query: str
    params: Sequence[tuple[str, str]]
    fragment: str


class Refused(Exception):
    """The name of the error, and the part."""


def scalar_values(text: str) -> str:
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def encode(text: str, percent_encode_set: frozenset[str]) -> str:
    return utf_8_percent_encode_string(scalar_values(text), percent_encode_set)


def built(given: Given) -> LiteralURL:
    """The URL. Refused if a part cannot be said."""
    scheme = given["scheme"]
    if not re.fullmatch("[A-Za-z][A-Za-z0-9+.-]*", scheme):
        raise Refused("scheme-invalid", "scheme")
    url = LiteralURL(scheme.lower())
    build_authority(url, with_hostname(given))
    segments = given.get("path_segments")
    if segments is None:
        build_path(url, given.get("pathname", ""))
    else:
        build_segments(url, list(map(scalar_values, segments)))
    query_set = SPECIAL_QUERY_PERCENT_ENCODE_SET if url.is_special else QUERY_PERCENT_ENCODE_SET
    if "query" in given:
        url.query = encode(given["query"], query_set)
    elif "params" in given:
        url.query = serialize_form(given["params"]) or None
    if "fragment" in given:
        url.fragment = encode(given["fragment"], FRAGMENT_PERCENT_ENCODE_SET)
    return url


HOST_AND_PORT = re.compile(r"([^][:/?#@\\\s]+|\[[^]]+\]):([0-9]*)")


def has_two_ports(given: Given) -> bool:
    found = HOST_AND_PORT.fullmatch(given.get("host", ""))
    return "port" in given and found is not None and found[2] != ""


def with_hostname(given: Given) -> Given:
    """The parts with a hostname, and with a port, in place of a host, which may have one."""
    if "host" not in given:
        return given
    hostname, port = given["host"], ""
    found = HOST_AND_PORT.fullmatch(hostname)
    if found:
        hostname, port = found[1], found[2]
    return {**given, "hostname": hostname, "port": given.get("port", port)}


def build_authority(url: LiteralURL, given: Given) -> None:
    host = given.get("hostname", "")
    name_of_host = "hostname" if "hostname" in given and "host" not in given else "host"
    if url.is_special and url.scheme != "file" and host == "":
        raise Refused("host-missing", name_of_host)
    if url.scheme == "file" or host == "":
        for name in ("username", "password", "port"):
            if given.get(name, ""):
                raise Refused("ignored", name)
    url.username = encode(given.get("username", ""), USERINFO_PERCENT_ENCODE_SET)
    url.password = encode(given.get("password", ""), USERINFO_PERCENT_ENCODE_SET)
    if host:
        url.host = build_host(url, scalar_values(host), name_of_host)
    elif url.is_special or "hostname" in given:
        url.host = EMPTY_HOST
    port = given.get("port", "")
    if port:
        if not re.fullmatch("[0-9]+", port):
            raise Refused("port-invalid", "port")
        number = int(port.lstrip("0")[:6] or "0")
        if number > 65535:
            raise Refused("port-out-of-range", "port")
        url.port = None if number == url.default_port else number


def build_host(url: LiteralURL, host: str, name: str) -> Host:
    errors: list[str] = []

    def report(name: str, start: int, end: int, detail: Sequence[Any] = ()) -> None:
        errors.append(name)

    parsed = parse_host(host, not url.is_special, report)
    if parsed is None:
        raise Refused(errors[-1], name)
    return EMPTY_HOST if url.scheme == "file" and str(parsed) == "localhost" else parsed


def build_path(url: LiteralURL, path: str) -> None:
    path = scalar_values(path)
    if url.host is not None and path and not path.startswith(("/", "\\") if url.is_special else "/"):
        raise Refused("relative-path", "pathname")
    if url.host is not None or path.startswith("/"):
        # The setter would remove these.
        for lost in "\t\n\r":
            path = path.replace(lost, f"%{ord(lost):02X}")
        SETTERS["pathname"](url, path)
    else:
        if path.endswith(" "):
            path = path[:-1] + "%20"
        url.path = encode(path, C0_CONTROL_PERCENT_ENCODE_SET | {"?", "#"})


def build_segments(url: LiteralURL, segments: list[str]) -> None:
    if {".", ".."} & set(segments):
        raise Refused("dot-segment", "path_segments")
    if not segments and (url.host is None or url.is_special):
        segments = [""]
    segment_set = PATH_PERCENT_ENCODE_SET | {"%", "/"} | ({"\\"} if url.is_special else set())
    url.path = [encode(segment, segment_set) for segment in segments]
    if url.scheme == "file" and segments and re.fullmatch("[A-Za-z][|]", segments[0]):
        url.path[0] = segments[0][0] + "%7C"
