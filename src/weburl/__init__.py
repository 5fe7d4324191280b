"""The WHATWG URL Standard for Python, at C speed."""

from weburl.errors import InvalidURL
from weburl.search_params import URLSearchParams
from weburl.url import URL, join, normalize

__all__ = ["URL", "InvalidURL", "URLSearchParams", "join", "normalize"]
