"""Compares what Chromium requests for hostile links in pages of several encodings with what it requests for the results
of safe_url_string.

    cd tests && python -m tiers.compat.same_requests [N]
"""

from __future__ import annotations

import sys
from itertools import islice

from support import hostile
from support.browser import PAGE, Answer, Link, ask

from weburl import URL
from weburl.compat.w3lib import safe_url_string
from weburl.percent import percent_decode

ENCODINGS = ("utf-8", "iso-8859-1", "shift_jis", "iso-2022-jp", "gb18030", "windows-1251")
# White space and comments of HTML, and the numeric character references that stand for something else.
NOT_IN_HTML = set("\0\r") | set(map(chr, [*range(0x80, 0xA0), *range(0xD800, 0xE000)]))


def is_page(link: Link) -> bool:
    assert isinstance(link.url, str)
    url = URL.parse(link.url, PAGE, encoding=link.encoding)
    if url is None or url.protocol != "http:" or url.includes_credentials or NOT_IN_HTML & set(link.url):
        return False
    # Chromium does not load a frame of such a URL, lest markup that is left open leaks.
    if "<" in link.url and set("\t\n") & set(link.url):
        return False
    return len(link.url) < 200 and url.serialize(exclude_fragment=True) != PAGE


def requested(answer: Answer) -> bytes | None:
    return None if answer.requested is None else percent_decode(answer.requested)


def main() -> int:
    number = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    every = (Link(item.url, ENCODINGS[i % len(ENCODINGS)]) for i, item in enumerate(hostile.inputs(31)))
    links = list(islice(filter(is_page, every), number))
    safe = [Link(safe_url_string(link.url, link.encoding)) for link in links]
    answers = ask([*links, *safe], seconds=60 + 2 * number)
    requests = [*map(requested, answers)]
    differ = 0
    for link, made, theirs, ours in zip(links, safe, requests, requests[number:], strict=False):
        if theirs != ours:
            differ += 1
            print(f"{link}: {theirs!r}, but {ours!r} for {made.url!r}")
    sent = sum(request is not None for request in requests[:number])
    print(
        f"Chromium requested something for {sent} of {number} links, and something else for {differ} of the safe ones"
    )
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
