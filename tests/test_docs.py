"""The examples of the documentation: each is run here, or by the test that is named."""

from __future__ import annotations

import http.server
import random
import re
import socket
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from threading import Thread
from typing import Any

import conformance_page
import option_page
import pytest
from support.pages import DOCS, PYTHON, blocks, run_examples
from support.wpt_cases import MANIFEST
from test_source import TABLE

from weburl.cli.commands import COMMANDS
from weburl.cli.commands.completion import described

ROOT = Path(__file__).resolve().parent.parent
PAGES = sorted(DOCS.rglob("*.md"))
# Pages whose examples need engines, and the tests that run them: `make test-engines`.
ENGINES = {
    f"engines/{path.stem}.md": f"engines/test_{path.stem}.py"
    for path in (DOCS / "engines").glob("*.md")
    if path.stem != "index"
} | {f"howto/{page}.md": "engines/test_howto.py" for page in ("logs", "from-yarl", "from-can-ada")}
ENGINES["links.md"] = "engines/test_page_links.py"
# What a fence may hold, besides directives.
LANGUAGES = (*PYTHON, "text", "sh", "console", "json", "sql")


def name(path: Path) -> str:
    return path.relative_to(DOCS).as_posix()


@pytest.mark.parametrize("path", [path for path in PAGES if name(path) not in ENGINES], ids=name)
def test_examples(path: Path) -> None:
    page = path.read_text("utf-8")
    assert run_examples(path) == sum(block.language in PYTHON for block in blocks(page))


@pytest.mark.parametrize("page", ENGINES)
def test_those_of_engines_are_run_elsewhere(page: str) -> None:
    test = (ROOT / "tests" / ENGINES[page]).read_text("utf-8")
    assert re.search(rf"check_examples\(\"{Path(page).stem}\"\)|run_examples\(DOCS / \"{page}\"\)", test)


# README.md is run by pytest itself.
@pytest.mark.parametrize("path", [*PAGES, ROOT / "README.md"], ids=lambda path: path.name)
def test_no_example_is_left_out(path: Path) -> None:
    page = path.read_text("utf-8")
    fenced = blocks(page)
    assert page.count("\n```") + page.startswith("```") == 2 * len(fenced)
    for language, text in fenced:
        assert language in LANGUAGES or language.startswith("{")
        assert language in PYTHON or language.startswith("{") or ">>> " not in text
    outside = re.sub(r"^```.*?^```$", "", page, flags=re.DOTALL | re.MULTILINE)
    assert not re.search(r"^\s*>>> ", outside, re.MULTILINE)
    # What is indented instead is for a shell.
    for indented in re.findall(r"\n\n {4}(\S+)", outside):
        assert indented in ("make", "pip", "python", "weburl")


