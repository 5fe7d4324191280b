"""The WHATWG URL Standard for Python, at C speed."""

from typing import TYPE_CHECKING

from weburl.errors import InvalidURL, PatternError
from weburl.search_params import URLSearchParams
from weburl.url import URL, FrozenURL, join, normalize
from weburl.validation import ValidationError, explain, is_valid, validate

if TYPE_CHECKING:
    from weburl.patterns import URLPattern

__all__ = [
    "URL",
    "FrozenURL",
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


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING"})


# With it, a type checker would take every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Imports URLPattern when it is asked for: most programs do without it."""
        if name == "URLPattern":
            from weburl.patterns import URLPattern

            return URLPattern
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
