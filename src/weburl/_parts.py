"""What URL.build() and URL.replace() are given: checks of the values, and the order in which they are assigned."""

from __future__ import annotations

from weburl._core.arguments import wrong_type
from weburl._core.failures import FAILURE_NAMES
from weburl._core.parts import SETTERS, port_value, segments_text, set_refusal
from weburl._core.percent import SETS, encode
from weburl.errors import InvalidURL
from weburl.search_params import query_of_params

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

UNSET: Any = ...
DELIMITERS = frozenset("/?#\\")
# The special schemes whose queries can be in another encoding than UTF-8.
LEGACY_SCHEMES = ("http", "https", "ftp", "file")
TAB_OR_NEWLINE = dict.fromkeys(b"\t\n\r")
# Patterns for `matches`, which compiles one when it needs it.
SCHEMES = {"scheme": "[A-Za-z][A-Za-z0-9+.-]*", "protocol": "[A-Za-z][A-Za-z0-9+.-]*:?"}
HOST_AND_PORT = r"(?:[^][:/?#@\\\s]+|\[[^]]+\]):[0-9]*"
ALTERNATIVES = (
    ("protocol", "scheme"),
    ("host", "hostname"),
    ("pathname", "path_segments"),
    ("search", "query"),
    ("search", "params"),
    ("query", "params"),
    ("hash", "fragment"),
)


# What people write for a part under another name, and what to use.
OTHER_NAMES = {
    "authority": "username, password and host", "decoded_segments": "path_segments", "host_type": "host",
    "has_opaque_path": "pathname", "host_value": "host", "href": "URL(href), which parses a whole URL",
    "includes_credentials": "username and password", "ip_address": "host", "is_special": "scheme",
    "name": "path_segments", "netloc": "host", "origin": "scheme and host", "parent": "path_segments",
    "path": "pathname", "port_number": "port", "query_string": "query", "search_params": "params",
    "suffix": "path_segments", "user": "username",
}  # fmt: skip


def unknown_part(function: str, others: dict[str, Any]) -> TypeError:
    """The error for a keyword that build() or replace() does not have."""
    name = next(iter(others))
    if name in OTHER_NAMES:
        return TypeError(f"{function}() has no {name}: use {OTHER_NAMES[name]}")
    from weburl._advice import nearest

    return TypeError(f"{function}() got an unexpected keyword argument {name!r}{nearest(name, SETTERS)}")


def two_ports(function: str) -> TypeError:
    return TypeError(
        f"{function}() takes the port in host or as port, not both: use hostname for a host without a port"
    )


def check_alternatives(function: str, parts: dict[str, Any], absent: object) -> None:
    for one, other in ALTERNATIVES:
        if parts[one] is not absent and parts[other] is not absent:
            raise TypeError(f"{function}() takes {one} or {other}, not both")


def scheme_of(protocol: str | None) -> str:
    if protocol is None:
        raise TypeError("build() needs a scheme")
    if not isinstance(protocol, str):
        raise wrong_type(protocol, "protocol must be a str")
    return str.__str__(protocol).removesuffix(":")


def split_host(host: str) -> tuple[str, str | None]:
    """The host and the port of a text; the port is None if there is none."""
    host = str.__str__(host)
    if ":" not in host or not matches(HOST_AND_PORT, host):
        return host, None
    name, _, port = host.rpartition(":")
    return name, port or None


def undelimited(delimiter: str, value: str, name: str) -> str | None:
    """The query or the fragment that a value of search or hash stands for."""
    if not isinstance(value, str):
        raise wrong_type(value, f"{name} must be a str or None")
    value = str.__str__(value)
    return value.removeprefix(delimiter) if value else None


def host_text(host: object, name: str) -> str:
    """A host that is an object, as a str."""
    from ipaddress import IPv4Address, IPv6Address

    from weburl._host import Host

    if isinstance(host, IPv6Address):
        return f"[{host}]"
    if isinstance(host, (IPv4Address, Host)):
        return str(host)
    raise wrong_type(host, f"{name} must be a str, a Host, an address of ipaddress or None")


def encoded_query(scheme: str, query: Any, encoder: Any) -> Any:
    """A query, percent-encoded in another encoding than UTF-8. It is ASCII, so a parser leaves it as it is."""
    # https://url.spec.whatwg.org/#query-state
    if encoder is not None and isinstance(query, str) and scheme.lower() in LEGACY_SCHEMES:
        return encode(str.__str__(query), SETS["special-query"], encoder)
    return query


def encoded_search(scheme: str, value: Any, encoder: Any) -> Any:
    """The same for a value of the search setter, which removes tabs and newlines."""
    if not isinstance(value, str) or str.__str__(value) == "":
        return value
    return "?" + encoded_query(scheme, str.__str__(value).removeprefix("?").translate(TAB_OR_NEWLINE), encoder)


