"""A server fetches what users link to. Say whether a link leads into its own network, by the text of its host."""

from support.tasks import AnyOf, Refused, all_right, gives

from weburl.hosts import is_private_url


def block_internal(link: str) -> bool:
    return is_private_url(link)


BLOCKED = AnyOf(True, Refused())
CHECKS = [
    gives("https://example.com/", want=False),
    gives("http://127.0.0.1/", want=True),
    gives("http://localhost/", want=True),
    gives("http://8.8.8.8/", want=False),
    gives("http://127.1/", want=BLOCKED, why="an address in short form"),
    gives("http://2130706433/", want=BLOCKED, why="as one number"),
    gives("http://0x7f.0.0.1/", want=BLOCKED, why="in hexadecimal"),
    gives("http://0177.0.0.1/", want=BLOCKED, why="in octal"),
    gives("http://①②⑦.0.0.1/", want=BLOCKED, why="in other digits"),
    gives("http://127%2e0%2e0%2e1/", want=BLOCKED, why="percent-encoded"),
    gives("http://[::1]/", want=True, why="in IPv6"),
    gives("http://[::ffff:10.0.0.1]/", want=True, why="IPv4 in IPv6"),
    gives("http://[64:ff9b::a00:1]/", want=True, why="and behind a translator"),
    gives("http://169.254.169.254/latest/meta-data/", want=True, why="the passwords of a cloud machine"),
    gives("http://100.64.0.1/", want=True, why="shared addresses"),
    gives("http://LOCALHOST./", want=True, why="case, and a dot at the end"),
    gives("http://db.internal/", want=True, why="a name of the own network"),
    gives("http://intranet/", want=True, why="a name without a dot"),
    gives("http://localhost\\@example.com/", want=BLOCKED, why="a browser ends the host at the backslash"),
    gives("http://example.com\\@localhost/", want=AnyOf(False, Refused()), why="and here"),
    gives("file:///etc/passwd", want=BLOCKED, why="there is no host"),
    gives("http://0/", want=BLOCKED, why="the address 0.0.0.0 is this machine"),
    gives("http://[::ffff:8.8.8.8]/", want=False, why="a public address in IPv6"),
]


def test_block_internal() -> None:
    assert all_right(block_internal, CHECKS)
