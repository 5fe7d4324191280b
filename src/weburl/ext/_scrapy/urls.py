"""The URLs that Scrapy sends: of requests, redirects and sitemaps."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import urljoin as urllib_urljoin

import scrapy.http.request
import w3lib.html
from scrapy.core.downloader.handlers import http11
from scrapy.downloadermiddlewares import redirect
from scrapy.http.request import form
from scrapy.settings import BaseSettings
from scrapy.spiders import sitemap
from scrapy.utils.python import is_listlike

from weburl._crawl.redirects import NOT_ASCII, escape
from weburl.compat._encodings import label_of
from weburl.compat.w3lib import safe_url_string
from weburl.percent import percent_encode
from weburl.url import URL

# Of a folder JOBDIR: the policy of its fingerprints.
POLICY_FILE: Final = "weburl-policy.txt"
logger: Final = logging.getLogger("weburl.ext.scrapy")
scrapy_iterloc = sitemap.iterloc
scrapy_urlencode = form._urlencode


def request_url(url: str | bytes, encoding: str = "utf8") -> str:
    """The serialization of a URL; what w3lib makes of text that is not one, or is in an encoding that browsers lack."""
    label = label_of(encoding)
    parsed = URL.parse(url, encoding=label) if label is not None and isinstance(url, str) else None
    return safe_url_string(url, encoding) if parsed is None else parsed.href


# https://fetch.spec.whatwg.org/#concept-response-location-url
def location_text(location: bytes | str) -> str:
    """The header Location as a text; bytes that are not ASCII are percent-encoded as they are."""
    return re.sub(NOT_ASCII, escape, location).decode("ascii") if isinstance(location, bytes) else location


def join(base: str, url: str) -> str:
    parsed = URL.parse(url, URL.parse(base))
    return urllib_urljoin(base, url) if parsed is None else parsed.href


def without_fragment(url: str) -> tuple[str, str]:
    """Scrapy takes the first part. That of urllib also drops an empty query or parameter before a fragment."""
    start, _, fragment = url.partition("#")
    return start, fragment


def absolute_locs(entries: Iterable[dict[str, Any]], alt: bool = False) -> Iterator[str]:
    """The URLs in a sitemap. A request for a relative one would raise an exception, and so end those for all others."""
    for loc in scrapy_iterloc(entries, alt):
        if URL.can_parse(loc):
            yield loc
        else:
            logger.warning("Ignored in a sitemap, as it is not an absolute URL: %.200r", loc)


LINE_END: Final = re.compile("\r\n?|\n")


# https://html.spec.whatwg.org/multipage/form-control-infrastructure.html#convert-to-a-list-of-name-value-pairs
def form_data(pairs: Iterable[tuple[Any, Any]], encoding: str) -> str:
    """Form data as a browser writes it; what is in bytes is taken as it is."""
    label = label_of(encoding)
    if label is None:
        text: str = scrapy_urlencode(pairs, encoding)
        return text

    def written(part: str | bytes) -> str:
        if isinstance(part, bytes):
            return percent_encode(part, "form")
        return percent_encode(LINE_END.sub("\r\n", part), "form", encoding=label)

    return "&".join(
        f"{written(name)}={written(value)}"
        for name, values in pairs
        for value in (values if is_listlike(values) else [values])
    )


def install() -> None:
    form._urlencode = form_data
    scrapy.http.request.safe_url_string = request_url
    w3lib.html.safe_url_string = safe_url_string
    redirect.safe_url_string = location_text
    redirect.urljoin = join
    http11.urldefrag = without_fragment
    sitemap.iterloc = absolute_locs


def check_job(settings: BaseSettings, policy: str) -> None:
    """Raises ValueError if the fingerprints in JOBDIR were made with another policy; keeps the policy of a new one."""
    folder = settings.get("JOBDIR")
    if not folder:
        return
    file = Path(folder, POLICY_FILE)
    if file.exists():
        before = file.read_text("utf-8").strip()
        if before != policy:
            raise ValueError(
                f"JOBDIR {folder} has fingerprints of the policy {before}, and WEBURL_POLICY is {policy}: "
                "use that policy, or another folder"
            )
        return
    seen = Path(folder, "requests.seen")
    if seen.exists() and seen.stat().st_size:
        raise ValueError(
            f"JOBDIR {folder} has fingerprints that were not made with this add-on, so no page would be recognised: "
            f"use another folder, or write {policy} into {file} if they are of this policy"
        )
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(f"{policy}\n", "utf-8")
