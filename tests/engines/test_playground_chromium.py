"""The playground of the docs in a headless Chromium, with a stand-in for Pyodide, and with Pyodide if it was built.

The stand-in is playground/pyodide.mjs. `make wasm TESTS=--build` makes the wheel for Pyodide.
"""

from __future__ import annotations

import json
import shutil
import struct
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

import playground
import playground_page
import pytest
import viewer_screenshot
from playground_page import FORMS, Built
from support.devtools import Page, chromium
from test_view_chromium import AXE, MARKUP

from weburl import explain
from weburl.text import redact_text

ROOT = Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
STAND_IN = Path(__file__).with_name("playground") / "pyodide.mjs"
KINDS = ("stand-in", "pyodide")
SAMPLES = {tool: {field.name: field.value for field in form.fields} for tool, form in FORMS.items()}
SECONDS = 60


def stand_in(folder: Path) -> Path:
    """A folder as that of `make wasm`, with files of the right names."""
    for name in playground_page.PYODIDE:
        path = folder / "node_modules" / "pyodide" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    shutil.copy(STAND_IN, path.with_name("pyodide.mjs"))
    (path.with_name("package.json")).write_text("{}")
    (folder / "dist").mkdir()
    (folder / "dist" / "weburl-stand-in.whl").write_bytes(b"a stand-in for the wheel")
    return folder


def build_site(folder: Path, built: Path) -> Path:
    """The site, with this page only."""
    source, site = folder / "source", folder / "site"
    source.mkdir()
    (source / "index.md").write_text("# weburl\n\n```{toctree}\n:caption: Start\n\nplayground\n```\n", "utf-8")
    shutil.copy(DOCS / "playground.md", source)
    shutil.copytree(DOCS / "images", source / "images")
    command: list[str | Path] = [
        sys.executable,
        "-m",
        "sphinx",
        "-Q",
        "-c",
        DOCS,
        "-D",
        f"playground_built={built}",
        source,
        site,
    ]
    subprocess.run(command, check=True)
    return site


class Handler(SimpleHTTPRequestHandler):
    """What `python -m http.server` does; and answers for the stand-in."""

    server: Site

    def do_GET(self) -> None:
        self.server.asked.append(self.path.partition("?")[0])
        if self.server.missing and self.path.endswith(self.server.missing):
            self.send_error(404)
        else:
            super().do_GET()

    def do_POST(self) -> None:
        tool, typed = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        try:
            status, text = 200, playground.answer_json(tool, typed)
        except Exception:
            status, text = 500, traceback.format_exc()
        body = text.encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


class Site(ThreadingHTTPServer):
    # A connection that is closed by a worker that was ended is no error.
    def __init__(self, folder: Path) -> None:
        super().__init__(("127.0.0.1", 0), partial(Handler, directory=str(folder)))
        self.asked: list[str] = []
        self.missing = ""
        self.address = f"http://127.0.0.1:{self.server_port}/playground.html"

    def handle_error(self, request: Any, client_address: Any) -> None:
        pass


