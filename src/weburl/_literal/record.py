"""The URL record and the serializers."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from weburl._literal.percent import ASCII_ALPHA

# https://url.spec.whatwg.org/#special-scheme
# https://url.spec.whatwg.org/#default-port
DEFAULT_PORTS: dict[str, int | None] = {"ftp": 21, "file": None, "http": 80, "https": 443, "ws": 80, "wss": 443}


class Host(NamedTuple):
    """https://url.spec.whatwg.org/#concept-host

    The value is a str; the number of an IPv4 address; the eight pieces of an IPv6 address.
    """

    host_type: Literal["domain", "ipv4", "ipv6", "opaque", "empty"]
    value: str | int | tuple[int, ...]

    def __str__(self) -> str:
        return serialize_host(self)


EMPTY_HOST = Host("empty", "")


@dataclass(slots=True)
class LiteralURL:
    """https://url.spec.whatwg.org/#concept-url"""

    scheme: str = ""
    username: str = ""
    password: str = ""
    host: Host | None = None
    port: int | None = None
    path: list[str] | str = field(default_factory=list)
    query: str | None = None
    fragment: str | None = None

    def __str__(self) -> str:
        return serialize_url(self)

    # https://url.spec.whatwg.org/#is-special
    @property
    def is_special(self) -> bool:
        return self.scheme in DEFAULT_PORTS

    # https://url.spec.whatwg.org/#default-port
    @property
    def default_port(self) -> int | None:
        return DEFAULT_PORTS.get(self.scheme)

    # https://url.spec.whatwg.org/#include-credentials
    @property
    def includes_credentials(self) -> bool:
        return self.username != "" or self.password != ""

    # https://url.spec.whatwg.org/#url-opaque-path
    @property
    def has_opaque_path(self) -> bool:
        return isinstance(self.path, str)

    # https://url.spec.whatwg.org/#cannot-have-a-username-password-port
    @property
    def cannot_have_a_username_password_port(self) -> bool:
        return self.host is None or self.host == EMPTY_HOST or self.scheme == "file"

    @property
    def segments(self) -> list[str]:
        """The path, which is not opaque."""
        assert not isinstance(self.path, str)
        return self.path

    # https://url.spec.whatwg.org/#shorten-a-urls-path
    def shorten_path(self) -> None:
        path = self.segments
        if self.scheme == "file" and len(path) == 1 and is_normalized_windows_drive_letter(path[0]):
            return
        if path:
            path.pop()


# https://url.spec.whatwg.org/#windows-drive-letter
def is_windows_drive_letter(text: str) -> bool:
    return len(text) == 2 and text[0] in ASCII_ALPHA and text[1] in ":|"


# https://url.spec.whatwg.org/#normalized-windows-drive-letter
def is_normalized_windows_drive_letter(text: str) -> bool:
    return is_windows_drive_letter(text) and text[1] == ":"


# https://url.spec.whatwg.org/#concept-url-serializer
def serialize_url(url: LiteralURL, exclude_fragment: bool = False) -> str:
    output = f"{url.scheme}:"
    if url.host is not None:
        output += "//"
        if url.includes_credentials:
            output += url.username
            if url.password != "":
                output += f":{url.password}"
            output += "@"
        output += serialize_host(url.host)
        if url.port is not None:
            output += f":{url.port}"
    elif not isinstance(url.path, str) and len(url.path) > 1 and url.path[0] == "":
        output += "/."
    output += serialize_path(url)
    if url.query is not None:
        output += f"?{url.query}"
    if not exclude_fragment and url.fragment is not None:
        output += f"#{url.fragment}"
    return output


# https://url.spec.whatwg.org/#url-path-serializer
def serialize_path(url: LiteralURL) -> str:
    if isinstance(url.path, str):
        return url.path
    return "/" + "/".join(url.path) if url.path else ""


# https://url.spec.whatwg.org/#concept-host-serializer
def serialize_host(host: Host) -> str:
    if isinstance(host.value, int):
        return serialize_ipv4(host.value)
    if isinstance(host.value, tuple):
        return f"[{serialize_ipv6(host.value)}]"
    return host.value


# https://url.spec.whatwg.org/#concept-ipv4-serializer
def serialize_ipv4(address: int) -> str:
    output = ""
    n = address
    for i in range(1, 5):
        output = str(n % 256) + output
        if i != 4:
            output = "." + output
        n //= 256
    return output


# https://url.spec.whatwg.org/#concept-ipv6-serializer
def serialize_ipv6(address: tuple[int, ...]) -> str:
    output = ""
    compress = find_compressed_piece_index(address)
    ignore0 = False
    for piece_index, piece in enumerate(address):
        if ignore0 and piece == 0:
            continue
        ignore0 = False
        if compress == piece_index:
            output += "::" if piece_index == 0 else ":"
            ignore0 = True
            continue
        output += f"{piece:x}"
        if piece_index != 7:
            output += ":"
    return output


# https://url.spec.whatwg.org/#find-the-ipv6-address-compressed-piece-index
def find_compressed_piece_index(address: tuple[int, ...]) -> int | None:
    longest_index = None
    longest_size = 1
    found_index = None
    found_size = 0
    for piece_index, piece in enumerate(address):
        if piece != 0:
            if found_size > longest_size:
                longest_index = found_index
                longest_size = found_size
            found_index = None
            found_size = 0
        else:
            if found_index is None:
                found_index = piece_index
            found_size += 1
    if found_size > longest_size:
        return found_index
    return longest_index
