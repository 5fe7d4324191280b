"""is_safe_redirect and is_safe_link, beside what Chromium does and Django says on generated targets."""

from __future__ import annotations

import doctest
import hashlib
import json
import sys
from collections import Counter
from functools import cache
from html import unescape
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.hostile_targets import ALLOWED, BASES, CONTROLS_AND_SPACE, NOT_ASCII, PAGE, link_targets, redirect_targets
from support.pages import DOCS

from weburl import URL, InvalidURL
from weburl.hosts import HostSet, Origin, is_safe_link, is_safe_redirect

FACTS = json.loads((Path(__file__).parent / "data" / "hostile_targets.json").read_text("utf-8"))
ALLOW = HostSet([f"={PAGE}", f"={ALLOWED}"])


def test_the_examples_of_the_docstrings() -> None:
    for function in (is_safe_redirect, is_safe_link):
        (examples,) = doctest.DocTestFinder().find(function)
        assert doctest.DocTestRunner().run(examples) == (0, 3)


@cache
def redirects() -> list[tuple[str, str, str]]:
    """Targets, with what Chromium does and what Django says."""
    targets = redirect_targets()
    verdicts = ["".join(FACTS["redirects"][name]) for name in ("chromium", "django")]
    return list(zip(targets, *verdicts, strict=True))


@pytest.mark.parametrize(("name", "targets"), [("redirects", redirect_targets()), ("links", link_targets())])
def test_facts_are_about_these_targets(name: str, targets: list[str]) -> None:
    lines = "\n".join([json.dumps(target) for target in targets])
    assert hashlib.sha256(lines.encode()).hexdigest() == FACTS[name]["sha256"]
    assert len(set(targets)) == len(targets) == len("".join(FACTS[name]["chromium"]))


@pytest.mark.parametrize(
    "target",
    """
    / /a /a/b?c=d#e a a/b ./a ../a ?x #x . .. /a//b /a:b :80 1:b /@evil.example /?next=//evil.example /#//evil.example
    /a?b=\\c /%2F%2Fevil.example /%5Cevil.example /ä/€ %2f%2fevil.example javascript%3Aalert(1)
    javascript&colon;alert(1)
    \uff0f\uff0fevil.example \uff48ttps:evil.example &#47;&#47;evil.example
    """.split(),
)
def test_stays(target: str) -> None:
    assert is_safe_redirect(target)


LEAVES = """
//evil.example ///evil.example ////evil.example /\\evil.example \\/evil.example \\\\evil.example //\\evil.example
http://evil.example https://evil.example HTTPS://evil.example https:evil.example https:/evil.example http:evil.example
https:\\evil.example https:////evil.example //evil.example\\@allowed.example //evil.example#@allowed.example
//allowed.example@evil.example //allowed.example.evil.example //notallowed.example //allowed.example\uff0eevil.example
//evil\u3002example //\uff45vil.example //%65vil.example //127.1 //[::1] //evil javascript:alert(1) data:text/html,x
vbscript:x file:///etc/passwd mailto:a@b ftp://allowed.example ws://allowed.example blob:https://allowed.example/x
foo:/x view-source:http://allowed.example allowed.example: http: https: // \\\\ http:// //@ //:80 http://
http:?x http:#x
""".split()


@pytest.mark.parametrize("target", LEAVES)
@pytest.mark.parametrize("blank", ["", " ", "   "])
def test_leaves(target: str, blank: str) -> None:
    assert not is_safe_redirect(blank + target + blank)
    assert not is_safe_redirect(blank + target + blank, allow=["=allowed.example"])


@pytest.mark.parametrize("control", [c for c in CONTROLS_AND_SPACE if c != " "])
def test_a_control_character_is_refused_wherever_it_is(control: str) -> None:
    for target in ("/", "/a", "a?b#c", "https://allowed.example/", "?", "//allowed.example"):
        for place in range(len(target) + 1):
            assert not is_safe_redirect(target[:place] + control + target[place:], allow=[ALLOWED])


# What str.strip() removes, and what trim() of JavaScript removes.
WHITE_SPACE = [*(chr(code) for code in range(sys.maxunicode + 1) if chr(code).isspace()), "\ufeff"]


