"""What Scrapy with the add-on sends: the bytes on the wire are those of `URL(...).href`, under a robots.txt."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from html import escape
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from support.browser import PAGE, Link, ask

from weburl import URL

ROBOTS = b"User-agent: *\nDisallow: /x~y\nDisallow: /private/\n"
# Some of them lead to what robots.txt forbids, but are not written so.
LINKS = [
    "/zz/../x~y", "/%2e/x~y?z", "/a/%2E%2e/private/b", "/private/../public", "/./x%7Ey", "/é/日本?q=é&日",
    "/%zz%/%c3%A9%7e%41?%zz%&%c3%A9", "/p|q^r`s{t}u[v]w\"x'y<z>?|^`{}[]\"'<>", "/a\\b/..\\c", "/t\ta\nb", "dir/./../e?",
    "/;/;x=y;", "/x;", "/a//b///c/..", "?q=a+b%20c&&=", " /spaces in path?and query ", "/\U0001f600?\U0001f600",
    "//HOST/absolute?x", "/x;y?z;#f", "//HOST//two",
]  # fmt: skip
PIECES = [
    *"/ .. . %2e %2F %7E %zz % ~ é 日 | ^ [ ] { ` \\ // ; = + ' \" < a b & : @ ! x~y private %C3%A9 * ( $ ,".split(),
    " ", "\u200b",
]  # fmt: skip


def generated(count: int) -> list[str]:
    rng = random.Random(count)
    links = []
    for number in range(count):
        path = "".join(rng.choices(PIECES, k=rng.randrange(1, 9)))
        query = "".join(rng.choices(PIECES, k=rng.randrange(1, 6)))
        links.append(f"/g{number}/{path}" + rng.choice(("", f"?{query}", f"?{query}#{path}")))
    return links


class Site:
    """A server, and the targets of the requests that it gets, byte for byte."""

    def __init__(self) -> None:
        self.pages: dict[str, bytes] = {"/robots.txt": ROBOTS}
        self.redirects: dict[str, bytes] = {}
        self.targets: list[str] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                # `path` would not have two slashes where it begins.
                target = self.requestline.split(" ")[1]
                site.targets.append(target)
                location = site.redirects.get(target)
                self.send_response(200 if location is None else 302)
                if location is not None:
                    self.send_header("Location", location.decode("latin-1"))
                kind = "text/html" if target == "/" else "application/xml" if target.endswith(".xml") else "text/plain"
                self.send_header("Content-Type", f"{kind}; charset=utf-8")
                self.end_headers()
                self.wfile.write(site.pages.get(target, b"-"))

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        self.handler = Handler

    @contextmanager
    def serve(self) -> Iterator[str]:
        with ThreadingHTTPServer(("127.0.0.1", 0), self.handler) as server:
            threading.Thread(target=server.serve_forever).start()
            yield f"http://127.0.0.1:{server.server_port}/"
            server.shutdown()


SETTINGS = """
    name = "wire"
    custom_settings = {
        "ADDONS": {"weburl.ext.scrapy.AddOn": 0}, "ROBOTSTXT_OBEY": True, "TELNETCONSOLE_ENABLED": False,
        "RETRY_ENABLED": False, "DOWNLOAD_DELAY": 0, "CONCURRENT_REQUESTS_PER_DOMAIN": 16, "REDIRECT_MAX_TIMES": 3,
    }
"""
BY_LINKS = f"""
from scrapy.linkextractors import LinkExtractor
from scrapy.spiders import CrawlSpider, Rule


class Wire(CrawlSpider):
    {SETTINGS}
    rules = [Rule(LinkExtractor(), callback="parse_page")]
    start_urls = ["START"]

    def parse_page(self, response):
        pass
"""
BY_SITEMAP = f"""
from scrapy.spiders import SitemapSpider


class Wire(SitemapSpider):
    {SETTINGS}
    sitemap_urls = ["STARTsitemap.xml"]

    def parse(self, response):
        pass
"""
BY_FORM = f"""
from scrapy import FormRequest, Spider


