"""The fields of all rooms: what columns there can be."""

from __future__ import annotations

from weburl._crawl import columns as crawl
from weburl._hosts import columns as hosts
from weburl._patterns import columns as patterns
from weburl._redact import columns as redact
from weburl._verbs import columns as urls

FIELDS = {**urls.FIELDS, **hosts.FIELDS, **crawl.FIELDS, **patterns.FIELDS, **redact.FIELDS}
