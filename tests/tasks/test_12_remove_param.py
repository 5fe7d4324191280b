"""Remove one parameter from a link before it is shared."""

from support.tasks import all_right, gives

from weburl import URL


def remove_param(link: str, name: str) -> str:
    return URL(link).without_params(name).href


DOC = "https://example.com/doc"
CHECKS = [
    gives(DOC + "?a=1&session=s&b=2", "session", want=DOC + "?a=1&b=2"),
    gives(DOC + "?a=1", "session", want=DOC + "?a=1"),
    gives(DOC + "?session=s", "session", want=DOC, why="an empty query needs no ?"),
    gives(
        DOC + "?session=s&a=1&session=t", "session", want=DOC + "?a=1", why="all parameters with the name are removed"
    ),
    gives(DOC + "?session&a=1", "session", want=DOC + "?a=1", why="a parameter does not need a ="),
    gives(DOC + "?s%65ssion=s&a=1", "session", want=DOC + "?a=1", why="the name can be percent-encoded"),
    gives(
        DOC + "?mysession=1",
        "session",
        want=DOC + "?mysession=1",
        why="mysession is another name, though it ends with session",
    ),
    gives(DOC + "?a=1#session=s", "session", want=DOC + "?a=1#session=s", why="the fragment is not the query"),
    gives(DOC + "?a[]=1&a%5B%5D=2&b=3", "a[]", want=DOC + "?b=3", why="[] and %5B%5D are the same text"),
    gives(DOC + "?r%26d=1&a=1", "r&d", want=DOC + "?a=1", why="a name can have a &"),
    gives(
        DOC + "?q=a%2fb%20c+d&session=s&x|y;z",
        "session",
        want=DOC + "?q=a%2fb%20c+d&x|y;z",
        why="the other parameters keep their bytes",
    ),
]


def test_remove_param() -> None:
    assert all_right(remove_param, CHECKS)
