"""A site of 2,000 pages that is hard to crawl, on loopback. It knows which page each request is for, and counts.

What a browser requests is known from how a link is made, not from a parser: a page has a path and a query of bytes, and
links are spellings of them that the standard defines. A request is for a page if its path and query are the page's
after percent-decoding, as in a server that decodes; parameters of sessions and campaigns make no difference.
"""

from __future__ import annotations

import asyncio
import html
import json
import sys
from collections import Counter
from random import Random
from urllib.parse import quote, unquote_to_bytes

PAGES = 2000
LETTERS = {
    "utf-8": "éßя日本ü",
    "windows-1252": "éßüñçø",
    "shift_jis": "日本語ソ表示",
    "euc-jp": "日本語東京駅",
    "gbk": "中文网页测试",
    "big5": "中文網頁測試",
    "windows-1251": "яблокоё",
    "euc-kr": "한국어서울",
}
# What pages call some of them.
NAMES = {"gbk": "gb2312", "windows-1252": "iso-8859-1"}
ENCODINGS = list(LETTERS)
CALENDAR = 60


class Page:
    """Page number n: its name in bytes, and its encoding. Every tenth has links with a new session each time."""

    def __init__(self, number: int, random: Random, folder: str) -> None:
        self.number = number
        self.encoding = ENCODINGS[number % len(ENCODINGS)]
        self.in_session = number % 10 == 7
        self.folder = folder
        self.word = "".join(random.sample(LETTERS[self.encoding], 2))
        self.marks = random.choice(["", "|", "[]", "{}", "'", "(a)", "a b", "%zz", "~", "+", "&;=", "a;b", "*"])

    def target(self, query_encoding: str) -> tuple[str, str]:
        """Path and query as characters, and the query's characters in an encoding, escaped."""
        path = f"{self.folder}{self.word}{self.marks.replace('%zz', '')}-{self.number}"
        query = f"n={self.number}&q={quote(self.word.encode(query_encoding), safe='')}"
        return path, query


def spell(page: Page, of: Page, random: Random) -> str:
    """A link to a page, as text of a page in its encoding: some of the ways that mean the same."""
    path, _ = page.target(page.encoding)
    query = f"n={page.number}&q={page.word}"
    folder, _, name = path.rpartition("/")
    # The page that is linked to has the encoding of the page with the link: of its query, the bytes are the same.
    kind = random.randrange(12)
    link = {
        0: f"{path}?{query}",
        1: f"  {path}?{query}\n",
        2: f"//{{host}}{path}?{query}",
        3: f"HTTP://{{host}}{path}?{query}",
        4: f"{folder}/x/../{name}?{query}",
        5: f"{folder}/./{name}?{query}#part",
        6: f"{page.folder}{name}?{query}".replace("/", "\\"),
        7: f"{folder}/%2e/{name}?{query}",
        8: f"{path}?{query}&utm_source=mail&fbclid=x{random.random()}",
        9: f"{path[:3]}\t{path[3:]}?{query}",
        10: f"{{relative}}{path[1:]}?{query}",
        11: f"http:{{relative}}{path[1:]}?{query}",
    }[kind]
    return link


BASES = ["", "relative", "absolute", "late", "second", "in template", "in svg", "data", "in comment"]


