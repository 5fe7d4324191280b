"""Sites with all that a crawler meets, on loopback: robots.txt, traps, loops, redirects, and links to private hosts.

python -m crawl.wild_site PAGES TRAP_LIMIT TEXT LINKS prints its port. TEXT is how many bytes of text each page has
beside its links. LINKS is how many links each page has in a menu, to pages that are in all menus of its host. Crawlers
find the hosts with `names` on PYTHONPATH.

What should be fetched is known from how the sites are made. It is `Expected`, and no part of weburl is used for it.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import sys
import time
from itertools import cycle, pairwise
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from urllib.parse import unquote_to_bytes

from crawl.site import Page, Site, response, serve

NAMES: Final = Path(__file__).parent / "names"
# One for each encoding; a.example.co.uk and b.example.co.uk are one site, as are the first two.
HOSTS: Final = (
    "example.com", "www.example.com", "shop.example.org", "example.net", "a.example.co.uk", "b.example.co.uk",
    "ada.github.io", "dan.github.io",
)  # fmt: skip
SLOW, DOWN = "slow.example.net", "down.example.org"
DELAY: Final = 0.1
SCOPE: Final = ("example.com", "example.org", "example.net", "example.co.uk", "=ada.github.io", "=dan.github.io")
# Hosts in scope that are private, and hosts that are not in scope.
PRIVATE: Final = ("localhost", "127.0.0.2")
OUTSIDE: Final = ("carol.github.io", "notexample.com", "example.com.evil.net", "co.uk")
MOST_HOPS: Final = 10
# Pages without others like them.
SINGLE: Final = ("loop", "hidden", "x-robots", "private/open", "file", "gone")
# Pages that each host has.
MENU: Final = (b"/hub", b"/loop", b"/hidden", b"/x-robots", b"/file", b"/same/", b"/more/", b"/session/0")
FOLDERS: Final = ("red", "green", "blue", "black", "white", "pink", "grey")
SHELVES: Final = ("oak", "elm", "ash", "fir", "yew")
ROBOTS: Final = """
# Of this group, the first is the one that counts for the crawler.
User-agent: *
Disallow: /

