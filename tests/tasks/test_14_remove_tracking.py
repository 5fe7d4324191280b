"""Remove what Google, Meta and others add to links for counting, and leave the link as it is."""

from support.tasks import all_right, gives

from weburl.crawl import without_tracking


def remove_tracking(link: str) -> str:
    return without_tracking(link)


SHOP = "https://example.com/shop"
CHECKS = [
    gives(SHOP + "?id=7&utm_source=mail&utm_medium=email", want=SHOP + "?id=7"),
    gives(SHOP + "?gclid=x&id=7&fbclid=y", want=SHOP + "?id=7"),
    gives(SHOP + "?id=7", want=SHOP + "?id=7"),
    gives(SHOP + "?utm_source=mail#top", want=SHOP + "#top", why="an empty query needs no ?, and the fragment stays"),
    gives(SHOP + "?utm%5Fsource=mail&id=7", want=SHOP + "?id=7", why="the name can be percent-encoded"),
    gives(SHOP + "?utm_anything=1&id=7", want=SHOP + "?id=7", why="there are more names than the common five"),
    gives(
        SHOP + "?q=utm_source&my_utm_x=1",
        want=SHOP + "?q=utm_source&my_utm_x=1",
        why="only names count, from their start",
    ),
    gives(
        SHOP + "?msclkid=1&mc_eid=2&ttclid=3&id=7",
        want=SHOP + "?id=7",
        why="many companies have parameters of their own",
    ),
    gives(
        SHOP + "?sig=a%2fb%20c+d&utm_source=mail&b&a[]=1;2",
        want=SHOP + "?sig=a%2fb%20c+d&b&a[]=1;2",
        why="the others keep their bytes, and their order",
    ),
    gives(SHOP + "/utm_source=1;gclid=2", want=SHOP + "/utm_source=1;gclid=2", why="the path is not the query"),
]


def test_remove_tracking() -> None:
    assert all_right(remove_tracking, CHECKS)