@pytest.mark.parametrize("space", WHITE_SPACE, ids=ascii)
def test_white_space_at_an_end_is_refused(space: str) -> None:
    """A program that removes it after the check makes another target of it: //evil.example."""
    for target in ("/", "/a", "//evil.example", "https://evil.example/", "a?b#c", "//allowed.example/"):
        for around in (space, space * 2, f" {space}", f"{space} ", f"\u200a{space}"):
            assert not is_safe_redirect(around + target, allow=[ALLOWED])
            assert not is_safe_redirect(target + around, allow=[ALLOWED])
            assert not is_safe_redirect(around, allow=[ALLOWED])
    # It is harmless within a path.
    assert is_safe_redirect(f"/a{space}b") is (space >= " ")
    for around in (space, f" {space}", f"{space} "):
        assert not is_safe_link(f"{around}javascript:alert(1)")
        assert not is_safe_link(f"{around}javascript&colon;alert(1)")
        assert is_safe_link(f"{around}https://example.com/{around}")
        if space > "\x9f":
            assert not is_safe_link(f"&#{ord(space)};{around}data:x")


@pytest.mark.parametrize(
    "target",
    [
        # A browser stays, and another program, or one that writes the path alone, does not.
        "/.//evil.example", "/..//evil.example", "/%2e//evil.example", ".//evil.example", "a/..//evil.example",
        "/a/../..//evil.example", "..//..//evil.example", "\\evil.example", "/a\\b", "/a/..\\/evil.example",
        "//allowed.example\\@evil.example", "https://allowed.example\\.evil.example", "//user@allowed.example",
        "https://user:password@allowed.example/", "", " ", "   ",
    ],
)  # fmt: skip
def test_what_others_read_in_other_ways_is_refused(target: str) -> None:
    assert not is_safe_redirect(target, allow=[ALLOWED])


def test_allowed_hosts() -> None:
    for target in ("https://allowed.example/a", "http://allowed.example", "//allowed.example", "//ALLOWED.example:80"):
        # A port that is the default of one scheme is another one from a page with the other scheme.
        expected = not target.endswith(":80")
        assert is_safe_redirect(target, allow=[ALLOWED]) is expected
        assert is_safe_redirect(target, allow=ALLOWED) is expected
        assert is_safe_redirect(target, allow=HostSet([ALLOWED])) is expected
        assert is_safe_redirect(target, allow=(host for host in [ALLOWED])) is expected
        assert not is_safe_redirect(target)
    assert is_safe_redirect("http://allowed.example:80/", allow=[ALLOWED])
    assert is_safe_redirect("https://www.allowed.example/", allow=[ALLOWED])
    assert not is_safe_redirect("https://www.allowed.example/", allow=[f"={ALLOWED}"])
    assert not is_safe_redirect("https://allowed.example:8443/", allow=[ALLOWED])
    assert is_safe_redirect("https://\uff41llowed\u3002example/", allow=[ALLOWED])
    assert is_safe_redirect(URL("https://allowed.example/"), allow=[ALLOWED])
    assert not is_safe_redirect(URL("https://evil.example/"), allow=[ALLOWED])
    assert is_safe_redirect("http://[::1]/", allow=["[::1]"])


@pytest.mark.parametrize(
    "text", [f"{ALLOWED},b.example", f"{ALLOWED} b.example", f"{ALLOWED};b.example", f"{ALLOWED}, b.example"]
)
def test_a_list_in_one_text_is_refused(text: str) -> None:
    for target in ("/", f"https://{ALLOWED}/"):
        with pytest.raises(
            ValueError, match=rf"^allow is one host, or a list of hosts: write allow=\['{ALLOWED}', 'b\.example'\]$"
        ):
            is_safe_redirect(target, allow=text)


def test_the_message_about_a_list_has_no_password() -> None:
    with pytest.raises(ValueError, match=r"write allow=\[\.\.\.\]$"):
        is_safe_redirect("/", allow="https://me:hunter2@a.example,b.example =c.example")


def test_allowed_origins() -> None:
    origin = Origin.of("https://allowed.example:8443")
    forms: tuple[Origin | list[str | Origin], ...] = (origin, [origin], [origin, "b.example"], ["b.example", origin])
    for allow in forms:
        assert is_safe_redirect("https://allowed.example:8443/a", allow=allow)
        assert not is_safe_redirect("http://allowed.example:8443/a", allow=allow)
        assert not is_safe_redirect("https://allowed.example/a", allow=allow)
        assert not is_safe_redirect("//allowed.example:8443/a", allow=allow)
    assert not is_safe_redirect("http://allowed.example/", allow=Origin.of("https://allowed.example"))
    assert not is_safe_redirect("data:,x", allow=[Origin(), Origin.of("data:,x")])
    assert not is_safe_redirect("//evil.example", allow=[Origin()])


@pytest.mark.parametrize(
    ("value", "message"),
    [
        (None, "NoneType: if there may be none, "),
        (b"/", "bytes: decode it first"),
        (5, "int: a URL is a text"),
        (["/"], "list: pass its items"),
    ],
)
def test_wrong_types(value: Any, message: str) -> None:
    with pytest.raises(TypeError, match=f"^target must be a str or a URL, not {message}"):
        is_safe_redirect(value)
    with pytest.raises(TypeError, match=f"^href must be a str or a URL, not {message}"):
        is_safe_link(value)


