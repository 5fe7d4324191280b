"""What a build with WEBURL_PGO=1 is trained on: the cases of the tests, which no benchmark uses, and what people write.

The kernels of each kind that this processor has run as often as the others.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from itertools import islice
from pathlib import Path

DATA = Path(__file__).resolve().parents[1] / "tests" / "data"
HOSTS = (
    "https://example.com",
    "https://www.example.org",
    "http://news.example.co.uk",
    "https://shop.example.net",
    "https://a-long-name.cdn.example.com",
)
# How often each is among the URLs: most are as browsers and crawlers write them.
USUAL = 8


def usual() -> list[str]:
    """URLs of common shapes. The paths and the parameters are those of the corpus for redaction."""
    found = []
    for path in sorted((DATA / "redaction").glob("*.tsv")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            text = re.sub(r"\{[^}]*\}", "x7Kd02", line.split("\t")[-1])
            if text.startswith("/"):
                found.append(HOSTS[number % len(HOSTS)] + text)
            elif re.match("https?://", text):
                found.append(text)
    return found


def unusual() -> list[str]:
    """What the tests parse, and the usual ones, written in other ways."""
    cases = json.loads((DATA / "urls.json").read_bytes())
    found = [case["input"] for case in cases if isinstance(case, dict) and len(case["input"]) < 300]
    changes = (
        ("https://", "HTTPS://"),
        ("example", "Example"),
        (".com", ".com:443"),
        ("/", "/./"),
        ("?", "? "),
        ("https://", "https://user@"),
        ("https://example.com", "http://192.0.2.7"),
        ("https://example.com", "http://[2001:db8::1]"),
        ("https", "wss"),
    )
    for number, url in enumerate(islice(usual(), 0, None, USUAL)):
        found.append(url.replace(*changes[number % len(changes)], 1))
    return found


def is_answered(text: str) -> bool:
    """Whether it is in columns of Arrow, and no library is needed to say what it is. pip builds where there is none."""
    from weburl import URL

    try:
        text.encode()
        URL.can_parse(text)
    except UnicodeEncodeError:
        return False
    except (ImportError, AttributeError):
        return False
    return True


def train() -> None:
    # Everywhere the same.
    sys.modules["idna"] = None  # type: ignore[assignment]
    sys.path.append(str(DATA.parent))
    from support.arrow import AsArray

    from weburl import URL, FrozenURL, URLPattern, URLSearchParams, bulk, join, normalize
    from weburl.percent import percent_decode_text, percent_encode
    from weburl.redact import redact

    urls = [url for url in (*usual(), *unusual()) if is_answered(url)]
    pattern = URLPattern("https://*/:first/*")
    parsed = []
    for text in urls:
        normal = normalize(text) if URL.can_parse(text) else None
        if normal is None:
            continue
        url = URL(text)
        parsed.append(url)
        hash(FrozenURL(normal))
        params = URLSearchParams(url.search)
        url.hostname, url.pathname, url.hash, url.origin, str(params), list(params)
        join(f"{HOSTS[0]}/x", f"./{url.search}")
        join(f"{HOSTS[1]}/x/y", "../a/b?c=d")
        pattern.test(normal)
        pattern.exec(normal)
        percent_encode(url.pathname, "component")
        percent_decode_text(url.search)
        redact(text)
    for url in parsed[::USUAL]:
        url.search, url.hash, url.pathname = "?a=b&c=d", "#e", "/f/g h"
    texts = [url.href for url in parsed] + urls
    lines = "\n".join(texts).encode()
    views = bulk.component_many(texts, "href", views=True, threads=1)
    for rows in (texts, bulk.normalize_many(texts, threads=1), views):
        bulk.can_parse_many(rows, threads=1)
        bulk.component_many(rows, "hostname", threads=1)
        bulk.parse_many(rows, ("href", "hostname", "pathname", "search"), threads=1)
        bulk.parse_many(rows, views=True, threads=1)
        bulk.normalize_many(rows, "https://example.com/a/b", threads=1)
        bulk.canonicalize_many(rows, threads=1)
        bulk.fingerprint_many(rows, threads=1)
        bulk.redact_many(rows, threads=1)
        bulk.query_get_many(rows, "id", threads=1)
        bulk.pattern_test_many(rows, "https://*/:first/*", threads=1)
    bulk.parse_lines(lines, ["hostname"], threads=1)
    # Each can be read once.
    bulk.can_parse_many(AsArray([texts], index="i"), threads=1)
    bulk.component_many(AsArray([texts], index="i"), "hostname", threads=1)
    bulk.parse_many(AsArray([texts], index="i"), ("href", "hostname", "pathname", "search"), threads=1)


def main() -> None:
    from weburl._core.percent import kernel_names

    if "WEBURL_SIMD" in os.environ:
        train()
        return
    for name in kernel_names():
        subprocess.run([sys.executable, __file__], env={**os.environ, "WEBURL_SIMD": name}, check=True)


if __name__ == "__main__":
    main()
