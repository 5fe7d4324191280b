"""page_links against a headless Chromium: pages that are written by hand, and a few that are generated."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from support.link_pages import Browser, Page, browser, differences, explain, generate

from weburl._crawl.srcset import parse_srcset

PAGES: dict[str, bytes | Page] = {
    "a base that comes late": b"<a href=x>1</a><form></form><form action=y></form><p><base href=/b/><a href=z>2</a>",
    "what is loaded before the base": b"<iframe src=x></iframe><script src=y></script><link rel=stylesheet href=z>"
    b"<meta http-equiv=refresh content=1000;r><base href=/b/><iframe src=x2></iframe><script src=y2></script>",
    "two bases": b"<base target=x><base href=/a/><base href=/b/><a href=x>",
    "an empty base": b"<base href><base href=/b/><a href=x><a href=?y><a href=#z>",
    "a data: base": b"<base href=data:,x><a href=x>",
    "a javascript: base": b"<base href=javascript:x><base href=/b/><a href=x>",
    "a base in a template": b"<template><base href=/no/></template><a href=x>",
    "a base in svg": b"<svg><base href=/no/></svg><a href=x>",
    "a base in noscript": b"<noscript><base href=/no/></noscript><a href=x>",
    "a base in a comment": b"<!-- <base href=/no/> --><a href=x>",
    "a base in a script": b"<script>'<base href=/no/>'</script><a href=x>",
    "a base in a textarea": b"<textarea><base href=/no/></textarea><a href=x>",
    "noscript in head and body": b"<head><noscript><link rel=next href=no></noscript><link rel=next href=yes></head>"
    b"<body><noscript><a href=no></a><img src=no></noscript>",
    "templates in templates": b"<template><template><a href=no></a></template><a href=no></template><a href=x>",
    "a link in a link": b"<a href=x>1<a href=y>2</a>3<table><tr><td><a href=z>4<p>5</table>6",
    "a link in a link's table": b"<a href=x>1<table><td>2<a href=y>3</a>4</td></table>5</a>",
    "a link over blocks": b"<a href=x>1<p>2<div>3</a>4<p>5",
    "formatting that is opened again": b"<p><a href=x>1<p>2<p>3</a>4",
    "foster parents": b"<table><a href=x>1</a><tr><a href=y>2</a><td><a href=z>3</table>",
    "svg links": b"<svg><a href=x xlink:href=no>1</a><a xlink:href=y>2</a><a>3</a><a xlink:href>4</a></svg>",
    "HTML in svg": b"<svg><foreignObject><a href=x xlink:href=no>1</a></foreignObject>"
    b"<title><a href=y>2</a></title></svg>",
    "svg that HTML ends": b"<svg><a href=x>1<p>2<a href=y>3</svg>4",
    "math links": b"<math><a href=no>1</a><mi><a href=x>2</a></mi><annotation-xml encoding=TEXT/HTML><a href=y>3</a>"
    b"</annotation-xml><annotation-xml><a href=no>4</a><svg><a href=z>5</a></svg></annotation-xml></math>",
    "CDATA": b"<![CDATA[<a href=x>]]><svg><![CDATA[<a href=no>]]></svg><a href=y>",
    "elements of svg that are not those of HTML": b"<svg><form action=no><link rel=next href=no><iframe src=no></svg>",
    "scripts in scripts": b"<script><!--<script></script><a href=no></script><a href=x>",
    "comments that end early": b"<!--><a href=x><!---><a href=y><!-- --!><a href=z><!--> --><a href=q>",
    "attributes twice, in capitals, with NUL": b"<A HREF=x hReF=no>1</A>"
    b"<a href='x\0y'>2\0</a><a\0 href=no><a/href=z/>3</a>",
    "attributes in end tags": b"<a>1</a href=no><a href = 'x'y=z>2</a>",
    "references": b"<a href='?a=1&copy=2&copy;&amp;x&#x1F600;&#0;&#128;&notit;&lang=x'>1&nbsp;2</a>",
    "white space": b"<a href=' \t\n x\ty\nz \f '> a \n\n b\xa0 c </a><a href='\x0bx'>2</a>",
    "no tags": b"text",
    "nothing": b"",
    "a page that ends in a tag": b"<a href=x>1</a><a href=no",
    "a page that ends in an attribute": b"<a href=x>1</a><a href='no>2</a>",
    "frames": b"<frameset><frame src=x><frame src><noframes><a href=no></noframes></frameset><a href=no>",
    "a frameset after the body": b"<body><a href=x><frameset><frame src=no></frameset>",
    "a frameset that replaces the body": b"<div><a href=no></a><frameset><frame src=x></frameset>",
    "iframes": b"<iframe src=x></iframe><iframe srcdoc='<a href=no>' src=no></iframe><iframe src></iframe>"
    b"<iframe></iframe><iframe src=about:blank></iframe><iframe src='http://'></iframe>",
    "forms": b"<form></form><form action><button formaction=x></button><input type=submit formaction=y>"
    b"<input type=image src=z formaction><button type=button formaction=no></button></form><form action=' '></form>",
    "a form in a form": b"<form action=x><form action=no><div></form><form action=y>",
    "link elements": b"<link rel='NEXT prev' href=1><link rel='alternate stylesheet' href=2><link rel=icon href=3>"
    b"<link rel='preload' as=image href=4><link rel=modulepreload href=5><link rel=next href><link href=no>",
    "images": b"<img src=1 alt=' a  b '><image src=2><input type=IMAGE src=3 alt=c><img src>"
    b"<video poster=4></video><svg><image href=5 /></svg><td background=no><body background=6>"
    b"<table background=7><td background=8></table>",
    "media": b"<video src=1><source src=2><track src=3></video><audio><source src=4></audio><embed src=5>"
    b"<object data=6></object><source src=no><picture><source src=no><img></picture>",
    "links in a select": b"<select><option><a href=x>1</a></option><a href=y>2</a></select>"
    b"<select><svg><a href=z>3</a></svg>",
    "what is open for long": b"<b>" * 300 + b"<p>" * 100 + b"<a href=x>1</a>" + b"</b>" * 50 + b"<a href=y>2</a>",
    "deep": b"<div>" * 450 + b"<a href=x>1</a>" + b"</div>" * 450 + b"<a href=y>2</a>",
    "plaintext": b"<a href=x>1</a><plaintext><a href=no>",
    "canonical URLs": b"<base href=/b/><link rel=canonical href><link rel='x\ncanonical' href=' c '>"
    b"<link rel=canonical href=d>",
    "a canonical URL in the body": b"<title>x</title><p><link rel=canonical href=no><a href=x>",
    "canonical URLs that are none": b"<link rel=canonicals href=no><svg><link rel=canonical href=no></svg>",
    "a canonical URL in a template, and one in noscript": b"<template><link rel=canonical href=no></template><noscript>"
    b"<link rel=canonical href=no></noscript><link rel=canonical href=yes>",
    "languages": b"<link rel=alternate hreflang=DE href=x type=a/b><a hreflang href=y type=' c '>"
    b"<area hreflang=z href=z><svg><a hreflang=q href=q>",
    "rules for crawlers": b"<meta name=ROBOTS content='NoIndex, max-snippet:2'><body><meta content=none name=robots>"
    b"<template><meta name=robots content=no></template><noscript><meta name=robots content=no></noscript>"
    b"<svg><meta name=robots content=in-html></svg><meta name=robots>",
    "a charset in the header": Page("<a href='/é?é'>".encode("latin-1"), "latin1"),
    "a charset that is unknown": Page("<meta charset=koi8-r><a href='/б?б'>".encode("koi8-r"), "nonsense"),
    "a charset that is another": Page("<meta charset=koi8-r><a href='/é?é'>".encode("latin-1"), "iso-8859-1"),
    "a byte order mark": Page("\ufeff<meta charset=koi8-r><a href='/é?é'>".encode(), "koi8-r"),
    "UTF-16": Page("\ufeff<meta charset=koi8-r><a href='/é?é'>".encode("utf-16le"), "koi8-r"),
    "a charset of UTF-16 in a meta element": "<meta charset=utf-16><a href='/é?é'>".encode(),
    "a charset of UTF-16 in the header": Page("<a href='/é?é'>".encode("utf-16le"), "utf-16"),
    "x-user-defined": Page(b"<a href='/\xe9?\xe9'>", "x-user-defined"),
    "x-user-defined in a meta element": b"<meta charset=x-user-defined><a href='/\xe9?\xe9'>",
    "replacement": Page(b"<a href=no>", "hz-gb-2312"),
    "gb2312 is GBK": Page("<a href='?€'>1</a><a href='?丂㐀'>2</a>".encode("gb18030"), "gb2312"),
    "gb18030": Page("<a href='?€'>1</a><a href='?丂㐀'>2</a>".encode("gb18030"), "gb18030"),
    "ISO-2022-JP": Page("<a href='?日本'>日本</a>".encode("iso2022_jp"), "iso-2022-jp"),
    "a meta element that is late": b"<head><!--" + b"x" * 2000 + b"--><meta charset=koi8-r><a href='?\xc2'>",
    "a meta element in another": b"<!-- <meta charset=big5> --><a title='<meta charset=big5>'></a><meta charset=koi8-r>"
    b"<a href='?\xc2'>",
    "bytes that are not UTF-8": Page(b"<a href='?\xe9\xff\"\xf0\x9f'>\xe9</a>", "utf-8"),
    "a refresh in the body": b"<body><p><meta http-equiv=REFRESH content='1000; URL=x'>",
    "a refresh in a template": b"<template><meta http-equiv=refresh content='1000; URL=no'></template>",
    "a refresh in noscript": b"<noscript><meta http-equiv=refresh content='1000; URL=no'></noscript>",
    "a refresh without a URL": b"<base href=/b/><meta http-equiv=refresh content=1000>",
    "a refresh to a script": b"<meta http-equiv=refresh content='1000;url=javascript:x'>"
    b"<meta http-equiv=refresh content=1000;y>",
    "a refresh in quotes": b"<meta http-equiv=refresh content=\"1000,'x;y'z\">",
    "a refresh that is none": b"<meta http-equiv=refresh content='x;y'><meta http-equiv=refresh content='1000x;y'>",
}  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    with browser() as found:
        yield found


@pytest.mark.parametrize("name", PAGES)
def test_pages(name: str, chromium: Browser) -> None:
    page = PAGES[name]
    assert differences(chromium, page if isinstance(page, Page) else Page(page)) == []


# What Chromium does, and the standards do not say.
DEVIATIONS: dict[str, bytes | Page] = {
    "after a base that does not parse nothing is": b"<base href='http://h:99999/'><a href=x>",
    "a space is allowed in a host": b"<a href='http://a b/'>",
    "an empty URL of a refresh is that of the document, not of the base": b"<base href=/b/>"
    b"<meta http-equiv=refresh content='1000;url='>",
    "a refresh that is as soon takes the place of one before it": b"<meta http-equiv=refresh content=1000;x>"
    b"<meta http-equiv=refresh content=1000;y>",
    "the query of a base is read in UTF-8": Page("<base href='?é'><a href='#x'>".encode("latin-1"), "latin1"),
    "a NUL after < is text": b"<a href=x><\0</a>",
    "a meta element of the body does not change the encoding": b"<body>" + b" " * 2000 + b"<meta charset=koi8-r>",
}


@pytest.mark.parametrize("name", DEVIATIONS)
def test_deviations_of_chromium(name: str, chromium: Browser) -> None:
    page = DEVIATIONS[name]
    assert differences(chromium, page if isinstance(page, Page) else Page(page))


@pytest.mark.parametrize("seed", range(1_000_000, 1_000_030))
def test_generated_pages(seed: int, chromium: Browser) -> None:
    found, reasons = explain(chromium, generate(seed))
    assert not found or reasons


SRCSETS = """
    a | a, b 2x | a 1x,b 2x,c 3x | a,b | a,, ,b 2x | a, | ,a | a 1x 2x, b | a 100w | a 100w, b 200w | a 100w 50h | a 50h
    | a 0w | a -1x | a -0x | a .5x | a 1.x | a +1x | a 1e3x | a 1W | a x | a (1x, 2x), b 2x | a ( , b | data:,x,y 1x
    | a 1x(2x | a ( | a 1x , b 2x | a b, c | a 5h 5h 5w | a 1w 1w | a 100w 1x | a 1x 5h
    | a 1 | a 1.5w | a\t1x\n,b 2x | a\xa01x
"""


@pytest.mark.parametrize("srcset", [srcset.strip(" \n") for srcset in SRCSETS.split("|")])
def test_srcset(srcset: str, chromium: Browser) -> None:
    """Chromium tells one image of a set, by the density of its screen."""
    chromium.ask(Page(b""))
    found = set()
    for density in (0.1, 0.5, 1, 2, 3, 10):
        screen = {"width": 800, "height": 600, "deviceScaleFactor": density, "mobile": False}
        chromium.tab.call("Emulation.setDeviceMetricsOverride", **screen)
        script = f"new Promise((done) => {{ const image = new Image(); image.srcset = {srcset!r}; "
        script += "setTimeout(() => done(image.currentSrc), 30) })"
        found.add(chromium.tab.value(script))
    chromium.tab.call("Emulation.clearDeviceMetricsOverride")
    urls = [f"http://page.test/dir/{url}" if url[:5] != "data:" else url for url in parse_srcset(srcset)]
    found.discard("")
    assert found <= {url.replace("\xa0", "%C2%A0") for url in urls}
    assert bool(found) == bool(urls)
    if all(descriptors[-1:] == "x" for descriptors in srcset.split(",")):
        assert len(found) == len(urls)
