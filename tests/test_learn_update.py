"""Files of routes that weburl learn wrote: they can be read, they are stable, and what people wrote in them stays."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from random import Random
from string import ascii_lowercase
from threading import Thread

import pytest
from support.command import run
from test_learn import site
from test_learn_counts import lines

from weburl import URL
from weburl.errors import PatternError
from weburl.patterns import LearntRoutes, PatternList, learn_routes

HOST = "https://shop.example"
ODD_HOSTS = (
    "https://[::1]:8080", "foo://(x.example", "foo://a{b.example", "foo://a+b.example", "foo://he*llo", "foo://a}b",
    "foo://*.x.example", "foo://a:81", "foo://!$&'(*);=,", "foo://[1::2]", "https://xn--bcher-kva.example", "foo://a~b_c",
    "foo://{a}", "foo://*", "foo://{other}", "foo://:81", "https://1.2.3.4:81",
)  # fmt: skip


def host(random: Random) -> str:
    scheme = random.choice(("https", "http", "ws", "foo", "file"))
    text = "".join(random.choices("ab.-_~!$&'()*+,;={}[]:`\"1", k=random.randint(1, 9)))
    return f"{scheme}://{text}"


def path(random: Random) -> str:
    text = random.choices("ab/.-_~!$&'()*+,;={}[]:|^`\\\"%1 \u00e9\u3000", k=random.randint(0, 12))
    return "/" + "".join(text)


def check_file(learnt: LearntRoutes, file: Path) -> None:
    """Both readers take the file."""
    file.write_text(learnt.text)
    assert PatternList.read(file) == learnt.patterns
    assert [route.key for route in learn_routes([], update=file).routes] == [route.key for route in learnt.routes]


@pytest.mark.parametrize("start", ODD_HOSTS)
def test_odd_hosts_are_read_again(start: str, tmp_path: Path) -> None:
    urls = [url for n in range(20) if URL.can_parse(url := f"{start}/{n}")] + [f"{HOST}/about"] * 20
    learnt = learn_routes(urls)
    file = tmp_path / "a.routes"
    check_file(learnt, file)
    for option in ("--routes", "--update"):
        arguments = ["learn", option, str(file)] if option == "--update" else [option, str(file), "-g", "{route}"]
        assert run(*arguments, stdin=f"{HOST}/about\n").status == 0


@pytest.mark.parametrize("seed", range(6))
def test_what_is_written_can_be_read(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    learnt_hosts = 0
    for _ in range(60):
        starts = [host(random) for _ in range(random.randint(1, 3))]
        paths = [path(random) for _ in range(random.randint(1, 3))]
        urls = [url for start in starts for each in paths if URL.can_parse(url := start + each) for _ in range(10)]
        learnt = learn_routes(urls)
        check_file(learnt, tmp_path / "a.routes")
        learnt_hosts += len(learnt.routes) > 1
    assert learnt_hosts > 20


def check_stable(urls: list[str], file: Path, *, exact: bool, most: int = 2000) -> None:
    first = learn_routes(urls, max_routes=most)
    assert first.is_exact
    file.write_text(first.text)
    second = learn_routes(urls, update=file, max_routes=most)
    assert [(route.key, route.pattern) for route in second.routes] == [
        (route.key, route.pattern) for route in first.routes
    ]
    assert second.new == []
    if exact:
        assert second.text == first.text
    file.write_text(second.text)
    assert learn_routes(urls, update=file, max_routes=most).text == second.text
    assert sum(route.lines for route in second.routes) == second.lines


@pytest.mark.parametrize("seed", range(5))
def test_the_same_lines_give_the_same_file(seed: int, tmp_path: Path) -> None:
    random = Random(seed)
    check_stable(site(random, random.randint(2000, 5000)), tmp_path / "a.routes", exact=True)


@pytest.mark.sample(3)
@pytest.mark.parametrize("seed", [*range(5), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(5, 20))])
@pytest.mark.parametrize("most", [2000, 40])
def test_odd_lines_give_the_same_routes(seed: int, most: int, tmp_path: Path) -> None:
    """A few lines are counted for {other} at first, though a pattern matches them."""
    random = Random(seed)
    check_stable(list(lines(random, random.randint(300, 1200))), tmp_path / "a.routes", exact=False, most=most)


@pytest.mark.parametrize(
    "make",
    [
        lambda n: f"{HOST}/cart;jsessionid={n}",
        lambda n: f"{HOST}/u/%31{n}",
        lambda n: f"{HOST}/v/%7Bint%7D",
        lambda n: f"{HOST}/v/%7Bint%7D{n}",
        lambda n: f"{HOST}/page={n};a",
        lambda n: f"https://u{n}.shop.example/x/{n}",
        lambda n: f"https://h{n}.x.example:8443/{n}.js",
        lambda n: f"foo://a{{b.example/{n}",
    ],
)
def test_odd_forms_do_not_grow(make: Callable[[int], str], tmp_path: Path) -> None:
    check_stable([make(n) for n in range(60)] + [f"{HOST}/about"] * 20, tmp_path / "a.routes", exact=True)


def test_a_smaller_bound_names_what_is_left_out(tmp_path: Path) -> None:
    file = tmp_path / "a.routes"
    urls = [f"{HOST}/{name}" for name in ascii_lowercase[:9] for _ in range(10 + ord(name))]
    file.write_text(learn_routes(urls).text)
    result = run("learn", "--update", str(file), "--max-routes", "5", stdin="\n".join(urls))
    assert "5 routes are left out: /a, /b, /c, /d, /e" in result.err
    updated = learn_routes(urls, update=file, max_routes=5)
    assert result.out == updated.text
    assert [route.key for route in updated.routes] == ["/f", "/g", "/h", "/i", "{other}"]
    assert updated.routes[-1].lines == sum(10 + ord(name) for name in "abcde")
    assert sum(route.lines for route in updated.routes) == updated.lines == len(urls)
    # And there is no room for them later.
    file.write_text(updated.text)
    assert learn_routes(urls, update=file, max_routes=5).text == updated.text


@pytest.mark.parametrize("depth", [100, 3000])
def test_a_deep_key_has_a_row_in_the_report(depth: int, tmp_path: Path) -> None:
    file, page = tmp_path / "a.routes", tmp_path / "a.html"
    file.write_text(f"{'/deep' * depth}\t*://shop.example/deep\n")
    result = run("learn", "--update", str(file), "--report", str(page), stdin=f"{HOST}/deep\n")
    assert result.status == 0
    assert page.read_text().count("deep") >= depth


def updated(text: str, urls: list[str], file: Path) -> str:
    file.write_text(text)
    return learn_routes(urls, update=file).text


def test_comments_of_people_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.routes"
    urls = [f"{HOST}/about"] * 1234 + [f"{HOST}/users/{n}" for n in range(20)]
    text = (
        "// weburl learn: 2 routes of 30 lines\n// weburl learn: ask Ada\n// see JIRA-5: 3 lines\n// about 12 lines\n"
        "// 7 lines of Ada\n/about\t*://shop.example/about\n// the rest\n// 4 lines\n{other}\t*://*:*/*\n// the end\n"
        "// 2 lines\n"
    )
    expected = (
        "// weburl learn: 3 routes of 1,254 lines\n// weburl learn: ask Ada\n// see JIRA-5: 3 lines\n"
        "// 7 lines of Ada\n"
        "// 1,234 lines\n/about\t*://shop.example/about\n// 20 lines\n/users/{int}\t*://shop.example/users/:int(\\d+)\n"
        "// the rest\n// 0 lines\n{other}\t*://*:*/*\n// the end\n"
    )
    assert updated(text, urls, file) == expected
    assert updated(expected, urls, file) == expected


def test_routes_of_people_for_the_rest_stay(tmp_path: Path) -> None:
    file = tmp_path / "a.routes"
    urls = [f"{HOST}/about"] * 20 + ["https://www.example/x"] * 30 + ["mailto:a@b.example"] * 3
    text = updated("shop {other}\t*://shop.example/*\neverything\t*://*:*/*\n", urls, file)
    assert [line for line in text.splitlines() if line[:2] != "//"] == [
        "shop {other}\t*://shop.example/*", "www.example/x\t*://www.example/x", "everything\t*://*:*/*",
    ]  # fmt: skip
    assert text.count("// 20 lines\nshop") == 1
    assert text.count("// 3 lines\neverything") == 1
    assert updated(text, urls, file) == text
    learnt = learn_routes(urls, update=file)
    assert (learnt.new, learnt.died) == ([], [])


def test_a_second_route_for_everything_is_dropped(tmp_path: Path) -> None:
    text = updated("// a\nrest\t*://*:*/*\n// b\n{other}\t*://*:*/*\n", [], tmp_path / "a.routes")
    assert text == "// weburl learn: 1 route of 0 lines\n// a\n// b\n// 0 lines\nrest\t*://*:*/*\n"


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no FIFOs")
@pytest.mark.parametrize("option", ["--update", "--routes"])
def test_a_fifo_is_read_once(option: str, tmp_path: Path) -> None:
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    writer = Thread(target=fifo.write_text, args=("about us\t*://shop.example/about\n",), daemon=True)
    writer.start()
    arguments = ["learn", option, str(fifo)] if option == "--update" else [option, str(fifo), "-g", "{route}"]
    result = run(*arguments, stdin=f"{HOST}/about\n")
    writer.join(300)
    assert result.status == 0
    assert "about us" in result.out


@pytest.mark.parametrize("seed", range(20))
def test_a_broken_pattern_is_in_a_line(seed: int, tmp_path: Path) -> None:
    """With comments, empty lines and other routes around it, in the command and in Python, as --routes says it."""
    random = Random(seed)
    others = [
        "",
        "  ",
        "// a note",
        "// 7 lines",
        "{other}\t*://*:*/*",
        *(f"r{n}\thttps://h/{n}/:id" for n in range(5)),
    ]
    text = random.choices(others, k=random.randrange(12))
    number = random.randrange(len(text) + 1)
    text.insert(number, random.choice(["a b\thttps://h/(", "https://h/{", "c\thttps://h/(?<n>"]))
    file = tmp_path / "r.routes"
    file.write_bytes((random.choice(["", "\ufeff"]) + random.choice(["\n", "\r\n"]).join(text)).encode())
    for arguments in (["learn", "--update", str(file)], ["--routes", str(file), "-g", "{route}"]):
        result = run(*arguments, stdin="https://h/1\n")
        assert result.status == 2
        assert f" line {number + 1}: " in result.err
    with pytest.raises(PatternError, match=f"^line {number + 1}: ") as caught:
        learn_routes([], update=file)
    assert caught.value.line == number + 1
