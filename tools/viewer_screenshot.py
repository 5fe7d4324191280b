"""Takes the pictures of the viewer in docs/images: its page in a headless Chromium."""

from __future__ import annotations

import argparse
import threading
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlencode

from support.devtools import chromium

from weburl.cli.viewer.server import Server

IMAGES = Path(__file__).resolve().parents[1] / "docs" / "images"


class Picture(NamedTuple):
    typed: dict[str, str]
    width: int
    height: int
    colors: str


PICTURES = {
    "viewer.png": Picture(
        {"url": "https://BÜCHER.example:443\\@evil.example/../b c?q=caf%C3%A9+au+lait&page=1"}, 880, 916, "light"
    ),
    "viewer-phone.png": Picture(
        {"url": "https://www.example.com/book/7", "pattern": "https://*.example.com/books/:id"}, 375, 960, "dark"
    ),
}


def taken(picture: Picture) -> bytes:
    with Server() as server, chromium() as page:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        page.color_scheme(picture.colors)
        page.resize(picture.width, picture.height)
        page.go(f"{server.origin}/#{urlencode(picture.typed)}")
        page.wait("!document.querySelector('#result').hidden")
        image = page.screenshot(picture.width, picture.height)
        server.shutdown()
    return image


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=IMAGES)
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        path = folder / name
        path.write_bytes(taken(picture))
        print(path, path.stat().st_size, "bytes")
