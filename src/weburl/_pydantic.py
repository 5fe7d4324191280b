"""What pydantic asks of `URL`."""

from __future__ import annotations

from typing import Any

from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from weburl.errors import InvalidURL


def core_schema_of(cls: type[Any], url_class: type[Any]) -> CoreSchema:
    """How pydantic validates and serializes URLs of a class: `url_class`, which is `URL`, or a subclass of it."""

    def validate(value: object) -> Any:
        if isinstance(value, cls):
            return value
        if not isinstance(value, (str, url_class)):
            raise PydanticCustomError("url_type", "URL input should be a string or URL")
        return parse(value, cls)

    return core_schema.no_info_plain_validator_function(
        validate, serialization=core_schema.to_string_ser_schema(when_used="json")
    )


def parse(value: object, cls: Any) -> Any:
    """A new URL of a class, or the error that pydantic reports."""
    try:
        return cls(value)
    except InvalidURL as error:
        raise PydanticCustomError(
            "url_parsing", "Input should be a valid URL, {error}", {"error": error.error}
        ) from None
