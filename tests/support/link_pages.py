"""Pages with links, what Chromium finds in them, and what `page_links` finds."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import NamedTuple

from support.devtools import Page as Tab
from support.devtools import chromium

from weburl import URL
from weburl._crawl.pages import KINDS
from weburl._unicode.encoding import get_encoding
from weburl.crawl import RobotsDirectives, page_links

ORIGIN = "http://page.test"


class Page(NamedTuple):
    """The bytes of a page, and the parameter charset of its Content-Type."""

    html: bytes
    charset: str | None = None


class Row(NamedTuple):
    kind: str
    tag: str
    attribute: str
    href: str | None
    text: str | None
    hreflang: str | None = None
    type: str | None = None


class Answer(NamedTuple):
    encoding: str
    rows: list[Row]
    requested: set[str]
    refreshes: list[tuple[str, str]]  # seconds and URL
    base: str | None = None  # None is one that does not parse
    canonical: str | None = None
    robots: str = ""


# What a browser's own objects say: no kind of ours, no namespace and no URL is computed as in weburl.
SCRIPT = r"""(() => {
    const rows = []
    const probe = document.createElement("a")
    const resolve = (value) => { probe.setAttribute("href", value); return probe.protocol === ":" ? null : probe.href }
    const collapse = (text) => text.replace(/[\t\n\f\r ]+/g, " ").replace(/^ | $/g, "")
    const isLink = (e) => e instanceof SVGAElement ? (e.hasAttribute("href") || e.hasAttributeNS(XLINK, "href"))
        : e instanceof HTMLAnchorElement && e.hasAttribute("href")
    const XLINK = "http://www.w3.org/1999/xlink"
    const ownText = (e) => {
        const walker = document.createTreeWalker(e, NodeFilter.SHOW_ALL, (n) =>
            n instanceof Element && isLink(n) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT)
        let text = ""
        while (walker.nextNode()) if (walker.currentNode instanceof Text) text += walker.currentNode.data
        return collapse(text)
    }
    for (const e of document.querySelectorAll("*")) {
        const tag = e.localName
        const isOfHTML = e instanceof HTMLElement || e instanceof SVGAElement
        const ofLinks = (name) => isOfHTML && ["a", "area", "link"].includes(tag) ? e.getAttribute(name) : null
        const put = (kind, attribute, href, text = null) =>
            rows.push([kind, tag, attribute, href, text, ofLinks("hreflang"), ofLinks("type")])
        const loaded = (kind, name, text = null) => {
            if (e.getAttribute(name)) put(kind, name, resolve(e.getAttribute(name)), text)
        }
        if (e instanceof SVGElement) {
            const name = e.hasAttribute("href") ? "href" : "xlink:href"
            if (e instanceof SVGAElement) {
                if (isLink(e)) put("link", name, resolve(e.href.baseVal), ownText(e))
            } else if (e instanceof SVGImageElement || e instanceof SVGFEImageElement || e instanceof SVGUseElement) {
                if (e.href.baseVal) put("image", name, resolve(e.href.baseVal))
            } else if (e instanceof SVGScriptElement) {
                if (e.href.baseVal) put("script", name, resolve(e.href.baseVal))
            }
            continue
        }
        if (!(e instanceof HTMLElement)) continue
        if (e.hasAttribute("background") && e.getAttribute("background")) {
            if (getComputedStyle(e).backgroundImage !== "none" || resolve(e.getAttribute("background")) === null)
                put("image", "background", resolve(e.getAttribute("background")))
        }
        const alt = e.hasAttribute("alt") ? collapse(e.getAttribute("alt")) : null
        switch (e.constructor) {
        case HTMLAnchorElement:
            if (isLink(e)) put("link", "href", e.protocol === ":" ? null : e.href, ownText(e))
            break
        case HTMLAreaElement:
            if (e.hasAttribute("href")) put("link", "href", e.protocol === ":" ? null : e.href, alt)
            break
        case HTMLImageElement:
            loaded("image", "src", alt)
            break
        case HTMLVideoElement:
            loaded("image", "poster")
        case HTMLAudioElement:
        case HTMLTrackElement:
        case HTMLEmbedElement:
            loaded("media", "src")
            break
        case HTMLObjectElement:
            loaded("media", "data")
            break
        case HTMLSourceElement:
            if (e.parentNode instanceof HTMLMediaElement) loaded("media", "src")
            break
        case HTMLScriptElement:
            loaded("script", "src")
            break
        case HTMLFrameElement:
            loaded("frame", "src")
            break
        case HTMLIFrameElement:
            if (e.hasAttribute("srcdoc")) put("frame", "srcdoc", "about:srcdoc")
            else loaded("frame", "src")
            break
        case HTMLFormElement: {
            const action = HTMLFormElement.prototype.__lookupGetter__("action").call(e)
            put("form", "action", e.getAttribute("action") ? resolve(e.getAttribute("action")) : action)
            break
        }
        case HTMLInputElement:
            if (e.type === "image") loaded("image", "src", alt)
        case HTMLButtonElement:
            if (["image", "submit"].includes(e.type) && e.hasAttribute("formaction"))
                put("form", "formaction", e.getAttribute("formaction") ? resolve(e.getAttribute("formaction"))
                    : e.formAction, e.type === "image" ? alt : null)
            break
        case HTMLLinkElement: {
            const kinds = []
            const rel = [...e.relList].map((word) => word.toLowerCase())
            const style = rel.includes("stylesheet")
            if (rel.includes("icon")) kinds.push("image")
            if (rel.some((word) => ["next", "prev", "canonical", "author", "help", "license", "search"].includes(word)
                || (word === "alternate" && !style))) kinds.push("link")
            if (rel.includes("preload") && ["image", "script", "style"].includes(e.as)) kinds.push(e.as)
            if (rel.includes("modulepreload")) kinds.push(e.as === "style" ? "style" : "script")
            if (style) kinds.push("style")
            for (const kind of new Set(kinds)) loaded(kind, "href")
            break
        }
        }
    }
    let canonical = null
    for (const e of document.head.querySelectorAll(":scope > link")) {
        if (!(e instanceof HTMLLinkElement) || !e.getAttribute("href")) continue
        if (![...e.relList].some((word) => word.toLowerCase() === "canonical")) continue
        if (canonical === null) canonical = resolve(e.getAttribute("href"))
    }
    const metas = [...document.querySelectorAll("meta")].filter((e) => e instanceof HTMLMetaElement)
        .filter((e) => e.name.toLowerCase() === "robots" && e.content).map((e) => e.content)
    return {encoding: document.characterSet, rows, base: document.baseURI, canonical, metas}
})()"""


class Site:
    """A proxy that has pages, and something empty everywhere else."""

    def __init__(self) -> None:
        self.page = Page(b"")
        self.url = ""
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                is_page = self.path == site.url
                body = site.page.html if is_page else b""
                kind = "text/plain"
                if is_page:
                    kind = "text/html" + (f"; charset={site.page.charset}" if site.page.charset is not None else "")
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_CONNECT(self) -> None:
                self.close_connection = True
                self.send_response(502)
                self.send_header("Content-Length", "0")
                self.end_headers()

            do_POST = do_HEAD = do_GET

            def log_message(self, format: str, *arguments: object) -> None:
                pass

            def handle(self) -> None:
                with suppress(ConnectionError):
                    super().handle()

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True


class Browser:
    def __init__(self, tab: Tab, site: Site) -> None:
        self.tab = tab
        self.site = site
        self.number = 0
        self.links = 0  # of the last page
        self.frame = tab.call("Page.getFrameTree")["frameTree"]["frame"]["id"]

    def url(self) -> str:
        return f"{ORIGIN}/dir/page?{self.number}"

    def go(self) -> None:
        self.number += 1
        self.site.url = self.url()
        self.tab.events.clear()
        self.tab.call("Page.navigate", url=self.url())
        self.tab.wait(f"document.readyState === 'complete' && document.URL === {self.url()!r}")

    def ask(self, page: Page) -> Answer:
        """What Chromium finds in a page. Its refreshes are in the far future."""
        self.site.page = page
        self.go()
        found = self.tab.value(SCRIPT)
        self.links = len(found["rows"])
        requested = set()
        refreshes = []
        for event in self.tab.events:
            parameters = event["params"]
            if event["method"] == "Network.requestWillBeSent":
                requested.add(parameters["request"]["url"] + parameters["request"].get("urlFragment", ""))
            elif event["method"] == "Page.frameScheduledNavigation" and parameters["frameId"] == self.frame:
                # By the standard, one to what is not a URL does not count.
                if not URL.can_parse(parameters["url"]):
                    continue
                refreshes.append((f"{parameters['delay']:.0f}", parameters["url"]))
        robots = repr(RobotsDirectives.parse(found["metas"], agent="robots"))
        rows = [Row(*row) for row in found["rows"]]
        return Answer(found["encoding"], rows, requested, refreshes, found["base"], found["canonical"], robots)


@contextmanager
def browser() -> Iterator[Browser]:
    site = Site()
    threading.Thread(target=site.server.serve_forever, daemon=True).start()
    proxy = f"--proxy-server=http://127.0.0.1:{site.server.server_port}"
    try:
        with chromium(proxy, "--proxy-bypass-list=<-loopback>", "--disable-quic") as tab:
            yield Browser(tab, site)
    finally:
        site.server.shutdown()
        site.server.server_close()


def ours(page: Page, url: str) -> Answer:
    """What weburl finds; images of a srcset are compared elsewhere."""
    rows = []
    refreshes = []
    links = page_links(page.html, url, charset=page.charset, kinds=KINDS)
    for row in links:
        if row["kind"] == "refresh":
            if row["href"] is not None:
                refreshes.append((row["text"], row["href"]))
        elif row["attribute"] not in ("srcset", "imagesrcset"):
            rows.append(Row(*(row[name] for name in Row._fields)))
    name = get_encoding(links.encoding.name).name
    robots = repr(links.robots.for_agent("robots"))
    return Answer(name, rows, set(), refreshes, links.base, links.canonical, robots)


def differences(browser: Browser, page: Page) -> list[str]:
    theirs = browser.ask(page)
    own = ours(page, browser.url())
    found = []
    if own.encoding != theirs.encoding:
        found.append(f"encoding: {own.encoding}, Chromium {theirs.encoding}")
    for name in ("base", "canonical", "robots"):
        if getattr(own, name) != getattr(theirs, name):
            found.append(f"{name}: {getattr(own, name)}, Chromium {getattr(theirs, name)}")
    if own.refreshes != theirs.refreshes[:1]:
        found.append(f"refresh: {own.refreshes}, Chromium {theirs.refreshes}")
    mine, other = list(own.rows), list(theirs.rows)
    if len(mine) == len(other):
        for row, their in zip(mine, other, strict=True):
            if row != their and not was_requested(row, their, theirs.requested):
                found.append(f"{row}, Chromium {their}")
        return found
    for row in own.rows:
        if row in other:
            other.remove(row)
            mine.remove(row)
    return [*found, *(f"only weburl: {row}" for row in mine), *(f"only Chromium: {row}" for row in other)]


REFRESH = "<meta http-equiv=refresh "


def with_one_refresh(text: str) -> str:
    first, *rest = re.split(REFRESH, text, flags=re.IGNORECASE)
    return first + "".join(f"{'<meta ' if number else REFRESH}{part}" for number, part in enumerate(rest))


# What changes a page so that Chromium and weburl find the same, and why they do not without it.
EXPLANATIONS: dict[str, Callable[[str], str]] = {
    "of several refreshes Chromium follows the soonest, and the last of those": with_one_refresh,
    "Lexbor loses a tag `image` in a table": lambda text: re.sub(r"(?i)<image\b", "<img", text),
    "Lexbor loses `</` at the end of a page": lambda text: text.removesuffix("</"),
    "a frameset removes what was before it, also a refresh that counts": lambda text: re.sub(
        "(?i)<frameset>", "", text
    ),
    "Chromium reads the query of a base in UTF-8": lambda text: re.sub(
        r"(?i)<base\b[^>]*>", lambda tag: re.sub(r"[^\x00-\x7f]", "", tag[0]), text
    ),
    "Chromium takes an empty URL of a refresh as that of the page, and not as that of its base": lambda text: re.sub(
        r"(?i)(<meta[^>]*\bcontent=(['\"])[^'\">]*?)[;,\s]*\burl\s*=\s*(?:''|\"\")?(?=\2)", r"\1", text
    ),
    "Chromium reads a NUL after `<` as U+FFFD": lambda text: text.replace("<\0", "<"),
}


def explain(browser: Browser, page: Page) -> tuple[list[str], list[str]]:
    """The differences of a page, and what explains them all."""
    found = differences(browser, page)
    if not found:
        return [], []
    encoding = "utf-16" if page.html[:2] in (b"\xff\xfe", b"\xfe\xff") else "latin-1"
    text = page.html.decode(encoding, "surrogatepass")
    changed = {reason: change(text) for reason, change in EXPLANATIONS.items()}
    every = text
    for change in EXPLANATIONS.values():
        every = change(every)
    reasons = [reason for reason, other in changed.items() if other != text]
    if reasons and not differences(browser, page._replace(html=every.encode(encoding, "surrogatepass"))):
        return found, reasons
    return found, []


def was_requested(row: Row, their: Row, requested: set[str]) -> bool:
    """Whether Chromium has requested what it no longer shows, because a base element has come since."""
    return (
        row._replace(href=None) == their._replace(href=None)
        and row.kind in ("frame", "script", "style")
        and row.href in requested
        and their.href not in requested
    )


# Generated pages.

URLS = """
    x /y ../z ?q #f x?б=é&€ //h.example/é http://h.example:80/ü?ü HTTP:x \\\\h.example\\x javascript:f(é)
    mailto:é@x data:,x
    http://[::1]/ http://h.example/%zz?% http://ⅷ.example/ x&amp;y=1 x&lang=2 &#x9;x&#10;y http:// http://h.example:99999/
    日本語?日本語 . .. ?é#é
