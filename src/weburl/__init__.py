"""The WHATWG URL Standard for Python, at C speed."""

from weburl.errors import InvalidURL, PatternError
from weburl.patterns import URLPattern
from weburl.search_params import URLSearchParams
from weburl.url import URL, join, normalize
from weburl.validation import ValidationError, explain, is_valid, validate

__all__ = [
    "URL",
    "InvalidURL",
    "PatternError",
    "URLPattern",
    "URLSearchParams",
    "ValidationError",
    "explain",
    "is_valid",
    "join",
    "normalize",
    "validate",
]