def matches(pattern: str, text: str) -> bool:
    """Whether the whole text matches. `import weburl` does without the module re."""
    import re

    return re.fullmatch(pattern, text) is not None


def refusal(name: str, value: str, status: int) -> InvalidURL:
    """What build() and / raise for a part."""
    return part_error(name, value, FAILURE_NAMES[status] or "")


def part_error(name: str, value: str, error_name: str) -> InvalidURL:
    error = InvalidURL(value, None, error_name, name)
    if name == "hostname" and matches(HOST_AND_PORT, value):
        error._advice = "This is a host and a port: pass it as host=, or pass the port as port=."
    elif name == "port" and matches("-[0-9]+", value):
        error._advice = "A port is not negative: write a number from 0 to 65535, or None for the scheme's default."
    return error


set_refusal(refusal)


def delimited(delimiter: str, value: str, name: str) -> str:
    """A query or a fragment as a value of search or hash."""
    if not isinstance(value, str):
        raise wrong_type(value, f"{name} must be a str or None")
    return f"{delimiter}{str.__str__(value)}"


def has_more(name: str, value: object) -> bool:
    """Whether the setter would stop before the end of the value."""
    if not isinstance(value, str):
        return False
    # The text itself, whatever the methods of a subclass do.
    value = str.__str__(value)
    if name in ("protocol", "scheme"):
        return ":" in (value.removesuffix(":") if name == "protocol" else value)
    if name == "port":
        return not is_port(value)
    return name in ("host", "hostname") and not DELIMITERS.isdisjoint(value)


def cut_off(url: Any, name: str) -> str:
    """The error for a value that the setter would cut off. It is the error that build() has for such a value."""
    if name == "port":
        return "port-invalid"
    if name in SCHEMES or url.has_opaque_path:
        return "ignored"
    return "domain-to-ASCII" if url.is_special else "host-invalid-code-point"


def port_of(host: str) -> str:
    """What follows the colon outside brackets that ends the host; the empty string if there is none."""
    is_inside = False
    for index, mark in enumerate(host):
        if mark in "[]":
            is_inside = mark == "["
        elif mark == ":" and not is_inside:
            return host[index + 1 :]
    return ""


def may_divide(divisor: object) -> bool:
    """Whether its class may know what a URL divided by it is. Numbers and paths of files do not, though they divide."""
    cls = type(divisor)
    return hasattr(cls, "__rtruediv__") and not (isinstance(divisor, (int, float)) or hasattr(cls, "__fspath__"))


def is_port(text: str) -> bool:
    return text == "" or (text.isascii() and text.isdigit())


def is_absent(url: Any, name: str) -> bool:
    """Whether there is nothing to remove."""
    if name in ("host", "hostname"):
        return url.host_type is None
    return name in ("username", "password", "port", "pathname") and getattr(url, name) == ""


def remove_host(url: Any, name: str) -> None:
    """The setters cannot remove a host."""
    if url.is_special and url.scheme != "file":
        raise InvalidURL("", None, "host-missing", name)
    if url.scheme == "file":
        url.hostname = ""
    else:
        url.href = type(url).build(**{**url.parts(), "hostname": None}).href


def assign_parts(
    url: Any, parts: dict[str, Any], assign: Callable[[Any, int, Any, str], int], encoding: str, encoder: Any
) -> None:
    """Assigns the parts that are given, in order. InvalidURL for what the setter would ignore, or the end of it."""
    check_alternatives("replace", parts, UNSET)
    if parts["port"] is not UNSET and isinstance(parts["host"], str) and split_host(parts["host"])[1] is not None:
        raise two_ports("replace")
    for name, value in parts.items():
        if value is UNSET:
            continue
        if name in ("username", "password", "port") and value == "" and is_absent(url, name):
            # As parts() gives it. Not every URL can have it.
            continue
        if value is None:
            if name in SCHEMES:
                raise wrong_type(value, f"{name} must be a str")
            if is_absent(url, name):
                continue
            if name in ("host", "hostname"):
                remove_host(url, name)
                continue
            value = ""
        elif name == "port":
            value = port_value(value)
        elif name == "query":
            value = delimited("?", value, name)
        elif name == "fragment":
            value = delimited("#", value, name)
        elif name == "path_segments":
            value = segments_text(url.scheme, value)
        elif name == "params":
            value = query_of_params(value, encoding)
        elif name in ("host", "hostname") and not isinstance(value, str):
            value = host_text(value, name)
        if encoder is not None and name in ("search", "query"):
            value = encoded_search(url.scheme, value, encoder)
        error = cut_off(url, name) if has_more(name, value) else FAILURE_NAMES[assign(url, SETTERS[name], value, name)]
        if error == "ignored" and name in SCHEMES and not matches(SCHEMES[name], value):
            error = "scheme-invalid"
        if name == "host" and not error and not is_port(port_of(str.__str__(value))):
            # The setter has taken the host, and the digits.
            error = "port-invalid"
        if error:
            raise part_error(name, str.__str__(value), error)