class Shown(NamedTuple):
    page: Page
    site: Site
    kind: str

    def open(self, **state: str) -> None:
        self.site.asked.clear()
        self.page.go(self.site.address + (f"#{urlencode(state)}" if state else ""))

    def value(self, tool: str, rest: str) -> Any:
        return self.page.value(f"document.querySelector('form[data-tool={tool}]'){rest}")

    def status(self, tool: str) -> str:
        return str(self.value(tool, ".querySelector('.playground-status').textContent"))

    def state(self, tool: str) -> Any:
        return self.value(tool, ".querySelector('.playground-status').dataset.state")

    def button(self, tool: str) -> str:
        return str(self.value(tool, ".querySelector('[data-run]').textContent"))

    def type(self, tool: str, **typed: str) -> None:
        for name, text in typed.items():
            self.page.type(f"#playground-{tool}-{name}", text)

    def press(self, tool: str, selector: str = "[data-run]") -> None:
        """With the keyboard."""
        self.value(tool, f".querySelector({json.dumps(selector)}).focus()")
        self.page.press("Enter", 13, "\r")

    def wait(self, tool: str) -> None:
        """Until it does not run any longer."""
        end = time.monotonic() + SECONDS  # clock: deadline
        while self.status(tool).endswith("…"):
            assert time.monotonic() < end, self.status(tool)
            time.sleep(0.02)

    def ask(self, tool: str, **typed: str) -> None:
        self.type(tool, **typed)
        self.press(tool)
        self.wait(tool)

    def texts(self, tool: str) -> Any:
        return self.value(tool, ".innerText")

    def cells(self, tool: str) -> Any:
        rows = f"[...document.querySelectorAll('form[data-tool={tool}] tbody tr')]"
        return self.page.value(f"{rows}.map((row) => [...row.cells].map((cell) => cell.textContent))")

    def pictures(self, tool: str) -> Any:
        return self.page.value(
            f"[...document.querySelectorAll('form[data-tool={tool}] pre')].map((each) => each.textContent)"
        )

    def link(self) -> dict[str, str]:
        return dict(parse_qsl(str(self.page.value("location.hash"))[1:], keep_blank_values=True))

    def complaints(self) -> list[Any]:
        kinds = (
            "Log.entryAdded",
            "Runtime.exceptionThrown",
            "Runtime.consoleAPICalled",
            "Page.javascriptDialogOpening",
        )
        told = [event["params"] for event in self.page.events if event["method"] in kinds]
        # A browser asks each server for this.
        return [each for each in told if not each.get("entry", {}).get("url", "").endswith("/favicon.ico")]


@pytest.fixture(scope="module")
def browser() -> Iterator[Page]:
    # It has no network: no other name has an address.
    with chromium("--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1") as page:
        yield page


@pytest.fixture(scope="module", params=KINDS)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, str]]:
    folder = tmp_path_factory.mktemp("playground")
    if request.param == "stand-in":
        built = stand_in(folder / "built")
    elif Built.within(playground_page.BUILT) is None:
        pytest.skip("there is no wheel for Pyodide: make wasm TESTS=--build makes it")
    else:
        built = playground_page.BUILT
    with Site(build_site(folder, built)) as server:
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield server, request.param
        server.shutdown()
        thread.join()


@pytest.fixture
def shown(browser: Page, site: tuple[Site, str]) -> Iterator[Shown]:
    server, kind = site
    server.missing = ""
    browser.events.clear()
    browser.color_scheme("light")
    browser.resize(1280, 900)
    found = Shown(browser, server, kind)
    found.open()
    yield found
    assert browser.value("typeof attacked") == "undefined"
    if not server.missing:
        assert found.complaints() == []
    browser.go("data:,")


def test_nothing_is_loaded_before_a_click(shown: Shown) -> None:
    time.sleep(0.3)
    before = list(shown.site.asked)
    assert "/_static/playground.js" in before
    assert not [path for path in before if "pyodide" in path or "worker" in path or path.endswith(".py")]
    built = Built.within(playground_page.BUILT)
    if shown.kind == "pyodide" and built:
        assert shown.button("explain") == f"Load {built.megabytes()} MB and explain"
    # Neither what is typed nor Enter in a field loads anything: Enter goes to the button.
    shown.type("explain", url="https://h/")
    shown.page.press("Enter", 13, "\r")
    assert shown.value("explain", ".contains(document.activeElement)")
    assert shown.page.value("document.activeElement.textContent") == shown.button("explain")
    time.sleep(0.3)
    assert shown.site.asked == before
    shown.press("explain")
    shown.wait("explain")
    loaded = [path.rpartition("/")[2] for path in shown.site.asked[len(before) :] if path != "/favicon.ico"]
    ours = ["playground_worker.js", "playground.py", "idna.zip", next(name for name in loaded if name.endswith(".whl"))]
    pyodide = playground_page.PYODIDE if shown.kind == "pyodide" else ["pyodide.mjs"]
    assert sorted(loaded) == sorted([*ours, *pyodide])
    # The stand-in says that it is one.
    version = shown.page.value("document.documentElement.dataset.pyodide")
    assert version == "stand-in" if shown.kind == "stand-in" else version[0].isdigit()
    # Each form has it now.
    count = len(shown.site.asked)
    for tool, form in FORMS.items():
        assert shown.button(tool) == form.button
    shown.ask("redact")
    assert [path for path in shown.site.asked[count:] if path != "/favicon.ico"] == []


