"""For crawlers: the URLs of the links of a page, and one key for each page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from weburl._crawl.canonical import canonicalize, fingerprint
from weburl._crawl.policy import CrawlPolicy, SurtPolicy
from weburl._crawl.policy import restore_policy as restore_policy  # for pickles
from weburl._crawl.redirects import redirect_target
from weburl._crawl.tracking import INDEX_NAMES, TRACKING_PARAMETERS
from weburl._unicode.encoding import get_output_encoding
from weburl._unicode.labels import label_of
from weburl.url import URL

if TYPE_CHECKING:
    from weburl.bulk import Column, OnError

__all__ = [
    "INDEX_NAMES",
    "TRACKING_PARAMETERS",
    "CrawlPolicy",
    "DocumentBase",
    "SurtPolicy",
    "canonicalize",
    "fingerprint",
    "label_of",
    "redirect_target",
]


def __dir__() -> list[str]:
    return __all__


# https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url
REFUSED_SCHEMES = frozenset(("data", "javascript"))


class DocumentBase:
    """DocumentBase(document_url, base_href=None, encoding="utf-8", *, about_base_url=None)

    An HTML document's base URL and encoding, by which its links are resolved.

    `document_url` is the document's URL, after redirects. `base_href` is the attribute `href` of the first `base`
    element that has one; it is ignored if it is not a URL, or a data: or javascript: URL. `encoding` is the document's
    character encoding, by any name that `label_of` takes; None, or a name that is not known, is windows-1252, as in
    browsers. `about_base_url` is the base URL of the document that created this one; it is used if `document_url` is
    about:blank or about:srcdoc. InvalidURL is raised if `document_url` or `about_base_url` does not parse.

    https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
    """

    __slots__ = ("_base", "_encoding")

    def __init__(
        self,
        document_url: str | URL,
        base_href: str | None = None,
        encoding: str | None = "utf-8",
        *,
        about_base_url: str | URL | None = None,
    ) -> None:
        label = label_of(encoding)
        self._encoding = "utf-8" if get_output_encoding(label).is_utf8 else label
        document, creator = URL(document_url), None if about_base_url is None else URL(about_base_url)
        self._base = creator if creator is not None and is_about_blank_or_srcdoc(document) else document
        if base_href is not None:
            base = URL.parse(base_href, self._base, encoding=self._encoding)
            if base is not None and base.scheme not in REFUSED_SCHEMES:
                self._base = base

    @property
    def href(self) -> str:
        """The document base URL."""
        return self._base.href

    @property
    def encoding(self) -> str:
        """The label of the encoding of queries; "utf-8" for UTF-8 and for UTF-16."""
        return self._encoding

    def resolve(self, href: str) -> URL | None:
        """The URL of a link, or None if it does not parse.

        https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url
        """
        return URL.parse(href, self._base, encoding=self._encoding)

    def resolve_many(self, hrefs: Any, *, threads: int | None = None, on_error: OnError = "null") -> Column:
        """The URLs of the page's links: a column of `weburl.bulk` with the serialization of each."""
        from weburl.bulk import normalize_many

        return normalize_many(hrefs, self._base, encoding=self._encoding, threads=threads, on_error=on_error)

    def __repr__(self) -> str:
        return f"<DocumentBase {self._base!r} {self._encoding}>"


# https://html.spec.whatwg.org/multipage/urls-and-fetching.html#matches-about:blank and #matches-about:srcdoc
def is_about_blank_or_srcdoc(url: URL) -> bool:
    if url.scheme != "about" or url.host_type is not None:
        return False
    return url.pathname == "blank" or (url.pathname == "srcdoc" and url.query is None)
