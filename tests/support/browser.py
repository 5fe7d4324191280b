"""What a browser requests for links: a headless Chromium uses a proxy on localhost, which logs the requests."""

from __future__ import annotations

import html
import subprocess
import tempfile
import threading
from collections.abc import Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from shutil import which
from urllib.parse import unquote

PAGE = "http://page.test/dir/page?"
HREF = "http://page.test/href?"
# The link is followed in a frame. It is left when that has loaded, or after a while, for it may lead nowhere.
SCRIPT = b"""<iframe name="f"></iframe><script>
onload = () => {
    const link = document.links[0];
    new Image().src = "/href?" + encodeURIComponent(link.protocol === ":" ? "" : link.href);
    const next = () => { location = "%s%d" };
    document.querySelector("iframe").onload = next;
    setTimeout(next, 700);
    link.click();
}
</script>"""
FLAGS = """
    --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking
    --disable-component-update --disable-sync --proxy-bypass-list=<-loopback>
""".split()


@dataclass(frozen=True)
class Link:
    """A link of a page in an encoding; bytes are in the page as they are."""

    url: str | bytes
    encoding: str = "utf-8"

    def markup(self) -> bytes:
        if isinstance(self.url, str):
            return "".join(f"&#{ord(character)};" for character in self.url).encode()
        return html.escape(self.url.decode("latin-1")).encode("latin-1")


@dataclass
class Answer:
    """What was requested while a link was on the page, and its serialization."""

    requested: str | None = None
    href: str | None = None


class Log:
    def __init__(self, links: Sequence[Link]) -> None:
        self.links = links
        self.answers = [Answer() for _ in links]
        self.shown = -1
        self.done = threading.Event()

    def page(self, number: int) -> tuple[str, bytes]:
        self.shown = number
        if number == len(self.links):
            self.done.set()
            return "text/plain", b"done"
        link = self.links[number]
        script = SCRIPT % (PAGE.encode(), number + 1)
        return f"text/html; charset={link.encoding}", b'<a target="f" href="%s"></a>%s' % (link.markup(), script)


def handler_of(log: Log) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            if self.path.startswith(PAGE) and self.path.removeprefix(PAGE).isdigit():
                kind, body = log.page(int(self.path.removeprefix(PAGE)))
            else:
                kind, body = "text/plain", b""
                if self.path.startswith(HREF):
                    log.answers[log.shown].href = unquote(self.path.removeprefix(HREF)) or None
                elif not self.path.endswith("/favicon.ico") and 0 <= log.shown < len(log.links):
                    log.answers[log.shown].requested = self.path
            self.send_response(200)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            pass

    return Handler


def ask(links: Sequence[Link], chromium: str = "chromium", seconds: float = 300) -> list[Answer]:
    """What Chromium requests for each link."""
    program = which(chromium)
    if program is None:
        raise FileNotFoundError(f"no {chromium}: Debian's package of that name has it")
    log = Log(links)
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler_of(log))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        options = [f"--proxy-server=http://127.0.0.1:{server.server_port}", f"--user-data-dir={profile}"]
        browser = subprocess.Popen([program, *FLAGS, *options, f"{PAGE}0"], stderr=subprocess.DEVNULL)
        try:
            if not log.done.wait(seconds):
                raise TimeoutError(f"Chromium is still at link {log.shown} of {len(links)}")
        finally:
            browser.terminate()
            browser.wait()
            server.shutdown()
            server.server_close()
    return log.answers