class Wire(Spider):
    {SETTINGS}
    start_urls = ["START"]

    def parse(self, response):
        for number in range(response.text.count("<form")):
            yield FormRequest.from_response(response, formnumber=number, callback=self.ignore, dont_filter=True)

    def ignore(self, response):
        pass
"""


def run(folder: Path, spider: str, start: str, *arguments: str) -> subprocess.CompletedProcess[str]:
    file = folder / "wire.py"
    file.write_text(spider.replace("START", start), "utf-8")
    environment = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    environment["PYTHONPATH"] = os.pathsep.join(sys.path)
    command = [sys.executable, "-m", "scrapy", "runspider", str(file), *arguments]
    return subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=240)


def target_of(url: URL) -> str:
    # `search` has no empty query.
    return url.href.partition("#")[0].removeprefix(f"{url.scheme}://{url.host}")


def by_twisted(target: str) -> str:
    """What Twisted's client, which Scrapy uses, makes of a target: an empty query and an empty parameter go."""
    path, _, query = target.partition("?")
    start, slash, last = path.rpartition("/")
    name, _, parameters = last.partition(";")
    return start + slash + (f"{name};{parameters}" if parameters else name) + (f"?{query}" if query else "")


def allowed(target: str) -> bool:
    # Scrapy's parser takes %7E for ~, as RFC 9309 says.
    return not target.replace("%7E", "~").startswith(("/x~y", "/private/"))


def links_at(start: str) -> list[str]:
    return [link.replace("HOST", URL(start).host) for link in LINKS + generated(150)]


def expected(start: str) -> set[str]:
    urls = [URL.parse(link, start) for link in links_at(start)]
    host = URL(start).host
    return {target_of(url) for url in urls if url is not None and url.host == host and allowed(target_of(url))}


def check(ran: subprocess.CompletedProcess[str], site: Site, own: set[str], wanted: set[str]) -> None:
    assert ran.returncode == 0, ran.stderr
    assert "Traceback" not in ran.stderr, ran.stderr
    targets = set(site.targets) - own - {"/robots.txt"}
    assert all(map(allowed, targets))
    assert targets - {"/"} == {by_twisted(target) for target in wanted} - {"/"}


def test_links(tmp_path: Path) -> None:
    site = Site()
    with site.serve() as start:
        body = "".join(f'<a href="{escape(link)}">x</a>' for link in links_at(start))
        site.pages["/"] = f"<!doctype html><meta charset=utf-8>{body}".encode()
        ran = run(tmp_path, BY_LINKS, start)
        wanted = expected(start)
    assert "'robotstxt/forbidden': " in ran.stderr
    check(ran, site, set(), wanted)


def test_redirects(tmp_path: Path) -> None:
    site = Site()
    with site.serve() as start:
        # A header has no line ends.
        links = [link for link in links_at(start) if not set(link) & set("\n\t") and link == link.strip()]
        site.redirects = {f"/r{number}": link.encode() for number, link in enumerate(links)}
        body = "".join(f"<a href=r{number}>x</a>" for number in range(len(links)))
        site.pages["/"] = f"<!doctype html>{body}".encode()
        ran = run(tmp_path, BY_LINKS, start)
        urls = [URL.parse(link, f"{start}r{number}") for number, link in enumerate(links)]
        host = URL(start).host
        wanted = {target_of(url) for url in urls if url is not None and url.host == host and allowed(target_of(url))}
    check(ran, site, set(site.redirects), wanted)


def test_sitemaps(tmp_path: Path) -> None:
    site = Site()
    with site.serve() as start:
        links = [link for link in links_at(start) if link.startswith("/") and not link.startswith("//")]
        locs = "".join(f"<url><loc>{escape(start[:-1] + link)}</loc></url>" for link in links)
        relative = "<url><loc>/relative</loc></url>"
        site.pages["/sitemap.xml"] = f"<urlset>{relative}{locs}</urlset>".encode()
        ran = run(tmp_path, BY_SITEMAP, start)
        # The XML parser of Scrapy takes line ends for spaces at the ends only.
        urls = [URL.parse(start[:-1] + link) for link in links]
        wanted = {target_of(url) for url in urls if url is not None and allowed(target_of(url))}
    assert "Ignored in a sitemap, as it is not an absolute URL: '/relative'" in ran.stderr
    check(ran, site, {"/sitemap.xml"}, wanted)


