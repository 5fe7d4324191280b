"""The tables of links: of pages, of the header Link, and of sitemaps and feeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from weburl._arrow import batch, input
from weburl._arrow.job import Job
from weburl._crawl.columns import canonical_forms, keys_beside
from weburl._crawl.directives import RobotsDirectives
from weburl._verbs.rows import Table
from weburl._verbs.table import columns_of

if TYPE_CHECKING:
    from weburl._arrow.batch import Batch
    from weburl._arrow.columns import Field
    from weburl._crawl.policy import Policy


class PageEncoding(NamedTuple):
    """Which encoding a page was read in, as `name`, and the `source` that says so.

    >>> page_links(b"<meta charset=koi8-r>", "https://example.com/").encoding
    PageEncoding(name='koi8-r', source='meta')
    """

    name: str
    source: str


PageEncoding.name.__doc__ = "The name of the encoding, in lower case, as `label_of` returns it."
PageEncoding.source.__doc__ = (
    'Where the name comes from: "bom" is a byte order mark, "charset" the argument, "meta" a meta element, "xml" an '
    'XML declaration, "fallback" the argument `fallback_charset`, and "default" none of these. A `str` has "text".'
)


class LinkTable(Table):
    """The links of a page, of a header or of a sitemap: a table of `weburl.bulk`, and what is said of the page itself.

    >>> links = page_links(b"<meta name=robots content=nofollow><link rel=canonical href=/tea>", "https://example.com/")
    >>> links.canonical, links.robots.nofollow, links.encoding
    ('https://example.com/tea', True, PageEncoding(name='windows-1252', source='default'))

    Besides its columns, it has `base`, `canonical`, `encoding`, `robots` and `warnings`, and the method `may_follow`.
    """

    __slots__ = {
        "base": "The URL that relative links are resolved against: the page's own, or that of its base element.",
        "canonical": "The URL of the first link with rel=canonical whose URL parses, or None. In a page, it is in the "
        "head; in a header, it has no anchor.",
        "encoding": "The encoding of the page, as a `PageEncoding`.",
        "robots": "What the meta elements of the page say to crawlers, as `RobotsDirectives`.",
        "warnings": "What was not read, and why, as a tuple of texts. It is empty for pages.",
    }
    base: str
    canonical: str | None
    encoding: PageEncoding
    robots: RobotsDirectives
    warnings: tuple[str, ...]

    def __init__(
        self,
        batches: list[Batch],
        base: str = "",
        canonical: str | None = None,
        encoding: PageEncoding | None = None,
        robots: RobotsDirectives | None = None,
        warnings: Sequence[str] = (),
    ) -> None:
        super().__init__(batches)
        self.base = base
        self.canonical = canonical
        self.encoding = encoding or PageEncoding("utf-8", "text")
        self.robots = RobotsDirectives() if robots is None else robots
        self.warnings = tuple(warnings)

    def may_follow(self, agent: str, header: RobotsDirectives | None = None) -> list[bool]:
        """For each link, whether a crawler of this name may follow it.

        >>> links = page_links(b"<a href=/tea>tea</a> <a href=/ad rel='ugc nofollow'>ad</a>", "https://example.com/")
        >>> links.may_follow("ExampleBot")
        [True, False]

        It may if the link is an http or https URL, and neither the page nor the link says nofollow. `agent` is the
        product token of the crawler, as for `RobotsDirectives.for_agent`. `header` has the rules of X-Robots-Tag.
        """
        if header is not None and not isinstance(header, RobotsDirectives):
            name = type(header).__name__
            raise TypeError(f"header must be RobotsDirectives, not {name}: use RobotsDirectives.parse(header)")
        directives = self.robots if header is None else self.robots | header
        if directives.for_agent(agent).nofollow:
            return [False] * len(self)
        links = zip(self["href"], self["rel"], strict=True)
        return [is_web(href) and "nofollow" not in (rel or "").lower().split() for href, rel in links]

    def __reduce__(self) -> tuple[Any, ...]:
        return (*super().__reduce__(), (None, {name: getattr(self, name) for name in LinkTable.__slots__}))


def is_web(href: str | None) -> bool:
    return href is not None and href.startswith(("http:", "https:"))


# Where users and pickles find them.
LinkTable.__module__ = "weburl.crawl"
PageEncoding.__module__ = "weburl.crawl"


def link_table(
    texts: Mapping[str, list[str | None]],
    urls: Sequence[str],
    bases: str | Sequence[str] | None,
    encoding: str,
    policy: str | Policy,
) -> Batch:
    """The texts, and href, registrable_domain, key and error of each URL.

    All have the base that is a `str`, or none, or each its own.
    """
    as_given = batch.from_texts(tuple(texts), list(texts.values()))
    return batch.beside([as_given, *resolve(urls, bases, encoding, policy)], (*texts, *COLUMNS))


COLUMNS = ("href", "registrable_domain", "key", "error")


def resolve(urls: Sequence[str], bases: str | Sequence[str] | None, encoding: str, policy: str | Policy) -> list[Batch]:
    """The columns href, registrable_domain, key and error."""
    rows = input.from_objects(urls)
    fields = fields_of(policy)
    if bases is None or isinstance(bases, str):
        found = Job(fields, is_struct=True, base=bases, encoding=encoding).run(rows, 0, len(urls))
    else:
        job = Job(fields, is_struct=True, encoding=encoding)
        found = job.run(rows, 0, len(urls), input.from_objects(bases))
    assert found is not None
    if len(fields) == len(COLUMNS):
        return [found]
    hrefs = input.from_objects(found.entries(0))
    keys = Job(canonical_forms(policy)[1:], is_struct=True).run(hrefs, 0, len(urls))
    assert keys is not None
    return [found.select(0), found.select(1), keys, found.select(2)]


@lru_cache(maxsize=16)
def fields_of(policy: str | Policy) -> tuple[Field, ...]:
    """The fields of these columns; without that of the key if it is the key of another URL."""
    href, site, error = columns_of(("href", "registrable_domain", "error"))
    key = keys_beside(policy)
    return (href, site, error) if key is None else (href, site, key, error)