class Site:
    def __init__(self, seed: int = 18, pages: int = PAGES) -> None:
        random = Random(seed)
        self.random = random
        self.pages = [Page(number, random, self.folder_of(number)) for number in range(pages)]
        # Links lead to pages of the same encoding, so that the query has the same bytes there.
        self.children: dict[int, list[int]] = {number: [] for number in range(pages)}
        count = len(ENCODINGS)
        for number in range(count, pages):
            place, kind = divmod(number, count)
            self.children[(place - 1) // 3 * count + kind].append(number)
        self.more = {n: [random.randrange(pages // count) * count + n % count for _ in range(3)] for n in range(pages)}
        self.clear()
        self.names = {self.key_of(page): page.number for page in self.pages}
        self.spellings = {
            n: [self.link(n, child) for child in (*self.children[n], *self.more[n])] for n in range(pages)
        }

    def folder_of(self, number: int) -> str:
        return f"/d{number % 7}/e{number % 5}/"

    def clear(self) -> None:
        self.seen: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.requests = self.sessions = 0

    def key_of(self, page: Page) -> tuple[bytes, bytes]:
        path, query = page.target(page.encoding)
        return path.encode(), unquote_to_bytes(query)

    def link(self, number: int, child: int) -> str:
        text = spell(self.pages[child], self.pages[number], self.random)
        if self.random.random() < 0.1 and child in self.children[number]:
            return f"/redirect?{child}"
        return text

    def page_for(self, path: bytes, query: bytes) -> str | None:
        """The name of the page for a request, which a real server would find by decoding."""
        if path == b"/" and not query:
            return "home"
        if path == b"/calendar" and query[:4] == b"day=" and query[4:].isdigit():
            return f"calendar {int(query[4:])}" if int(query[4:]) < CALENDAR else None
        pairs = [pair for pair in query.split(b"&") if pair and not pair.startswith((b"utm_", b"fbclid", b"PHPSESSID"))]
        decoded = b"&".join(sorted(unquote_to_bytes(pair) for pair in pairs))
        number = self.names.get((unquote_to_bytes(path), decoded))
        return None if number is None else f"page {number}"

    def answer(self, target: bytes, host: str) -> bytes:
        if target == b"/.counts":
            return response(json.dumps(self.counts()).encode(), "application/json")
        if target == b"/.clear":
            self.clear()
            return response(b"", "text/plain")
        self.requests += 1
        path, _, query = target.partition(b"?")
        if path == b"/redirect" and query.isdigit() and int(query) < len(self.pages):
            return self.redirect(self.pages[int(query)])
        name = self.page_for(path, query)
        if name is None:
            self.wrong.append(target.decode("latin-1"))
            return response(b"not here", "text/plain", b"404 Not Found")
        self.seen[name] += 1
        if name == "home":
            links = "".join(f'<a href="/redirect?{number}">x</a>' for number in range(len(ENCODINGS)))
            return response(f"<!doctype html><a href='/calendar?day=0'>calendar</a>{links}".encode(), "text/html")
        if name.startswith("calendar"):
            day = int(name.split()[1])
            text = f"<a href='?day={day + 1}'>next</a><a href='?day={max(day - 1, 0)}#top'>back</a>"
            return response(text.encode(), "text/html") if day + 1 < CALENDAR else response(b"end", "text/html")
        return self.show(self.pages[int(name.split()[1])], host)

    def redirect(self, page: Page) -> bytes:
        """With raw bytes: the path in UTF-8, the query in the page's encoding, which need not be UTF-8."""
        path, _ = page.target(page.encoding)
        query = f"n={page.number}&q={page.word}".encode(page.encoding)
        location = path.encode() + b"?" + query
        return b"HTTP/1.1 302 Found\r\nLocation: %s\r\nContent-Length: 0\r\n\r\n" % location

    def show(self, page: Page, host: str) -> bytes:
        variant = BASES[page.number % len(BASES)]
        base = {
            "relative": '<base href="/base/dir/">',
            "absolute": f'<base href="http://{host}/base/">',
            "second": '<base target="x"><base href="/base/"><base href="/not/here/">',
            "in template": '<template><base href="/not/here/"></template>',
            "in svg": '<svg><base href="/not/here/"/></svg>',
            "data": '<base href="data:,x">',
            "in comment": '<!-- <base href="/not/here/"> -->',
        }.get(variant, "")
        up = {"relative": "../../", "absolute": "../", "second": "../", "late": "../"}.get(variant, "../../")
        links = []
        for number, text in enumerate(self.spellings[page.number]):
            link = text.replace("{host}", host).replace("{relative}", up)
            if page.in_session and "?" in link and "#" not in link and "redirect" not in link:
                self.sessions += 1
                link = f"{link.rstrip()}&PHPSESSID={self.sessions:032x}"
            if number == 0 and page.number % 25 == 3 and link[:1] == "/" and "'" not in link:
                # A browser goes there at once.
                links.append(f"<meta http-equiv=refresh content=\"0 ; URL = '{html.escape(link)}'; x\">")
            else:
                links.append(f'<p><a href="{html.escape(link)}">link {number}</a>')
        label = NAMES.get(page.encoding, page.encoding)
        meta = f"<meta charset={label}>" if page.number % 3 else ""
        late = '<base href="/base/">' if variant == "late" else ""
        text = f"<!doctype html>{meta}<title>{page.word}</title>{base}{''.join(links)}{late}"
        kind = "text/html" if meta else f"text/html; charset={label}"
        return response(text.encode(page.encoding), kind)

    def counts(self) -> dict[str, object]:
        return {
            "requests": self.requests,
            "pages": sum(name.startswith("page") for name in self.seen),
            "missed": len(self.pages) - sum(name.startswith("page") for name in self.seen),
            "twice": sum(self.seen.values()) - len(self.seen),
            "wrong": len(self.wrong),
            "examples": self.wrong[:10],
        }


def response(body: bytes, kind: str, status: bytes = b"200 OK") -> bytes:
    return b"HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n%s" % (status, kind.encode(), len(body), body)


async def serve(site: Site, *addresses: str) -> None:
    """Serves on all addresses, with one port, which it prints."""

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            while line := await reader.readline():
                host = ""
                while (header := await reader.readline()) not in (b"\r\n", b""):
                    if header[:5].lower() == b"host:":
                        host = header[5:].strip().decode("latin-1")
                writer.write(site.answer(line.split(b" ")[1], host))
                await writer.drain()
        except ConnectionError:
            pass
        finally:
            writer.close()

    server = await asyncio.start_server(talk, addresses[0], 0)
    port = server.sockets[0].getsockname()[1]
    others = [await asyncio.start_server(talk, address, port) for address in addresses[1:]]
    print(port, flush=True)
    await asyncio.gather(*(each.serve_forever() for each in (server, *others)))


if __name__ == "__main__":
    sys.exit(asyncio.run(serve(Site(), "127.0.0.1")))
