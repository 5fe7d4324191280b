"""Read the search text `q` and all the tags of a query."""

from support.tasks import all_right, gives

from weburl import URL


def read_params(link: str) -> tuple[str, list[str]]:
    params = URL(link).search_params
    return params.get("q", ""), params.get_all("tag")


CHECKS = [
    gives("https://example.com/?q=news&tag=a&tag=b", want=("news", ["a", "b"])),
    gives("https://example.com/", want=("", [])),
    gives("https://example.com/?q=caf%C3%A9+au+lait", want=("café au lait", []), why="a + is a space"),
    gives("https://example.com/?q=1%2B1%26b", want=("1+1&b", []), why="%2B is a plus, %26 does not end the value"),
    gives("https://example.com/?%71=x&t%61g=a", want=("x", ["a"]), why="names can be percent-encoded, too"),
    gives("https://example.com/?q=1&q=2", want=("1", []), why="of several, browsers give the first"),
    gives("https://example.com/?q=a;tag=b", want=("a;tag=b", []), why="a ; does not separate parameters"),
    gives(
        "https://example.com/?q=a=b&tag=",
        want=("a=b", [""]),
        why="only the first = ends the name, a value can be empty",
    ),
    gives("https://example.com/?q&tag&tag=1", want=("", ["", "1"]), why="a parameter does not need a ="),
    gives(
        "https://example.com/?q=%E9&tag=%zz", want=("\ufffd", ["%zz"]), why="wrong bytes and escapes are not an error"
    ),
    gives("https://example.com/?tag=a#?q=1&tag=b", want=("", ["a"]), why="the fragment is not the query"),
    gives("https://example.com/??q=1", want=("", []), why="the second ? is a part of the name"),
    gives("https://example.com/?q=a%00b", want=("a\0b", []), why="a NUL is a character like others"),
]


def test_read_params() -> None:
    assert all_right(read_params, CHECKS)
