"""The server of the viewer: for this machine only, with a page that loads nothing from elsewhere."""

from __future__ import annotations

import json
import re
import threading
from base64 import b64encode
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from typing import TYPE_CHECKING, Any, ClassVar, Final

from weburl.cli._system import SYSTEM
from weburl.cli.viewer.page_data import page_of_url

if TYPE_CHECKING:
    from weburl.robots import Robots

# The most characters of each text. With a few times as many combining marks, urllib.parse takes seconds.
LIMIT: Final = 10_000
BODY: Final = 3 * 12 * LIMIT + 100  # bytes; a character has up to twelve in JSON
TOO_LONG: Final = f"The URL, the base and the pattern have at most {LIMIT} characters each"
TIMEOUT: Final = 10  # seconds
# Of a thread, in bytes. With the 128 KiB of musl, nested JSON ends the process before the limit of Python refuses it.
STACK: Final = 8 << 20


def page() -> tuple[bytes, str]:
    """The page, and a policy that allows only its own script and style, by their hashes."""
    text = files("weburl.cli.viewer").joinpath("page.html").read_text("utf-8").replace("{limit}", str(LIMIT))
    allowed = {
        name: "'sha256-" + b64encode(sha256(inside.encode()).digest()).decode() + "'"
        for name, inside in re.findall(r"<(script|style)>(.*?)</\1>", text, re.DOTALL)
    }
    policy = {
        "default-src": "'none'",
        "script-src": allowed["script"],
        "style-src": allowed["style"],
        "connect-src": "'self'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
        "frame-ancestors": "'none'",
        # No text that is assigned becomes markup.
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return text.encode(), "; ".join(f"{name} {value}" for name, value in policy.items())


class Server(ThreadingHTTPServer):
    # How many connections may wait. With five, the default, some of many connections at once were never answered.
    request_queue_size = 128
    allow_reuse_address: bool = SYSTEM.takes_ports_again
    page: bytes
    policy: str
    server_name: str
    server_port: int

    def __init__(self, port: int = 0, robots: Robots | None = None) -> None:
        try:
            super().__init__(("127.0.0.1", port), Handler)
        except OSError as error:
            error.filename = f"127.0.0.1:{port}"
            raise
        self.robots = robots
        self.page, self.policy = page()
        port_suffix = "" if self.server_port == 80 else f":{self.server_port}"
        # Requests with another name are refused: anybody can make a name point to 127.0.0.1.
        self.hosts: list[str] = [f"127.0.0.1{port_suffix}", f"localhost{port_suffix}"]
        self.origin: str = f"http://{self.hosts[0]}"

    def server_bind(self) -> None:
        # HTTPServer asks the network for the name of the machine.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", self.server_address[1]

    def process_request(self, request: Any, client_address: Any) -> None:
        before = threading.stack_size(STACK)
        try:
            super().process_request(request, client_address)
        finally:
            threading.stack_size(before)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Does nothing: a browser may close a connection."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version: str = "weburl"
    sys_version: str = ""
    error_message_format: str = "%(message)s\n"
    error_content_type: str = "text/plain; charset=utf-8"
    timeout: ClassVar[float | None] = TIMEOUT

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self.refuse(421, f"Only {self.server.origin} is served here")
            return False
        return True

    def do_GET(self) -> None:
        if self.path == "/":
            self.reply(self.server.page, "text/html")
        else:
            self.refuse(404, "There is nothing here")

    def do_POST(self) -> None:
        length = self.headers.get("Content-Length", "")
        origin = self.headers.get("Origin")
        if self.path != "/parse":
            self.refuse(404, "There is nothing here")
        elif origin is not None and origin.removeprefix("http://") != self.headers["Host"]:
            self.refuse(403, "Requests from other sites are refused")
        elif self.headers.get_content_type() != "application/json":
            self.refuse(415, "The body must be JSON")
        elif "Transfer-Encoding" in self.headers or not re.fullmatch("[0-9]{1,18}", length):
            self.refuse(411, "The length of the body must be given")
        elif int(length) > BODY:
            self.refuse(413, TOO_LONG)
        else:
            self.parse(self.rfile.read(int(length)))

    def parse(self, body: bytes) -> None:
        try:
            fields = json.loads(body)
            texts = [fields[name] for name in ("url", "base", "pattern")]
        except (ValueError, RecursionError, TypeError, LookupError):
            texts = [None]
        if not all(isinstance(text, str) for text in texts):
            self.refuse(400, "The body must be an object with the strings url, base and pattern")
        elif max(map(len, texts)) > LIMIT:
            self.refuse(413, TOO_LONG)
        else:
            self.reply(json.dumps(page_of_url(*texts, robots=self.server.robots)).encode(), "application/json")

    def refuse(self, code: int, message: str) -> None:
        # The rest of the request is not read.
        self.close_connection = True
        self.send_error(code, message)

    def reply(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def end_headers(self) -> None:
        for name, value in (
            ("Content-Security-Policy", self.server.policy),
            ("X-Content-Type-Options", "nosniff"),
            ("X-Frame-Options", "DENY"),
            ("Referrer-Policy", "no-referrer"),
            ("Cache-Control", "no-store"),
            ("Cross-Origin-Opener-Policy", "same-origin"),
            ("Cross-Origin-Resource-Policy", "same-origin"),
        ):
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:
        pass