def test_a_wrong_example_is_noticed(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x\n1\n\n```\n", "utf-8")
    assert run_examples(page) == 2
    page.write_text("```python\nx = 1\n```\n\n```python\n>>> x\n2\n\n```\n", "utf-8")
    with pytest.raises(AssertionError):
        run_examples(page)


def test_there_are_some() -> None:
    assert sum(page.read_text("utf-8").count("\n>>> ") for page in PAGES) > 300


# What names files of the repository: pages, and the docstrings, comments and commands of everything else.
WRITTEN = sorted(
    path
    for pattern in ("*.md", "Makefile", "*.py", "*.pyx", "*.pxd", "*.pyi", "*.h", "*.in", ".ci/run", ".github/**/*.yml")
    for path in ROOT.rglob(pattern)
    if path.is_file()
    and not {".venv", "build", "dist", "node_modules"}.intersection(path.relative_to(ROOT).parts)
    and path != Path(__file__)
)
SOURCE = ROOT / "src" / "weburl"
ROOMS = [path.name for path in sorted(SOURCE.iterdir()) if (path / "__init__.py").exists()]
# Made by a command, by a test or by whoever adds a file.
MADE = re.compile(r"wpt_data/data|src/\*\.egg-info|docs/page\.md|_core/new\.\w+|.*NAME.*|.*\*\.so")
PLACE = re.compile(
    r"(?<![\w./%-])(?:\./|weburl/)?((?:src|tests|tools|benchmarks|docs|wpt_data|\.ci|\.github|"
    + "|".join(ROOMS)
    + r")/[\w*./-]*\w)(?!\w*[*%{<])"
)
# Of one file, where a page of the repository itself names it without its folder.
FILE = re.compile(r"`([\w-]+\.(?:py|pyx|pxd|pyi|h|md|toml|json|mjs))`")


def exists(place: str, beside: Path) -> bool:
    """Whether there is such a file or folder; or a module, whose kind of file is left out."""
    for folder in (ROOT, SOURCE, ROOT / "tests", beside):
        for suffix in ("", ".py", ".pyx", ".pxd"):
            if "*" in place and any(folder.glob(place + suffix)):
                return True
            if (folder / (place + suffix)).exists():
                return True
    return False


@pytest.mark.parametrize("path", WRITTEN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_paths_that_are_named_exist(path: Path) -> None:
    text = path.read_text("utf-8")
    places = {place for place in PLACE.findall(text) if not MADE.fullmatch(place)}
    assert {place for place in places if not exists(place, path.parent)} == set()


@pytest.mark.parametrize("path", [ROOT / "CONTRIBUTING.md", DOCS / "design.md"], ids=lambda path: path.name)
def test_files_that_are_named_exist(path: Path) -> None:
    names = set(FILE.findall(path.read_text("utf-8")))
    there = {
        path.name
        for folder in ("src", "tests", "tools", "benchmarks", "docs", ".ci", "wpt_data")
        for path in (ROOT / folder).rglob("*")
    }
    assert names
    assert names - there - {path.name for path in ROOT.iterdir()} == set()


@pytest.mark.parametrize(
    ("text", "place"),
    [
        ("`src/weburl/_core/parser.pyx`.", "src/weburl/_core/parser.pyx"),
        ("In the order of _core/status.pxd.", "_core/status.pxd"),
        ("`weburl/_hosts/psl`", "_hosts/psl"),
        ("see tests/tiers/fuzz*.py", "tests/tiers/fuzz*.py"),
        ("https://example.com/docs/a", None),
        ("/tests/a", None),
    ],
)
def test_paths_are_found(text: str, place: str | None) -> None:
    assert PLACE.findall(text) == ([] if place is None else [place])
    if place:
        assert exists(place, ROOT)
        assert not exists(place.replace("p", "q"), ROOT)


def test_contributing_has_the_table_of_imports() -> None:
    """CONTRIBUTING.md says what is in each room; tests/test_source.py compares the imports with the source."""
    table = (
        (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Where things are")[2].partition("\n\nOutside")[0]
    )
    rows = {}
    for path, at_once, later in re.findall(r"^\| `([\w./]+)` \|.*\| ([^|]*)\| ([^|]*)\|$", table, re.MULTILINE):
        assert (SOURCE / path).exists()
        name = path.removesuffix("/").removesuffix(".py").removesuffix(".pyx").replace("/", ".")
        rows[name] = re.findall(r"`(.*?)`", at_once), re.findall(r"`(.*?)`", later)
    assert rows == TABLE


def test_the_drawing_shows_who_imports_whom() -> None:
    """Imports go down in the drawing of docs/design.md, or within a box, or to a box that the text above it names."""
    text, _, rest = (DOCS / "design.md").read_text("utf-8").partition("## The layers")[2].partition("```text\n")
    drawing = rest.partition("```")[0]
    assert len({len(line) for line in drawing.splitlines()}) == 1
    # The box of each is its line and its place in the line: only rooms share a line without sharing a box.
    boxes = {
        name: (number, name if is_room else "")
        for number, line in enumerate(drawing.splitlines())
        for name, is_room in re.findall(r"\b(\w+)(?:\.py|(/))", line)
    }
    beside = {
        (user, used) for user, uses in re.findall(r"`(\w+)` uses ([^.]*?)(?:,|\.|$)", text) for used in uses.split("`")
    }
    top = {name.partition(".")[0] for name in TABLE} - {"__init__", "__main__", "_pydantic"}
    assert boxes.keys() == top
    for importer, (at_once, later) in TABLE.items():
        user = importer.partition(".")[0]
        for used in {name.partition(".")[0] for name in (*at_once, *later)} & top:
            if user in top:
                assert boxes[used][0] > boxes[user][0] or boxes[used] == boxes[user] or (user, used) in beside


def test_the_paths_through_the_code_exist() -> None:
    """Each row of the tables in docs/design.md has a file, and a function or class that the file defines."""
    rows = re.findall(r"^\| `([\w/]+\.\w+)` \| `(\w+)` \| ", (DOCS / "design.md").read_text("utf-8"), re.MULTILINE)
    assert len(rows) > 25
    missing = [
        (file, name)
        for file, name in rows
        if not re.search(
            rf"^\s*(?:async )?(?:def |class |cdef (?:inline )?(?:class )?(?:const )?(?:[\w*]+ )*\*?){name}\b|^{name}\b",
            (SOURCE / file).read_text("utf-8"),
            re.MULTILINE,
        )
    ]
    assert missing == []


def test_the_page_of_options_is_current() -> None:
    """It has each option of each command, as their tables of options say them."""
    assert (DOCS / "reference" / "command.md").read_text("utf-8") == option_page.page()
    options = {name for name in ("convert", *COMMANDS) for name in described(name).names.split()}
    assert {"--csv-safe", "--with-keep", "--kinds", "--resolve-empty"} < options
    assert {name for name in options if f"{name} " not in option_page.page().replace(",", " ")} == {"-h", "--help"}


@pytest.mark.parametrize("path", [*PAGES, *ROOT.glob("*.md")], ids=lambda path: path.name)
def test_make_knows_what_pages_tell_it(path: Path) -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    targets = " ".join(re.findall(r"^(?:TIERS *:=|\.PHONY:)(.*)", makefile, re.MULTILINE)).split()
    named = re.findall(r"(?:`| {4})make ([a-z-]+)", path.read_text("utf-8"))
    assert set(named) - set(targets) == set()


def test_the_page_on_conformance_has_every_file() -> None:
    """Which tests passed, `python tools/conformance_page.py --check` says."""
    page = (DOCS / "conformance.md").read_text("utf-8")
    for file, entry in MANIFEST.items():
        assert f"| `{file}` | {entry['cases']:,} |" in page
    for module in conformance_page.MODULES:
        scripts = conformance_page.scripts_of(module)
        files = conformance_page.files_of(module)
        assert scripts or files or module.name == "test_data.py"
        assert scripts == [] or f"| {', '.join(f'`{script}`' for script in scripts)} | `{module.name}` |" in page
        assert files == {} or module.stem in conformance_page.THROUGH
    assert "failure |" not in page
    assert "error |" not in page
    assert "skipped |" not in page


# The redirects of the page's test, and what is asked for after them: the bytes of the header, and an empty query.
ASKED = ("/to/here", "/x?q", "/to/bytes", "/caf%E9?", "/to/there")


class Server(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.server.asked.append((self.headers["Host"], self.path))  # type: ignore[attr-defined]
        target = {"/to/here": "/x?q", "/to/bytes": "/caf\xe9?", "/to/there": "http://elsewhere.example.net:8080/"}.get(
            self.path
        )
        self.send_response(302 if target else 200)
        if target:
            self.send_header("Location", target)
        self.end_headers()
        self.wfile.write(b"body")

    def log_message(self, *arguments: object) -> None:
        pass


def test_the_page_on_fetching_connects_to_what_it_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that has a public address at first, and then a private one, is asked for its address once."""
    names: dict[str, Any] = {}
    run_examples(DOCS / "howto/fetching.md", names)
    looked_up = []

    def getaddrinfo(host: str, port: int, *arguments: object, **options: object) -> list[Any]:
        looked_up.append(host)
        address = "10.0.0.7" if host == "elsewhere.example.net" else "93.184.215.14"
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port))]

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        server.asked = []  # type: ignore[attr-defined]
        Thread(target=server.serve_forever, daemon=True).start()
        connected = []

        def create_connection(address: tuple[str, int], timeout: float) -> socket.socket:
            connected.append(address)
            sock = socket.socket()
            sock.connect(server.server_address)
            return sock

        monkeypatch.setattr(socket, "create_connection", create_connection)
        monkeypatch.setitem(names, "public_addresses", partial(names["public_addresses"], getaddrinfo=getaddrinfo))
        assert names["fetch"]("http://public.example.com:8080/to/here#top") == b"body"
        assert names["fetch"]("http://public.example.com:8080/to/bytes") == b"body"
        with pytest.raises(ValueError, match="has the private address"):
            names["fetch"]("http://public.example.com:8080/to/there")
        server.shutdown()
    assert server.asked == [("public.example.com:8080", path) for path in ASKED]  # type: ignore[attr-defined]
    assert connected == [("93.184.215.14", 8080)] * 5
    assert looked_up == ["public.example.com"] * 5 + ["elsewhere.example.net"]


# What servers send, and how fetch() ends for it.
ANSWERS: dict[bytes, type[Exception] | bytes] = {
    b"": OSError,
    b"\r\n": OSError,
    b"nonsense\r\n\r\n": OSError,
    b"HTTP/1.1\r\n\r\n": OSError,
    b"HTTP/1.1 99999 OK\r\n\r\n": OSError,
    b"HTTP/2 200 OK\r\n\r\n": OSError,
    b"HTTP/1.1 " + b"2" * 5000 + b"\r\n\r\n": OSError,
    b"HTTP/1.1 200 " + b"a" * 70_000 + b"\r\n\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nA: " + b"a" * 70_000: OSError,
    b"HTTP/1.1 200 OK\r\n" + b"A: a\r\n" * 101 + b"\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nx\r\n": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nbo": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-5\r\nbody": ValueError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-" + b"F" * 40 + b"\r\nbody": OSError,
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n" + b"0" * 70_000: OSError,
    b"HTTP/1.1 302 OK\r\nLocation: http://a b/\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: \xff://\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: file:///etc/passwd\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\nLocation: /\r\n\r\n": ValueError,
    b"HTTP/1.1 302 OK\r\n\r\nbody": b"body",
    b"HTTP/1.1 200 OK\r\n\r\n" + b"body" * 1000: b"body" * 25,
    b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nbody and more": b"body",
    b"HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\nbody": b"body",
    b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n0\r\n\r\n": b"body",
    b"HTTP/1.0 200\r\n\r\nbody": b"body",
}


@pytest.fixture
def fetch(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[bytes], bytes]]:
    """The page's function, and a server on this machine that answers with what it is told."""
    names: dict[str, Any] = {}
    run_examples(DOCS / "howto/fetching.md", names)
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 80))]
    checked = partial(names["public_addresses"], getaddrinfo=lambda *arguments, **options: found)
    monkeypatch.setitem(names, "public_addresses", checked)
    connect = socket.create_connection
    with socket.create_server(("127.0.0.1", 0)) as listener:
        answers = [b""]

        def serve() -> None:
            while answers:
                sock, _ = listener.accept()
                with sock, suppress(OSError):
                    request = b""
                    while not request.endswith(b"\r\n\r\n") and (more := sock.recv(65536)):
                        request += more
                    sock.sendall(b"".join(answers))
                    sock.shutdown(socket.SHUT_WR)
                    sock.recv(1)

        def ask(answer: bytes) -> bytes:
            answers[:] = [answer]
            body: bytes = names["fetch"]("http://public.example.com/a", redirects=1, limit=100)
            return body

        address = listener.getsockname()
        monkeypatch.setattr(socket, "create_connection", lambda _, timeout: connect(address, timeout))
        server = Thread(target=serve, daemon=True)
        server.start()
        yield ask
        answers.clear()
        connect(address).close()
        server.join(10)


