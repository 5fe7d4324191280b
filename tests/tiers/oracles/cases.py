"""Cases on which implementations may differ: those of hostile.py, of the standard's grammar, and of known trouble.

They are the same for the same seed and data.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator

from support.hostile import MUTATIONS, Hostile
from tiers.oracles.observe import Case, Step

# https://url.spec.whatwg.org/#url-code-points that are ASCII, less the delimiters of a path, a query and a fragment
URL_CODE_POINTS = string.ascii_letters + string.digits + "!$&'()*+,-.:;=@_~"
PLANES = range(0, 0x110000, 0x10000)
# Of each kind in which a str is stored, and of what UTF-8 and UTF-16 take more units for.
BLOCKS = (
    (0x20, 0x7F), (0x80, 0x100), (0x100, 0x250), (0x300, 0x370), (0x370, 0x590), (0x590, 0x900), (0x900, 0x1100),
    (0x1E00, 0x2070), (0x2100, 0x2500), (0x3000, 0x3400), (0xA640, 0xAC00), (0xD800, 0xE000), (0xF900, 0x10000),
    (0x10000, 0x10A00), (0x10A00, 0x11000), (0x11000, 0x12000), (0x16000, 0x17000), (0x1D400, 0x1D800),
    (0x1E000, 0x1F000), (0x1F000, 0x20000), (0xE0000, 0xE0200),
)  # fmt: skip
WIDTHS = ("a", "é", "Ω", "😀")
# Where joiners may be and where not, what a percent-encoded mark makes of <, Punycode that starts with a delimiter, and
# marks that are not in their order.
LABEL_PARTS = ("\u0915\u094d\u200d", "\u0915\u094d\u200c", "a", "\u200d", "<%cc%B8", "xn---9a", "\u014d\u031b")


def shapes(n: int) -> list[str]:
    """A text of some size that has hurt a parser."""
    hosts = [
        "1." * n, "0x" + "0" * n, "9" * n, "[" + ":" * n, "[" + "0" * n, "a." * n, "a" * n, "%61" * n, "é" * n,
        "é." * n, "\u0660" * n, "\u30fb" * n, "a" + "\u0301\u0323" * n, "\u0915\u094d\u200d" * n,
        f"xn--{'a' * n}-{'a' * n}", "xn--" + "kva" * n, "אב" * n, "0." * n + "1",
    ]  # fmt: skip
    paths = [
        "../" * n, "a/" * n + "../" * n, "a/../" * n, "/" * n, "%2e/" * n, "|" * n, "%" * n, "\x01" * n,
    ]  # fmt: skip
    return [
        *[f"{scheme}://{host}/" for host in hosts for scheme in ("http", "x")],
        *[f"http://h/{path}" for path in paths],
        *paths,
        "http://" + "@" * n + "h", "http://" + ":@" * n + "h", "http://" + "u:" * n + "@h",
        "http://h:" + "0" * n + "80", "http://h:" + "9" * n, "a\t" * n, "\0" * n + "http://h", "a" * n + "://h",
        "x:a" + " " * n + "#", "x:a" + " " * n + "?#" + " " * n, "x:/." + "/" * n, "file:" + "/" * n,
        "file:///C:" + "/.." * n, "blob:" * n + "http://h", "http://h?" + "a=b&" * n, "http://h?" + "&=" * n,
    ]  # fmt: skip


class Cases(Hostile):
    """One stream of cases."""

    def case(self) -> Case:
        url, base = self.text(), self.base()
        if self.chance() < 0.1:
            url += "#" + self.choice(WIDTHS)
        return url, base, [self.step() for _ in range(self.choice((0, 1, 1, 2, 3, 5)))]

    def text(self) -> str:
        kind = self.chance()
        if kind >= 0.35:
            return super().text()
        text = self.valid() if kind < 0.25 else self.choice(shapes(self.choice((2, 5, 17, 70))))
        for _ in range(self.choice((0, 0, 1, 2))):
            text = self.choice(MUTATIONS)(self, text)
        return text

    def odd(self) -> str:
        kind = self.chance()
        if kind < 0.5:
            return super().odd()
        if kind < 0.85:
            return chr(self.random.randrange(*self.choice(BLOCKS)))
        return chr(self.choice(PLANES) + self.random.randrange(0x10000))

    def valid(self) -> str:
        """A string of the grammar, or almost one: https://url.spec.whatwg.org/#url-writing"""
        kind = self.chance()
        path = "".join(["/" + self.units() for _ in range(self.choice((0, 1, 2, 3)))])
        end = self.choice(("", "", "?" + self.units())) + self.choice(("", "", "#" + self.units()))
        if kind < 0.15:
            return self.choice((path, path[1:], "", "//" + self.valid_host() + path, "./" + self.units())) + end
        scheme = self.choice(("http", "https", "ws", "wss", "ftp", "file", "x", "web+y.9", "blob", "data", "about"))
        if kind < 0.3:
            return f"{scheme}:{path or self.units()}{end}"
        port = self.choice(("", "", "", ":", ":80", ":443", f":{self.random.randrange(65540)}"))
        credentials = self.choice(("", "", "", f"{self.units()}@", f"{self.units()}:{self.units()}@"))
        return f"{scheme}://{credentials}{self.valid_host()}{port}{path}{end}"

    def units(self) -> str:
        """URL units: https://url.spec.whatwg.org/#url-units"""
        made = []
        for _ in range(self.random.randrange(6)):
            kind = self.chance()
            if kind < 0.7:
                made.append(self.choice(URL_CODE_POINTS))
            elif kind < 0.8:
                made.append(f"%{self.random.randrange(256):02X}")
            else:
                made.append(self.odd())
        return "".join(made)

    def valid_host(self) -> str:
        kind = self.chance()
        if kind < 0.1:
            return ".".join([str(self.random.randrange(256)) for _ in range(4)])
        if kind < 0.2:
            return f"[{self.ipv6()}]"
        letters = string.ascii_lowercase + string.digits + "-"
        labels = []
        for _ in range(self.choice((1, 2, 2, 3))):
            label = [self.choice(letters) for _ in range(self.choice((1, 2, 5, 9)))]
            if self.chance() < 0.04:
                label = [self.choice(LABEL_PARTS) for _ in range(self.choice((1, 3)))]
            elif self.chance() < 0.4:
                label = [self.odd() for _ in range(self.choice((1, 2, 4)))] + label[: self.choice((0, 0, 2))]
            labels.append("".join(label))
        return ".".join(labels)

    def step(self) -> Step:
        kind = self.chance()
        if kind < 0.75:
            name, value = self.assignment()
            if name == "search" and self.chance() < 0.95:
                # ada-url and Chromium lag there in what the search params are.
                value = re.sub("[\t\n\r]", "", value)
            return name, value
        name = self.choice(("append", "append", "delete", "delete", "set", "sort"))
        if name == "sort":
            return (name,)
        if name == "delete" and self.chance() < 0.6:
            return name, self.param()
        return name, self.param(), self.param()

    def param(self) -> str:
        """A name or a value, of so few that they occur again."""
        if self.chance() < 0.3:
            return self.chaos(3)
        return self.choice(("", "a", "a", "b", "q", "é", "\ud83d\ude00", "\uffff"))


def cases(seed: int) -> Iterator[Case]:
    """Cases without end."""
    made = Cases(seed)
    while True:
        yield made.case()
