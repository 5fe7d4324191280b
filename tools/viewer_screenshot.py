"""Takes docs/images/viewer.png: the viewer's page in a headless Chromium."""

from __future__ import annotations

import sys
import threading
from pathlib import Path
from urllib.parse import urlencode

from support.devtools import chromium

from weburl.cli.viewer.server import Server

IMAGE = Path(__file__).resolve().parents[1] / "docs" / "images" / "viewer.png"
URL = "https://BÜCHER.example:443\\@evil.example/../b c?q=1"
WIDTH, HEIGHT = 880, 1090


def taken() -> bytes:
    with Server() as server, chromium() as page:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.go(f"{server.origin}/#{urlencode({'url': URL})}")
        page.wait("!document.querySelector('#result').hidden")
        image = page.screenshot(WIDTH, HEIGHT)
        server.shutdown()
    return image


if __name__ == "__main__":
    path = Path(sys.argv[1]) if len(sys.argv) > 1 else IMAGE
    path.parent.mkdir(exist_ok=True)
    path.write_bytes(taken())
    print(path, path.stat().st_size, "bytes")