def test_explain(shown: Shown) -> None:
    url = "https://example.com\\@evil.example/a b"
    shown.ask("explain", url=url)
    assert shown.status("explain") == "It parses, with 2 validation errors."
    assert shown.state("explain") == "notes"
    assert shown.pictures("explain") == [explain(url)]
    shown.ask("explain", url="../c", base="https://BÜCHER.example/a/b/")
    assert shown.pictures("explain") == [explain("../c", "https://BÜCHER.example/a/b/")]
    assert shown.state("explain") == "fine"
    shown.ask("explain", url="//:8o", base="")
    assert (shown.status("explain"), shown.state("explain")) == ("It does not parse: a browser refuses it.", "fails")
    shown.page.value("document.querySelector('#playground-explain-url').value = 'http://h/\\ud83d|'")
    shown.press("explain")
    shown.wait("explain")
    assert "%EF%BF%BD|" in shown.pictures("explain")[0]


def test_redact(shown: Shown) -> None:
    text = f"😀 {SAMPLES['redact']['text']}"
    shown.ask("redact", text=text)
    assert shown.status("redact") == "4 parts of the text are hidden."
    assert shown.pictures("redact") == [redact_text(text)]
    assert [row[1] for row in shown.cells("redact")] == ["credentials", "credentials", "name", "credentials"]
    answer = shown.value("redact", ".querySelector('.playground-answer').textContent")
    assert not any(secret in answer for secret in ("ada", "hunter2", "q8Zx3f7aK1vB9mTe", "mF_9.B5f-4.1JqM"))
    # It is nowhere in the address.
    assert shown.link() == {"tool": "redact"}
    assert "does not have the text" in shown.texts("redact")


def test_template(shown: Shown) -> None:
    shown.ask("template", paths="/users/7\n/users/8\nx")
    assert shown.status("template") == "2 paths, 1 template. 1 line without a template."
    assert shown.cells("template")[:2] == [["/users/7", "/users/{int}"], ["/users/8", "/users/{int}"]]


def test_compare(shown: Shown) -> None:
    shown.ask("compare")
    assert shown.status("compare").startswith("They are two URLs of one page, for a crawler.")
    assert shown.cells("compare")[-1] == ["crawl key", "=", *["http://example.com/?a=1&b=2"] * 2]
    shown.ask("compare", first="https://h/", second="no")
    assert shown.status("compare").startswith("The second is not a URL: ")
    assert shown.state("compare") == "fails"


def test_pattern(shown: Shown) -> None:
    shown.ask("pattern")
    assert shown.status("pattern") == "The URL does not match: pathname."
    shown.ask("pattern", pattern="/:kind/:id", url="books/7", base="https://h/")
    assert shown.status("pattern") == "The URL matches."
    assert ["pathname", "id", "'7'"] in shown.cells("pattern")
    shown.ask("pattern", pattern="https://h/:id/:id", base="")
    assert shown.status("pattern") == "This is not a pattern: two groups have the name 'id' in the pathname."
    assert shown.pictures("pattern") == ["https://h/:id/:id\n" + " " * 13 + "^"]


def test_robots(shown: Shown) -> None:
    shown.ask("robots")
    assert shown.status("robots") == "Not allowed by line 2: Disallow: /private"
    assert ["group", "* (line 1)"] in shown.cells("robots")
    shown.ask("robots", url="https://h/", robots="User-agent: *\nAllow: /")
    assert (shown.status("robots"), shown.state("robots")) == ("Allowed by line 2: Allow: /", "fine")
    shown.ask("robots", agent="not a token")
    assert shown.status("robots").startswith("agent must be a product token")


