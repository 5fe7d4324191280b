"""The viewer's page in a headless Chromium: what it shows, and that no typed text runs as code."""

from __future__ import annotations

import json
import struct
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import pytest
import viewer_screenshot
from support.devtools import Page, chromium

from weburl import URL
from weburl.cli.viewer.server import Server
from weburl.robots import Robots


class Viewer(NamedTuple):
    page: Page
    server: Server

    def type(self, url: str, base: str = "", pattern: str = "") -> None:
        """Types, and waits for the answer."""
        for selector, text in (("#pattern", pattern), ("#base", base), ("#url", url)):
            self.page.type(selector, text)
        self.page.value("waiting = clearTimeout(waiting); globalThis.shown = false; ask().then(() => { shown = true })")
        self.page.wait("globalThis.shown")

    def text(self, selector: str) -> Any:
        return self.page.value(f"document.querySelector({json.dumps(selector)}).innerText")

    def texts(self, selector: str) -> Any:
        return self.page.value(f"[...document.querySelectorAll({json.dumps(selector)})].map((e) => e.innerText)")

    def is_shown(self, selector: str) -> Any:
        return self.page.value(f"document.querySelector({json.dumps(selector)}).checkVisibility()")

    def cells(self, selector: str) -> Any:
        rows = f"[...document.querySelectorAll({json.dumps(selector + ' tr')})]"
        return self.page.value(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")

    def press(self, selector: str) -> None:
        """With the keyboard."""
        self.page.value(f"document.querySelector({json.dumps(selector)}).focus()")
        self.page.press("Enter", 13, "\r")

    def row(self, name: str) -> list[str]:
        (found,) = [row[1:] for row in self.cells("#rows") if row[0] == name]
        return [str(text) for text in found]

    def problems(self) -> list[Any]:
        """The browser's complaints, and dialogs."""
        kinds = (
            "Log.entryAdded",
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Page.javascriptDialogOpening",
        )
        told = [event for event in self.page.events if event["method"] in kinds]
        return [event for event in told if event["params"].get("entry", {}).get("level") != "info"]

    def requested(self) -> set[str]:
        return {
            event["params"]["request"]["url"]
            for event in self.page.events
            if event["method"] == "Network.requestWillBeSent"
        }


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    with chromium() as page:
        yield page


@pytest.fixture
def viewer(browser: Page) -> Iterator[Viewer]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        browser.events.clear()
        browser.go(f"{server.origin}/")
        viewer = Viewer(browser, server)
        yield viewer
        assert viewer.problems() == []
        # No request went elsewhere.
        assert viewer.requested() - {"data:,", "about:blank"} <= {f"{server.origin}/", f"{server.origin}/parse"}
        # An open request would fail in the next test.
        browser.go("data:,")
        server.shutdown()
        thread.join()


def test_what_is_seen(viewer: Viewer) -> None:
    assert viewer.text("#status") == "Type a URL."
    assert not viewer.is_shown("#result")
    viewer.type("HTTPS://user@BÜCHER.example:443/a/../b c?q#f")
    assert viewer.text("#status") == "It parses, with 2 validation errors."
    assert viewer.text("#href") == "https://user@xn--bcher-kva.example/b%20c?q#f"
    assert viewer.texts("#href .part") == ["https", "user", "xn--bcher-kva.example", "/b%20c", "q", "f"]
    assert viewer.text("#display") == "https://bücher.example/b%20c?q#f"
    assert viewer.text("#origin") == "https://xn--bcher-kva.example"
    assert viewer.text("#site") == "https://xn--bcher-kva.example"
    assert viewer.text("#suffix") == "example"
    assert viewer.texts("#url-text mark") == ["user@", " "]
    assert viewer.texts("#url-text sup") == ["1", "2"]
    first, second = viewer.texts("#url-errors li")
    assert first.startswith("invalid-credentials: A valid URL has no username")
    assert second == "invalid-URL-unit: A valid URL cannot have ' ' here: write %20 instead."
    assert viewer.row("path") == ["/b%20c", "/a/../b c (differs)"]
    assert viewer.row("scheme") == ["https", "https"]
    assert viewer.row("password") == ["none", "none"]
    assert not viewer.is_shown("#warning")
    assert "default port removed: ':443'" in viewer.texts("#changed li")


def test_a_base(viewer: Viewer) -> None:
    viewer.type("../c", "http://h/a\\b/")
    assert viewer.text("#href") == "http://h/a/c"
    assert viewer.texts("#base-text mark") == ["\\"]
    assert viewer.texts("#base-errors li")[0].startswith("invalid-reverse-solidus: ")
    assert viewer.text("#status") == "It parses, with no validation error."
    viewer.type("../c", "no base")
    assert viewer.text("#status") == "The base does not parse."
    assert viewer.texts("#base-text mark.failure") == ["no base"]
    assert viewer.texts("#base-errors li")[0].startswith("missing-scheme-non-relative-URL (failure): ")
    assert not viewer.is_shown("#result")
    assert not viewer.is_shown("#comparison")


def test_what_is_not_a_url(viewer: Viewer) -> None:
    viewer.type("http://user:pass@ho st:8o/")
    assert viewer.text("#status") == "It does not parse: a browser refuses it."
    assert viewer.page.value("document.querySelector('#status').className") == "fails"
    assert viewer.texts("#url-text mark.failure") != []
    assert viewer.row("host") == ["not a URL", "ho st (differs)"]
    assert viewer.text("#warning") == "urllib.parse finds a host, but a browser refuses the URL."
    viewer.type("http://")
    assert viewer.page.value("document.querySelectorAll('#url-text .caret.failure').length") == 1


def test_another_host(viewer: Viewer) -> None:
    viewer.type("https://example.com\\@evil.example/")
    assert viewer.text("#warning") == (
        "A check with urllib.parse sees the host evil.example; a browser goes to example.com."
    )
    viewer.type("http://user[@h/")
    assert viewer.text("#warning") == "urllib.parse raises ValueError: Invalid IPv6 URL"
    assert viewer.row("host") == ["h", "ValueError (differs)"]


def test_parameters(viewer: Viewer) -> None:
    viewer.type("https://h/?q=caf%C3%A9+au&q=b&next=https%3A%2F%2Fi%2F&=&n=\u202e")
    assert viewer.text("#params-title") == "5 parameters"
    rows = [row[:2] for row in viewer.cells("#pairs")]
    assert rows == [["q", "café au"], ["q", "b"], ["next", "https://i/"], ["none", "none"], ["n", "U+202E"]]
    viewer.type("https://h/")
    assert not viewer.is_shown("#parameters")


def test_what_is_hidden_in_logs(viewer: Viewer) -> None:
    viewer.type("https://ada:hunter2@h/?page=2&access_token=q8Zx3f7a")
    assert viewer.text("#redaction-title") == "3 secrets are hidden in logs"
    assert viewer.text("#redacted") == "https://REDACTED:REDACTED@h/?page=2&access_token=REDACTED"
    assert viewer.cells("#secrets") == [
        ["8 to 11", "credentials", "a username or a password", "RFC 3986, section 3.2.1"],
        ["12 to 19", "credentials", "a username or a password", "RFC 3986, section 3.2.1"],
        ["43 to 51", "name", "*token", "RFC 6749"],
    ]
    shown = viewer.page.value("document.querySelector('#redaction').textContent")
    assert not any(secret in shown for secret in ("ada", "hunter2", "q8Zx"))
    viewer.type("https://h/?page=2")
    assert not viewer.is_shown("#redaction")


def test_a_pattern(viewer: Viewer) -> None:
    viewer.type("https://www.example.com/book/7", "", "https://*.example.com/books/:id")
    assert viewer.text("#tally") == "The URL does not match: pathname."
    (row,) = (row for row in viewer.cells("#matches") if row[0] == "pathname")
    assert row[1:] == ["/books/:id", "/book/7needs 's' (fails)"]
    place = "document.querySelector('#matches .stop')"
    assert viewer.page.value(f"{place}.previousSibling.textContent + '|' + {place}.nextSibling.textContent") == (
        "/book|/7"
    )
    viewer.type("books/7", "https://www.example.com/", "/:kind/:id")
    assert viewer.text("#tally") == "The URL matches."
    assert viewer.texts("#groups li") == ["pathname kind: 'books'", "pathname id: '7'"]
    viewer.type("//a b", "https://www.example.com/", "/:kind/:id")
    assert viewer.text("#tally") == "It does not match: this is not a URL."
    viewer.type("https://h/", "", "https://h/:id/:id")
    assert viewer.text("#pattern-errors") == "Not a pattern: two groups have the name 'id' in the pathname"
    assert viewer.page.value("document.querySelector('#pattern-text .caret').previousSibling.data") == "https://h/:id"
    assert not viewer.is_shown("#matching")
    viewer.type("https://h/")
    assert not viewer.is_shown("#matching")
    assert not viewer.is_shown("#pattern-errors")


def test_the_warning_comes_first(viewer: Viewer) -> None:
    """On a phone it is seen without scrolling, and before all else that is said of the URL."""
    viewer.page.resize(375, 667)
    viewer.type("https://example.com\\@evil.example/ " + "a" * 4000)
    assert viewer.is_shown("#warning")
    ends, others = viewer.page.value(
        """[document.querySelector("#warning").getBoundingClientRect().bottom,
            ["#status", "#url-text", "#url-errors", "#result", "#comparison"]
              .map((name) => document.querySelector(name).getBoundingClientRect().top)]"""
    )
    assert ends < 667
    assert ends <= min(others)


LONG_URLS = [
    "https://example.com/" + "a" * 3800,
    "https://example.com/?" + "&".join(f"p{i}={i}|" for i in range(400)),
    "https://example.com/?next=" + "%20x|" * 760,
    "https://u:" + "p" * 3800 + "@h/",
    "https://" + "a." * 1900 + "b/",
    "http://" + "|" * 3800,
    "data:," + "a b\u202e" * 1200,
]


@pytest.mark.parametrize("url", LONG_URLS, ids=lambda url: url[:30])
def test_long_values_are_folded(viewer: Viewer, url: str) -> None:
    """They were pages of more than 50,000 pixels."""
    viewer.page.resize(375, 800)
    viewer.type(url, "", "https://example.com/" + "a" * 3700)
    height, width = viewer.page.value("[document.documentElement.scrollHeight, document.documentElement.scrollWidth]")
    assert height < 6000
    assert width <= 375
    # All of it is there when asked for, and copied.
    if viewer.is_shown("#result"):
        while viewer.page.value("document.querySelectorAll('#href [aria-expanded=false]').length"):
            viewer.press("#href [aria-expanded=false]")
            assert viewer.page.value("document.activeElement.textContent") == "fold"
        shown = viewer.page.value(
            """[...document.querySelectorAll("#href button")].map((e) => e.remove()) &&
                document.querySelector("#href").textContent"""
        )
        assert shown.replace(" ", "") == URL(url).href.replace(" ", "")
        assert viewer.page.value("document.documentElement.scrollWidth") <= 375


def test_long_lists_are_folded(viewer: Viewer) -> None:
    viewer.type("https://h/?" + "&".join(f"p{i}={i}|" for i in range(30)))
    assert viewer.texts("#url-text sup") == [*map(str, range(1, 8)), "30"]
    assert viewer.texts("#url-errors .more") == ["Show all 30"]
    assert viewer.page.value("document.querySelector('#url-errors').lastChild.value") == 30
    viewer.press("#url-errors button")
    assert viewer.texts("#url-text sup") == [*map(str, range(1, 31))]
    assert viewer.page.value("document.activeElement === document.querySelector('#url-errors').children[7]")
    assert len(viewer.cells("#pairs")) == 9
    viewer.press("#pairs tr:last-child button")
    assert [row[0] for row in viewer.cells("#pairs")] == [f"p{i}" for i in range(30)]
    assert viewer.page.value("document.activeElement === document.querySelector('#pairs').rows[8]")
    viewer.type("https://h/" + "|" * 150)
    assert viewer.texts("#url-text sup")[-1] == "150"
    viewer.press("#url-errors button")
    assert viewer.texts("#url-errors .more") == ["50 more are not shown here"]


def test_copy(viewer: Viewer) -> None:
    origin = viewer.server.origin
    for name in ("clipboard-read", "clipboard-write"):
        viewer.page.call("Browser.setPermission", permission={"name": name}, setting="granted", origin=origin)
    viewer.type("https://u:secret@BÜCHER.example/" + "a" * 300 + "?q=" + "%C3%A9" * 300)
    copied = "navigator.clipboard.readText()"
    for selector, text in (
        ("[aria-label='Copy href']", URL(viewer.page.value("fields[0].value")).href),
        ("[aria-label='Copy origin']", "https://xn--bcher-kva.example"),
        ("[aria-label='Copy site']", "https://xn--bcher-kva.example"),
        ("[aria-label='Copy the value of q']", "é" * 300),
    ):
        viewer.press(selector)
        viewer.page.wait(f"document.querySelector({json.dumps(selector)}).textContent === 'Copied'")
        assert viewer.page.value(copied) == text
    assert viewer.text("#copied") == "Copied: the value of q"
    viewer.press("#link")
    viewer.page.wait("document.querySelector('#link').textContent === 'Copied'")
    link = viewer.page.value(copied)
    assert link == viewer.page.value("location.href")
    assert link.startswith(f"{origin}/#url=https%3A%2F%2F***%40B%C3%9CCHER.example%2F")
    viewer.page.wait("document.querySelector('#link').textContent === 'Copy a link to this page'")
    for name in ("clipboard-read", "clipboard-write"):
        viewer.page.call("Browser.setPermission", permission={"name": name}, setting="denied", origin=origin)
    viewer.press("#link")
    viewer.page.wait("document.querySelector('#link').textContent === 'Not copied'")


TYPED = {"url": "../c d?e=f&g=+", "base": "https://h/a/b/", "pattern": "/:x/:y"}


def test_the_address_is_a_link_to_the_page(viewer: Viewer) -> None:
    viewer.type(*TYPED.values())
    viewer.page.wait("location.hash !== ''")
    address = viewer.page.value("location.href")
    assert dict(parse_qsl(address.partition("#")[2])) == TYPED
    length = viewer.page.value("history.length")
    viewer.page.go(address)
    viewer.page.wait("!document.querySelector('#result').hidden")
    assert viewer.page.value("values()") == TYPED
    viewer.page.wait(f"location.href === {json.dumps(address)}")
    # What is typed does not fill the history, and an address that is put in this tab is read.
    viewer.type("https://i/")
    viewer.page.wait("location.hash === '#url=https%3A%2F%2Fi%2F'")
    assert viewer.page.value("history.length") <= length + 2
    viewer.page.value("location.hash = '#url=https%3A%2F%2Fj%2F'")
    viewer.page.wait("document.querySelector('#href')?.textContent === 'https://j/'")
    viewer.page.value("history.back()")
    viewer.page.wait("document.querySelector('#href')?.textContent === 'https://i/'")
    viewer.type("")
    viewer.page.wait(f"location.href === '{viewer.server.origin}/'")


def test_a_reload_keeps_what_was_typed(viewer: Viewer) -> None:
    typed = {"url": "https://user:secret@h/a b", "base": "https://v:secret@i/", "pattern": "//w:secret@j/"}
    viewer.type(*typed.values())
    viewer.page.wait("location.hash !== ''")
    # The address, which the browser keeps in its history, has no credentials.
    assert "secret" not in viewer.page.value("location.href")
    assert viewer.page.value("location.href").count("***") == 3
    viewer.page.value("globalThis.before = true")
    viewer.page.call("Page.reload")
    viewer.page.wait("typeof before === 'undefined' && document.readyState === 'complete' && asked > 0")
    viewer.page.wait("!document.querySelector('#result').hidden")
    assert viewer.page.value("values()") == typed
    viewer.page.wait("location.hash !== ''")
    assert "secret" not in viewer.page.value("location.href")


def test_what_cannot_be_seen(viewer: Viewer) -> None:
    viewer.type("http://h/\u202eabc\t\u0301\u200b\U000e0041|x")
    assert viewer.texts("#url-text .unseen") == ["U+202E", "U+0009", "U+0301", "U+200B", "U+E0041"]
    assert viewer.texts("#url-text mark")[-1] == "|"
    viewer.type("https://рaypal.example/")
    assert viewer.texts("#risks li")[0].startswith("рaypal: ")


def test_code_points(viewer: Viewer) -> None:
    """Places are in code points, while JavaScript counts UTF-16."""
    viewer.type("http://h/😀😀|😀")
    assert viewer.texts("#url-text mark") == ["|"]
    viewer.page.value("fields[0].value = 'http://h/\\ud83d|'; ask().then(() => { globalThis.lone = true })")
    viewer.page.wait("globalThis.lone")
    assert viewer.texts("#url-text mark") == ["U+D83D", "|"]
    assert viewer.texts("#url-text .unseen") == ["U+D83D"]
    assert viewer.text("#href") == "http://h/%EF%BF%BD|"


MARKUP = [
    "<script>attacked=1</script>",
    "<img src=x onerror=attacked=1>",
    "<svg onload=attacked=1>",
    "\"><iframe srcdoc='<script>parent.attacked=1</script>'>",
    "'-(attacked=1)-'",
    "${attacked=1}",
    "{{constructor.constructor('attacked=1')()}}",
    "</textarea></title></style></script><script>attacked=1</script>",
    "javascript:attacked=1",
    "data:text/html,<script>attacked=1</script>",
    "\u2028attacked=1",
    "<a href=javascript:attacked=1>x</a>",
    "<base href=//evil.example>",
    "<meta http-equiv=refresh content=0;url=//evil.example>",
    "<link rel=stylesheet href=//evil.example/x.css>",
    "__proto__",
]
OWN = set(
    """A BUTTON CODE DD DIV DL DT H1 H2 HEADER LABEL LI MARK OL OUTPUT P SECTION SPAN STRONG SUP TABLE TBODY TD TEXTAREA
    TH THEAD TR UL""".split()
)
PLACES = ["{}", "http://h/{}", "http://{}/", "http://{}@h/", "http://h/?{}#{}", "x:{}", "blob:{}", "//h:{}", "{}://h"]


@pytest.mark.parametrize("markup", MARKUP)
def test_markup_is_text(viewer: Viewer, markup: str) -> None:
    shape = (
        "[document.querySelectorAll('*').length - document.querySelectorAll('main *').length, document.scripts.length]"
    )
    before = viewer.page.value(shape)
    for place in PLACES:
        text = place.replace("{}", markup)
        for url, base, pattern in ((text, "", text), ("a", text, "")):
            viewer.type(url, base, pattern)
            assert viewer.page.value("fields.map((field) => field.value)") == [url, base, pattern]
            assert "There is no answer" not in viewer.text("#status")
            parsed = URL.parse(url, base or None)
            if parsed is not None:
                assert viewer.page.value("document.querySelector('#href').textContent") == parsed.href
        # It is shown as text, within elements that the page makes.
        assert set(viewer.page.value("[...document.querySelectorAll('main *')].map((e) => e.tagName)")) <= OWN
        links = viewer.page.value("[...document.links].map((link) => link.href)")
        assert all(
            link.startswith(("https://url.spec.whatwg.org/", "https://infra.spec.whatwg.org/")) for link in links
        )
    assert viewer.page.value(shape) == before
    assert viewer.page.value("typeof attacked") == "undefined"
    assert viewer.page.value("location.href").partition("#")[0] == f"{viewer.server.origin}/"


def test_a_robots_txt(viewer: Viewer) -> None:
    viewer.type("https://h/private")
    assert not viewer.is_shown("#robots")
    viewer.server.robots = Robots.parse("User-agent: *\nDisallow: /private#<b>\nDisallow: /*<i>", agent="ExampleBot")
    viewer.type("https://h/a/../private")
    assert viewer.text("#allowed") == "not allowed by line 2: Disallow: /private"
    assert viewer.texts("#why li") == ["path: /private", "group: * (line 1)", "rules: 2"]
    viewer.type("https://h/<i>")
    assert viewer.text("#allowed") == "not allowed by line 3: Disallow: /*<i>"
    viewer.type("https://h/")
    assert viewer.text("#allowed") == "allowed: no rule matches"
    viewer.type("//")
    assert not viewer.is_shown("#robots")


def test_markup_in_the_address(viewer: Viewer) -> None:
    for markup in MARKUP:
        viewer.page.go(f"{viewer.server.origin}/#{urlencode({'url': markup, 'base': 'http://h/' + markup})}")
        viewer.page.wait("document.querySelector('#status').textContent !== ''")
        assert viewer.page.value("fields[0].value") == markup.replace("\r", "\n")
        assert viewer.page.value("location.href").partition("#")[0] == f"{viewer.server.origin}/"
        assert viewer.page.value("typeof attacked") == "undefined"


def test_the_policy_holds(browser: Page) -> None:
    """The policy blocks what the page never does."""
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        browser.go(f"{server.origin}/")
        for attempt in (
            "document.body.innerHTML = '<b>'",
            "document.body.insertAdjacentHTML('beforeend', '<b>')",
            "document.createElement('script').text = 'attacked = 1'",
            "trustedTypes.createPolicy('x', {})",
        ):
            assert (
                browser.value(f"(() => {{ try {{ {attempt} }} catch (error) {{ return error.name }} }})()")
                == "TypeError"
            )
        assert (
            browser.value(
                "new Promise((done) => { const image = new Image(); image.onerror = () => done('stopped');"
                "image.onload = () => done('loaded'); image.src = '/x.png' })"
            )
            == "stopped"
        )
        assert browser.value("fetch('http://localhost:1/').then(() => 'sent', () => 'stopped')") == "stopped"
        violated = {
            event["params"]["entry"]["text"].split('"')[1].split()[0]
            for event in browser.events
            if event["method"] == "Log.entryAdded" and "directive" in event["params"]["entry"]["text"]
        }
        assert {"img-src", "connect-src"} <= violated
        server.shutdown()
        thread.join()


def test_too_long(viewer: Viewer) -> None:
    viewer.type("http://h/" + "a" * 9_991)
    assert viewer.text("#status") == "It parses, with no validation error."
    viewer.type("http://h/" + "a" * 9_992)
    assert viewer.text("#status") == "Too long: the URL, the base and the pattern have at most 10000 characters each."
    assert not viewer.is_shown("#result")


def test_the_server_has_gone(browser: Page) -> None:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        browser.go(f"{server.origin}/")
        server.shutdown()
        thread.join()
    Viewer(browser, server).type("http://h/")
    status = browser.value("document.querySelector('#status').textContent")
    assert status == "There is no answer: is weburl view still running?"


def test_as_it_is_typed(viewer: Viewer) -> None:
    """The page can be used with the keyboard alone."""
    viewer.page.type("#url", "http://h/x y")
    viewer.page.wait("document.querySelector('#href')?.textContent === 'http://h/x%20y'")
    viewer.page.call("Input.insertText", text="z")
    viewer.page.wait("document.querySelector('#href')?.textContent === 'http://h/x%20yz'")


def test_keyboard(viewer: Viewer) -> None:
    """The first field has the focus; Tab goes through all controls in their order, and leaves the page."""
    viewer.type("http://u@h/a b?" + "c" * 300 + "=d", "", "http://h/:e/f")
    viewer.page.value("fields[0].focus()")
    seen = []
    for _ in range(100):
        viewer.page.press("Tab", 9)
        if viewer.page.value("document.activeElement === document.body"):
            break
        seen.append(viewer.page.value("at = document.activeElement, at.id || at.ariaLabel || at.innerText"))
    samples = viewer.texts("#samples button")
    assert seen[: 5 + len(samples)] == [
        "… 144 more …",
        "invalid-credentials",
        "invalid-URL-unit",
        "base",
        "pattern",
        *samples,
    ]
    facts = ["Copy display", "Copy origin", "link"]
    assert [name for name in seen if name in facts] == facts
    # All that can be used is reached, once.
    assert len(seen) + 1 == viewer.page.value(
        "[...document.querySelectorAll('a, button, textarea')].filter((e) => e.checkVisibility()).length - 1"
    )
    for number, sample in enumerate(samples):
        viewer.page.value(f"document.querySelectorAll('#samples button')[{number}].focus()")
        viewer.page.press("Enter", 13, "\r")
        viewer.page.wait("document.querySelector('#status').textContent.startsWith('It ')")
        assert viewer.page.value("document.activeElement.innerText") == sample
    viewer.press("#samples button")
    viewer.page.wait("document.querySelector('#href')?.textContent.startsWith('https://user:secret@')")


def test_samples(viewer: Viewer) -> None:
    for number in range(viewer.page.value("SAMPLES.length")):
        viewer.page.value(f"globalThis.before = asked; document.querySelectorAll('#samples button')[{number}].click()")
        viewer.page.wait("asked > before && document.querySelector('#status').textContent.startsWith('It ')")


def test_accessible(viewer: Viewer) -> None:
    """Each field and button has a name, rows have headings, and changes are announced."""
    viewer.type("http://u@h/a b")
    nodes = viewer.page.call("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if not node["ignored"]}
    assert {("textbox", "URL"), ("textbox", "Base (for a relative URL)"), ("button", "relative")} <= named
    assert {("rowheader", "host"), ("columnheader", "urllib.parse"), ("table", "Components")} <= named
    assert {("list", "Errors of the URL"), ("region", "Result"), ("heading", "weburl view")} <= named
    assert not [node for node in named if node[0] in ("textbox", "button", "link") and not node[1]]
    assert viewer.page.value("document.querySelector('#verdict').role") == "status"
    assert viewer.page.value("document.documentElement.lang") == "en"


CONTRASTS = """(() => {
  const rgb = (color) => color.match(/[\\d.]+/g).map(Number);
  const over = (top, below) => {
    const alpha = top.length > 3 ? top[3] : 1;
    return below.map((value, i) => alpha * top[i] + (1 - alpha) * value);
  };
  const light = (color) => color.map((value) => value / 255)
    .map((value) => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, i) => sum + value * [0.2126, 0.7152, 0.0722][i], 0);
  return [...document.querySelectorAll("main *")].filter((e) =>
    e.checkVisibility() && [...e.childNodes].some((child) => child.nodeType === 3 && child.data.trim())).map((e) => {
      const layers = [];
      for (let at = e; at; at = at.parentElement) layers.unshift(rgb(getComputedStyle(at).backgroundColor));
      const back = layers.reduce((below, top) => over(top, below), [255, 255, 255]);
      const [a, b] = [light(over(rgb(getComputedStyle(e).color), back)), light(back)];
      return [(Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05), e.outerHTML.slice(0, 60)];
    }).sort((a, b) => a[0] - b[0]);
})()"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_contrast(viewer: Viewer, scheme: str) -> None:
    """All text has the contrast of WCAG level AA: 4.5 to 1."""
    viewer.page.color_scheme(scheme)
    backgrounds = []
    for url in ("https://u:p@example.com:1\\@evil.example/a b?c#d", "http://ho st:8o", "http://h/", LONG_URLS[2]):
        viewer.type(url, "", "https://h/:a")
        found = viewer.page.value(CONTRASTS)
        assert len(found) > 20
        assert [one for one in found if one[0] < 4.5] == []
        backgrounds.append(viewer.page.value("getComputedStyle(document.body).backgroundColor"))
    assert set(backgrounds) == {"rgb(18, 21, 28)" if scheme == "dark" else "rgb(246, 247, 249)"}


AXE = Path(__file__).resolve().parents[2] / "build" / "axe" / "node_modules" / "axe-core" / "axe.min.js"
SHOWN = [
    ("", "", ""),
    ("https://u:p@BÜCHER.example:443\\@evil.example/../b c?q=1&r", "", "https://*.example/:id"),
    ("/books/7", "https://u:p@www.example.com/", "/:kind/:id"),
    ("https://рaypal.example/", "", "/:id/:id"),
    ("http://ho st:8o", "", "https://h/:id/:id"),
    ("x", "no base", ""),
    ("https://h/?" + "&".join(f"p{i}={i}|" for i in range(30)) + "#" + "a" * 3000, "", ""),
]


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(viewer: Viewer, scheme: str, width: int) -> None:
    """axe-core finds no violation of WCAG 2.2, level AA, nor of its own best practices."""
    viewer.page.color_scheme(scheme)
    viewer.page.resize(width, 800)
    # make test-engines installs it, from npm.
    viewer.page.value(AXE.read_text("utf-8") + "; 0")
    tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
    run = f"axe.run(document, {json.dumps({'runOnly': tags})})"
    for texts in SHOWN:
        viewer.type(*texts)
        for _ in range(2):
            rules, found = viewer.page.value(
                f"{run}.then((said) => [said.passes.length, said.violations.map((rule) => [rule.id, rule.nodes])])"
            )
            assert rules > 30
            assert found == []
            # The second time with all that was folded.
            viewer.page.value(
                "document.querySelectorAll('[aria-expanded=false], .more button').forEach((button) => button.click())"
            )
    # It is not blind.
    viewer.page.value("document.querySelector('label').remove()")
    assert "label" in viewer.page.value(f"{run}.then((said) => said.violations.map((rule) => rule.id))")


@pytest.mark.parametrize("width", [320, 1280])
def test_width(viewer: Viewer, width: int) -> None:
    """Nothing is wider than the screen, not even on a telephone."""
    viewer.page.screenshot(width, 800)
    viewer.type("https://" + "a" * 63 + ".example/" + "%20" * 200 + "?" + "b" * 300)
    assert viewer.page.value("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", viewer_screenshot.PICTURES)
def test_screenshot(name: str) -> None:
    """The pictures of the documentation can be taken again, and are small."""
    picture = viewer_screenshot.PICTURES[name]
    for png in (viewer_screenshot.taken(picture), (viewer_screenshot.IMAGES / name).read_bytes()):
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", png[16:24]) == (picture.width, picture.height)
        assert 20_000 < len(png) < 150_000