""".split()
URLS += ["", " x y ", "\tx\n", "/a b?c d", "x\0y"]
OPEN = """
    div p span b i a table tr td th tbody caption select option optgroup button form ul li dl dd ruby rt svg math g
    foreignObject desc title mi mtext annotation-xml template noscript picture video audio object map h1 pre nobr font
    body html head frameset center em applet marquee textarea details dialog section article
""".split()
TEXTS = ["text", " two  words ", "é", "&lt;", "<", "</", "<!", "\0", "\r\n", "日本", "]]>", "&#0;", "<?x?>"]
CHUNKS = """
    <!--_<a_href=no>_--> <!--> <!--->_<a_href=no>_--!> <![CDATA[<a_href=cdata>]]> <!doctype_html> <br> </p> </br> <hr/>
    <svg/> <path/> <title>x</title> <script>"<a_href=no>"</script> <script><!--<script></script><a_href=no></script>
    <style><a_href=no></style> <textarea><a_href=no></textarea> <noscript><a_href=no></noscript> </a> </table> </form>
    <template><base_href=no><a_href=no></template> <svg><title><a_href=in></title></svg>
    <math><mi><a_href=in></mi></math>
    <svg><style><a_href=in></style></svg> <xmp><a_href=no></xmp> <plaintext> <svg><desc><table></svg> <a_href=x_href=no>
    <annotation-xml_encoding=text/html> <input> <col> <img> <a> <a_name=n> <form_id=f> <select><a_href=x></select>
