"""weburl diff --from beside the real w3lib and Scrapy."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from scrapy import Request
from scrapy.utils.request import fingerprint as scrapy_fingerprint
from w3lib.url import canonicalize_url, safe_url_string

from weburl import URL
from weburl.cli import main
from weburl.cli.commands._moves import MOVES, class_of
from weburl.compat import w3lib as compat
from weburl.crawl import CrawlPolicy
from weburl.ext._scrapy.urls import request_url
from weburl.ext.scrapy import RequestFingerprinter

DOCS = Path(__file__).resolve().parents[2] / "docs"
STARTS = (
    "http://h",
    "https://H:443",
    "http://faß.example",
    "http://127.1",
    "",
    "//h",
    "mailto:",
    "http://u:p@h",
    "x://é",
    "http://h h",
    "http://h:x",
)
ATOMS = (
    "/", "a", "..", "/../", "?", "&", "=", "b", "%41", "%2f", "é", "[", "{", "'", "|", " ", "#", ";", "index.html",
    "utm_source=x", "+", "\\", "@", ":",
)  # fmt: skip


def urls(seed: int, count: int) -> list[str]:
    random = Random(seed)
    return [
        random.choice(STARTS) + random.choice(["/", "", "?"]) + "".join(random.choices(ATOMS, k=random.randrange(9)))
        for _ in range(count)
    ]


def request_of(url: str) -> Request | None:
    try:
        return Request(url)
    except ValueError:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_from_scrapy(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both sides have the requests that Scrapy makes, and keys that are equal where the fingerprints are."""
    texts = urls(seed, 2000)
    found = [MOVES["scrapy"].compare(url, CrawlPolicy()) for url in texts]
    # A test that ran before may have installed the add-on, which stays for the process.
    monkeypatch.setattr("scrapy.http.request.safe_url_string", safe_url_string)
    monkeypatch.setattr("scrapy.utils.request.canonicalize_url", canonicalize_url)
    olds = [request_of(url) for url in texts]
    # What the add-on does to requests.
    monkeypatch.setattr("scrapy.http.request.safe_url_string", request_url)
    news = [request_of(url) for url in texts]
    for side, (requests, fingerprint) in enumerate(
        ((olds, scrapy_fingerprint), (news, RequestFingerprinter().fingerprint))
    ):
        keys: dict[bytes, str] = {}
        for request, compared in zip(requests, found, strict=True):
            key = compared.key[side]
            assert compared.request[side] == (request and request.url)
            if request is None or key is None:
                assert request is key is None
            else:
                assert keys.setdefault(fingerprint(request), key) == key
        assert len(set(keys.values())) == len(keys) > 500
    # Each kind of text is among them.
    assert {(URL.can_parse(url), request is None) for url, request in zip(texts, news, strict=True)} == {
        (False, False), (False, True), (True, False), (True, True),
    }  # fmt: skip


def test_from_w3lib() -> None:
    changed = set()
    for url in urls(9, 3000):
        found = MOVES["w3lib"].compare(url, CrawlPolicy())
        for pair, old, new in (
            (found.request, safe_url_string, compat.safe_url_string),
            (found.key, canonicalize_url, compat.canonicalize_url),
        ):
            for result, function in zip(pair, (old, new), strict=True):
                try:
                    assert result == function(url)
                except ValueError:
                    assert result is None
            changed.add(class_of(*pair))
    assert changed > {"host", "spelling", "empty", None}


@pytest.mark.parametrize("page", ["compat-w3lib.md", "engines/scrapy.md"])
def test_the_pages(
    page: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (DOCS / page).read_text("utf-8")
    found = re.search(r"```console\n\$ cat (\S+)\n(.*?)\$ weburl (diff --from .*?)\n(.*?)```", text, re.DOTALL)
    assert found is not None
    monkeypatch.chdir(tmp_path)
    Path(found[1]).write_text(found[2], "utf-8")
    assert main(found[3].split()) == 1
    assert capsys.readouterr().out == found[4]
