"""What the page of one URL and many hosts says of weburl; of the others, hosts_page.py --check."""

from __future__ import annotations

import hosts_page

from weburl import URL


def rows() -> dict[str, list[str]]:
    """By URL, what each makes of it; the last two are the browser and weburl."""
    lines = hosts_page.PAGE.read_text("utf-8").splitlines()
    cells = [line[2:-2].split(" | ") for line in lines if line.startswith("| `")]
    return {url[1:-1]: hosts for url, *hosts in cells}


def test_it_has_every_url_with_the_host_of_weburl() -> None:
    shown = rows()
    urls = [url for group in hosts_page.INPUTS.values() for url in group]
    assert list(shown) == [hosts_page.visible(url) for url in urls]
    for url, hosts in zip(urls, shown.values(), strict=True):
        parsed = URL.parse(url)
        assert hosts[-1] == hosts_page.cell(hosts_page.NONE if parsed is None else parsed.hostname), url


def test_where_weburl_differs_from_the_browser() -> None:
    """The one exception is a space: the browser makes a host of it that the standard refuses."""
    shown = rows()
    assert [url for url, (*_, browser, ours) in shown.items() if browser != ours] == ["http://evil.example /"]
    assert f"| weburl | {len(shown)} | 0 | 1 | 0 |\n" in hosts_page.PAGE.read_text("utf-8")