""".split()


def attribute(rng: random.Random, name: str, value: str) -> str:
    quote = rng.choice(("'", '"'))
    plain = rng.random() < 0.2 and value and not set(value) & set(" \t\n\0<>\"'=`")
    name = "".join(rng.choice((c, c.upper())) for c in name) if rng.random() < 0.2 else name
    return f"{name}={value}" if plain else f"{name}={quote}{value}{quote}"


def element(rng: random.Random, url: str) -> str:
    """The start tag of an element that may have a link."""
    tag, names, others = rng.choice((
        *(("a", ("href",), 'rel="next nofollow"'),) * 5,
        ("a", ("href", "hreflang", "type"), ""),
        ("area", ("href", "hreflang"), ""),
        ("link", ("href", "hreflang", "type"), "rel=alternate"),
        ("link", ("href",), "rel=canonical"),
        ("a", ("xlink:href", "href"), ""),
        ("area", ("href",), 'alt=" al  t"'),
        ("link", ("href",), rng.choice(LINKS)),
        ("link", ("href",), rng.choice(LINKS)),
        ("img", ("src",), "alt"),
        ("image", ("href", "xlink:href", "src"), ""),
        ("use", ("href", "xlink:href"), ""),
        ("input", ("src", "formaction"), rng.choice(("type=image alt=i", "type=submit", "type=IMAGE", ""))),
        ("button", ("formaction",), rng.choice(("", "type=reset", "type=x"))),
        ("form", ("action",), ""),
        ("iframe", ("src",), ""),
        ("iframe", ("srcdoc", "src"), ""),
        ("frame", ("src",), ""),
        ("script", ("src", "href"), ""),
        ("video", ("src", "poster"), ""),
        ("source", ("src",), ""),
        ("object", ("data",), ""),
        ("embed", ("src",), ""),
        ("track", ("src",), ""),
        ("td", ("background",), ""),
        ("table", ("background",), ""),
        ("base", ("href",), ""),
        ("base", ("target",), ""),
    ))  # fmt: skip
    if tag == "base" and not URL.can_parse(url, ORIGIN):
        # After such a base, Chromium resolves nothing that is relative.
        url = "x"
    words = [attribute(rng, name, url) for name in names if rng.random() < 0.85]
    if others and rng.random() < 0.8:
        words.insert(rng.randrange(len(words) + 1), others)
    return f"<{tag} {' '.join(words)}{rng.choice(('', '', '/'))}>"


LINKS = (
    "rel=stylesheet", "rel='alternate stylesheet'", "rel=NEXT", "rel=canonical", "rel=icon", "rel='shortcut icon'",
    "rel='preload' as=image", "rel=preload as=script", "rel=preload as=font", "rel=modulepreload", "rel='icon\\fnext'",
    "rel=prefetch", "rel=alternate type=application/rss+xml", "rel=''",
)  # fmt: skip
REFRESHES = """
    {t};url={u} {t};URL="{u}" {t};'{u}'x {t},{u} {t}_{u} {t} {t}; {t};url x{t};url={u} {t}.5;_url_=_{u} ;url={u}
    {t}x;{u} {t};urlx={u} {t};uRL={u}
