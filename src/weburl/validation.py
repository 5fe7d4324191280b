"""What is wrong with a URL: https://url.spec.whatwg.org/#writing"""

from __future__ import annotations

from weburl._diagnosis.validation_error import ValidationError
from weburl.errors import InvalidURL
from weburl.url import URL, FrozenURL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from weburl._diagnosis.grammar import Kind

__all__ = ["ValidationError", "explain", "is_valid", "validate"]


def __dir__() -> list[str]:
    return __all__


def validate(
    url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None, *, encoding: str = "utf-8"
) -> list[ValidationError]:
    """The validation errors of a URL, in the order in which the standard's parser finds them.

    >>> [(error.name, error.failure) for error in validate("https://ada:pw@example.com:8o/")]
    [('invalid-credentials', False), ('port-invalid', True)]

    If the URL does not parse, the last error is the reason. The list is empty if `is_valid` is true, and only then. It
    has at most 10,000 errors. If there are more, the last error but one is "more-errors", and its message says how many
    are left out. InvalidURL is raised if the base does not parse. `encoding` must be a label that is known, but no
    error depends on it.
    """
    from weburl._diagnosis.validation import validation_errors

    _check_label(encoding)
    text = _text_of(url, URL_TYPES)
    return validation_errors(text, None if base is None else _base_of(base, text))


def is_valid(
    text: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None, *, kind: Kind = "valid-url"
) -> bool:
    """Whether a text is a valid URL string. Not all texts that parse are valid.

    >>> is_valid("https://example.com/a b"), URL.can_parse("https://example.com/a b")
    (False, True)
    >>> is_valid("a%20b?q", kind="url-query")
    True

    https://url.spec.whatwg.org/#valid-url-string says what is valid. InvalidURL is raised if the base does not parse.

    `kind` tests for another kind of string, such as "absolute-url", "url-query" or "valid-host". The name is that of
    the standard in lower case, without the word "string". The kinds "relative-url" and "relative-url-with-fragment"
    need a base. The default takes a base or none. For all other kinds, a base raises ValueError.
    """
    from weburl._diagnosis.grammar import ALONE, RELATIVE, is_valid_string
    from weburl._literal import LiteralURL

    checked = _text_of(text, TEXT_TYPES)
    if not isinstance(kind, str) or kind not in {"valid-url", *ALONE, *RELATIVE}:
        from weburl._diagnosis.messages import shown_argument

        names = ", ".join(sorted(["valid-url", *ALONE, *RELATIVE]))
        raise ValueError(f"kind must be one of {names}, not {shown_argument(kind)}")
    if base is None:
        if kind in RELATIVE:
            raise ValueError(f"kind {kind!r} needs a base: it depends on the base's scheme and path")
        return is_valid_string(checked, kind, None)
    base_text = _text_of(base, BASE_TYPES)
    if kind in ALONE:
        raise ValueError(f"kind {kind!r} has no base: only valid-url, relative-url and relative-url-with-fragment have")
    base_url = URL(_base_of(base_text, checked))
    return is_valid_string(checked, kind, LiteralURL(base_url.scheme, path="" if base_url.has_opaque_path else []))


def explain(url: str | URL | FrozenURL, base: str | URL | FrozenURL | None = None, *, encoding: str = "utf-8") -> str:
    """A text for people that shows how a URL parses: its errors, its parts, and what the parser changes.

    >>> print(explain("https://example.com/a/../50% off"))
    input   https://example.com/a/../50% off
                                       ^ 1
                                        ^ 2
      1. invalid-URL-unit: Two hexadecimal digits have to follow %: write %25 for a percent sign.
      2. invalid-URL-unit: A valid URL cannot have ' ' here: write %20 instead.
    href    https://example.com/50%%20off
    <BLANKLINE>
      scheme    0:5       https
      host      8:19      example.com (domain)
      path      19:29     /50%%20off
    <BLANKLINE>
    Step by step:
      '..' removes the segment before it, 'a'.
            https://example.com
    <BLANKLINE>
    Changes:
      dot segments removed: 1
            https://url.spec.whatwg.org/#path-state
      path percent-encoded: ' ' -> %20
            https://url.spec.whatwg.org/#path-percent-encode-set

    It is for people, so it may change between versions. Credentials are hidden, and characters that cannot be seen are
    escaped. The query is encoded with `encoding`, as by `URL`. If the base does not parse, the picture is of the base.
    """
    from weburl._diagnosis import picture

    _check_label(encoding)
    return picture.explain(_text_of(url, URL_TYPES), None if base is None else _text_of(base, BASE_TYPES), encoding)


TEXT_TYPES = "text must be a str or a URL"
URL_TYPES = "url must be a str or a URL"
BASE_TYPES = "base must be a str, a URL or None"


def _check_label(encoding: str) -> None:
    if not isinstance(encoding, str):
        from weburl._advice import wrong_type

        raise wrong_type(encoding, "encoding must be a str")
    if encoding != "utf-8":
        from weburl._unicode.encoding import get_output_encoding

        get_output_encoding(encoding)


def _base_of(base: str | URL | FrozenURL, url: str) -> str:
    """The text of a base; InvalidURL if it does not parse."""
    text = _text_of(base, BASE_TYPES)
    if not URL.can_parse(text):
        raise InvalidURL(url, text, "base")
    return text


def _text_of(url: object, types: str) -> str:
    if isinstance(url, (URL, FrozenURL)):
        return url.href
    if isinstance(url, str):
        return str.__str__(url)
    from weburl._advice import wrong_type

    raise wrong_type(url, types)
