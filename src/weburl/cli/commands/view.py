"""weburl view: a page on localhost that shows what becomes of a URL as it is typed."""

from __future__ import annotations

import json
import re
import webbrowser
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from threading import Thread
from typing import Any, Final
from urllib.parse import urlencode, urljoin, urlsplit

from weburl import URL, InvalidURL, validate
from weburl._diagnosis.changes import changes
from weburl._diagnosis.trace import Trace
from weburl._literal import parse
from weburl.cli._parser import Parser
from weburl.cli._status import Status
from weburl.cli.readers.input import argument_text
from weburl.cli.writers.output import without_credentials
from weburl.display import display_url, spoofing_risks
from weburl.hosts import parse_host

EXAMPLES: Final = r"""examples:
  weburl view
  weburl view --port 8080 --no-browser
  weburl view '../a b' --base https://example.com/x/y

The page is served on 127.0.0.1, to this machine only, until Ctrl-C; it loads nothing from anywhere else.

"""

# Of the URL, and of the base: at a few times as many, urllib.parse takes seconds where they are combining marks.
LIMIT: Final = 10_000  # characters
ERRORS: Final = 100
BODY: Final = 2 * 12 * LIMIT + 100  # bytes; a character has up to twelve in JSON
TIMEOUT: Final = 10  # seconds


def make_parser() -> Parser:
    parser = Parser(
        "weburl view",
        description="Serves a page on which a URL and a base can be typed, and shows their errors in place, the "
        "components, the form for people, and what urllib.parse would say.",
        examples=EXAMPLES,
    )
    parser.add_argument("url", metavar="URL", nargs="?", default="", help="what stands there at the start")
    parser.add_argument("--base", metavar="URL", default="", help="what a relative URL is relative to")
    parser.add_argument("--port", type=port, default=0, metavar="PORT", help="by default, one that is free")
    parser.add_argument("--no-browser", action="store_true", help="do not open the page")
    return parser


def port(text: str) -> int:
    number = int(text)
    if not 0 <= number <= 65535:
        raise ValueError
    return number


def main(arguments: list[str]) -> int:
    options = make_parser().parse_args(arguments)
    with Server(options.port) as server:
        start = {"url": argument_text(options.url), "base": argument_text(options.base)}
        # The fragment is not sent.
        page, said = (
            f"{server.origin}/" + (f"#{urlencode(texts)}" if any(texts.values()) else "")
            for texts in (start, {name: without_credentials(text) for name, text in start.items()})
        )
        print(f"{said} (Ctrl-C ends it)", flush=True)
        if not options.no_browser:
            # It may be one in this terminal, which ends before this does.
            Thread(target=webbrowser.open, args=[page], daemon=True).start()
        try:
            server.serve_forever()
        except KeyboardInterrupt:
            print()
    return Status.OK


# What the page shows


def answer(text: str, base_text: str) -> dict[str, Any]:
    """What becomes of a URL and, where it is not empty, of its base."""
    base = URL.parse(base_text) if base_text else None
    result: dict[str, Any] = {"base": errors_of(base_text, None) if base_text else {"errors": [], "count": 0}}
    if base_text and base is None:
        return result | {"errors": [], "count": 0, "parses": False}
    url = URL.parse(text, base)
    result |= errors_of(text, base) | {"parses": url is not None} | compared(text, base_text, url)
    if url is not None:
        trace = Trace(text, parse(base.href).url if base else None)
        literal = trace.run().url
        assert literal is not None
        result |= {
            "parts": list(parts(url)),
            "origin": url.origin,
            "host_type": url.host_type,
            "display": display_url(url),
            "risks": [f"{risk.label}: {risk.detail}" for risk in spoofing_risks(url)],
            "changes": [change._asdict() for change in changes(trace, text, literal)],
        }
    return result


def errors_of(text: str, base: URL | None) -> dict[str, Any]:
    errors = validate(text, base)
    # The last is why it fails.
    shown = errors if len(errors) <= ERRORS else [*errors[: ERRORS - 1], errors[-1]]
    return {"errors": [error._asdict() for error in shown], "count": len(errors)}


def parts(url: URL) -> Iterator[tuple[str, str, str]]:
    """The components of the href: what stands before each, its name, and its text."""
    yield "", "scheme", url.scheme
    before = ":"
    if url.host_type is not None:
        before = "://"
        for name, text in (("username", url.username), ("password", url.password)):
            if text:
                yield before + ":" * (name == "password"), name, text
                before = ""
        yield before + "@" * url.includes_credentials, "host", url.hostname
        before = ""
        if url.port:
            yield ":", "port", url.port
    elif not url.has_opaque_path and url.pathname.startswith("//"):
        before = ":/."
    yield before, "path", url.pathname
    if url.query is not None:
        yield "?", "query", url.query
    if url.fragment is not None:
        yield "#", "fragment", url.fragment


