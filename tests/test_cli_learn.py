"""weburl learn: its inputs, its file of routes, --update, and the page of --report."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from gzip import compress
from html.parser import HTMLParser
from pathlib import Path
from random import Random

import pytest
from support.command import run

from weburl._learn.learning import Learnt
from weburl.cli.viewer.routes import page_of, path_of, trees_of
from weburl.patterns import PatternList, learn_routes

HOST = "https://shop.example"
URLS = [f"{HOST}/users/{n}" for n in range(60)] + [f"{HOST}/about"] * 20
EXPECTED = learn_routes(URLS).text


def test_a_file_is_learnt_and_applied(tmp_path: Path) -> None:
    lines = tmp_path / "urls.txt"
    lines.write_text("\n".join(URLS))
    out = tmp_path / "shop.routes"
    assert run("learn", str(lines), "-o", str(out)).out == ""
    assert out.read_text() == EXPECTED
    routed = run("--routes", str(out), "-g", "{route}", "-f", str(lines))
    assert sorted(set(routed.lines)) == ["/about", "/users/{int}"]


@pytest.mark.parametrize("threads", ["1", "2", "3"])
def test_standard_input_in_any_order(threads: str) -> None:
    urls = URLS.copy()
    Random(int(threads)).shuffle(urls)
    assert run("learn", "--threads", threads, stdin="\n".join(urls)).out == EXPECTED


def test_logs_tables_and_compressed_files(tmp_path: Path) -> None:
    paths = [url.removeprefix(HOST) for url in URLS]
    log = "".join(f'1.2.3.4 - - [01/Jan/2026:00:00:00 +0000] "GET {path} HTTP/1.1" 200 1 "-" "-"\n' for path in paths)
    (tmp_path / "a.log.gz").write_bytes(compress(log.encode()))
    (tmp_path / "a.csv").write_text("id,url\n" + "".join(f"1,{url}\n" for url in URLS))
    (tmp_path / "a.jsonl").write_text("".join(f'{{"u": "{url}"}}\n' for url in URLS))
    for arguments in (
        ["--log", "combined", "--base", HOST, str(tmp_path / "a.log.gz")],
        ["--column", "url", str(tmp_path / "a.csv")],
        ["--field", "u", str(tmp_path / "a.jsonl")],
    ):
        assert run("learn", *arguments).out == EXPECTED


def test_elements_of_arrays() -> None:
    lines = [
        f'{{"spans": [{{"u": "{one}"}}, {{"u": "{two}"}}]}}' for one, two in zip(URLS[::2], URLS[1::2], strict=True)
    ]
    assert run("learn", "--field", "spans[].u", stdin="\n".join(lines)).out == EXPECTED


@pytest.mark.parametrize("arguments", [["--field", "v"], ["--field", "u[].v"], ["--column", "v"], ["--column", "9"]])
def test_a_value_that_no_record_has_writes_nothing(tmp_path: Path, arguments: list[str]) -> None:
    file, page = tmp_path / "shop.routes", tmp_path / "routes.html"
    for path in (file, page):
        path.write_text(EXPECTED)
    stdin = "u,w\nhttps://h/,1\n" if arguments[0] == "--column" else '{"u": "https://h/"}\n'
    for more in ([], ["--update", str(file)]):
        ended = run("learn", *arguments, *more, "-o", str(file), "--report", str(page), stdin=stdin)
        assert ended.status == 1
        assert repr(arguments[1]) in ended.err
        assert file.read_text() == page.read_text() == EXPECTED


def test_empty_lines_are_not_the_base() -> None:
    assert run("learn", "--base", HOST, stdin="\n".join([*URLS, "", ""])).out == EXPECTED


def test_update_says_what_has_changed(tmp_path: Path) -> None:
    file = tmp_path / "shop.routes"
    file.write_text(EXPECTED.replace("/about\t", "about us\t"))
    urls = "\n".join([*URLS[:60], *(f"{HOST}/kinds/{n}" for n in range(20))])
    result = run("learn", "--update", str(file), "-o", str(file), stdin=urls)
    assert "1 route is new: /kinds/{int}" in result.err
    assert "1 route is no longer used: about us" in result.err
    assert [key for key, _ in PatternList.read(file)] == ["about us", "/users/{int}", "/kinds/{int}", "{other}"]


def test_wrong_options(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.routes"
    wrong.write_text("a\thttps://shop.example/(\n")
    assert run("learn", "--update", str(wrong)).status == 2
    assert run("learn", "--update", "-").status == 2
    absent = tmp_path / "absent.routes"
    result = run("learn", "--update", str(absent), stdin="https://shop.example/\n")
    assert (result.status, result.out) == (3, "")
    assert result.err == f"weburl: {absent}: there is no such file: the first time, leave out --update\n"
    assert run("learn", "--max-routes", "0").status == 2
    same = str(tmp_path / "x")
    assert "name one file" in run("learn", "-o", same, "--report", same).err


class Page(HTMLParser):
    """The texts of a page, and what could load or run something."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.bad: list[str] = []
        self.depth = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.bad += [tag] if tag in ("script", "img", "iframe", "object", "b", "i") else []
        self.bad += [f"{name}={value}" for name, value in attrs if name.startswith("on") or name in ("src", "style")]

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def test_the_page_has_the_tree_and_no_markup_of_paths(tmp_path: Path) -> None:
    hostile = [
        "/<script>alert(1)</script>", "/\"onload=alert(1)", "/&lt;b&gt;", "/'><img src=x onerror=alert(1)>", "/a/<b>/c",
        "/{policy}", "/{sections}", "/\u202egnp.exe", "/%3Cb%3E",
    ]  # fmt: skip
    # A path has most of these escaped; a key of a person need not.
    file = tmp_path / "old.routes"
    file.write_text("".join(f"{text}\t*://shop.example/k{n}\n" for n, text in enumerate(hostile)))
    page = tmp_path / "out.html"
    urls = [*URLS, *(f"{HOST}{text}" for text in hostile for _ in range(20))]
    run("learn", "--update", str(file), "--report", str(page), stdin="\n".join(urls))
    text = page.read_text()
    parsed = Page(text)
    assert parsed.bad == []
    shown = "".join(parsed.texts)
    assert "alert(1)" in shown
    assert "/{policy}" in shown
    assert "\u202e" not in text
    assert re.search(r"users</span>|/users", text)
    assert "no longer used" in text
    assert not re.search(r"https?://(?!shop\.example)", text)
    assert "default-src 'none'" in text


