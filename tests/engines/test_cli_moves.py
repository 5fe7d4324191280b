"""weburl diff --from beside the real w3lib and Scrapy."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest
from scrapy import Request
from scrapy.utils.request import fingerprint as scrapy_fingerprint
from w3lib.url import canonicalize_url, safe_url_string

from weburl import URL, InvalidURL
from weburl.cli import main
from weburl.cli.commands._moves import MOVES, class_of
from weburl.compat import w3lib as compat
from weburl.crawl import fingerprint

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


@pytest.mark.parametrize("seed", range(4))
def test_from_scrapy(seed: int) -> None:
    """The keys of the old side are equal where Scrapy's fingerprints are; those of the new side where weburl's are."""
    olds: dict[bytes, str] = {}
    news: dict[bytes, str] = {}
    for url in urls(seed, 2000):
        found = MOVES["scrapy"].compare(url, "crawl/1")
        try:
            request = Request(url)
        except ValueError:
            assert found.request[0] is None
        else:
            assert found.request[0] == request.url
            assert found.key[0] is not None
            assert olds.setdefault(scrapy_fingerprint(request), found.key[0]) == found.key[0]
        try:
            href = URL(url).href
        except InvalidURL:
            assert found.request[1] is found.key[1] is None
        else:
            assert found.request[1] == href
            assert found.key[1] is not None
            assert news.setdefault(fingerprint(href, "crawl/1", bits=128), found.key[1]) == found.key[1]
    assert len(set(olds.values())) == len(olds) > 500
    assert len(set(news.values())) == len(news) > 500


def test_from_w3lib() -> None:
    changed = set()
    for url in urls(9, 3000):
        found = MOVES["w3lib"].compare(url, "")
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
