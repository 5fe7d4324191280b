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
    gives("http://127.1/", want=BLOCKED, why="127.1 is 127.0.0.1 in short form"),
    gives("http://2130706433/", want=BLOCKED, why="this is 127.0.0.1 as one number"),
    gives("http://0x7f.0.0.1/", want=BLOCKED, why="this is 127.0.0.1 in hexadecimal"),
    gives("http://0177.0.0.1/", want=BLOCKED, why="0177 is octal, so this is 127.0.0.1"),
    gives("http://①②⑦.0.0.1/", want=BLOCKED, why="browsers read these digits, too"),
    gives("http://127%2e0%2e0%2e1/", want=BLOCKED, why="browsers decode the host"),
    gives("http://[::1]/", want=True, why="this is localhost in IPv6"),
    gives("http://[::ffff:10.0.0.1]/", want=True, why="this is 10.0.0.1 in IPv6"),
    gives("http://[64:ff9b::a00:1]/", want=True, why="translators between IPv6 and IPv4 send this to 10.0.0.1"),
    gives("http://169.254.169.254/latest/meta-data/", want=True, why="machines in a cloud get their passwords here"),
    gives("http://100.64.0.1/", want=True, why="these addresses are for networks of providers"),
    gives("http://LOCALHOST./", want=True, why="neither case nor a dot at the end matter"),
    gives("http://db.internal/", want=True, why=".internal is for names of the own network"),
    gives("http://intranet/", want=True, why="a name without a dot is of the own network"),
    gives("http://localhost\\@example.com/", want=BLOCKED, why="a browser ends the host at the backslash"),
    gives(
        "http://example.com\\@localhost/",
        want=AnyOf(False, Refused()),
        why="the host ends at the backslash, and is public",
    ),
    gives("file:///etc/passwd", want=BLOCKED, why="there is no host"),
    gives("http://0/", want=BLOCKED, why="the address 0.0.0.0 is this machine"),
    gives("http://[::ffff:8.8.8.8]/", want=False, why="this is a public address in IPv6"),
]


def test_block_internal() -> None:
    assert all_right(block_internal, CHECKS)
