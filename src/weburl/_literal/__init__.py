"""The URL Standard of 2 July 2026, transcribed, with the changes up to 7 October 2026: https://url.spec.whatwg.org/

The changes are not transcribed: they follow the behaviour of whatwg-url 17.3.0 (docs/conformance.md).

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
