"""is_valid for each production that the standard exports, by examples and held against valid URL strings as a whole.

https://url.spec.whatwg.org/#url-writing and https://url.spec.whatwg.org/#host-writing
"""

from __future__ import annotations

import ipaddress
import itertools
import re
from collections.abc import Callable
from pathlib import Path
from typing import get_args

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from support import hostile
from test_grammar import PRODUCTIONS

from weburl import URL, InvalidURL, is_valid, validate
from weburl._diagnosis import grammar
from weburl._diagnosis.grammar import ALONE, RELATIVE, Kind
from weburl.hosts import is_valid_domain, is_valid_host

KINDS: tuple[Kind, ...] = get_args(Kind)
ROOT = Path(__file__).resolve().parent.parent
ANCHORS = set((ROOT / "tests/data/anchors.txt").read_text("utf-8").split())

EXAMPLES: dict[Kind, tuple[list[str], list[str]]] = {
    "absolute-url-with-fragment": (["http://h", "x:#f", "x:a?b#c/?"], ["", "#", "/a", "http://h#f#", "http:h", "//h"]),
    "absolute-url": (["http://h", "x:", "x:a?b", "file:///C:/"], ["http://h#", "x:#f", "a", "http://u@h", "http:/h"]),
    "scheme-relative-special-url": (["//h", "//h:80/a"], ["//", "///", "//a_b", "/", "h", "//h?q", "//h#f", "//u@h"]),
    "scheme-relative-file-url": (["//", "///C:/", "//h/a"], ["//h:80", "//a_b/", "/a", "//h?", "//h#"]),
    "valid-host": (["example.com", "é.com", "1.2.3.4", "[::1]"], ["", "a_b", "1.2.3", "::1", "h:80", "example.com."]),
    "valid-domain": (["example.com", "é.com", "localhost"], ["", "1.2.3.4", "[::1]", "a_b", "a.1", "a.", "-a"]),
    "valid-ipv4-address": (["1.2.3.4", "255.255.255.255"], ["", "1.2.3", "1.2.3.04", "0x1.2.3.4", "1.2.3.٤"]),
    "valid-ipv6-address": (["::", "::1", "1:2:3:4:5:6:7:8", "::1.2.3.4"], ["", "[::1]", ":", "::01", "1.2.3.4"]),
}
BASES = {"special": "http://u@b:8/d?q#f", "file": "file:///C:/d", "other": "x://b/d", "opaque": "mailto:d"}
RELATIVES: dict[Kind, dict[str, tuple[list[str], list[str]]]] = {
    "relative-url": {
        "special": (["", "/a", "a?b", "//h:80/", "?q"], ["#f", "a#", "//", "//a_b", "http://h", "x:", "a b"]),
        "file": (["", "//", "//h/a", "///C:/"], ["//h:80", "#", "c|/"]),
        "other": (["//", "//a_b:80/", "/a"], ["x:a", "//u@h", "a#b"]),
        # By the letter of the standard, whose relative-URL string does not look at the path.
        "opaque": (["", "a", "//a_b"], ["#f", "mailto:a"]),
    },
    "relative-url-with-fragment": {
        "special": (["", "#", "#f", "a?b#c", "//h#"], ["##", "http://h", "//#f", "a b#"]),
        "file": (["//#f", "///"], ["//h:80#"]),
        "other": (["//a_b#f", "#"], ["x:#f"]),
        "opaque": (["#", "#f", "#?/"], ["", "a", "?q", "a#f", "##", "# "]),
    },
}


def test_each_kind_is_a_production_of_the_standard() -> None:
    assert set(KINDS) == {"valid-url", *ALONE, *RELATIVE}
    assert len(KINDS) == len(set(KINDS)) == 23
    assert {f"#{kind}-string" for kind in KINDS} <= {f"#{anchor.removeprefix('#')}" for anchor in ANCHORS}
    for kind, function in (*ALONE.items(), *RELATIVE.items()):
        name = kind.replace("-", "_")
        assert function.__name__ in (f"is_{name}_string", f"is_{name}"), kind
        assert function is getattr(grammar, function.__name__)


def test_the_page_has_the_table() -> None:
    page = (ROOT / "docs/validity.md").read_text("utf-8")
    rows = re.findall(r"^\| \[`([\w-]+)`\]\(https://url\.spec\.whatwg\.org/#([\w-]+)\) \|", page, re.MULTILINE)
    assert [anchor for _, anchor in rows] == [f"{kind}-string" for kind, _ in rows]
    assert sorted(kind for kind, _ in rows) == sorted(KINDS)


