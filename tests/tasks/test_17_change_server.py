"""Send a request to another server: change scheme, host and port of its URL, and nothing else."""

from support.tasks import all_right, gives, refuses

from weburl import URL


def change_server(link: str, scheme: str, host: str, port: int) -> str:
    return URL(link).replace(scheme=scheme, hostname=host, port=port).href


LINK = "http://example.com:8080/a/b?q=1#c"
CHECKS = [
    gives(LINK, "https", "test.example", 8443, want="https://test.example:8443/a/b?q=1#c"),
    gives(LINK, "https", "test.example", 443, want="https://test.example/a/b?q=1#c"),
    gives(
        "http://me:p%40ss@example.com/a%2Fb/?q=1%2B1+x",
        "http",
        "test.example",
        8080,
        want="http://me:p%40ss@test.example:8080/a%2Fb/?q=1%2B1+x",
        why="user, password, path and query stay",
    ),
    gives(
        "http://example.com/",
        "https",
        "example.com",
        80,
        want="https://example.com:80/",
        why="80 is not the port of https",
    ),
    gives(
        LINK,
        "https",
        "bücher.example",
        443,
        want="https://xn--bcher-kva.example/a/b?q=1#c",
        why="a host in Unicode gets its ASCII form",
    ),
    gives(LINK, "http", "[::1]", 80, want="http://[::1]/a/b?q=1#c", why="an IPv6 address is a host, too"),
    gives("http://[::1]:80/", "http", "localhost", 0, want="http://localhost:0/", why="0 is a port, too"),
    refuses(LINK, "https", "evil.example/x", 443, why="a host cannot have a path in it"),
    refuses(LINK, "https", "me@evil.example", 443, why="a host cannot have a user in it"),
    refuses(LINK, "https", "test.example:81", 443, why="a host name cannot have a port in it"),
    refuses(LINK, "https", "", 443, why="a web server has a host"),
    refuses(LINK, "https", "test.example", 65536, why="the largest port is 65535"),
]


def test_change_server() -> None:
    assert all_right(change_server, CHECKS)
