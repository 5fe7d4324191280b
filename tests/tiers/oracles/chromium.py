"""Chromium as an oracle: headless, on a page that is served on localhost, which asks for the cases."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

HERE = Path(__file__).parent
FILES = {"/page.html": "text/html", "/observe.js": "text/javascript"}
FLAGS = """
    --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking --disable-component-update
    --disable-sync
""".split()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        kind = FILES.get(self.path)
        self.answer(b"" if kind is None else (HERE / self.path[1:]).read_bytes(), kind or "text/plain")

    def do_POST(self) -> None:
        """The page has done a batch, and wants the next."""
        sys.stdout.buffer.write(self.rfile.read(int(self.headers["Content-Length"])))
        sys.stdout.flush()
        batch = sys.stdin.buffer.readline()
        if not batch:
            threading.Thread(target=self.server.shutdown).start()
        self.answer(batch or b"[]", "application/json")

    def answer(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", f"{kind}; charset=utf-8")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


def main() -> None:
    version = subprocess.run(["chromium", "--version"], check=True, capture_output=True, text=True).stdout
    print(version.strip(), flush=True)
    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    page = f"http://127.0.0.1:{server.server_port}/page.html"
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        command = ["chromium", *FLAGS, f"--user-data-dir={profile}", page]
        browser = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            server.serve_forever()
        finally:
            browser.terminate()
            browser.wait()


if __name__ == "__main__":
    main()
