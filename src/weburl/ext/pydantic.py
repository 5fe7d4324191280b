"""Constraints for URLs in pydantic's models, and two types of text. `URL` is the type of a field without this module.

>>> from typing import Annotated
>>> from pydantic import BaseModel
>>> from weburl import URL
>>> from weburl.ext.pydantic import NormalizedURLStr, URLConstraints, URLStr
>>> class Page(BaseModel):
...     url: Annotated[URL, URLConstraints(hosts=["example.com"], no_credentials=True)]
...     as_given: URLStr
...     canonical: NormalizedURLStr
>>> page = Page(url="HTTP://EXAMPLE.com", as_given="HTTP://EXAMPLE.com", canonical="HTTP://EXAMPLE.com")
>>> page.url.hostname, page.as_given, page.canonical
('example.com', 'HTTP://EXAMPLE.com', 'http://example.com/')
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Annotated, Any

try:
    from pydantic import AfterValidator, PydanticUserError, UrlConstraints
    from pydantic_core import CoreSchema, PydanticCustomError
except ModuleNotFoundError as _error:
    raise ImportError("this needs pydantic: pip install pydantic") from _error

from weburl._hosts.schemes import WEB_SCHEMES
from weburl._pydantic import URLSchema, parse
from weburl.hosts import HostSet, url_host_matches
from weburl.url import URL

__all__ = ["NormalizedURLStr", "URLConstraints", "URLStr"]


def __dir__() -> list[str]:
    return __all__


@dataclass(kw_only=True)
class URLConstraints(UrlConstraints):  # type: ignore[misc]
    """Constraints for fields of the type `URL` or `FrozenURL`: pydantic's `UrlConstraints`, with two more options.

    >>> from typing import Annotated
    >>> from pydantic import TypeAdapter
    >>> link = TypeAdapter(Annotated[URL, URLConstraints(allowed_schemes=["https"], hosts=["example.com"])])
    >>> link.validate_python("https://www.example.com/a")
    URL('https://www.example.com/a')

    `hosts` says which hosts are allowed: a HostSet, or host patterns as in `url_host_matches`. Without
    `allowed_schemes`, it also refuses URLs that are not for the web, such as `javascript://example.com/`.
    `no_credentials` refuses URLs with a username or a password.
    """

    hosts: str | Iterable[str] | HostSet | None = None
    no_credentials: bool = False

    def __post_init__(self) -> None:
        if self.hosts is not None and not isinstance(self.hosts, HostSet):
            self.hosts = HostSet(self.hosts)

    def __hash__(self) -> int:
        return hash((super().__hash__(), id(self.hosts), self.no_credentials))

    @property
    def defined_constraints(self) -> dict[str, Any]:
        """Those of pydantic."""
        names = UrlConstraints.__dataclass_fields__
        return {name: value for name in names if (value := getattr(self, name)) is not None}

    def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> CoreSchema:
        schema = super().__get_pydantic_core_schema__(source, handler)
        inner = schema.get("schema")
        if not isinstance(inner, URLSchema):
            raise PydanticUserError("URLConstraints is for URL and FrozenURL of weburl", code=None)
        inner.checks.append(self._problem)
        return schema

    def _problem(self, url: Any) -> PydanticCustomError | None:
        if self.no_credentials and url.includes_credentials:
            return PydanticCustomError("url_credentials", "URL should have no username and no password")
        if self.hosts is not None:
            schemes = WEB_SCHEMES if self.allowed_schemes is None else self.allowed_schemes
            if not url_host_matches(url, self.hosts, schemes=schemes):
                return PydanticCustomError("url_host", "URL should have one of the allowed hosts")
        return None


def _validated(text: str) -> str:
    parse(text, URL, text)
    return text


def _normalized(text: str) -> str:
    url: URL = parse(text, URL, text)
    return url.href


class _Format:
    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(schema), "format": "uri"}


# A str that parses as a URL, unchanged.
URLStr = Annotated[str, AfterValidator(_validated), _Format()]
# A str that parses as a URL, as its serialization.
NormalizedURLStr = Annotated[str, AfterValidator(_normalized), _Format()]
