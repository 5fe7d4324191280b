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
    # Modules that have been imported are among them.
    names = {name for name in globals() if not name.startswith("_")} - {"TYPE_CHECKING", "add_absent"}
    return sorted({*names, *__all__, "__version__"})


class _NoAttribute(AttributeError):
    """Who only asks whether there is a name does not import what makes the message."""

    def __str__(self) -> str:
        from weburl._advice import not_in_package

        return not_in_package(self.args[0], __all__)


# With it, a type checker would take every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> object:
        """Imports what most programs do without, when it is asked for."""
        if name == "URLPattern":
            import weburl.patterns as module
        elif name in ("ValidationError", "explain", "is_valid", "validate"):
            import weburl.validation as module
        else:
            raise _NoAttribute(name, name=name)
        return globals().setdefault(name, getattr(module, name))
