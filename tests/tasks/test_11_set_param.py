"""Make the link to another page of a list: set `page`, and leave all other parameters."""

from support.tasks import Query, all_right, gives

from weburl import URL


def set_param(link: str, page: int) -> str:
    return URL(link).with_params(page=page).href


LIST = "https://example.com/list"
CHECKS = [
    gives(LIST + "?page=1", 2, want=LIST + "?page=2"),
    gives(LIST, 2, want=LIST + "?page=2"),
    gives(LIST + "?q=a&page=1&sort=up", 2, want=LIST + "?q=a&page=2&sort=up", why="the parameter keeps its place"),
    gives(LIST + "?page=1&page=7", 2, want=LIST + "?page=2", why="all old values are replaced"),
    gives(LIST + "?p%61ge=1", 2, want=Query(LIST, [("page", "2")]), why="the old name can be percent-encoded"),
    gives(LIST + "?tag=a&tag=b&page=1", 2, want=LIST + "?tag=a&tag=b&page=2", why="other parameters can be repeated"),
    gives(LIST + "?page=1#page=1", 2, want=LIST + "?page=2#page=1", why="the fragment is not the query"),
    gives(
        LIST + "?subpage=1&page",
        2,
        want=LIST + "?subpage=1&page=2",
        why="subpage is another name, though it ends with page",
    ),
    gives(LIST + "?page=1", 0, want=LIST + "?page=0", why="0 is a value, too"),
    gives(
        LIST + "?q=caf%c3%a9%20au+lait&page=1&empty=&bare",
        2,
        want=LIST + "?q=caf%c3%a9%20au+lait&page=2&empty=&bare",
        why="other parameters keep their bytes",
    ),
]


def test_set_param() -> None:
    assert all_right(set_param, CHECKS)
