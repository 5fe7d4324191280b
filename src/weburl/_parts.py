"""What URL.build() and URL.replace() are given: checks of the values, and the order in which they are assigned."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from weburl._core.failures import FAILURE_NAMES
from weburl._core.parts import SETTERS, port_value, segments_text, set_refusal, wrong_type
from weburl.errors import InvalidURL
from weburl.search_params import URLSearchParams

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

    from weburl._core.parts import Params

UNSET: Any = ...
DELIMITERS = frozenset("/?#\\")
SCHEMES = {"scheme": re.compile("[A-Za-z][A-Za-z0-9+.-]*"), "protocol": re.compile("[A-Za-z][A-Za-z0-9+.-]*:?")}
HOST_AND_PORT = re.compile(r"(?:[^][:/?#@\\\s]+|\[[^]]+\]):[0-9]*")
BRACKET_OR_COLON = re.compile(r"[][:]")
ALTERNATIVES = (
    ("protocol", "scheme"),
    ("pathname", "path_segments"),
    ("search", "query"),
    ("search", "params"),
    ("query", "params"),
    ("hash", "fragment"),
)


def host_text(host: object) -> str:
    """A host that is an object, as a str."""
    from ipaddress import IPv4Address, IPv6Address

    from weburl._hosts.host import Host

    if isinstance(host, IPv6Address):
        return f"[{host}]"
    if isinstance(host, (IPv4Address, Host)):
        return str(host)
    raise wrong_type(host, "host must be a str, a Host, an address of ipaddress or None")


def params_text(params: Params) -> str:
    """The query of name-value pairs."""
    if isinstance(params, str):
        raise TypeError("params must be a mapping, pairs or URLSearchParams: a str is a query")
    if params is None:
        raise wrong_type(params, "params must be a mapping, pairs or URLSearchParams")
    return str(params if type(params) is URLSearchParams else URLSearchParams(params))


def refusal(name: str, value: str, status: int) -> InvalidURL:
    """What build() and / raise for a part."""
    error = InvalidURL(value, None, FAILURE_NAMES[status], name)
    if name == "host" and HOST_AND_PORT.fullmatch(value):
        error._advice = "This is a host and a port: give the port as port=."
    return error


set_refusal(refusal)


def delimited(delimiter: str, value: str | None, name: str) -> str:
    """A query or a fragment as a value of search or hash; the empty string for None."""
    if value is None:
        return ""
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
    for mark in BRACKET_OR_COLON.finditer(host):
        if mark[0] != ":":
            is_inside = mark[0] == "["
        elif not is_inside:
            return host[mark.end() :]
    return ""


def is_port(text: str) -> bool:
    return text == "" or (text.isascii() and text.isdigit())


def assign_parts(url: Any, parts: dict[str, Any], assign: Callable[[Any, int, Any, str], int]) -> None:
    """Assigns the parts that are given, in order. InvalidURL for what the setter would ignore, or the end of it."""
    for one, other in ALTERNATIVES:
        if parts[one] is not UNSET and parts[other] is not UNSET:
            raise TypeError(f"replace() takes {one} or {other}, not both")
    for name, value in parts.items():
        if value is UNSET:
            continue
        if name == "port":
            if value is None and url.port == "":
                continue
            value = "" if value is None else port_value(value)
        elif name == "query":
            value = delimited("?", value, name)
        elif name == "fragment":
            value = delimited("#", value, name)
        elif name == "path_segments":
            value = segments_text(url.scheme, value)
        elif name == "params":
            value = params_text(value)
        error = cut_off(url, name) if has_more(name, value) else FAILURE_NAMES[assign(url, SETTERS[name], value, name)]
        if error == "ignored" and name in SCHEMES and not SCHEMES[name].fullmatch(value):
            error = "scheme-invalid"
        if name == "host" and not error and not is_port(port_of(str.__str__(value))):
            # The setter has taken the host, and the digits.
            error = "port-invalid"
        if error:
            raise InvalidURL(str.__str__(value), None, error, name)
