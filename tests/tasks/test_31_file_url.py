"""Make the file URL of a path of POSIX or of Windows, and the path of the URL."""

from support.tasks import all_right, gives, refuses

from weburl import URL


def file_url(path: str, windows: bool) -> tuple[str, str]:
    url = URL.from_path(path, windows=windows)
    return url.href, url.to_path(windows=windows)


CHECKS = [
    gives("/srv/a.txt", False, want=("file:///srv/a.txt", "/srv/a.txt")),
    gives("C:\\Users\\ann\\a.txt", True, want=("file:///C:/Users/ann/a.txt", "C:\\Users\\ann\\a.txt")),
    gives("/srv/a b.txt", False, want=("file:///srv/a%20b.txt", "/srv/a b.txt")),
    gives("/srv/50%.txt", False, want=("file:///srv/50%25.txt", "/srv/50%.txt"), why="a percent sign is text"),
    gives("/srv/a#b?c.txt", False, want=("file:///srv/a%23b%3Fc.txt", "/srv/a#b?c.txt"), why="# and ? are text, too"),
    gives("/srv/caf\u00e9", False, want=("file:///srv/caf%C3%A9", "/srv/caf\u00e9"), why="names are UTF-8"),
    gives(
        "/srv/a\\b",
        False,
        want=("file:///srv/a%5Cb", "/srv/a\\b"),
        why="on POSIX, a backslash is a character of a name",
    ),
    gives(
        "/srv/a\nb",
        False,
        want=("file:///srv/a%0Ab", "/srv/a\nb"),
        why="a line end can be in a name, and a browser would drop it",
    ),
    gives(
        "\\\\server\\share\\a.txt",
        True,
        want=("file://server/share/a.txt", "\\\\server\\share\\a.txt"),
        why="a share has a host",
    ),
    gives("C:/a b", True, want=("file:///C:/a%20b", "C:\\a b"), why="Windows takes both slashes"),
    refuses("a.txt", False, why="a relative path has no URL"),
    refuses("a.txt", True, why="a relative path has no URL on Windows either"),
    refuses("/srv/a\0b", False, why="a path cannot have a NUL"),
]


def test_file_url() -> None:
    assert all_right(file_url, CHECKS)
