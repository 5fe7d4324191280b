"""What page_links reads of a page besides its tree: encodings, srcset, refreshes, and where the page is cut."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Any

import pytest

from weburl._crawl.nesting import cut
from weburl._crawl.refresh import parse_refresh
from weburl._crawl.sniffing import charset_of_content, decode, known, label_of_meta, sniff
from weburl._crawl.srcset import parse_srcset
from weburl._unicode.encoding import ENCODINGS, get_encoding

XML = b'<?xml version="1.0" encoding="koi8-r"?>'


@pytest.mark.parametrize(
    ("html", "charset", "label", "is_tentative"),
    [
        (b"", None, "windows-1252", True),
        (b"", "", "windows-1252", True),
        (b"", "latin-1", "windows-1252", True),  # a codec of Python, and not a label
        (b"", " KOI8-R\n", "koi8-r", False),
        (b"", "utf-16", "utf-16", False),
        (b"", "x-user-defined", "x-user-defined", False),
        (b"\xef\xbb\xbf", "koi8-r", "utf-8", False),
        (b"\xff\xfe", "koi8-r", "utf-16le", False),
        (b"\xfe\xff", None, "utf-16be", False),
        (b"<meta charset=koi8-r>", "big5", "big5", False),
        (b"<meta charset=koi8-r>", "unknown", "koi8-r", True),
        (b"<META CharSet = 'KOI8-R' >", None, "koi8-r", True),
        (b"<meta/charset=koi8-r />", None, "koi8-r", True),
        (b"<meta charset=koi8-r charset=big5>", None, "koi8-r", True),
        (b"<meta charset=utf-16>", None, "utf-8", True),
        (b"<meta charset=x-user-defined>", None, "windows-1252", True),
        (b"<meta charset=unknown><meta charset=koi8-r>", None, "koi8-r", True),
        (b"<meta charset=koi8-r", None, "windows-1252", True),
        (b"<meta charset='koi8-r>", None, "windows-1252", True),
        (b"<metacharset=koi8-r><meta2 charset=koi8-r>", None, "windows-1252", True),
        (b"<meta name=charset content=koi8-r>", None, "windows-1252", True),
        (b"<meta content='text/html; charset=koi8-r'>", None, "windows-1252", True),
        (b"<meta content='text/html; charset=koi8-r' http-equiv=Content-Type>", None, "koi8-r", True),
        (b"<meta http-equiv=content-type content='charset=koi8-r' charset=x>", None, "windows-1252", True),
        (b"<!-- <meta charset=big5> --><meta charset=koi8-r>", None, "koi8-r", True),
        (b"<!--><meta charset=koi8-r>-->", None, "koi8-r", True),
        (b"<!---><meta charset=koi8-r>-->", None, "koi8-r", True),
        (b"<!-- <meta charset=koi8-r>", None, "windows-1252", True),
        (b"<a title='<meta charset=big5>'><meta charset=koi8-r>", None, "koi8-r", True),
        (b"</a title='<meta charset=big5>'><meta charset=koi8-r>", None, "koi8-r", True),
        (b"<!x '><?y '></ z '><meta charset=koi8-r>", None, "koi8-r", True),
        (b"<title><meta charset=koi8-r></title>", None, "koi8-r", True),
        (b" " * 1003 + b"<meta charset=koi8-r>", None, "koi8-r", True),
        (b" " * 1004 + b"<meta charset=koi8-r>", None, "windows-1252", True),
        (XML, None, "koi8-r", True),
        (XML + b"<meta charset=big5>", None, "big5", True),
        (XML.replace(b"koi8-r", b"utf-16"), None, "utf-8", True),
        (XML.replace(b"koi8-r", b"koi8 r"), None, "windows-1252", True),
        (b" " + XML, None, "windows-1252", True),
        ("<?x".encode("utf-16le"), None, "utf-16le", True),
        ("<?x".encode("utf-16be"), None, "utf-16be", True),
    ],
)
def test_sniff(html: bytes, charset: str | None, label: str, is_tentative: bool) -> None:
    sniffed = sniff(html, charset)
    assert (sniffed.label, sniffed.is_tentative) == (label, is_tentative)


@pytest.mark.parametrize(
    ("html", "charset", "fallback", "expected"),
    [
        (b"x", None, None, ("windows-1252", "default")),
        (b"x", None, "utf8", ("utf-8", "fallback")),
        (b"x", None, "cp932", ("shift_jis", "fallback")),
        (b"x", "unknown", "koi8-r", ("koi8-r", "fallback")),
        (b"x", "big5", "koi8-r", ("big5", "charset")),
        (b"\xef\xbb\xbf", "big5", "koi8-r", ("utf-8", "bom")),
        (b"<meta charset=windows-1252>", None, "koi8-r", ("windows-1252", "meta")),
        (XML, None, "big5", ("koi8-r", "xml")),
        ("<?x".encode("utf-16le"), None, "big5", ("utf-16le", "xml")),
        (b"x", None, lambda html: "big5" if html == b"x" else "koi8-r", ("big5", "fallback")),
        (b"x", None, lambda html: None, ("windows-1252", "default")),
        # A function may guess what browsers do not have.
        (b"x", None, lambda html: "cp037", ("windows-1252", "fallback")),
    ],
)  # fmt: skip
def test_where_an_encoding_comes_from(
    html: bytes, charset: str | None, fallback: Any, expected: tuple[str, str]
) -> None:
    assert sniff(html, charset, fallback) == expected


@pytest.mark.parametrize(
    ("content", "label"),
    [
        ("text/html; charset=a", "a"), ("charset = 'a b' x", "a b"), ('charset="a;', None), ("charset='", None),
        ("charset", None), ("charset charset=a;b", "a"), ("xCHARSET=a b", "a"), ("charſet=a", None), ("charset=", ""),
    ],
)  # fmt: skip
def test_charset_of_content(content: str, label: str | None) -> None:
    assert charset_of_content(content) == label


def test_the_label_of_a_meta_element_in_the_tree() -> None:
    content = {"http-equiv": "Content-Type", "content": "charset=koi8-r"}
    assert label_of_meta({"charset": "unknown", **content}) == "koi8-r"
    assert label_of_meta({"charset": None}) is None
    assert label_of_meta({"http-equiv": None, "content": "charset=koi8-r"}) is None


@pytest.mark.parametrize("name", sorted(ENCODINGS))
def test_decode(name: str) -> None:
    """The decoder that is fast for a page gives what the encoding's own gives."""
    rng = random.Random(name)
    data = b"a" + bytes(range(256)) + rng.randbytes(5000)
    decoded = decode(data, name)
    if isinstance(decoded, bytes):
        assert name == "utf-8"
        assert decoded == data
    else:
        assert decoded == get_encoding(name).decode(data)
    assert decode(b"\xef\xbb\xbfx", name) == b"x"
    assert decode(b"\xfe\xff\0x", name) == "x"


