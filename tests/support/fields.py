"""The fields that `parse_many` gives by default, except "error"; each is an attribute of `URL`."""

from __future__ import annotations

FIELDS = (
    "href protocol scheme username password host hostname port pathname search hash query fragment origin host_type"
).split()