def test_the_address_is_a_link_to_the_form(shown: Shown) -> None:
    length = shown.page.value("history.length")
    for tool in FORMS:
        shown.ask(tool)
        expected = {} if tool == "redact" else SAMPLES[tool]
        assert shown.link() == {"tool": tool, **expected}
    # What is asked does not fill the history.
    assert shown.page.value("history.length") == length
    typed = {"pattern": "/:a/:b", "url": "x y/z?+&=#é", "base": "https://h/"}
    shown.ask("pattern", **typed)
    address = shown.page.value("location.href")
    shown.page.go(address)
    fields = "document.querySelector('form[data-tool=pattern]')"
    values = f"Object.fromEntries([...{fields}.querySelectorAll('textarea')].map((e) => [e.name, e.value]))"
    assert shown.page.value(values) == typed
    assert shown.status("pattern") == "The fields are from the link. The button answers."
    # It is seen without scrolling.
    top = shown.page.value(f"{fields}.getBoundingClientRect().top")
    assert 0 <= top < 900
    shown.ask("pattern")
    assert shown.page.value("location.href") == address
    # An address that is put in this tab is answered, as all is loaded.
    shown.page.value(f"location.hash = {json.dumps(urlencode({'tool': 'explain', 'url': 'https://i/', 'base': ''}))}")
    shown.page.wait("document.querySelector('form[data-tool=explain] pre')?.textContent.includes('https://i/')")


def test_secrets_are_not_in_the_address(shown: Shown) -> None:
    shown.ask("explain", url="https://ada:hunter2@h/?access_token=q8Zx3f7aK1vB9mTe")
    address = shown.page.value("location.href")
    assert not any(secret in address for secret in ("ada", "hunter2", "q8Zx"))
    assert "REDACTED in it" in shown.texts("explain")
    # The field keeps what was typed.
    assert shown.page.value("document.querySelector('#playground-explain-url').value").startswith(
        "https://ada:hunter2@"
    )
    # A link cannot fill the text that is not in links, nor a form that is not there.
    shown.open(tool="redact", text="other")
    value = "document.querySelector('#playground-redact-text').value"
    assert shown.page.value(value) == SAMPLES["redact"]["text"]
    shown.open(tool="'] *", url="other")
    assert shown.page.value("document.querySelector('#playground-explain-url').value") == SAMPLES["explain"]["url"]


def test_stop(shown: Shown) -> None:
    """An answer that takes long is ended, and the page can be used meanwhile."""
    stop = ".playground-stop"
    hard = "http://h/" + "|" * 99_000 + "never ends"
    shown.ask("template")
    assert not shown.value("explain", f".querySelector('{stop}').checkVisibility()")
    shown.type("explain", url=hard)
    shown.press("explain")
    shown.page.wait("document.querySelector('form[data-tool=explain] .playground-status').textContent === 'Running …'")
    assert shown.value("explain", f".querySelector('{stop}').checkVisibility()")
    # The page answers, and another form waits for its turn.
    shown.press("compare")
    assert shown.status("compare") == ""
    shown.press("explain", stop)
    assert shown.status("explain") == "Stopped. The button loads Python again."
    assert not shown.value("explain", f".querySelector('{stop}').checkVisibility()")
    assert shown.page.value("document.activeElement.textContent") == shown.button("explain")
    assert shown.button("explain").startswith("Load ")
    # What waited was stopped, too. All works again.
    shown.ask("explain", url="https://h/")
    assert shown.status("explain") == "It parses, with no validation error."
    assert shown.status("compare") == ""


def test_stop_while_it_loads(shown: Shown) -> None:
    run, stop = (
        f"document.querySelector('form[data-tool=robots] {name}').click()"
        for name in ("[data-run]", ".playground-stop")
    )
    shown.page.value(f"{run}; {stop}")
    assert shown.status("robots") == "Stopped. The button loads Python again."
    shown.ask("robots")
    assert shown.status("robots") == "Not allowed by line 2: Disallow: /private"


def test_a_form_waits_for_another(shown: Shown) -> None:
    for tool in ("explain", "template"):
        shown.value(tool, ".querySelector('[data-run]').click()")
    for tool in ("explain", "template"):
        shown.page.wait(f"document.querySelector('form[data-tool={tool}] .playground-answer').children.length")
    assert shown.status("template") == "3 paths, 3 templates."
    assert shown.link()["tool"] == "template"


@pytest.mark.parametrize("missing", [".whl", "idna.zip", "playground.py", "pyodide.mjs", "playground_worker.js"])
def test_a_file_that_is_missing(shown: Shown, missing: str) -> None:
    shown.site.missing = missing
    # Not from the browser's cache.
    shown.page.call("Network.setCacheDisabled", cacheDisabled=True)
    shown.page.call("Network.clearBrowserCache")
    shown.ask("explain")
    assert shown.state("explain") == "fails"
    assert shown.status("explain").startswith(("It did not load: ", "The files of the playground did not load."))
    assert shown.button("explain").startswith("Load ")
    shown.site.missing = ""
    shown.ask("explain")
    assert shown.status("explain") == "It parses, with 2 validation errors."
    shown.page.call("Network.setCacheDisabled", cacheDisabled=False)
    shown.page.events.clear()


