"""The WHATWG URL Standard for Python, at C speed."""

from weburl._core.parts import add_absent
from weburl.errors import InvalidURL, PatternError
from weburl.search_params import URLSearchParams
from weburl.url import URL, FrozenURL, join, normalize

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl.patterns import URLPattern
    from weburl.validation import ValidationError, explain, is_valid, validate

__version__ = "0.2.0"
add_absent(URL, "URL")
add_absent(FrozenURL, "URL")
add_absent(URLSearchParams, "URLSearchParams")

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
    return sorted({*globals(), *__all__} - {"TYPE_CHECKING", "add_absent"})


# With it, a type checker would take every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Imports what most programs do without, when it is asked for."""
        if name == "URLPattern":
            import weburl.patterns as module
        elif name in ("ValidationError", "explain", "is_valid", "validate"):
            import weburl.validation as module
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return globals().setdefault(name, getattr(module, name))