@pytest.mark.parametrize("answer", ANSWERS, ids=lambda answer: ascii(answer[:60]))
def test_the_page_on_fetching_raises_two_kinds_of_errors(fetch: Callable[[bytes], bytes], answer: bytes) -> None:
    expected = ANSWERS[answer]
    if isinstance(expected, bytes):
        assert fetch(answer) == expected
    else:
        with pytest.raises(expected):
            fetch(answer)


def test_the_page_on_fetching_with_any_answer(fetch: Callable[[bytes], bytes]) -> None:
    source = random.Random(13)
    whole = [answer for answer in ANSWERS if len(answer) < 5000]
    parts = [b"\r\n", b"\n", b"\0", b"\xff", b"-", b"1", b"F" * 20, b":", b" ", b"\r\n\r\n", b"100", b"chunked"]
    bodies = 0
    for _ in range(1000):
        data = bytearray(source.choice(whole))
        for _ in range(source.choice((1, 2, 5))):
            at = source.randrange(len(data) + 1)
            data[at : at + source.randrange(3)] = source.choice(parts)
        with suppress(ValueError, OSError):
            assert len(fetch(bytes(data))) <= 100
            bodies += 1
    assert bodies > 100


def test_the_figures_of_the_readme_are_those_of_the_page() -> None:
    """Both are written by benchmarks/plots.py, from one run."""
    page = (DOCS / "performance.md").read_text("utf-8")
    text = (ROOT / "README.md").read_text("utf-8")
    figures = text.partition("<!-- figures -->\n")[2].partition("<!-- /figures -->")[0]
    machine, _, rows = figures.partition("\n\n")
    assert f"{machine}\n" in page
    assert rows.count(" ns |") >= 20
    for row in rows.splitlines()[2:]:
        assert f"\n{row}" in page
