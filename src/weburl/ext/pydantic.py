"""URLs in pydantic: `URL` as the type of a field, and two types of text.

    >>> from pydantic import BaseModel
    >>> from weburl import URL
    >>> from weburl.ext.pydantic import NormalizedURLStr, URLStr
    >>> class Page(BaseModel):
    ...     url: URL
    ...     as_given: URLStr
    ...     canonical: NormalizedURLStr
    >>> page = Page(url="HTTP://EXAMPLE.com", as_given="HTTP://EXAMPLE.com", canonical="HTTP://EXAMPLE.com")
    >>> page.url.hostname, page.as_given, page.canonical
    ('example.com', 'HTTP://EXAMPLE.com', 'http://example.com/')

What is no URL is an error of the type `url_parsing`, whose context has the standard's name for what is wrong. `URL`
needs no import of this module, and becomes a string in JSON.
"""

from __future__ import annotations

from typing import Annotated, Any

try:
    from pydantic import AfterValidator
    from pydantic_core import CoreSchema, PydanticCustomError, core_schema
except ModuleNotFoundError as error:
    raise ImportError("this needs pydantic: pip install pydantic") from error

from weburl.errors import InvalidURL
from weburl.url import URL

__all__ = ["NormalizedURLStr", "URLStr"]


def __dir__() -> list[str]:
    return __all__


def core_schema_of(cls: type[URL]) -> CoreSchema:
    """How pydantic validates and serializes URLs of a class."""

    def validate(value: Any) -> URL:
        if isinstance(value, cls):
            return value
        if not isinstance(value, (str, URL)):
            raise PydanticCustomError("url_type", "URL input should be a string or URL")
        return _parse(value, cls)

    return core_schema.no_info_plain_validator_function(
        validate, serialization=core_schema.to_string_ser_schema(when_used="json")
    )


def _parse(value: str | URL, cls: type[URL]) -> URL:
    try:
        return cls(value)
    except InvalidURL as error:
        raise PydanticCustomError(
            "url_parsing", "Input should be a valid URL, {error}", {"error": error.error}
        ) from None


def _validated(text: str) -> str:
    _parse(text, URL)
    return text


def _normalized(text: str) -> str:
    return _parse(text, URL).href


class _Format:
    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(schema), "format": "uri"}


# A str that parses as a URL, as it was given.
URLStr = Annotated[str, AfterValidator(_validated), _Format()]
# The serialization of a URL.
NormalizedURLStr = Annotated[str, AfterValidator(_normalized), _Format()]
