"""Build the URL of an API call from values that others choose: names are in the path, the rest is the query."""

from support.tasks import AnyOf, Query, Refused, all_right, gives, refuses

from weburl import URL


def build_url(owner: str, name: str, labels: list[str], page: int) -> str:
    segments = ["repos", owner, name, "issues"]
    params = {"label": labels, "page": page}
    return URL.build(scheme="https", host="api.example.com", path_segments=segments, params=params).href


REPOS = "https://api.example.com/repos"
CHECKS = [
    gives("ann", "tool", ["bug"], 1, want=Query(REPOS + "/ann/tool/issues?", [("label", "bug"), ("page", "1")])),
    gives(
        "ann",
        "tool",
        ["a", "b"],
        2,
        want=Query(REPOS + "/ann/tool/issues?", [("label", "a"), ("label", "b"), ("page", "2")]),
    ),
    gives(
        "ann", "a/b", [], 1, want=REPOS + "/ann/a%2Fb/issues?page=1", why="a slash in a name does not make two segments"
    ),
    gives(
        "ann", "a?b#c", [], 1, want=REPOS + "/ann/a%3Fb%23c/issues?page=1", why="a ? in a name does not end the path"
    ),
    gives("ann", "50%", [], 1, want=REPOS + "/ann/50%25/issues?page=1", why="a percent sign is text"),
    gives("ann", "a%2Fb", [], 1, want=REPOS + "/ann/a%252Fb/issues?page=1", why="an escape in a name is text, too"),
    gives("ann", "a b é", [], 1, want=REPOS + "/ann/a%20b%20%C3%A9/issues?page=1", why="a space in a path is not a +"),
    gives(
        "ann",
        "C:\\x",
        [],
        1,
        want=AnyOf(REPOS + "/ann/C:%5Cx/issues?page=1", REPOS + "/ann/C%3A%5Cx/issues?page=1"),
        why="a browser would read a \\ as a slash",
    ),
    gives(
        "ann",
        "http://evil.example/",
        [],
        1,
        want=AnyOf(*(REPOS + f"/ann/http{colon}%2F%2Fevil.example%2F/issues?page=1" for colon in (":", "%3A"))),
        why="a name can look like a URL",
    ),
    gives(
        "ann",
        "x",
        ["R&D", "a+b", "#1"],
        1,
        want=Query(REPOS + "/ann/x/issues?", [("label", "R&D"), ("label", "a+b"), ("label", "#1"), ("page", "1")]),
        why="values are text",
    ),
    gives(
        "",
        "admin",
        [],
        1,
        want=AnyOf(REPOS + "//admin/issues?page=1", Refused()),
        why="an empty name is a segment, too",
    ),
    refuses("..", "admin", [], 1, why="the name .. would lead to another part of the API"),
    refuses("ann", ".", [], 1, why="the name . would vanish"),
    gives(
        "ann",
        "%2e%2E",
        [],
        1,
        want=REPOS + "/ann/%252e%252E/issues?page=1",
        why="an escape in a name is text, and not a dot",
    ),
]


def test_build_url() -> None:
    assert all_right(build_url, CHECKS)
