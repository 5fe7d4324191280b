"""The links, the base URL, the refresh and the forms of Scrapy's responses, as in a browser."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from weakref import WeakKeyDictionary

from lxml.etree import XPath
from parsel.csstranslator import HTMLTranslator
from scrapy.http import FormRequest, JsonResponse, TextResponse, XmlResponse
from scrapy.http.request import form as scrapy_form
from scrapy.link import Link
from scrapy.linkextractors import lxmlhtml
from scrapy.utils.misc import rel_has_nofollow
from scrapy.utils.python import unique
from scrapy.utils.response import get_meta_refresh as scrapy_get_meta_refresh

from weburl._crawl.pages import Page, read_page
from weburl._crawl.sniffing import sniff
from weburl.compat._encodings import label_of
from weburl.crawl import DocumentBase, without_more_refreshes
from weburl.errors import InvalidURL

if TYPE_CHECKING:
    from lxml.etree import _Element

text_of = XPath("string()", smart_strings=False)
scrapy_urljoin = TextResponse.urljoin
scrapy_extract_links = lxmlhtml.LxmlLinkExtractor.extract_links
scrapy_from_response = FormRequest.from_response.__func__
CHARSET: Final = re.compile(rb";[\t ]*charset[\t ]*=[\t ]*\"?([^\";\t ]*)", re.IGNORECASE)
KINDS: Final = ("link", "refresh")
DEFAULT_TAGS: Final = {"a", "area"}
pages: WeakKeyDictionary[TextResponse, Page] = WeakKeyDictionary()
bases: WeakKeyDictionary[TextResponse, DocumentBase] = WeakKeyDictionary()


def page_of(response: TextResponse) -> Page:
    """The page that a response has, in the encoding that it was made with, or that a browser finds, or that Scrapy
    guesses. XML and JSON have no links."""
    page = pages.get(response)
    if page is None:
        page = pages[response] = read_response(response)
    return page


def read_response(response: TextResponse) -> Page:
    label_of_response = response._encoding
    if isinstance(response, (XmlResponse, JsonResponse)):
        return Page(label_of(response.encoding) or "utf-8", None, [])
    if label_of_response is not None:
        label = label_of(label_of_response)
        # Browsers do not have each codec.
        return read_page(response.text if label is None else response.body, label, KINDS)
    charset_match = CHARSET.search(response.headers.get("Content-Type") or b"")
    charset = charset_match[1].decode("latin-1") if charset_match else None
    if sniff(response.body, charset).source == "default":
        charset = label_of(response.encoding)
    return read_page(response.body, charset, KINDS)


def document_base(response: TextResponse) -> DocumentBase:
    """The base URL and encoding of a response's links, as a `weburl.crawl.DocumentBase`.

    >>> from scrapy.http import HtmlResponse
    >>> page = HtmlResponse("https://example.com/docs/tour", body=b'<base href="/v2/">')
    >>> document_base(page).resolve("api").href
    'https://example.com/v2/api'

    They come from its URL, its encoding and, unless it is XML or JSON, its `<base href>`.
    """
    base = bases.get(response)
    if base is None:
        page = page_of(response)
        base = bases[response] = DocumentBase(response.url, page.base_href, encoding=page.label)
    return base


def extract_links(self: lxmlhtml.LxmlLinkExtractor, response: TextResponse) -> list[Link]:
    try:
        base = document_base(response)
    except InvalidURL:
        extracted: list[Link] = scrapy_extract_links(self, response)
        return extracted
    parser = self.link_extractor
    if not self.restrict_xpaths and takes_anchors(parser) and not isinstance(response, (XmlResponse, JsonResponse)):
        return list(self._process_links(parser._deduplicate_if_needed([*links_of_page(parser, response, base)])))
    if self.restrict_xpaths:
        roots = [part.root for xpath in self.restrict_xpaths for part in response.xpath(xpath)]
    else:
        roots = [response.selector.root]
    links = []
    for root in roots:
        links += self._process_links(parser._deduplicate_if_needed([*links_of_tree(parser, root, base)]))
    return unique(links, key=parser.link_key) if parser.unique else links


def takes_anchors(parser: lxmlhtml.LxmlParserLinkExtractor) -> bool:
    """Whether these are the tags and attributes of an extractor that is not told others."""
    tags, attributes = parser.scan_tag, parser.scan_attr
    return (
        isinstance(tags, partial)
        and isinstance(attributes, partial)
        and tags.args == (DEFAULT_TAGS, set())
        and attributes.args == ({"href"}, set())
    )


def links_of_page(
    parser: lxmlhtml.LxmlParserLinkExtractor, response: TextResponse, base: DocumentBase
) -> Iterator[Link]:
    elements = [link for link in page_of(response).links if link.tag in DEFAULT_TAGS]
    for link, href in zip(elements, base.resolve_many([link.value for link in elements]), strict=True):
        url = None if href is None else processed(parser, href, base)
        if url is not None:
            text = link.text if link.tag == "a" else ""
            yield Link(url, text, nofollow=rel_has_nofollow(link.rel))


def links_of_tree(parser: lxmlhtml.LxmlParserLinkExtractor, root: _Element, base: DocumentBase) -> Iterator[Link]:
    for element, _, value in parser._iter_links(root):
        resolved = base.resolve(value)
        url = None if resolved is None else processed(parser, resolved.href, base)
        if url is not None:
            yield Link(url, text_of(element), nofollow=rel_has_nofollow(element.get("rel")))


def processed(parser: lxmlhtml.LxmlParserLinkExtractor, href: str, base: DocumentBase) -> str | None:
    """What `process_value` makes of a URL, resolved again."""
    value: str | None = parser.process_attr(href)
    if value is href:
        return href
    url = None if value is None else base.resolve(value)
    return None if url is None else url.href


def urljoin(self: TextResponse, url: str) -> str:
    try:
        resolved = document_base(self).resolve(url)
    except InvalidURL:
        resolved = None
    return scrapy_urljoin(self, url) if resolved is None else resolved.href


def get_meta_refresh(
    response: TextResponse, ignore_tags: Iterable[str] = ("script", "noscript")
) -> tuple[None, None] | tuple[float, str]:
    """The seconds and the URL of a page's refresh, or None twice. A browser with scripts does not read noscript."""
    if "noscript" not in ignore_tags:
        result: tuple[None, None] | tuple[float, str] = scrapy_get_meta_refresh(response, ignore_tags)
        return result
    try:
        base = document_base(response)
    except InvalidURL:
        return None, None
    page = page_of(response)
    fallback = DocumentBase(response.url, encoding=page.label)
    refreshes = [link for link in page.links if link.kind == "refresh"]
    for link in without_more_refreshes(refreshes, base, fallback):
        url = None if link.url is None else (base if link.has_base else fallback).resolve(link.url)
        # One without a URL loads the page again.
        if url is not None and link.text is not None:
            return float(link.text), url.href
    return None, None


