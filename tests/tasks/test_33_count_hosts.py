"""A log has a URL on each line. Count the hosts, and skip what is not a URL."""

from collections import Counter

from support.tasks import AnyOf, all_right, gives

from weburl.bulk import component_many


def count_hosts(lines: list[str]) -> dict[str, int]:
    hosts = component_many(lines, "hostname").to_pylist()
    return dict(Counter(host for host in hosts if host))


CHECKS = [
    gives(
        ["https://example.com/a", "https://example.com/b", "https://example.org/"],
        want={"example.com": 2, "example.org": 1},
    ),
    gives(["https://example.com/\n", "http://EXAMPLE.com:80\n"], want={"example.com": 2}),
    gives(
        ["", "-", "GET /a", "http://[::1", "https://example.com/"], want={"example.com": 1}, why="logs have odd lines"
    ),
    gives(["http://127.1/", "http://127.0.0.1/"], want={"127.0.0.1": 2}, why="an IPv4 address has many spellings"),
    gives(
        ["http://bücher.example/", "http://xn--bcher-kva.example/"],
        want=AnyOf({"xn--bcher-kva.example": 2}, {"bücher.example": 2}),
        why="a host in Unicode and its ASCII form are one host",
    ),
    gives(["mailto:ann@example.com", "data:,x", "file:///a"], want={}, why="these have no host"),
    gives(["http://a\\@b/", "http://b@a/"], want={"a": 2}, why="the host is a in both, as it ends at the backslash"),
    gives(["http://1.2.3.256/", "http://exa mple/"], want={}, why="these are not URLs"),
]


def test_count_hosts() -> None:
    assert all_right(count_hosts, CHECKS)
