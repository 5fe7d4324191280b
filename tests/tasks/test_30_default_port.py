"""Open a socket to the server of a URL: say the host and the port for `socket.create_connection`."""

from support.tasks import all_right, gives

from weburl import URL


def default_port(link: str) -> tuple[str, int | None]:
    url = URL(link)
    return str(url.ip_address or url.hostname), url.port_number


CHECKS = [
    gives("https://example.com/", want=("example.com", 443)),
    gives("https://example.com:8443/", want=("example.com", 8443)),
    gives("http://example.com/", want=("example.com", 80)),
    gives("wss://example.com/", want=("example.com", 443), why="WebSockets have the ports of the web"),
    gives("ftp://example.com/", want=("example.com", 21), why="browsers know the port of ftp"),
    gives("http://example.com:0/", want=("example.com", 0), why="0 is a port, and not the default"),
    gives("http://example.com:/", want=("example.com", 80), why="a colon without a port stands for the default"),
    gives("http://example.com:00080/", want=("example.com", 80), why="a port can begin with zeros"),
    gives("http://[::1]:8080/", want=("::1", 8080), why="a socket takes an IPv6 address without brackets"),
    gives(
        "http://faß.example/", want=("xn--fa-hia.example", 80), why="for faß.example, Python connects to fass.example"
    ),
    gives("foo://cache.example/0", want=("cache.example", None), why="the standard has no port for this scheme"),
]


def test_default_port() -> None:
    assert all_right(default_port, CHECKS)
