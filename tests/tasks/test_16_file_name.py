"""A link leads to a file. Say the URL of its folder, its name, and its suffix."""

from support.tasks import AnyOf, all_right, gives

from weburl import URL


def file_name(link: str) -> tuple[str, str, str]:
    url = URL(link)
    return url.parent.href, url.name, url.suffix


def parts(folder: str, name: str, suffix: str) -> AnyOf:
    """The URL of a folder may end with a slash, or not."""
    return AnyOf((folder, name, suffix), (folder + "/", name, suffix))


CHECKS = [
    gives("https://example.com/files/report.pdf", want=parts("https://example.com/files", "report.pdf", ".pdf")),
    gives("https://example.com/a.txt", want=parts("https://example.com", "a.txt", ".txt")),
    gives(
        "https://example.com/files/a.pdf?v=1/2.exe#x/y.zip",
        want=parts("https://example.com/files", "a.pdf", ".pdf"),
        why="a slash in the query or the fragment does not begin a name",
    ),
    gives(
        "https://example.com/files/a%20b%C3%A9.txt",
        want=parts("https://example.com/files", "a bé.txt", ".txt"),
        why="people read the name",
    ),
    gives(
        "https://example.com/files/a%2Fb.txt",
        want=parts("https://example.com/files", "a/b.txt", ".txt"),
        why="an encoded slash is a part of the name",
    ),
    gives(
        "https://example.com/a.tar.gz",
        want=parts("https://example.com", "a.tar.gz", ".gz"),
        why="the suffix is the last one",
    ),
    gives(
        "https://example.com/.bashrc",
        want=parts("https://example.com", ".bashrc", ""),
        why="a dot at the start begins no suffix",
    ),
    gives(
        "https://example.com/files/",
        want=parts("https://example.com/files", "", ""),
        why="a folder has no name after its slash",
    ),
    gives(
        "https://example.com/a%2Ejpg", want=parts("https://example.com", "a.jpg", ".jpg"), why="the dot can be encoded"
    ),
    gives(
        "https://example.com/50%25.txt",
        want=parts("https://example.com", "50%.txt", ".txt"),
        why="a percent sign is decoded once",
    ),
    gives(
        "https://example.com",
        want=parts("https://example.com", "", ""),
        why="there is no file; example.com is the host",
    ),
]


def test_file_name() -> None:
    assert all_right(file_name, CHECKS)
