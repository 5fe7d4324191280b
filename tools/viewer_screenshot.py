"""Takes the pictures of the viewer and of the tree of routes in docs/images: pages in a headless Chromium.

Those of the playground need `make wasm TESTS=--build` and `make docs`.
"""

from __future__ import annotations

import argparse
import threading
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from support.devtools import Page, chromium

from weburl._learn.learning import Learnt
from weburl.cli.viewer.routes import page_of
from weburl.cli.viewer.server import Server
from weburl.patterns import learn_routes

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs" / "images"
SITE = ROOT / "build" / "docs"


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
# What is typed is in the address: the form, and its fields.
PLAYGROUND = {
    "playground.png": Picture({"tool": "explain"}, 770, 920, "light"),
    "playground-phone.png": Picture({"tool": "redact"}, 375, 800, "dark"),
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


def playground_taken(page: Page, address: str, picture: Picture) -> bytes:
    """A form of the playground with its answer, below its heading."""
    page.color_scheme(picture.colors)
    page.resize(picture.width, picture.height)
    page.go(f"{address}#{urlencode(picture.typed)}")
    form = f"document.querySelector('form[data-tool={picture.typed['tool']}]')"
    page.value(f"{form}.querySelector('[data-run]').click()")
    page.wait(f"{form}.querySelector('.playground-answer').children.length")
    page.value("document.querySelectorAll('header, .back-to-top').forEach((each) => each.remove())")
    page.value(f"{form}.parentElement.scrollIntoView({{behavior: 'instant'}})")
    return page.screenshot(picture.width, picture.height)


def learnt_page() -> str:
    """The page of weburl learn --report for a shop."""
    random = Random(1)
    words = ["".join(random.choices("aeioulmnrst", k=6)) for _ in range(300)]
    paths = [f"/users/{random.randrange(10**6)}" for _ in range(2400)]
    paths += [
        f"/users/{random.randrange(10**6)}/orders/{UUID(int=random.getrandbits(128), version=4)}" for _ in range(900)
    ]
    paths += [f"/shop/{kind}/{random.randrange(10**5)}" for kind in ("books", "music", "games") for _ in range(700)]
    paths += [f"/tags/{random.choice(words)}" for _ in range(1800)] + ["/cart"] * 800 + ["/login"] * 300
    paths += [f"/assets/{random.getrandbits(80):020x}.js" for _ in range(1500)]
    learnt = learn_routes([f"https://shop.example{path}" for path in paths])
    return page_of(Learnt(*learnt))


def routes_taken(width: int, height: int, colors: str) -> bytes:
    with TemporaryDirectory() as folder, chromium() as page:
        path = Path(folder, "routes.html")
        path.write_text(learnt_page(), "utf-8")
        page.color_scheme(colors)
        page.resize(width, height)
        page.go(path.as_uri())
        page.wait("document.querySelector('h1') !== null")
        return page.screenshot(width, height)


class QuietHandler(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *arguments: object) -> None:
        pass


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, nargs="?", default=IMAGES)
    folder = parser.parse_args().folder
    folder.mkdir(exist_ok=True)
    for name, picture in PICTURES.items():
        path = folder / name
        path.write_bytes(taken(picture))
        print(path, path.stat().st_size, "bytes")
    path = folder / "routes.png"
    path.write_bytes(routes_taken(880, 620, "light"))
    print(path, path.stat().st_size, "bytes")
    if (SITE / "_static" / "pyodide").exists():
        handler = partial(QuietHandler, directory=str(SITE))
        with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server, chromium() as page:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            for name, picture in PLAYGROUND.items():
                path = folder / name
                path.write_bytes(
                    playground_taken(page, f"http://127.0.0.1:{server.server_port}/playground.html", picture)
                )
                print(path, path.stat().st_size, "bytes")
            server.shutdown()
    else:
        print("no playground.png: build/docs has no playground")
