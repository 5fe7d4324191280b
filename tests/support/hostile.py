"""URLs to be afraid of: a generator of inputs for the parser and the setters, the same for the same seed."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from weburl._core.parser import LONGEST

# How often the corpus has inputs of each failure, beside the cases themselves.
OF_EACH_FAILURE = 20
OWN = Path(__file__).parent.with_name("data")


class Input(NamedTuple):
    """A string to parse, and assignments to make to the URL, in this order."""

    url: str
    base: str | None = None
    encoding: str = "utf-8"
    assignments: tuple[tuple[str, str], ...] = ()


# In a build with offsets of 16 bits some inputs are as long as an offset can say.
SMALL_OFFSETS = LONGEST < 2**20
RUNS = ("a", "é", " ", "../", "a/", "a/../", "@", ":", "%2e/", "'", "0", "&", "a.", "%", "\t", "😀")

NAMES = ("href", "protocol", "username", "password", "host", "hostname", "port", "pathname", "search", "hash")

# fmt: off
SCHEMES = [
    "http", "https", "ws", "wss", "ftp", "file", "http", "https", "file", "x", "data", "blob", "javascript", "mailto",
    "HTTP", "fIle", "hTtPs", "a+b-c.9", "1", "", "-a", "é", "ftps", "filesystem", "about", "h", "httpx", "fil", "ſile",
]
SLASHES = ["//", "//", "//", "//", "/", "", "///", "\\\\", "\\/", "/\\", "////", "/.//", "/..//", "/\t/", "/\n\\"]
ENCODINGS = [
    "latin1", "windows-1252", "shift_jis", "iso-2022-jp", "iso-2022-jp", "gb18030", "gbk", "euc-jp", "euc-kr", "big5",
    "utf-16le", "utf-16be", "koi8-u", "koi8-r", "windows-1255", "windows-1251", "macintosh", "x-mac-cyrillic", "ibm866",
    "x-user-defined", "replacement", "iso-8859-8-i", "windows-874", " UTF8\n", "iso-8859-2",
]
DELIMITERS = list(":/?#[]@!$&'()*+,;=%\\|^`{}<>\" .-_~\t\n\r\0\x01\x1f\x7f")
SEQUENCES = [
    "//", "/.", "/..", "\\\\", "..", "%2e", "%2E%2e", ".%2E", "://", "C|", "c:", "/C|/", "%", "%zz", "%00", "%ff", "%2",
    "%2f", "%5C", "%3a", "%40", "%23", "%25", "%E2%80%8B", "%C3%A9", "%c3", "%ED%A0%80", "%EF%BC%85", "%u00e9", "%%",
    "%20", "%7F", "%09", "\r\n", "\t\t", ":80", ":443", ":65536", "@", ":@", "@:", "?#", "#?", "[::1]", "xn--", "0x",
    "/../..", "/./", "\t/", " #", " ?", "  ", "%0", "/%2e%2e/", "..;", "localhost", "&amp;", "=&=", "+",
]
# By the widths in which a str is stored; what UTS 46 maps, ignores and refuses; what encodings treat specially.
ODD: list[str] = [
    *"éßÄ¥¿\x80\x85\x9f\xa0\xad\xb7\xff",
    *"ıſžΩςΣａＡ０１．。｡／＠：＃％＜①⑩㋿ℌ℀⅓ﬁ−‾\u034f\u0300\u0338\u0307\u0345\u200b\u200c\u200d\u200e",
    *"\u202e\u2028\u2060\u2066\u20ac\u3000\ufeff\ufdd0\ufe0f\ufffd\uffff\ufffe\ue000\ue5e5",
    *"אבשع١۱ܐދカｶﾞ゛・ー漢字丨々〇丂한각가กऀ\u0915\u094d\u0937",
    *"\U0001f600\U0001f1e6\U0001d400\U0001d7d8\U00010000\U000e0001\U000e0100\U0010ffff\U0001fffe\U00020000\U0002f800",
    "\ud800", "\udbff", "\udc00", "\udfff", "\ud83d\ude00", "\ude00\ud83d",
]
HOSTS = [
    "h", "h", "example.com", "EXAMPLE.com", "localhost", "LOCALHOST", "lOcalhost", "C|", "c:", "d|", "1.2", "0x7f.1",
    "4294967296", "4294967295", "1.2.3.4.", "1.2.3.4..", "0x", "0X.0x", "08", "0xg", "1e2", "1.2.3.08", "[::1]", "[::]",
    "[1:0:0:2::]", "[::1.2.3.4]", "[", "]", "[]", "a.é", "xn--a", "xn--9ca", "XN--9CA", "xn--", "xn--a.1", "", ".",
    "..", "a..b", ".a", "%41", "a b", "a%2fb", "*", "h.", "a_b", "-a", "a-", "ab--c", "\u00ad", "%00", "a<b", "faß.de",
    "bücher.de", "☃.net", "☃", "xn--n3h.xn--n3h", "a.xn--zca", "日本。jp", "אב.com", "1א", "٠١.א", "a\u200db",
    "\u0915\u094d\u200d\u0937",
    "1.2.3.4.5", "999", "256.256.256.256", "0.0.0.0x100", "1.٢", "１２７．0.0.1", "１.2.3.4", "①。②。③。④",
    "h%EF%BC%8E1", "%30%78%41", "0..1",
]
BASES = [
    "http://u:p@h:8080/a/b/c?q#f", "https://h", "https://h/?", "file:///C:/a/b", "file:///C:", "file://h/a/b", "file:///",
    "file:///a/b?q", "x:a b", "x:a?q#f", "x:", "x:/a/b", "x:/.//p", "x:/", "x://h", "x://u@h:1/a/b?q", "x:///p", "x://",
    "ws://h/", "ftp://h/a/", "mailto:a", "about:blank", "data:,a", "javascript:1", "blob:https://h/x", "http://[::1]/",
    "file://h", "file:///C|/x/..", "http://h/a/%2e%2e/b/", "https://é.de/ü?ü#ü", "x:a  ?b", "wss://1.2.3.4:9/",
]
PORTS = [
    "", "", "", ":", ":80", ":443", ":21", ":0", ":65535", ":65536", ":00021", ":000000000000000080", ":99999999999",
    ":4294967376", ":x", ":8x", ":8 ", ": 8", ":8\t0", ":-1", ":٣", ":８", ":80:80", ":%38",
]
CREDENTIALS = ["", "", "", "", "u@", "u:p@", ":@", ":p@", "@", "u@v@", "u:@", "u:p:q@", "%40@", "é:ü@", "u:p@@", "a/b@"]
SEGMENTS = [
    "/", "/a", "/..", "/.", "/%2e", "/%2E.", "//", "\\", "/C|", "/c:", "/c:x", "/C|\\", "/ ", " ", "/...", "/..a", "a",
    "/a:b", "/é", "/%", "/{}", "/^", "/|", "/.%2e/", "\\..\\", "/%c3%28", "/\0", "/.\t.", "C:", "C|/", "./", "../",
]
# fmt: on


class Hostile:
    """One stream of inputs."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)
        self.choice = self.random.choice
        self.chance = self.random.random

    def input(self) -> Input:
        url = self.text()
        base = self.base()
        encoding = "utf-8" if self.chance() < 0.5 else self.choice(ENCODINGS)
        count = self.choice((0, 1, 1, 2, 3, 5))
        return Input(url, base, encoding, tuple(self.assignment() for _ in range(count)))

    def text(self) -> str:
        text = self.short_text()
        if SMALL_OFFSETS and self.chance() < 0.001:
            return self.lengthened(text)
        return text

    def lengthened(self, text: str) -> str:
        """A text about as long as a serialization may be, before or after percent-encoding."""
        run, at = self.choice(RUNS), self.place(text)
        size = self.choice((LONGEST // 2, LONGEST)) // self.choice((1, 1, len(run.encode()) * 3, 3))
        return text[:at] + run * (max(0, size - len(text)) // len(run) + self.choice((-1, 0, 0, 1, 9))) + text[at:]

    def short_text(self) -> str:
        kind = self.chance()
        if kind < 0.35:
            text = self.shaped()
        elif kind < 0.65:
            text = self.choice(corpus().urls)
        elif kind < 0.85:
            text = self.relative()
        else:
            text = self.chaos(12)
        changes = self.choice((0, 0, 1, 1, 2, 4))
        for _ in range(changes):
            text = self.choice(MUTATIONS)(self, text)
        return text

    def base(self) -> str | None:
        kind = self.chance()
        if kind < 0.25:
            return None
        if kind < 0.65:
            return self.choice(BASES)
        if kind < 0.85:
            return self.choice(corpus().bases)
        return self.shaped() if kind < 0.97 else self.text()

    def assignment(self) -> tuple[str, str]:
        kind = self.chance()
        if kind < 0.35:
            name, value = self.choice(corpus().assignments)
            for _ in range(self.choice((0, 1, 1, 2))):
                value = self.choice(MUTATIONS)(self, value)
            return name, value
        name = self.choice(NAMES)
        if kind < 0.5:
            return name, self.chaos(5)
        makers: dict[str, Callable[[], str]] = {
            "href": self.text, "protocol": self.scheme, "host": lambda: self.host() + self.choice(PORTS),
            "hostname": self.host, "port": lambda: self.choice(PORTS)[1:], "pathname": self.path,
            "search": self.query, "hash": self.fragment,
        }  # fmt: skip
        made = makers.get(name, self.any_characters)()
        return name, made if self.chance() < 0.7 else self.choice(MUTATIONS)(self, made)

    def scheme(self) -> str:
        return self.choice(SCHEMES) + self.choice(("", ":", ":", "://x"))

    def shaped(self) -> str:
        scheme, slashes = self.choice(SCHEMES), self.choice(SLASHES)
        credentials = self.choice(CREDENTIALS) if self.chance() < 0.9 else self.any_characters() + "@"
        host = self.host()
        return f"{scheme}:{slashes}{credentials}{host}{self.choice(PORTS)}{self.path()}{self.tail()}"

    def relative(self) -> str:
        kind = self.chance()
        if kind < 0.2:
            return self.choice(SLASHES) + self.host() + self.choice(PORTS) + self.path() + self.tail()
        if kind < 0.4:
            return self.choice(("http:", "https:", "file:", "x:", "ws:", "HTTP:", "file:/")) + self.path() + self.tail()
        if kind < 0.6:
            return self.tail()
        return self.path() + self.tail()

    def host(self) -> str:
        kind = self.chance()
        if kind < 0.4:
            return self.choice(HOSTS)
        if kind < 0.55:
            return self.ipv4()
        if kind < 0.7:
            return f"[{self.ipv6()}" + self.choice(("]", "]", "]", "]", "", "]]", "]x", "%25eth0]"))
        return self.choice((".", ".", ".", "。", "．", "%2E")).join(
            self.label() for _ in range(self.choice((1, 1, 2, 3)))
        ) + self.choice(("", "", "", "."))

    def label(self) -> str:
        kind = self.chance()
        letters = [self.choice("abcxyzABC019-") for _ in range(self.choice((1, 2, 3, 8, 62, 63)))]
        if kind < 0.3:
            return "".join(letters)
        for _ in range(self.choice((1, 1, 2, 3))):
            letters.insert(self.random.randrange(len(letters) + 1), self.odd())
        label = "".join(letters)
        if kind < 0.65:
            return label
        if kind < 0.8:
            return self.percent_encoded(label)
        # Mostly not what ToASCII would have made of it: mapped and normalized it is not.
        encoded = label.encode("utf-8", "replace").decode().encode("punycode").decode()
        return self.choice(("xn--", "xn--", "XN--", "xN--", "xn-")) + encoded

    def number(self) -> str:
        value = self.choice(
            (0, 1, 7, 8, 127, 255, 256, 65535, 65536, 2**24 - 1, 2**24, 2**32 - 1, 2**32, 2**64, 10**30)
        )
        return self.choice(("{:d}", "{:d}", "{:d}", "0x{:x}", "0X{:X}", "0{:o}", "00{:d}", "0x", "", "{:d}a")).format(
            value
        )

    def ipv4(self) -> str:
        small = self.chance() < 0.5
        count = self.choice((1, 2, 3, 4, 4, 4, 5))
        parts = [str(self.random.randrange(300)) if small else self.number() for _ in range(count)]
        return ".".join(parts) + self.choice(("", "", "", ".", "..", "%2e", "。"))

    def ipv6(self) -> str:
        pieces = [
            self.choice(("0", "0", "1", "ffff", "FfFf", "00001", "0a", "abcd", "12345", "", "g", "é"))
            if self.chance() < 0.15
            else f"{self.choice((0, 0, 0, 1, 0xAB, 0xFFFF)):x}"
            for _ in range(self.choice((1, 3, 6, 7, 8, 8, 8, 9)))
        ]
        if self.chance() < 0.4:
            start = self.random.randrange(len(pieces) + 1)
            rest = pieces[start + self.random.randrange(4) :]
            text = ":".join(pieces[:start]) + "::" + ":".join(rest)
        else:
            text = ":".join(pieces)
        if self.chance() < 0.25:
            head = self.choice(
                ("::", "::", "::ffff:", "::FFFF:", "1:2:3:4:5:6:", "1::6:", "1:2:3:4:5:6:7:", f"{text}:")
            )
            parts = [
                self.choice(("0", "1", "9", "10", "127", "255", "1", "8")) for _ in range(self.choice((3, 4, 4, 5)))
            ]
            if self.chance() < 0.3:
                parts[self.random.randrange(len(parts))] = self.choice(
                    ("256", "01", "", "x", "1000", "00", "0x1", "9é")
                )
            return head + ".".join(parts)
        return text

    def path(self) -> str:
        count = self.choice((0, 1, 1, 2, 3, 5))
        path = "".join(self.choice(SEGMENTS) for _ in range(count))
        return path if self.chance() < 0.7 else f"{path}/{self.any_characters()}"

    def query(self) -> str:
        return "?" + self.any_characters()

    def fragment(self) -> str:
        return "#" + self.any_characters()

    def tail(self) -> str:
        kind = self.chance()
        if kind < 0.35:
            return ""
        if kind < 0.5:
            return self.choice(("?", "#", "?#", " ", " ?q", " #f", "  ", "?'", "#`", "?\t", "??", "##"))
        return (self.query() if kind < 0.85 else "") + (self.fragment() if kind > 0.7 else "")

    def any_characters(self) -> str:
        """Text with and without characters to encode, some of it in runs that end near the width of a vector."""
        run = self.choice(("", "", "a", "0", "abcdefg", "é", "漢")) * self.choice((1, 7, 8, 15, 16, 17, 31, 33, 64))
        return run + self.chaos(4) if self.chance() < 0.7 else self.chaos(4) + run

    def odd(self) -> str:
        kind = self.chance()
        if kind < 0.75:
            return self.choice(ODD)
        return chr(self.random.randrange((0x100, 0x3000, 0x10000, 0x110000)[int(kind * 16) - 12]))

    def piece(self) -> str:
        kind = self.chance()
        if kind < 0.3:
            return self.choice(DELIMITERS)
        if kind < 0.55:
            return self.choice(SEQUENCES)
        if kind < 0.75:
            return self.odd()
        if kind < 0.9:
            return self.choice(("a", "b", "0", "8", "Z", "http:", "file:", "h", "..", "é"))
        return self.choice((self.host, self.ipv6, self.scheme, lambda: self.choice(PORTS)))()

    def chaos(self, most: int) -> str:
        return "".join([self.piece() for _ in range(self.random.randrange(most + 1))])

    def percent_encoded(self, text: str) -> str:
        return "".join(
            [
                "".join([f"%{byte:02{self.choice('xX')}}" for byte in character.encode("utf-8", "surrogatepass")])
                if self.chance() < 0.6
                else character
                for character in text
            ]
        )

    def place(self, text: str) -> int:
        return self.random.randrange(len(text) + 1)

    def span(self, text: str) -> tuple[int, int]:
        start = self.place(text)
        return start, min(len(text), start + self.choice((1, 1, 2, 3, 9)))

    def insert(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + self.piece() + text[at:]

    def insert_stripped(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + self.choice("\t\n\r") + text[at:]

    def insert_odd(self, text: str) -> str:
        at = self.place(text)
        return text[:at] + self.odd() + text[at:]

    def wrap(self, text: str) -> str:
        return self.choice(("", " ", "\0", "\x1f\t", "\n")) + text + self.choice(("", " ", "\0", "\x1f", "\n "))

    def delete(self, text: str) -> str:
        start, end = self.span(text)
        return text[:start] + text[end:]

    def replace(self, text: str) -> str:
        start, end = self.span(text)
        return text[:start] + self.piece() + text[end:]

    def duplicate(self, text: str) -> str:
        start, end = self.span(text)
        return text[:end] + text[start:end] * self.choice((1, 1, 2, 15, 70)) + text[end:]

    def splice(self, text: str) -> str:
        other = self.choice(corpus().urls)
        return text[: self.place(text)] + other[self.place(other) :]

    def percent_encode(self, text: str) -> str:
        start, end = self.span(text)
        return text[:start] + self.percent_encoded(text[start:end]) + text[end:]

    def change_case(self, text: str) -> str:
        start, end = self.span(text)
        return text[:start] + text[start:end].swapcase() + text[end:]

    def widen(self, text: str) -> str:
        """ASCII in fullwidth forms, which are mapped in hosts but not in paths."""
        start, end = self.span(text)
        wide = "".join([chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text[start:end]])
        return text[:start] + wide + text[end:]

    def turn_slashes(self, text: str) -> str:
        start, end = self.place(text), self.place(text)
        return text[:start] + text[start:end].replace("/", "\\") + text[max(start, end) :]


MUTATIONS: tuple[Callable[[Hostile, str], str], ...] = (
    Hostile.insert, Hostile.insert, Hostile.insert_odd, Hostile.insert_stripped, Hostile.wrap, Hostile.delete,
    Hostile.replace, Hostile.replace, Hostile.duplicate, Hostile.splice, Hostile.percent_encode, Hostile.change_case,
    Hostile.widen, Hostile.turn_slashes,
)  # fmt: skip


class Corpus(NamedTuple):
    urls: list[str]
    bases: list[str]
    assignments: list[tuple[str, str]]


@cache
def corpus() -> Corpus:
    """The inputs of our own cases, and of the Web Platform Tests if their data is found."""
    from support.wpt_cases import DATA, read_cases  # needs pytest, which fuzz_targets.py does without

    cases = read_cases(OWN / "urls.json")
    # So that each failure occurs, however few cases it has. A case with a base may fail otherwise without it.
    failing: dict[str, list[str]] = {}
    for case in cases:
        if case.get("failure") and case.get("base") is None:
            failing.setdefault(case["error"], []).append(case["input"])
    setters = read_cases(OWN / "setters.json")
    domains: list[dict[str, Any]] = []
    if DATA is not None:
        cases += read_cases(DATA["urltestdata.json"])
        setters += read_cases(DATA["setters_tests.json"])
        domains += [case for case in json.loads(DATA["toascii.json"].read_bytes()) if isinstance(case, dict)]
    urls = [case["input"] for case in cases] + [case["href"] for case in setters]
    urls += [f"https://{case['input']}/x" for case in domains]
    urls += [own[index % len(own)] for own in failing.values() for index in range(OF_EACH_FAILURE)]
    bases = [case["base"] for case in cases if case.get("base") is not None] + [case["href"] for case in setters]
    assignments = [(case["attribute"], case["new_value"]) for case in setters]
    assignments += [("host", case["input"]) for case in domains]
    return Corpus(urls, bases, assignments)


def inputs(seed: int) -> Iterator[Input]:
    """Inputs without end, the same for the same seed and data."""
    hostile = Hostile(seed)
    while True:
        yield hostile.input()