@pytest.mark.parametrize("entry", ["localhost:8000", "https://allowed.example", "https://localhost:8000/", "a b", ""])
def test_wrong_entries_are_noticed_whatever_the_target(entry: str) -> None:
    for target in ("/", "//evil.example", ""):
        with pytest.raises(InvalidURL, match=r"An entry is a host; .* write Origin\.of\(url\)\.$"):
            is_safe_redirect(target, allow=[entry])
    with pytest.raises(TypeError, match=r"^allow must be hosts and origins, not NoneType: write \[\] for none$"):
        is_safe_redirect("/", allow=None)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^an entry must be a str, not weburl\.URL: use value\.hostname$"):
        is_safe_redirect("/", allow=[URL("https://allowed.example/")])  # type: ignore[list-item]


def bases(count: int) -> list[str]:
    random = Random(3)
    paths = ("", "/", "/a", "/a/b/c", "//", "///x//", "/a?b#c", "/%2e/x", "/a/../b;c", "/?//evil.example", "/:80/@")
    hosts = (PAGE, "a.invalid", "b.invalid", "127.0.0.1", "[::1]", "xn--bcher-kva.example", "localhost", "x" * 63)
    return [
        f"{random.choice(('http', 'https'))}://{random.choice(hosts)}{random.choice(('', ':8080', ':80'))}"
        + "".join(random.choices(paths, k=random.randrange(1, 4)))
        for _ in range(count)
    ]


def test_what_is_safe_stays_on_every_page() -> None:
    pages = [URL(base) for base in bases(60)]
    assert {page.scheme for page in pages} == {"http", "https"}
    safe = [target for target in redirect_targets() if is_safe_redirect(target)]
    assert len(safe) > 1500
    for target in safe:
        for page in pages:
            assert URL(target, page).origin == page.origin, (target, page)
    for target in redirect_targets():
        if is_safe_redirect(target, allow=ALLOW) and target not in safe:
            for page in pages[:10]:
                url = URL(target, page)
                assert url.origin == page.origin or url.host in (PAGE, ALLOWED, f"{ALLOWED}.")
                assert url.scheme in ("http", "https")
                assert not url.includes_credentials


PIECES = st.sampled_from(
    ["/", "\\", ".", "..", "//", ":", "@", "?", "#", "http:", "https:", "evil.example", "a", "%2f", "%2e"]
)


@given(st.lists(PIECES | st.characters(), max_size=8).map("".join), st.sampled_from(bases(30)))
def test_any_target(target: str, base: str) -> None:
    if is_safe_redirect(target):
        assert target == target.strip()
        assert URL(target, base).origin == URL(base).origin
        root = URL(target, URL(base).origin)
        assert root.origin == URL(base).origin
        # What a program writes that keeps only the path.
        assert URL(root.pathname, base).origin == URL(base).origin
    if is_safe_redirect(target, allow=[ALLOWED]) and not is_safe_redirect(target):
        assert URL(target, base).hostname.rstrip(".").endswith(ALLOWED)


def test_chromium_stays() -> None:
    leaving = [target for target, chromium, _ in redirects() if chromium != "s"]
    assert len(leaving) > 5000
    assert [target for target in leaving if is_safe_redirect(target, allow=ALLOW)] == []


def reason(target: str) -> str:
    """Why a target is refused though a browser would stay."""
    if target.strip("".join(WHITE_SPACE)) != target:
        return "white space at an end"
    if any(control in target for control in CONTROLS_AND_SPACE if control != " "):
        return "a control character"
    if "\\" in target.split("?")[0].split("#")[0]:
        return "a backslash"
    urls = [URL(target, base) for base in BASES]
    if any(url.includes_credentials for url in urls):
        return "credentials"
    own = URL(target, "http://own.invalid/")
    if own.hostname == "own.invalid" and own.pathname.startswith("//"):
        return "a path that begins with two slashes"
    return ""


REASONS = (
    "white space at an end", "a control character", "a backslash", "a path that begins with two slashes", "credentials",
)  # fmt: skip


def test_what_is_refused_though_a_browser_stays() -> None:
    refused = [
        target for target, chromium, _ in redirects() if chromium == "s" and not is_safe_redirect(target, allow=ALLOW)
    ]
    assert set(map(reason, refused)) == set(REASONS)


