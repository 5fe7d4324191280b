"""robots.txt in Scrapy: the parser, and what responses and failures mean, in crawls of a local server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from scrapy.settings import Settings
from scrapy.utils.test import get_crawler

from weburl import URL
from weburl.ext.scrapy import AddOn, RobotParser, RobotsTxtMiddleware

FILE = b"""\
User-agent: *
Disallow: /private
Disallow: /x~y
Crawl-delay: 2

User-agent: examplebot
Allow: /private
"""


def test_the_parser() -> None:
    parser = RobotParser.from_crawler(get_crawler(), FILE)
    for private in ("https://h/private", b"https://h/private", "https://h/a/../x%7Ey", "https://h/\u00e9/../x~y"):
        for agent in ("Other/1.0", b"Other/1.0 (+https://h)", "", "\u00e9", b"\xff"):
            assert parser.allowed(private, agent) is False
        assert parser.allowed(private, "ExampleBot/2.1 (+https://h)") is True
        assert parser.allowed(private, b"Mozilla/5.0 (compatible; ExampleBot/2.1)") is True
    assert (parser.crawl_delay("Other"), parser.crawl_delay(b"ExampleBot/2")) == (2.0, None)
    assert parser.allowed("no URL", "Other") is False
    assert parser.allowed("https://h/b", "Other") is True
    for i in range(100):
        assert parser.allowed("https://h/private", f"{'a' * (i % 10 + 1)}{i}") is False
    assert len(parser._robots) <= 16


@pytest.mark.parametrize("body", [b"", b"\xff\xfe", b"<html>", b"\0" * 1000, FILE.replace(b"\n", b"\r")])
def test_any_body(body: bytes) -> None:
    assert RobotParser.from_crawler(get_crawler(), body).allowed("https://h/a", "b") is True


def test_the_add_on() -> None:
    settings = Settings()
    AddOn().update_settings(settings)
    places = settings.getdict("DOWNLOADER_MIDDLEWARES_BASE")
    assert places["weburl.ext.scrapy.RobotsTxtMiddleware"] == 100
    assert not any(key.startswith("scrapy.") and "Robots" in key for key in places)
    assert settings["ROBOTSTXT_PARSER"] is RobotParser
    own = Settings({"ROBOTSTXT_PARSER": "scrapy.robotstxt.PythonRobotParser"})
    AddOn().update_settings(own)
    assert own["ROBOTSTXT_PARSER"] == "scrapy.robotstxt.PythonRobotParser"


SPIDER = """
import scrapy
class Pages(scrapy.Spider):
    name = "pages"
    custom_settings = {"ADDONS": {"weburl.ext.scrapy.AddOn": 0}, "ROBOTSTXT_OBEY": True, "RETRY_ENABLED": False}
    async def start(self):
        for path in ("/open", "/private/a", "/a/../private/b", "/x%7Ey"):
            yield scrapy.Request(self.url + path, callback=self.parse_page, errback=self.parse_page)
    def parse_page(self, response):
        pass
"""


def requested(folder: Path, answer: tuple[int, bytes, dict[str, str]] | None) -> list[str]:
    """The paths that a crawl asks for, if the robots.txt is this; None for a server that closes the connection."""
    paths: list[str] = []

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            if self.path.startswith("/robots"):
                if answer is None:
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                status, body, headers = answer if self.path == "/robots.txt" else (200, FILE, {})
            else:
                paths.append(self.path)
                status, body, headers = 200, b"-", {}
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: Any) -> None:
            pass

    (folder / "pages.py").write_text(SPIDER, "utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://127.0.0.1:{server.server_port}"
        settings = ["-s", "TELNETCONSOLE_ENABLED=False", "-s", "USER_AGENT=Other/1.0"]
        command = [sys.executable, "-m", "scrapy", "runspider", "pages.py", "-a", f"url={url}", *settings]
        environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
        ran = subprocess.run(command, env=environment, cwd=folder, capture_output=True, text=True, timeout=120)
        server.shutdown()
    assert "'finish_reason': 'finished'" in ran.stderr, ran.stderr
    # Dot segments may be sent or not.
    return sorted({URL(f"http://h{path}").pathname for path in paths})


ALL = ["/open", "/private/a", "/private/b", "/x%7Ey"]


@pytest.mark.parametrize(
    ("answer", "paths"),
    [
        ((200, FILE, {}), ["/open"]),
        ((404, FILE, {}), ALL),
        ((403, b"", {}), ALL),
        ((429, b"", {}), []),
        ((503, b"", {}), []),
        ((301, b"", {"Location": "/robots2"}), ["/open"]),
        (None, []),
    ],
)
def test_crawls(answer: Any, paths: list[str], tmp_path: Path) -> None:
    assert requested(tmp_path, answer) == paths


def test_files_grow_old(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("weburl.ext._scrapy.robots.monotonic", lambda: now[0])
    middleware = RobotsTxtMiddleware(get_crawler(settings_dict={"ROBOTSTXT_OBEY": True}))
    middleware._ends["h"] = 10.0
    middleware._parsers["h"] = None
    from scrapy import Request

    class Asked(Exception):
        pass

    async def ask(self: Any, request: Any) -> None:
        raise Asked(request.url)

    monkeypatch.setattr("scrapy.downloadermiddlewares.robotstxt.RobotsTxtMiddleware.robot_parser", ask)
    for time, kept in ((9.0, True), (10.0, False)):
        now[0] = time
        with pytest.raises(Asked):
            middleware.robot_parser(Request("http://h/")).send(None)
        assert ("h" in middleware._parsers) is kept
