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

Text that does not parse as a URL is an error of the type `url_parsing`; its context has the standard's name for what is
wrong. As the type of a field, `URL` works without an import of this module; in JSON it becomes a string.
"""

from __future__ import annotations

from typing import Annotated, Any

try:
    from pydantic import AfterValidator
except ModuleNotFoundError as error:
    raise ImportError("this needs pydantic: pip install pydantic") from error

from weburl._pydantic import parse
from weburl.url import URL

__all__ = ["NormalizedURLStr", "URLStr"]


def __dir__() -> list[str]:
    return __all__


def _validated(text: str) -> str:
    parse(text, URL)
    return text


def _normalized(text: str) -> str:
    url: URL = parse(text, URL)
    return url.href


class _Format:
    def __get_pydantic_json_schema__(self, schema: Any, handler: Any) -> dict[str, Any]:
        return {**handler(schema), "format": "uri"}


# A str that parses as a URL, unchanged.
URLStr = Annotated[str, AfterValidator(_validated), _Format()]
# A str that parses as a URL, as its serialization.
NormalizedURLStr = Annotated[str, AfterValidator(_normalized), _Format()]
