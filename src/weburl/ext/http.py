"""What the clients of HTTP have in common: what `fetch` gives, and what it raises.

>>> from weburl.ext.http import NotFetched
>>> issubclass(NotFetched, ValueError)
True
"""

from __future__ import annotations

from dataclasses import dataclass

from weburl.url import URL

__all__ = ["Fetched", "NotFetched"]


def __dir__() -> list[str]:
    return __all__


class NotFetched(ValueError):
    """Raised in place of a request that is not allowed, or of a response that does not keep to the limits.

    >>> str(NotFetched("not fetched: ftp: is not a scheme for the web"))
    'not fetched: ftp: is not a scheme for the web'
    """

    def __init__(self, message: str) -> None:
        super().__init__(message)


@dataclass(frozen=True, repr=False)
class Fetched:
    """A response: its `url` after the redirects, `status`, `headers` as bytes, and `body`.

    >>> page = Fetched(URL("https://example.com/b"), 200, ((b"Content-Type", b"text/html"),), b"<p>Hi", False, ())
    >>> page.url, page.status, page.body
    (URL('https://example.com/b'), 200, b'<p>Hi')

    `redirected_from` has the URLs before the redirects. `truncated` says that the body is not whole: the server sent
    more than the limit, or gzip that does not end or has too many members.
    """

    url: URL
    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    truncated: bool
    redirected_from: tuple[URL, ...]

    def header(self, name: str) -> str | None:
        """The first header with this name, in any case; each byte is a character.

        >>> page = Fetched(URL("https://example.com/"), 200, ((b"Content-Type", b"text/html"),), b"", False, ())
        >>> page.header("content-type"), page.header("location")
        ('text/html', None)
        """
        wanted = name.lower().encode("ascii", "replace")
        return next((value.decode("latin-1") for key, value in self.headers if key.lower() == wanted), None)

    def __repr__(self) -> str:
        return f"<Fetched {self.status} {self.url!r} {len(self.body)} bytes>"