def test_known() -> None:
    assert [known(each) for each in (None, "", "x", " UTF8 ", "latin1")] == [None, None, None, "utf8", "latin1"]


@pytest.mark.parametrize(
    ("srcset", "urls"),
    [
        ("", []), (" , ,", []), ("a", ["a"]), (" a ", ["a"]), ("a,", ["a"]), ("a,,,b", ["a,,,b"]), ("a, b", ["a", "b"]),
        ("a,, ,b 1x", ["a", "b"]), ("a 1x,b 2x", ["a", "b"]), ("a 1x 2x,b", ["b"]), ("a 1x 100w", []),
        ("a 100w 50h", ["a"]), ("a 50h 100w", ["a"]), ("a 50h", []), ("a 0w", []), ("a 00h 5w", []), ("a 1w 1w", []),
        ("a 5h 5h 5w", []), ("a 1h 1x", []), ("a -1x", []), ("a -0x", ["a"]), ("a -0.0e9x", ["a"]), ("a -.1x", []),
        ("a .5x", ["a"]), ("a 1.x", []), ("a +1x", []), ("a 1e3x", ["a"]), ("a 1E-3x", ["a"]), ("a 1W", []),
        ("a 1X", []),
        ("a x", []), ("a w", []), ("a 1", []), ("a 1.5w", []), ("a (1x", []), ("a (1x, 2x), b", ["b"]),
        ("a ( , b", []), ("data:,x,y 1x", ["data:,x,y"]), ("a\t1x\n,\fb\r2x", ["a", "b"]), ("a\u00a01x", ["a\u00a01x"]),
        ("a 1x2x", []), ("a 1x(2x", []), ("a,b 1x", ["a,b"]), ("a 1x , b", ["a", "b"]), ("a b, c", ["c"]),
        ("a٣w", ["a٣w"]), ("a ٣w", []),
    ],
)  # fmt: skip
def test_srcset(srcset: str, urls: list[str]) -> None:
    assert list(parse_srcset(srcset)) == urls


