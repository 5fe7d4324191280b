"""Add tags and a page number to the query of a link, and leave all that is there."""

from support.tasks import Query, all_right, gives

from weburl import URL


def add_params(link: str, tags: list[str], page: int) -> str:
    return URL(link).add_params(tag=tags, page=page).href


HOME = "https://example.com/"
CHECKS = [
    gives(HOME, ["new"], 2, want=Query(HOME, [("tag", "new"), ("page", "2")])),
    gives(HOME + "?q=1", ["a", "b"], 2, want=Query(HOME, [("q", "1"), ("tag", "a"), ("tag", "b"), ("page", "2")])),
    gives(
        HOME + "?tag=x#top",
        ["a"],
        2,
        want=Query(HOME + "?tag=x&", [("tag", "x"), ("tag", "a"), ("page", "2")], "top"),
        why="the query ends before the #, and a tag that is there stays",
    ),
    gives(
        HOME,
        ["R&D", "a=b", "50% + é#"],
        0,
        want=Query(HOME, [("tag", "R&D"), ("tag", "a=b"), ("tag", "50% + é#"), ("page", "0")]),
        why="what has a meaning in a query must be encoded",
    ),
    gives(
        HOME + "?",
        [],
        1,
        want=Query(HOME + "?p", [("page", "1")]),
        why="the query is there and empty, and so is the list",
    ),
    gives(
        HOME, ["a%20b"], 1, want=Query(HOME, [("tag", "a%20b"), ("page", "1")]), why="the % is text, and not an escape"
    ),
    gives(
        HOME + "?sig=a%2fb%20c&x|y",
        [],
        2,
        want=Query(HOME + "?sig=a%2fb%20c&x|y&", [("sig", "a/b c"), ("x|y", ""), ("page", "2")]),
        why="what is there keeps its bytes: a signature or a cache may depend on them",
    ),
    gives(
        HOME + "?a=1;b=2&&c",
        [],
        2,
        want=Query(HOME + "?a=1;b=2&&c&", [("a", "1;b=2"), ("c", ""), ("page", "2")]),
        why="a ; and an empty piece keep their bytes, too",
    ),
]


def test_add_params() -> None:
    assert all_right(add_params, CHECKS)