@pytest.mark.parametrize("kind", ALONE)
def test_examples(kind: Kind) -> None:
    valid, invalid = [], []
    for function, matching, others in PRODUCTIONS:
        if function is ALONE[kind]:
            valid, invalid = matching, others
    more = EXAMPLES.get(kind, ([], []))
    assert [*valid, *more[0]]
    assert [*invalid, *more[1]]
    for text in (*valid, *more[0]):
        assert is_valid(text, kind=kind), text
    for text in (*invalid, *more[1]):
        assert not is_valid(text, kind=kind), text


@pytest.mark.parametrize("base", BASES)
@pytest.mark.parametrize("kind", RELATIVE)
def test_relative_examples(kind: Kind, base: str) -> None:
    valid, invalid = RELATIVES[kind][base]
    for given_base in (BASES[base], URL(BASES[base])):
        assert [text for text in valid if not is_valid(text, given_base, kind=kind)] == []
        assert [text for text in invalid if is_valid(text, given_base, kind=kind)] == []


ALPHABET = [
    "a", "B", "%41", "%", "/", "//", "?", "#", ":", "@", "[", "]", "::", "[::1]", "1", "80", "65536", ".", "..", "-",
    "+", "é", "\u0378", "\ud800", "\udc00", " ", "\\", "|", "_", "~", "x:", "http:", "file:", "//h", "1.2.3.4", "256",
    "xn--a", "C:", "ffff", "0", "&'()*;=$!,",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(ALPHABET), max_size=6).map("".join) | st.text(max_size=6)


def without(text: str, characters: str) -> bool:
    return set(characters).isdisjoint(text)


def is_one_host(text: str) -> bool:
    """Whether nothing after the host, such as a port, can be in the text of an authority."""
    return without(text, "/?#") and (":" not in text or (text[0] == "[" and text.find("]") == len(text) - 1))


# What a text of each kind is in a whole URL, without a base: the grammar of valid URL strings has to say the same.
WHOLE: dict[Kind, Callable[[str], bool]] = {
    "absolute-url-with-fragment": is_valid,
    "absolute-url": lambda text: without(text, "#") and is_valid(text),
    "url-scheme": lambda text: without(text, ":/?#") and is_valid(f"{text}://h/"),
    "scheme-relative-special-url": lambda text: text[:2] == "//" and without(text, "?#") and is_valid(f"http:{text}"),
    "url-port": lambda text: without(text, "/?#") and is_valid(f"http://h:{text}/"),
    "scheme-relative-url": lambda text: text[:2] == "//" and without(text, "?#") and is_valid(f"x:{text}"),
    "opaque-host-and-port": lambda text: without(text, "/?#") and is_valid(f"x://{text}/"),
    "scheme-relative-file-url": lambda text: text[:2] == "//" and without(text, "?#") and is_valid(f"file:{text}"),
    "path-absolute-url": lambda text: text[:1] == "/" and without(text, "?#") and is_valid(f"x://h{text}"),
    "path-relative-url": lambda text: text[:1] != "/" and without(text, "?#") and is_valid(f"x://h/{text}"),
    "path-relative-scheme-less-url": lambda text: (
        text[:1] != "/" and without(text, "?#") and not is_valid(text) and is_valid(text, "x://h/")
    ),
    "opaque-path-url": lambda text: text[:1] != "/" and without(text, "?#") and is_valid(f"x:{text}"),
    "url-path-segment": lambda text: without(text, "/?#") and is_valid(f"x:/.//{text}"),
    "url-query": lambda text: without(text, "#") and is_valid(f"x:?{text}"),
    "url-fragment": lambda text: is_valid(f"x:#{text}"),
    "valid-host": lambda text: is_one_host(text) and is_valid(f"http://{text}/"),
    "valid-domain": lambda text: (
        without(text, "[:/?#") and is_valid(f"http://{text}") and URL(f"http://{text}").host_type == "domain"
    ),
    "valid-ipv4-address": lambda text: (
        without(text, ":/?#") and is_valid(f"http://{text}") and URL(f"http://{text}").host_type == "ipv4"
    ),
    "valid-ipv6-address": lambda text: without(text, "]/?#") and is_valid(f"http://[{text}]/"),
    "valid-opaque-host": lambda text: text != "" and is_one_host(text) and is_valid(f"x://{text}/"),
}


def check(text: str) -> None:
    for kind, whole in WHOLE.items():
        assert is_valid(text, kind=kind) is whole(text), kind
    assert is_valid_host(text) is is_valid(text, kind="valid-host")
    assert is_valid_host(text, opaque=True) is is_valid(text, kind="valid-opaque-host")
    assert is_valid_domain(text) is is_valid(text, kind="valid-domain")
    assert is_valid(text, kind="valid-url") is is_valid(text)
    for base in BASES.values():
        relative = is_valid(text, base, kind="relative-url-with-fragment")
        assert relative is (is_valid(text, base) and not is_valid(text))
        if not URL(base).has_opaque_path:
            assert is_valid(text, base, kind="relative-url") is (relative and "#" not in text)


