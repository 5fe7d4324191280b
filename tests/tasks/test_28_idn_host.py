"""Somebody types a domain in any script. Say its ASCII form, for DNS, and its Unicode form."""

from support.tasks import all_right, gives, refuses

from weburl.hosts import parse_host


def idn_host(typed: str) -> tuple[str, str]:
    host = parse_host(typed)
    return str(host), host.unicode


CHECKS = [
    gives("bücher.example", want=("xn--bcher-kva.example", "bücher.example")),
    gives("example.com", want=("example.com", "example.com")),
    gives("xn--bcher-kva.example", want=("xn--bcher-kva.example", "bücher.example"), why="the ASCII form works, too"),
    gives("BÜCHER.Example", want=("xn--bcher-kva.example", "bücher.example"), why="a host has no case"),
    gives("faß.example", want=("xn--fa-hia.example", "faß.example"), why="browsers tell ß from ss"),
    gives("i❤.example", want=("xn--i-7iq.example", "i❤.example"), why="browsers allow symbols"),
    gives(
        "bücher。example",
        want=("xn--bcher-kva.example", "bücher.example"),
        why="people type this dot in Chinese and Japanese",
    ),
    gives("ｅｘａｍｐｌｅ.com", want=("example.com", "example.com"), why="wide letters are letters"),
    gives("bu\u0308cher.example", want=("xn--bcher-kva.example", "bücher.example"), why="u and two dots are ü"),
    gives("a_b.example", want=("a_b.example", "a_b.example"), why="browsers allow an underscore"),
    refuses("exa mple.com", why="a host cannot have a space"),
    refuses("a/b.example", why="a host cannot have a slash"),
    refuses("xn--a.ß", why="this is not the ASCII form of anything"),
    refuses("bücher.example:80", why="a port is not a part of a domain"),
    refuses("a℀b.example", why="this character stands for a/c, which has a slash"),
]


def test_idn_host() -> None:
    assert all_right(idn_host, CHECKS)