def compared(text: str, base: str, url: URL | None) -> dict[str, Any]:
    """The components beside those that urllib.parse has: a name, two texts, and whether they are the same.

    `other_host` is what a browser would take for another host than that of the URL.
    """
    ours: dict[str, str] = {}
    if url is not None:
        ours = {"href": url.href, "scheme": url.scheme, "username": url.username, "password": url.password}
        ours |= {"host": url.hostname, "port": url.port, "path": url.pathname}
        ours |= {"query": url.query or "", "fragment": url.fragment or ""}
    try:
        theirs = by_urllib(urljoin(base, text))
    except ValueError as error:
        rows = [[name, text, None, False] for name, text in ours.items()]
        return {"rows": rows, "urllib_error": str(error), "other_host": None}
    host = theirs["host"]
    is_other = bool(ours and host) and host_of(host, url) != ours["host"]
    rows = [[name, ours.get(name), text, ours.get(name) == text] for name, text in theirs.items()]
    return {"rows": rows, "urllib_error": None, "other_host": host if is_other else None}


def host_of(text: str, url: URL | None) -> str | None:
    try:
        return str(parse_host(text, opaque=url is not None and not url.is_special))
    except InvalidURL:
        return None


def by_urllib(text: str) -> dict[str, str]:
    split = urlsplit(text)
    host = split.hostname or ""
    try:
        port = "" if split.port is None else str(split.port)
    except ValueError as error:
        port = f"ValueError: {error}"
    return {
        "href": split.geturl(),
        "scheme": split.scheme,
        "username": split.username or "",
        "password": split.password or "",
        "host": f"[{host}]" if ":" in host else host,
        "port": port,
        "path": split.path,
        "query": split.query,
        "fragment": split.fragment,
    }


# The server


def page() -> tuple[bytes, str]:
    """The page, and the policy that lets only its own script and style run, by their hashes."""
    text = files("weburl.cli.commands").joinpath("view.html").read_text("utf-8").replace("{limit}", str(LIMIT))
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
        # Nothing that is assigned can become markup.
        "require-trusted-types-for": "'script'",
        "trusted-types": "'none'",
    }
    return text.encode(), "; ".join(f"{name} {value}" for name, value in policy.items())


class Server(ThreadingHTTPServer):
    # As many connections wait until they are taken; with five, the usual number, more at once were never answered.
    request_queue_size = 128

    def __init__(self, port: int = 0) -> None:
        try:
            super().__init__(("127.0.0.1", port), Handler)
        except OSError as error:
            error.filename = f"127.0.0.1:{port}"
            raise
        self.page, self.policy = page()
        behind = "" if self.server_port == 80 else f":{self.server_port}"
        # A name that somebody has let point here is not among them.
        self.hosts = [f"127.0.0.1{behind}", f"localhost{behind}"]
        self.origin = f"http://{self.hosts[0]}"

    def server_bind(self) -> None:
        # HTTPServer's would ask for the machine's name.
        TCPServer.server_bind(self)
        self.server_name, self.server_port = "localhost", self.server_address[1]

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A browser that has gone is nobody's concern."""


class Handler(BaseHTTPRequestHandler):
    server: Server
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "weburl", ""
    error_message_format, error_content_type = "%(message)s\n", "text/plain; charset=utf-8"
    timeout = TIMEOUT

    def parse_request(self) -> bool:
        if not super().parse_request():
            return False
        if self.headers.get_all("Host", []) not in [[host] for host in self.server.hosts]:
            self.refuse(421, f"This is {self.server.origin} only")
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
            self.refuse(403, "Another site may not ask")
        elif self.headers.get_content_type() != "application/json":
            self.refuse(415, "The body must be JSON")
        elif "Transfer-Encoding" in self.headers or not re.fullmatch("[0-9]{1,18}", length):
            self.refuse(411, "The length of the body must be given")
        elif int(length) > BODY:
            self.refuse(413, f"The URL and the base have at most {LIMIT} characters each")
        else:
            self.parse(self.rfile.read(int(length)))

    def parse(self, body: bytes) -> None:
        try:
            given = json.loads(body)
            text, base = given["url"], given["base"]
        except (ValueError, RecursionError, TypeError, LookupError):
            text = base = None
        if not (isinstance(text, str) and isinstance(base, str)):
            self.refuse(400, "The body must be an object with the strings url and base")
        elif max(len(text), len(base)) > LIMIT:
            self.refuse(413, f"The URL and the base have at most {LIMIT} characters each")
        else:
            self.reply(json.dumps(answer(text, base)).encode(), "application/json")

    def refuse(self, code: int, message: str) -> None:
        # What may be left of the request is not read.
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