User-agent: ExampleBot
Disallow: /private/
Disallow: /x~y
Disallow: /*?*print=
Allow: /private/open$
"""
# What robots.txt forbids, and spellings of what it forbids.
FORBIDDEN: Final = (
    "/private/", "/private/a?b", "/zz/../private/b", "/%2e/x~y", "/x%7Ey?q", "/a/%2E%2e/private/c", "/\t./priv\nate/d",
    "\\private\\e", "/private/open?", "/list?print=1&color=0", "/private/open/..;/", "/x~y/é",
)  # fmt: skip
# Paths that are odd, and other spellings of each.
ODD: Final = {
    "/odd/%zz%": ("/odd/x/../%zz%", "\\odd\\%zz%#a"),
    "/odd/é/日本?q=é&日": ("/odd/%C3%A9/%e6%97%a5本?q=%c3%a9&日", "/odd/./é/日本?&q=é&日&"),
    "/odd/p|q^r`s{t}": ("/odd/p%7Cq%5er%60s%7bt}", "/odd/p|q^r`s{t}?utm_source=a"),
    "/odd/a%2Fb": ("/odd/a%2fb", "//HOST/odd/a%2Fb"),
    "/odd//double//": ("/odd/x/..//double//", "/odd//double/x/..//"),
    "/odd/~ok": ("/odd/%7Eok", "/odd/%7e%6f%6b"),
    "/odd/a b+c": ("/odd/a%20b+c", " /odd/a b+c\n"),
    "/odd/;x=y;": ("/odd/y/../;x=y;", "/odd/;x=y;?fbclid=7"),
    "/odd/😀?😀=1&a=2": ("/odd/%F0%9F%98%80?a=2&😀=1", "/odd/😀?a=2&%f0%9f%98%80=1"),
}


class Expected(NamedTuple):
    """Which pages a crawl fetches: each of `once`, and of each trap in `limited` so many."""

    once: set[str]
    limited: dict[str, int]


class WildSite(Site):
    def __init__(self, pages: int, trap_limit: int, text: int = 0, links: int = 0, seed: int = 42) -> None:
        self.trap_limit = trap_limit
        self.text = b"<p>In a paragraph of <b>text</b> there is nothing to find.</p>\n" * (text // 64)
        self.menu = b"".join(
            b"<li class='item'><a href='%s?utm_source=menu&amp;utm_content=%d'>In the menu</a>\n" % (place, number)
            for number, place in zip(range(links), cycle(MENU), strict=False)
        )
        super().__init__(seed, pages)
        self.odd = {key_of(target): target for target in ODD}

    def clear(self) -> None:
        super().clear()
        self.forbidden: list[str] = []
        self.slow_at: list[float] = []
        self.sessions = 0

    # Of what is in a folder, most differs from the others: a folder is not a trap.
    def folder_of(self, number: int) -> str:
        return f"/{FOLDERS[number // 8 % 7]}/{SHELVES[number // 56 % 5]}/"

    def link(self, number: int, child: int) -> str:
        text = super().link(number, child)
        return self.redirect_to(child) if text.startswith("/redirect?") else text

    def redirect_to(self, number: int) -> str:
        return f"/to{self.folder_of(number)}{number}"

    def host_of(self, page: Page) -> str:
        return HOSTS[page.number % len(HOSTS)]

    def expected(self) -> Expected:
        once = {f"page {page.number}" for page in self.pages}
        links = {text for texts in self.spellings.values() for text in texts}
        once |= {f"redirect {page.number}" for page in self.pages if self.redirect_to(page.number) in links}
        once |= {f"redirect {number}" for number in range(len(HOSTS))}
        limited = {}
        for host in HOSTS:
            once |= {f"{host} {name}" for name in ("home", "hub", "same", "same index", *SINGLE)}
            once |= {f"{host} {name}" for name in ("bounce", "bounce visit", "bounce index", "itself")}
            once |= {f"{host} {target}" for target in ODD}
            once |= {f"{host} session {number}" for number in range(5)}
            if host != HOSTS[1]:
                once |= {f"{host} sitemap", *(f"{host} from sitemap {number}" for number in range(3))}
            once |= {f"{host} /r/{name}" for name in self.redirects(host, "")}
            once |= {f"{host} chain {number}" for number in range(6)}
            once |= {f"{host} endless {number}" for number in range(MOST_HOPS + 1)}
            # In these, one page leads to the next.
            once |= {f"{host} {trap} {number}" for trap in ("calendar", "more") for number in range(self.trap_limit)}
            limited[f"{host} list "] = self.trap_limit
        return Expected(once | {f"{SLOW} {number}" for number in range(8)}, limited)

    def redirects(self, host: str, port: str) -> dict[str, str]:
        """Redirects that lead to what must not be fetched, or was fetched."""
        return {
            "private-path": "/zz/../private/r",
            "other-spelling": "/%70rivate/../%2e/x~y?r",
            "loopback": f"http://127.0.0.2{port}/admin",
            "localhost": f"//localhost{port}/admin",
            "number": f"http://2130706434{port}/admin",
            "internal": f"http://internal.example.com{port}/admin",
            "outside": f"http://{OUTSIDE[0]}{port}/",
            "lookalike": f"http://{host}.evil.net{port}/",
            "file": "file:///etc/passwd",
            "script": "javascript:alert(1)",
            "not-a-url": "http://a b/",
            "self": "/r/self",
            "self-again": "/r/x/../self-again#top",
            "a": "/r/b",
            "b": "/r/a?utm_source=loop",
            "home": f"//{HOSTS[0]}{port}",
        }

    def answer(self, target: bytes, host: str) -> bytes:
        answer = self.find_answer(target, host)
        head, _, body = answer.partition(b"\r\n\r\n")
        if b"text/html" not in head:
            return answer
        more = self.text + self.menu if host.partition(":")[0] in HOSTS else self.text
        length = b"Content-Length: %d" % (len(body) + len(more))
        return re.sub(rb"Content-Length: \d+", length, head) + b"\r\n\r\n" + body + more

    def find_answer(self, target: bytes, host: str) -> bytes:
        if target.startswith(b"/."):
            return self.tell(target)
        name, colon, port = host.partition(":")
        path, _, query = target.partition(b"?")
        if path == b"/robots.txt" and name in (*HOSTS, SLOW, DOWN):
            return self.robots_of(name, host)
        if path == b"/robots-at-another-place.txt":
            return response(ROBOTS.encode(), "text/plain")
        self.requests += 1
        if name == SLOW and query.isdigit():
            self.slow_at.append(time.monotonic())
            self.seen[f"{SLOW} {int(query)}"] += 1
            return response(b"".join(b"<a href='?%d'>x</a>" % number for number in range(8)), "text/html")
        if name not in HOSTS or must_not_be_fetched(target):
            self.forbidden.append(f"{host} {target.decode('latin-1')}")
            return response(b"forbidden", "text/plain")
        found = self.page_for(path, query)
        if found is not None and found.startswith("page "):
            page = self.pages[int(found[5:])]
            if self.host_of(page) == name:
                self.seen[found] += 1
                return self.show(page, host)
        if path.startswith(b"/to/"):
            page = self.pages[int(path.rpartition(b"/")[2])]
            self.seen[f"redirect {page.number}"] += 1
            return self.redirect(page)
        known = self.extra(name, colon + port, path, query, target)
        if known is None:
            self.wrong.append(f"{host} {target.decode('latin-1')}")
            return response(b"not here", "text/plain", b"404 Not Found")
        self.seen[f"{name} {known[0]}"] += 1
        return known[1]

    def tell(self, target: bytes) -> bytes:
        if target == b"/.requests":
            return response(b"%d" % self.requests, "text/plain")
        if target == b"/.clear":
            self.clear()
        return response(json.dumps(self.told()).encode(), "application/json")

    def told(self) -> dict[str, Any]:
        told = {"seen": self.seen, "wrong": self.wrong, "forbidden": self.forbidden, "slow_at": self.slow_at}
        return told | {"requests": self.requests}

    def robots_of(self, name: str, host: str) -> bytes:
        if name == DOWN:
            return response(b"", "text/plain", b"500 Internal Server Error")
        if name == SLOW:
            return response(b"User-agent: *\nCrawl-delay: %f" % DELAY, "text/plain")
        if name == HOSTS[1]:
            return moved(b"/robots-at-another-place.txt")
        return response(f"{ROBOTS}\nSitemap: http://{host}/sitemap.xml".encode(), "text/plain")

    def extra(self, name: str, port: str, path: bytes, query: bytes, target: bytes) -> tuple[str, bytes] | None:
        """The page for a request beyond those of `Site`, and what it is called."""
        host = name + port
        first = path.split(b"/")[1]
        rest = path[len(first) + 2 :]
        pairs = dict(pair.partition(b"=")[::2] for pair in query.split(b"&") if pair)
        if key_of(target.decode("latin-1").encode("latin-1")) in self.odd:
            return self.odd[key_of(target)], page_of()
        match first:
            case b"" if not query:
                others = (f"//{other}{port}{place}" for other in HOSTS for place in ("", "/private/first"))
                return "home", page_of("/hub", *others, self.root(name))
            case b"hub":
                return "hub", self.hub(name, port)
            case b"calendar" if pairs.keys() == {b"day"}:
                day = int(pairs[b"day"])
                return f"calendar {day}", page_of(f"?day={day + 1}", f"?day={day - 1 if day else 0}#top")
            case b"list" if pairs.keys() == {b"color", b"size", b"brand", b"page"}:
                return self.facets({key.decode(): value.decode() for key, value in pairs.items()})
            case b"more":
                return f"more {path.count(b'more') - 1}", page_of("more/", "./")
            case b"session":
                # A session in the path, which is new in each link.
                self.sessions += 1
                number = int(rest.partition(b";")[0])
                links = [f"/session/{other};jsessionid={self.sessions:032X}" for other in range(5)]
                return f"session {number}", page_of(*links)
            case b"chain":
                return f"chain {int(rest)}", moved(b"/chain/%d" % (int(rest) + 1)) if rest < b"5" else page_of()
            case b"endless":
                return f"endless {int(query)}", moved(b"?%d" % (int(query) + 1))
            case b"same":
                # By its key, it is one page. It must be fetched nevertheless.
                return ("same index", page_of("/same/")) if rest else ("same", moved(b"index.html"))
            case b"bounce":
                # The same, by way of another page, as of sites that want to set a cookie first.
                place = {b"": b"visit", b"visit": b"index.html"}.get(rest)
                return (
                    ("bounce index", page_of()) if place is None else (f"bounce {rest.decode()}".strip(), moved(place))
                )
            case b"itself":
                return "itself", moved(b"itself")
            case b"loop":
                return "loop", page_of("", "?utm_source=loop", "/x/../loop", "#")
            case b"r" if rest.decode() in (redirects := self.redirects(name, port)):
                return path.decode(), moved(redirects[rest.decode()].encode())
            case b"hidden":
                return "hidden", page_of("/followed/1", head="<meta name=robots content='noindex, nofollow'>")
            case b"x-robots":
                page = page_of("/followed/2").replace(b"\r\n", b"\r\nX-Robots-Tag: examplebot: nofollow\r\n", 1)
                return "x-robots", page
            case b"private":
                return "private/open", page_of()
            case b"file":
                return "file", page_of("/followed/3").replace(b"text/html", b"application/pdf")
            case b"gone":
                return "gone", response(b"<a href=/followed/4>", "text/html", b"410 Gone")
            case b"from-sitemap":
                return f"from sitemap {int(rest)}", page_of()
            case b"sitemap.xml" if name != HOSTS[1]:
                urls = "".join(f"<url><loc>http://{host}/from-sitemap/{n}</loc></url>" for n in range(3))
                return "sitemap", response(gzip.compress(f"<urlset>{urls}</urlset>".encode()), "application/gzip")
        return None

    def root(self, name: str) -> str:
        """The first page of a host."""
        return self.redirect_to(HOSTS.index(name))

    def hub(self, name: str, port: str) -> bytes:
        links = [*FORBIDDEN, "/calendar?day=0", "/list?color=0&size=0&brand=0&page=0", "/more/", "/session/0"]
        links += ["/chain/0", "/endless?0", "/same/", "/bounce/", "/itself", *(f"/{name}" for name in SINGLE)]
        links += [f"/r/{redirect}" for redirect in self.redirects(name, port)]
        links += [spelling.replace("HOST", name + port) for odd in ODD for spelling in (*ODD[odd], odd)]
        hosts = (*PRIVATE, *OUTSIDE, DOWN, "internal.example.com", "0x7f.2", "[::1]")
        links += [f"http://{host}{port}/" for host in hosts]
        links += [f"http://{OUTSIDE[1]}{port}\\@{name}{port}/", "mailto:a@example.com", "file://example.com/etc/passwd"]
        links += [f"http://{SLOW}{port}/?0"]
        return page_of(*links)

    def facets(self, values: dict[str, str]) -> tuple[str, bytes]:
        """Each filter can be changed; the order of the parameters is that of the clicks."""
        random = Random(repr(sorted(values.items())))
        links = []
        for key in values:
            for value in random.sample(range(10), 2):
                pairs = [*(values | {key: str(value)}).items()]
                random.shuffle(pairs)
                links.append("?" + "&".join("=".join(pair) for pair in pairs))
        return f"list {' '.join(values[key] for key in sorted(values))}", page_of(*links)


def must_not_be_fetched(target: bytes) -> bool:
    """What robots.txt forbids, or a page with "nofollow" links to, read by hand."""
    path, mark, query = unquote_to_bytes(target).partition(b"?")
    prefixes = (b"/private/", b"/x~y", b"/followed/", b"/admin")
    return (path.startswith(prefixes) and path + mark != b"/private/open") or b"print=" in query


def key_of(target: str | bytes) -> tuple[bytes, ...]:
    """Bytes that are equal for all spellings of an odd path: what cannot be an escape in it stays as it is."""
    data = target.encode() if isinstance(target, str) else target
    path, _, query = data.replace(b"%2f", b"%2F").replace(b"%2F", b"%252F").partition(b"?")
    pairs = [pair for pair in query.split(b"&") if pair and not pair.startswith((b"utm_", b"fbclid"))]
    return (unquote_to_bytes(path), *sorted(map(unquote_to_bytes, pairs)))


def page_of(*links: str, head: str = "") -> bytes:
    anchors = "".join(f'<li><a href="{link.replace("&", "&amp;")}">text of the link</a>' for link in links)
    return response(f"<!doctype html><meta charset=utf-8>{head}{anchors}".encode(), "text/html")


def moved(location: bytes) -> bytes:
    return b"HTTP/1.1 301 Moved Permanently\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % location


def problems(told: dict[str, Any], expected: Expected) -> dict[str, list[str]]:
    """What is wrong with a crawl, by what the site tells of it. Nothing is, if all lists are empty."""
    seen = set(told["seen"])
    missed = sorted(expected.once - seen)
    others = seen - expected.once
    for prefix, count in expected.limited.items():
        pages = {name for name in others if name.startswith(prefix)}
        others -= pages
        if len(pages) != count:
            missed.append(f"{prefix}: {len(pages)} of {count}")
    slow_at = told["slow_at"]
    return {
        "missed": missed,
        "too much": sorted(others),
        "forbidden": told["forbidden"],
        "wrong": told["wrong"],
        "again": [name for name, count in told["seen"].items() for _ in range(count - 1)],
        "too early": [f"{now - before:.3f} s" for before, now in pairwise(slow_at) if now - before < DELAY],
    }


if __name__ == "__main__":
    site = WildSite(*map(int, sys.argv[1:]))
    sys.exit(asyncio.run(serve(site, "127.0.0.1", "127.0.0.2")))
