"""The WHATWG URL Standard for Python, at C speed."""

from weburl.errors import InvalidURL
from weburl.search_params import URLSearchParams
from weburl.url import URL, join, normalize
from weburl.validation import ValidationError, explain, is_valid, validate

__all__ = [
    "URL",
    "InvalidURL",
    "URLSearchParams",
    "ValidationError",
    "explain",
    "is_valid",
    "join",
    "normalize",
    "validate",
]
