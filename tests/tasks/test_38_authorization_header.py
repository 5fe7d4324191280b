"""A URL has a user and a password. Say the URL without them, and the header `Authorization` that a client sends."""

from base64 import b64encode

from support.tasks import AnyOf, all_right, gives

from weburl import URL
from weburl.percent import percent_decode


def authorization_header(link: str) -> tuple[str, str | None]:
    url = URL(link)
    if not url.includes_credentials:
        return url.href, None
    credentials = percent_decode(f"{url.username}:{url.password}")
    return url.replace(username=None, password=None).href, f"Basic {b64encode(credentials).decode()}"


def basic(credentials: str) -> str:
    return f"Basic {b64encode(credentials.encode()).decode()}"


HOME = "https://example.com/"
CHECKS = [
    gives("https://me:hunter2@example.com/", want=(HOME, basic("me:hunter2"))),
    gives(HOME, want=(HOME, None)),
    gives(
        "https://me:p%40ss%3A%2F@example.com/", want=(HOME, basic("me:p@ss:/")), why="the header has the decoded text"
    ),
    gives("https://me:50%2525@example.com/", want=(HOME, basic("me:50%25")), why="the password is decoded once"),
    gives("https://me:a+b@example.com/", want=(HOME, basic("me:a+b")), why="a + is a plus"),
    gives("https://jos%C3%A9:ñ@example.com/", want=(HOME, basic("josé:ñ")), why="the header has UTF-8"),
    gives("https://token@example.com/", want=(HOME, basic("token:")), why="there can be a user without a password"),
    gives("https://:pw@example.com/", want=(HOME, basic(":pw")), why="there can be a password without a user"),
    gives("https://me:a:b@example.com/", want=(HOME, basic("me:a:b")), why="the first colon ends the user"),
    gives("https://me:a@b@example.com/", want=(HOME, basic("me:a@b")), why="the last @ begins the host"),
    gives(
        "https://@example.com/", want=AnyOf((HOME, None), ("https://@example.com/", None)), why="an empty user is none"
    ),
    gives(
        "https://me:pw@example.com/a?q=1#@",
        want=(HOME + "a?q=1#@", basic("me:pw")),
        why="an @ in the fragment does not matter",
    ),
]


def test_authorization_header() -> None:
    assert all_right(authorization_header, CHECKS)
