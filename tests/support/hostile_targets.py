"""Targets of redirects and links as attackers write them; the same ones in every run and every version of Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random

# What the targets are checked for: a page on one host, and one host more.
PAGE = "page.example"
ALLOWED = "allowed.example"
BASES = ("http://page.example/", "http://page.example/dir/", "https://page.example/a/b?c#d")

CONTROLS_AND_SPACE = [chr(code) for code in (*range(0x21), 0x7F)]
# Blank, like a slash, a backslash, a colon or a dot, or ignored.
NOT_ASCII = (
    "\u0085\u00a0\u00ad\u2028\u2029\u200b\u2060\ufeff\u3000\uff0f\u2044\u2215\uff3c\u29f5\uff1a\u3002\uff0e\uff20"
)

SCHEMES = (
    "", "", "", "", "http:", "https:", "HTTP:", "hTTps:", "http", "https:http:", "javascript:", "data:", "vbscript:",
    "ftp:", "ws:", "file:", "mailto:", "blob:http:", "foo:", "1:", ":", "//http:", "view-source:", "\uff48ttp:",
)  # fmt: skip
SLASHES = (
    "", "/", "/", "//", "//", "///", "////", "\\", "\\\\", "/\\", "\\/", "/./", "/.//", "/../", "/..//", "./", ".//",
    "../", "..//", "/%2e//", "/%2E%2e//", "/a/..//", "/;/", "/?/", "/#/", "%2f%2f", "/%2f", "/%5c", "%5c%5c", "/%09/",
    "/%00/", "&#47;&#47;", "/&sol;", "&bsol;", "/\t/", "/\n\n/", "\t//", "\uff0f\uff0f", "/\uff3c", "?//", "#//", "?\\",
    "/ /", "/~/", "/.", "/..", "@//",
)  # fmt: skip
USERS = (
    "", "", "", "", "", "", "@", "a@", "a:b@", ":@", "page.example@", "allowed.example@", "allowed.example:80@", "a@b@",
    "allowed.example%40", "allowed.example\\@", "allowed.example/@", "allowed.example?@", "allowed.example#@",
    "allowed.example;@", "allowed.example%2f@", "allowed.example%00@",
)  # fmt: skip
HOSTS = (
    "", PAGE, PAGE, ALLOWED, ALLOWED, "evil.example", "evil.example", "evil", "EVIL.EXAMPLE", "ALLOWED.EXAMPLE",
    "allowed.example.", "allowed.example..", "allowed.example.evil.example", "evil.example.allowed.example",
    "notallowed.example", "allowed\u3002example", "evil\u3002example", "\uff41llowed.example", "%61llowed.example",
    "allowed%2eexample", "allowed.example%00.evil.example", "allowed.example%2fevil.example", "evil.example%23",
    "127.1", "0x7f.1", "2130706433", "[::1]", "[::ffff:7f00:1]", "[evil]", "a", "a.b", "xn--a", "%", "localhost",
)  # fmt: skip
ENDS = (
    "", "", "", "/", "/a", "/a/b", "?a", "#a", ":80", ":443", ":8080", ":80/", ":0", ":", ":x", ":65536",
    "//evil.example", "\\evil.example", "/@evil.example", "@evil.example", "\\@evil.example", "/..//evil.example",
    "/../..", "?a\\b", "#a\\b", ";evil.example", "&amp;", "/%2f%2fevil.example", ":evil.example", "/ ",
    "/\u00e9?\u20ac", ":80@evil.example",
)  # fmt: skip

MARKED = (
    "{}//evil.example/", "/{}/evil.example/", "//{}evil.example/", "//evil.example{}/", "{}/a", "/a{}b", "/a{}", "{}",
    "http{}://evil.example/", "https:{}evil.example", "{}\\\\evil.example", "//allowed.example{}.evil.example/",
)  # fmt: skip

SCRIPTS = (
    "javascript",
    "vbscript",
    "data",
    "livescript",
    "jAvAsCrIpT",
    "file",
    "http",
    "mailto",
    "https",
    "tel",
    "blob",
)
# What may be between, before or after the letters of a scheme, in a text or in an attribute that was not escaped.
GAPS = (
    "", "", "", "", "", "", "\t", "\n", "\r", "\x00", "\x01", "\x0b", "\x0c", " ", "&Tab;", "&NewLine;", "&#9;", "&#10",
    "&#x0A;", "&#x000d;", "&#0000009", "&#0;", "&#1;", "&#32;", "&#11;", "&nbsp;", "&shy;", "&#8203;", "&zwj;", "%09",
    "%0a", "\\t", "/**/", "\u200b", "\u00a0", "\ufeff",
)  # fmt: skip
COLONS = (
    ":", ":", ":", "&colon;", "&#58;", "&#x3a;", "&#0058", "&#x3A", "&amp;colon;", "&amp;#58;", "%3a", "\uff1a", "",
    "&colon", "&#x000000003a;",
)  # fmt: skip
AFTERS = ("alert(1)", "//alert(1)", "text/html,<b>", "//evil.example/", "a@b.example", "", "&lpar;1&rpar;", "?a=1&b=2")


def _distinct(first: Sequence[str], more: Callable[[], str], count: int) -> list[str]:
    """`first`, and as many more as are missing, without those that were there."""
    targets = dict.fromkeys(first)
    while len(targets) < count:
        targets[more()] = None
    return list(targets)[:count]


def redirect_targets(count: int = 10_000) -> list[str]:
    # Of `Random`, only random() gives the same in every version.
    random = Random(0).random

    def choice(values: Sequence[str]) -> str:
        return values[int(random() * len(values))]

    def target() -> str:
        text = choice(SCHEMES) + choice(SLASHES) + choice(USERS) + choice(HOSTS) + choice(ENDS)
        while random() < 0.3:
            place = int(random() * (len(text) + 1))
            text = text[:place] + choice(CONTROLS_AND_SPACE + list(NOT_ASCII) + list("/\\@:?#.")) + text[place:]
        return text

    marked = [form.format(c) for form in MARKED for c in (*CONTROLS_AND_SPACE, *NOT_ASCII, "/", "\\")]
    return _distinct(marked, target, count)


def link_targets(count: int = 4_000) -> list[str]:
    random = Random(1).random

    def choice(values: Sequence[str]) -> str:
        return values[int(random() * len(values))]

    def encoded(character: str) -> str:
        forms = (character,) * 12 + (f"&#{ord(character)};", f"&#x{ord(character):X};", f"&#00{ord(character)}")
        return choice(forms)

    def target() -> str:
        letters = [encoded(c) + (choice(GAPS) if random() < 0.1 else "") for c in choice(SCRIPTS)]
        return choice(GAPS) + "".join(letters) + choice(GAPS) + choice(COLONS) + choice(GAPS) + choice(AFTERS)

    marks = [*CONTROLS_AND_SPACE, *NOT_ASCII, *(gap for gap in GAPS if len(gap) > 1)]
    forms = ("{}javascript:alert(1)", "java{}script:alert(1)", "javascript{}:alert(1)", "javascript:{}alert(1)")
    return _distinct([form.format(mark) for form in forms for mark in marks], target, count)
