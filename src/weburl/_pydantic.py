"""What pydantic asks of `URL` and `FrozenURL`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NoReturn

from pydantic import PydanticUserError
from pydantic_core import (
    CoreSchema,
    InitErrorDetails,
    PydanticCustomError,
    PydanticKnownError,
    ValidationError,
    core_schema,
)

from weburl._diagnosis.credentials import without_secrets
from weburl.errors import InvalidURL

# The options of UrlConstraints for what a URL lacks, and the part that each gives it.
DEFAULTS: Final = {"default_host": "hostname", "default_port": "port", "default_path": "pathname"}


class URLSchema(dict[str, Any]):
    """pydantic's schema of a URL. `UrlConstraints` sets its items; what cannot hold for any URL is refused at once.

    `checks` are those of `weburl.ext.pydantic.URLConstraints`: each returns the error that a URL has, or None.
    """

    def __init__(self, cls: Any, url_classes: Any) -> None:
        super().__init__(core_schema.url_schema())
        self.cls = cls
        self.url_classes = url_classes
        self.checks: list[Callable[[Any], PydanticCustomError | None]] = []

    def __setitem__(self, name: str, value: Any) -> None:
        if name == "preserve_empty_path" and value:
            refuse(name, "by the URL Standard, http://example.com and http://example.com/ are the same URL")
        if name == "allowed_schemes":
            for scheme in value:
                if not is_scheme(scheme):
                    refuse(name, f"no URL has the scheme {scheme!r}: schemes are in lower case, without the colon")
        if name == "default_host":
            try:
                self.cls("x://h").replace(hostname=value)
            except InvalidURL as error:
                refuse(name, str(error))
        if name == "default_port" and not 0 <= value <= 65535:
            refuse(name, f"a port is a number from 0 to 65535, and {value!r} is not")
        super().__setitem__(name, value)

    def __reduce__(self) -> tuple[Any, ...]:
        # The attributes before the items, which need them.
        return type(self), (self.cls, self.url_classes), {"checks": self.checks}, None, iter(self.items())

    def validate(self, value: Any, handler: object) -> Any:
        """The value as a URL. `handler` is pydantic's own parser, which has other rules."""
        if isinstance(value, str):
            text = value
        elif isinstance(value, self.url_classes):
            text = value.href
        else:
            raise PydanticKnownError("url_type")
        unlimited = len(self) == 1  # its type, and no option
        if not unlimited:
            self.check_length(text, text)
        url = value if isinstance(value, self.cls) else parse(value, self.cls, text)
        return url if unlimited and not self.checks else self.constrained(url, text)

    def constrained(self, url: Any, text: str) -> Any:
        """The URL, with what it lacks and has a default."""
        schemes = self.get("allowed_schemes")
        if schemes is not None and url.scheme not in schemes:
            raise reported("url_scheme", text, expected_schemes=listed(schemes))
        url = self.with_defaults(url, text)
        self.check_length(url.href, text)
        if self.get("host_required") and not url.hostname:
            raise reported("url_parsing", text, error="host-missing")
        for check in self.checks:
            problem = check(url)
            if problem is not None:
                raise reported(problem, text)
        return url

    def check_length(self, url: str, text: str) -> None:
        """For the text and for the URL: either may be longer, and the JSON schema has one length for both."""
        limit = self.get("max_length")
        if limit is not None and len(url) > limit:
            raise reported("url_too_long", text, max_length=limit)

    def with_defaults(self, url: Any, text: str) -> Any:
        for option, part in DEFAULTS.items():
            if option in self and getattr(url, part) in ("", "/"):
                try:
                    url = url.replace(**{part: self[option]})
                except InvalidURL as error:
                    raise reported("url_parsing", text, error=f"{option}: {error.error}") from None
        return url


def core_schema_of(cls: Any, url_classes: Any) -> CoreSchema:
    """How pydantic validates and serializes URLs of a class. Values may be of `url_classes`, a class or several."""
    schema = URLSchema(cls, url_classes)
    return core_schema.no_info_wrap_validator_function(
        schema.validate, schema, serialization=core_schema.to_string_ser_schema(when_used="json")
    )


def parse(value: Any, cls: Any, text: str) -> Any:
    """A new URL of a class, or the error that pydantic reports."""
    try:
        return cls(value)
    except InvalidURL as error:
        raise reported("url_parsing", text, error=error.error) from None


def reported(kind: str | PydanticCustomError, text: str, **context: Any) -> ValidationError:
    """An error for pydantic, of one of its types or of an own. It shows the input, here without credentials."""
    details = InitErrorDetails(type=kind, input=without_secrets(text), ctx=context)
    return ValidationError.from_exception_data("URL", [details])


def listed(schemes: list[str]) -> str:
    """As pydantic has them in its own errors."""
    *others, last = map(repr, schemes)
    return f"{', '.join(others)} or {last}" if others else last


def is_scheme(text: object) -> bool:
    return (
        isinstance(text, str)
        and text.isascii()
        and text == text.lower()
        and text[:1].isalpha()
        and all(c.isalnum() or c in "+-." for c in text)
    )


def refuse(option: str, reason: str) -> NoReturn:
    raise PydanticUserError(f"{option}: {reason}", code=None)
