"""The URL Standard of 2 July 2026, transcribed: https://url.spec.whatwg.org/

Read it next to the standard: all names are the same. It records the validation errors, which the fast parser does not.
The tests compare the two parsers.
"""

from weburl._literal.record import Host, LiteralURL, serialize_host, serialize_path, serialize_url
from weburl._literal.states import Outcome, RecordedError, parse

__all__ = [
    "Host",
    "LiteralURL",
    "Outcome",
    "RecordedError",
    "parse",
    "serialize_host",
    "serialize_path",
    "serialize_url",
]
