"""Group links by who owns the domain: www.example.co.uk belongs to example.co.uk."""

import pytest
from support.tasks import AnyOf, Refused, all_right, gives

pytest.importorskip("publicsuffixlist", reason="publicsuffixlist is not installed")

from weburl import URL, hosts


def registrable_domain(link: str) -> str | None:
    return hosts.registrable_domain(URL(link))


CHECKS = [
    gives("https://www.example.com/a", want="example.com"),
    gives("https://example.org", want="example.org"),
    gives("https://www.example.co.uk/", want="example.co.uk", why="co.uk is not a domain of one owner"),
    gives("https://a.b.github.io/", want="b.github.io", why="each user of github.io is an owner"),
    gives("https://github.io/", want=None, why="a public suffix has no owner in this sense"),
    gives("http://192.168.0.1/", want=None, why="an IP address is not a domain"),
    gives("http://0x7f.1/", want=None, why="browsers read this as an IP address"),
    gives("http://[2001:db8::1]/", want=None, why="an IPv6 address is not a domain"),
    gives("https://WWW.EXAMPLE.COM:8443/", want="example.com", why="case and port do not matter"),
    gives("https://me:pw@www.example.com/", want="example.com", why="the user is not a part of the host"),
    gives(
        "https://evil.example.org\\@www.example.com/",
        want=AnyOf("example.org", Refused()),
        why="the host ends at the backslash",
    ),
    gives(
        "https://www.食狮.公司.cn/",
        want=AnyOf("xn--85x722f.xn--55qx5d.cn", "食狮.公司.cn"),
        why="the list has suffixes in Unicode",
    ),
    gives("https://www.example.com./", want=AnyOf("example.com.", "example.com"), why="a host can end with a dot"),
    gives("http://localhost/", want=None, why="a single label is a suffix"),
    gives("mailto:ann@example.com", want=None, why="a mail address is not a host"),
]


def test_registrable_domain() -> None:
    assert all_right(registrable_domain, CHECKS)
