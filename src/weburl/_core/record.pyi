from typing import Any

class Record:
    scheme_end: int
    username_end: int
    host_start: int
    host_end: int
    path_start: int
    query_start: int
    fragment_start: int
    port: int
    scheme_type: int
    host_type: int

class URLView: ...

class Span:
    start: int
    end: int

FILE: int
NOT_SPECIAL: int
OMITTED: int
FRAGMENT: int
HASH: int
HOST: int
HOSTNAME: int
HREF: int
PASSWORD: int
PATHNAME: int
PORT: int
PROTOCOL: int
QUERY: int
SCHEME: int
SEARCH: int
USERNAME: int

def clear_record(record: Any) -> None: ...
def has_credentials(record: Any) -> bool: ...
def has_port(record: Any) -> bool: ...
def is_opaque(href: str, record: Any) -> bool: ...
def part_text(href: str, record: Any, part: int) -> str: ...
def span(record: Any, length: int, part: int) -> Span: ...
def view_text(view: Any, href: str, record: Any) -> None: ...