def test_an_exception_is_shown(shown: Shown) -> None:
    """No text makes an answer raise. Without a field, it does."""
    shown.page.value("document.querySelector('#playground-explain-base').remove()")
    shown.ask("explain")
    assert (shown.status("explain"), shown.state("explain")) == ("It failed: KeyError: 'base'", "fails")
    # The browser says that the stand-in has no answer.
    shown.page.events.clear()
    # Python is loaded anew.
    assert shown.button("compare").startswith("Load ")
    shown.ask("compare")
    assert shown.state("compare") == "notes"


def test_an_address_that_does_not_change(shown: Shown) -> None:
    """Browsers refuse many changes in a short time. The answer is shown without a link."""
    shown.page.value("history.replaceState = () => { throw new DOMException('too many', 'SecurityError') }")
    for url in ("https://h/", "https://i/"):
        shown.ask("explain", url=url)
        assert url in shown.pictures("explain")[0]
        assert not shown.value("explain", ".querySelector('.playground-link').checkVisibility()")
    assert shown.link() == {}


OWN = {"BUTTON", "CAPTION", "DIV", "LABEL", "P", "PRE", "TABLE", "TBODY", "TD", "TEXTAREA", "TH", "THEAD", "TR"}


def test_markup_is_text(shown: Shown) -> None:
    for markup in (*MARKUP, "/:a/" + MARKUP[0], "https://h/?" + MARKUP[1], "User-agent: *\nDisallow: /" + MARKUP[2]):
        for tool in FORMS:
            names = {name: markup for name in SAMPLES[tool] if name != "agent"}
            shown.page.value(
                f"for (const [name, text] of Object.entries({json.dumps(names)}))"
                f"document.querySelector(`#playground-{tool}-${{name}}`).value = text"
            )
            shown.press(tool)
            shown.wait(tool)
            assert (
                set(shown.page.value("[...document.querySelectorAll('form.playground *')].map((e) => e.tagName)"))
                <= OWN
            )
            if tool == "redact":
                assert shown.pictures(tool) == [redact_text(markup)]
        shown.page.value(f"location.hash = {json.dumps(urlencode({'tool': 'compare', 'first': markup}))}")
        shown.wait("compare")
        assert shown.page.value("document.querySelector('#playground-compare-first').value") == markup
    assert shown.page.value("document.links.length") == shown.page.value("document.querySelectorAll('a[href]').length")


def test_keyboard(shown: Shown) -> None:
    """Tab goes through all fields and buttons in their order, and through answers that scroll. Enter answers."""
    shown.ask("explain")
    shown.page.value("document.querySelector('#playground-explain-url').focus()")
    seen = []
    for _ in range(60):
        seen.append(shown.page.value("at = document.activeElement, at.id || at.ariaLabel || at.textContent"))
        if seen[-1] == FORMS["robots"].button:
            break
        shown.page.press("Tab", 9)
    controls = []
    for tool, form in FORMS.items():
        controls += [f"playground-{tool}-{field.name}" for field in form.fields] + [form.button]
        if tool == "explain":
            controls.append("Explain: How a browser reads it")
    assert [each for each in seen if each in controls] == controls
    # In a field of one line, Enter answers; in others, it begins a line.
    shown.type("explain", url="https://i/")
    shown.page.press("Enter", 13, "\r")
    shown.page.wait("document.querySelector('form[data-tool=explain] pre')?.textContent.includes('https://i/')")
    assert shown.page.value("document.activeElement.value") == "https://i/"
    shown.type("redact", text="a")
    shown.page.press("Enter", 13, "\r")
    assert shown.page.value("document.activeElement.value") == "a\n"
    assert shown.status("redact") == ""


