"""A server gets a URL. Say the segments of its path, as text."""

from support.tasks import AnyOf, Refused, all_right, gives

from weburl import URL


def decode_path(link: str) -> list[str]:
    return list(URL(link).decoded_segments or ())


CHECKS = [
    gives("https://example.com/users/ann", want=["users", "ann"]),
    gives("https://example.com/a%20b/caf%C3%A9", want=["a b", "café"]),
    gives("https://example.com/a%2Fb/c", want=["a/b", "c"], why="a path is split first, and then decoded"),
    gives("https://example.com/50%2525", want=["50%25"], why="a path is decoded once"),
    gives("https://example.com/c++", want=["c++"], why="a + in a path is a plus"),
    gives("https://example.com/%zz%", want=["%zz%"], why="what is not an escape stays"),
    gives("https://example.com/%E9", want=AnyOf(["\ufffd"], ["%E9"]), why="bytes that are not UTF-8 are not an error"),
    gives("https://example.com/a/../b/%2e%2E/c", want=["c"], why="dots are resolved before"),
    gives("https://example.com/a//b/", want=["a", "", "b", ""], why="empty segments are there"),
    gives("https://example.com/a%3Fb%23c?d#e", want=["a?b#c"], why="an encoded ? does not end the path"),
    gives("https://example.com\\a\\b", want=AnyOf(["a", "b"], Refused()), why="a backslash is a slash"),
    gives("https://example.com/a;b=1", want=["a;b=1"], why="a ; is a part of the segment"),
    gives("https://example.com", want=AnyOf([""], []), why="there is nothing after the host"),
]


def test_decode_path() -> None:
    assert all_right(decode_path, CHECKS)
