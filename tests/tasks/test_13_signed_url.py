"""A storage service has signed a URL, so no parameter may be spelled anew. Add a part number, which is not signed."""

from support.tasks import SamePieces, all_right, gives

from weburl import URL


def signed_url(link: str, part: int) -> str:
    return URL(link).with_params(partNumber=part).href


HOST = "https://bucket.example.com"
CHECKS = [
    gives(HOST + "/a.zip?Signature=abc", 3, want=SamePieces(HOST + "/a.zip?Signature=abc&partNumber=3")),
    gives(HOST + "/a.zip?partNumber=1&Signature=abc", 2, want=SamePieces(HOST + "/a.zip?partNumber=2&Signature=abc")),
    gives(
        HOST + "/a%2Fb%7Ec.zip?Credential=k%2Fus-east-1%2Fs3&Signature=q%2Bz%3D",
        3,
        want=SamePieces(HOST + "/a%2Fb%7Ec.zip?Credential=k%2Fus-east-1%2Fs3&Signature=q%2Bz%3D&partNumber=3"),
        why="escapes are not decoded and encoded again",
    ),
    gives(
        HOST + "/?sig=a%2fb",
        3,
        want=SamePieces(HOST + "/?sig=a%2fb&partNumber=3"),
        why="an escape in lower case stays in lower case",
    ),
    gives(
        HOST + "/?name=a%20b+c",
        3,
        want=SamePieces(HOST + "/?name=a%20b+c&partNumber=3"),
        why="%20 stays %20, and + stays +",
    ),
    gives(
        HOST + "/?sig=YWI=&k",
        3,
        want=SamePieces(HOST + "/?sig=YWI=&k&partNumber=3"),
        why="a value can have a =, and a parameter can be a name alone",
    ),
    gives(
        HOST + "/?k=%7Ea~,:@/!$()*",
        3,
        want=SamePieces(HOST + "/?k=%7Ea~,:@/!$()*&partNumber=3"),
        why="characters that need no escape stay as they are",
    ),
    gives(
        HOST + "/?k=%E9%zz", 3, want=SamePieces(HOST + "/?k=%E9%zz&partNumber=3"), why="bytes that are not UTF-8 stay"
    ),
    gives(
        HOST + "/a//b/%2e%2E.zip?k",
        3,
        want=SamePieces(HOST + "/a//b/%2e%2E.zip?k&partNumber=3"),
        why="the path stays, with its empty segment and its escapes",
    ),
]


def test_signed_url() -> None:
    assert all_right(signed_url, CHECKS)
