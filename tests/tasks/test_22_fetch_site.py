"""A page requests a URL. Say whether that is same-origin, same-site or cross-site, as the header Sec-Fetch-Site."""

import pytest
from support.tasks import AnyOf, Refused, all_right, gives

pytest.importorskip("publicsuffixlist", reason="publicsuffixlist is not installed")

from weburl.hosts import same_origin, same_site


def fetch_site(page: str, link: str) -> str:
    if same_origin(page, link):
        return "same-origin"
    return "same-site" if same_site(page, link) else "cross-site"


PAGE = "https://www.example.com/a"
CHECKS = [
    gives(PAGE, "https://www.example.com/b?c", want="same-origin"),
    gives(PAGE, "https://example.com/", want="same-site"),
    gives(PAGE, "https://example.org/", want="cross-site"),
    gives(PAGE, "https://WWW.EXAMPLE.COM:443/", want="same-origin", why="443 is the port of https"),
    gives(
        PAGE, "https://www.example.com:8443/", want="same-site", why="the port is a part of the origin, not of the site"
    ),
    gives(PAGE, "http://www.example.com/", want="cross-site", why="the scheme is a part of the site"),
    gives(
        "https://ann.github.io/", "https://bob.github.io/", want="cross-site", why="these are two users of one provider"
    ),
    gives("https://a.co.uk/", "https://b.co.uk/", want="cross-site", why="co.uk is not a site"),
    gives("http://127.0.0.1/", "http://0x7f.1/", want="same-origin", why="an IPv4 address has many spellings"),
    gives("http://10.0.0.1/", "http://11.0.0.1/", want="cross-site", why="IP addresses have no common site"),
    gives(
        "http://bücher.example/",
        "http://xn--bcher-kva.example/",
        want="same-origin",
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(PAGE, "https://me:pw@www.example.com/", want="same-origin", why="the user is not a part of the origin"),
    gives(PAGE, "https://www.example.com\\@evil.example/", want="same-origin", why="the host ends at the backslash"),
    gives(
        PAGE,
        "https://evil.example\\@www.example.com/",
        want=AnyOf("cross-site", Refused()),
        why="the host ends at the backslash",
    ),
    gives(
        "http://localhost/", "http://localhost:3000/", want="same-site", why="a host without a domain is its own site"
    ),
]


def test_fetch_site() -> None:
    assert all_right(fetch_site, CHECKS)
