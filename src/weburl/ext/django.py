"""Fields for URLs in Django: one for models, one for forms, and an encoder for JsonResponse.

>>> from weburl.ext.django import URLFormField
>>> URLFormField().clean("HTTPS://EXAMPLE.com:443/a b")
FrozenURL('https://example.com/a%20b')
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

try:
    from django import forms
    from django.core.exceptions import ValidationError
    from django.core.serializers.json import DjangoJSONEncoder
    from django.db import models
except ModuleNotFoundError as _error:
    raise ImportError("this needs Django: pip install django weburl") from _error

from weburl._hosts.schemes import parse_schemes
from weburl.errors import InvalidURL
from weburl.url import URL, FrozenURL

__all__ = ["JSONEncoder", "URLField", "URLFormField"]


def __dir__() -> list[str]:
    return __all__


# The links that a page may show: javascript: and data: are not among them.
SCHEMES = ("http", "https")


def to_url(value: Any, schemes: Iterable[str] | None) -> FrozenURL | None:
    """The URL of a text; None for an empty one; or the error that Django shows, with the error's name as its code."""
    if value in (None, ""):
        return None
    try:
        url = FrozenURL(value)
    except InvalidURL as error:
        raise ValidationError(error.message, code=error.error) from None
    if schemes is not None and url.scheme not in parse_schemes(schemes):
        raise ValidationError("The scheme %(scheme)s: is not allowed.", code="scheme", params={"scheme": url.scheme})
    return url


class URLFormField(forms.CharField):  # type: ignore[misc]
    """URLFormField(*, schemes=("http", "https"), **options)

    A field of a form whose value is a `FrozenURL`, or None if it is empty.

    >>> URLFormField(schemes=["ftp"]).clean("ftp://example.com")
    FrozenURL('ftp://example.com/')

    `schemes` are those that are allowed; None allows all. `options` are those of `forms.CharField`; `max_length` and
    `validators` see the text of the URL. The error of a text that does not parse has the name of `InvalidURL.error` as
    its code.
    """

    widget: Any = forms.URLInput

    def __init__(self, *, schemes: Iterable[str] | None = SCHEMES, **options: Any) -> None:
        self.schemes = schemes
        super().__init__(**options)

    def to_python(self, value: Any) -> FrozenURL | None:
        return to_url(super().to_python(value), self.schemes)

    def run_validators(self, value: FrozenURL | None) -> None:
        super().run_validators(value and value.href)


if TYPE_CHECKING:
    # What may be assigned, and what is read.
    _CharField = models.CharField[URL | FrozenURL | str | None, FrozenURL | None]
else:
    _CharField = models.CharField


class URLField(_CharField):  # type: ignore[misc, valid-type]
    """URLField(*, schemes=("http", "https"), **options)

    A field of a model whose value is a `FrozenURL`.

    >>> field = URLField(schemes=["https"], null=True)
    >>> field.to_python("HTTPS://Example.com:443/a b"), field.get_prep_value("HTTPS://Example.com"), field.to_python("")
    (FrozenURL('https://example.com/a%20b'), 'https://example.com/', None)

    The column has the text; an empty text, or null, is None.

    `schemes` are those that forms and `full_clean` allow; None allows all. `options` are those of `models.CharField`.
    Comparisons take a URL in any spelling: `filter(url="HTTPS://EXAMPLE.com")` finds `https://example.com/`. A text in
    the column that does not parse raises InvalidURL when it is read.
    """

    def __init__(self, *arguments: Any, schemes: Iterable[str] | None = SCHEMES, **options: Any) -> None:
        self.schemes: tuple[str, ...] | None = schemes if schemes is None else tuple(schemes)
        super().__init__(*arguments, **options)

    def deconstruct(self) -> Any:
        name, path, arguments, options = super().deconstruct()
        if self.schemes != SCHEMES:
            options["schemes"] = self.schemes
        return name, path, arguments, options

    def from_db_value(self, value: str | None, expression: object, connection: object) -> FrozenURL | None:
        return FrozenURL(value) if value else None

    def to_python(self, value: Any) -> FrozenURL | None:
        return to_url(value, self.schemes)

    def run_validators(self, value: FrozenURL | None) -> None:
        super().run_validators(value and value.href)

    def get_prep_value(self, value: Any) -> str | None:
        if value in (None, ""):
            return None if self.null else ""
        return FrozenURL(value).href

    def value_to_string(self, obj: models.Model) -> str:
        return str(self.value_from_object(obj) or "")

    def formfield(self, **options: Any) -> Any:
        return super().formfield(**{"form_class": URLFormField, "schemes": self.schemes} | options)


class JSONEncoder(DjangoJSONEncoder):  # type: ignore[misc]
    """Django's encoder, which also takes URLs: `JsonResponse({"url": url}, encoder=JSONEncoder)`.

    >>> import json
    >>> json.dumps({"url": FrozenURL("https://example.com")}, cls=JSONEncoder)
    '{"url": "https://example.com/"}'
    """

    def default(self, o: Any) -> Any:
        return o.href if isinstance(o, (URL, FrozenURL)) else super().default(o)
