"""For crawlers: the URLs of the links of a page, and one key for each page."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

from weburl._core.arguments import need_iterable, wrong_type
from weburl._crawl.canonical import canonicalize, fingerprint, host_group, shard, without_parameters
from weburl._crawl.directives import RobotsDirectives, of_metas
from weburl._crawl.policy import CrawlPolicy, SurtPolicy, find_policy
from weburl._crawl.policy import restore_policy as restore_policy  # for pickles
from weburl._crawl.redirects import redirect_target
from weburl._crawl.surt_keys import ssurt, surt_range
from weburl._crawl.tracking import INDEX_NAMES, TRACKING_PARAMETERS
from weburl._unicode.encoding import get_encoding, get_output_encoding
from weburl._unicode.labels import find_label, label_of
from weburl.errors import InvalidURL
from weburl.url import URL, FrozenURL

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence
    from typing import Literal

    from weburl._crawl.important import ImportantParams, ParameterUse, important_params
    from weburl._crawl.pages import Link
    from weburl._crawl.policy import Policy
    from weburl._verbs.links import LinkTable, PageEncoding
    from weburl.bulk import Column, OnError

    LinkKind = Literal["link", "image", "script", "style", "frame", "form", "refresh", "media"]

__all__ = [
    "INDEX_NAMES",
    "TRACKING_PARAMETERS",
    "CrawlPolicy",
    "DocumentBase",
    "ImportantParams",
    "LinkTable",
    "PageEncoding",
    "ParameterUse",
    "RobotsDirectives",
    "SurtPolicy",
    "canonicalize",
    "fingerprint",
    "host_group",
    "important_params",
    "label_of",
    "link_header",
    "page_links",
    "redirect_target",
    "shard",
    "sitemap_links",
    "ssurt",
    "surt_range",
    "trap_key",
    "without_tracking",
]


def __dir__() -> list[str]:
    return __all__


# With it, a type checker would take every name.
if not TYPE_CHECKING:

    def __getattr__(name: str) -> Any:
        """What needs more modules."""
        if name in {"LinkTable", "PageEncoding"}:
            from weburl._verbs import links

            return getattr(links, name)
        if name in {"ImportantParams", "ParameterUse", "important_params"}:
            from weburl._crawl import important

            return getattr(important, name)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


# Bytes: of the URLs of a page, if each link had that of its base.
MOST_OF_BASES = 1 << 30

# https://html.spec.whatwg.org/multipage/semantics.html#set-the-frozen-base-url
REFUSED_SCHEMES = frozenset(("data", "javascript"))


class DocumentBase:
    """DocumentBase(document_url, base_href=None, *, encoding="utf-8", about_base_url=None)

    The base URL and the encoding of a page, with which its links are resolved.

    >>> page = DocumentBase("https://example.com/docs/tour", "/static/", encoding="windows-1252")
    >>> page.resolve("search?q=café").href
    'https://example.com/static/search?q=caf%E9'

    `document_url` is the document's URL, after redirects. `base_href` is the attribute `href` of the first `base`
    element that has one; it is ignored if it is not a URL, or a data: or javascript: URL. `encoding` is the document's
    character encoding, by any name that `label_of` takes; None, or a name that is not known, is windows-1252, as in
    browsers. `about_base_url` is the base URL of the document that created this one; it is used if `document_url` is
    about:blank or about:srcdoc. InvalidURL is raised if `document_url` or `about_base_url` does not parse; its error is
    "base" for `about_base_url`.

    https://html.spec.whatwg.org/multipage/urls-and-fetching.html#document-base-url
    """

    __slots__ = ("_base", "_encoding")

    def __init__(
        self,
        document_url: str | URL | FrozenURL,
        base_href: str | None = None,
        *,
        encoding: str | None = "utf-8",
        about_base_url: str | URL | FrozenURL | None = None,
    ) -> None:
        self._encoding = "utf-8" if encoding == "utf-8" else output_label(encoding)
        document = URL(need_url(document_url, "document_url"))
        creator = None if about_base_url is None else base_of(need_url(about_base_url, "about_base_url"))
        self._base = creator if creator is not None and is_about_blank_or_srcdoc(document) else document
        if base_href is not None:
            base = URL.parse(need_url(base_href, "base_href"), self._base, encoding=self._encoding)
            if base is not None and base.scheme not in REFUSED_SCHEMES:
                self._base = base

    @property
    def href(self) -> str:
        """The URL that relative links of the page are resolved against.

        >>> DocumentBase("https://example.com/docs/", "javascript:alert(1)").href  # such a base is ignored
        'https://example.com/docs/'
        """
        return self._base.href

    @property
    def encoding(self) -> str:
        """The encoding of the queries of the page's links, by its label.

        >>> DocumentBase("https://example.com/", encoding="latin-1").encoding
        'windows-1252'

        It is "utf-8" for UTF-8 and for UTF-16.
        """
        return self._encoding

    def resolve(self, href: str) -> URL | None:
        """The URL of a link of the page; None if it does not parse.

        >>> page = DocumentBase("https://example.com/docs/tour", "https://cdn.example.com/v2/")
        >>> page.resolve("../logo.svg"), page.resolve("https://exa mple.com/")
        (URL('https://cdn.example.com/logo.svg'), None)

        https://html.spec.whatwg.org/multipage/urls-and-fetching.html#encoding-parsing-a-url
        """
        try:
            return URL.parse(href, self._base, encoding=self._encoding)
        except TypeError:
            if isinstance(href, (str, URL, FrozenURL)):
                raise
        raise wrong_type(href, "href must be a str or a URL")

    def resolve_many(self, hrefs: Any, *, threads: int | None = None, on_error: OnError = "null") -> Column:
        """The URLs of many links of the page, as a column of `weburl.bulk`; null for those that do not parse.

        >>> DocumentBase("https://example.com/docs/tour").resolve_many(["api", "?v=2", "//:80/"]).to_pylist()
        ['https://example.com/docs/api', 'https://example.com/docs/tour?v=2', None]
        """
        from weburl._arrow.cutting import need_column
        from weburl.bulk import normalize_many

        need_column(hrefs, "hrefs")
        return normalize_many(hrefs, self._base, encoding=self._encoding, threads=threads, on_error=on_error)

    def __repr__(self) -> str:
        return f"<DocumentBase {self._base!r} {self._encoding}>"


def output_label(encoding: str | None) -> str:
    return get_output_encoding(label_of(encoding)).label


def without_tracking(
    url: str | URL | FrozenURL, parameters: Collection[str] = TRACKING_PARAMETERS, *, encoding: str = "utf-8"
) -> str:
    """The URL without the parameters that track a visit. All others stay as they are written.

    >>> without_tracking("https://example.com/?id=7&utm_source=mail&sig=a%2fb")
    'https://example.com/?id=7&sig=a%2fb'

    `parameters` are the names to remove, in lower case; they match in any case. `utm_*` stands for all names that begin
    with `utm_`. A name can have a condition, as in `CrawlPolicy`: `si@youtube.com`. ValueError is raised for a name
    that can match nothing, and InvalidURL if the URL does not parse. `encoding` is the encoding of the query.
    """
    policy = ONLY_TRACKING
    if parameters is not TRACKING_PARAMETERS:
        need_iterable(parameters, "parameters must be a collection of str")
        policy = CrawlPolicy(tracking_parameters=parameters, index_names=(), remove_session_ids=False)
    return without_parameters(url, policy, encoding)


ONLY_TRACKING = CrawlPolicy(index_names=(), remove_session_ids=False)


def trap_key(url: str | URL | FrozenURL, *, encoding: str = "utf-8") -> str:
    """One key for the pages of a trap, such as a calendar or a list with filters.

    >>> trap_key("https://example.com/cal/2026/11?view=day"), trap_key("https://example.com/cal/1999/1?view=week")
    ('example.com/cal/{int}?view', 'example.com/cal/{int}?view')
    >>> trap_key("https://example.com/list?size=9&color=red"), trap_key("https://example.com/a/b/a/b/a/b/c")
    ('example.com/list?color&size', 'example.com/a/b/c')

    The key has the host with its port, the path as `weburl.redact.path_template` writes it, and the sorted names of the
    query. Of segments that follow themselves, one is kept; of digits in names, `{int}`. Parameters that `canonicalize`
    removes do not count. InvalidURL is raised if a str does not parse. `encoding` is the encoding of the query.
    """
    return find_trap_key()(url, encoding=encoding)


@cache
def find_trap_key() -> Callable[..., str]:
    from weburl._redact.columns import trap_key

    return trap_key


def page_links(
    html: bytes | str,
    url: str | URL | FrozenURL,
    *,
    charset: str | None = None,
    fallback_charset: str | Callable[[bytes], str | None] | None = None,
    kinds: LinkKind | Iterable[LinkKind] = ("link", "frame", "refresh"),
    policy: str | Policy = "crawl/1",
    about_base_url: str | URL | FrozenURL | None = None,
) -> LinkTable:
    """The links that a browser finds in a page of HTML, in the order of the page, as a table of `weburl.bulk`.

    >>> page = '<base href="/docs/"><a href="tour?utm_source=x">Tour</a> <a href="//:80/">none</a>'
    >>> [(link["text"], link["href"], link["error"]) for link in page_links(page, "https://example.com/")]
    [('Tour', 'https://example.com/docs/tour?utm_source=x', None), ('none', None, 'host-missing')]

    Its columns are `kind`, `tag`, `attribute`, `value` (the attribute's, or the URL in it), `text` (of the link, or the
    alternative of an image, or the seconds of a refresh), `rel`, `hreflang`, `type`, `href` (the URL),
    `registrable_domain`, `key` (the fingerprint of 64 bits under `policy`) and `error` (the name of the error, if
    `href` is None because the URL does not parse).

    `url` is the URL of the page, after redirects. `charset` is the parameter of the response's Content-Type; an unknown
    label is ignored. Without a `charset`, the encoding of bytes comes from their byte order mark, or from a meta
    element. A page that declares none is in `fallback_charset`: a name that `label_of` takes, or a function that gets
    the bytes and returns such a name or None. Without that, it is in windows-1252. A `str` is treated like a page in
    UTF-8. `about_base_url` is for a document at about:srcdoc or about:blank, as in `DocumentBase`.

    The table is a `LinkTable`: its `encoding`, `base`, `canonical` and `robots` are what the page says of itself.

    If `url` or `about_base_url` does not parse, InvalidURL is raised with the error "base". ValueError is raised if the
    URLs of all links would take more than a gigabyte.

    It needs the extra `html`: selectolax, webencodings and publicsuffixlist.
    """
    from weburl._crawl.pages import KINDS, read_page
    from weburl._verbs.links import LinkTable, PageEncoding, link_table

    if charset is not None and not isinstance(charset, str):
        raise wrong_type(charset, "charset must be a str or None")
    if isinstance(fallback_charset, str):
        if find_label(fallback_charset) is None:
            from weburl._diagnosis.messages import shown_argument

            shown = shown_argument(fallback_charset)
            raise ValueError(f"fallback_charset must be the name of an encoding, not {shown}")
    elif fallback_charset is not None and not callable(fallback_charset):
        raise wrong_type(fallback_charset, "fallback_charset must be a str, a function of bytes, or None")
    find_policy(policy)  # an error is raised before the page is read
    wanted: frozenset[str] = frozenset((kinds,) if isinstance(kinds, str) else kinds)
    if not wanted <= frozenset(KINDS):
        from weburl._diagnosis.messages import shown_argument

        others = ", ".join(map(shown_argument, sorted(wanted.difference(KINDS))))
        raise ValueError(f"kinds must be of {', '.join(KINDS)}, not {others}")
    document = base_of(url)
    page = read_page(html, charset, wanted, fallback_charset)
    fallback = base = DocumentBase(document, encoding=page.label, about_base_url=about_base_url)
    if page.base_href is not None:
        base = DocumentBase(document, page.base_href, encoding=page.label, about_base_url=about_base_url)
    texts, urls, have_base = columns_of_page(page.links)
    if "refresh" in texts["kind"]:
        texts, urls, have_base = columns_of_page(without_more_refreshes(page.links, base, fallback))
    need_room(len(urls), base.href, fallback.href)
    if None in urls:
        urls = [document.href if url is None else url for url in urls]
    bases: str | list[str] = base.href
    if base.href != fallback.href and not all(have_base):
        bases = [base.href if has_base else fallback.href for has_base in have_base]
    canonicals = filter(None, map(base.resolve, page.canonicals))
    return LinkTable(
        [link_table(texts, urls, bases, base.encoding, policy)],
        base.href,
        next((canonical.href for canonical in canonicals), None),
        PageEncoding(get_encoding(page.label).label, page.source),
        of_metas(page.metas),
    )


def link_header(value: bytes | str, base: str | URL | FrozenURL, *, policy: str | Policy = "crawl/1") -> LinkTable:
    """The links in the header `Link` of a response, as a table like that of `page_links`.

    >>> links = link_header('</list?page=3>; rel="next", </tea>; rel=canonical', "https://example.com/list?page=2")
    >>> [(link["rel"], link["href"]) for link in links], links.canonical
    ([('next', 'https://example.com/list?page=3'), ('canonical', 'https://example.com/tea')], 'https://example.com/tea')

    `base` is the URL of the response. Give the bytes of the header if you can, as to `redirect_target`. Several headers
    are one value with commas between them.

    `value` is the URL as it is written, `text` the title, `rel` the relations as they are written, `hreflang` and
    `type` are the parameters of these names. `kind` is None for relations that `page_links` leaves out. The table has
    one more column, `anchor`: a link that has one is not a link of this page, but of the URL there.

    Text that is not a link is skipped. No text raises an exception. InvalidURL is raised, with the error "base", if
    `base` does not parse, and ValueError if the URLs of all links would take more than a gigabyte.

    https://www.rfc-editor.org/rfc/rfc8288#section-3
    """
    from weburl._crawl.link_headers import HeaderLink, read_links
    from weburl._verbs.links import LinkTable, link_table

    used = find_policy(policy)
    document = base_of(need_url(base, "base"))
    links = [*read_links(value)]
    need_room(len(links), document.href)
    texts, urls = columns_of_links(links, HeaderLink._fields)
    own = (link.url for link in links if link.anchor is None and "canonical" in (link.rel or "").lower().split())
    canonicals = filter(None, (URL.parse(url, document) for url in own))
    table = link_table(texts, urls, document.href, "utf-8", used)
    return LinkTable([table], document.href, next((canonical.href for canonical in canonicals), None))


def sitemap_links(
    data: bytes | str, url: str | URL | FrozenURL, *, charset: str | None = None, policy: str | Policy = "crawl/1"
) -> LinkTable:
    """The URLs in a sitemap or a feed, as a table like that of `page_links`.

    >>> data = b"<urlset><url><loc>https://example.com/a</loc><lastmod>2026-11-28</lastmod></url></urlset>"
    >>> [(link["kind"], link["href"], link["lastmod"]) for link in sitemap_links(data, "https://example.com/sitemap.xml")]
    [('link', 'https://example.com/a', '2026-11-28')]

    `data` is the file: a sitemap or an index of sitemaps, a text with a URL on each line, or a feed in RSS or Atom.
    Each may be packed with gzip. A `str` is text that is decoded already. `url` is the URL of the file. `charset` is
    the parameter of the response's Content-Type.

    `kind` is "sitemap" for the sitemaps of an index, "link" for pages, and "image", "media" or "frame" for what belongs
    to them. The table has one more column, `lastmod`: the date of the entry, as it is written.

    The URLs in sitemaps must be absolute, so a relative one has no `href`, but an `error`. Those in feeds may be
    relative.

    Of a file, 50 MB are read, unpacked. Entities that a file declares are not read. No bytes raise an exception: what
    is not read is in the table's `warnings`. InvalidURL is raised, with the error "base", if `url` does not parse.
    """
    from weburl._crawl.sitemaps import SiteLink, read_sitemap
    from weburl._verbs.links import LinkTable, PageEncoding, link_table

    if charset is not None and not isinstance(charset, str):
        raise wrong_type(charset, "charset must be a str or None")
    used = find_policy(policy)
    document = base_of(need_url(url, "url"))
    found = read_sitemap(data, charset, document)
    texts, bases = columns_of_links(found.links, SiteLink._fields)
    urls = [link.value for link in found.links]
    table = link_table(texts, urls, bases if found.is_feed else None, "utf-8", used)
    encoding = PageEncoding(label_of(found.label), found.source)
    return LinkTable([table], document.href, None, encoding, None, found.warnings)


def columns_of_links(links: Sequence[tuple[Any, ...]], names: Sequence[str]) -> tuple[dict[str, list[Any]], list[Any]]:
    """The columns of a table with the texts of links, and the last column, which is not in the table."""
    columns = [*map(list, zip(*links, strict=True))] or [[] for _ in names]
    last = columns.pop()
    return dict(zip(names, columns, strict=False)), last


def columns_of_page(links: Sequence[Link]) -> tuple[dict[str, list[Any]], list[Any], list[bool]]:
    """The columns of a table of a page, and what is resolved of each link, and whether with the base element."""
    from weburl._crawl.pages import Link

    texts, have_base = columns_of_links(links, Link._fields)
    return texts, texts.pop("url"), have_base


def need_room(count: int, *bases: str) -> None:
    longest = max(map(len, bases))
    if longest * count > MOST_OF_BASES:
        raise ValueError(f"there are {count} links and a base of {longest} bytes: too much for their URLs")


# https://html.spec.whatwg.org/multipage/semantics.html#shared-declarative-refresh-steps
def without_more_refreshes(links: list[Link], base: DocumentBase, fallback: DocumentBase) -> list[Link]:
    """The links with the refresh that counts, which is the first whose URL parses, and those before it."""
    kept = []
    is_set = False
    for link in links:
        if link.kind == "refresh":
            url = URL("about:blank") if link.url is None else (base if link.has_base else fallback).resolve(link.url)
            if is_set or (url is not None and url.scheme == "javascript"):
                continue
            is_set = url is not None
        kept.append(link)
    return kept


def need_url(url: str | URL | FrozenURL, what: str) -> str | URL | FrozenURL:
    """The argument, if it is a str or a URL; `what` is its name."""
    if not isinstance(url, (str, URL, FrozenURL)):
        raise wrong_type(url, f"{what} must be a str or a URL")
    return url


def base_of(url: str | URL | FrozenURL) -> URL:
    """A base; InvalidURL with the error "base" if it does not parse."""
    try:
        return URL(url)
    except InvalidURL as error:
        raise InvalidURL("", error.input, "base") from None


# https://html.spec.whatwg.org/multipage/urls-and-fetching.html#matches-about:blank and #matches-about:srcdoc
def is_about_blank_or_srcdoc(url: URL) -> bool:
    if url.scheme != "about" or url.host_type is not None:
        return False
    return url.pathname == "blank" or (url.pathname == "srcdoc" and url.query is None)
