"""The links of a page in an archive: of its HTML, or those that WAT lists."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Final

from weburl import URL, InvalidURL
from weburl._crawl.relations import kinds_of
from weburl.archives import dig, text_of
from weburl.crawl import DocumentBase, LinkTable, page_links

if TYPE_CHECKING:
    from weburl.archives import ArchiveRecord
    from weburl.crawl import LinkKind

# By the names of elements, as WAT has them. Those of link elements are by their relations.
KINDS: Final = {
    "a": "link", "area": "link", "img": "image", "script": "script", "frame": "frame", "iframe": "frame",
    "form": "form", "audio": "media", "video": "media", "source": "media", "track": "media", "embed": "media",
    "object": "media",
}  # fmt: skip
FIELDS: Final = ("kind", "tag", "attribute", "value", "text", "rel", "hreflang", "type")


def archived_links(
    record: ArchiveRecord, charset: str | None, fallback_charset: str | None, kinds: Sequence[LinkKind]
) -> LinkTable:
    """The links of a page with its body or its envelope; InvalidURL if the page has no URL."""
    if record.url is None:
        raise InvalidURL("", None, "base")
    if record.envelope is not None:
        page = dig(record.envelope, "Payload-Metadata", "HTTP-Response-Metadata", "HTML-Metadata")
        return _wat_links(record.url, page, kinds)
    label = charset or record.charset
    return page_links(record.body or b"", record.url, charset=label, fallback_charset=fallback_charset, kinds=kinds)


def _wat_links(url: str, metadata: Any, kinds: Sequence[LinkKind]) -> LinkTable:
    from weburl._verbs.links import link_table

    head = dig(metadata, "Head")
    document = DocumentBase(URL(url), text_of(dig(head, "Base")))
    rows: list[dict[str, str | None]] = []
    for each in _each(dig(metadata, "Links"), dig(head, "Link"), dig(head, "Scripts")):
        path, value = text_of(each.get("path")), text_of(each.get("url"))
        if path is None or value is None:
            continue
        tag, _, attribute = path.lower().partition("@/")
        rel = text_of(each.get("rel"))
        own = kinds_of((rel or "").lower().split(), "") if tag == "link" else [KINDS.get(tag, "")]
        text = text_of(each.get("text")) or text_of(each.get("alt"))
        texts = (value, text, rel, text_of(each.get("hreflang")), text_of(each.get("type")))
        rows += (dict(zip(FIELDS, (kind, tag, attribute, *texts), strict=True)) for kind in own if kind in kinds)
    columns = {name: [row[name] for row in rows] for name in FIELDS}
    urls = [row["value"] or "" for row in rows]
    return LinkTable([link_table(columns, urls, document.href, "utf-8", "crawl/1")], document.href)


def _each(*lists: Any) -> Iterator[dict[str, Any]]:
    for each in lists:
        yield from (link for link in (each if isinstance(each, list) else ()) if isinstance(link, dict))
