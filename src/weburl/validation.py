"""What is wrong with a URL: https://url.spec.whatwg.org/#writing"""

from __future__ import annotations

from weburl._diagnosis.validation_error import ValidationError
from weburl.url import URL

__all__ = ["ValidationError", "explain", "is_valid", "validate"]


def __dir__() -> list[str]:
    return __all__


def validate(url: str | URL, base: str | URL | None = None, *, encoding: str = "utf-8") -> list[ValidationError]:
    """The validation errors of a URL, in the order in which the standard's parser finds them.

    If the URL does not parse, the last of them is its failure. There are none if, and only if, `is_valid` says that the
    URL is valid. The list has at most 10,000 errors: if there are more, the last but one is "more-errors", and its
    message says how many are left out. No error depends on `encoding`, which is that of `URL`: its label is checked.
    """
    from weburl._diagnosis.validation import validation_errors

    _check_label(encoding)
    return validation_errors(_text_of(url, URL_TYPES), None if base is None else _text_of(base, BASE_TYPES))


def is_valid(url: str | URL, base: str | URL | None = None) -> bool:
    """Whether a text is a valid URL string: https://url.spec.whatwg.org/#valid-url-string

    That is a question of grammar. It is stricter than whether the text parses. With a base that does not parse, no text
    is valid.
    """
    from weburl._diagnosis.grammar import is_valid_url_string
    from weburl._literal import LiteralURL

    text = _text_of(url, URL_TYPES)
    if base is None:
        return is_valid_url_string(text, None)
    base_url = URL.parse(_text_of(base, BASE_TYPES))
    return base_url is not None and is_valid_url_string(
        text, LiteralURL(base_url.scheme, path="" if base_url.has_opaque_path else [])
    )


def explain(url: str | URL, base: str | URL | None = None, *, encoding: str = "utf-8") -> str:
    """A picture in text of how a URL parses: its errors, its components, and what the parser changes in them.

    It is for people, so it may change between versions. Credentials are hidden, and characters that cannot be seen are
    escaped. The query is encoded with `encoding`, as by `URL`.
    """
    from weburl._diagnosis import picture

    _check_label(encoding)
    return picture.explain(_text_of(url, URL_TYPES), None if base is None else _text_of(base, BASE_TYPES), encoding)


URL_TYPES = "url must be a str or a URL"
BASE_TYPES = "base must be a str, a URL or None"


def _check_label(encoding: str) -> None:
    if not isinstance(encoding, str):
        raise TypeError(f"encoding must be a str, not {type(encoding).__name__}")
    if encoding != "utf-8":
        from weburl._unicode.encoding import get_output_encoding

        get_output_encoding(encoding)


def _text_of(url: object, types: str) -> str:
    if isinstance(url, URL):
        return url.href
    if isinstance(url, str):
        return str.__str__(url)
    hint = ": decode it first" if isinstance(url, (bytes, bytearray, memoryview)) else ""
    raise TypeError(f"{types}, not {type(url).__name__}{hint}")