""".split()
ROBOTS = (
    "noindex", "NoFollow", "none", "all", "max-snippet: 20", "max-image-preview:large", "é", "", "index", "x:y",
    "unavailable_after: Friday, 25-Jun-2032 15:00:00 GMT", "unavailable_after: 2030-01-01",
)  # fmt: skip
NAMES = ("robots", "robots", "ROBOTS", "googlebot", "description", "")
CANONICALS = ("canonical", "Canonical", "canonical next", "shortlink\ncanonical", "canonical2")
LANGUAGES = ("de", "x-default", "EN-us", "''")
ENCODINGS = (
    "utf-8",
    "windows-1252",
    "koi8-r",
    "shift_jis",
    "gbk",
    "euc-kr",
    "big5",
    "utf-16",
    "iso-8859-8",
    "x-user-defined",
)


def generate(seed: int) -> Page:
    rng = random.Random(seed)
    parts = []
    for _ in range(rng.randrange(3, 60)):
        choice = rng.random()
        if choice < 0.6:
            parts.append(element(rng, rng.choice(URLS)))
        elif choice < 0.72:
            parts.append(f"<{rng.choice(OPEN)}>")
        elif choice < 0.85:
            parts.append(f"</{rng.choice(OPEN)}>")
        elif choice < 0.93:
            parts.append(rng.choice(TEXTS))
        elif choice < 0.985:
            parts.append(rng.choice(CHUNKS).replace("_", " "))
        elif choice < 0.992:
            content = ", ".join(rng.choices(ROBOTS, k=rng.randrange(1, 4)))
            parts.append(f"<meta {attribute(rng, 'name', rng.choice(NAMES))} {attribute(rng, 'content', content)}>")
        else:
            content = rng.choice(REFRESHES).format(t=rng.choice(("1000", "0999")), u=rng.choice(URLS)).replace("_", " ")
            parts.append(f"<meta http-equiv=Refresh content='{content}'>")
    # What is in the head, before anything that ends it.
    head = []
    for _ in range(rng.randrange(4)):
        content = ", ".join(rng.choices(ROBOTS, k=rng.randrange(1, 4)))
        head.append(rng.choice((
            f"<link {attribute(rng, 'rel', rng.choice(CANONICALS))} {attribute(rng, 'href', rng.choice(URLS))}>",
            f"<meta {attribute(rng, 'name', rng.choice(NAMES))} {attribute(rng, 'content', content)}>",
            f"<link rel=alternate hreflang={rng.choice(LANGUAGES)} {attribute(rng, 'href', rng.choice(URLS))}>",
        )))  # fmt: skip
    return declare(rng, "".join(head + parts))


def declare(rng: random.Random, text: str) -> Page:
    """The page in an encoding that it or its Content-Type declares, sometimes both, and not the same."""
    encoding = rng.choice(ENCODINGS)
    codec = {"x-user-defined": "latin-1"}.get(encoding, encoding)
    meta = f"<meta charset={encoding}>" if rng.random() < 0.5 else (
        f'<meta content="text/html; charset={encoding}" http-equiv=content-type>'
    )  # fmt: skip
    if codec == "utf-16":
        return Page(text.encode("utf-16"), rng.choice((None, "koi8-r")))
    way = rng.randrange(6)
    if way == 0:
        return Page(text.encode(codec, "ignore"), encoding)
    if way == 1:
        return Page(b"\xef\xbb\xbf" + (meta + text).encode(), rng.choice((None, encoding)))
    if way == 2:
        return Page(("<!-- <meta charset=big5> -->" + meta + text).encode(codec, "ignore"))
    if way == 3:
        return Page((meta + text).encode("koi8-r", "ignore"), "koi8-r")
    if way == 4:
        return Page(f"<head><!--{'x' * 1100}-->{meta}{text}".encode(codec, "ignore"))
    return Page((meta + text).encode(codec, "ignore"), rng.choice((None, "unknown", "")))
