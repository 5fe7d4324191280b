"""weburl.crawl.redirect_target, against what Chromium requests after a redirect."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections import defaultdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from shutil import which

import pytest
from support.browser import FLAGS
from test_redirects import LOCATIONS

from weburl import InvalidURL
from weburl.crawl import redirect_target

PAGE = "http://page.test/dir/page"
BASE = "http://page.test/dir/r?"
SCRIPT = b"""<script>onload = async () => {
    for (let i = 0; i < %d; i++) {
        await fetch("/dir/r?" + i, {mode: "no-cors"}).catch(() => 0);
        await fetch("/next?" + i);
    }
}</script>"""
# Besides those of test_redirects.py: bytes in every part, in every order.
MORE = [
    b"/%d/%s" % (number, data)
    for number, data in enumerate(
        [bytes([byte]) for byte in range(0x80, 0x100)]
        + [bytes([byte]) for byte in (*range(0x21, 0x7F), 0x01, 0x1F, 0x7F)]
        + ["é€😀".encode(), "é€😀".encode()[:-1], b"\xe9\xc3\xa9?\xff&\xc3\xa9", b"a b?c d"]
        + [b"%?%zz%\xe9", b"?\xe9=\xe9", b"?'"]
    )
] + [
    b"http://b\xc3\xbccher.test/\xe9",
    b"//caf\xe9.test/",
    b"//x.test/\xe9#\xe9",
    b"http:x\xe9",
    b"\\\\y.test\\\xe9",
    b"http://\xef\xbd\x81.test/",
    b"  z\xe9  ",
    b"http://a^b/",
    b"http://h:99999/",
]  # fmt: skip


class Server(ThreadingHTTPServer):
    def __init__(self, locations: list[bytes]) -> None:
        self.locations = locations
        self.requested: dict[int, list[str]] = defaultdict(list)
        self.at = -1
        self.done = threading.Event()
        super().__init__(("127.0.0.1", 0), Handler)


class Handler(BaseHTTPRequestHandler):
    server: Server

    def do_GET(self) -> None:
        body = b""
        location = None
        if self.path == PAGE:
            body = SCRIPT % len(self.server.locations)
        elif self.path.startswith(BASE):
            self.server.at = int(self.path.removeprefix(BASE))
            location = self.server.locations[self.server.at]
        elif self.path.startswith("http://page.test/next?"):
            if self.server.at == len(self.server.locations) - 1:
                self.server.done.set()
        elif not self.path.endswith("/favicon.ico"):
            self.server.requested[self.server.at].append(self.path)
        self.wfile.write(
            b"HTTP/1.1 302 x\r\nLocation: %s\r\n" % location if location is not None else b"HTTP/1.1 200 x\r\n"
        )
        self.wfile.write(
            b"Content-Type: text/html\r\nConnection: close\r\nContent-Length: %d\r\n\r\n%s" % (len(body), body)
        )

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def requested(locations: list[bytes]) -> dict[int, list[str]]:
    program = which("chromium")
    if program is None:
        raise FileNotFoundError("no chromium: Debian's package of that name has it")
    with Server(locations) as server, tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        options = [f"--proxy-server=http://127.0.0.1:{server.server_port}", f"--user-data-dir={Path(profile)}"]
        browser = subprocess.Popen([program, *FLAGS, *options, PAGE], stderr=subprocess.DEVNULL)
        try:
            assert server.done.wait(120), server.at
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
    return dict(server.requested)


# Those without a path lead to the page that redirects (and Chromium takes an empty location for no redirect at all);
# fetch() of a URL with credentials is blocked; the last are not http: URLs.
NOT_REQUESTED = (b"#", b"?", b"//\xc3\xa9:\xe9@h/", b"foo:", b"foo://", b"javascript:", b"https:", b"\\\\h")


@pytest.fixture(scope="module")
def asked() -> list[tuple[bytes, str, list[str]]]:
    relative = [location for location, _ in LOCATIONS if location and not location.startswith(NOT_REQUESTED)]
    locations = [*relative, *MORE]
    answers = requested(locations)
    return [(location, f"{BASE}{number}", answers.get(number, [])) for number, location in enumerate(locations)]


def test_redirects_are_those_of_chromium(asked: list[tuple[bytes, str, list[str]]]) -> None:
    differences = []
    for location, base, found in asked:
        try:
            expected = [redirect_target(location, base).serialize(exclude_fragment=True)]
        except InvalidURL:
            expected = []
        if b"|" in location:
            # Chromium 156 still escapes it in paths.
            found = [target.replace("%7C", "|") for target in found]
        if found != expected:
            differences.append((location, found, expected))
    assert differences == []
    assert len(asked) > 250
    assert sum(found == [] for *_, found in asked) >= 3