@pytest.mark.parametrize(
    ("content", "refresh"),
    [
        ("", None), ("x", None), (";url=x", None), ("-1;url=x", None), ("5x", None), ("5'x", None), ("٣;x", None),
        ("5", ("5", None)), (" 005 ", ("5", None)), ("5;", ("5", None)), ("5 ;\n", ("5", None)), (".", ("0", None)),
        (".5;x", ("0", "x")), ("5.9.9;x", ("5", "x")), ("0;x", ("0", "x")), ("0,x", ("0", "x")), ("0 x", ("0", "x")),
        ("0;;x", ("0", ";x")), ("0 ; x", ("0", "x")), ("0 ,\tURL = x", ("0", "x")), ("0;url=", ("0", "")),
        ("0;url=url=x", ("0", "url=x")), ("0;url='x y'z", ("0", "x y")), ('0;url="x\'y', ("0", "x'y")),
        ("0;'x'y", ("0", "x")), ("0;url", ("0", "url")), ("0;url x", ("0", "url x")), ("0;urn:x", ("0", "urn:x")),
        ("0;u'x'", ("0", "u'x'")), ("0;ur='x'", ("0", "ur='x'")), ("0; url =\f'x", ("0", "x")), ("0;x ", ("0", "x ")),
        ("0;url='", ("0", "")), ("0\u00a0x", None),
    ],
)  # fmt: skip
def test_refresh(content: str, refresh: tuple[str, str | None] | None) -> None:
    assert parse_refresh(content) == refresh