@settings(max_examples=1500)
@given(TEXTS)
@example("")
@example("\ud83d\ude00")
@example("x:a#b")
@example("[::1]:80")
def test_agrees_with_the_whole(text: str) -> None:
    check(text)


def test_agrees_with_the_whole_over_parts_of_urls() -> None:
    assert set(WHOLE) == set(ALONE)
    for case in itertools.islice(hostile.inputs(16), 500):
        for text in {case.url, *re.split(r"(?<=[:/?#])|(?=[/?#])", case.url)}:
            check(text)


@given(TEXTS, TEXTS)
def test_concatenation(before: str, after: str) -> None:
    """A production with a fragment is the one without it, optionally followed by # and a fragment."""
    absolute, fragment = is_valid(before, kind="absolute-url"), is_valid(after, kind="url-fragment")
    if absolute and fragment:
        assert is_valid(f"{before}#{after}", kind="absolute-url-with-fragment")
    assert "#" in before or is_valid(f"{before}#{after}") is (absolute and fragment)


@given(st.ip_addresses())
def test_addresses(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> None:
    assert is_valid(str(address), kind=f"valid-ipv{address.version}-address")  # type: ignore[arg-type]
    assert not is_valid(str(address), kind=f"valid-ipv{10 - address.version}-address")  # type: ignore[arg-type]
    assert is_valid_host(str(address)) is (address.version == 4)


@pytest.mark.parametrize("kind", KINDS)
def test_surrogates(kind: Kind) -> None:
    """A pair is the character that it encodes; alone, none is valid anywhere, though U+FFFD is a URL code point."""
    base = "x://h/" if kind in RELATIVE else None
    before = {"valid-url": "x:", "absolute-url": "x:", "absolute-url-with-fragment": "x:"}.get(kind, "")
    before = {"s": "//", "p": "/" if kind == "path-absolute-url" else ""}.get(kind[0], before)
    for text in ("\ud800", "\udc00", "\udc00\ud800"):
        assert not is_valid(before + text, base, kind=kind)
    pair = is_valid(f"{before}\ud83d\ude00", base, kind=kind)
    assert pair is is_valid(f"{before}😀", base, kind=kind)
    excluded = ("url-scheme", "url-port", "valid-ipv4-address", "valid-ipv6-address")
    assert pair is (kind not in excluded)
    if kind.startswith(("url-f", "url-q", "valid-o", "opaque", "path")):
        assert is_valid(f"{before}\ufffd", kind=kind)


@pytest.mark.parametrize(
    "kind", ["", "Absolute-URL", "absolute_url", "path-absolute-non-authority-url", None, 1, [], "url"]
)
def test_not_a_kind(kind: object) -> None:
    with pytest.raises(ValueError, match=r"^kind must be one of absolute-url, .*, not "):
        is_valid("a", kind=kind)  # type: ignore[arg-type]


def test_bases() -> None:
    for kind in RELATIVE:
        with pytest.raises(ValueError, match=f"^kind '{kind}' needs a base: "):
            is_valid("a", kind=kind)
        with pytest.raises(InvalidURL, match=r"^base: "):
            is_valid("a", "no URL", kind=kind)
    for kind in ALONE:
        for base in ("http://h/", URL("x:"), "no URL"):
            with pytest.raises(ValueError, match=f"^kind '{kind}' has no base"):
                is_valid("a", base, kind=kind)
        with pytest.raises(TypeError, match="base must be a str, a URL or None"):
            is_valid("a", 1, kind=kind)  # type: ignore[arg-type]
    for function in (is_valid, validate):
        with pytest.raises(InvalidURL) as raised:
            function("http://h/", "no URL")
        assert (raised.value.error, raised.value.base, raised.value.input) == ("base", "no URL", "http://h/")


def test_long_texts() -> None:
    for kind in KINDS:
        for text in ("a" * 2**20, "/" * 2**20, "1." * 2**19, ":" * 2**20, "[" * 2**20, "%41" * 2**18, "a:" * 2**19):
            assert is_valid(text, "x://h/" if kind in RELATIVE else None, kind=kind) in (True, False)


def test_types() -> None:
    for value in (None, 1, b"a", ["a"]):
        with pytest.raises(TypeError, match=r"^text must be a str or a URL, not "):
            is_valid(value, kind="url-query")  # type: ignore[arg-type]
        for opaque in (False, True):
            with pytest.raises(TypeError, match=r"^text must be a str, the text of a host, not "):
                is_valid_host(value, opaque=opaque)  # type: ignore[arg-type]
    # A URL stands for its href.
    assert is_valid(URL("HTTP://h"), kind="absolute-url")
