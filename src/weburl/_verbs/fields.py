"""The table of fields: what columns there can be, gathered from the rooms that write them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from weburl._crawl import columns as crawl
from weburl._hosts import columns as hosts
from weburl._patterns import columns as patterns
from weburl._redact import columns as redact
from weburl._verbs import columns as urls

if TYPE_CHECKING:
    from weburl._arrow.columns import Field

FIELDS: Final[dict[str, Field]] = {
    **urls.FIELDS,
    **hosts.FIELDS,
    **crawl.FIELDS,
    **patterns.FIELDS,
    **redact.FIELDS,
}

# What parse_many() gives by default, and all that it can give.
URL_FIELDS: Final = tuple(name for name, field in FIELDS.items() if field.use == "url")
PARSE_FIELDS: Final = tuple(name for name, field in FIELDS.items() if field.use != "own")
OWN_FIELDS: Final = tuple(name for name, field in FIELDS.items() if field.use == "own")