# Of docs/links.md: elements that are open at once, and attributes of a tag.
MOST_OPEN, MOST_ATTRIBUTES = 512, 256
MANY = 100_000
# Pages whose trees have many open elements, and the least that each is cut into.
DEEP: dict[str, Callable[[int], str]] = {
    "div": lambda n: "<div>" * n,
    "formatting": lambda n: "".join(f"<p><b id={i}>x" for i in range(n // 2)),
    "an end tag that a scope hides": lambda n: "<div><object></div></object>" * n,
    "an end tag that a block hides": lambda n: "<div><span><p></span>" * n,
    "a form": lambda n: "<form><div></form>" * n,
    "a table": lambda n: "<table><tr><td>" * n,
    "cells without a table": lambda n: "<td><rt>" * n,
    "svg": lambda n: "<svg><g></svg><div/>" * n,
    "left svg": lambda n: "<svg><div></div><path/>" * n,
    "end tags in a comment": lambda n: "<div><!--</div>-->" * n,
    "end tags in a comment with a bracket": lambda n: "<div><!-- > </div>-->" * n,
    "end tags in a comment with almost an end": lambda n: "<div><!-- --!x> </div> -x> </div> !> </div>-->" * n,
    "comments that end at once": lambda n: "<?><div></><div><!><div>" * n,
    "comments that end in another way": lambda n: "<!-- --!><div>" * n,
    "what is not a comment": lambda n: "<!-x><div><!x-><div>" * n,
    "an end tag of what is not open": lambda n: "<x><li></ul>" * n,
    "an end tag of a part of a table that is not open": lambda n: "<x><td></th>" * n,
    "end tags in an attribute": lambda n: "<div><b title='</div>'></b>" * n,
    "end tags in a script": lambda n: "<div><script><!--<script></div></script>--></div></script>" * n,
    "end tags in a title": lambda n: "<div><title></div></title>" * n,
    "end tags in CDATA": lambda n: "<div><svg><![CDATA[></div></svg>]]></svg>" * n,
    "templates": lambda n: "<template>" * n,
    "framesets": lambda n: "<frameset>" * n,
    "a name that is long": lambda n: "<framesets-and-divisions>" * n,
}


@pytest.mark.parametrize("name", DEEP)
def test_pages_are_cut_before_too_many_elements_are_open(name: str) -> None:
    html = DEEP[name](MANY // 10).encode()
    pieces, _ = cut(html)
    assert b"".join(pieces) == html
    assert len(pieces) >= MANY // 10 // MOST_OPEN
    for piece in pieces[1:]:
        assert piece.startswith(b"<")


BOLD = "".join(f"<b id={i}>" for i in range(400))
# Where formatting elements that stay open are opened again, with what follows.
REPEATED: dict[str, Callable[[int], str]] = {
    "end tags": lambda n: f"<p>{BOLD}</p>" + "<p>x</p>" * n,
    "parts of a table": lambda n: f"<table>{BOLD}" + "<col>x" * n,
    "items of a list": lambda n: f"<ul><li>{BOLD}" + "<li>x</li>" * n,
    "links": lambda n: f"<a>{BOLD}" + "<div><a>x</a></div>" * n,
    "an attribute": lambda n: f"<p><b title='{'y' * n}'></p>" + "<p>x</p>" * n,
    "its end tags": lambda n: f"<b title='{'y' * n}'>" + "<div>" * 9 + "</b>" * n,
}


@pytest.mark.parametrize("name", REPEATED)
def test_pages_are_cut_before_formatting_is_repeated_too_often(name: str) -> None:
    html = REPEATED[name](MANY // 10).encode()
    pieces, is_unusual = cut(html)
    assert b"".join(pieces) == html
    assert 2 <= len(pieces) < 10
    assert is_unusual


def test_pages_with_some_formatting_that_is_repeated_are_not_cut() -> None:
    for text in ("<p><b>x</p>", "<font size=2 color=red>", "<p><b>x<p>y</b></p>"):
        html = (text * 5 + "<div><p>x</p></div>" * (MANY // 10)).encode()
        assert cut(html)[0] == [html]


def test_attributes_of_the_root_are_counted_together() -> None:
    tags = [f"<body a{i} b>" for i in range(MOST_ATTRIBUTES)]
    for start in ("", "<frameset>"):
        end = "<a>" + "x" * 10_000
        (left,), _ = cut((start + "".join(tags) + end).encode())
        assert left.decode() == start + "".join(tags[: MOST_ATTRIBUTES // 2]) + end


def depth(tree: Any) -> int:
    """How many elements of a page are in each other."""
    most = deep = 1
    root = node = tree.root
    while True:
        if node.first_child is not None:
            node = node.first_child
            deep += 1
            most = max(most, deep)
            continue
        while node.next is None:
            node = node.parent
            deep -= 1
            if node is None or node.mem_id == root.mem_id:
                return most
        node = node.next


SOUP = """
    <div> </div> <p> </p> <b> </b> <a> </a> <li> </li> <ul> </ul> <dd> <dt> </dl> <dl> <table> </table> <tr> </tr> <td>
    </td> <tbody> </tbody> <caption> <svg> </svg> <g> </g> <g/> <title> </title> <foreignObject> </foreignObject> <math>
    </math> <mi> </mi> <option> </option> <select> </select> <button> </button> <form> </form> <x> </x> <h1> </h1> <br>
    </br> <ruby> <rt> </ruby> <template> </template> <!-- --> --!> <!x> <![CDATA[ ]]> x <script> </script> <object>
    </object> <font> </font> <nobr> </nobr> <em> </em> <pre> </pre> <address> </address> <i> </i> <textarea> </textarea>
""".split()


@pytest.mark.sample(100)
@pytest.mark.parametrize("seed", range(300))
def test_no_page_makes_a_deep_tree(seed: int) -> None:
    """Whatever tags are repeated. Some elements are implied: a cell brings its section and its row."""
    lexbor = pytest.importorskip("selectolax.lexbor", reason="selectolax is not installed")
    rng = random.Random(seed)
    text = "".join(rng.choices(SOUP, k=rng.randrange(1, 8)))
    html = (text * 5000).encode()
    pieces, is_unusual = cut(html)
    assert b"".join(pieces) == html
    for piece in pieces[:3] + pieces[-1:]:
        tree = lexbor.LexborHTMLParser(piece, scripting=True)
        assert depth(tree) <= 2 * MOST_OPEN
        assert is_unusual or tree.css_first("svg,math,a a") is None


FLAT = [
    "<div><p>x</p></div>", "<p>x", "<ul><li>x<li><p>y<li>z</ul>", "<dl><dt>x<dd><p>y<dt>z</dl>", "<option>x",
    "<table><tr><td>x<td><p>y<tr><th>z</table>", "<table><tbody><tr><td>x</td></tr></tbody></table>",
    "<table><thead><tr><td>x<tbody><tr><td>y</tbody></table>", "<div><p>x<p>y</div>", "<a href=x>x<a href=y>y</a>",
    "<svg><g><path d='x'/><title>x</title></g></svg>", "<svg><path></svg>", "<svg/>", "<math><mi>x</mi><mo>y</math>",
    "<li>x", "<li><p>x", "<dd>x<dt>y", "<dt><p>x<dd>", "<br><img src=x><hr/><input>",
    "<script>if (a<b) '<div>'</script>", "<script><!--<script></script>--></script>",
    "<style><div></style>", "<textarea><div></textarea>", "<title><div></title>", "<!--<div>-->", "<!--><p>",
    "<!---><p>", "<!-- --!>", "<!doctype '<div>'>", "<?x <div>", "</ <div>", "<x-y></x-y>", "< div",
    "<a title='<div>'></a>",
    "<svg></svg><table><tr><td>x</table>", "<svg><g></svg><table><tr><td>x</table>", "<math/><table><td></table>",
    "<svg><![CDATA[]></div>]]></svg>", "<svg><![CDATA[x>]]></svg>", "<svg><![CDATA[]]></svg>", "<!-- > -- > --><p>",
    "<svg><foreignObject><div><p>x</div></foreignObject></svg>", "<svg><![CDATA[<g>]]></svg>", "<![CDATA[>",
    "<noscript><div></noscript>", "<iframe><div></iframe>", "<template><tr><td>x</td></tr></template>", "</p></div>",
    "<svg><p></p>", "<math><mtext><b>x</b></mtext></math>", "<svg><desc><b>x</b></desc></svg>", "<b><i>x</i></b>",
]  # fmt: skip


@pytest.mark.parametrize("text", FLAT)
def test_pages_of_many_elements_are_not_cut(text: str) -> None:
    html = (text * (MANY // 10)).encode()
    assert cut(html)[0] == [html]


@pytest.mark.parametrize("end", ["</script>", "</script >", "</script\n>", "</SCRIPT/>", "</script x>"])
def test_where_a_script_ends(end: str) -> None:
    """After it, elements are counted again."""
    assert cut(f"<script>{end}<svg>".encode())[1] is True
    for other in (end.replace("t", "t-", 1), end.replace("t", "tx ", 1), end.replace("T", "TX ", 1)):
        if other != end:
            assert cut(f"<script>{other}<svg></script>".encode())[1] is False


def test_what_is_short_is_not_cut() -> None:
    hard = b"<svg><desc><table></svg><font></div><frameset>"
    assert cut(hard * 50)[0] == [hard * 50]
    assert len(cut(hard * 500)[0]) > 10


@pytest.mark.parametrize("value", ["='>'", '=">"', "=b", " = b", "", "=/b/", "/"])
@pytest.mark.parametrize("tag", ["<a {}>", "<a {}/>", "</a {}>", "<br {}>", "<svg><a {}/>", "<script {}>"])
def test_attributes_that_are_too_many_are_left_out(tag: str, value: str) -> None:
    words = [f"a{i}{value}" for i in range(MANY // 10)]
    given = f"<b>{tag.format(' '.join(words))}</b>".encode()
    (left,), _ = cut(given)
    kept = " ".join(words[:MOST_ATTRIBUTES])
    assert left.decode() == f"<b>{tag.replace('/', '', tag[1] != '/').format(kept + ' ')}</b>"
    exact = f"<b>{tag.format(kept)}</b>".encode()
    assert cut(exact)[0] == [exact]


def test_a_tag_that_does_not_end_is_left_out() -> None:
    assert cut(b"<b>x<a " + b"y " * MANY)[0] == [b"<b>x"]


@pytest.mark.parametrize(
    ("html", "is_unusual"),
    [
        (b"<a>1</a><a>2</a>", False), (b"<a>1<a>2", False), (b"<a><b>1<a>2", True), (b"<a><table><td><a>", True),
        (b"<svg>", True), (b"<MATH/>", True), (b"<p><!--<svg>--><script><svg></script>", False),
        (b"<a><textarea>", True), (b"<a></a><textarea>", False), (b"<div>" * 1000, True), (b"<frameset>", False),
        (b"x<frameset>", True), (b" \n<frameset>", False), (b"<!doctype html> <frameset>", False),
        (b" x<frameset>", True),
        (b"</head><frameset>", False), (b"</div><frameset>", True), (b"<a><b>1</b></a>", False),
        (b"<p><frameset>", True),
        (b"<frameset></frameset>", False), (b"<title>x</title><frameset>", False), (b"<<frameset>", True),
        (b"<a></a><a><textarea>", True), (b"<svg/><a>", True), (b"<x><p></x></p>", False),
    ],
)  # fmt: skip
def test_what_is_unusual(html: bytes, is_unusual: bool) -> None:
    assert cut(html)[1] is is_unusual


LONG: dict[str, Callable[[int], Any]] = {
    "brackets": lambda n: cut(b"<" * n),
    "comments": lambda n: cut(b"<!--" * n),
    "scripts": lambda n: cut(b"<script><!--" + b"<script>" * n),
    "ends of scripts": lambda n: cut(b"<script>" + b"</scripts>" * n),
    "foreign": lambda n: cut(b"<svg>" + b"<g>" * 500 + b"</x>" * n),
    "long names": lambda n: cut(b"<" + b"a" * n + b"></" + b"a" * n + b">"),
    "quotes": lambda n: cut(b"<a b='" * n),
    "spaces": lambda n: cut(b"<a" + b" " * n),
    "cdata": lambda n: cut(b"<svg>" + b"<![CDATA[" * n),
    "srcset": lambda n: [*parse_srcset("a (" + "," * n), *parse_srcset("a ((" * n), *parse_srcset("," * n)],
    "descriptors": lambda n: [
        *parse_srcset("a" + " 1x" * n),
        *parse_srcset("a 1x," * n),
        *parse_srcset("a 1" + "0" * n),
    ],
    "refresh": lambda n: [parse_refresh("1" * n + "x"), parse_refresh("1" + " " * n + "x"), parse_refresh("1." * n)],
    "charset": lambda n: charset_of_content("charset " * n),
    "prescan": lambda n: [sniff(b"<" * n, None), sniff(b"<!--" * n, None), sniff(b"<a b='" * n, None)],
}


@pytest.mark.timed
@pytest.mark.parametrize("name", LONG)
def test_time_is_linear(name: str) -> None:
    """Quadratic time for this many would be a minute and more."""
    start = time.process_time()
    LONG[name](200_000)
    assert time.process_time() - start < 5


@pytest.mark.parametrize("made", [b"latin-1", 1, ["utf-8"]])
def test_a_fallback_function_that_returns_no_name(made: Any) -> None:
    with pytest.raises(TypeError, match="the function fallback_charset must return a str or None, not "):
        sniff(b"<a href=x>", None, lambda html: made)