def test_accessible(shown: Shown) -> None:
    shown.ask("robots")
    nodes = shown.page.call("Accessibility.getFullAXTree")["nodes"]
    named = {(node["role"]["value"], node.get("name", {}).get("value")) for node in nodes if not node["ignored"]}
    assert {("textbox", "robots.txt"), ("button", "Test robots.txt"), ("form", "Test robots.txt")} <= named
    assert {("table", "Why"), ("rowheader", "path"), ("columnheader", "What")} <= named
    assert shown.value("robots", ".querySelector('.playground-status').role") == "status"


# Two places of the theme's own, which each page has: two asides without names, and a link outside of them.
OF_THE_THEME = [".sidebar-drawer", ".toc-drawer", ".back-to-top"]
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe(shown: Shown, scheme: str, width: int) -> None:
    """axe-core finds no violation, neither before anything is loaded nor with an answer in each form."""
    shown.page.color_scheme(scheme)
    shown.page.resize(width, 900)
    # make test-engines installs it, from npm.
    shown.page.value(AXE.read_text("utf-8") + "; 0")
    run = f"axe.run({json.dumps({'exclude': OF_THE_THEME})}, {json.dumps({'runOnly': TAGS})})"
    backgrounds = set()
    for answers in ({}, SAMPLES, {"explain": {"url": "//"}, "pattern": {"pattern": "https://h/:id/:id"}}):
        for tool, typed in answers.items():
            shown.ask(tool, **typed)
        passes, found = shown.page.value(
            f"{run}.then((said) => [said.passes.length, said.violations.map((rule) => [rule.id, rule.nodes])])"
        )
        assert passes > 30
        assert found == []
        backgrounds.add(shown.page.value("getComputedStyle(document.body).backgroundColor"))
    assert len(backgrounds) == 1
    light = [int(number) > 128 for number in backgrounds.pop().strip("rgb()").split(", ")]
    assert light == [scheme == "light"] * 3
    # It is not blind.
    shown.page.value("document.querySelector('form.playground label').remove()")
    assert "label" in shown.page.value(f"{run}.then((said) => said.violations.map((rule) => rule.id))")


@pytest.mark.parametrize("width", [320, 375, 1280])
def test_width(shown: Shown, width: int) -> None:
    """Nothing is wider than the screen, not even on a telephone."""
    shown.page.resize(width, 900)
    long = "https://" + "a" * 63 + ".example/" + "%20" * 200 + "/:b?" + "b" * 300
    for tool in FORMS:
        shown.ask(tool, **{name: long for name in SAMPLES[tool] if name != "base"})
        assert shown.page.value("document.documentElement.scrollWidth") <= width


def test_without_a_wheel(browser: Page, tmp_path: Path) -> None:
    """The page shows pictures, says what to do, and has neither forms nor their code."""
    folder = build_site(tmp_path, tmp_path / "nothing")
    page = (folder / "playground.html").read_text("utf-8")
    assert "was built without the playground" in page
    assert "playground.js" not in page
    assert '<form class="playground"' not in page
    assert not (folder / "_static" / "pyodide").exists()
    with Site(folder) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        browser.go(server.address)
        widths = browser.value("[...document.querySelectorAll('article img')].map((image) => image.naturalWidth)")
        assert len(widths) == 2
        assert min(widths) > 0
        server.shutdown()


def test_opened_as_a_file(shown: Shown, tmp_path: Path) -> None:
    """A browser does not let it load Python: the page says what to do."""
    folder = Path(shown.site.RequestHandlerClass.keywords["directory"])  # type: ignore[attr-defined]
    shown.page.go((folder / "playground.html").as_uri())
    shown.press("explain")
    assert "python -m http.server" in shown.status("explain")
    shown.page.events.clear()


@pytest.mark.parametrize("name", viewer_screenshot.PLAYGROUND)
def test_screenshot(shown: Shown, name: str) -> None:
    """The pictures of the page can be taken again, and are small."""
    picture = viewer_screenshot.PLAYGROUND[name]
    taken = viewer_screenshot.playground_taken(shown.page, shown.site.address, picture)
    for png in (taken, (viewer_screenshot.IMAGES / name).read_bytes()):
        assert png.startswith(b"\x89PNG\r\n\x1a\n")
        assert struct.unpack(">II", png[16:24]) == (picture.width, picture.height)
        assert 15_000 < len(png) < 100_000
