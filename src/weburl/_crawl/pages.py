"""The links of a page: what a browser would follow or load, in the tree that it would build."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from typing import TYPE_CHECKING, Final, NamedTuple

try:
    from selectolax.lexbor import LexborHTMLParser, SelectolaxError
except ModuleNotFoundError as error:
    raise ImportError("this needs selectolax: pip install weburl[html]") from error

from weburl._core.arguments import wrong_type
from weburl._core.percent import utf8
from weburl._crawl.nesting import cut
from weburl._crawl.refresh import parse_refresh
from weburl._crawl.relations import kinds_of
from weburl._crawl.sniffing import Fallback, Sniffed, decode, is_utf16, known, label_of_meta, sniff
from weburl._crawl.srcset import parse_srcset
from weburl._unicode.encoding import get_encoding

if TYPE_CHECKING:
    from selectolax.lexbor import LexborNode

KINDS: Final = ("link", "image", "script", "style", "frame", "form", "refresh", "media")
# https://html.spec.whatwg.org/multipage/rendering.html#the-page and #tables-2
WITH_BACKGROUND: Final = ("body", "table", "tbody", "td", "tfoot", "th", "thead", "tr")
# The parser resolves these when it inserts their elements, others are resolved when they are used.
AT_ONCE: Final = frozenset(("frame", "refresh", "script", "style"))

Attributes = dict[str, str | None]


class Link(NamedTuple):
    """A link as the page has it."""

    kind: str
    tag: str
    attribute: str
    value: str | None  # None if there is no such attribute
    text: str | None
    rel: str | None
    hreflang: str | None
    type: str | None
    url: str | None  # what is resolved; None is the URL of the document
    has_base: bool  # whether it is resolved with the base element


class Page(NamedTuple):
    label: str  # of the encoding
    base_href: str | None
    links: list[Link]
    source: str = "text"  # of the label
    canonicals: Sequence[str] = ()  # as they are written
    metas: Sequence[tuple[str, str]] = ()  # names and contents


def read_page(
    html: bytes | str, charset: str | None, kinds: Collection[str], fallback_charset: Fallback = None
) -> Page:
    """The links of these kinds; all that are refreshes, though only one of them counts."""
    if isinstance(html, str):
        label = known(charset)
        sniffed = Sniffed("utf-8", "text") if label is None else Sniffed(label, "charset")
        return read_text(html.removeprefix("\ufeff"), sniffed, kinds)
    if not isinstance(html, bytes):
        raise wrong_type(html, "html must be bytes or str")
    sniffed = sniff(html, charset, fallback_charset)
    try:
        return read_text(decode(html, sniffed.label), sniffed, kinds, sniffed.is_tentative)
    except OtherEncoding as other:
        return read_text(decode(html, other.label), Sniffed(other.label, "meta"), kinds)


# https://html.spec.whatwg.org/multipage/parsing.html#change-the-encoding
class OtherEncoding(Exception):
    """Raised when a meta element of the page changes its encoding."""

    def __init__(self, label: str) -> None:
        super().__init__(label)
        self.label = label


def read_text(text: str | bytes, sniffed: Sniffed, kinds: Collection[str], is_tentative: bool = False) -> Page:
    label, source = sniffed
    reader = Reader(kinds)
    pieces, is_unusual = cut(utf8(text) if isinstance(text, str) else text)
    for piece in pieces:
        try:
            tree = LexborHTMLParser(piece, scripting=True)
        except SelectolaxError:
            # All text is HTML: it ends where there is no memory.
            raise MemoryError from None
        if is_tentative:
            declared = next(filter(None, (label_of_meta(node.attributes) for node in tree.css("meta"))), None)
            if declared is not None and not is_utf16(label) and get_encoding(declared) is not get_encoding(label):
                raise OtherEncoding(declared)
            if declared is not None and not is_utf16(label) and source in ("default", "fallback"):
                # The same encoding, declared late.
                source = "meta"
            is_tentative = declared is None
        reader.read(tree, is_unusual)
        reader.is_first_piece = False
    return Page(label, reader.base_href, reader.links, source, reader.canonicals, reader.metas)


# The namespaces of the children of an element: of HTML, of SVG, of MathML, of the two kinds of MathML's elements that
# can have children of others, and of what has no children: Lexbor repeats formatting elements in a textarea in a table.
# https://html.spec.whatwg.org/multipage/parsing.html#tree-construction-dispatcher
HTML, SVG, MATHML, IN_MATHML_TEXT, IN_ANNOTATION, NOWHERE = range(6)
HTML_IN_SVG: Final = frozenset(("foreignObject", "desc", "title"))
TEXT_ONLY: Final = frozenset("iframe noembed noframes noscript script style textarea title xmp".split())
MATHML_TEXT: Final = frozenset(("mi", "mn", "mo", "ms", "mtext"))


def namespace_of(tag: str, inside: int) -> int:
    if inside in (SVG, MATHML, NOWHERE):
        return inside
    if tag == "svg":
        return SVG
    if inside == IN_ANNOTATION or tag == "math":
        return MATHML
    return MATHML if inside == IN_MATHML_TEXT and tag in ("mglyph", "malignmark") else HTML


def namespace_inside(node: LexborNode, namespace: int) -> int:
    tag = node.tag
    if namespace == SVG:
        return HTML if tag in HTML_IN_SVG else SVG
    if namespace == MATHML:
        if tag in MATHML_TEXT:
            return IN_MATHML_TEXT
        if tag == "annotation-xml":
            encoding = (node.attributes.get("encoding") or "").lower()
            return HTML if encoding in ("text/html", "application/xhtml+xml") else IN_ANNOTATION
    return NOWHERE if namespace == HTML and tag in TEXT_ONLY else namespace


class Place(NamedTuple):
    """Where the children of an element are."""

    namespace: int
    link: int  # the number of the innermost link around them, or -1


TOP: Final = Place(HTML, -1)
# The elements that have links of each kind, those of SVG too.
TAGS: Final = {
    "link": ("a", "area", "link"),
    "image": (
        *("feImage", "image", "img", "input", "link", "source", "use", "video"),
        *(f"{tag}[background]" for tag in WITH_BACKGROUND),
    ),
    "script": ("link", "script"),
    "style": ("link",),
    "frame": ("frame", "iframe"),
    "form": ("button", "form", "input"),
    "refresh": ("meta",),
    "media": ("audio", "embed", "link", "object", "source", "track", "video"),
}
SPACES: Final = re.compile("[\t\n\f\r ]+")


class Reader:
    """Reads trees, one after the other, as parts of one page."""

    def __init__(self, kinds: Collection[str]) -> None:
        self.kinds = frozenset(kinds)
        tags = {"base", *(tag for kind in kinds for tag in TAGS[kind])}
        # Those that are for crawlers.
        tags |= {f"{tag}[{name}]" for tag, name in (("link", "rel"), ("meta", "name")) if tag not in tags}
        self.selector = ",".join(sorted(tags))
        self.base_href: str | None = None
        self.links: list[Link] = []
        self.canonicals: list[str] = []
        self.metas: list[tuple[str, str]] = []
        self.is_first_piece = True

    def read(self, tree: LexborHTMLParser, is_unusual: bool) -> None:
        self.is_plain = not is_unusual
        self.places: dict[int, Place] = {}
        # Where they may be in each other: the links of elements `a`, whose texts are read last, and those of them that
        # have others in them.
        self.anchors: dict[int, LexborNode] = {}
        self.with_links: set[int] = set()
        for node in tree.css(self.selector):
            tag = node.tag or ""
            if tag == "a":
                if "link" in self.kinds:
                    self.add_anchor(node)
                continue
            namespace = HTML if self.is_plain else namespace_of(tag, self.place(node).namespace)
            if namespace == HTML:
                attributes = node.attributes
                if tag == "base":
                    if self.base_href is None and "href" in attributes:
                        self.base_href = attributes["href"] or ""
                    continue
                if tag in ("link", "meta"):
                    self.add_for_crawlers(node, tag, attributes)
                for kind, attribute, value, url in links_of(tag, attributes, node):
                    if kind in self.kinds:
                        self.add(kind, tag, attribute, value, url, attributes)
            elif namespace == SVG:
                self.add_svg(node, tag)
        ids = {node.mem_id for node in self.anchors.values()} if self.with_links else set()
        for number, node in self.anchors.items():
            text = "".join(own_texts(node, ids)) if number in self.with_links else text_in(node)
            self.links[number] = self.links[number]._replace(text=collapse(text))

    def add_for_crawlers(self, node: LexborNode, tag: str, attributes: Attributes) -> None:
        if tag == "meta":
            name, content = attributes.get("name"), attributes.get("content")
            if name and content:
                self.metas.append((name, content))
        elif tag == "link" and "canonical" in relations_of(attributes) and self.is_first_piece:
            # As for search engines, which expect strangers to write in a body.
            href = attributes.get("href")
            if href and node.parent is not None and node.parent.tag == "head":
                self.canonicals.append(href)

    def add(
        self, kind: str, tag: str, attribute: str, value: str | None, url: str | None, attributes: Attributes
    ) -> None:
        text = rel = hreflang = content_type = None
        if tag in ("area", "img", "input") and "alt" in attributes:
            text = collapse(attributes["alt"] or "")
        if tag in ("area", "form", "link") and "rel" in attributes:
            rel = attributes["rel"] or ""
        if tag in ("area", "link"):
            hreflang, content_type = written(attributes, "hreflang"), written(attributes, "type")
        if kind == "refresh":
            refresh = parse_refresh(value or "")
            if refresh is None:
                return
            text, url = refresh
            value = url
        has_base = kind not in AT_ONCE or self.base_href is not None
        row = (kind, tag, attribute, value, text, rel, hreflang, content_type, url, has_base)
        # What Link() does, in a third of the time.
        self.links.append(tuple.__new__(Link, row))

    def add_anchor(self, node: LexborNode) -> None:
        attributes = node.attributes
        name = "href"
        text = None
        if not self.is_plain:
            place = self.place(node)
            namespace = namespace_of("a", place.namespace)
            self.places[node.mem_id] = Place(namespace, place.link)
            if namespace == SVG and "href" not in attributes:
                name = "xlink:href"
            if name not in attributes or namespace not in (HTML, SVG):
                return
            number = len(self.links)
            self.anchors[number] = node
            self.places[node.mem_id] = Place(namespace, number)
            if place.link >= 0:
                self.with_links.add(place.link)
        elif name not in attributes:
            return
        else:
            text = collapse(text_in(node))
        value = attributes[name] or ""
        rel = hreflang = content_type = None
        if len(attributes) > 1:
            # What written() does. Most links have none of them.
            if "rel" in attributes:
                rel = attributes["rel"] or ""
            if "hreflang" in attributes:
                hreflang = attributes["hreflang"] or ""
            if "type" in attributes:
                content_type = attributes["type"] or ""
        row = ("link", "a", name, value, text, rel, hreflang, content_type, value, True)
        self.links.append(tuple.__new__(Link, row))

    def add_svg(self, node: LexborNode, tag: str) -> None:
        kind = {"feImage": "image", "image": "image", "script": "script", "use": "image"}.get(tag)
        attributes = node.attributes
        name = "href" if "href" in attributes else "xlink:href"
        if kind in self.kinds and attributes.get(name):
            self.add(kind, tag, name, attributes[name], attributes[name], {})

    def place(self, node: LexborNode) -> Place:
        """The place of a node. Each element above the nodes that are asked for is looked at once."""
        above = []
        parent = node.parent
        place = TOP
        while parent is not None:
            known_place = self.places.get(parent.mem_id)
            if known_place is not None:
                place = known_place
                break
            above.append(parent)
            parent = parent.parent
        for each in reversed(above):
            namespace = namespace_inside(each, namespace_of(each.tag or "", place.namespace))
            if namespace != place.namespace:
                place = Place(namespace, place.link)
            self.places[each.mem_id] = place
        return place


def written(attributes: Attributes, name: str) -> str | None:
    """The value of an attribute, or None if there is no such attribute."""
    return (attributes[name] or "") if name in attributes else None


def collapse(text: str) -> str:
    # The only white space that is printable is U+0020.
    if text.isprintable():
        return " ".join(text.split()) if "  " in text or text[:1] == " " or text[-1:] == " " else text
    return SPACES.sub(" ", text).strip(" ")


def text_in(link: LexborNode) -> str:
    """The text in a link. MemoryError is raised where Lexbor has no memory for it: there it gives an empty text."""
    text: str = link.text_lexbor()
    if not text and link.first_child is not None:
        for _ in own_texts(link, ()):
            # No text node is empty.
            raise MemoryError
    return text


def own_texts(link: LexborNode, links: Collection[int]) -> Iterator[str]:
    """The texts in a link, without those in the links in it."""
    node = link.first_child
    while node is not None:
        if node.is_text_node:
            text = node.text_content
            if not text:
                # As above.
                raise MemoryError
            yield text
        elif node.first_child is not None and node.mem_id not in links:
            node = node.first_child
            continue
        while node.next is None:
            node = node.parent
            if node is None or node.mem_id == link.mem_id:
                return
        node = node.next


# What an element of HTML has: the kind, the attribute, its value, and what is resolved.
OfElement = Iterator[tuple[str, str, str | None, str | None]]

# Attributes that load nothing if they are empty.
LOADED: Final = {
    "audio": (("media", "src"),),
    "embed": (("media", "src"),),
    "frame": (("frame", "src"),),
    "img": (("image", "src"),),
    "object": (("media", "data"),),
    "script": (("script", "src"),),
    "track": (("media", "src"),),
    "video": (("image", "poster"), ("media", "src")),
    **dict.fromkeys(WITH_BACKGROUND, (("image", "background"),)),
}


def links_of(tag: str, attributes: Attributes, node: LexborNode) -> OfElement:
    """The links of an element of HTML, but not of `a`."""
    for kind, name in LOADED.get(tag, ()):
        yield from loaded(kind, name, attributes)
    if tag in OTHERS:
        yield from OTHERS[tag](attributes, node)


def loaded(kind: str, name: str, attributes: Attributes) -> OfElement:
    value = attributes.get(name)
    if value:
        yield kind, name, value, value


def images(name: str, attributes: Attributes) -> OfElement:
    for url in parse_srcset(attributes.get(name) or ""):
        yield "image", name, url, url


def of_area(attributes: Attributes, node: LexborNode) -> OfElement:
    if "href" in attributes:
        yield "link", "href", attributes["href"] or "", attributes["href"] or ""


def of_img(attributes: Attributes, node: LexborNode) -> OfElement:
    return images("srcset", attributes)


def of_source(attributes: Attributes, node: LexborNode) -> OfElement:
    parent = node.parent
    if parent is not None and parent.tag == "picture":
        yield from images("srcset", attributes)
    elif parent is not None and parent.tag in ("audio", "video"):
        yield from loaded("media", "src", attributes)


def relations_of(attributes: Attributes) -> set[str]:
    return set(SPACES.split((attributes.get("rel") or "").lower()))


# https://html.spec.whatwg.org/multipage/semantics.html#the-link-element
def of_link(attributes: Attributes, node: LexborNode) -> OfElement:
    words = relations_of(attributes)
    destination = (attributes.get("as") or "").lower()
    for kind in kinds_of(words, destination):
        yield from loaded(kind, "href", attributes)
    if "preload" in words and destination == "image":
        yield from images("imagesrcset", attributes)


# https://html.spec.whatwg.org/multipage/iframe-embed-object.html#process-the-iframe-attributes
def of_iframe(attributes: Attributes, node: LexborNode) -> OfElement:
    if "srcdoc" in attributes:
        yield "frame", "srcdoc", attributes["srcdoc"] or "", "about:srcdoc"
    else:
        yield from loaded("frame", "src", attributes)


# https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#form-submission-algorithm
def of_form(attributes: Attributes, node: LexborNode) -> OfElement:
    value = attributes["action"] or "" if "action" in attributes else None
    yield "form", "action", value, value or None


def of_submitter(attributes: Attributes) -> OfElement:
    if "formaction" in attributes:
        value = attributes["formaction"] or ""
        yield "form", "formaction", value, value or None


def of_input(attributes: Attributes, node: LexborNode) -> OfElement:
    kind = (attributes.get("type") or "").lower()
    if kind == "image":
        yield from loaded("image", "src", attributes)
    if kind in ("image", "submit"):
        yield from of_submitter(attributes)


def of_button(attributes: Attributes, node: LexborNode) -> OfElement:
    if (attributes.get("type") or "").lower() not in ("button", "reset"):
        yield from of_submitter(attributes)


# https://html.spec.whatwg.org/multipage/semantics.html#attr-meta-http-equiv-refresh
def of_meta(attributes: Attributes, node: LexborNode) -> OfElement:
    if (attributes.get("http-equiv") or "").lower() == "refresh":
        yield from loaded("refresh", "content", attributes)


OTHERS: Final[dict[str, Callable[[Attributes, LexborNode], OfElement]]] = {
    "area": of_area,
    "button": of_button,
    "form": of_form,
    "iframe": of_iframe,
    "img": of_img,
    "input": of_input,
    "link": of_link,
    "meta": of_meta,
    "source": of_source,
}
