from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypedDict

# As URLSearchParams() takes them. A str is one of these types, but is refused.
Params = Mapping[str, Any] | Iterable[Iterable[Any]]

ABSENT: dict[str, str]
SETTERS: dict[str, int]

class URLParts(TypedDict):
    scheme: str
    username: str
    password: str
    hostname: str | None
    port: int | None
    pathname: str
    query: str | None
    fragment: str | None

def add_absent(cls: type, like: str) -> None: ...
def append_segment(href: str, before: Any, segment: str, record: Any) -> str: ...
def bind_once(cls: type, base: type, name: str) -> int: ...
def has_colon(text: str) -> bool: ...
def build_text(
    scheme: str,
    username: str | None,
    password: str | None,
    host: str | None,
    host_name: str,
    port: str | int | None,
    path: str | None,
    path_segments: Iterable[str] | None,
    query: str | None,
    query_name: str,
    fragment: str | None,
    record: Any,
) -> str: ...
def decoded_path(href: str, record: Any) -> tuple[str, ...]: ...
def last_segment(href: str, record: Any) -> str: ...
def parts_of(href: str, record: Any) -> URLParts: ...
def port_value(port: str | int) -> str: ...
def segments_text(scheme: str, segments: Iterable[str]) -> str: ...
def set_refusal(function: Callable[[str, str, int], Exception]) -> None: ...