def test_a_route_with_a_name_stands_at_its_path() -> None:
    """A name of a person is shown beside the path, in the tree of its host."""
    draw = Random(3)
    values: list[Callable[[], str]] = [
        lambda: str(draw.randint(1, 10**6)), lambda: str(uuid.UUID(int=draw.getrandbits(128))),
        lambda: f"{draw.getrandbits(128):032x}", lambda: f"2026-{draw.randint(1, 12):02}-{draw.randint(1, 28):02}",
        lambda: "".join(draw.choices("abcdefghijklmnop", k=9)), lambda: f"item-{draw.randint(1, 10**6)}",
        lambda: f"{draw.randint(1, 10**6)}.pdf", lambda: f"a{draw.randint(1, 10**6)}b",
    ]  # fmt: skip
    urls = [f"{HOST}/kind{k}/{value()}/x/{value()}" for k, value in enumerate(values) for _ in range(300)]
    learnt = Learnt(*learn_routes(urls))
    routes = [route for route in learnt.routes if route.pattern != "*://*:*/*"]
    assert len({value for route in routes for value in re.findall(r"\{\w+\}", route.key)}) > 4
    for route in routes:
        named = route._replace(key="a name")
        assert path_of(named) == path_of(route), route
        (host,) = trees_of([named])
        assert host == "shop.example"
    page = page_of(learnt._replace(routes=[route._replace(key="a <name>") for route in routes]))
    assert page.count('<span class="badge">a &lt;name&gt;</span>') == len(routes)
