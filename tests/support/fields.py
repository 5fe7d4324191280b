"""What a URL has: the fields that `parse_many` gives by default, and the attributes of `URL`."""

from __future__ import annotations

import inspect
from typing import Final

from weburl import URL
from weburl.bulk import parse_many

# Each of these is an attribute, too; "error" is not.
FIELDS: Final = [name for name in parse_many([]).column_names if name != "error"]
WRITABLE: Final = (
    "href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash",
)  # fmt: skip
ATTRIBUTES: Final = tuple(
    name
    for name, value in vars(URL).items()
    # What other libraries have raises an AttributeError, which says what to write.
    if inspect.isdatadescriptor(value) and name[0] != "_" and hasattr(URL, name)
)
READ_ONLY: Final = tuple(name for name in ATTRIBUTES if name not in WRITABLE)
