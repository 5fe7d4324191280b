"""The client of an API has a base URL, and is called with relative paths. No path may leave the base."""

from support.tasks import all_right, gives, refuses

from weburl import URL


def api_client(base: str, path: str) -> str:
    root = URL(base.rstrip("/") + "/")
    url = root.join("./" + path.lstrip("/"))
    if not url.href.startswith(root.href):
        raise ValueError(f"the path leaves the API: {path}")
    return url.href


API = "https://api.example.com/v2"
CHECKS = [
    gives(API, "users/7", want=API + "/users/7"),
    gives(API + "/", "users/7", want=API + "/users/7"),
    gives(API, "/users/7", want=API + "/users/7"),
    gives(API, "users?active=1&q=a%2Bb", want=API + "/users?active=1&q=a%2Bb", why="a path can have a query"),
    gives(API, "users/a b", want=API + "/users/a%20b", why="what must be encoded is encoded"),
    gives(API, "users/a:b", want=API + "/users/a:b", why="a colon in a path is not a scheme"),
    gives(API, "a:b", want=API + "/a:b", why="a colon in the first segment is not a scheme either"),
    refuses(API, "../admin", why="dots lead out of the base"),
    refuses(API, "users/%2e%2e/../admin", why="percent-encoded dots lead out of the base, too"),
    refuses(API, "..\\admin", why="a backslash is a slash, so the dots lead out of the base"),
]


def test_api_client() -> None:
    assert all_right(api_client, CHECKS)