def from_response(
    cls: type[FormRequest],
    /,
    response: TextResponse,
    formname: str | None = None,
    formid: str | None = None,
    formnumber: int = 0,
    formdata: Any = None,
    clickdata: dict[str, str | int] | None = None,
    dont_click: bool = False,
    formxpath: str | None = None,
    formcss: str | None = None,
    **kwargs: Any,
) -> FormRequest:
    xpath = formxpath if formcss is None else HTMLTranslator().css_to_xpath(formcss)
    form = scrapy_form._get_form(response, formname, formid, formnumber, xpath)
    action = kwargs.get("url", form.get("action")) or ""
    # https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm
    kwargs["url"] = urljoin(response, action) if action else response.url
    return scrapy_from_response(
        cls, response, formname, formid, formnumber, formdata, clickdata, dont_click, formxpath, formcss, **kwargs
    )


class LinkExtractor(lxmlhtml.LxmlLinkExtractor):  # type: ignore[misc]
    """Scrapy's LinkExtractor, with the same arguments, which finds the links that a browser finds.

    >>> from scrapy.http import HtmlResponse
    >>> body = b"<a href=' tour?q=a b '>Tour</a> <a href='//:80/'>none</a>"
    >>> [link.url for link in LinkExtractor().extract_links(HtmlResponse("https://example.com/docs/", body=body))]
    ['https://example.com/docs/tour?q=a%20b']

    `process_value` receives the serialization of a link. Text that is not a URL is not a link. White space around a URL
    is not part of it, with any value of `strip`. The tree is that of a browser; with `restrict_xpaths`, `restrict_css`,
    or other tags or attributes, it is that of lxml.
    """

    extract_links = extract_links


LinkExtractor.__module__ = "weburl.ext.scrapy"


def install() -> None:
    lxmlhtml.LxmlLinkExtractor.extract_links = extract_links
    TextResponse.urljoin = urljoin
    FormRequest.from_response = classmethod(from_response)