def test_the_table_of_the_page() -> None:
    """docs/howto/redirects.md has these counts."""
    count = Counter[tuple[str, str, str]]()
    for target, chromium, django in redirects():
        why = reason(target) if chromium == "s" else ""
        count[chromium, why, "all"] += 1
        count[chromium, why, "weburl"] += is_safe_redirect(target, allow=ALLOW)
        count[chromium, why, "Django"] += django == "s"
    kinds = [
        ("leaves", "l", ""),
        ("does not parse", "x", ""),
        *((f"stays; has {why}", "s", why) for why in REASONS),
        ("stays; none of these", "s", ""),
    ]
    lines = [
        f"| {words} | {count[kind, why, 'all']:,} | {count[kind, why, 'weburl']:,} | {count[kind, why, 'Django']:,} |"
        for words, kind, why in kinds
    ]
    page = (DOCS / "howto" / "redirects.md").read_text("utf-8")
    assert "\n".join(lines) in page, "\n".join(lines)
    assert f"Chromium {FACTS['browser'].split('.')[0]} and Django {FACTS['django']}" in page
    assert count["l", "", "weburl"] == count["l", "", "Django"] == 0


@pytest.mark.parametrize(
    "href",
    """
    / /a a ?x #x //evil.example http://evil.example/ https:evil HTTPS://e.example mailto:a@b.example tel:+4912345 /a:b
    ./javascript:alert(1) /javascript:alert(1) ?javascript:alert(1) javascript%3Aalert(1) java/script: 1javascript:x :x
    \uff4aavascript:alert(1) javascript\uff1aalert(1) java\u200bscript:alert(1) \\javascript:alert(1)
    /?a=1&colon;b &amp;
    """.split(),
)
def test_safe_links(href: str) -> None:
    assert is_safe_link(href)
    assert is_safe_link("")
    assert is_safe_link(URL(href, "https://page.example/"))


def test_unsafe_links() -> None:
    schemes = (
        "javascript",
        "JavaScript",
        "vbscript",
        "data",
        "file",
        "blob",
        "ftp",
        "ws",
        "about",
        "view-source",
        "x",
        "sms",
    )
    for scheme in schemes:
        assert not is_safe_link(f"{scheme}:x")
        for blank in (
            *CONTROLS_AND_SPACE[:0x21],
            "\t\r\n \x00",
            "&Tab;",
            "&NewLine;",
            "&#9;",
            "&#x0000A;",
            "&#0000013;",
            "&#1;",
            "&#32;",
        ):
            assert not is_safe_link(f"{blank}{scheme}:x")
        for ignored in ("\t", "\n", "\r", "\r\n\t", "&Tab;", "&NewLine;", "&#9;", "&#10", "&#x0D;", "&#xA;&#x9;"):
            for place in range(len(scheme) + 1):
                assert not is_safe_link(f"{scheme[:place]}{ignored}{scheme[place:]}:x"), (scheme, ignored, place)
        for colon in ("&colon;", "&#58;", "&#58", "&#x3a;", "&#X3A", "&#000000000058;"):
            assert not is_safe_link(f"{scheme}{colon}//x")
        for form in ("&#{};", "&#{}", "&#0000{};"):
            assert not is_safe_link("".join([form.format(ord(c)) for c in scheme]) + "&#58;x")
        assert not is_safe_link("".join([f"&#x{ord(c):x};" for c in scheme]) + ":x")
    for href in (
        "http://[",
        "https://a b/",
        "//%",
        "http:",
        "javascript:",
        f"&#{'1' * 5000};javascript:x",
        "&#1" * 9 + "data:x",
    ):
        assert not is_safe_link(href)


def test_chromium_opens_nothing_else() -> None:
    links = link_targets()
    verdicts = dict(zip(links, "".join(FACTS["links"]["chromium"]), strict=True))
    assert Counter(verdicts.values())["u"] > 400
    assert [link for link in links if verdicts[link] == "u" and is_safe_link(link)] == []
    # A control character that Python's decoder leaves out, or a NUL that the browser's decoder replaces.
    refused = [link for link in links if verdicts[link] == "s" and not is_safe_link(link)]
    # White space before a scheme is a part of a path, as long as nobody removes it.
    assert all("\x00" in link or "&#" in link or unescape(link)[0] in WHITE_SPACE for link in refused)


@given(
    st.lists(
        st.sampled_from([*"javscript:&#;x0 \t\n\x00/", "&Tab;", "&colon;", "&#58", "data", *NOT_ASCII]), max_size=12
    )
)
def test_any_link(pieces: list[str]) -> None:
    href = "".join(pieces)
    if is_safe_link(href):
        for base in BASES:
            for text in (href, unescape(href), href.strip(), unescape(href).strip(), unescape(href.strip())):
                assert URL(text, base).scheme in ("http", "https", "mailto", "tel")