def test_forms(tmp_path: Path) -> None:
    site = Site()
    with site.serve() as start:
        links = links_at(start)[:60]
        fields = "<input name=a value='\u00e9 b'>"
        forms = "".join(f'<form action="{escape(link)}">{fields}</form>' for link in links)
        site.pages["/"] = f"<!doctype html><meta charset=utf-8>{forms}".encode()
        ran = run(tmp_path, BY_FORM, start)
        urls = [URL.parse(link, start) for link in links]
        host = URL(start).host
        paths = [url.pathname for url in urls if url is not None and url.host == host]
        wanted = {f"{path}?a=%C3%A9+b" for path in paths if allowed(path)}
    check(ran, site, set(), wanted)


def test_chromium_sends_the_same() -> None:
    """By a proxy, which gets whole URLs; so nothing of Twisted is in it."""
    links = [link.replace("HOST", "h.example") for link in LINKS + generated(60)]
    answers = ask([Link(link, "utf-8") for link in links])
    found = [answer.requested for answer in answers]
    assert sum(target is not None for target in found) > 60
    differ = []
    for link, target in zip(links, found, strict=True):
        url = URL.parse(link, PAGE)
        if target is not None and url is not None:
            # Chromium escapes | in a path, and the URL Standard does not.
            path, mark, query = target_of(url).partition("?")
            own = path.replace("|", "%7C") + mark + query
            if not target.endswith(f"{url.host}{own}"):
                differ.append((link, target, own))
    assert differ == []


JOB = BY_LINKS.replace('"RETRY_ENABLED"', '"JOBDIR": "job", "RETRY_ENABLED"')


def test_a_job_keeps_its_policy(tmp_path: Path) -> None:
    site = Site()
    site.pages["/"] = b"<!doctype html><a href=/a>x</a>"
    with site.serve() as start:
        assert run(tmp_path, JOB, start).returncode == 0
        assert (tmp_path / "job" / "weburl-policy.txt").read_text() == "CrawlPolicy(name='crawl')\n"
        assert "/a" in site.targets
        site.targets.clear()
        again = run(tmp_path, JOB, start, "-s", "WEBURL_POLICY=crawl/1")
        assert "Traceback" not in again.stderr
        assert site.targets
        site.targets.clear()
        other = run(tmp_path, JOB, start, "-s", "WEBURL_POLICY=whatwg")
        assert (
            "has fingerprints of the policy CrawlPolicy(name='crawl'), and WEBURL_POLICY is Policy(name='whatwg')"
            in (other.stderr)
        )
        (tmp_path / "job" / "weburl-policy.txt").unlink()
        without = run(tmp_path, JOB, start)
        assert "has fingerprints that were not made with this add-on" in without.stderr
    assert site.targets == []


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ("allowed_domains = ['https://example.com/']", "This is a URL, not a host"),
        ("allowed_domains = ['exa mple.com']", "exa mple.com"),
        ("custom_settings = {**custom_settings, 'WEBURL_POLICY': 'crawl/99'}", "WEBURL_POLICY: policy must be"),
        ("custom_settings = {**custom_settings, 'WEBURL_POLICY': 5}", "WEBURL_POLICY: policy must be"),
    ],
)  # fmt: skip
def test_errors_come_at_the_start(setting: str, message: str, tmp_path: Path) -> None:
    site = Site()
    with site.serve() as start:
        ran = run(tmp_path, BY_LINKS.replace("rules =", f"{setting}\n    rules ="), start)
    assert message in ran.stderr
    assert "Spider opened" not in ran.stderr
    assert site.targets == []
