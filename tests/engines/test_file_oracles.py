"""Paths and file URLs as Node, upa-url and pathlib have them: every difference is one that docs/files.md lists."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable
from pathlib import PurePosixPath, PureWindowsPath
from random import Random
from typing import Any

import pytest

from weburl import URL, InvalidURL
from weburl.percent import percent_decode

COUNT = 3000
PIECES = [
    "a", "b.txt", " ", "%", "%41", "%2F", "?", "#", "|", "C|", "C:", "..", ".", "", "é", "\t", "~", "[x]", "&=+", "con",
    "NUL.", "a:b", "x.", "a ", "^`{}", "😀", "'\"",
]  # fmt: skip
WINDOWS_ROOTS = [
    "C:\\", "c:/", "\\\\server\\share\\", "//Srv/s/", "\\\\?\\C:\\", "\\\\?\\UNC\\h\\s\\", "C:", "\\", "\\\\.\\pipe\\",
    "\\\\localhost\\c\\", "\\\\bücher\\s\\", "", "C:\\", "D:\\x\\",
]  # fmt: skip
URL_PIECES = [
    "a", "/", "/", "C:/", "C|/", "%43:", "%3A", "%2F", "%5C", "%00", "%2e", ".", "..", "con", "nul.x", "a:b", "%20",
    "?q", "#f", "%C3%A9", "%25", "\\",
]  # fmt: skip
URL_ROOTS = [
    "file:///", "file:///C:/", "file:///C:/", "file://server/share/", "file://localhost/", "file://./pipe/", "file:////server/s/",
    "file://xn--bcher-kva/s/", "file://127.1/s/", "file://[::1]/s/", "file:///C:", "http://h/",
]  # fmt: skip


def generated(windows: bool) -> list[str]:
    random = Random(f"paths {windows}")

    def name() -> str:
        pieces = PIECES if windows else [*PIECES, "\\"]
        return "".join(random.choice(pieces) for _ in range(random.randrange(3)))

    def path() -> str:
        separator = random.choice("\\/") if windows else "/"
        root = random.choice(WINDOWS_ROOTS) if windows else random.choice(["/", "/", "/", "//", "/C:/", "/C|/", ""])
        return root + separator.join(name() for _ in range(random.randrange(1, 4)))

    return [path() for _ in range(COUNT)]


def generated_urls() -> list[str]:
    random = Random("URLs")
    texts = (
        random.choice(URL_ROOTS) + "".join(random.choice(URL_PIECES) for _ in range(random.randrange(5)))
        for _ in range(COUNT)
    )
    return [url.href for url in map(URL.parse, texts) if url is not None]


class Oracle:
    """The URLs of paths, and the paths of URLs; None for what is refused."""

    def urls(self, paths: list[str], windows: bool) -> list[str | None]:
        raise NotImplementedError

    def paths(self, urls: list[str], windows: bool) -> list[str | None]:
        raise NotImplementedError


class Pathlib(Oracle):
    def urls(self, paths: list[str], windows: bool) -> list[str | None]:
        made = [(PureWindowsPath if windows else PurePosixPath)(path) for path in paths]
        return [path.as_uri() if path.is_absolute() else None for path in made]


NODE = """
import { pathToFileURL, fileURLToPath } from "node:url";
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { call, inputs, windows } = JSON.parse(Buffer.concat(chunks).toString());
const tried = (input) => {
  try { return call === "urls" ? pathToFileURL(input, { windows }).href : fileURLToPath(input, { windows }); }
  catch (error) { return null; }
};
console.log(JSON.stringify(inputs.map(tried)));
"""


class Node(Oracle):
    def __init__(self) -> None:
        self.node = shutil.which("node") or ""
        if not self.node or self.call("urls", ["C:\\a"], True) != ["file:///C:/a"]:
            pytest.skip("Node with the option windows of pathToFileURL is not installed")

    def call(self, call: str, inputs: list[str], windows: bool) -> list[str | None]:
        given = json.dumps({"call": call, "inputs": inputs, "windows": windows})
        command = [self.node, "--input-type=module", "-e", NODE]
        done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, encoding="utf-8")
        found: list[str | None] = json.loads(done.stdout)
        return found

    def urls(self, paths: list[str], windows: bool) -> list[str | None]:
        return self.call("urls", paths, windows)

    def paths(self, urls: list[str], windows: bool) -> list[str | None]:
        return self.call("paths", urls, windows)


class Upa(Oracle):
    def __init__(self) -> None:
        self.upa = pytest.importorskip("upa_url", reason="upa-url is not installed")

    def tried(self, call: Callable[..., Any], given: Any, windows: bool) -> Any:
        formats = self.upa.file_path_format
        try:
            return call(given, formats.windows if windows else formats.posix)
        except RuntimeError:
            return None

    def urls(self, paths: list[str], windows: bool) -> list[str | None]:
        made = [self.tried(self.upa.url_from_file_path, path, windows) for path in paths]
        return [None if url is None else url.href for url in made]

    def paths(self, urls: list[str], windows: bool) -> list[str | None]:
        return [self.tried(self.upa.path_from_file_url, self.upa.URL(url), windows) for url in urls]


ORACLES: dict[str, type[Oracle]] = {"pathlib": Pathlib, "Node": Node, "upa-url": Upa}


def key(href: str) -> tuple[str, ...]:
    """What a file URL stands for, however it is percent-encoded."""
    url = URL(href)
    return (url.hostname, *(percent_decode(segment).decode() for segment in url.path_segments or ()))


def is_collapsed(other: tuple[str, ...], ours: tuple[str, ...]) -> bool:
    return [*filter(None, other)] == [*filter(None, ours)]


def url_difference(path: str, other: str | None, windows: bool) -> str:
    """The name of a difference, empty if there is none."""
    try:
        ours = key(URL.from_path(path, windows=windows).href)
    except InvalidURL as error:
        return "" if other is None else error.error if error.part != "host" else "host"
    if other is None:
        return "refused"
    try:
        theirs = key(other)
    except InvalidURL:
        return "not a URL"
    if theirs == ours:
        return ""
    if is_collapsed(theirs, ours):
        return "repeated slashes"
    if windows and path[:2] != "\\\\" and is_collapsed((*theirs[:2], theirs[2].lower(), *theirs[3:]), ours):
        return "slashes before a server"
    return f"unexplained: {path!r} {other!r} {ours!r}"


def path_difference(href: str, other: str | None, windows: bool) -> str:
    try:
        ours = URL(href).to_path(windows=windows)
    except InvalidURL as error:
        return "" if other is None else error.error
    if other is None:
        return "refused"
    if other == ours:
        return ""
    if other == ours.replace("xn--bcher-kva", "bücher", 1):
        return "Unicode host"
    return f"unexplained: {href!r} {other!r} {ours!r}"


# By the oracle and the rules: what it takes for a path or a URL though weburl refuses it, and how else it differs.
WINDOWS_NAMES = {"device-path", "dot-segment", "relative-path", "stream-path", "unc-server", "verbatim-path"}
URL_DIFFERENCES: dict[tuple[str, bool], set[str]] = {
    ("pathlib", False): {"dot-segment", "repeated slashes"},
    ("pathlib", True): {*WINDOWS_NAMES, "host", "not a URL", "repeated slashes"},
    ("Node", False): {"dot-segment", "relative-path", "repeated slashes"},
    ("Node", True): {*WINDOWS_NAMES, "host", "repeated slashes", "slashes before a server"},
    ("upa-url", False): {"dot-segment"},
    ("upa-url", True): {*WINDOWS_NAMES, "refused"},
}
PATH_DIFFERENCES: dict[tuple[str, bool], set[str]] = {
    ("Node", False): {"null-character"},
    ("Node", True): {*WINDOWS_NAMES - {"verbatim-path"}, "null-character", "Unicode host"},
    ("upa-url", False): {"encoded-solidus"},
    ("upa-url", True): {*WINDOWS_NAMES - {"verbatim-path"}, "encoded-solidus", "encoded-reverse-solidus", "refused"},
}


@pytest.mark.parametrize("windows", [False, True], ids=["posix", "windows"])
@pytest.mark.parametrize("name", ORACLES)
def test_urls(name: str, windows: bool) -> None:
    paths = generated(windows)
    others = ORACLES[name]().urls(paths, windows)
    found = Counter(url_difference(path, other, windows) for path, other in zip(paths, others, strict=True))
    assert found[""] > COUNT // 4
    assert found.keys() - {""} == URL_DIFFERENCES[name, windows]


@pytest.mark.parametrize("windows", [False, True], ids=["posix", "windows"])
@pytest.mark.parametrize("name", ["Node", "upa-url"])
def test_paths(name: str, windows: bool) -> None:
    urls = generated_urls()
    assert len(urls) > COUNT // 2
    others = ORACLES[name]().paths(urls, windows)
    found = Counter(path_difference(url, other, windows) for url, other in zip(urls, others, strict=True))
    assert found[""] > COUNT // 4
    assert found.keys() - {""} == PATH_DIFFERENCES[name, windows]
