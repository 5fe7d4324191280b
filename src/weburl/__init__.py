"""The WHATWG URL Standard for Python, at C speed."""

from weburl.errors import InvalidURL, PatternError
from weburl.search_params import URLSearchParams
from weburl.url import URL, join, normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.patterns import URLPattern
    from weburl.validation import ValidationError, explain, is_valid, validate

__version__ = "0.2.0"
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


# Where the names are that most programs do without: __getattr__ imports them when they are asked for.
_LATER = {
    "URLPattern": "patterns",
    "ValidationError": "validation",
    "explain": "validation",
    "is_valid": "validation",
    "validate": "validation",
}


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING"})


# With it, a type checker would take every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        return globals().setdefault(name, getattr(import_module(f"weburl.{_LATER[name]}"), name))
