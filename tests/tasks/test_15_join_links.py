"""A page has links. List the URLs that they lead to, as a browser does. Leave out those that lead nowhere."""

from support.tasks import all_right, gives

from weburl import URL


def join_links(page: str, hrefs: list[str]) -> list[str]:
    base = URL(page)
    return [url.href for href in hrefs if (url := URL.parse(href, base))]


PAGE = "https://example.com/shop/list?page=2"
CHECKS = [
    gives(
        PAGE,
        ["item", "/about", "../help", "https://example.org/"],
        want=[
            "https://example.com/shop/item",
            "https://example.com/about",
            "https://example.com/help",
            "https://example.org/",
        ],
    ),
    gives(
        PAGE,
        ["?page=3", "#top", "", "//cdn.example/x.js"],
        want=["https://example.com/shop/list?page=3", PAGE + "#top", PAGE, "https://cdn.example/x.js"],
        why="a link can begin with the query or the fragment, or have a host and no scheme",
    ),
    gives(
        PAGE,
        [" \titem\n", "it\nem"],
        want=["https://example.com/shop/item", "https://example.com/shop/item"],
        why="HTML often has line ends in links",
    ),
    gives(
        PAGE,
        ["..\\help", "\\\\cdn.example\\x.js"],
        want=["https://example.com/help", "https://cdn.example/x.js"],
        why="a browser reads a backslash as a slash",
    ),
    gives(PAGE, ["../../../a", "%2e%2e/a"], want=["https://example.com/a"] * 2, why="nothing is above the root"),
    gives(
        PAGE,
        ["https:item", "https:/about"],
        want=["https://example.com/shop/item", "https://example.com/about"],
        why="browsers take such links as relative ones",
    ),
    gives(
        PAGE,
        ["é?é#é", "a b"],
        want=["https://example.com/shop/%C3%A9?%C3%A9#%C3%A9", "https://example.com/shop/a%20b"],
        why="what cannot be in a URL is encoded",
    ),
    gives(
        PAGE,
        ["mailto:a@example.com", "javascript:void(0)"],
        want=["mailto:a@example.com", "javascript:void(0)"],
        why="a link can have another scheme",
    ),
    gives(
        PAGE,
        ["https://exa mple/", "//", "http://h:99999/", "ok"],
        want=["https://example.com/shop/ok"],
        why="these texts are not URLs, but for the last one",
    ),
    gives("https://example.com", ["a"], want=["https://example.com/a"], why="the page has no path"),
]


def test_join_links() -> None:
    assert all_right(join_links, CHECKS)
